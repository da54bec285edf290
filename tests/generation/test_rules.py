"""The extractive generator on hand-made passages: the right value, the right lines, or none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.generation import generate
from pipeline.generation.verify import find_faults
from schemas.answer import Amount, Answer, BooleanValue, ConditionalValue, DateValue, Duration, Party, TextValue
from schemas.question import Clarification
from schemas.retrieval import RetrievalResult
from schemas.values import wording_of
from tests.generation.handed import LIABILITY, absent, ask, candidate, concept, found

CAP = (
    "7.2 Liability cap\n"
    "The total aggregate liability of either Party shall not exceed\n"
    "EUR 2,500,000 per Contract Year. The Supplier shall maintain insurance\n"
    "with a limit of EUR 5,000,000 for any one claim."
)
CAP_QUESTION = ask("What is the liability cap?", "amount", concepts=[LIABILITY])


def answer(question: object, result: RetrievalResult) -> Answer:
    """The answer, after an auditor's check that all of it holds."""
    given = generate(question, result)  # type: ignore[arg-type]
    assert find_faults(given, result) == ()
    return given


def test_the_value_nearest_to_the_concepts_term_is_given() -> None:
    """The cap, not the insurance limit beside it; cited by the lines of its sentence, quoted from them."""
    given = answer(CAP_QUESTION, found(candidate(CAP, first=10, page=8, title="7.2 Liability cap")))
    assert given.status == "answered"
    (item,) = given.items
    assert item.value == Amount(
        value=Decimal(2500000), currency="EUR", basis="per Contract Year", original="EUR 2,500,000"
    )
    (span,) = item.spans
    assert (span.line_start, span.line_end, span.page_start, span.page_line_start) == (11, 12, 8, 2)
    assert span.quote == "\n".join(CAP.split("\n")[1:3])
    assert given.text == "EUR 2,500,000 per Contract Year (page 8, lines 2-3)."


def test_a_value_that_the_user_excludes_is_not_given() -> None:
    """'not the insurance' leaves the other amount, and nothing where there is no other."""
    question = ask("What is the limit, not the insurance?", "amount", exclusions=["not the insurance"])
    only = candidate("The insurance has a limit of EUR 5,000,000 for any one claim.")
    assert answer(question, found(only)).status == "not_found"


def test_an_exact_token_must_stand_with_the_value() -> None:
    """The price of another product is no answer."""
    question = ask("What is the price of DM-250?", "amount", anchors=["DM-250"])
    assert answer(question, found(candidate("The price of DM-110 is EUR 14.20."))).status == "not_found"
    given = answer(question, found(candidate("The price of DM-110 is EUR 14.20. The price of DM-250 is EUR 21.75.")))
    assert given.items[0].value == Amount(value=Decimal("21.75"), currency="EUR", original="EUR 21.75")


def test_a_table_row_takes_its_currency_from_the_header() -> None:
    """The number stands in the row, the currency in the column's title; both lines are cited."""
    table = "Code  Product  Unit Price (EUR)  Quantity\nDM-110  Motor  14.20  60,000\nDM-250  Motor  21.75  45,000"
    question = ask("What is the unit price of DM-250?", "amount", anchors=["DM-250"])
    given = answer(question, found(candidate(table)))
    assert given.items[0].value == Amount(value=Decimal("21.75"), currency="EUR", original="21.75")
    assert [(span.line_start, span.line_end) for span in given.items[0].spans] == [(3, 3), (1, 1)]


def test_words_of_the_question_that_stand_nowhere_near_leave_no_value() -> None:
    """A fee is no answer to a question on sample units free of charge."""
    fees = concept(["fee", "fees"], matched_by="charge")
    question = ask("How many sample units are free of charge?", "amount", concepts=[fees])
    assert answer(question, found(candidate("The annual fee is EUR 1,250,000."))).status == "not_found"


def test_different_values_on_one_point_are_all_given() -> None:
    """Two passages, two caps: both are items, the conflict is named, none is chosen."""
    one = candidate("The aggregate liability of a Party shall not exceed EUR 1,000,000.", first=10)
    two = candidate("The aggregate liability of a Party shall not exceed EUR 2,000,000.", first=50, page=4)
    given = answer(CAP_QUESTION, found(one, two))
    assert given.status == "answered"
    assert [item.value.value for item in given.items if isinstance(item.value, Amount)] == [1000000, 2000000]
    (conflict,) = given.conflicts
    assert conflict.candidate_ids == ("p1_l10", "p4_l50")
    assert given.completeness.complete is None
    assert given.text.startswith("The document states different values: EUR 1,000,000 (page 1, line 1) and")


