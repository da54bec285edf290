# ruff: noqa: E501  # clauses are read whole, on one line
"""The dates and periods of a contract: its day, its effect, its end, its renewal, and the notice against it."""

from __future__ import annotations

from datetime import date

import pytest

from pipeline.generation import generate
from schemas.answer import Answer, DateValue, Duration, OpenEnd, RelativeDate
from schemas.retrieval import RetrievedCandidate
from tests.generation.handed import ask, candidate, concept, found

OPENING = 'This Supply Agreement is made as of June 1, 2020 (the "Effective Date") between A Inc. and B Inc.'
TWO_DATES = "This Agreement is entered on this 9th day of October, 2001 and is effective as of October 1, 2001."


def answer(name: str, question: str, *texts: str, kind: str = "date", language: str = "en") -> Answer:
    """The answer on one concept of a contract whose passages are handed over in this order, a page each."""
    terms = {
        "agreement_date": ["dated", "made as of", "made", "date"],
        "effective_date": ["effective", "effective date", "commence", "vigor", "effet"],
        "expiration_date": ["term", "expire", "continue", "duration", "duracion", "duree", "until"],
        "renewal_term": ["renew", "renew automatically", "prorrogara", "reconduit"],
        "notice_period_to_terminate_renewal": ["notice", "non-renewal", "preaviso", "preavis", "antelacion"],
    }
    passages: list[RetrievedCandidate] = []
    first = 1
    for page, text in enumerate(texts, 1):
        passages.append(candidate(text, first=first, page=page))
        first += text.count("\n") + 1
    topic = concept(terms[name], name=name)
    return generate(ask(question, kind, concepts=[topic], language=language), found(*passages))


def day(given: Answer) -> date | None:
    """The day that is given first; None where none is."""
    value = given.items[0].value if given.items else None
    return value.iso if isinstance(value, DateValue) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OPENING, date(2020, 6, 1)),
        ("THIS AGENCY AGREEMENT, dated November 9, 2005, is between A and B.", date(2005, 11, 9)),
        ("El presente contrato se firma en Madrid, a 15 de marzo de 2021, entre A y B.", date(2021, 3, 15)),
        ("Le présent contrat est conclu le 3 mai 2022 entre A et B.", date(2022, 5, 3)),
        (TWO_DATES, date(2001, 10, 9)),
    ],
)
def test_the_day_of_a_contract_is_that_of_its_opening(text: str, expected: date) -> None:
    """Made, dated, entered into, firmado, conclu: the date that the contract gives itself."""
    assert day(answer("agreement_date", "When was it made?", text)) == expected


def test_the_date_of_another_agreement_is_not_the_contracts() -> None:
    """'a Master Lease dated ...' and a recital tell the date of another document."""
    other = "WHEREAS, the parties have entered into a Master Lease Agreement dated November 9, 2005."
    assert answer("agreement_date", "When was it made?", other).status == "not_found"


def test_a_blank_is_no_date_and_is_said() -> None:
    """The opening's '___ day of ____, 2020' was left for a pen."""
    given = answer("agreement_date", "When was it made?", "This Agreement is made as of this ___ day of _____, 2020.")
    assert given.status == "not_found"
    assert "left blank" in given.text or any("left blank" in caveat for caveat in given.caveats)


def test_the_effective_date_is_what_is_defined_or_said() -> None:
    """A definition, and 'effective as of' beside another date of signing."""
    assert day(answer("effective_date", "When is it effective?", TWO_DATES)) == date(2001, 10, 1)
    assert day(answer("effective_date", "When is it effective?", OPENING)) == date(2020, 6, 1)
    own = "This Agreement shall become effective on the date first above written."
    given = answer("effective_date", "When is it effective?", "This Agreement is made on May 2, 2019 by A and B.", own)
    assert (day(given), given.items[0].extraction_method, len(given.items[0].spans)) == (
        date(2019, 5, 2),
        "inferred",
        2,
    )


def test_the_date_of_a_contract_is_not_its_effect_unless_it_says_so() -> None:
    """A contract that is only dated does not say when it takes effect."""
    text = "This Agreement, dated as of June 30, 2001, is entered into by A Inc. and B Inc."
    assert answer("effective_date", "When is it effective?", text).status == "not_found"


