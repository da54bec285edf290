"""What the facts about a passage were worth where experts had marked the answer: a scorecard, measured on open data.

A scorecard adds up points, one amount a fact (weight of evidence: Good, Probability and the Weighing of Evidence, 1950;
Siddiqi, Credit Risk Scorecards, 2006), so that every figure can be taken apart. `measured.json` holds the points and
the counts behind them; `benchmarks/calibrate.py` makes it. Only concepts that were measured are weighed.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from pipeline.retrieval.signals import Signals

TERM_PRIOR = 4  # passages that a term's own count is mixed with: a handful proves nothing (Laplace's rule, widened)
KIND_PRIOR = 20  # passages that a concept's terms of one kind are mixed with
FACT_PRIOR = 10  # passages that the other counts of a concept are mixed with
NO_TERM = -5.0  # log odds of a passage without a term; lower than that of any term measured
MIN_SHARE = 1e-3  # shares are kept off 0 and 1, whose odds are infinite
MIN_COUNTED = 3  # passages with a term; of fewer nothing is known
MAX_SUMMED = 5  # terms whose points are summed; more of them repeat one another
HEAD_BLOCKS = 12  # passages at the head of a document: its title, parties, date and recitals
FACTS = (
    "best_term", "second_term", "third_term", "terms_sum", "passages", "rule_here", "rule", "head", "title_fit",
    "titled", "document_length", "prior", "primary_terms", "secondary_terms", "mentions", "late",
    "distractors", "neighbours", "value_beside", "value_close", "value_missing", "value_related", "heading_only",
    "patterns", "only_definition", "only_reference",
)  # fmt: skip
PRESENCE_FACTS = ("best", "document_length")

Counts = Mapping[str, Sequence[int]]  # name -> passages with it, of which held the answer
Points = Mapping[str, tuple[Sequence[float], Sequence[float]]]  # fact -> values in order, and the points of each


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a passage stands and what is asked, as far as the signals do not say it."""

    dictionary: str
    concept: str
    at_head: bool
    searched_lines: int


@dataclass(frozen=True)
class Measured:
    """The scorecard and the counts behind it; see `benchmarks/calibrate.py`."""

    measured_on: str
    dictionary: str
    dictionary_version: str
    shortest: int  # searched lines of the shortest document measured
    intercept: float
    points: Points
    presence_intercept: float
    presence_points: Points
    presence_of_concept: Mapping[str, float]
    concepts: Mapping[str, Mapping[str, Counts]]
    overall: Mapping[str, Counts]
    sha256: str

    def knows(self, where: Surroundings | None) -> bool:
        """True for a concept whose answers were measured, in a document no shorter than those it was measured in."""
        return (
            where is not None
            and where.dictionary == self.dictionary
            and where.concept in self.concepts
            and where.searched_lines >= self.shortest
        )

    def counted(self, signals: Signals, where: Surroundings, rule: str) -> bool:
        """False for a passage of which nothing was measured: its rule, or the words that prove it, were never counted.

        So are words of another language or of an expert's own dictionary, and a question for an amount where only
        questions for yes or no were measured.
        """
        concept = self.concepts[where.concept]
        proofs = [concept["terms"].get(f"p:{term}", (0, 0))[0] for term in signals.primary_terms]
        by_rule = concept["rule"].get(rule, (0, 0))[0]
        return by_rule >= MIN_COUNTED and (not proofs or max(proofs) >= MIN_COUNTED)

    def chance(self, signals: Signals, where: Surroundings, rule: str) -> float:
        """The share of such passages that held the answer, 0 to 1."""
        facts = facts_of(self.concepts[where.concept], self.overall, signals, where, rule)
        return _logistic(self.intercept + _points(self.points, dict(zip(FACTS, facts, strict=True))))

    def presence(self, chances: Sequence[float], where: Surroundings) -> float:
        """The share of documents with such passages that held the answer at all, 0 to 1; at least the best chance."""
        facts = dict(zip(PRESENCE_FACTS, presence_facts(chances, where.searched_lines), strict=True))
        offset = self.presence_of_concept.get(where.concept, 0.0)
        points = self.presence_intercept + offset + _points(self.presence_points, facts)
        return max(_logistic(points), *chances, 0.0)


@cache
def load_measured() -> Measured:
    """The table that is part of this package."""
    data = files("pipeline.retrieval.arbiter").joinpath("measured.json").read_bytes()
    return measured_of(json.loads(data), sha256(data).hexdigest())


