"""How alike people judge: agreement beyond chance, in the coefficients that readers know, exact fractions inside.

Kappa falls far below the raw agreement where nearly all verdicts are the same, although nobody disagrees more (the
paradox of Feinstein and Cicchetti 1990); AC1 does not. Both are given with the share of the most frequent verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

Ratings = Sequence[str]  # what different people said of one thing


def observed(pairs: Sequence[tuple[str, str]]) -> Fraction | None:
    """Share of the pairs that agree; None without pairs."""
    return Fraction(sum(one == other for one, other in pairs), len(pairs)) if pairs else None


def kappa(pairs: Sequence[tuple[str, str]]) -> Fraction | None:
    """Cohen's kappa of two people (Cohen 1960, Educational and Psychological Measurement 20, 37-46).

    (po - pe) / (1 - pe), pe from how often each of them gives each verdict. None where it is not defined: no pairs, or
    both gave the same verdict every time.
    """
    agreed = observed(pairs)
    if agreed is None:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum((Fraction(first[name] * second[name], len(pairs) ** 2) for name in first), Fraction(0))
    return _beyond(agreed, by_chance)


def ac1(units: Iterable[Ratings], categories: Sequence[str]) -> Fraction | None:
    """Gwet's AC1 of two or more people, who need not have judged the same things.

    Gwet 2008, British Journal of Mathematical and Statistical Psychology 61, 29-48: chance agreement is
    1 / (q - 1) * sum of p (1 - p) over the q possible verdicts. None where nobody judged what another did.
    """
    rated = [unit for unit in units if unit]
    shared = [unit for unit in rated if len(unit) > 1]
    if not shared or len(categories) < 2:
        return None
    agreed = sum((_alike(unit) for unit in shared), Fraction(0)) / len(shared)
    shares = [
        sum((Fraction(list(unit).count(name), len(unit)) for unit in rated), Fraction(0)) / len(rated)
        for name in categories
    ]
    by_chance = sum((share * (1 - share) for share in shares), Fraction(0)) / (len(categories) - 1)
    return _beyond(agreed, by_chance)


def alpha(units: Iterable[Ratings]) -> Fraction | None:
    """Krippendorff's alpha for verdicts without an order, any number of people, missing ones left out.

    1 - Do / De from the coincidences of values within units (Krippendorff 2011, Computing Krippendorff's
    Alpha-Reliability). None where it is not defined: no unit judged twice, or one verdict throughout.
    """
    shared = [Counter(unit) for unit in units if len(unit) > 1]
    totals: Counter[str] = sum(shared, Counter())
    count = totals.total()
    expected = count * count - sum(n * n for n in totals.values())
    if not expected:
        return None
    apart = sum(
        (Fraction(unit.total() ** 2 - sum(n * n for n in unit.values()), unit.total() - 1) for unit in shared),
        Fraction(0),
    )
    return 1 - (count - 1) * apart / expected


def _alike(unit: Ratings) -> Fraction:
    """Share of the pairs of people that agree on one thing."""
    counts = Counter(unit)
    return Fraction(sum(n * (n - 1) for n in counts.values()), len(unit) * (len(unit) - 1))


def _beyond(agreed: Fraction, by_chance: Fraction) -> Fraction | None:
    return (agreed - by_chance) / (1 - by_chance) if by_chance != 1 else None
