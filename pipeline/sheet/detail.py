"""How much of each list a sheet shows: the most that still fits on its pages; what is left out is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup, Node, tag

T = TypeVar("T")
MAX_NAME = 160  # characters of the name of a file: two lines of a sheet; names of real contracts have up to some 150


@dataclass(frozen=True, slots=True)
class Detail:
    """Most entries of each list, and most characters of one text."""

    items: int
    rows: int
    quote: int
    sentence: int
    terms: int
    notes: int


# From the fullest to the one that fits on two pages whatever the record holds: 3 values of 160 + 160 characters and
# some 40 further lines of at most 110 characters are less than a page at 7.5 points.
LEVELS = (
    Detail(items=12, rows=24, quote=900, sentence=420, terms=24, notes=12),
    Detail(items=8, rows=12, quote=420, sentence=240, terms=12, notes=6),
    Detail(items=3, rows=6, quote=160, sentence=110, terms=6, notes=3),
)


def cut(text: str, limit: int) -> str:
    """The text on one line, cut between words after `limit` characters: half a figure reads as another figure."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return f"{flat[: limit + 1].rpartition(' ')[0] or flat[:limit]} …"


def cut_name(name: str) -> str:
    """The name of a file as it is, only a longer one than any sheet has room for cut."""
    return name if len(name) <= MAX_NAME else cut(name, MAX_NAME)


def listed(entries: Sequence[T], most: int, show: Callable[[T], Node], language: str) -> Markup | None:
    """A list of the first entries, then how many more the record holds; None without any."""
    if not entries:
        return None
    more = len(entries) - most
    rest = [tag("li", label("more", language, count=more), class_="soft")] if more > 0 else []
    return tag("ul", *(tag("li", show(entry)) for entry in entries[:most]), *rest)


def joined(words: Iterable[str], most: int, language: str) -> str:
    """Words in a row, then how many more the record holds."""
    told = list(words)
    more = f" {label('more', language, count=len(told) - most)}" if len(told) > most else ""
    return ", ".join(told[:most]) + more
