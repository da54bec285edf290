"""How an element looks: what hides it, its size and weight; from inline style, style sheets in the page, old tags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pipeline.parsing.web.color import contrast, read_color

Style = dict[str, str]
Color = tuple[int, int, int]

BASE_SIZE = 12.0  # points of ordinary text in a browser (16 CSS pixels of 1/96 inch)
POINTS = {"px": 0.75, "pt": 1.0, "in": 72.0, "cm": 28.3465, "mm": 2.83465, "pc": 12.0, "rem": BASE_SIZE, "": 0.75}
MIN_SIZE = 2.0  # points; smaller type cannot be read, on paper or on a screen
MIN_CONTRAST = 24  # 0-255, largest difference of a channel up to which text cannot be told from its background
FAR_OUT = -300.0  # points left of or above the page from which a box is off the screen, whatever it holds
FEW_PERCENT = 2.0  # opacity in per cent, up to which nothing is seen
MAX_STYLE_RULES = 400  # rules of style sheets that are looked at: each is searched for in the whole page
MAX_SHEET_CHARS = 500_000  # characters of style sheets that are looked at
DELETED = "deleted by a tracked change"
_SIZES = {"xx-small": 6.75, "x-small": 7.5, "small": 9.75, "medium": 12.0, "large": 13.5, "x-large": 18.0,
          "xx-large": 24.0}  # fmt: skip
_FONT_TAG = {"1": 7.5, "2": 9.75, "3": 12.0, "4": 13.5, "5": 18.0, "6": 24.0, "7": 36.0}
_TAG_SIZES = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h5": 0.83, "h6": 0.67, "small": 0.83, "big": 1.17, "sub": 0.83,
              "sup": 0.83}  # fmt: skip
_BOLD_TAGS = frozenset({"b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"})
_ITALIC_TAGS = frozenset({"i", "em", "cite", "dfn", "var", "address"})
_KEEPING_TAGS = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})
_LOOK_TAGS = frozenset({*_TAG_SIZES, *_BOLD_TAGS, *_ITALIC_TAGS, *_KEEPING_TAGS, "del", "ins", "s", "strike", "font"})
_LOOK_ATTRIBUTES = frozenset({"hidden", "color", "text", "bgcolor", "background", "size"})
_WATCHED = frozenset(
    {"display", "visibility", "opacity", "font-size", "font-weight", "font-style", "font", "color", "background",
     "background-color", "background-image", "position", "left", "right", "top", "text-indent", "clip", "clip-path",
     "white-space", "width", "height", "max-height", "max-width", "overflow", "transform", "list-style", "mso-hide",
     "list-style-type", "margin-left", "text-decoration", "text-decoration-line"}
)  # fmt: skip
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*(px|pt|em|rem|ex|ch|in|cm|mm|pc|vw|vh|%)?", re.IGNORECASE)
_FONT_SIZE = re.compile(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%))(?:/|\s|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Look:
    """The look that an element hands down; `gone` hides all that is inside, `veil` may be undone deeper down."""

    gone: str = ""
    veil: str = ""
    size: float = BASE_SIZE
    bold: bool = False
    italic: bool = False
    color: Color | None = (0, 0, 0)
    background: Color | None = None  # None: not known, a picture or another file's style decides
    keeps_breaks: bool = False
    inserted: bool = False  # by a tracked change
    struck: bool = False  # with a line through it
    hidden: str = ""  # why a person does not see the text, of all the reasons above; empty where they do


def read_style(text: str) -> Style:
    """The declarations of a style attribute or rule that tell whether and how text is seen; `!important` goes first."""
    plain: Style = {}
    urgent: Style = {}
    for part in _COMMENT.sub("", text).split(";"):
        name, colon, value = part.partition(":")
        name = name.strip().lower()
        if colon and name in _WATCHED:
            value = value.strip().lower()
            if value.endswith("!important"):
                urgent[name] = value.removesuffix("!important").strip()
            else:
                plain[name] = value
    return plain | urgent


def read_sheets(parser: Any) -> tuple[dict[int, Style], bool]:
    """Declarations by element (its `mem_id`) from the page's own style sheets, and whether every rule was looked at.

    Rules count in order, those of tags below those of classes below those of ids. Rules for print, for small screens
    and for states such as :hover are left out.
    """
    text = "\n".join(node.text() for node in parser.css("style"))
    rules = _read_rules(_COMMENT.sub("", text[:MAX_SHEET_CHARS]))
    found: list[tuple[int, int, int, Style]] = []
    from selectolax.lexbor import SelectolaxError

    for order, (selector, style) in enumerate(rules[:MAX_STYLE_RULES]):
        try:
            nodes = parser.css(selector)
        except SelectolaxError:
            continue
        found += [(node.mem_id, _weigh(selector), order, style) for node in nodes]
    styles: dict[int, Style] = {}
    for mem_id, _, _, style in sorted(found, key=lambda item: (item[1], item[2])):
        styles[mem_id] = styles.get(mem_id, {}) | style
    return styles, len(rules) <= MAX_STYLE_RULES and len(text) <= MAX_SHEET_CHARS


def _read_rules(text: str) -> list[tuple[str, Style]]:
    rules: list[tuple[str, Style]] = []
    at = 0
    while (brace := text.find("{", at)) >= 0:
        head = text[at:brace].rpartition(";")[2].rpartition("}")[2].strip()
        if head.startswith("@"):
            lowered = head.lower()
            is_shown = lowered.startswith("@media") and re.search(r"\b(?:screen|all)\b", lowered) and "(" not in lowered
            at = brace + 1 if is_shown or lowered.startswith("@layer") else _block_end(text, brace)
            continue
        end = text.find("}", brace)
        end = len(text) if end < 0 else end
        style = read_style(text[brace + 1 : end])
        if style:
            rules += [(one.strip(), style) for one in head.split(",") if one.strip() and ":" not in one]
        at = end + 1
    return rules


def _block_end(text: str, brace: int) -> int:
    """Place behind the bracket that closes the one at `brace`."""
    depth = 0
    for match in re.finditer(r"[{}]", text[brace:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return brace + match.end()
    return len(text)


def _weigh(selector: str) -> int:
    """Ids before classes before tags, as in CSS selectors 4, 17."""
    classes = len(re.findall(r"[.\[]", selector))
    return 10_000 * selector.count("#") + 100 * classes + len(re.findall(r"(?:^|[\s>+~])[a-z]", selector))


def derive_look(parent: Look, tag: str, attributes: Mapping[str, str | None], style: Style) -> Look:
    """The look of an element inside `parent`; `style` are its declarations, those of its own attribute last."""
    if style or not _LOOK_ATTRIBUTES.isdisjoint(attributes):
        return _derive(parent, tag, attributes, style)
    return _derive_plain(parent, tag) if tag in _LOOK_TAGS else parent


def hide(look: Look, reason: str) -> Look:
    """The look of what is hidden for `reason`, whatever its style says."""
    return replace(look, gone=reason, hidden=reason)


@lru_cache(maxsize=1024)
def _derive_plain(parent: Look, tag: str) -> Look:
    """The look that the tag alone makes: the same few come again and again on a page."""
    return _derive(parent, tag, {}, {})


def _derive(parent: Look, tag: str, attributes: Mapping[str, str | None], style: Style) -> Look:
    size = _find_size(parent.size, tag, attributes, style)
    white_space = style.get("white-space", "")
    keeps = tag in _KEEPING_TAGS
    decoration = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    look = replace(
        parent,
        gone=parent.gone or (DELETED if tag == "del" else _find_gone(attributes, style, size)),
        inserted=parent.inserted or tag == "ins",
        struck=parent.struck or tag in ("s", "strike") or "line-through" in decoration,
        veil=_find_veil(parent.veil, style),
        size=size,
        bold=_find_bold(parent.bold, tag, style),
        italic=parent.italic or tag in _ITALIC_TAGS or style.get("font-style") in ("italic", "oblique"),
        keeps_breaks=white_space in ("pre", "pre-wrap", "pre-line", "break-spaces")
        or ((keeps or parent.keeps_breaks) and white_space not in ("normal", "nowrap")),
    )
    look = _paint(look, attributes, style)
    return replace(look, hidden=_say_hidden(look))


def _say_hidden(look: Look) -> str:
    if look.gone or look.veil:
        return look.gone or look.veil
    if look.size < MIN_SIZE:
        return f"smaller than {MIN_SIZE:g} points"
    if look.color is None:
        return "transparent"
    if look.background is not None and contrast(look.color, look.background) <= MIN_CONTRAST:
        return "its colour cannot be told from its background"
    return ""


def _find_gone(attributes: Mapping[str, str | None], style: Style, size: float) -> str:
    if style.get("display") == "none" or style.get("mso-hide") == "all":
        return "not displayed (display: none)"
    if "hidden" in attributes and "display" not in style:
        return "not displayed (the attribute hidden)"
    opacity = _LENGTH.match(style.get("opacity", ""))
    if opacity and float(opacity[1]) * (1.0 if opacity[2] == "%" else 100.0) <= FEW_PERCENT:
        return "transparent (opacity: 0)"
    if re.search(r"scale[xy]?\(\s*0(?:\.0+)?\s*[,)]", style.get("transform", "")):
        return "scaled to nothing"
    if style.get("position") in ("absolute", "fixed"):
        if any(read_length(style.get(side, ""), size, 0.0) <= FAR_OUT for side in ("left", "top", "right")):
            return "outside the page"
        if re.search(
            r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)", style.get("clip", "")
        ):
            return "cut away (clip)"
    if re.search(r"inset\(\s*(?:50|100)%", style.get("clip-path", "")):
        return "cut away (clip)"
    if min(read_length(style.get(side, ""), size, 0.0) for side in ("text-indent", "margin-left")) <= FAR_OUT:
        return "outside the page"
    cuts = style.get("overflow", "") in ("hidden", "clip")
    sides = ("width", "height", "max-width", "max-height")
    if cuts and any(read_length(style.get(side, ""), size, BASE_SIZE) <= 1.0 for side in sides):
        return "in a box without size"
    return ""


def _find_veil(veil: str, style: Style) -> str:
    match style.get("visibility"):
        case "hidden" | "collapse":
            return "not visible (visibility: hidden)"
        case "visible" | "initial":
            return ""
    return veil


def _find_size(size: float, tag: str, attributes: Mapping[str, str | None], style: Style) -> float:
    value = style.get("font-size", "")
    if not value and (inside := _FONT_SIZE.search(style.get("font", ""))):
        value = inside[1]
    if value in _SIZES:
        return _SIZES[value]
    if value in ("smaller", "larger"):
        return size * (0.83 if value == "smaller" else 1.2)
    if value:
        return max(0.0, read_length(value, size, size, percent_of=size))
    if tag == "font" and (step := (attributes.get("size") or "").strip()):
        return _FONT_TAG.get(step, size)
    return size * _TAG_SIZES.get(tag, 1.0)


def _find_bold(bold: bool, tag: str, style: Style) -> bool:
    weight = style.get("font-weight", "")
    if not weight and re.search(r"\bbold(?:er)?\b", style.get("font", "")):
        return True
    if weight:
        return weight in ("bold", "bolder") or (weight.isdigit() and int(weight[:4]) >= 600)
    return bold or tag in _BOLD_TAGS


def _paint(look: Look, attributes: Mapping[str, str | None], style: Style) -> Look:
    """Colours; a picture behind the text leaves the background unknown."""
    color = style.get("color") or attributes.get("color") or attributes.get("text") or ""
    if color and color != "inherit":
        told = read_color(color)
        if told is not None or color in ("transparent", "rgba(0,0,0,0)"):
            look = replace(look, color=told)
    behind = style.get("background-color") or style.get("background") or attributes.get("bgcolor") or ""
    pictured = "url(" in behind or "gradient" in behind or "background-image" in style or attributes.get("background")
    if pictured:
        return replace(look, background=None)
    told = read_color(behind.split()[0]) if behind.strip() else None
    return look if told is None else replace(look, background=told)


def read_length(value: str, size: float, default: float, *, percent_of: float | None = None) -> float:
    """A CSS length in points; `default` for one that is not given, not a length, or in per cent of what is unknown."""
    match = _LENGTH.fullmatch(value.strip())
    if match is None:
        return default
    number, unit = float(match[1]), (match[2] or "").lower()
    if unit in ("em", "ex", "ch"):
        return number * size * (1.0 if unit == "em" else 0.5)
    if unit == "%":
        return default if percent_of is None else number / 100.0 * percent_of
    if unit in ("vw", "vh"):
        return default if number else 0.0
    return number * POINTS[unit]
