"""Why and how a document is read once more: terms left unsearched, a clause that points elsewhere, a cut list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dictionaries.folding import folded_text
from pipeline.generation.pointers import Pointer, is_tabular, pointers_of
from pipeline.retrieval.rereading import pointed_places, read_pointed, read_wider
from pipeline.searching import Searching
from schemas.answer import Answer, AnswerItem, TextValue
from schemas.document import ParsedDocument
from schemas.question import Keyword, ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel

MAX_NEW_TERMS = 15  # terms added to a search: METHOD 5.1, drift cap 10 to 15
_CUT = ("structure", "next_page", "stated_count")  # checks that a wider context may mend

Action = Literal["widen", "other_terms", "two_hop"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found and what was answered from it."""

    found: AuditedRetrievalResult
    answer: Answer


@dataclass(frozen=True, slots=True)
class Step:
    """One change that a trigger asks for; `read` gives what is found after it."""

    trigger: str
    action: Action
    detail: str
    key: tuple[str, ...]
    read: Callable[[], AuditedRetrievalResult]


@dataclass(frozen=True, slots=True)
class Task:
    """What all passes share."""

    document: ParsedDocument
    question: ParsedQuestion
    searching: Searching
    llm: LanguageModel | None


def triggered(task: Task, reading: Reading) -> Iterator[Step]:
    """The steps that an answer gives reason for, in order: vocabulary, references, what was cut."""
    answer = reading.answer
    if answer.status in ("not_found", "refused", "partial"):
        yield from _other_terms(task, reading)
    if answer.items:
        yield from _two_hops(task, reading)
        yield from _widening(task, reading)


def _other_terms(task: Task, reading: Reading) -> Iterator[Step]:
    """Terms of the question's concepts that were not searched, and words that the model noticed in what it accepted."""
    question = task.question
    known = {folded_text(word.text) for word in question.keywords}
    left: dict[str, str | None] = {}
    for concept in question.concepts:
        left.update((term, concept.concept_id) for term in concept.terms if folded_text(term) not in known)
    for word in reading.found.discovered_keywords:
        if folded_text(word.text) not in known:
            left.setdefault(word.text, word.concept)
    chosen = list(left.items())[:MAX_NEW_TERMS]
    if not chosen:
        return
    new = tuple(
        Keyword(text=text, source="expert_dictionary" if concept else "llm_expansion", weight=0.7, concept=concept)
        for text, concept in chosen
    )
    widened = question.model_copy(update={"keywords": (*question.keywords, *new)})
    trigger = f"the answer is {reading.answer.status.replace('_', ' ')}, and terms were left unsearched"
    yield Step(
        trigger, "other_terms", f"searched too: {', '.join(text for text, _ in chosen)}",
        ("other_terms", *(text for text, _ in chosen)),
        lambda: task.searching.retrieve(task.document, widened, llm=task.llm),
    )  # fmt: skip


def _two_hops(task: Task, reading: Reading) -> Iterator[Step]:
    """Places that a clause given as the one answer sends to, where it says nothing else on the point.

    An item of a list may send elsewhere; the list that it stands in is the answer, and stays.
    """
    if reading.answer.answer_shape != "single":
        return
    for item in reading.answer.items:
        told = [one.told for one in _sends_to(item) if one.is_whole or not _asks_meaning(task.question)]
        if not told:
            continue
        spans = [(span.line_start, span.line_end) for span in item.spans]
        pointing = tuple(dict.fromkeys(span.candidate_id for span in item.spans))
        for place in pointed_places(task.document, spans):
            if not any(folded_text(name) in folded_text(place.told) for name in told):
                continue
            yield Step(
                f"the clause given only points to {', '.join(map(repr, told))}", "two_hop", f"followed: {place.told}",
                ("two_hop", str(place.line_id)),
                lambda place=place, pointing=pointing: read_pointed(  # type: ignore[misc]
                    task.document, task.question, reading.found, place, instead_of=pointing
                ),
            )  # fmt: skip


def _sends_to(item: AnswerItem) -> list[Pointer]:
    """The places that an item only points to; schedules too where it is short, since they hold the particulars."""
    if not isinstance(item.value, TextValue):
        return []
    return [one for one in pointers_of(item.value.text) if one.is_whole or (one.is_short and is_tabular(one))]


def _asks_meaning(question: ParsedQuestion) -> bool:
    """True for a question of what a term means: its definition answers, whatever schedule it sends to beside."""
    return any(anchor.kind == "defined_term" for anchor in question.anchors)


def _widening(task: Task, reading: Reading) -> Iterator[Step]:
    """More lines around the passages of a list or a clause that was cut."""
    failed = [one for one in reading.answer.completeness.checks if one.check in _CUT and one.passed is False]
    if not failed or reading.answer.refused_items:
        return
    ids = sorted({span.candidate_id for item in reading.answer.items for span in item.spans})
    yield Step(
        failed[0].detail, "widen", f"read on around {', '.join(ids)}", ("widen", *ids),
        lambda: read_wider(task.document, task.question, reading.found, ids),
    )  # fmt: skip
