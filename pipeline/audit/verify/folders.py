"""A sealed folder against its seal and the ledger: every byte of every file in it is accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.kept import NEW, Kept, is_named_former, read_files, sha256
from pipeline.audit.verify.written import fault_in
from pipeline.store.folders import MANIFEST
from pipeline.store.runs import REQUEST, TRACE
from pipeline.store.seals import RECEIPT, SEAL, json_root
from schemas.ledger import LedgerEntry, Receipt, Seal
from schemas.record import read_version

SEALED_SINCE = 3  # version of the trace from which on every run is sealed when it is saved
SHOWN = 12  # hex digits of a hash in a message


def check_folder(root: Path, one: Kept, chain: Chain, findings: Findings, *, roots: bool) -> dict[str, bytes] | None:
    """The files of the folder (name -> bytes), to be read on; None for one that was never finished.

    `roots`: the salted root of each JSON record is computed again, too, which takes most of the time.
    """
    files, odd = read_files(one.path)
    findings.made("folders")
    if one.seal is None:
        if one.fault is not None:
            findings.wrong(one.fault[0], f"{one.where}/{SEAL}", one.fault[1])
            return files
        return _check_unsealed(one, files, odd, chain, findings)
    if is_never_recorded(one, chain):
        detail = (
            "a process died before it recorded this folder: it was never reported done, and the next use deletes it"
        )
        findings.note("unfinished", one.where, detail)
        return None
    if one.unfinished is not None:
        detail = "a process died before all was in its place: it is checked where it lies, and the next use moves it"
        findings.note("unfinished", one.where, detail)
    entry = chain.by_seal.get(one.root or "")
    if entry is None:
        _tell_unrecorded(one, chain, findings)
    else:
        findings.made("seals in the ledger")
        _check_place(root, one, one.seal, entry, files.get(MANIFEST, b""), findings)
        _check_bookkeeping(one, one.seal, files, entry, chain, findings)
    _compare(one.where, one.seal.files, files, odd, findings, besides=(SEAL, MANIFEST, RECEIPT))
    if roots:
        _check_roots(one.where, one.seal, files, findings)
    return files


def is_never_recorded(one: Kept, chain: Chain) -> bool:
    """True for a folder that was being written when its process died, before the ledger held it fast."""
    return one.unfinished == NEW and one.root not in chain.by_seal


def _check_unsealed(
    one: Kept, files: Mapping[str, bytes], odd: Mapping[str, str], chain: Chain, findings: Findings
) -> dict[str, bytes] | None:
    """A folder without a seal: older than the ledger, robbed of its seal, or put there by hand."""
    if one.unfinished == NEW:
        findings.note("unfinished", one.where, "a process died while it wrote this folder, which the next use deletes")
        return None
    version = read_version(files.get(TRACE, b""))
    if one.receipt is not None or RECEIPT in files:
        findings.wrong("record_missing", f"{one.where}/{SEAL}", "the folder was recorded, and its seal is gone")
    elif REQUEST in files or version >= SEALED_SINCE:
        detail = "records of this version are sealed and recorded when they are saved; nothing recorded this folder"
        findings.wrong("record_added", one.where, detail)
    elif not files and not odd:
        return None
    else:
        detail = "made before there was a ledger: only its own list of files vouches for it"
        findings.note("unsealed", one.where, detail + (", or put there by hand" if chain.exists else ""))
    check_manifest(one.where, files, odd, findings)
    return dict(files)


def check_manifest(
    where: str, files: Mapping[str, bytes], odd: Mapping[str, str], findings: Findings, *, besides: tuple[str, ...] = ()
) -> dict[str, str]:
    """The file list of an unsealed folder (name -> SHA-256), each file compared with it; empty where it is broken."""
    try:
        listed = json.loads(files[MANIFEST])["files"]
        expected = {str(name): str(value) for name, value in listed.items()}
    except KeyError:
        findings.wrong("record_missing", f"{where}/{MANIFEST}", "the list of the folder's files is not there")
        return {}
    except (ValueError, LookupError, TypeError, AttributeError):
        findings.wrong("record_altered", f"{where}/{MANIFEST}", "this is no list of files any more")
        return {}
    if files[MANIFEST] != manifest_of(expected):
        findings.wrong("record_altered", f"{where}/{MANIFEST}", "it is not written as the store writes it")
    _compare(where, expected, files, odd, findings, besides=(MANIFEST, *besides))
    return expected


def manifest_of(hashes: Mapping[str, str]) -> bytes:
    """`complete.json` as the store writes it."""
    return json.dumps({"files": dict(sorted(hashes.items()))}, indent=1).encode() + b"\n"


def _compare(
    where: str,
    expected: Mapping[str, str],
    files: Mapping[str, bytes],
    odd: Mapping[str, str],
    findings: Findings,
    *,
    besides: tuple[str, ...],
) -> None:
    for name, wanted in sorted(expected.items()):
        findings.made("files")
        if name in odd:
            findings.wrong("record_missing", f"{where}/{name}", f"it cannot be read: {odd[name]}")
        elif name not in files:
            findings.wrong("record_missing", f"{where}/{name}", "a file of the record is not there")
        elif (found := sha256(files[name])) != wanted:
            detail = f"its SHA-256 was {wanted[:SHOWN]}..., now it is {found[:SHOWN]}..."
            findings.wrong("record_altered", f"{where}/{name}", detail)
    for name in sorted({*files, *odd} - {*expected, *besides}):
        findings.wrong(
            "record_added", f"{where}/{name}" if name else where, odd.get(name, "nothing recorded this file")
        )


def _check_bookkeeping(
    one: Kept, seal: Seal, files: Mapping[str, bytes], entry: LedgerEntry, chain: Chain, findings: Findings
) -> None:
    """The three files that no seal lists: what they must hold follows from the seal and from the ledger."""
    data = files.get(SEAL, b"")
    is_current = read_version(data) == Seal.SCHEMA_VERSION
    written = seal.model_copy(update={"written_as": None}).to_json() if is_current else data
    if data != written:
        findings.wrong("record_altered", f"{one.where}/{SEAL}", "it says what it said, but is written in another way")
    elif not is_current and (fault := fault_in(data)):
        findings.wrong("record_altered", f"{one.where}/{SEAL}", fault)
    if MANIFEST not in files:
        findings.wrong("record_missing", f"{one.where}/{MANIFEST}", "the list of the folder's files is not there")
    elif files[MANIFEST] != manifest_of({**seal.files, SEAL: sha256(written)}):
        findings.wrong("record_altered", f"{one.where}/{MANIFEST}", "it does not list the files that were sealed")
    if RECEIPT not in files:
        if one.unfinished != NEW:  # written after the line in the ledger: a process may have died between
            findings.wrong("record_missing", f"{one.where}/{RECEIPT}", "the receipt of the ledger is not there")
        return
    receipt = Receipt(ledger=entry.ledger, seq=entry.seq, hash=entry.hash)
    if files[RECEIPT] == receipt.model_dump_json(indent=1).encode() + b"\n":
        findings.made("receipts")
    elif one.receipt is None or one.receipt == receipt or chain.vouches_for(entry):
        detail = f"it is not the receipt of line number {entry.seq}, which holds this folder fast"
        findings.wrong("record_altered", f"{one.where}/{RECEIPT}", detail, seq=entry.seq)
    elif entry.seq not in chain.broken:
        detail = (
            f"the receipt of {one.where} names another hash of it ({one.receipt.hash[:SHOWN]}... as number "
            f"{one.receipt.seq}): the line was written anew, or the receipt was"
        )
        findings.wrong("ledger_altered", chain.place(entry.seq), detail, seq=entry.seq)


def _check_place(root: Path, one: Kept, seal: Seal, entry: LedgerEntry, manifest: bytes, findings: Findings) -> None:
    if entry.kind != seal.kind:
        detail = f"line number {entry.seq} holds fast a {entry.kind}, the seal is of a {seal.kind}"
        findings.wrong("seal_altered", f"{one.where}/{SEAL}", detail, seq=entry.seq)
    if one.place == seal.place:
        return
    if not one.is_former:
        detail = f"it was recorded in another place: {seal.place}"
        findings.wrong("record_added", one.where, detail, seq=entry.seq)
    elif not is_named_former(root, one, manifest):
        detail = f"its name is not that of what was replaced in {seal.place}"
        findings.wrong("record_altered", one.where, detail, seq=entry.seq)


def _tell_unrecorded(one: Kept, chain: Chain, findings: Findings) -> None:
    """What it means that no line of the ledger holds this seal fast: the receipt tells which line should."""
    receipt = one.receipt
    if receipt is None:
        findings.wrong("record_added", one.where, "no line of the ledger holds this folder fast")
    elif chain.ledger is None:
        detail = f"it was recorded as number {receipt.seq}, and the ledger is gone"
        findings.wrong("ledger_truncated", one.where, detail, seq=receipt.seq)
    elif receipt.ledger != chain.ledger:
        detail = f"it was recorded in another ledger, {receipt.ledger[:SHOWN]}...: it was copied from another store"
        findings.wrong("record_added", one.where, detail)
    elif receipt.seq in chain.broken or (receipt.seq <= chain.last and receipt.seq not in chain.entries):
        detail = f"line number {receipt.seq}, which should hold it fast, was altered or deleted"
        findings.note("not_checked", one.where, detail)
    elif receipt.seq > chain.last:
        detail = f"it was recorded as number {receipt.seq}, and the ledger ends with number {chain.last}"
        findings.wrong("ledger_truncated", one.where, detail, seq=receipt.seq)
    else:
        entry = chain.entries[receipt.seq]
        detail = f"line number {receipt.seq} holds fast another seal"
        if entry.hash == receipt.hash or receipt.seq <= chain.witnessed_to:
            findings.wrong("seal_altered", f"{one.where}/{SEAL}", detail, seq=receipt.seq)
        else:
            detail += " under another hash than its receipt names"
            findings.wrong("ledger_altered", chain.place(receipt.seq), f"{one.where}: {detail}", seq=receipt.seq)


def _check_roots(where: str, seal: Seal, files: Mapping[str, bytes], findings: Findings) -> None:
    salt = bytes.fromhex(seal.salt)
    wanted = {name for name in seal.files if name.endswith(".json")}
    for name in sorted(wanted | set(seal.roots)):
        if name not in files or sha256(files[name]) != seal.files.get(name):
            continue  # told already
        findings.made("salted roots")
        try:
            found = json_root(files[name], name, salt)
        except ValueError:
            findings.wrong("record_invalid", f"{where}/{name}", "the sealed file is no JSON")
            continue
        if found != seal.roots.get(name):
            detail = f"the salted root of {name} is not the one of the file that was sealed"
            findings.wrong("seal_altered", f"{where}/{SEAL}", detail)
