"""Values of something else: what a table lists by name is not answered by a value whose lines lack that name."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, ProposedSpan
from pipeline.generation.tables.asked import read_asked
from pipeline.generation.tables.cells import Table, read_tables
from pipeline.generation.tables.naming import Asking, is_among, names_of
from pipeline.generation.tables.words import plain_label, plain_words
from schemas.handed_tables import HandedTable
from schemas.question import GenerationBrief

MIN_LISTED = 3  # rows called by one word, 'Tooling Fee', 'Storage Fee': fewer are no list of such things
MAX_OWN_WORDS = 4  # words that tell one thing of a kind from another; a longer question describes


def refuse_unnamed(
    draft: Draft,
    passages: Sequence[Passage],
    records: Sequence[HandedTable],
    brief: GenerationBrief,
    *,
    doc_id: str = "",
) -> Draft:
    """The draft; nothing where a table lists things of the kind by name and the value's lines lack the name asked for.

    'What is the customs clearance fee?' is not answered by the annual fee, where the table of fees has no such row.
    """
    if not draft.proposals or not records or brief.answer_type not in ("amount", "percentage", "number"):
        return draft
    words = Asking(brief)
    tables = read_tables(records)
    elsewhere = _of_another_cell(draft.proposals[0].spans, tables, words)
    if elsewhere is not None:
        return Draft((), (elsewhere,))
    lines = _lines_of(draft.proposals[0].spans, passages)
    asked = read_asked(brief)
    if asked is not None and lines:
        parts = words.parts_in(doc_id, [one.text for one in passages]) & set(asked.entities)
        lacking = sorted(word for word in parts if not is_among(word, lines))
        if lacking:
            return Draft((), (f"No {brief.answer_type} of {asked.name} stands with {', '.join(map(repr, lacking))}.",))
    listing = next((table for table in tables if _lists_kind(table, words)), None)
    if listing is None:
        return draft
    kinds = _kinds_of(listing)
    own = [word for word in words.named if not is_among(word, kinds)]
    if not own or len(own) > MAX_OWN_WORDS or not lines or any(is_among(word, lines) for word in own):
        return draft
    called = f'the table "{listing.record.title}"' if listing.record.title else "the table that lists them"
    told = ", ".join(repr(word) for word in own)
    return Draft((), (f"No {brief.answer_type} stands with {told}; {called} has no row of that name.",))


def _of_another_cell(spans: Sequence[ProposedSpan], tables: Sequence[Table], words: Asking) -> str | None:
    """Why a value out of a table is not the one asked for: it stands in the header, or in a row of another name."""
    if not spans:
        return None
    names = frozenset[str]().union(*(words.names_in(table) for table in tables))
    line = spans[0].line_start
    told = {word for concept in words.brief.concepts for word in plain_words(concept.matched_by).split()}
    for table in tables:
        rows = [row for row in table.record.rows if row.line_ids[0] <= line <= row.line_ids[1]]
        if not rows:
            if any(line in column.line_ids for column in table.record.columns):
                return "What stands there as a figure is the header of a table."
            continue
        headers = [title for column in table.record.columns for title in column.header]
        texts = [text for row in rows for text in (row.label, *row.groups)]
        missing = words.missing_in((*texts, *headers, table.record.title or ""), names)
        missing = tuple(word for word in missing if word not in told)
        if missing:
            return f"The table has figures in other rows; none stands with {', '.join(map(repr, missing))}."
    return None


def _lists_kind(table: Table, words: Asking) -> bool:
    """True for a table of things that the question asks for one of."""
    return any(is_among(word, _kinds_of(table)) for word in words.all)


def _kinds_of(table: Table) -> frozenset[str]:
    """The words that end the names of several rows: 'fee' of 'Tooling Fee', 'Expedite Fee', 'Storage Fee'."""
    ends: dict[str, int] = {}
    for row in table.record.rows:
        name = plain_label(names_of(row)[-1]).split()
        if len(name) > 1:
            ends[name[-1]] = ends.get(name[-1], 0) + 1
    return frozenset(word for word, count in ends.items() if count >= MIN_LISTED)


def _lines_of(spans: Sequence[ProposedSpan], passages: Sequence[Passage]) -> list[str]:
    """The words of the cited lines; empty where the passages do not hold them."""
    wanted = {line for span in spans for line in range(span.line_start, span.line_end + 1)}
    held = {
        line.line_id: text
        for passage in passages
        for line, text in zip(passage.lines, passage.text.split("\n"), strict=True)
        if line.line_id in wanted
    }
    return [word for text in held.values() for word in plain_words(text).split()]
