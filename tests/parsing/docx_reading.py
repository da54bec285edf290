"""Documents made by `docx_builder`, read by the reader of Word documents: what the tests look at."""

from __future__ import annotations

from pipeline.parsing.assemble import make_document
from pipeline.parsing.docx import read_docx
from pipeline.parsing.lines import Line
from pipeline.parsing.reading import Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source, make_doc_id
from schemas.document import ParsedDocument


def source_of(data: bytes) -> Source:
    """The bytes as a file."""
    return Source(data, "test.docx", "0" * 64, make_doc_id("test", "0" * 64))


def read(data: bytes, settings: ParsingSettings | None = None) -> Reading:
    """What the reader hands over."""
    return read_docx(source_of(data), settings or ParsingSettings())


def lines_of(data: bytes) -> list[Line]:
    """The lines in reading order, hidden ones included."""
    return read(data).pages[0].lines


def seen(data: bytes) -> list[str]:
    """The words that a person sees, line by line."""
    return [line.text for line in lines_of(data) if line.visible]


def parse(data: bytes, settings: ParsingSettings | None = None) -> ParsedDocument:
    """The whole record."""
    settings = settings or ParsingSettings()
    return make_document(source_of(data), settings, read(data, settings))
