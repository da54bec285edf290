"""Records: frozen, strict, versioned, the same after JSON."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, Field, ValidationError

from schemas import documentation
from schemas.errors import PipelineError, RecordError, SchemaVersionError, TableError
from schemas.record import Part, Record
from schemas.retrieval import (
    AbsenceProof,
    AuditedRetrievalResult,
    CandidateBrief,
    CandidateProvenance,
    CandidateScope,
    LineRef,
    RetrievalResult,
    RetrievedCandidate,
)
from schemas.upgrades import UPGRADES, upgrade
from tests.builders import document, lines, stamp


class Sample(Record):
    """A record of the third version."""

    SCHEMA_NAME: ClassVar[str] = "sample"
    SCHEMA_VERSION: ClassVar[int] = 3
    name: str = Field(description="A name.")


def all_parts() -> list[type[Part]]:
    """Every record and part defined in the schemas."""
    found: list[type[Part]] = []
    queue: list[type[Part]] = [Part]
    while queue:
        for kind in queue.pop().__subclasses__():
            queue.append(kind)
            if kind.__module__.startswith("schemas."):
                found.append(kind)
    return sorted(set(found), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", all_parts(), ids=lambda kind: kind.__name__)
def test_every_field_has_a_description(kind: type[BaseModel]) -> None:
    """Every field says what it is; a field that is a record itself, or the kind literal, is said by its type."""
    for name, info in kind.model_fields.items():
        if name == "kind" or (isinstance(info.annotation, type) and issubclass(info.annotation, Part)):
            continue
        assert info.description, f"{kind.__name__}.{name}"


def test_a_record_is_frozen_and_strict() -> None:
    """A field cannot be changed, and an unknown one is refused."""
    sample = Sample(name="a")
    with pytest.raises(ValidationError, match="frozen"):
        sample.name = "b"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="Extra inputs"):
        Sample(name="a", nme="b")  # type: ignore[call-arg]


def test_json_comes_back_the_same() -> None:
    """What to_json writes, from_json reads, byte for byte."""
    sample = Sample(name="é\n'=1+1")
    assert Sample.from_json(sample.to_json(), where="x").to_json() == sample.to_json()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "x.json: not valid JSON"),
        (b"[]", "x.json: a JSON object was expected, found list"),
        (b"{}", "schema_version must be an integer from 1, found None"),
        (b'{"schema_version": true}', "schema_version must be an integer"),
        (b'{"schema_version": 3, "name": 5}', "not a valid sample record: name: Input should be a valid string"),
        (b'{"schema_version": 3, "name": "a", "nme": 1}', "nme: Extra inputs are not permitted"),
    ],
)
def test_broken_json_is_named(data: bytes, message: str) -> None:
    """A broken file gives one sentence with the file and the fault."""
    with pytest.raises(RecordError, match=re.escape(message)):
        Sample.from_json(data, where="x.json")


def test_a_newer_version_is_refused_with_both_numbers() -> None:
    """A record of the future is not guessed at."""
    with pytest.raises(SchemaVersionError, match=r"version 4.*up to version 3"):
        Sample.from_json(b'{"schema_version": 4, "name": "a"}', where="x")


def test_an_older_version_is_lifted_step_by_step() -> None:
    """Steps run in order, the input is left as it was, and a gap is an error."""
    steps = {
        ("sample", 1): lambda fields: {**fields, "trail": "1"},
        ("sample", 2): lambda fields: {**fields, "trail": fields["trail"] + "2"},
    }
    fields: dict[str, Any] = {"name": "a"}
    assert upgrade("sample", fields, 1, 3, steps) == {"name": "a", "trail": "12"}
    assert fields == {"name": "a"}
    with pytest.raises(RecordError, match="from version 1 to 2"):
        Sample.from_json(b'{"schema_version": 1, "name": "a"}', where="x")


@pytest.mark.parametrize("record", documentation.RECORDS, ids=lambda record: record.SCHEMA_NAME)
def test_the_upgrades_have_no_gap(record: type[Record]) -> None:
    """From every version ever released there is a step to the next."""
    for version in range(1, record.SCHEMA_VERSION):
        assert (record.SCHEMA_NAME, version) in UPGRADES


def test_every_error_has_an_exit_code_that_is_no_outcome() -> None:
    """Exit codes 0, 3 and 4 are outcomes: no error uses them."""
    queue = [PipelineError]
    while queue:
        error = queue.pop()
        queue += error.__subclasses__()
        assert error.exit_code not in (0, 3, 4), error
        assert error.__doc__


def test_a_document_comes_back_from_json_and_its_tables() -> None:
    """JSON holds the fields, the frames travel beside it; both together are the same document."""
    one = document(lines(["a", "b"]))
    fields = json.loads(one.to_json())
    assert "line_df" not in fields
    assert type(one).load(one.to_json(), one.tables(), where="x").same_as(one)


def test_a_document_with_a_wrong_table_is_refused_as_it_is() -> None:
    """The table's own error reaches the reader, not a wall of pydantic."""
    with pytest.raises(TableError, match="line_df: missing columns"):
        document(lines(["a"]).drop(columns=["text"]))


