"""What a cell shows: a value and its number format become the words that a person reads in the sheet."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from pipeline.parsing.xlsx.format_code import Section, read_code
from pipeline.parsing.xlsx.format_dates import show_date
from pipeline.parsing.xlsx.format_numbers import show_general, show_number

_SPACES = re.compile(r"[ \u00a0\u202f]{2,}")


def show_value(value: float | str | bool, code: str, *, date_1904: bool = False) -> str:
    """The text that a cell with this value and number format shows, in US English, trimmed; '' where it shows nothing.

    Padding (`_x`, `?`) becomes one space, filling (`*x`) none, colours are left out. `date_1904`: the workbook counts
    days from 1904. Source: ECMA-376 part 1, 18.8.30 and 18.8.31.
    """
    if code == "General":  # most cells
        return _show_general(value)
    sections = read_code(code)
    if isinstance(value, bool):
        return "" if _shows_nothing(sections) else str(value).upper()
    if isinstance(value, str):
        return _show_text(value, sections)
    if not math.isfinite(value):
        return "#NUM!"
    section, magnitude, sign = _choose(value, sections)
    if section.is_date:
        shown = show_date(value, section, date_1904=date_1904)
        return show_general(value) if shown is None else _tidy(shown)
    if section.has("text") and not section.has("digit", "general"):
        shown = "".join(show_general(magnitude) if t.kind == "text" else t.text for t in section.tokens)
        return _tidy(sign + shown)
    if section.has("general") or not (section.tokens or len(sections) > 1):
        shown = "".join(show_general(magnitude) if t.kind == "general" else t.text for t in section.tokens)
        return _tidy(sign + (shown or show_general(magnitude)))
    return _tidy(sign + show_number(magnitude, section)) if section.tokens else ""


@lru_cache(maxsize=1024)
def shows_date(code: str) -> bool:
    """The format shows numbers as dates, times or durations."""
    return any(section.is_date for section in read_code(code))


def _show_general(value: float | str | bool) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return value.strip()
    return show_general(value) if math.isfinite(value) else "#NUM!"


def _choose(value: float, sections: tuple[Section, ...]) -> tuple[Section, float, str]:
    """The section for a number, the number to show in it, and the sign to put before it."""
    numeric = _numeric(sections)
    if not numeric:  # '@' alone: a number is shown as General
        return sections[0], abs(value), "-" if value < 0 else ""
    if any(section.condition for section in numeric[:2]):
        return _choose_by_condition(value, numeric)
    if len(numeric) == 1 or value > 0:
        return numeric[0], abs(value), "-" if value < 0 else ""
    if value < 0:
        return numeric[1], -value, ""
    return numeric[2] if len(numeric) > 2 else numeric[0], 0.0, ""


def _choose_by_condition(value: float, numeric: tuple[Section, ...]) -> tuple[Section, float, str]:
    """The first section whose condition holds, else the one without; a sign stays where a section may hold both."""
    for section in numeric:
        if section.condition is None:
            default_negative = section is numeric[1] and len(numeric) > 2 if len(numeric) > 1 else False
            if default_negative and value >= 0:
                continue
            return section, abs(value), "-" if value < 0 and not default_negative else ""
        if _holds(value, section.condition):
            only_negative = section.condition[0] in ("<", "<=") and section.condition[1] <= 0
            return section, abs(value), "-" if value < 0 and not only_negative else ""
    return numeric[-1], abs(value), "-" if value < 0 else ""


def _holds(value: float, condition: tuple[str, float]) -> bool:
    operator, limit = condition
    return {
        "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit,
        "=": value == limit, "<>": value != limit,
    }[operator]  # fmt: skip


def _numeric(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections for numbers: the fourth is for text, and so is a last one with '@'."""
    last = len(sections) - 1
    return tuple(s for at, s in enumerate(sections) if at < 3 and not (at == last and s.has("text")))


def _show_text(value: str, sections: tuple[Section, ...]) -> str:
    section = sections[3] if len(sections) > 3 else sections[-1] if sections[-1].has("text") else None
    if section is None:
        return value.strip()
    return "".join(value if t.kind == "text" else t.text for t in section.tokens).strip()


def _shows_nothing(sections: tuple[Section, ...]) -> bool:
    """';;;', the usual way to hide what a cell holds."""
    return len(sections) > 2 and not any(section.tokens for section in sections)


def _tidy(shown: str) -> str:
    return _SPACES.sub(" ", shown).strip()
