"""The 41 topics of CUAD, asked in other words, three a topic and language: by rules alone, without a document.

`paraphrases.json` was read while the dictionary was written; `paraphrases_unseen.json`, by the same hand, was not: what
it reaches is what new wordings can expect. Both print their confusions by `benchmarks/questions.py --questions FILE`.
"""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from pipeline.question import parse_question

WANTED = 0.95  # share of questions with the right concept, and with the right type and shape
UNSEEN_CONCEPT = 0.85  # what wordings that nobody wrote a phrase for reached when this was written, less one in fifty


@pytest.mark.parametrize(
    ("name", "concept_share"), [("paraphrases", WANTED), ("paraphrases_unseen", UNSEEN_CONCEPT)], ids=["read", "unseen"]
)
def test_cuads_topics_in_other_words(project: Path, name: str, concept_share: float) -> None:
    """The right concept comes first, with the right type and shape, in English, Spanish and French."""
    asked = json.loads((project / "tests" / "data" / f"{name}.json").read_text(encoding="utf-8"))
    concepts = runpy.run_path(str(project / "benchmarks" / "cuad_concepts.py"))["CUAD_CONCEPTS"]
    each = Counter((row["category"], row["language"]) for row in asked)
    assert len(each) == 41 * 3
    assert set(each.values()) == {3}
    right: Counter[str] = Counter()
    for row in asked:
        parsed = parse_question(row["question"], None, load_dictionaries())
        first = parsed.concepts[0].concept_id if parsed.concepts else ""
        right["concept"] += first == concepts[row["category"]]
        right["form"] += parsed.answer_type in row["type"].split("|") and parsed.answer_shape in row["shape"].split("|")
    assert right["concept"] >= concept_share * len(asked)
    assert right["form"] >= WANTED * len(asked)
