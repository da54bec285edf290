"""How sure a sample makes one: chances and bounds for a finite number of runs, exact, without a table."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

_STEPS = 60  # halvings of an interval: its width is then below 1e-18
_ROUNDING = 1e-9  # relative error of the sums of logarithms below, generously


def errors_at(rate: Fraction, size: int) -> int:
    """The least number of wrong ones among `size` that makes their share `rate` or more; at least 1."""
    return max(1, math.ceil(rate * size))


def surely_seen(sizes: Sequence[int], checked: Sequence[int], wrong: int, confidence: Fraction) -> bool:
    """True when a sample shows one error or more with `confidence`, if `wrong` of all are wrong, wherever they are.

    `checked` of `sizes` are drawn without replacement in each stratum. The chance to see none is the product of
    hypergeometric chances C(N-D, n) / C(N, n); the spread of the errors over the strata that makes it largest is found
    by giving each error to the stratum where it adds most (its logarithm is concave in D, so that this is exact).
    Discovery sampling: AICPA, Audit Guide Audit Sampling; with one stratum the hypergeometric plan with c = 0.
    """
    missed, all_ways = 1, 1
    for size, n, bad in zip(sizes, checked, _worst_spread(sizes, checked, wrong), strict=True):
        few, many = sorted((n, bad))  # C(N-D, n) / C(N, n) is the same with n and D exchanged
        missed *= math.perm(size - many, few)
        all_ways *= math.perm(size, few)
    return missed * confidence.denominator <= (confidence.denominator - confidence.numerator) * all_ways


def _worst_spread(sizes: Sequence[int], checked: Sequence[int], wrong: int) -> list[int]:
    """Errors in each stratum, where they lie so that a sample is least likely to show one."""
    if len(sizes) == 1:
        return [min(wrong, sizes[0])]
    spread = [0] * len(sizes)
    heap = [(-(size - n) / size, at) for at, (size, n) in enumerate(zip(sizes, checked, strict=True)) if size]
    heapq.heapify(heap)
    for _ in range(min(wrong, sum(sizes))):
        _, at = heapq.heappop(heap)
        spread[at] += 1
        left, missable = sizes[at] - spread[at], sizes[at] - checked[at] - spread[at]
        if left:
            heapq.heappush(heap, (-missable / left, at))
    return spread


def size_without_error(size: int, rate: Fraction, confidence: Fraction) -> int:
    """How many of `size` to check so that, with none wrong, less than `rate` of all are, with `confidence`.

    The smallest n with C(N-D, n) / C(N, n) <= 1 - confidence, D the fewest errors that reach the rate.
    """
    wrong = errors_at(rate, size)
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if surely_seen((size,), (middle,), wrong, confidence):
            high = middle
        else:
            low = middle + 1
    return low


def size_within(size: int, margin: float, confidence: float) -> int:
    """How many of `size` to check to know a rate within `margin` either way, whatever the rate is.

    n0 = z^2 / (4 e^2), with the correction for a finite population n0 / (1 + (n0 - 1) / N): Cochran 1977, Sampling
    Techniques, 4.3. It rests on the normal approximation; the interval of what was found is the exact one.
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    most = z * z / (4 * margin * margin)
    return min(size, math.ceil(most / (1 + (most - 1) / size))) if size else 0


def most_wrong(size: int, checked: int, wrong: int, confidence: float) -> int:
    """The most errors that all `size` may have, with `confidence`, when `wrong` of `checked` were wrong.

    The largest D for which so few in the sample are not yet too unlikely: the one-sided bound by inverting the
    hypergeometric test (Buonaccorsi 1987, The American Statistician 41, 215-218).
    """
    low, high = wrong, size - (checked - wrong)
    while low < high:
        middle = (low + high + 1) // 2
        if _at_most(wrong, size, middle, checked) > (1 - confidence) * (1 + _ROUNDING):
            low = middle
        else:
            high = middle - 1
    return low


def interval(checked: int, wrong: int, confidence: float) -> tuple[float, float]:
    """Lower and upper bound of a rate, of which `wrong` of `checked` were seen; (0, 1) where none was checked.

    The exact interval of Clopper and Pearson 1934 (Biometrika 26, 404-413), for a population that is large against the
    sample; for a smaller one it is on the safe side.
    """
    if not checked:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if wrong == 0 else _where(lambda p: _binomial(checked - wrong, checked, 1 - p) >= tail)
    high = 1.0 if wrong == checked else _where(lambda p: _binomial(wrong, checked, p) <= tail)
    return low, high


def _where(turns_true: Callable[[float], bool]) -> float:
    """The point between 0 and 1 from which on the condition holds."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if turns_true(middle) else (middle, high)
    return high


def _binomial(most: int, count: int, chance: float) -> float:
    """Chance of at most `most` among `count`."""
    if chance <= 0:
        return 1.0
    if chance >= 1:
        return 1.0 if most >= count else 0.0
    yes, no = math.log(chance), math.log1p(-chance)
    return math.fsum(math.exp(_log_choose(count, k) + k * yes + (count - k) * no) for k in range(most + 1))


def _at_most(most: int, size: int, wrong: int, checked: int) -> float:
    """Chance of at most `most` wrong ones among `checked` of `size`, of which `wrong` are wrong."""
    least = max(0, checked - (size - wrong))
    ways = _log_choose(size, checked)
    return math.fsum(
        math.exp(_log_choose(wrong, k) + _log_choose(size - wrong, checked - k) - ways)
        for k in range(least, min(most, wrong, checked) + 1)
    )


def _log_choose(count: int, taken: int) -> float:
    return math.lgamma(count + 1) - math.lgamma(taken + 1) - math.lgamma(count - taken + 1)
