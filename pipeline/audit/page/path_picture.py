"""The decision path drawn: one box a step, methods and roles inside, arrows between; twice, for wide and for narrow."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.audit.page.blocks import folded
from pipeline.audit.page.labels import label
from pipeline.audit.page.path_steps import Box, Step
from pipeline.sheet.markup import Markup, tag

WIDE, NARROW = 880, 320  # points of the picture's width: a desk, and a telephone of 360 less its margins
PAD, GAP, ARROW = 10, 10, 22  # points inside a box, between boxes, and of an arrow
LINE, HEAD = 16, 18  # points of a line of text, and of a title
TEXT_SIZE, HEAD_SIZE = 12.5, 13.5
BOLD = 1.1  # times as wide as plain type
MAX_LINES = 4  # of one sentence in a box
# Widths as shares of the size of the type, on the wide side of common screen fonts, so that words stay in their box.
_NARROW, _PLAIN, _CAPITAL, _FULL = 0.36, 0.58, 0.74, 1.05
_THIN = frozenset("iljtfr.,:;'|!()[] ")


@dataclass(frozen=True, slots=True)
class _Words:
    """Words at a place of the picture."""

    x: float
    y: float
    text: str
    look: str


def draw_path(steps: Sequence[Step], key: str, language: str) -> Markup:
    """The picture, with the same as text below it; `key` sets it apart from others on the page."""
    drawn = [
        tag("div", _draw(steps, width, f"{key}-{name}", language), class_=f"path {name}")
        for width, name in ((WIDE, "wideonly"), (NARROW, "narrow"))
    ]
    text = folded(label("path_text", language), _as_text(steps))
    return tag("figure", *drawn, tag("figcaption", text))


def _as_text(steps: Sequence[Step]) -> Markup:
    told = []
    for step in steps:
        boxes = [tag("li", "; ".join((box.title, *box.lines))) for box in step.boxes]
        told.append(tag("li", tag("b", step.title), *(tag("div", words) for words in step.lines),
                        tag("ul", *boxes) if boxes else None))  # fmt: skip
    return tag("ol", *told)


def _draw(steps: Sequence[Step], width: int, key: str, language: str) -> Markup:
    pieces: list[Markup] = []
    y = 2.0
    for number, step in enumerate(steps):
        if number:
            pieces += [
                tag("line", x1=width / 2, y1=y, x2=width / 2, y2=y + ARROW - 6),
                tag("path", d=f"M{width / 2 - 5} {y + ARROW - 8}h10l-5 8z", class_="tip"),
            ]
            y += ARROW
        height, drawn = _step(step, width, y)
        pieces += drawn
        y += height
    told = label("path_is", language, count=len(steps))
    return tag(
        "svg", tag("title", label("path", language), id=f"{key}-t"), tag("desc", told, id=f"{key}-d"), *pieces,
        viewBox=f"0 0 {width} {y + 2:g}", width=width, height=f"{y + 2:g}", role="img",
        aria_labelledby=f"{key}-t {key}-d",
    )  # fmt: skip


def _step(step: Step, width: int, top: float) -> tuple[float, list[Markup]]:
    """The height of a step and what is drawn of it: its frame, its words, its boxes in rows."""
    inner = width - 2 * PAD - 2
    words, y = _lines(step.title, step.lines, PAD + 1, top + PAD, inner)
    boxes: list[Markup] = []
    columns = min(3 if width >= WIDE else 1, len(step.boxes)) or 1
    if all(not box.lines for box in step.boxes) and step.boxes:  # short ones: roles with their counts
        columns = len(step.boxes) if width >= WIDE else 2
    across = (inner - GAP * (columns - 1)) / columns
    for start in range(0, len(step.boxes), columns):
        row = step.boxes[start : start + columns]
        laid = [_lines(box.title, box.lines, PAD + 1 + at * (across + GAP) + 8, y + 12, across - 16)
                for at, box in enumerate(row)]  # fmt: skip
        bottom = max(end for _, end in laid) + 4
        for at, (box, (told, _)) in enumerate(zip(row, laid, strict=True)):
            boxes.append(_frame(PAD + 1 + at * (across + GAP), y + 4, across, bottom - y - 4, box.look, box))
            boxes += _written(told)
        y = bottom + GAP - 4
    height = y + PAD - 4 - top
    return height, [_frame(1, top, width - 2, height, step.look, None), *_written(words), *boxes]


def _frame(x: float, y: float, width: float, height: float, look: str, box: Box | None) -> Markup:
    return tag("rect", x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=f"{height:g}", rx=4 if box else 8,
               class_=look or None)  # fmt: skip


def _lines(title: str, lines: Sequence[str], x: float, top: float, width: float) -> tuple[list[_Words], float]:
    """The words of a box line by line, and where the next line would begin."""
    told, y = [], top
    for line in _wrap(title, width, HEAD_SIZE * BOLD):
        told.append(_Words(x, y + HEAD - 5, line, "head"))
        y += HEAD
    for sentence in lines:
        for line in _wrap(sentence, width, TEXT_SIZE):
            told.append(_Words(x, y + LINE - 4, line, "quiet"))
            y += LINE
    return told, y


def _written(words: Sequence[_Words]) -> Iterator[Markup]:
    for one in words:
        yield tag("text", one.text, x=f"{one.x:g}", y=f"{one.y:g}", class_=one.look)


def _wrap(text: str, width: float, size: float) -> list[str]:
    """The text in lines of at most `width` points, cut after MAX_LINES; words that are too long are broken."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        for piece in _pieces(word, width, size):
            longer = f"{line} {piece}" if line else piece
            if line and _width(longer, size) > width:
                lines.append(line)
                line = piece
            else:
                line = longer
    lines += [line] if line else []
    if len(lines) <= MAX_LINES:
        return lines
    last = lines[MAX_LINES - 1]
    while last and _width(f"{last} …", size) > width:
        last = last[:-1]
    return [*lines[: MAX_LINES - 1], f"{last.rstrip()} …"]


def _pieces(word: str, width: float, size: float) -> Iterator[str]:
    piece = ""
    for character in word:
        if piece and _width(piece + character, size) > width:
            yield piece
            piece = ""
        piece += character
    if piece:
        yield piece


def _width(text: str, size: float) -> float:
    return size * sum(_share(character) for character in text)


def _share(character: str) -> float:
    if character in _THIN:
        return _NARROW
    if unicodedata.east_asian_width(character) in "WF" or character in "mwMW@%—…":
        return _FULL
    return _CAPITAL if character.isupper() else _PLAIN
