"""The records of a batch in the store: its request, the state of each document, and the cells kept with the documents.

What holds words of a document lies with that document (`<doc_id>/cells/cells.json`); the folder of a batch holds names,
hashes and keys. So erasing a document erases its cells, and batches over the same documents share them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.batch.work import cell_without_answer, place_of_batch
from pipeline.store.disk import locked
from pipeline.store.files import read_file, replace_file
from pipeline.store.runs import ANSWER
from schemas.batch import BatchCell, BatchRequest, DocumentCells, DocumentState, KeptCells
from schemas.errors import InputError, RecordError

REQUEST, DOCUMENTS = "request.json", "documents"  # of a batch
CELLS = "cells"  # folder beside the runs of a document, and the stem of the file in it
ERASED = "the document was erased from the store"


@dataclass(frozen=True, slots=True)
class Cells:
    """All documents of a batch with their cells, in order; each is read when it is its turn, as often as wanted."""

    root: Path
    batch: str
    request: BatchRequest

    def __iter__(self) -> Iterator[DocumentCells]:
        """One a document, in the order of the request; a document without a state gives cells that were not asked."""
        for number in range(len(self.request.documents)):
            yield self.of(number)

    def __len__(self) -> int:
        """How many documents there are."""
        return len(self.request.documents)

    def of(self, number: int) -> DocumentCells:
        """The cells of one document.

        Raises RecordError where a record is damaged.
        """
        state = load_state(self.root, self.batch, number)
        document = self.request.documents[number]
        if state is None:
            why = "not asked: the batch stopped before its turn"
            cells = [cell_without_answer(document, one, "not_asked", why) for one in self.request.questions]
            return DocumentCells(number=number, document=document, cells=tuple(cells))
        kept = load_kept(self.root, state.doc_id) if state.doc_id else None
        loose = {cell.question_id: cell for cell in state.without}
        cells = []
        for question in self.request.questions:
            cell = loose.get(question.question_id)
            key = state.keys.get(question.question_id)
            if cell is None and key is not None:
                found = kept.cells.get(key) if kept else None
                cell = found or cell_without_answer(state.document, question, "not_asked", ERASED)
            if cell is None:
                cell = cell_without_answer(state.document, question, "not_asked", "not asked yet")
            cells.append(named(cell, state.document.name, question.question_id))
        return DocumentCells(
            number=number,
            document=state.document,
            doc_id=state.doc_id,
            page_count=kept.page_count if kept else 0,
            line_count=kept.line_count if kept else 0,
            pages_not_read=tuple(sorted({page for cell in cells for page in cell.pages_not_read})),
            findings=kept.findings if kept else (),
            fault=state.fault,
            cells=tuple(cells),
        )


def named(cell: BatchCell, document: str, question_id: str) -> BatchCell:
    """The cell under the names of a batch: equal bytes and questions may be called differently in each."""
    if cell.document == document and cell.question_id == question_id:
        return cell
    return cell.model_copy(update={"document": document, "question_id": question_id})


def load_request(root: Path, batch: str) -> BatchRequest | None:
    """What the batch was asked to do when it last began; None where there is no such batch.

    Raises RecordError where it is damaged.
    """
    path = place_of_batch(root, batch) / REQUEST
    data = read_file(path)
    return None if data is None else BatchRequest.from_json(data, where=str(path))


def save_request(root: Path, batch: str, request: BatchRequest) -> None:
    """Put the request in place of the former one.

    Raises StoreError when it cannot be written.
    """
    replace_file(place_of_batch(root, batch) / REQUEST, request.to_json())


def find_batch(root: Path, name: str) -> str:
    """The id of the batch that `name` means: its folder, its id, or the beginning of it.

    Raises InputError when none or more than one is meant.
    """
    known = list_batches(root)
    wanted = Path(name).name if "/" in name else name
    for matches in (
        [one for one in known if one == wanted],
        [one for one in known if wanted and one.startswith(wanted)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise InputError(f"{name!r} names {len(matches)} batches: {', '.join(matches)}; name one of them")
    there = f"; there are: {', '.join(known[:10])}" if known else "; there is none"
    raise InputError(f"no batch {name[:200]!r} in the store {root}{there}")


def list_batches(root: Path) -> list[str]:
    """Ids of the batches in a store, sorted."""
    return sorted(path.parent.name for path in place_of_batch(root, "").glob(f"*/{REQUEST}"))


def load_state(root: Path, batch: str, number: int) -> DocumentState | None:
    """The state of a document of a batch; None where it has none yet.

    Raises RecordError where it is damaged.
    """
    path = _state_path(root, batch, number)
    data = read_file(path)
    return None if data is None else DocumentState.from_json(data, where=str(path))


def save_state(root: Path, batch: str, state: DocumentState) -> None:
    """Put the state of a document in place, where it is not what stands there.

    Raises StoreError when it cannot be written.
    """
    path, data = _state_path(root, batch, state.number), state.to_json()
    if read_file(path) != data:
        replace_file(path, data)


def drop_states(root: Path, batch: str) -> None:
    """Take the states of all documents away: their numbers mean others now. Cells and runs stay."""
    for path in sorted((place_of_batch(root, batch) / DOCUMENTS).glob("*.json")):
        path.unlink()


def load_kept(root: Path, doc_id: str) -> KeptCells | None:
    """The cells that are kept of a document; None without any.

    Raises RecordError where they are damaged.
    """
    path = _kept_path(root, doc_id)
    data = read_file(path)
    return None if data is None else KeptCells.from_json(data, where=str(path))


def save_kept(root: Path, cells: DocumentCells) -> None:
    """Keep the cells of a document that have a key, beside those of other batches.

    Raises StoreError when they cannot be written.
    """
    if cells.doc_id is None:
        return
    path = _kept_path(root, cells.doc_id)
    with locked(root, path.parent):
        try:
            former = load_kept(root, cells.doc_id)
        except RecordError:  # what is kept here can be made again from the runs
            former = None
        keyed = {cell.key: cell for cell in cells.cells if cell.key is not None}
        replaced = {cell.run for cell in keyed.values()}  # their runs stand where other cells' runs stood
        others = {key: cell for key, cell in (former.cells if former else {}).items() if cell.run not in replaced}
        kept = KeptCells(
            doc_id=cells.doc_id,
            page_count=cells.page_count,
            line_count=cells.line_count,
            findings=cells.findings,
            cells=dict(sorted({**others, **keyed}.items())),
        )
        replace_file(path, kept.to_json())


def standing(root: Path, cells: Mapping[str, BatchCell], keys: Iterable[str]) -> dict[str, BatchCell]:
    """Of the kept cells, those of these keys whose answer is the one in the store, byte for byte."""
    found = {}
    for key in keys:
        cell = cells.get(key)
        if cell is not None and cell.run is not None and _stands(root, cell.run, cell.answer_sha256):
            found[key] = cell
    return found


def _stands(root: Path, run: str, answer_sha256: str | None) -> bool:
    try:
        data = (root / run / ANSWER).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(data).hexdigest() == answer_sha256


def _state_path(root: Path, batch: str, number: int) -> Path:
    return place_of_batch(root, batch) / DOCUMENTS / f"{number:07d}.json"


def _kept_path(root: Path, doc_id: str) -> Path:
    return root / doc_id / CELLS / f"{CELLS}.json"
