"""Wishes for a form: told where the values do not have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.run import ask

TEXT = "1. Fees\n\nThe annual fee is EUR 120,000.\n\n2. Term\n\nThe warranty period is two (2) years.\n"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the annual fee in euros?", False),
        ("What is the annual fee in thousands?", True),
        ("What is the annual fee in USD?", True),
        ("What is the warranty period, in years?", False),
        ("What is the warranty period, in days?", True),
        ("What is the annual fee?", False),
    ],
)
def test_a_wish_that_is_not_carried_out_is_told(tmp_path: Path, question: str, told: bool) -> None:
    """No conversion is made up; a value that already has the form needs no remark."""
    (tmp_path / "terms.txt").write_text(TEXT)
    answer = ask(tmp_path / "terms.txt", question, store=tmp_path / "store").answer
    assert answer.items
    assert any("not carried out" in caveat for caveat in answer.caveats) is told
