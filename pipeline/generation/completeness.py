"""Whether all that was asked for is given, told by code from the lines: counts, marks, what follows, references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.marks import Mark, mark_of, missing_between
from pipeline.generation.passages import whole_sentences
from pipeline.generation.pointers import unread_pointers
from pipeline.generation.proposal import Draft
from pipeline.generation.stated import stated_count
from pipeline.values import VALUE_TYPES
from schemas.answer import (
    AnswerItem,
    BooleanValue,
    Completeness,
    CompletenessCheck,
    RefusedItem,
    TableValue,
    TextValue,
    TreeValue,
)
from schemas.question import ParsedQuestion
from schemas.retrieval import RetrievalResult, RetrievedCandidate

OPENING_LINES = 3  # lines above the first item in which its opening sentence stands
SHOWN = 60  # characters of a line in a detail
_LAST_BUT_ONE = re.compile(r"[;,]?\s*\b(?:and|or|and/or|y|o|e|et|ou|and either|as well as|así como)\s*$", re.IGNORECASE)
_FINISHED = re.compile(r"[.!?:;](?:[\"”»’')\]]|\s|\(?\d{1,2}\)?)*$")
_RUNS_ON = re.compile(r"^[\s\"“«(]*[a-zà-ÿ]")


@dataclass(frozen=True, slots=True)
class _After:
    """What follows the last line given: inside its own passage, or in the lines peeked at behind it."""

    inside: tuple[str, ...]
    peeked: tuple[str, ...] | None  # None: nobody looked
    is_new_section: bool


def judge(
    question: ParsedQuestion,
    items: Sequence[AnswerItem],
    refused: Sequence[RefusedItem],
    draft: Draft,
    found: RetrievalResult,
    *,
    differ: bool,
    model_says: bool | None = None,
) -> Completeness:
    """The judgement with each sign it rests on; `model_says` is the model's own view, None without a model.

    One sign that something lacks makes the answer incomplete. No sign alone that a model gives makes it complete.
    """
    count, is_list = _count(items), question.answer_shape != "single"
    stated = (draft.stated_count or _stated_above(items, found)) if is_list else None
    checks = _checks(question, items, draft, found, stated=stated, model_says=model_says)
    failed = next((check for check in checks if check.passed is False and check.check != "model"), None)

    def told(complete: bool | None, reason: str) -> Completeness:
        return Completeness(complete=complete, stated_count=stated, found_count=count, reason=reason, checks=checks)

    if refused:
        return told(False, f"{len(refused)} proposed value{'' if len(refused) == 1 else 's'} failed a check")
    if not is_list and differ:
        return told(None, "the document states different values")
    if failed is not None:
        return told(False, failed.detail)
    if not is_list:
        if draft.is_partial:
            return told(None, "answered in part, as the caveats say")
        return told(True, "one answer was asked for and is given")
    passed = next((check for check in checks if check.passed and check.check in _PROVING), None)
    if passed is not None:
        return told(True, draft.completeness_reason or passed.detail)
    return told(None, draft.completeness_reason or "the document states no number")


_PROVING = ("stated_count", "structure", "next_page")  # signs that a list is whole; the others only say what lacks


def _checks(
    question: ParsedQuestion,
    items: Sequence[AnswerItem],
    draft: Draft,
    found: RetrievalResult,
    *,
    stated: int | None,
    model_says: bool | None,
) -> tuple[CompletenessCheck, ...]:
    is_list = question.answer_shape != "single"
    checks: list[CompletenessCheck] = []
    if stated is not None:
        count = _count(items)
        detail = f"the document says there are {stated}, {count} are given"
        checks.append(CompletenessCheck(check="stated_count", passed=stated == count, detail=detail))
    if is_list and question.answer_type not in VALUE_TYPES:
        checks += _list_checks(items, draft, found)
    elif not is_list:
        checks += _clause_checks(items, found)
    checks += _reference_checks(items, found, is_list=is_list)
    if model_says is not None:
        said = "is given" if model_says else "is not given"
        checks.append(CompletenessCheck(check="model", passed=model_says, detail=f"the model says that all {said}"))
    return tuple(checks)


def _list_checks(items: Sequence[AnswerItem], draft: Draft, found: RetrievalResult) -> list[CompletenessCheck]:
    """Marks without a gap from the first on, and what comes after the last item."""
    marks = [mark for mark in map(_mark, items) if mark is not None]
    marks = marks if len(marks) == len(items) > 1 else []  # clauses of which some are numbered are no numbered list
    last = items[-1]
    candidate = _candidate_of(last, found)
    gaps = missing_between(marks)
    if gaps:
        return [CompletenessCheck(check="structure", passed=False, detail=f"the list lacks {', '.join(gaps)}")]
    if candidate is None:
        return (
            [CompletenessCheck(check="structure", passed=True, detail="the list was seen to end")] if draft.ends else []
        )
    after = _after(last, candidate)
    run_on = _next_mark(marks[-1], after.inside) if marks else None
    if run_on is not None:
        detail = f"the list goes on with {run_on!r}, which is not given"
        return [CompletenessCheck(check="structure", passed=False, detail=detail)]
    checks = []
    if after.inside and marks and not _RUNS_ON.match(after.inside[0]):
        detail = f"the list was seen to end before {_short(after.inside[0])!r}"
        checks.append(CompletenessCheck(check="structure", passed=True, detail=detail))
    elif draft.ends or (len(items) > 1 and _LAST_BUT_ONE.search(_words(items[-2]))):
        checks.append(CompletenessCheck(check="structure", passed=True, detail="the list was seen to end"))
    if not after.inside:
        checks += _next_page(marks[-1] if marks else None, _words(last), after)
    return checks


def _clause_checks(items: Sequence[AnswerItem], found: RetrievalResult) -> list[CompletenessCheck]:
    """Whether a clause that is given in its own words stops where its passage was cut; a figure needs no end."""
    last = items[-1] if items else None
    if last is None or not isinstance(last.value, TextValue | BooleanValue):
        return []
    candidate = _candidate_of(last, found)
    after = _after(last, candidate) if candidate is not None else None
    if after is None or after.inside or after.peeked is None:
        return []
    words = _words(last)
    is_cut = (
        not _FINISHED.search(words)
        and not after.is_new_section
        and bool(after.peeked)
        and _RUNS_ON.match(after.peeked[0]) is not None
    )
    detail = f"the sentence runs on past the passage: {_short(after.peeked[0])!r}" if is_cut else "the clause ends here"
    return [CompletenessCheck(check="next_page", passed=not is_cut, detail=detail)]


def _next_page(mark: Mark | None, words: str, after: _After) -> list[CompletenessCheck]:
    """What the lines behind the passage say of a list that reaches its end."""

    def told(passed: bool | None, detail: str) -> list[CompletenessCheck]:
        return [CompletenessCheck(check="next_page", passed=passed, detail=detail)]

    if after.peeked is None:
        return []
    if not after.peeked:
        return told(True, "the document ends after the last item")
    first = after.peeked[0]
    run_on = _next_mark(mark, after.peeked) if mark is not None else None
    if run_on is not None and (not after.is_new_section or _short(first) == run_on):
        return told(False, f"the list runs on past the passages with {run_on!r}")
    if after.is_new_section:
        return told(True, f"something new begins after the last item: {_short(first)!r}")
    if _RUNS_ON.match(first) and not _FINISHED.search(words):
        return told(False, f"the last item runs on past the passages: {_short(first)!r}")
    if mark is None:
        return told(None, f"what follows may belong to it: {_short(first)!r}")
    return told(True, f"what follows the last item is none of the list: {_short(first)!r}")


def _reference_checks(items: Sequence[AnswerItem], found: RetrievalResult, *, is_list: bool) -> list[CompletenessCheck]:
    """Places that a clause names for what was asked and that were not read.

    Those of a figure's clause and of the items of a list are a remark: the figure, the list are given whole.
    """
    left: dict[str, bool] = {}
    for item in items:
        for pointer in unread_pointers(item, found):
            left[pointer.told] = left.get(pointer.told, False) or (pointer.is_whole and not is_list)
    if not left:
        return []
    essential = [told for told, whole in left.items() if whole]
    named = ", ".join(repr(told) for told in (essential or left))
    verb = "is" if len(essential or left) == 1 else "are"
    if essential:
        return [
            CompletenessCheck(check="references", passed=False, detail=f"{named} {verb} not among the passages read")
        ]
    return [CompletenessCheck(check="references", passed=None, detail=f"{named} {verb} named too and {verb} not read")]


def _count(items: Sequence[AnswerItem]) -> int:
    """How many are given: of a tree its top nodes, of a table its rows, else the items."""
    whole = items[0].value if len(items) == 1 else None
    if isinstance(whole, TreeValue):
        return len(whole.nodes)
    return len(whole.rows) if isinstance(whole, TableValue) else len(items)


def _stated_above(items: Sequence[AnswerItem], found: RetrievalResult) -> int | None:
    """How many the sentence says that opens the list of the items; None where none opens it."""
    candidate = _candidate_of(items[0], found)
    if candidate is None or _mark(items[0]) is None:
        return None
    first = items[0].spans[0].line_start
    texts = candidate.text.split("\n")
    above = [text for ref, text in zip(candidate.lines, texts, strict=True) if ref.line_id < first]
    opening = whole_sentences(" ".join(above[-OPENING_LINES:]))
    return stated_count(opening) if opening.rstrip().endswith((":", ":-", "—")) else None


def _mark(item: AnswerItem) -> Mark | None:
    mark = mark_of(f"{item.label} x") if item.label else None
    return mark or mark_of(item.spans[0].quote)


def _candidate_of(item: AnswerItem, found: RetrievalResult) -> RetrievedCandidate | None:
    wanted = item.spans[0].candidate_id  # further spans prove of what it is
    return next((one for one in found.candidates if one.candidate_id == wanted), None)


def _after(item: AnswerItem, candidate: RetrievedCandidate) -> _After:
    last = item.spans[0].line_end
    texts = candidate.text.split("\n")
    inside = tuple(
        text for ref, text in zip(candidate.lines, texts, strict=True) if ref.line_id > last and text.strip()
    )
    peek = candidate.continuation
    if peek is None:
        return _After(inside, None, False)
    return _After(inside, tuple(text for text in peek.text.split("\n") if text.strip()), peek.is_new_section)


def _next_mark(last: Mark, lines: Sequence[str]) -> str | None:
    """The first of the lines that opens with the very next mark, shortened."""
    for line in lines:
        mark = mark_of(line)
        if mark is not None and mark.is_after(last):
            return _short(line)
    return None


def _words(item: AnswerItem) -> str:
    return " ".join(item.spans[0].quote.split())


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1].rstrip() + "…"
