"""Tables of a workbook, a CSV file or a file of JSON lines, with the place of every cell for messages."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charset_normalizer import from_bytes

from dictionaries.workbook_cells import SheetRow, open_workbook
from schemas.errors import DictionaryError, InputError

MAX_FAULTS = 50  # told at once; the rest is counted
MAX_ROWS = 100_000  # of one table: questions of a batch, or documents of its metadata sheet
MAX_BYTES = 100_000_000
DELIMITERS = ",;\t|"
ERROR_VALUES = frozenset({"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"})


@dataclass(frozen=True, slots=True)
class Table:
    """One sheet: titles in its first row that holds something, and the rows below, blank ones left out."""

    file: str
    name: str  # of the sheet, small letters; empty for a file without sheets
    titles: tuple[Any, ...]
    title_row: int
    rows: tuple[SheetRow, ...]

    @property
    def place(self) -> str:
        """The sheet, for messages."""
        return f"sheet {self.name!r}" if self.name else self.file


@dataclass(slots=True)
class Faults:
    """All that is wrong with a file, told at once."""

    file: str
    told: list[str] = field(default_factory=list)

    def add(self, table: Table, row: int, column: int | None, why: str) -> None:
        """Note a fault of a cell; `column` counts from 0, None: of the whole row."""
        from openpyxl.utils import get_column_letter

        at = f", column {get_column_letter(column + 1)}" if column is not None else ""
        self.told.append(f"{table.place}, row {row}{at}: {why}")

    def raise_all(self) -> None:
        """Raise InputError where there are any."""
        if self.told:
            shown = "\n  ".join(self.told[:MAX_FAULTS])
            more = f"\n  and {len(self.told) - MAX_FAULTS} more" if len(self.told) > MAX_FAULTS else ""
            count = "1 fault" if len(self.told) == 1 else f"{len(self.told)} faults"
            raise InputError(f"{self.file}: {count}; nothing was run:\n  {shown}{more}")


def read_tables(path: Path) -> list[Table]:
    """The tables of a file, those with a title row; at least one.

    Raises InputError for a file that is none, is too large, or has no row.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path}: this is a folder; name a workbook, a CSV or a JSONL file")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path.name}: more than {MAX_BYTES:,} bytes; split the file")
        head = path.read_bytes()[:8]
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check its name and rights") from error
    tables = _workbook(path) if head.startswith((b"PK", b"\xd0\xcf\x11\xe0")) else [_text_table(path)]
    tables = [one for one in tables if one is not None]
    if not tables:
        raise InputError(f"{path.name}: holds no row; `lineproof batch --template` writes a workbook to fill in")
    for one in tables:
        if len(one.rows) > MAX_ROWS:
            raise InputError(f"{path.name}, {one.place}: more than {MAX_ROWS:,} rows; split it into several batches")
    return tables


def _workbook(path: Path) -> list[Table]:
    try:
        sheets = open_workbook(path)
    except DictionaryError as error:
        raise InputError(str(error)) from error
    return [table for name, rows in sheets.items() if (table := _table(path.name, name, rows)) is not None]


def _table(file: str, name: str, rows: Iterable[SheetRow]) -> Table | None:
    held = list(rows)
    if not held:
        return None
    return Table(file, name, held[0].cells, held[0].number, tuple(held[1:]))


def _text_table(path: Path) -> Table | None:
    text = _decode(path)
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return _json_lines(path.name, text)
    try:
        first = next((line for line in text.splitlines() if line.strip()), "")
        delimiter = max(DELIMITERS, key=first.count)
        rows = [
            SheetRow(number, tuple(cell if cell.strip() else None for cell in cells))
            for number, cells in _numbered(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
        ]
    except csv.Error as error:
        raise InputError(f"{path.name}: no readable CSV ({error}); save it as CSV in UTF-8, or as .xlsx") from error
    return _table(path.name, "", rows)


def _numbered(reader: Any) -> Iterable[tuple[int, list[str]]]:
    """Rows that hold something, each with the line that it begins on."""
    begins = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = reader.line_num + 1


def _json_lines(file: str, text: str) -> Table | None:
    faults = Faults(file)
    rows: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            faults.told.append(f"line {number}: no JSON ({error})")
            continue
        if isinstance(value, dict):
            rows.append((number, value))
        else:
            faults.told.append(f"line {number}: a JSON object was expected, found {type(value).__name__}")
    faults.raise_all()
    if not rows:
        return None
    titles = tuple(dict.fromkeys(name for _, row in rows for name in row))
    cells = [SheetRow(number, tuple(_flat(row.get(name)) for name in titles)) for number, row in rows]
    return Table(file, "", titles, 1, tuple(cells))


def _flat(value: Any) -> Any:
    """A list as the cell of a sheet would hold it; any other structure as JSON."""
    if isinstance(value, list):
        return "; ".join(str(one) for one in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _decode(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        best = from_bytes(data).best()
    if best is None:
        raise InputError(f"{path.name}: its letters cannot be read; save it in UTF-8, or as .xlsx")
    return str(best)
