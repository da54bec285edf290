"""Paragraphs and list items: where one ends, and where a sentence goes on over the end of a column or page."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LIST_ITEM, ends_sentence
from pipeline.parsing.rows import CELL_SEPARATOR

PITCH_SLACK = 1.3  # a distance to the line before above this times the usual one is blank space
PITCH_EXTRA = 1.0  # points on top: rounding of the file's own coordinates
DEFAULT_PITCH_EMS = 1.25  # usual distance of lines over the font size, where a size is too rare to measure
MAX_PITCH_EMS = 2.6  # distances above this times the size are blank space, whatever is usual (double spacing is 2.3)
MIN_PITCH_LINES = 5  # distances of one font size needed to measure the usual one
INDENT_EMS = 0.9  # a first line this far right of the one before it begins a paragraph
SHORT_LINE_SHARE = 0.8  # a line that ends before this share of its column's width, at a full stop, ends the paragraph
FILLED_SHARE = 0.9  # share of its column's width from which a line is full: the next word was wrapped for want of room
ROW_CELLS = 3  # cells from which a line is a row of a table
SIZE_CHANGE = 0.15  # relative change of font size that begins something new
RUNNING = frozenset({"header", "footer", "page_number"})

QUOTES = '"“„«'  # what a defined term begins with

_FIGURES = re.compile(r"[\W\d]*\d[\W\d]*")
_DEFINITION = re.compile(
    r"[\"“„«][^\"”»]{1,80}[\"”»]\s+(?:\([^)]{1,40}\)\s+)?"
    r"(?:means?|shall mean|shall have|has the|have the|refers? to|includes?|significa|tendrá|designa"
    r"|signifie|désigne)\b",
    re.IGNORECASE,
)
_Column = tuple[int, str]  # page and column_position


def number_paragraphs(lines: Sequence[Line]) -> None:
    """Write `paragraph_id` into the lines, from 1; running text has numbers of its own and interrupts nothing.

    Nor do footnotes, tables and captions that stand between two halves of a sentence at the end of a column or page.
    """
    pitches = _Pitches(lines)
    edges = _column_edges(lines)
    count = 0
    before: Line | None = None
    start: Line | None = None  # first line of the paragraph
    is_filled = False  # one of its lines reaches the end of the column
    is_short = False  # the line before ends well before that
    body: Line | None = None  # last line of the text's flow
    for line in lines:
        if line.role in RUNNING or not line.visible:
            count += 1
            line.paragraph_id = count
            continue
        left, right = edges[line.page_num, line.column]
        reach = (line.flat[2] - left) / (right - left) if right > left else 1.0  # how far into its column, 0-1
        if (
            before is not None
            and start is not None
            and _goes_on(before, line, start, pitches, left, is_filled=is_filled, is_short=is_short)
        ):
            line.paragraph_id = before.paragraph_id
            is_filled = is_filled or reach >= FILLED_SHARE
        else:
            if body is not None and body is not before and _is_resumed(body, line):
                line.paragraph_id = body.paragraph_id
            else:
                count += 1
                line.paragraph_id = count
            start, is_filled = line, reach >= FILLED_SHARE
        before, is_short = line, reach < SHORT_LINE_SHARE
        if line.role == "body" and start.role == "body":
            body = line


def _goes_on(
    before: Line, line: Line, start: Line, pitches: _Pitches, left: float, *, is_filled: bool, is_short: bool
) -> bool:
    """The line belongs to the paragraph of the line before it, which begins at `start`.

    `left` is the left edge of the line's column; `is_filled`: a line of the paragraph reaches the end of its column;
    `is_short`: the line before ends well before that.
    """
    if before.rotation != line.rotation or before.cell != line.cell or not _roles_go_on(before, line, start):
        return False
    if _is_item(line.text) and not _is_wrapped_number(before, line):
        return False
    size = max(before.size, line.size, 1.0)
    if abs(before.size - line.size) > SIZE_CHANGE * size:
        return _is_inset(before, line)
    if before.page_num != line.page_num or before.column != line.column or line.middle < before.flat[1]:
        return _sentence_runs_over(before, line)
    if line.middle - before.middle > min(PITCH_SLACK * pitches.usual(line), MAX_PITCH_EMS * size) + PITCH_EXTRA:
        return False
    if line.role == "heading":
        return before.bold == line.bold
    is_new = not line.text[:1].islower()
    if ends_sentence(before.text):
        if is_short or (line.bold and not before.bold and is_new):
            return False
        is_indented = line.left - before.left > INDENT_EMS * size and before.left - left <= size
        is_outdented = before.left - line.left > INDENT_EMS * size and before is not start
        return not (is_indented or is_outdented)
    # A word that would have fitted on the line before was not wrapped: a new paragraph begins.
    return not (is_short and is_new and (is_filled or (before.bold and not line.bold)))


def _roles_go_on(before: Line, line: Line, start: Line) -> bool:
    """Lines of these roles may share a paragraph; each row of a table and each entry of a contents page is its own."""
    if line.role == "toc_entry" or (line.role == "table" and line.cell == 0):
        return False
    if line.role == before.role:
        return not (_is_row(before.text) and _is_row(line.text))
    if before.role == "caption" or start.role == "caption":
        return line.role == "body"  # only the first line of a caption has the role
    # A heading that runs into its text: 'Term. The agreement begins / on the first of May'
    return before.role == "heading" and line.role == "body" and line.text[:1].islower()


def _is_row(text: str) -> bool:
    """A row of cells that no role tells: three cells, or a label and figures."""
    if CELL_SEPARATOR not in text:
        return False
    cells = text.split(CELL_SEPARATOR)
    return len(cells) >= ROW_CELLS or (len(cells) == ROW_CELLS - 1 and _FIGURES.fullmatch(cells[-1]) is not None)


def _is_item(text: str) -> bool:
    """The line begins a list item, a numbered clause or a definition."""
    if text and text[0] in QUOTES:
        return _DEFINITION.match(text) is not None
    return LIST_ITEM.match(text) is not None


def _is_resumed(body: Line, line: Line) -> bool:
    """The sentence of the flow's last line goes on, after a footnote, a table or a figure, in a new column or page."""
    if line.role != "body" or body.cell != line.cell or body.rotation != line.rotation or _is_item(line.text):
        return False
    elsewhere = body.page_num != line.page_num or body.column != line.column or line.middle < body.flat[1]
    same = abs(body.size - line.size) <= SIZE_CHANGE * max(body.size, line.size)
    return elsewhere and same and line.text[:1].islower() and _sentence_runs_over(body, line)


