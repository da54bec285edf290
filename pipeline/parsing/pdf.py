"""The reader of PDF files: pages one by one, the outline, and what the file says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.mupdf import open_pdf, pymupdf
from pipeline.parsing.form_fields import read_form
from pipeline.parsing.layers import add_switched_off
from pipeline.parsing.lines import PageRead
from pipeline.parsing.links import read_links
from pipeline.parsing.ocr.raster import paint_page
from pipeline.parsing.ocr.recognise import recognise_pages
from pipeline.parsing.outline import read_outline
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.pages import PAGE_ERRORS, read_page
from pipeline.parsing.pdf_attachments import read_attachments
from pipeline.parsing.reading import Finding, Metadata, Reading
from pipeline.parsing.remarks import read_remarks
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.watch import enter_page
from schemas.errors import DamagedDocumentError, EmptyDocumentError, LimitExceededError

REOPEN_PAGES = 100  # pages after which a long file is opened anew: bounds memory, and costs some milliseconds
REPAIRED = "The file's structure was broken and was rebuilt on opening; content may be missing."


def read_pdf(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The PDF's pages, outline and metadata; a page that fails is marked, the others are read.

    Raises EmptyDocumentError, UnsupportedFormatError, EncryptedDocumentError, DamagedDocumentError, LimitExceededError.
    """
    try:
        opened = open_pdf(source.data, name=source.name, password=password)
    except (DamagedDocumentError, EmptyDocumentError):
        again = _read_again(source, settings, password, more_than=0)
        if again is None:
            raise
        return again
    with opened as document:
        if document.is_repaired and (again := _read_again(source, settings, password, more_than=document.page_count)):
            return again
        if document.page_count > settings.max_pages:
            raise LimitExceededError(
                f"{source.name}: {document.page_count:,} pages, the limit is {settings.max_pages:,} "
                "(settings.max_pages); split the document, or raise the limit"
            )
        reading = Reading("pdf", "page", _read_pages(document, source, settings, password), has_layout=True)
        reading.outline, faults = read_outline(document, settings.max_sections)
        reading.links = read_links(document, reading.pages)
        reading.findings += read_remarks(document, reading.pages)
        _describe(reading, document)
        _reread(reading, source, settings, password)
        if document.is_repaired:
            reading.findings.append(Finding("damage", REPAIRED))
            _mark_lost(reading.pages)
        reading.findings += [Finding("outline", fault) for fault in faults]
        read_form(document, reading)
        reading.libraries |= recognise_pages(
            lambda page: paint_page(document.load_page(page.page_num - 1)),
            reading.pages,
            settings,
            sha256=source.sha256,
        )
        read_attachments(document, reading, settings)
        add_switched_off(document, reading)  # last: it changes the document
    return reading


def _describe(reading: Reading, document: Any) -> None:
    """Write what the file says of itself."""
    about = dict(document.metadata or {})

    def read(key: str) -> str | None:
        value = about.get(key)
        return (clean_text(str(value)) or None) if value else None

    reading.metadata = Metadata(
        title=read("title"), author=read("author"), creator=read("creator"), producer=read("producer"),
        created=read("creationDate"), format_version=read("format"),
    )  # fmt: skip
    reading.libraries = {"pymupdf": str(pymupdf.VersionBind)}
    reading.is_encrypted = bool(about.get("encryption"))
    reading.has_form = bool(_try(lambda: document.is_form_pdf, default=False))


def _read_again(source: Source, settings: ParsingSettings, password: str | None, *, more_than: int) -> Reading | None:
    """What a second reader makes of the whole file, where it finds more pages; a rebuilt file may have lost some."""
    from pipeline.parsing.second_reader import count_pages, read_again

    if count_pages(source, password=password) <= more_than:
        return None
    return read_again(source, settings, password=password)


def _reread(reading: Reading, source: Source, settings: ParsingSettings, password: str | None) -> None:
    """Ask a second reader about the pages on which this one found nothing."""
    if all(page.lines or page.status not in ("empty", "failed") for page in reading.pages):
        return
    from pipeline.parsing.second_reader import reread_pages

    findings, libraries = reread_pages(reading.pages, source, settings=settings, password=password)
    reading.findings += findings
    reading.libraries |= libraries


def _mark_lost(pages: Sequence[PageRead]) -> None:
    """In a file that was rebuilt, a page without anything on it may have lost all of it: that is no empty page."""
    for page in pages:
        if page.status == "empty":
            page.status = "failed"
            page.reason = "Neither text nor image, in a file whose structure was broken: what stood here may be lost."


def _read_pages(document: Any, source: Source, settings: ParsingSettings, password: str | None) -> list[PageRead]:
    """Every page of the file, read or with the reason why not.

    MuPDF keeps each object that it met until the file is closed, so a long file is opened anew from time to time.
    """
    has_labels = bool(_try(document.get_page_labels, default=()))
    wanted = None if settings.pages is None else set(settings.pages)
    pages = []
    opened = document
    try:
        for page_num in range(1, document.page_count + 1):
            if page_num % REOPEN_PAGES == 0:
                opened = _open_anew(opened, document, source, password)
            if wanted is not None and page_num not in wanted:
                pages.append(PageRead(page_num, "unreadable", "Not read: the settings ask for other pages."))
            elif why_not := enter_page(source.sha256, page_num):
                pages.append(PageRead(page_num, "failed", why_not))
            else:
                pages.append(read_page(opened, page_num, settings, has_labels=has_labels))
    finally:
        if opened is not document:
            opened.close()
    enter_page(source.sha256)
    return pages


def _open_anew(opened: Any, document: Any, source: Source, password: str | None) -> Any:
    if opened is not document:
        opened.close()
    pymupdf.TOOLS.store_shrink(100)  # per cent: fonts and images of pages that are done
    return open_pdf(source.data, name=source.name, password=password)


def _try(read: Any, *, default: Any) -> Any:
    """What `read` gives, or `default` where a damaged file makes MuPDF fail: only for facts that decide nothing."""
    try:
        return read()
    except PAGE_ERRORS:
        return default
