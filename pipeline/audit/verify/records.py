"""The records of a sealed folder against their schemas, against each other, and an answer against its own evidence."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.kept import Kept, sha256
from pipeline.audit.verify.written import check_written
from pipeline.store.runs import ANSWER, CASE, QUESTION, REQUEST, RETRIEVAL, TRACE
from pipeline.tracing import methods_of, outcome_of
from schemas.answer import Answer, CaseAnswer
from schemas.errors import RecordError, SchemaVersionError
from schemas.ledger import Seal
from schemas.question import ParsedQuestion
from schemas.record import Record
from schemas.replay import Replay
from schemas.request import RunRequest
from schemas.retrieval import AuditedRetrievalResult
from schemas.review import Review
from schemas.trace import Trace

REPLAY, REVIEW = "replay.json", "review.json"
_KINDS: Mapping[str, type[Record]] = {
    REQUEST: RunRequest,
    QUESTION: ParsedQuestion,
    RETRIEVAL: AuditedRetrievalResult,
    ANSWER: Answer,
    TRACE: Trace,
    CASE: CaseAnswer,
    REPLAY: Replay,
    REVIEW: Review,
}
_OF_A_RUN = (QUESTION, RETRIEVAL, ANSWER, TRACE)
_R = TypeVar("_R", bound=Record)
MAX_FAULTS = 5  # faults of one answer that are told; the rest is counted


@dataclass(frozen=True, slots=True)
class RunRecords:
    """The records of one run; None where one is missing or does not fit."""

    question: ParsedQuestion | None = None
    retrieval: AuditedRetrievalResult | None = None
    answer: Answer | None = None
    trace: Trace | None = None
    request: RunRequest | None = None


def read_records(where: str, files: Mapping[str, bytes], findings: Findings) -> RunRecords:
    """The records among the files, each checked against its schema."""
    found: dict[str, Record] = {}
    for name, kind in _KINDS.items():
        if name not in files:
            continue
        findings.made("records against their schema")
        try:
            record = kind.from_json(files[name], where=name)
            check_written(f"{where}/{name}", files[name], record, findings)
            found[name] = record
        except SchemaVersionError as error:
            findings.wrong("not_upgradable", f"{where}/{name}", str(error))
        except RecordError as error:
            findings.wrong("record_invalid", f"{where}/{name}", str(error))
    return RunRecords(
        _typed(found, QUESTION, ParsedQuestion),
        _typed(found, RETRIEVAL, AuditedRetrievalResult),
        _typed(found, ANSWER, Answer),
        _typed(found, TRACE, Trace),
        _typed(found, REQUEST, RunRequest),
    )


def check_together(one: Kept, files: Mapping[str, bytes], run: RunRecords, findings: Findings) -> None:
    """That the records of a run speak of the same document, question, candidates and outcome."""
    findings.made("records against each other")
    for name, detail in _contradictions(one, files, run):
        findings.wrong("record_invalid", f"{one.where}/{name}", detail)


def _contradictions(one: Kept, files: Mapping[str, bytes], run: RunRecords) -> Iterator[tuple[str, str]]:
    trace, found, answer, request = run.trace, run.retrieval, run.answer, run.request
    documents = {record.doc_id for record in (trace, found, answer, request) if record is not None}
    if len(documents) > 1:
        yield TRACE, f"the records are about different documents: {', '.join(sorted(documents))}"
    if one.seal is not None and one.seal.kind == "run" and documents - {one.seal.place.split("/")[0]}:
        yield TRACE, "the records are about another document than the folder they were sealed for"
    if found is not None and answer is not None and found.question != answer.question:
        yield ANSWER, "it answers another question than the one that was searched for"
    if request is not None and one.seal is not None:
        yield from _rests_otherwise(one.seal, request)
    if trace is None or trace.written_as is not None:
        return
    yield from ((TRACE, fault) for fault in _told_otherwise(trace, run))
    written = {name: sha for stage in trace.stages for name, sha in stage.output_sha256.items()}
    for name in sorted(written.keys() & files.keys()):
        sha = sha256(files[name])
        is_told = one.seal is not None and one.seal.files.get(name) != sha
        if sha != written[name] and not is_told:
            yield TRACE, f"it names another SHA-256 of {name} than the file has"


def _rests_otherwise(seal: Seal, request: RunRequest) -> Iterator[tuple[str, str]]:
    """The document and its parsing, which the seal of a run has to name: without them nothing is looked for."""
    if seal.documents.get(request.doc_id) != request.document_sha256:
        yield REQUEST, "its seal does not rest on the document, with the SHA-256, that it names"
    if request.doc_id not in seal.parsings:
        yield REQUEST, "its seal rests on no parsing of the document that it names"


def _told_otherwise(trace: Trace, run: RunRecords) -> Iterator[str]:
    """What a trace says otherwise than the other records: the version that wrote them makes no difference there."""
    found, answer = run.retrieval, run.answer
    if found is not None:
        if trace.candidates != found.provenances:
            yield "its candidates, roles or reasons are not those of the retrieval result"
        if (trace.strategy_name, trace.arbiter) != (found.strategy_name, found.arbiter):
            yield "its strategy or its arbiter is not that of the retrieval result"
        if trace.methods != methods_of(found):
            yield "its methods, with why they ran and what they proposed, are not those of the retrieval result"
    if answer is not None:
        if trace.outcome is not None and trace.outcome != outcome_of(answer):
            yield "its outcome is not that of the answer"
        if trace.pages_not_read != answer.pages_not_read:
            yield "the pages that it says were not read are not those of the answer"
    if run.question is not None and trace.question != run.question.original_question:
        yield "its question is not the one that was read"
    code = run.request.code_sha256 if run.request is not None else None
    if code is not None and trace.versions.get("lineproof code", code) != code:
        yield "it names other code than the request does"


def check_answer(one: Kept, run: RunRecords, part_of: Callable[[str], RunRecords | None], findings: Findings) -> None:
    """That the answer follows from its own evidence; `part_of` gives the records of a part by its folder's name."""
    from pipeline.generation.verify import find_faults

    if run.answer is None or run.retrieval is None:
        return
    parts = []
    for told in run.answer.parts:
        if told.status == "not_asked" or told.run is None:
            continue
        part = part_of(told.run)
        if part is None or part.answer is None or part.retrieval is None:
            findings.note("not_checked", f"{one.where}/{ANSWER}", f"the run of its part {told.run} is not in the store")
            return
        parts.append((part.answer, part.retrieval, part.question))
    findings.made("answers against their evidence")
    faults = find_faults(run.answer, run.retrieval, question=run.question, parts=parts)
    for fault in faults[:MAX_FAULTS]:
        findings.wrong("answer_inconsistent", f"{one.where}/{ANSWER}", fault)
    if len(faults) > MAX_FAULTS:
        more = f"and {len(faults) - MAX_FAULTS} more faults of the same answer"
        findings.wrong("answer_inconsistent", f"{one.where}/{ANSWER}", more)


def load_records(folder: Path) -> RunRecords | None:
    """The records of a run, unchecked but for their schemas; None where one cannot be read."""
    files = {}
    for name in _OF_A_RUN:
        try:
            if not stat.S_ISREG((folder / name).lstat().st_mode):
                return None
            files[name] = (folder / name).read_bytes()
        except OSError:
            return None
    return read_records(folder.name, files, Findings())


def _typed(found: Mapping[str, Record], name: str, kind: type[_R]) -> _R | None:
    record = found.get(name)
    return record if isinstance(record, kind) else None
