"""Passages of about one size for the systems that search passages: cut at structure, never inside a line.

A heading stays with the text under it, a table row, a caption and a list item stay whole, and a paragraph that is too
long is cut at the end of a line, where a sentence ends as near as lines allow. No passage runs over two sections.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pipeline.retrieval.candidates import candidate_id_of
from pipeline.retrieval.lines import Lines
from pipeline.scope.sentences import sentence_starts
from schemas.document import ParsedDocument

MAX_LINE_CHARACTERS = 400  # characters; a longer line is no line of print, and looking for its sentences takes long
REACH = 0.3  # share of the size that a passage may miss it by, either way, before structure gives way


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: `positions` are rows of line_df, in order; running headers between them are left out."""

    candidate_id: str
    positions: tuple[int, ...]
    text: str  # the lines, verbatim, joined by newlines
    section_id: str | None


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines that belong together; `opens` is true for what must stay with the piece after it: headings, captions."""

    positions: list[int]
    size: int
    opens: bool


def cut_chunks(document: ParsedDocument, lines: Lines, *, characters: int) -> tuple[Chunk, ...]:
    """The searched lines as passages of about `characters`, in document order, each line in exactly one.

    A passage is longer only where a heading, a table row or a single line is; empty where nothing is searched.
    """
    rows = _table_rows(document, lines)
    chunks: list[Chunk] = []
    held: list[_Piece] = []
    for piece in _pieces(lines, rows, characters):
        if held and not _joins(lines, held, piece, characters):
            chunks.append(_chunk(lines, held))
            held = []
        held.append(piece)
    if held:
        chunks.append(_chunk(lines, held))
    return tuple(chunks)


def _joins(lines: Lines, held: list[_Piece], piece: _Piece, characters: int) -> bool:
    """True when a piece goes on the passage that is being filled."""
    if all(one.opens for one in held):  # a heading is never cut from its text
        return True
    if piece.opens or lines.section_ids[held[-1].positions[-1]] != lines.section_ids[piece.positions[0]]:
        return False
    size = sum(one.size for one in held)
    return size + piece.size <= characters or (
        size < characters * (1 - REACH) and size + piece.size <= characters * (1 + REACH)
    )


def _chunk(lines: Lines, held: list[_Piece]) -> Chunk:
    positions = tuple(position for piece in held for position in piece.positions)
    return Chunk(
        candidate_id_of(lines, positions[0], positions[-1]),
        positions,
        "\n".join(lines.texts[position] for position in positions),
        lines.section_ids[held[-1].positions[0]],  # of the text, not of a heading over its heading
    )


def _pieces(lines: Lines, rows: dict[int, tuple[int, int, bool]], characters: int) -> Iterator[_Piece]:
    """Blocks in order; the lines of one table row are one piece whatever their blocks, a long block is several."""
    waiting: list[int] = []  # lines of the table row that is being read
    row: tuple[int, int, bool] | None = None
    for block in range(lines.block_count):
        positions = lines.block_positions(block)
        for key, group in groupby(positions, key=rows.get):
            part = list(group)
            if waiting and key != row:
                yield _piece(lines, waiting, opens=row is not None and row[2])
                waiting = []
            row = key
            if key is not None:
                waiting.extend(part)
            elif lines.is_heading[block] or all(lines.roles[position] == "caption" for position in part):
                yield _piece(lines, part, opens=True)
            elif all(lines.roles[position] == "table" for position in part):
                yield from (_piece(lines, [position]) for position in part)
            else:
                yield from (_piece(lines, cut) for cut in _cut_block(lines, part, characters))
    if waiting:
        yield _piece(lines, waiting)


def _piece(lines: Lines, positions: list[int], *, opens: bool = False) -> _Piece:
    return _Piece(positions, sum(len(lines.texts[position]) + 1 for position in positions), opens)


def _cut_block(lines: Lines, positions: list[int], characters: int) -> Iterator[list[int]]:
    """A paragraph in one piece, or cut after lines: where a sentence ends, as near as the lines allow."""
    ends: list[int] = []
    size = 0
    for position in positions:
        size += len(lines.texts[position]) + 1
        ends.append(size)
    parts = 1 if size <= characters * (1 + REACH) or len(positions) == 1 else round(size / characters)
    starts = _sentence_starts(lines, positions, ends) if parts > 1 else []
    first = 0
    for part in range(1, parts):
        aim, reach = part * size / parts, REACH * size / parts
        low, high = bisect_left(ends, aim - reach), bisect_right(ends, aim + reach)
        cuts = range(max(first, low), min(high, len(positions) - 1))
        if cuts:  # of the line ends near the aim the one nearest to the end of a sentence
            at = min(cuts, key=lambda cut: (_distance(ends[cut], starts), abs(ends[cut] - aim)))
            yield positions[first : at + 1]
            first = at + 1
    yield positions[first:]


def _sentence_starts(lines: Lines, positions: list[int], ends: list[int]) -> list[int]:
    """Where sentences start in the lines of a paragraph put behind one another, ascending."""
    starts: list[int] = []
    ended = True
    for position, end in zip(positions, ends, strict=True):
        text = lines.texts[position]
        begin = end - len(text) - 1
        starts += [begin] if ended else []
        if len(text) <= MAX_LINE_CHARACTERS:
            starts += [begin + at for at in sentence_starts(text)[1:]]
        ended = text.rstrip("\"”’') ]").endswith((".", ";", "!", "?"))
    return starts


def _distance(offset: int, starts: list[int]) -> int:
    at = bisect_left(starts, offset)
    return min(abs(offset - start) for start in starts[max(0, at - 1) : at + 1])


def _table_rows(document: ParsedDocument, lines: Lines) -> dict[int, tuple[int, int, bool]]:
    """The table row of each line that is part of one: position -> (table, row, whether it is the header)."""
    table = document.table_df
    if not len(table):
        return {}
    placed = table[table["line_start"].notna() & table["line_end"].notna()]
    columns = (placed[name].tolist() for name in ("table_id", "row_num", "is_header", "line_start", "line_end"))
    return {
        lines.position(line_id): (table_id, row_num, header)
        for table_id, row_num, header, start, end in zip(*columns, strict=True)
        for line_id in range(int(start), int(end) + 1)
    }
