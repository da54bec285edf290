"""What styles say of cells: the number format, the font, and whether the words can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lxml import etree

from pipeline.parsing.ooxml import Package
from pipeline.parsing.xlsx.format_code import BUILTIN
from pipeline.parsing.xlsx.parts import side_tree

MAX_STYLES = 70_000  # cell styles of a workbook (65,490 by the specifications and limits of Excel)
TINY_SIZE = 2.0  # points, below which nobody reads (issue: hidden text)
_WHITE_INDEXES = ("1", "9")  # of the old palette (ECMA-376 18.8.27)
_NO_FILL = ("none", "")


@dataclass(frozen=True, slots=True)
class CellStyle:
    """How a cell looks; `unseen`: why its words cannot be seen, empty where they can; sizes in points."""

    code: str = "General"
    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    filled: bool = False
    spread: bool = False  # centred over the empty cells to its right
    unseen: str = ""


@dataclass(frozen=True, slots=True)
class _Font:
    name: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    colour: tuple[str, ...] = ()


def read_styles(package: Package, workbook: str) -> list[CellStyle]:
    """The cell styles by number; at least the default one."""
    parts = package.related("styles", workbook)
    if not parts:
        return [CellStyle()]
    root = side_tree(package, parts[0])
    codes = dict(BUILTIN)
    for element in root.iter("{*}numFmt"):
        number = element.get("numFmtId", "")
        parent = element.getparent()
        if number.isdigit() and parent is not None and etree.QName(parent).localname == "numFmts":
            codes[int(number)] = element.get("formatCode", "General")
    fonts = [_read_font(element) for element in root.findall("{*}fonts/{*}font")]
    fills = [_read_fill(element) for element in root.findall("{*}fills/{*}fill")]
    styles = [_read_style(element, codes, fonts, fills) for element in root.findall("{*}cellXfs/{*}xf")[:MAX_STYLES]]
    return styles or [CellStyle()]


def _read_style(
    element: etree._Element, codes: dict[int, str], fonts: list[_Font], fills: list[tuple[str, ...] | None]
) -> CellStyle:
    font = _at(fonts, element.get("fontId")) or _Font()
    fill = _at(fills, element.get("fillId"))
    number = element.get("numFmtId", "0")
    alignment = element.find("{*}alignment")
    return CellStyle(
        code=codes.get(int(number), "General") if number.isdigit() else "General",
        font=font.name,
        size=font.size,
        bold=font.bold,
        italic=font.italic,
        filled=fill is not None,
        spread=alignment is not None and alignment.get("horizontal") == "centerContinuous",
        unseen=_why_unseen(font, fill),
    )


def _why_unseen(font: _Font, fill: tuple[str, ...] | None) -> str:
    if 0 < font.size < TINY_SIZE:
        return "smaller than 2 points"
    is_white = fill is None and _is_white(font.colour)
    if is_white or (fill is not None and font.colour and font.colour == fill):
        return "its colour cannot be told from its background (white on white)"
    return ""


def _is_white(colour: tuple[str, ...]) -> bool:
    kind, value, tint = (*colour, "", "", "")[:3]
    return (kind == "rgb" and value.upper().endswith("FFFFFF")) or (
        not tint and ((kind == "theme" and value == "0") or (kind == "indexed" and value in _WHITE_INDEXES))
    )


def _read_font(element: etree._Element) -> _Font:
    name = element.find("{*}name")
    return _Font(
        name="" if name is None else name.get("val", ""),
        size=_number(element.find("{*}sz")),
        bold=_is_on(element.find("{*}b")),
        italic=_is_on(element.find("{*}i")),
        colour=_read_colour(element.find("{*}color")),
    )


def _read_fill(element: etree._Element) -> tuple[str, ...] | None:
    """The colour of a solid fill, () for a pattern or gradient, None where there is no fill."""
    pattern = element.find("{*}patternFill")
    if pattern is None:
        return () if len(element) else None
    if pattern.get("patternType", "") in _NO_FILL:
        return None
    return _read_colour(pattern.find("{*}fgColor")) if pattern.get("patternType") == "solid" else ()


def _read_colour(element: etree._Element | None) -> tuple[str, ...]:
    if element is None:
        return ()
    kind = next((name for name in ("rgb", "theme", "indexed") if element.get(name) is not None), "")
    return (kind, element.get(kind, ""), element.get("tint", "")) if kind else ()


def _number(element: etree._Element | None) -> float:
    try:
        return float(element.get("val", "0")) if element is not None else 0.0
    except ValueError:
        return 0.0


def _is_on(element: etree._Element | None) -> bool:
    return element is not None and element.get("val", "1") not in ("0", "false", "off")


_T = TypeVar("_T")


def _at(items: list[_T], index: str | None) -> _T | None:
    return items[int(index)] if index is not None and index.isdigit() and int(index) < len(items) else None
