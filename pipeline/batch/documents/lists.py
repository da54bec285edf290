"""Documents of a list: a text file with a path a line, or a CSV file with a column of paths."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.batch.documents.names import inside_name
from pipeline.batch.documents.places import is_remote

LIST_SUFFIXES = (".txt", ".lst", ".csv")
MAX_LIST_BYTES = 200_000_000  # a million paths
FILE_TITLES = ("file", "filename", "document", "name", "path", "archivo", "fichero", "documento", "fichier")
DELIMITERS = ",;\t|"
_ENDS_AS_A_FILE = re.compile(r"[^\s.]\.[A-Za-z0-9]{2,5}\Z")


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a list: how the list names it, and the path or URL that is meant."""

    name: str
    place: str


def read_list(path: Path) -> tuple[Listed, ...]:
    """The entries of a list; nothing for a file that is no list, and so a document itself.

    It is one where at least half of its lines name something that is there, or every line ends as the name of a file
    does. Relative paths start from the list's own folder, else from the working folder.

    Raises OSError where it cannot be read.
    """
    if path.suffix.lower() not in LIST_SUFFIXES or not 0 < path.stat().st_size <= MAX_LIST_BYTES:
        return ()
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return ()
    lines = list(_column(text)) if path.suffix.lower() == ".csv" else text.splitlines()
    named = [line.strip() for line in lines if line.strip()]
    entries = [(one, _place(one, path.parent)) for one in named]
    there = [is_remote(place) or _exists(place) for _, place in entries]
    entries = [one for one, known in zip(entries, there, strict=True) if known or not one[0].startswith("#")]
    if not entries or (sum(there) * 2 < len(entries) and not all(_ENDS_AS_A_FILE.search(one) for one, _ in entries)):
        return ()
    return tuple(Listed(_listed_name(one), place) for one, place in entries)


def _column(text: str) -> Iterator[str]:
    """The column of paths: the one with such a title, else the first."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    rows = csv.reader(io.StringIO(text), delimiter=max(DELIMITERS, key=first.count))
    try:
        titles = [cell.strip().lower() for cell in next(rows, [])]
        at = next((titles.index(one) for one in FILE_TITLES if one in titles), None)
        if at is None:
            yield first.split(max(DELIMITERS, key=first.count))[0].strip('"')
        for row in rows:
            if len(row) > (at or 0):
                yield row[at or 0]
    except csv.Error:
        return  # no table: then no list


def _place(line: str, folder: Path) -> str:
    if is_remote(line):
        return line
    near = os.path.join(folder, line)
    return os.path.abspath(line if not _exists(near) and _exists(line) else near)


def _exists(path: str) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a NUL in a line
        return False


def _listed_name(line: str) -> str:
    """The path as it is listed; of one that starts elsewhere its last part."""
    plain = line.replace("\\", "/")
    starts_elsewhere = is_remote(line) or os.path.isabs(line) or ".." in plain.split("/")
    return inside_name(plain.rstrip("/").rpartition("/")[2] if starts_elsewhere else plain)
