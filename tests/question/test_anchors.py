"""Exact tokens in three languages, and the defined terms of a document."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.question import QuestionContext, parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult
from schemas.tables import OBJECT_DF
from tests.builders import document, lines, toc

DICTIONARIES = load_dictionaries()


def ask(asked: ParsedDocument, text: str) -> tuple[ParsedQuestion, AuditedRetrievalResult, Answer]:
    """The question through the three bricks, by rules."""
    question = parse_question(text, asked.profile, DICTIONARIES, context=QuestionContext(document=asked))
    found = retrieve(asked, question)
    return question, found, generate(question, found)


@pytest.fixture(scope="module")
def definitions() -> ParsedDocument:
    """An agreement that defines two terms."""
    texts = [
        "No Affiliate of the Supplier may sell the Services.",
        "In this Agreement:",
        "“Affiliate” means any entity that controls, or is controlled by, a party.",
        "“Services” means the services listed in Schedule 1.",
        "The Supplier shall ensure that each Affiliate complies with this Agreement.",
    ]
    defined = {"object_type": ["definition"] * 2, "object_id": ["Affiliate", "Services"], "title": texts[2:4]}
    return document(lines(texts), object_df=OBJECT_DF.build({**defined, "page_num": [1, 1], "line_id": [3, 4]}))


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("What does Art. 5.2(b) say?", [("article", "5.2(b)")]),
        ("¿Qué dice la cláusula séptima?", [("section", "7")]),
        ("¿Qué dice la cláusula decimoséptima?", [("section", "17")]),
        ("Que dit l'Article premier ?", [("article", "1")]),
        ("Que dit l'article 1er ?", [("article", "1")]),
        ("What does the seventh clause say?", [("section", "7")]),
        ("¿Qué contiene el Anexo II?", [("annex", "II")]),
        ("What is in § 12?", [("section", "12")]),
        ("Is DE89 3704 0044 0532 0130 00 the account?", [("code", "DE89 3704 0044 0532 0130 00")]),
        ("Is ISO 27001:2022 required?", [("code", "ISO 27001:2022")]),
        ("What is due on March 1, 2024?", [("date", "March 1, 2024")]),
        ("¿Qué vence el 1 de marzo de 2024?", [("date", "1 de marzo de 2024")]),
        ("Que doit-on payer le 1er mars 2024 ?", [("date", "1er mars 2024")]),
        ("Is 2,500,000 euros the cap?", [("amount", "2,500,000 euros")]),
        ("Is the cap EUR 5 million?", [("amount", "EUR 5 million")]),
    ],
)
def test_tokens_in_three_languages(text: str, anchors: list[tuple[str, str]]) -> None:
    """Labels in words or figures, codes, dates and sums, each with its bare target."""
    parsed = parse_question(text, None, DICTIONARIES)
    assert [(anchor.kind, anchor.target) for anchor in parsed.anchors] == anchors


@pytest.mark.parametrize("text", ["What is in the first chapter?", "¿Cuál es la primera parte?", "the second party"])
def test_an_ordinal_alone_is_no_label(text: str) -> None:
    """'the first chapter' names nothing by its number."""
    assert parse_question(text, None, DICTIONARIES).anchors == ()


@pytest.mark.parametrize(
    "text",
    [
        "What does 'Affiliate' mean?",
        "¿Qué significa «Affiliate»?",
        "Que signifie « Affiliate » ?",
        "What is the definition of Affiliate?",
        "define affiliates",
    ],
)
def test_the_meaning_of_a_defined_term_is_its_definition(definitions: ParsedDocument, text: str) -> None:
    """The definition comes first by its own rule, whatever else names the term, and the answer is its sentence."""
    question, found, answer = ask(definitions, text)
    assert [(anchor.kind, anchor.target) for anchor in question.anchors] == [("defined_term", "Affiliate")]
    assert "definition_match" in found.methods_run
    assert found.dispatch_rules["definition_match"] == "meaning_asked"
    first = found.candidates[0]
    rule = next(one.rule for one in found.provenances if one.candidate_id == first.candidate_id)
    assert (first.anchor_line_ids, rule) == ((3,), "defined_term")
    assert [span.line_start for span in answer.items[0].spans] == [3]
    assert len(answer.items) == 1
    assert "Services" not in answer.text


def test_a_term_that_is_not_defined_is_said_to_be_none(definitions: ParsedDocument) -> None:
    """Nothing is searched or taken for a definition, and a note says why."""
    question, found, _ = ask(definitions, "What does 'Beneficiary' mean?")
    assert [anchor.kind for anchor in question.anchors] == ["quoted"]
    assert any("does not define 'Beneficiary'" in note for note in question.notes)
    assert found.dispatch_rules["definition_match"] == "no_meaning_asked"


def test_a_clause_numbered_in_words_is_found() -> None:
    """The clause is found by its number, in words or figures on either side."""
    text_df = lines(["PRIMERA.- Objeto", "El objeto es el suministro.", "SEGUNDA.- Precio", "El precio es 10 EUR."])
    asked = document(text_df, toc_df=toc([(1, "PRIMERA.- Objeto", 1, 2), (1, "SEGUNDA.- Precio", 3, 4)], text_df))
    for text in ("¿Qué dice la cláusula segunda?", "¿Qué dice la cláusula 2?"):
        assert ask(asked, text)[1].candidates[0].anchor_line_ids[0] in (3, 4)


def test_a_date_is_found_however_it_is_written() -> None:
    """A date of the question names the line that states the same day in another writing."""
    asked = document(lines(["The first instalment falls due on 1 March 2024.", "The second falls due on 1 May 2024."]))
    found = ask(asked, "What falls due on 2024-03-01?")[1]
    assert found.candidates[0].anchor_line_ids == (1,)