def test_words_and_digits_that_differ_are_a_conflict() -> None:
    """'thirty (60) days' is shown as it is."""
    question = ask("How long is the notice period?", "duration", concepts=[concept(["written notice"])])
    given = answer(question, found(candidate("Either Party may end it on thirty (60) days written notice.")))
    assert {item.value.number for item in given.items if isinstance(item.value, Duration)} == {30, 60}
    assert len(given.conflicts) == 1


def test_a_condition_that_changes_the_value_is_told() -> None:
    """The second period is a case of its own, no conflict and no caveat."""
    text = (
        "The Supplier shall notify a data breach within seventy-two (72) hours.\n"
        "Where it affects more than 500 individuals, the period is twenty-four (24) hours."
    )
    question = ask("Within what time must a data breach be notified?", "duration", concepts=[concept(["data breach"])])
    given = answer(question, found(candidate(text)))
    value = given.items[0].value
    assert isinstance(value, ConditionalValue)
    assert [(branch.condition, wording_of(branch.value)) for branch in value.branches] == [
        ("Where it affects more than 500 individuals", "twenty-four (24) hours"),
        (None, "seventy-two (72) hours"),
    ]
    assert not given.conflicts


def test_a_length_is_not_mistaken_for_a_notice() -> None:
    """The same section names a term and a notice; the question decides."""
    text = "The initial term is five (5) years. Notice of non-renewal shall be given at least ninety (90) days before."
    term = concept(["initial term", "non-renewal"])
    assert answer(ask("How long is the initial term?", "duration", concepts=[term]), found(candidate(text))).items[
        0
    ].value == Duration(number=5, unit="year", original="five (5) years")
    assert answer(ask("How much notice is needed?", "duration", concepts=[term]), found(candidate(text))).items[
        0
    ].value == Duration(number=90, unit="day", original="ninety (90) days")


def test_a_clause_without_the_figure_is_given_as_such() -> None:
    """'Fees paid in the last twelve months' is no amount: the clause is given, in part, with a caveat."""
    text = "The aggregate liability of either Party shall not exceed the fees paid in the preceding year."
    given = answer(CAP_QUESTION, found(candidate(text)))
    assert given.status == "partial"
    assert isinstance(given.items[0].value, TextValue)
    assert "no amount" in given.caveats[0]


def test_where_a_value_is_required_a_clause_without_one_is_not_found() -> None:
    """The proof says what was read, and the nearest passage."""
    dated = concept(["effective date"], value_required=True)
    question = ask("What is the effective date?", "date", concepts=[dated])
    given = answer(question, found(candidate("The effective date shall be agreed by the Parties.")))
    assert given.status == "not_found"
    assert given.absence is not None
    assert (given.absence.level, given.absence.verdict) == ("generation", "not_found")
    assert given.absence.nearest_misses[0].candidate_id == "p1_l1"


def test_pages_that_could_not_be_read_make_absence_inconclusive() -> None:
    """Nobody can say that it is not on page 2."""
    question = ask("What is the effective date?", "date", concepts=[concept(["effective date"], value_required=True)])
    given = answer(question, found(candidate("The effective date shall be agreed."), pages_not_read=(2,)))
    assert given.absence is not None
    assert given.absence.verdict == "inconclusive"
    assert "2" in given.text


@pytest.mark.parametrize(
    ("question", "clause", "expected"),
    [
        ("Is there a non-compete?", "The Supplier shall not sell Competing Products under this non-compete.", True),
        ("Is there a non-compete?", "There is no non-compete between the Parties.", False),
        ("Is there a non-compete?", "Nothing in this Agreement shall be a non-compete of the Supplier.", False),
        ("May the Supplier assign the agreement?", "Neither Party may assign its rights.", False),
        ("Can the Supplier assign the agreement?", "The Supplier may assign its rights freely.", True),
        ("Is the Supplier allowed to assign?", "The Supplier shall not assign any right.", False),
        ("Is assignment prohibited?", "The Supplier shall not assign any right. Assignment is void.", True),
        ("Must the Supplier assign its patents?", "The Supplier is not obliged to assign its patents.", False),
        ("Must the Supplier assign its patents?", "The Supplier shall assign its patents to the Buyer.", True),
        ("Is the license exclusive?", "The license granted hereby is non-exclusive and may be revoked.", False),
        (
            "Does it renew automatically?",
            "It is renewed each year unless notice of non-renewal is given.",
            True,
        ),
        ("¿Puede el Proveedor ceder el contrato?", "El Proveedor no podrá ceder el contrato.", False),
        ("Le Fournisseur peut-il céder le contrat ?", "Le Fournisseur ne peut céder le contrat.", False),
    ],
)
def test_yes_or_no_follows_the_clause(question: str, clause: str, expected: bool) -> None:
    """Presence, permission and duty are three questions; a negation answers each in its own way."""
    terms = concept(["non-compete", "renewed", "assign", "assignment", "license", "ceder", "céder"])
    given = answer(ask(question, "boolean", concepts=[terms]), found(candidate(clause)))
    assert given.status == "answered"
    value = given.items[0].value
    assert isinstance(value, BooleanValue)
    assert value.value is expected
    assert given.items[0].extraction_method == "inferred"
    if not expected:
        assert value.negation
        assert value.negation in clause


