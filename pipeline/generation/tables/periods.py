# ruff: noqa: E501  # patterns are read whole, on one line
"""The period that a question names and the one that a column is headed with: year, quarter, half year, day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Span = Literal["year", "quarter", "half", "nine_months", "instant"]

_CENTURY = 2000
_MONTHS = (
    "january february march april may june july august september october november december",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
)
_MONTH_OF = {name: number for row in _MONTHS for number, name in enumerate(row.split(), 1)}
_MONTH_OF |= {name[:3]: number for number, name in enumerate(_MONTHS[0].split(), 1)}
_MONTH = re.compile(rf"\b({'|'.join(sorted(_MONTH_OF, key=lambda name: (-len(name), name)))})\b\.?\s*(\d{{1,2}})?\b")
_YEAR = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?![\d,]|\.\d)")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_ASKED = re.compile(
    r"(?:\b(?:q(?P<q>[1-4])|(?P<named>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter|(?P<half>h1|first half|jan(?:uary)?\.?\s*(?:-|–|to)\s*june?)"
    r"|(?P<nine>first nine months|nine months(?: ended)?)|(?P<six>six months(?: ended)?)|(?P<three>three months(?: ended)?))"
    r"[\s,']*(?:of\s+|in\s+|for\s+)?(?:the\s+)?)?"
    r"(?:(?:fiscal\s+years?|fiscal|fy|ejercicio|exercice)\s*'?\s*(?P<fy>(?:19|20)\d\d|\d\d)(?!\d)"
    r"|(?<![\d.,$])(?P<year>(?:19|20)\d\d)(?![\d,]|\.\d))",
)
_QUARTER_FIRST = re.compile(r"\bq(?P<q>[1-4])\s*'?(?P<year>(?:19|20)?\d\d)\b")
_TO = r"\w*\.?\s*(?:\d{1,2}\s*)?(?:-|–|—|to|a|au)\s*(?:\d{1,2}\s*)?"
_FROM = rf"\b(?:jan|ene){_TO}"
_COLUMN_SPAN: tuple[tuple[Span, re.Pattern[str]], ...] = (
    ("quarter", re.compile(r"\bthree months|\bquarter|\b1[34] weeks|\bthirteen weeks|\bfourteen weeks|\bq[1-4]\b|trimestre" + rf"|{_FROM}mar")),
    ("half", re.compile(r"\bsix months|\b2[67] weeks|\btwenty[- ]six weeks|\bh1\b|\bfirst half|semestre" + rf"|{_FROM}(?:june?|juin|jun)\b")),
    ("nine_months", re.compile(r"\bnine months|\b39 weeks|\bthirty[- ]nine weeks|\b40 weeks|nueve meses|neuf mois" + rf"|{_FROM}sep")),
    ("year", re.compile(r"\byears? ended|\btwelve months|\bfiscal|\bfy|\bfor the years?|\b5[23] weeks|\bejercicio|\bexercice")),
    ("instant", re.compile(r"\bas of|\bat\b|\bal\b|\bau\b")),
)  # fmt: skip
_COMPARES = re.compile(
    r"\bchanges?\b|\bvariance|\bvs\b|\bversus|\bincrease|\bdecrease|\bgrowth|\bvariacion|\bvariation|^\W*%\W*$"
)
_SHARE = re.compile(r"%|\bpercent|\bpercentage|\bas a share|\bporcentaje|\bpourcentage")


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A period: its year, and what part of it; `number` is that of the quarter."""

    year: int
    span: Span = "year"
    number: int | None = None

    @property
    def name(self) -> str:
        """As a formula names it: 'FY2018', 'Q2 2023'."""
        if self.span == "quarter":
            return f"Q{self.number} {self.year}" if self.number else f"quarter of {self.year}"
        return {"half": f"H1 {self.year}", "nine_months": f"nine months of {self.year}"}.get(
            self.span, f"FY{self.year}"
        )

    def before(self, years: int = 1) -> Period:
        """The same period of an earlier year."""
        return Period(self.year - years, self.span, self.number)


@dataclass(frozen=True, slots=True)
class Heading:
    """What a column is headed with. `years` are all that its header names; `compares`: it holds changes or shares."""

    years: tuple[int, ...]
    span: Span | None
    number: int | None
    month: int | None
    compares: bool

    def is_of(self, period: Period) -> bool:
        """True where the column holds the figures of the period, and of no other."""
        if self.compares or self.years != (period.year,):
            return False
        if period.span == "year":
            return self.span in ("year", "instant", None)
        return self.span == period.span and (None in (self.number, period.number) or self.number == period.number)


def find_periods(folded: str) -> list[tuple[int, int, Period]]:
    """Periods in a folded text with their places, left to right."""
    found = [
        (match.start(), match.end(), Period(_year(match["year"]), "quarter", int(match["q"])))
        for match in _QUARTER_FIRST.finditer(folded)
    ]
    for match in _ASKED.finditer(folded):
        if any(start < match.end() and match.start() < end for start, end, _ in found):
            continue
        year = _year(match["fy"] or match["year"])
        span: Span = "year"
        number = None
        if match["q"] or match["named"]:
            span, number = "quarter", int(match["q"] or _QUARTERS[match["named"]])
        elif match["three"]:
            span = "quarter"
        elif match["half"] or match["six"]:
            span = "half"
        elif match["nine"]:
            span = "nine_months"
        found.append((match.start(), match.end(), Period(year, span, number)))
    return sorted(found)


def read_heading(header: str, around: str = "") -> Heading:
    """What a column's header says; `around` is what stands over all columns, and tells only what the header does not."""
    own = header.lower()
    years = tuple(dict.fromkeys(int(year) for year in _YEAR.findall(own)))
    short = re.findall(r"\b(?:fy|q[1-4]\s?')\s?'?(\d\d)\b", own)
    years = years or tuple(dict.fromkeys(_CENTURY + int(year) for year in short))
    if not years and around:
        told = tuple(dict.fromkeys(int(year) for year in _YEAR.findall(around)))
        years = told if len(told) == 1 else ()
    span = next((name for name, pattern in _COLUMN_SPAN if pattern.search(own)), None)
    if span is None or span == "instant":
        span = next((name for name, pattern in _COLUMN_SPAN if pattern.search(around.lower())), span)
    number = re.search(r"\bq([1-4])\b", own)
    named = re.search(r"\b(first|second|third|fourth) quarter", own)
    month = _MONTH.search(own) or _MONTH.search(around.lower())
    return Heading(
        years=years, span=span, number=int(number[1]) if number else _QUARTERS[named[1]] if named else None,
        month=_MONTH_OF[month[1]] if month else None,
        compares=bool(_COMPARES.search(own) or (_SHARE.search(own) and not re.search(r"\bin\b", own))) or len(years) > 1,
    )  # fmt: skip


def _year(written: str) -> int:
    return int(written) if len(written) == 4 else _CENTURY + int(written)
