"""What rules or a model propose as a value, before anything is believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.answer import ComputedInput, Value

ProposedBy = Literal["llm", "rules"]
Method = Literal["verbatim", "computed", "inferred"]


@dataclass(frozen=True, slots=True)
class ProposedSpan:
    """Lines of one candidate's context, both ends inclusive."""

    candidate_id: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """A value with the lines that are said to prove it. `value` is None where the words could not be read as one.

    `inputs` and `formula` say what a computed value was made from, and how; the lines of the inputs are among `spans`.
    """

    value: Value | None
    spans: tuple[ProposedSpan, ...]
    value_text: str
    proposed_by: ProposedBy
    method: Method = "verbatim"
    label: str | None = None
    inputs: tuple[ComputedInput, ...] = ()
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What was proposed for a question, best first, with what a reader must know.

    `differing` are the numbers of proposals that state another value on the same point as the first one.
    `is_partial` says that it answers only in part, as a caveat explains; `stated_count` is how many
    the document says there are; `ends` whether a list was seen to end.
    """

    proposals: tuple[Proposal, ...]
    caveats: tuple[str, ...] = ()
    differing: tuple[int, ...] = ()
    stated_count: int | None = None
    ends: bool | None = None
    is_partial: bool = False
    completeness_reason: str | None = None
