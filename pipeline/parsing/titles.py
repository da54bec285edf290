"""Headings told by type alone: short blocks in a style that the document keeps for such blocks.

What makes a heading here is not one bold line but a habit: a style (font, size, weight, slant, capitals) that differs
from that of the text, whose lines are nearly all short, stand alone, end without a full stop and have text under them.
A style used for emphasis inside paragraphs, for labels of boxes or for names on a cover is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import is_capitals, squeeze
from pipeline.parsing.reading_order import CELL_SEPARATOR

LARGER = 1.12  # size over the text's usual size, from which type is a heading's
MAX_WORDS = 20  # words of a heading; longer blocks are sentences
MAX_LINES = 3  # lines of one
MAX_PITCH_EMS = 1.6  # distance of the lines of one heading, over the font size
MIN_BLANK_EMS = 1.45  # distance to the line above, over its size, from which there is a blank between them
MIN_USES = 2  # headings in a style, for it to be one
MIN_HABIT = 0.6  # share of a style's lines that look like headings, for one of the text's own size
MIN_HABIT_LARGE = 0.4  # the same for a larger one: print in large type is seldom anything else
MAX_REPEATS = 3  # times that the same words may stand as a heading; more often they are the label of a box or a note
MIN_TEXT_CHARS = 30  # characters of a line that counts as text under a heading
CENTRED_EMS = 1.5  # indent over the size, from which a line may be centred, and by which both sides may differ
MIN_LETTERS = 3  # letters of a heading
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_TITLE_END = re.compile(
    r"[.,;:!。；，]['\"’”»)\]]*$|[-–—]$|\b(?:and|or|of|the|a|to|y|o|de|la|el|et|ou|du)$", re.IGNORECASE
)
_TWO_SENTENCES = re.compile(r"[^\W\d_A-Z]{2}[.:]\s+[A-ZÀ-Ý]")  # a run-in title with the text after it
_CONTACT = re.compile(r"@|https?:|www\.|\b\d{5}(?:-\d{4})?$|\(\d{3}\)|[$€£]\s?\d|^[\d\s.,%/()$€£-]+$")
_DATE = re.compile(
    r"^(?:(?:dated?|as of|effective)\b.*|"
    r"[A-ZÀ-Ý]\w+ \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}\.? (?:de )?\w+ (?:de )?\d{4})$",
    re.IGNORECASE,
)

Style = tuple[str, float, bool, bool, bool, bool]  # font, size rounded to half points, bold, italic, capitals, centred


@dataclass(frozen=True, slots=True)
class TextType:
    """The type that most of a text is set in: its size in points, and whether it is bold."""

    size: float
    bold: bool


@dataclass(slots=True)
class Title:
    """A block of one to three lines in a style that is kept for headings."""

    lines: list[Line]
    style: Style
    is_above_text: bool = False  # a line of text, no other heading, stands right under it

    @property
    def text(self) -> str:
        """The heading on one line."""
        return " ".join(line.text for line in self.lines)


class Styles:
    """What the type of a document's lines looks like, and whether a line is centred in its column."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Measure the edges of the text in each column of each page."""
        self._edges: dict[tuple[int, str], tuple[float, float]] = {}
        for line in lines:
            if line.visible and len(line.text) >= MIN_TEXT_CHARS:
                left, right = self._edges.get((line.page_num, line.column), (line.left, line.right))
                self._edges[line.page_num, line.column] = (min(left, line.left), max(right, line.right))

    def of(self, line: Line) -> Style:
        """The style of the line."""
        return (
            line.font, round(2 * line.size) / 2, line.bold, line.italic, is_capitals(line.text), self._is_centred(line),
        )  # fmt: skip

    def _is_centred(self, line: Line) -> bool:
        left, right = self._edges.get((line.page_num, line.column), (line.left, line.right))
        indent, rest = line.left - left, right - line.right
        return indent > CENTRED_EMS * line.size and abs(indent - rest) <= CENTRED_EMS * line.size


def prominence(style: Style) -> tuple[float, bool, bool, bool, bool]:
    """How much a style stands out: larger, then bold, then centred, then in capitals, then upright."""
    return style[1], style[2], style[5], style[4], not style[3]


def is_emphasised(line: Line, text: TextType) -> bool:
    """Bold where the text is not, in capitals, or clearly larger than the text."""
    return (line.bold and not text.bold) or line.size >= LARGER * text.size or is_capitals(line.text)


