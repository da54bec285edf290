"""The experts' proposals of a store: one file beside its dictionaries, replaced as a whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pipeline.store.dictionaries import own_dictionaries
from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked, open_store
from schemas.errors import RecordError, SchemaVersionError
from schemas.proposals import Proposals

FILE = "proposals.json"


def load_proposals(root: Path) -> Proposals:
    """The proposals of a store; none where it has none.

    Raises RecordError, naming the file, when it was damaged or does not fit its schema.
    """
    path = own_dictionaries(root) / FILE
    data = read_file(path)
    if data is None:
        return Proposals(proposals=())
    try:
        return Proposals.from_json(data, where=str(path))
    except SchemaVersionError:
        raise  # a newer Lineproof reads it
    except RecordError as error:
        what = str(error).partition("; delete the file")[0]
        raise RecordError(
            f"{what}; it holds what people accepted and rejected: restore it from a backup, or move it away, and "
            "`lineproof dict suggest` makes the proposals anew (the rejected ones too)"
        ) from error


def update_proposals(root: Path, change: Callable[[Proposals], Proposals]) -> Proposals:
    """Put what `change` makes of the proposals in their place, under the lock of the folder; gives it.

    The file is written beside, synced and renamed: a process that dies leaves the former one. What stays equal is not
    written, so a store without proposals stays without the file.

    Raises StoreError when it cannot be written, RecordError when the present file is damaged.
    """
    before = load_proposals(root)
    if change(before) == before:
        return before
    open_store(root)
    path = own_dictionaries(root) / FILE
    with locked(root, path.parent):
        before = load_proposals(root)
        after = change(before)
        if after != before:
            replace_file(path, after.to_json())
    return after
