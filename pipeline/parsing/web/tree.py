"""A web page as a tree, the way browsers build it, however broken its markup; walked without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

MAX_DEPTH = 512  # elements inside one another; browsers put deeper ones side by side (Chrome: 512)
SKIPPED = frozenset(
    {"script", "style", "template", "head", "title", "meta", "link", "base", "noembed", "noframes", "datalist", "rp",
     "param", "source", "track", "map", "area", "canvas", "iframe", "object", "embed", "applet", "video", "audio",
     "annotation", "annotation-xml", "defs", "desc", "metadata", "frame", "colgroup", "col", "select", "textarea"}
)  # fmt: skip
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
     "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot", "rp", "rt"}
)  # fmt: skip
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>\x00]*)([^>]*)>")


def parse_tree(markup: str) -> tuple[Any, bool]:
    """The parser that holds the tree, and whether elements were nested deeper than `MAX_DEPTH`.

    Tags beyond that depth are taken out before, and their text kept: the time to build a tree grows with the square of
    its depth.
    """
    text, flattened = _flatten(markup)
    return LexborHTMLParser(text), flattened


def walk(root: Any) -> Iterator[tuple[str, Any]]:
    """('start', element), ('text', node) and ('end', element) in document order; what is never displayed is left out.

    The elements of `SKIPPED` come as 'skip', without what is in them.
    """
    stack = [(root, False)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            yield "end", node
        elif node.is_text_node:
            yield "text", node
        elif node.is_element_node:
            if node.tag in SKIPPED:
                yield "skip", node
                continue
            yield "start", node
            stack.append((node, True))
            child = node.last_child
            while child is not None:
                stack.append((child, False))
                child = child.prev


def _flatten(markup: str) -> tuple[str, bool]:
    """The markup without the tags that stand deeper than `MAX_DEPTH`; an estimate, on the safe side for closed tags."""
    if markup.count("<") <= MAX_DEPTH:
        return markup, False
    depth = deepest = 0
    for tag in _TAG.finditer(markup):
        depth = _step(depth, tag)
        deepest = max(deepest, depth)
    if deepest <= MAX_DEPTH:
        return markup, False
    pieces, at, depth = [], 0, 0
    for tag in _TAG.finditer(markup):
        before, depth = depth, _step(depth, tag)
        if max(before, depth) > MAX_DEPTH and tag[2].lower() not in _VOID:
            pieces += [markup[at : tag.start()], " "]
            at = tag.end()
    return "".join([*pieces, markup[at:]]), True


def _step(depth: int, tag: re.Match[str]) -> int:
    name = tag[2].lower()
    if name in _VOID or tag[3].endswith("/"):
        return depth
    return max(0, depth - 1) if tag[1] else depth + 1
