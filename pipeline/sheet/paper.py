"""HTML typeset as PDF pages of A4 by MuPDF: the same bytes for the same page, whatever the clock."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup
from pipeline.sheet.style import PAPER_STYLE

WIDTH, HEIGHT = 595.0, 842.0  # points: A4 (ISO 216)
MARGIN, FOOT = 40.0, 46.0  # points: 14 mm, which every printer keeps, and 16 mm with the footer
SIZES = (9.0, 8.25, 7.5)  # points, the largest that fits; 7.5 is the small print of a contract
FOOT_SIZE = 7.0
FIXED_DATE = "D:20000101000000Z"  # no clock: equal runs give equal bytes


def typeset(body: Markup, *, most: int, sizes: tuple[float, ...] = SIZES) -> tuple[bytes, int] | None:
    """The pages and how many there are, in the largest print by which they are at most `most`; None where none fits."""
    for size in sizes:
        sink = BytesIO()
        pages = _write(f"<body>{body}</body>", size, sink, most)
        if pages is not None:
            return sink.getvalue(), pages
    return None


def finish(pdf: bytes, *, foot: str, title: str, language: str) -> bytes:
    """The PDF with a footer and page numbers, its fonts cut to what is used, and fixed dates."""
    with pymupdf.open(stream=pdf, filetype="pdf") as opened:
        font = pymupdf.Font("helv")
        for page in opened:
            page.wrap_contents()  # the typesetter leaves its own coordinates behind
            told = label("page_of", language, page=page.number + 1, pages=opened.page_count)
            writer = pymupdf.TextWriter(page.rect, color=(0.34, 0.38, 0.42))
            writer.append((MARGIN, HEIGHT - 24), foot, font=font, fontsize=FOOT_SIZE)
            width = font.text_length(told, fontsize=FOOT_SIZE)
            writer.append((WIDTH - MARGIN - width, HEIGHT - 24), told, font=font, fontsize=FOOT_SIZE)
            writer.write_text(page)
        opened.subset_fonts()
        opened.set_metadata(
            {"title": title, "producer": "Lineproof", "creationDate": FIXED_DATE, "modDate": FIXED_DATE}
        )
        data: bytes = opened.tobytes(garbage=3, deflate=True, no_new_id=True)
        return data


def _write(html: str, size: float, sink: BytesIO, most: int) -> int | None:
    """Write the pages, in print of `size`; gives their number, None once they are more than `most`."""
    story = pymupdf.Story(html=html, user_css=PAPER_STYLE.format(size=size))
    writer = pymupdf.DocumentWriter(sink)
    where: Any = pymupdf.Rect(MARGIN, MARGIN, WIDTH - MARGIN, HEIGHT - FOOT)
    pages, more = 0, 1
    try:
        while more:
            if pages == most:
                return None
            device = writer.begin_page(pymupdf.Rect(0, 0, WIDTH, HEIGHT))
            more, _ = story.place(where)
            story.draw(device)
            writer.end_page()
            pages += 1
    finally:
        writer.close()
    return pages
