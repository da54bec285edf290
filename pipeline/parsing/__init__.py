"""Brick 1: a file becomes a `ParsedDocument`, tables in which every line has a number and every page a status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.parsing.settings import ParsingSettings
    from schemas.document import ParsedDocument

__all__ = ["parse_document"]


def parse_document(path: str | Path, *, settings: ParsingSettings | None = None) -> ParsedDocument:
    """The document in the file at `path`: lines in reading order, pages, sections bounded to the line, and a profile.

    A page that cannot be read has a status that says so; a document without any text is a document, not an error.

    Raises DocumentNotFoundError, EmptyDocumentError, UnsupportedFormatError, EncryptedDocumentError,
    DamagedDocumentError or LimitExceededError, all of them DocumentError.
    """
    from pipeline.parsing.pdf import read_pdf
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.parsing.source import read_source

    settings = settings or ParsingSettings()
    source = read_source(path, settings)
    return read_pdf(source, settings)
