"""One slide: its words in reading order, tables and charts as rows, notes and remarks, and what is not seen of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from pipeline.parsing.lines import PageRead, area_share
from pipeline.parsing.ooxml import Package
from pipeline.parsing.pptx.colours import read_palette
from pipeline.parsing.pptx.comments import read_remarks
from pipeline.parsing.pptx.embedded import take_out
from pipeline.parsing.pptx.frames import find_object, frame_kind, read_diagram, read_frame_chart, read_grid
from pipeline.parsing.pptx.geometry import in_reading_order
from pipeline.parsing.pptx.names import METHOD, Box, is_true
from pipeline.parsing.pptx.pictures import judge_slide, place_pictures
from pipeline.parsing.pptx.shapes import Shape, inherit, read_shapes
from pipeline.parsing.pptx.slide_rows import add_chart, add_grid
from pipeline.parsing.pptx.text import read_paragraphs
from pipeline.parsing.pptx.words import Looks, SlideReading, add_line, add_paragraphs
from pipeline.parsing.reading import Finding, GivenHeading
from pipeline.parsing.xlsx.parts import side_tree

TITLES = ("title", "ctrTitle")
RUNNING = {"dt": "footer", "ftr": "footer", "hdr": "header", "sldNum": "page_number"}
HIDDEN_SLIDE = "on a hidden slide"
_NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class Deck:
    """What all slides share."""

    package: Package
    width: float
    height: float
    authors: dict[str, str]
    layers: dict[str, tuple[etree._Element, list[Shape]]] = field(default_factory=dict)  # layouts, masters, themes

    def layer(self, part: str) -> tuple[etree._Element, list[Shape]]:
        """Root and shapes of a layout or master, read once."""
        if part not in self.layers:
            root = side_tree(self.package, part)
            self.layers[part] = (root, read_shapes(root))
        return self.layers[part]

    def above(self, part: str, kind: str) -> str:
        """The part of that kind that `part` refers to; '' without one."""
        return next(iter(self.package.related(kind, part)), "") if part else ""


def read_slide(deck: Deck, part: str, page_num: int, before: tuple[int, int]) -> SlideReading:
    """The slide in `part` as page `page_num`; `before`: the last paragraph and the last table of the slides before it.

    The title comes first, then the other words in reading order, what the master shows on every slide, the speaker's
    notes and the remarks. Boxes are those of the shapes: a file says where a frame stands, not where its lines break.
    """
    root = deck.package.tree(part)
    page = PageRead(page_num, width=deck.width, height=deck.height, method=METHOD)
    result = SlideReading(page, paragraph=before[0], table=before[1])
    looks, furniture = _read_looks(deck, root, part)
    page.images = place_pictures(deck.package, part, looks.shapes, page)
    page.coverage = min(1.0, sum(area_share(image, page) for image in page.images))
    _add_title(result, [shape for shape in looks.shapes if shape.placeholder in TITLES], looks)
    held = [shape for shape in looks.shapes if shape.placeholder not in TITLES and _holds_words(shape)]
    placed = in_reading_order([shape for shape in held if shape.box], lambda shape: shape.box or _NOWHERE)
    for shape in [*placed, *(shape for shape in held if not shape.box)]:
        _add_shape(result, deck, part, shape, looks)
    page.status, page.reason = judge_slide(page, sum(len(line.text) for line in page.lines))
    _add_furniture(result, furniture, looks)
    _add_notes(result, deck, part, looks)
    if not is_true(root.get("show"), default=True):
        _hide(result)
    _add_remarks(result, deck, part)
    page.columns = 1 if any(line.visible for line in page.lines) else 0
    return result


def _read_looks(deck: Deck, root: etree._Element, part: str) -> tuple[Looks, list[Shape]]:
    """What the slide takes its looks from, and the shapes that its layout and master show on it."""
    layout_part = deck.above(part, "slideLayout")
    master_part = deck.above(layout_part, "slideMaster")
    theme_part = deck.above(master_part, "theme")
    layout_root, layout = deck.layer(layout_part) if layout_part else (None, [])
    master_root, master = deck.layer(master_part) if master_part else (None, [])
    theme = deck.layer(theme_part)[0] if theme_part else None
    shapes = read_shapes(root)
    inherit(shapes, layout, master)
    shown: list[Shape] = []
    if is_true(root.get("showMasterSp"), default=True):
        from_master = layout_root is None or is_true(layout_root.get("showMasterSp"), default=True)
        shown = [shape for shape in [*(master if from_master else []), *layout] if shape.placeholder is None]
    return Looks(read_palette((root, layout_root, master_root), theme), layout, shapes), shown


def _holds_words(shape: Shape) -> bool:
    return shape.kind == "graphicFrame" or (shape.kind in ("sp", "cxnSp") and shape.body is not None)


def _add_title(result: SlideReading, titles: Sequence[Shape], looks: Looks) -> None:
    for shape in titles:
        lines = add_paragraphs(result, read_paragraphs(shape.body), shape, looks)
        seen = [line for line in lines if line.visible]
        if seen:
            for line in seen:
                line.role = "heading"
                line.paragraph_id = seen[0].paragraph_id
            words = " ".join(line.text for line in seen)
            result.headings.append(GivenHeading(seen[0], 1, words, last=seen[-1], source="slide_title"))


def _add_shape(result: SlideReading, deck: Deck, part: str, shape: Shape, looks: Looks) -> None:
    kind = frame_kind(shape) if shape.kind == "graphicFrame" else "words"
    if kind == "words":
        role = RUNNING.get(shape.placeholder or "", "body")
        add_paragraphs(result, read_paragraphs(shape.body), shape, looks, role=role)
    elif kind == "table":
        add_grid(result, read_grid(shape), shape)
    elif kind == "chart":
        chart = read_frame_chart(deck.package, part, shape)
        if chart is None or chart.missing:
            _find_lost(result, shape, "The figures of a chart are not stored in the file; only its looks are.")
        if chart is not None:
            add_chart(result, chart, shape)
    elif kind == "diagram":
        words = read_diagram(deck.package, part, shape)
        if words is None:
            _find_lost(result, shape, "The words of a diagram are not stored in the file.")
        add_paragraphs(result, words or [], shape, looks)
    elif kind == "ole":
        held = find_object(deck.package, part, shape)
        if held is None:
            _find_lost(result, shape, "An object on the slide is linked to a file elsewhere; only its picture is here.")
        else:
            result.children.append(take_out(deck.package, held))


def _find_lost(result: SlideReading, shape: Shape, detail: str) -> None:
    result.findings.append(Finding("placeholder", detail, result.page.page_num, box=shape.box))


def _add_furniture(result: SlideReading, furniture: Sequence[Shape], looks: Looks) -> None:
    """Words that layout and master show on every slide: running text, above or below the middle."""
    for shape in furniture:
        if shape.body is not None and not shape.hidden:
            middle = (shape.box[1] + shape.box[3]) / 2 if shape.box else result.page.height
            role = "header" if middle < result.page.height / 2 else "footer"
            add_paragraphs(result, read_paragraphs(shape.body), shape, looks, role=role)


def _add_notes(result: SlideReading, deck: Deck, part: str, looks: Looks) -> None:
    """What the speaker means to say: not on the slide, and so without a box."""
    for notes_part in deck.package.related("notesSlide", part):
        for shape in read_shapes(side_tree(deck.package, notes_part)):
            if shape.body is not None and shape.placeholder not in (*RUNNING, "sldImg"):
                shape.box = None
                add_paragraphs(result, read_paragraphs(shape.body), shape, looks, role="note")


def _add_remarks(result: SlideReading, deck: Deck, part: str) -> None:
    for remark in read_remarks(deck.package, part, deck.authors):
        result.paragraph += 1
        line = add_line(result, remark.text, role="comment")
        by = f" by {remark.author}" if remark.author else ""
        page_num = result.page.page_num
        result.findings.append(Finding("comment", f"Comment{by} on slide {page_num}.", page_num, line))


def _hide(result: SlideReading) -> None:
    """A slide that is left out of the show: its words are kept and not searched, its title names no section."""
    page = result.page
    for line in page.lines:
        line.hidden = HIDDEN_SLIDE
    result.headings = []
    page.reason += " The slide is hidden."
    detail = f"Slide {page.page_num} is hidden; it is left out when the presentation is shown."
    result.findings.append(Finding("hidden_text", detail, page.page_num))
