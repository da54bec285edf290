"""HTML and SVG as trees, so that no text of a document can become markup: it is escaped where the tree is written.

Elements come from lxml; there is no way here to put a string into a page unescaped. The only text that is written as it
stands is the style sheet, which is ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from schemas.errors import TableError

Element: TypeAlias = Any  # of lxml, which has no types
Node: TypeAlias = Any  # an element, or text
NOTHING = "–"  # a cell without a value: not measured, or it does not apply

# What XML cannot hold, lone surrogates, and marks that turn the direction of text: shown as a replacement character.
_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]"
)


def tag(kind: str, /, *children: Node, **attributes: object) -> Element:
    """An element of a kind; a name's last underscore is dropped (`class_`), others become hyphens, None is left out.

    Children are elements or text; None is left out.
    """
    from lxml import etree

    made = etree.Element(kind)
    for key, value in attributes.items():
        if value is not None:
            made.set(key.rstrip("_").replace("_", "-"), printable(_number(value)))
    last = None
    for child in children:
        if child is None:
            continue
        if isinstance(child, str):
            text = printable(child)
            if last is None:
                made.text = (made.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        else:
            made.append(child)
            last = child
    return made


def printable(text: str) -> str:
    """The text with what a page cannot show, or what would reorder it, replaced by U+FFFD."""
    return _UNFIT.sub("\ufffd", text)


def page_text(root: Element) -> str:
    """The page as HTML text with its doctype; the same tree gives the same text."""
    from lxml import html

    return str(html.tostring(root, doctype="<!DOCTYPE html>", encoding="unicode")) + "\n"


def table(
    caption: str,
    heads: Sequence[Node],
    rows: Sequence[Sequence[Node]],
    *,
    text_columns: int = 1,
    explained: Callable[[str], str | None] | None = None,
    class_: str = "figures",
) -> Element:
    """A table with caption; the first cell of a row names it, columns from `text_columns` on are numbers.

    `explained` gives what a head means, shown when the pointer rests on it.

    Raises TableError where a row is longer or shorter than the heads.
    """
    for row in rows:
        if len(row) != len(heads):
            raise TableError(f"table {caption!r}: {len(heads)} heads, a row of {len(row)} cells")
    head_cells = [
        tag(
            "th", head, scope="col", class_="num" if index >= text_columns else None,
            title=explained(head) if explained and isinstance(head, str) else None,
        )
        for index, head in enumerate(heads)
    ]  # fmt: skip
    body = [
        tag(
            "tr",
            *(_cell(cell, is_head=index == 0, is_number=index >= text_columns) for index, cell in enumerate(row)),
        )
        for row in rows
    ]
    made = tag(
        "table", tag("caption", caption), tag("thead", tag("tr", *head_cells)), tag("tbody", *body), class_=class_
    )
    return tag("div", made, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _cell(cell: Node, *, is_head: bool, is_number: bool) -> Element:
    if not isinstance(cell, str) and getattr(cell, "tag", None) in ("td", "th"):
        return cell
    name, scope = ("th", "row") if is_head else ("td", None)
    return tag(name, cell, scope=scope, class_="num" if is_number else None)


def _number(value: object) -> str:
    """A number of an attribute with two decimals at most, so that rounding noise does not show in the file."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(value)
