"""Dictionaries as workbooks: nothing is lost on the way out and back, habits are forgiven, faults name their cell."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from openpyxl.worksheet.worksheet import Worksheet

from dictionaries.drafts import Draft, read_draft
from dictionaries.file_format import DictionaryFile, FileConcept
from dictionaries.loading import FOLDER, read_fields
from dictionaries.workbook import read_workbook, to_workbook
from dictionaries.workbook_layout import CONCEPT_COLUMNS, TERM_COLUMNS
from dictionaries.writing import to_toml
from schemas.errors import DictionaryError
from tests.dictionaries.files import DICTIONARIES, SMALL

Edit = Callable[[Any], None]


@pytest.fixture
def small() -> DictionaryFile:
    """The small dictionary."""
    return DictionaryFile.model_validate(tomllib.loads(SMALL))


def edited(parsed: DictionaryFile, folder: Path, edit: Edit | None = None) -> Draft:
    """The dictionary after a workbook of it was edited and saved as a person would."""
    path = folder / "things.xlsx"
    path.write_bytes(to_workbook(parsed, name="things"))
    if edit is not None:
        book = openpyxl.load_workbook(path)
        edit(book)
        book.save(path)
    return read_workbook(path)


def row_of(sheet: Worksheet, text: str) -> int:
    """The row that holds a text."""
    return next(cell.row for row in sheet.iter_rows() for cell in row if cell.value == text)


def column_of(sheet: Worksheet, title: str) -> int:
    """The column of that name."""
    return next(cell.column for cell in sheet[1] if cell.value == title)


def put(sheet: Worksheet, row_text: str, title: str, value: Any) -> None:
    """Write a cell in the row that holds a text."""
    sheet.cell(row_of(sheet, row_text), column_of(sheet, title)).value = value


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(parsed=DICTIONARIES)
def test_any_dictionary_comes_back_the_same(parsed: DictionaryFile, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Out to a workbook, opened and saved, and back, and to TOML and back: nothing changes."""
    folder = tmp_path_factory.mktemp("books")
    back = edited(parsed, folder, lambda _book: None)
    assert back.parsed == parsed, back.faults
    assert to_toml(back.parsed) == to_toml(parsed)
    assert DictionaryFile.model_validate(tomllib.loads(to_toml(parsed).decode())) == parsed


def test_a_shipped_dictionary_comes_back_the_same(tmp_path: Path) -> None:
    """Concepts of a real one too, in their order and that of their words."""
    _, fields = read_fields(FOLDER / "contracts.toml")
    some = dict(list(fields["concepts"].items())[:8])  # of 54, for the time it takes
    parsed = DictionaryFile.model_validate({**fields, "concepts": some})
    back = edited(parsed, tmp_path)
    assert back.parsed is not None
    assert to_toml(back.parsed) == to_toml(parsed)
    assert back.name == "things"


def test_every_field_has_a_column() -> None:
    """A field that is added to the format cannot be forgotten in the workbook."""
    assert {column.name for column in CONCEPT_COLUMNS} == {"concept", *FileConcept.model_fields} - {"words"}


def test_the_workbook_is_made_for_people(small: DictionaryFile, tmp_path: Path) -> None:
    """Explained, choices for closed columns, wrapped, head frozen, wide enough, no formula; the same each time."""
    assert to_workbook(small, name="things") == to_workbook(small, name="things")
    path = tmp_path / "things.xlsx"
    path.write_bytes(to_workbook(small, name="things"))
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["read me", "dictionary", "concepts", "terms"]
    terms, concepts = book["terms"], book["concepts"]
    assert (terms.freeze_panes, concepts.freeze_panes) == ("A2", "B2")
    assert terms.column_dimensions["D"].width >= 40
    assert terms["D2"].alignment.wrap_text
    assert {"language", "kind", "concept", "weight"} == {
        terms.cell(1, openpyxl.utils.column_index_from_string(str(rule.sqref).rstrip("0123456789").split(":")[1])).value
        for rule in terms.data_validations.dataValidation
    }
    assert terms.cell(1, 4).value == "text"
    assert all(cell.data_type != "f" for sheet in book for row in sheet.iter_rows() for cell in row)
    told = " ".join(str(row[0].value or "") for row in book["read me"].iter_rows())
    assert "Alt+Enter" in told
    assert "dict import" in told


def test_a_text_never_becomes_a_formula(small: DictionaryFile, tmp_path: Path) -> None:
    """What begins like a formula is written as text, marked as one, and comes back the same."""
    concept = small.concepts["colour"].model_copy(update={"neighbours": ("=1+1", "+x", "-y", "@z", "'w")})
    parsed = small.model_copy(update={"concepts": {**small.concepts, "colour": concept}})
    assert edited(parsed, tmp_path).parsed == parsed
    book = openpyxl.load_workbook(tmp_path / "things.xlsx")
    cell = book["concepts"].cell(2, column_of(book["concepts"], "neighbours"))
    assert (cell.data_type, cell.quotePrefix) == ("s", True)