def scope(start: int, end: int) -> CandidateScope:
    """Lines `start` to `end` of page 1."""
    return CandidateScope(page_start=1, page_end=1, line_start=start, line_end=end)


def candidate(role: str = "primary", **changes: Any) -> RetrievedCandidate:
    """A candidate whose context is lines 1 to 2 of page 1 and whose anchor is line 2."""
    fields: dict[str, Any] = {
        "candidate_id": "p1_l2_l2", "anchor": scope(2, 2), "context": scope(1, 2), "snippet": "b", "text": "a\nb",
        "lines": (LineRef(line_id=1, page_num=1, line_num=1), LineRef(line_id=2, page_num=1, line_num=2)),
        "anchor_line_ids": (2,), "methods": ("m",), "matched_keywords": (), "role": role, "reason": "r",
    }  # fmt: skip
    return RetrievedCandidate(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"context": scope(1, 1)}, "does not contain the anchor"),
        ({"text": "a"}, "another number"),
        ({"anchor_line_ids": (9,)}, "not among the context's lines"),
    ],
)
def test_a_candidate_that_contradicts_itself_is_refused(changes: dict[str, Any], message: str) -> None:
    """The context contains the anchor, and its text is its lines."""
    with pytest.raises(ValidationError, match=message):
        candidate(**changes)


def audited(**changes: Any) -> AuditedRetrievalResult:
    """A result with one primary candidate."""
    brief = CandidateBrief(candidate_id="p1_l2_l2", methods=("m",), section=None, matched_keywords=(), snippet="b")
    provenance = CandidateProvenance(
        candidate_id="p1_l2_l2", methods_that_found_it=("m",), rank_per_method={"m": 1}, detector_reasons={"m": "r"},
        structural_context=brief, anchor=scope(2, 2), role="primary", reason="r", judged_by="rules",
    )  # fmt: skip
    fields: dict[str, Any] = {
        "doc_id": "d", "question": "q", "candidates": (candidate(),), "methods_used": ("m",), "not_found": False,
        "confidence": 0.5, "provenances": (provenance,), "methods_run": ("m",), "methods_skipped": (),
        "skipped_reasons": {}, "dispatch_rules": {}, "strategy": (), "arbiter": "rules", "stamp": stamp(),
    }  # fmt: skip
    return AuditedRetrievalResult(**{**fields, **changes})


def test_a_candidate_lost_or_invented_is_refused() -> None:
    """Candidates in = candidates out, each with the role that the arbiter gave."""
    assert audited().candidates
    for changes in ({"candidates": ()}, {"candidates": (candidate("supporting"),)}, {"provenances": ()}):
        with pytest.raises(ValidationError, match="the candidates kept are not those"):
            audited(**changes)


def test_not_found_needs_its_proof() -> None:
    """Absence is evidence: without the proof it is not a valid result."""
    with pytest.raises(ValidationError, match="absence proof"):
        RetrievalResult(
            doc_id="d", question="q", candidates=(), methods_used=(), not_found=True,
            not_found_reason="no_keyword_match", confidence=0.0,
        )  # fmt: skip
    proof = AbsenceProof(
        verdict="not_found", level="retrieval", statement="s", terms=(), dictionary_versions={}, exhaustive=False,
        lines_searched=1, pages_searched=1, pages_not_read=(),
    )  # fmt: skip
    with pytest.raises(ValidationError, match="no primary candidate"):
        audited(not_found=True, not_found_reason="x", absence=proof)
