"""Dates, times and durations as a section of a format code shows them, in the 1900 and the 1904 system."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from pipeline.parsing.xlsx.format_code import Section, Token
from pipeline.parsing.xlsx.format_numbers import exact

DAY_SECONDS = 86_400
LAST_SERIAL = 2_958_466  # the day after 31 December 9999 in the 1900 system: no date from here on
LEAP_BUG = 60  # 29 February 1900, a day that never was and that Excel counts (ECMA-376 18.17.4.1)
SHIFT_1904 = 1_462  # days from the one system's day 0 to the other's (18.17.4.1)
MICROSECOND = Decimal("0.000001")  # what a serial number of 15 digits still tells of the time of day
MAX_SECOND_PLACES = 3  # digits after the second; Excel shows no more

_ENGLISH = (
    ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
     "December"),
    ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)  # fmt: skip
# language (low ten bits of a Windows language id, [MS-LCID]) -> months, days from Monday, short months, short days
_NAMES: dict[int, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    0x07: (
        ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
         "Dezember"),
        ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        ("Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"),
        ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"),
    ),
    0x0A: (
        ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
         "noviembre", "diciembre"),
        ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
        ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
    ),
    0x0C: (
        ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
         "décembre"),
        ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        ("janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"),
        ("lun", "mar", "mer", "jeu", "ven", "sam", "dim"),
    ),
    0x10: (
        ("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
         "novembre", "dicembre"),
        ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
        ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),
        ("lun", "mar", "mer", "gio", "ven", "sab", "dom"),
    ),
    0x16: (
        ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
         "novembro", "dezembro"),
        ("segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado", "domingo"),
        ("jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"),
        ("seg", "ter", "qua", "qui", "sex", "sáb", "dom"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Moment:
    """A serial number as the clock and the calendar show it; `seconds` counts from day 0, rounded to what is shown."""

    year: int
    month: int
    day: int
    weekday: int  # from Monday, 0
    seconds: Decimal

    @property
    def second_of_day(self) -> Decimal:
        return self.seconds % DAY_SECONDS


def show_date(value: float, section: Section, *, date_1904: bool) -> str | None:
    """`value` (a serial number of days) as the section shows it; None for one that no calendar has.

    Excel fills the cell with ##### for those: the number says more. Durations ([h]:mm) may be negative in the 1904
    system only, dates never.
    """
    if not -LAST_SERIAL < value < LAST_SERIAL:
        return None
    places = min(_second_places(section.tokens), MAX_SECOND_PLACES)
    clock = (exact(value) * DAY_SECONDS).quantize(MICROSECOND, rounding=ROUND_HALF_UP)
    seconds = clock.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    sign = ""
    if seconds < 0 and date_1904 and section.has("elapsed"):
        sign, seconds = "-", -seconds
    if seconds < 0 or seconds >= LAST_SERIAL * DAY_SECONDS:
        return None
    moment = _moment(seconds, date_1904=date_1904)
    halved = section.has("half")
    return sign + "".join(_show(section, at, moment, halved=halved) for at in range(len(section.tokens)))


def _second_places(tokens: tuple[Token, ...]) -> int:
    """Digits shown after the second: the zeros behind 's.'."""
    for at, token in enumerate(tokens[:-1]):
        if token.kind == "point" and tokens[at + 1].kind == "digit":
            count = 0
            while at + 1 + count < len(tokens) and tokens[at + 1 + count].kind == "digit":
                count += 1
            return count
    return 0


def _moment(seconds: Decimal, *, date_1904: bool) -> _Moment:
    serial = int(seconds // DAY_SECONDS) + (SHIFT_1904 if date_1904 else 0)
    weekday = (serial + 5) % 7  # day 1 is a Sunday to Excel, which takes 1900 for a leap year
    if serial == 0:
        return _Moment(1900, 1, 0, weekday, seconds)
    if serial == LEAP_BUG:
        return _Moment(1900, 2, 29, weekday, seconds)
    if serial >= LAST_SERIAL:
        return _Moment(9999, 12, 31, weekday, seconds)
    day = date(1899, 12, 31 if serial < LEAP_BUG else 30) + timedelta(days=serial)
    return _Moment(day.year, day.month, day.day, weekday, seconds)


def _show(section: Section, at: int, moment: _Moment, *, halved: bool) -> str:
    token = section.tokens[at]
    if token.kind == "part":
        if token.text[0] == "m" and _is_minute(section.tokens, at):
            return _pad(int(moment.second_of_day) // 60 % 60, token.text)
        return _show_part(token.text, moment, section.locale, halved=halved)
    if token.kind == "elapsed":
        unit = {"h": 3_600, "m": 60, "s": 1}[token.text[0]]
        return _pad(int(moment.seconds) // unit, token.text)
    if token.kind == "half":
        half = "AM" if moment.second_of_day < DAY_SECONDS // 2 else "PM"
        return half if len(token.text) > len("A/P") else half[0]
    if token.kind == "digit":
        return _show_fraction_digit(section.tokens, at, moment)
    return "" if token.kind in ("general", "text") else token.text


def _show_fraction_digit(tokens: tuple[Token, ...], at: int, moment: _Moment) -> str:
    """A zero behind 's.': one digit of the fraction of the second."""
    place = 0
    while at and tokens[at].kind == "digit":
        at, place = at - 1, place + 1
    if tokens[at].kind != "point":
        return ""
    digits = f"{moment.seconds % 1:.{MAX_SECOND_PLACES}f}"[2:]
    return digits[place - 1] if place <= len(digits) else "0"


def _is_minute(tokens: tuple[Token, ...], at: int) -> bool:
    """'m' or 'mm' right after an hour or right before a second is minutes (ECMA-376 18.8.31)."""
    if len(tokens[at].text) > len("mm"):
        return False
    before = next((t for t in reversed(tokens[:at]) if t.kind in ("part", "elapsed")), None)
    after = next((t for t in tokens[at + 1 :] if t.kind in ("part", "elapsed")), None)
    return (before is not None and before.text[0] == "h") or (after is not None and after.text[0] == "s")


def _show_part(text: str, moment: _Moment, locale: int | None, *, halved: bool) -> str:
    kind, count = text[0], len(text)
    if kind in "yeb":
        year = moment.year + (543 if kind == "b" else 0)  # the Buddhist era
        return f"{year % 100:02d}" if kind != "e" and count <= len("yy") else str(year)
    if kind == "m":
        return _show_month(moment.month, count, locale)
    if kind == "d":
        return _show_day(moment, count, locale)
    if kind == "h":
        hour = int(moment.second_of_day) // 3_600
        return _pad((hour - 1) % 12 + 1 if halved else hour, text)
    return _pad(int(moment.second_of_day) % 60, text) if kind == "s" else ""


def _show_month(month: int, count: int, locale: int | None) -> str:
    names = _NAMES.get((locale or 0) & 0x3FF)
    if count <= len("mm"):
        return f"{month:0{count}d}"
    full = (names[0] if names else _ENGLISH[0])[month - 1]
    if count == len("mmm"):
        return names[2][month - 1] if names else full[:3]
    return full[0] if count == len("mmmmm") else full


def _show_day(moment: _Moment, count: int, locale: int | None) -> str:
    names = _NAMES.get((locale or 0) & 0x3FF)
    if count <= len("dd"):
        return f"{moment.day:0{count}d}"
    full = (names[1] if names else _ENGLISH[1])[moment.weekday]
    if count == len("ddd"):
        return names[3][moment.weekday] if names else full[:3]
    return full


def _pad(number: int, text: str) -> str:
    return f"{number:0{len(text)}d}"
