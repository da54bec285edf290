"""What rules read in a question: refusals, language, anchors, places, exclusions, wishes, keywords, parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dictionaries import Dictionaries, load_dictionaries
from pipeline.question import QuestionSettings, parse_question
from schemas.errors import QuestionError
from schemas.question import ParsedQuestion

DICTIONARIES = load_dictionaries()


def read(text: str) -> ParsedQuestion:
    """The question by rules alone, without a document."""
    return parse_question(text, None, DICTIONARIES)


def words(parsed: ParsedQuestion) -> list[str]:
    """Keywords that do not come from a dictionary."""
    return [keyword.text for keyword in parsed.keywords if keyword.source != "expert_dictionary"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("x" * 50_000, "50,000 characters, the limit is 2,000"),
        ("what\x00is", "control character U\\+0000 at position 5"),
        ("what\x1b[31m", "U\\+001B"),
        ("???", "no letter and no digit"),
        ("what \ud800 is", "U\\+D800"),
    ],
)
def test_what_is_no_question_is_refused(text: str, message: str) -> None:
    """Empty, too long, not text: an error that names the limit or the place."""
    with pytest.raises(QuestionError, match=message):
        read(text)


def test_the_limit_is_a_setting() -> None:
    """A longer limit lets a longer question through."""
    text = "What is the fee? " * 200
    assert (
        parse_question(text, None, DICTIONARIES, settings=QuestionSettings(max_chars=10_000)).original_question == text
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the governing law?", "en"),
        ("¿Cuál es la ley aplicable?", "es"),
        ("Que dit le document sur le RGPD ?", "fr"),
        ("Quel est le prix ?", "fr"),
        ("Qué es fuerza mayor", "es"),
        ("governing law", "en"),
        ("GDPR", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    """The question's language by its own words; English where nothing tells."""
    assert read(text).language == language


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("What is L131-1?", [("code", "L131-1")]),
        ("Explain ID.AM-1 and INC-2023-Q4-011", [("code", "ID.AM-1"), ("code", "INC-2023-Q4-011")]),
        ("Is CVE-2021-44228 mentioned?", [("code", "CVE-2021-44228")]),
        ("What does Section 3.2 say?", [("section", "3.2")]),
        ("See Article IV and Figure 2", [("article", "IV"), ("figure", "2")]),
        ("Compare Figures 2 and 3", [("figure", "2"), ("figure", "3")]),
        ("What does clause 14.2 say?", [("section", "14.2")]),
        ("¿Qué dice el artículo 5?", [("article", "5")]),
        ("Que montre le tableau 3 ?", [("table", "3")]),
        ("Annex B?", [("annex", "B")]),
        ('What is "net revenue"?', [("quoted", "net revenue")]),
        ("What is «chiffre d’affaires»?", [("quoted", "chiffre d’affaires")]),
        ("What does 'Affiliate' mean in the parties' agreement?", [("quoted", "Affiliate")]),
        ("Is ISO 27001 required?", [("code", "ISO 27001")]),
        ("Is e2e encryption used?", [("code", "e2e")]),
        ("What happened on 2024-01-31?", [("date", "2024-01-31")]),
        ("Is $5,000,000 the cap?", [("amount", "$5,000,000")]),
    ],
)
def test_anchors(text: str, anchors: list[tuple[str, str]]) -> None:
    """Codes, labels, quoted phrases, dates and sums are exact tokens with their bare target."""
    assert [(anchor.kind, anchor.target) for anchor in read(text).anchors] == anchors


@pytest.mark.parametrize(
    "text",
    [
        "Is there a 30-day notice?",
        "the 3rd party",
        "in 2022",
        "Q4 results of FY2022",
        "the party's obligation",
        "section a",
    ],
)
def test_plain_numbers_are_no_codes(text: str) -> None:
    """Ordinals, counted units, years and quarters are words, not codes."""
    assert read(text).anchors == ()


def test_the_questions_of_the_source_text() -> None:
    """The four questions of the source text give its keywords, anchors and intents."""
    attention = read("How does multi-head attention work?")
    assert words(attention) == ["multi-head attention", "multi-head", "attention"]
    assert (attention.intent, attention.hints.answer_context) == ("qa", "section")
    figure = read("What does Figure 2 show?")
    assert [(k.text, k.source, k.weight) for k in figure.keywords] == [("Figure 2", "anchor", 1.0)]
    assert figure.plan.use_codes
    faster = read("Why does this model train faster than RNNs?")
    assert {"model", "train", "faster", "RNNs"} <= set(words(faster))
    assert not faster.plan.use_codes
    training = read("Summarize the Training section.")
    assert (training.intent, training.hints.section_hint) == ("summarization", "Training")
    assert training.hints.needs_summary
    assert words(training) == ["Training"]


