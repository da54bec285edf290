"""Which runs to check, and how many, so that what is found says something of all; the same for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

from pydantic import Field

from pipeline.audit.reviewing.bounds import (
    errors_at,
    interval,
    most_wrong,
    size_within,
    size_without_error,
    surely_seen,
)
from pipeline.audit.reviewing.decisions import Decision
from schemas.errors import InputError
from schemas.record import Part

MIN_OF_STRATUM = 2  # the fewest of a stratum that show whether its members differ (Cochran 1977, 5.3)
ALL = "all"


class Chosen(Part):
    """A run of the sample."""

    run: str = Field(description="Place of the run.")
    seal: str = Field(description="Its seal.")
    stratum: str = Field(description="What it was drawn from.")
    question: str = Field(description="The question.")
    status: str = Field(description="Status of the answer.")
    verdict: str | None = Field(description="What a person said of these records last; null where nobody did.")


class Stratum(Part):
    """Runs that are alike in what they are drawn by."""

    name: str = Field(description="'all', or status and type of the answer.")
    size: int = Field(description="Runs of it.")
    sample: int = Field(description="Of these, how many are to be checked.")


class Found(Part):
    """What those reviewed so far say, if they were the sample and not chosen otherwise."""

    checked: int = Field(description="Runs of the sample that were reviewed.")
    wrong: int = Field(description="Of these, rejected or corrected by anybody.")
    low: float = Field(description="Lower end of the Clopper-Pearson interval of the error rate.")
    high: float = Field(description="Its upper end.")
    below: float = Field(description="Error rate of all runs that is not exceeded, one-sided, at the confidence.")
    holds: bool | None = Field(description="The plan's claim holds; null while the sample is not checked in full.")
    note: str | None = Field(default=None, description="What to keep in mind of these numbers; null for nothing.")


class SamplingPlan(Part):
    """How many runs to check, and which."""

    confidence: float = Field(description="Chance that the claim is right about it, at least.")
    error_rate: float | None = Field(description="Rate that is shown not to be reached; null for a margin.")
    margin: float | None = Field(description="Half the width of the estimate of a rate; null for an error rate.")
    seed: int = Field(description="Number that settles the choice.")
    population: int = Field(description="Runs that are drawn from.")
    size: int = Field(description="Runs to check.")
    strata: tuple[Stratum, ...] = Field(description="By name.")
    claim: str = Field(description="What the sample shows, in one sentence.")
    chosen: tuple[Chosen, ...] = Field(description="The runs, in the order they were drawn, by stratum.")
    found: Found | None = Field(description="What the reviewed ones say; null while none is reviewed.")
    left_out: dict[str, int] = Field(description="Folders that are not drawn from, counted by reason.")


def plan(
    decisions: Sequence[Decision],
    verdicts: Mapping[str, str],
    *,
    confidence: Fraction = Fraction(95, 100),
    error_rate: Fraction | None = Fraction(5, 100),
    margin: float | None = None,
    seed: int = 1,
    by_type: bool = False,
) -> SamplingPlan:
    """How many of the decisions to check and which, for an error rate that is not reached, or a margin.

    `verdicts` are the last words of people by seal. Parts of compound questions are judged with the whole, and cases
    by their documents: neither is drawn. The order is that of SHA-256 over seed and place, so that nobody can choose,
    everybody can repeat it, and a larger sample holds the smaller one.

    Raises InputError for numbers out of range, and where there is nothing to draw from.
    """
    _check(confidence, error_rate, margin)
    drawn = [one for one in decisions if one.kind == "run" and not one.is_part]
    left_out = {"cases": sum(one.kind == "case" for one in decisions), "parts": sum(one.is_part for one in decisions)}
    if not drawn:
        raise InputError("the store holds no run to draw from; ask questions first")
    strata = _strata(drawn, seed, by_type=by_type)
    names = sorted(strata)
    sizes = [len(strata[name]) for name in names]
    rate = None if margin is not None else error_rate
    counts = (
        _without_error(sizes, rate, confidence, by_type=by_type)
        if rate is not None
        else allocate(sizes, size_within(len(drawn), margin or 0, float(confidence)), minimum=_minimum(by_type))
    )
    chosen = [
        Chosen(run=one.place, seal=one.root, stratum=name, question=one.question, status=one.status,
               verdict=verdicts.get(one.root))
        for name, count in zip(names, counts, strict=True)
        for one in strata[name][:count]
    ]  # fmt: skip
    return SamplingPlan(
        confidence=float(confidence),
        error_rate=float(rate) if rate is not None else None,
        margin=margin,
        seed=seed,
        population=len(drawn),
        size=len(chosen),
        strata=tuple(
            Stratum(name=name, size=size, sample=count) for name, size, count in zip(names, sizes, counts, strict=True)
        ),
        claim=_claim(len(drawn), len(chosen), confidence, rate, margin),
        chosen=tuple(chosen),
        found=_found(chosen, len(drawn), confidence, rate, by_type=by_type),
        left_out={name: count for name, count in left_out.items() if count},
    )


def allocate(sizes: Sequence[int], total: int, *, minimum: int) -> list[int]:
    """Of how many to check of each stratum: proportional to its size, at least `minimum` of each (or all of it).

    By the highest averages of Webster (Sainte-Laguë), under which a larger total never takes one away.
    """
    counts = [min(size, minimum) for size in sizes]
    left = min(total, sum(sizes)) - sum(counts)
    for _ in range(left):
        at = max(
            (at for at, size in enumerate(sizes) if counts[at] < size),
            key=lambda at: (Fraction(sizes[at], 2 * counts[at] + 1), -at),
        )
        counts[at] += 1
    return counts


def _strata(drawn: Sequence[Decision], seed: int, *, by_type: bool) -> dict[str, list[Decision]]:
    strata: dict[str, list[Decision]] = {}
    for one in sorted(drawn, key=lambda one: _place_in_line(seed, one.place)):
        strata.setdefault(one.stratum if by_type else ALL, []).append(one)
    return strata


def _without_error(sizes: Sequence[int], rate: Fraction, confidence: Fraction, *, by_type: bool) -> list[int]:
    """The smallest allocation that shows an error with the confidence, however the errors lie over the strata."""
    population = sum(sizes)
    wrong = errors_at(rate, population)
    for total in range(size_without_error(population, rate, confidence), population + 1):
        counts = allocate(sizes, total, minimum=_minimum(by_type))
        if surely_seen(sizes, counts, wrong, confidence):
            return counts
    return list(sizes)


def _minimum(by_type: bool) -> int:
    return MIN_OF_STRATUM if by_type else 0


def _place_in_line(seed: int, place: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{place}".encode("utf-8", "surrogatepass")).digest()


def _claim(population: int, size: int, confidence: Fraction, rate: Fraction | None, margin: float | None) -> str:
    sure = f"{float(confidence) * 100:g} %"
    if population == 1:
        return "There is one run: check it, and nothing is left to estimate."
    if size == population:
        why = "so few" if rate is None or errors_at(rate, population) == 1 else "this rate and confidence"
        told = f"All {population:,} runs are to be checked: {why} leave none out."
        return f"{told} What is wrong is then known, not estimated."
    if rate is None:
        return (
            f"Checking these {size:,} of {population:,} runs tells the share of wrong ones within "
            f"{(margin or 0) * 100:g} points either way, at a confidence of {sure}."
        )
    wrong, share = errors_at(rate, population), f"{float(rate) * 100:g} %"
    if wrong == 1:
        return (
            f"If none of these {size:,} of {population:,} runs is wrong, none of all is, at a confidence of {sure}: a "
            f"single one would be {share} or more."
        )
    return (
        f"If none of these {size:,} of {population:,} runs is wrong, fewer than {wrong:,} of all are, which is less "
        f"than {share}, at a confidence of {sure}."
    )


def _found(
    chosen: Sequence[Chosen], population: int, confidence: Fraction, rate: Fraction | None, *, by_type: bool
) -> Found | None:
    said = [one.verdict for one in chosen if one.verdict is not None]
    if not said:
        return None
    wrong = sum(verdict != "accept" for verdict in said)
    low, high = interval(len(said), wrong, float(confidence))
    holds = None if rate is None or not (wrong or len(said) == len(chosen)) else not wrong
    note = (
        "Small types are drawn more often than their share, so the interval is that of the sample." if by_type else None
    )
    most = most_wrong(population, len(said), wrong, float(confidence))
    return Found(checked=len(said), wrong=wrong, low=low, high=high, below=most / population, holds=holds, note=note)


def _check(confidence: Fraction, error_rate: Fraction | None, margin: float | None) -> None:
    if not Fraction(1, 2) <= confidence < 1:
        raise InputError(f"confidence {float(confidence):g}: give one from 0.5 to below 1, e.g. 0.95")
    if margin is not None and not 0 < margin < 0.5:
        raise InputError(f"margin {margin:g}: give one above 0 and below 0.5, e.g. 0.05")
    if margin is None and (error_rate is None or not 0 < error_rate < 1):
        raise InputError(f"error rate {float(error_rate or 0):g}: give one above 0 and below 1, e.g. 0.05")