def test_the_end_is_computed_from_the_beginning_and_the_term() -> None:
    """Both inputs are cited with their lines, and the formula names the convention."""
    term = "The initial term of this Agreement shall commence on the Effective Date and continue for three (3) years."
    given = answer("expiration_date", "When does this contract end?", term, OPENING)
    item = given.items[0]
    assert (day(given), item.extraction_method) == (date(2023, 6, 1), "computed")
    assert [(one.name, one.line_start) for one in item.inputs] == [("Effective Date", 2), ("term", 1)]
    assert [span.line_start for span in item.spans] == [1, 2]
    assert "Effective Date + term" in (item.formula or "")
    assert "anniversary" in (item.formula or "")
    assert any("2023-05-31" in caveat for caveat in given.caveats)


def test_a_day_that_is_written_goes_before_a_computed_one() -> None:
    """'12 months ... expiring May 31, 2021' is May 31, 2021."""
    term = "The term of this Agreement is 12 months from the Effective Date on June 1, 2020, expiring May 31, 2021."
    given = answer("expiration_date", "When does it end?", term, OPENING)
    assert (day(given), given.items[0].extraction_method) == (date(2021, 5, 31), "verbatim")


@pytest.mark.parametrize(
    "text",
    [
        "This Agreement shall commence on the Effective Date and continue until terminated by either party.",
        "This Agreement shall continue in perpetuity.",
        "El presente contrato tendrá duración por tiempo indefinido.",
        "Le présent contrat est conclu pour une durée indéterminée.",
    ],
)
def test_what_has_no_end_is_told_as_such(text: str) -> None:
    """Perpetual, until terminated, indefinido: no day, and an answer all the same."""
    given = answer("expiration_date", "When does it end?", text)
    assert given.items
    assert isinstance(given.items[0].value, OpenEnd)


def test_a_term_from_an_event_without_a_date_is_given_as_it_stands() -> None:
    """'one year following the Launch Date' is no day where nothing dates the launch."""
    term = "The term of this Agreement shall continue for one (1) year following the Launch Date."
    given = answer("expiration_date", "When does it end?", term, OPENING)
    assert given.status == "partial"
    assert isinstance(given.items[0].value, RelativeDate | Duration)
    assert "Launch Date" in given.caveats[0]


def test_cure_and_notice_periods_are_not_the_term() -> None:
    """A contract that only speaks of breach and notice does not say how long it runs."""
    text = "Either party may terminate this Agreement if a breach is not cured within thirty (30) days after notice."
    assert not answer("expiration_date", "When does it end?", text).items


@pytest.mark.parametrize(
    ("text", "number", "unit", "recurring"),
    [
        (
            "This Agreement shall renew for successive one (1) year terms unless one gives ninety (90) days' notice.",
            1,
            "year",
            True,
        ),
        (
            "The initial term is three (3) years. This Agreement shall renew for a further term of two (2) years.",
            2,
            "year",
            False,
        ),
        (
            "El contrato se prorrogará por períodos sucesivos de un (1) año, salvo aviso de sesenta (60) días.",
            1,
            "year",
            True,
        ),
        ("Le contrat est reconduit tacitement par périodes successives de douze (12) mois.", 12, "month", True),
    ],
)
def test_a_renewal_is_as_long_as_its_period(text: str, number: int, unit: str, recurring: bool) -> None:
    """The renewal's length, never the initial term or the notice."""
    given = answer("renewal_term", "How long is the renewal?", text, kind="duration")
    value = given.items[0].value
    assert isinstance(value, Duration)
    assert (value.number, value.unit, value.recurring) == (number, unit, recurring)


def test_the_notice_against_renewal_is_that_before_the_end() -> None:
    """Ninety days before the end of the term, not the cure period, not the notice for convenience."""
    text = (
        "This Agreement shall renew for successive one (1) year terms unless either party gives written notice of "
        "non-renewal at least ninety (90) days prior to the end of the then-current term. Either party may terminate "
        "this Agreement for breach upon thirty (30) days' notice, or for convenience upon sixty (60) days' notice."
    )
    question = "What is the notice period to terminate renewal?"
    given = answer("notice_period_to_terminate_renewal", question, text, kind="duration")
    value = given.items[0].value
    assert isinstance(value, Duration)
    assert (value.number, value.unit) == (90, "day")


def test_a_question_on_something_else_is_read_as_before() -> None:
    """'When does the warranty end?' asks for no end of the contract."""
    term = "The initial term of this Agreement shall commence on the Effective Date and continue for three (3) years."
    given = answer("expiration_date", "When does the warranty of the pumps end?", term, OPENING)
    assert day(given) != date(2023, 6, 1)


