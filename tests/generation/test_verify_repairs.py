"""What is put right before a proposal is checked, and what is not: a repair leaves no choice and changes no figure."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.generation.checks.ground import Ground
from pipeline.generation.proposal import Method, Proposal, ProposedSpan
from pipeline.generation.verify import Verified, verify
from schemas.values import Amount, BooleanValue, Duration, TextValue, Value
from tests.generation.handed import candidate, found

LINES = """4.1 Fees. The Buyer pays an annual fee of EUR 1,250,000 under this agree-
ment, the Supplier’s “Annual Fee” [3], in four
equal parts. The notice period is
thirty (30) days before the end of the term.
The Supplier may terminate for its convenience. The Buyer may not."""
HANDED = candidate(LINES, first=40, page=3)
LONG = candidate("It is\npaid\nat once. The period of\nnotice is at least\nthirty (30) days. It is final.", first=40)
SENTENCE = "The notice period is thirty (30) days before the end of the term."
DAYS = Duration(number=Decimal(30), unit="day", original="thirty (30) days")


def check(value: Value, first: int, last: int, *, kind: str = "text") -> Verified:
    """What becomes of a value of a model with these lines."""
    span = ProposedSpan(HANDED.candidate_id, first, last)
    method: Method = "inferred" if isinstance(value, BooleanValue) else "verbatim"
    return verify(Proposal(value, (span,), "", "llm", method), Ground(found(HANDED), "", kind))


def lines_of(verified: Verified) -> tuple[int, int]:
    """The lines that are cited in the end."""
    return verified.spans[0].line_start, verified.spans[0].line_end


@pytest.mark.parametrize(("first", "last"), [(43, 44), (41, 44)])
def test_a_range_that_cuts_the_sentence_takes_the_whole_of_it(first: int, last: int) -> None:
    """Inside the sentence, or around all of it: the sentence's own lines are cited, and the record says so."""
    days = Duration(number=Decimal(30), unit="day", original="thirty (30) days")
    span = ProposedSpan(LONG.candidate_id, first, last)
    verified = verify(Proposal(days, (span,), "", "llm"), Ground(found(LONG), "", "duration"))
    assert verified.failed == ()
    assert lines_of(verified) == (42, 44)
    assert verified.as_item().outcome == "repaired"
    assert [(one.what, one.after) for one in verified.repairs] == [("line_range", "42-44")]
    assert "put right from" in verified.checks[0].detail


def test_a_shifted_range_is_refused() -> None:
    """It holds the value, cuts its sentence and runs on into the next: a citation of something else."""
    refused = check(DAYS, 43, 44, kind="duration").failed
    assert [one.check for one in refused] == ["value_in_lines"]


def test_words_that_are_half_cited_are_refused() -> None:
    """One line short or one line on: what is not cited is not proven, although it stands right beside."""
    assert check(TextValue(text=SENTENCE), 43, 43).failed
    assert check(TextValue(text=SENTENCE), 43, 44).failed


def test_a_neighbouring_line_proves_nothing() -> None:
    """Where the cited lines hold no part of the words, the citation is wrong and the item refused."""
    assert next(one.check for one in check(DAYS, 44, 44, kind="duration").failed) == "value_in_lines"
    assert check(TextValue(text="equal parts."), 40, 41).failed


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("under this agreement, the Supplier's \"Annual Fee\", in four equal parts.",
         "under this agree- ment, the Supplier’s “Annual Fee” [3], in four equal parts."),
    ],
)  # fmt: skip
def test_a_spelling_is_put_right(words: str, after: str) -> None:
    """Hyphens at line ends, quotation marks and reference marks: what is given are the lines' own characters."""
    verified = check(TextValue(text=words), 40, 42)
    assert verified.failed == ()
    assert isinstance(verified.proposal.value, TextValue)
    assert verified.proposal.value.text == after
    assert [one.what for one in verified.repairs] == ["value_text"]


def test_a_figure_is_never_put_right() -> None:
    """A digit that differs is refused, however alike the rest is."""
    words = "The Buyer pays an annual fee of EUR 1,250,001 under this agreement, the Supplier's"
    assert check(TextValue(text=words), 40, 41).failed
    wrong = Amount(value=Decimal(1250001), currency="EUR", original="EUR 1,250,001")
    assert check(wrong, 40, 42, kind="amount").failed


def test_the_same_value_in_other_words_is_given_in_the_lines_words() -> None:
    """Digits for words: where the lines state it once, and nothing else of its kind."""
    verified = check(Duration(number=Decimal(30), unit="day", original="30 days"), 42, 43, kind="duration")
    assert verified.failed == ()
    assert isinstance(verified.proposal.value, Duration)
    assert verified.proposal.value.original == "thirty (30) days"


def test_a_quotation_in_other_words_is_refused() -> None:
    """It comes to the same and still stands nowhere: what is given as the document's words must be the document's."""
    value = Amount(value=Decimal(1250000), currency="EUR", original="EUR 1.25 million")
    assert check(value, 40, 42, kind="amount").failed
    whole = Duration(number=Decimal(30), unit="day", original="30 whole days")
    assert check(whole, 42, 43, kind="duration").failed


def test_sixty_months_are_not_put_right_to_five_years() -> None:
    """Equal in length, and still no wording of the document: the unit stays what it was proposed as."""
    handed = candidate("The term is five (5) years.", first=1)
    value = Duration(number=Decimal(60), unit="month", original="sixty (60) months")
    span = ProposedSpan(handed.candidate_id, 1, 1)
    assert verify(Proposal(value, (span,), "", "llm"), Ground(found(handed), "", "duration")).failed


def test_a_clause_without_what_negates_it_is_refused() -> None:
    """A piece of a sentence is widened to the whole of it, but not where the rest turns it."""
    whole = check(BooleanValue(value=True, clause="The Supplier may terminate"), 44, 44, kind="boolean")
    assert whole.failed == ()
    assert isinstance(whole.proposal.value, BooleanValue)
    assert whole.proposal.value.clause == "The Supplier may terminate for its convenience."
    cut = check(BooleanValue(value=True, clause="The Buyer may"), 44, 44, kind="boolean")
    assert next(one.check for one in cut.failed) == "value_in_lines"


def test_a_name_with_non_negates_nothing() -> None:
    """'Non-Disclosure' beside the words is a thing; 'Disclosure' cut out of it is another thing."""
    handed = candidate("Under the Mutual Non-Disclosure Agreement the Buyer pays the fee.", first=1)
    span = ProposedSpan(handed.candidate_id, 1, 1)

    def fails(words: str) -> bool:
        return bool(
            verify(Proposal(TextValue(text=words), (span,), "", "llm"), Ground(found(handed), "", "text")).failed
        )

    assert not fails("the Buyer pays the fee.")
    assert fails("Disclosure Agreement")
