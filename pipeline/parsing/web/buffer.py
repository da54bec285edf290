"""Text of one line of a web page while it is gathered: white space as browsers show it, and what stands where in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line, flow_line
from pipeline.parsing.reading import FieldRead, LinkRead
from pipeline.parsing.web.style import DELETED, Look

METHOD = "selectolax"
_BLANKS = re.compile(r"[ \t\n\r\f\v\xa0\u2000-\u200a\u202f\u3000]+")
_ROW_BREAKS = re.compile(r"\r\n|[\n\r\f]")


@dataclass(slots=True)
class Link:
    """A link to a place in the page; `start` and `end` are offsets in the text."""

    target: str
    start: int
    end: int = -1


@dataclass(slots=True)
class Buffer:
    """The text so far, the hidden text by reason, and what waits for its line."""

    text: str = ""
    bold: int = 0  # characters
    italic: int = 0
    inserted: int = 0
    struck: int = 0
    sizes: dict[float, int] = field(default_factory=dict)  # points -> characters
    hidden: dict[str, str] = field(default_factory=dict)  # reason -> text
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    fields: list[FieldRead] = field(default_factory=list)

    def add(self, text: str, look: Look) -> None:
        """Text as browsers show it: white space run together where it is not preformatted; hidden text stands apart."""
        text = text.expandtabs() if look.keeps_breaks else _BLANKS.sub(" ", text)
        if look.hidden:
            self.hidden[look.hidden] = join(self.hidden.get(look.hidden, ""), text)
            return
        before = len(self.text)
        self.text = self.text + text if look.keeps_breaks else join(self.text, text)
        count = len(self.text) - before
        self.bold += count if look.bold else 0
        self.italic += count if look.italic else 0
        self.inserted += count if look.inserted and text.strip() else 0
        self.struck += count if look.struck and text.strip() else 0
        size = round(look.size, 2)
        self.sizes[size] = self.sizes.get(size, 0) + count

    def take(self, other: Buffer, gap: str) -> None:
        """Append another buffer, `gap` between the two texts where both have some."""
        shift = len(self.text) + (len(gap) if self.text and other.text else 0)
        self.text += (gap if self.text and other.text else "") + other.text
        self.bold += other.bold
        self.italic += other.italic
        self.inserted += other.inserted
        self.struck += other.struck
        for size, count in other.sizes.items():
            self.sizes[size] = self.sizes.get(size, 0) + count
        for reason, text in other.hidden.items():
            self.hidden[reason] = join(self.hidden.get(reason, ""), " " + text)
        self.links += [Link(link.target, link.start + shift, link.end + shift) for link in other.links if link.end >= 0]
        self.anchors += other.anchors
        self.fields += other.fields

    def trim(self) -> None:
        """Take away the blank at the end."""
        self.text = self.text.rstrip(" ")

    @property
    def is_blank(self) -> bool:
        """Neither visible nor hidden words."""
        return not self.text.strip() and not any(text.strip() for text in self.hidden.values())


@dataclass(slots=True)
class Placed:
    """Lines that came of a buffer, the visible one first where there is one, and its links, still by target's name."""

    lines: list[Line]
    links: list[tuple[Line, Link, str]]
    anchors: list[str]
    fields: list[FieldRead]
    is_struck: bool = False  # some of its words have a line through them


def join(before: str, after: str) -> str:
    """Two texts, with one blank where either ends or begins with one, and none at the beginning."""
    return before + (after.lstrip(" ") if not before or before.endswith(" ") else after)


def place(buffer: Buffer, *, role: str) -> Placed:
    """The lines of a buffer: what is visible as one, then one a reason why text is hidden; paragraphs are set later."""
    lines: list[Line] = []
    links: list[tuple[Line, Link, str]] = []
    text = buffer.text.strip()
    lead = len(buffer.text) - len(buffer.text.lstrip())
    if text:
        size = max(buffer.sizes, key=lambda size: (buffer.sizes[size], size), default=0.0)
        half = len(text) / 2
        style = ("", size, buffer.bold > half, buffer.italic > half)
        line = flow_line(text, method=METHOD, role=role, style=style)
        line.change = "inserted" if buffer.inserted else ""
        lines.append(line)
        for link in buffer.links:
            words = buffer.text[link.start : link.end]
            start = link.start + len(words) - len(words.lstrip()) - lead
            if words.strip():
                links.append((line, Link(link.target, start, link.end), words.strip()))
    for reason, words in buffer.hidden.items():
        if words.strip():
            line = flow_line(words, method=METHOD, role="body")
            line.hidden, line.change = reason, "deleted" if reason == DELETED else ""
            lines.append(line)
    for entry in buffer.fields:
        entry.line = lines[0] if lines and lines[0].visible else None
    return Placed(lines, links, buffer.anchors, buffer.fields, is_struck=buffer.struck > 0)


def split_rows(text: str) -> list[str]:
    """The rows of preformatted text."""
    return _ROW_BREAKS.split(text)


def resolve_links(links: Iterable[tuple[Line, Link, str]], anchors: dict[str, Line]) -> list[LinkRead]:
    """The links with the line that each points at; None for a target that the page does not have."""
    return [LinkRead(line, link.start, words, anchors.get(link.target)) for line, link, words in links]
