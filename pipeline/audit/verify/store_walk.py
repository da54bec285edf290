"""The folders of a store one after the other, document by document, so that each document is read once."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.derived import check_replay, check_review
from pipeline.audit.verify.documents import (
    Copies,
    DocumentState,
    check_copies,
    check_rests,
    check_source,
    check_unknown_copy,
    read_document,
)
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import check_folder
from pipeline.audit.verify.kept import Kept
from pipeline.audit.verify.links import is_own
from pipeline.audit.verify.quotes import Reader, check_quotes
from pipeline.audit.verify.records import (
    REPLAY,
    REVIEW,
    RunRecords,
    check_answer,
    check_together,
    load_records,
    read_records,
)
from pipeline.audit.verify.transcripts import check_calls
from pipeline.opening import Narrate
from pipeline.store.names import NO_DOCUMENTS


@dataclass(slots=True)
class Checking:
    """What the checks of all folders share.

    `rerun`: the stages are done again afterwards. Then salted roots are computed again, too; an answer that is made
    again to the byte needs no other proof that it follows from its evidence (`check_again` is for those that are not).
    """

    root: Path
    chain: Chain
    kept: Sequence[Kept]
    findings: Findings
    cache: sqlite3.Connection | None
    password: str | None
    copies: Copies | None
    rerun: bool
    narrate: Narrate
    strange: frozenset[Path] = frozenset()  # links, and what else is neither a file nor a folder of the store
    run_count: int = 0
    used: dict[str, str] = field(default_factory=dict)  # dictionaries by SHA-256, with the place of a run


def check_folders(checking: Checking, selected: Sequence[Kept], *, everything: bool) -> dict[str, str]:
    """The dictionaries that the selected folders name; everything in them and what they rest on is checked."""
    groups: dict[str, list[Kept]] = defaultdict(list)
    for one in selected:
        groups[one.path.relative_to(checking.root).parts[0]].append(one)
    documents = set(groups) - NO_DOCUMENTS
    if everything:
        below = [path for name in ("parsing", "source") for path in checking.root.glob(f"*/{name}")]
        documents |= {path.parent.name for path in below if is_own(path.parent, checking.strange)}
        documents -= NO_DOCUMENTS
    for doc_id in sorted(documents):
        checking.narrate(f"checking {doc_id}")
        _check_document(checking, doc_id, groups.get(doc_id, []))
    for name in sorted(NO_DOCUMENTS & set(groups)):
        for one in groups[name]:
            _check_other(checking, one)
    if checking.copies is not None:
        check_unknown_copy(checking.copies, checking.findings)
    return checking.used


def check_again(checking: Checking, one: Kept) -> None:
    """The answer of a run against its evidence, where it was not made again to the byte."""
    run = load_records(one.path)
    if run is not None:
        check_answer(one, run, lambda name: _part(checking, one, name), checking.findings)


def _check_document(checking: Checking, doc_id: str, folders: Sequence[Kept]) -> None:
    """The runs of a document, and what they rest on. The bytes of one document at a time are held."""
    findings = checking.findings
    state = read_document(checking.root, doc_id, findings, strange=checking.strange)
    for one in folders:
        if one.seal is not None and doc_id in one.seal.documents:
            state.wanted.setdefault(one.seal.documents[doc_id], one.place)
    kept = state.data
    if kept is None and checking.copies is not None and (path := checking.copies.fitting(state)) is not None:
        state.data, state.format = path.read_bytes(), path.suffix.lstrip(".").lower()
    readers: dict[Path | None, Reader] = {}
    for one in folders:
        _check_run(checking, one, state, readers)
    for reader in readers.values():
        reader.close()
    state.data = kept  # what is in the store is told apart from what the user has
    check_source(state, findings, has_copies=checking.copies is not None)
    if checking.copies is not None:
        check_copies(state, checking.copies, findings)


def _check_run(checking: Checking, one: Kept, state: DocumentState, readers: dict[Path | None, Reader]) -> None:
    findings = checking.findings
    files = check_folder(checking.root, one, checking.chain, findings, roots=checking.rerun)
    if files is None:
        return
    run = read_records(one.where, files, findings)
    checking.run_count += 1
    if run.request is not None:
        state.is_inside = state.is_inside or run.request.inside is not None
        for sha in run.request.dictionaries.values():
            checking.used.setdefault(sha, one.where)
    if run.trace is not None:
        state.names.add(run.trace.source_name)
        check_calls(one.where, run.trace, checking.cache, findings)
    check_together(one, files, run, findings)
    if not checking.rerun:
        check_answer(one, run, lambda name: _part(checking, one, name), findings)
    documents, parsings = (one.seal.documents, one.seal.parsings) if one.seal else ({}, {})
    parsing = check_rests(state, one.place, documents, parsings, findings)
    if parsing not in readers:
        readers[parsing] = Reader(state, parsing, checking.password)
    check_quotes(one.where, run, readers[parsing], findings)


def _check_other(checking: Checking, one: Kept) -> None:
    """A case, a replay or a review."""
    files = check_folder(checking.root, one, checking.chain, checking.findings, roots=checking.rerun)
    if files is None:
        return
    read_records(one.where, files, checking.findings)
    if REPLAY in files:
        check_replay(one, files, checking.chain, checking.findings)
    if REVIEW in files:
        check_review(one, files, checking.chain, checking.findings)


def _part(checking: Checking, whole: Kept, name: str) -> RunRecords | None:
    """The run of a part of a compound question: the one that the whole was made from, wherever it lies by now."""
    place = f"{whole.place.split('/')[0]}/questions/{name}"
    wanted = whole.seal.runs.get(place) if whole.seal else None
    for one in checking.kept:
        if (one.root == wanted) if wanted else (one.place == place and not one.is_former):
            return load_records(one.path)
    return None
