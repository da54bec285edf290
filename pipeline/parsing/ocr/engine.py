"""What an engine is: a function from a picture to lines of words, with its name, version and languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Pixels: TypeAlias = npt.NDArray[np.uint8]  # rows x columns, 0 black to 255 white
Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Word:
    """A recognised word; `box` in pixels of the picture from its top left, `confidence` 0-1."""

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Recognition:
    """The lines of a picture, each its words from left to right; `fault` says why there are none, or is empty."""

    lines: tuple[tuple[Word, ...], ...] = ()
    fault: str = ""

    @property
    def confidence(self) -> float:
        """Mean over the characters, 0-1; 0 without any."""
        return mean_confidence([(word.text, word.confidence) for line in self.lines for word in line])


@dataclass(frozen=True, slots=True)
class Engine:
    """A recogniser that is installed.

    `languages` are ISO 639-1 codes that it can read. `read(pixels, dpi, languages)` recognises an upright picture with
    all the languages given, most likely first, and never raises for what is in the picture: a fault is in its answer.
    `guess_turn(pixels, dpi)` gives the clockwise quarter turns after which the text stands upright and the name of its
    script; (0, '') where it cannot tell.
    """

    name: str
    version: str
    languages: tuple[str, ...]
    read: Callable[[Pixels, int, Sequence[str]], Recognition]
    guess_turn: Callable[[Pixels, int], tuple[int, str]]


def mean_confidence(words: Sequence[tuple[str, float]]) -> float:
    """Mean confidence of words with theirs, weighted by their characters; 0 without any."""
    total = sum(len(text) for text, _ in words)
    return sum(confidence * len(text) for text, confidence in words) / total if total else 0.0
