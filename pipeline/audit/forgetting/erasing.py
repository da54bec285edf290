"""An erasure carried out: written down, announced in the ledger, then done; one whose process died is finished.

The order: `forgetting.json` with all that goes, the line in the ledger, then the erasing, each step of which may be
done twice, and at last `forgetting.json` itself. A process that dies before the line has erased nothing, and its file
is dropped; one that dies after it has announced what the next one finishes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from pipeline.audit.forgetting.calls import erase_calls
from pipeline.audit.forgetting.folders import folders_of, numbers_in, told_lines, told_ranges
from pipeline.audit.forgetting.memory import erase_remembered
from pipeline.audit.forgetting.planning import plan_erasure
from pipeline.audit.forgetting.vectors import erase_found
from pipeline.opening import Narrate, be_silent
from pipeline.store.disk import LOCKS, locked, sync_folder, write_error
from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import FORMER
from pipeline.store.ledger import append, read_entries
from pipeline.store.names import CASES, NO_DOCUMENTS, REPLAYS, REVIEWS
from schemas.errors import RecordError, StoreError
from schemas.forgetting import Forgetting, Forgotten
from schemas.ledger import Fact, LedgerEntry

MAX_PLANS = 5  # times that what goes is looked for, where other processes go on saving runs of the document
MARK = "forgetting.json"  # in the root of a store, while an erasure has not ended
GONE = ".gone-"  # prefix of a folder that was taken out of its place and is being deleted
SALT_BYTES = 32
SHOWN_PLACES = 20  # of files that still name a document; more are as bad


def unfinished(root: Path) -> tuple[Forgetting, LedgerEntry] | None:
    """The erasure that was announced and has not ended, with its line in the ledger; None without one.

    Raises RecordError when `forgetting.json` is damaged.
    """
    data = read_file(root / MARK)
    if data is None:
        return None
    try:
        mark = Forgetting.from_json(data, where=str(root / MARK))
    except RecordError as error:
        raise RecordError(
            f"{error}; it says what an erasure that did not end has yet to erase: restore it from a backup, or delete "
            "it and forget the document again"
        ) from error
    line = _line_of(root, data)
    if line is None and mark.continues is not None:
        line = next((entry for entry in read_entries(root) if entry.seq == mark.continues), None)
    return None if line is None else (mark, line)


def forget(
    root: Path, documents: Collection[str], *, reason: str | None = None, narrate: Narrate = be_silent
) -> Forgotten:
    """Announce in the ledger that these documents are forgotten, and erase them; see `plan_erasure` for what goes.

    An erasure that did not end is finished first. The reason is not stored: the line holds its salted hash, the result
    the salt.

    Raises StoreError when the store cannot be written: run again, and it goes on where it was; RecordError for a
    damaged ledger: nothing is then erased; and as `plan_erasure` does.
    """
    finish(root, narrate=narrate)
    salt = secrets.token_bytes(SALT_BYTES) if reason else None
    told = hashlib.sha256(salt + (reason or "").encode("utf-8", "surrogatepass")).hexdigest() if salt else None
    for _ in range(MAX_PLANS):
        narrate("looking for all that was made of it")
        mark = plan_erasure(root, documents).model_copy(update={"reason_hash": told})
        with _holding(root, mark.documents):
            if told_lines(folders_of(root, mark.documents)) != mark.seqs:
                continue  # a run was saved meanwhile
            data = mark.to_json()
            replace_file(root / MARK, data)
            line = append(root, "forget", facts=_facts(mark, data))
            _erase(root, mark, narrate)
        return _result(root, mark, line, reason=reason, salt=salt)
    raise StoreError(
        f"{root}: other processes go on asking this document; nothing was erased: end them, then run again"
    )


def finish(root: Path, *, narrate: Narrate = be_silent) -> Forgotten | None:
    """The erasure whose process died, finished; None without one. One that was never announced is dropped.

    What was made of the document since then goes, too, and a further line says so first.

    Raises as `forget` does.
    """
    before = read_file(root / MARK)
    if before is None:
        return None
    left = unfinished(root)
    grown = _grown(root, left[0], left[1].seq) if left is not None else None
    with _holding(root, left[0].documents if left is not None else ()):
        if read_file(root / MARK) != before:
            return None  # another process has just ended it
        if left is None:
            _drop(root, root / MARK)
            return None
        mark, data = left[0], before
        if grown is not None:
            mark, data = grown, grown.to_json()
            replace_file(root / MARK, data)
        line = _line_of(root, data) or append(root, "forget", facts=_facts(mark, data))
        _erase(root, mark, narrate)
    return _result(root, mark, line, resumed=True)


def _grown(root: Path, mark: Forgetting, announced: int) -> Forgetting | None:
    """The erasure with what was made of the documents after it was announced; None where nothing was."""
    here = [name for name in mark.documents if _is_document(name) and (root / name).is_dir()]
    if not here:
        return None
    now = plan_erasure(root, here)
    new = numbers_in(now.seqs) - numbers_in(mark.seqs)
    counts = mark.counts.model_copy(update={"runs": mark.counts.runs + len(new)})
    grown = mark.model_copy(
        update={
            "documents": tuple(sorted({*mark.documents, *now.documents})),
            "folders": tuple(sorted({*mark.folders, *now.folders})),
            "seqs": told_ranges(numbers_in(mark.seqs) | new),
            "calls": tuple(sorted({*mark.calls, *now.calls})),
            "vectors": tuple(sorted({*mark.vectors, *now.vectors})),
            "all_vectors": mark.all_vectors or now.all_vectors,
            "questions": tuple(sorted({*mark.questions, *now.questions})),
            "choices": tuple(sorted({*mark.choices, *now.choices})),
            "counts": counts,
        }
    )
    return grown.model_copy(update={"continues": announced}) if grown != mark else None


@contextlib.contextmanager
def _holding(root: Path, documents: Collection[str]) -> Iterator[None]:
    """Hold the mark and the folders of the documents: no run of them is saved meanwhile.

    A process that saves a run holds one of these locks and then the ledger's, so that none waits for another in a ring.
    """
    with contextlib.ExitStack() as held:
        held.enter_context(locked(root, root / MARK))
        for name in sorted(filter(_is_document, documents)):
            held.enter_context(locked(root, root / name))
        yield


def _facts(mark: Forgetting, data: bytes) -> dict[str, Fact]:
    """Numbers and hashes alone: no text of the document, no name, no reason."""
    counts: dict[str, Fact] = {name: value for name, value in mark.counts.model_dump().items() if value}
    return {
        "seqs": mark.seqs, **counts, "has_reason": mark.reason_hash is not None, "reason": mark.reason_hash,
        "plan": hashlib.sha256(data).hexdigest(),
    }  # fmt: skip


def _line_of(root: Path, data: bytes) -> LedgerEntry | None:
    """The line that announced this erasure."""
    plan = hashlib.sha256(data).hexdigest()
    lines = (entry for entry in reversed(read_entries(root)) if entry.kind == "forget")
    return next((entry for entry in lines if entry.facts.get("plan") == plan), None)


def _erase(root: Path, mark: Forgetting, narrate: Narrate) -> None:
    """Erase all that is marked, the mark last; what is gone already stays so. The documents' locks are held.

    The name of a lock file holds that of the document. It is deleted while it is held: who waits for it notices that
    it is no file any more, and takes a new one.
    """
    documents = [name for name in mark.documents if _is_document(name)]
    narrate("erasing exchanges with models")
    erase_calls(root, mark.calls)
    narrate("erasing vectors")
    erase_found(root, mark.vectors, all_of_them=mark.all_vectors)
    narrate("erasing conversations and proposals")
    erase_remembered(root, documents, mark.questions, mark.choices)
    narrate("erasing records")
    for place in filter(_is_record, mark.folders):
        with locked(root, root / place):
            _remove(root, root / place, mark)
    for name in documents:
        _remove(root, root / name, mark)
        with contextlib.suppress(OSError):  # on Windows a lock that is held cannot be deleted
            (root / LOCKS / f"{name}.lock").unlink(missing_ok=True)
    for path in sorted(root.glob(f"{GONE}*")):
        _drop(root, path)
    _drop(root, root / MARK)


def _remove(root: Path, folder: Path, mark: Forgetting) -> None:
    """Take a folder out of its place under a name that tells nothing, and delete it."""
    if not folder.exists() and not folder.is_symlink():
        return
    told = hashlib.sha256(f"{mark.nonce}{folder.relative_to(root).as_posix()}".encode()).hexdigest()
    gone = root / f"{GONE}{told[:16]}"
    try:
        folder.rename(gone)
        sync_folder(folder.parent)
        for parent in folder.parents:  # a folder of cases or former ones that is empty now
            if parent == root or any(parent.iterdir()):
                break
            parent.rmdir()
    except OSError as error:
        raise write_error(folder, error) from error
    _drop(root, gone)


def _drop(root: Path, path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        sync_folder(root)
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be erased ({os.strerror(error.errno) if error.errno else error}); change its rights and "
            "run again: the erasure goes on where it was"
        ) from error


def _is_document(name: str) -> bool:
    """True for the name of a document's folder: never a path, never another folder of the store."""
    return name == Path(name).name and not name.startswith(".") and name not in NO_DOCUMENTS


