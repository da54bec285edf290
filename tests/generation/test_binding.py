"""A value belongs to what was asked: by the words of its own part, not because it stands near."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from pipeline.generation.binding import parts_of
from pipeline.generation.marks_asked import marks_of, periods_of, times_of
from pipeline.generation.roles_of_values import choice_of, is_denied, misfit_of
from pipeline.generation.senses import unit_asked
from pipeline.values import find_values
from schemas.answer import Amount, ConditionalValue, Duration, Percentage
from schemas.question import Concept
from tests.generation.handed import ask, candidate, concept, found

FEES = concept(["fee", "fees", "redevance", "penalización", "penalty"], matched_by="fee")
COVER = concept(["insurance", "insure", "insures"], name="insurance", matched_by="insurance")


def _given(
    question: str, kind: str, text: str, *, topic: Concept | None = None, language: str = "en"
) -> tuple[str, str]:
    """Status and first value, as the document writes it; '' where none is given."""
    concepts = [topic] if topic is not None else []
    told = generate(ask(question, kind, concepts=concepts), found(candidate(text)))
    value = told.items[0].value if told.items else None
    return told.status, str(getattr(value, "original", ""))


@pytest.mark.parametrize(
    ("question", "kind", "text", "expected"),
    [
        (
            "What is the cyber insurance amount?", "amount",
            "Vendor shall carry fire insurance of $2,000,000 per claim, and cyber insurance of at least $7 million.",
            "$7 million",
        ),
        (
            "Within how many days is a disputed invoice paid?", "duration",
            "Buyer pays each undisputed invoice within 30 days. Disputed invoices are paid within eighty (80) days.",
            "eighty (80) days",
        ),
        (
            "How fast must the lift be repaired in an emergency?", "duration",
            "The Owner shall repair the lift within ten days of notice, or within six hours in an emergency.",
            "six hours",
        ),
        (
            "What share of the survey fee does the Buyer bear?", "percentage",
            "The survey fee shall be borne as to 70% by the Seller and 30% by the Buyer.", "30%",
        ),
        (
            "What is the default interest rate?", "percentage",
            "The interest rate is the base rate plus 2%, increasing to 5% while an Event of Default continues.", "5%",
        ),
        (
            "What is the storage fee?", "amount",
            "The client pays a handling fee of EUR 300 and a storage fee of EUR 45.", "EUR 45",
        ),
        (
            "What is the handling fee?", "amount",
            "The client pays a handling fee of EUR 300 and a storage fee of EUR 45.", "EUR 300",
        ),
    ],
)  # fmt: skip
def test_of_several_values_the_one_that_the_question_qualifies(
    question: str, kind: str, text: str, expected: str
) -> None:
    """The qualifying words of the question decide between the values of one clause, wherever they stand in it."""
    assert _given(question, kind, text) == ("answered", expected)


@pytest.mark.parametrize(
    ("question", "language", "text", "expected"),
    [
        ("¿Cuál es la penalización máxima?", "es",
         "El Proveedor pagará una penalización de 300 euros por día, con un máximo de 9.000 euros.", "9.000 euros"),
        ("Quelle est la redevance annuelle ?", "fr",
         "Le Client verse une redevance mensuelle de 2 000 €, soit 24 000 € par an.", "24 000 €"),
        ("Quelle est la redevance mensuelle ?", "fr",
         "Le Client verse une redevance mensuelle de 2 000 €, soit 24 000 € par an.", "2 000 €"),
        ("What is the annual fee?", "en",
         "The Customer pays a fee of $100 per month, or $1,100 per year if paid in advance.", "$1,100"),
    ],
)  # fmt: skip
def test_periods_and_bounds_bind_in_other_words(question: str, language: str, text: str, expected: str) -> None:
    """'annuelle' is 'par an', and 'máxima' is 'con un máximo de'."""
    told = generate(ask(question, "amount", concepts=[FEES], language=language), found(candidate(text)))
    value = told.items[0].value
    if isinstance(value, ConditionalValue):
        assert expected in [getattr(branch.value, "original", "") for branch in value.branches]
    else:
        assert getattr(value, "original", "") == expected


def test_a_denied_value_is_none() -> None:
    """'not X but Y' states Y."""
    text = "The agency fee is not EUR 9,000 but EUR 4,000 per year."
    assert _given("What is the agency fee?", "amount", text, topic=FEES) == ("answered", "EUR 4,000")


@pytest.mark.parametrize(
    ("before", "denied"),
    [
        ("the fee is not ", True),
        ("the fee is not less than ", False),
        ("instead of ", True),
        ("El precio no es de ", True),
        ("La redevance n'est plus de ", True),
        ("no fewer than ", False),
        ("whether or not ", False),
    ],
)
def test_what_denies_a_value(before: str, denied: bool) -> None:
    """A negation right before the value denies it; a comparison does not."""
    assert is_denied(before) is denied


def test_the_value_before_a_change_gives_way_unless_it_is_asked_for() -> None:
    """'increased from X' is what held once."""
    text = "The Facility is US$ 25 million. The Facility was increased from US$ 20 million on 1 March 2020."
    assert _given("What is the amount of the Facility?", "amount", text)[1] == "US$ 25 million"
    amount = find_values("US$ 20 million", "amount")[0].value
    assert misfit_of("The Facility was increased from ", " on", amount, "What was the original amount?") == ""


def test_a_fee_of_another_kind_is_refused_and_named() -> None:
    """An agency fee is no arrangement fee: the nearest value is named, and none is given."""
    told = generate(
        ask("What is the arrangement fee?", "amount", concepts=[FEES]),
        found(candidate("An agency fee of EUR 4,000 is payable each year.")),
    )
    assert told.status == "not_found"
    assert any("EUR 4,000" in one and "agency fee" in one for one in told.caveats)


def test_a_case_that_the_clause_does_not_state_is_refused() -> None:
    """Deductibles for water and for fire are none for theft."""
    text = "The deductible is CHF 1,000 for water and CHF 2,500 for fire."
    excess = concept(["deductible"], matched_by="deductible")
    assert _given("What is the deductible for theft?", "amount", text, topic=excess)[0] == "not_found"
    assert "CHF 2,500" in _given("What is the deductible for fire?", "amount", text, topic=excess)[1]


def test_a_sum_stated_as_a_share_is_given_as_one_and_in_part() -> None:
    """'An arrangement fee of 1 %' answers how much, with a caveat."""
    text = "An arrangement fee of 1% of the loan is payable on signing. The agency fee is EUR 4,000."
    told = generate(ask("What is the arrangement fee?", "amount", concepts=[FEES]), found(candidate(text)))
    assert told.status == "partial"
    assert isinstance(told.items[0].value, Percentage)
    assert any("state a percentage" in one for one in told.caveats)


def test_a_value_given_in_the_question_is_not_its_answer() -> None:
    """The discount above $400 is the percentage of that tier, and the threshold of no tier."""
    text = "If annual spend exceeds $200, a discount of 5% applies; if it exceeds $400, a discount of 8% applies."
    told = generate(ask("What discount applies if annual spend exceeds $400?", "amount"), found(candidate(text)))
    assert not any(isinstance(item.value, Amount) for item in told.items)
    value = told.items[0].value
    assert isinstance(value, Percentage | ConditionalValue)
    assert "8%" in told.text


def test_a_look_back_is_no_term() -> None:
    """The twelve months whose fees cap the liability are not how long the contract lasts."""
    text = "Under this term liability shall not exceed the fees paid in the twelve (12) months before the claim."
    told = generate(ask("How long is the term?", "duration", concepts=[concept(["term"])]), found(candidate(text)))
    assert not any(isinstance(item.value, Duration) for item in told.items)


def test_a_day_is_no_end_where_nothing_speaks_of_one() -> None:
    """The day of signing is not when the lease ends."""
    text = "This Lease is made on 2 May 2018 between Elm Limited and Dove LLP."
    assert _given("When does the lease end?", "date", text)[0] == "not_found"


def test_the_greater_of_two_is_not_flattened() -> None:
    """One operand of a comparison is given in part, with both in a caveat."""
    text = "The liability shall not exceed the greater of (a) $500,000 and (b) the fees paid under this Agreement."
    told = generate(
        ask("What is the liability cap?", "amount", concepts=[concept(["liability"])]), found(candidate(text))
    )
    assert told.status == "partial"
    assert any("(a) $500,000 and (b) the fees paid" in one for one in told.caveats)


@pytest.mark.parametrize(
    "sentence",
    [
        "Liability is limited to the lower of 5 euros and 20 %.",
        "Liability is limited to 5 euros or the fees paid, whichever is higher.",
        "La responsabilidad no excederá de la mayor de 5 euros y los honorarios.",
        "La responsabilidad será de 5 euros o los honorarios, lo que resulte mayor.",
        "La responsabilité est limitée au plus élevé de 5 euros et des honoraires, soit le plus élevé des deux.",
    ],
)
def test_a_choice_between_values_is_seen_in_three_languages(sentence: str) -> None:
    """'whichever is higher', 'lo que resulte mayor', 'le plus élevé des deux'."""
    at = sentence.index("5 euros")
    assert choice_of(sentence, at, at + 7)


def test_a_sum_for_another_period_is_told_with_its_exact_product() -> None:
    """Twelve monthly fees are a year's, if every month is due; the answer is partial."""
    text = "The Customer shall pay the Provider a fee of USD 500 per month."
    told = generate(ask("How much does the Customer pay per year?", "amount", concepts=[FEES]), found(candidate(text)))
    assert told.status == "partial"
    assert any("500 x 12 = USD 6,000 per year" in one for one in told.caveats)


