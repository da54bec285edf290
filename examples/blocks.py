"""The pieces of a document, and the small markup in which the sample texts are written.

Blocks are parted by blank lines: `# `, `## `, `### ` headings; `- (a) ` items with a hanging label; `[[name argument]]`
commands (page, columns, table, signatures); anything else is a paragraph. Within a text `**bold**`, `~` for a space
that must not break, `{...}` for a footnote at that place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BLANK_LINES = re.compile(r"\n\s*\n")
COMMAND = re.compile(r"\[\[(\w+)(?: (\w+))?\]\]")
LABELLED = re.compile(r"(\(\w{1,3}\)) ")
REFERENCE = re.compile(r"\b(Sections?|Articles?|Schedule|Table|Part) (?=\d|[A-C]\b)")  # keeps its number on its line


@dataclass(frozen=True)
class Heading:
    """A heading of the outline; levels count from 1."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text; `label` hangs to the left of an item, and is empty in an indented quotation."""

    text: str
    is_item: bool = False
    label: str = ""


@dataclass(frozen=True)
class Command:
    """An instruction to the press, such as a new page."""

    name: str
    argument: str


@dataclass(frozen=True)
class TableSpec:
    """A ruled table; columns are (header, share of the width, 'left' or 'right')."""

    caption: str
    columns: tuple[tuple[str, float, str], ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Command


def read_blocks(markup: str) -> tuple[Block, ...]:
    """Blocks of `markup`, in order."""
    return tuple(_block(" ".join(piece.split())) for piece in BLANK_LINES.split(markup.strip()))


def _block(piece: str) -> Block:
    if command := COMMAND.fullmatch(piece):
        return Command(command[1], command[2] or "")
    if piece.startswith("#"):
        marks, _, text = piece.partition(" ")
        return Heading(len(marks), typographic(text))
    if not piece.startswith("- "):
        return Paragraph(typographic(piece))
    text = piece.removeprefix("- ")
    label = LABELLED.match(text)
    return Paragraph(typographic(text[label.end() :] if label else text), True, label[1] if label else "")


def typographic(text: str) -> str:
    """`text` with curly quotation marks and apostrophes, and with references that do not break."""
    text = REFERENCE.sub(r"\1~", text)
    text = re.sub(r'(^|(?<=[\s(*]))"(?=\S)', "\u201c", text)
    return text.replace('"', "\u201d").replace("'", "\u2019")
