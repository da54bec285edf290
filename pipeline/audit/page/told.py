"""A run as far as the store still holds it: what a page is drawn from, and what it has to do without."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.store.documents import load_document
from pipeline.store.ledger import find_seal
from pipeline.store.runs import ANSWER, SavedRun, load_run, root_of_run
from pipeline.store.sealed import former_folders
from pipeline.store.seals import read_seal, seal_root
from pipeline.store.sources import load_source
from schemas.answer import Answer, DocumentAnswer
from schemas.document import ParsedDocument
from schemas.errors import InputError, RecordError
from schemas.ledger import LedgerEntry, Seal
from schemas.request import RunRequest

if TYPE_CHECKING:
    from pipeline.audit.opened import OpenedRun
    from pipeline.audit.reviewing.told import ToldReviews

WRITTEN = {"schema_version", "written_as"}  # fields of a record that tell who wrote it, not what it says

# What a page lacks, by the key of the label that says so.
Gap = Literal[
    "no_document",  # the parsing is not in the store, or is damaged
    "lines_differ",  # the cited quotes do not stand in the parsing that is in the store
    "no_source",  # the document's bytes are not in the store
    "source_damaged",  # they are, and are not what they were
    "no_request",  # the run is from before there was a ledger
    "no_seal",
    "no_line",  # the ledger does not hold the seal
    "old_trace",  # the trace was written by an older version, which recorded less
    "part_missing",  # a part of a compound question, or a document of a case, is not in the store or is damaged
]


@dataclass(frozen=True, slots=True)
class ToldRun:
    """A run with whatever else of it is there; `gaps` say what is not. `password` opens a protected document."""

    saved: SavedRun
    place: str
    document: ParsedDocument | None = None
    data: bytes = b""
    password: str | None = None
    request: RunRequest | None = None
    seal: Seal | None = None
    entry: LedgerEntry | None = None
    gaps: tuple[Gap, ...] = ()
    parts: tuple[ToldRun, ...] = ()
    reviews: ToldReviews | None = None  # None where they were not asked for

    @property
    def seal_root(self) -> str | None:
        """What the ledger holds fast of it; None for a run without a seal."""
        return seal_root(self.seal) if self.seal else None


def tell_opened(opened: OpenedRun, *, password: str | None = None) -> ToldRun:
    """An opened run with its line in the ledger and its parts.

    Raises RecordError for a damaged part, StoreError for a ledger that cannot be read.
    """
    gaps: list[Gap] = [] if opened.data or opened.request.inside else ["no_source"]
    return _told(
        opened.root, opened.folder, opened.saved, opened.document, opened.data, opened.seal, gaps, password=password
    )


def tell_folder(folder: Path, *, password: str | None = None) -> ToldRun:
    """The run of a folder with what the store still holds of its document; only its own records must be whole.

    Raises RecordError for a record of the run that is damaged, StoreError for a ledger that cannot be read.
    """
    from pipeline.audit.opened import open_run

    try:
        return tell_opened(open_run(folder), password=password)
    except (InputError, RecordError):
        folder = folder.resolve()
    root, saved = root_of_run(folder), load_run(folder)
    gaps: list[Gap] = [] if saved.request else ["no_request"]
    document, data = None, b""
    try:
        document = load_document(root, saved.trace.doc_id)
    except RecordError:
        document = None
    if document is None:
        gaps.append("no_document")
    try:
        data = load_source(root, saved.trace.doc_id) or b""
        gaps += [] if data else ["no_source"]
    except RecordError:
        gaps.append("source_damaged")
    return _told(root, folder, saved, document, data, read_seal(folder), gaps, password=password)


def _told(
    root: Path,
    folder: Path,
    saved: SavedRun,
    document: ParsedDocument | None,
    data: bytes,
    seal: Seal | None,
    gaps: list[Gap],
    *,
    password: str | None,
) -> ToldRun:
    if document is not None and not _holds_quotes(document, saved):
        document, gaps = None, [*gaps, "lines_differ"]
    entry = find_seal(root, seal_root(seal)) if seal else None
    if entry is None:
        gaps = [*gaps, "no_line" if seal else "no_seal"]
    if saved.trace.written_as is not None:
        gaps = [*gaps, "old_trace"]
    parts = [_part(root, f"{saved.trace.doc_id}/questions/{name}", seal, password) for name in saved.trace.parts]
    if None in parts:
        gaps = [*gaps, "part_missing"]
    if not data:  # without the pages of the whole, its parts show none either: who hands over no document shows none
        parts = [part and without_source(part) for part in parts]
    place = folder.relative_to(root).as_posix()
    return ToldRun(
        saved,
        place,
        document,
        data,
        password,
        saved.request,
        seal,
        entry,
        tuple(gaps),
        tuple(part for part in parts if part is not None),
    )


def without_source(run: ToldRun) -> ToldRun:
    """The run without its document's bytes: its page shows lines, and no picture of a page."""
    gaps: tuple[Gap, ...] = run.gaps if not run.data or "no_source" in run.gaps else (*run.gaps, "no_source")
    return replace(run, data=b"", gaps=gaps, parts=tuple(without_source(part) for part in run.parts))


def _part(root: Path, place: str, seal: Seal | None, password: str | None) -> ToldRun | None:
    """The run of a part, the former one where the whole rests on that; None where it is missing or damaged."""
    try:
        return tell_folder(sealed_part(root, place, seal), password=password)
    except RecordError:
        return None


def sealed_part(root: Path, place: str, seal: Seal | None) -> Path:
    """The folder of a run that a sealed record rests on: the one in place, or the former one that has its seal."""
    folder, wanted = root / place, seal.runs.get(place) if seal else None
    if wanted is None:
        return folder
    for one in (folder, *former_folders(root, folder)):
        own = read_seal(one) if one.is_dir() else None
        if own is not None and seal_root(own) == wanted:
            return one
    return folder


def answering(root: Path, one: DocumentAnswer) -> Path | None:
    """The run that gave a document's answer, for a case from before there were seals; None where it is not there."""
    for answer in sorted(root.glob(f"{escape(one.doc_id)}/questions/*/{ANSWER}")):
        with contextlib.suppress(OSError, RecordError):
            saved = Answer.from_json(answer.read_bytes(), where=str(answer))
            if saved.model_dump(exclude=WRITTEN) == one.answer.model_dump(exclude=WRITTEN):
                return answer.parent
    return None


def _holds_quotes(document: ParsedDocument, saved: SavedRun) -> bool:
    """True where every cited quote stands in the lines of the document, so that marks come where they belong."""
    texts = dict(zip(document.line_df["line_id"].tolist(), document.line_df["text"].tolist(), strict=True))
    for item in saved.answer.items:
        for span in item.spans:
            lines = [texts.get(line_id) for line_id in range(span.line_start, span.line_end + 1)]
            quoted = span.quote.split("\n")
            if any(line not in lines for line in quoted):
                return False
    return True