def test_exact_parts_of_a_period() -> None:
    """A year is twelve months and four quarters; of weeks and days nothing is exact."""
    assert times_of("year", "quarter") == 4
    assert times_of("month", "day") is None


def test_marks_are_read_in_three_languages() -> None:
    """How a rent is paid is not what it is per."""
    assert periods_of("an annual rent, payable quarterly in advance") == {"year"}
    assert periods_of("500 euros por día") == {"day"}
    assert periods_of("54 006 € par an") == {"year"}
    assert marks_of("con un máximo de") == {"maximum"}
    assert marks_of("is not less than") == {"minimum"}


def test_a_part_takes_over_the_name_that_it_lacks() -> None:
    """The second sum of one cover is of that cover; the third has a name of its own."""
    text = "Vendor shall carry fire insurance of $1 per claim and $2 in all, and cyber insurance of $3."
    parts = parts_of(text, [(one.start, one.end) for one in find_values(text, "amount")])
    assert ["fire" in part.words for part in parts] == [True, True, False]
    assert ["cyber" in part.own for part in parts] == [False, False, True]
    assert all("vendor" in part.words for part in parts)


def test_a_heading_at_the_head_of_its_paragraph_is_no_answer() -> None:
    """'2. Deposit.' is followed by what it is."""
    text = "2. Deposit. The Tenant pays a deposit of three months' rent."
    told = generate(ask("What is the deposit?", concepts=[concept(["deposit"])]), found(candidate(text)))
    assert told.items
    assert "three months" in told.text


