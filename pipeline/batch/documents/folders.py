"""Documents of a folder and of a glob: every file below it, no link out of it."""

from __future__ import annotations

import glob
import os
from pathlib import Path, PurePosixPath

from pipeline.batch.documents.gathering import LEFT_OUT, LINKED_FOLDERS, Gathered
from pipeline.batch.documents.limits import MAX_DEPTH
from pipeline.batch.documents.names import clean_name, is_left_out
from pipeline.batch.documents.places import NO_FILE

LINK_OUT = "a link that leads out of the folder, to nothing or in a circle, and is not followed"


def add_folder(folder: Path, gathered: Gathered, *, below: str = "") -> None:
    """Each file in the folder and the folders in it is a document, named by its path from there (after `below`)."""
    root = folder.resolve()

    def unreadable(error: OSError) -> None:
        place = os.fsdecode(error.filename or folder)
        name = _name(place, folder, below)
        gathered.add(name if name != "." else clean_name(root.name), place, _no_folder(error))

    for at, folders, files in os.walk(folder, onerror=unreadable):
        _choose_folders(at, folders, folder, gathered, below)
        for one in sorted(files):
            path = os.path.join(at, one)
            name = _name(path, folder, below)
            if is_left_out(name.removeprefix(below)):
                gathered.notice(LEFT_OUT, name)
            else:
                add_file(path, name, root, gathered)


def add_file(path: str, name: str, root: Path, gathered: Gathered) -> None:
    """One file below `root`, whatever it turns out to be."""
    place = os.path.abspath(path)
    if os.path.islink(path) and not _is_inside(Path(path), root):
        gathered.add(name, place, LINK_OUT)
    elif os.path.exists(path) and not os.path.isfile(path):
        gathered.add(name, place, NO_FILE)
    else:
        gathered.add(name, place)


def add_glob(pattern: str, gathered: Gathered) -> int:
    """The files that match, and those in the folders that match; gives how many matches there are.

    Names are paths from the last folder before the first wildcard, whatever matches.
    """
    parts = Path(pattern).parts
    fixed = next((number for number, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    base = Path(*parts[:fixed])
    root = base.resolve()
    matches = sorted(glob.glob(pattern, recursive=True))
    for one in matches:
        name = _name(one, base, "")
        if is_left_out(name):
            gathered.notice(LEFT_OUT, name)
        elif not os.path.isdir(one):
            add_file(one, name, root, gathered)
        elif "**" in parts:
            continue  # what is in it matches, too
        elif os.path.islink(one):
            gathered.notice(LINKED_FOLDERS, name)
        else:
            add_folder(Path(one), gathered, below=f"{name}/")
    return len(matches)


def _choose_folders(at: str, folders: list[str], base: Path, gathered: Gathered, below: str) -> None:
    """Leaves in `folders` those that are looked through."""
    chosen = []
    for one in sorted(folders):
        path = os.path.join(at, one)
        name = _name(path, base, below)
        if os.path.islink(path):
            gathered.notice(LINKED_FOLDERS, name)
        elif is_left_out(name.removeprefix(below)):
            gathered.notice(LEFT_OUT, f"{name}/")
        elif name.count("/") >= MAX_DEPTH:
            gathered.add(name, os.path.abspath(path), f"more than {MAX_DEPTH} folders deep; move it up")
        else:
            chosen.append(one)
    folders[:] = chosen


def _no_folder(error: OSError) -> str:
    return f"the folder cannot be read ({os.strerror(error.errno) if error.errno else type(error).__name__})"


def _is_inside(path: Path, root: Path) -> bool:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # to nothing, or in a circle
        return False
    return target == root or root in target.parents


def _name(path: str | Path, base: Path, below: str) -> str:
    return clean_name(below + PurePosixPath(os.path.relpath(path, base).replace(os.sep, "/")).as_posix())
