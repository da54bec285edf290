"""A value on one line: in the document's words, and as it was read, in the reader's language."""

from __future__ import annotations

import json
import re
import unicodedata

from pipeline.wording.numbers import tell_number, tell_span
from pipeline.wording.phrases import say
from schemas.values import (
    Address,
    Amount,
    BooleanValue,
    Branch,
    ConditionalValue,
    Count,
    CustomValue,
    DateValue,
    Duration,
    Iban,
    Identifier,
    Jurisdiction,
    OpenEnd,
    Party,
    Percentage,
    RecordField,
    RecordValue,
    RelativeDate,
    TableValue,
    Value,
    wording_of,
)

# A condition that says itself that it is one needs no 'if' from us.
_CONDITIONAL = re.compile(
    r"(?:if|unless|where|when|whenever|in the (?:event|case)|provided|subject to|upon|as long as|until|after|before|"
    r"si|cuando|salvo|siempre que|en (?:el )?caso|a menos|tras|lorsque|quand|sauf|à moins|en cas|dans le cas|tant que)"
    r"\b",
    re.IGNORECASE,
)


def words_of(value: Value, language: str = "en") -> str:
    """The value in the document's words; yes or no, a condition and what is not stated in the reader's language."""
    match value:
        case BooleanValue():
            told = say("yes" if value.value else "no", language)
            return f"{told}, {say('except', language)}: {'; '.join(value.exceptions)}" if value.exceptions else told
        case Amount():
            told = with_unit(_with_currency(value), value)
            return f"{told} {value.basis}" if value.basis and value.basis not in told else told
        case DateValue() if value.anchor_event is not None:  # computed: the document writes the span, not the day
            return value.iso.isoformat()
        case Party():
            return f"{value.name} ({value.role})" if value.role and value.role != value.name else value.name
        case ConditionalValue():
            return "; ".join(branch_of(branch, language) for branch in value.branches)
        case RecordValue():
            return "; ".join(f"{field.name}: {field_of(field, language)}" for field in value.fields)
        case _:
            return wording_of(value)


def with_unit(words: str, amount: Amount) -> str:
    """An amount's words with the unit that is stated apart from them: '1,577 (in millions)'."""
    if amount.unit is None or amount.unit in words or amount.unit == amount.basis:
        return words
    unit = " ".join(amount.unit.split())
    return f"{words} {unit}" if unit.startswith("(") else f"{words} ({unit})"


def branch_of(branch: Branch, language: str) -> str:
    """One case of a conditional value: 'X if A', 'Where A: X', 'otherwise Y'."""
    told = words_of(branch.value, language)
    if branch.condition is None:
        return f"{say('otherwise', language)} {told}"
    condition = " ".join(branch.condition.split())
    if condition[:1].isupper():  # it opens a sentence: 'Where the delay exceeds ten days: X'
        return f"{condition}: {told}"
    return f"{told} {condition}" if _CONDITIONAL.match(condition) else f"{told} {say('if', language)} {condition}"


def field_of(field: RecordField, language: str) -> str:
    """The value of a field on one line, 'not stated' where there is none, and what a reader must know of it."""
    told = " ".join(words_of(field.value, language).split()) if field.value else say("not_stated", language)
    return f"{told} [{field.caveat}]" if field.caveat else told


def typed_of(value: Value, language: str = "en") -> str:
    """How the value was read, in the reader's language: '5 years', 'EUR 2,500,000'; empty where words are all."""
    match value:
        case Amount() | Count() | Percentage():
            return _in_figures(value, language)
        case DateValue():
            return value.iso.isoformat() + (f" ({value.anchor_event})" if value.anchor_event else "")
        case RelativeDate() | Duration() | OpenEnd():
            return _in_time(value, language)
        case Address() | Jurisdiction():
            return _in_space(value)
        case Identifier():
            return f"{value.scheme.upper()}, {say('check_digits', language)}" if value.scheme else ""
        case Iban():
            groups = " ".join(value.iban[at : at + 4] for at in range(0, len(value.iban), 4))
            return f"{groups} ({value.country})"
        case TableValue():
            return say("rows_columns", language, rows=len(value.rows), columns=len(value.headers))
        case ConditionalValue():
            told_each = [typed_of(branch.value, language) for branch in value.branches]
            return " / ".join(told_each) if all(told_each) else ""
        case CustomValue():
            return "; ".join(f"{name}: {_plain_json(held)}" for name, held in value.fields.items())
        case _:
            return ""


def _in_figures(value: Amount | Count | Percentage, language: str) -> str:
    if isinstance(value, Count):
        return tell_number(value.number, language)
    number = tell_number(value.value, language)
    if isinstance(value, Percentage):
        number = f"{number} %"
    elif value.currency:
        number = f"{value.currency} {number}"
    return f"{number} {value.basis}" if value.basis else number


def _in_space(value: Address | Jurisdiction) -> str:
    if isinstance(value, Jurisdiction):
        code = value.subdivision or value.country
        return f"{value.name} ({code})" if code else value.name
    town = " ".join(part for part in (value.postal_code, value.city) if part)
    return ", ".join(part for part in (value.street, town, value.region, value.country) if part)


def _in_time(value: RelativeDate | Duration | OpenEnd, language: str) -> str:
    match value:
        case RelativeDate():
            event = f"{say(value.direction, language)}: {value.anchor_event}"
            return event if value.direction == "on" else f"{tell_span(value.number, value.unit, language)} {event}"
        case Duration():
            told = tell_span(value.number, value.unit, language)
            told += f", {say('recurring', language)}" if value.recurring else ""
            return f"{told}, {say('from', language)}: {value.starts}" if value.starts else told
        case OpenEnd():
            told = say("no_end", language)
            return f"{told}, {say('until', language)}: {value.until}" if value.until else told


def _plain_json(held: object) -> str:
    return held if isinstance(held, str) else json.dumps(held, ensure_ascii=False, sort_keys=True)


def _with_currency(amount: Amount) -> str:
    """The amount as written, after its currency where the figure stands alone, as in a column of a table."""
    stands_alone = not any(sign.isalpha() or unicodedata.category(sign) == "Sc" for sign in amount.original)
    return f"{amount.currency} {amount.original}" if amount.currency and stands_alone else amount.original
