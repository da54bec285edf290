"""The XML names of WordprocessingML (ISO/IEC 29500-1, clause 17) and its neighbours, and how their values are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

Element: TypeAlias = Any  # an element of lxml, which has no types of its own

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
V = "{urn:schemas-microsoft-com:vml}"

VAL = f"{W}val"
_OFF = frozenset({"0", "false", "off", "none"})
# namespaces that a choice of mc:AlternateContent may require and whose text is read here
_KNOWN = frozenset(
    {
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing",
        "http://schemas.microsoft.com/office/word/2010/wordml",
        "http://schemas.microsoft.com/office/word/2012/wordml",
        "http://schemas.microsoft.com/office/drawing/2010/main",
    }
)
_LENGTHS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "pc": 12.0, "pi": 12.0}  # points


def local(element: Element) -> str:
    """Name of the element without its namespace; empty for a comment or an entity."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value(element: Element | None, child: str) -> str | None:
    """`w:val` of a child named without its prefix; None where there is no such child, '' where it has no value."""
    found = None if element is None else element.find(f"{W}{child}")
    return None if found is None else str(found.get(VAL, ""))


def flag(element: Element | None, child: str) -> bool | None:
    """An on/off property (ISO/IEC 29500-1, 17.17.4): None where it is not set."""
    found = value(element, child)
    return None if found is None else found.lower() not in _OFF


def number(text: str | None) -> int | None:
    """A whole number; None for anything else."""
    try:
        return None if text is None else int(text.strip())
    except ValueError:
        return None


def points(text: str | None, *, unit: float) -> float | None:
    """A length in points: a bare number counts `unit` points each, '12pt' or '1.5in' (Strict) says its own."""
    if not text:
        return None
    text = text.strip()
    scale = _LENGTHS.get(text[-2:])
    try:
        return float(text[:-2]) * scale if scale else float(text) * unit
    except ValueError:
        return None


def children(element: Element) -> Iterator[Element]:
    """The child elements, of mc:AlternateContent the one branch that is shown (ISO/IEC 29500-3, 9.3)."""
    for child in element:
        if child.tag == f"{MC}AlternateContent":
            branch = choose(child)
            if branch is not None:
                yield from children(branch)
        elif isinstance(child.tag, str):
            yield child


def choose(alternatives: Element) -> Element | None:
    """The first choice whose needs are known here, else the fallback; the same content is never read twice."""
    for choice in alternatives.iterfind(f"{MC}Choice"):
        needs = [choice.nsmap.get(prefix, "") for prefix in choice.get("Requires", "").split()]
        if all(need in _KNOWN for need in needs):
            return choice
    return alternatives.find(f"{MC}Fallback")
