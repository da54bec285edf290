"""A dictionary as it was handed in, sound or not: what of it can be used, and every fault with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dictionaries.content_rules import content_faults
from dictionaries.faults import KEY_PLACE, Fault, schema_faults
from dictionaries.file_format import DictionaryFile, FileConcept, Loc
from dictionaries.loading import read_fields
from schemas.errors import DictionaryError

WORKBOOK_SUFFIXES = (".xlsx", ".xlsm")
_STAND_INS: dict[str, Any] = {  # in place of what is missing or wrong, so that the rest can be checked all the same
    "owner": "unknown", "version": "0", "date": "2000-01-01", "source": "unknown", "languages": ("en", "es", "fr"),
    "definition": "unknown", "answer_type": "text", "exhaustive": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a field stands in a workbook; row 0 for the sheet as a whole."""

    sheet: str
    row: int = 0
    column: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A dictionary that was read and not yet accepted.

    `parsed` is None where a fault of the schema stands in the way; `usable` is what remains without the faulty parts,
    None when nothing does. `cells` tells of a workbook where each field stands, and `made_from` the version that it was
    exported from, where it says so.
    """

    name: str
    file: str
    parsed: DictionaryFile | None
    usable: DictionaryFile | None
    faults: tuple[Fault, ...]
    cells: Mapping[Loc, Cell] = field(default_factory=dict)
    made_from: str | None = None

    def placed(self, fault: Fault) -> Fault:
        """The fault with sheet, row and column, where the file is a workbook."""
        if not self.cells or fault.sheet is not None:
            return fault
        cell = self._cell(fault.place)
        other = self._cell(fault.other) if fault.other else None
        see = f" (sheet {other.sheet!r}, row {other.row})" if other and other.row else ""
        return fault.model_copy(
            update={
                "sheet": cell.sheet if cell else None,
                "row": (cell.row or None) if cell else None,
                "column": (cell.column or None) if cell else None,
                "reason": fault.reason + see,
            }
        )

    def _cell(self, place: Loc) -> Cell | None:
        """The cell of the place, or of the nearest that holds it."""
        for end in range(len(place), -1, -1):
            if place[:end] in self.cells:
                return self.cells[place[:end]]
        return None


def read_draft(path: Path) -> Draft:
    """The dictionary of a TOML file or a workbook with all its faults, none of which is raised.

    Raises DictionaryError for a file that is not there, is no workbook where its name says so, or is of neither kind.
    """
    if path.suffix.lower() in WORKBOOK_SUFFIXES:
        from dictionaries.workbook import read_workbook

        return read_workbook(path)
    if path.suffix.lower() != ".toml":
        raise DictionaryError(f"{path.name}: neither a dictionary file (.toml) nor a workbook (.xlsx)")
    try:
        _, fields = read_fields(path)
    except DictionaryError as error:
        if not path.is_file():
            raise
        reason = str(error).removeprefix(f"{path.name}: ")
        return Draft(
            path.stem, path.name, None, None, (Fault(severity="error", file=path.name, concept=None, reason=reason),)
        )
    return draft_of(fields, name=path.stem, file=path.name)


def draft_of(fields: Mapping[str, Any], *, name: str, file: str) -> Draft:
    """The draft that unchecked fields make, with the faults of their schema and of their content."""
    faults: list[Fault] = []
    parsed: DictionaryFile | None = None
    usable: DictionaryFile | None
    try:
        parsed = usable = DictionaryFile.model_validate(fields)
    except ValidationError as error:
        faults.extend(schema_faults(error, file, fields))
        usable = _usable(fields, error)
    if usable is not None:
        faults.extend(content_faults(usable, file))
    return Draft(name=name, file=file, parsed=parsed, usable=usable, faults=tuple(faults))


def with_cells(draft: Draft, cells: Mapping[Loc, Cell], faults: tuple[Fault, ...]) -> Draft:
    """The draft of a workbook: each fault placed in it, after `faults`, those of its sheets."""
    placed = replace(draft, cells=cells)
    refused = any(fault.severity == "error" for fault in faults)
    told = {(fault.sheet, fault.row, fault.column) for fault in faults if fault.severity == "error" and fault.row}
    others = (placed.placed(fault) for fault in draft.faults)  # a cell that cannot be read is not also missing
    every = (*faults, *(fault for fault in others if (fault.sheet, fault.row, fault.column) not in told))
    return replace(placed, faults=every, parsed=None if refused else draft.parsed)


def _usable(fields: Mapping[str, Any], error: ValidationError) -> DictionaryFile | None:
    """What remains without the faulty parts; first the words are left out, then the concepts."""
    remaining: Any = _copied(fields)
    places = {_item_of(remaining, tuple(each["loc"])) for each in error.errors()}
    for place in sorted(places, key=_last_items_first, reverse=True):
        _repair(remaining, place)
    try:
        return DictionaryFile.model_validate(remaining)
    except ValidationError:
        concepts = remaining.get("concepts")
    if not isinstance(concepts, dict):
        return None
    remaining["concepts"] = {name: concept for name, concept in concepts.items() if _fits(concept)}
    try:
        return DictionaryFile.model_validate(remaining)
    except ValidationError:
        return None


def _item_of(fields: Any, loc: Loc) -> Loc:
    """The faulty field, or the whole item of the list that it stands in."""
    here, place = fields, tuple(part for part in loc if part != KEY_PLACE)
    for depth, part in enumerate(place):
        if isinstance(here, list):
            return place[: depth + 1]
        if not isinstance(here, dict) or part not in here:
            return place[: depth + 1]
        here = here[part]
    return place


def _repair(fields: Any, place: Loc) -> None:
    """Take out the item or field, and put a stand-in where one is needed."""
    holder = fields
    for part in place[:-1]:
        holder = holder[part]
    if isinstance(holder, list) and isinstance(place[-1], int) and place[-1] < len(holder):
        del holder[place[-1]]
    elif isinstance(holder, dict):
        holder.pop(place[-1], None)
        if place[-1] in _STAND_INS:
            holder[place[-1]] = _STAND_INS[str(place[-1])]


def _last_items_first(place: Loc) -> tuple[tuple[int, str], ...]:
    """An order, reversed, in which taking out one item of a list moves none that is still to be taken out."""
    return tuple((part, "") if isinstance(part, int) else (0, part) for part in place)


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list | tuple) else value


def _fits(concept: Any) -> bool:
    try:
        FileConcept.model_validate(concept)
    except ValidationError:
        return False
    return True
