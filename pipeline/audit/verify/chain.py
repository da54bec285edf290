"""The chain of the ledger, line by line: what was altered, deleted, moved, inserted or cut off, and where.

A line that does not hash to what it says was altered. Of the lines that do, those of the ledger's own id form the
chain: each names the hash of the one before. Where two lines claim a number, or two neighbours do not fit, others are
asked which is the right one: the next line, and the witnesses outside the file (receipts in the folders, signed heads).
"""

from __future__ import annotations

import stat
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.audit.verify.damage import Numbered, account_for_gaps, declared_torn, place_of
from pipeline.audit.verify.findings import Findings
from pipeline.store.ledger import LEDGER, parse_line
from schemas.errors import StoreError
from schemas.ledger import NO_HASH, LedgerEntry


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What is said of the ledger outside of it: ids of ledgers, and the hash of a line by its number."""

    ledgers: Counter[str] = field(default_factory=Counter)
    hashes: Mapping[tuple[str, int], frozenset[str]] = field(default_factory=dict)

    def of(self, entry: LedgerEntry) -> frozenset[str]:
        """The hashes that are said of a line of this ledger and number."""
        return self.hashes.get((entry.ledger, entry.seq), frozenset())


@dataclass(frozen=True, slots=True)
class Chain:
    """The lines that belong to the chain, by number; `broken` are the numbers of lines that were altered or deleted."""

    exists: bool = False
    ledger: str | None = None
    entries: Mapping[int, LedgerEntry] = field(default_factory=dict)
    line_of: Mapping[int, int] = field(default_factory=dict)
    broken: frozenset[int] = frozenset()
    by_seal: Mapping[str, LedgerEntry] = field(default_factory=dict)
    line_count: int = 0
    witnessed_to: int = 0  # the last line whose hash a receipt or a head names: no line up to it was written anew
    doubted: frozenset[int] = frozenset()  # lines after it that a receipt or a head says to have had another hash

    @property
    def last(self) -> int:
        """Number of the last line; 0 without one. Damaged lines at the end count."""
        return max((*self.entries, *self.broken), default=0)

    @property
    def head(self) -> LedgerEntry | None:
        """The last whole line of the chain."""
        return self.entries[max(self.entries)] if self.entries else None

    def vouches_for(self, entry: LedgerEntry) -> bool:
        """True where a receipt that names another hash of this line is the one that is wrong.

        Others name this line or a later one as it is, and so the whole chain up to it; or the next line was written
        after this one, and no other line is doubted: who writes a line anew has to write all that follow anew, too.
        """
        follows = entry.seq + 1 in self.entries and entry.seq not in self.broken
        return entry.seq <= self.witnessed_to or (follows and self.doubted <= {entry.seq})

    def place(self, seq: int) -> str:
        """Where a line stands, in words."""
        return place_of(self.line_of[seq]) if seq in self.line_of else LEDGER


def check_chain(root: Path, witnesses: Witnesses, findings: Findings) -> Chain:
    """The chain of a store's ledger; what does not belong to it or is missing goes into `findings`.

    Raises StoreError when the file cannot be read.
    """
    data = _read(root)
    if data is None:
        return Chain()
    lines, is_ended = data.split(b"\n"), data.endswith(b"\n")
    if lines[-1]:
        findings.wrong(
            "ledger_torn", place_of(len(lines)),
            "the file does not end with a line end: a process died while it wrote, or bytes were taken away",
        )  # fmt: skip
    else:
        del lines[-1]
    parsed = [parse_line(line) for line in lines]
    findings.made("ledger lines", len(lines))
    bad = declared_torn(lines, parsed, findings)
    ledger = _own_id(parsed, witnesses)
    own = _own_lines(parsed, ledger, findings)
    chosen = _one_a_number(own, witnesses, findings)
    chosen = _in_order(chosen, witnesses, findings)
    broken = account_for_gaps(lines, bad, chosen, findings, is_ended=is_ended)
    broken |= _check_links(chosen, witnesses, findings)
    entries = {seq: entry for seq, (_, entry) in sorted(chosen.items())}
    witnessed_to = max((seq for seq, one in entries.items() if one.hash in witnesses.of(one)), default=0)
    return Chain(
        exists=True,
        ledger=ledger,
        entries=entries,
        line_of={seq: number for seq, (number, _) in chosen.items()},
        broken=frozenset(broken),
        by_seal={entry.seal: entry for entry in entries.values() if entry.seal},
        line_count=len(lines),
        witnessed_to=witnessed_to,
        doubted=frozenset(seq for seq, one in entries.items() if seq > witnessed_to and witnesses.of(one) - {one.hash}),
    )


def _read(root: Path) -> bytes | None:
    path = root / LEDGER
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # told among the links of the store
            return None
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}); change its rights") from error


def _own_id(parsed: Iterable[LedgerEntry | None], witnesses: Witnesses) -> str | None:
    """The id of the ledger: that of most lines, receipts and heads; the first of equals."""
    counted = Counter(entry.ledger for entry in parsed if entry is not None)
    if not counted:
        return None
    return max(counted, key=lambda ledger: counted[ledger] + witnesses.ledgers[ledger])


def _own_lines(parsed: Sequence[LedgerEntry | None], ledger: str | None, findings: Findings) -> list[Numbered]:
    own: dict[str, Numbered] = {}
    for number, entry in enumerate(parsed, 1):
        if entry is None:
            continue
        if entry.ledger != ledger:
            detail = f"this is a line of another ledger, {entry.ledger}"
            findings.wrong("ledger_inserted", place_of(number), detail, seq=entry.seq)
        elif entry.hash in own:
            detail = f"this is line {own[entry.hash][0]} once more"
            findings.wrong("ledger_inserted", place_of(number), detail, seq=entry.seq)
        else:
            own[entry.hash] = (number, entry)
    return list(own.values())


def _one_a_number(own: Sequence[Numbered], witnesses: Witnesses, findings: Findings) -> dict[int, Numbered]:
    """Each number's line; of several, the one that others vouch for."""
    claims: dict[int, list[Numbered]] = defaultdict(list)
    for one in own:
        claims[one[1].seq].append(one)
    named = {entry.prev for _, entry in own}
    hashes = {(entry.seq, entry.hash) for _, entry in own}

    def standing(one: Numbered) -> tuple[bool, bool, bool, int]:
        entry = one[1]
        fits = (entry.seq - 1, entry.prev) in hashes or (entry.seq == 1 and entry.prev == NO_HASH)
        return (entry.hash in witnesses.of(entry), entry.hash in named, fits, -one[0])

    chosen = {seq: max(several, key=standing) for seq, several in claims.items()}
    for seq, several in claims.items():
        for number, entry in several:
            if number != chosen[seq][0]:
                detail = f"line {chosen[seq][0]} has the same number {seq}, and the chain does not lead to this one"
                findings.wrong("ledger_inserted", place_of(number), detail, seq=entry.seq)
    return chosen


