"""Fields of a label file, taken with a clear word where one is missing or of the wrong kind; paths that stay inside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.evaluation.datasets.records import LabelledDocument, LabelledQuestion
from schemas.errors import InputError

MAX_LABEL_BYTES = 500_000_000  # all labels of CUAD take 12 MB; more is no file of labels
MAX_LISTED_FAULTS = 10  # faults printed of one file; the rest is counted


def read_labels(path: Path) -> tuple[bytes, str]:
    """The bytes of a label file and their SHA-256.

    Raises InputError where it cannot be read.
    """
    try:
        if path.stat().st_size > MAX_LABEL_BYTES:
            raise InputError(f"{path}: larger than {MAX_LABEL_BYTES} bytes, the most a file of labels may have")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: the labels cannot be read ({error.strerror})") from error
    return data, sha256(data).hexdigest()


def parse_json(data: bytes, *, where: str) -> Any:
    """The JSON value that the bytes hold.

    Raises InputError naming the place.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not valid JSON ({error})") from error


def parse_lines(data: bytes, *, where: str) -> list[dict[str, Any]]:
    """One object a line that is not blank.

    Raises InputError naming the line.
    """
    rows = []
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        row = parse_json(line, where=f"{where}, line {number}")
        if not isinstance(row, dict):
            raise InputError(f"{where}, line {number}: a JSON object was expected")
        rows.append(row)
    return rows


def take(row: Any, name: str, kind: type | tuple[type, ...], *, where: str) -> Any:
    """The field of that name.

    Raises InputError where the field is missing or of another kind.
    """
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        wanted = "/".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise InputError(f"{where}: field {name!r} ({wanted}) is missing or of another kind")
    return value


def inside(folder: Path, name: str, *, where: str) -> Path:
    """The path of a file named by a label, inside the folder whatever the name says.

    Raises InputError where the name leads out of the folder.
    """
    root = folder.resolve()
    try:
        path = (root / name).resolve()
    except (OSError, ValueError) as error:
        raise InputError(f"{where}: {name!r} is no file name ({error})") from error
    if not path.is_relative_to(root) or path == root:
        raise InputError(f"{where}: {name!r} leads out of the folder {folder}; documents are read from inside it only")
    return path


def as_documents(folder: Path, questions: Sequence[tuple[Path, LabelledQuestion]]) -> tuple[LabelledDocument, ...]:
    """One document a path, in the order of first mention; ids that repeat in one document are numbered.

    A file name that two documents share is given with its folders.
    """
    by_path: dict[Path, list[LabelledQuestion]] = {}
    for path, question in questions:
        by_path.setdefault(path, []).append(question)
    names = [path.name for path in by_path]
    root = folder.resolve()
    return tuple(
        LabelledDocument(
            name=path.name if names.count(path.name) == 1 else path.relative_to(root).as_posix(),
            path=path,
            questions=_numbered(asked),
        )
        for path, asked in by_path.items()
    )


def fail_with(faults: Sequence[str]) -> None:
    """Raise InputError with all faults at once, if there are any."""
    if faults:
        more = f"; and {len(faults) - MAX_LISTED_FAULTS} more" if len(faults) > MAX_LISTED_FAULTS else ""
        raise InputError("; ".join(faults[:MAX_LISTED_FAULTS]) + more)


def _numbered(questions: Sequence[LabelledQuestion]) -> tuple[LabelledQuestion, ...]:
    taken: set[str] = set()
    done = []
    for question in questions:
        name, number = question.question_id, 1
        while name in taken:
            number += 1
            name = f"{question.question_id} ({number})"
        taken.add(name)
        done.append(replace(question, question_id=name))
    return tuple(done)
