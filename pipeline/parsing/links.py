"""The links of a PDF from one place of the document to another, read object by object.

MuPDF's own list of a page's links may never come back on some files (MEASURED.md, traps), so the annotations are read
here one by one, each object once, within limits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pipeline.parsing.annotations import list_annotations
from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import LinkRead

MAX_LINKS = 100_000  # links of a document
MAX_OBJECT_CHARS = 10_000  # characters of an annotation that are searched; one of a link has two hundred
TARGET_SLACK = 6.0  # points by which a target may lie under the top of the line it means: authors aim at its letters
COLUMN_SLACK = 100.0  # points a line may begin right of the target and still be in its column: indented, centred

_RECT = re.compile(r"/Rect\s*\[\s*([-+.\d]+)\s+([-+.\d]+)\s+([-+.\d]+)\s+([-+.\d]+)\s*\]")
_ACTION = re.compile(r"/A\s+(\d+) 0 R")
_PLACE = re.compile(r"/(?:Dest|D)\s*(?:\[(?P<array>[^\]]*)\]|\((?P<name>(?:[^()\\]|\\.)*)\)|<(?P<hex>[0-9A-Fa-f]*)>"
                    r"|/(?P<key>[^\s/<>\[\]()]+)|(?P<xref>\d+) 0 R)")  # fmt: skip
_ARRAY = re.compile(r"\s*(?:(?P<xref>\d+) 0 R|(?P<page>\d+))\s*(?P<rest>.*)", re.DOTALL)
_TOP = re.compile(r"/XYZ\s+(?P<x>\S+)\s+(?P<y>[-+.\d]+)|/(?:FitH|FitBH)\s+(?P<top>[-+.\d]+)")
_NUMBER = re.compile(r"[-+]?\d*\.?\d+")

Target = tuple[int, float | None, float | None]  # page from 1, points from the left and the top; None: not given
_NOWHERE: Target = (-1, None, None)


def read_links(document: Any, pages: Sequence[PageRead]) -> list[LinkRead]:
    """Links that lead from a line of the document to another, in the order of the pages; faulty ones are left out."""
    numbers: dict[int, int] = {}
    names: dict[str, Target] = {}
    links: list[LinkRead] = []
    for page in pages:
        if not page.lines or len(links) >= MAX_LINKS:
            continue
        try:
            found = _read_annotations(document, page)
            if found and not numbers:
                numbers = {document.page_xref(at): at + 1 for at in range(document.page_count)}
            for box, place in found:
                target = _resolve(document, place, numbers, names)
                link = None if target is None else _attach(box, page, target, pages)
                if link is not None:
                    links.append(link)
        except PAGE_ERRORS:
            continue  # a link is a convenience: the words of the page are read all the same
    return links


def _read_annotations(document: Any, page: PageRead) -> list[tuple[tuple[float, float, float, float], str]]:
    """Box on the displayed page and the text of the object that says where it leads, of each inner link."""
    annotations = list_annotations(document, page.page_num)
    if not annotations:
        return []
    crop = document.page_cropbox(page.page_num - 1)
    found = []
    for xref in annotations:
        text = document.xref_object(xref, compressed=True)[:MAX_OBJECT_CHARS]
        rect = _RECT.search(text)
        if "/Link" not in text or rect is None:
            continue
        action = _ACTION.search(text)
        if action is not None:
            text = f"{text} {document.xref_object(int(action[1]), compressed=True)[:MAX_OBJECT_CHARS]}"
        if "/URI" in text or "/GoToR" in text or "/Launch" in text:
            continue
        x0, y0, x1, y1 = map(float, rect.groups())
        found.append((_display((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), page, crop), text))
    return found


def _display(box: tuple[float, float, float, float], page: PageRead, crop: Any) -> tuple[float, float, float, float]:
    """A box of the file's coordinates, bottom up, as one of the displayed page, top down."""
    x0, y0, x1, y1 = box[0] - crop.x0, box[1] - crop.y0, box[2] - crop.x0, box[3] - crop.y0
    width, height = (page.width, page.height) if page.rotation % 180 == 0 else (page.height, page.width)
    if page.rotation == 90:
        return (y0, x0, y1, x1)
    if page.rotation == 180:
        return (width - x1, y0, width - x0, y1)
    if page.rotation == 270:
        return (height - y1, width - x1, height - y0, width - x0)
    return (x0, height - y1, x1, height - y0)


