"""Small PDF files made on the spot: what a parser has to get right, one feature each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.mupdf import pymupdf

LOREM = (
    "The Supplier shall deliver the goods to the place named in the order and shall bear the risk of loss until they "
    "have been accepted in writing by the Customer. "
)


def save(document, path: Path) -> Path:
    """Write the document with a fixed id and no dates, and give its path."""
    document.set_metadata({})
    document.save(path, no_new_id=True)
    document.close()
    return path


def new_page(document, lines: Sequence[tuple], *, width: float = 595, height: float = 842):
    """A page with lines given as (x, y, text) or (x, y, text, options of insert_text)."""
    page = document.new_page(width=width, height=height)
    for x, y, text, *rest in lines:
        page.insert_text((x, y), text, **{"fontsize": 11, **(rest[0] if rest else {})})
    return page


def paragraph(x: float, y: float, texts: Sequence[str], *, pitch: float = 14, **options) -> list[tuple]:
    """Lines one under the other."""
    return [(x, y + pitch * at, text, options) for at, text in enumerate(texts)]


def agreement(path: Path) -> Path:
    """Three pages with running header, page numbers, sections that share a page, an outline and a schedule."""
    document = pymupdf.open()
    running = [(72, 40, "Master Supply Agreement", {"fontsize": 8})]
    bold = {"fontname": "hebo", "fontsize": 12}
    pages = [
        [
            (72, 100, "1. Definitions", bold),
            *paragraph(
                72, 130, ["In this agreement the terms below have the meaning given", "to them in this section."]
            ),
            (72, 200, "2. Fees", bold),
            *paragraph(72, 230, ["The Customer shall pay the fees set out in Schedule A", "within thirty days of"]),
        ],
        [
            *paragraph(
                72, 100, ["the date of the invoice.", "(a) Late payments bear interest.", "(b) Fees exclude tax."]
            ),
            (72, 200, "2.1 Invoices", bold),
            *paragraph(72, 230, ["Invoices are sent monthly, see Section 1 and Section 2."]),
            (72, 300, "3. Term and", bold),
            (72, 315, "Termination", bold),
            *paragraph(72, 345, ["The term is two years."]),
        ],
        [
            (72, 100, "SCHEDULE A", bold),
            *paragraph(72, 130, ["Monthly fee", "Setup fee"]),
            *paragraph(300, 130, ["EUR 1,000", "EUR 250"]),
        ],
    ]
    for number, lines in enumerate(pages, start=1):
        new_page(document, [*running, *lines, (290, 810, f"Page {number} of 3", {"fontsize": 8})])
    document.set_toc(
        [
            [1, "1. Definitions", 1, 90],
            [1, "2. Fees", 1, 190],
            [2, "2.1 Invoices", 2, 190],
            [1, "3. Term and Termination", 2, 290],
            [1, "Schedule A", 3, 90],
            [1, "Nowhere", -1],
        ]
    )
    return save(document, path)


def two_columns(path: Path) -> Path:
    """A title across, then two columns of prose, then a line across."""
    document = pymupdf.open()
    left = [f"Left column line {at} speaks about delivery" for at in range(1, 13)]
    right = [f"Right column line {at} speaks about payment" for at in range(1, 13)]
    new_page(
        document,
        [
            (72, 80, "Schedule B: the services that the Supplier renders to the Customer under this agreement"),
            *paragraph(60, 120, left),
            *paragraph(320, 127, right),
            (72, 330, "This line runs across both columns again and ends the schedule of the services here."),
        ],
    )
    return save(document, path)


def fee_table(path: Path) -> Path:
    """Prose, a table of four columns whose rows are level, and prose again."""
    document = pymupdf.open()
    prose = "The Customer shall pay the fees that are listed in the table below, each at the time named there."
    rows = [
        ("Fee", "Amount (EUR)", "Basis", "When due"),
        ("Annual Programme Fee", "1,250,000", "per Contract Year", "in quarterly instalments"),
        ("Tooling Fee", "480,000", "once", "on release of first samples"),
        ("Expedite Fee", "2,400", "per expedited Order", "with the delivery"),
        ("Storage Fee", "35", "per pallet and month", "monthly in arrears"),
        ("Engineering change", "950", "per engineer and day", "on completion"),
    ]
    cells = [
        (x, 140 + 18 * at, text, {"fontsize": 9})
        for at, row in enumerate(rows)
        for x, text in zip((72, 210, 290, 410), row, strict=True)
    ]
    new_page(document, [(72, 100, prose, {"fontsize": 10}), *cells, (72, 270, "4.2 Annual Programme Fee", {})])
    return save(document, path)
