"""Colours as the slide shows them, where they are plain to tell: for words that nobody can see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from pipeline.parsing.pptx.names import A, P, children, local_name
from pipeline.parsing.pptx.shapes import Shape

MIN_CONTRAST = 24  # 0-255, difference of channels below which nothing can be read (about 1.2 : 1, as on PDF pages)
SOLID_BACKGROUND = "1001"  # first background fill of a theme, a plain colour (ECMA-376 20.1.4.1.7)
_USUAL_MAP = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Palette:
    """The theme's colours and what a slide calls them; `background` None where it is no plain colour."""

    theme: Mapping[str, Colour]
    names: Mapping[str, str]
    background: Colour | None = None

    def resolve(self, fill: etree._Element | None) -> Colour | None:
        """The colour of a solidFill or the like; None where it is changed (tint, shade ...) or not told."""
        colour = next(iter(children(fill)), None) if fill is not None else None
        if colour is None or len(colour):
            return None
        kind, value = local_name(colour), colour.get("val", "")
        if kind == "srgbClr":
            return _hex(value)
        if kind == "sysClr":
            return _hex(colour.get("lastClr", ""))
        if kind == "schemeClr":
            return self.theme.get(self.names.get(value, value))
        return None


def read_palette(slides: Sequence[etree._Element | None], theme: etree._Element | None) -> Palette:
    """The palette of a slide; `slides`: the slide, its layout and its master."""
    colours: dict[str, Colour] = {}
    for element in theme.iterfind(f".//{A}clrScheme/*") if theme is not None else ():
        read = Palette({}, {}).resolve(element)
        if read is not None:
            colours[local_name(element)] = read
    names = dict(_USUAL_MAP)
    for root in reversed([root for root in slides if root is not None]):
        for element in (root.find(f"{P}clrMap"), root.find(f"{P}clrMapOvr/{A}overrideClrMapping")):
            if element is not None:
                names.update({str(key): str(value) for key, value in element.attrib.items()})
    palette = Palette(colours, names)
    return Palette(colours, names, _read_background(slides, palette))


def is_unseen(colour: Colour | None, shape: Shape, below: Sequence[Shape], palette: Palette) -> bool:
    """The words' colour cannot be told from what lies behind them; false wherever that is not plain to tell.

    `below`: the shapes behind this one, and the placeholder that it takes its looks from.
    """
    if colour is None:
        return False
    behind = _fill(shape, palette)
    if behind == "open":
        behind = "unknown" if any(_may_lie_under(other, shape) for other in below) else palette.background or "unknown"
    return not isinstance(behind, str) and max(abs(a - b) for a, b in zip(colour, behind, strict=True)) < MIN_CONTRAST


def _read_background(slides: Sequence[etree._Element | None], palette: Palette) -> Colour | None:
    for root in slides:
        background = root.find(f"{P}cSld/{P}bg") if root is not None else None
        if background is None:
            continue
        named = background.find(f"{P}bgRef")
        if named is not None:
            return palette.resolve(named) if named.get("idx") == SOLID_BACKGROUND else None
        return palette.resolve(background.find(f"{P}bgPr/{A}solidFill"))
    return None


def _fill(shape: Shape, palette: Palette) -> Colour | str:
    """What fills the shape: a colour, 'open' where nothing does, 'unknown' for a picture, a gradient, a style."""
    about = shape.element.find(f"{P}spPr")
    solid = about.find(f"{A}solidFill") if about is not None else None
    if solid is not None:
        return palette.resolve(solid) or "unknown"
    if about is not None and about.find(f"{A}noFill") is not None:
        return "open"
    painted = any(about.find(f"{A}{name}") is not None for name in _PAINTS) if about is not None else False
    styled = shape.element.find(f"{P}style/{A}fillRef")
    return "unknown" if painted or (styled is not None and styled.get("idx", "0") != "0") else "open"


_PAINTS = ("gradFill", "blipFill", "pattFill", "grpFill")


def _may_lie_under(other: Shape, shape: Shape) -> bool:
    if other.kind == "cxnSp" or (other.kind == "sp" and _fill(other, Palette({}, {})) == "open"):
        return False
    if other.box is None or shape.box is None:
        return True
    return (
        min(other.box[2], shape.box[2]) > max(other.box[0], shape.box[0])
        and min(other.box[3], shape.box[3]) > max(other.box[1], shape.box[1])
    )  # fmt: skip


def _hex(value: str) -> Colour | None:
    try:
        number = int(value, 16)
    except ValueError:
        return None
    return (number >> 16 & 255, number >> 8 & 255, number & 255) if len(value) == len("RRGGBB") else None
