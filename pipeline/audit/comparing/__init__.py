"""Two runs held beside each other: what they were made from, what they gave, and which change moved what."""

from __future__ import annotations

from pipeline.audit.comparing.causes import Experiments, attribute
from pipeline.audit.comparing.differences import list_differences
from pipeline.audit.comparing.gist import tell_gist
from pipeline.audit.comparing.movements import list_movements
from pipeline.audit.comparing.sides import Side, read_side
from schemas.replay import RunDiff

__all__ = ["Experiments", "Side", "compare", "read_side"]

OF_THE_ANSWER = ("candidate", "role", "value", "status", "quote", "caveat")


def compare(first: Side, second: Side, *, experiments: Experiments | None = None) -> RunDiff:
    """What differs between two runs, and which change moved what.

    With `experiments` (`pipeline.audit.comparing.experiments`), where several changes can have moved something, each is
    tried alone by rules or with replies on record; without, they are told as the only ones possible. Nothing is written
    and nothing sent.
    """
    differences, movements = list_differences(first, second), list_movements(first, second)
    found = attribute(first, second, differences, movements, experiments=experiments)
    same = first.answer.text == second.answer.text and not any(one.what in OF_THE_ANSWER for one in movements)
    return RunDiff(
        first=first.place,
        second=second.place,
        same=same,
        changes=found.changes,
        movements=found.movements,
        text=" ".join((tell_gist(first, second, found.changes, found.movements), *found.notes)),
    )
