"""A run as it is compared: its records, what they were made from, and the document as it was read then."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dictionaries.file_format import DictionaryFile
from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.documents import find_parsing, load_document
from pipeline.store.folders import read_folder
from pipeline.store.names import REPLAYS
from pipeline.store.runs import (
    ANSWER,
    QUESTION,
    REQUEST,
    RETRIEVAL,
    TRACE,
    SavedRun,
    load_run,
    root_of_run,
)
from pipeline.store.sealed import former_folders
from pipeline.store.seals import read_seal, seal_root
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import RecordError
from schemas.question import ParsedQuestion
from schemas.replay import Replay
from schemas.request import RunRequest
from schemas.retrieval import AuditedRetrievalResult
from schemas.trace import Trace

REPLAY = "replay.json"
_DICTIONARY = "dictionary:"  # how a question's stamp names a dictionary that it was read with


@dataclass(frozen=True, slots=True)
class Side:
    """One of two runs. `request` is None for a run from before there was a ledger, `document` where it is not kept.

    `folder` is that of the run itself, also where `is_replay` says that it was done again.
    """

    place: str
    root: Path
    folder: Path
    question: ParsedQuestion
    retrieval: AuditedRetrievalResult
    answer: Answer
    trace: Trace
    request: RunRequest | None = None
    document: ParsedDocument | None = field(default=None, repr=False)
    is_replay: bool = False

    @property
    def document_sha256(self) -> str | None:
        """Hex SHA-256 of the document's source; None where nothing tells it."""
        if self.request is not None:
            return self.request.document_sha256
        if self.document is not None:
            return self.document.sha256
        return next((stage.input_sha256.get("file") for stage in self.trace.stages if stage.stage == "parsing"), None)

    @property
    def model(self) -> str | None:
        """Name of the language model; None where rules alone ran."""
        if self.request is not None and not self.is_replay:
            return self.request.model
        stamps = (self.question.stamp, self.retrieval.stamp, self.answer.stamp)
        return next((use.model for use in self.uses), next((stamp.model for stamp in stamps if stamp.model), None))

    @property
    def uses(self) -> tuple[Any, ...]:
        """What a model was used for, in order."""
        return (*self.question.model_uses, *self.retrieval.model_uses, *self.answer.model_uses)

    @property
    def dictionaries(self) -> dict[str, str]:
        """Hex SHA-256 of each dictionary that it was read with, by name."""
        if self.request is not None:
            return dict(self.request.dictionaries)
        hashes = self.question.stamp.input_sha256
        return {name.removeprefix(_DICTIONARY): sha for name, sha in hashes.items() if name.startswith(_DICTIONARY)}

    @property
    def line_texts(self) -> tuple[str, ...] | None:
        """The lines of the document as it was read then; None where that is not kept."""
        return None if self.document is None else tuple(self.document.line_df["text"])

    def dictionary(self, name: str) -> DictionaryFile | None:
        """What a dictionary said then; None where its file is not kept."""
        sha = self.dictionaries.get(name)
        path = dictionary_file(self.root, name, sha) if sha else None
        if path is None:
            return None
        from dictionaries.drafts import read_draft

        return read_draft(path).usable


def read_side(folder: Path, *, place: str | None = None) -> Side:
    """The run or the replay in a folder, present or former, of any store.

    Raises RecordError for what is damaged, or where the run behind a replay is not there.
    """
    folder = folder.resolve()
    if (folder / REPLAY).is_file():
        return _read_replay(folder, place)
    saved = load_run(folder)
    root = root_of_run(folder)
    return _side(saved, root, place or folder.relative_to(root).as_posix())


def replayed_side(opened: Side, files: Mapping[str, bytes], *, place: str) -> Side:
    """The side of a run done again: the records in `files`, and those of `opened` in the place of what is not there."""
    document = opened.document
    return Side(
        place=place,
        root=opened.root,
        folder=opened.folder,
        question=_taken(ParsedQuestion, files, QUESTION, opened.question),
        retrieval=_taken(AuditedRetrievalResult, files, RETRIEVAL, opened.retrieval),
        answer=_taken(Answer, files, ANSWER, opened.answer),
        trace=_whole_trace(opened.trace, _taken(Trace, files, TRACE, opened.trace)),
        request=_taken(RunRequest, files, REQUEST, opened.request),
        document=document,
        is_replay=True,
    )


def find_sealed(root: Path, place: str, seal: str | None) -> Path | None:
    """The folder of a run by its place and seal: the one in place, else the former one; None where neither is there."""
    folder = root / place
    candidates = (folder, *former_folders(root, folder)) if len(folder.relative_to(root).parts) > 1 else (folder,)
    for each in candidates:
        found = read_seal(each) if each.is_dir() else None
        if seal is None or (found is not None and seal_root(found) == seal):
            return each if each.is_dir() else None
    return None


def dictionary_file(root: Path, name: str, sha256: str) -> Path | None:
    """The kept file of a dictionary: what runs used, or the shipped one where it still says the same; None for none."""
    from dictionaries.loading import dictionary_paths

    used = root / FOLDER / USED / f"{sha256}.toml"
    shipped = dictionary_paths().get(name)
    for path in (used, shipped):
        if path is not None and path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    return None


def _side(saved: SavedRun, root: Path, place: str) -> Side:
    return Side(
        place=place,
        root=root,
        folder=saved.path,
        question=saved.question,
        retrieval=saved.retrieval,
        answer=saved.answer,
        trace=saved.trace,
        request=saved.request,
        document=_document(saved, root),
    )


def _document(saved: SavedRun, root: Path) -> ParsedDocument | None:
    """The document as it was read then; None where that parsing is not kept or cannot be told."""
    doc_id, seal = saved.retrieval.doc_id, read_seal(saved.path)
    sha = seal.parsings.get(doc_id) if seal else None
    if sha is not None:
        folder = find_parsing(root, doc_id, sha)
        return load_document(root, doc_id, folder=folder) if folder else None
    document = load_document(root, doc_id)
    known = saved.retrieval.stamp.input_sha256.get("document")
    return document if document is not None and known in (None, document.content_sha256(), document.sha256) else None


def _read_replay(folder: Path, place: str | None) -> Side:
    root = folder.parents[1]
    files = read_folder(root, folder) or {}
    replay = Replay.from_json(files.get(REPLAY, b""), where=str(folder / REPLAY))
    original = find_sealed(root, replay.of, replay.of_seal)
    if original is None:
        raise RecordError(f"{folder}: the run that was done again, {replay.of}, is not in the store any more")
    return replayed_side(read_side(original), files, place=place or f"{REPLAYS}/{folder.name}")


def _whole_trace(stored: Trace, again: Trace) -> Trace:
    """The trace of a run done again, with the prompts and exchanges of the stages that were taken as they are."""
    known = {call.call_key for call in again.model_calls}
    calls = (*(call for call in stored.model_calls if call.call_key not in known), *again.model_calls)
    hashes = {prompt.sha256 for prompt in again.prompts}
    prompts = (*(one for one in stored.prompts if one.sha256 not in hashes), *again.prompts)
    return again.model_copy(update={"model_calls": calls, "prompts": prompts})


def _taken(kind: Any, files: Mapping[str, bytes], name: str, otherwise: Any) -> Any:
    return kind.from_json(files[name], where=name) if name in files else otherwise
