"""The user's own workbook of labels: headers as people write them, faults with sheet, row and column."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pipeline.evaluation.datasets import read_dataset
from schemas.errors import InputError
from tests.evaluation.labelled import write_workbook

HEAD = ["question", "document", "expected_pages", "expected_quote", "expected_value"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two documents."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.txt").write_text("The fee is EUR 5.")
    (tmp_path / "docs" / "b.txt").write_text("Nothing here.")
    return tmp_path


def test_a_workbook_is_read_row_by_row(folder: Path) -> None:
    """A quote is a clause, pages are pages, 'not found' is absent, values are typed by what they are."""
    book = write_workbook(folder / "labels.xlsx", [
        HEAD,
        ["What is the fee?", "a.txt", None, "The fee is EUR 5.", 5],
        ["Where is it?", "docs/b.txt", "3, 5-7", None, None],
        ["When?", "docs\\b.txt", 2.0, None, "2024-03-01"],
        [None, None, None, None, None],
        ["Any penalty?", "a.txt", None, None, "not found"],
    ])  # fmt: skip
    dataset = read_dataset(book)
    (fee, penalty), (where, when) = (document.questions for document in dataset.documents)
    assert (dataset.kind, dataset.name, dataset.notes) == ("workbook", "labels", ())
    assert (fee.gold_kind, fee.clauses) == ("clauses", ("The fee is EUR 5.",))
    assert fee.expected is not None
    assert fee.expected.kind == "number"
    assert (where.gold_kind, where.pages, where.present) == ("pages", (3, 5, 6, 7), True)
    assert (when.pages, when.expected.kind if when.expected else None) == ((2,), "date")
    assert (penalty.present, penalty.expected) == (False, None)


def test_headers_in_other_words_and_places(folder: Path) -> None:
    """Titles above the header, other names, other order, other languages."""
    book = write_workbook(
        folder / "l.xlsx",
        [["Our labels"], [], ["Fichero", "Página", "Pregunta", "Notes"], ["a.txt", "p. 1", "¿Cuánto?", "x"]],
    )
    question = read_dataset(book).documents[0].questions[0]
    assert (question.text, question.pages) == ("¿Cuánto?", (1,))


def test_a_row_that_expects_nothing_is_absent_and_noted(folder: Path) -> None:
    """A blank expectation is read as absent; the reader is told how often that was done."""
    dataset = read_dataset(write_workbook(folder / "l.xlsx", [HEAD[:3], ["Any?", "a.txt", None]]))
    assert not dataset.documents[0].questions[0].present
    assert dataset.notes[0].startswith("1 rows")


def test_formulas_are_read_as_their_values(folder: Path) -> None:
    """A formula that a spreadsheet program computed is its value; one that none did is refused with its place."""
    book = write_workbook(folder / "l.xlsx", [HEAD, ["Q?", "a.txt", "=1+1", None, None]])
    with pytest.raises(InputError, match=r"sheet 'Labels', row 2, column C: the formula has no value"):
        read_dataset(book)
    computed = folder / "computed.xlsx"
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(computed, "w") as target:
        for entry in source.infolist():
            data = source.read(entry)
            if entry.filename == "xl/worksheets/sheet1.xml":
                data = data.replace(b"<f>1+1</f><v/>", b"<f>1+1</f><v>2</v>").replace(
                    b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>"
                )
            target.writestr(entry, data)
    assert read_dataset(computed).documents[0].questions[0].pages == (2,)


def test_all_faults_are_told_at_once(folder: Path) -> None:
    """Each fault bears sheet, row and column."""
    book = write_workbook(folder / "l.xlsx", [
        HEAD,
        [None, "a.txt", 1, None, None],
        ["Q?", None, 1, None, None],
        ["Q?", "missing.txt", 1, None, None],
        ["Q?", "a.txt", "first", None, None],
        ["Q?", "a.txt", 0, None, None],
        ["Q?", "../outside.txt", 1, None, None],
        ["Q?", "a.txt", "#REF!", None, None],
    ])  # fmt: skip
    with pytest.raises(InputError) as caught:
        read_dataset(book)
    told = str(caught.value)
    for words in (
        "row 2, column A: the question is missing", "row 3, column B: the document is missing",
        "row 4, column B: there is no file", "row 5, column C: 'first' names no pages", "row 6, column C: '0'",
        "row 7: '../outside.txt' leads out", "row 8, column C: the cell holds the error",
    ):  # fmt: skip
        assert words in told


def test_a_question_put_twice_to_one_document_is_refused(folder: Path) -> None:
    """It would count twice; both rows are named, and another document or another question is no repetition."""
    book = write_workbook(folder / "l.xlsx", [
        HEAD,
        ["What is the fee?", "a.txt", 1, None, None],
        ["What is the term?", "a.txt", 1, None, None],
        ["what is  the FEE?", "a.txt", 2, None, None],
    ])  # fmt: skip
    with pytest.raises(
        InputError, match=r"row 4, column A: the same question .* in sheet '.*', row 2, and would count"
    ):
        read_dataset(book)


def test_documents_may_lie_in_a_folder_that_is_named(folder: Path, tmp_path: Path) -> None:
    """--documents-folder takes the place of the workbook's folder; still nothing outside of it is read."""
    (tmp_path / "elsewhere").mkdir()
    book = write_workbook(tmp_path / "elsewhere" / "l.xlsx", [HEAD, ["Q?", "b.txt", 1, None, None]])
    assert (
        read_dataset(book, documents_folder=folder / "docs").documents[0].path == (folder / "docs" / "b.txt").resolve()
    )
    with pytest.raises(InputError, match="no file"):
        read_dataset(book)
    with pytest.raises(InputError, match="no such folder"):
        read_dataset(book, documents_folder=folder / "nowhere")


def test_a_link_out_of_the_folder_is_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A symbolic link is judged by where it leads."""
    outside = tmp_path_factory.mktemp("outside") / "secret.txt"
    outside.write_text("secret")
    (folder / "link.txt").symlink_to(outside)
    with pytest.raises(InputError, match="leads out"):
        read_dataset(write_workbook(folder / "l.xlsx", [HEAD, ["Q?", "link.txt", 1, None, None]]))


@pytest.mark.parametrize("rows", [[["a", "b"]], [HEAD], []])
def test_a_workbook_without_questions_is_refused(folder: Path, rows: list[list[str]]) -> None:
    """No header, or no row below it: the error says what is missing."""
    with pytest.raises(InputError, match="question"):
        read_dataset(write_workbook(folder / "l.xlsx", rows))


def test_a_damaged_workbook_is_refused(folder: Path) -> None:
    """A zip that is called a workbook and is none ends in a sentence."""
    with zipfile.ZipFile(folder / "l.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<not closed")
    with pytest.raises(InputError, match="cannot be read"):
        read_dataset(folder / "l.xlsx")
