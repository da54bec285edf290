"""Lines of the ledger that hold no entry: unfinished ones that the next line declares, damaged ones, added bytes."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import islice

from pipeline.audit.verify.findings import Findings
from pipeline.store.ledger import LEDGER, is_unfinished
from schemas.ledger import LedgerEntry

Numbered = tuple[int, LedgerEntry]  # number of the line in the file, from 1, and what it holds
_OF_A_LINE = (b'"prev"', b'"hash"', b'"ledger"')  # a damaged line still holds most of these
MAX_GAP = 1_000_000  # numbers of deleted lines that are told apart; a ledger of that many lines has 500 MB
_LAST_FIELD = b'"torn":'  # of a line, in canonical order: whoever wrote it and a line end had written all of it


def place_of(number: int) -> str:
    """A line of the ledger, counted from 1, in words."""
    return f"{LEDGER} line {number}"


def declared_torn(lines: Sequence[bytes], parsed: Sequence[LedgerEntry | None], findings: Findings) -> list[int]:
    """Numbers of the lines that hold no entry, but for unfinished ones that the next line declares."""
    bad: list[int] = []
    pending: list[int] = []
    for number, entry in enumerate(parsed, 1):
        if entry is None:
            pending.append(number)
            continue
        left = b"\n".join(lines[at - 1] for at in pending)
        if entry.torn is not None:
            findings.made("unfinished lines declared")
            if (entry.torn.byte_count, entry.torn.sha256) == (len(left), hashlib.sha256(left).hexdigest()):
                pending = []
            else:
                findings.wrong(
                    "ledger_altered", place_of(number),
                    f"the unfinished line of {entry.torn.byte_count} bytes that it declares does not stand before it",
                    seq=entry.seq,
                )  # fmt: skip
                pending = [at for at in pending if not is_unfinished(lines[at - 1])]
        bad += pending
        pending = []
    return bad + pending


def account_for_gaps(
    lines: Sequence[bytes],
    bad: Sequence[int],
    chosen: Mapping[int, Numbered],
    findings: Findings,
    *,
    is_ended: bool,
) -> set[int]:
    """Numbers of the lines that were altered or deleted: those between two that stand, told by the damaged lines there.

    A damaged line counts for a number that is missing; a damaged line too many was put there. `is_ended`: the file ends
    with a line end.
    """
    broken: set[int] = set()
    by_line = sorted(chosen.values(), key=lambda one: one[0])
    left = sorted(bad)
    numbers = sorted(chosen)
    highest, looked_at = 0, 0
    for number, entry in by_line:
        end = bisect_left(left, number)
        here, looked_at = left[looked_at:end], end
        gap, count = _gap(highest, entry.seq, numbers)
        highest = max(highest, entry.seq)
        altered, missing = gap[: len(here)], gap[len(here) :]
        for at, seq in zip(here, altered, strict=False):
            _tell_altered(at, seq, findings)
        for at in here[len(altered) :]:
            _tell_odd(at, lines[at - 1], findings)
        if missing:
            last = missing[-1] if count == len(gap) else entry.seq - 1
            missing_count = count - len(altered)
            told = f"number {missing[0]}" if missing_count == 1 else f"numbers {missing[0]} to {last}"
            detail = f"{told} of the chain ({missing_count} {'line' if missing_count == 1 else 'lines'}) was deleted"
            findings.wrong("ledger_line_missing", place_of(number), f"before this line, {detail}", seq=missing[0])
        broken |= set(gap)
    for at in left[looked_at:]:
        was_ended = at < len(lines) or is_ended
        if is_unfinished(lines[at - 1]) and not (was_ended and _LAST_FIELD in lines[at - 1]):
            detail = "unfinished bytes that no later line declares: a process died while it wrote, or they were added"
            findings.wrong("ledger_torn", place_of(at), detail)
        elif any(word in lines[at - 1] for word in _OF_A_LINE):
            highest += 1
            broken.add(highest)
            _tell_altered(at, highest, findings)
        else:
            _tell_odd(at, lines[at - 1], findings)
    return broken


def _gap(highest: int, seq: int, numbers: Sequence[int]) -> tuple[list[int], int]:
    """The numbers between two lines that no line has, the first `MAX_GAP` of them, and how many there are in all.

    `numbers` are those of all lines, sorted. Whoever puts in a line may give it any number.
    """
    first, end = bisect_left(numbers, highest + 1), bisect_left(numbers, seq)
    count = seq - highest - 1 - (end - first)
    if count <= 0:
        return [], 0
    between = set(numbers[first:end])
    return list(islice((one for one in range(highest + 1, seq) if one not in between), MAX_GAP)), count


def _tell_altered(at: int, seq: int, findings: Findings) -> None:
    detail = f"number {seq} of the chain: the line is damaged or does not hash to what it says"
    findings.wrong("ledger_altered", place_of(at), detail, seq=seq)


def _tell_odd(at: int, line: bytes, findings: Findings) -> None:
    """A damaged line where none is missing: unfinished bytes that nothing declares, or something that was put there."""
    if is_unfinished(line) and line:
        detail = "unfinished bytes that the next line does not declare: they were added, or its declaration was"
        findings.wrong("ledger_torn", place_of(at), detail)
    else:
        findings.wrong("ledger_inserted", place_of(at), "no line of the chain is missing here: these bytes were added")
