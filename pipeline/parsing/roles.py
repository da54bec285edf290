"""Roles of lines inside the text: contents entries, captions, headings, footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.parsing.body_headings import usual_size
from pipeline.parsing.contents_lines import mark_contents
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ends_sentence
from pipeline.parsing.outline import Heading, is_run_in
from pipeline.parsing.reading_order import CELL_SEPARATOR
from pipeline.parsing.references import read_caption
from pipeline.parsing.titles import LARGER

__all__ = ["mark_captions", "mark_contents", "mark_footnotes", "mark_headings", "mark_typographic_headings"]

FOOTNOTE_SHARE = 0.6  # a footnote begins below this share of the page's height
SMALLER = 0.93  # size over the text's usual size, up to which type is a footnote's
MAX_HEADING_LINES = 3  # lines of one heading; more lines of large type are a text in large type
MAX_HEADING_WORDS = 14  # words of a line that typography alone makes a heading
_MARK = re.compile(r"(?:\d{1,3}|[∗*†‡§¶])\s*(?=[^\W\d_]|[\"“(])")
_WORD = re.compile(r"[^\W\d_]+")


def mark_captions(lines: Sequence[Line]) -> None:
    """Give the lines that begin the caption of a figure, table or equation the role caption."""
    before: Line | None = None
    for line in lines:
        if not line.visible or line.role != "body":
            continue
        if read_caption(line, before) is not None:
            line.role = "caption"
        before = line


def mark_headings(lines: Sequence[Line], headings: Sequence[Heading]) -> None:
    """Give the lines of found headings the role heading."""
    for heading in headings:
        if heading.found and heading.confidence > 0:
            for line in lines[heading.line_id - 1 : heading.last_line_id]:
                if line.role == "body" and not is_run_in(heading, line):
                    line.role = "heading"


def mark_typographic_headings(lines: Sequence[Line]) -> None:
    """Give short, large or bold lines that stand alone above text the role heading, outline or not."""
    body = [line for line in lines if line.visible and line.role == "body"]
    usual = usual_size(body)
    marked = []
    for at, line in enumerate(body):
        typed = line.bold or line.size >= LARGER * usual
        if not typed or not line.text[:1].isalnum() or ends_sentence(line.text):
            continue
        if not 1 <= len(_WORD.findall(line.text)) <= MAX_HEADING_WORDS:
            continue
        alone = _has_blank_above(body, at) and CELL_SEPARATOR not in line.text
        if alone and not _is_first_of_sentence(body, at):
            line.role = "heading"
            marked.append(at)
    _unmark_long_runs(body, marked)


def _unmark_long_runs(body: Sequence[Line], marked: Sequence[int]) -> None:
    """Take the role from runs of neighbouring lines of one type that are longer than a heading."""
    run: list[int] = []
    for at in [*marked, -1]:
        near = run and at == run[-1] + 1 and body[at].page_num == body[run[-1]].page_num
        if not (near and abs(body[at].size - body[run[-1]].size) < 0.5):
            if len(run) > MAX_HEADING_LINES:
                for index in run:
                    body[index].role = "body"
            run = []
        run.append(at)


def _is_first_of_sentence(body: Sequence[Line], at: int) -> bool:
    """The line right below has the same type and ends with a full stop: an emphasised sentence over two lines."""
    after = body[at + 1] if at + 1 < len(body) else None
    if after is None or after.page_num != body[at].page_num or after.bold != body[at].bold:
        return False
    near = after.middle - body[at].middle <= 1.5 * max(after.size, body[at].size)
    return near and abs(after.size - body[at].size) < 0.5 and ends_sentence(after.text) and len(after.text.split()) > 2


def _has_blank_above(body: Sequence[Line], at: int) -> bool:
    if at == 0 or body[at - 1].page_num != body[at].page_num or body[at - 1].column != body[at].column:
        return True
    before, line = body[at - 1], body[at]
    return before.role == "heading" or line.middle - before.middle > 1.5 * max(line.size, before.size)


def mark_footnotes(lines: Sequence[Line], heights: dict[int, float]) -> None:
    """Give small print at the foot of a page that begins with a mark, and what follows it there, the role footnote."""
    usual = usual_size([line for line in lines if line.visible and line.role == "body"])
    inside: tuple[int, str] | None = None
    for line in lines:
        if not line.visible or line.role != "body":
            continue
        low = line.y0 >= FOOTNOTE_SHARE * heights[line.page_num]
        small = line.size <= SMALLER * usual
        place = (line.page_num, line.column)
        if not (low and small):
            inside = None
        elif inside == place or _MARK.match(line.text):
            line.role, inside = "footnote", place
