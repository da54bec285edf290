"""The pieces that sections of the page are made of: facts, tables, folded texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from pipeline.audit.page.labels import label
from pipeline.sheet.markup import Markup, Node, join, tag

MAX_TEXT = 400_000  # characters of one text on the page, some 130 pages of print; the record holds the whole


def wrapping(text: str) -> str:
    """A document's text with plain spaces for no-break ones, of which some files have no others: words stay whole."""
    return text.replace("\u00a0", " ")


def fact(name: str, told: Node, *, is_hash: bool = False) -> Markup:
    """A fact after its name."""
    kind = "div" if isinstance(told, Markup) else "span"
    return tag(
        "div",
        tag("span", name, class_="k"),
        " ",
        tag(kind, told, class_="v hash" if is_hash else "v"),
        class_="fact",
    )


def facts(rows: Iterable[tuple[str, Node]]) -> Markup:
    """Facts one below the other; what is None or empty is left out."""
    return join(*(fact(name, told) for name, told in rows if told))


def table(
    heads: Sequence[str], rows: Sequence[Sequence[Node]], *, name: str, idents: Sequence[str | None] = ()
) -> Markup:
    """A table that scrolls in itself where it is wider than the page; `name` is read aloud.

    `idents` are the names of its first rows for links, None for a row without one.
    """
    head = tag("thead", tag("tr", *(tag("th", words, scope="col") for words in heads)))
    named = zip_longest(rows, idents[: len(rows)])
    body = tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row), id=ident) for row, ident in named))
    made = tag("table", head, body, class_="t")
    return tag("div", made, class_="wide", tabindex="0", role="region", aria_label=name)


def folded(summary: Node, *content: Node, is_open: bool = False) -> Markup:
    """What is shown when its line is opened."""
    return tag("details", tag("summary", summary), *content, open="" if is_open else None)


def verbatim(text: str, language: str) -> Markup:
    """A text as it stands, in its own direction; of a huge one the beginning, and how much is left out."""
    left = len(text) - MAX_TEXT
    more = tag("p", label("text_left_out", language, count=f"{left:,}"), class_="soft") if left > 0 else None
    return join(tag("pre", text[:MAX_TEXT], dir="auto"), more)


def as_json(value: Any, language: str) -> Markup:
    """A value as JSON with sorted names, words of every script as they are."""
    return verbatim(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True), language)


def bullets(entries: Iterable[Node]) -> Markup | None:
    """A list; None without entries."""
    told = [tag("li", entry) for entry in entries]
    return tag("ul", *told) if told else None


def titled(title: str, key: str, *content: Node) -> Markup:
    """A section with its heading; `key` is its place in links."""
    return tag("section", tag("h2", title, id=key), *content)
