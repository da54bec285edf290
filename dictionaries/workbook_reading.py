"""An experts' workbook to the fields of a dictionary, every fault with its sheet, row and column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dictionaries.drafts import Cell, Draft, draft_of, with_cells
from dictionaries.faults import Fault
from dictionaries.file_format import Loc, Name
from dictionaries.workbook_cells import (
    Problem,
    SheetRow,
    as_date,
    as_lines,
    as_names,
    as_number,
    as_text,
    as_word,
    as_yes_no,
    open_workbook,
)  # fmt: skip
from dictionaries.workbook_layout import (
    CONCEPT_COLUMNS,
    CONCEPTS,
    EXPORTED_FROM,
    FIELD,
    HEAD,
    HEAD_FIELDS,
    KINDS_BY_WORD,
    MEANING,
    README,
    TERM_COLUMNS,
    TERMS,
    VALUE,
    Column,
    Content,
)  # fmt: skip

_READERS: dict[Content, Callable[[Any], Any]] = {
    "name": as_word, "choice": as_word, "text": as_text, "yes_no": as_yes_no, "list": as_lines, "number": as_number,
    "date": as_date,
}  # fmt: skip
_WEIGHTED = ("primary", "secondary")


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    file: str
    fields: dict[str, Any] = field(default_factory=dict)
    cells: dict[Loc, Cell] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    misshapen: list[Fault] = field(default_factory=list)  # sheets and columns that are not there, or not known

    def misshape(self, cell: Cell, reason: str) -> None:
        self.refuse(cell, reason)
        self.misshapen.append(self.faults[-1])

    def refuse(self, cell: Cell, reason: str, *, concept: str | None = None, severity: Any = "error") -> None:
        self.faults.append(
            Fault(
                severity=severity, file=self.file, concept=concept, reason=reason, sheet=cell.sheet,
                row=cell.row or None, column=cell.column or None,
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _TableRow:
    """A row by its columns: what each cell says, and where it is."""

    number: int
    values: dict[str, Any]


def read_workbook(path: Path) -> Draft:
    """The dictionary that a workbook holds, with all its faults.

    Rows may be sorted and left blank, columns moved, sheets added; a column that is added or missing is a fault, and
    told alone: what is wrong in the cells cannot be known before it is put right.

    Raises DictionaryError for a file that is no workbook or is too large.
    """
    sheets = open_workbook(path)
    reading = _Reading(path.name)
    name = _read_head(sheets.get(HEAD), reading)
    _read_concepts(sheets.get(CONCEPTS), reading)
    _read_terms(sheets.get(TERMS), reading)
    for title in sheets:
        if title not in (README, HEAD, CONCEPTS, TERMS):
            reading.refuse(Cell(title), "this sheet is not read", severity="warning")
    if reading.misshapen:
        return Draft(name or path.stem, path.name, None, None, tuple(reading.misshapen))
    draft = draft_of(reading.fields, name=name or path.stem, file=path.name)
    made_from = _exported_from(sheets.get(README))
    return replace(with_cells(draft, reading.cells, tuple(reading.faults)), made_from=made_from)


def _exported_from(rows: list[SheetRow] | None) -> str | None:
    """The version that the workbook was exported from; None where its first sheet no longer says it."""
    said = (row.cells[1] for row in rows or () if len(row.cells) > 1 and as_word(row.cells[0]) == EXPORTED_FROM)
    version = as_text(next(said, None))
    return version.strip() if isinstance(version, str) else None


def _read_head(rows: list[SheetRow] | None, reading: _Reading) -> str | None:
    """Fill the fields of the dictionary itself; gives its name."""
    reading.cells[("concepts",)] = Cell(CONCEPTS)
    known = {column.name: column for column in HEAD_FIELDS}
    name: str | None = None
    columns = (Column(FIELD, "name", 0, ""), Column(VALUE, "text", 0, ""), Column(MEANING, "text", 0, ""))
    seen: dict[str, int] = {}
    for row in _table(rows, HEAD, columns, reading, optional=(MEANING,)):
        named, value = as_word(row.values[FIELD]), row.values[VALUE]
        cell = Cell(HEAD, row.number, VALUE)
        if not isinstance(named, str) or named not in known:
            if named is not None or value is not None:
                told = named if isinstance(named, str) else "a row without a name"
                reading.refuse(Cell(HEAD, row.number, FIELD), f"{told!r} is no field; one of {', '.join(known)}")
            continue
        if named in seen:
            reading.refuse(Cell(HEAD, row.number, FIELD), f"{named!r} stands already in row {seen[named]}")
            continue
        seen[named] = row.number
        reading.cells[(named,)] = cell
        reader = as_names if known[named].content == "list" else _READERS[known[named].content]
        read = reader(value)
        if isinstance(read, Problem):
            reading.refuse(cell, f"{named} {read.reason}")
        elif named == "name":
            name = _checked_name(as_word(value), cell, reading)
        elif read is not None:
            reading.fields[named] = read
    for column in HEAD_FIELDS:
        reading.cells.setdefault((column.name,), Cell(HEAD))
    if rows is not None and "name" not in seen:
        reading.refuse(Cell(HEAD), "name is missing")
    return name


def _checked_name(read: Any, cell: Cell, reading: _Reading) -> str | None:
    try:
        return TypeAdapter(Name).validate_python(read)
    except ValidationError:
        reading.refuse(cell, "name must be a-z, 0-9 and '_', a letter first, at most 64")
        return None


def _read_concepts(rows: list[SheetRow] | None, reading: _Reading) -> None:
    concepts: dict[str, Any] = reading.fields.setdefault("concepts", {})
    first_rows: dict[str, int] = {}
    for row in _table(rows, CONCEPTS, CONCEPT_COLUMNS, reading):
        concept = as_word(row.values["concept"])
        if not isinstance(concept, str):
            why = concept.reason if isinstance(concept, Problem) else "is empty; name the concept"
            reading.refuse(Cell(CONCEPTS, row.number, "concept"), f"concept {why}")
            continue
        if concept in first_rows:
            reason = f"the concept stands already in row {first_rows[concept]}; make them one row"
            reading.refuse(Cell(CONCEPTS, row.number, "concept"), reason, concept=concept)
            continue
        first_rows[concept] = row.number
        fields: dict[str, Any] = {"words": {}}
        reading.cells["concepts", concept] = Cell(CONCEPTS, row.number, "concept")
        for column in CONCEPT_COLUMNS[1:]:
            cell = Cell(CONCEPTS, row.number, column.name)
            reading.cells["concepts", concept, column.name] = cell
            value = _READERS[column.content](row.values[column.name])
            if isinstance(value, Problem):
                reading.refuse(cell, f"{column.name} {value.reason}", concept=concept)
                value = False if column.content == "yes_no" else None  # told once; the rest is checked all the same
            if value is not None:
                fields[column.name] = value
        concepts[concept] = fields


def _read_terms(rows: list[SheetRow] | None, reading: _Reading) -> None:
    concepts = reading.fields["concepts"]
    for row in _table(rows, TERMS, TERM_COLUMNS, reading):
        cells = {column.name: Cell(TERMS, row.number, column.name) for column in TERM_COLUMNS}
        read = {column.name: _READERS[column.content](row.values[column.name]) for column in TERM_COLUMNS}
        concept = read["concept"] if isinstance(read["concept"], str) else None
        faults = list(_row_faults(read, known=concepts))
        for column, reason in faults:
            reading.refuse(cells[column], reason, concept=concept)
        if {column for column, _ in faults} - {"weight"}:
            continue
        language, kind = read["language"], KINDS_BY_WORD[read["kind"]]
        entries = concepts[concept]["words"].setdefault(language, {}).setdefault(kind, [])
        place: Loc = ("concepts", concept or "", "words", language, kind, len(entries))
        reading.cells.setdefault(place[:4], cells["language"])
        reading.cells.setdefault(place[:5], cells["kind"])
        reading.cells[place] = cells["text"]
        reading.cells[*place, "weight"] = cells["weight"]
        weight = read["weight"]
        weighted = kind in _WEIGHTED and isinstance(weight, float)
        entries.append({"term": read["text"], "weight": weight} if weighted else read["text"])


def _row_faults(read: dict[str, Any], *, known: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Column and reason of each fault of a row of terms."""
    for column, value in read.items():
        if isinstance(value, Problem):
            yield column, f"{column} {value.reason}"
        elif value is None and column != "weight":
            yield column, f"{column} is empty"
    concept, kind = read["concept"], read["kind"]
    if isinstance(concept, str) and concept not in known:
        yield "concept", f"{concept!r} is no concept of the sheet {CONCEPTS!r}; correct it, or add a row there"
    if isinstance(kind, str) and kind not in KINDS_BY_WORD:
        yield "kind", f"kind {kind!r} must be primary, secondary, question or title"
    elif isinstance(kind, str) and isinstance(read["weight"], float) and KINDS_BY_WORD[kind] not in _WEIGHTED:
        yield "weight", f"a {kind} has no weight; empty the cell"


