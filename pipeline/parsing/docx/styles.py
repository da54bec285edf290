"""Formatting as it applies: document defaults, styles with what they are based on, direct formatting.

ISO/IEC 29500-1, 17.7: direct formatting beats a character style, which beats the paragraph's style, which beats the
defaults; on/off properties of the two kinds of style cancel each other out (17.7.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.parsing.docx.names import VAL, A, Element, W, flag, local, number, points, value

MAX_BASED_ON = 50  # styles in one chain: Word allows some ten, and a file may make a circle
HALF_POINT = 0.5  # points, unit of w:sz
BODY_LEVEL = 9  # w:outlineLvl of text that is no heading
AUTO = "auto"  # the colour that is told from its background by the reader's program

_HEADING_NAME = re.compile(  # names that Word and LibreOffice give the built-in style in several languages
    r"(?:heading|überschrift|titre|título|titulo|encabezado|titolo|kop|rubrik|nagłówek|заголовок)\s?([1-9])",
    re.IGNORECASE,
)
_TOC_NAME = re.compile(
    r"(?:toc|contents|index|verzeichnis|tdc|tm|sommario|índice|table of figures)\s?[1-9]?", re.IGNORECASE
)
_TOGGLES = ("bold", "italic", "caps", "vanish")


@dataclass(slots=True)
class RunFormat:
    """What one place says of runs; None where it says nothing. Sizes in points, colours as six hex digits or 'auto'."""

    font: str | None = None
    size: float | None = None
    bold: bool | None = None
    italic: bool | None = None
    caps: bool | None = None
    vanish: bool | None = None
    color: str | None = None
    ground: str | None = None
    style: str | None = None  # character style
    no_proof: bool = False

    def over(self, below: RunFormat) -> RunFormat:
        """What either says; where both do, this one stands."""
        return RunFormat(
            self.font or below.font,
            below.size if self.size is None else self.size,
            below.bold if self.bold is None else self.bold,
            below.italic if self.italic is None else self.italic,
            below.caps if self.caps is None else self.caps,
            below.vanish if self.vanish is None else self.vanish,
            self.color or below.color,
            self.ground or below.ground,
        )


@dataclass(frozen=True, slots=True)
class Look:
    """Formatting of a run as it applies; size in points, 0 where nothing names one."""

    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    caps: bool = False
    vanish: bool = False
    color: str = AUTO
    ground: str = ""  # shading or highlight of the run; empty for none


@dataclass(slots=True)
class Style:
    """A style with all that it inherits."""

    id: str
    name: str
    runs: RunFormat = field(default_factory=RunFormat)
    outline: int | None = None  # level of a heading from 0
    num_id: int | None = None
    num_level: int | None = None
    ground: str | None = None  # shading of the paragraph
    header_runs: RunFormat | None = None  # a table style's first row
    shaded_parts: frozenset[str] = frozenset()  # parts of a table that its style shades: 'firstRow', 'wholeTable' ...
    chain: tuple[str, ...] = ()  # ids of this style and those that it is based on


class Styles:
    """The document's styles by id, and what applies where."""

    def __init__(self, root: Element | None, theme: Element | None = None) -> None:
        self._elements = {e.get(f"{W}styleId", ""): e for e in root.iterfind(f"{W}style")} if root is not None else {}
        self._fonts = _theme_fonts(theme)
        self._styles: dict[str, Style] = {}
        self._looks: dict[tuple[object, ...], Look] = {}
        defaults = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._defaults = self.read_run(defaults)
        self.default_paragraph = self._find_default("paragraph")
        self.default_table = self._find_default("table")

    def get(self, style_id: str | None) -> Style:
        """The style; one that is not defined says nothing but its name."""
        key = style_id or ""
        if key not in self._styles:
            self._styles[key] = self._resolve(key)
        return self._styles[key]

    def look(self, paragraph: Style, direct: RunFormat) -> Look:
        """What applies to a run with its own formatting in a paragraph of a style."""
        key = (
            paragraph.id, direct.style, direct.font, direct.size, direct.bold, direct.italic, direct.caps,
            direct.vanish, direct.color, direct.ground,
        )  # fmt: skip
        known = self._looks.get(key)
        if known is None:
            known = self._looks[key] = self._apply(paragraph.runs, direct)
        return known

    def _apply(self, paragraph: RunFormat, direct: RunFormat) -> Look:
        own = self.get(direct.style).runs if direct.style else RunFormat()
        merged = direct.over(own.over(paragraph.over(self._defaults)))
        for name in _TOGGLES:
            below, above = getattr(paragraph, name), getattr(own, name)
            if getattr(direct, name) is None and below and above:
                setattr(merged, name, False)
        return Look(
            merged.font or "", merged.size or 0.0, bool(merged.bold), bool(merged.italic), bool(merged.caps),
            bool(merged.vanish), merged.color or AUTO, merged.ground or "",
        )  # fmt: skip

    def read_run(self, properties: Element | None) -> RunFormat:
        """What a w:rPr says."""
        result = RunFormat()
        if properties is None:
            return result
        for child in properties:
            kind = local(child)
            if kind == "rFonts":
                result.font = self._font(child)
            elif kind == "sz":
                result.size = points(child.get(VAL), unit=HALF_POINT)
            elif kind == "color":
                result.color = child.get(VAL)
            elif kind == "rStyle":
                result.style = child.get(VAL)
            elif kind == "highlight":
                result.ground = _HIGHLIGHTS.get(child.get(VAL, ""), "") or result.ground
            elif kind == "shd":
                result.ground = result.ground or read_shading(child)
        result.bold, result.italic = flag(properties, "b"), flag(properties, "i")
        result.caps, result.vanish = flag(properties, "caps"), flag(properties, "vanish")
        return result

    def _font(self, fonts: Element) -> str | None:
        themed = fonts.get(f"{W}asciiTheme") or fonts.get(f"{W}hAnsiTheme") or ""
        if themed and (name := self._fonts.get("major" if themed.startswith("major") else "minor")):
            return name
        return str(fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or fonts.get(f"{W}eastAsia") or "") or None

    def _resolve(self, key: str) -> Style:
        chain: list[str] = []
        at: str | None = key
        while at and at not in chain and len(chain) < MAX_BASED_ON:
            chain.append(at)
            at = value(self._elements.get(at), "basedOn")
        result = Style(key, "", chain=tuple(chain))
        for style_id in chain:  # the style itself first: what it says stands
            element = self._elements.get(style_id)
            name = (value(element, "name") or style_id).strip()
            result.name = result.name or name
            self._inherit(result, element, name)
        if result.outline == BODY_LEVEL:
            result.outline = None
        return result

    def _inherit(self, result: Style, element: Element | None, name: str) -> None:
        if result.outline is None:
            told = number(value(element.find(f"{W}pPr"), "outlineLvl")) if element is not None else None
            built_in = _HEADING_NAME.fullmatch(name)
            result.outline = int(built_in[1]) - 1 if told is None and built_in else told
        if element is None:
            return
        result.runs = result.runs.over(self.read_run(element.find(f"{W}rPr")))
        paragraph = element.find(f"{W}pPr")
        if paragraph is not None:
            numbered = paragraph.find(f"{W}numPr")
            if numbered is not None:
                if result.num_id is None:
                    result.num_id = number(value(numbered, "numId"))
                if result.num_level is None:
                    result.num_level = number(value(numbered, "ilvl"))
            result.ground = result.ground or read_shading(paragraph.find(f"{W}shd"))
        if element.get(f"{W}type") == "table":
            if any(read_shading(e) for e in element.iterfind(f"./*/{W}shd")):
                result.shaded_parts |= {"wholeTable"}
            for part in element.iterfind(f"{W}tblStylePr"):
                if any(read_shading(e) for e in part.iter(f"{W}shd")):
                    result.shaded_parts |= {part.get(f"{W}type", "wholeTable")}
                if part.get(f"{W}type") == "firstRow" and result.header_runs is None:
                    result.header_runs = self.read_run(part.find(f"{W}rPr"))
                    result.header_runs.ground = read_shading(part.find(f"{W}tcPr/{W}shd"))

    def _find_default(self, kind: str) -> str:
        for style_id, element in self._elements.items():
            if element.get(f"{W}type") == kind and element.get(f"{W}default", "0").lower() not in ("0", "false", "off"):
                return str(style_id)
        return ""


