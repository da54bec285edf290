"""A bundle put together: records in full or redacted, pages for reading, the verifier, list of files, signatures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.bundle.collecting import Collected, collect
from pipeline.audit.bundle.contents import in_full, redacted, told_of
from pipeline.audit.bundle.fields import Level
from pipeline.audit.bundle.packing import MANIFEST, SIGNATURE, make_manifest, refuse_present, write_zip
from pipeline.audit.bundle.readme import Counts, readme
from pipeline.audit.keys import key_id_of, public_base64, refuse_in_store, sign_canonical
from pipeline.audit.reviewing.told import Verdicts
from pipeline.opening import Narrate, be_silent
from pipeline.store.ledger import parse_line
from schemas.errors import InputError
from schemas.ledger import SignedHead

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

HEAD = "head.json"
LEDGER = "ledger.jsonl"
STANDALONE = (
    "verify_bundle.py", "verify_case.py", "verify_ledger.py", "verify_records.py", "verify_signatures.py",
    "verify_report.py", "verify_basics.py",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """How a bundle is made. `levels` are shown in a redacted one all the same; `anchor` is a head signed before."""

    redact: bool = False
    levels: tuple[Level, ...] = ()
    documents: bool = True
    replays: bool = False
    password: str | None = None
    anchor: SignedHead | None = None
    key: Ed25519PrivateKey | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class MadeBundle:
    """A bundle that was written."""

    path: Path
    sha256: str
    byte_count: int
    file_count: int
    places: tuple[str, ...]  # of the sealed folders in it
    head: SignedHead | None
    redacted: bool
    remarks: tuple[str, ...] = ()


def make_bundle(
    root: Path, runs: Sequence[Path], path: Path, *, options: BundleOptions | None = None, narrate: Narrate = be_silent
) -> MadeBundle:
    """Write a bundle of runs and cases to a new file; the same store gives the same bytes but for signatures.

    Raises InputError for a run without a seal, an anchor of another ledger or a file that is there already, RecordError
    for what is damaged (a bundle of it would prove nothing), StoreError where it cannot be written.
    """
    options, root = options or BundleOptions(), root.resolve()
    if not runs:
        raise InputError("no run is named; name at least one run or case")
    refuse_present(path)
    refuse_in_store(path, store=root, what="a bundle")
    narrate("collecting the records")
    with_documents = options.documents and not options.redact
    taken = collect(root, runs, documents=with_documents, replays=options.replays)
    head, remarks = _sign(taken, options)
    if options.redact:
        files = redacted(taken, options.levels, Verdicts(root))
    else:
        files = in_full(root, taken, documents=with_documents, password=options.password, narrate=narrate)
    files |= {LEDGER: taken.ledger, **standalone()}
    if head is not None:
        files[HEAD] = head.to_json()
    files["README.txt"] = readme(
        _counts(taken), version("lineproof"), documents=with_documents, redacted=options.redact, levels=options.levels
    )
    manifest = make_manifest(
        files, told_of(taken, documents=with_documents, levels=options.levels if options.redact else None)
    )
    files[MANIFEST] = manifest
    if options.key is not None:
        files[SIGNATURE] = _sign_manifest(manifest, options.key)
    narrate("writing the bundle")
    sha256 = write_zip(path, files)
    places = tuple(folder.place for folder in taken.folders.values())
    return MadeBundle(path, sha256, path.stat().st_size, len(files), places, head, options.redact, remarks)


def _counts(taken: Collected) -> Counts:
    reviews = sum(folder.seal.kind == "review" for folder in taken.folders.values())
    return Counts(len(taken.asked), reviews, len(taken.folders) - len(taken.asked) - reviews)


def standalone() -> dict[str, bytes]:
    """The verifier that needs nothing but Python, file by file."""
    folder = Path(__file__).with_name("standalone")
    return {name: (folder / name).read_bytes() for name in STANDALONE}


def _sign(taken: Collected, options: BundleOptions) -> tuple[SignedHead | None, tuple[str, ...]]:
    """The signed head: of now with a key, else the anchor that was given; and what a sender should know."""
    from pipeline.audit.anchors import check_anchor, sign_head

    entries = [entry for entry in map(parse_line, taken.ledger.splitlines()) if entry is not None]
    if options.key is not None:
        return sign_head(entries[-1], options.key), ()
    if options.anchor is None:
        return None, ("nothing is signed: who gets the bundle has only your word for the ledger (--key or --anchor)",)
    faults = check_anchor(options.anchor, entries)
    if faults:
        raise InputError(f"the anchor does not fit the ledger: {faults[0].detail}")
    late = [folder for folder in taken.folders.values() if folder.entry.seq > options.anchor.seq]
    told = f"{len(late)} of {len(taken.folders)} records came after the anchor (line {options.anchor.seq}): sign anew"
    return options.anchor, (told,) if late else ()


def _sign_manifest(manifest: bytes, key: Ed25519PrivateKey) -> bytes:
    public = key.public_key()
    fields = {
        "bundle_sha256": hashlib.sha256(manifest).hexdigest(),
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "key_id": key_id_of(public),
    }
    signed = {**fields, "public_key": public_base64(public), "signature": sign_canonical(fields, key)}
    return json.dumps(signed, indent=1).encode() + b"\n"
