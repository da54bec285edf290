"""Runs that are sealed but not yet in the store: made by many workers, put in place by one writer, many at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.store.disk import locked
from pipeline.store.folders import put_in_place, stage_folder
from pipeline.store.ledger import append_all
from pipeline.store.runs import ANSWER, QUESTION, REQUEST, RETRIEVAL
from pipeline.store.seals import SEAL, Rests, make_seal, read_seal, seal_root, write_receipt
from pipeline.store.sources import rests_on
from schemas.document import ParsedDocument
from schemas.errors import RecordError, StoreError
from schemas.ledger import Seal
from schemas.request import RunRequest

_SAME = (QUESTION, RETRIEVAL, ANSWER)  # records by which two runs are the same decision


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run, sealed and ready to be put into the store: its files by name, the seal among them."""

    place: str  # folder below the root of the store, '/' between its parts
    files: Mapping[str, bytes] = field(repr=False)
    root: str  # of its seal: what its line in the ledger holds fast

    def seal(self) -> Seal:
        """Its seal."""
        return Seal.from_json(self.files[SEAL], where=f"{self.place}/{SEAL}")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The runs that were prepared so far, in the order they were made: parts before their whole."""

    runs: dict[str, PreparedRun] = field(default_factory=dict)  # by place

    def add(
        self, root: Path, folder: Path, files: Mapping[str, bytes], *, document: ParsedDocument, parts: Sequence[Path]
    ) -> None:
        """Seal the files of a run that is to stand at `folder`; `parts` are runs that were added before."""
        place = folder.relative_to(root).as_posix()
        rests = rests_on(root, document, [])
        places = [part.relative_to(root).as_posix() for part in parts]
        rests = Rests(rests.documents, rests.parsings, {one: self.runs[one].root for one in places})
        seal = make_seal(files, kind="run", place=place, rests=rests)
        self.runs[place] = PreparedRun(place, {**files, SEAL: seal.to_json()}, seal_root(seal))


def save_prepared(root: Path, runs: Iterable[PreparedRun]) -> tuple[str, ...]:
    """Put the runs of one document into the store, recorded in the ledger all at once; gives the places written.

    A run that stands there already, the same but for times, is left as it is and not recorded anew. A process that dies
    on the way leaves what the next reader finishes or undoes, as for a single run (`pipeline.store.sealed`).

    Raises StoreError when the disk or the ledger cannot be written, RecordError for a damaged ledger.
    """
    fresh = [run for run in runs if not _stands(root, run)]
    if not fresh:
        return ()
    folders = [root / run.place for run in fresh]
    holders = sorted({run.place.split("/", 1)[0] for run in fresh})
    with contextlib.ExitStack() as stack:
        for holder in holders:  # one lock a document, in the order of their names
            stack.enter_context(locked(root, root / holder / "questions"))
        staged = [stage_folder(root, folder, run.files) for folder, run in zip(folders, fresh, strict=True)]
        entries = append_all(root, "run", [run.root for run in fresh])
        for hidden, entry in zip(staged, entries, strict=True):
            with contextlib.suppress(OSError):  # a hint that the next reader writes anew
                write_receipt(hidden, entry)
        put_in_place(root, folders)
    return tuple(run.place for run in fresh)


def _stands(root: Path, run: PreparedRun) -> bool:
    """True where the same decision stands in the store already."""
    folder = root / run.place
    try:
        former = read_seal(folder)
    except RecordError:
        return False
    if former is None:
        return False
    seal = run.seal()
    alike = all(former.files.get(name) == seal.files.get(name) for name in _SAME)
    rests_alike = (former.documents, former.parsings, set(former.runs)) == (
        seal.documents,
        seal.parsings,
        set(seal.runs),
    )
    return alike and rests_alike and _same_request(folder, run)


def _same_request(folder: Path, run: PreparedRun) -> bool:
    """True for the same request; whether papers were wanted beside it does not matter."""
    try:
        then = RunRequest.from_json((folder / REQUEST).read_bytes(), where=str(folder / REQUEST))
    except (OSError, RecordError, StoreError):
        return False
    now = RunRequest.from_json(run.files[REQUEST], where=REQUEST)
    dropped = {"papers": True, "written_as": None, "schema_version": 0}
    return then.model_copy(update=dropped) == now.model_copy(update=dropped)