def is_contents_style(style: Style) -> bool:
    """The style of an entry in a table of contents or of figures ('toc 1')."""
    return bool(_TOC_NAME.fullmatch(style.name))


def read_shading(shading: Element | None) -> str | None:
    """Colour of a shading as six hex digits, '?' for one of a pattern or theme alone; None for none."""
    if shading is None:
        return None
    fill, pattern = str(shading.get(f"{W}fill", AUTO)), str(shading.get(VAL, "clear"))
    if pattern == "solid" and (color := str(shading.get(f"{W}color", AUTO))) != AUTO:
        return color
    if fill.lower() != AUTO:
        return fill
    return "?" if shading.get(f"{W}themeFill") or pattern not in ("clear", "nil") else None


def _theme_fonts(theme: Element | None) -> dict[str, str]:
    """Names of the theme's fonts for headings (major) and text (minor)."""
    found: dict[str, str] = {}
    if theme is not None:
        for kind in ("major", "minor"):
            latin = theme.find(f".//{A}{kind}Font/{A}latin")
            if latin is not None and latin.get("typeface"):
                found[kind] = latin.get("typeface", "")
    return found


_HIGHLIGHTS = {  # ISO/IEC 29500-1, 17.18.40
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "darkBlue": "00008B", "darkCyan": "008B8B",
    "darkGray": "A9A9A9", "darkGreen": "006400", "darkMagenta": "800080", "darkRed": "8B0000", "darkYellow": "808000",
    "green": "00FF00", "lightGray": "D3D3D3", "magenta": "FF00FF", "red": "FF0000", "white": "FFFFFF",
    "yellow": "FFFF00",
}  # fmt: skip
