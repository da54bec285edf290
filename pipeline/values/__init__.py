"""Typed values in running text: amounts, dates, durations, percentages, with their place in the text."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.answer import Value


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value and where it stands: `text[start:end]` is its original wording."""

    start: int
    end: int
    value: Value


def find_values(text: str, answer_type: str, *, language: str = "en") -> tuple[FoundValue, ...]:
    """Values of `answer_type` in `text`, left to right, not overlapping; empty for a type that has no pattern."""
    raise NotImplementedError
