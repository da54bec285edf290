"""What an arbiter decides on one candidate, and on all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemas.audit import Downgrade, ModelUse
from schemas.retrieval import Arbiter, ArbiterRole, Conflict


@dataclass(frozen=True, slots=True)
class Judgement:
    """Role and reason of one candidate; `rule` is null where a model judged, `chance` where nothing was measured."""

    candidate_id: str
    role: ArbiterRole
    reason: str
    rule: str | None
    judged_by: Arbiter
    chance: float | None = None  # share of such passages that held the answer on open data


@dataclass(frozen=True, slots=True)
class Noticed:
    """Words that the model noticed in a primary passage, found to stand there."""

    candidate_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """All judgements by candidate, one for each candidate that was handed in, best first."""

    judgements: Mapping[str, Judgement]
    conflicts: tuple[Conflict, ...]
    arbiter: Arbiter
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    noticed: tuple[Noticed, ...] = ()
