"""`dict diff`: which stored answers an edit of a dictionary would change, found by asking again in memory, by rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from dictionaries import Dictionaries
from dictionaries.changes import Changes, changes_between
from dictionaries.file_format import DictionaryFile
from pipeline.generation import generate
from pipeline.lifecycle.editing import in_force, with_edit
from pipeline.lifecycle.observed import Unread, name_of, saved_runs
from pipeline.question import QuestionContext, parse_question
from pipeline.question.clarify import memory_key
from pipeline.retrieval import retrieve
from pipeline.store.documents import load_document
from pipeline.store.runs import SavedRun
from pipeline.wording import place_of, words_of
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import QuestionError, RecordError
from schemas.question import ParsedQuestion
from schemas.record import Part, Stamp
from schemas.retrieval import AuditedRetrievalResult

AGREED = 1_000.0  # votes for the choice that a run was settled by: more than any other has, so that it is taken again
_NO_STAMP = Stamp(lineproof="", libraries={}, input_sha256={}, settings={})


class Outcome(Part):
    """What a run comes to."""

    status: str = Field(description="Status of the answer.")
    values: tuple[str, ...] = Field(description="The values, best first.")
    absence: str | None = Field(description="Verdict of the absence proof ('proven_absent'); null where one was found.")
    places: tuple[str, ...] = Field(description="Pages and lines that prove them, in the same order.")
    concepts: tuple[str, ...] = Field(description="Concepts of the question, 'dictionary.concept', best first.")
    candidates: tuple[str, ...] = Field(description="Passages that are kept, best first, 'role id'.")

    @property
    def answer(self) -> tuple[object, ...]:
        """What a reader of the answer sees."""
        return self.status, self.values, self.places, self.absence


class RunDifference(Part):
    """One stored run that the edit touches."""

    run: str = Field(description="The run, '<doc_id>/<slug>_<hash>'.")
    doc_id: str = Field(description="The document.")
    source_name: str = Field(description="Name of the document's file.")
    question: str = Field(description="The question, verbatim.")
    asked_as: str | None = Field(description="The question made complete, which was asked again; null: as it was put.")
    made_with_model: bool = Field(description="The stored answer was made with a model; it is compared by rules.")
    stored_status: str = Field(description="Status of the stored answer.")
    stored_differs: bool = Field(description="The stored answer is not what rules give now, before the edit.")
    answer_changes: bool = Field(
        description="Status, values, lines or absence verdict change; else concepts or passages."
    )
    before: Outcome = Field(description="By rules, with the dictionary in force.")
    after: Outcome = Field(description="By rules, with the edited one.")
    gained: tuple[str, ...] = Field(description="Passages kept after and not before.")
    lost: tuple[str, ...] = Field(description="Passages kept before and not after.")


class Comparison(Part):
    """What an edit would change, before it is accepted."""

    dictionary: str = Field(description="Name of the dictionary.")
    former_version: str | None = Field(description="Version in force; null for a new dictionary.")
    edited_version: str = Field(description="Version that the edited one says it has.")
    changes: Changes | None = Field(description="What changes in the dictionary; null for a new one.")
    concept_count: int = Field(description="Concepts of the edited one.")
    run_count: int = Field(description="Stored runs that were compared.")
    same_reading_count: int = Field(
        description="Of these, runs whose question both dictionaries read alike: nothing that follows can differ."
    )
    unchanged_count: int = Field(description="Runs of which nothing changes.")
    differences: tuple[RunDifference, ...] = Field(description="The others, changed answers first, then by run.")
    unread: tuple[tuple[str, str], ...] = Field(description="Runs that could not be asked again, and why.")

    @property
    def changed_answers(self) -> int:
        """How many stored answers would change."""
        return sum(one.answer_changes for one in self.differences)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The dictionaries without and with the edit."""

    before: Dictionaries
    after: Dictionaries


def compare(
    root: Path,
    name: str,
    edited: DictionaryFile,
    dictionaries: Dictionaries,
    *,
    doc_id: str | None = None,
    narrate: Callable[[str], None] | None = None,
) -> Comparison:
    """What the edit of a dictionary changes in it, and in the stored runs (of one document with `doc_id`).

    Every run is asked again by rules, in memory, with `dictionaries` (those in force) and with the edited one.
    Retrieval and generation read nothing of the dictionaries but what stands in the question's record: a run whose
    question reads the same with both is unchanged, and is not searched again. No model is called, nothing is written.

    Raises DictionaryError when either dictionary cannot be used.
    """
    former = in_force(root, name)
    pair = _Pair(dictionaries, with_edit(root, name, edited))
    told = narrate or (lambda _words: None)
    found: list[RunDifference] = []
    unread: list[tuple[str, str]] = []
    runs = alike = 0
    for each in _asked_again(root, pair, doc_id, told):
        if isinstance(each, Unread):
            unread.append((each.run, each.reason))
            continue
        runs += 1
        if each is None:
            alike += 1
        elif each.before != each.after:
            found.append(each)
    return Comparison(
        dictionary=name,
        former_version=former.version if former else None,
        edited_version=edited.version,
        changes=changes_between(former, edited) if former else None,
        concept_count=len(edited.concepts),
        run_count=runs,
        same_reading_count=alike,
        unchanged_count=runs - len(found),
        differences=tuple(sorted(found, key=lambda one: (not one.answer_changes, one.run))),
        unread=tuple(unread),
    )