def habits(book: Any) -> None:
    """What people and spreadsheet programs do to a workbook."""
    terms, concepts, head = book["terms"], book["concepts"], book["dictionary"]
    put(terms, "hue", "kind", " Primary ")  # corrected to a capital
    put(terms, "hue", "text", "hue\u00a0 ")
    put(terms, "tint", "language", "EN")
    put(terms, "shade of colour", "weight", "0,8")
    terms.insert_rows(3, amount=2)
    terms.append(["size", "en", "primary", 2024, None])  # a number where a text is meant
    terms.append(["size", "en", "primary", 1.5, None])
    terms.append([" Size", "en", "secondary", True, None])
    terms.move_range(f"D1:D{terms.max_row}", cols=3)  # another order of columns
    put(concepts, "The colour of a thing.", "exhaustive", True)  # typed as TRUE
    put(concepts, "The size of a thing.", "exhaustive", "No")
    put(head, "version", "value", 1.2)
    put(head, "date", "value", datetime(2026, 1, 31))  # noqa: DTZ001  # as the library hands dates over


def test_habits_are_forgiven(small: DictionaryFile, tmp_path: Path) -> None:
    """Numbers as texts, blanks, blank rows, moved columns, capitals, TRUE, a decimal comma: all are understood."""
    draft = edited(small, tmp_path, habits)
    assert draft.faults == ()
    assert draft.parsed is not None
    size = draft.parsed.concepts["size"].words["en"]
    assert [term.term for term in size.primary] == ["outer size", "2024", "1.5"]
    assert [term.term for term in size.secondary] == ["TRUE"]
    assert draft.parsed.concepts["colour"] == small.concepts["colour"]
    assert (draft.parsed.version, draft.parsed.date) == ("1.2", small.date)


def test_a_sorted_sheet_says_the_same(small: DictionaryFile, tmp_path: Path) -> None:
    """The rows of the terms in another order give the same words to each concept."""

    def turn_round(book: Any) -> None:
        sheet = book["terms"]
        rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
        for number, values in enumerate(reversed(rows), 2):
            for column, value in enumerate(values, 1):
                sheet.cell(number, column).value = value

    draft = edited(small, tmp_path, turn_round)
    assert draft.faults == ()
    assert draft.parsed is not None
    words = draft.parsed.concepts["colour"].words
    assert {term.term for term in words["en"].primary} == {"colour", "hue", "shade of colour"}
    assert set(words) == {"en", "es"}


def add_row(sheet: str, *values: Any) -> Edit:
    """An edit that adds a row at the end."""
    return lambda book: book[sheet].append(list(values))


def set_cell(sheet: str, row_text: str, title: str, value: Any) -> Edit:
    """An edit of one cell."""
    return lambda book: put(book[sheet], row_text, title, value)


def drop_column(sheet: str, title: str) -> Edit:
    """An edit that deletes a column."""
    return lambda book: book[sheet].delete_cols(column_of(book[sheet], title))


