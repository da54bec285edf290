"""Numbers of lists and headings as Word displays them, counted from numbering.xml (ISO/IEC 29500-1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipeline.parsing.docx.names import MC, VAL, Element, W, flag, number, value
from pipeline.parsing.docx.number_formats import write_number
from pipeline.parsing.docx.styles import Style, Styles
from pipeline.parsing.docx.symbols import BULLET, show_bullet

LEVELS = 9  # levels of a list, from 0
MAX_START = 10_000_000  # a larger start is a damaged file

_PLACE = re.compile(r"%([1-9])")


@dataclass(slots=True)
class Level:
    """One level of a list's definition."""

    start: int = 1
    fmt: str = "decimal"
    text: str = ""
    restart: int | None = None  # None: after any shallower level; 0: never; n: after a level shallower than n
    is_legal: bool = False  # all its numbers in decimal
    after: str = " "  # what stands between number and text
    style: str = ""  # paragraph style that is linked to the level
    font: str = ""
    hidden: bool = False
    digits: int = 0  # least digits of a custom format such as 001


@dataclass(slots=True)
class _List:
    """w:num: a use of an abstract list, with what it overrides."""

    abstract: str
    starts: dict[int, int] = field(default_factory=dict)
    levels: dict[int, Level] = field(default_factory=dict)


class Numbering:
    """The document's lists; `label` counts on with every call, so that paragraphs are asked in document order."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract: dict[str, dict[int, Level]] = {}
        self._linked: dict[str, str] = {}  # abstract list -> the numbering style that defines it
        self._lists: dict[int, _List] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[int] = set()  # lists whose overrides are in force
        self.unknown_formats: set[str] = set()
        if root is not None:
            self._read(root)

    def find(self, properties: Element | None, style: Style) -> tuple[int, int] | None:
        """List and level (from 0) of a paragraph with these w:pPr and style; None without a number."""
        direct = None if properties is None else properties.find(f"{W}numPr")
        num_id = number(value(direct, "numId"))
        level = number(value(direct, "ilvl"))
        if num_id is None:
            num_id = style.num_id
            if level is None:
                level = self._level_of_style(num_id, style)
        if not num_id or num_id not in self._lists:
            return None
        return num_id, min(max(level or 0, 0), LEVELS - 1)

    def label(self, num_id: int, level: int) -> str:
        """The number of the next paragraph at that level, with what stands between it and the text; '' for none."""
        numbered = self._lists[num_id]
        abstract = self._root_of(numbered.abstract)
        counts = self._counts.setdefault(abstract, [None] * LEVELS)
        if num_id not in self._begun:
            self._begun.add(num_id)
            for at in numbered.starts:
                counts[at] = None
        current = counts[level]
        counts[level] = self._start(numbered, abstract, level) if current is None else current + 1
        for deeper in range(level + 1, LEVELS):
            restart = self._level(numbered, abstract, deeper).restart
            if restart is None or level < restart:
                counts[deeper] = None
        return self._write(numbered, abstract, level, counts)

    def _write(self, numbered: _List, abstract: str, level: int, counts: list[int | None]) -> str:
        about = self._level(numbered, abstract, level)
        if about.hidden:
            return ""
        if about.fmt == "bullet":
            return f"{show_bullet(about.text, about.font)} "

        def place(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            count = counts[at]
            if count is None:  # a level that was skipped shows its start
                count = self._start(numbered, abstract, at)
            of = self._level(numbered, abstract, at)
            fmt = "decimal" if about.is_legal and of.fmt not in ("decimalZero", "none") else of.fmt
            if fmt == "bullet":
                return BULLET
            written = write_number(count, fmt)
            if written is None:
                self.unknown_formats.add(fmt)
                written = str(count)
            return written.zfill(of.digits) if of.digits else written

        text = _PLACE.sub(place, about.text)
        return f"{text}{about.after}" if text.strip() else ""

    def _start(self, numbered: _List, abstract: str, level: int) -> int:
        if level in numbered.starts:
            return numbered.starts[level]
        return self._level(numbered, abstract, level).start

    def _level(self, numbered: _List, abstract: str, level: int) -> Level:
        return numbered.levels.get(level) or self._abstract.get(abstract, {}).get(level) or _NO_LEVEL

    def _root_of(self, abstract: str) -> str:
        """The abstract list that holds the levels: one may only name a numbering style, whose list holds them."""
        seen = {abstract}
        while abstract in self._linked and not self._abstract.get(abstract):
            num_id = self._styles.get(self._linked[abstract]).num_id
            named = self._lists.get(num_id or 0)
            if named is None or named.abstract in seen:
                break
            abstract = named.abstract
            seen.add(abstract)
        return abstract

    def _level_of_style(self, num_id: int | None, style: Style) -> int:
        """The level that is linked to the style or to the nearest one that it is based on, else what the style says."""
        numbered = self._lists.get(num_id or 0)
        if numbered is not None:
            abstract = self._root_of(numbered.abstract)
            for style_id in style.chain:
                for at in range(LEVELS):
                    if self._level(numbered, abstract, at).style == style_id:
                        return at
        return style.num_level or 0

    def _read(self, root: Element) -> None:
        for element in root.iterfind(f"{W}abstractNum"):
            key = element.get(f"{W}abstractNumId", "")
            self._abstract[key] = _read_levels(element, self._styles)
            linked = value(element, "numStyleLink")
            if linked:
                self._linked[key] = linked
        for element in root.iterfind(f"{W}num"):
            num_id = number(element.get(f"{W}numId"))
            if num_id is None:
                continue
            numbered = self._lists[num_id] = _List(value(element, "abstractNumId") or "")
            for override in element.iterfind(f"{W}lvlOverride"):
                at = number(override.get(f"{W}ilvl"))
                if at is None or not 0 <= at < LEVELS:
                    continue
                numbered.levels.update(_read_levels(override, self._styles))
                start = number(value(override, "startOverride"))
                if start is not None:
                    numbered.starts[at] = min(max(start, 0), MAX_START)


def _read_levels(parent: Element, styles: Styles) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for element in parent.iterfind(f"{W}lvl"):
        at = number(element.get(f"{W}ilvl"))
        if at is None or not 0 <= at < LEVELS:
            continue
        runs = element.find(f"{W}rPr")
        fmt, digits = _read_format(element)
        levels[at] = Level(
            start=min(max(number(value(element, "start")) or 0, 0), MAX_START),
            fmt=fmt,
            text=value(element, "lvlText") or "",
            restart=number(value(element, "lvlRestart")),
            is_legal=bool(flag(element, "isLgl")),
            after="" if value(element, "suff") == "nothing" else " ",
            style=value(element, "pStyle") or "",
            font=styles.read_run(runs).font or "",
            hidden=bool(flag(runs, "vanish")),
            digits=digits,
        )
    return levels


def _read_format(level: Element) -> tuple[str, int]:
    """Format and least digits: '001, 002, ...' is a custom format that older programs are offered a stand-in for."""
    custom = level.find(f"{MC}AlternateContent/{MC}Choice/{W}numFmt")
    for element in (custom, level.find(f"{W}numFmt")):
        if element is not None:
            fmt = element.get(VAL, "decimal")
            if fmt != "custom":
                return fmt, 0
            first = element.get(f"{W}format", "").partition(",")[0].strip()
            if first.isdigit():
                return "decimal", len(first)
    fallback = level.find(f"{MC}AlternateContent/{MC}Fallback/{W}numFmt")
    return ("decimal" if fallback is None else fallback.get(VAL, "decimal")), 0


_NO_LEVEL = Level()