def find_titles(body: Sequence[Line], usual: float, styles: Styles) -> list[Title]:
    """Headings that type alone shows, in reading order; `body` are the visible lines of text.

    `usual` is their size in points, `styles` what they look like.
    """
    text_style = _text_style(body)
    counts: Counter[Style] = Counter()
    found: defaultdict[Style, list[Title]] = defaultdict(list)
    at = 0
    while at < len(body):
        style = styles.of(body[at])
        if not _stands_out(style, text_style, usual):
            at += 1
            continue
        block = _take_block(body, at, style, styles)
        counts[style] += len(block)
        if _is_heading(body, at, block):
            after = body[at + len(block)] if at + len(block) < len(body) else None
            above_text = after is not None and len(after.text) >= MIN_TEXT_CHARS and styles.of(after) != style
            found[style].append(Title(block, style, above_text))
        at += len(block)
    repeats = Counter(squeeze(title.text) for titles in found.values() for title in titles)
    kept = [
        title
        for style, titles in found.items()
        if _is_habit(titles, counts[style], large=style[1] >= LARGER * usual)
        for title in titles
        if repeats[squeeze(title.text)] <= MAX_REPEATS
    ]
    return sorted(kept, key=lambda title: title.lines[0].line_id)


def _text_style(body: Sequence[Line]) -> Style:
    sizes: Counter[Style] = Counter()
    for line in body:
        sizes[(line.font, round(2 * line.size) / 2, line.bold, line.italic, False, False)] += len(line.text)
    return max(sizes, key=lambda style: (sizes[style], style)) if sizes else ("", 0.0, False, False, False, False)


def _stands_out(style: Style, text: Style, usual: float) -> bool:
    """Larger than the text, or as large and bold, or bold and in capitals where it is a little smaller."""
    _, size, bold, _, capitals, _ = style
    if size >= LARGER * usual:
        return True
    if bold and not text[2]:
        return size >= 0.97 * usual or (capitals and size >= 0.85 * usual)
    return bold and capitals and size >= 0.97 * usual


def _take_block(body: Sequence[Line], at: int, style: Style, styles: Styles) -> list[Line]:
    """The lines from `at` on that are set as one."""
    block = [body[at]]
    for line in body[at + 1 :]:
        before = block[-1]
        pitch = line.middle - before.middle
        near = line.page_num == before.page_num and 0 < pitch <= MAX_PITCH_EMS * max(line.size, before.size)
        if not near or styles.of(line)[:4] != style[:4] or line.column != before.column:
            break
        block.append(line)
    return block


def _is_heading(body: Sequence[Line], at: int, block: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in block)
    words = _WORD.findall(text)
    first = text[:1]
    return (
        len(block) <= MAX_LINES
        and 1 <= len(words) <= MAX_WORDS
        and sum(map(len, words)) >= MIN_LETTERS
        and (first.isupper() or first.isdigit() or first in "“\"'‘¿¡$" or (first.isalpha() and not first.islower()))
        and not _NO_TITLE_END.search(text)
        and not (first in "“\"«‘'" and text[-1] in "”\"»’'")
        and not _TWO_SENTENCES.search(text)
        and not _CONTACT.search(text)
        and not _DATE.match(text)
        and not any(CELL_SEPARATOR in line.text for line in block)
        and _has_blank_above(body, at)
        and _has_text_below(body, at + len(block) - 1)
    )


def _has_blank_above(body: Sequence[Line], at: int) -> bool:
    if at == 0 or body[at - 1].page_num != body[at].page_num or body[at - 1].column != body[at].column:
        return True
    before, line = body[at - 1], body[at]
    pitch = line.middle - before.middle
    return pitch < 0 or pitch > MIN_BLANK_EMS * before.size or line.size >= LARGER * before.size


def _has_text_below(body: Sequence[Line], at: int) -> bool:
    """Something stands under it on its page, or it is the last of its page and the next one begins with text."""
    after = body[at + 1] if at + 1 < len(body) else None
    if after is None:
        return False
    if after.page_num == body[at].page_num and CELL_SEPARATOR in after.text and after.bold:
        return False  # the head of a table
    return after.page_num == body[at].page_num or after.page_num == body[at].page_num + 1


def _is_habit(titles: Sequence[Title], line_count: int, *, large: bool) -> bool:
    """The style is kept for headings: it has several, they are most of its lines, and text stands under some."""
    lines = sum(len(title.lines) for title in titles)
    share = MIN_HABIT_LARGE if large else MIN_HABIT
    is_cover = large and {title.lines[0].page_num for title in titles} == {1}  # large print on the first page alone
    over_text = sum(title.is_above_text for title in titles)
    return len(titles) >= MIN_USES and lines >= share * line_count and (not is_cover or over_text >= MIN_USES)
