"""The shapes of a slide, groups taken apart, each with its place and what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from pipeline.parsing.pptx.geometry import Transform, read_box, read_rotation
from pipeline.parsing.pptx.names import MAX_DEPTH, A, Box, P, children, is_true, local_name

_UPRIGHT = {"vert": 90, "eaVert": 90, "wordArtVert": 0, "vert270": 270, "mongolianVert": 90}


@dataclass(slots=True)
class Shape:
    """A shape: `kind` sp, pic, graphicFrame or cxnSp; `box` None where neither it nor its layout gives one."""

    kind: str
    element: etree._Element
    box: Box | None
    rotation: int = 0
    placeholder: str | None = None  # its type ('title', 'body' ...); None for what is no placeholder
    index: str = ""  # of the placeholder
    hidden: bool = False  # by the shape's own switch (selection pane)
    name: str = ""

    @property
    def body(self) -> etree._Element | None:
        """Its text."""
        return self.element.find(f"{P}txBody")


def read_shapes(root: etree._Element) -> list[Shape]:
    """The shapes of a slide, layout, master or notes page, from the back to the front."""
    tree = root.find(f"{P}cSld/{P}spTree")
    return [] if tree is None else list(_walk(tree, Transform(), hidden=False, depth=0))


def _walk(tree: etree._Element, transform: Transform, *, hidden: bool, depth: int) -> Iterator[Shape]:
    for element in children(tree):
        kind = local_name(element)
        about = element.find(f"{P}nv{_ABOUT.get(kind, '')}/{P}cNvPr")
        unseen = hidden or (about is not None and is_true(about.get("hidden")))
        if kind == "grpSp" and depth < MAX_DEPTH:
            inside = transform.inside(element.find(f"{P}grpSpPr/{A}xfrm"))
            yield from _walk(element, inside, hidden=unseen, depth=depth + 1)
        elif kind in ("sp", "pic", "graphicFrame", "cxnSp"):
            yield _read_shape(kind, element, transform, hidden=unseen)


_ABOUT = {"sp": "SpPr", "pic": "PicPr", "graphicFrame": "GraphicFramePr", "cxnSp": "CxnSpPr", "grpSp": "GrpSpPr"}


def _read_shape(kind: str, element: etree._Element, transform: Transform, *, hidden: bool) -> Shape:
    xfrm = element.find(f"{P}xfrm") if kind == "graphicFrame" else element.find(f"{P}spPr/{A}xfrm")
    about = element.find(f"{P}nv{_ABOUT[kind]}/{P}cNvPr")
    placeholder = element.find(f"{P}nv{_ABOUT[kind]}/{P}nvPr/{P}ph")
    body = element.find(f"{P}txBody/{A}bodyPr")
    turned = _UPRIGHT.get(body.get("vert", ""), 0) if body is not None else 0
    return Shape(
        kind,
        element,
        read_box(xfrm, transform),
        (read_rotation(xfrm) + turned) % 360,
        None if placeholder is None else placeholder.get("type", "obj"),
        "" if placeholder is None else placeholder.get("idx", "0"),
        hidden,
        "" if about is None else about.get("name", ""),
    )


def inherit(shapes: list[Shape], layout: list[Shape], master: list[Shape]) -> None:
    """Give placeholders without a place that of their layout, else of their master.

    A layout's placeholder is known by its index, or by its type where a slide has one of it; a master's by its type
    (ECMA-376 part 1, 19.3.1.36).
    """
    for shape in shapes:
        if shape.box is not None or shape.placeholder is None:
            continue
        model = find_model(shape, layout)
        kind = _family((model or shape).placeholder)
        if model is None or model.box is None:
            model = next((one for one in master if one.placeholder and _family(one.placeholder) == kind), None)
        shape.box = model.box if model is not None else None


def find_model(shape: Shape, layout: list[Shape]) -> Shape | None:
    """The layout's placeholder that a slide's placeholder fills; None without one."""
    held = [one for one in layout if one.placeholder is not None]
    if shape.placeholder in _SINGLE:
        return next((one for one in held if _family(one.placeholder) == _family(shape.placeholder)), None)
    return next((one for one in held if one.index == shape.index and one.placeholder not in _SINGLE), None)


_SINGLE = ("title", "ctrTitle", "dt", "ftr", "sldNum", "hdr")  # types of which a slide has one


def _family(placeholder: str | None) -> str:
    """Types that a master has one placeholder for."""
    if placeholder in ("title", "ctrTitle"):
        return "title"
    return placeholder if placeholder in _SINGLE else "body"
