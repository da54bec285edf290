"""Reads the questions of a batch; what cannot be taken is told by sheet, row and column, all at once."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from dictionaries.workbook_cells import Problem, SheetRow, as_text
from pipeline.batch.reading.columns import COLUMNS, Column, column_of, plain_title
from pipeline.batch.reading.filters import read_filter
from pipeline.batch.reading.sheets import ERROR_VALUES, Faults, Table, read_tables
from schemas.batch import BatchQuestion, MetadataFilter
from schemas.request import QuestionTerms

SHEET = "questions"  # of the workbook, where it has several
LANGUAGES = ("en", "es", "fr")
MAX_QUESTIONS = 2_000  # a grid has a column a question; spreadsheet programs take 16,384
MAX_ID_CHARS = 60
MAX_QUESTION_CHARS = 4_000  # as the question brick allows


def read_questions(path: Path, *, dictionaries: Collection[str] = ()) -> tuple[BatchQuestion, ...]:
    """The questions of a file, in the order of its rows; `dictionaries` are the names that may be used.

    A workbook's sheet 'questions' is read, or its first one with a column of questions.

    Raises InputError with all faults, each with its sheet, row and column.
    """
    tables = read_tables(path)
    table = next((one for one in tables if one.name == SHEET), None) or next(
        (one for one in tables if any(_is(title, "question") for title in one.titles)), tables[0]
    )
    faults = Faults(path.name)
    columns = _columns(table, faults)
    if not table.rows and not faults.told:
        faults.add(table, table.title_row, None, "no question stands below the titles")
    if len(table.rows) > MAX_QUESTIONS:
        faults.add(table, table.rows[MAX_QUESTIONS].number, None, f"more than {MAX_QUESTIONS:,} questions; split them")
    found: list[BatchQuestion] = []
    if "question" in columns.values():
        reader = _Reader(table, columns, faults, frozenset(dictionaries))
        found = [one for row in table.rows[:MAX_QUESTIONS] if (one := reader.read(row)) is not None]
    faults.raise_all()
    return tuple(found)


def check_filters(questions: Sequence[BatchQuestion], columns: Collection[str], *, file: str = "questions") -> None:
    """Refuse filters by columns that the metadata sheet does not have.

    Raises InputError with all of them.
    """
    faults = Faults(file)
    known = ", ".join(sorted(columns)) or "none: give a metadata sheet with --metadata"
    for one in questions:
        missing = dict.fromkeys(each.column for each in one.where if each.column not in columns)
        faults.told += [
            f"row {one.row}: the filter names the metadata column {name!r}; there are: {known}" for name in missing
        ]
    faults.raise_all()


class _Reader:
    """Reads row by row, and remembers what was read before."""

    def __init__(self, table: Table, columns: dict[int, str], faults: Faults, dictionaries: frozenset[str]) -> None:
        self._table, self._columns, self._faults = table, columns, faults
        self._dictionaries = dictionaries
        self._types = known_types()
        self._ids: dict[str, int] = {}
        self._asked: dict[tuple[object, ...], int] = {}

    def read(self, row: SheetRow) -> BatchQuestion | None:
        """The question of a row; None where it has a fault, which is noted."""
        count = len(self._faults.told)
        cells = {key: self._text(row, at) for at, key in self._columns.items()}
        text = cells.get("question", "")
        if not text:
            self._fault(row, "question", "no question stands here; fill it in, or clear the row")
        elif len(text) > MAX_QUESTION_CHARS:
            self._fault(row, "question", f"{len(text):,} characters, the limit is {MAX_QUESTION_CHARS:,}")
        question = BatchQuestion(
            question_id=self._id(row, cells.get("id", "")),
            text=text,
            terms=QuestionTerms(
                answer_type=self._choice(row, "type", cells, self._types),
                allowed_values=_listed(cells.get("allowed", "")),
                sections=_listed(cells.get("sections", "")),
                dictionaries=self._names(row, cells.get("dictionaries", "")),
                language=self._choice(row, "language", cells, LANGUAGES),
            ),
            folders=tuple(one.replace("\\", "/").strip("/") for one in _listed(cells.get("folders", ""))),
            where=self._where(row, cells.get("filter", "")),
            priority=self._number(row, cells.get("priority", "")),
            row=row.number,
        )
        same = (question.text.casefold(), question.terms, question.folders, question.where)
        first = self._asked.setdefault(same, row.number)
        if text and first != row.number:
            self._fault(row, "question", f"the same question with the same scope stands in row {first}; delete one")
        return question if len(self._faults.told) == count else None

    def _text(self, row: SheetRow, at: int) -> str:
        value: Any = row.cells[at] if at < len(row.cells) else None
        read = as_text(value)
        if isinstance(read, Problem):
            self._faults.add(self._table, row.number, at, read.reason)
            return ""
        text = (read or "").strip()
        if text in ERROR_VALUES:
            self._faults.add(self._table, row.number, at, f"holds the error value {text}; write the text itself")
            return ""
        return text

    def _id(self, row: SheetRow, given: str) -> str:
        name = given or f"q{row.number}"
        first = self._ids.setdefault(name, row.number)
        if first != row.number:
            self._fault(row, "id", f"the id {name!r} stands in row {first} already")
        if len(name) > MAX_ID_CHARS:
            self._fault(row, "id", f"{len(name)} characters, the limit is {MAX_ID_CHARS}")
        return name

    def _choice(self, row: SheetRow, key: str, cells: dict[str, str], known: Collection[str]) -> str | None:
        word = cells.get(key, "").lower()
        if not word or word in known:
            return word or None
        self._fault(
            row, key, f"{word[:40]!r} is not known{_nearest(word, known)}; there are: {', '.join(sorted(known))}"
        )
        return None

    def _names(self, row: SheetRow, text: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(one for one in text.lower().replace(";", ",").replace(" ", ",").split(",") if one))
        for name in names:
            if self._dictionaries and name not in self._dictionaries:
                there = ", ".join(sorted(self._dictionaries))
                self._fault(row, "dictionaries", f"no dictionary {name[:40]!r}; there are: {there}")
        return tuple(sorted(names))

    def _where(self, row: SheetRow, text: str) -> tuple[MetadataFilter, ...]:
        found = []
        for condition in _listed(text):
            read = read_filter(condition)
            if isinstance(read, str):
                self._fault(row, "filter", read)
            else:
                found.append(read)
        return tuple(found)

    def _number(self, row: SheetRow, text: str) -> int:
        try:
            return int(text or 0)
        except ValueError:
            self._fault(row, "priority", f"{text[:40]!r} is no whole number")
            return 0

    def _fault(self, row: SheetRow, key: str, why: str) -> None:
        at = next((at for at, name in self._columns.items() if name == key), None)
        self._faults.add(self._table, row.number, at, why)


def _columns(table: Table, faults: Faults) -> dict[int, str]:
    """Position of each known column -> its key; unknown and repeated ones are noted."""
    found: dict[int, str] = {}
    for at, title in enumerate(table.titles):
        if title is None or not str(title).strip():
            continue
        column = column_of(title)
        if column is None:
            near = _nearest(plain_title(title), [plain_title(one.title) for one in COLUMNS], show=_titled)
            there = ", ".join(one.title for one in COLUMNS)
            faults.add(
                table, table.title_row, at, f"the column {str(title)[:40]!r} is not known{near}; there are: {there}"
            )
        elif column.key in found.values():
            faults.add(table, table.title_row, at, f"the column {column.title!r} stands there twice")
        else:
            found[at] = column.key
    if "question" not in found.values():
        faults.add(table, table.title_row, None, "no column is called 'question'")
    return found


def known_types() -> frozenset[str]:
    """What a value may be: the built-in types and those that are declared."""
    from pipeline.question.prompt import ANSWER_TYPES
    from pipeline.values.declared import load_declared_types

    return frozenset((*ANSWER_TYPES, *load_declared_types()))


def _is(title: object, key: str) -> bool:
    column = column_of(title) if title is not None else None
    return column is not None and column.key == key


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip() for one in text.replace("\n", ";").split(";") if one.strip()))


def _nearest(word: str, known: Collection[str], *, show: Callable[[str], str] = str) -> str:
    near = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {show(near[0])!r}?)" if near else ""


def _titled(plain: str) -> str:
    column: Column | None = next((one for one in COLUMNS if plain_title(one.title) == plain), None)
    return column.title if column else plain
