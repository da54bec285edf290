"""From recognised words to lines: cut into cells, sized like print, in reading order, and set among native text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from pipeline.parsing.lines import Line, make_line
from pipeline.parsing.ocr.engine import mean_confidence
from pipeline.parsing.ocr.transcript import PlacedWord, Transcript
from pipeline.parsing.page_text import Fragment, clean_text
from pipeline.parsing.reading_order import order_lines

CELL_GAP_EMS = 1.2  # gap between two words of a line from which they are cells, columns: justified words stand closer
SIZE_TOLERANCE = 0.12  # share of the commonest size within which a size is taken for it; headings differ by more
MIN_WORDLESS = 0.60  # confidence below which a run without letter or digit is a speck, a rule, a frame
# Heights of print over its size, means of common text faces (Times, Arial, Garamond, Calibri).
CAP_HEIGHT = 0.70  # capitals, figures, letters that rise
X_HEIGHT = 0.47  # letters that neither rise nor fall
DESCENT = 0.21  # what letters that fall reach below the line
RISE = 0.80  # top of a line's box above the baseline, as the boxes of native text have it
_FALLING = frozenset("gjpqyçQ,;()[]{}|/@ß§")
_RISING = frozenset("bdfhijklt0123456789()[]{}|/!?&%$€£#@§\"'“”‘’ß")


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Lines in reading order, their columns, and how many characters were left out as noise."""

    lines: list[Line]
    columns: int
    noise: int


def place_lines(transcript: Transcript, *, page_num: int, engine: str, min_confidence: float) -> PlacedText:
    """The lines of a transcript; runs of words read with less than `min_confidence` (0-1) are left out and counted."""
    fragments: list[Fragment] = []
    confidence: dict[int, tuple[str, float]] = {}
    noise = 0
    for line in transcript.lines:
        for run in _cut(line):
            sure = mean_confidence([(word.text, word.confidence) for word in run])
            text = clean_text(" ".join(word.text for word in run))
            if sure < min_confidence or (sure < MIN_WORDLESS and not any(map(str.isalnum, text))):
                noise += len(text)
                continue
            fragment = _make_fragment(text, run, transcript.rotation)
            fragments.append(fragment)
            confidence[id(fragment)] = (text, sure)
    if not fragments:
        return PlacedText([], 0, noise)
    _even_sizes(fragments)
    placed, columns = order_lines(fragments)
    lines = []
    for row in placed:
        made = make_line(row.fragments, row.column, page_num)
        made.method = engine
        made.confidence = mean_confidence([confidence[id(fragment)] for fragment in row.fragments])
        lines.append(made)
    return PlacedText(lines, columns, noise)


def insert_lines(native: Sequence[Line], found: Sequence[Line]) -> list[Line]:
    """Native lines in their order, with the lines of each image before the first native line that stands below them.

    Lines that follow one another in `found` and overlap in width stay together.
    """
    merged = list(native)
    for group in _group(found):
        top, left, right = group[0].y0, min(line.x0 for line in group), max(line.x1 for line in group)
        below = (
            at
            for at, line in enumerate(merged)
            if line.confidence is None and line.visible and line.y0 >= top and line.x0 < right and line.x1 > left
        )
        at = next(below, len(merged))
        merged[at:at] = group
    return merged


def _group(lines: Sequence[Line]) -> list[list[Line]]:
    """Runs of lines that go down the page, each overlapping the one before in width."""
    groups: list[list[Line]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if last is not None and line.y0 >= last.y0 and line.x0 < last.x1 and line.x1 > last.x0:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _cut(line: Sequence[PlacedWord]) -> list[list[PlacedWord]]:
    """The line's words, cut where the gap between two is wider than any space."""
    runs: list[list[PlacedWord]] = []
    size = _size(line)
    for word in line:
        if runs and word.level[0] - runs[-1][-1].level[2] <= CELL_GAP_EMS * size:
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _make_fragment(text: str, run: Sequence[PlacedWord], rotation: int) -> Fragment:
    size = _size(run)
    left, right = min(word.level[0] for word in run), max(word.level[2] for word in run)
    base = _baseline(run, size)
    box = (
        min(word.box[0] for word in run), min(word.box[1] for word in run),
        max(word.box[2] for word in run), max(word.box[3] for word in run),
    )  # fmt: skip
    upright = (left, base - RISE * size, right, base + DESCENT * size)
    return Fragment(text, box, upright, "", size, False, False, rotation, "")


def _even_sizes(fragments: Sequence[Fragment]) -> None:
    """Give the print of about the commonest size that size: heights of ink differ by the letters that stand there."""
    weight: dict[float, int] = {}
    for fragment in fragments:
        weight[fragment.size] = weight.get(fragment.size, 0) + len(fragment.text)
    common = max(sorted(weight), key=lambda size: sum(weight.get(size + step, 0) for step in (-0.5, 0.0, 0.5)))
    for fragment in fragments:
        if abs(fragment.size - common) <= SIZE_TOLERANCE * common:
            fragment.size = common


def _size(words: Sequence[PlacedWord]) -> float:
    """Size of the print in points, to a half: the median of what the heights of the words make it."""
    sizes = [(word.level[3] - word.level[1]) / _share(word.text) for word in words]
    return max(1.0, round(2 * median(sizes)) / 2)


def _share(text: str) -> float:
    """Height of a word's ink over the size of its print."""
    rises = any(character in _RISING or character.isupper() for character in text)
    falls = any(character in _FALLING for character in text)
    return (CAP_HEIGHT if rises else X_HEIGHT) + (DESCENT if falls else 0.0)


def _baseline(words: Sequence[PlacedWord], size: float) -> float:
    """Where the letters stand, in points from the top of the level page."""
    return median(
        word.level[3] - (DESCENT * size if any(character in _FALLING for character in word.text) else 0.0)
        for word in words
    )
