"""Which documents a question is put to: by folder, by metadata, by the access label of the document."""

from __future__ import annotations

import unicodedata
from datetime import date
from decimal import Decimal, InvalidOperation

from schemas.batch import BatchDocument, BatchQuestion, MetadataFilter

ACCESS = "access"  # column of the metadata sheet: who may read the document
_UNREADABLE = "no access label of yours opens the document"


def out_of_scope(document: BatchDocument, question: BatchQuestion, *, clearance: frozenset[str] | None) -> str | None:
    """Why a document does not take part in a question, in one sentence; None where it does.

    `clearance` are the access labels of whoever asks; None: labels are not looked at. A document without a label is
    open to all; several labels are divided by ';', and one of them is enough.
    """
    if clearance is not None:
        labels = {fold(one) for one in document.metadata.get(ACCESS, "").replace("|", ";").split(";") if one.strip()}
        if labels and not labels & {fold(one) for one in clearance}:
            return _UNREADABLE
    if question.folders and not any(_is_below(document.name, folder) for folder in question.folders):
        return f"it lies outside {'; '.join(question.folders)}"
    for one in question.where:
        value = document.metadata.get(one.column, "")
        told = f"{one.column} {one.operator} {'|'.join(one.values)}"
        if not value:
            return f"it has no {one.column}, and only documents with {told} are asked"
        if not fits(value, one):
            return f"its {one.column} is {value}, and only documents with {told} are asked"
    return None


def fits(value: str, condition: MetadataFilter) -> bool:
    """True where a value of the metadata meets a condition: dates as dates, numbers as numbers, else folded words."""
    wanted = condition.values
    match condition.operator:
        case "contains":
            return fold(wanted[0]) in fold(value)
        case "in" | "=":
            return any(_compare(value, one) == 0 for one in wanted)
        case "!=":
            return all(_compare(value, one) != 0 for one in wanted)
        case operator:
            sign = _compare(value, wanted[0])
            if sign is None:
                return False
            return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[operator]


def fold(text: str) -> str:
    """Letters for comparing: compatible forms made one (NFKC), case and blanks aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _compare(one: str, other: str) -> int | None:
    """-1, 0 or 1; None where a date or a number is held against what is none."""
    for read in (_date, _number):
        first, second = read(one), read(other)
        if first is not None and second is not None:
            return (first > second) - (first < second)  # type: ignore[operator]
        if first is not None or second is not None:
            return None
    first_word, second_word = fold(one), fold(other)
    return (first_word > second_word) - (first_word < second_word)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip()[:10]) if "-" in text else None
    except ValueError:
        return None


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip().replace("_", "x"))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _is_below(name: str, folder: str) -> bool:
    wanted = folder.strip("/")
    return not wanted or name == wanted or name.startswith(f"{wanted}/")
