"""Whose figure a currency is, and amounts whose currency or scale is written once for both ends of a range."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pipeline.values.amount_patterns import (
    AMOUNT,
    LOWER_END,
    LOWER_GROUPS,
    SCALES,
    UPPER_END,
    scale_of,
)
from pipeline.values.currencies import CODE, SIGN
from pipeline.values.found import GAP, FoundValue
from pipeline.values.numerals import parse_numeral
from schemas.values import Amount

_RANGE = re.compile(r"\s*(?:-|to|and|or|a|y|o|et|ou)\s*", re.IGNORECASE)
_BOTH_BEFORE = re.compile(r"\b(?:between|entre|from|de)\s+$", re.IGNORECASE)
_SIGN_ALONE = re.compile(rf"{SIGN}|{CODE}")  # a currency that may stand before its figure as well as behind it
_FIGURE_BEHIND = re.compile(
    r"(?P<space>[ \0]{0,4})-?(?P<figure>\(?\d[\d.,']*(?: \d{3})*)(?!\s?%)(?P<again>\s?[€£¥]|\s?[A-Z]{3}\b)?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_BEHIND = re.compile(r"[\s\0]{1,6}(?:19|20)\d\d(?![\d.,])")
_MONTH_BEFORE = re.compile(
    r"(?:jan|feb|febr|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|ene|abr|ago|dic|fev|fevr|avr|mai|juin|juil|aout)[a-z]{0,7}"
    r"\.?,?\s+(?:de\s+|del\s+)?$|\d[/.-]$|\b(?:year|fiscal|FY|ano|ejercicio|exercice|annee|Q[1-4]|H[12])\s?$",
    re.IGNORECASE,
)
_REACH = 40  # characters before an amount in which the lower end of its range, or the month of a year, stands


@dataclass(frozen=True, slots=True)
class UpperEnd:
    """The upper end of a range with its place, and the scale that it states for the lower end too."""

    start: int
    end: int
    number: Decimal
    shared: str | None


def given_currency(match: re.Match[str], folded: str) -> tuple[int, bool]:
    """Where to read on, and whether the match is an amount: its currency belongs to its figure and to no other.

    'Build 30 September 2022 £25,000': the sign is that of the figure behind it. Where either figure could claim a
    currency ('450 EUR 750') neither has it.
    """
    if match["suffix"] is not None:
        return _behind(match, folded)
    if match["prefix"] is None:
        return match.end(), True
    stands_in_cell = match.start() > 0 and folded[match.start() - 1] == GAP
    if not match["prefix"].isalpha():
        return match.end(), not ("\n" in match["gap"] and GAP in match["gap"])
    if "\n" in match["gap"] and stands_in_cell:
        return match.end("prefix"), False  # the last cell of a row, and the next row
    is_header = _YEAR.fullmatch(match["number"]) is not None and (
        GAP in match["gap"] or _YEAR_BEHIND.match(folded, match.end()) is not None
    )
    return (match.end("prefix") if is_header else match.end()), not is_header


def _behind(match: re.Match[str], folded: str) -> tuple[int, bool]:
    """As `given_currency`, for a currency behind the figure."""
    digits, suffix = match["digits"], match.start("suffix")
    is_year = _YEAR.fullmatch(digits) is not None
    is_alone = _SIGN_ALONE.fullmatch(match["suffix"]) is not None
    behind = _FIGURE_BEHIND.match(folded, match.end()) if is_alone else None
    if behind is None or (GAP in behind["space"] and not is_year):
        before = _MONTH_BEFORE.search(folded, max(0, match.start() - _REACH), match.start())
        return match.end(), not (is_year and before is not None)
    is_tight, is_tight_behind = folded[suffix - 1].isalnum(), not behind["space"]
    if scale_of(match, "size") is not None or (is_tight and not is_tight_behind):
        return match.end(), True
    if is_year or (is_tight_behind and not is_tight):
        return suffix, False
    if behind["again"]:
        return match.end(), not is_tight_behind
    if _is_mark(digits) and not _is_mark(behind["figure"]):
        return suffix, False
    if not _is_mark(digits) and _is_mark(behind["figure"]):
        return match.end(), True
    return behind.end(), False


def _is_mark(figure: str) -> bool:
    """True for a figure of one or two digits, as footnotes and lists are marked with."""
    return figure.isdigit() and len(figure) <= 2


def shared_scale(match: re.Match[str], folded: str) -> str | None:
    """The scale that the upper end of a range states for both: '$5 to $7 million'; None for other pairs."""
    following = AMOUNT.search(folded, match.end(), match.end() + _REACH)
    if following is None or following["prefix"] != match["prefix"] or scale_of(match, "scale"):
        return None
    if not _RANGE.fullmatch(folded, match.end(), following.start()):
        return None
    return scale_of(following, "scale") if _is_lower(match["number"], following["number"]) else None


def upper_end(match: re.Match[str], folded: str, language: str) -> UpperEnd | None:
    """The upper end of '$10-15 million', 'between $5 and 10 million': a figure that has no currency of its own."""
    behind = UPPER_END.match(folded, match.end())
    if behind is None:
        return None
    is_plain = behind["high"] is not None
    name, scale = ("high", scale_of(behind, "top")) if is_plain else ("high_scaled", scale_of(behind, "peak"))
    joined = behind["dash"] if is_plain else behind["dash_scaled"]
    low, high = match["number"], behind[name]
    if joined.strip() in ("and", "y", "et", "a") and not _BOTH_BEFORE.search(
        folded, max(0, match.start() - _REACH), match.start()
    ):
        return None
    own = scale_of(match, "scale")
    number = parse_numeral(high, language=language, group=",")
    if number is None or (own is not None and scale is None) or (own is None and not _may_rise(low, high, language)):
        return None
    shared = scale if own is None and _is_lower(low, high) else None
    if scale is not None and own is None and shared is None:
        return None
    factor = SCALES[" ".join(scale.lower().split())] if scale else 1
    whole = number * factor
    whole = whole.quantize(Decimal(1)) if whole == whole.to_integral_value() else whole
    return UpperEnd(behind.start(name), behind.end(), whole, shared)


def lower_end(upper: FoundValue, match: re.Match[str], folded: str, text: str, language: str) -> list[FoundValue]:
    """The lower end of 'entre 5 y 7 millones de euros': a figure whose currency, and scale, the upper end states."""
    before = LOWER_END.search(folded, max(0, match.start() - _REACH), match.start())
    if before is None or not isinstance(upper.value, Amount):
        return []
    name = next(name for name in LOWER_GROUPS if before[name] is not None)
    group = "." if "." in before[name] and language != "en" else ","
    number = parse_numeral(before[name], language=language, group=group)
    if number is None:
        return []
    scale = scale_of(match, "size")
    if scale is not None and _is_lower(before[name], match["digits"]):
        number *= SCALES[" ".join(scale.lower().split())]
    elif scale is not None and number < 1000:
        return []
    if number >= upper.value.value:
        return []
    start, end = before.span(name)
    value = Amount(value=number, currency=upper.value.currency, original=text[start:end])
    return [FoundValue(start, end, value)]


def _is_lower(low: str, high: str) -> bool:
    """True for two short figures of which the first is smaller, so that both may stand under one scale."""
    one, other = (text.replace(",", ".") for text in (low, high))
    is_short = all(len(text.partition(".")[0]) < 4 and text.count(".") < 2 for text in (one, other))
    return is_short and Decimal(one) < Decimal(other)


def _may_rise(low: str, high: str, language: str) -> bool:
    one, other = (parse_numeral(text, language=language, group=",") for text in (low, high))
    return one is not None and other is not None and one < other
