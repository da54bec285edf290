"""Runs opened with all that they were made with, the document of a job only once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pipeline.audit.opened import OpenedRun, load_used, offline_model, open_run
from pipeline.audit.restaging.causes import library_differences, request_differences, stamp_differences
from pipeline.audit.restaging.comparing import read_stored
from pipeline.audit.restaging.records import FILES_COMPARED, RUNS_AGAIN, Checked, Difference, Job, not_checked
from pipeline.audit.restaging.remaking import Desk
from pipeline.audit.restaging.stages import check_run
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.run import dictionaries_of
from pipeline.searching import Searching, open_searching
from pipeline.sheet.papers import ON_PAGES
from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.runs import HIGHLIGHTED, HIGHLIGHTED_LINES
from pipeline.store.seals import read_seal
from pipeline.store.sources import load_source
from pipeline.tracing import PAPER_LIBRARIES
from pipeline.values.declared import load_declared_types
from schemas.document import ParsedDocument
from schemas.errors import EncryptedDocumentError, PipelineError, RecordError
from schemas.verification import Remark

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

AT_AN_ADDRESS = " at "  # in the name of an embedding model behind an address: texts would have to be sent there
EMBEDDER = "embedder:"  # its role in the request of a run
MODEL_VARIABLES = ("LINEPROOF_EMBEDDINGS", "LINEPROOF_CROSS_ENCODER", "LINEPROOF_SPARSE_ENCODER")


def check_runs(job: Job) -> Iterator[Checked]:
    """What comes of each run of a job, in the order of its folders."""
    known: dict[str | None, ParsedDocument] = {}
    load_declared_types()
    try:
        data = load_source(job.root, job.holder, as_is=True) or b""
    except PipelineError:  # a damaged copy of the source is told where the files are checked
        data = b""
    for folder in job.folders:
        try:
            opened = _open(job, folder, data, known)
            yield _check(opened, job)
        except PipelineError as error:
            remark = not_checked(job.root, folder, f"it was not done again: {error}")
            yield Checked(folder, remarks=(remark,))


def _open(job: Job, folder: Path, data: bytes, known: dict[str | None, ParsedDocument]) -> OpenedRun:
    """The run, with the document that the run before it was read from where that is the same."""
    seal = read_seal(folder)
    parsing = seal.parsings.get(job.holder) if seal else None
    opened = open_run(folder, data=data, document=known.get(parsing), as_is=True)
    if parsing not in known:
        known.clear()  # one document in memory at a time
        known[parsing] = opened.document
    return opened


def _check(opened: OpenedRun, job: Job) -> Checked:
    remarks: list[Remark] = []

    def remark(why: str) -> None:
        remarks.append(not_checked(job.root, opened.folder, why))

    dictionaries, missing = _dictionaries_of(opened)
    differences = _differences(opened, missing)
    stored = read_stored(opened.folder, opened.saved, is_today=not differences)
    if stored.lifted:
        told = ", ".join(f"{name} version {number}" for name, number in sorted(stored.lifted.items()))
        remark(f"written as {told}: compared as they read today, not byte for byte")
    why = _why_unmarked(opened, job.password)
    is_locked = opened.document.format == "pdf" and opened.document.profile.structure.is_encrypted
    skip = frozenset({HIGHLIGHTED, HIGHLIGHTED_LINES} if why else {HIGHLIGHTED} if is_locked else ())
    if why and HIGHLIGHTED in stored.hashes:
        remark(f"the marked document was not made again: {why}")
    searching = _searching_of(opened)
    if isinstance(searching, str):
        remark(f"the search was not done again: {searching}")
    desk = Desk(
        replace(opened, data=b"") if why else opened,
        _model_of(opened),
        dictionaries,
        None if isinstance(searching, str) else searching,
        job.password,
        skip,
        differences,
    )
    outcome = check_run(desk, stored)
    checks = {RUNS_AGAIN: 1, FILES_COMPARED: len(stored.hashes.keys() - skip), **outcome.checks}
    without_effect = () if outcome.mismatches else differences
    return Checked(opened.folder, outcome.mismatches, (*remarks, *outcome.remarks), checks, without_effect)


def _dictionaries_of(opened: OpenedRun) -> tuple[Dictionaries, tuple[str, ...]]:
    """The dictionaries of then; where some were not kept, those in force today and the names of the missing ones."""
    files = tuple(sorted(opened.request.dictionaries.items()))
    try:
        return _load_dictionaries(opened.root, files), ()
    except PipelineError:  # named below, and in every difference that it may have made
        now = dictionaries_of(opened.root)
        same = {(source.name, source.sha256) for source in now.sources}
        kept = opened.root / FOLDER / USED
        gone = [name for name, sha in files if (name, sha) not in same and not (kept / f"{sha}.toml").is_file()]
        return now, tuple(gone or [name for name, sha in files if (name, sha) not in same])


@lru_cache(maxsize=4)
def _load_dictionaries(root: Path, files: tuple[tuple[str, str], ...]) -> Dictionaries:
    """Known by the hashes of their files, which are checked as they are read."""
    return load_used(root, dict(files))


def _differences(opened: OpenedRun, missing: tuple[str, ...]) -> tuple[Difference, ...]:
    """What the run was made with that is other here, each once."""
    saved = opened.saved
    stamps = (saved.question.stamp, saved.retrieval.stamp, saved.answer.stamp)
    found = [*request_differences(opened.request, missing_dictionaries=missing)]
    found += [one for stamp in stamps for one in stamp_differences(stamp)]
    versions = saved.trace.versions
    found += library_differences({name: versions[name] for name in PAPER_LIBRARIES if name in versions})
    return tuple(dict.fromkeys(found))


def _why_unmarked(opened: OpenedRun, password: str | None) -> str:
    """Why the lines cannot be marked in the document itself; empty where they can, or never are in such a document."""
    document = opened.document
    if opened.request.inside is not None or document.format not in ON_PAGES:
        return ""
    if not opened.data:
        return "the bytes of the document are not in the store"
    if sha256(opened.data).hexdigest() != document.sha256:
        return "the document that is kept in the store is not the one that was read"
    return _why_closed(opened, password) if document.format == "pdf" else ""


def _why_closed(opened: OpenedRun, password: str | None) -> str:
    """Why a protected document is not opened; empty where it is, or needs no password, whatever its request says."""
    from pipeline.mupdf import open_pdf

    try:
        open_pdf(opened.data, name=opened.document.source_name, password=password).close()
    except EncryptedDocumentError:
        given = "no password was given" if password is None else "the password is not the one"
        return f"the document is protected, and {given}"
    return ""


def _searching_of(opened: OpenedRun) -> Searching | str:
    """How the document was searched; or why that cannot be had: the models are not here, or behind an address."""
    wanted = opened.request.searched_by
    if any(name.startswith(EMBEDDER) and AT_AN_ADDRESS in name for name in wanted):
        return f"{', '.join(wanted)} would have to be asked over the network, and a check sends nothing"
    try:
        settings = RetrievalSettings.model_validate(opened.request.retrieval_settings)
        if not wanted:
            return Searching(settings)
        named = tuple(os.environ.get(variable, "") for variable in MODEL_VARIABLES)
        searching = replace(_open_searching(settings.strategy, named), settings=settings)
    except ValidationError:
        return "this version does not know its settings"
    except PipelineError as error:
        return str(error)
    if searching.models() != wanted:
        return f"it was made with {', '.join(wanted)}, here is {', '.join(searching.models()) or 'none'}"
    return searching


@lru_cache(maxsize=1)
def _open_searching(strategy: str, _named: tuple[str, ...]) -> Searching:
    """The models that the environment names; vectors are worked out anew and kept nowhere."""
    return open_searching(strategy, store=None)


def _model_of(opened: OpenedRun) -> LanguageModel | None:
    """The model, answering from the record of the run.

    Raises RecordError where this version does not know its options.
    """
    try:
        return offline_model(opened)
    except ValidationError as error:
        raise RecordError("this version does not know the options of its model") from error
