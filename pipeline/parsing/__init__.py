"""Brick 1: a file becomes a `ParsedDocument`, tables in which every line has a number and every page a status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.parsing.settings import ParsingSettings
    from schemas.document import ParsedDocument

__all__ = ["parse_document"]


def parse_document(
    path: str | Path, *, settings: ParsingSettings | None = None, password: str | None = None
) -> ParsedDocument:
    """The document in the file at `path`: lines in reading order, pages, sections bounded to the line, and a profile.

    The format is told by content. A page that cannot be read has a status that says so; a document without any text is
    a document, not an error. Files inside it become `children`. `password` opens a protected file and is kept nowhere.

    The document is read in a process of its own, with limits of time and memory, unless `settings.isolate` is false.

    Raises DocumentNotFoundError, EmptyDocumentError, UnsupportedFormatError, EncryptedDocumentError,
    DamagedDocumentError, ReaderFailedError or LimitExceededError, all of them DocumentError.
    """
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.parsing.source import read_source

    settings = settings or ParsingSettings()
    source = read_source(path, settings)
    if settings.isolate:
        from pipeline.parsing.reading_server import CAN_FORK, SERVER

        if CAN_FORK:
            SERVER.start()  # it gets ready while this process loads what it needs itself
        from pipeline.parsing.isolation import read_isolated

        return read_isolated(source, settings, password=password)
    from pipeline.parsing.dispatch import read_document

    return read_document(source, settings, password=password)
