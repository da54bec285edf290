"""Questions and metadata in: every fault by its place, all at once; what a person writes is understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from pipeline.batch.allowed import among_allowed
from pipeline.batch.reading import check_filters, read_questions, write_template
from pipeline.batch.scope import fits, out_of_scope
from schemas.answer import AnswerItem
from schemas.batch import BatchDocument, BatchQuestion, MetadataFilter
from schemas.errors import InputError
from schemas.evidence import EvidenceSpan
from schemas.values import Amount, BooleanValue, Jurisdiction, TextValue, Value


def book(path: Path, rows: list[list[object]], *, sheet: str = "questions") -> Path:
    """A workbook of these rows."""
    made = Workbook()
    made.worksheets[0].title = sheet
    for row in rows:
        made.worksheets[0].append(row)
    made.save(path)
    return path


def test_the_template_reads_back_without_a_fault(tmp_path: Path) -> None:
    """The examples of the template are questions, and it is the same file each time."""
    path = tmp_path / "questions.xlsx"
    path.write_bytes(write_template())
    found = read_questions(path, dictionaries={"contracts"})
    assert [one.question_id for one in found] == ["law", "notice"]
    assert found[1].terms.allowed_values == ("30 days", "60 days", "90 days")
    assert write_template() == path.read_bytes()
    assert load_workbook(path).sheetnames == ["questions", "documents", "help"]


def test_all_columns_are_read_in_any_order_and_language(tmp_path: Path) -> None:
    """Headings are understood in three languages; lists are divided; a missing id is made of the row."""
    path = book(tmp_path / "q.xlsx", [
        ["Prioridad", "Pregunta", "filtre", "Expected type", "folders", "Section", "lang"],
        [2, "Who pays?", "party = Acme; date >= 2020-01-01; region in US|EU", "party", "a; b\\c/", "Fees", "en"],
    ])  # fmt: skip
    (one,) = read_questions(path)
    assert one.question_id == "q2"
    assert one.priority == 2
    assert one.folders == ("a", "b/c")
    assert one.where == (
        MetadataFilter(column="party", operator="=", values=("Acme",)),
        MetadataFilter(column="date", operator=">=", values=("2020-01-01",)),
        MetadataFilter(column="region", operator="in", values=("US", "EU")),
    )
    assert (one.terms.answer_type, one.terms.sections, one.terms.language) == ("party", ("Fees",), "en")


def test_every_fault_is_told_by_its_place(tmp_path: Path) -> None:
    """Nothing runs before a person has put right all that is wrong, and one message says it all."""
    path = book(tmp_path / "q.xlsx", [
        ["id", "question", "expected typ", "type", "filter", "priority", "dictionary"],
        ["a", "Who pays?", "", "amont", "", "", ""],
        ["a", "Who signs?", "", "", "party", "soon", "contrakts"],
        ["b", "", "", "", "", "", "contracts"],
        ["c", "=1+1", "", "", "", "", ""],
        ["d", "#REF!", "", "", "", "", ""],
        ["e", "Who  pays?", "", "", "", "", ""],
        ["f", "Who  pays?", "", "", "", "", ""],
    ])  # fmt: skip
    with pytest.raises(InputError) as told:
        read_questions(path, dictionaries={"contracts"})
    message = str(told.value)
    for words in (
        "row 1, column C: the column 'expected typ' is not known (did you mean 'expected type'?)",
        "row 2, column D: 'amont' is not known (did you mean 'amount'?)",
        "row 3, column A: the id 'a' stands in row 2 already",
        "row 3, column E: 'party' is no condition",
        "row 3, column F: 'soon' is no whole number",
        "row 3, column G: no dictionary 'contrakts'",
        "row 4, column B: no question stands here",
        "row 5, column B: ",
        "row 6, column B: ",
        "row 8, column B: the same question with the same scope stands in row 7",
    ):
        assert words in message, words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "question;id\nWho pays?;pay\n\nWho signs?;sign\n"),
        ("q.csv", "\ufeffquestion\tid\nWho pays?\tpay\nWho signs?\tsign\n"),
        ("q.jsonl", '{"question": "Who pays?", "id": "pay"}\n{"question": "Who signs?", "id": "sign"}\n'),
    ],
)
def test_text_files_are_read(tmp_path: Path, name: str, text: str) -> None:
    """CSV with any delimiter, and JSON lines."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [(one.question_id, one.text) for one in read_questions(path)] == [
        ("pay", "Who pays?"),
        ("sign", "Who signs?"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("q.xlsx", b"PK\x03\x04 no zip", "not a readable workbook"),
        ("q.jsonl", b'{"question": 1}\nnot json\n[1]\n', "line 2: no JSON"),
        ("q.csv", b"", "holds no row"),
        ("q.csv", b"question\n", "no question stands below"),
        ("q.csv", b"name\nx\n", "no column is called 'question'"),
        ("q.csv", b'question\n"open', "no readable CSV"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    """A broken file is told in one sentence."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_questions(path)


def test_filters_by_unknown_columns_are_refused() -> None:
    """A filter by what the metadata sheet does not have would leave out every document in silence."""
    one = BatchQuestion(
        question_id="a", text="x", where=(MetadataFilter(column="party", operator="=", values=("A",)),), row=4
    )
    check_filters([one], ["party"])
    with pytest.raises(InputError, match="row 4: the filter names the metadata column 'party'; there are: region"):
        check_filters([one], ["region"])


@pytest.mark.parametrize(
    ("value", "operator", "wanted", "holds"),
    [
        ("2020-05-01", ">=", ("2020-01-01",), True),
        ("2019-12-31", ">=", ("2020-01-01",), False),
        ("9", "<", ("10",), True),
        ("ten", "<", ("10",), False),
        ("ACME  ltd", "=", ("Acme Ltd",), True),
        ("Acme Ltd", "contains", ("acme",), True),
        ("US", "in", ("EU", "us"), True),
        ("US", "!=", ("EU",), True),
    ],
)
def test_values_are_compared_as_what_they_are(value: str, operator: str, wanted: tuple[str, ...], holds: bool) -> None:
    """Dates as dates, numbers as numbers, words without their case."""
    told = MetadataFilter(column="c", operator=operator, values=wanted)  # type: ignore[arg-type]
    assert fits(value, told) is holds


def test_access_labels_close_documents() -> None:
    """A labelled document is out of scope for those who do not hold one of its labels, and says no more than that."""
    asked = BatchQuestion(question_id="a", text="x")
    closed, open_to_all = (BatchDocument(name="d", metadata=meta) for meta in ({"access": "legal; hr"}, {}))
    assert out_of_scope(closed, asked, clearance=frozenset({"Legal"})) is None
    assert out_of_scope(closed, asked, clearance=frozenset({"sales"})) == "no access label of yours opens the document"
    assert out_of_scope(closed, asked, clearance=None) is None
    assert out_of_scope(open_to_all, asked, clearance=frozenset({"sales"})) is None


def item(value: Value) -> AnswerItem:
    """A value with some line."""
    span = EvidenceSpan(
        candidate_id="p1_l1",
        line_start=1,
        line_end=1,
        page_start=1,
        page_end=1,
        page_line_start=1,
        page_line_end=1,
        quote="x",
    )
    return AnswerItem(value=value, spans=(span,), extraction_method="verbatim", checks=())


@pytest.mark.parametrize(
    ("value", "words", "allowed", "among"),
    [
        (
            Jurisdiction(name="New York", country="US", original="New York"),
            "New York",
            ("York", "New York"),
            "New York",
        ),
        (Jurisdiction(name="York", original="York"), "York", ("New York",), None),
        (BooleanValue(value=True), "yes", ("No", "Sí"), "Sí"),
        (Amount(value="12500", currency="EUR", original="EUR 12,500"), "EUR 12,500", ("12.500 EUR",), "12.500 EUR"),
        (Amount(value="12500", currency="USD", original="USD 12,500"), "USD 12,500", ("EUR 12,500",), None),
        (TextValue(text="Net  30 days."), "Net 30 days.", ("net 30 days",), "net 30 days"),
        (TextValue(text="Net 30"), "Net 30", ("net 3",), None),
    ],
)
def test_allowed_values_are_compared_by_type(
    value: Value, words: str, allowed: tuple[str, ...], among: str | None
) -> None:
    """A value counts as allowed only where it is the same value, never where it merely looks like one."""
    assert among_allowed([item(value)], allowed, words) == ((True, among) if among else (False, None))
    assert among_allowed([], allowed, words) == (None, None)
