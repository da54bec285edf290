"""Amounts of money: 'USD 1,250,000.00', '$8.06M', 'EUR 1.234.567,89', 'two million dollars ($2,000,000)', '45k'."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.amount_patterns import (
    AMOUNT,
    CENTS,
    HAS_FIGURE,
    SCALE_BEHIND,
    SCALES,
    scale_of,
)
from pipeline.values.amount_ranges import given_currency, lower_end, shared_scale, upper_end
from pipeline.values.currencies import currency_code
from pipeline.values.found import FoundValue, fold_cells
from pipeline.values.numerals import BARE_NUMERAL, NUMBER_WORDS, parse_number_words, parse_numeral
from pipeline.values.pairs import merge_restated
from schemas.answer import Amount, Value

_SPANISH_AFTER = re.compile(r"\s+(?:de\s+)?(?:pesos|dolares|euros|libras)\b", re.IGNORECASE)
_BASIS_AFTER = re.compile(
    r"[\s,)]{0,3}(?:\((?!\s*\d)\s*)?"
    r"(?P<basis>(?:per|por|par)\s+(?:calendar\s+|contract\s+|fiscal\s+|policy\s+)?[A-Za-z]+|each\s+[A-Za-z]+|a\s+(?:year|month|week|day)"
    r"|annually|monthly|quarterly|weekly|daily|yearly|hourly|in\s+(?:the\s+)?aggregate|/\s?[A-Za-z]+|al\s+(?:ano|mes|dia|trimestre)"
    r"|anual(?:es|mente)?|mensual(?:es|mente)?|trimestral(?:es|mente)?|annuels?|mensuels?|trimestriels?)\b",
    re.IGNORECASE,
)
_BASIS_BEFORE = re.compile(
    r"\b(?P<basis>annual|monthly|quarterly|weekly|daily|yearly|hourly)\s+(?:[a-z]+\s+){1,3}of\s+(?:up\s+to\s+)?$",
    re.IGNORECASE,
)
# A group of thousands torn off by a space, as typesetting and recognition do: '$30, 000'.
_TORN_GROUP = re.compile(r"(?:,\s|\s,\s?)(?P<group>\d{3})(?![\d,.]?\d)")
_OPEN_RANGE = re.compile(rf"\s?(?:-|to\s)\s?{BARE_NUMERAL}\s?(?:thousand|million|billion|mn|bn|[MBK]\b)", re.IGNORECASE)
_EITHER_WAY = re.compile(r"(?:±|\+\s?/\s?-|\+-)\s?$")  # a tolerance is no sum
_MINUS_BEFORE = re.compile(r"(?:^|(?<=[\s(|]))-$")
_CLOSE = re.compile(r"\s*\)")
_LOSS_CLOSE = re.compile(r"\s?\)")
_WORDS_BEFORE = re.compile(rf"({NUMBER_WORDS}){CENTS}?\s*\(\s*$", re.IGNORECASE)
_WORDS_REACH = 120  # characters before an amount in brackets in which its words start
_BASIS_REACH = 60  # characters read before and after an amount for its basis
# Languages and currencies that write '1.500' for fifteen hundred; in dollars, pounds it is one and a half.
_POINT_GROUPS = {"EUR", "BRL", "ARS", "CLP", "COP", "DKK", "TRY", "IDR", None}


def find_amounts(text: str, language: str) -> tuple[FoundValue, ...]:
    """Amounts of money in `text`, left to right; a number without a currency is none, a '45k' apart."""
    folded = fold_cells(text)
    found: list[FoundValue] = []
    if not HAS_FIGURE.search(folded):
        return ()
    at = 0
    while (match := AMOUNT.search(folded, at)) is not None:
        at, is_given = given_currency(match, folded)
        if not is_given:
            continue
        read = _read(match, folded, text, language)
        if match["suffix"] is not None and read:
            read = lower_end(read[0], match, folded, text, language) + read
            if len(read) > 1 and found and found[-1].end > read[0].start:
                read = read[1:]
        found += read
        at = max(at, found[-1].end) if found else at
    merged = merge_restated(_join_words(found, folded, text, language), text, _same_money, _reworded)
    return tuple(_with_basis(item, text, folded) for item in merged)


def _read(match: re.Match[str], folded: str, text: str, language: str) -> list[FoundValue]:
    """The amount of a match, two for a range; none for a tolerance and for what has two readings."""
    start, end = match.span()
    if match["words"] is not None:
        return _read_words(match, folded, text, language)
    if _EITHER_WAY.search(folded, max(0, start - 4), start):
        return []
    if match["prefix"] is not None:
        return _read_prefixed(match, folded, text, language)
    if match["suffix"] is not None:
        code = currency_code(match["suffix"], folded, start, end)
        number = _number(match["digits"], scale_of(match, "size"), code, language, folded[start:end])
    else:
        code, number = None, _number(match["kilo"], "k", None, language, "")
    return _whole(text, folded, start, end, number, code)


def _read_prefixed(match: re.Match[str], folded: str, text: str, language: str) -> list[FoundValue]:
    start, end = match.span()
    scale = scale_of(match, "scale") or match["ahead"]
    upper = upper_end(match, folded, language) if not match["loss"] and not match["minus"] else None
    if upper is None and scale is None and _OPEN_RANGE.match(folded, end):
        return []  # '$5-7 million a person': five dollars is not what is meant
    shared = upper.shared if upper is not None else shared_scale(match, folded)
    code, number = _prefixed(match, folded, language, scale or shared)
    if match["minus"] or _MINUS_BEFORE.search(folded, max(0, start - 2), start):
        start = start if match["minus"] else start - 1
        number = None if number is None else -number
    if match["loss"]:
        close = _LOSS_CLOSE.match(folded, end)
        if close is None or match["prefix"] not in "$€£":
            return []
        end, number = close.end(), None if number is None else -number
        behind = SCALE_BEHIND.match(folded, end) if scale is None else None
        if behind is not None and number is not None:  # '$(22.1) million'
            number, end = _scaled(number, scale_of(behind, "scale") or ""), behind.end()
    low = _whole(text, folded, start, end, number, code)
    if upper is None or not low:
        return low
    return [*low, _amount(text, upper.start, upper.end, upper.number, code)]


def _whole(text: str, folded: str, start: int, end: int, number: Decimal | None, code: str | None) -> list[FoundValue]:
    """The amount, with a group of thousands that a space tore off."""
    torn = _TORN_GROUP.match(folded, end)
    if number is not None and torn is not None:
        if torn["group"] != "000":
            return []  # '$5, 100 units' may be 5 dollars or half of 5,100: better no value
        end, number = torn.end(), number * 1000
    return [_amount(text, start, end, number, code)] if number is not None else []


def _prefixed(match: re.Match[str], folded: str, language: str, scale: str | None) -> tuple[str | None, Decimal | None]:
    code = currency_code(match["prefix"], folded, *match.span())
    after = match["after"]
    if after and match["prefix"] == "$":
        after = f"{after} dollars" if after.lower() in ("canadian", "australian") else after
        code = currency_code(after, folded, *match.span())
    rest = folded[match.start() : match.end() + 20]
    return code, _number(match["number"], scale, code, language, rest)


def _read_words(match: re.Match[str], folded: str, text: str, language: str) -> list[FoundValue]:
    start, end = match.span()
    number = parse_number_words(match["words"], language=language)
    if number is None:
        return []
    if match["cents"] and match["cents"].isdigit():
        number += Decimal(match["cents"]) / 100
    code = currency_code(match["name"], folded, start, end)
    again = _number(match["again"], None, code, language, "") if match["again"] else None
    if again is not None and again != number:
        middle = match.end("name")
        return [
            _amount(text, start, middle, number, code),
            _amount(text, folded.index("(", middle), end, again, code),
        ]
    return [_amount(text, start, end, number, code)]


def _number(digits: str, scale: str | None, code: str | None, language: str, around: str) -> Decimal | None:
    """The number times its scale. Money has no three decimals, but '1.250 million' may."""
    scale = " ".join(scale.lower().split()) if scale else None
    if scale == "mil" and language != "es" and not _SPANISH_AFTER.search(around):
        return None  # 'five mil' is five million in English slang and five thousand in Spanish
    group = None
    if scale is None:
        group = "." if "." in digits and (language != "en" or code in _POINT_GROUPS) else ","
    if digits.startswith("."):
        number: Decimal | None = Decimal(f"0{digits}")
    else:
        number = parse_numeral(digits, language=language, group=group)
    if number is None or scale is None:
        return number
    return _scaled(number, scale)


def _scaled(number: Decimal, scale: str) -> Decimal:
    scaled = number * SCALES[" ".join(scale.lower().split())]
    return scaled.quantize(Decimal(1)) if scaled == scaled.to_integral_value() else scaled


def _amount(text: str, start: int, end: int, number: Decimal, code: str | None) -> FoundValue:
    return FoundValue(start, end, Amount(value=number, currency=code, original=text[start:end]))


def _with_basis(item: FoundValue, text: str, folded: str) -> FoundValue:
    basis = _basis(text, folded, item.start, item.end)
    return FoundValue(item.start, item.end, item.value.model_copy(update={"basis": basis}))


def _basis(text: str, folded: str, start: int, end: int) -> str | None:
    after = _BASIS_AFTER.match(folded, end, end + _BASIS_REACH)
    if after is not None:
        written = " ".join(text[slice(*after.span("basis"))].split())
        return f"per {written.lstrip('/ ')}" if written.startswith("/") else written
    before = _BASIS_BEFORE.search(folded, max(0, start - _BASIS_REACH), start)
    return before["basis"] if before is not None else None


def _join_words(found: list[FoundValue], folded: str, text: str, language: str) -> list[FoundValue]:
    """Number words without a currency are part of the same amount in brackets: 'Five Million ($5,000,000)'."""
    joined: list[FoundValue] = []
    for item in found:
        close = _CLOSE.match(folded, item.end)
        before = None
        if close is not None:
            before = _WORDS_BEFORE.search(folded[max(0, item.start - _WORDS_REACH) : item.start])
        if before is None or close is None or not isinstance(item.value, Amount):
            joined.append(item)
            continue
        number = parse_number_words(before[1], language=language)
        if number is not None and before["cents"] and before["cents"].isdigit():
            number += Decimal(before["cents"]) / 100
        start = max(0, item.start - _WORDS_REACH) + before.start()
        if number == item.value.value:
            end = close.end()
            joined.append(FoundValue(start, end, _reworded(item.value, text[start:end])))
        else:
            if number is not None:
                middle = start + before.end(1) - before.start(1)
                joined.append(_amount(text, start, middle, number, item.value.currency))
            joined.append(item)
    return joined


def _same_money(one: Value, other: Value) -> bool:
    return (
        isinstance(one, Amount)
        and isinstance(other, Amount)
        and one.value == other.value
        and (one.currency == other.currency or None in (one.currency, other.currency))
    )


def _reworded(value: Value, original: str) -> Value:
    return value.model_copy(update={"original": original})
