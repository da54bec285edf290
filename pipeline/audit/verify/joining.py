"""Lines of the ledger and folders of the store against each other: what is recorded and gone, what stands twice."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import SHOWN
from pipeline.audit.verify.kept import Kept
from pipeline.store.seals import is_place

_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")


def check_lines(kept: Sequence[Kept], chain: Chain, forgotten: Mapping[int, int], findings: Findings) -> None:
    """Every line that seals a folder has it, or a later line says that it was erased."""
    here = {one.root for one in kept if one.root is not None}
    # A folder whose seal was altered is told there; its line is not told as one without a folder once more.
    claimed = {one.receipt.seq for one in kept if one.receipt and chain.entries.get(one.receipt.seq)
               and chain.entries[one.receipt.seq].hash == one.receipt.hash}  # fmt: skip
    for entry in chain.entries.values():
        if entry.seal is None:
            continue
        findings.made("lines that seal a folder")
        place = chain.place(entry.seq)
        if entry.seal in here:
            if entry.seq in forgotten:
                detail = (
                    f"number {entry.seq} was erased by number {forgotten[entry.seq]}, and its folder is still there"
                )
                findings.wrong("erasure_unfinished", place, f"{detail}: run `lineproof forget` again", seq=entry.seq)
        elif entry.seq in forgotten:
            detail = f"the {entry.kind} that it recorded was erased on request (number {forgotten[entry.seq]})"
            findings.note("forgotten", place, detail)
        elif entry.seq not in claimed:
            detail = f"the folder of the {entry.kind} that it recorded on {entry.at} is not in the store"
            findings.wrong("record_missing", place, detail, seq=entry.seq)


def check_places(kept: Sequence[Kept], chain: Chain, findings: Findings) -> None:
    """In each place lies what was recorded last for it, and nothing lies there twice."""
    by_place: dict[str, list[tuple[int, Kept]]] = defaultdict(list)
    first: dict[str, Kept] = {}
    for one in sorted(kept, key=lambda one: (one.is_former, one.path)):
        entry = chain.by_seal.get(one.root or "")
        if entry is None or one.seal is None:
            continue
        if (other := first.setdefault(one.root or "", one)) is not one:
            findings.wrong("record_added", one.where, f"this is a second copy of {other.where}", seq=entry.seq)
            continue
        by_place[one.seal.place].append((entry.seq, one))
    for place, several in sorted(by_place.items()):
        latest, last = max(several, key=lambda pair: pair[0])
        for seq, one in several:
            if not one.is_former and one.place == place and seq != latest:
                detail = f"number {seq} lies here, and number {latest}, which took its place, in {last.where}"
                findings.wrong("record_altered", one.where, detail, seq=seq)
        if last.is_former and all(one.is_former for _, one in several):
            detail = f"what was recorded last for this place, number {latest}, lies among what was replaced"
            findings.wrong("record_missing", place if is_place(place) else last.where, detail, seq=latest)
        for seq, one in several:
            if one.is_former and seq != latest:
                findings.note("superseded", one.where, f"number {latest} took its place in {place}")


def check_runs_below(
    kept: Sequence[Kept], selected: Sequence[Kept], chain: Chain, forgotten: Mapping[int, int], findings: Findings
) -> None:
    """The runs that a whole question, a case, a replay or a review rests on are those that it was made from."""
    here = {one.root for one in kept if one.root is not None}
    for one in selected:
        if one.seal is None:
            continue
        for place, wanted in sorted(one.seal.runs.items()):
            findings.made("runs that records rest on")
            entry = chain.by_seal.get(wanted)
            if wanted in here:
                continue
            if entry is not None and entry.seq in forgotten:
                findings.note("forgotten", one.where, f"the run {place} that it rests on was erased on request")
            else:
                detail = f"it rests on the run {place} with the seal {wanted[:SHOWN]}..., which is not in the store"
                findings.wrong("record_missing", one.where, detail)


def forgotten_lines(chain: Chain) -> dict[int, int]:
    """Numbers of the lines whose folders were erased on request, with the number of the line that says so."""
    forgotten: dict[int, int] = {}
    left = sorted(chain.entries)  # numbers that no line has erased so far
    for entry in chain.entries.values():
        if entry.kind != "forget":
            continue
        for first, last in _spans(str(entry.facts.get("seqs") or ""), entry.seq):
            start, end = bisect_left(left, first), bisect_right(left, last)
            forgotten |= dict.fromkeys(left[start:end], entry.seq)
            del left[start:end]
    return forgotten


def _spans(ranges: str, before: int) -> list[tuple[int, int]]:
    """The spans of '3-5,9' below `before`, joined where they meet: nothing can be erased before it was recorded."""
    found: list[tuple[int, int]] = []
    matches = filter(None, map(_RANGE.fullmatch, {part.strip() for part in ranges.split(",")}))
    for first, last in sorted((int(one[1]), min(int(one[2] or one[1]), before - 1)) for one in matches):
        if first > last:
            continue
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found