def _asked_again(
    root: Path, pair: _Pair, doc_id: str | None, narrate: Callable[[str], None]
) -> Iterator[RunDifference | Unread | None]:
    """One a run, in the order of the store; None for a question that reads the same."""
    document: ParsedDocument | Unread | None = None
    known = ""
    for number, saved in enumerate(saved_runs(root, doc_id=doc_id), 1):
        narrate(f"asking again, {number} runs")
        if isinstance(saved, Unread):
            yield saved
            continue
        if saved.retrieval.doc_id != known:
            known = saved.retrieval.doc_id
            document = _document(root, known)
        if isinstance(document, ParsedDocument):
            yield _ask_again(saved, document, pair)
        else:
            reason = document.reason if document else "the document's parsed record is not in the store; parse it again"
            yield Unread(name_of(saved.path), reason)


def _document(root: Path, doc_id: str) -> ParsedDocument | Unread | None:
    try:
        return load_document(root, doc_id)
    except RecordError as error:
        return Unread(doc_id, str(error))


def _ask_again(saved: SavedRun, document: ParsedDocument, pair: _Pair) -> RunDifference | Unread | None:
    try:
        before = _read(saved.question, document, pair.before)
        after = _read(saved.question, document, pair.after)
    except QuestionError as error:  # of a limit that was wider when the run was made
        return Unread(name_of(saved.path), str(error))
    if _reading(before) == _reading(after):
        return None
    was, would_be = _outcome(before, document), _outcome(after, document)
    kept, keeps = set(_ids(was)), set(_ids(would_be))
    stored = _outcome_of(saved.question, saved.retrieval, saved.answer)
    with_model = bool(saved.question.model_uses or saved.retrieval.model_uses or saved.answer.model_uses)
    return RunDifference(
        run=name_of(saved.path),
        doc_id=document.doc_id,
        source_name=document.source_name,
        question=saved.question.original_question,
        asked_as=saved.question.resolved_question,
        made_with_model=with_model,
        stored_status=saved.answer.status,
        stored_differs=stored.answer != was.answer,
        answer_changes=was.answer != would_be.answer,
        before=was,
        after=would_be,
        gained=tuple(one for one in _ids(would_be) if one not in kept),
        lost=tuple(one for one in _ids(was) if one not in keeps),
    )


def _read(asked: ParsedQuestion, document: ParsedDocument, dictionaries: Dictionaries) -> ParsedQuestion:
    """The question read anew: a follow-up or a reply as it was made complete, an open one with the same choice."""
    choices = {}
    if asked.settled is not None:
        settled = asked.settled
        key = memory_key(settled.target_field, document.profile.semantic.doc_type, settled.form)
        choices[key] = {settled.chosen: AGREED}
    context = QuestionContext(document=document, choices=choices)
    text = asked.resolved_question or asked.original_question
    return parse_question(text, document.profile, dictionaries, context=context)


def _reading(question: ParsedQuestion) -> ParsedQuestion:
    """The record without what names the version of the dictionaries: all that what follows decides by."""
    concepts = tuple(one.model_copy(update={"dictionary_version": ""}) for one in question.concepts)
    return question.model_copy(update={"stamp": _NO_STAMP, "concepts": concepts})


def _outcome(question: ParsedQuestion, document: ParsedDocument) -> Outcome:
    found = retrieve(document, question)
    return _outcome_of(question, found, generate(question, found))


def _outcome_of(question: ParsedQuestion, found: AuditedRetrievalResult, answer: Answer) -> Outcome:
    return Outcome(
        status=answer.status,
        absence=answer.absence.verdict if answer.absence else None,
        values=tuple(words_of(item.value) for item in answer.items),
        places=tuple("; ".join(place_of(span) for span in item.spans) for item in answer.items),
        concepts=tuple(f"{one.dictionary}.{one.concept_id}" for one in question.concepts),
        candidates=tuple(f"{one.role} {one.candidate_id}" for one in found.candidates),
    )


def _ids(outcome: Outcome) -> tuple[str, ...]:
    return tuple(one.split(" ", 1)[1] for one in outcome.candidates)
