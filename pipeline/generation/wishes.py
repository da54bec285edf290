"""Format wishes: what converts exactly is written beside the value as the document has it; the rest is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, get_args

from pipeline.values.arithmetic import Named, convert_duration
from pipeline.wording import say, tell_number, tell_span
from schemas.answer import Amount, Answer, AnswerItem, DateValue, Duration
from schemas.question import FormatConstraint, GenerationBrief
from schemas.values import DurationUnit, Percentage, Value

_SCALES = {"units": 0, "thousands": 3, "millions": 6, "billions": 9}  # powers of ten; a billion is 10^9
_DATE_PARTS = re.compile(r"YYYY|YY|MM|M|DD|D")
_DATE_FORMAT = re.compile(r"(?:(?:YYYY|YY|MM|M|DD|D)[-/. ]?){2,3}")
_ROUNDED = {"en": " (rounded)", "es": " (redondeado)", "fr": " (arrondi)"}


def carry_out(answer: Answer, brief: GenerationBrief) -> Answer:
    """The answer with each value also in the form that the user wished for, where code converts it exactly.

    The value itself stays as the document has it. Rounding, which loses digits, is done where it was wished for and
    said to be.
    """
    wished = [_convert(item.value, brief.format_constraint, brief.language) for item in answer.items]
    if not any(wished):
        return answer
    items = tuple(item.model_copy(update={"wished": words}) for item, words in zip(answer.items, wished, strict=True))
    numbered = [words if len(items) == 1 else f"{at}. {words}" for at, words in enumerate(wished, 1) if words]
    told = say("wished", brief.language, told="; ".join(numbered))
    return answer.model_copy(update={"items": items, "text": f"{answer.text}\n{told}"})


def unmet_wishes(brief: GenerationBrief, items: Sequence[AnswerItem]) -> tuple[str, ...]:
    """One sentence where the user wished for a form that the values do not have and code cannot give; else empty."""
    wished = brief.format_constraint
    if not items or not brief.format_wishes or wished == FormatConstraint():
        return ()
    if all(_meets(item, wished) or _gives_all(item.value, wished, brief.language) for item in items):
        return ()
    wishes = ", ".join(f"'{wish}'" for wish in brief.format_wishes)
    return (f"Values are given as the document writes them; not carried out: {wishes}.",)


def _convert(value: Value, wished: FormatConstraint, language: str) -> str | None:
    """The value in the form wished for; None where it has it already, or cannot have it exactly."""
    match value:
        case Duration():
            return _duration(value, wished, language)
        case Amount():
            return _amount(value, wished, language)
        case DateValue():
            return _date(value, wished)
        case Percentage():
            return f"{_figures(value.value, wished, language)} %" if wished.decimals is not None else None
        case _:
            return None


def _duration(value: Duration, wished: FormatConstraint, language: str) -> str | None:
    unit = next((unit for unit in get_args(DurationUnit) if wished.period == f"{unit}s"), None)
    if unit is None or unit == value.unit:
        return None
    made = convert_duration(Named("", value), unit).value
    return tell_span(made.number, made.unit, language) if isinstance(made, Duration) else None


def _amount(value: Amount, wished: FormatConstraint, language: str) -> str | None:
    if wished.currency not in (None, value.currency) or (wished.scale is None and wished.decimals is None):
        return None
    scale: Literal["units", "thousands", "millions", "billions"] = wished.scale or "units"
    number = _figures(value.value.scaleb(-_SCALES[scale]), wished, language)
    word = "" if scale == "units" else f" {say(f'scale_{scale}', language)}"
    rounded = _ROUNDED.get(language, _ROUNDED["en"]) if _loses(value.value.scaleb(-_SCALES[scale]), wished) else ""
    told = f"{value.currency} {number}{word}{rounded}" if value.currency else f"{number}{word}{rounded}"
    return f"{told} {value.basis}" if value.basis else told


def _figures(number: Decimal, wished: FormatConstraint, language: str) -> str:
    """The number with the decimals wished for, half of the last one up, as is usual in commerce; else exact."""
    if wished.decimals is None:
        return tell_number(number.normalize(), language)
    return tell_number(number.quantize(Decimal(1).scaleb(-wished.decimals), rounding=ROUND_HALF_UP), language)


def _loses(number: Decimal, wished: FormatConstraint) -> bool:
    return wished.decimals is not None and number != number.quantize(Decimal(1).scaleb(-wished.decimals))


def _date(value: DateValue, wished: FormatConstraint) -> str | None:
    form = "YYYY-MM-DD" if wished.date_format == "ISO" else (wished.date_format or "")
    if not _DATE_FORMAT.fullmatch(form):
        return None
    told = _DATE_PARTS.sub(lambda part: _date_part(part.group(), value.iso), form)
    return told if told != " ".join(value.original.split()) else None


def _date_part(part: str, day: date) -> str:
    return {
        "YYYY": f"{day.year:04}", "YY": f"{day.year % 100:02}", "MM": f"{day.month:02}", "M": str(day.month),
        "DD": f"{day.day:02}", "D": str(day.day),
    }[part]  # fmt: skip


def _gives_all(value: Value, wished: FormatConstraint, language: str) -> bool:
    """The conversion answers every wish: a wish for a layout or a language is never one of them."""
    if wished.layout or wished.language or wished.max_sentences:
        return False
    return _convert(value, wished, language) is not None


def _meets(item: AnswerItem, wished: FormatConstraint) -> bool:
    """True for a value that already has the form; a wish for a layout or a language is met by no value as it stands."""
    value = item.value
    if wished.layout or wished.language or wished.max_sentences:
        return False
    if item.extraction_method == "computed" and not isinstance(value, DateValue | Amount):
        return True  # a result is rounded as it was wished for, and its exact value stands beside
    if wished.decimals is not None:
        return False
    if isinstance(value, Amount):
        return wished.scale is None and wished.currency in (None, value.currency)
    if isinstance(value, Duration):
        return wished.period in (None, f"{value.unit}s")
    if isinstance(value, DateValue):
        form = wished.date_format
        return form is None or (form == "ISO" and value.original == value.iso.isoformat())
    return wished == FormatConstraint()