def _is_record(place: str) -> bool:
    """True for the place of one record below the root: a case, a replay, a review, a run, or a former one."""
    parts = place.split("/")
    is_one = parts[0] in (CASES, REPLAYS, REVIEWS) or (len(parts) == 3 and parts[1] in ("questions", FORMER))
    return is_one and len(parts) in (2, 3) and all(part == Path(part).name and part[0] != "." for part in parts)


def _result(
    root: Path, mark: Forgetting, line: LedgerEntry, *, reason: str | None = None, salt: bytes | None = None,
    resumed: bool = False,
) -> Forgotten:  # fmt: skip
    return Forgotten(
        documents=mark.documents,
        seq=line.seq,
        erased=mark.seqs,
        counts=mark.counts,
        resumed=resumed,
        reason=reason if salt else None,
        reason_salt=salt.hex() if salt else None,
        remains=mark.remains,
        still_named_in=tuple(list(_still_named(root, mark.documents))[:SHOWN_PLACES]),
    )


def _still_named(root: Path, documents: Collection[str]) -> Iterator[str]:
    """Files and folders of the store whose name or JSON still names a document, sorted."""
    names = [name.encode() for name in documents]
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root).as_posix()
        if any(name in place.split("/") or f"{name}.lock" == path.name for name in documents):
            yield place
        elif path.suffix in (".json", ".jsonl") and path.is_file():
            data = read_file(path) or b""
            if any(name in data for name in names):
                yield place
