"""The dictionaries of a what-if: those of then with a file in the place of one, or those of a date or a version."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pipeline.audit.comparing.sides import dictionary_file
from pipeline.store.dictionaries import FOLDER, HISTORY, USED, own_dictionaries
from pipeline.store.ledger import read_entries
from pipeline.store.runs import REQUEST
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import read_receipt
from schemas.errors import InputError, RecordError
from schemas.request import RunRequest

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from schemas.ledger import LedgerEntry

SHA_SHOWN = 12  # hex digits of a hash in what is told of a change
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Words:
    """Dictionary files that take the place of those of then, whole, by name; None: that one is left out.

    `told` says by which option, for the record. With `only`, dictionaries that are not named are left out.
    """

    files: Mapping[str, bytes | None]
    told: Mapping[str, str]
    only: bool = field(default=False)


def edited_words(root: Path, paths: Sequence[str]) -> Words:
    """The dictionaries of `--dictionary FILE` options: TOML files, workbooks, or former versions of the store.

    Raises DictionaryError for a file that cannot be used, with every fault, and for a name given twice.
    """
    from dictionaries.faults import tell_faults
    from dictionaries.loading import MAX_FAULTS
    from dictionaries.writing import to_toml
    from pipeline.lifecycle.editing import find_edited
    from schemas.errors import DictionaryError

    files: dict[str, bytes | None] = {}
    told = []
    for named in paths:
        draft = find_edited(root, named)
        errors = [fault for fault in draft.faults if fault.severity == "error"]
        if draft.parsed is None or errors:
            raise DictionaryError(f"{draft.file}: {tell_faults(errors or draft.faults, limit=MAX_FAULTS)}")
        if draft.name in files:
            raise DictionaryError(f"{draft.file}: the dictionary {draft.name} is given twice; give it once")
        path = Path(named)
        is_toml = path.suffix.lower() == ".toml" and path.is_file()
        content = path.read_bytes() if is_toml else to_toml(draft.parsed)
        files[draft.name] = content
        told.append(f"{draft.name} {draft.parsed.version} ({_sha(content)[:SHA_SHOWN]})")
    return Words(files, {"dictionary": ", ".join(told)})


def words_as_of(root: Path, wanted: str) -> Words:
    """The dictionaries of `--as-of`: in force in the store at the end of a day (UTC), or one `NAME=VERSION`.

    Raises InputError for what is neither, for a day before anything is on record, and for a version that is not kept.
    """
    name, equals, version = wanted.partition("=")
    if equals:
        content = _of_version(root, name.strip(), version.strip())
        return Words({name.strip(): content}, {"as_of": f"{name.strip()}={version.strip()}"})
    if not _DAY.fullmatch(wanted):
        raise InputError(f"--as-of {wanted}: it must be a day such as 2026-03-31, or NAME=VERSION of a dictionary")
    try:
        day = date.fromisoformat(wanted)
    except ValueError as error:
        raise InputError(f"--as-of {wanted}: there is no such day") from error
    hashes = _in_force(root, day.isoformat())
    return Words({name: _kept(root, name, sha) for name, sha in hashes.items()}, {"as_of": wanted}, only=True)


def joined(words: Sequence[Words]) -> Words | None:
    """Several changes as one, the later in the place of the earlier; None for none."""
    if not words:
        return None
    files: dict[str, bytes | None] = {}
    told: dict[str, str] = {}
    for one in words:
        files |= one.files
        told |= one.told
    return Words(files, told, only=any(one.only for one in words))


def with_words(root: Path, then: Mapping[str, str], words: Words) -> tuple[Dictionaries, dict[str, bytes]]:
    """The dictionaries of then (name -> SHA-256) with `words` in their place, and the files that are new, by name.

    Raises RecordError where one of then is not kept, DictionaryError where one cannot be used.
    """
    from dictionaries import load_dictionaries

    contents: dict[str, bytes] = {}
    for name, sha in then.items():
        if name not in words.files and not words.only:
            contents[name] = _kept(root, name, sha)
    contents |= {name: content for name, content in words.files.items() if content is not None}
    with TemporaryDirectory(prefix="lineproof-") as folder:
        for name, content in contents.items():
            (Path(folder) / f"{name}.toml").write_bytes(content)
        loaded = load_dictionaries(Path(folder)) if contents else load_dictionaries(names=())
    return loaded, {name: content for name, content in contents.items() if then.get(name) != _sha(content)}


def _kept(root: Path, name: str, sha256: str) -> bytes:
    path = dictionary_file(root, name, sha256)
    if path is None:
        raise RecordError(
            f"{root / FOLDER / USED}: the dictionary {name} ({sha256[:SHA_SHOWN]}) of then is not kept; restore it "
            "from a backup"
        )
    return path.read_bytes()


def _in_force(root: Path, day: str) -> dict[str, str]:
    """Hex SHA-256 of each dictionary in force at the end of a day, by name.

    The ledger's changes of dictionaries tell; a dictionary that none of them names is told by the last run before.
    """
    entries = read_entries(root)
    if not any(entry.at[:10] <= day for entry in entries):
        begins = f"; the ledger begins on {entries[0].at[:10]}" if entries else "; the store has no ledger"
        raise InputError(f"--as-of {day}: nothing is on record of that day or before{begins}")
    found = _of_last_run(root, entries, day)
    changes = [entry for entry in entries if entry.kind == "dictionary"]
    for entry in changes:
        name, before, after = (entry.facts.get(key) for key in ("name", "sha256_before", "sha256_after"))
        if not isinstance(name, str):
            continue
        if entry.at[:10] <= day:
            _put(found, name, after)
        elif name not in {each.facts.get("name") for each in changes if each.seq < entry.seq}:
            _put(found, name, before)
    if not found:
        raise InputError(
            f"--as-of {day}: neither a run nor a change of a dictionary of that day or before is on record"
        )
    return found


def _put(found: dict[str, str], name: str, sha256: object) -> None:
    if isinstance(sha256, str):
        found[name] = sha256
    else:
        found.pop(name, None)


def _of_last_run(root: Path, entries: Sequence[LedgerEntry], day: str) -> dict[str, str]:
    """The dictionaries of the last run up to a day, as its request names them; none without such a run."""
    runs = [entry.seq for entry in entries if entry.kind == "run" and entry.at[:10] <= day]
    where = dict(_requests(root))
    last = next((where[seq] for seq in reversed(runs) if seq in where), None)
    return dict(last.dictionaries) if last is not None else {}


def _requests(root: Path) -> Iterator[tuple[int, RunRequest]]:
    """Each run's line in the ledger and what it was asked with."""
    for folder in sealed_folders(root):
        receipt, path = read_receipt(folder), folder / REQUEST
        if receipt is not None and path.is_file():
            yield receipt.seq, RunRequest.from_json(path.read_bytes(), where=str(path))


def _of_version(root: Path, name: str, version: str) -> bytes:
    """The file of a dictionary in a version: in force, of the history, used by a run, or as shipped."""
    from dictionaries.drafts import read_draft
    from dictionaries.loading import dictionary_paths

    own = own_dictionaries(root)
    hashes = {request.dictionaries.get(name) for _, request in _requests(root)} - {None}
    paths = [
        *sorted((own / HISTORY).glob(f"{name}_*.toml")),
        *(own / USED / f"{sha}.toml" for sha in sorted(map(str, hashes))),
    ]
    paths += [path for path in (dictionary_paths(overlay=own).get(name), dictionary_paths().get(name)) if path]
    known: dict[str, set[bytes]] = {}
    for path in paths:
        parsed = read_draft(path).usable if path.is_file() else None
        if parsed is not None:
            known.setdefault(parsed.version, set()).add(path.read_bytes())
    meant = known.get(version, set())
    if len(meant) == 1:
        return next(iter(meant))
    if meant:
        raise InputError(f"--as-of {name}={version}: {len(meant)} different files carry it; give one with --dictionary")
    listed = ", ".join(sorted(known)) or "none"
    raise InputError(f"--as-of {name}={version}: no such version is kept in {root}; there are: {listed}")


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
