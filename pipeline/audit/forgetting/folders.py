"""Which sealed folders an erasure takes: the runs of the document, and all that was made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pydantic_core

from pipeline.store.ledger import read_entries
from pipeline.store.names import CASES, REPLAYS, REVIEWS
from pipeline.store.runs import REQUEST
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import read_receipt, read_seal, seal_root
from schemas.errors import RecordError
from schemas.ledger import LedgerEntry, Seal

_JSON = ".json"
_OWNERS = {CASES: "cases", REPLAYS: "replays", REVIEWS: "reviews"}


@dataclass(frozen=True, slots=True)
class Taken:
    """A sealed folder that is erased: where it lies, of what kind ('runs', 'cases' ...), and its line, if any."""

    path: Path
    place: str
    kind: str
    seq: int | None


def folders_of(root: Path, documents: Collection[str]) -> tuple[Taken, ...]:
    """The sealed folders that hold text of these documents, present and former, sorted by place.

    Those in the documents' own folders; runs of files inside them; cases, replays and reviews that rest on any of them,
    or, where a seal cannot be read, that name one.
    """
    seals: dict[Path, Seal | None] = {path: _seal(path) for path in sealed_folders(root)}
    entries = {entry.seal: entry for entry in read_entries(root) if entry.seal is not None}
    taken: dict[Path, Taken] = {}
    roots: set[str] = set()
    places: set[str] = set()
    grown = True
    while grown:
        grown = False
        for path, seal in seals.items():
            if path in taken or not _goes(root, path, seal, documents, roots, places):
                continue
            own = seal_root(seal) if seal is not None else None
            taken[path] = _taken(root, path, own, entries)
            roots |= {own} if own is not None else set()
            places |= {seal.place} if seal is not None else {path.relative_to(root).as_posix()}
            grown = True
    return tuple(sorted(taken.values(), key=lambda one: one.place))


def remaining_folders(root: Path, taken: Sequence[Taken]) -> Iterator[Path]:
    """The sealed folders that stay, sorted."""
    gone = {one.path for one in taken}
    return (path for path in sealed_folders(root) if path not in gone)


def told_lines(taken: Sequence[Taken]) -> str:
    """The lines of the folders, neighbours joined: '3-5,9'; empty for none."""
    return told_ranges({one.seq for one in taken if one.seq is not None})


def told_ranges(numbers: Collection[int]) -> str:
    """Numbers, neighbours joined: '3-5,9'; empty for none."""
    told: list[list[int]] = []
    for number in sorted(numbers):
        if told and number == told[-1][1] + 1:
            told[-1][1] = number
        else:
            told.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in told)


def numbers_in(ranges: str) -> frozenset[int]:
    """The numbers that `told_ranges` told."""
    ends = (part.split("-") for part in ranges.split(",") if part)
    return frozenset(number for each in ends for number in range(int(each[0]), int(each[-1]) + 1))


def _goes(
    root: Path, path: Path, seal: Seal | None, documents: Collection[str], roots: set[str], places: set[str]
) -> bool:
    owner = path.relative_to(root).parts[0]
    if owner in documents:
        return True
    if owner not in _OWNERS:  # the run of another document: only where it is one of a file inside, kept for itself
        return _is_inside(path, documents)
    if seal is None:
        return _names(path, documents)
    rests = set(seal.documents) & set(documents) or set(seal.runs.values()) & roots or set(seal.runs) & places
    return bool(rests) or _names(path, documents)


def _taken(root: Path, path: Path, own: str | None, entries: Mapping[str, LedgerEntry]) -> Taken:
    receipt = read_receipt(path)
    entry = entries.get(own) if own is not None else None
    seq = entry.seq if entry is not None else receipt.seq if receipt is not None else None
    place = path.relative_to(root).as_posix()
    return Taken(path, place, _OWNERS.get(place.split("/")[0], "runs"), seq)


def _seal(path: Path) -> Seal | None:
    try:
        return read_seal(path)
    except RecordError:
        return None


def _is_inside(path: Path, documents: Collection[str]) -> bool:
    """True for the run of a file that was asked as one inside these documents: it names them."""
    try:
        request = pydantic_core.from_json((path / REQUEST).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(request, dict) and request.get("inside") in documents


def _names(path: Path, documents: Collection[str]) -> bool:
    """True where a record in the folder names one of the documents."""
    wanted = [one.encode() for one in documents]
    wanted += [pydantic_core.to_json(one)[1:-1] for one in documents]
    return any(one in data for data in _records(path) for one in wanted)


def _records(path: Path) -> Iterator[bytes]:
    for file in sorted(path.glob(f"*{_JSON}")):
        try:
            yield file.read_bytes()
        except OSError:
            continue
