"""Whether an answer is whole: stated numbers, marks without a gap, what follows the passages, places not read."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from pipeline.generation.marks import Mark, mark_of, missing_between
from pipeline.generation.pointers import pointers_of
from pipeline.generation.stated import stated_count
from schemas.answer import Answer
from schemas.retrieval import Continuation, LineRef, RetrievedCandidate
from tests.generation.handed import ask, candidate, concept, found

EVENTS = concept(["events of default"])
LIST = "The events of default are:\n(a) breach;\n(b) insolvency;\n(c) change of control;"


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("terminate upon any of the following three events:", 3),
        ("The CSF Core has six Functions, as follows:", 6),
        ("the following six:", 6),
        ("each of the four (4) conditions below", 4),
        ("cada uno de los cinco supuestos siguientes:", 5),
        ("Se deberán cumplir las tres condiciones siguientes:", 3),
        ("les trois conditions suivantes :", 3),
        ("l'une des quatre hypothèses suivantes :", 4),
        ("within thirty (30) days after any of the following:", None),
        ("The two directors shall:", None),
        ("one of the following", None),
        ("The two parties agree:", None),
    ],
)
def test_the_number_that_a_sentence_states(words: str, count: int | None) -> None:
    """Elements are counted in three languages; days, parties and those who act are not."""
    assert stated_count(words) == count


def marks(*written: str) -> list[Mark]:
    """The marks as read."""
    return [mark for one in written if (mark := mark_of(f"{one} words")) is not None]


@pytest.mark.parametrize(
    ("written", "lacking"),
    [
        (("(a)", "(b)", "(c)"), ()),
        (("(i)", "(ii)", "(iii)", "(iv)"), ()),
        (("(h)", "(i)", "(j)"), ("what comes before (h)",)),
        (("(a)", "(b)", "(d)"), ("1 item between (b) and (d)",)),
        (("2.", "3."), ("what comes before 2.",)),
        (("•", "•"), ()),
    ],
)
def test_what_lacks_in_a_run_of_marks(written: tuple[str, ...], lacking: tuple[str, ...]) -> None:
    """A gap and a missing start are named; a letter may be a roman number."""
    assert missing_between(marks(*written)) == lacking


def followed(one: RetrievedCandidate, *after: str, new: bool = False) -> RetrievedCandidate:
    """The candidate with the lines that stand behind it."""
    first = one.lines[-1].line_id + 1
    refs = tuple(LineRef(line_id=first + at, page_num=2, line_num=at + 1) for at in range(len(after)))
    return one.model_copy(update={"continuation": Continuation(lines=refs, text="\n".join(after), is_new_section=new)})


def listed(one: RetrievedCandidate) -> Answer:
    """The events that are listed."""
    return generate(ask("What are the events of default?", shape="listing", concepts=[EVENTS]), found(one))


def signs(answer: Answer) -> dict[str, bool | None]:
    """The outcome of every sign."""
    return {check.check: check.passed for check in answer.completeness.checks}


def test_a_list_that_runs_on_behind_the_passage_is_cut() -> None:
    """The next mark stands on the next page: partial, and the line is named."""
    answer = listed(followed(candidate(LIST), "(d) loss of a licence; and", "(e) fraud."))
    assert (answer.status, answer.completeness.complete) == ("partial", False)
    assert signs(answer) == {"next_page": False}
    assert "(d) loss of a licence" in answer.completeness.reason


def test_a_new_heading_behind_the_passage_bounds_the_list() -> None:
    """What follows begins something new."""
    answer = listed(followed(candidate(LIST), "3. Term", "(d) of the term", new=True))
    assert (answer.status, answer.completeness.complete) == ("answered", True)
    assert signs(answer)["next_page"] is True


def test_the_end_of_the_document_bounds_the_list() -> None:
    """Nothing follows at all."""
    assert listed(followed(candidate(LIST))).completeness.complete is True


def test_without_a_look_behind_nothing_is_claimed() -> None:
    """An older record does not say what follows: whole or not cannot be told."""
    assert listed(candidate(LIST)).completeness.complete is None


def test_a_gap_in_the_marks_makes_a_list_incomplete() -> None:
    """(c) is missing."""
    answer = listed(
        candidate("The events of default are:\n(a) breach;\n(b) insolvency; and\n(d) fraud.\n3. Term\nText.")
    )
    assert answer.completeness.complete is False
    assert "between (b) and (d)" in answer.completeness.reason


def test_a_mismatch_with_the_stated_number_is_partial() -> None:
    """Four are stated, three are given, both numbers are told."""
    answer = listed(candidate(f"The following four {LIST[4:]}\n3. Term\nText."))
    assert (answer.status, answer.completeness.stated_count, answer.completeness.found_count) == ("partial", 4, 3)
    assert answer.completeness.reason == "the document says there are 4, 3 are given"


def test_a_clause_cut_in_the_middle_is_partial() -> None:
    """The sentence goes on in small letters behind the passage."""
    question = ask("What does the warranty cover?", concepts=[concept(["warranty"])])
    text = "5. Warranty\nThe warranty covers all defects in material and workmanship that the Supplier"
    answer = generate(question, found(followed(candidate(text), "has caused within two years.")))
    assert (answer.status, signs(answer)["next_page"]) == ("partial", False)


def test_a_clause_that_only_points_elsewhere_is_partial() -> None:
    """'is as set out in Schedule 2', and Schedule 2 is not among the passages."""
    question = ask("What is the service level?", concepts=[concept(["service level"])])
    answer = generate(question, found(candidate("The service level is as set out in Schedule 2.")))
    assert signs(answer)["references"] is False
    assert "Schedule 2" in answer.completeness.reason
    read = candidate("Schedule 2\nThe service level is 99.9 % of each month.", first=30, page=5, role="supporting")
    whole = generate(question, found(candidate("The service level is as set out in Schedule 2."), read))
    assert "references" not in signs(whole)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The Fee is as set out in Schedule 2.", [True]),
        ("“Term” has the meaning given in Section 3.1.", [True]),
        ("El precio es el indicado en el Anexo 1.", [True]),
        ("Le prix est fixé à l'annexe 2.", [True]),
        ("Supplier breaches the obligations set out in Section 9.", [False]),
        ("No party is liable, except as set forth in Section 8.", []),
        ("as defined in Section 365 of the Bankruptcy Code", []),
        ("The goods are blue.", []),
    ],
)
def test_what_a_clause_sends_to(text: str, whole: list[bool]) -> None:
    """A clause that says nothing but where is told from one that names a place in passing; exceptions send nowhere."""
    assert [one.is_whole for one in pointers_of(text)] == whole
