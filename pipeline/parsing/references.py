"""Named objects (figures, tables, schedules ...) and the places that mention them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, ends_sentence, read_number
from pipeline.parsing.reading import LinkRead
from schemas.tables import CROSS_REF_DF, OBJECT_DF

UNREAD_ROLES = ("toc_entry", "header", "footer", "page_number")  # what they point at is told elsewhere, or on each page
CONTEXT_CHARS = 30  # characters kept on each side of a mention (METHOD 1.2)
MAX_NAME_WORDS = 12  # words of a line that names a schedule; longer lines are sentences about it
_TYPES = {
    "figure": "figure", "figures": "figure", "fig": "figure", "figs": "figure", "figura": "figure",
    "abbildung": "figure",
    "table": "table", "tables": "table", "tabla": "table", "cuadro": "table", "tableau": "table", "tabelle": "table",
    "equation": "equation", "equations": "equation", "eq": "equation", "eqs": "equation", "ecuación": "equation",
    "annex": "annex", "annexes": "annex", "anexo": "annex", "annexe": "annex", "anhang": "annex", "anlage": "annex",
    "attachment": "annex",
    "schedule": "schedule", "schedules": "schedule", "exhibit": "exhibit", "exhibits": "exhibit",
    "appendix": "appendix", "appendices": "appendix", "apéndice": "appendix",
    "section": "section", "sections": "section", "sección": "section", "abschnitt": "section", "§": "section",
    "article": "article", "articles": "article", "artículo": "article", "artikel": "article",
    "clause": "clause", "clauses": "clause", "cláusula": "clause",
}  # fmt: skip
_WORDS = "|".join(sorted(map(re.escape, _TYPES), key=len, reverse=True))
# capitals are meant as such: 'article a' names nothing, 'Article A' does
_ID = r"(?-i:\d{1,4}(?:\.\d{1,3}){0,4}[A-Za-z]?(?![\w%])|[IVXLC]{1,7}(?!\w)|[A-Z](?:[-.]?\d{1,3}(?:\.\d{1,3})*)?(?!\w))"
_MENTION = re.compile(
    rf"(?<![\w§])(?P<word>{_WORDS})\.?\s*(?P<id>{_ID})"
    rf"(?P<more>(?:\s*(?:,|and|or|to|y|o|et|und|&|–|-)\s*{_ID})*)",
    re.IGNORECASE,
)
_STEMS = (
    "sect",
    "secc",
    "§",
    "arti",
    "artí",
    "clau",
    "cláu",
    "fig",
    "abb",
    "abs",
    "tab",
    "cuad",
    "eq",
    "ecua",
    "ann",
    "anex",
    "anh",
    "anl",
    "att",
    "sched",
    "exhib",
    "appe",
    "apén",
)  # one of these begins each word of _TYPES
_SINGLE_ID = re.compile(_ID)
_CAPTION = re.compile(
    rf"(?P<word>figure|fig\.|table|equation|figura|tabla|cuadro|tableau|abbildung|tabelle)\s*(?P<id>{_ID})"
    r"(?P<sep>\s*[:.–—|-]\s*|\s*$|\s+)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_EQUATION = re.compile(r".*[=≈≤≥∝].*\((?P<id>\d{1,3}(?:\.\d{1,3})?)\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Object:
    kind: str
    id: str
    title: str
    line: Line


def read_caption(line: Line, before: Line | None) -> tuple[str, str] | None:
    """Type and number of the figure or table that the line is the caption of; None for a sentence that mentions one.

    `before` is the line above: a sentence that is broken before 'Figure 2.' is no caption.
    """
    match = _CAPTION.fullmatch(line.text)
    if match is None or not line.text[0].isupper():
        return None
    title = match["title"]
    separator = match["sep"].strip()
    named = not title or (not title[0].islower() and (bool(separator) or line.bold or _is_titled(title)))
    if not named or _breaks_sentence(line, before):
        return None
    return _TYPES[match["word"].lower().rstrip(".")], match["id"]


def _is_titled(title: str) -> bool:
    words = title.split()
    return len(words) <= MAX_NAME_WORDS and words[0][0].isupper() and not ends_sentence(title)


def _breaks_sentence(line: Line, before: Line | None) -> bool:
    if before is None or before.page_num != line.page_num or before.column != line.column or before.role != "body":
        return False
    near = 0 < line.middle - before.middle <= 1.5 * max(line.size, before.size)
    return (
        near
        and not ends_sentence(before.text)
        and abs(before.size - line.size) < 0.5
        and before.right >= line.right - line.size
    )


def find_objects(lines: Sequence[Line]) -> pd.DataFrame:
    """object_df: the first caption or heading of each object, in document order."""
    found: dict[tuple[str, str], _Object] = {}
    for line in lines:
        named = _name_object(line)
        if named is not None:
            found.setdefault((named.kind, named.id), named)
    objects = sorted(found.values(), key=lambda item: (item.line.line_id, item.kind, item.id))
    return OBJECT_DF.build(
        {
            "object_type": [item.kind for item in objects],
            "object_id": [item.id for item in objects],
            "title": [item.title for item in objects],
            "page_num": [item.line.page_num for item in objects],
            "line_id": [item.line.line_id for item in objects],
        }
    )


def _name_object(line: Line) -> _Object | None:
    if not line.visible or line.role not in ("caption", "heading", "body"):
        return None
    if line.role == "caption":
        caption = read_caption(line, None)
        return None if caption is None else _Object(caption[0], caption[1], line.text, line)
    if line.role == "heading":
        number = read_number(line.text)
        if number is not None and number.kind in ATTACHED:
            return _Object(number.kind, number.id, line.text, line)
        return None
    equation = _EQUATION.fullmatch(line.text) if line.text.endswith(")") else None
    if equation is not None and len(line.text) <= 120:  # characters; longer lines are sentences
        return _Object("equation", equation["id"], line.text, line)
    return None


def find_references(
    lines: Sequence[Line], objects: pd.DataFrame, toc: pd.DataFrame, links: Sequence[LinkRead] = ()
) -> pd.DataFrame:
    """cross_ref_df: each mention in the visible text, with the line it points at where that is known.

    A link of the file (`links`) is a row of its own, unless a mention in the words stands at its place: then it says
    where that one points.
    """
    targets = _targets(lines, objects, toc)
    columns: dict[str, list[Any]] = {name: [] for name in CROSS_REF_DF.names()}
    own = set(
        zip(objects["line_id"].tolist(), objects["object_type"].tolist(), objects["object_id"].tolist(), strict=True)
    )
    for line in lines:
        if not line.visible or line.role in UNREAD_ROLES:
            continue
        for kind, ref_id, start, end in _mentions(line.text):
            if (line.line_id, kind, ref_id) in own or (line.role == "heading" and start == 0):
                continue
            values = (
                kind,
                ref_id,
                line.page_num,
                line.line_id,
                start,
                line.text[max(0, start - CONTEXT_CHARS) : end + CONTEXT_CHARS],
                targets.get((kind, ref_id.upper())),
                "pattern",
            )
            for name, value in zip(columns, values, strict=True):
                columns[name].append(value)
    _add_links(columns, links)
    return CROSS_REF_DF.build(columns)


def _add_links(columns: dict[str, list[Any]], links: Sequence[LinkRead]) -> None:
    """A row a link that points at a line; where a mention stands at the link's place, its row takes the target."""
    places = zip(columns["line_id"], columns["char_start"], strict=True)
    rows = {place: at for at, place in enumerate(places)}
    for link in sorted(links, key=lambda link: (link.line.line_id, link.char_start)):
        if link.target is None or link.line.role in UNREAD_ROLES or not link.line.visible:
            continue
        at = rows.get((link.line.line_id, link.char_start))
        if at is not None:
            columns["target_line_id"][at], columns["source"][at] = link.target.line_id, "link"
            continue
        start = link.char_start
        rows[link.line.line_id, start] = len(columns["line_id"])
        values = (
            "link", link.text, link.line.page_num, link.line.line_id, start,
            link.line.text[max(0, start - CONTEXT_CHARS) : start + len(link.text) + CONTEXT_CHARS],
            link.target.line_id, "link",
        )  # fmt: skip
        for name, value in zip(columns, values, strict=True):
            columns[name].append(value)


