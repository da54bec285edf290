"""Whether an answer gives the labelled value: dates as dates, durations as durations, names as letters and digits."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from decimal import Decimal, InvalidOperation

from pipeline.evaluation.datasets.records import ExpectedValue, ValueKind
from pipeline.values import find_values
from pipeline.values.equality import same_value
from schemas.answer import (
    Amount,
    Answer,
    AnswerItem,
    BooleanValue,
    Count,
    DateValue,
    Duration,
    Jurisdiction,
    OpenEnd,
    Party,
    Percentage,
    Value,
)
from schemas.values import wording_of

YES = frozenset({"yes", "y", "true", "si", "oui", "ja"})
NO_END = frozenset({"perpetual", "indefinite", "unlimited"})
NO = frozenset({"no", "n", "false", "non", "nein"})
SCALES = (0, 3, 6, 9)  # powers of ten: a label in millions equals the amount in full
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_NUMBER = re.compile(r"-?\(?\d[\d,]*(?:\.\d+)?")
_PLAIN_NUMBER = re.compile(r"[-+(]?\s*(?:[A-Z]{3}|[$€£])?\s*[-+(]?\s*\d[\d,]*(?:\.\d+)?\s*\)?\s*%?", re.IGNORECASE)
_BRACKETED = re.compile(r"\([^()]*\)")


def kind_of(text: str) -> ValueKind:
    """How a value of unknown kind is compared: by what can be read in it."""
    if _fold(text) in YES | NO:
        return "boolean"
    if _dates(text):
        return "date"
    if _PLAIN_NUMBER.fullmatch(text.strip()):
        return "number"
    found = [one.value for one in find_values(text, "duration") if isinstance(one.value, Duration)]
    if len(found) == 1 and len(found[0].original) >= len(text.strip()) - 1:
        return "duration"
    return "text"


def given_value(expected: ExpectedValue, answer: Answer) -> str | None:
    """The value of the answer that is compared, as text; None where it gives none."""
    if expected.kind == "boolean":
        said = _said(answer)
        return None if said is None else "Yes" if said else "No"
    item = _fitting(expected.kind, answer)
    if item is None:
        return None
    return "; ".join(_text(one.value) for one in answer.items) if expected.kind == "name" else _text(item.value)


def is_right(expected: ExpectedValue, answer: Answer) -> bool | None:
    """True when the answer's first value of that kind is the labelled one; None where the label cannot be compared."""
    if expected.kind == "boolean":
        return _boolean_right(expected.text, answer)
    item = _fitting(expected.kind, answer)
    if expected.kind in ("date", "duration") and _fold(expected.text) in NO_END:
        return item is not None and isinstance(item.value, OpenEnd)
    if expected.kind == "date":
        dates = _dates(expected.text)
        return (isinstance(item.value, DateValue) and item.value.iso in dates if item else False) if dates else None
    if expected.kind == "duration":
        return _duration_right(expected.text, item)
    if expected.kind == "number":
        return _number_right(expected.text, item)
    return _words_right(expected, answer)


def _boolean_right(label: str, answer: Answer) -> bool | None:
    word = _fold(label)
    if word not in YES | NO:
        return None
    said = _said(answer)
    return said is not None and said == (word in YES)


def _said(answer: Answer) -> bool | None:
    """Yes or no as the answer says it; not found is a no, and so is a clause a yes where no yes or no was asked for.

    A clause given without a verdict, for a person to read, says neither.
    """
    for item in answer.items:
        if isinstance(item.value, BooleanValue):
            return item.value.value
    if answer.items:
        return None if answer.answer_type == "boolean" else True
    return False if answer.status == "not_found" else None


def _fitting(kind: ValueKind, answer: Answer) -> AnswerItem | None:
    """The first item whose value is of the kind; the first item where the kind is words."""
    wanted: tuple[type, ...] = {
        "date": (DateValue, OpenEnd),
        "duration": (Duration, OpenEnd),
        "number": (Amount, Count, Percentage),
    }.get(kind, ())
    typed = next((item for item in answer.items if isinstance(item.value, wanted)), None) if wanted else None
    return typed or next(iter(answer.items), None)


def _duration_right(label: str, item: AnswerItem | None) -> bool | None:
    wanted = [found.value for found in find_values(label, "duration")]
    if not wanted:
        words = _fold(label)
        return bool(words) and item is not None and words in _fold(_text(item.value) + " " + item.spans[0].quote)
    return item is not None and any(same_value(item.value, value) for value in wanted)


def _number_right(label: str, item: AnswerItem | None) -> bool | None:
    wanted = _number(label)
    if wanted is None:
        return None
    if item is None:
        return False
    match item.value:
        case Amount(value=value) | Percentage(value=value) | Count(number=value):
            given: Decimal | None = value
        case _:
            given = _number(_text(item.value))
    return given is not None and any(_rounded_alike(given.scaleb(-scale), wanted) for scale in SCALES)


def _rounded_alike(given: Decimal, wanted: Decimal) -> bool:
    """Equal at the label's own number of decimals."""
    try:
        return abs(given).quantize(Decimal(1).scaleb(min(0, int(wanted.as_tuple().exponent)))) == abs(wanted)
    except InvalidOperation:  # more digits than a decimal holds: not the same number
        return False


def _words_right(expected: ExpectedValue, answer: Answer) -> bool:
    """True when each part of the label (parts stand between ';') is among the words of the answer's values."""
    if not answer.items:
        return False
    given = f" {' '.join(_fold(_words(item.value)) for item in answer.items)} "
    parts = [_fold(_BRACKETED.sub(" ", part)) for part in expected.text.split(";")]
    parts = [part for part in parts if part] or [_fold(expected.text)]  # a part in brackets alone names nothing
    return all(f" {part} " in given for part in parts if part)


def _dates(text: str) -> tuple[date, ...]:
    """The date that a label is, in each order that it can be read in; () where it is none."""
    if match := _ISO.fullmatch(text.strip()):
        parts = [(int(match[1]), int(match[2]), int(match[3]))]
    elif match := _SLASHED.fullmatch(text.strip()):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        parts = [(year, first, second), (year, second, first)]
    else:
        found = find_values(text, "date")
        values = [one.value for one in found]
        return tuple(
            value.iso
            for value in values
            if isinstance(value, DateValue) and len(value.original) >= len(text.strip()) - 1
        )
    dates = []
    for year, month, day in parts:
        try:
            dates.append(date(year, month, day))
        except ValueError:  # no day of the calendar in this order
            continue
    return tuple(dates)


def _number(text: str) -> Decimal | None:
    match = _NUMBER.search(text)
    return Decimal(match[0].replace(",", "").replace("(", "")) if match else None


def _text(value: Value) -> str:
    match value:
        case DateValue(iso=iso):
            return iso.isoformat()
        case BooleanValue(value=said):
            return "Yes" if said else "No"
        case OpenEnd():
            return "no fixed end"
        case Jurisdiction(name=name) | Party(name=name):
            return name
        case Duration(number=number, unit=unit):
            return f"{number.normalize():f} {unit}"
        case Amount(value=number, currency=currency):
            return f"{number:f} {currency or ''}".strip()
        case Percentage(value=number):
            return f"{number:f} %"
        case Count(number=number, of=of):
            return f"{number:f} {of}".strip()
        case _:
            return wording_of(value)


def _words(value: Value) -> str:
    """All names of the value: the one that is standard, and the document's own."""
    return f"{value.name} {value.original}" if isinstance(value, Jurisdiction | Party) else _text(value)


def _fold(text: str) -> str:
    """Letters and digits without case and accents, one space between words."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c))))
