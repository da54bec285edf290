"""A picture of a page read whatever way it lies: turned upright and straightened, with places on the displayed page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import numpy as np

from pipeline.parsing.ocr.engine import Box, Engine, Pixels, Recognition, Word
from pipeline.parsing.ocr.raster import Raster, find_skew, straighten, turn
from pipeline.parsing.semantics import count_languages

GOOD_CONFIDENCE = 0.75  # mean of a page from which nothing else is tried; upright print reaches 0.85 to 0.97
SURE_WORD = 0.60  # confidence of a word that counts for a way of lying; upside down, few words reach it
MIN_TURN_WORDS = 10  # words below which a picture is not tried in every direction: a photograph, a logo
MIN_TURN_LETTERS = 3  # letters of a word whose shape tells which way it runs
MIN_HOLE_EMS = 1.2  # gap between two words of a line, in heights of the line, that may hide words; no space is wider
MIN_HOLE_INK = 0.05  # share of dark dots in such a gap from which something stands there; print has 0.1 to 0.2
HOLE_CONTRAST = 80  # 0-255, how much darker than the paper those dots are
MAX_STANDING_SHARE = 0.5  # share of words that stand on end, from which the page lies on its side


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word with its box on the displayed page and on the page turned so that it lies level, both in points."""

    text: str
    box: Box
    level: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was read of a picture: lines of words in the engine's order.

    `rotation` is the direction of the text on the displayed page, clockwise in degrees. `script` is named where the
    engine could read little and told the script. `fault` says why there is nothing.
    """

    lines: tuple[tuple[PlacedWord, ...], ...] = ()
    rotation: int = 0
    languages: tuple[str, ...] = ()
    script: str = ""
    fault: str = ""
    confidence: float = field(default=0.0)


def transcribe(
    raster: Raster, engine: Engine, languages: Sequence[str], more_languages: Sequence[str], *, once: bool = False
) -> Transcript:
    """The text of the picture in `languages`, or in `more_languages` where the words show that those were wrong.

    Upright first; only where that reads badly are other directions tried, and the best kept. `once`: nothing else is
    tried, for a document whose pages would not be read in any way so far.
    """
    best = _read(raster, engine, languages, 0)
    script = ""
    if once:
        lines = tuple(tuple(_place(word, best, raster) for word in line) for line in best.recognition.lines)
        return Transcript(lines, 0, tuple(languages), "", best.fault, best.recognition.confidence)
    if not best.fault and not _is_good(best):
        quarters, script = engine.guess_turn(raster.pixels, raster.dpi)
        tried = [quarters] if quarters else [1, 3, 2] if _looks_turned(best) else []
        for way in tried:
            best = max(best, _read(raster, engine, languages, way), key=lambda attempt: attempt.weight)
            if _is_good(best):
                break
    if not best.fault and _has_holes(best):
        # Tesseract drops words that it takes for specks; told a coarser picture, it looks for smaller print.
        best = max(best, _read(raster, engine, languages, best.quarters, coarser=2), key=lambda one: one.weight)
    used = tuple(languages)
    if not best.fault and set(more_languages) - set(languages) and _speaks_otherwise(best, languages):
        again = _read(raster, engine, more_languages, best.quarters)
        if again.recognition.confidence >= best.recognition.confidence:
            best, used = again, tuple(more_languages)
    return Transcript(
        lines=tuple(tuple(_place(word, best, raster) for word in line) for line in best.recognition.lines),
        rotation=-90 * best.quarters % 360,
        languages=used,
        script=script if not _is_good(best) else "",
        fault=best.fault,
        confidence=best.recognition.confidence,
    )


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One reading of the raster: turned by `quarters`, then straightened by `skew` degrees."""

    recognition: Recognition
    quarters: int
    skew: float
    turned_size: tuple[int, int]  # height and width after the turn
    level: Raster  # after straightening

    @property
    def fault(self) -> str:
        return self.recognition.fault

    @property
    def words(self) -> list[Word]:
        return [word for line in self.recognition.lines for word in line]

    @property
    def weight(self) -> float:
        """Characters read surely, in words that do not stand on end: what is compared between directions."""
        return sum(
            word.confidence * len(word.text)
            for word in self.words
            if word.confidence >= SURE_WORD and not (_is_long(word) and _stands(word))
        )


