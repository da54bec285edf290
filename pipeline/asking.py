"""One question on one opened document: the bricks in a row, further passes, the papers; saved, or only done again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.findings import tell_findings
from pipeline.kept import Kept
from pipeline.looping import Reading, carry_over, look_again, with_passes
from pipeline.opening import Narrate, Parsed
from pipeline.parts import filling_of, merge_parts
from pipeline.precedence import with_prevailing
from pipeline.requesting import build_request
from pipeline.searching import Searching
from pipeline.store.dictionaries import keep_used
from pipeline.store.documents import FIELDS
from pipeline.store.names import question_folder, question_key
from pipeline.store.prepared import Prepared
from pipeline.store.runs import ANSWER, PAGES, QUESTION, REQUEST, RETRIEVAL, TRACE, save_run
from pipeline.store.sources import keep_source, rests_on
from pipeline.store.workbook import list_retrieved_pages, to_workbook
from pipeline.talk import Talk
from pipeline.tracing import CallLog, StageClock, build_trace
from schemas.answer import Answer
from schemas.audit import StageTrace
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.request import PartRequest, QuestionTerms, RunRequest
from schemas.retrieval import AuditedRetrievalResult
from schemas.trace import Trace

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel
    from pipeline.question import QuestionContext

_PAGES: Kept[bytes] = Kept(size=16)  # of a compound question and all its parts
SPLIT = ("independent", "sequential")  # patterns whose parts are asked apart


@dataclass(frozen=True, slots=True)
class Run:
    """One question on one document, answered and saved.

    `files` are the bytes of its records and papers, by file name, but for the trace and the seal. `parts` are the runs
    of the sub-questions of a compound one; `inside` those of the files inside the document, each a document of its own
    that was asked the same.
    """

    document: ParsedDocument
    question: ParsedQuestion
    retrieval: AuditedRetrievalResult
    answer: Answer
    path: Path
    trace: Trace
    request: RunRequest
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)
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


@dataclass(frozen=True, slots=True)
class Given:
    """Records of an earlier run that are taken as they are; a stage whose record is not given is done.

    `answer` is the stored one: where the passages are given, what it says of further passes is carried over.
    """

    question: ParsedQuestion | None = None
    found: AuditedRetrievalResult | None = None
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """What all questions to one document share. Without `saving` nothing is written: a run done again.

    `inside` is the doc_id of the document that holds this one. `terms` are laid down beside the words of a question.
    Without `papers` neither sheets nor a marked document are written beside the records. With `prepared`, runs are
    sealed and left there instead of being saved one by one.
    """

    parsed: Parsed
    dictionaries: Dictionaries
    llm: LanguageModel | None
    narrate: Narrate
    password: str | None
    searching: Searching
    talk: Talk = field(default_factory=Talk)
    inside: str | None = None
    saving: bool = True
    terms: QuestionTerms = field(default_factory=QuestionTerms)
    papers: bool = True
    prepared: Prepared | None = None

    def ask_with_inside(self, text: str) -> Run:
        """The run of the document, with those of the files inside it."""
        run = self.ask(text)
        inside = []
        for child in self.parsed.document.children:
            self.narrate(f"asking {child.source_name}, a file inside")
            asking = replace(self, parsed=parsed_child(self.parsed, child), inside=self.parsed.document.doc_id)
            inside.append(asking.ask_with_inside(text))
        return replace(run, inside=tuple(inside))

    def ask(self, text: str, *, part: PartRequest | None = None, given: Given | None = None) -> Run:
        """The run of a question; `part` says which part of a compound one it is, `given` what is not done again."""
        given = given or Given()
        log, started = CallLog(self.llm), datetime.now(UTC).isoformat(timespec="milliseconds")
        stages = [self.parsed.stage]
        question = self._read_question(text, part, given, stages)
        splits = part is None and question.plan.decompose and question.decomposition.pattern in SPLIT
        is_open = question.clarification is not None
        # What is asked back, or answered by its parts, needs no model to judge the whole.
        found = self._search(question, given, stages, llm=None if splits or is_open else self.llm)
        key = self._key(text, question)
        parts, not_asked = self._ask_parts(question, key) if splits and not is_open else ((), ())
        answer = self._write_answer(question, found, stages, parts, not_asked)
        if given.found is not None and given.answer is not None:
            answer = carry_over(answer, given.answer)
        elif not (parts or is_open):
            found, answer, stages = self._look_again(question, Reading(found, answer), stages)

        request = build_request(
            self.parsed.document, text, llm=self.llm, dictionaries=self.dictionaries, searching=self.searching,
            talk=self.talk, part=part, inside=self.inside, has_password=self.password is not None,
        ).model_copy(update={"terms": self.terms, "papers": self.papers})  # fmt: skip
        files = {
            REQUEST: request.to_json(), QUESTION: question.to_json(), RETRIEVAL: found.to_json(),
            **self._pages(found), ANSWER: answer.to_json(),
        }  # fmt: skip
        if self.papers:
            files |= self._write_papers(question, found, answer, files, stages)
        trace = build_trace(
            self.parsed.document, question, found, answer, started=started, stages=stages, log=log,
            notes=self.parsed.notes, parts=tuple(one.path.name for one in parts),
        )  # fmt: skip
        path = self._save(key, {**files, TRACE: trace.to_json()}, parts)
        return Run(self.parsed.document, question, found, answer, path, trace, request, files, parts)

    def _read_question(
        self, text: str, part: PartRequest | None, given: Given, stages: list[StageTrace]
    ) -> ParsedQuestion:
        if given.question is not None:
            return given.question
        from pipeline.question import parse_question

        self.narrate("reading the question")
        clock = StageClock("question", {"question": _sha256(text.encode("utf-8", "surrogatepass")), **self._profile()})
        question = parse_question(
            text, self.parsed.document.profile, self.dictionaries, llm=None if self.terms.by_rules else self.llm,
            context=self._context(part),
        )  # fmt: skip
        stages.append(clock.stop({QUESTION: question.content_sha256()}))
        return question

    def _search(
        self, question: ParsedQuestion, given: Given, stages: list[StageTrace], *, llm: LanguageModel | None
    ) -> AuditedRetrievalResult:
        if given.found is not None:
            return given.found
        self.narrate("searching the document")
        asked = {QUESTION: question.content_sha256()}
        clock = StageClock("retrieval", {**self.parsed.stage.output_sha256, **asked})
        found = self.searching.retrieve(self.parsed.document, question, llm=llm)
        pages = {name: _sha256(data) for name, data in self._pages(found).items()}
        stages.append(clock.stop({RETRIEVAL: found.content_sha256(), **pages}))
        return found

    def _write_answer(
        self,
        question: ParsedQuestion,
        found: AuditedRetrievalResult,
        stages: list[StageTrace],
        parts: tuple[Run, ...],
        not_asked: tuple[str, ...],
    ) -> Answer:
        from pipeline.generation import generate

        self.narrate("writing the answer")
        read = {QUESTION: question.content_sha256(), RETRIEVAL: found.content_sha256()}
        of_parts = {f"{ANSWER} of {one.path.name}": one.answer.content_sha256() for one in parts}
        clock = StageClock("generation", {**read, **of_parts})
        answer = with_prevailing(generate(question, found, llm=None if parts else self.llm), self.parsed.document)
        if parts:
            given = [(one.question.generation_brief().question, one.answer, one.path) for one in parts]
            names = [one.name for one in question.decomposition.sub_questions]
            answer = merge_parts(answer, given, not_asked, language=question.language, names=names)
        answer = tell_findings(answer, self.parsed.document)
        stages.append(clock.stop({ANSWER: answer.content_sha256()}))
        return answer

    def _look_again(
        self, question: ParsedQuestion, first: Reading, stages: list[StageTrace]
    ) -> tuple[AuditedRetrievalResult, Answer, list[StageTrace]]:
        document = self.parsed.document
        last, passes = look_again(
            document, question, first, searching=self.searching, llm=self.llm, narrate=self.narrate
        )
        if not passes:
            return first.found, first.answer, stages
        found = last.found
        answer = last.answer if last.answer.findings else tell_findings(last.answer, document)
        pages = {name: _sha256(data) for name, data in self._pages(found).items()}
        written = {RETRIEVAL: found.content_sha256(), **pages, ANSWER: answer.content_sha256()}
        return found, answer, with_passes(stages, passes, written)

    def _write_papers(
        self,
        question: ParsedQuestion,
        found: AuditedRetrievalResult,
        answer: Answer,
        files: Mapping[str, bytes],
        stages: list[StageTrace],
    ) -> dict[str, bytes]:
        from pipeline.sheet.papers import write_papers

        self.narrate("highlighting the lines")
        document = self.parsed.document
        records = {name: _sha256(files[name]) for name in (QUESTION, RETRIEVAL, ANSWER)}
        clock = StageClock("highlight", {"file": document.sha256, **records})
        papers = write_papers(
            document, question, found, answer, data=self.parsed.data, password=self.password, records=records
        )
        stages.append(clock.stop({name: _sha256(data) for name, data in papers.items()}))
        return papers

    def _save(self, key: str, files: dict[str, bytes], parts: tuple[Run, ...]) -> Path:
        """The folder of the run, written where it is to be saved."""
        root, document = self.parsed.root, self.parsed.document
        folder = question_folder(root, document.doc_id, key)
        if self.prepared is not None:
            self.prepared.add(root, folder, files, document=document, parts=[one.path for one in parts])
        elif self.saving:
            keep_used(root, self.dictionaries)
            keep_source(root, document, self.parsed.data)
            save_run(root, folder, files, rests=rests_on(root, document, [one.path for one in parts]))
        return folder

    def _key(self, text: str, question: ParsedQuestion) -> str:
        model, told = self.llm.name if self.llm else None, self.searching.told_apart()
        if self.terms != QuestionTerms():
            told = (*told, f"terms:{self.terms.model_dump_json()}")
        return question_key(text, model, resolved=question.resolved_question, searched_by=told)

    def _ask_parts(self, question: ParsedQuestion, whole: str) -> tuple[tuple[Run, ...], tuple[str, ...]]:
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
            filled = PartRequest(whole=whole, fill=fill, previous=runs[-1].question if fill else None)
            run = self.ask(part.text, part=filled)
            if fill and not run.answer.items and self.llm is None:  # rules look for the very words, also of a name
                own = self.ask(part.text, part=filled.model_copy(update={"in_own_words": True}))
                run = own if own.answer.items else run
            runs.append(run)
        return tuple(runs), ()

    def _context(self, part: PartRequest | None) -> QuestionContext:
        from pipeline.question import QuestionContext

        document, talk = self.parsed.document, self.talk
        if part is not None:
            return QuestionContext(
                document=document, choices=talk.choices, previous=part.previous, fill=part.fill,
                in_own_words=part.in_own_words,
            )  # fmt: skip
        return QuestionContext(
            document=document, previous=talk.previous, choices=talk.choices, reply=talk.reply, terms=self.terms
        )

    def _pages(self, found: AuditedRetrievalResult) -> dict[str, bytes]:
        """The workbook of the retrieved pages, where papers are written."""
        return {PAGES: pages_of(found)} if self.papers else {}

    def _profile(self) -> dict[str, str]:
        return {"profile": _sha256(self.parsed.document.profile.model_dump_json().encode())}


def pages_of(found: AuditedRetrievalResult) -> bytes:
    """The workbook of the retrieved pages; written once for a result, though its hash is told before it is saved."""
    return _PAGES.get(found, lambda: to_workbook(list_retrieved_pages(found), title="retrieved pages"))


def parsed_child(parsed: Parsed, child: ParsedDocument) -> Parsed:
    """A file inside a document, opened: its bytes are not kept."""
    return replace(parsed, document=child, data=b"", stage=stored_stage(child), notes=())


def stored_stage(document: ParsedDocument) -> StageTrace:
    """The stage of parsing for a document that is at hand already."""
    return StageTrace(
        stage="parsing", input_sha256={"file": document.sha256}, output_sha256={FIELDS: document.content_sha256()},
        seconds=0.0, from_cache=True,
    )  # fmt: skip


def _sha256(data: bytes) -> str:
    return sha256(data).hexdigest()
