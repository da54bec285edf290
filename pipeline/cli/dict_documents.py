"""The documents of a folder, one after the other, for the commands that count in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import InputError

if TYPE_CHECKING:
    from dictionaries.searchable import SearchableText


@dataclass(frozen=True, slots=True)
class Read:
    """A document that was read: its name under the folder, and its lines ready to be searched."""

    name: str
    text: SearchableText
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, and why."""

    name: str
    reason: str


def read_documents(folder: str, *, store: str, narrate: Callable[[str], None]) -> Iterator[Read | Unread]:
    """Every file of the folder and of those in it, by name, parsed into the store; hidden files and the store left out.

    Files inside a document are read as documents of their own. What cannot be read is told and the rest goes on.

    Raises InputError for a folder that is not there or holds no file, StoreError where the store cannot be written.
    """
    from pipeline.run import parse

    root, kept = Path(folder), Path(store).resolve()
    if not root.is_dir():
        raise InputError(f"{folder}: no such folder; name one that holds documents")
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and _is_document(path, root, kept)]
    if not files:
        raise InputError(f"{folder}: the folder holds no file")
    for number, path in enumerate(files, 1):
        name = path.relative_to(root).as_posix()
        narrate(f"reading {name}, {number} of {len(files)}")
        try:
            parsed = parse(path, store=store)
        except InputError as error:
            yield Unread(name, str(error))
            continue
        yield from _with_inside(name, parsed.document)


def _with_inside(name: str, document: object) -> Iterator[Read]:
    from pipeline.retrieval.lines import read_lines
    from schemas.document import ParsedDocument

    if isinstance(document, ParsedDocument):
        lines = read_lines(document)
        yield Read(name, lines.searchable, lines.searched_texts)
        for child in document.children:
            yield from _with_inside(f"{name} > {child.source_name}", child)


def _is_document(path: Path, root: Path, kept: Path) -> bool:
    hidden = any(part.startswith((".", "~$")) for part in path.relative_to(root).parts)
    return not hidden and kept not in path.resolve().parents
