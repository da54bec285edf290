"""ask(): the four bricks in a row, each step saved. Everything here is order and bookkeeping; the bricks decide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.findings import tell_findings
from pipeline.looping import Reading, look_again, with_passes
from pipeline.opening import Narrate, Opening, Parsed, be_silent, parse
from pipeline.parts import filling_of, merge_parts
from pipeline.precedence import with_prevailing
from pipeline.searching import Searching
from pipeline.store.documents import FIELDS
from pipeline.store.folders import open_store
from pipeline.store.names import question_key
from pipeline.store.runs import ANSWER, PAGES, QUESTION, RETRIEVAL, TRACE, save_run
from pipeline.store.workbook import list_retrieved_pages, to_workbook
from pipeline.talk import Talk, close_talk, open_talk
from pipeline.tracing import CallLog, StageClock, build_trace
from schemas.answer import Answer
from schemas.audit import StageTrace, Trace
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel
    from pipeline.question import QuestionContext

TRANSCRIPT = "llm_calls.sqlite"  # the model calls of a store
SPLIT = ("independent", "sequential")  # patterns whose parts are asked apart

__all__ = ["Narrate", "Opening", "Parsed", "Run", "ask", "ask_within", "dictionaries_of", "open_model", "parse"]


@dataclass(frozen=True, slots=True)
class Run:
    """One question on one document, answered and saved.

    `parts` are the runs of the sub-questions of a compound one; `inside` those of the files inside the document, each a
    document of its own that was asked the same.
    """

    document: ParsedDocument
    question: ParsedQuestion
    retrieval: AuditedRetrievalResult
    answer: Answer
    path: Path
    trace: Trace
    parts: tuple[Run, ...] = ()
    inside: tuple[Run, ...] = ()

    def turn(self) -> tuple[ParsedQuestion, str, str | None]:
        """What a conversation keeps of it: the question, its name in the store, the type of the document."""
        name = f"{self.document.doc_id}/{self.path.name}"
        return self.question, name, self.document.profile.semantic.doc_type

    def all(self) -> Iterator[Run]:
        """Its parts, or the run itself where it has none, and then those of the files inside, depth first."""
        yield from self.parts or (self,)
        for run in self.inside:
            yield from run.all()


def ask(
    path: str | os.PathLike[str],
    text: str,
    *,
    store: str | os.PathLike[str] = "outputs",
    llm: LanguageModel | None = None,
    dictionaries: Dictionaries | None = None,
    narrate: Narrate | None = None,
    opening: Opening | None = None,
    session: str | None = None,
    choose: int | str | None = None,
    searching: Searching | None = None,
) -> Run:
    """The question `text` asked of the document at `path`: parsed, searched, answered, and saved under `store`.

    Without a model the rules do all the work, and equal bytes and question give equal records. `narrate` is told what
    is being done, a few words a step. A compound question is asked part by part, each part after the one whose answer
    it needs, and files inside the document that were read (attachments) are asked the same.
    `session` names a conversation: a follow-up ('and for the supplier?') is read after its last question. `choose`
    replies to what the question is asked back: the number of a choice, from 1, or 'default'.
    `opening` says how the file is opened: limits, choices, password; `searching` how it is searched: another strategy
    than the arbiter, the models for embeddings. Without `dictionaries` the shipped ones are used,
    those in the store's own `dictionaries` folder in place of the shipped ones of the same name.

    Raises InputError for a document or question that cannot be used, StoreError or RecordError for the store.
    """
    root = open_store(store)
    talk = open_talk(root, session, choose)
    run = ask_within(
        talk, path, text, store=store, llm=llm, dictionaries=dictionaries, narrate=narrate, opening=opening,
        searching=searching,
    )  # fmt: skip
    close_talk(root, talk, [run.turn()])
    return run


def ask_within(
    talk: Talk,
    path: str | os.PathLike[str],
    text: str,
    *,
    store: str | os.PathLike[str] = "outputs",
    llm: LanguageModel | None = None,
    dictionaries: Dictionaries | None = None,
    narrate: Narrate | None = None,
    opening: Opening | None = None,
    searching: Searching | None = None,
) -> Run:
    """The run of a question in a conversation that the caller opened and closes; else as `ask`.

    Raises as `ask` does.
    """
    opening = opening or Opening()
    parsed = parse(path, store=store, narrate=narrate, opening=opening)
    words = dictionaries_of(store) if dictionaries is None else dictionaries
    asking = _Asking(parsed, words, llm, narrate or be_silent, opening.password, searching or Searching(), talk)
    return _ask_with_inside(asking, text)


def dictionaries_of(store: str | os.PathLike[str] = "outputs") -> Dictionaries:
    """The dictionaries in force in a store: the shipped ones, and its own in their place or beside them.

    Raises DictionaryError naming file, concept and fault.
    """
    from dictionaries import load_dictionaries
    from pipeline.store.dictionaries import own_dictionaries

    return load_dictionaries(overlay=own_dictionaries(store))


def open_model(store: str | os.PathLike[str] = "outputs") -> LanguageModel | None:
    """The model that the environment names, writing its transcript into the store; None when it names none.

    Raises SettingsError when the environment is wrong, StoreError when the store cannot be written.
    """
    if not os.environ.get("LINEPROOF_MODEL"):
        return None
    from pipeline.llm import Transcript, model_from_environment

    return model_from_environment(Transcript(open_store(store) / TRANSCRIPT))


def _ask_with_inside(asking: _Asking, text: str) -> Run:
    """The run of the document, with those of the files inside it."""
    run = asking.ask(text)
    inside = []
    for child in asking.parsed.document.children:
        asking.narrate(f"asking {child.source_name}, a file inside")
        stage = StageTrace(
            stage="parsing", input_sha256={"file": child.sha256}, output_sha256={FIELDS: child.content_sha256()},
            seconds=0.0, from_cache=True,
        )  # fmt: skip
        parsed = replace(asking.parsed, document=child, data=b"", stage=stage, notes=())
        inside.append(_ask_with_inside(replace(asking, parsed=parsed), text))
    return replace(run, inside=tuple(inside))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a compound question: what of it the answer to the part before fills in, and that part's question."""

    fill: tuple[str, str] | None = None
    previous: ParsedQuestion | None = None
    in_own_words: bool = False


