"""Answers that people accepted, asked again: which the code and dictionaries of today would give otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.reviewing.checking import CaseResult, Checked, ask_again
from pipeline.audit.reviewing.decisions import Decision
from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.standing import last_words
from pipeline.audit.reviewing.stored import StoredReview, StoredReviews, valid
from pipeline.opening import Narrate, be_silent
from pipeline.store.documents import load_document
from pipeline.store.runs import load_run
from pipeline.values import same_value
from pipeline.wording import place_of, words_of
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import PipelineError
from schemas.review import Correction, RegressionCase

if TYPE_CHECKING:
    from dictionaries import Dictionaries


def check_accepted(
    root: Path,
    decisions: Sequence[Decision],
    stored: StoredReviews,
    dictionaries: Dictionaries,
    *,
    narrate: Narrate = be_silent,
) -> tuple[Checked, ...]:
    """Each present run that everybody who judged it accepted, asked again by rules, in memory.

    It passes with the same status and the same values; from other lines is told. A run that a model answered is not
    compared with rules, nor is a part of a compound question, whose whole is.
    """
    on_answers = [one for one in valid(stored.found) if one.review.subject == "answer"]
    by_seal: dict[str, list[StoredReview]] = {}
    for (seal, _), words in last_words(on_answers, People(valid(stored.found)))[0].items():
        by_seal.setdefault(seal, []).extend(words)
    documents: dict[str, ParsedDocument | None] = {}
    done: list[Checked] = []
    for one in decisions:
        said = by_seal.get(one.root, [])
        if not said or one.kind != "run" or one.is_part or any(each.review.verdict != "accept" for each in said):
            continue
        narrate(f"asking {one.question} again")
        done.append(_check_one(root, one, said, documents, dictionaries))
    return tuple(done)


def _check_one(
    root: Path,
    decision: Decision,
    said: Sequence[StoredReview],
    documents: dict[str, ParsedDocument | None],
    dictionaries: Dictionaries,
) -> Checked:
    doc_id = decision.doc_id or ""
    right = Correction(
        doc_id=doc_id, document_sha256=decision.seal.documents.get(doc_id, ""), question=decision.question
    )
    reviewers = tuple(sorted({each.review.reviewer for each in said}))
    case = RegressionCase(case_id=said[-1].review_id, run=decision.place, reviewers=reviewers, right=right)
    try:
        saved = load_run(decision.folder)
        question = saved.question.resolved_question or saved.question.original_question
        then = "; ".join(words_of(item.value) for item in saved.answer.items) or None
        right = right.model_copy(update={"question": question, "text": then})
        case = case.model_copy(update={"right": right})
        if saved.answer.answered_by != "rules" or saved.question.settled is not None:
            why = (
                "A model answered it" if saved.answer.answered_by != "rules" else "A reply to a question back shaped it"
            )
            return Checked(case=case, result="not_compared", detail=f"{why}; `lineproof replay` does it again.")
        if doc_id not in documents:
            documents.clear()  # one at a time: runs come by document
            documents[doc_id] = load_document(root, doc_id)
        document = documents[doc_id]
        if document is None or document.sha256 != right.document_sha256:
            return Checked(case=case, result="not_run", detail=f"The document {doc_id} is not in the store.")
        now = ask_again(root, document, question, dictionaries)
    except PipelineError as error:
        return Checked(case=case, result="not_run", detail=str(error))
    given = tuple(words_of(item.value) for item in now.items)
    return Checked(
        case=case, result=_compared(saved.answer, now),
        detail=f"Accepted was {_told(saved.answer)}, given is {_told(now)}.", status=now.status, given=given,
        places=tuple(place_of(span) for item in now.items for span in item.spans),
    )  # fmt: skip


def _compared(then: Answer, now: Answer) -> CaseResult:
    if then.status != now.status or len(then.items) != len(now.items):
        return "failed"
    pairs = list(zip(then.items, now.items, strict=True))
    if not all(same_value(one.value, other.value) for one, other in pairs):
        return "failed"
    same = all(
        [(span.line_start, span.line_end) for span in one.spans] == [(s.line_start, s.line_end) for s in other.spans]
        for one, other in pairs
    )
    return "passed" if same else "other_lines"


def _told(answer: Answer) -> str:
    values = "; ".join(words_of(item.value) for item in answer.items)
    return f"{answer.status}{': ' if values else ''}{values}"