def test_a_phrase_is_kept_whole_and_as_words() -> None:
    """Neighbouring content words are searched as a phrase and alone; words of asking are not searched."""
    parsed = read("What positional encoding does the paper use?")
    assert [(k.text, k.weight) for k in parsed.keywords] == [
        ("positional encoding", 1.0), ("positional", 1.0), ("encoding", 1.0),
    ]  # fmt: skip


def test_gdpr_compliance_can_be_proven_absent() -> None:
    """The GDPR question searches the experts' words only; 'compliance' is named as no proof."""
    parsed = read("What does this document say about GDPR compliance?")
    concept = parsed.concepts[0]
    assert concept.exhaustive
    assert {"GDPR", "personal data", "RGPD", "données personnelles"} <= set(concept.terms)
    assert "compliance" in concept.neighbours
    assert words(parsed) == []
    assert any("compliance" in note for note in parsed.notes)


def test_words_beside_a_concept_weigh_half() -> None:
    """A narrowing word stays, at half weight; roles and generic words do not."""
    parsed = read("What is the liability cap of the supplier for helicopters?")
    assert [(k.text, k.weight) for k in parsed.keywords if k.source == "direct"] == [("helicopters", 0.5)]


@pytest.mark.parametrize(
    ("text", "section", "pages"),
    [
        ("How long is the warranty in the warranty section?", "warranty", ()),
        ("What does section 3.2 say on pages 5 to 7?", "3.2", (5, 6, 7)),
        ("What is on page 3?", None, (3,)),
        ("What is the fee on pages 2, 4 and 6-8?", None, (2, 4, 6, 7, 8)),
        ("¿Qué precio figura en la página 4?", None, (4,)),
        ("Que dit la section Confidentialité ?", "Confidentialité", ()),
        ("Quel prix aux pages 2 à 3 ?", None, (2, 3)),
        ("What is the name on the first page?", None, (1,)),
        ("Is there a section on data breaches?", "data breaches", ()),
        ("How long is the term?", None, ()),
    ],
)
def test_places(text: str, section: str | None, pages: tuple[int, ...]) -> None:
    """Sections and pages that the user names."""
    hints = read(text).hints
    assert (hints.section_hint, hints.pages_hint) == (section, pages)


def test_only_named_pages_become_a_filter() -> None:
    """'Only on pages' restricts; 'on pages' advises."""
    assert read("What is the fee, only on pages 2 to 4?").filters.page_range == (2, 4)
    assert read("What is the fee on pages 2 to 4?").filters.page_range is None


@pytest.mark.parametrize(
    ("text", "exclusion"),
    [
        ("What is the liability cap, not the deductible?", "not the deductible"),
        ("What are the fees excluding taxes?", "excluding taxes"),
        ("¿Cuál es el tope de responsabilidad, no la franquicia?", "no la franquicia"),
        ("Quel est le prix, hors taxes et pas la caution ?", "et pas la caution"),
        ("What is the term rather than the notice period?", "rather than the notice period"),
    ],
)
def test_exclusions_reach_generation_only(text: str, exclusion: str) -> None:
    """What it is not is kept verbatim for generation and is no keyword, no concept and no part of the query."""
    parsed = read(text)
    assert exclusion in parsed.exclusions
    query = parsed.retrieval_query()
    assert exclusion not in query.text
    assert parsed.generation_brief().exclusions == parsed.exclusions
    noun = exclusion.rsplit(maxsplit=1)[-1]
    assert all(noun not in keyword.text for keyword in query.keywords if keyword.source == "direct")


@pytest.mark.parametrize(
    "text", ["May the license not be transferred?", "Is it not exclusive?", "What may the buyer not do?"]
)
def test_a_plain_negation_is_no_exclusion(text: str) -> None:
    """'not' inside the sentence belongs to what is asked."""
    assert read(text).exclusions == ()


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("What is the notice period, in days?", "in days"),
        ("How much is the fee in EUR?", "in EUR"),
        ("What is the net income? Answer in USD billions.", "Answer in USD billions."),
        ("¿Cuál es el plazo en días?", "en días"),
        ("Compare the fees in a table.", "in a table"),
    ],
)
def test_format_wishes_reach_generation_only(text: str, wish: str) -> None:
    """How to put it is kept verbatim for generation and is not searched."""
    parsed = read(text)
    assert wish in parsed.format_wishes
    assert wish not in parsed.retrieval_query().text
    assert not {"days", "EUR", "USD", "billions", "table"} & set(words(parsed))