@dataclass(frozen=True, slots=True)
class _Asking:
    """What all questions to one document share."""

    parsed: Parsed
    dictionaries: Dictionaries
    llm: LanguageModel | None
    narrate: Narrate
    password: str | None
    searching: Searching
    talk: Talk = field(default_factory=Talk)

    def ask(self, text: str, *, part: _Part | None = None) -> Run:
        """The run of a question, saved; `part` says which part of a compound one it is."""
        from pipeline.generation import generate
        from pipeline.question import parse_question
        from pipeline.sheet.papers import write_papers

        started, log = datetime.now(UTC).isoformat(timespec="milliseconds"), CallLog(self.llm)
        document, stages = self.parsed.document, [self.parsed.stage]

        self.narrate("reading the question")
        clock = StageClock("question", {"question": _sha256(text.encode("utf-8", "surrogatepass")), **self._profile()})
        context = self._context(part)
        question = parse_question(text, document.profile, self.dictionaries, llm=self.llm, context=context)
        asked = {QUESTION: question.content_sha256()}
        stages.append(clock.stop(asked))

        self.narrate("searching the document")
        clock = StageClock("retrieval", {**self.parsed.stage.output_sha256, **asked})
        splits = part is None and question.plan.decompose and question.decomposition.pattern in SPLIT
        is_open = question.clarification is not None
        # What is asked back, or answered by its parts, needs no model to judge the whole.
        found = self.searching.retrieve(document, question, llm=None if splits or is_open else self.llm)
        pages = to_workbook(list_retrieved_pages(found), title="retrieved pages")
        retrieved = {RETRIEVAL: found.content_sha256()}
        stages.append(clock.stop({**retrieved, PAGES: _sha256(pages)}))

        parts, not_asked = self._ask_parts(question) if splits and not is_open else ((), ())
        self.narrate("writing the answer")
        of_parts = {f"{ANSWER} of {one.path.name}": one.answer.content_sha256() for one in parts}
        clock = StageClock("generation", {**asked, **retrieved, **of_parts})
        answer = with_prevailing(generate(question, found, llm=None if parts else self.llm), document)
        if parts:
            given = [(one.question.generation_brief().question, one.answer, one.path) for one in parts]
            names = [one.name for one in question.decomposition.sub_questions]
            answer = merge_parts(answer, given, not_asked, language=question.language, names=names)
        answer = tell_findings(answer, document)
        answered = {ANSWER: answer.content_sha256()}
        stages.append(clock.stop(answered))
        if not (parts or is_open):
            first = Reading(found, answer)
            last, passes = look_again(
                document, question, first, searching=self.searching, llm=self.llm, narrate=self.narrate
            )
            if passes:
                found, answer = last.found, last.answer
                pages = to_workbook(list_retrieved_pages(found), title="retrieved pages")
                answered = {ANSWER: answer.content_sha256()}
                written = {RETRIEVAL: found.content_sha256(), PAGES: _sha256(pages), **answered}
                stages = with_passes(stages, passes, written)

        files = {QUESTION: question.to_json(), RETRIEVAL: found.to_json(), PAGES: pages, ANSWER: answer.to_json()}
        self.narrate("highlighting the lines")
        records = {name: _sha256(files[name]) for name in (QUESTION, RETRIEVAL, ANSWER)}
        clock = StageClock("highlight", {"file": document.sha256, **records})
        papers = write_papers(
            document, question, found, answer, data=self.parsed.data, password=self.password, records=records
        )
        stages.append(clock.stop({name: _sha256(data) for name, data in papers.items()}))
        files |= papers

        trace = build_trace(
            document, question, found, answer, started=started, stages=stages, log=log, notes=self.parsed.notes,
            parts=tuple(one.path.name for one in parts),
        )  # fmt: skip
        model, told = self.llm.name if self.llm else None, self.searching.told_apart()
        key = question_key(text, model, resolved=question.resolved_question, searched_by=told)
        path = save_run(self.parsed.root, document.doc_id, key, {**files, TRACE: trace.to_json()})
        return Run(document, question, found, answer, path, trace, parts)

    def _ask_parts(self, question: ParsedQuestion) -> tuple[tuple[Run, ...], tuple[str, ...]]:
        """The runs of the parts, in order, and the parts that were not asked, since one before them found nothing.

        The answer to one part takes the place of the words that stand for it in the next.
        """
        parts = question.decomposition.sub_questions
        in_turn = question.decomposition.pattern == "sequential"
        runs: list[Run] = []
        for at, part in enumerate(parts):
            if in_turn and runs and not runs[-1].answer.items:
                return tuple(runs), tuple(one.text for one in parts[at:])
            words = part.stands_for_answer
            told = filling_of(runs[-1].answer, words, question.language) if runs and words else None
            fill = (words, told) if words and told else None
            filled = _Part(fill, runs[-1].question if fill else None)
            run = self.ask(part.text, part=filled)
            if fill and not run.answer.items and self.llm is None:  # rules look for the very words, also of a name
                own = self.ask(part.text, part=replace(filled, in_own_words=True))
                run = own if own.answer.items else run
            runs.append(run)
        return tuple(runs), ()

    def _context(self, part: _Part | None) -> QuestionContext:
        from pipeline.question import QuestionContext

        document, talk = self.parsed.document, self.talk
        if part is not None:
            return QuestionContext(
                document=document, choices=talk.choices, previous=part.previous, fill=part.fill,
                in_own_words=part.in_own_words,
            )  # fmt: skip
        return QuestionContext(document=document, previous=talk.previous, choices=talk.choices, reply=talk.reply)

    def _profile(self) -> dict[str, str]:
        return {"profile": _sha256(self.parsed.document.profile.model_dump_json().encode())}


def _sha256(data: bytes) -> str:
    return sha256(data).hexdigest()
