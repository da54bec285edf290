"""Paragraphs and list items: where one ends, and where a sentence goes on over the end of a column or page."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LIST_ITEM, ends_sentence

PITCH_SLACK = 1.3  # a distance to the line before above this times the usual one is blank space
PITCH_EXTRA = 1.0  # points on top: rounding of the file's own coordinates
DEFAULT_PITCH_EMS = 1.25  # usual distance of lines over the font size, where a size is too rare to measure
MAX_PITCH_EMS = 2.6  # distances above this times the size are blank space, whatever is usual (double spacing is 2.3)
MIN_PITCH_LINES = 5  # distances of one font size needed to measure the usual one
INDENT_EMS = 0.9  # a first line this far right of the one before it begins a paragraph
SHORT_LINE_SHARE = 0.8  # a line that ends before this share of its column's width, at a full stop, ends the paragraph
SIZE_CHANGE = 0.15  # relative change of font size that begins something new
RUNNING = frozenset({"header", "footer", "page_number"})


def number_paragraphs(lines: Sequence[Line]) -> None:
    """Write `paragraph_id` into the lines, from 1; running text has numbers of its own and interrupts nothing."""
    pitches = _usual_pitches(lines)
    edges = _column_edges(lines)
    count = 0
    before: Line | None = None
    for line in lines:
        if line.role in RUNNING or not line.visible:
            count += 1
            line.paragraph_id = count
            continue
        if before is not None and _goes_on(before, line, pitches, edges):
            line.paragraph_id = before.paragraph_id
        else:
            count += 1
            line.paragraph_id = count
        before = line


def _goes_on(
    before: Line, line: Line, pitches: dict[float, float], edges: dict[tuple[int, str], tuple[float, float]]
) -> bool:
    if line.role != before.role or line.rotation != before.rotation or line.role == "toc_entry":
        return False
    if LIST_ITEM.match(line.text) and not _is_wrapped_number(before, line):
        return False
    size = max(before.size, line.size, 1.0)
    if abs(before.size - line.size) > SIZE_CHANGE * size:
        return _is_inset(before, line)
    if before.page_num != line.page_num or before.column != line.column or line.middle < before.flat[1]:
        return _sentence_runs_over(before, line)
    pitch = line.middle - before.middle
    usual = pitches.get(round(line.size), DEFAULT_PITCH_EMS * line.size)
    if pitch > min(PITCH_SLACK * usual, MAX_PITCH_EMS * size) + PITCH_EXTRA:
        return False
    if line.role == "heading":
        return before.bold == line.bold
    left, right = edges[line.page_num, line.column]
    if line.left - before.left > INDENT_EMS * size and ends_sentence(before.text) and before.left - left <= size:
        return False
    return not (ends_sentence(before.text) and before.right - left < SHORT_LINE_SHARE * (right - left))


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


def _usual_pitches(lines: Sequence[Line]) -> dict[float, float]:
    """The commonest distance between the middles of neighbouring lines, for each font size (rounded), in points."""
    seen: defaultdict[float, Counter[float]] = defaultdict(Counter)
    for before, line in itertools.pairwise(lines):
        same = before.page_num == line.page_num and before.column == line.column
        if same and round(before.size) == round(line.size) and before.visible and line.visible:
            pitch = line.middle - before.middle
            if 0.6 * line.size < pitch < MAX_PITCH_EMS * line.size:
                seen[round(line.size)][round(2 * pitch) / 2] += 1
    return {
        size: max(counts, key=lambda pitch: (counts[pitch], -pitch))
        for size, counts in seen.items()
        if sum(counts.values()) >= MIN_PITCH_LINES
    }


def _column_edges(lines: Sequence[Line]) -> dict[tuple[int, str], tuple[float, float]]:
    """Left and right edge of the text of each page's column, in points."""
    edges: dict[tuple[int, str], tuple[float, float]] = {}
    for line in lines:
        if line.visible and line.role not in RUNNING:
            left, right = edges.get((line.page_num, line.column), (line.left, line.right))
            edges[line.page_num, line.column] = (min(left, line.left), max(right, line.right))
    return edges