def parts(parsed: ParsedQuestion) -> list[tuple[str, str]]:
    """Sub-questions with their types."""
    return [(part.text, part.answer_type) for part in parsed.decomposition.sub_questions]


def test_compound_questions_fall_into_complete_parts() -> None:
    """Each part can be asked alone: what it left out or meant by a pronoun is put in."""
    compete = read("Is there a non-compete, and for how long?")
    assert compete.decomposition.pattern == "independent"
    assert parts(compete) == [
        ("Is there a non-compete?", "boolean"), ("For how long is there a non-compete?", "duration"),
    ]  # fmt: skip
    assert compete.plan.decompose
    assert parts(read("When was the contract signed and when does it expire?")) == [
        ("When was the contract signed?", "date"), ("When does the contract expire?", "date"),
    ]  # fmt: skip
    assert parts(read("¿Hay una cláusula de no competencia y por cuánto tiempo?"))[1] == (
        "¿Por cuánto tiempo hay una cláusula de no competencia?", "duration",
    )  # fmt: skip
    assert parts(read("What are the governing law and the notice period for renewal?")) == [
        ("What is the governing law?", "jurisdiction"), ("What is the notice period for renewal?", "duration"),
    ]  # fmt: skip


def test_other_patterns() -> None:
    """A part that needs the answer before it, a comparison, a condition, and questions that are one."""
    assert read("Which section covers termination and what does it say?").decomposition.pattern == "sequential"
    assert (
        read("What is the difference between the cap on liability and the insurance?").decomposition.pattern
        == "unified"
    )
    condition = read("If the buyer pays late, how much interest is due?").decomposition
    assert (condition.pattern, condition.condition) == ("conditional", "If the buyer pays late")
    for single in (
        "What are the terms and conditions?",
        "Who may use the goods and services?",
        "Tell me if there is a non-compete.",
        "What are the rights of the supplier, which is a company?",
    ):
        assert read(single).decomposition.pattern == "single", single


def test_a_question_without_any_word_asks_back() -> None:
    """Only where there is nothing to search for the user is asked, with two or three complete questions."""
    parsed = read("What about it?")
    assert parsed.clarification is not None
    assert 2 <= len(parsed.clarification.choices) <= 3
    assert parsed.clarification.default in parsed.clarification.choices
    for clear in ("and plan C?", "Summarize this document.", "What is on page 2?", "GDPR?", "L131-1"):
        assert read(clear).clarification is None, clear


def test_a_slip_in_an_experts_word_is_mended() -> None:
    """A letter left out of a long dictionary word is mended with a note; the original stays on record."""
    parsed = read("Is there an arbitrtion clause?")
    assert parsed.corrected_question == "Is there an arbitration clause?"
    assert parsed.original_question == "Is there an arbitrtion clause?"
    assert parsed.concepts[0].concept_id == "arbitration"
    assert any("arbitrtion" in note for note in parsed.notes)
    assert read("Is the insured named?").corrected_question == "Is the insured named?"


def test_the_record_is_the_same_each_time() -> None:
    """Same question, same bytes; the stamp names the dictionary and everything was set by rules."""
    first, second = read("What is the liability cap?"), read("What is the liability cap?")
    assert first.to_json() == second.to_json()
    assert set(first.field_sources.values()) == {"rules"}
    assert first.stamp.dictionary_versions == DICTIONARIES.versions
    assert ParsedQuestion.from_json(first.to_json(), where="test") == first


def test_without_dictionaries_the_users_words_remain() -> None:
    """No dictionary gives no concept and plain keywords."""
    empty = Dictionaries(concepts=(), sources=())
    parsed = parse_question("What is the liability cap?", None, empty)
    assert parsed.concepts == ()
    assert [k.text for k in parsed.keywords] == ["liability cap", "liability", "cap"]


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=120))
def test_any_text_gives_a_record_or_a_clear_refusal(text: str) -> None:
    """Whatever is asked: a valid record whose verbatim fields stand in the question, or a QuestionError."""
    try:
        parsed = read(text)
    except QuestionError:
        return
    assert parsed.original_question == text
    for piece in (*parsed.exclusions, *parsed.format_wishes):
        assert piece in parsed.corrected_question
    assert ParsedQuestion.from_json(parsed.to_json(), where="test") == parsed
