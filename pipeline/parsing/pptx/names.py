"""Namespaces and small readings of DrawingML that the reader of presentations shares."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from pipeline.parsing.page_text import clean_text

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

METHOD = "pptx"  # parsing_method: our own pass over the XML
EMU = 12_700.0  # English metric units a point (ECMA-376 part 1, 20.1.2.1)
DEGREE = 60_000.0  # units of an angle a degree (20.1.10.3)
MAX_DEPTH = 64  # groups in groups; PowerPoint's own files nest a handful

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in points


def local_name(element: etree._Element) -> str:
    """The element's name without its namespace; '' for what is no element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def children(element: etree._Element) -> Iterator[etree._Element]:
    """The children, with an alternative replaced by the choice that holds shapes or text, else by its fallback."""
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if child.tag != f"{MC}AlternateContent":
            yield child
            continue
        choice, fallback = child.find(f"{MC}Choice"), child.find(f"{MC}Fallback")
        chosen = choice if choice is not None and _is_known(choice) else fallback
        if chosen is not None:
            yield from (inner for inner in chosen if isinstance(inner.tag, str))


def _is_known(choice: etree._Element) -> bool:
    return any(local_name(child) in _KNOWN for child in choice)


_KNOWN = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp", "r", "oleObj", "p", "m"})


def integer(value: str | None, default: int = 0) -> int:
    """The number in an attribute; `default` where there is none."""
    try:
        return int(value) if value is not None else default
    except ValueError:
        return default


def is_true(value: str | None, *, default: bool = False) -> bool:
    """The truth in an attribute (xsd:boolean)."""
    return default if value is None else value in ("1", "true", "on")


def plain(text: str) -> str:
    """Text on one line, controls as U+FFFD."""
    return clean_text("".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in text.replace("\u200b", "")))
