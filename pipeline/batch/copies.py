"""The marked copies of documents in the folder beside the workbook, and what each of them shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.batch.marking import citations_of, hash_of
from pipeline.batch.work import Marked, Task
from pipeline.store.files import read_file, replace_file

INDEX = "index.json"  # document name -> file and hash of what it shows
OPTION = "--out"


class MarkedCopies:
    """The folder of marked copies; None: none are made."""

    def __init__(self, folder: Path | None) -> None:
        """Reads what is there; a broken index is as none, and the copies are made anew."""
        self._folder = folder
        self._index: dict[str, dict[str, str]] = _read(folder) if folder is not None else {}

    def lacks(self, task: Task) -> bool:
        """True where the settled cells of a document cite lines that no copy shows."""
        if self._folder is None:
            return False
        citations = citations_of(task.settled, task.order)
        return bool(citations) and hash_of(citations) != self.shown_by(task.document.name)

    def shown_by(self, name: str) -> str | None:
        """The hash of what the copy of a document shows; None without one."""
        entry = self._index.get(name)
        there = entry is not None and self._folder is not None and (self._folder / entry["file"]).is_file()
        return entry["sha256"] if entry is not None and there else None

    def write(self, name: str, doc_id: str, marked: Marked) -> None:
        """Put the copy of a document in place.

        Raises StoreError when it cannot be written.
        """
        if self._folder is None:
            return
        file = f"{doc_id}{marked.suffix}"
        replace_file(self._folder / file, marked.data, option=OPTION)
        self._index[name] = {"file": file, "sha256": marked.sha256}
        told = json.dumps(dict(sorted(self._index.items())), ensure_ascii=False, indent=1)
        replace_file(self._folder / INDEX, told.encode("utf-8", "surrogateescape"), option=OPTION)

    def names(self) -> Mapping[str, str]:
        """Document name -> name of its copy, sorted."""
        return {name: entry["file"] for name, entry in sorted(self._index.items())}


def _read(folder: Path) -> dict[str, dict[str, str]]:
    data = read_file(folder / INDEX)
    try:
        value: Any = json.loads(data) if data else {}
    except ValueError:
        return {}
    rows = value.items() if isinstance(value, dict) else ()
    return {
        name: {"file": str(entry["file"]), "sha256": str(entry["sha256"])}
        for name, entry in rows
        if isinstance(entry, dict) and Path(str(entry.get("file"))).name == entry.get("file") and "sha256" in entry
    }
