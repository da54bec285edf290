"""Samples and agreement: the published numbers, the exact guarantees, and what is said where nothing is defined."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.audit.reviewing.agreement import measure
from pipeline.audit.reviewing.bounds import (
    errors_at,
    interval,
    most_wrong,
    size_within,
    size_without_error,
    surely_seen,
)
from pipeline.audit.reviewing.coefficients import ac1, alpha, kappa, observed
from pipeline.audit.reviewing.sampling import allocate
from pipeline.audit.reviewing.stored import StoredReview, StoredReviews
from schemas.review import Verdict
from tests.audit.reviewed import judged

SURE = Fraction(95, 100)
FIVE = Fraction(5, 100)


def stored(*verdicts: tuple[Verdict, str, str]) -> StoredReviews:
    """Reviews (verdict, reviewer, letter of the seal) in the order of the ledger."""
    return StoredReviews(
        tuple(
            StoredReview(judged(verdict, by, seal=letter * 64), f"reviews/{at}", "0" * 64, at)
            for at, (verdict, by, letter) in enumerate(verdicts, 1)
        )
    )


@pytest.mark.parametrize(("size", "wanted"), [(20, 19), (100, 45), (1_000, 57), (1_000_000, 59), (1, 1)])
def test_the_size_without_error_is_that_of_the_hypergeometric_plan(size: int, wanted: int) -> None:
    """It is the smallest that is sure enough, and tends to the 59 of the binomial plan (1 - 0.95^59 > 0.95)."""
    found = size_without_error(size, FIVE, SURE)
    assert found == wanted
    wrong = errors_at(FIVE, size)
    assert Fraction(comb(size - wrong, found), comb(size, found)) <= 1 - SURE
    assert Fraction(comb(size - wrong, found - 1), comb(size, found - 1)) > 1 - SURE


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    wrong=st.integers(1, 5),
    share=st.integers(1, 19),
    data=st.data(),
)
def test_a_sample_by_strata_is_sure_wherever_the_errors_lie(
    sizes: list[int], wrong: int, share: int, data: st.DataObject
) -> None:
    """The greedy worst case is that of all ways to spread the errors over the strata."""
    checked = [data.draw(st.integers(0, size)) for size in sizes]
    wrong = min(wrong, sum(sizes))
    confidence = Fraction(share, 20)
    worst = max(
        Fraction(1) * _missed(sizes, checked, spread)
        for spread in product(*(range(size + 1) for size in sizes))
        if sum(spread) == wrong
    )
    assert surely_seen(sizes, checked, wrong, confidence) is (worst <= 1 - confidence)


def _missed(sizes: list[int], checked: list[int], spread: tuple[int, ...]) -> Fraction:
    chance = Fraction(1)
    for size, n, bad in zip(sizes, checked, spread, strict=True):
        chance *= Fraction(comb(size - bad, n), comb(size, n))
    return chance


def test_allocation_is_proportional_and_takes_nothing_back() -> None:
    """Each stratum has its least, none more than it holds, and one more in all takes from nobody."""
    sizes = [120, 30, 3, 1]
    before = [0] * len(sizes)
    for total in range(7, sum(sizes) + 1):
        counts = allocate(sizes, total, minimum=2)
        assert sum(counts) == total
        assert all(min(size, 2) <= count <= size for count, size in zip(counts, sizes, strict=True))
        assert total == 7 or all(one <= other for one, other in zip(before, counts, strict=True))
        before = counts
    assert allocate([300, 100], 40, minimum=0) == [30, 10]


def test_intervals_are_the_published_ones() -> None:
    """Clopper-Pearson for 4 of 20 (R: binom.test), none of 59 in closed form, and the ends."""
    assert interval(20, 4, 0.95) == pytest.approx((0.0573340, 0.4366140), abs=1e-7)
    assert interval(59, 0, 0.95) == pytest.approx((0.0, 1 - 0.025 ** (1 / 59)))
    assert interval(7, 7, 0.95) == pytest.approx((0.025 ** (1 / 7), 1.0))
    assert interval(0, 0, 0.95) == (0.0, 1.0)


@pytest.mark.parametrize(("size", "margin", "wanted"), [(10**9, 0.05, 385), (1_000, 0.05, 278), (10, 0.05, 10)])
def test_sizes_for_a_margin_are_cochran_s(size: int, margin: float, wanted: int) -> None:
    """385 for five points in a large population, 278 of a thousand; never more than there are."""
    assert size_within(size, margin, 0.95) == wanted


@settings(max_examples=40, deadline=None)
@given(size=st.integers(1, 40), data=st.data())
def test_the_most_errors_are_the_largest_number_that_is_not_too_unlikely(size: int, data: st.DataObject) -> None:
    """By inverting the hypergeometric test, counted exactly."""
    checked = data.draw(st.integers(0, size))
    wrong = data.draw(st.integers(0, checked))
    possible = [
        bad
        for bad in range(wrong, size - (checked - wrong) + 1)
        if sum(comb(bad, k) * comb(size - bad, checked - k) for k in range(wrong + 1))
        > (1 - SURE) * comb(size, checked)
    ]
    assert most_wrong(size, checked, wrong, 0.95) == max(possible)


def test_kappa_and_ac1_are_those_of_the_papers() -> None:
    """Kappa 0.4 of the textbook table; Gwet's table of 125 cases: kappa -0.023, AC1 0.941, agreement 0.944."""
    assert kappa(_pairs(20, 5, 10, 15)) == Fraction(2, 5)
    paradox = _pairs(118, 5, 2, 0)
    assert float(observed(paradox) or 0) == pytest.approx(0.944)
    assert float(kappa(paradox) or 0) == pytest.approx(-0.0234, abs=1e-4)
    assert float(ac1(paradox, ("yes", "no")) or 0) == pytest.approx(0.9408, abs=1e-4)
    assert kappa([("yes", "yes")]) is None
    assert kappa([]) is None