@pytest.mark.parametrize(
    "cause", ["If the Buyer fails to pay, the Supplier may assign.", "In the event of breach, it may assign."]
)
def test_a_permission_for_a_cause_is_neither_yes_nor_no(cause: str) -> None:
    """The clause is given, in part: a person has to read under what condition it allows."""
    given = answer(ask("May the Supplier assign?", "boolean", concepts=[concept(["assign"])]), found(candidate(cause)))
    assert given.status == "partial"
    assert isinstance(given.items[0].value, TextValue)


def test_a_clause_that_the_handed_lines_cut_off_decides_nothing() -> None:
    """'However, no assignment shall be' may go on in any way."""
    cut = found(candidate("However, no assignment shall be"))
    given = answer(ask("May the Supplier assign?", "boolean", concepts=[concept(["assignment"])]), cut)
    assert not any(isinstance(item.value, BooleanValue) for item in given.items)


def test_a_reservation_in_the_clause_is_told_with_the_value() -> None:
    """'Subject to Section 7.1' changes what the figure is worth."""
    text = "Subject to Section 7.1, the aggregate liability of either Party shall not exceed EUR 100."
    assert any("Subject to Section 7.1" in caveat for caveat in answer(CAP_QUESTION, found(candidate(text))).caveats)


def test_a_deadline_is_not_taken_for_the_end_of_the_term() -> None:
    """Without a date, only a stated length of the agreement stands in for it."""
    term = concept(["expire", "initial term"])
    question = ask("When does the agreement expire?", "date", concepts=[term])
    due = answer(question, found(candidate("If it expires, the Buyer shall return all goods within thirty (30) days.")))
    assert not any(isinstance(item.value, Duration) for item in due.items)
    stated = answer(question, found(candidate("This Agreement continues for an initial term of five (5) years.")))
    assert (stated.status, stated.items[0].value.kind) == ("partial", "duration")


def test_exceptions_of_a_clause_are_kept() -> None:
    """'No' without 'except with consent' would mislead."""
    clause = "Neither Party may assign its rights without the prior written consent of the other."
    given = answer(ask("May a Party assign?", "boolean", concepts=[concept(["assign"])]), found(candidate(clause)))
    value = given.items[0].value
    assert isinstance(value, BooleanValue)
    assert value.exceptions == ("without the prior written consent of the other",)
    assert any("exception" in caveat for caveat in given.caveats)


def test_a_named_thing_that_stands_nowhere_is_no_yes() -> None:
    """A clause on courts does not make a yes to 'is there arbitration?'."""
    disputes = concept(["arbitration", "dispute resolution", "jurisdiction"])
    clause = "The courts of Ireland shall have exclusive jurisdiction over any dispute."
    given = answer(ask("Is there an arbitration clause?", "boolean", concepts=[disputes]), found(candidate(clause)))
    assert given.status == "partial"
    assert not isinstance(given.items[0].value, BooleanValue)


LIST = (
    "13.1 Termination for cause\n"
    "Either Party may terminate upon any of the following three events:\n"
    "(a) a material breach that is not remedied within\n"
    "thirty (30) days;\n"
    "(b) insolvency; and\n"
    "(c) a change of control.\n"
    "13.2 Consequences\n"
    "The Buyer shall pay for what was delivered."
)


def test_every_list_item_has_its_own_lines_and_the_count_is_checked() -> None:
    """Three are announced, three are given; a value on a new line is no item."""
    question = ask(
        "Which events allow termination for cause?", shape="listing", concepts=[concept(["termination for cause"])]
    )
    given = answer(question, found(candidate(LIST)))
    assert [item.label for item in given.items] == ["(a)", "(b)", "(c)"]
    assert [(item.spans[0].line_start, item.spans[0].line_end) for item in given.items] == [(3, 4), (5, 5), (6, 6)]
    assert (given.completeness.stated_count, given.completeness.complete) == (3, True)
    short = answer(question, found(candidate("\n".join(LIST.split("\n")[:5]))))
    assert (short.status, short.completeness.complete, short.completeness.found_count) == ("partial", False, 2)


def test_the_parties_are_named_with_their_short_names() -> None:
    """Names end before the legal form's description."""
    text = (
        "This Agreement is made by and between Alpha Components, Inc., a Delaware corporation\n"
        "(“Supplier”), and Beta Appliances Ltd., a company registered in Ireland (the “Buyer”)."
    )
    parties = concept(["by and between"], name="parties")
    given = answer(ask("Who are the parties?", "party", shape="listing", concepts=[parties]), found(candidate(text)))
    assert [(item.value.role, item.value.name) for item in given.items if isinstance(item.value, Party)] == [
        ("Supplier", "Alpha Components, Inc."),
        ("Buyer", "Beta Appliances Ltd."),
    ]
    assert given.completeness.complete is True


