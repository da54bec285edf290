"""HTML typeset as PDF pages of A4 by MuPDF: the same bytes for the same page, whatever the clock."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from io import BytesIO
from typing import Any
from unicodedata import normalize

from pipeline.mupdf import pymupdf
from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup
from pipeline.sheet.style import PAPER_STYLE

WIDTH, HEIGHT = 595.0, 842.0  # points: A4 (ISO 216)
MARGIN, FOOT = 40.0, 46.0  # points: 14 mm, which every printer keeps, and 16 mm with the footer
SIZES = (9.0, 8.25, 7.5)  # points, the largest that fits; 7.5 is the small print of a contract
FOOT_SIZE = 7.0
_TAG = re.compile(r"<[^>]*>")  # text is escaped: every bracket left is one of ours
_PLAIN = re.compile("[A-Za-z0-9]")
FIXED_DATE = "D:20000101000000Z"  # no clock: equal runs give equal bytes


def typeset(body: Markup, *, most: int, sizes: tuple[float, ...] = SIZES, is_checked: bool = True) -> bytes | None:
    """The pages in the largest print that gives at most `most` of them; None where none does, or words are lost."""
    for size in sizes:
        sink = BytesIO()
        if _write(f"<body>{body}</body>", size, sink, most) and not (is_checked and _lost(body, sink.getvalue())):
            return sink.getvalue()
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


def _lost(body: str, pdf: bytes) -> bool:
    """True where a letter or digit of the page is missing: MuPDF can lose rows of a table where a page ends.

    Plain letters and digits are counted: the ones that every font has and no typesetter joins for good.
    """
    with pymupdf.open(stream=pdf, filetype="pdf") as opened:
        typeset_text = "".join(page.get_text() for page in opened)
    asked, given = (Counter(_PLAIN.findall(normalize("NFKC", text))) for text in (_words(body), typeset_text))
    return bool(asked - given)


def _words(body: str) -> str:
    return unescape(_TAG.sub("", body))


def _write(html: str, size: float, sink: BytesIO, most: int) -> bool:
    """Write the pages in print of `size`; False, half written, once they would be more than `most`."""
    story = pymupdf.Story(html=html, user_css=PAPER_STYLE.format(size=size))
    writer = pymupdf.DocumentWriter(sink)
    where: Any = pymupdf.Rect(MARGIN, MARGIN, WIDTH - MARGIN, HEIGHT - FOOT)
    try:
        for _ in range(most):
            device = writer.begin_page(pymupdf.Rect(0, 0, WIDTH, HEIGHT))
            more, _ = story.place(where)
            story.draw(device)
            writer.end_page()
            if not more:
                return True
    finally:
        writer.close()
    return False
