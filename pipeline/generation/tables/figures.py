"""Cells that hold a figure: the number as written, nil and percent; and the marks of notes."""

from __future__ import annotations

import re
from decimal import Decimal

from pipeline.values.currencies import CODE
from pipeline.values.numerals import parse_numeral

_NUMBER = re.compile(r"\d[\d.,'\u00a0\u202f ]*")
_NIL = re.compile(r"[$€£¥\s]*[-–—]+\s*%?")
_MARK = re.compile(r"(?<=[\d)%])\s*\((?:[a-z]|\d{1,2})\)$|[*†‡]+$")  # a footnote's mark behind a figure
_NOTE_MARK = re.compile(r"\(\s*(\d{1,2}|[a-z])\s*\)$|(\*{1,3}|[†‡§]+|[¹²³⁴⁵⁶⁷⁸⁹]+)$")


def read_figure(text: str, language: str) -> tuple[Decimal, bool, bool] | None:
    """Number as written (brackets and a leading minus are negative), whether it is a stroke for nil, and a percentage.

    None for a cell that holds no figure alone.
    """
    flat = _MARK.sub("", " ".join(text.split()))
    if _NIL.fullmatch(flat):
        return Decimal(0), True, "%" in flat
    found = _NUMBER.search(flat)
    if found is None:
        return None
    rest = flat[: found.start()] + flat[found.end() :]
    if re.sub(rf"{CODE}|(?:US|C|A|HK)\$|[$€£¥%()\s+\-–—x]|\bpts?\b", "", rest):
        return None
    number = parse_numeral(found.group(0).strip(" \u00a0\u202f"), language=language)
    if number is None:
        return None
    before = flat[: found.start()]
    negative = ("(" in before and ")" in rest) or bool(re.search(r"[-–—]\s*[$€£¥]?\s*$", before))
    return (-number if negative else number), False, "%" in rest


def mark_of(text: str) -> str | None:
    """The mark of a note that ends a label or stands behind a figure: '1' of 'Expedite fee (1)'; None without one."""
    found = _NOTE_MARK.search(text.strip())
    if found is None or not text[: found.start()].strip(" $€£"):
        return None
    return next(one for one in found.groups() if one)
