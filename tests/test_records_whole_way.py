"""A request for several things from the file to the record: each found by itself, put together, verified anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.generation.verify import find_faults
from pipeline.run import Run, ask
from schemas.answer import DateValue, Duration, Jurisdiction, Party, RecordField, RecordValue

CONTRACT = """SUPPLY AGREEMENT

This Supply Agreement is entered into as of March 3, 2021 (the "Effective Date") by and between Alder Parts, Inc., a
Delaware corporation ("Supplier"), and Birch Motors LLC, an Illinois limited liability company ("Buyer").

1. TERM

1.1 Term. The initial term of this Agreement is three (3) years from the Effective Date.

2. QUALITY

2.1 Quality system. The Supplier shall keep a quality system that the parties agree.

3. CONFIDENTIALITY

3.1 Each party shall keep the other's Confidential Information secret for five (5) years after termination.

4. GENERAL

4.1 Governing law. This Agreement is governed by the laws of the State of New York.
"""
REQUEST = "Give me the parties, the effective date, the governing law and the term"


def asked(tmp_path: Path, question: str, text: str = CONTRACT) -> Run:
    """The run of a question on a small contract."""
    path = tmp_path / "contract.txt"
    path.write_text(text, encoding="utf-8")
    return ask(path, question, store=tmp_path / "store")


def fields_of(run: Run) -> dict[str, RecordField]:
    """The fields of the one record that a run gives."""
    (item,) = run.answer.items
    assert isinstance(item.value, RecordValue)
    return {field.name: field for field in item.value.fields}


def test_every_field_has_its_own_search(tmp_path: Path) -> None:
    """Four fields of their kinds, the parties as a record inside, each with its own lines."""
    run = asked(tmp_path, REQUEST)
    fields = fields_of(run)
    assert list(fields) == ["parties", "effective date", "governing law", "term"]
    parties = fields["parties"].value
    assert isinstance(parties, RecordValue)
    names = [one.value.name for one in parties.fields if isinstance(one.value, Party)]
    assert names == ["Alder Parts, Inc.", "Birch Motors LLC"]
    kinds = [type(fields[name].value) for name in ("effective date", "governing law", "term")]
    assert kinds == [DateValue, Jurisdiction, Duration]
    assert (run.answer.status, run.answer.completeness.found_count, len(run.parts)) == ("answered", 4, 4)
    given = [(one.answer, one.retrieval, one.question) for one in run.parts]
    assert find_faults(run.answer, run.retrieval, question=run.question, parts=given) == ()


def test_an_altered_record_does_not_hold(tmp_path: Path) -> None:
    """A field that none of the parts answers is a fault."""
    run = asked(tmp_path, REQUEST)
    (item,) = run.answer.items
    assert isinstance(item.value, RecordValue)
    fewer = item.model_copy(update={"value": RecordValue(fields=(*item.value.fields[:3], item.value.fields[2]))})
    forged = run.answer.model_copy(update={"items": (fewer,)})
    given = [(one.answer, one.retrieval, one.question) for one in run.parts]
    assert find_faults(forged, run.retrieval, question=run.question, parts=given)


def test_a_field_that_is_not_there_was_looked_for(tmp_path: Path) -> None:
    """The law is not stated: the field is null and says so, and the answer is in part."""
    without = CONTRACT[: CONTRACT.index("4.1")]
    run = asked(tmp_path, REQUEST, without)
    law = fields_of(run)["governing law"]
    assert (law.value, law.line_start, run.answer.status) == (None, None, "partial")
    assert law.caveat
    assert "governing law: not stated" in run.answer.text


@pytest.mark.parametrize(
    "question", ["What discount applies?", "What happens on the customer's insolvency?"]
)  # fmt: skip
def test_a_topic_that_single_words_chose_proves_no_absence(tmp_path: Path, question: str) -> None:
    """What is asked may be another thing than the concept whose terms were searched."""
    answer = asked(tmp_path, question).answer
    assert answer.absence is not None
    assert (answer.status, answer.absence.verdict) == ("not_found", "not_found")


def test_a_topic_that_an_expert_named_still_does(tmp_path: Path) -> None:
    """Escrow by its own name: no term of it occurs and all was read."""
    answer = asked(tmp_path, "Is there a source code escrow?").answer
    assert answer.absence is not None
    assert answer.absence.verdict == "proven_absent"
