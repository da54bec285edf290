"""A draft with who wrote it and what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.generation.proposal import Draft, ProposedBy
from schemas.audit import Downgrade, ModelUse


@dataclass(frozen=True, slots=True)
class Drafted:
    """What was proposed, by whom, with which prompts; nothing of it is believed yet."""

    draft: Draft
    by: ProposedBy
    uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    fragments: tuple[str, ...] = ()
    prompts: tuple[tuple[str, str], ...] = ()
    notes: Mapping[str, str | int] = field(default_factory=dict)  # how the passages were read, for the stamp
