"""Which work there is: the runs of each document in one go, its parsings in another, the cases by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.audit.restaging.records import Job, Parsing
from pipeline.store.documents import FIELDS, find_parsing
from pipeline.store.folders import FORMER, MANIFEST
from pipeline.store.names import CASES, parsing_folder, source_folder
from pipeline.store.runs import QUESTION, is_case
from pipeline.store.seals import read_seal
from schemas.errors import RecordError

MAX_RUNS = 50  # of one job: opening the document costs as much as one or two of them


def plan_jobs(root: Path, folders: Iterable[Path], password: str | None) -> list[Job]:
    """The jobs that check the runs and cases among these folders, in the order of the folders they report on."""
    runs: dict[str, list[Path]] = {}
    cases: list[Path] = []
    for folder in sorted(folders):
        if is_case(folder):
            cases.append(folder)
        elif _is_run(root, folder):
            runs.setdefault(folder.relative_to(root).parts[0], []).append(folder)
    jobs = [Job("cases", root, CASES, (folder,)) for folder in cases]
    jobs += [
        Job("runs", root, doc_id, tuple(own[at : at + MAX_RUNS]), password=password)
        for doc_id, own in runs.items()
        for at in range(0, len(own), MAX_RUNS)
    ]
    jobs += _parsing_jobs(root, runs, password)
    return sorted(jobs, key=lambda job: job.expects[0])


def _is_run(root: Path, folder: Path) -> bool:
    """True for the folder of a run, present or former; a former parsing lies beside."""
    parts = folder.relative_to(root).parts
    return len(parts) == 3 and (parts[1] == "questions" or (parts[1] == FORMER and (folder / QUESTION).is_file()))


def _parsing_jobs(root: Path, runs: Mapping[str, Sequence[Path]], password: str | None) -> Iterator[Job]:
    """One job for each document that is read from bytes, with the parsings that its runs rest on."""
    holders: dict[str, dict[Path, Parsing]] = {}
    for doc_id, folders in runs.items():
        found = {path: Parsing(doc_id, path) for path in _parsings_of(root, doc_id, folders)}
        if found:
            holders.setdefault(_holder_of(root, doc_id), {}).update(found)
    for holder, parsings in holders.items():
        ordered = tuple(parsings[path] for path in sorted(parsings))
        yield Job("parsing", root, holder, parsings=ordered, password=password)


def _parsings_of(root: Path, doc_id: str, folders: Sequence[Path]) -> set[Path]:
    """The folders of the parsings that the runs of a document rest on; what is not there is told elsewhere."""
    hashes = set[str]()
    for folder in folders:
        try:
            seal = read_seal(folder)
        except RecordError:
            continue
        hashes |= {seal.parsings[doc_id]} if seal is not None and doc_id in seal.parsings else set()
    found = {path for sha in hashes if (path := find_parsing(root, doc_id, sha)) is not None}
    present = parsing_folder(root, doc_id)
    return found or ({present} if present.is_dir() else set())


def _holder_of(root: Path, doc_id: str) -> str:
    """The document whose bytes hold this one: itself, or the outermost that has it among the files inside."""
    seen = {doc_id}
    while not (source_folder(root, doc_id) / MANIFEST).exists():
        holder = next((name for name, inside in _inside(root) if doc_id in inside and name not in seen), None)
        if holder is None:
            break
        seen.add(holder)
        doc_id = holder
    return doc_id


def _inside(root: Path) -> Iterator[tuple[str, set[str]]]:
    """Each parsed document of the store with the doc_ids of the files inside it."""
    for path in sorted(root.glob(f"*/parsing/{FIELDS}")):
        try:
            attachments = json.loads(path.read_bytes())["attachments"]
            inside = {one["doc_id"] for one in attachments if one["doc_id"]}
        except (OSError, ValueError, LookupError, TypeError):
            continue
        if inside:
            yield path.parent.parent.name, inside