def _in_order(chosen: Mapping[int, Numbered], witnesses: Witnesses, findings: Findings) -> dict[int, Numbered]:
    """The lines of the chain; one out of order that no neighbour and no witness knows is left out as inserted."""
    by_line = sorted(chosen.values(), key=lambda one: one[0])
    in_place = _longest_rising([entry.seq for _, entry in by_line])
    kept = dict(chosen)
    for number, entry in by_line:
        if entry.seq in in_place:
            continue
        before, after = chosen.get(entry.seq - 1), chosen.get(entry.seq + 1)
        known = (
            (before is not None and before[1].hash == entry.prev)
            or (after is not None and after[1].prev == entry.hash)
            or entry.hash in witnesses.of(entry)
        )
        if known:
            detail = f"line number {entry.seq} of the chain does not stand in its place"
            findings.wrong("ledger_reordered", place_of(number), detail, seq=entry.seq)
        else:
            del kept[entry.seq]
            detail = f"it calls itself number {entry.seq}, and the chain does not lead to it"
            findings.wrong("ledger_inserted", place_of(number), detail, seq=entry.seq)
    return kept


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """The numbers of a longest rising subsequence: what stands in order when as few as possible are taken out.

    By patience sorting (Fredman, Discrete Mathematics 11, 1975).
    """
    tops: list[int] = []
    at_top: list[int] = []  # index of the number on top of each pile
    before: list[int | None] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        before.append(at_top[pile - 1] if pile else None)
        if pile == len(tops):
            tops.append(number)
            at_top.append(index)
        else:
            tops[pile], at_top[pile] = number, index
    rising: set[int] = set()
    current = at_top[-1] if at_top else None
    while current is not None:
        rising.add(numbers[current])
        current = before[current]
    return rising


def _check_links(chosen: Mapping[int, Numbered], witnesses: Witnesses, findings: Findings) -> set[int]:
    """Numbers of the lines that are not the ones that their neighbours were written beside."""
    broken: set[int] = set()
    for seq in sorted(chosen):
        number, entry = chosen[seq]
        if seq == 1:
            if entry.prev != NO_HASH:
                detail = "the first line names a line before it"
                findings.wrong("ledger_altered", place_of(number), detail, seq=1)
                broken.add(1)
            continue
        before = chosen.get(seq - 1)
        if before is None or before[1].hash == entry.prev:
            continue
        after = chosen.get(seq + 1)
        is_sure = entry.hash in witnesses.of(entry) or (after is not None and after[1].prev == entry.hash)
        if before[1].hash in witnesses.of(before[1]) and not is_sure:
            detail = f"it names another hash of the line before than line {before[0]} has, for which its folder vouches"
            findings.wrong("ledger_altered", place_of(number), detail, seq=seq)
            broken.add(seq)
        else:
            detail = f"line {number} was written after a line with another hash"
            findings.wrong("ledger_altered", place_of(before[0]), detail, seq=seq - 1)
            broken.add(seq - 1)
    return broken
