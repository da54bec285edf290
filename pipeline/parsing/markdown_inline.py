"""The words of an inline Markdown text, row by row, without its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)


@dataclass(slots=True)
class InlineRows:
    """The rows of an inline text: words, bold characters, and links as (row, offset, words, target)."""

    texts: list[str] = field(default_factory=lambda: [""])
    bold: int = 0
    links: list[tuple[int, int, str, str]] = field(default_factory=list)
    images: int = 0


def read_inline(children: Sequence[Any]) -> InlineRows:
    """The rows of a paragraph, heading or cell out of its tokens; a row ends where the source's line does."""
    rows = InlineRows()
    bold = 0
    open_links: list[tuple[int, int, str]] = []
    for token in children:
        words = ""
        if token.type in ("softbreak", "hardbreak"):
            rows.texts.append("")
        elif token.type == "html_inline":
            words = " " if _BREAK_TAG.fullmatch(token.content) else ""
        elif token.type in ("text", "code_inline", "text_special"):
            words = token.content
        elif token.type == "image":
            rows.images += 1
            words = token.content
        elif token.type in ("strong_open", "strong_close"):
            bold += 1 if token.type == "strong_open" else -1
        elif token.type == "link_open":
            open_links.append((len(rows.texts) - 1, len(rows.texts[-1]), str(token.attrs.get("href", ""))))
        elif token.type == "link_close" and open_links:
            row, start, target = open_links.pop()
            if target.startswith("#") and rows.texts[row][start:].strip():
                rows.links.append((row, start, rows.texts[row][start:].strip(), target[1:]))
        rows.texts[-1] += words
        rows.bold += len(words) if bold else 0
    return rows
