"""Where values of the expected type stand: in a passage, or in the one before or after it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.retrieval.lines import Lines
from pipeline.values import VALUE_TYPES, find_values
from pipeline.values.date_references import find_date_references

if TYPE_CHECKING:
    from pipeline.retrieval.evidence import Unit

# A date may be given as a period ("five years from the Effective Date") and a period by its end; an amount as a share.
RELATED_TYPES = {"date": "duration", "duration": "date", "amount": "percentage"}
MAX_VALUED_UNITS = 150  # passages read for values: half as many again as a detector may propose


def mark_values(lines: Lines, answer_type: str, language: str, units: list[Unit]) -> None:
    """Fill `value_lines`, `related_lines` and `near_value` of the first 150 units; nothing without value patterns."""
    if answer_type not in VALUE_TYPES:
        return
    known: dict[int, list[tuple[int, int]]] = {}

    def values(block: int) -> list[tuple[int, int]]:
        if block not in known:
            known[block] = value_positions(lines, block, answer_type, language)
        return known[block]

    for unit in units[:MAX_VALUED_UNITS]:
        unit.value_lines = values(unit.block)
        if not unit.value_lines and answer_type in RELATED_TYPES:
            unit.related_lines = value_positions(lines, unit.block, RELATED_TYPES[answer_type], language)
        if not unit.value_lines and answer_type == "date":
            unit.related_lines = unit.related_lines or reference_positions(lines, unit.block)
        if not unit.value_lines:
            unit.near_value = any(values(block) for block in _around(lines, unit.block))


def value_positions(lines: Lines, block: int, answer_type: str, language: str) -> list[tuple[int, int]]:
    """First and last line of each value of the type in a block, by position, in order."""
    found = find_values(lines.block_text(block), answer_type, language=language)
    return _lines_of(lines, block, [(value.start, value.end) for value in found])


def reference_positions(lines: Lines, block: int) -> list[tuple[int, int]]:
    """First and last line of each date that is given by an event, by another place, or left blank."""
    return _lines_of(lines, block, find_date_references(lines.block_text(block)))


def _lines_of(lines: Lines, block: int, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    if not spans:
        return []
    positions = lines.block_positions(block)
    starts: list[int] = []
    at = 0
    for position in positions:
        starts.append(at)
        at += len(lines.texts[position]) + 1
    return [
        (positions[bisect_right(starts, start) - 1], positions[bisect_right(starts, end - 1) - 1])
        for start, end in spans
    ]


def _around(lines: Lines, block: int) -> list[int]:
    """The blocks before and after that are no heading and stand in the same section."""
    section = lines.section_ids[lines.block_positions(block)[0]]
    return [
        other
        for other in (block + 1, block - 1)
        if 0 <= other < lines.block_count
        and not lines.is_heading[other]
        and lines.section_ids[lines.block_positions(other)[0]] == section
        and lines.heading_over[other] == lines.heading_over[block]
    ]
