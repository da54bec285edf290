"""The four bricks together, without a model: what a person asks the samples and a real paper, and what they get."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dictionaries import Dictionaries, load_dictionaries
from pipeline.generation import generate
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Amount, Answer, BooleanValue, ConditionalValue, DateValue, Duration, Percentage
from schemas.document import ParsedDocument
from schemas.retrieval import AuditedRetrievalResult


@pytest.fixture(scope="module")
def dictionaries() -> Dictionaries:
    """The shipped dictionaries."""
    return load_dictionaries()


@pytest.fixture(scope="module")
def samples(project: Path) -> dict[str, ParsedDocument]:
    """The sample contract and its amendment."""
    return {name: parse_document(project / "examples" / f"{name}.pdf") for name in ("supply_agreement", "amendment_1")}


@pytest.fixture
def paper(shared_data: Path) -> ParsedDocument:
    """Attention Is All You Need."""
    return parse_document(shared_data / "papers" / "1706.03762v7.pdf")


def ask(document: ParsedDocument, text: str, dictionaries: Dictionaries) -> tuple[AuditedRetrievalResult, Answer]:
    """What retrieval and generation give."""
    question = parse_question(text, document.profile, dictionaries)
    found = retrieve(document, question)
    return found, generate(question, found)


VALUES = [
    ("supply_agreement", "What is the annual programme fee?", Amount, {"value": Decimal(1250000), "currency": "EUR"}),
    ("supply_agreement", "When does the agreement take effect?", DateValue, {"iso": date(2024, 3, 1)}),
    ("supply_agreement", "How long is the initial term?", Duration, {"number": Decimal(5), "unit": "year"}),
    ("supply_agreement", "How much notice prevents a renewal?", Duration, {"number": Decimal(90), "unit": "day"}),
    ("supply_agreement", "When are invoices due?", Duration, {"number": Decimal(30), "unit": "day"}),
    ("supply_agreement", "What is the rate of late-payment interest?", Percentage, {"value": Decimal(4)}),
    ("supply_agreement", "Is there a non-compete?", BooleanValue, {"value": True}),
    ("supply_agreement", "Can the Buyer terminate for convenience?", BooleanValue, {"value": True}),
    ("supply_agreement", "What is the liability cap?", Amount, {"value": Decimal(2500000), "currency": "EUR"}),
    ("supply_agreement", "Quel est le plafond de responsabilité ?", Amount, {"value": Decimal(2500000)}),
    ("supply_agreement", "How long does confidentiality survive?", Duration, {"number": Decimal(7), "unit": "year"}),
    ("supply_agreement", "What is the unit price of the DM-250?", Amount, {"value": Decimal("21.75")}),
    ("amendment_1", "What is the liability cap?", Amount, {"value": Decimal(4000000), "currency": "EUR"}),
    ("amendment_1", "How much notice prevents a renewal?", Duration, {"number": Decimal(120), "unit": "day"}),
    ("amendment_1", "When does the amendment take effect?", DateValue, {"iso": date(2025, 7, 1)}),
]


def test_a_period_that_depends_is_given_case_by_case(
    samples: dict[str, ParsedDocument], dictionaries: Dictionaries
) -> None:
    """Seventy-two hours, and twenty-four where more than 500 people are concerned: two cases, no conflict."""
    text = "Within what time must a data breach be notified?"
    _, answer = ask(samples["supply_agreement"], text, dictionaries)
    value = answer.items[0].value
    assert isinstance(value, ConditionalValue)
    special, general = value.branches
    assert special.condition == "Where the Data Breach affects more than five hundred (500) individuals"
    assert isinstance(special.value, Duration)
    assert isinstance(general.value, Duration)
    assert (special.value.number, general.condition, general.value.number) == (24, None, 72)
    assert not answer.conflicts


@pytest.mark.parametrize(("name", "text", "kind", "fields"), VALUES, ids=[f"{row[0]}: {row[1]}" for row in VALUES])
def test_a_typed_value_is_found(
    samples: dict[str, ParsedDocument], dictionaries: Dictionaries, name: str, text: str, kind: type, fields: dict
) -> None:
    """The first value is the right one, of the right type, and its quote stands on the lines that it names."""
    document = samples[name]
    _, answer = ask(document, text, dictionaries)
    value = answer.items[0].value
    assert isinstance(value, kind)
    assert {key: getattr(value, key) for key in fields} == fields
    texts = dict(zip(document.line_df["line_id"], document.line_df["text"], strict=True))
    for item in answer.items:
        for span in item.spans:
            cited = [texts[line_id] for line_id in range(span.line_start, span.line_end + 1)]
            assert span.quote.splitlines() == [line for line in cited if line in span.quote.splitlines()]


def test_a_list_goes_on_over_the_page(samples: dict[str, ParsedDocument], dictionaries: Dictionaries) -> None:
    """Six events are announced, six are given, on two pages."""
    _, answer = ask(samples["supply_agreement"], "Which events allow termination for cause?", dictionaries)
    assert (answer.completeness.stated_count, answer.completeness.found_count) == (6, 6)
    assert {item.spans[0].page_start for item in answer.items} == {10, 11}


def test_the_parties_are_named(samples: dict[str, ParsedDocument], dictionaries: Dictionaries) -> None:
    """Both parties, by their names."""
    _, answer = ask(samples["supply_agreement"], "Who are the parties?", dictionaries)
    assert "Alpha Components Limited" in answer.text
    assert "Beta Appliances Limited" in answer.text


@pytest.mark.parametrize("text", ["Is there a source code escrow?", "Is there an arbitration clause?"])
def test_what_is_not_there_is_proven_absent(
    samples: dict[str, ParsedDocument], dictionaries: Dictionaries, text: str
) -> None:
    """Every term was searched on every page, and none occurs."""
    found, answer = ask(samples["supply_agreement"], text, dictionaries)
    assert (found.not_found, answer.status) == (True, "not_found")
    assert answer.absence is not None
    assert answer.absence.verdict == "proven_absent"
    assert answer.absence.pages_searched == 16
    assert answer.absence.terms
    assert all(term.hit_count == 0 for term in answer.absence.terms)


def test_the_limit_of_the_insurance_is_not_the_cap(
    samples: dict[str, ParsedDocument], dictionaries: Dictionaries
) -> None:
    """The liability cap that is asked for without the insurance is not the insurance's."""
    _, answer = ask(samples["supply_agreement"], "What is the liability cap, not the insurance limit?", dictionaries)
    assert [item.value.value for item in answer.items if isinstance(item.value, Amount)] == [Decimal(2500000)]


