"""Words that the model arbiter notices: recorded where they stand in an accepted passage and were not searched for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipeline.retrieval import retrieve
from schemas.record import Record
from schemas.retrieval import AuditedRetrievalResult
from tests.builders import document, lines
from tests.retrieval.build import concept, question
from tests.told_model import ToldModel

TEXTS = [
    "The liability cap is EUR 5. The aggregate exposure of the",
    "Supplier never exceeds it.",
    "Nothing else matters here.",
]


def reply(words: list[str], *, role: str = "primary", of: str | None = None) -> dict[str, Any]:
    """What a model says of the passages, and the words it claims to have noticed in `of`, else in the first one."""
    found = retrieve(document(lines(TEXTS)), question(concepts=[concept()]))
    ids = [one.candidate_id for one in found.provenances]
    return {
        "rankings": [{"candidate_id": one, "role": role, "reason": "because"} for one in ids],
        "conflicts": [],
        "discovered_keywords": [{"candidate_id": of or ids[0], "text": text} for text in words],
    }


def found(said: dict[str, Any], **changes: Any) -> AuditedRetrievalResult:
    """The result of a retrieval that a model judged."""
    asked = question(**{"concepts": [concept()], **changes})
    return retrieve(document(lines(TEXTS)), asked, llm=ToldModel(said))


def test_words_of_a_primary_passage_are_recorded_with_the_concept() -> None:
    """What stands in the passage, over a line break too, is recorded once, for the concept that was asked about."""
    kept = found(reply(["aggregate exposure", "exposure of the\nSupplier", "aggregate  exposure"])).discovered_keywords
    assert [(one.text, one.concept, one.dictionary) for one in kept] == [
        ("aggregate exposure", "liability_cap", "contracts"),
        ("exposure of the Supplier", "liability_cap", "contracts"),
    ]


@pytest.mark.parametrize(
    "claimed", ["total exposure", "aggregate expos", "", "   ", "liability caps", "Liability Cap", "x" * 500, "= . *"]
)
def test_what_does_not_stand_there_or_was_searched_is_dropped(claimed: str) -> None:
    """Invented words, parts of words, nothing, and forms of a searched term are no discovery; the judgement stands."""
    result = found(reply([claimed]))
    assert result.discovered_keywords == ()
    assert result.arbiter == "llm"
    assert {one.judged_by for one in result.provenances} == {"llm"}


def test_an_invented_word_is_on_record_and_costs_no_second_call() -> None:
    """The call counts as valid; its record says what was dropped."""
    use = found(reply(["total exposure"])).model_uses[0]
    assert use.outcome == "valid"
    assert any("total exposure" in problem for problem in use.problems)


def test_only_accepted_passages_count() -> None:
    """Words of a passage that is not primary, or that does not exist, are dropped."""
    assert found(reply(["aggregate exposure"], role="tangential")).discovered_keywords == ()
    assert found(reply(["aggregate exposure"], of="p9_l9_l9")).discovered_keywords == ()


def test_of_several_concepts_none_is_chosen() -> None:
    """Where the question has two concepts, a person says which one the words belong to."""
    two = [concept(), concept("exposure", terms=["matters"])]
    said = reply(["aggregate exposure"])
    ids = [one.candidate_id for one in retrieve(document(lines(TEXTS)), question(concepts=two)).provenances]
    said["rankings"] = [{"candidate_id": one, "role": "primary", "reason": "because"} for one in ids]
    said["discovered_keywords"] = [{"candidate_id": ids[0], "text": "aggregate exposure"}]
    kept = found(said, concepts=two).discovered_keywords
    assert [(one.text, one.concept) for one in kept] == [("aggregate exposure", None)]


def test_a_reply_without_the_field_is_complete() -> None:
    """Replies recorded before the field existed still count."""
    said = reply([])
    del said["discovered_keywords"]
    assert found(said).discovered_keywords == ()


def test_rules_discover_nothing() -> None:
    """Without a model the field is empty."""
    assert retrieve(document(lines(TEXTS)), question(concepts=[concept()])).discovered_keywords == ()


def test_a_record_of_the_version_before_is_lifted() -> None:
    """A result saved before the field existed loads, and says as what it was written."""
    result = retrieve(document(lines(TEXTS)), question(concepts=[concept()]))
    fields = json.loads(result.to_json())
    del fields["discovered_keywords"]
    for version in range(1, AuditedRetrievalResult.SCHEMA_VERSION):
        old = json.dumps({**fields, "schema_version": version}).encode()
        lifted: Record = AuditedRetrievalResult.from_json(old, where="old")
        assert (lifted.schema_version, lifted.written_as) == (AuditedRetrievalResult.SCHEMA_VERSION, version)
        assert lifted.model_copy(update={"written_as": None}) == result
