"""Drawings, pictures and embedded objects: their text boxes, images and files."""

from __future__ import annotations

from lxml import etree

from pipeline.parsing.docx.image_size import read_image_size
from pipeline.parsing.docx.names import DGM, PIC, WP, WPS, A, Element, R, V, W, choose, local, number, points
from pipeline.parsing.docx.notes import read_bytes, read_part
from pipeline.parsing.docx.state import Attached, Place, State
from pipeline.parsing.lines import NOWHERE, ImageBox
from pipeline.parsing.reading import ChildFile, Finding

PAGE_SHARE = 0.5  # of the page's area, from which a picture may be a scanned page: with margins of an inch it has 0.63
EMU = 12_700  # English Metric Units in a point (ISO/IEC 29500-1, 20.1.2.1)
HIDDEN_SHAPE = "in a drawing that is set to be hidden"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


def read_drawing(state: State, drawing: Element, place: Place) -> None:
    """Put the text boxes and diagrams of a w:drawing beside the flow, and count its images."""
    about = drawing.find(f".//{WP}docPr")
    if about is not None and about.get("hidden", "0").lower() in ("1", "true"):
        place = place.within(hidden=place.hidden or HIDDEN_SHAPE)
    extent = drawing.find(f".//{WP}extent")
    size = (0.0, 0.0)
    if extent is not None:
        size = ((number(extent.get("cx")) or 0) / EMU, (number(extent.get("cy")) or 0) / EMU)
    _walk(state, drawing, place, size)


def read_picture(state: State, picture: Element, place: Place) -> None:
    """The same for a w:pict, which is VML."""
    _walk(state, picture, place, (0.0, 0.0))


def read_object(state: State, holder: Element, place: Place) -> None:
    """The same for a w:object; the file that it embeds is found by its relationship, with all others."""
    _walk(state, holder, place, (0.0, 0.0))


def _walk(state: State, element: Element, place: Place, size: tuple[float, float]) -> None:
    """Down to the text boxes, each once: of mc:AlternateContent only the branch that is shown."""
    for child in element:
        kind = local(child)
        if kind == "AlternateContent":
            branch = choose(child)
            if branch is not None:
                _walk(state, branch, place, size)
        elif child.tag == f"{W}txbxContent":
            state.attached.append(Attached("box", child, place))
        elif child.tag == f"{PIC}pic":
            _count_image(state, child.find(f".//{A}blip"), size)
        elif child.tag == f"{V}imagedata":
            _count_image(state, child, _vml_size(element) or size)
        elif child.tag == f"{V}textpath":
            _read_watermark(state, child, place)
        elif child.tag == f"{DGM}relIds":
            _read_diagram(state, child, place)
        elif child.tag == f"{_C}chart":
            _read_chart(state, child, place)
        elif isinstance(child.tag, str):
            _walk(state, child, _ground(child, place), size)


def _ground(shape: Element, place: Place) -> Place:
    """The place inside a shape: its colour where it has one of its own, '?' for one that is not told here."""
    if shape.tag == f"{WPS}wsp":
        fill = shape.find(f"{WPS}spPr")
        solid = None if fill is None else fill.find(f"{A}solidFill/{A}srgbClr")
        if solid is not None:
            return place.within(ground=solid.get("val", "?").upper())
        if fill is not None and fill.find(f"{A}noFill") is not None:
            return place
        styled = shape.find(f"{WPS}style/{A}fillRef")
        has_fill = fill is not None and any(local(child).endswith("Fill") for child in fill)
        if has_fill or (styled is not None and styled.get("idx", "0") != "0"):
            return place.within(ground="?")
    elif shape.tag.startswith(V) and local(shape) in ("shape", "rect", "roundrect", "oval"):
        style = shape.get("style", "").replace(" ", "").lower()
        if "visibility:hidden" in style:
            return place.within(hidden=place.hidden or HIDDEN_SHAPE)
        if shape.get("filled", "t").lower() not in ("f", "false") and shape.get("fillcolor"):
            color = shape.get("fillcolor", "").partition(" ")[0].lstrip("#").upper()
            return place.within(ground=color if len(color) == 6 else "?")
    return place