def _is_wrapped_number(before: Line, line: Line) -> bool:
    """A line that begins with a number only because its sentence was broken there: 'of / 3.5 million'."""
    after = line.text.split(None, 1)
    if after[0][0].isdigit() and len(after) == 2 and after[1][0].islower() and not ends_sentence(before.text):
        return True
    last = before.text.rsplit(None, 1)[-1].casefold().rstrip(".") if before.text.strip() else ""
    return (
        before.page_num == line.page_num
        and last in _AWAITS_NUMBER
        and line.left - before.left <= INDENT_EMS * line.size
    )


_AWAITS_NUMBER = frozenset(
    [
        "section",
        "sections",
        "article",
        "articles",
        "clause",
        "clauses",
        "paragraph",
        "paragraphs",
        "figure",
        "table",
        "exhibit",
        "schedule",
        "annex",
        "appendix",
        "item",
        "no",
        "nos",
        "and",
        "or",
        "to",
        "of",
        "§",
        "sección",
        "artículo",
        "cláusula",
        "page",
    ]
)


def _is_inset(before: Line, line: Line) -> bool:
    """A superscript, a fraction or a formula's piece that stands inside the line before it."""
    return before.page_num == line.page_num and line.flat[1] < before.flat[3] and before.flat[1] < line.flat[3]


def _sentence_runs_over(before: Line, line: Line) -> bool:
    if line.role != "body" or before.role != "body" or ends_sentence(before.text):
        return False
    if before.page_num != line.page_num and line.page_num - before.page_num > 1:
        return False
    return before.bold == line.bold or line.text[:1].islower()


class _Pitches:
    """The usual distance between the middles of neighbouring lines, in points, for each font size (rounded).

    Measured where a sentence surely runs on from line to line; on a page's column for itself where there are enough
    such lines, since contracts mix single and double spacing.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        sure: defaultdict[tuple[int, str, int] | int, Counter[float]] = defaultdict(Counter)
        any_pair: defaultdict[int, Counter[float]] = defaultdict(Counter)
        last = 0
        for before, line in itertools.pairwise(lines):
            size = round(line.size)
            is_other, last = size != (last or round(before.size)), size
            if is_other or before.page_num != line.page_num or before.column != line.column:
                continue
            pitch = line.flat[1] + line.flat[3] - before.flat[1] - before.flat[3]  # twice the distance
            if 1.2 * line.size < pitch < 2 * MAX_PITCH_EMS * line.size and before.visible and line.visible:
                rounded = round(pitch) / 2
                if line.text[:1].islower() and not ends_sentence(before.text):
                    sure[line.page_num, line.column, size][rounded] += 1
                    sure[size][rounded] += 1
                any_pair[size][rounded] += 1
        self._sure = {key: _commonest(counts) for key, counts in sure.items() if counts.total() >= MIN_PITCH_LINES}
        self._any = {key: _commonest(counts) for key, counts in any_pair.items() if counts.total() >= MIN_PITCH_LINES}

    def usual(self, line: Line) -> float:
        """The usual distance from the line before, where this line goes on a paragraph."""
        size = round(line.size)
        pitch = self._sure.get((line.page_num, line.column, size)) or self._sure.get(size) or self._any.get(size)
        return pitch or DEFAULT_PITCH_EMS * line.size


def _commonest(counts: Counter[float]) -> float:
    return max(counts, key=lambda pitch: (counts[pitch], -pitch))


def _column_edges(lines: Sequence[Line]) -> dict[_Column, tuple[float, float]]:
    """Left and right edge of the text of each page's column, in points."""
    edges: dict[_Column, tuple[float, float]] = {}
    for line in lines:
        if not line.hidden and line.role not in RUNNING:
            left, _, right, _ = line.flat
            key = (line.page_num, line.column)
            edge = edges.get(key)
            if edge is None:
                edges[key] = (left, right)
            elif left < edge[0] or right > edge[1]:
                edges[key] = (min(edge[0], left), max(edge[1], right))
    return edges