def _mentions(text: str) -> list[tuple[str, str, int, int]]:
    """Type, number, start and end of each mention; 'Sections 2, 3 and 4' gives three."""
    found: list[tuple[str, str, int, int]] = []
    folded = text.casefold()
    if not any(stem in folded for stem in _STEMS):
        return found
    for match in _MENTION.finditer(text):
        kind = _TYPES[match["word"].lower()]
        found.append((kind, match["id"], match.start(), match.end("id")))
        found += [
            (kind, other.group(), match.start("more") + other.start(), match.start("more") + other.end())
            for other in _SINGLE_ID.finditer(match["more"])
        ]
    return found


def _targets(lines: Sequence[Line], objects: pd.DataFrame, toc: pd.DataFrame) -> dict[tuple[str, str], int]:
    """(type, number in capitals) -> line; the first section of a number wins.

    An outline often leaves out the number that the heading's line has.
    """
    targets: dict[tuple[str, str], int] = {}
    for title, line_id, found in zip(
        toc["title"].tolist(), toc["start_line_id"].tolist(), toc["heading_found"].tolist(), strict=True
    ):
        number = read_number(title) or (read_number(lines[line_id - 1].text) if found else None)
        if number is None:
            continue
        own = {number.kind} if number.kind in _TYPES.values() else set()
        kinds = own | (
            {"section", "article", "clause"} if number.kind in ("decimal", "section", "article", "clause") else set()
        )
        for kind in sorted(kinds):
            targets.setdefault((kind, number.id.upper()), line_id)
    named = zip(
        objects["object_type"].tolist(), objects["object_id"].tolist(), objects["line_id"].tolist(), strict=True
    )
    for kind, object_id, line_id in named:
        targets.setdefault((kind, object_id.upper()), line_id)
    return targets
