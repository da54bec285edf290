"""Following references: from a passage that only says where the answer stands to the place it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.retrieval import retrieve
from pipeline.retrieval.mentions import is_law, names_value, says_where
from schemas.document import ParsedDocument
from schemas.question import ExecutionPlan
from schemas.retrieval import AuditedRetrievalResult
from schemas.tables import CROSS_REF_DF, OBJECT_DF
from tests.builders import document, lines
from tests.retrieval.build import concept, question

FEE = concept("service_fee", terms=["service fee"])
Ref = tuple[int, str, str, int | None]  # line of the mention, kind, number or term, line it points at


def referring(texts: Sequence[str], refs: Sequence[Ref], **columns: Sequence[Any]) -> ParsedDocument:
    """A document with mentions; a definition's target is an object too."""
    line_df = lines(texts, **columns)
    places = [max(texts[line - 1].find(ref_id if kind == "definition" else kind.capitalize()), 0)
              for line, kind, ref_id, _ in refs]  # fmt: skip
    cross = CROSS_REF_DF.build(
        {
            "ref_type": [ref[1] for ref in refs], "ref_id": [ref[2] for ref in refs], "page_num": [1] * len(refs),
            "line_id": [ref[0] for ref in refs], "char_start": places, "context": ["x"] * len(refs),
            "target_line_id": [ref[3] for ref in refs], "source": ["pattern"] * len(refs),
        }
    )  # fmt: skip
    defined = sorted({(ref[2], ref[3]) for ref in refs if ref[1] == "definition" and ref[3]})
    objects = OBJECT_DF.build(
        {
            "object_type": ["definition"] * len(defined), "object_id": [term for term, _ in defined],
            "title": [term for term, _ in defined], "page_num": [1] * len(defined),
            "line_id": [line for _, line in defined],
        }
    )  # fmt: skip
    return document(line_df, cross_ref_df=cross, object_df=objects)


def ask(parsed: ParsedDocument, answer_type: str = "amount", **changes: Any) -> AuditedRetrievalResult:
    """What is found about the service fee."""
    return retrieve(parsed, question("What is the service fee?", concepts=[FEE], answer_type=answer_type, **changes))


def test_a_schedule_that_holds_the_value_is_the_answer():
    """'the service fee set out in Schedule 2' leads to the sum in Schedule 2, with the way there on record."""
    texts = ["The Client shall pay the service fee set out in Schedule 2.", "Nothing here.",
             "Schedule 2", "The Client owes USD 500 a month."]  # fmt: skip
    found = ask(referring(texts, [(1, "schedule", "2", 3)], role=["body", "body", "heading", "body"]))
    best = found.candidates[0]
    assert (best.role, best.anchor_line_ids, best.methods) == ("primary", (4,), ("reference_follow",))
    assert best.reference_path == ("set out in Schedule 2 (page 1 line 1)",)
    proof = next(one for one in found.provenances if one.candidate_id == best.candidate_id)
    assert (proof.rule, proof.reference_path) == ("reference_target", best.reference_path)
    assert "set out in Schedule 2" in proof.detector_reasons["reference_follow"]
    assert found.dispatch_rules["reference_follow"] == "topic_refers_elsewhere"


def test_a_defined_term_leads_on_to_the_section_that_says_it():
    """Two hops: the sentence names a defined term, its definition names a section, and both mentions are on record."""
    texts = ["The service fee is the Monthly Fee.", '"Monthly Fee" has the meaning set forth in Section 7.',
             "7. The Client owes USD 500 a month.", "Other words."]  # fmt: skip
    refs = [(1, "definition", "Monthly Fee", 2), (2, "section", "7", 3)]
    found = ask(referring(texts, refs))
    best = found.candidates[0]
    assert best.anchor_line_ids == (3,)
    assert best.reference_path == ("Monthly Fee (page 1 line 1)", "set forth in Section 7 (page 1 line 2)")


