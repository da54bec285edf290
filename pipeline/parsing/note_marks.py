"""Footnotes and the marks that lead to them: the line with the mark, and the line where the note begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.parsing.lines import Line

_NOTE = re.compile(r"(?P<mark>\d{1,3}|[∗*†‡§¶])[.)]?\s*(?=[^\W\d_]|[\"“«(])")  # how a footnote's first line begins
_TEXT_ROLES = frozenset({"body", "table", "heading", "caption"})


def tie_notes(lines: Sequence[Line]) -> Iterator[tuple[Line, int, str, Line]]:
    """(line of the mark, its offset there, the mark, first line of the note), in the order of the notes.

    On a page the mark stands glued to a word or its punctuation ('price1', 'price.*'); in a text processor's file in
    brackets ('price[1]'), where the reader put it. The first such place of the note's page before it counts; a note
    whose mark is not found is left out.
    """
    by_page: dict[int, list[Line]] = {}
    for line in lines:
        if not line.visible:
            continue
        if line.role in _TEXT_ROLES:
            by_page.setdefault(line.page_num, []).append(line)
        elif line.role == "footnote" and (begun := _NOTE.match(line.text)) is not None:
            found = _find_mark(by_page.get(line.page_num, ()), begun["mark"])
            if found is not None:
                yield (*found, begun["mark"], line)


def _find_mark(above: Sequence[Line], mark: str) -> tuple[Line, int] | None:
    glued = re.compile(
        rf"(?:(?<=[^\W\d_]{{2}})|(?<=[^\W\d_][.,;:)”\"’]))(?:\[{re.escape(mark)}\]|{re.escape(mark)}(?![\w%]))"
    )
    for line in above:
        if mark in line.text and (match := glued.search(line.text)) is not None:
            return line, match.start()
    return None
