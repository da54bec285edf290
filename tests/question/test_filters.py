"""Limits that a question sets: dates, parties, places, sheets, slides, sections; and what is done with them."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.question import QuestionContext, parse_question
from pipeline.retrieval import retrieve
from schemas.answer import Amount, Answer, DateValue
from schemas.document import ParsedDocument, Statement
from schemas.question import DateRange, ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult
from schemas.tables import PAGE_DF
from tests.builders import document, lines, profile, toc

DICTIONARIES = load_dictionaries()


def read(text: str, asked: ParsedDocument | None = None) -> ParsedQuestion:
    """The question by rules alone."""
    known = asked.profile if asked else None
    return parse_question(text, known, DICTIONARIES, context=QuestionContext(document=asked))


def ask(asked: ParsedDocument, text: str) -> tuple[ParsedQuestion, AuditedRetrievalResult, Answer]:
    """The question through the three bricks, by rules."""
    question = read(text, asked)
    found = retrieve(asked, question)
    return question, found, generate(question, found)


def of_type(asked: ParsedDocument, kind: str, fields: tuple[str, ...] = (), **changes: object) -> ParsedDocument:
    """The document as one of a type; `unit` and `labels` say what its pages are, `title` what it is called."""
    known = asked.profile
    semantic = {"doc_type": kind, "typical_fields": fields, "title": changes.get("title")}
    identity = {"page_unit": changes.get("unit", "page"), "page_count": int(asked.line_df["page_num"].max())}
    update: dict[str, object] = {
        "profile": known.model_copy(
            update={
                "semantic": known.semantic.model_copy(update=semantic),
                "identity": known.identity.model_copy(update=identity),
            }
        )
    }
    if "labels" in changes:
        update["page_df"] = PAGE_DF.check(asked.page_df.assign(label=changes["labels"]), where="test")
    return asked.model_copy(update=update)


@pytest.fixture(scope="module")
def sections() -> ParsedDocument:
    """A contract whose sections state different warranties."""
    text_df = lines(
        ["1. Payment", "Invoices are payable within 30 days.", "2. Warranty", "The warranty period is 24 months.",
         "3. Spare parts", "The warranty period for spare parts is 6 months."]
    )  # fmt: skip
    outline = [(1, "Payment", 1, 2), (1, "Warranty", 3, 4), (1, "Spare parts", 5, 6)]
    return document(text_df, toc_df=toc(outline, text_df))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Which fees were paid before 2020?", None, "2019-12-31"),
        ("Which fees fell due after 1 March 2021?", "2021-03-02", None),
        ("Which fees were paid between 2018 and 2020?", "2018-01-01", "2020-12-31"),
        ("What was paid in 2019?", "2019-01-01", "2019-12-31"),
        ("What was paid in Q3 2022?", "2022-07-01", "2022-09-30"),
        ("What was paid in the first quarter of 2022?", "2022-01-01", "2022-03-31"),
        ("What has been paid since January 2020?", "2020-01-01", None),
        ("What was paid until 31 December 2020?", None, "2020-12-31"),
        ("FY2019 revenue", "2019-01-01", "2019-12-31"),
        ("¿Qué cuotas se pagaron antes de 2020?", None, "2019-12-31"),
        ("¿Qué se pagó después del 1 de marzo de 2021?", "2021-03-02", None),
        ("¿Qué se pagó entre 2018 y 2020?", "2018-01-01", "2020-12-31"),
        ("¿Qué se pagó en marzo de 2021?", "2021-03-01", "2021-03-31"),
        ("Quels frais ont été payés avant 2020 ?", None, "2019-12-31"),
        ("Quels frais sont dus après le 1er mars 2021 ?", "2021-03-02", None),
        ("Qu'a-t-on payé entre 2018 et 2020 ?", "2018-01-01", "2020-12-31"),
        ("Qu'a-t-on payé au deuxième trimestre de 2021 ?", "2021-04-01", "2021-06-30"),
    ],
)
def test_dates_as_limits(text: str, start: str | None, end: str | None) -> None:
    """Before, after, between, in, since, until: a range of days, both ends included."""
    assert read(text).filters.date_range == DateRange(start=start, end=end)


@pytest.mark.parametrize(
    "text",
    [
        "When does the lease signed in 2015 expire?",
        "Is ISO 27001:2022 required?",
        "Are 2019 dollars meant?",
        "INC-2023-Q4-011",
    ],
)
def test_what_is_no_limit_in_time(text: str) -> None:
    """A year that belongs to a thing, a standard, a sum or a code limits nothing."""
    assert read(text).filters.date_range is None


def test_a_limit_in_time_is_not_searched() -> None:
    """'before 2020' is no word to search for; 'in 2019' says which figure is meant and stays."""
    assert "2020" not in {word.text for word in read("Which patents were granted before 2020?").keywords}
    assert "2019" in {word.text for word in read("Which patents were granted in 2019?").keywords}


def test_a_date_out_of_range_is_no_answer() -> None:
    """The date in range answers; where the topic's date lies outside, it is refused with its reason."""
    asked = document(lines(["The agreement was signed on 3 May 2018.", "The renewal was signed on 4 June 2021."]))
    for text, day in (
        ("When was it signed before 2020?", "2018-05-03"),
        ("When was it signed after 2020?", "2021-06-04"),
    ):
        value = ask(asked, text)[2].items[0].value
        assert isinstance(value, DateValue)
        assert value.iso.isoformat() == day
    answer = ask(asked, "When was the agreement signed after 2022?")[2]
    assert (answer.status, answer.items) == ("refused", ())
    assert "within_scope" in answer.refused_items[0].reason


