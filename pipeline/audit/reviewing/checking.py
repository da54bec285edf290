"""The cases asked again by rules, with today's code and dictionaries: which still go wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from pipeline.asking import Asking, stored_stage
from pipeline.opening import Narrate, Parsed, be_silent
from pipeline.searching import Searching
from pipeline.store.documents import load_document
from pipeline.wording import place_of, words_of
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import PipelineError
from schemas.record import Part
from schemas.review import Correction, RegressionCase

if TYPE_CHECKING:
    from dictionaries import Dictionaries

Judge = Callable[[str, Answer], bool | None]  # the expected value, the answer: right or not; None: cannot be compared
CaseResult = Literal["passed", "other_lines", "failed", "not_run", "not_compared"]


class Checked(Part):
    """What a case came to today."""

    case: RegressionCase = Field(description="The case.")
    result: CaseResult = Field(
        description="passed; other_lines: the right value, proven by other lines than the reviewer's; failed; not_run: "
        "the document is not there, or cannot be asked; not_compared: rules say nothing of it."
    )
    detail: str = Field(description="What was expected and what was given, in one sentence.")
    status: str | None = Field(default=None, description="Status of the answer; null where it was not asked.")
    given: tuple[str, ...] = Field(default=(), description="Its values.")
    places: tuple[str, ...] = Field(default=(), description="Where they stand.")


def check_cases(
    root: Path,
    cases: Sequence[RegressionCase],
    dictionaries: Dictionaries,
    *,
    judge: Judge,
    narrate: Narrate = be_silent,
) -> tuple[Checked, ...]:
    """Each case asked again on its stored document, by rules, in memory; nothing is saved and no model is called.

    What cannot be asked (its document is gone, or another) is told, and counts as no pass.
    """
    documents: dict[str, ParsedDocument | None] = {}
    done: list[Checked] = []
    for case in cases:
        right = case.right
        try:
            if right.doc_id not in documents:
                documents = {right.doc_id: load_document(root, right.doc_id)}  # one at a time: cases come by document
            document = documents[right.doc_id]
            if document is None or document.sha256 != right.document_sha256:
                why = "is not in the store" if document is None else "is another now"
                done.append(Checked(case=case, result="not_run", detail=f"The document {right.doc_id} {why}."))
                continue
            narrate(f"asking {len(done) + 1} of {len(cases)} cases again")
            answer = ask_again(root, document, right.question, dictionaries)
        except PipelineError as error:
            done.append(Checked(case=case, result="not_run", detail=str(error)))
        else:
            done.append(_checked(case, answer, judge))
    return tuple(done)


def ask_again(root: Path, document: ParsedDocument, question: str, dictionaries: Dictionaries) -> Answer:
    """The answer of today's rules to a question on a stored document; nothing is saved."""
    parsed = Parsed(root, document, b"", stored_stage(document), ())
    asking = Asking(parsed, dictionaries, None, be_silent, None, Searching(), saving=False)
    return asking.ask(question).answer


def _checked(case: RegressionCase, answer: Answer, judge: Judge) -> Checked:
    right = case.right
    given = tuple(words_of(item.value) for item in answer.items)
    told = f"{answer.status}{': ' if given else ''}{'; '.join(given)}"
    result: CaseResult = "failed"
    if right.text is None:
        result = "passed" if answer.status == "not_found" else "failed"
    elif answer.items and judge(right.text, answer):
        result = "passed" if _on_its_lines(right, answer) else "other_lines"
    return Checked(
        case=case, result=result, detail=f"Expected {right.text or 'not in the document'}, given {told}.",
        status=answer.status, given=given,
        places=tuple(place_of(span) for item in answer.items for span in item.spans),
    )  # fmt: skip


def _on_its_lines(right: Correction, answer: Answer) -> bool:
    """True where a cited span holds one of the reviewer's lines, or they named none."""
    wanted = set(right.line_ids)
    spans = [span for item in answer.items for span in item.spans]
    return not wanted or any(span.line_start <= line <= span.line_end for line in wanted for span in spans)