def _resolve(document: Any, text: str, numbers: dict[int, int], names: dict[str, Target]) -> Target | None:
    """Where the link leads; None where that is nowhere in this file."""
    place = _PLACE.search(text)
    if place is None:
        return None
    if place["xref"]:
        text = "/D " + document.xref_object(int(place["xref"]), compressed=True)[:MAX_OBJECT_CHARS]
        place = _PLACE.search(text)
        if place is None:
            return None
    if place["array"] is not None:
        return _read_array(document, place["array"], numbers)
    name = place["name"] or place["key"] or ""
    if place["hex"]:
        name = bytes.fromhex(place["hex"] + "0" * (len(place["hex"]) % 2)).decode("latin-1")
    if name and name not in names:
        at, x, y = document.resolve_link("#nameddest=" + quote(name.encode("latin-1", "replace")))
        known = isinstance(at, int) and at >= 0
        names[name] = (at + 1, float(x) or None, float(y) or None) if known else _NOWHERE
    target = names.get(name, _NOWHERE)
    return None if target[0] < 1 else target


def _read_array(document: Any, array: str, numbers: dict[int, int]) -> Target | None:
    match = _ARRAY.match(array)
    if match is None:
        return None
    page_num = numbers.get(int(match["xref"]), 0) if match["xref"] else int(match["page"]) + 1
    if not 1 <= page_num <= document.page_count:
        return None
    top = _TOP.search(match["rest"])
    if top is None:
        return page_num, None, None
    crop = document.page_cropbox(page_num - 1)
    x = float(top["x"]) - crop.x0 if top["x"] and _NUMBER.fullmatch(top["x"]) else None
    return page_num, x, max(0.0, float(crop.y1 - float(top["y"] or top["top"])))


def _attach(
    box: tuple[float, float, float, float], page: PageRead, target: Target, pages: Sequence[PageRead]
) -> LinkRead | None:
    """The link with its lines; None where no line stands under its box or at its target."""
    line = _line_under(box, page.lines)
    goal = _line_at(target, pages[target[0] - 1].lines) if target[0] <= len(pages) else None
    if line is None or goal is None:
        return None
    width = max(line.x1 - line.x0, 1.0)
    start = max(0, round((box[0] - line.x0) / width * len(line.text)))
    end = min(len(line.text), round((box[2] - line.x0) / width * len(line.text)))
    start, end = _snap(line.text, start, end)
    return LinkRead(line, start, line.text[start:end], goal)


def _snap(text: str, start: int, end: int) -> tuple[int, int]:
    """The nearest whole words: letters differ in width, so a place told by points is some letters off."""
    starts = [match.start() for match in re.finditer(r"\S+", text)] or [0]
    ends = [match.end() for match in re.finditer(r"\S+", text)] or [len(text)]
    start = min(starts, key=lambda at: (abs(at - start), at))
    later = [at for at in ends if at > start]
    return start, min(later, key=lambda at: (abs(at - end), at)) if later else len(text)


def _line_under(box: tuple[float, float, float, float], lines: Sequence[Line]) -> Line | None:
    """The visible line that the box overlaps most; None where it overlaps none."""
    best: tuple[float, Line] | None = None
    for line in lines:
        width = min(box[2], line.x1) - max(box[0], line.x0)
        height = min(box[3], line.y1) - max(box[1], line.y0)
        if width > 0 and height > 0 and line.visible and (best is None or width * height > best[0]):
            best = (width * height, line)
    return None if best is None else best[1]


def _line_at(target: Target, lines: Sequence[Line]) -> Line | None:
    """The first visible line at the place or under it in its column; the first of the page where none is given."""
    _, x, y = target
    top, left = (y or 0.0) - TARGET_SLACK, x or 0.0
    best: tuple[float, Line] | None = None
    for line in lines:
        if line.visible and (line.y0 >= top or y is None) and line.x1 > left:
            away = line.y0 + (max(0.0, line.x0 - left - COLUMN_SLACK) if x is not None else 0.0)
            if best is None or away < best[0]:
                best = (away, line)
    if best is None:
        return next((line for line in reversed(lines) if line.visible), None)
    return best[1]
