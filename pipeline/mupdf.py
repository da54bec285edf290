"""The one door to PyMuPDF: imported quickly, quiet on the terminal, and with our own errors for files it cannot open.

Import it inside the function that needs it: even the short way costs a third of a second.
"""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType
from typing import Any

from pipeline.content import describe_content
from schemas.errors import (
    DamagedDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    InputError,
    UnsupportedFormatError,
)

HEADER_WINDOW = 1024  # bytes in which '%PDF-' must stand; Adobe's own readers use this window (PDF 1.7, appendix H)

# Optional model stacks (both load onnxruntime, and start a thread) that PyMuPDF 2 imports and we never call.
_STACKS = ("pymupdf.layout", "pymupdf4llm")
_PAGE_OBJECT = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")


def _import_pymupdf() -> ModuleType:
    """PyMuPDF without its model stacks, and without messages on the terminal.

    The stacks treble the import time and are only used by functions that we do not call. `None` in `sys.modules` makes
    their import fail, which PyMuPDF provides for; the marks are taken away again, so that a program around us can still
    import them. Where PyMuPDF was imported before, nothing is touched.
    """
    marked = [] if "pymupdf" in sys.modules else [name for name in _STACKS if name not in sys.modules]
    sys.modules.update(dict.fromkeys(marked))  # type: ignore[arg-type]
    try:
        module = importlib.import_module("pymupdf")
    finally:
        for name in marked:
            sys.modules.pop(name, None)
    module.TOOLS.mupdf_display_errors(False)
    module.TOOLS.mupdf_display_warnings(False)
    if hasattr(module, "no_recommend_layout"):  # from 1.26 on: find_tables() would print a recommendation
        module.no_recommend_layout()
    return module


pymupdf: Any = _import_pymupdf()


def open_pdf(data: bytes, *, name: str, password: str | None = None) -> Any:
    """The opened `pymupdf.Document` of the PDF bytes, with at least one page; the caller closes it (`with`).

    `name` stands for the file in messages.

    Raises EmptyDocumentError, UnsupportedFormatError (by content), EncryptedDocumentError or DamagedDocumentError.
    """
    if not data:
        raise EmptyDocumentError(f"{name}: the file is empty (0 bytes); check that it was copied completely")
    if b"%PDF-" not in data[:HEADER_WINDOW]:
        raise UnsupportedFormatError(
            f"{name}: not a PDF: there is no '%PDF-' in its first {HEADER_WINDOW} bytes, the content looks like "
            f"{describe_content(data)}; hand over the PDF itself"
        )
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise DamagedDocumentError(_damaged(name, data, "it has no readable structure")) from error
    try:
        _unlock(document, name, password)
        _require_pages(document, name, data)
    except BaseException:
        document.close()
        raise
    return document


def render_page(data: bytes, *, page_num: int, dpi: int = 100, name: str = "document") -> bytes:
    """Page `page_num` (from 1) as a PNG of `dpi` dots an inch, annotations drawn.

    Raises the errors of `open_pdf`, and InputError when there is no such page.
    """
    with open_pdf(data, name=name) as document:
        if not 1 <= page_num <= document.page_count:
            raise InputError(
                f"{name}: page {page_num} was asked for, the document has pages 1 to {document.page_count}"
            )
        png: bytes = document[page_num - 1].get_pixmap(dpi=dpi).tobytes("png")
        return png


def _unlock(document: Any, name: str, password: str | None) -> None:
    """Authenticate where a password is needed.

    `needs_pass` is read once, before: in PyMuPDF 2.0, reading it after `authenticate()` locks the file again and every
    page comes out without text.
    """
    if not document.needs_pass:
        return
    if password is None:
        raise EncryptedDocumentError(
            f"{name}: the PDF is encrypted and needs a password to open; give it with --password or LINEPROOF_PASSWORD"
        )
    if not document.authenticate(password):
        raise EncryptedDocumentError(f"{name}: the password given does not open the PDF; check it and try again")


def _require_pages(document: Any, name: str, data: bytes) -> None:
    if document.page_count > 0:
        return
    cipher = (document.metadata or {}).get("encryption")
    if cipher:
        raise DamagedDocumentError(_damaged(name, data, f"none of its pages can be decrypted (encryption {cipher})"))
    if document.is_repaired or _PAGE_OBJECT.search(data):
        raise DamagedDocumentError(_damaged(name, data, "its page list is broken and no page can be reached"))
    raise EmptyDocumentError(f"{name}: the PDF has no pages; check that it was written completely")


def _damaged(name: str, data: bytes, what: str) -> str:
    cut = "" if b"%%EOF" in data else ", and its end mark is missing, so it may be cut off"
    return (
        f"{name}: the PDF is damaged: {what}{cut}; fetch the file again, or repair it "
        "(for example by opening and saving it in a PDF viewer)"
    )
