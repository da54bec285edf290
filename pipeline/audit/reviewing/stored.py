"""The verdicts of a store, each with its seal, its line in the ledger and its signature checked."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic_core

from pipeline.audit.keys import check_canonical, key_id_of, public_key_from
from pipeline.audit.reviewing.decisions import LeftOut, Lines
from pipeline.store.ledger import read_entries
from pipeline.store.names import REVIEWS
from pipeline.store.runs import root_of_run
from pipeline.store.sealed import former_folders
from pipeline.store.seals import read_seal, seal_root
from schemas.errors import RecordError
from schemas.review import Review

REVIEW = "review.json"
SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A verdict as it lies in the store; one with faults counts for nothing."""

    review: Review
    place: str  # its folder in the store
    seal: str | None
    seq: int  # line of the ledger; 0 where it names none
    faults: tuple[str, ...] = ()

    @property
    def review_id(self) -> str:
        """The name of its folder."""
        return self.place.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class StoredReviews:
    """All verdicts of a store in the order of the ledger, and folders that hold none that can be read."""

    found: tuple[StoredReview, ...]
    unread: tuple[LeftOut, ...] = ()

    def of(self, place: str) -> tuple[StoredReview, ...]:
        """Those on the run of a place, also on what stood there before."""
        return tuple(one for one in self.found if one.review.run == place)


def read_reviews(root: Path, *, lines: Lines | None = None) -> StoredReviews:
    """Every verdict of a store, checked."""
    lines = lines or Lines(root)
    found: list[StoredReview] = []
    unread: list[LeftOut] = []
    for folder in sorted((root / REVIEWS).glob("*")):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name != "former":
            place = folder.relative_to(root).as_posix()
            try:
                found.append(_read_one(folder, place, lines))
            except RecordError as error:
                unread.append(LeftOut(place, str(error)))
    return StoredReviews(tuple(sorted(found, key=lambda one: (one.seq, one.place))), tuple(unread))


def reviews_of(root: Path, folder: Path) -> tuple[StoredReview, ...]:
    """The verdicts on the run or case of a folder, and on what stood in its place before, in the order of the ledger.

    Which of them are on the present records, their `run_seal` says: it is the seal of the folder. Empty for a run
    from before there was a ledger.

    Raises RecordError for a damaged seal of the run.
    """
    seal = read_seal(folder)
    return read_reviews(root).of(seal.place) if seal is not None else ()


def missing_by_line(root: Path, stored: StoredReviews) -> Counter[int]:
    """How many verdicts on the answer of each line (`seq`) the ledger names and the store does not hold as recorded.

    Whoever takes a verdict away or alters it cannot make a disputed decision a settled one.
    """
    there = {one.seal for one in valid(stored.found)}
    return Counter(
        of_seq
        for entry in read_entries(root)
        if entry.kind == "review" and entry.facts.get("subject") == "answer" and entry.seal not in there
        and isinstance(of_seq := entry.facts.get("of_seq"), int)
    )  # fmt: skip


def present_seal(folder: Path) -> str | None:
    """The seal of a run's folder; None for one from before there was a ledger.

    Raises RecordError for a damaged one.
    """
    seal = read_seal(folder)
    return seal_root(seal) if seal is not None else None


def signed_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """What a signature is made over: all fields of the file but the signature."""
    return {name: value for name, value in fields.items() if name != SIGNATURE}


def answer_is_the_same(review: Review, folder: Path, name: str) -> bool:
    """True where the file `name` of the run that was reviewed is byte for byte that of the present one in `folder`.

    The run of then is looked for among those that were replaced; False where it is not there any more.
    """
    folder = folder.resolve()
    present = read_seal(folder)
    for former in former_folders(root_of_run(folder), folder):
        seal = read_seal(former)
        if seal is not None and present is not None and seal_root(seal) == review.run_seal:
            return seal.files.get(name) is not None and seal.files.get(name) == present.files.get(name)
    return False


def _read_one(folder: Path, place: str, lines: Lines) -> StoredReview:
    path = folder / REVIEW
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror}); restore it from a backup") from error
    review = Review.from_json(data, where=str(path))
    faults: list[str] = []
    sealed: str | None = None
    line = None
    try:
        seal = read_seal(folder)
    except RecordError as error:
        faults.append(str(error))
    else:
        sealed = seal_root(seal) if seal is not None else None
        line = lines.find(sealed) if sealed is not None else None
        if seal is None or seal.kind != "review" or seal.files.get(REVIEW) != hashlib.sha256(data).hexdigest():
            faults.append("the record is not the one that was sealed")
        elif seal.runs.get(review.run) != review.run_seal or seal.place != place:
            faults.append("its seal is on another run or another place")
        if line is None or line[1] != "review":
            faults.append("the ledger does not name its seal")
    faults += signature_faults(review, data)
    return StoredReview(review, place, sealed, line[0] if line else 0, tuple(faults))


def signature_faults(review: Review, data: bytes) -> Iterator[str]:
    """What is wrong with the signature of a verdict whose file holds `data`; nothing for an unsigned one."""
    named = (review.key_id, review.public_key, review.signature)
    if not any(named):
        return
    if review.key_id is None or review.public_key is None or review.signature is None:
        yield "it is signed in part: key id, public key and signature go together"
        return
    try:
        public = public_key_from(review.public_key)
    except ValueError:
        yield "its public key is none"
        return
    if key_id_of(public) != review.key_id:
        yield "its key id is not that of its public key"
    if not check_canonical(signed_fields(pydantic_core.from_json(data)), review.signature, public):
        yield "its signature does not fit what it says"


def valid(reviews: Sequence[StoredReview]) -> tuple[StoredReview, ...]:
    """Those without a fault."""
    return tuple(one for one in reviews if not one.faults)
