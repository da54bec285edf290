"""HTML put together so that no text of a document can become markup: every string is escaped, tags come from code."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import TypeAlias

# What HTML cannot hold, and marks that turn the direction of text, so that words are shown in the order they have.
_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
_VOID = frozenset({"br", "hr", "meta"})


class Markup(str):
    """HTML that is already escaped; only `tag` and `join` make it."""

    __slots__ = ()


Node: TypeAlias = "Markup | str | None"


def tag(kind: str, /, *children: Node, **attributes: object) -> Markup:
    """An element; a name's last underscore is dropped (`class_`), others become hyphens; None is left out."""
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{text_of(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    if kind in _VOID:
        return Markup(f"<{kind}{told}>")
    return Markup(f"<{kind}{told}>{join(*children)}</{kind}>")


def join(*children: Node) -> Markup:
    """Pieces one after the other, plain ones escaped; None is left out."""
    return Markup("".join(child if isinstance(child, Markup) else text_of(child) for child in children if child))


def text_of(text: str) -> Markup:
    """A text as HTML: escaped, unfit characters replaced by U+FFFD."""
    if text.isalnum():  # most attributes and many cells: nothing to escape
        return Markup(text)
    return Markup(html.escape(_UNFIT.sub("\ufffd", text), quote=True))


def page(body: Markup, *, title: str, language: str, style: str, has_pictures: bool = False) -> bytes:
    """A whole page without script that can fetch nothing: only the style that stands in it is allowed, by its hash.

    `has_pictures` allows pictures that stand in the page itself (`data:`), and none from anywhere else.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    pictures = "img-src data:; " if has_pictures else ""
    policy = f"default-src 'none'; {pictures}style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body), lang=language)}\n".encode()