@pytest.mark.parametrize(
    ("text", "parties", "places"),
    [
        ("What is the cap for the supplier?", ("supplier",), ()),
        ("¿Cuál es el tope del proveedor?", ("proveedor",), ()),
        ("Quelles sont les obligations du fournisseur ?", ("fournisseur",), ()),
        ("Does either party indemnify the other?", ("either party",), ()),
        ("Is there a non-compete under French law?", (), ("French",)),
        ("Is there a warranty in Spain?", (), ("Spain",)),
        ("¿Hay garantía en España?", (), ("España",)),
        ("Y a-t-il une garantie en droit français ?", (), ("français",)),
        ("What applies under the laws of the State of Delaware?", (), ("Delaware",)),
        ("Is it governed by French law?", (), ()),
    ],
)
def test_parties_and_jurisdictions(text: str, parties: tuple[str, ...], places: tuple[str, ...]) -> None:
    """Roles and places that limit the question, as the user wrote them."""
    filters = read(text).filters
    assert (filters.parties, filters.jurisdictions) == (parties, places)


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("What is the fee in the first three pages?", (1, 2, 3)),
        ("What is the fee on the last two pages?", (8, 9)),
        ("¿Qué precio figura en las tres primeras páginas?", (1, 2, 3)),
        ("Quel prix figure dans les deux premières pages ?", (1, 2)),
        ("What is the fee on pages 5 to 7?", (5, 6, 7)),
    ],
)
def test_pages_by_number_and_count(text: str, pages: tuple[int, ...]) -> None:
    """Pages named by number, or as the first or last few."""
    parsed = parse_question(text, profile(page_count=9), DICTIONARIES)
    assert parsed.hints.pages_hint == pages


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("What is the cap in version 3?", "3"),
        ("What is the fee in the amendment?", "amendment"),
        ("¿Cuál es la tarifa en la versión 2?", "2"),
        ("Quel est le prix dans l'avenant ?", "avenant"),
        ("What is the conversion rate?", None),
    ],
)
def test_versions(text: str, version: str | None) -> None:
    """The version of the document that is named, with a note of what is searched."""
    parsed = read(text)
    assert parsed.hints.document_version == version
    assert any("only the document that was handed over" in note for note in parsed.notes) == (version is not None)


def test_a_named_section_leads(sections: ParsedDocument) -> None:
    """In a section that exists the answer comes from it; what stands elsewhere only supports."""
    question, found, answer = ask(sections, "How long is the warranty in the spare parts section?")
    assert question.hints.section_hint == "spare parts"
    assert answer.items[0].spans[0].line_start == 6
    assert {one.role for one in found.candidates if one.anchor_line_ids == (4,)} <= {"supporting", "tangential"}
    assert ask(sections, "In clause 2, how long is the warranty?")[2].items[0].spans[0].line_start == 4


