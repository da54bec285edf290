"""The experts' words in a store: the files that runs used, those in force, and those that were in force before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import SHOWN
from pipeline.audit.verify.kept import read_files, sha256
from pipeline.store.dictionaries import FOLDER, HASH_LENGTH, HISTORY, USED
from schemas.ledger import LedgerEntry

ENDING = ".toml"
_PENDING = re.compile(rf"\.(.+){re.escape(ENDING)}\.new")
_HASHED = re.compile(rf"_([0-9a-f]{{{HASH_LENGTH}}})$")


def check_dictionaries(root: Path, chain: Chain, used: Mapping[str, str], findings: Findings) -> None:
    """Every dictionary file of a store; `used` are the SHA-256 that runs name, with the place of one such run."""
    _check_used(root / FOLDER / USED, used, findings)
    _check_history(root / FOLDER / HISTORY, findings)
    _check_in_force(root / FOLDER, chain, findings)


def _check_used(folder: Path, used: Mapping[str, str], findings: Findings) -> None:
    files, _ = _files_of(folder)
    place = f"{FOLDER}/{USED}"
    for name, data in sorted(_visible(files).items()):
        findings.made("dictionaries that runs used")
        if not re.fullmatch(rf"[0-9a-f]{{64}}{re.escape(ENDING)}", name):
            findings.wrong("record_added", f"{place}/{name}", "no run wrote this file")
        elif sha256(data) != name.removesuffix(ENDING):
            detail = "the file's SHA-256 is not the one in its name"
            findings.wrong("record_altered", f"{place}/{name}", detail)
    for sha, where in sorted(used.items()):
        if f"{sha}{ENDING}" not in files:
            detail = f"a dictionary that a run used is not there ({where})"
            findings.wrong("record_missing", f"{place}/{sha}{ENDING}", detail)


def _check_history(folder: Path, findings: Findings) -> None:
    files, _ = _files_of(folder)
    for name, data in sorted(_visible(files).items()):
        findings.made("former dictionaries")
        hashed = _HASHED.search(name.removesuffix(ENDING))
        if hashed is None or not sha256(data).startswith(hashed[1]):
            detail = "the file's SHA-256 is not the one that its name begins with after the version"
            findings.wrong("record_altered", f"{FOLDER}/{HISTORY}/{name}", detail)


def _check_in_force(folder: Path, chain: Chain, findings: Findings) -> None:
    files, _ = _files_of(folder)
    last: dict[str, LedgerEntry] = {}
    for entry in chain.entries.values():
        name = entry.facts.get("name")
        if entry.kind == "dictionary" and isinstance(name, str):
            last[name] = entry
    present = {name.removesuffix(ENDING): data for name, data in _visible(files).items() if name.endswith(ENDING)}
    pending = {match[1]: sha256(data) for name, data in files.items() if (match := _PENDING.fullmatch(name))}
    for name, sha in sorted(pending.items()):
        if name not in last or last[name].facts.get("sha256_after") != sha:
            detail = "a process died before it recorded this change: it never came into force, and the next deletes it"
            findings.note("unfinished", f"{FOLDER}/{_beside(name)}", detail)
    for name in sorted({*present, *last}):
        place = f"{FOLDER}/{name}{ENDING}"
        if name not in last:
            findings.note("unsealed", place, "no line of the ledger says how this dictionary came to be in force")
            continue
        entry, found = last[name], sha256(present[name]) if name in present else None
        findings.made("dictionaries in force")
        after, before = entry.facts.get("sha256_after"), entry.facts.get("sha256_before")
        if found == after:
            continue
        is_waiting = pending.get(name) == after  # a shipped one that was in force before has no file in the store
        if found == before or (found is None and is_waiting):
            detail = "the last recorded change did not take place: a process died before, or the change was undone"
            more = f"; {_beside(name)} holds it, and the next change puts it in force" if is_waiting else ""
            findings.note("unfinished", place, detail + more)
            continue
        told = f"{found[:SHOWN]}..." if found else "not there"
        detail = f"the ledger's last change of it (number {entry.seq}) left {str(after)[:SHOWN]}..., now it is {told}"
        findings.wrong("record_altered" if found else "record_missing", place, detail, seq=entry.seq)


def _beside(name: str) -> str:
    """The file that is about to become a dictionary, as the store's writer names it."""
    return f".{name}{ENDING}.new"


def _files_of(folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    is_there = folder.is_dir() and not folder.is_symlink() and not folder.parent.is_symlink()
    return read_files(folder) if is_there else ({}, {})


def _visible(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Without the files that a writer has not yet put in place."""
    return {name: data for name, data in files.items() if not name.startswith(".")}
