"""Which lines a model reads, in how many calls: all passages together, or one after the other until one answers."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from pipeline.generation.passages import Passage
from pipeline.generation.settings import GenerationSettings
from schemas.question import ChunkStrategy

OVERLAP_LINES = 3  # lines that two calls over one passage share, so that no sentence is cut between them
SMALL_READING = 3_000  # characters of all passages up to which one call costs less than stopping early could save


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of one reading: the line_ids of each, in order, every line in one call at least.

    `reason` says why they are read so; `left_out` counts the lines that no call has room for.
    """

    mode: Literal["combined", "sequential"]
    reason: str
    calls: tuple[tuple[int, ...], ...]
    left_out: int = 0


def plan_reading(
    passages: Sequence[Passage],
    strategy: ChunkStrategy,
    settings: GenerationSettings,
    *,
    withheld: AbstractSet[int] = frozenset(),
    limit: int | None = None,
) -> Plan:
    """The plan of reading, in at most `settings.model_calls` calls of `limit` characters each.

    `limit` defaults to the settings'. Lines in `withheld` are shown to no model. Passages are read in their order, the
    arbiter's; lines that two share are shown once.
    """
    limit = min(limit or settings.context_characters, settings.context_characters)
    pieces = [piece for piece in (_new_lines(passages, withheld)) if piece]
    total = sum(_size(piece) for piece in pieces)
    if strategy == "sequential" and total > SMALL_READING and len(pieces) > 1:
        first = _cut(pieces[: settings.model_calls - 1], limit)
        rest = _packed(pieces[settings.model_calls - 1 :], limit)
        return _plan("sequential", "a passage a call, until one answers", [*first, *rest], settings, pieces)
    packed = _packed(pieces, limit)
    reason = "all passages in one call" if len(packed) == 1 else f"more than the {limit:,} characters of one call"
    if strategy == "sequential":
        reason = f"{reason}: together they have {total:,} characters" if total <= SMALL_READING else reason
    return _plan("combined", reason, packed, settings, pieces)


_Lines = dict[int, int]  # line_id -> characters, in the order of reading


def _new_lines(passages: Sequence[Passage], withheld: AbstractSet[int]) -> list[_Lines]:
    """Of each passage the lines that none before it has."""
    seen: set[int] = set()
    pieces = []
    for passage in passages:
        texts = zip((ref.line_id for ref in passage.lines), passage.text.split("\n"), strict=True)
        piece = {line_id: len(text) + 1 for line_id, text in texts if line_id not in seen and line_id not in withheld}
        seen |= set(piece)
        pieces.append(piece)
    return pieces


def _cut(pieces: Sequence[_Lines], limit: int) -> list[_Lines]:
    """The pieces, those above the limit in several with a few lines in common."""
    cut: list[_Lines] = []
    for piece in pieces:
        ids = list(piece)
        at = 0
        while at < len(ids):
            end, size = at, 0
            while end < len(ids) and (end == at or size + piece[ids[end]] <= limit):
                size += piece[ids[end]]
                end += 1
            cut.append({line_id: piece[line_id] for line_id in ids[at:end]})
            at = end if end == len(ids) else max(end - OVERLAP_LINES, at + 1)
    return cut


def _packed(pieces: Sequence[_Lines], limit: int) -> list[_Lines]:
    """The pieces in as few calls as the limit allows, in order."""
    packed: list[_Lines] = []
    for piece in _cut(pieces, limit):
        if packed and _size(packed[-1]) + _size(piece) <= limit:
            packed[-1] = {**packed[-1], **piece}
        else:
            packed.append(piece)
    return packed


def _plan(
    mode: Literal["combined", "sequential"],
    reason: str,
    calls: Sequence[_Lines],
    settings: GenerationSettings,
    pieces: Sequence[_Lines],
) -> Plan:
    kept = calls[: settings.model_calls]
    shown = {line_id for call in kept for line_id in call}
    known = {line_id for piece in pieces for line_id in piece}
    return Plan(mode, reason, tuple(tuple(sorted(call)) for call in kept), len(known - shown))


def _size(piece: _Lines) -> int:
    return sum(piece.values())
