"""Which change can have moved what: by where it enters and how far the records part, and by running with it alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pipeline.audit.comparing.differences import STAGES, Difference
from pipeline.audit.comparing.matching import reads_alike
from pipeline.audit.comparing.movements import list_movements
from pipeline.audit.comparing.sides import Side
from schemas.question import ParsedQuestion
from schemas.record import Record
from schemas.replay import Change, Movement, StageName

MAX_RUNS = 12  # runs made to see what one change alone does; each takes a fraction of a second by rules
# Of a record: who made it and with what calls, which tells of the changes and is no result.
_MAKERS = {"stamp", "model_uses", "schema_version", "written_as"}
_EVERYWHERE = ("code", "library", "types")  # what no run can put back, since today's code and libraries are what runs


class Experiments(Protocol):
    """How a run is done again with today's code, for nothing."""

    def is_made_again(self, side: Side) -> bool:
        """True where today's code makes the records of a run as they are."""
        ...

    def alone(self, base: Side, other: Side, difference: Difference) -> Side | None:
        """The run of `base` with one thing as `other` has it; None where that cannot be done, or not for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Attributed:
    """The changes with what they can reach, the movements with what moved them, and what was found out on the way."""

    changes: tuple[Change, ...]
    movements: tuple[Movement, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tried:
    """Movements that one change alone makes, by its label; None: it could not be tried."""

    base_is_first: bool = True
    made: dict[str, set[tuple[Any, ...]] | None] = field(default_factory=dict)
    runs: int = 0


def attribute(
    first: Side,
    second: Side,
    differences: Sequence[Difference],
    movements: Sequence[Movement],
    *,
    experiments: Experiments | None = None,
) -> Attributed:
    """Each movement with the changes that can have moved it; where those are several, tried one by one if free."""
    parts = _parted(first, second)
    loops = bool(first.answer.history or second.answer.history)
    again = {side.place: experiments.is_made_again(side) for side in (first, second)} if _is_open(
        differences, movements, parts, loops=loops
    ) and experiments else {}  # fmt: skip
    harmless = (
        len(again) > 0 and all(again.values()) and any(one.change.subject not in _EVERYWHERE for one in differences)
    )
    notes = []
    if harmless and any(one.change.subject in _EVERYWHERE for one in differences):
        differences = [
            replace(one, enters=frozenset()) if one.change.subject in _EVERYWHERE else one for one in differences
        ]
        notes.append("Today's code makes both runs as they are, so code and libraries moved nothing.")
    tried = None
    if experiments and any(again.values()):
        tried = _Tried(base_is_first=again.get(first.place, False))
    placed = [_placed(each, differences, parts, loops=loops) for each in movements]
    told = tuple(
        _with_causes(each, _possible(differences, each.stage, parts, loops=loops),
                     lambda one: _moves(tried, experiments, first, second, one))
        for each in placed
    )  # fmt: skip
    changes = tuple(one.change.model_copy(update={"reaches": _reach(one, parts, loops=loops)}) for one in differences)
    return Attributed(changes, told, tuple(notes))


def essence(record: Record) -> dict[str, Any]:
    """What a record says, without what tells by whom and with which versions it was made."""
    fields = record.model_dump(mode="json", exclude=_MAKERS)
    if isinstance(record, ParsedQuestion):
        fields["concepts"] = [{**one, "dictionary_version": ""} for one in fields["concepts"]]
    return fields


def _parted(first: Side, second: Side) -> Mapping[StageName, bool]:
    """Whether the records of each stage say something else."""
    return {
        "parsing": not reads_alike(first, second),
        "question": essence(first.question) != essence(second.question),
        "retrieval": essence(first.retrieval) != essence(second.retrieval),
        "generation": essence(first.answer) != essence(second.answer),
    }


def _possible(
    differences: Sequence[Difference], stage: StageName, parts: Mapping[StageName, bool], *, loops: bool
) -> list[Difference]:
    return [one for one in differences if stage in _reach(one, parts, loops=loops)]


def _reach(one: Difference, parts: Mapping[StageName, bool], *, loops: bool) -> tuple[StageName, ...]:
    """The stages that a change can have moved: those it enters, and those behind one that it enters and that parted.

    A further pass over the document searches again because of an answer: then generation reaches retrieval.
    """
    enters = set(one.enters)
    if loops and "generation" in enters:
        enters.add("retrieval")
    reached: list[StageName] = []
    behind = False
    for stage in STAGES:
        if stage in enters or behind:
            reached.append(stage)
            behind = behind or parts[stage]
    return tuple(reached)


def _placed(
    each: Movement, differences: Sequence[Difference], parts: Mapping[StageName, bool], *, loops: bool
) -> Movement:
    """The movement at the first stage they part on: no change enters where it shows, so it comes from before."""
    possible = _possible(differences, each.stage, parts, loops=loops)
    if not possible or any(each.stage in one.enters for one in possible):
        return each
    before = STAGES[: STAGES.index(each.stage)]
    entered = [stage for stage in before if parts[stage] and any(stage in one.enters for one in possible)]
    return each.model_copy(update={"stage": entered[-1]}) if entered else each


def _is_open(
    differences: Sequence[Difference], movements: Sequence[Movement], parts: Mapping[StageName, bool], *, loops: bool
) -> bool:
    """True where several changes can have moved something."""
    return any(len(_possible(differences, each.stage, parts, loops=loops)) > 1 for each in movements)


def _with_causes(
    each: Movement, possible: Sequence[Difference], moves: Callable[[Difference], set[tuple[Any, ...]] | None]
) -> Movement:
    labels = tuple(dict.fromkeys(one.label for one in possible))
    if len(labels) < 2:
        return each.model_copy(update={"moved_by": labels})
    shown = tuple(one.label for one in possible if _key(each) in (moves(one) or ()))
    return each.model_copy(update={"moved_by": shown or labels, "shown": bool(shown)})


def _moves(
    tried: _Tried | None, experiments: Experiments | None, first: Side, second: Side, one: Difference
) -> set[tuple[Any, ...]] | None:
    """The movements that a change alone makes; from the second run, with the thing put back, where that is the base."""
    if tried is None or experiments is None:
        return None
    if one.label not in tried.made:
        tried.made[one.label] = None
        if tried.runs < MAX_RUNS:
            tried.runs += 1
            base, other = (first, second) if tried.base_is_first else (second, first)
            side = experiments.alone(base, other, one)
            pair = (first, side) if tried.base_is_first else (side, second)
            if side is not None and pair[0] is not None and pair[1] is not None:
                tried.made[one.label] = {_key(each) for each in list_movements(pair[0], pair[1])}
    return tried.made[one.label]


def _key(each: Movement) -> tuple[Any, ...]:
    return each.what, each.name, each.before, each.after
