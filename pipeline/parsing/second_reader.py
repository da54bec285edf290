"""A second reader of PDF pages, PDFium: a check that a page was read at all, and its words where the first found none.

MuPDF finds no page in some files that others open (a cross-reference chain that loops), and nothing on some pages of
others. PDFium takes 1.4 times as long for bare text, so it is asked only where the first reader came back with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import pypdfium2

from pipeline.parsing.lines import ImageBox, PageRead, make_line
from pipeline.parsing.page_text import Fragment, clean_text
from pipeline.parsing.pages import MIN_QUALITY
from pipeline.parsing.pdfium_text import list_images, read_runs
from pipeline.parsing.quality import measure_quality
from pipeline.parsing.reading import Finding, Metadata, Reading
from pipeline.parsing.reading_order import order_lines
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.watch import enter_page

METHOD = "pypdfium2"  # parsing_method of what it read
MIN_LAYER_OVERLAP = 0.5  # share of an unpainted run over an image, from which it is the text layer of a scan
_READ = "Read by the second reader (PDFium), which finds {count:,} characters here; the first (MuPDF) {what}."


def read_again(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading | None:
    """The whole PDF by the second reader, for a file in which the first finds too few pages; None where it finds none.

    It has no outline, links or fields.
    """
    with _opened(source.data, password) as document:
        count = 0 if document is None else len(document)
        if document is None or count == 0 or count > settings.max_pages:
            return None
        pages = [PageRead(page_num) for page_num in range(1, count + 1)]
        wanted = None if settings.pages is None else set(settings.pages)
        for page in pages:
            if wanted is not None and page.page_num not in wanted:
                page.status, page.reason = "unreadable", "Not read: the settings ask for other pages."
            elif why_not := enter_page(source.sha256, -page.page_num):
                page.reason = why_not
            else:
                _fill(page, document, settings)
        enter_page(source.sha256)
        metadata = _describe(document)
    reading = Reading("pdf", "page", pages, has_layout=True, metadata=metadata)
    reading.libraries = _own_version()
    reading.findings.append(
        Finding(
            "reader",
            f"The second reader (PDFium) finds {count:,} pages in this file, the first (MuPDF) fewer or none: the file "
            "is damaged, and what stands here is what the second reads.",
        )
    )
    return reading


def count_pages(source: Source, *, password: str | None = None) -> int:
    """Pages that the second reader finds; 0 where it cannot open the file."""
    with _opened(source.data, password) as document:
        return 0 if document is None else len(document)


def reread_pages(
    pages: Sequence[PageRead], source: Source, *, settings: ParsingSettings, password: str | None = None
) -> tuple[list[Finding], dict[str, str]]:
    """Read again the pages on which the first reader found nothing or failed; write what is there into them.

    Gives the findings, and name and version of the second reader where any of its words were taken.
    """
    wanted = None if settings.pages is None else set(settings.pages)
    bare = [
        page
        for page in pages
        if page.status in ("empty", "failed") and (wanted is None or page.page_num in wanted) and not page.lines
    ]
    if not bare:
        return [], {}
    findings: list[Finding] = []
    with _opened(source.data, password) as document:
        if document is None:
            return [], {}
        if len(document) != len(pages):
            differ = f"Two readers differ: MuPDF finds {len(pages):,} pages, PDFium {len(document):,}."
            return [Finding("reader", differ)], {}
        for page in bare:
            if enter_page(source.sha256, -page.page_num):
                continue
            again = PageRead(page.page_num)
            _fill(again, document, settings)
            if again.lines:
                _take(page, again)
                findings.append(Finding("reader", page.reason, page.page_num))
        enter_page(source.sha256)
    return findings, _own_version() if any(page.method == METHOD for page in bare) else {}


def _own_version() -> dict[str, str]:
    return {METHOD: version(METHOD)}


def _describe(document: Any) -> Metadata:
    about = {key: clean_text(value) or None for key, value in document.get_metadata_dict().items()}
    number = document.get_version()  # 17 for PDF 1.7
    return Metadata(
        title=about.get("Title"), author=about.get("Author"), creator=about.get("Creator"),
        producer=about.get("Producer"), created=about.get("CreationDate"),
        format_version=f"PDF {number // 10}.{number % 10}" if number else None,
    )  # fmt: skip


@contextmanager
def _opened(data: bytes, password: str | None) -> Iterator[Any]:
    """The document as PDFium opens it; None where it cannot."""
    try:
        document = pypdfium2.PdfDocument(data, password=password)
    except (pypdfium2.PdfiumError, ValueError):
        yield None
        return
    try:
        yield document
    finally:
        document.close()


def _take(page: PageRead, again: PageRead) -> None:
    what = "finds none" if page.status == "empty" else f"failed: {page.reason.rstrip('.')}"
    page.reason = again.reason.replace("finds none.", f"{what}.")
    page.status, page.lines, page.method = again.status, again.lines, METHOD
    page.columns, page.quality = again.columns, again.quality
    page.width, page.height, page.rotation = again.width, again.height, again.rotation
    if not page.images:
        page.images = again.images


def _fill(result: PageRead, document: Any, settings: ParsingSettings) -> None:
    """Write what PDFium reads of the page into it."""
    result.method = METHOD
    try:
        page = document[result.page_num - 1]
    except pypdfium2.PdfiumError as error:
        result.reason = f"Neither reader can open the page ({error})."
        return
    result.width, result.height = page.get_size()
    result.rotation = int(page.get_rotation()) % 360
    result.images = list_images(page, result)
    fragments = list(read_runs(page, result))
    result.has_ocr_layer = _show_layer(fragments, result.images)
    if len(fragments) > settings.max_page_lines:
        result.status = "unreadable"
        result.reason = f"{len(fragments):,} pieces of text, the limit is {settings.max_page_lines:,} a page."
        return
    placed, result.columns = order_lines(fragments)
    result.lines = [make_line(line.fragments, line.column, result.page_num) for line in placed]
    for line in result.lines:
        line.method = METHOD
    seen = [line.text for line in result.lines if line.visible]
    if not seen:
        result.reason = "Neither reader finds any text on the page."
        return
    result.quality = measure_quality(seen)
    result.reason = _READ.format(count=sum(map(len, seen)), what="finds none")
    result.status = "ocr" if result.has_ocr_layer else "native"
    if result.quality is not None and result.quality < MIN_QUALITY:
        result.status = "unreadable"
        result.reason += f" They cannot be trusted (quality {result.quality:.2f})."


def _show_layer(fragments: Sequence[Fragment], images: Sequence[ImageBox]) -> bool:
    """Take the mark from unpainted runs over an image, which are the text layer of a scan; True where there are any.

    Light words keep theirs: PDFium is not asked to paint the page, and hidden text must not pass.
    """
    layer = [f for f in fragments if f.hidden == "invisible" and any(_covers(image, f.box) for image in images)]
    for fragment in layer:
        fragment.hidden = ""
    return bool(layer)


def _covers(image: ImageBox, box: tuple[float, float, float, float]) -> bool:
    across = min(box[2], image.x1) - max(box[0], image.x0)
    down = min(box[3], image.y1) - max(box[1], image.y0)
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)
    return across > 0 and down > 0 and across * down >= MIN_LAYER_OVERLAP * area
