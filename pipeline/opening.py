"""A document opened for questions: from the store when its bytes were parsed before, else parsed anew and stored."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.store.documents import FIELDS, load_document, save_document
from pipeline.store.folders import open_store
from pipeline.tracing import StageClock, is_current
from pipeline.values.declared import load_declared_types
from schemas.audit import StageTrace
from schemas.document import ParsedDocument
from schemas.errors import DamagedDocumentError, RecordError

if TYPE_CHECKING:
    from pipeline.parsing.settings import ParsingSettings

Narrate = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Opening:
    """How a file is opened: what is set of parsing, and the password of a protected file, which is kept nowhere."""

    settings: ParsingSettings | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document with the bytes it was read from; `notes` say what was mended in the store."""

    root: Path
    document: ParsedDocument
    data: bytes  # empty for a file inside another: its bytes are not kept
    stage: StageTrace
    notes: tuple[str, ...]


def parse(
    path: str | os.PathLike[str],
    *,
    store: str | os.PathLike[str] = "outputs",
    narrate: Narrate | None = None,
    opening: Opening | None = None,
) -> Parsed:
    """The document at `path`: from the store when its bytes were parsed before by the same means, else parsed anew.

    A damaged copy in the store is made anew, which costs nothing, and noted. The files inside it are stored as
    documents of their own. Types of values that are declared (`pipeline.values.declared`) are registered first.

    Raises InputError for a document that cannot be read, StoreError for a store that cannot be written.
    """
    from pipeline.parsing import parse_document
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.parsing.source import read_source

    load_declared_types()
    opening = opening or Opening()
    settings = opening.settings or ParsingSettings()
    source = read_source(Path(path), settings)
    root = open_store(store)
    clock = StageClock("parsing", {"file": source.sha256})
    notes: tuple[str, ...] = ()
    try:
        document = load_document(root, source.doc_id)
    except RecordError as error:
        document, notes = None, (f"the parsed document in the store was made anew: {error}",)
    if document is not None and document.sha256 == source.sha256 and is_current(document.stamp, settings):
        stage = clock.stop({FIELDS: document.content_sha256()}, from_cache=True)
        return Parsed(root, document, source.data, stage, notes)
    (narrate or be_silent)("reading the document")
    document = parse_document(Path(path), settings=settings, password=opening.password)
    if document.sha256 != source.sha256:
        raise DamagedDocumentError(f"{path}: the file changed while it was read; run again")
    return Parsed(root, document, source.data, clock.stop(save_document(root, document)), notes)


def be_silent(_words: str) -> None:
    """Tell nobody."""
