"""How deep each entry of a contents page stands: by its number, else by its indent, its type and its kind of number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Protocol

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, LEADERS, HeadingNumber, is_capitals, read_number

SAME_INDENT = 4.0  # points by which entries of one level may differ: rounding and kerning, less than any indent
MIN_RIGHT_SHARE = 0.6  # share of a column's entries that end at one place, where the numbers are set to the right
MAX_DOTTED_SHARE = 0.5  # entries with dot leaders, from which type says nothing: a line's is then that of its dots
MIN_CAPITALS = 3  # entries in capitals, from which they are a level of their own
_KIND_RANK = {"part": 0, "title": 0, "chapter": 1, "article": 1}  # others rank below; schedules beside the parts
_OTHER_RANK = 2


class LevelledEntry(Protocol):
    """What is needed of an entry."""

    title: str
    line: Line
    level: int


def set_entry_levels(entries: Sequence[LevelledEntry]) -> None:
    """Write the levels, from 1: an entry is deeper than the last one that stands out more than it does."""
    indents = _rank_indents([entry.line for entry in entries])
    dotted = sum(bool(LEADERS.search(entry.line.text)) for entry in entries)
    capitals = sum(is_capitals(entry.title) for entry in entries) >= MIN_CAPITALS
    typed = dotted < MAX_DOTTED_SHARE * len(entries)
    open_entries: list[tuple[tuple[float, ...], HeadingNumber | None]] = []
    for entry, indent in zip(entries, indents, strict=True):
        number = read_number(entry.title)
        rank = _rank(entry, number, indent, typed=typed, capitals=capitals)
        parent = _parent_of(number, open_entries)
        if parent is not None:
            del open_entries[parent + 1 :]
        else:
            while open_entries and open_entries[-1][0] >= rank:
                open_entries.pop()
        open_entries.append((rank, number))
        entry.level = len(open_entries)


def _rank(
    entry: LevelledEntry, number: HeadingNumber | None, indent: int, *, typed: bool, capitals: bool
) -> tuple[float, ...]:
    line = entry.line
    kind = _OTHER_RANK if number is None else 0 if number.kind in ATTACHED else _KIND_RANK.get(number.kind, _OTHER_RANK)
    depth = len(number.parts) if number is not None and number.kind == "decimal" else 1
    type_rank = (-round(line.size), not line.bold) if typed else (0, 0)
    return (indent, kind, depth, *type_rank, capitals and not is_capitals(entry.title))


def _parent_of(number: HeadingNumber | None, open_entries: Sequence[tuple[object, HeadingNumber | None]]) -> int | None:
    """Place of the open entry that the number belongs under: 3 for 3.1, Section 3 for 3.1 too."""
    if number is None or len(number.parts) < 2:
        return None
    for at in range(len(open_entries) - 1, -1, -1):
        other = open_entries[at][1]
        if other is not None and other.parts == number.parts[:-1] and other.kind not in ATTACHED:
            return at
    return None


def _rank_indents(lines: Sequence[Line]) -> list[int]:
    """How far each line is indented, as 0, 1, 2 ...; from the right edge where all columns have one, else the left."""
    columns: defaultdict[tuple[int, str], list[Line]] = defaultdict(list)
    for line in lines:
        columns[line.page_num, line.column].append(line)
    rights = {key: _common_right(members) for key, members in columns.items()}
    by_right = all(right is not None for key, right in rights.items() if len(columns[key]) >= 3)
    edges = {
        key: (rights[key] or max(line.right for line in members)) if by_right else min(line.left for line in members)
        for key, members in columns.items()
    }
    places = [line.left - edges[line.page_num, line.column] for line in lines]
    steps: list[float] = []
    for place in sorted(places):
        if not steps or place - steps[-1] > SAME_INDENT:
            steps.append(place)
    return [sum(place - step > SAME_INDENT for step in steps) for place in places]


def _common_right(lines: Sequence[Line]) -> float | None:
    """Where most of the lines end, in points; None where they end here and there."""
    ends = Counter(round(line.right / 3) for line in lines)
    end, _ = max(ends.items(), key=lambda item: (item[1], item[0]))
    near = [line.right for line in lines if abs(line.right / 3 - end) <= 1]
    return max(near) if len(near) >= MIN_RIGHT_SHARE * len(lines) else None