@pytest.mark.parametrize(
    ("edit", "where", "reason"),
    [
        (
            add_row("terms", "colour", "en", "primary", "Hue"),
            ("terms", 13, "text"),
            "repeats 'hue' (sheet 'terms', row 3)",
        ),
        (add_row("terms", "size", "en", "primary", "hue"), ("terms", 13, "text"), "also a primary term of colour"),
        (add_row("terms", "shape", "en", "primary", "form of it"), ("terms", 13, "concept"), "'shape' is no concept"),
        (add_row("terms", "", "en", "primary", "form of it"), ("terms", 13, "concept"), "concept is empty"),
        (add_row("terms", "size", "en", "main", "outside"), ("terms", 13, "kind"), "must be primary, secondary"),
        (add_row("terms", "size", "english", "primary", "outside"), ("terms", 13, "language"), "no valid name"),
        (add_row("terms", "size", "fr", "primary", "taille hors tout"), ("terms", 13, "language"), "not among"),
        (add_row("terms", "size", "en", "primary", "outside", 7), ("terms", 13, "weight"), "at most 1"),
        (add_row("terms", "size", "en", "primary", "outside", "much"), ("terms", 13, "weight"), "must be a number"),
        (add_row("terms", "size", "en", "title", "Sizes", 0.5), ("terms", 13, "weight"), "has no weight"),
        (add_row("terms", "size", "en", "primary", "=A1"), ("terms", 13, "text"), "holds a formula"),
        (add_row("terms", "size", "en", "primary", "a\nb"), ("terms", 13, "text"), "line break"),
        (add_row("terms", "size", "en", "primary", "the"), ("terms", 13, "text"), "bare stop word"),
        (add_row("terms", "size", "en", "primary", datetime(2026, 1, 2)), ("terms", 13, "text"), "a date"),  # noqa: DTZ001
        (add_row("terms", "size", "en", "primary", "x", None, "?"), ("terms", 13, None), "outside the named columns"),
        (add_row("concepts", "size", "Twice."), ("concepts", 4, "concept"), "stands already in row 3"),
        (set_cell("concepts", "colour", "patterns", "(unclosed"), ("concepts", 2, "patterns"), "no regular expression"),
        (
            set_cell("concepts", "colour", "secondary_patterns", "(unclosed"),
            ("concepts", 2, "secondary_patterns"),
            "no regular expression",
        ),
        (set_cell("concepts", "colour", "exhaustive", None), ("concepts", 2, "exhaustive"), "is missing"),
        (set_cell("concepts", "colour", "exhaustive", "maybe"), ("concepts", 2, "exhaustive"), "yes or no"),
        (set_cell("concepts", "colour", "answer_shape", "round"), ("concepts", 2, "answer_shape"), "must be one of"),
        (set_cell("concepts", "colour", "definition", None), ("concepts", 2, "definition"), "is missing"),
        (set_cell("concepts", "colour", "distractors", "no_such"), ("concepts", 2, "distractors"), "is no concept"),
        (set_cell("dictionary", "owner", "value", None), ("dictionary", 3, "value"), "owner is missing"),
        (set_cell("dictionary", "date", "value", "soon"), ("dictionary", 5, "value"), "must be a date"),
        (set_cell("dictionary", "name", "value", "../x"), ("dictionary", 2, "value"), "name must be"),
        (set_cell("dictionary", "owner", "field", "chief"), ("dictionary", 3, "field"), "'chief' is no field"),
        (drop_column("terms", "language"), ("terms", 1, "language"), "'language' is missing"),
        (set_cell("terms", "text", "weight", "heaviness"), ("terms", 1, "heaviness"), "'heaviness' is no column"),
        (lambda book: book.remove(book["concepts"]), ("concepts", None, None), "sheet is missing"),
    ],
)
def test_a_fault_names_its_cell(
    small: DictionaryFile, tmp_path: Path, edit: Edit, where: tuple[str, int | None, str | None], reason: str
) -> None:
    """Sheet, row and column of what is wrong, and why; the dictionary is not usable."""
    draft = edited(small, tmp_path, edit)
    errors = [fault for fault in draft.faults if fault.severity == "error"]
    found = [fault for fault in errors if (fault.sheet, fault.row, fault.column) == where and reason in fault.reason]
    assert found, [fault.told for fault in errors]
    assert all(fault.file == "things.xlsx" for fault in errors)


def test_all_faults_are_told_at_once(small: DictionaryFile, tmp_path: Path) -> None:
    """One bad cell of each sheet, and what follows from none of the others."""

    def spoil(book: Any) -> None:
        put(book["dictionary"], "owner", "value", None)
        put(book["concepts"], "colour", "answer_shape", "round")
        book["terms"].append(["size", "en", "primary", "Hue"])
        book["terms"].append(["shape", "en", "primary", "outline"])

    told = [fault.told for fault in edited(small, tmp_path, spoil).faults]
    assert len(told) == 4, told
    for words in ("owner is missing", "answer_shape must be", "also a primary term of colour", "'shape' is no concept"):
        assert sum(words in each for each in told) == 1, told


def test_other_sheets_are_named(small: DictionaryFile, tmp_path: Path) -> None:
    """A sheet that is not read is said so, and nothing else is wrong."""
    draft = edited(small, tmp_path, lambda book: book.create_sheet("scratch"))
    assert [(fault.severity, fault.sheet) for fault in draft.faults] == [("warning", "scratch")]
    assert draft.parsed == small


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1old"])
def test_what_is_no_workbook_is_refused(tmp_path: Path, content: bytes) -> None:
    """A broken, foreign or protected file is refused in one sentence."""
    path = tmp_path / "things.xlsx"
    path.write_bytes(content)
    with pytest.raises(DictionaryError, match=r"things\.xlsx: not a readable workbook"):
        read_draft(path)


def test_a_missing_file_and_another_kind_are_refused(tmp_path: Path) -> None:
    """Each error names the file and what would do."""
    with pytest.raises(DictionaryError, match=r"things\.xlsx: cannot be read"):
        read_draft(tmp_path / "things.xlsx")
    with pytest.raises(DictionaryError, match=r"neither a dictionary file"):
        read_draft(tmp_path / "things.csv")


def test_the_columns_are_explained() -> None:
    """Every column says in plain words what it is for."""
    assert all(column.meaning.endswith(".") for column in (*CONCEPT_COLUMNS, *TERM_COLUMNS))