def test_the_running_example_of_the_source_text(paper: ParsedDocument, dictionaries: Dictionaries) -> None:
    """Primaries are anchored in section 3.5, and what is read is that section and nothing around it."""
    found, answer = ask(paper, "What positional encoding does the paper use?", dictionaries)
    section = paper.toc_df[paper.toc_df["title"].str.contains("Positional Encoding")].iloc[0]
    inside = range(section["start_line_id"], section["end_line_id"] + 1)
    primaries = [candidate for candidate in found.candidates if candidate.role == "primary"]
    assert primaries
    for candidate in primaries:
        assert set(candidate.anchor_line_ids) <= set(inside)
        assert {line.line_id for line in candidate.lines} <= set(inside)
        assert candidate.section_title is not None
        assert "Positional Encoding" in candidate.section_title
    assert "sine and cosine" in primaries[0].text
    assert answer.status == "answered"
    assert found.skipped_reasons["chunk_embedding_match"]


def test_every_line_that_names_the_figure_is_found(paper: ParsedDocument, dictionaries: Dictionaries) -> None:
    """Figure 2 and not Figure 20; the caption comes first."""
    found, _ = ask(paper, "What does Figure 2 show?", dictionaries)
    naming = {
        int(row.line_id)
        for row in paper.line_df.itertuples()
        if row.visible and "Figure 2" in row.text and not row.text[row.text.index("Figure 2") + 8 :][:1].isdigit()
    }
    anchored = {line_id for candidate in found.candidates for line_id in candidate.anchor_line_ids}
    assert naming
    assert naming <= anchored
    assert "caption" in (found.candidates[0].reason or "").lower()
    assert "bm25" in found.methods_run


def test_gdpr_is_not_in_the_paper(paper: ParsedDocument, dictionaries: Dictionaries) -> None:
    """Not found, with the terms that were searched and no hit for any."""
    found, answer = ask(paper, "What does this document say about GDPR compliance?", dictionaries)
    assert (found.not_found, answer.status) == (True, "not_found")
    assert found.absence is not None
    assert {"GDPR", "personal data"} <= {term.term for term in found.absence.terms}
    assert all(term.hit_count == 0 for term in found.absence.terms)


FOUR_QUESTIONS = {
    "How does multi-head attention work?": ("toc_reasoning", "title_keyword_match", "reason_then_match"),
    "What does Figure 2 show?": ("toc_reasoning", "title_keyword_match", "reason_then_match", "bm25"),
    "Summarize the Training section.": ("toc_reasoning", "title_keyword_match", "reason_then_match"),
}


@pytest.mark.parametrize("text", FOUR_QUESTIONS)
def test_the_questions_of_the_source_text_get_their_strategies(
    paper: ParsedDocument, dictionaries: Dictionaries, text: str
) -> None:
    """The labels that the source text prints for them."""
    found, _ = ask(paper, text, dictionaries)
    assert found.strategy == FOUR_QUESTIONS[text]


def test_a_question_in_other_words_than_the_paper_is_not_answered_by_chance(
    paper: ParsedDocument, dictionaries: Dictionaries
) -> None:
    """The fourth question of the source text asks why: no passage that merely shares a word is made an answer."""
    found, answer = ask(paper, "Why does this model train faster than RNNs?", dictionaries)
    assert found.strategy[:2] == ("toc_reasoning", "title_keyword_match")
    assert answer.status in ("answered", "not_found")
    for candidate in found.candidates:
        assert candidate.role != "primary" or len(candidate.matched_keywords) > 1
