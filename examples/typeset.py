"""Words to lines, and lines to PDF operators, in the Times and WinAnsi that every PDF viewer has.

One text operator a style, and justification by word spacing: the text of a line extracts exactly as it was written.
Lengths are points; y counts from the top of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

import pymupdf

PAGE_WIDTH, PAGE_HEIGHT = 595, 842  # A4
FACES = {"roman": "tiro", "bold": "tibo", "italic": "tiit", "bold_italic": "tibi"}
METRICS = {face: pymupdf.Font(name) for face, name in FACES.items()}
WIDEST_GAP = 5.0  # extra points a space; beyond it a line stays ragged (and readers would split it into two)
PARTS = re.compile(r"(\*\*.+?\*\*|\{.+?\})")
NOTE_SCALE, NOTE_RISE = 0.65, 3.6  # size of a footnote mark in its line's size, and its lift in points


@dataclass(frozen=True)
class Run:
    """Words in one style; `note` is the text of the footnote that a mark stands for."""

    text: str
    face: str
    size: float
    rise: float = 0.0
    note: str = ""

    @property
    def width(self) -> float:
        """Width without extra word spacing."""
        return self.size * sum(_advance(self.face, letter) for letter in self.text.replace("~", " "))


@dataclass(frozen=True)
class Line:
    """Runs that stand on one base line; `slack` is the width left over in the measure."""

    runs: tuple[Run, ...]
    slack: float = 0.0
    is_last: bool = True

    @property
    def width(self) -> float:
        """Width without extra word spacing."""
        return sum(run.width for run in self.runs)

    @property
    def notes(self) -> tuple[Run, ...]:
        """Footnote marks in the line."""
        return tuple(run for run in self.runs if run.note)


def break_lines(text: str, measure: float, *, size: float, face: str = "roman", first_note: int = 1) -> list[Line]:
    """`text` broken at spaces into lines of at most `measure`; footnotes are numbered from `first_note`."""
    lines: list[Line] = []
    current: list[Run] = []
    for word in _words(text, face, size, first_note):
        room = measure - sum(run.width for run in current) - _space(current)
        if current and sum(run.width for run in word) > room:
            lines.append(_line(current, measure, is_last=False))
            current = list(word)
        elif current:
            current = [*current[:-1], replace(current[-1], text=current[-1].text + " "), *word]
        else:
            current = list(word)
    return [*lines, _line(current, measure, is_last=True)]


def draw_line(line: Line, x: float, y: float, *, justify: bool = False) -> bytes:
    """Operators that draw `line` with its base line at `y`."""
    spaces = sum(run.text.replace("~", " ").count(" ") for run in line.runs)
    gap = line.slack / spaces if justify and spaces and not line.is_last else 0.0
    gap = gap if gap <= WIDEST_GAP else 0.0
    shown = [
        f"/{FACES[run.face]} {run.size:.2f} Tf {run.rise:.1f} Ts (".encode() + _escaped(run.text) + b") Tj"
        for run in line.runs
    ]
    start = f"BT {gap:.3f} Tw 1 0 0 1 {x:.2f} {PAGE_HEIGHT - y:.2f} Tm".encode()
    return b" ".join((start, *shown, b"ET\n"))


def draw_text(text: str, x: float, y: float, *, size: float, face: str = "roman", align: str = "left") -> bytes:
    """Operators that draw `text` on one line, to the right of, left of or centred on `x`."""
    run = Run(text, face, size)
    shift = {"left": 0.0, "right": run.width, "centre": run.width / 2}[align]
    return draw_line(Line((run,)), x - shift, y)


def draw_rule(x0: float, y0: float, x1: float, y1: float, *, weight: float = 0.5) -> bytes:
    """Operators that draw a straight black line."""
    return f"{weight} w {x0:.2f} {PAGE_HEIGHT - y0:.2f} m {x1:.2f} {PAGE_HEIGHT - y1:.2f} l S\n".encode()


def draw_shade(x0: float, y0: float, x1: float, y1: float, *, grey: float = 0.9) -> bytes:
    """Operators that fill a rectangle with grey."""
    box = f"{x0:.2f} {PAGE_HEIGHT - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f}"
    return f"{grey} g {box} re f 0 g\n".encode()


@cache
def _advance(face: str, letter: str) -> float:
    """Width of a letter at size 1; kept, since asking MuPDF letter by letter is slow."""
    return float(METRICS[face].glyph_advance(ord(letter)))


def _words(text: str, face: str, size: float, first_note: int) -> list[tuple[Run, ...]]:
    """Words, each with its runs: a word may change its style within, as `**Term**,` does."""
    words: list[list[Run]] = [[]]
    number = first_note
    for part in PARTS.split(text):
        if part.startswith("{"):
            words[-1].append(Run(str(number), face, size * NOTE_SCALE, NOTE_RISE, part[1:-1]))
            number += 1
            continue
        style = "bold" if part.startswith("**") else face
        for index, piece in enumerate(part.removeprefix("**").removesuffix("**").split(" ")):
            if index:
                words.append([])
            if piece:
                words[-1].append(Run(piece, style, size))
    return [tuple(word) for word in words if word]


def _space(runs: list[Run]) -> float:
    return replace(runs[-1], text=" ").width if runs else 0.0


def _line(runs: list[Run], measure: float, *, is_last: bool) -> Line:
    merged: list[Run] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and not (run.note or last.note) and (last.face, last.size) == (run.face, run.size):
            merged[-1] = replace(last, text=last.text + run.text)
        else:
            merged.append(run)
    return Line(tuple(merged), measure - sum(run.width for run in merged), is_last)


def _escaped(text: str) -> bytes:
    data = text.replace("~", " ").encode("cp1252")
    return re.sub(rb"([\\()])", rb"\\\1", data)
