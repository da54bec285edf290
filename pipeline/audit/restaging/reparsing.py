"""Documents read again from their bytes, and compared with the stored parsings, file by file and table by table."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.audit.restaging.causes import causes_of, installed, restamped, stamp_differences, told
from pipeline.audit.restaging.records import (
    FILES_COMPARED,
    PARSINGS_AGAIN,
    Checked,
    Difference,
    Job,
    Parsing,
    not_checked,
    place_in,
)
from pipeline.store.documents import FIELDS, files_of, load_document
from pipeline.store.folders import read_folder
from pipeline.store.sources import load_source
from schemas.document import ParsedDocument
from schemas.errors import EncryptedDocumentError, LimitExceededError, MissingPackageError, PipelineError
from schemas.tables import same_table
from schemas.verification import Mismatch

if TYPE_CHECKING:
    from pipeline.parsing.settings import ParsingSettings

RECOGNISER = "tesseract"  # in the stamp of a document with pages that were recognised
NOT_INSTALLED = "none"  # its version where nothing recognises
MAX_NAMED = 5  # tables named in a sentence; the rest is counted


@dataclass(frozen=True, slots=True)
class _Again:
    """A document read anew with all files inside it, by doc_id; or why not, or what failed although it did not then."""

    documents: Mapping[str, ParsedDocument] = field(default_factory=dict)
    why_not: str = ""
    fault: str = ""


def check_parsings(job: Job) -> Iterator[Checked]:
    """What comes of each parsing of a job: the document is read once for each way that it was read then."""
    try:
        data = load_source(job.root, job.holder, as_is=True)
    except PipelineError as error:
        yield from (_unread(job, parsing, str(error)) for parsing in job.parsings)
        return
    fresh: dict[str, _Again] = {}
    for parsing in job.parsings:
        try:
            stored = load_document(job.root, parsing.doc_id, folder=parsing.folder, as_is=True)
            files = read_folder(job.root, parsing.folder, as_is=True)
        except PipelineError as error:
            yield _unread(job, parsing, str(error))
            continue
        if stored is None or files is None:
            yield _unread(job, parsing, "the parsing is not in the store")
            continue
        why = _why_not(stored, data, job)
        if why:
            yield _unread(job, parsing, why)
            continue
        holder = stored if parsing.doc_id == job.holder else _holder_of(job)
        key = _way_of(stored)
        if key not in fresh:
            fresh.clear()  # one document in memory at a time
            fresh[key] = _read_again(job, data or b"", holder or stored, stored)
        again = fresh[key]
        yield (
            _unread(job, parsing, again.why_not) if again.why_not else _compare(job.root, parsing, stored, files, again)
        )


def _why_not(stored: ParsedDocument, data: bytes | None, job: Job) -> str:
    """Why a document cannot be read again as it was; empty where it can."""
    if data is None:
        return "it was not parsed again: the bytes of the document are not in the store"
    if stored.doc_id == job.holder and sha256(data).hexdigest() != stored.sha256:
        return "it was not parsed again: the document that is kept in the store is not the one that was read"
    then = stored.stamp.libraries.get(RECOGNISER)
    if then not in (None, NOT_INSTALLED) and installed(RECOGNISER) in (None, NOT_INSTALLED):
        return f"it was not parsed again: its pages were recognised by {RECOGNISER} {then}, which is not here"
    return ""


def _holder_of(job: Job) -> ParsedDocument | None:
    """The document that holds the files inside, as its present parsing has it: its name is needed to read it again."""
    try:
        return load_document(job.root, job.holder, as_is=True)
    except PipelineError:
        return None


def _way_of(stored: ParsedDocument) -> str:
    """What decides how a document was read; the files inside one share it."""
    return repr(sorted(stored.stamp.settings.items()))


def _read_again(job: Job, data: bytes, holder: ParsedDocument, stored: ParsedDocument) -> _Again:
    """The document and all files inside it, read anew."""
    from pipeline.parsing.settings import ParsingSettings

    try:
        settings = ParsingSettings.model_validate(stored.stamp.settings)
        return _Again(dict(_with_inside(_parse(data, holder, settings, job.password))))
    except ValidationError:
        return _Again(why_not="it was not parsed again: this version does not know its settings")
    except EncryptedDocumentError:
        return _Again(why_not="it was not parsed again: it is protected, and no password, or another one, was given")
    except (MissingPackageError, LimitExceededError) as error:  # of this machine, not of the document
        return _Again(why_not=f"it was not parsed again: {error}")
    except PipelineError as error:
        return _Again(fault=str(error))


def _parse(data: bytes, holder: ParsedDocument, settings: ParsingSettings, password: str | None) -> ParsedDocument:
    from pipeline.parsing.isolation import read_isolated
    from pipeline.parsing.source import Source

    source = Source(data, holder.source_name, holder.sha256, holder.doc_id)
    return read_isolated(source, settings, password=password)


def _with_inside(document: ParsedDocument) -> Iterator[tuple[str, ParsedDocument]]:
    for child in document.children:
        yield from _with_inside(child)
    yield document.doc_id, document


def _unread(job: Job, parsing: Parsing, why: str) -> Checked:
    return Checked(parsing.folder, remarks=(not_checked(job.root, parsing.folder, why),))


def _compare(
    root: Path, parsing: Parsing, stored: ParsedDocument, files: Mapping[str, bytes], again: _Again
) -> Checked:
    checks = {PARSINGS_AGAIN: 1, FILES_COMPARED: len(files)}
    differences = stamp_differences(stored.stamp)
    fresh = again.documents.get(stored.doc_id)
    if fresh is None:
        why = again.fault and f"the document cannot be parsed any more ({again.fault})"
        detail = why or "the document that holds it does not hold it"
        return Checked(parsing.folder, (_mismatch(root, parsing, detail, differences),), checks=checks)
    fresh = fresh.model_copy(update={"stamp": restamped(fresh.stamp, stored.stamp)})
    made = files_of(fresh)
    names = sorted(name for name in {*made, *files} if made.get(name) != files.get(name))
    if not names:
        return Checked(parsing.folder, checks=checks, differences=differences)
    if stored.written_as is not None:
        return _compare_lifted(root, parsing, stored, fresh, checks, differences)
    tables = [name for name in names if name.endswith(".parquet")]
    written = [one for name in tables if (one := _writer_difference(files.get(name, b""), made.get(name, b"")))]
    if names == tables and (written or differences) and _same_tables(stored, fresh):  # same rows, another writer
        return Checked(parsing.folder, checks=checks, differences=(*differences, *dict.fromkeys(written)))
    differences = (*differences, *dict.fromkeys(written))
    detail = f"parsing the document again gives other {_named(names)}"
    return Checked(parsing.folder, (_mismatch(root, parsing, detail, differences),), checks=checks)


def _compare_lifted(
    root: Path,
    parsing: Parsing,
    stored: ParsedDocument,
    fresh: ParsedDocument,
    checks: Mapping[str, int],
    differences: tuple[Difference, ...],
) -> Checked:
    """A parsing of an older version: its bytes cannot be the same, what they say can."""
    plain = stored.model_copy(update={"written_as": None, "stamp": fresh.stamp})
    remark = not_checked(
        root, parsing.folder,
        f"written as version {stored.written_as} of its format: compared as it reads today, not byte for byte",
    )  # fmt: skip
    if plain.same_as(fresh):
        return Checked(parsing.folder, remarks=(remark,), checks=checks, differences=differences)
    names = [name for name, frame in stored.tables().items() if not same_table(frame, fresh.tables()[name])]
    detail = f"parsing the document again gives other {_named(names or [FIELDS])}"
    return Checked(parsing.folder, (_mismatch(root, parsing, detail, differences),), (remark,), checks)


def _same_tables(stored: ParsedDocument, fresh: ParsedDocument) -> bool:
    return all(same_table(frame, fresh.tables()[name]) for name, frame in stored.tables().items())


def _writer_difference(stored: bytes, fresh: bytes) -> Difference | None:
    """The library that wrote a table, where it was another one; None for the same, or a file that says nothing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        then, now = (pq.read_metadata(io.BytesIO(data)).created_by for data in (stored, fresh))
    except (pa.ArrowException, OSError):
        return None
    return None if then == now else Difference("library", f"tables written by {then} then, {now} now")


def _mismatch(root: Path, parsing: Parsing, detail: str, differences: tuple[Difference, ...]) -> Mismatch:
    return Mismatch(
        kind="parsing_differs", place=place_in(root, parsing.folder), detail=f"{detail}; {told(differences)}.",
        causes=causes_of(differences),
    )  # fmt: skip


def _named(names: list[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more files" if more > 0 else "")
