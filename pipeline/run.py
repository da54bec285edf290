"""ask(): the four bricks in a row, each step saved. Everything here is order and bookkeeping; the bricks decide."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.store.documents import FIELDS, load_document, save_document
from pipeline.store.folders import open_store
from pipeline.store.names import question_key
from pipeline.store.runs import ANSWER, HIGHLIGHTED, PAGES, QUESTION, RETRIEVAL, TRACE, save_run
from pipeline.store.workbook import list_retrieved_pages, to_workbook
from pipeline.tracing import CallLog, StageClock, build_trace, is_current
from schemas.answer import Answer
from schemas.audit import StageTrace, Trace
from schemas.document import ParsedDocument
from schemas.errors import DamagedDocumentError, RecordError
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel
    from pipeline.parsing.settings import ParsingSettings

DICTIONARIES = "dictionaries"  # a store's own dictionary files
TRANSCRIPT = "llm_calls.sqlite"  # the model calls of a store

HIGHLIGHTED_FORMATS = ("pdf", "image")  # formats whose lines have a place on a page

Narrate = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a file is opened: what is set of parsing, and the password of a protected file, which is kept nowhere."""

    settings: ParsingSettings | None = None
    password: str | None = field(default=None, repr=False)


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

    def all(self) -> Iterator[Run]:
        """Its parts, or the run itself where it has none, and then those of the files inside, depth first."""
        yield from self.parts or (self,)
        for run in self.inside:
            yield from run.all()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document with the bytes it was read from; `notes` say what was mended in the store."""

    root: Path
    document: ParsedDocument
    data: bytes  # empty for a file inside another: its bytes are not kept
    stage: StageTrace
    notes: tuple[str, ...]


def ask(
    path: str | os.PathLike[str],
    text: str,
    *,
    store: str | os.PathLike[str] = "outputs",
    llm: LanguageModel | None = None,
    dictionaries: Dictionaries | None = None,
    narrate: Narrate | None = None,
    opening: Opening | None = None,
) -> Run:
    """The question `text` asked of the document at `path`: parsed, searched, answered, and saved under `store`.

    Without a model the rules do all the work, and equal bytes and question give equal records. `narrate` is told what
    is being done, a few words a step. A compound question whose parts are independent is also asked part by part, and
    files inside the document that were read (attachments) are asked the same.
    `opening` says how the file is opened: limits, choices, password. Without `dictionaries` the shipped ones are used,
    those in the store's own `dictionaries` folder in place of the shipped ones of the same name.

    Raises InputError for a document or question that cannot be used, StoreError or RecordError for the store.
    """
    opening = opening or Opening()
    parsed = parse(path, store=store, narrate=narrate, opening=opening)
    words = dictionaries_of(store) if dictionaries is None else dictionaries
    return _ask_with_inside(_Asking(parsed, words, llm, narrate or _silent, opening.password), text)


def parse(
    path: str | os.PathLike[str],
    *,
    store: str | os.PathLike[str] = "outputs",
    narrate: Narrate | None = None,
    opening: Opening | None = None,
) -> Parsed:
    """The document at `path`: from the store when its bytes were parsed before by the same means, else parsed anew.

    A damaged copy in the store is made anew, which costs nothing, and noted. The files inside it are stored as
    documents of their own.

    Raises InputError for a document that cannot be read, StoreError for a store that cannot be written.
    """
    from pipeline.parsing import parse_document
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.parsing.source import read_source

    opening = opening or Opening()
    settings = opening.settings or ParsingSettings()
    source = read_source(Path(path), settings)
    root = open_store(store)
    clock = StageClock("parsing", {"file": source.sha256})
    notes: tuple[str, ...] = ()
    try:
        document = load_document(root, source.doc_id)
    except RecordError as error:
        document, notes = None, (f"the parsed document in the store was made anew: {error}",)
    if document is not None and document.sha256 == source.sha256 and is_current(document.stamp, settings):
        stage = clock.stop({FIELDS: document.content_sha256()}, from_cache=True)
        return Parsed(root, document, source.data, stage, notes)
    (narrate or _silent)("reading the document")
    document = parse_document(Path(path), settings=settings, password=opening.password)
    if document.sha256 != source.sha256:
        raise DamagedDocumentError(f"{path}: the file changed while it was read; run again")
    return Parsed(root, document, source.data, clock.stop(save_document(root, document)), notes)


def dictionaries_of(store: str | os.PathLike[str] = "outputs") -> Dictionaries:
    """The dictionaries in force in a store: the shipped ones, and its own in their place or beside them.

    Raises DictionaryError naming file, concept and fault.
    """
    own = Path(store) / DICTIONARIES
    stamps = tuple(sorted((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in own.glob("*.toml")))
    return _load_dictionaries(own if stamps else None, stamps)


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
class _Asking:
    """What all questions to one document share."""

    parsed: Parsed
    dictionaries: Dictionaries
    llm: LanguageModel | None
    narrate: Narrate
    password: str | None

    def ask(self, text: str, *, is_part: bool = False) -> Run:
        from pipeline.generation import generate
        from pipeline.question import QuestionContext, parse_question
        from pipeline.retrieval import retrieve

        started, log = datetime.now(UTC).isoformat(timespec="milliseconds"), CallLog(self.llm)
        document, stages = self.parsed.document, [self.parsed.stage]

        self.narrate("reading the question")
        clock = StageClock("question", {"question": _sha256(text.encode("utf-8", "surrogatepass")), **self._profile()})
        context = QuestionContext(document=document)
        question = parse_question(text, document.profile, self.dictionaries, llm=self.llm, context=context)
        asked = {QUESTION: question.content_sha256()}
        stages.append(clock.stop(asked))

        self.narrate("searching the document")
        clock = StageClock("retrieval", {**self.parsed.stage.output_sha256, **asked})
        found = retrieve(document, question, llm=self.llm)
        pages = to_workbook(list_retrieved_pages(found), title="retrieved pages")
        retrieved = {RETRIEVAL: found.content_sha256()}
        stages.append(clock.stop({**retrieved, PAGES: _sha256(pages)}))

        self.narrate("writing the answer")
        clock = StageClock("generation", {**asked, **retrieved})
        answer = generate(question, found, llm=self.llm)
        answered = {ANSWER: answer.content_sha256()}
        stages.append(clock.stop(answered))

        files = {QUESTION: question.to_json(), RETRIEVAL: found.to_json(), PAGES: pages, ANSWER: answer.to_json()}
        if answer.items and document.format in HIGHLIGHTED_FORMATS and self.parsed.data:
            self.narrate("highlighting the lines")
            clock = StageClock("highlight", {"file": document.sha256, **answered})
            files[HIGHLIGHTED] = self._highlight(self.parsed.data, answer, found)
            stages.append(clock.stop({HIGHLIGHTED: _sha256(files[HIGHLIGHTED])}))

        parts = () if is_part else self._ask_parts(question)
        trace = build_trace(
            document, question, found, answer, started=started, stages=stages, log=log, notes=self.parsed.notes,
            parts=tuple(part.path.name for part in parts),
        )  # fmt: skip
        key = question_key(text, self.llm.name if self.llm else None)
        path = save_run(self.parsed.root, document.doc_id, key, {**files, TRACE: trace.to_json()})
        return Run(document, question, found, answer, path, trace, parts)

    def _ask_parts(self, question: ParsedQuestion) -> tuple[Run, ...]:
        """The runs of the parts of a compound question that can be asked apart; none for any other."""
        if not question.plan.decompose or question.decomposition.pattern != "independent":
            return ()
        return tuple(self.ask(part.text, is_part=True) for part in question.decomposition.sub_questions)

    def _highlight(self, data: bytes, answer: Answer, found: AuditedRetrievalResult) -> bytes:
        from pipeline.generation.highlight import highlight_pdf

        return highlight_pdf(data, self.parsed.document, answer, found, password=self.password)

    def _profile(self) -> dict[str, str]:
        return {"profile": _sha256(self.parsed.document.profile.model_dump_json().encode())}


@lru_cache(maxsize=4)
def _load_dictionaries(own: Path | None, _stamps: tuple[tuple[str, int, int], ...]) -> Dictionaries:
    """Read once for each state of the store's own files: they are slow to read."""
    from dictionaries import load_dictionaries

    return load_dictionaries(overlay=own)


def _sha256(data: bytes) -> str:
    return sha256(data).hexdigest()


def _silent(_words: str) -> None:
    """Tell nobody."""
