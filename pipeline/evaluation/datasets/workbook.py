"""The user's own labels: a workbook with a question a row, the document it is put to, and what is expected."""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from pipeline.evaluation.datasets.fields import as_documents, fail_with, inside, read_labels
from pipeline.evaluation.datasets.records import Dataset, ExpectedValue, LabelledQuestion
from pipeline.evaluation.values import kind_of
from schemas.errors import InputError

MAX_UNPACKED_BYTES = 200_000_000  # against archives that unpack without end
MAX_ROWS = 100_000  # of one sheet, blank ones included; CUAD as a whole has 9,400
HEADER_ROWS = 20  # rows from the top where the names of the columns are looked for
MAX_PAGES = 1_000  # pages that one cell may name

# Column -> how people head it, in English, Spanish, French and German; compared in letters alone.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "questions", "query", "pregunta", "frage"),
    "document": ("document", "documents", "file", "filename", "documentname", "pdf", "path", "documento", "fichero",
                 "archivo", "fichier", "dokument", "datei"),
    "expected_pages": ("expectedpages", "expectedpage", "pages", "page", "goldpages", "evidencepages", "paginas",
                       "pagina", "seiten", "seite"),
    "expected_quote": ("expectedquote", "quote", "quotes", "expectedtext", "expectedclause", "clause", "evidence",
                       "evidencetext", "cita", "citation", "zitat"),
    "expected_value": ("expectedvalue", "value", "expectedanswer", "answer", "goldanswer", "valor", "respuesta",
                       "valeur", "reponse", "wert", "antwort"),
    "question_id": ("id", "questionid"),
    "question_type": ("type", "questiontype", "category", "tipo", "categoria", "kategorie", "categorie"),
}  # fmt: skip
ABSENT_WORDS = frozenset({
    "not found", "notfound", "absent", "none", "n/a", "na", "-", "not answerable", "not in document",
    "no aparece", "no consta", "ausente", "absente", "introuvable", "nicht gefunden", "nicht vorhanden",
})  # fmt: skip
# What a spreadsheet program writes for a formula that failed.
ERROR_VALUES = frozenset({"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"})

