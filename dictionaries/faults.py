"""What is wrong with a dictionary, a record a fault: where in the file or the workbook, which concept, why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, ValidationError

from dictionaries.file_format import Loc
from schemas.record import Part

Severity = Literal["error", "warning"]
SHOWN_ALIKE = 3  # faults of one reason in one column that are listed: enough to see what they have in common
MISHEADED = 20  # rows with the same fault from which the head of the column is more likely wrong than the cells
MAX_SHOWN_CHARS = 60  # characters of a value repeated in a message
# pydantic's words for what experts meet most, in plain ones; the others are clear as they are
_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "is no field of a dictionary; correct its name or delete it",
    "string_too_short": "is empty",
    "too_short": "is empty; at least one is needed",
    "bool_parsing": "must be yes or no",
    "greater_than": "must be more than 0 and at most 1",
    "less_than_equal": "must be more than 0 and at most 1",
    "float_parsing": "must be a number, more than 0 and at most 1",
}
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\d+")
KEY_PLACE = "[key]"  # pydantic's word for the name of an entry, in the place of a fault


class Fault(Part):
    """One fault of one dictionary."""

    severity: Severity = Field(description="error: the dictionary is refused; warning: a person should look.")
    file: str = Field(description="Name of the file.")
    concept: str | None = Field(description="The concept; null for a fault of the file as a whole.")
    reason: str = Field(description="What is wrong and what to do, in one sentence; names the words concerned.")
    sheet: str | None = Field(default=None, description="Sheet of the workbook; null for a TOML file.")
    row: int | None = Field(default=None, description="Row of the sheet, from 1.")
    column: str | None = Field(default=None, description="Name of the column.")
    place: Loc = Field(default=(), exclude=True, description="Where in the file's fields.")
    other: Loc | None = Field(default=None, exclude=True, description="The other place that it collides with.")

    @property
    def where(self) -> str:
        """File, and of a workbook sheet, row and column."""
        sheet = f", sheet {self.sheet!r}" if self.sheet else ""
        row = f", row {self.row}" if self.row else ""
        column = f", column {self.column!r}" if self.column else ""
        return f"{self.file}{sheet}{row}{column}"

    @property
    def told(self) -> str:
        """The whole fault in one line."""
        return f"{self.where}: {self.about}"

    @property
    def about(self) -> str:
        """Concept and reason, without the place."""
        return f"{self.concept}: {self.reason}" if self.concept else self.reason


def schema_faults(error: ValidationError, file: str, fields: Mapping[str, Any] | None = None) -> Iterator[Fault]:
    """The faults that pydantic found in the fields of `file`, in plain words; `fields` to name the words concerned."""
    for found in error.errors(include_url=False):
        place: Loc = tuple(part for part in found["loc"] if part != KEY_PLACE)
        concept = str(place[1]) if len(place) > 1 and place[0] == "concepts" else None
        field = _field_told(place[2:] if concept else place, _concept_of(fields, concept)) or "the file"
        words = _words_missing(place, found["type"])
        if words:
            reason = words
        elif found["loc"][-1:] == (KEY_PLACE,):
            reason = f"{field}: is no valid name; " if field != "the file" else "is no valid name; "
            reason += "use a-z, 0-9 and '_', at most 64, a letter first (of a language its two letters)"
        else:
            reason = f"{field} {_in_plain_words(found)}"
        yield Fault(severity="error", file=file, concept=concept, reason=reason, place=place)


def tell_faults(faults: Iterable[Fault], *, limit: int) -> str:
    """The faults in one line, at most `limit`, the rest counted; the file is not named again."""
    told = [fault.about for fault in faults]
    more = f"; and {len(told) - limit} more" if len(told) > limit else ""
    return "; ".join(told[:limit]) + more


def shown_faults(faults: Sequence[Fault]) -> Iterator[tuple[Fault, str]]:
    """The faults to list, in their order, each with what is to be said below it; empty for most.

    Of those with the same reason in the same column the first three are listed and the rest counted.
    """
    totals = Counter(map(_likeness, faults))
    seen: Counter[tuple[object, ...]] = Counter()
    for fault in faults:
        alike = _likeness(fault)
        seen[alike] += 1
        more = totals[alike] - SHOWN_ALIKE
        if seen[alike] > SHOWN_ALIKE:
            continue
        below = ""
        if seen[alike] == SHOWN_ALIKE and more > 0:
            what = "rows" if fault.column else "such faults"
            head = f"; is the column {fault.column!r} headed right?" if fault.column and more >= MISHEADED else ""
            below = f"and {more:,} more {what}{head}"
        yield fault, below


def _likeness(fault: Fault) -> tuple[object, ...]:
    """What makes two faults the same: all but the row, the concept and the words that are quoted."""
    return fault.severity, fault.file, fault.sheet, fault.column, _QUOTED.sub("'...'", fault.reason)


def _concept_of(fields: Any, concept: str | None) -> Any:
    """The unchecked fields of a concept, those of the file where none is named."""
    concepts = fields.get("concepts") if isinstance(fields, Mapping) and concept else fields
    return concepts.get(concept) if isinstance(concepts, Mapping) and concept else concepts


def _field_told(place: Loc, fields: Any) -> str:
    """A field as an expert knows it: "en primary term 'cap'" for words.en.primary.29, 'entry 4' for the fourth."""
    if place[:1] != ("words",) or len(place) == 1:
        return ", ".join(f"entry {part + 1}" if isinstance(part, int) else part for part in place)
    kinds = {"primary": "primary term", "secondary": "secondary term", "questions": "question phrase"}
    kind = str(place[2]) if len(place) > 2 else ""
    told = f"{place[1]} {kinds.get(kind, kind.removesuffix('s'))}".strip()
    if len(place) < 4:
        return told
    entry = fields
    for part in place[:4]:
        if isinstance(entry, Mapping):
            entry = entry.get(part)
        else:
            entry = entry[part] if isinstance(entry, list | tuple) and isinstance(part, int) else None
    text = entry.get("term") if isinstance(entry, Mapping) else entry
    named = isinstance(text, str) and text.strip()
    told += f" {str(text)[:MAX_SHOWN_CHARS]!r}" if named else f" number {int(place[3]) + 1}"
    return f"{told}: weight" if place[-1] == "weight" else told


def _words_missing(place: Loc, kind: str) -> str:
    """The fault of a concept without terms; empty for any other."""
    at = place[2:]
    if kind not in ("missing", "too_short") or at[:1] != ("words",) or at[2:] not in ((), ("primary",)):
        return ""
    return f"has no primary term in {at[1]}" if len(at) > 1 else "has no terms; give it at least one primary term"


def _in_plain_words(found: Any) -> str:
    kind, value = found["type"], found["input"]
    shown = "" if isinstance(value, dict | list | tuple) else f" (found {str(value)[:MAX_SHOWN_CHARS]!r})"
    if kind == "literal_error":
        return f"must be one of {found['ctx']['expected']}{shown}"
    if kind == "value_error":
        return f"{found['ctx']['error']}{shown}"
    if kind == "missing" or kind in ("string_too_short", "too_short"):
        return _PLAIN[kind]
    if kind == "string_pattern_mismatch":
        return f"is no valid name: a-z, 0-9 and '_', a letter first{shown}"
    if kind in ("string_too_long", "too_long") and isinstance(value, str):
        return f"has {len(value):,} characters, the limit is {found['ctx']['max_length']}; shorten it"
    words = _PLAIN.get(kind)
    return f"{words}{shown}" if words else f"is not usable: {found['msg'][:1].lower()}{found['msg'][1:]}{shown}"
