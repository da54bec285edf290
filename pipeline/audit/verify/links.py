"""What lies in a store and is neither a file nor a folder of it: links, pipes, devices. None of it is ever opened."""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.audit.verify.findings import Findings
from pipeline.store.folders import MANIFEST


def read_strange(root: Path, findings: Findings) -> frozenset[Path]:
    """Every link, pipe and device below `root`; those in a folder with a list of files are told when that is checked.

    A link leads to what somebody else may change, also after the check; a pipe would keep a reader waiting for ever.
    """
    strange: set[Path] = set()
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:  # a folder that may not be read is told where its files are checked
            continue
        is_listed = any(entry.name == MANIFEST for entry in entries)
        for entry in entries:
            path = Path(entry.path)
            if entry.is_symlink() or not (entry.is_dir() or entry.is_file()):
                strange.add(path)
                if not is_listed:
                    what = "a link" if entry.is_symlink() else "no regular file"
                    detail = f"it is {what}: nothing of a store is one, and it is not followed"
                    findings.wrong("record_added", path.relative_to(root).as_posix(), detail)
            elif entry.is_dir():
                waiting.append(path)
    return frozenset(strange)


def is_own(path: Path, strange: frozenset[Path]) -> bool:
    """True for a path that no link leads to."""
    return not strange or not (path in strange or any(parent in strange for parent in path.parents))
