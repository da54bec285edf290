"""The places of a document that point at others, with the line that they point at where it is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from pipeline.parsing.lines import Line
from pipeline.parsing.mentions import Mention, may_mention, read_mentions
from pipeline.parsing.note_marks import tie_notes
from pipeline.parsing.objects import find_objects, read_caption
from pipeline.parsing.other_documents import is_of_other, read_attached, read_self_names
from pipeline.parsing.reading import LinkRead
from pipeline.parsing.reference_targets import Targets
from schemas.tables import CROSS_REF_DF

__all__ = ["find_objects", "find_references", "read_caption"]

UNREAD_ROLES = ("toc_entry", "header", "footer", "page_number")  # what they point at is told elsewhere, or on each page
CONTEXT_CHARS = 30  # characters kept on each side of a mention (METHOD 1.2)
MIN_TERM_CHARS = 3  # characters of a defined term whose uses are listed
MAX_TERM_ROWS = 5_000  # uses of defined terms that are listed: the first of each term in each section
LINK_SLACK = 4  # characters by which a link's place, told by points, may miss the mention that it lies on


def find_references(
    lines: Sequence[Line], objects: pd.DataFrame, toc: pd.DataFrame, links: Sequence[LinkRead] = ()
) -> pd.DataFrame:
    """cross_ref_df: each mention in the visible text, with the line it points at where that is known.

    A mention of another document ('Section 2 of the Credit Agreement') or of a number that stands nowhere has no
    target. A link of the file (`links`) is a row of its own, unless a mention in the words stands at its place: then it
    says where that one points. Of a defined term the first use in each section is listed.
    """
    seen = [line for line in lines if line.visible and line.role not in UNREAD_ROLES]
    targets, names = Targets(lines, objects, toc), read_self_names(seen)
    own = set(
        zip(objects["line_id"].tolist(), objects["object_type"].tolist(), objects["object_id"].tolist(), strict=True)
    )
    rows: list[tuple[Any, ...]] = []
    for line, mention in _read_all(seen):
        if (line.line_id, mention.kind, mention.id) in own or (line.role == "heading" and mention.start == 0):
            continue
        if is_of_other(mention.before, mention.after, names):
            target = None
        else:
            target = targets.resolve(mention.kind, mention.id, inside=read_attached(mention.after))
        rows.append(_row(line, mention.kind, mention.id, mention.start, mention.end, target, "pattern"))
    rows += _use_terms(seen, objects)
    for line, start, mark, note in tie_notes(lines):
        rows.append(_row(line, "footnote", mark, start, start + len(mark), note.line_id, "pattern"))
    return CROSS_REF_DF.build(_to_columns(_add_links(rows, links)))


def _read_all(seen: Sequence[Line]) -> Iterator[tuple[Line, Mention]]:
    """Each line's mentions; one that is broken over two lines of a paragraph belongs to the first."""
    for at, line in enumerate(seen):
        if not may_mention(line.text):
            continue
        text = line.text
        before = seen[at - 1] if at and seen[at - 1].paragraph_id == line.paragraph_id else None
        after = seen[at + 1] if at + 1 < len(seen) and seen[at + 1].paragraph_id == line.paragraph_id else None
        if after is not None:
            text = f"{text} {after.text}"
        for mention in read_mentions(text):
            if mention.start >= len(line.text):
                break
            is_first = before is not None and not mention.before.strip()
            yield line, replace(mention, before=before.text[-CONTEXT_CHARS:]) if is_first and before else mention


def _row(line: Line, kind: str, name: str, start: int, end: int, target: int | None, source: str) -> tuple[Any, ...]:
    context = line.text[max(0, start - CONTEXT_CHARS) : end + CONTEXT_CHARS]
    return kind, name, line.page_num, line.line_id, start, context, target, source


def _use_terms(seen: Sequence[Line], objects: pd.DataFrame) -> list[tuple[Any, ...]]:
    """The first use of each defined term in each section, its own definition aside."""
    is_term = objects["object_type"] == "definition"
    defined = {
        term: line_id
        for term, line_id in zip(objects.loc[is_term, "object_id"], objects.loc[is_term, "line_id"], strict=True)
        if len(term) >= MIN_TERM_CHARS
    }
    if not defined:
        return []
    from ahocorasick_rs import AhoCorasick, MatchKind

    terms = list(defined)
    search = AhoCorasick(terms, matchkind=MatchKind.LeftmostLongest)
    used: set[tuple[str, str | None]] = set()
    rows: list[tuple[Any, ...]] = []
    for line in seen:
        if len(rows) >= MAX_TERM_ROWS:
            break
        for which, start, end in search.find_matches_as_indexes(line.text.replace("\u00a0", " ")):
            term, text = terms[which], line.text
            whole = not (text[start - 1 : start].isalnum() if start else False) and not text[end : end + 1].isalnum()
            place = (term, line.section_id)
            if whole and place not in used and line.line_id != defined[term]:
                used.add(place)
                rows.append(_row(line, "definition", term, start, end, int(defined[term]), "pattern"))
    return rows


def _add_links(rows: list[tuple[Any, ...]], links: Sequence[LinkRead]) -> list[tuple[Any, ...]]:
    """A row a link that points at a line; where a mention stands at the link's place, its row takes the target."""
    by_line: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        by_line.setdefault(row[3], []).append(at)
    taken: set[tuple[int, int]] = set()
    for link in sorted(links, key=lambda link: (link.line.line_id, link.char_start)):
        line, start = link.line, link.char_start
        if link.target is None or line.role in UNREAD_ROLES or not line.visible or (line.line_id, start) in taken:
            continue
        taken.add((line.line_id, start))
        end = start + len(link.text)
        place = next((at for at in by_line.get(line.line_id, ()) if _lies_on(rows[at], start, end)), None)
        if place is not None:
            rows[place] = (*rows[place][:6], link.target.line_id, "link")
        else:
            rows.append(_row(line, "link", link.text, start, end, link.target.line_id, "link"))
    return sorted(rows, key=lambda row: (row[3], row[4], row[0], row[1]))


def _lies_on(row: tuple[Any, ...], start: int, end: int) -> bool:
    """The link covers the mention's number: it begins at the mention or inside it, or a little off."""
    first: int = row[4]
    last = first + len(row[0]) + len(row[1]) + 1  # a word and its number
    is_free = row[0] != "definition" and row[7] == "pattern"
    return is_free and first - LINK_SLACK <= start <= last and end <= last + LINK_SLACK


def _to_columns(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Any]]:
    kept = {(row[3], row[0], row[1], row[4]): row for row in reversed(rows)}  # the key of the table; the first wins
    ordered = sorted(kept.values(), key=lambda row: (row[3], row[4], row[0], row[1]))
    return {name: [row[at] for row in ordered] for at, name in enumerate(CROSS_REF_DF.names())}