def measured_of(fields: Mapping[str, Any], digest: str) -> Measured:
    """The table out of its JSON fields; `digest` is the SHA-256 of the file."""
    return Measured(
        measured_on=fields["measured_on"],
        dictionary=fields["dictionary"],
        dictionary_version=fields["dictionary_version"],
        shortest=fields["shortest"],
        intercept=fields["intercept"],
        points=fields["points"],
        presence_intercept=fields["presence"]["intercept"],
        presence_points=fields["presence"]["points"],
        presence_of_concept=fields["presence"]["concepts"],
        concepts=fields["concepts"],
        overall=fields["overall"],
        sha256=digest,
    )


def facts_of(
    concept: Mapping[str, Counts], overall: Mapping[str, Counts], signals: Signals, where: Surroundings, rule: str
) -> tuple[float, ...]:
    """The facts about a passage as numbers, in the order of FACTS; counts become log odds."""
    terms = [("p", term) for term in signals.primary_terms] + [("s", term) for term in signals.secondary_terms]
    odds = sorted((_odds(_term_share(concept, overall, *term)) for term in terms), reverse=True)
    base = _odds(_share(concept["passages"]["all"], 1.0, 20))
    best = [*odds[:3], NO_TERM, NO_TERM, NO_TERM][:3]
    close = signals.value_inside or signals.value_near
    named = {
        "rule": rule, "head": str(where.at_head), "title_fit": str(signals.title_fit), "titled": str(signals.titled),
    }  # fmt: skip
    here = {kind: _odds(_fact_share(concept, overall, kind, name)) for kind, name in named.items()}
    return (
        *best,
        sum(max(-1.0, min(3.0, one - base)) for one in odds[:MAX_SUMMED]),
        base,
        here["rule"],
        _odds(_share(overall["rule"].get(rule, (0, 0)), 0.5, 1)),
        here["head"],
        here["title_fit"],
        here["titled"],
        math.log(where.searched_lines + 1),
        _odds(_share(concept["documents"]["all"], 1.0, 3)),
        min(len(signals.primary_terms), 6),
        min(len(signals.secondary_terms), 6),
        min(signals.mentions, 5),
        float(signals.late),
        float(bool(signals.distractors)),
        float(bool(signals.neighbours)),
        float(signals.value_beside),
        float(close),
        float(signals.value_wanted and not signals.value_beside and not close),
        float(signals.value_related),
        float(signals.heading_only),
        float(bool(signals.patterns)),
        float(signals.only_definition),
        float(signals.only_reference),
    )


def presence_facts(chances: Sequence[float], searched_lines: int) -> tuple[float, float]:
    """What the passages of a document say together, in the order of PRESENCE_FACTS."""
    return _odds(max(chances, default=0.0), 1e-4), math.log(searched_lines + 1)


def _term_share(concept: Mapping[str, Counts], overall: Mapping[str, Counts], kind: str, term: str) -> float:
    """The share of a term's passages that held the answer, mixed with that of the concept's terms of its kind."""
    everywhere = _share(overall["terms"].get(kind, (0, 0)), 0.0, 0)
    of_kind = _share(concept["kinds"].get(kind, (0, 0)), KIND_PRIOR * everywhere, KIND_PRIOR)
    return _share(concept["terms"].get(f"{kind}:{term}", (0, 0)), TERM_PRIOR * of_kind, TERM_PRIOR)


def _fact_share(concept: Mapping[str, Counts], overall: Mapping[str, Counts], kind: str, name: str) -> float:
    everywhere = _share(overall[kind].get(name, (0, 0)), 0.5, 1)
    return _share(concept[kind].get(name, (0, 0)), FACT_PRIOR * everywhere, FACT_PRIOR)


def _share(counts: Sequence[int], held: float, passages: float) -> float:
    """The share with a prior of `held` of `passages`; 0 where nothing was counted at all."""
    count = counts[0] + passages
    return (counts[1] + held) / count if count else 0.0


def _odds(share: float, least: float = MIN_SHARE) -> float:
    kept = min(max(share, least), 1.0 - least)
    return math.log(kept / (1.0 - kept))


def _logistic(points: float) -> float:
    return round(1.0 / (1.0 + math.exp(-points)), 6)


def _points(points: Points, facts: Mapping[str, float]) -> float:
    """The points of all facts, each straight between the values that were measured and level beyond them."""
    return math.fsum(_interpolate(*points[name], fact) for name, fact in facts.items() if name in points)


def _interpolate(values: Sequence[float], points: Sequence[float], at: float) -> float:
    if at <= values[0]:
        return points[0]
    if at >= values[-1]:
        return points[-1]
    right = bisect_right(values, at)
    share = (at - values[right - 1]) / (values[right] - values[right - 1])
    return points[right - 1] + share * (points[right] - points[right - 1])