def _table(
    rows: list[SheetRow] | None, title: str, columns: Sequence[Column], reading: _Reading, *,
    optional: tuple[str, ...] = (),
) -> Iterator[_TableRow]:  # fmt: skip
    """The rows below the first, by the names of the columns; nothing where a column is missing or the sheet is."""
    if not rows:
        why = "the sheet is missing" if rows is None else "the sheet is empty"
        reading.misshape(Cell(title), f"{why}; export the dictionary again and copy your changes")
        return
    head, names = rows[0], [column.name for column in columns]
    titles = [as_word(value) for value in head.cells]
    faulty = False
    for at, found in enumerate(titles):
        if isinstance(found, str) and found not in names:
            reason = f"{found!r} is no column of this sheet; delete it, or correct its name"
            reading.misshape(Cell(title, head.number, found), reason)
        elif isinstance(found, str) and found in titles[:at]:
            faulty = True
            reading.misshape(Cell(title, head.number, found), f"the column {found!r} stands there twice")
    for name in names:
        if name not in titles and name not in optional:
            faulty = True
            reading.misshape(Cell(title, head.number, name), f"the column {name!r} is missing; put it back")
    nameless = {at for at, found in enumerate(titles) if not isinstance(found, str)}
    for row in rows[1:]:
        beyond = (at for at, value in enumerate(row.cells) if value is not None)
        if any(at in nameless or at >= len(titles) for at in beyond):
            reading.refuse(Cell(title, row.number), "a cell outside the named columns holds something; empty it")
    if faulty:
        return
    places = {name: titles.index(name) for name in names if name in titles}
    for row in rows[1:]:
        values = {name: row.cells[at] if at < len(row.cells) else None for name, at in places.items()}
        if any(value is not None for value in values.values()):
            yield _TableRow(row.number, values)