_LETTERS = re.compile(r"[^a-z]")
_PAGES = re.compile(r"(\d{1,6})(?:\s*(?:-|–|to)\s*(\d{1,6}))?", re.IGNORECASE)
_PAGES_CELL = re.compile(r"[\s\d,;.\-–&]*", re.IGNORECASE)
_PAGE_WORDS = re.compile(
    r"\b(?:pages?|pp?\.?|to|and|y|et|und|seiten?|p[aá]ginas?|p[aá]gs?\.?)(?=\s|\d|$)", re.IGNORECASE
)
_FOLDS = str.maketrans("áàâäéèêëíìîïóòôöúùûüñç", "aaaaeeeeiiiioooouuuunc")


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    file: str
    root: Path
    pairs: list[tuple[Path, LabelledQuestion]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    unlabelled: int = 0
    places: dict[tuple[Path, str], str] = field(default_factory=dict)  # document and question -> the row that asks it

    def refuse(self, sheet: str, row: int, column: int, why: str) -> None:
        """Note a fault of a cell."""
        from openpyxl.utils import get_column_letter

        self.faults.append(f"{self.file}, sheet {sheet!r}, row {row}, column {get_column_letter(column)}: {why}")

    def refuse_repeated(self, sheet: str, row: int, column: int, asked: tuple[Path, str]) -> None:
        """Note a fault where a row before put the same question to the same document."""
        place = f"sheet {sheet!r}, row {row}"
        first = self.places.setdefault((asked[0], " ".join(asked[1].casefold().split())), place)
        if first != place:
            why = (
                f"the same question is put to the same document in {first}, and would count twice; delete one of the "
                "two rows, or word the questions apart"
            )
            self.refuse(sheet, row, column, why)


def is_workbook(path: Path) -> bool:
    """True for a file that is an .xlsx workbook by its content."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith("xl/") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def read_workbook(path: Path, *, documents_folder: Path | None = None) -> Dataset:
    """The questions of all sheets that have the columns question and document, in order; formulas as their values.

    What is looked for is the quote where one is given, else the pages. A row that expects 'not found', or nothing at
    all, says that the document does not answer; the latter is noted. A question that two rows put to one document is
    refused: it would count twice. Documents are read from inside the workbook's folder, or `documents_folder`.

    Raises InputError with all faults at once, each with its sheet, row and column.
    """
    _, sha256 = read_labels(path)
    root = documents_folder or path.parent
    if not root.is_dir():
        raise InputError(f"{root}: there is no such folder of documents")
    reading, found = _Reading(path.name, root), False
    for sheet, rows in _sheets(path):
        found |= _read_sheet(sheet, rows, reading)
    if not found:
        raise InputError(
            f"{path}: no sheet has the columns question and document in its first {HEADER_ROWS} rows; name them so, "
            "beside expected_pages or expected_quote, and expected_value"
        )
    fail_with(reading.faults)
    if not reading.pairs:
        raise InputError(f"{path}: the workbook has no question")
    notes = (
        (f"{reading.unlabelled} rows expect nothing and are read as 'the document does not answer'.",)
        if reading.unlabelled
        else ()
    )
    return Dataset(path.stem, "workbook", sha256, as_documents(root, reading.pairs), notes)


def _sheets(path: Path) -> Iterator[tuple[str, list[tuple[int, tuple[Any, ...]]]]]:
    """Name and rows (number from 1, cells) of each sheet, blank rows left out, each cell as value and formula."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED_BYTES:
                raise InputError(f"{path}: unpacks to more than {MAX_UNPACKED_BYTES} bytes")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that do not concern us: drawings, extensions
            values = load_workbook(path, read_only=True, data_only=True, keep_links=False)
            formulas = load_workbook(path, read_only=True, data_only=False, keep_links=False)
            for sheet, same in zip(values.worksheets, formulas.worksheets, strict=True):
                rows = []
                pairs = zip(sheet.iter_rows(values_only=True), same.iter_rows(values_only=True), strict=False)
                for number, (row, written) in enumerate(pairs, start=1):
                    if number > MAX_ROWS:
                        raise InputError(f"{path}: sheet {sheet.title!r} has more than {MAX_ROWS} rows")
                    cells = tuple(
                        _NO_VALUE if value is None and isinstance(formula, str) and formula.startswith("=") else value
                        for value, formula in zip(row, written, strict=False)
                    )
                    if any(cell is not None for cell in cells):
                        rows.append((number, cells))
                yield sheet.title, rows
            values.close()
            formulas.close()
    except (InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError, OSError) as error:
        raise InputError(f"{path}: the workbook cannot be read ({error}); save it anew as .xlsx") from error


_NO_VALUE = object()  # a formula that no spreadsheet program has computed


def _read_sheet(sheet: str, rows: list[tuple[int, tuple[Any, ...]]], reading: _Reading) -> bool:
    """Read the rows under the header; False where the sheet has none."""
    header: dict[str, int] = {}
    start = 0
    for at, (number, cells) in enumerate(rows):
        if number > HEADER_ROWS:
            break
        header = _header(cells)
        if {"question", "document"} <= header.keys():
            start = at + 1
            break
    else:
        return False
    if not {"question", "document"} <= header.keys():
        return False
    for number, cells in rows[start:]:
        _read_row(sheet, number, cells, header, reading)
    return True


def _header(cells: tuple[Any, ...]) -> dict[str, int]:
    """Column name -> position, the first cell that bears one of its names."""
    header: dict[str, int] = {}
    for at, cell in enumerate(cells):
        if not isinstance(cell, str):
            continue
        letters = _LETTERS.sub("", cell.casefold().translate(_FOLDS))
        name = next((name for name, names in COLUMNS.items() if letters in names), None)
        if name is not None:
            header.setdefault(name, at)
    return header


def _read_row(sheet: str, number: int, cells: tuple[Any, ...], header: Mapping[str, int], reading: _Reading) -> None:
    given: dict[str, str] = {}
    faults = len(reading.faults)
    for name, at in header.items():
        cell = cells[at] if at < len(cells) else None
        if cell is _NO_VALUE:
            reading.refuse(sheet, number, at + 1, "the formula has no value; open and save the file in a spreadsheet")
        given[name] = _text(cell)
        if given[name] in ERROR_VALUES:
            reading.refuse(sheet, number, at + 1, f"the cell holds the error {given[name]}")
    if not any(given.values()):
        return
    for name in ("question", "document"):
        if not given[name]:
            reading.refuse(sheet, number, header[name] + 1, f"the {name} is missing")
    pages = _pages(given.get("expected_pages", ""))
    if pages is None:
        why = f"{given['expected_pages']!r} names no pages; write e.g. '3', '3, 7' or '3-5'"
        reading.refuse(sheet, number, header["expected_pages"] + 1, why)
    path = None
    if given["document"]:
        where = f"{reading.file}, sheet {sheet!r}, row {number}"
        try:
            path = inside(reading.root, given["document"].replace("\\", "/"), where=where)
            if not path.is_file():
                why = f"there is no file {given['document']!r} in the folder of the documents"
                reading.refuse(sheet, number, header["document"] + 1, why)
        except InputError as error:
            reading.faults.append(str(error))
    if len(reading.faults) > faults or path is None or pages is None:
        return
    reading.refuse_repeated(sheet, number, header["question"] + 1, (path, given["question"]))
    reading.pairs.append((path, _question(given, pages, f"{sheet} {number}", reading)))


def _question(given: Mapping[str, str], pages: tuple[int, ...], place: str, reading: _Reading) -> LabelledQuestion:
    quote, value = given.get("expected_quote", ""), given.get("expected_value", "")
    quote, value = ("" if _is_absent(text) else text for text in (quote, value))
    present = bool(quote or value or pages)
    marked = any(_is_absent(given.get(name, "")) for name in ("expected_quote", "expected_value", "expected_pages"))
    if not present and not marked:
        reading.unlabelled += 1
    return LabelledQuestion(
        question_id=given.get("question_id") or place,
        text=given["question"],
        question_type=given.get("question_type") or "question",
        present=present,
        gold_kind="clauses" if quote or not pages else "pages",
        clauses=(quote,) if quote else (),
        pages=pages,
        expected=ExpectedValue(value, kind_of(value)) if value else None,
    )


def _is_absent(text: str) -> bool:
    return " ".join(text.casefold().split()).strip(".") in ABSENT_WORDS


def _text(cell: Any) -> str:
    if cell is None or cell is _NO_VALUE:
        return ""
    if isinstance(cell, bool):
        return "Yes" if cell else "No"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell).strip()


def _pages(text: str) -> tuple[int, ...] | None:
    """Pages named, ascending; () for a blank cell or 'not found'; None where it is no list of pages."""
    if not text or _is_absent(text):
        return ()
    if not _PAGES_CELL.fullmatch(_PAGE_WORDS.sub(" ", text)):
        return None
    pages: set[int] = set()
    for match in _PAGES.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        if first < 1 or last < first or last - first >= MAX_PAGES:
            return None
        pages.update(range(first, last + 1))
    return tuple(sorted(pages)) if pages else None
