"""The cells of an experts' workbook as plain texts, with the habits of spreadsheet programs undone."""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from dictionaries.workbook_layout import from_cell_text
from schemas.errors import DictionaryError

MAX_FILE_BYTES = 20_000_000  # a workbook of the largest dictionary (5 MB of TOML) takes less than 2 MB
MAX_UNPACKED_BYTES = 200_000_000  # against archives that unpack without end
MAX_ROWS = 200_000  # of one sheet, blank ones included; a dictionary of a domain has some thousand terms
YES = frozenset({"yes", "y", "true", "1", "x", "si", "sí", "oui", "vrai", "verdadero", "wahr"})
NO = frozenset({"no", "n", "false", "0", "non", "faux", "falso", "falsch"})
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Problem:
    """A cell that cannot be taken as it is, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row of a sheet that holds something; `cells` by position from 0, None for an empty one."""

    number: int
    cells: tuple[Any, ...]


def open_workbook(path: Path) -> dict[str, list[SheetRow]]:
    """The rows of each sheet of a workbook, blank rows left out, by the sheet's name in small letters.

    Texts are texts, numbers numbers, dates dates; a formula or an error value is a `Problem`.

    Raises DictionaryError for a file that is no workbook or is too large.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        _refuse_large(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that do not concern us: drawings, extensions
            book = load_workbook(path, read_only=True, data_only=False, keep_links=False)
            try:
                return {_named(sheet.title): list(_rows(sheet, path.name)) for sheet in book.worksheets}
            finally:
                book.close()
    except OSError as error:
        raise DictionaryError(f"{path.name}: cannot be read ({error.strerror}); check its name and rights") from error
    except (
        zipfile.BadZipFile, zlib.error, InvalidFileException, ParseError, KeyError, ValueError, TypeError, IndexError,
        AttributeError, EOFError, NotImplementedError, RuntimeError,
    ) as error:  # fmt: skip
        raise DictionaryError(
            f"{path.name}: not a readable workbook ({error}); save it as .xlsx, without a password"
        ) from error


def as_text(value: Any) -> str | Problem | None:
    """The text that a person meant: a number as it is written, a truth value in capitals; None for an empty cell."""
    if value is None or isinstance(value, str | Problem):
        return value or None
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    return Problem(
        f"was turned into a date or time ({value}) by the spreadsheet program; format the cell as Text, write it again"
    )


def as_word(value: Any) -> str | Problem | None:
    """A name or a word to choose: without blanks at its ends, small; spreadsheet programs begin them with a capital."""
    text = as_text(value)
    return _named(text) or None if isinstance(text, str) else text


def as_lines(value: Any) -> list[str] | Problem:
    """The entries of a cell, one a line; blank lines are none."""
    text = as_text(value)
    if isinstance(text, Problem):
        return text
    return [line for line in (text or "").replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def as_names(value: Any) -> list[str] | Problem:
    """The names in a cell, divided by commas, semicolons or blanks."""
    text = as_text(value)
    return text if isinstance(text, Problem) else re.split(r"[,;\s]+", text.strip().lower()) if text else []


def as_yes_no(value: Any) -> bool | Problem | None:
    """True for yes, False for no, in the words that people and spreadsheet programs use; None for an empty cell."""
    text = as_text(value)
    if text is None or isinstance(text, Problem):
        return text
    word = _named(text)
    if word not in YES | NO:
        return Problem(f"must be yes or no (found {text[:40]!r})")
    return word in YES


def as_number(value: Any) -> float | Problem | None:
    """The number; a text that is one counts, with a decimal comma too; None for an empty cell."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    text = as_text(value)
    if text is None or isinstance(text, Problem):
        return text
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return Problem(f"must be a number (found {text[:40]!r})")


def as_date(value: Any) -> date | Problem | None:
    """The date of a date cell, or of a text year-month-day; None for an empty cell."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = as_text(value)
    if text is None or isinstance(text, Problem):
        return text
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return Problem(f"must be a date, year-month-day (found {text[:40]!r})")


def _refuse_large(path: Path) -> None:
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise DictionaryError(f"{path.name}: {size} bytes, the limit is {MAX_FILE_BYTES}; divide it by domain")
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > MAX_UNPACKED_BYTES:
        raise DictionaryError(
            f"{path.name}: unpacks to {unpacked} bytes, the limit is {MAX_UNPACKED_BYTES}; divide it by domain"
        )


def _rows(sheet: Any, file: str) -> Iterator[SheetRow]:
    sheet.reset_dimensions()  # what the file says of its own size may be wrong
    for number, cells in enumerate(sheet.iter_rows(), 1):
        if number > MAX_ROWS:
            raise DictionaryError(f"{file}: sheet {sheet.title!r} has more than {MAX_ROWS} rows; delete the empty ones")
        values = tuple(_value(cell) for cell in cells)
        if any(value is not None for value in values):
            yield SheetRow(number, values)


def _value(cell: Any) -> Any:
    value = cell.value
    if value is None:
        return None
    if cell.data_type == "f":
        return Problem("holds a formula; copy it and paste its value in its place")
    if cell.data_type == "e":
        return Problem(f"holds the error value {value}; write the text again, in a cell formatted as Text")
    if isinstance(value, str):
        return from_cell_text(value) if value.strip() else None
    return value if isinstance(value, bool | int | float | datetime | date | time | timedelta) else str(value)


def _named(text: str) -> str:
    return _SPACES.sub(" ", text).strip().lower()
