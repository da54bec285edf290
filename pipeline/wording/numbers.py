"""Numbers and spans of time as a language writes them."""

from __future__ import annotations

from decimal import Decimal

from schemas.values import DurationUnit

# Thousands and decimal signs (Unicode CLDR); Spanish as in finance, grouped from four digits on. A plain no-break space
# for French: not every font has the narrow one of CLDR.
_SIGNS = {"en": (",", "."), "es": (".", ","), "fr": ("\xa0", ",")}
_UNITS: dict[DurationUnit, tuple[tuple[str, str], tuple[str, str], tuple[str, str]]] = {
    "hour": (("hour", "hours"), ("hora", "horas"), ("heure", "heures")),
    "day": (("day", "days"), ("día", "días"), ("jour", "jours")),
    "business_day": (("business day", "business days"), ("día hábil", "días hábiles"), ("jour ouvré", "jours ouvrés")),
    "week": (("week", "weeks"), ("semana", "semanas"), ("semaine", "semaines")),
    "month": (("month", "months"), ("mes", "meses"), ("mois", "mois")),
    "quarter": (("quarter", "quarters"), ("trimestre", "trimestres"), ("trimestre", "trimestres")),
    "year": (("year", "years"), ("año", "años"), ("an", "ans")),
}
_ORDER = ("en", "es", "fr")


def tell_number(number: Decimal | int, language: str = "en") -> str:
    """The number with the language's signs, exact: '1,204.50', '1.204,50'; a whole number without decimals."""
    exact = Decimal(number)
    if exact == exact.to_integral_value():
        exact = exact.to_integral_value()
    thousands, point = _SIGNS.get(language, _SIGNS["en"])
    return f"{exact:,f}".replace(",", "\0").replace(".", point).replace("\0", thousands)


def tell_span(number: Decimal, unit: DurationUnit, language: str = "en") -> str:
    """A number of units of time: '5 years', '30 días hábiles', '1 mois'."""
    forms = _UNITS[unit][_ORDER.index(language) if language in _ORDER else 0]
    is_one = abs(number) < 2 if language == "fr" else abs(number) == 1  # French counts from two on as several (CLDR)
    return f"{tell_number(number, language)} {forms[0] if is_one else forms[1]}"
