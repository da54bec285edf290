"""Ways to tamper with an evidence bundle; here `root` of a tamper is the zip file."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.tampers import Tamper, flip_bit
from pipeline.audit.bundle.packing import MANIFEST, SIGNATURE, write_zip

LEDGER = "ledger.jsonl"
Files = dict[str, bytes]
Change = Callable[[Files, Random], str | None]


def read_bundle(path: Path) -> Files:
    """The files in a zip file."""
    with zipfile.ZipFile(path) as bundle:
        return {info.filename: bundle.read(info) for info in bundle.infolist()}


def _changing(change: Change, *, listed: bool) -> Callable[[Path, Random], str | None]:
    """A tamper that changes the files, and with `listed` the bundle's own list of them."""

    def act(path: Path, rng: Random) -> str | None:
        files = read_bundle(path)
        did = change(files, rng)
        if did is None:
            return None
        if listed:
            _list_anew(files)
        path.unlink()
        write_zip(path, files)
        return did

    return act


def _list_anew(files: Files) -> None:
    manifest = json.loads(files[MANIFEST])
    kept = {name: data for name, data in files.items() if name not in (MANIFEST, SIGNATURE)}
    manifest["files"] = {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in sorted(kept.items())
    }
    files[MANIFEST] = json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _pick(files: Files, rng: Random, *ends: str) -> str | None:
    names = sorted(name for name in files if name.endswith(ends) and name not in (MANIFEST, SIGNATURE))
    return rng.choice(names) if names else None


def _bit_in(*ends: str, folder: str = "") -> Change:
    def change(files: Files, rng: Random) -> str | None:
        name = _pick({name: data for name, data in files.items() if name.startswith(folder)}, rng, *ends)
        if name is None:
            return None
        data = bytearray(files[name])
        at = rng.randrange(len(data))
        data[at] ^= 1 << rng.randrange(8)
        files[name] = bytes(data)
        return f"{name} byte {at}"

    return change


def _deleted(files: Files, rng: Random) -> str | None:
    name = _pick(files, rng, "")
    return None if name is None or not files.pop(name) else name


def _added(files: Files, rng: Random) -> str | None:
    name = _pick(files, rng, "answer.json")
    if name is None:
        return None
    added = name.replace("answer.json", "note.txt")
    files[added] = b"approved"
    return added


def _swapped(files: Files, rng: Random) -> str | None:
    names = sorted(name for name in files if name.endswith("answer.json"))
    if len(names) < 2:
        return None
    one, other = rng.sample(names, 2)
    files[one], files[other] = files[other], files[one]
    return f"{one} and {other}"


def _line_deleted(files: Files, rng: Random) -> str:
    lines = files[LEDGER].splitlines(keepends=True)
    at = rng.randrange(len(lines) - 1)
    files[LEDGER] = b"".join(lines[:at] + lines[at + 1 :])
    return f"line {at + 1} of {len(lines)}"


def _lines_swapped(files: Files, rng: Random) -> str:
    lines = files[LEDGER].splitlines(keepends=True)
    at = rng.randrange(len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    files[LEDGER] = b"".join(lines)
    return f"lines {at + 1} and {at + 2} of {len(lines)}"


def _truncated(files: Files, rng: Random) -> str:
    lines = files[LEDGER].splitlines(keepends=True)
    left = rng.randrange(1, len(lines))
    files[LEDGER] = b"".join(lines[:left])
    return f"{left} of {len(lines)} lines left"


def _source_replaced(files: Files, rng: Random) -> str | None:
    name = _pick(files, rng, "/source/source.pdf", "/source/source.txt")
    if name is None:
        return None
    files[name] += b"\n% another version\n"
    return name


def _bit_of_zip(path: Path, rng: Random) -> str | None:
    before = read_bundle(path)
    at = flip_bit(path, rng)
    try:
        same = read_bundle(path) == before
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        same = False
    except Exception:  # noqa: BLE001 - zlib and zipfile raise many kinds, each of which shows
        same = False
    return None if same else f"byte {at}"  # a bit of a date or of a right says nothing on what is in it


def _cut(path: Path, rng: Random) -> str:
    data = path.read_bytes()
    path.write_bytes(data[: rng.randrange(1, len(data))])
    return "cut short"


_RECORDS = ("answer.json", "retrieval_result.json", "trace.json", "parsed_question.json", "request.json")
_ANY = (
    "record_altered",
    "record_invalid",
    "seal_altered",
    "source_changed",
    "ledger_altered",
    "ledger_torn",
    "refused",
)
BUNDLE_TAMPERS: dict[str, Tamper] = {
    "bundle: a bit of the zip file": Tamper(
        _bit_of_zip, (*_ANY, "record_missing", "record_added", "signature_invalid", "ledger_inserted")
    ),
    "bundle: cut short": Tamper(_cut, ("refused",)),
}
for _words, _change, _named in (
    ("a bit of a record", _bit_in(*_RECORDS), ("record_altered",)),
    ("a bit of a page", _bit_in(".html"), ("record_altered",)),
    ("a bit of the lines", _bit_in(".json", folder="lines/"), ("record_altered",)),
    ("a bit of the ledger", _bit_in(LEDGER), ("ledger_altered", "ledger_torn", "ledger_inserted")),
    ("a file deleted", _deleted, ("record_missing", "record_altered", "ledger_truncated", "source_missing")),
    ("a file added", _added, ("record_added",)),
    ("two answers swapped", _swapped, ("record_altered",)),
    ("a line of the ledger deleted", _line_deleted, ("ledger_line_missing",)),
    ("lines of the ledger swapped", _lines_swapped, ("ledger_reordered",)),
    ("the ledger's end cut off", _truncated, ("ledger_truncated",)),
    ("the document replaced", _source_replaced, ("source_changed",)),
):
    BUNDLE_TAMPERS[f"bundle: {_words}"] = Tamper(_changing(_change, listed=False), _named)
    BUNDLE_TAMPERS[f"bundle: {_words}, its list too"] = Tamper(
        _changing(_change, listed=True), (*_named, "signature_invalid")
    )
