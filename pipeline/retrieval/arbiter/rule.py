"""What a rule of the decision list is made of, and the words that reasons share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.retrieval.signals import Signals
from schemas.retrieval import ArbiterRole


@dataclass(frozen=True, slots=True)
class Pool:
    """What is true of all candidates together: a passage is weak only beside a stronger one."""

    has_value_passage: bool = False  # some passage holds topic and value
    has_topic_passage: bool = False  # some passage is on the topic
    has_title_passage: bool = False  # some passage stands in a section whose title is the topic: trust it
    has_definition: bool = False  # the definition of the term whose meaning is asked is among the candidates
    has_statement_line: bool = False  # some row of a primary statement is the item that is asked
    has_reason: bool = False  # some passage on the topic says why, where the question asks it
    has_caption: bool = False  # the figure or table that was named has its caption among the candidates


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule. `role` may depend on the pool; `reason` is one line."""

    name: str
    fits: Callable[[Signals], bool]
    role: Callable[[Signals, Pool], ArbiterRole]
    reason: Callable[[Signals], str]


def always(role: ArbiterRole) -> Callable[[Signals, Pool], ArbiterRole]:
    """The role, whatever the pool."""
    return lambda _signals, _pool: role


def titled(s: Signals) -> bool:
    """True under a heading on the topic, or in a section whose title it is."""
    return s.titled or s.title_fit == "exact"


def any_topic(s: Signals) -> bool:
    """True where a passage holds any word of the topic."""
    return bool(s.exact or s.primary_terms or s.secondary_terms or s.other_terms or s.words)


def topic(s: Signals) -> str:
    """The words of the topic that a passage holds, for a reason."""
    return listed((*s.exact, *s.primary_terms, *s.secondary_terms, *s.other_terms, *s.words)) or "the topic"


def with_topic(s: Signals) -> str:
    """The same, as an addition; empty without any."""
    return f" with {topic(s)}" if any_topic(s) else ""


def under_heading(s: Signals) -> str:
    """Says that a heading is about the topic; empty where none is."""
    return ", under a heading on the topic" if s.titled else ""


def listed(terms: Sequence[str]) -> str:
    """Terms in quotes, the first three of them."""
    shown = [f"'{term}'" for term in dict.fromkeys(terms)]
    more = len(shown) - 3
    return ", ".join(shown[:3]) + (f" and {more} more" if more > 0 else "")
