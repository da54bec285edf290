"""One reader a format: which function reads it, imported when a file of its kind comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from pipeline.parsing.reading import Reading
from schemas.document import DocumentFormat

Reader = Callable[..., Reading]  # (source, settings, *, password) -> Reading

# format -> module : function. A reader raises DocumentError for a file that it cannot read.
READERS: Mapping[DocumentFormat, str] = {
    "pdf": "pipeline.parsing.pdf:read_pdf",
    "docx": "pipeline.parsing.docx:read_docx",
    "xlsx": "pipeline.parsing.xlsx:read_xlsx",
    "pptx": "pipeline.parsing.pptx:read_pptx",
    "txt": "pipeline.parsing.text:read_text",
    "md": "pipeline.parsing.markdown:read_markdown",
    "eml": "pipeline.parsing.eml:read_eml",
    "msg": "pipeline.parsing.msg:read_msg",
    "html": "pipeline.parsing.web.page:read_html",
    "image": "pipeline.parsing.image:read_image",
}


def find_reader(name: DocumentFormat) -> Reader:
    """The reader of a format; one that needs an optional package raises MissingPackageError when it is called."""
    module, function = READERS[name].split(":")
    reader: Reader = getattr(import_module(module), function)
    return reader
