"""What lies over the cells of a sheet: text boxes, chart titles, pictures, and files inside."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from pipeline.parsing.lines import Line, flow_line
from pipeline.parsing.reading import ChildFile, Finding
from pipeline.parsing.xlsx.parts import side_tree
from pipeline.parsing.xlsx.sheet_xml import clean_string
from pipeline.parsing.xlsx.workbook import Workbook

METHOD = "xlsx"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"


@dataclass(slots=True)
class Drawn:
    """What was found over the cells; lines are the paragraphs of text boxes and the titles of charts."""

    lines: list[Line] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    picture_count: int = 0


def read_drawings(book: Workbook, sheet_part: str, page_num: int) -> Drawn:
    """Text boxes and chart titles as lines, in the order of the file; pictures are counted, files inside handed on."""
    drawn = Drawn()
    package = book.package
    charts = 0
    for part in package.related("drawing", sheet_part):
        root = side_tree(package, part)
        for body in root.iter(f"{_XDR}txBody"):
            for paragraph in body.iterfind(f"{_A}p"):
                _add_line(drawn, paragraph, page_num)
        drawn.picture_count += sum(1 for _ in root.iter(f"{_XDR}pic"))
        for chart in package.related("chart", part):
            charts += 1
            for title in side_tree(package, chart).iter(f"{_C}title"):
                for paragraph in title.iter(f"{_A}p"):
                    _add_line(drawn, paragraph, page_num)
    if charts:
        drawn.findings.append(
            Finding(
                "chart",
                f"{charts:,} chart(s) on the sheet: their titles were read, their figures stand in cells.",
                page_num,
            )
        )
    if drawn.picture_count:
        drawn.findings.append(
            Finding("image", f"{drawn.picture_count:,} picture(s) on the sheet: words in them were not read.", page_num)
        )
    for part in [*package.related("package", sheet_part), *package.related("oleObject", sheet_part)]:
        drawn.children.append(ChildFile(part.rpartition("/")[2], package.read(part), package.content_type(part)))
    return drawn


def _add_line(drawn: Drawn, paragraph: etree._Element, page_num: int) -> None:
    text = clean_string("".join(t.text or "" for t in paragraph.iter(f"{_A}t")))
    if text:
        drawn.lines.append(flow_line(text, method=METHOD, page_num=page_num))