def test_only_in_a_section_is_a_filter(sections: ParsedDocument) -> None:
    """'only in' keeps the search inside, and absence there is no proof for the document."""
    question, found, answer = ask(sections, "How long is the warranty, only in the payment section?")
    assert question.filters.sections == ("payment",)
    assert all(line <= 2 for one in found.candidates for line in one.anchor_line_ids)
    assert answer.status == "not_found"
    assert answer.absence is not None
    assert answer.absence.verdict != "proven_absent"


def test_a_section_that_does_not_exist_is_said_to_be_none(sections: ParsedDocument) -> None:
    """The whole document is searched instead, with a note; there is no empty answer in silence."""
    for text in ("How long is the warranty in the insurance section?", "In clause 9, how long is the warranty?"):
        question, _, answer = ask(sections, text)
        assert any("no section" in note for note in question.notes), text
        assert question.filters.sections == ()
        assert answer.status == "answered", text


def test_sheets_and_slides_limit_the_search() -> None:
    """A named sheet or slide is searched alone; one that is not there is named in a note."""
    rows = ["The insurance premium is EUR 5.00.", "The insurance premium is EUR 3.00."]
    book = of_type(document(lines(rows, page=[1, 2])), "unknown", unit="sheet", labels=["List", "Sale"])
    question, found, _ = ask(book, 'What is the insurance premium in sheet "Sale"?')
    assert question.hints.sheets_hint == ("Sale",)
    assert {one.anchor.page_start for one in found.candidates} == {2}
    notes = read('What is the premium in sheet "Costs"?', book).notes
    assert any("no sheet 'Costs'; it has 'List', 'Sale'" in note for note in notes)
    deck = of_type(document(lines(rows, page=[1, 2])), "unknown", unit="slide")
    answer = ask(deck, "What is the insurance premium on slide 2?")[2]
    assert isinstance(answer.items[0].value, Amount)
    assert answer.items[0].spans[0].page_start == 2
    assert any("no workbook" in note for note in read('What is the premium in sheet "Costs"?', deck).notes)


@pytest.mark.parametrize(
    ("text", "value"),
    [("What is the number?", "INV-2024-001"), ("What is the date?", "2024-03-05"), ("What is the total?", "1210.00"),
     ("¿Cuál es el número?", "INV-2024-001"), ("Quelle est la date ?", "2024-03-05")],
)  # fmt: skip
def test_the_type_of_the_document_says_what_a_bare_word_means(text: str, value: str) -> None:
    """'the number' of an invoice is the invoice's number, with a note."""
    rows = ["Invoice number: INV-2024-001", "Purchase order number: PO-77", "Due date: 4 April 2024",
            "Invoice date: 5 March 2024", "Total due: EUR 1,210.00"]  # fmt: skip
    asked = of_type(document(lines(rows)), "invoice", ("number", "date", "due date", "total", "tax"))
    question, _, answer = ask(asked, text)
    said = answer.items[0].value
    assert value in {str(getattr(said, name, "")) for name in ("text", "iso", "value")}
    assert any("was read as the" in note for note in question.notes)


def test_the_name_on_a_resume_is_the_one_at_its_head() -> None:
    """'the name' of a resume is what stands at its head; a longer question keeps its words."""
    rows = ["Jane Doe", "Engineer", "jane@example.com", "Acme Ltd, 2015-2020"]
    asked = of_type(document(lines(rows)), "resume", ("name", "email"), title=Statement(text="Jane Doe", line_id=1))
    for text in ("What is the name?", "¿Cuál es el nombre?", "Quel est le nom ?"):
        assert ask(asked, text)[2].items[0].spans[0].quote == "Jane Doe"
    assert "jane@example.com" in ask(asked, "What is the email?")[2].text
    assert not any("was read as" in note for note in read("What is the name of the school?", asked).notes)