def _count_image(state: State, image: Element | None, size: tuple[float, float]) -> None:
    if image is None:
        return
    if image.get(f"{R}link") and not image.get(f"{R}embed"):
        relation = state.relations.get(image.get(f"{R}link", ""))
        where = f" ({relation.target[:200]})" if relation is not None else ""
        state.findings.append(Finding("placeholder", f"An image is kept outside the file{where} and was not fetched."))
        return
    relation = state.relations.get(image.get(f"{R}embed") or image.get(f"{R}id", ""))
    if relation is None or relation.external or not state.package.has(relation.target):
        state.images.append(ImageBox(*NOWHERE, 0, 0))
        return
    data = read_bytes(state, relation.target)
    state.images.append(ImageBox(*NOWHERE, *read_image_size(data)))
    is_page = size[0] * size[1] >= PAGE_SHARE * state.page_size[0] * state.page_size[1]
    if is_page and relation.target not in state.embedded:
        state.embedded.add(relation.target)
        name = relation.target.rpartition("/")[2]
        state.children.append(ChildFile(name, data, state.package.content_type(relation.target)))
        state.findings.append(
            Finding("attachment", f"A picture as large as a page ({name}): its words are read as a file of their own.")
        )


def _vml_size(shape: Element) -> tuple[float, float] | None:
    style = {
        part.partition(":")[0].strip().lower(): part.partition(":")[2].strip()
        for part in shape.get("style", "").split(";")
    }
    width, height = points(style.get("width"), unit=1.0), points(style.get("height"), unit=1.0)
    return None if width is None or height is None else (width, height)


def _read_watermark(state: State, path: Element, place: Place) -> None:
    """Text drawn along a path, such as 'DRAFT' across the page."""
    text = path.get("string", "").strip()
    if text:
        _attach_texts(state, [text], place)


def _read_diagram(state: State, relation_ids: Element, place: Place) -> None:
    """SmartArt: its words stand in a part of their own, in the order of its points."""
    relation = state.relations.get(relation_ids.get(f"{R}dm", ""))
    if relation is None or relation.external or not state.package.has(relation.target):
        return
    root = read_part(state, relation.target)
    if root is not None:
        texts = ["".join(run.text or "" for run in p.iter(f"{A}t")) for p in root.iter(f"{A}p")]
        _attach_texts(state, [text for text in texts if text.strip()], place)


def _read_chart(state: State, chart: Element, place: Place) -> None:
    """A chart's titles, and the names and values that the file keeps of its series."""
    relation = state.relations.get(chart.get(f"{R}id", ""))
    if relation is None or relation.external or not state.package.has(relation.target):
        return
    root = read_part(state, relation.target)
    if root is None:
        return
    texts = ["".join(run.text or "" for run in p.iter(f"{A}t")) for p in root.iter(f"{A}p")]
    for series in root.iter(f"{_C}ser"):
        name = " ".join(v.text or "" for v in series.iterfind(f"{_C}tx//{_C}v"))
        labels = [v.text or "" for v in series.iterfind(f"{_C}cat//{_C}v")]
        values = [v.text or "" for v in series.iterfind(f"{_C}val//{_C}v")]
        pairs = [f"{label} {value}".strip() for label, value in zip(labels, values, strict=False)] or values
        texts.append(f"{name}: {', '.join(pairs)}" if name else ", ".join(pairs))
    _attach_texts(state, [text for text in texts if text.strip()], place)


def _attach_texts(state: State, texts: list[str], place: Place) -> None:
    """Plain texts as the paragraphs of a box."""
    if not texts:
        return
    box = etree.Element(f"{W}txbxContent")
    for text in texts:
        run = etree.SubElement(etree.SubElement(box, f"{W}p"), f"{W}r")
        etree.SubElement(run, f"{W}t").text = text
    state.attached.append(Attached("box", box, place.within(ground="?")))
