"""Selection marks drawn in the text: boxes with and without a tick, as characters or as glyphs of a symbol font."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.reading import FieldRead
from pipeline.parsing.table_rules import Box

Mark = tuple[int, int, bool, Box | None]  # begin and end in the line's text, ticked, the glyph's own box

MAX_NAME_CHARS = 200  # characters of the words beside a mark that name it
MAX_MARKS = 5_000  # marks of a document that are listed

# Characters of Unicode, and Wingdings and Webdings glyphs as their private codes.
_TICKED = "\u2611\u2612\U0001f5f9\U0001f5f5\U0001f5f7\u2705\uf0fe\uf0fd\uf053\uf052\uf054"
_EMPTY = "\u2610\u25a1\u25fb\u25a2\u274f\u2751\u2752\uf0a8\uf06f\uf071\uf0a3\uf02a"
_SYMBOL_FONT = re.compile(r"wingdings|webdings", re.IGNORECASE)
# The same glyphs where the symbol font's text comes as plain characters.
_WINGDINGS_TICKED = {"wingdings": "\u00fe\u00fdx", "wingdings2": "RSTPQ", "webdings": "a"}
_WINGDINGS_EMPTY = {"wingdings": "\u00a8oq", "wingdings2": "\u00a3*", "webdings": "c"}
# 'þ', 'ý' and '¨' that stand alone are Wingdings' boxes whose font was lost; so are 'x' and 'o' behind Yes and No.
_YES_NO = re.compile(r"\bYes\s+[xXoO\u00fe\u00fd\u00a8]\s+No\s+[xXoO\u00fe\u00fd\u00a8](?!\w)", re.IGNORECASE)
_MARK = re.compile(rf"(?P<ticked>[{_TICKED}]|(?<!\S)[\u00fe\u00fd](?!\S))|(?P<empty>[{_EMPTY}]|(?<!\S)\u00a8(?!\S))")
_LETTER_MARK = re.compile(r"(?:(?<=Yes )|(?<=No ))\s*(?:(?P<ticked>[xX])|(?P<empty>[oO]))(?!\w)", re.IGNORECASE)
# Brackets are marks only where a list of them may stand: '[ ]' inside a sentence is a blank of a draft.
_BRACKETS = re.compile(
    r"(?:^|(?<=  ))(?:(?P<ticked>\[\s?[xX\u2713\u2714\u2715\u2717]\s?\])|(?P<empty>\[(?:\s{0,3}|_{1,3})\]))(?=\s+\w)"
)
MIN_BRACKETS = 2  # pairs of brackets of a document from which they are marks; a single one may be a blank
_NO_FORM_ROLES = frozenset({"header", "footer", "page_number", "toc_entry", "form_field"})
_WORDS = re.compile(r"[^\W_]")


def read_marks(lines: Sequence[Line]) -> list[FieldRead]:
    """Each selection mark in visible lines as a checkbox, named by the words behind it up to the next mark.

    Where no words follow, those before it name it. The lines stay as they are.
    """
    found: list[FieldRead] = []
    bracketed: list[FieldRead] = []
    for line in lines:
        if line.visible and line.role not in _NO_FORM_ROLES:
            found += _marks_of(line)
            if "[" in line.text:
                bracketed += _read(line, _BRACKETS)
    if len(bracketed) >= MIN_BRACKETS:
        found += bracketed
        found.sort(key=lambda mark: 0 if mark.line is None else mark.line.line_id)
    return found[:MAX_MARKS]


def _marks_of(line: Line) -> list[FieldRead]:
    is_plain = line.text.isascii()
    if is_plain and ("Yes" in line.text or "YES" in line.text) and _YES_NO.search(line.text):
        return _read(line, _LETTER_MARK)
    if is_plain and not any(len(piece.text) == 1 for piece in line.pieces):
        return []
    pieces = [(piece.text, piece.font, piece.box) for piece in line.pieces]
    marks: list[Mark] = []
    at = 0
    for text, font, box in pieces:  # a symbol font's glyph stands apart from the words, in a font of its own
        begin = line.text.find(text, at)
        at = begin + len(text) if begin >= 0 else at
        kind = _glyph(text, font)
        if kind is not None and begin >= 0:
            marks.append((begin, at, kind, box))
    if not marks:
        marks = [(match.start(), match.end(), match["ticked"] is not None, None) for match in _MARK.finditer(line.text)]
    return [_make_field(line, marks, number) for number in range(len(marks)) if _names(line.text, marks, number)]


def _read(line: Line, pattern: re.Pattern[str]) -> list[FieldRead]:
    marks: list[Mark] = []
    for match in pattern.finditer(line.text):
        mark = match.group().strip()
        begin = match.end() - len(mark)
        marks.append((begin, match.end(), match["ticked"] is not None, None))
    return [_make_field(line, marks, number) for number in range(len(marks)) if _names(line.text, marks, number)]


def _glyph(text: str, font: str) -> bool | None:
    """True and False for a ticked and an empty box of a symbol font, else None."""
    if len(text) != 1 or not _SYMBOL_FONT.search(font):
        return None
    name = re.sub(r"[^a-z0-9]", "", font.rsplit("+", 1)[-1].casefold())
    base = "wingdings2" if name.startswith("wingdings2") else "webdings" if "webdings" in name else "wingdings"
    if text in _TICKED or text in _WINGDINGS_TICKED[base]:
        return True
    return False if text in _EMPTY or text in _WINGDINGS_EMPTY[base] else None


def _names(text: str, marks: Sequence[Mark], number: int) -> str:
    """The words that the mark belongs to; empty where there are none: a bullet, a square in a formula.

    Words stand behind their mark, or before it where nothing stands behind the last one: 'Yes [x] No [ ]'.
    """
    begin, end, *_ = marks[number]
    stop = marks[number + 1][0] if number + 1 < len(marks) else len(text)
    before = text[marks[number - 1][1] if number else 0 : begin].strip(" :\u00a0")
    behind = text[end:stop].strip(" :\u00a0")
    if not _WORDS.search(text[marks[-1][1] :]):
        return before[-MAX_NAME_CHARS:] if _WORDS.search(before) else ""
    return behind[:MAX_NAME_CHARS] if _WORDS.search(behind) else ""


def _make_field(line: Line, marks: Sequence[Mark], number: int) -> FieldRead:
    begin, end, ticked, box = marks[number]
    return FieldRead(
        line.page_num,
        _names(line.text, marks, number),
        "checkbox",
        line.text[begin:end] if ticked else "",
        is_checked=ticked,
        line=line,
        box=box or (line.x0, line.y0, line.x1, line.y1),
    )
