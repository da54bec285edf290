"""Coverage and figures: exactly those of the scoring that other figures are made with."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pipeline.evaluation.coverage import MAX_PASSAGE, clause_coverage, covers, page_coverage, share_covered
from pipeline.evaluation.metrics import estimates, resample
from tests.evaluation.tables import evaluation_row, frame_of

WORDS = ("the", "fee", "is", "payable", "by", "licensee", "within", "thirty", "days", "of", "notice", "and", "may")


@pytest.fixture
def scoring(shared_data: Path) -> ModuleType:
    """The scoring beside the measuring data."""
    path = shared_data.parent / "bench" / "scoring.py"
    if not path.is_file():
        pytest.skip("the scoring (../shared/bench/scoring.py) is not beside this checkout")
    spec = importlib.util.spec_from_file_location("scoring_beside", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def test_half_of_the_word_triples_cover() -> None:
    """At least half of a clause's 3-grams, whatever case and punctuation."""
    clause = "The fee is payable by the licensee."  # 5 triples
    assert covers(clause, "THE FEE, is payable by 3.")  # 3 of 5
    assert not covers(clause, "The fee is payable.")  # 2 of 5
    assert share_covered(clause, "The fee is payable.") == pytest.approx(0.4)


def test_short_clauses_need_every_word() -> None:
    """Fewer than four words: all of them, in any order."""
    assert covers("June 21, 1999", "1999 ... 21 June")
    assert not covers("June 21, 1999", "21 June")


def test_text_beyond_the_limit_does_not_count() -> None:
    """A passage counts for its first 3,000 characters, and for no more of them."""
    passage = "x " * (MAX_PASSAGE // 2) + "Governing law"
    assert not covers("Governing law", passage)
    assert clause_coverage(["Governing law"], [passage]).characters == MAX_PASSAGE


def test_a_clause_without_words_is_never_covered() -> None:
    """Punctuation is no evidence."""
    assert not covers("***", "***")


def test_pages_count_by_anchor() -> None:
    """An evidence page is found by the first anchor whose pages hold it."""
    got = page_coverage([3, 9], [(1, 1), (2, 3), (4, 4), (9, 9), (5, 5), (9, 9)], ["a"] * 6)
    assert (got.found, got.first_rank, got.covering, got.characters) == ((0, 1, 2), 2, 2, 5)


def test_figures_agree_with_the_scoring_beside_the_data(scoring: ModuleType) -> None:
    """Recall, clause recall, MRR, absence, characters and AUPR are the same to the last digit on random pairs."""
    dice = random.Random(7)  # noqa: S311 - no secret

    def text(most: int) -> str:
        return " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, most)))

    tally, rows = scoring.Tally(), []
    for number in range(400):
        gold = [text(12) for _ in range(dice.choice((0, 0, 1, 2, 3)))]
        passages = [text(40) * dice.choice((1, 1, 60)) for _ in range(dice.randint(0, 8))]
        not_found, confidence = dice.random() < 0.4, dice.choice((0.1, 0.5, 0.5, 0.7, 0.9))
        tally.add(gold, passages, not_found, confidence)
        got = clause_coverage(gold, passages)
        rows.append(evaluation_row(
            document=f"d{number % 9}", question_id=str(number), present=bool(gold), gold_count=len(gold),
            covered=got.found, first_rank=got.first_rank, covering_count=got.covering, characters=got.characters,
            not_found=not_found, confidence=confidence,
        ))  # fmt: skip
    frame = frame_of(rows)
    ours = {name: one.value for name, one in estimates(frame, resample(frame, resamples=3)).items()}
    theirs: dict[str, Any] = tally.report()
    names = {"chars_per_question": "characters"}
    for name, value in theirs.items():
        if not name.startswith("pairs_"):
            assert ours[names.get(name, name)] == pytest.approx(value, abs=1e-12), name