def test_a_third_hop_is_not_made():
    """What only a third reference would reach is not proposed."""
    texts = ["The service fee is set out in Schedule 1.", "Schedule 1: see Schedule 2.", "Schedule 2: see Schedule 3.",
             "Schedule 3: USD 500 a month."]  # fmt: skip
    texts[1:3] = ["The particulars are set out in Schedule 2.", "All of it is set out in Schedule 3."]
    parsed = referring(texts, [(1, "section", "S1", 2), (2, "schedule", "2", 3), (3, "schedule", "3", 4)])
    assert all(4 not in one.anchor_line_ids for one in ask(parsed).candidates)


def test_a_loop_ends():
    """Two places that refer to each other are each looked at once."""
    texts = ["The service fee is set out in Schedule 1.", "As set out in Schedule 2.", "As set out in Schedule 1."]
    refs = [(1, "schedule", "1", 2), (2, "schedule", "2", 3), (3, "schedule", "1", 2)]
    found = ask(referring(texts, refs))
    ids = [one.candidate_id for one in found.provenances]
    assert len(ids) == len(set(ids))


def test_a_passage_that_says_it_itself_is_not_left():
    """Where the passage on the topic holds the value no reference is followed, and the record says why."""
    found = ask(
        referring(["The service fee is USD 9 as in Schedule 2.", "Schedule 2: USD 500."], [(1, "schedule", "2", 2)])
    )
    assert found.dispatch_rules["reference_follow"] == "no_reference_to_follow"
    assert "reference_follow" in found.methods_skipped


def test_a_plan_switches_it_off():
    """A question whose plan forbids it follows nothing."""
    parsed = referring(["The service fee is set out in Schedule 2.", "It is USD 500."], [(1, "schedule", "2", 2)])
    found = ask(parsed, plan=ExecutionPlan(follow_references=False))
    assert found.dispatch_rules["reference_follow"] == "switched_off"


def test_a_mention_of_something_else_is_not_followed():
    """A reference far from the topic, or one that only qualifies it, says nothing of where the answer stands."""
    far = "The service fee is due, " + "and more words are said of other things here, " * 4 + "as set out in Section 9."
    for text in (far, "Subject to Section 9, the service fee is due."):
        parsed = referring([text, "9. The Client owes USD 500."], [(1, "section", "9", 2)])
        assert "reference_follow" in ask(parsed).methods_skipped


def test_a_lost_reference_leaves_the_absence_open():
    """Where the topic's own sentence points at what the document does not have, absence is left open."""
    parsed = referring(["The service fee is set out in Schedule 2.", "Other words."], [(1, "schedule", "2", None)])
    asked = question("What is the service fee?", concepts=[FEE.model_copy(update={"value_required": True})],
                     answer_type="amount")  # fmt: skip
    found = retrieve(parsed, asked)
    assert found.absence is not None
    assert found.absence.verdict == "inconclusive"
    assert found.absence.references_not_followed == ("set out in Schedule 2 (page 1 line 1)",)


@pytest.mark.parametrize(
    ("sentence", "mention", "expected"),
    [
        ("The fee is set out in Schedule 2.", "Schedule 2", True),
        ("The fee shall be as specified in the attached Exhibit A.", "Exhibit A", True),
        ("Subject to Section 4, the fee is due.", "Section 4", False),
        ("Los honorarios fijados en el Anexo 2.", "Anexo 2", True),
        ("Le prix est fixé à l'Annexe 3.", "Annexe 3", True),
        ("Schedule 2 sets out the fees.", "Schedule 2", True),
        ("A breach of Section 5 ends it.", "Section 5", False),
    ],
)
def test_words_that_say_where(sentence, mention, expected):
    """English, Spanish and French words that say: what is meant stands there."""
    at = sentence.index(mention)
    assert says_where(sentence, at, at + len(mention), tabular=False) is expected


def test_statutes_are_no_places_of_the_document():
    """'Section 365 of the Bankruptcy Code' and '15 U.S.C. Section 1051' lead to a law."""
    assert is_law(" of the Bankruptcy Code.")
    assert is_law("", "15 U.S.C. ")
    assert not is_law(" of this Agreement")


def test_terms_that_name_a_value():
    """A defined term is followed where its name says that it stands for such a value."""
    assert names_value("Initial Term", "duration")
    assert names_value("Effective Date", "date")
    assert not names_value("Agreement", "date")
    assert not names_value("Effective Date", "text")
