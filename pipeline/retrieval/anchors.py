"""Where in a passage the match is: the few lines that are cited and highlighted."""

from __future__ import annotations

from pipeline.retrieval.evidence import Evidence, Match, Unit
from pipeline.retrieval.lines import Lines

MAX_ANCHOR_LINES = 4  # lines; an anchor is what a reader sees at one glance
VALUE_REACH = 3  # lines between a term and a value that are still cited together

_STRENGTH = {"exact": 3, "concept": 2, "expansion": 2, "phrase": 2, "word": 1}


def anchor_of(lines: Lines, evidence: Evidence, unit: Unit) -> tuple[int, int]:
    """Positions of the first and last line of a passage's anchor.

    The lines of the strongest terms nearest to a value; without a term in the text the value's line; without either the
    heading. At most four lines, all in one block.
    """
    matches = _strongest(evidence, unit.own)
    if matches:
        best = min(matches, key=lambda match: (_distance(match, unit.value_lines), match.first))
        first, last = best.first, best.last
        near = [value for value in unit.value_lines if _distance(best, [value]) <= VALUE_REACH]
        if near:
            value = min(near, key=lambda value: (_distance(best, [value]), value))
            first, last = min(first, value[0]), max(last, value[1])
        else:
            for match in matches:
                if match.first >= first and _count(lines, first, match.last) <= MAX_ANCHOR_LINES - 1:
                    last = max(last, match.last)
        return first, last
    if unit.value_lines:
        return unit.value_lines[0]
    positions = lines.block_positions(unit.headings[0] if unit.headings and unit.over else unit.block)
    return positions[0], positions[min(len(positions), MAX_ANCHOR_LINES) - 1]


def _strongest(evidence: Evidence, matches: list[Match]) -> list[Match]:
    graded = [(_STRENGTH.get(evidence.term(match.term).kind, 0), match) for match in matches]
    best = max((grade for grade, _ in graded), default=0)
    if best == 0:
        return []
    if best == 1:  # words: only those that point somewhere, where there are any
        pointing = [match for grade, match in graded if grade == 1 and match.term in evidence.words]
        return pointing or [match for grade, match in graded if grade == 1]
    return [match for grade, match in graded if grade == best]


def _distance(match: Match, values: list[tuple[int, int]]) -> int:
    """Lines between a match and the nearest value; 0 when they share a line, or without values."""
    return min((max(value[0] - match.last, match.first - value[1], 0) for value in values), default=0)


def _count(lines: Lines, first: int, last: int) -> int:
    return sum(1 for position in range(first, last + 1) if lines.readable[position])
