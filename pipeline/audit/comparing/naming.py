"""What a name means: a run, a former run or a replay, of this store or another."""

from __future__ import annotations

from pathlib import Path

from pipeline.audit.comparing.sides import REPLAY
from pipeline.store.folders import FORMER
from pipeline.store.names import REPLAYS
from pipeline.store.runs import find_run, is_case
from schemas.errors import InputError


def find_side(root: Path, name: str) -> Path:
    """The folder of the run or replay that `name` means.

    Beside what `find_run` takes: the place of a former run or a replay in the store, or a replay's name.

    Raises InputError when none or more than one is meant, and for a case, whose documents are compared one by one.
    """
    folder = _replay_or_former(root, name) or find_run(root, name)
    if is_case(folder):
        raise InputError(f"{name}: this is a case; compare the runs of its documents one by one")
    return folder


def _replay_or_former(root: Path, name: str) -> Path | None:
    if not name.strip() or "\0" in name:
        return None
    for given in (Path(name), root / name, root / REPLAYS / name):
        for folder in (given, given.parent):
            parts = folder.resolve().parts
            if (folder / REPLAY).is_file() or (folder.is_dir() and FORMER in parts[-2:-1]):
                return folder
    found = sorted(folder for folder in (root / REPLAYS).glob("*") if folder.name.rpartition("_")[2] == name)
    return found[0] if len(found) == 1 else None
