"""A bundle verified: by the verifier that travels in it, and as a small store by all that verifies stores."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.audit.bundle.collecting import lines_of
from pipeline.audit.bundle.packing import MANIFEST
from pipeline.audit.bundle.standalone import verify_basics as basics
from pipeline.audit.bundle.standalone.verify_bundle import check_bundle, detectable
from pipeline.audit.bundle.standalone.verify_case import CANNOT, CANNOT_UNSIGNED
from pipeline.audit.bundle.standalone.verify_records import MAY_BE_LEFT_OUT
from pipeline.audit.bundle.standalone.verify_report import Report
from pipeline.opening import Narrate, be_silent
from pipeline.store.dictionaries import FOLDER as DICTIONARIES
from pipeline.store.documents import load_document
from schemas.errors import InputError, PipelineError
from schemas.ledger import SignedHead
from schemas.verification import Mismatch, Remark, Verification

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HEAD, LEDGER, STORE = "head.json", "ledger.jsonl", "store/"
# Marked copies and dictionaries, which a sender may leave out; never a record.
_LEFT_OUT = re.compile(rf"/({MAY_BE_LEFT_OUT.pattern})$|^store/dictionaries/used/[0-9a-f]{{64}}\.toml$")


def verify_bundle(
    path: Path,
    *,
    anchors: Sequence[SignedHead] = (),
    trusted: Sequence[Ed25519PublicKey] = (),
    rerun: bool = True,
    password: str | None = None,
    narrate: Narrate = be_silent,
) -> Verification:
    """What does not hold in a bundle: all that its own verifier finds, and all that `verify` finds in its store.

    `anchors` are signed heads from elsewhere. The head in the bundle vouches for nothing unless one of the `trusted`
    keys signed it; with such keys, what they did not sign is a mismatch. A redacted bundle has no store: its own
    verifier checks all that there is.

    Raises InputError for what is no bundle, or not safe to unpack.
    """
    try:
        report = check_bundle(str(path), [head.model_dump_json() for head in anchors], _raw(trusted))
        bundle = basics.Bundle(str(path))
        manifest = _sound(basics.as_object(bundle.read(MANIFEST)))
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    if manifest.get("redacted"):
        return _verification(report, manifest, None)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        narrate("unpacking the bundle")
        _unpack(bundle, root)
        heads = [*anchors, *(_own_head(bundle) if trusted else ())]
        _check_lines(bundle, root, report)
        return _verification(report, manifest, _verify_store(root, manifest, heads, trusted, rerun, password, narrate))


def _sound(manifest: dict[str, Any]) -> dict[str, Any]:
    """The list of files with those parts alone that are built as they should be; the bundle's verifier tells others."""
    folders, left_out, documents = (manifest.get(name) for name in ("folders", "left_out", "documents"))
    told = documents.items() if isinstance(documents, dict) else ()
    return manifest | {
        "folders": [one for one in folders if isinstance(one, dict)] if isinstance(folders, list) else [],
        "left_out": left_out if isinstance(left_out, dict) else {},
        "documents": {doc_id: one for doc_id, one in told if isinstance(one, dict)},
    }


def _raw(trusted: Sequence[Ed25519PublicKey]) -> frozenset[bytes]:
    return frozenset(key.public_bytes_raw() for key in trusted)


def _own_head(bundle: basics.Bundle) -> list[SignedHead]:
    if HEAD not in bundle.names:
        return []
    try:
        return [SignedHead.from_json(bundle.read(HEAD), where=HEAD)]
    except PipelineError:  # told by the bundle's own verifier
        return []


def _unpack(bundle: basics.Bundle, root: Path) -> None:
    """Write the bundle's store into an empty folder; `Bundle` has refused names that lead out of it.

    Raises InputError for what this system cannot write, as a name that is too long for it.
    """
    for name in bundle.names:
        if name == LEDGER or name.startswith(STORE):
            place = root / name.removeprefix(STORE)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(bundle.read(name))
            except OSError as error:
                raise InputError(f"{name[:100]}: cannot be unpacked to be checked ({error.strerror})") from error


def _check_lines(bundle: basics.Bundle, root: Path, report: Report) -> None:
    """The lines as text against the tables of the parsings that they were written from."""
    for name in sorted(bundle.names):
        if not (name.startswith("lines/") and name.endswith(".json")):
            continue
        doc_id, _, sha = Path(name).stem.rpartition("_")
        folders = [root / doc_id / "parsing", root / doc_id / "former" / f"parsing_{sha}"]
        found = [folder for folder in folders if _manifest_sha(folder).startswith(sha)]
        try:
            document = load_document(root, doc_id, folder=found[0]) if found else None
        except PipelineError:  # told where the parsing is checked
            continue
        report.count("tables of lines")
        if document is not None and lines_of(document) != bundle.read(name):
            report.wrong("record_altered", name, "does not hold the lines of the parsing that was sealed")


