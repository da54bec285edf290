"""What a batch needs to go on: where its inputs are, what it may spend, and its results as it last wrote them."""

from __future__ import annotations

import glob
import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pipeline.cli.batch_options import Options

INPUTS, RESULTS = "inputs.json", "results.json"  # beside the records of a batch; nothing of them is hashed
_PLACES = ("out", "metadata", "prices")
_LIMITS = ("budget", "max_calls", "requests_per_minute", "tokens_per_minute", "prices")  # a batch keeps to them
_ENGINE = ("engine", "address", "processes")
_KEPT = ("inputs", "out", "metadata", "access", "use_model", "strategy", "highlights", *_LIMITS, *_ENGINE)


def keep_inputs(root: Path, batch: str, options: Options) -> None:
    """Note what `resumed` needs; no password.

    Raises StoreError when it cannot be written.
    """
    told = {key: value for key, value in asdict(options).items() if key in _KEPT}
    told["out"] = told["out"] or str(options.out_path)
    told["inputs"] = [_absolute(one) for one in options.inputs]
    told |= {key: _absolute(told[key]) for key in _PLACES if told[key]}
    _put(root, batch, INPUTS, told)


def resumed(options: Options, name: str) -> tuple[Options, str]:
    """The options with the inputs and limits that the batch had, where no other ones are given, and its id.

    Raises InputError where there is no such batch, or inputs of it are gone: all are named.
    """
    from pydantic import TypeAdapter, ValidationError

    from pipeline.batch.records import find_batch
    from pipeline.batch.work import place_of_batch
    from pipeline.cli.review_options import existing_store
    from schemas.errors import InputError

    root = existing_store(options.store)
    batch = find_batch(root, name)
    path = place_of_batch(root, batch) / INPUTS
    try:
        kept = json.loads(path.read_bytes())
        told = {key: kept[key] for key in _KEPT}
        former: Options = TypeAdapter(Options).validate_python(asdict(options) | told)
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(
            f"{path}: does not tell the inputs of the batch ({type(error).__name__}); give documents and questions "
            "again: the same command goes on with the same batch"
        ) from error
    given = {key: value for key in ("out", *_LIMITS, *_ENGINE) if (value := getattr(options, key)) is not None}
    if options.engine is not None:  # the address of a cluster and its workers belong to the former engine
        given |= {key: getattr(options, key) for key in _ENGINE}
    chosen = replace(former, **given, highlights=former.highlights and options.highlights)
    _refuse_gone(chosen, batch)
    return chosen, batch


def check_out(options: Options) -> None:
    """Refuse a place for the results before anything runs.

    Raises InputError for one in a store, of another kind, or where a file is that no batch left there as it is.
    """
    from pipeline.audit.keys import refuse_in_store
    from pipeline.batch.results.writing import SUFFIXES
    from schemas.errors import InputError

    path = options.out_path
    refuse_in_store(path, what="a batch's file of results")
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: results are written as {', '.join(SUFFIXES)}; choose one of these endings")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file")
    refuse_changed(options)


def refuse_changed(options: Options) -> None:
    """Nothing for a free place, one that --force gives away, or results as a batch of this store wrote them.

    Raises InputError for any other file: a review may have been written into it.
    """
    from pipeline.batch.work import place_of_batch
    from schemas.errors import InputError

    path, found = options.out_path, _hash_of(options.out_path)
    if found is None or options.force:
        return
    wanted, known = _absolute(str(path)), False
    for note in place_of_batch(Path(options.store), "").glob(f"*/{RESULTS}"):
        hashes = _noted(note).get(wanted, [])
        known = known or bool(hashes)
        if found in hashes:
            return
    if known:
        raise InputError(
            f"{path}: was changed since a batch wrote it; record a review in it with --import-review, name another "
            "file with -o, or replace it with --force"
        )
    raise InputError(f"{path}: is there already; name another file with -o, or replace it with --force")


def note_results(root: Path, batch: str, options: Options, data: bytes) -> None:
    """Note what is about to be written, and what it replaces: after a kill it may be either.

    Raises StoreError when it cannot be written.
    """
    from pipeline.batch.work import place_of_batch

    hashes = [hashlib.sha256(data).hexdigest(), _hash_of(options.out_path)]
    former = _noted(place_of_batch(root, batch) / RESULTS)
    told = {_absolute(str(options.out_path)): [one for one in hashes if one is not None]}
    _put(root, batch, RESULTS, former | told)


def _noted(path: Path) -> dict[str, list[str]]:
    """Places of results and the hashes that files there may have; nothing for a note that cannot be read."""
    try:
        told = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    pairs = told.items() if isinstance(told, dict) else ()
    return {place: hashes for place, hashes in pairs if isinstance(hashes, list)}


def _refuse_gone(options: Options, batch: str) -> None:
    from pipeline.batch.documents.places import is_remote
    from schemas.errors import InputError

    places = [*options.inputs, *(one for one in (options.metadata, options.prices) if one)]
    gone = [one for one in places if not (is_remote(one) or glob.has_magic(one) or Path(one).exists())]
    if gone:
        raise InputError(f"inputs of the batch {batch} are gone: {', '.join(gone)}; put them back where they were")


def _hash_of(path: Path) -> str | None:
    """Hex SHA-256 of a file; None where there is none."""
    from schemas.errors import InputError

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name another file with -o") from error


def _put(root: Path, batch: str, name: str, told: dict[str, Any]) -> None:
    from pipeline.batch.work import place_of_batch
    from pipeline.store.files import replace_file

    data = json.dumps(told, ensure_ascii=True, indent=1).encode()
    replace_file(place_of_batch(root, batch) / name, data)


def _absolute(place: str) -> str:
    from pipeline.batch.documents.places import is_remote

    return place if is_remote(place) else str(Path(place).absolute())
