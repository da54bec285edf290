"""Typeset the sample documents: `python examples/make_samples.py [FOLDER]` (by default the folder of this file).

The same PyMuPDF gives the same bytes on every run; another version of it or of its zlib may pack the same text
differently.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import pymupdf
from agreement_general import GENERAL
from agreement_schedules import SCHEDULES, TABLES
from agreement_terms import TERMS
from amendment import AMENDMENT
from blocks import read_blocks
from labelled_questions import QUESTIONS, questions_workbook
from press import MARGIN, TOP, Entry, Press, running_foot, running_head, set_blocks
from typeset import FACES, PAGE_HEIGHT, PAGE_WIDTH, Run, draw_rule, draw_text

CENTRE = PAGE_WIDTH / 2
CONTENTS_LEADING = 24.0
CONTENTS_SIZE = 11.0


@dataclass(frozen=True)
class Sample:
    """What tells one sample document from another; `made` is its date in PDF's own format."""

    file_name: str
    title: str
    reference: str
    made: str


AGREEMENT = Sample("supply_agreement.pdf", "Master Supply Agreement", "MSA-2024-017", "D:20240212090000Z")
AMENDMENT_1 = Sample(
    "amendment_1.pdf", "Amendment No. 1 to the Master Supply Agreement", "MSA-2024-017/A1", "D:20250616090000Z"
)


def main(folder: Path) -> None:
    """Write both documents, and the labelled questions about them, into `folder`."""
    for sample, press in ((AGREEMENT, _agreement()), (AMENDMENT_1, _amendment())):
        data = _pdf(sample, press)
        (folder / sample.file_name).write_bytes(data)
        print(f"{sample.file_name}: {len(press.pages)} pages, {len(data)} bytes")
    (folder / "questions.xlsx").write_bytes(questions_workbook())
    print(f"questions.xlsx: {len(QUESTIONS)} questions")


def _agreement() -> Press:
    """The agreement, set twice: the contents page needs the page numbers of the first pass."""
    entries: list[Entry] = []
    for _ in range(2):
        press = Press(TABLES)
        press.new_page()
        _title_page(press)
        press.new_page()
        _contents_page(press, entries)
        press.new_page()
        set_blocks(press, read_blocks(TERMS + GENERAL + SCHEDULES))
        entries = press.entries
    return press


def _amendment() -> Press:
    press = Press({})
    press.new_page()
    press.draw(draw_text("AMENDMENT No. 1", CENTRE, TOP + 22.0, size=18.0, face="bold", align="centre"))
    press.draw(draw_text("to the Master Supply Agreement", CENTRE, TOP + 44.0, size=13.0, align="centre"))
    press.draw(draw_rule(CENTRE - 60.0, TOP + 58.0, CENTRE + 60.0, TOP + 58.0))
    press.y = TOP + 78.0
    set_blocks(press, read_blocks(AMENDMENT))
    return press


def _title_page(press: Press) -> None:
    rows = (
        (150.0, "Dated 12 February 2024", 12.0, "roman"),
        (250.0, "MASTER SUPPLY AGREEMENT", 24.0, "bold"),
        (278.0, "for electric components of household appliances", 13.0, "italic"),
        (370.0, "between", 12.0, "italic"),
        (402.0, "ALPHA COMPONENTS LIMITED", 15.0, "bold"),
        (420.0, "as Supplier", 12.0, "roman"),
        (452.0, "and", 12.0, "italic"),
        (484.0, "BETA APPLIANCES LIMITED", 15.0, "bold"),
        (502.0, "as Buyer", 12.0, "roman"),
        (640.0, "Reference MSA-2024-017", 11.0, "roman"),
        (656.0, "Effective Date: 1 March 2024", 11.0, "roman"),
        (700.0, "A sample document. The companies and the figures are invented.", 9.0, "italic"),
    )
    for y, text, size, face in rows:
        press.draw(draw_text(text, CENTRE, y, size=size, face=face, align="centre"))
    for y in (205.0, 310.0):
        press.draw(draw_rule(MARGIN + 30.0, y, PAGE_WIDTH - MARGIN - 30.0, y, weight=1.0))


def _contents_page(press: Press, entries: list[Entry]) -> None:
    """Articles and schedules with dotted leaders; blank until the entries are known."""
    press.draw(draw_text("Contents", MARGIN, TOP + 14.0, size=15.0, face="bold"))
    y, right = TOP + 30.0, PAGE_WIDTH - MARGIN
    dot = Run(".", "roman", CONTENTS_SIZE).width
    for entry in entries:
        if entry.level > 1:
            continue
        y += CONTENTS_LEADING
        text = f"{entry.text} "
        width = Run(f"{text} {entry.page_num}", "roman", CONTENTS_SIZE).width
        dots = "." * int((right - MARGIN - width) / dot)
        press.draw(draw_text(f"{text}{dots}", MARGIN, y, size=CONTENTS_SIZE))
        press.draw(draw_text(str(entry.page_num), right, y, size=CONTENTS_SIZE, align="right"))
        press.links.append((len(press.pages), (MARGIN, y - CONTENTS_SIZE, right, y + 3.0), entry))


def _pdf(sample: Sample, press: Press) -> bytes:
    document = pymupdf.open()
    streams = [_page_stream(sample, press, number) for number in range(1, len(press.pages) + 1)]
    for operators in streams:
        page = document.new_page(width=PAGE_WIDTH, height=PAGE_HEIGHT)
        for name in FACES.values():
            page.insert_font(fontname=name)
        xref = document.get_new_xref()
        document.update_object(xref, "<<>>")
        document.update_stream(xref, operators)
        page.set_contents(xref)
    for page_num, box, entry in press.links:
        document[page_num - 1].insert_link({**_target(entry), "from": pymupdf.Rect(box)})
    document.set_toc([_bookmark(entry) for entry in press.entries])
    document.set_metadata(
        {
            "title": f"{sample.title} ({sample.reference})",
            "author": "Alpha Components Limited and Beta Appliances Limited",
            "subject": "Sample document of Lineproof",
            "creator": "examples/make_samples.py",
            "producer": "PyMuPDF",
            "creationDate": sample.made,
            "modDate": sample.made,
        }
    )
    document.set_language("en")
    seal = hashlib.sha256(b"".join(streams)).hexdigest()[:32].upper()
    document.xref_set_key(-1, "ID", f"[<{seal}><{seal}>]")
    data = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    document.close()
    return bytes(data)


def _page_stream(sample: Sample, press: Press, number: int) -> bytes:
    """Header, text, footnotes, footer: in the order in which a person reads them."""
    body = b"".join((*press.pages[number - 1], *(notes for page_num, notes in press.notes if page_num == number)))
    if sample is AGREEMENT and number == 1:
        return body  # a title page has neither header nor footer
    return running_head(sample.title, sample.reference) + body + running_foot(number, len(press.pages))


def _bookmark(entry: Entry) -> list[object]:
    return [entry.level, entry.text.replace("~", " "), entry.page_num, _target(entry)]


def _target(entry: Entry) -> dict[str, object]:
    return {"kind": pymupdf.LINK_GOTO, "page": entry.page_num - 1, "to": pymupdf.Point(entry.x, entry.y)}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