def _read(raster: Raster, engine: Engine, languages: Sequence[str], quarters: int, *, coarser: int = 1) -> _Attempt:
    turned = turn(raster, quarters)
    skew = find_skew(turned)
    level = straighten(turned, skew)
    found = engine.read(level.pixels, level.dpi // coarser, languages)
    return _Attempt(found, quarters, skew, (turned.pixels.shape[0], turned.pixels.shape[1]), level)


def _has_holes(attempt: _Attempt) -> bool:
    """Between two words of a line stands ink that was not read."""
    pixels = attempt.level.pixels
    paper = int(np.median(pixels))
    for line in attempt.recognition.lines:
        height = median(word.box[3] - word.box[1] for word in line)
        for before, after in pairwise(line):
            top, bottom = (int(v) for v in (min(before.box[1], after.box[1]), max(before.box[3], after.box[3])))
            left, right = int(before.box[2] + height / 2), int(after.box[0] - height / 2)
            gap = pixels[top:bottom, left:right]
            if after.box[0] - before.box[2] > MIN_HOLE_EMS * height and gap.size and _ink(gap, paper) >= MIN_HOLE_INK:
                return True
    return False


def _ink(pixels: Pixels, paper: int) -> float:
    return float((pixels.astype(np.int16) < paper - HOLE_CONTRAST).mean())


def _is_good(attempt: _Attempt) -> bool:
    return attempt.recognition.confidence >= GOOD_CONFIDENCE and not _lies_on_side(attempt)


def _looks_turned(attempt: _Attempt) -> bool:
    return len(attempt.words) >= MIN_TURN_WORDS


def _lies_on_side(attempt: _Attempt) -> bool:
    """Most words stand on end: tesseract found lines that run up or down the page."""
    long = [word for word in attempt.words if _is_long(word)]
    return sum(map(_stands, long)) > MAX_STANDING_SHARE * len(long) if long else False


def _is_long(word: Word) -> bool:
    return sum(map(str.isalnum, word.text)) >= MIN_TURN_LETTERS


def _stands(word: Word) -> bool:
    x0, y0, x1, y1 = word.box
    return y1 - y0 > x1 - x0


def _speaks_otherwise(attempt: _Attempt, languages: Sequence[str]) -> bool:
    """The words that were read belong to another language, or hardly any could be read."""
    if not attempt.words:
        return False
    told = count_languages([" ".join(word.text for word in line) for line in attempt.recognition.lines])
    return attempt.recognition.confidence < GOOD_CONFIDENCE or (bool(told) and told[0] not in languages)


def _place(word: Word, attempt: _Attempt, raster: Raster) -> PlacedWord:
    """The word with its boxes in points: level, and as displayed."""
    x0, y0, x1, y1 = word.box
    corners = [_to_displayed(x, y, attempt) for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1))]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    grown_y = (attempt.level.pixels.shape[0] - attempt.turned_size[0]) / 2
    grown_x = (attempt.level.pixels.shape[1] - attempt.turned_size[1]) / 2
    zoom = raster.zoom
    return PlacedWord(
        word.text,
        (min(xs) / zoom, min(ys) / zoom, max(xs) / zoom, max(ys) / zoom),
        ((x0 - grown_x) / zoom, (y0 - grown_y) / zoom, (x1 - grown_x) / zoom, (y1 - grown_y) / zoom),
        word.confidence,
    )


def _to_displayed(x: float, y: float, attempt: _Attempt) -> tuple[float, float]:
    """Where a point of the straightened picture lies on the picture as it was."""
    height, width = attempt.turned_size
    dx, dy = x - attempt.level.pixels.shape[1] / 2, y - attempt.level.pixels.shape[0] / 2
    angle = math.radians(attempt.skew)
    x = dx * math.cos(angle) - dy * math.sin(angle) + width / 2
    y = dx * math.sin(angle) + dy * math.cos(angle) + height / 2
    for _ in range(attempt.quarters):  # each clockwise turn is taken back
        x, y = y, width - x
        height, width = width, height
    return x, y