US_OPENING = "This Agreement is effective 7/1/98 between A Inc., Santa Clara, CA 95054,\nand B Inc. of the same place."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This Agreement is dated 29/3/18 between A Ltd and B Ltd.", date(2018, 3, 29)),
        ("THIS AGREEMENT IS MADE ON THE 19THDAY OF MAY , 2010 between A Ltd and B Ltd.", date(2010, 5, 19)),
        (
            "This Agreement is made and effective from 5th Day of March, 2019\nBETWEEN:\nA Ltd and B Ltd.",
            date(2019, 3, 5),
        ),
        ("THIS AGREEMENT, dated for reference March 13, 1996, is made between A and B.", date(1996, 3, 13)),
    ],
)
def test_dates_as_contracts_write_them(text: str, expected: date) -> None:
    """Figures of one order only, joined words of a scan, 'made and effective from', 'dated for reference'."""
    assert day(answer("agreement_date", "When was it made?", text)) == expected


def test_a_date_in_figures_is_read_in_the_order_that_the_document_tells() -> None:
    """'7/1/98' beside a postal code of the United States is July 1st, with both readings told and both lines cited."""
    given = answer("effective_date", "From when is it effective?", US_OPENING)
    assert day(given) == date(1998, 7, 1)
    assert any("1998-07-01 or 1998-01-07" in caveat for caveat in given.caveats)


def test_a_date_in_figures_of_unsure_order_is_refused_with_both_readings() -> None:
    """Nothing in the passages tells whether '7/1/98' is in July or in January."""
    given = answer(
        "effective_date", "From when is it effective?", "This Agreement is effective 7/1/98 between A and B."
    )
    assert given.status == "not_found"
    assert any("1998-07-01 or 1998-01-07" in caveat for caveat in given.caveats)


def test_of_two_signatures_the_latest_counts_though_one_is_only_labelled() -> None:
    """'Date: 1/19/07' on a line of its own is the day of a signature where another stands with its signature."""
    opening = 'This Agreement between A and B is entered into as of the date last written below ("the Effective Date").'
    signed = "By: /s/ F. Smith\nName: F. Smith\nDate: January 22, 2007"
    given = answer("effective_date", "From when is it effective?", opening, "Date: 1/19/07", signed)
    assert day(given) == date(2007, 1, 22)


def test_what_begins_beside_the_contract_is_not_its_beginning() -> None:
    """'Effective February 4 (the "Commencement Date"), RCP is undertaking an offering' dates the offering."""
    text = (
        "Effective February 4, 2020 (the “Commencement Date”), RCP is undertaking an initial public offering of shares."
    )
    assert answer("effective_date", "From when is it effective?", text).status == "not_found"


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("The term shall renew for one year terms unless terminated by either party at least six months prior to the expiration of the then-current term.", 6, "month"),
        ("The Agreement may be cancelled before the expiry date of the Agreement or any of its renewals, upon three months prior written notice.", 3, "month"),
        ("This contract is for one year; thereafter, it shall automatically continue until terminated by either party upon thirty (30) days prior written notice.", 30, "day"),
    ],
)  # fmt: skip
def test_notices_against_renewal_in_other_words(text: str, number: int, unit: str) -> None:
    """'unless terminated six months before', 'before the expiry, upon three months', 'until terminated upon notice'."""
    given = answer(
        "notice_period_to_terminate_renewal", "What is the notice period to terminate renewal?", text, kind="duration"
    )
    value = given.items[0].value
    assert isinstance(value, Duration)
    assert (value.number, value.unit) == (number, unit)


def test_a_notice_to_extend_is_none_against_renewal() -> None:
    """A party that takes its option to extend gives notice of another thing."""
    text = "Cisco may, by written notice given at least thirty (30) days prior to the end of the term of the Agreement, extend the term of the Agreement."
    given = answer(
        "notice_period_to_terminate_renewal", "What is the notice period to terminate renewal?", text, kind="duration"
    )
    assert not given.items


def test_the_later_of_two_ends_that_nobody_dates_is_open() -> None:
    """'The longer of fifteen years from the launch or until the last patent' is no term of fifteen years."""
    text = "This Agreement shall continue in force for a period being the longer of fifteen (15) years from first launch of the Product or until the expiration of the last patent."
    given = answer("expiration_date", "When does it end?", text)
    assert isinstance(given.items[0].value, OpenEnd)
    assert given.status == "partial"


def test_a_clause_behind_its_number_and_in_spread_lines_is_prose() -> None:
    """'4.1   TERM. The Term shall ...' is no row of a table."""
    text = "4.1   TERM. The term of this Agreement shall be\nfor a period of  three (3) years from  June 1, 2020."
    assert day(answer("expiration_date", "When does it end?", text)) == date(2023, 6, 1)
