"""Ways to tamper with what lies in a store's folders: records, documents, dictionaries and replies."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.tampers import (
    TRANSCRIPT,
    Tamper,
    edit_json,
    flip_bit,
    folders_of,
    patch_all,
    patch_manifest,
    patch_seal,
)
from benchmarks.tampers_changes import CHANGES, edit_text
from pipeline.store.folders import FORMER, MANIFEST
from pipeline.store.runs import ANSWER, QUESTION, REQUEST, RETRIEVAL, TRACE
from pipeline.store.seals import RECEIPT, SEAL

_ONE_ROW = "WHERE id = (SELECT id FROM llm_calls WHERE status = 'answered' ORDER BY id LIMIT 1)"
_OTHER_REPLY = (
    "(SELECT reply FROM llm_calls AS one WHERE one.status = 'answered' AND one.reply != llm_calls.reply LIMIT 1)"
)
RECORDS = (REQUEST, QUESTION, RETRIEVAL, ANSWER, TRACE)


def _changing(name: str, patch: Callable[[Path, Path, str], None]) -> Callable[[Path, Random], str | None]:
    """A tamper that changes one record and then what holds it fast."""
    file, change, _ = CHANGES[name]

    def act(root: Path, rng: Random) -> str | None:
        folders = folders_of(root)
        rng.shuffle(folders)
        for folder in folders:
            if edit_json(folder / file, lambda fields: change(fields, rng)):
                patch(root, folder, file)
                return f"{folder.name}/{file}"
        return None

    return act


def _unpatched(_root: Path, _folder: Path, _name: str) -> None:
    """Nothing else."""


def _with_manifest(_root: Path, folder: Path, name: str) -> None:
    patch_manifest(folder, name)


def _with_seal(_root: Path, folder: Path, name: str) -> None:
    patch_seal(folder, name)


def _with_all(root: Path, folder: Path, name: str) -> None:
    patch_all(root, folder, name)


def _record_bit(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(path for folder in folders_of(root, current=False) for path in folder.iterdir()))
    return f"{path.relative_to(root)} byte {flip_bit(path, rng)}"


def _record_cut(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(path for folder in folders_of(root, current=False) for path in folder.iterdir()))
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size)])
    return str(path.relative_to(root))


def _file_deleted(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(path for folder in folders_of(root, current=False) for path in folder.iterdir()))
    path.unlink()
    return str(path.relative_to(root))


def _file_added(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root))
    (folder / "note.txt").write_text("approved")
    return folder.name


def _file_linked(root: Path, rng: Random) -> str:
    path = rng.choice(folders_of(root)) / rng.choice(RECORDS)
    other = root / "elsewhere.json"
    path.rename(other)
    path.symlink_to(other)
    return str(path.relative_to(root))


def _folder_deleted(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root, current=False))
    shutil.rmtree(folder)
    return str(folder.relative_to(root))


def _document_deleted(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root)).parents[1]
    shutil.rmtree(folder)
    return folder.name


def _folder_copied(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root))
    shutil.copytree(folder, folder.with_name("what-was-never-asked_00000000"))
    return folder.name


def _folder_planted(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root))
    other = folder.with_name("what-was-never-asked_00000000")
    shutil.copytree(folder, other)
    edit_json(other / ANSWER, lambda fields: edit_text(fields, rng))
    (other / RECEIPT).unlink()
    patch_seal(other, ANSWER)
    return folder.name


def _unsealed_planted(root: Path, rng: Random) -> str:
    folder = rng.choice(folders_of(root))
    other = folder.with_name("what-was-never-asked_00000000")
    shutil.copytree(folder, other)
    (other / RECEIPT).unlink()
    (other / SEAL).unlink()
    listed = json.loads((other / MANIFEST).read_bytes())["files"]
    del listed[SEAL]
    (other / MANIFEST).write_bytes(json.dumps({"files": listed}, indent=1).encode() + b"\n")
    return folder.name


def _folders_swapped(root: Path, rng: Random) -> str:
    one, other = rng.sample(folders_of(root), 2)
    _swap(one, other)
    return f"{one.name} and {other.name}"


def _files_swapped(root: Path, rng: Random) -> str:
    one, other = rng.sample(folders_of(root), 2)
    _swap(one / ANSWER, other / ANSWER)
    return f"{one.name} and {other.name}"


def _former_restored(root: Path, rng: Random) -> str | None:
    """An earlier run in the place of the one that replaced it, by the names that the store would give both."""
    former = [path for path in folders_of(root, current=False) if path.parent.name == FORMER]
    if not former:
        return None
    folder = rng.choice(former)
    present = folder.parents[1] / "questions" / folder.name.rpartition("_")[0]
    manifest = hashlib.sha256((present / MANIFEST).read_bytes()).hexdigest()[:12]
    present.rename(folder.with_name(f"{present.name}_{manifest}"))
    folder.rename(present)
    return present.name


def _parsing_bit(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(root.glob("*/parsing/*")))
    return f"{path.name} byte {flip_bit(path, rng)}"


def _parsing_patched(root: Path, rng: Random) -> str:
    folder = rng.choice(sorted(root.glob("*/parsing")))
    edit_json(folder / "profile.json", lambda fields: fields.update(forged=True) or True)
    patch_manifest(folder, "profile.json")
    return folder.parent.name


def _parsing_gone(root: Path, rng: Random) -> str:
    folder = rng.choice(sorted(root.glob("*/parsing")))
    shutil.rmtree(folder)
    return folder.parent.name


def _source_bit(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(root.glob("*/source/source.*")))
    return f"byte {flip_bit(path, rng)}"


def _source_replaced(root: Path, rng: Random) -> str:
    """Another file as careful as it gets: with the list of files to it."""
    path = rng.choice(sorted(root.glob("*/source/source.*")))
    path.write_bytes(path.read_bytes() + b"\n% another version\n")
    patch_manifest(path.parent, path.name)
    return path.parents[1].name


def _source_gone(root: Path, rng: Random) -> str:
    folder = rng.choice(sorted(root.glob("*/source")))
    shutil.rmtree(folder)
    return folder.parent.name


def _dictionary_bit(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(root.glob("dictionaries/used/*.toml")))
    return f"{path.name[:8]} byte {flip_bit(path, rng)}"


def _dictionary_gone(root: Path, rng: Random) -> str:
    path = rng.choice(sorted(root.glob("dictionaries/used/*.toml")))
    path.unlink()
    return path.name[:8]


def _dictionary_added(root: Path, _rng: Random) -> str:
    (root / "dictionaries" / "used" / "forged.toml").write_text("x = 1\n")
    return "forged.toml"


def _sql(change: str) -> Callable[[Path, Random], str | None]:
    def act(root: Path, _rng: Random) -> str | None:
        if not (root / TRANSCRIPT).exists():
            return None
        connection = sqlite3.connect(root / TRANSCRIPT)
        with connection:
            changed = connection.execute(f"UPDATE llm_calls SET {change} {_ONE_ROW}").rowcount  # noqa: S608 - our own words
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return f"{changed} rows" if changed else None

    return act


def _swap(one: Path, other: Path) -> None:
    beside = one.with_name("swapping")
    one.rename(beside)
    other.rename(one)
    beside.rename(other)


_ANY_RECORD = ("record_altered", "seal_altered", "ledger_altered")
RECORD_TAMPERS: dict[str, Tamper] = {
    "record: a bit": Tamper(_record_bit, _ANY_RECORD),
    "record: cut short": Tamper(_record_cut, _ANY_RECORD),
    "record: a file deleted": Tamper(_file_deleted, ("record_missing",)),
    "record: a file added": Tamper(_file_added, ("record_added",)),
    "record: a file made a link": Tamper(_file_linked, ("record_missing",)),
    "record: a folder deleted": Tamper(_folder_deleted, ("record_missing",)),
    "record: a document's folder deleted": Tamper(_document_deleted, ("record_missing",)),
    "record: a folder copied": Tamper(_folder_copied, ("record_added",)),
    "record: a forged folder put there": Tamper(_folder_planted, ("record_added",)),
    "record: a forged folder without a seal": Tamper(_unsealed_planted, ("record_added",)),
    "record: two folders swapped": Tamper(_folders_swapped, ("record_added",)),
    "record: two answers swapped": Tamper(_files_swapped, ("record_altered",)),
    "record: an earlier run put back": Tamper(_former_restored, ("record_altered",)),
    "parsing: a bit": Tamper(_parsing_bit, ("record_altered",)),
    "parsing: edited with its list of files": Tamper(_parsing_patched, ("record_altered",)),
    "parsing: taken away": Tamper(_parsing_gone, ("record_missing",)),
    "document: a bit": Tamper(_source_bit, ("source_changed",)),
    "document: replaced with its list of files": Tamper(_source_replaced, ("source_changed",)),
    "document: taken away": Tamper(_source_gone, ("source_missing",)),
    "dictionary: a bit": Tamper(_dictionary_bit, ("record_altered",)),
    "dictionary: taken away": Tamper(_dictionary_gone, ("record_missing",)),
    "dictionary: one added": Tamper(_dictionary_added, ("record_added",)),
    "transcript: a reply edited in the cache": Tamper(_sql("reply = reply || ' '"), ("transcript_altered",)),
    "transcript: a request edited in the cache": Tamper(
        _sql("request = replace(request, 'a', 'o')"), ("transcript_altered",)
    ),
    "transcript: tokens edited in the cache": Tamper(
        _sql("output_tokens = output_tokens + 1"), ("transcript_altered",)
    ),
    "transcript: another reply in its place": Tamper(_sql(f"reply = {_OTHER_REPLY}"), ("transcript_altered",)),
}
for _name, (_file, _change, _named) in CHANGES.items():
    RECORD_TAMPERS[f"record: {_name}"] = Tamper(_changing(_name, _unpatched), ("record_altered",))
    RECORD_TAMPERS[f"record: {_name}, list of files too"] = Tamper(
        _changing(_name, _with_manifest), ("record_altered",)
    )
    RECORD_TAMPERS[f"record: {_name}, seal too"] = Tamper(_changing(_name, _with_seal), ("seal_altered",))
    RECORD_TAMPERS[f"record: {_name}, everything anew"] = Tamper(
        _changing(_name, _with_all), _named, "anchor" if _named == ("anchor_mismatch",) else "stages"
    )
