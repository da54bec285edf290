"""What stands in the frames of a slide: tables, charts, diagrams and files inside."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from pipeline.parsing.ooxml import Package
from pipeline.parsing.pptx.charts import Chart, read_chart
from pipeline.parsing.pptx.names import DGM, EMU, A, Box, P, R, integer, is_true, local_name
from pipeline.parsing.pptx.shapes import Shape
from pipeline.parsing.pptx.text import Paragraph, read_paragraphs
from pipeline.parsing.xlsx.parts import side_tree

MAX_NODES = 10_000  # nodes of a diagram; a person draws a few dozen


@dataclass(slots=True)
class GridCell:
    """A cell of a table on a slide; `box` in points."""

    row: int
    column: int
    text: str
    row_span: int
    column_span: int
    box: Box | None


@dataclass(slots=True)
class Grid:
    """A table: its cells with words, by row; `header_rows` from the top."""

    cells: list[GridCell] = field(default_factory=list)
    header_rows: int = 0


def frame_kind(shape: Shape) -> str:
    """'table', 'chart', 'diagram', 'ole' or 'other': what the frame holds."""
    data = shape.element.find(f"{A}graphic/{A}graphicData")
    uri = data.get("uri", "") if data is not None else ""
    last = uri.rstrip("/").rpartition("/")[2]
    return {"table": "table", "chart": "chart", "chartex": "chart", "diagram": "diagram", "ole": "ole"}.get(
        last, "other"
    )


def read_grid(shape: Shape) -> Grid:
    """The table in a frame; a merged cell stands once, with the rows and columns that it covers."""
    table = shape.element.find(f".//{A}tbl")
    if table is None:
        return Grid()
    about = table.find(f"{A}tblPr")
    grid = Grid(header_rows=1 if about is not None and is_true(about.get("firstRow")) else 0)
    left, top = (shape.box[0], shape.box[1]) if shape.box else (0.0, 0.0)
    xs = [left]
    for column in table.iterfind(f"{A}tblGrid/{A}gridCol"):
        xs.append(xs[-1] + integer(column.get("w")) / EMU)
    rows = list(table.iterfind(f"{A}tr"))
    ys = [top]
    for row in rows:
        ys.append(ys[-1] + integer(row.get("h")) / EMU)
    for at, row in enumerate(rows):
        for column_at, cell in enumerate(row.iterfind(f"{A}tc")):
            if is_true(cell.get("hMerge")) or is_true(cell.get("vMerge")):
                continue
            text = " ".join(paragraph.text for paragraph in read_paragraphs(cell.find(f"{A}txBody")))
            tall, wide = max(1, integer(cell.get("rowSpan"), 1)), max(1, integer(cell.get("gridSpan"), 1))
            last, end = min(at + tall, len(ys) - 1), min(column_at + wide, len(xs) - 1)
            box = (xs[column_at], ys[at], xs[end], ys[last]) if shape.box and column_at < end else None
            if text:
                grid.cells.append(GridCell(at + 1, column_at + 1, " ".join(text.split()), tall, wide, box))
    return grid


def read_frame_chart(package: Package, slide_part: str, shape: Shape) -> Chart | None:
    """The chart in a frame; None where the package does not hold it."""
    relations = package.relations(slide_part)
    for element in shape.element.iter():
        relation = relations.get(element.get(f"{R}id", "")) if local_name(element) == "chart" else None
        if relation is not None and package.has(relation.target):
            return read_chart(side_tree(package, relation.target))
    return None


def read_diagram(package: Package, slide_part: str, shape: Shape) -> list[Paragraph] | None:
    """The words of a SmartArt diagram, node by node from the root down; None where the package does not hold them."""
    named = shape.element.find(f".//{DGM}relIds")
    relation = package.relations(slide_part).get(named.get(f"{R}dm", "")) if named is not None else None
    if relation is None or not package.has(relation.target):
        return None
    root = side_tree(package, relation.target)
    nodes = {node.get("modelId", ""): node for node in root.iterfind(f"{DGM}ptLst/{DGM}pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for link in root.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        if link.get("type", "parOf") == "parOf":
            below.setdefault(link.get("srcId", ""), []).append((integer(link.get("srcOrd")), link.get("destId", "")))
    order: list[tuple[str, int]] = []
    seen: set[str] = set()
    stack = [(key, 0) for key, node in reversed(nodes.items()) if node.get("type") == "doc"]
    while stack and len(order) < MAX_NODES:
        key, level = stack.pop()
        if key in seen or key not in nodes:
            continue
        seen.add(key)
        order.append((key, level))
        stack += [(child, level + 1) for _, child in sorted(below.get(key, []), reverse=True)]
    order += [(key, 1) for key, node in nodes.items() if key not in seen and node.get("type", "node") == "node"]
    found: list[Paragraph] = []
    for key, level in order[:MAX_NODES]:
        for paragraph in read_paragraphs(nodes[key].find(f"{DGM}t")):
            paragraph.level = max(level - 1, 0)
            found.append(paragraph)
    return found


def find_object(package: Package, slide_part: str, shape: Shape) -> str | None:
    """The part of a file inside the frame; None for one that is only linked to, or that the package does not hold."""
    relations = package.relations(slide_part)
    for element in shape.element.iter(f"{P}oleObj"):
        relation = relations.get(element.get(f"{R}id", ""))
        if relation is not None and not relation.external and package.has(relation.target):
            return relation.target
    return None


def embedded_picture(element: etree._Element) -> str:
    """The relationship id of the picture that an element shows; '' without one."""
    blip = next(iter(element.iter(f"{A}blip")), None)
    return "" if blip is None else blip.get(f"{R}embed", "")
