"""Verification of what is stored: every line, folder, file, record, quote and reply against what was recorded.

No model is asked, nothing is sent and nothing is written: a store that may only be read is verified as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.verify.chain import check_chain
from pipeline.audit.verify.dictionaries import check_dictionaries
from pipeline.audit.verify.documents import read_copies
from pipeline.audit.verify.erasures import check_erasures
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import is_never_recorded
from pipeline.audit.verify.heads import check_heads
from pipeline.audit.verify.joining import check_lines, check_places, check_runs_below, forgotten_lines
from pipeline.audit.verify.kept import Kept, read_kept, settle_unfinished, witnesses_of
from pipeline.audit.verify.limits import what_is_detected, what_is_not
from pipeline.audit.verify.links import read_strange
from pipeline.audit.verify.store_walk import Checking, check_again, check_folders
from pipeline.audit.verify.transcripts import check_cache, open_cache
from pipeline.opening import Narrate, be_silent
from pipeline.store.dictionaries import FOLDER as DICTIONARIES
from pipeline.store.ledger import LEDGER
from schemas.errors import InputError
from schemas.ledger import SignedHead
from schemas.verification import Verification

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["verify"]


def verify(
    root: Path,
    *,
    anchors: Sequence[SignedHead] = (),
    trusted: Sequence[Ed25519PublicKey] = (),
    runs: Sequence[Path] | None = None,
    sources: Path | None = None,
    rerun: bool = True,
    password: str | None = None,
    narrate: Narrate = be_silent,
) -> Verification:
    """What does not hold in the store at `root`, and what can be said of it.

    `anchors` are signed heads from outside; with `trusted` keys, other signatures do not count. `runs` are the folders
    of the only runs to be checked; the ledger is checked in full all the same. `sources` is the user's own copy of a
    document, or a folder of them. With `rerun` every stage is done again and compared; without, only what is stored.

    Raises InputError for a store or a file that is not there, StoreError where the ledger cannot be read.
    """
    root = root.resolve()
    findings = Findings()
    strange = _look_at(root, findings)
    narrate("reading the ledger")
    kept = read_kept(root, strange)
    if not (kept or findings.places or any((root / name).exists() for name in (LEDGER, DICTIONARIES))):
        raise InputError(f"{root}: holds no run and no ledger: is this the store? Name its folder with --store")
    chain = check_chain(root, witnesses_of(kept, anchors), findings)
    kept = settle_unfinished(kept, chain.by_seal)
    vouched = check_heads(anchors, chain, findings, trusted=trusted)
    if chain.exists and vouched.anchored_to is None:
        findings.note("no_anchor", "ledger.jsonl", "nothing outside the store vouches for the ledger")
    forgotten = forgotten_lines(chain)
    selected = kept if runs is None else _selected(kept, runs)
    if runs is None:
        check_lines(kept, chain, forgotten, findings)
    check_places(kept, chain, findings)
    check_runs_below(kept, selected, chain, forgotten, findings)
    with open_cache(root, findings) as cache:
        checking = Checking(
            root, chain, kept, findings, cache, password, read_copies(sources), rerun=rerun, narrate=narrate,
            strange=strange,
        )  # fmt: skip
        used = check_folders(checking, selected, everything=runs is None)
        if cache is not None:
            check_cache(cache, findings)
    check_dictionaries(root, chain, used, findings)
    check_erasures(root, findings)
    if rerun:
        _check_stages(checking, selected)
    mismatches = findings.mismatches()
    return Verification(
        passed=not mismatches,
        ledger=chain.ledger,
        entry_count=len(chain.entries),
        head=chain.head.hash if chain.head else None,
        anchored_to=vouched.anchored_to,
        signed_by=vouched.signed_by,
        run_count=checking.run_count,
        checks=dict(sorted(findings.checks.items())),
        mismatches=mismatches,
        remarks=findings.remarks(),
        detects=what_is_detected(chain, vouched.anchored_to, rerun=rerun),
        cannot_detect=what_is_not(chain, vouched.anchored_to, rerun=rerun),
    )


def _look_at(root: Path, findings: Findings) -> frozenset[Path]:
    """The links of a store, told as what nothing recorded.

    Raises InputError where there is no folder.
    """
    if root.is_file():
        raise InputError(f"{root}: is a file; name the folder of the store with --store, or a bundle (.zip) without it")
    if not root.is_dir():
        raise InputError(f"{root}: there is no such store; name the folder with --store")
    return read_strange(root, findings)


def _selected(kept: Sequence[Kept], runs: Sequence[Path]) -> tuple[Kept, ...]:
    """The folders that are meant.

    Raises InputError for one that is not in the store.
    """
    wanted = {run.resolve() for run in runs}
    selected = tuple(one for one in kept if one.path.resolve() in wanted)
    missing = sorted(wanted - {one.path.resolve() for one in selected})
    if missing:
        raise InputError(f"{missing[0]}: is no folder of this store that could be verified; name a run of it")
    return selected


def _check_stages(checking: Checking, selected: Sequence[Kept]) -> None:
    """Every stage of the runs done again, but of damaged ones: what that would show is told already.

    Of records that contradict each other, and are as they were sealed, it shows which one is wrong.
    """
    from pipeline.audit.restaging import check_stages

    findings = checking.findings
    if checking.strange:
        findings.note("not_checked", ".", "no stage was done again: the store holds links, and none is followed")
        for one in selected:
            check_again(checking, one)
        return
    damaged = [Path(place) for place, is_altered in findings.places.items() if is_altered]
    below = {parent.as_posix() for place in damaged for parent in (place, *place.parents)}
    folders = {}
    for one in selected:
        if one.seal is None or one.seal.kind not in ("run", "case") or is_never_recorded(one, checking.chain):
            continue
        if one.where in below:
            findings.note("not_checked", one.where, "its stages were not done again: its records are damaged")
            check_again(checking, one)
        else:
            folders[one.path] = one
    results = check_stages(checking.root, folders, password=checking.password, narrate=checking.narrate)
    for folder, mismatches, remarks, checks in results:
        findings.take(mismatches, remarks, checks)
        if folder in folders and (mismatches or any(one.kind == "not_checked" for one in remarks)):
            check_again(checking, folders[folder])
