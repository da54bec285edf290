"""Calendar dates: '2024-03-01', 'March 1, 2024', '1st day of March, 2024', '1 de marzo de 2024', '1er mars 2024'.

Digits alone in the order of 03/04/2024 are a date only where one order is possible (31/12/2024, 29/3/18, 03/03/2024):
the 3rd of April and March 4th are the same writing in two countries, and a wrong date is worse than none. What a
document says elsewhere may settle the order: `date_orders.py`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from pipeline.values.date_orders import full_year
from pipeline.values.found import GAP, FoundValue, fold, fold_cells
from pipeline.values.numerals import NUMBER_WORDS, parse_number_words
from schemas.answer import DateValue

_MONTHS = (
    ("january", "jan", "enero", "ene", "janvier", "janv"),
    ("february", "feb", "febrero", "fevrier", "fevr"),
    ("march", "mar", "marzo", "mars"),
    ("april", "apr", "abril", "abr", "avril", "avr"),
    ("may", "mayo", "mai"),
    ("june", "jun", "junio", "juin"),
    ("july", "jul", "julio", "juillet", "juil"),
    ("august", "aug", "agosto", "ago", "aout"),
    ("september", "sept", "sep", "septiembre", "setiembre", "septembre"),
    ("october", "oct", "octubre", "octobre"),
    ("november", "nov", "noviembre", "novembre"),
    ("december", "dec", "diciembre", "dic", "decembre"),
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_MONTH = "(?:" + "|".join(sorted(_MONTH_OF, key=lambda name: (-len(name), name))) + r")\b\.?"
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    "twentieth",
)
_ORDINAL_OF = {
    **{word: number for number, word in enumerate(_ORDINALS, 1)},
    **{f"twenty {word}": 20 + number for number, word in enumerate(_ORDINALS[:9], 1)},
    "thirtieth": 30,
    "thirty first": 31,
    "primero": 1,
    "premier": 1,
}
_ORDINAL = (
    "(?:"
    + "|".join(sorted((word.replace(" ", r"[\s-]+") for word in _ORDINAL_OF), key=lambda word: (-len(word), word)))
    + r")\b"
)
_DAY = r"(?<![\w./,$-])\d{1,2}(?:st|nd|rd|th|er\.?|º|°|o)?(?!\d)"
_YEAR = rf"(?P<{{0}}>\d{{{{4}}}}(?![\d.]\d|\d)|[12]\.\d{{{{3}}}}(?![\d.]\d|\d)|(?<=-)\d{{{{2}}}}(?!\d)|{NUMBER_WORDS})"
_DAY_WORDS_ES = (
    r"(?<!\w)(?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciseis|diecisiete"
    r"|dieciocho|diecinueve|veinte|veinti[a-z]+|treinta(?:\s+y\s+uno?)?)"
)
_DAY_WORDS_FR = (
    r"(?<!\w)(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix(?:-(?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize"
    r"|vingt(?:[\s-]et[\s-]un|-(?:deux|trois|quatre|cinq|six|sept|huit|neuf))?|trente(?:[\s-]et[\s-]un)?)"
)
# '19THDAY OF MAY' as scans join it; 'day of --- November' where the day was filled in on a line of its own.
_DAY_TO_MONTH = (
    r"(?:\s*day\s+of\s+(?:[-_]{2,}\s*)?|\s+(?:day\s+)?(?:of\s+|de\s+|dia\s+de\s+|dias?\s+del\s+mes\s+de\s+)?|-)"
)
_MONTH_TO_YEAR = (
    r"(?:\s*,?\s*(?:de\s+|del\s+(?:ano\s+)?|of\s+|in\s+the\s+year\s+(?:of\s+our\s+lord\s+)?|A\.?D\.?,?\s+)?|-)"
)
_ISO = (
    r"(?<![\w.,/-])(?P<iso_year>\d{4})(?P<iso_sep>[-/])(?P<iso_month>\d{1,2})(?P=iso_sep)(?P<iso_day>\d{1,2})(?![\d/-])"
)
_DATE = re.compile(
    rf"{_ISO}"
    # March 1, 2024; March 1st 2024
    rf"|(?<!\w)(?P<m1>{_MONTH})\s*(?P<d1>\d{{1,2}}(?:st|nd|rd|th)?(?!\d)|{_ORDINAL})(?:\s*,\s*|\s+)"
    rf"(?:in\s+the\s+year\s+)?{_YEAR.format('y1')}"
    # 1 March 2024; 1st day of March, 2024; 1 de marzo de 2024; 1er mars 2024; 1-Mar-2024
    rf"|(?P<d2>{_DAY}|{_ORDINAL}|{_DAY_WORDS_ES}|{_DAY_WORDS_FR})(?:\s*\(\s*\d{{1,2}}\s*\))?{_DAY_TO_MONTH}"
    rf"(?P<m2>{_MONTH}){_MONTH_TO_YEAR}{_YEAR.format('y2')}"
    # the last day of February 2024; end of June, 2023; ultimo dia de marzo de 2024; fin decembre 2024
    r"|(?P<last>(?:last\s+(?:calendar\s+)?day|(?<!year\s)end|close)\s+(?:of|in)\s+(?:the\s+month\s+of\s+)?|ultimo\s+dia\s+(?:del\s+mes\s+)?de\s+"
    rf"|(?:a\s+)?finales\s+de\s+|dernier\s+jour\s+(?:du\s+mois\s+)?d[e']\s*|fin\s+)(?P<m4>{_MONTH}){_MONTH_TO_YEAR}{_YEAR.format('y4')}"
    # 31/12/2024, 31.12.2024, 31/12/24
    r"|(?<![\w.,/-])(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y3>\d{4}|(?<=/)\d{2})(?![\d/-]|\.\d)",
    re.IGNORECASE,
)
_JOINS = re.compile(r",|\b(?:day|of|de|del|dia)\b|\d(?:st|nd|rd|th|er)\b", re.IGNORECASE)
MIN_YEAR_IN_WORDS = 1500  # 'the fifth of May, twelve copies': smaller numbers in words are no years
MAX_YEAR = 9999
_HAS_YEAR = re.compile(
    r"\d{4}|[-/]\d{2}|\d\.\d{3}|\b(?:thousand|hundred|mil|mille)\b", re.IGNORECASE
)  # what every date has; quickly told of the many texts without


def find_dates(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - dates read alike in all three
    """Dates in `text`, left to right; days that do not exist and numeric dates of unsure order are left out."""
    found: list[FoundValue] = []
    folded, cells = fold(text), fold_cells(text)
    if not _HAS_YEAR.search(folded):
        return ()
    for match in _DATE.finditer(folded):
        when = _read(match)
        if when is not None and not _spans_cells(match, cells):
            start, end = match.span()
            found.append(FoundValue(start, end, DateValue(iso=when, original=text[start:end])))
    return tuple(found)


def _spans_cells(match: re.Match[str], cells: str) -> bool:
    """True for the figures of one cell with the month of the next: '30  June 2022'.

    Justified prose has such gaps too: a comma or a 'day of' inside says that the words belong together.
    """
    start, end = match.span()
    return GAP in cells[start:end] and _JOINS.search(match[0]) is None


def _read(match: re.Match[str]) -> date | None:
    if match["iso_year"] is not None:
        parts = (match["iso_year"], match["iso_month"], match["iso_day"])
        return _calendar(*map(int, parts))
    if match["m1"] is not None:
        return _calendar(_year(match["y1"]), _month(match["m1"]), _day(match["d1"]))
    if match["m2"] is not None:
        return _calendar(_year(match["y2"]), _month(match["m2"]), _day(match["d2"]))
    if match["m4"] is not None:
        year, month = _year(match["y4"]), _month(match["m4"])
        return _calendar(year, month, monthrange(year, month)[1]) if 1 <= year <= MAX_YEAR else None
    one, two = int(match["a"]), int(match["b"])
    orders = {_calendar(full_year(match["y3"]), month, day) for month, day in ((one, two), (two, one))} - {None}
    return orders.pop() if len(orders) == 1 else None


def _calendar(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _year(written: str) -> int:
    """The year of figures or words; 0, which is none, for words that tell no year of our times."""
    if not written[0].isdigit():
        number = parse_number_words(written, language="en") or 0
        return int(number) if MIN_YEAR_IN_WORDS <= number <= MAX_YEAR else 0
    return full_year(written.replace(".", ""))


def _month(name: str) -> int:
    return _MONTH_OF[name.lower().rstrip(".")]


def _day(written: str) -> int:
    digits = re.match(r"\d{1,2}", written)
    if digits is not None:
        return int(digits[0])
    words = " ".join(re.split(r"[\s-]+", written.lower()))
    if words in _ORDINAL_OF:
        return _ORDINAL_OF[words]
    number = parse_number_words(words, language="es") or parse_number_words(words, language="fr")
    return int(number) if number is not None else 0
