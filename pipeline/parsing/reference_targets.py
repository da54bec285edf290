"""Where a mention points: sections by their numbers, clauses without a heading, list items, schedules, captions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, ordinal_value, read_item, read_number

MAX_ITEM_LINES = 2_000  # lines of a section in which a list item is looked for
_SPLIT = re.compile(r"(?P<main>[^()]+)(?P<subs>(?:\([^()]{1,6}\))*)$")
_SUB = re.compile(r"\(([^()]{1,6})\)")
_NUMBER_KINDS = {  # kind of a heading's number -> what mentions call it
    "decimal": ("section", "clause"),
    "section": ("section", "clause"),
    "clause": ("clause", "section"),
    "article": ("article",),
    "letter": ("section", "clause"),
    "roman": ("section", "clause"),
    "provision": ("section", "clause"),
}

Key = tuple[str, str | tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Span:
    first: int
    last: int


class Targets:
    """The places of a document that a mention may point at."""

    def __init__(self, lines: Sequence[Line], objects: pd.DataFrame, toc: pd.DataFrame) -> None:
        """Read the numbers of sections, clauses and objects; the first of a number in the main text wins."""
        self._lines = lines
        self._sections: dict[Key, _Span] = {}
        self._inner: list[tuple[_Span, dict[Key, _Span]]] = []  # schedules, and the sections in each
        self._attached: dict[Key, _Span] = {}
        self._read_sections(toc)
        self._clauses = self._read_clauses()
        self._objects: dict[tuple[str, str], int] = {}
        rows = zip(
            objects["object_type"].tolist(), objects["object_id"].tolist(), objects["line_id"].tolist(), strict=True
        )
        for kind, object_id, line_id in rows:
            self._objects.setdefault((kind, object_id.upper()), line_id)

    def resolve(self, kind: str, name: str, *, inside: tuple[str, str] | None = None) -> int | None:
        """The line that `name` of type `kind` begins at, `inside` a schedule; the deepest that exists of 5(b)(ii).

        None where the number itself stands nowhere.
        """
        match = _SPLIT.match(name)
        if match is None:
            return None
        main, subs = match["main"], _SUB.findall(match["subs"])
        if kind in ATTACHED:
            span = self._attached.get((kind, main.upper())) or self._attached.get((kind, _parts(main)))
            return span.first if span is not None else self._objects.get((kind, main.upper()))
        if kind not in ("section", "article", "clause"):
            return self._objects.get((kind, main.upper()))
        table = self._sections if inside is None else self._table_of(inside)
        if table is None:
            return None
        span = self._find(table, kind, main, clauses=inside is None)
        return None if span is None else self._descend(span, subs)

    def _find(self, table: Mapping[Key, _Span], kind: str, main: str, *, clauses: bool) -> _Span | None:
        parts = _parts(main)
        found = table.get((kind, main.upper())) or (table.get((kind, parts)) if parts else None)
        if found is None and clauses and kind != "article" and parts and main[0].isdigit() and main[-1].isdigit():
            return self._clauses.get(parts)
        return found

    def _table_of(self, inside: tuple[str, str]) -> dict[Key, _Span] | None:
        word, name = inside
        kind = _ATTACHED_WORDS.get(word, word)
        span = self._attached.get((kind, name.upper())) or self._attached.get((kind, _parts(name)))
        return next((table for place, table in self._inner if place == span), None)

    def _descend(self, span: _Span, subs: Sequence[str]) -> int:
        """The line of the list item, or of the last one above it that exists."""
        at, last = span.first, min(span.last, span.first + MAX_ITEM_LINES)
        for sub in subs:
            found = next((n for n in range(at + 1, last + 1) if self._begins_item(n, sub)), None)
            if found is None:
                break
            at = found
        return at

    def _begins_item(self, line_id: int, sub: str) -> bool:
        line = self._lines[line_id - 1]
        text = line.text
        return line.visible and (
            text.startswith((f"({sub})", f"{sub})", f"{sub}. "))
            or _AFTER_NUMBER.sub("", text, count=1).startswith(f"({sub})")
        )

    def _read_sections(self, toc: pd.DataFrame) -> None:
        columns = [toc[name].tolist() for name in ("title", "start_line_id", "end_line_id", "heading_found")]
        rows = list(zip(*columns, strict=True))
        has_articles = False
        scope: _Span | None = None
        table: dict[Key, _Span] = self._sections
        articles: list[tuple[Key, _Span, dict[Key, _Span]]] = []
        for title, first, last, found in rows:
            number = read_number(title) or (read_number(self._lines[first - 1].text) if found else None)
            if scope is not None and first > scope.last:
                scope, table = None, self._sections
            if number is None:
                continue
            span = _Span(first, last)
            if number.kind in ATTACHED:
                scope, table = span, {}
                self._inner.append((span, table))
                self._attached.setdefault((number.kind, number.id.upper()), span)
                self._attached.setdefault((number.kind, number.parts), span)
                continue
            has_articles |= number.kind == "article"
            for kind in _NUMBER_KINDS.get(number.kind, ()):
                table.setdefault((kind, number.id.upper()), span)
                table.setdefault((kind, number.parts), span)
            if number.kind in ("decimal", "roman"):
                articles.append((("article", number.parts), span, table))
        if not has_articles:  # a text may call its numbered parts articles and not write the word
            for key, span, where in articles:
                where.setdefault(key, span)

    def _read_clauses(self) -> dict[tuple[int, ...], _Span]:
        """Lines that begin with a clause's number and are no headings, each until the next of its depth or above."""
        found: list[tuple[tuple[int, ...], int]] = []
        for line in self._lines:
            if not line.text[:1].isdigit() or line.role not in ("body", "heading") or not line.visible:
                continue
            number = read_number(line.text)
            if number is None or number.kind != "decimal" or not _opens(number.title):
                continue
            if len(number.parts) > 1 or line.text[len(number.id) : len(number.id) + 1] in ".)":
                found.append((number.parts, line.line_id))
        clauses: dict[tuple[int, ...], _Span] = {}
        ends = [len(self._lines)] * len(found)
        waiting: list[int] = []
        for at, (parts, line_id) in enumerate(found):
            while waiting and len(found[waiting[-1]][0]) >= len(parts):
                ends[waiting.pop()] = line_id - 1
            waiting.append(at)
        for (parts, line_id), end in zip(found, ends, strict=True):
            clauses.setdefault(parts, _Span(line_id, end))
        return clauses


_AFTER_NUMBER = re.compile(r"^(?:(?:section|article|clause|cláusula|artículo)\s+)?[\w.]{1,10}[.):]?\s+", re.IGNORECASE)
_ATTACHED_WORDS = {"anexo": "annex", "annexe": "annex", "attachment": "annex", "apéndice": "appendix"}


def _opens(title: str) -> bool:
    """A clause's text begins with a capital, a quotation mark or a bracket; one broken in its middle does not."""
    return title[:1].isupper() or title[:1] in '“"«‘([' or read_item(title) is not None


def _parts(name: str) -> tuple[int, ...]:
    """The number as integers: 4 and IV and 'cuarta' are one; empty for a letter, or a number with one."""
    if name[:1].isdigit():
        return tuple(map(int, name.split("."))) if name.replace(".", "").isdigit() else ()
    value = ordinal_value(name)
    return () if value is None else (value,)
