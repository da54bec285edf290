"""Spans that repeat, that no number counts, that run from an event, and terms without an end."""

from __future__ import annotations

import pytest

from pipeline.values import find_values
from schemas.values import Duration, OpenEnd


def spans(text: str) -> list[tuple[str, str, bool]]:
    """Number, unit and whether it repeats."""
    values = [found.value for found in find_values(text, "duration")]
    return [(str(value.number), value.unit, value.recurring) for value in values if isinstance(value, Duration)]


@pytest.mark.parametrize(
    ("text", "number", "unit", "recurring"),
    [
        ("shall renew for successive one-year terms", "1", "year", True),
        ("for periods of one (1) year each", "1", "year", True),
        ("on a year-to-year basis", "1", "year", True),
        ("effective month to month, until terminated", "1", "month", True),
        ("for successive annual periods ending on January 18th", "1", "year", True),
        ("renewable on an annual basis", "1", "year", True),
        ("up to three additional renewal terms of one year each", "1", "year", True),
        ("successive additional 3~year periods", "3", "year", True),
        ("por períodos sucesivos de un (1) año", "1", "year", True),
        ("des périodes successives de douze (12) mois", "12", "month", True),
        ("for an additional year", "1", "year", False),
        ("for a term of a year", "1", "year", False),
        ("an additional period of half a year", "0.5", "year", False),
        ("for another one (1) year", "1", "year", False),
        ("five consecutive years", "5", "year", False),
        ("treinta (30) días hábiles", "30", "business_day", False),
        ("treinta (30) días naturales", "30", "day", False),
        ("15 jours ouvrés", "15", "business_day", False),
        ("dix-huit mois", "18", "month", False),
    ],
)
def test_a_span_says_whether_it_repeats(text: str, number: str, unit: str, recurring: bool) -> None:
    """Number, unit and repetition as the words around tell."""
    assert spans(text) == [(number, unit, recurring)]


@pytest.mark.parametrize(
    "text", ["once a year", "$5 a year", "the annual report", "fees on an annual basis", "the half year results"]
)
def test_a_rate_is_no_span(text: str) -> None:
    """A bare 'a year' and an adjective measure no time."""
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("three (3) years from the Effective Date, unless", "the Effective Date"),
        ("within sixty (60) days following receipt of notice of default", "receipt of notice of default"),
        ("treinta días a partir de la firma del contrato", "la firma del contrato"),
        ("dix-huit mois à compter de la signature", "la signature"),
        ("two (2) years from Microsoft", None),
    ],
)
def test_what_a_span_runs_from_is_kept(text: str, starts: str | None) -> None:
    """The event beside a span, in the document's words; who grants it is none."""
    (found,) = find_values(text, "duration")
    assert isinstance(found.value, Duration)
    assert found.value.starts == starts


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("shall remain in effect until terminated by either Party upon notice", "terminated by either Party"),
        ("unless and until either party gives notice to the other", "either party gives notice"),
        ("for an unlimited period of time", None),
        ("enduring in perpetuity unless terminated", None),
        ("por tiempo indefinido", None),
        ("La duración será indefinida", None),
        ("hasta que sea resuelto por cualquiera de las partes", "sea resuelto por cualquiera de las partes"),
        ("conclu pour une durée indéterminée", None),
    ],
)
def test_an_open_end_is_read_with_what_ends_it(text: str, until: str | None) -> None:
    """Perpetual and 'until terminated' are open ends in three languages."""
    (found,) = find_values(text, "open_end")
    assert isinstance(found.value, OpenEnd)
    assert found.value.until == until


@pytest.mark.parametrize(
    "text",
    [
        "until the fifth (5th) anniversary of the Effective Date",
        "until December 31, 2020, unless terminated",
        "until expiration of the term",
        "perpetual inventory",
    ],
)
def test_an_end_that_is_told_is_no_open_end(text: str) -> None:
    """A date, an anniversary and the end of another term are ends."""
    assert find_values(text, "open_end") == ()


@pytest.mark.parametrize(
    "text",
    [
        "renewed tacitly every year",
        "se renouvelle d'année en année",
        "se prorrogará de año en año",
        "renovado cada año",
    ],
)
def test_a_year_that_comes_again(text: str) -> None:
    """A renewal of every year, in three languages."""
    assert spans(text) == [("1", "year", True)]


def test_the_periods_of_a_report_are_no_span_of_renewal() -> None:
    """'monthly periods' count only where something is renewed."""
    assert spans("reports for two monthly periods") == []
    assert spans("shall be renewed for monthly periods") == [("1", "month", True)]


@pytest.mark.parametrize(
    "text",
    [
        "until either party gives six (6) months' notice",
        "hasta que cualquiera de las partes notifique con seis (6) meses",
        "jusqu'à ce que l'une des parties donne un préavis de six mois",
    ],
)
def test_a_term_that_a_notice_ends_is_open(text: str) -> None:
    """How long the notice is tells no end of the term."""
    values = [found.value for found in find_values(text, "open_end")]
    assert [isinstance(value, OpenEnd) for value in values] == [True]