def _manifest_sha(folder: Path) -> str:
    manifest = folder / "complete.json"
    return basics.sha256(manifest.read_bytes()) if manifest.is_file() else ""


def _verify_store(
    root: Path,
    manifest: dict[str, Any],
    heads: Sequence[SignedHead],
    trusted: Sequence[Ed25519PublicKey],
    rerun: bool,
    password: str | None,
    narrate: Narrate,
) -> Verification | None:
    """What `verify` finds in the unpacked store; None where no sealed folder is there."""
    from pipeline.audit.verify import verify

    told = [str(one.get("folder", "")) for one in manifest["folders"]]
    folders = [root / place.removeprefix(STORE) for place in told if place.startswith(STORE)]
    there = [folder for folder in folders if folder.is_dir()]
    if not there:
        return None
    complete = all(one.get("included") for one in manifest["documents"].values())
    return verify(
        root, anchors=heads, trusted=trusted, runs=there, rerun=rerun and complete, password=password, narrate=narrate
    )


def _verification(report: Report, manifest: dict[str, Any], store: Verification | None) -> Verification:
    """Both outcomes as one; what the bundle declares to be left out is a remark."""
    found = {
        (kind, place): Mismatch.model_validate({"kind": kind, "place": place, "detail": detail})
        for kind, place, detail in report.mismatches
    }
    remarks = [
        Remark.model_validate({"kind": kind, "place": place, "detail": detail})
        for kind, place, detail in report.remarks
    ]
    checks = {f"bundle: {check}": number for check, number in report.counts.items()}
    if store is not None:
        for mismatch in store.mismatches:
            place = mismatch.place if mismatch.place.startswith(LEDGER) else f"{STORE}{mismatch.place}"
            if mismatch.kind == "record_missing" and _is_of_others(place, manifest):
                continue
            if _is_left_out(mismatch.kind, place, manifest):
                remarks.append(Remark(kind="not_checked", place=place, detail="left out of the bundle by its sender"))
            else:
                found.setdefault((mismatch.kind, place), mismatch.model_copy(update={"place": place}))
        remarks += [one.model_copy(update={"place": _in_bundle(one.place)}) for one in store.remarks]
        checks |= store.checks
    can, cannot = detectable(report)
    if store is not None:
        unsigned = () if report.is_list_signed else (CANNOT_UNSIGNED,)
        can, cannot = store.detects, (*unsigned, *store.cannot_detect, CANNOT[0])
    mismatches = sorted(found.values(), key=lambda one: (one.place, one.kind))
    return Verification(
        passed=not mismatches,
        ledger=report.ledger,
        entry_count=store.entry_count if store else report.counts.get("lines of the ledger", 0),
        head=report.head,
        anchored_to=report.anchored_to or None,
        signed_by=tuple(report.signed_by),
        run_count=store.run_count if store else report.counts.get("redacted folders", 0),
        checks=dict(sorted(checks.items())),
        mismatches=tuple(mismatches),
        remarks=tuple(sorted(dict.fromkeys(remarks), key=lambda one: (one.place, one.kind, one.detail))),
        detects=can,
        cannot_detect=cannot,
    )


def _in_bundle(place: str) -> str:
    return place if place == "." or place.startswith(LEDGER) else f"{STORE}{place}"


def _is_of_others(place: str, manifest: dict[str, Any]) -> bool:
    """True for what is missing and no part of a bundle: a later run in the place of a former one, words now in force.

    What a run in the bundle rests on (its document, parsing, dictionaries) is part of it, whatever the bundle says.
    """
    parts = place.removeprefix(STORE).split("/")
    if parts[0] == DICTIONARIES:
        return len(parts) == 2
    return parts[1:2] not in (["parsing"], ["source"]) and not _is_told(place, manifest)


def _is_told(place: str, manifest: dict[str, Any]) -> bool:
    """True for a place that the bundle says it holds, or leaves out."""
    folders = [str(one.get("folder", "")) for one in manifest["folders"]]
    named = {*folders, *manifest["files"], *manifest["left_out"]}
    return any(place == one or one.startswith(f"{place}/") or place.startswith(f"{one}/") for one in named)


def _is_left_out(kind: str, place: str, manifest: dict[str, Any]) -> bool:
    """True for what is missing and was declared to be: files of sealed folders, and what belongs to the documents."""
    if not kind.endswith("_missing"):
        return False
    gone = [doc_id for doc_id, told in manifest["documents"].items() if not told.get("included")]
    is_named = place in manifest["left_out"]
    return (is_named and _LEFT_OUT.search(place) is not None) or any(
        place == f"{STORE}{doc_id}/{folder}" or place.startswith(f"{STORE}{doc_id}/{folder}/")
        for doc_id in gone
        for folder in ("source", "parsing", "former")
    )
