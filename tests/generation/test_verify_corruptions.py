"""A seeded sample of corruptions of answers to the sample documents: none is published, none passes an auditor."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.corrupting import KINDS, Case, forge, is_changed, words_of
from dictionaries import load_dictionaries
from pipeline.generation import GenerationSettings, generate
from pipeline.generation.checks.ground import ground_of
from pipeline.generation.verify import find_faults, verify
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parts import merge_parts
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.answer import EvidenceCheck

QUESTIONS = (
    "What is the liability cap?",
    "What is the annual programme fee?",
    "How long is the initial term?",
    "How much notice prevents a renewal?",
    "When does the agreement take effect?",
    "What is the rate of late-payment interest?",
    "Who are the parties?",
    "Is there a non-solicitation of employees?",
    "Is there a non-compete?",
    "What does the agreement say about insurance?",
)
A_KIND = 25  # corruptions of each kind
ON_RECORD = "the record says"


@pytest.fixture(scope="module")
def cases(project: Path) -> list[Case]:
    """Every item of the answers to the questions on the sample agreement."""
    document = parse_document(
        project / "examples" / "supply_agreement.pdf", settings=ParsingSettings(isolate=False, ocr="off")
    )
    dictionaries, settings = load_dictionaries(), GenerationSettings()
    made: list[Case] = []
    for text in QUESTIONS:
        question = parse_question(text, document.profile, dictionaries)
        found = retrieve(document, question)
        answer = generate(question, found)
        assert find_faults(answer, found, question=question) == ()
        ground = ground_of(question, found, settings)
        made += [Case(item, number, answer, ground) for number, item in enumerate(answer.items)]
    return made


@pytest.mark.parametrize("kind", list(KINDS))
def test_no_corruption_is_given(kind: str, cases: list[Case]) -> None:
    """Of a proposal: refused, and none put right. Of a saved answer: the checks made anew show it."""
    chance = Random(6)  # noqa: S311 - a sample, no secret
    outcomes: Counter[str] = Counter()
    order = list(cases)
    chance.shuffle(order)
    for case in order * 10:
        corrupted = KINDS[kind](case, chance)
        if corrupted is None or corrupted.value is None or not is_changed(case, corrupted):
            continue
        verified = verify(corrupted, case.ground)
        is_same = (verified.proposal.value, verified.spans) == (case.item.value, case.item.spans)
        outcomes["refused" if verified.failed else "restored" if is_same else "survived"] += 1
        forged = forge(case, corrupted, words_of(case.item.value), words_of(corrupted.value))
        faults = find_faults(forged, case.ground.found)
        outcomes["unseen"] += all(ON_RECORD in fault for fault in faults)
        if outcomes["refused"] + outcomes["restored"] >= A_KIND:
            break
    assert outcomes["refused"] > 0
    assert (outcomes["restored"], outcomes["survived"], outcomes["unseen"]) == (0, 0, 0)


def other(value: Any) -> Any:
    """Something else of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, tuple):
        return (*value, "x") if all(isinstance(one, str) for one in value) else value[:-1]
    return value + type(value)(1) if isinstance(value, int | float) else value


def test_any_single_altered_field_of_an_item_shows(cases: list[Case]) -> None:
    """Label, method, outcome, formula, a check on record, and every field of every span."""
    for case in cases[:6]:
        item = case.item
        span = item.spans[0]
        altered: list[dict[str, Any]] = [
            {"label": f"{item.label or ''}x"},
            {"extraction_method": "inferred" if item.extraction_method == "verbatim" else "verbatim"},
            {"outcome": "verified" if item.outcome == "repaired" else "repaired"},
            {"formula": "made up"},
            {"checks": (EvidenceCheck(check="lines_exist", passed=True, detail="all is well"), *item.checks[1:])},
        ]
        for name, value in span.model_dump().items():
            if value is not None and name not in ("page_unit", "reading"):
                altered.append({"spans": (span.model_copy(update={name: other(value)}), *item.spans[1:])})
        altered.append({"spans": (span.model_copy(update={"reading": "ocr"}), *item.spans[1:])})
        for change in altered:
            items = list(case.answer.items)
            items[case.number] = item.model_copy(update=change)
            forged = case.answer.model_copy(update={"items": tuple(items)})
            assert find_faults(forged, case.ground.found), change


def test_the_detail_of_a_check_is_good_english(cases: list[Case]) -> None:
    """'an amount equal to', and never 'a amount'."""
    details = [check.detail for case in cases for check in case.item.checks]
    assert any("an amount equal to" in detail for detail in details)
    assert not any(" a amount" in f" {detail}" or " a address" in f" {detail}" for detail in details)


def test_an_answer_put_together_from_parts_is_verified_by_them(project: Path, cases: list[Case]) -> None:
    """Each part against its own passages; an item that no part has shows, and so do parts that are not given."""
    del project
    first, second = cases[0], next(one for one in cases if one.answer.question != cases[0].answer.question)
    made = [(f"part_{at}", one.answer, Path(f"run_{at}")) for at, one in enumerate((first, second), 1)]
    whole = merge_parts(first.answer, made, (), language="en")
    given = [(one.answer, one.ground.found, None) for one in (first, second)]
    assert find_faults(whole, first.ground.found, parts=given) == ()
    assert find_faults(whole, first.ground.found)
    assert find_faults(whole, first.ground.found, parts=given[::-1])
    forged = whole.model_copy(update={"items": whole.items[::-1]})
    assert any("not those of its parts" in fault for fault in find_faults(forged, first.ground.found, parts=given))