def _pairs(both: int, first: int, second: int, none: int) -> list[tuple[str, str]]:
    kinds = (("yes", "yes"), both), (("yes", "no"), first), (("no", "yes"), second), (("no", "no"), none)
    return [pair for pair, count in kinds for _ in range(count)]


def test_alpha_is_that_of_krippendorff_s_example() -> None:
    """Four observers, twelve units, gaps: 0.743 (Krippendorff 2011, section C); three coders of fifteen: 0.691."""
    four = ("123321412***", "1233224125*3", "*3332342251*", "12332441251*")
    assert float(alpha(_units(*four)) or 0) == pytest.approx(0.743, abs=5e-4)
    three = ("*****34121133*3", "1*213343*******", "**21344*21133*4")
    assert float(alpha(_units(*three)) or 0) == pytest.approx(0.691, abs=5e-4)
    assert alpha([("yes", "yes"), ("yes",)]) is None
    assert alpha([]) is None


def _units(*coders: str) -> list[list[str]]:
    return [[value for value in unit if value != "*"] for unit in zip(*coders, strict=True)]


def test_agreement_counts_the_last_word_of_each_person() -> None:
    """Whoever changed their mind counts once; pairs are those who judged the same records."""
    found = measure(
        stored(
            ("reject", "Ana", "a"), ("accept", "ANA ", "a"), ("accept", "Ben", "a"), ("accept", "Ana", "b"),
            ("reject", "Ben", "b"), ("correct", "Cy", "c"),
        )
    )  # fmt: skip
    assert found.reviewers == {"Ana": 2, "Ben": 2, "Cy": 1}
    assert (found.judged, found.judged_twice, found.raw) == (3, 2, 0.5)
    assert [(pair.first, pair.second, pair.both) for pair in found.pairs] == [("Ana", "Ben", 2)]
    assert found.pairs[0].kappa == 0.0


def test_agreement_says_what_kappa_hides() -> None:
    """Where nearly all is accepted a note says how to read it; without a second opinion that nothing can be said."""
    same = [("accept", by, letter) for letter, by in product("abcde", ("Ana", "Ben"))]
    found = measure(stored(*same))  # type: ignore[arg-type]
    assert (found.raw, found.alpha, found.ac1, found.prevalence) == (1.0, None, 1.0, 1.0)
    assert "kappa and alpha are then low" in found.notes[0]
    assert "judged by two people" in measure(stored(("accept", "Ana", "a"))).notes[0]
    assert measure(stored()).prevalence is None