@pytest.mark.parametrize(
    "between",
    [
        ", with an address at 80 King Street (the “Consultant”), and ",
        ", having its seat in Paris (the “Consultant”), and ",
        ", of (the “Adviser”), and ",
        ", by and (the “Adviser”), and ",
    ],
)
def test_a_party_is_never_a_function_word(between: str) -> None:
    """What describes a party between two short names of it is no other party, nor is a word that only joins."""
    text = (
        f"made by and between GROUPE ALPHA CORP , a (hereinafter, the “Consultant”){between}Sphere Corp. (“Company”)."
    )
    parties = concept(["by and between"], name="parties")
    given = answer(ask("Who are the parties?", "party", shape="listing", concepts=[parties]), found(candidate(text)))
    assert [(item.value.role, item.value.name) for item in given.items if isinstance(item.value, Party)] == [
        ("Consultant", "GROUPE ALPHA CORP"),
        ("Company", "Sphere Corp."),
    ]


def test_a_figure_is_answered_by_its_caption_then_its_mentions() -> None:
    """'Figure 21' is another figure."""
    one = candidate("Figure 2: The attention layers.", first=90, page=4)
    two = candidate("We call it attention (Figure 2). Figure 21 shows more.", first=120, page=5)
    given = answer(ask("What does Figure 2 show?", anchors=["Figure 2"]), found(two, one))
    assert [(item.label, item.spans[0].line_start) for item in given.items] == [("caption", 90), ("mention", 120)]


def test_a_summary_without_a_model_says_that_it_is_none() -> None:
    """Lead sentences, verbatim, with a caveat."""
    text = "6. Confidentiality\nEach Party shall keep the Confidential Information of the other secret. It may use it."
    given = answer(ask("Summarize confidentiality", intent="summarization"), found(candidate(text)))
    assert given.items[0].extraction_method == "verbatim"
    assert "not a summary" in given.caveats[0]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "(page 8, lines 2-3)."), ("es", "(página 8, líneas 2-3)."), ("fr", "(page 8, lignes 2-3).")],
)
def test_the_answer_is_told_in_the_questions_language(language: str, words: str) -> None:
    """The value stays as the document writes it; the words around it are the reader's."""
    question = ask("What is the liability cap?", "amount", concepts=[LIABILITY], language=language)
    given = answer(question, found(candidate(CAP, page=8)))
    assert given.text == f"EUR 2,500,000 per Contract Year {words}"


@pytest.mark.parametrize(("language", "start"), [("en", "Absent:"), ("es", "Ausente:"), ("fr", "Absent :")])
def test_what_retrieval_did_not_find_is_told_with_its_proof(language: str, start: str) -> None:
    """The proof goes through unchanged; the sentence names what was searched."""
    result = absent()
    given = answer(ask("Is there an escrow?", "boolean", language=language), result)
    assert given.status == "not_found"
    assert given.absence == result.absence
    assert given.text.startswith(start)
    assert "escrow (0)" in given.text


def test_an_unclear_question_is_put_back() -> None:
    """Nothing is searched for an answer when the user must be asked first."""
    back = Clarification(question_to_user="Which cap?", reason="two", choices=("a", "b"), default="a")
    given = answer(ask("The cap?", clarification=back), found(candidate(CAP)))
    assert (given.status, given.items) == ("needs_clarification", ())
    assert given.clarification == "Which cap? a / b"


def test_tangential_passages_are_no_answers() -> None:
    """What the arbiter calls tangential is not read for values."""
    given = answer(CAP_QUESTION, found(candidate(CAP, role="tangential")))
    assert given.status == "not_found"


def test_two_runs_give_the_same_bytes_and_leave_the_inputs_alone() -> None:
    """Nothing in the record depends on when or how often."""
    result = found(candidate(CAP, title="7.2 Liability cap"))
    before = CAP_QUESTION.to_json(), result.to_json()
    assert generate(CAP_QUESTION, result).to_json() == generate(CAP_QUESTION, result).to_json()
    assert (CAP_QUESTION.to_json(), result.to_json()) == before


def test_a_saved_answer_reads_back_the_same() -> None:
    """The round trip keeps exact decimals and dates."""
    dated = concept(["effective date"])
    question = ask("What is the effective date?", "date", concepts=[dated])
    given = answer(question, found(candidate("The effective date is the 1st day of March, 2024.")))
    assert given.items[0].value == DateValue(iso="2024-03-01", original="1st day of March, 2024")
    assert Answer.from_json(given.to_json(), where="test") == given