def test_a_supporting_passage_with_every_word_comes_before_a_primary_one_off_the_topic() -> None:
    """A fee of an expert is no insurance, whatever the arbiter thought of its passage."""
    told = generate(
        ask("For how much does the tenant insure its contents?", "amount", concepts=[COVER]),
        found(
            candidate("The fee of the expert shall not exceed £5,000, paid by the Tenant."),
            candidate("The Tenant insures its contents for £400,000.", first=40, role="supporting"),
        ),
    )
    assert told.items
    assert getattr(told.items[0].value, "original", "") == "£400,000"


def test_line_ends_and_hard_spaces_hide_nothing() -> None:
    """A denial or a comparison that a line end or a hard space cuts is read all the same."""
    assert is_denied("the fee is\nnot\u00a0")
    assert choice_of("the greater\nof\u00a0(a) 5 euros and (b) the fees", 19, 26)
    part = find_values("twelve (12) months", "duration")[0].value
    assert misfit_of("during the first ", " of the initial term", part, "How long is the term?")
    months = find_values("twelve (12) months", "duration")[0].value
    assert misfit_of("the fees paid in\nthe\u00a0", "\u00a0before the claim", months, "How long is the term?")


def test_days_come_before_business_days_where_days_are_asked_for() -> None:
    """The unit that a question counts in decides between values that nothing else tells apart."""
    assert unit_asked("Within how many days may it be bought?") == "day"
    assert unit_asked("¿En cuántos días hábiles se paga?") == "business_day"
    assert unit_asked("Combien de mois dure le préavis ?") == "month"
    assert unit_asked("How long is the term?") is None
