"""Pieces of a question that patterns find: none inside another, never the whole question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.question.reading import Piece


def pieces_of(text: str, patterns: Sequence[re.Pattern[str]]) -> tuple[Piece, ...]:
    """What the patterns match, in the order of the text; of two that overlap the first pattern's.

    A match of the whole question is none: a command ('Give the price in EUR') is no wish beside a question.
    """
    found: list[Piece] = []
    for pattern in patterns:
        for match in pattern.finditer(text):
            if match.end() - match.start() >= len(text.rstrip(" ?.!")):
                continue
            stripped = match.group().strip(" ,;")
            start = match.start() + match.group().index(stripped)
            piece = Piece(start, start + len(stripped), stripped)
            if stripped and all(piece.end <= other.start or piece.start >= other.end for other in found):
                found.append(piece)
    return tuple(sorted(found, key=lambda piece: piece.span))
