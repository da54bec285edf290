"""Amounts of money: 'USD 1,250,000.00', '$8.06M', 'EUR 1.234.567,89', 'two million dollars ($2,000,000)', '45k'."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.currencies import CODE, NAME, PLAIN_SIGN, PREFIX, currency_code
from pipeline.values.found import FoundValue, fold
from pipeline.values.numerals import (
    BARE_NUMERAL,
    BARE_SPACED_NUMERAL,
    NUMBER_WORDS,
    NUMERAL,
    SPACED_NUMERAL,
    parse_number_words,
    parse_numeral,
)
from pipeline.values.pairs import merge_restated
from schemas.answer import Amount, Value

_SCALES = {
    "mil millones": 10**9,
    "thousand": 10**3,
    "mille": 10**3,
    "mil": 10**3,
    "k": 10**3,
    "million": 10**6,
    "millions": 10**6,
    "millon": 10**6,
    "millones": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "milliard": 10**9,
    "milliards": 10**9,
    "bn": 10**9,
    "b": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    "mio": 10**6,
    "mrd": 10**9,
    "md": 10**9,
}
_SCALE = (
    r"(?:[\s-]?\s?(?P<{0}>mil\s+millones|thousand|mille|mil|millions?|millon(?:es)?|billions?|milliards?|trillion|lakh|crore|Mio|Mrd)\b"
    r"|(?P<{0}_short>MM|Md(?=€)|mn|M|bn|B|K)(?![A-Za-z0-9]))"
)
_SPANISH_AFTER = re.compile(r"\s+(?:de\s+)?(?:pesos|dolares|euros|libras)\b", re.IGNORECASE)
_CENTS = r"(?:\s+(?:and|con|et)\s+(?P<cents>\d{1,2}|no|xx)\s?/\s?(?:100|xx)(?:ths?)?)"
_AFTER = rf"(?:\s?\(?(?P<after>{CODE}|{NAME}|Canadian|Australian)\)?)?"
_AMOUNT = re.compile(
    # a sign or code, then the number
    rf"(?P<prefix>{PREFIX})\s{{0,4}}(?P<loss>\(\s?)?(?P<minus>-(?=\d))?"
    rf"(?P<number>(?<=[€£¥RFP ]){BARE_SPACED_NUMERAL}|{BARE_NUMERAL}|(?<!\d)\.\d+)(?![A-Za-z]{{4}})"
    rf"(?:{_SCALE.format('scale')})?{_AFTER}"
    # the number in words, then the name of the currency
    rf"|(?P<words>{NUMBER_WORDS}){_CENTS}?\s+(?:de\s+|d')?(?P<name>{NAME})(?:\s*\(\s*(?P<again>{NUMERAL})\s*\))?"
    # the number, then a sign, code or name
    rf"|(?P<digits>{SPACED_NUMERAL}|{NUMERAL})(?:\s(?=(?:M|k|Md)[€£]))?(?:{_SCALE.format('size')})?\s{{0,2}}(?:de\s+|d')?"
    rf"(?P<suffix>{PLAIN_SIGN}|{CODE}|{NAME}|(?<=\d\s)\$(?!\s?\d)|(?<=\d)\$(?!\s?\d))"
    # thousands written with a small k, without a currency; forms such as 10k and 401k are none
    rf"|(?P<kilo>(?!(?:8|10|11|20|401)k){NUMERAL})(?-i:k)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# What every amount has: a digit, or the name of a currency behind a number in words; quickly told of texts without.
_HAS_FIGURE = re.compile(rf"\d|{NAME}", re.IGNORECASE)
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
_TORN_GROUP = re.compile(r",\s(?P<group>\d{3})(?![\d,.]?\d)")
_RANGE = re.compile(r"\s*(?:-|to|and|or|a|y|o|et|ou)\s*", re.IGNORECASE)
_OPEN_RANGE = re.compile(rf"\s?(?:-|to\s)\s?{BARE_NUMERAL}\s?(?:thousand|million|billion|mn|bn|[MBK]\b)", re.IGNORECASE)
_MINUS_BEFORE = re.compile(r"(?:^|(?<=[\s(|]))-$")
_CLOSE = re.compile(r"\s*\)")
_LOSS_CLOSE = re.compile(r"\s?\)")
_WORDS_BEFORE = re.compile(rf"({NUMBER_WORDS}){_CENTS}?\s*\(\s*$", re.IGNORECASE)
_WORDS_REACH = 120  # characters before an amount in brackets in which its words start
_BASIS_REACH = 60  # characters read before and after an amount for its basis
# Languages and currencies that write '1.500' for fifteen hundred; in dollars, pounds it is one and a half.
_POINT_GROUPS = {"EUR", "BRL", "ARS", "CLP", "COP", "DKK", "TRY", "IDR", None}


def find_amounts(text: str, language: str) -> tuple[FoundValue, ...]:
    """Amounts of money in `text`, left to right; a number without a currency is none, a '45k' apart."""
    folded = fold(text)
    found: list[FoundValue] = []
    if not _HAS_FIGURE.search(folded):
        return ()
    matches = list(_AMOUNT.finditer(folded))
    for number, match in enumerate(matches):
        following = matches[number + 1] if number + 1 < len(matches) else None
        found += _read(match, folded, text, language, _shared_scale(match, following, folded))
    merged = merge_restated(_join_words(found, folded, text, language), text, _same_money, _reworded)
    return tuple(_with_basis(item, text, folded) for item in merged)


def _shared_scale(match: re.Match[str], following: re.Match[str] | None, folded: str) -> str | None:
    """The scale that the upper end of a range states for both: '$5 to $7 million'; None for other pairs."""
    if following is None or match["prefix"] is None or following["prefix"] != match["prefix"]:
        return None
    if match["scale"] or match["scale_short"] or not _RANGE.fullmatch(folded, match.end(), following.start()):
        return None
    low, high = match["number"], following["number"]
    is_lower = "." not in low + high and "," not in low + high and len(low) < 4 and int(low) < int(high)
    return (following["scale"] or following["scale_short"]) if is_lower else None


def _read(match: re.Match[str], folded: str, text: str, language: str, shared: str | None = None) -> list[FoundValue]:
    start, end = match.span()
    if match["words"] is not None:
        return _read_words(match, folded, text, language)
    if match["prefix"] is not None:
        if _OPEN_RANGE.match(folded, end) and not (match["scale"] or match["scale_short"]):
            return []  # '$5-7 million': five dollars is not what is meant
        code, number = _prefixed(match, folded, language, shared)
        if match["minus"] or _MINUS_BEFORE.search(folded, max(0, start - 2), start):
            start = start if match["minus"] else start - 1
            number = None if number is None else -number
        if match["loss"]:
            close = _LOSS_CLOSE.match(folded, end)
            if close is None or match["prefix"] not in "$€£":
                return []
            end, number = close.end(), None if number is None else -number
    elif match["suffix"] is not None:
        code = currency_code(match["suffix"], folded, start, end)
        number = _number(match["digits"], match["size"] or match["size_short"], code, language, folded[start:end])
    else:
        code, number = None, _number(match["kilo"], "k", None, language, "")
    torn = _TORN_GROUP.match(folded, end)
    if number is not None and torn is not None:
        if torn["group"] != "000":
            return []  # '$5, 100 units' may be 5 dollars or half of 5,100: better no value
        end, number = torn.end(), number * 1000
    return [_amount(text, start, end, number, code)] if number is not None else []


def _prefixed(
    match: re.Match[str], folded: str, language: str, shared: str | None
) -> tuple[str | None, Decimal | None]:
    code = currency_code(match["prefix"], folded, *match.span())
    after = match["after"]
    if after and match["prefix"] == "$":
        after = f"{after} dollars" if after.lower() in ("canadian", "australian") else after
        code = currency_code(after, folded, *match.span())
    rest = folded[match.start() : match.end() + 20]
    return code, _number(match["number"], match["scale"] or match["scale_short"] or shared, code, language, rest)


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
    scaled = number * _SCALES[scale]
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
