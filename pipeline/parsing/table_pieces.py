"""What a table is made of before it is one: pieces of lines that stand apart, rows of them, and columns under them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipeline.parsing.lines import Line
from pipeline.parsing.rows import CELL_GAP_EMS, LABEL_GAP_EMS, TOUCH_EMS
from pipeline.parsing.table_rules import Box

SPACES_GAP = 3  # spaces in a row inside a text from which they set cells apart: a typewriter's table
WORD_GAP_EMS = 0.3  # gap from which two figures are of two columns, narrow ones
SIGN_GAP_EMS = 12.0  # gap up to which a currency sign belongs to the figure behind it: signs stand at the column's left
MARK_GAP_EMS = (
    1.5  # gap up to which a closing parenthesis, a percent sign or a note's mark belongs to the figure before
)
MAX_ROW_CHARS = 120  # characters of a text of nothing but figures: a whole row of a narrow table
MAX_FIGURE_CHARS = 32  # characters of a cell that is a figure; longer ones are words with numbers

_SPACES = re.compile(rf"[ \u00a0]{{{SPACES_GAP},}}")
_SIGN = re.compile(r"(?:US|C|A|R|HK|NT)?[$€£¥₹]\s*\(?|\(|[-–—−]\s*[$€£¥]|[A-Z]{3}(?=$)(?<=USD|EUR|GBP|CHF)")
_CLOSING = re.compile(r"[)%‰*†‡§]+(?:\s*\(\w{1,2}\))?|pts?\.?|bps|x|\(\w{1,2}\)(?:\(\w{1,2}\))*")
_FIGURE = re.compile(
    r"[<>≤≥~≈±+–—−-]?\s*(?:(?:US|C|A|R|HK|NT)?[$€£¥₹]|USD|EUR|GBP|CHF)?\s*\(?\s*[$€£¥₹]?\s*[–—−+-]?\s*"
    r"(?:\d[\d,.'\u00a0\u202f ]*|\.\d+)\s*(?:[%‰]|x|×|[KMB]|bps?|pts?\.?|[€$£¥]|[ap]\.?m\.?)?"
    r"\s*\)?\s*%?\s*(?:±\s*\d[\d.]*)?"
    r"(?:\s*(?:bps?|pts?|x))?(?:\s*[/–-]\s*(?:\d{1,2}(?:[.,]\d+)?|(?:19|20)\d\d)%?)?(?:\s*\([^()]{1,8}\))*\s*[*†‡§]*"
    r"|(?:[$€£¥]\s*)?[–—−-]{1,3}\s*%?|N/?[AM]\.?|n/?[am]\.?|nil|[*✓✗×•]",
)
_TOKEN = re.compile(r"\S+")
_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?\)?")  # thousands set off by a space
_WIDTHS = {" ": 0.5, ",": 0.5, ".": 0.5, "(": 0.6, ")": 0.6, "-": 0.6, "%": 1.6, "—": 2.0}  # in widths of a digit
_YEAR = re.compile(r"(?:FY\s?|Q[1-4]\s?|[1-4]Q\s?)?(?:19|20)\d\d(?:\s?[AE])?(?:\s*[*†‡]|\s*\(\w{1,2}\))*")
_ROW_LABEL = re.compile(
    r"\d{1,2}(?:\.\d{1,2}){1,3}\.?|[(\[]?(?:\d{1,2}|[A-Za-z]|[ivx]{1,5})[.)\]]{1,2}|[•●○▪■□–—*·\uf0b7-]"
)


@dataclass(slots=True)
class Piece:
    """Words that stand together in a line; `flat` on the page turned so that they lie flat, `box` as displayed."""

    text: str
    flat: Box
    box: Box
    size: float
    bold: bool
    line: Line
    is_apart: bool = False  # cut off from the piece before
    core: float | None = None  # where its figure begins, behind a currency sign that stands apart
    parts: tuple[Piece, ...] = ()  # what it was joined of

    @property
    def left(self) -> float:
        """Where it begins for the columns' sake: behind a sign that stands at the left of its column."""
        return self.flat[0] if self.core is None else self.core

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.flat[2]

    @property
    def middle(self) -> float:
        """Height of its middle, in points from the top."""
        return (self.flat[1] + self.flat[3]) / 2


@dataclass(slots=True)
class Cell:
    """Pieces of one cell; row and column from 0."""

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    pieces: list[Piece] = field(default_factory=list)
    box: Box | None = None  # as displayed, where rules draw it

    @property
    def text(self) -> str:
        """Its words from the top down, white space of any kind and length as one space."""
        return " ".join(" ".join([piece.text for piece in self.pieces]).split())


def cut_line(line: Line) -> list[Piece]:
    """The line's pieces that stand apart, from left to right: what belongs to one figure or label is one piece."""
    pieces = split_line(line)
    return pieces if len(pieces) == 1 else merge_pieces(pieces)


def is_whole(line: Line) -> bool:
    """The line is one piece at the first look: nothing in it stands apart, and it begins with a word."""
    text = line.text
    return not line.pieces and text[:1].isalpha() and not text.startswith("US") and not _has_wide_blank(text)


def split_line(line: Line) -> list[Piece]:
    """The line's fragments from left to right, those with wide runs of spaces cut there (places by character count)."""
    if not line.pieces:
        whole = Piece(line.text, line.flat, (line.x0, line.y0, line.x1, line.y1), line.size, line.bold, line)
        return _cut(whole)
    parts = [Piece(f.text, f.upright, f.box, f.size, f.bold, line) for f in line.pieces]
    parts.sort(key=lambda piece: piece.flat[0])
    return [cut for part in parts for cut in _cut(part)]


def is_figure(text: str) -> bool:
    """A number, an amount, a percentage, a dash: what stands in the columns of figures."""
    return len(text) <= MAX_FIGURE_CHARS and _FIGURE.fullmatch(text) is not None and not text.endswith(",")


def is_row_label(text: str) -> bool:
    """The number or bullet of a clause, a note or a list's item."""
    return _ROW_LABEL.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """A year or a quarter of one: a figure that heads a column."""
    return _YEAR.fullmatch(text) is not None


def join_pieces(pieces: Sequence[Piece]) -> Piece:
    """One piece out of neighbours, from left to right."""
    if len(pieces) == 1:
        return pieces[0]
    words = [pieces[0].text]
    for one, two in pairwise(pieces):
        touches = two.flat[0] - one.flat[2] <= TOUCH_EMS * one.size or _CLOSING.fullmatch(two.text)
        words += ["" if touches else " ", two.text]
    return replace(
        max(pieces, key=lambda piece: len(piece.text)),
        is_apart=pieces[0].is_apart,
        parts=tuple(pieces),
        core=pieces[1].flat[0] if _SIGN.fullmatch(pieces[0].text) else None,
        text="".join(words),
        flat=join_boxes([piece.flat for piece in pieces]),
        box=join_boxes([piece.box for piece in pieces]),
    )


def join_boxes(boxes: Sequence[Box]) -> Box:
    """The box around boxes."""
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _has_wide_blank(text: str) -> bool:
    return "   " in text or "\u00a0\u00a0\u00a0" in text


def _cut(piece: Piece) -> list[Piece]:
    """The piece cut at wide runs of spaces, and between figures that only a space parts."""
    text = piece.text
    if _has_wide_blank(text):
        spans, begin = [], 0
        for match in [*_SPACES.finditer(text), None]:
            end = match.start() if match else len(text)
            if text[begin:end].strip():
                spans.append((begin, end))
            begin = match.end() if match else end
        return [cut for part in _slice(piece, spans) for cut in _cut_figures(part)]
    return _cut_figures(piece)


def _cut_figures(piece: Piece) -> list[Piece]:
    """Figures of neighbouring columns that came as one text, since they stand close; '1 234' and '5 - 7' stay whole."""
    text = piece.text
    if " " not in text or len(text) > MAX_ROW_CHARS or (text[0].isalpha() and not text.startswith("US")):
        return [piece]
    spans: list[tuple[int, int]] = []
    is_open = False  # the last token waits for its figure: a sign
    for match in _TOKEN.finditer(text):
        token = match.group()
        if spans and _CLOSING.fullmatch(token) and not is_open:
            spans[-1] = (spans[-1][0], match.end())
        elif is_open:
            spans[-1] = (spans[-1][0], match.end())
            is_open = _SIGN.fullmatch(token) is not None
        elif _SIGN.fullmatch(token) or is_figure(token):
            spans.append(match.span())
            is_open = _SIGN.fullmatch(token) is not None
        else:
            return [piece]
    parts = [text[begin:end] for begin, end in spans]
    if len(parts) < 2 or any(_GROUP.fullmatch(part) for part in parts[1:]) or any("/" in part for part in parts):
        return [piece]
    if len(parts) == 3 and (parts[1] in "-–" or (parts[0] in "-–—" and parts[2] in "-–—")):
        return [piece]  # a range; a page's number
    return _slice(piece, spans)


def _slice(piece: Piece, spans: Sequence[tuple[int, int]]) -> list[Piece]:
    """Parts of the piece; where each begins and ends is told by the usual widths of characters."""
    x0, y0, x1, y1 = piece.flat
    places = [0.0]
    for character in piece.text:
        places.append(places[-1] + _WIDTHS.get(character, 1.0))
    step = (x1 - x0) / max(places[-1], 1.0)
    parts: list[Piece] = []
    for begin, end in spans:
        flat = (x0 + places[begin] * step, y0, x0 + places[end] * step, y1)
        box = flat if piece.flat == piece.box else piece.box  # turned text keeps the whole box
        parts.append(replace(piece, text=piece.text[begin:end].strip(), flat=flat, box=box, is_apart=bool(parts)))
    return parts


def merge_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces of one line from left to right, those that belong to one figure or label as one."""
    groups: list[list[Piece]] = []
    for at, piece in enumerate(pieces):
        if groups and _belongs(groups[-1], piece, is_first=len(groups) == 1, is_only=at == 1):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [join_pieces(group) for group in groups]


def _belongs(group: Sequence[Piece], piece: Piece, *, is_first: bool, is_only: bool) -> bool:
    if piece.is_apart:
        return False
    before = group[-1]
    gap = (piece.flat[0] - before.flat[2]) / max(min(before.size, piece.size), 1.0)
    if gap <= CELL_GAP_EMS:
        is_next = is_figure(before.text) and (is_figure(piece.text) or _SIGN.fullmatch(piece.text) is not None)
        return not (is_next and gap > WORD_GAP_EMS) or _CLOSING.fullmatch(piece.text) is not None
    if _SIGN.fullmatch(before.text) and piece.text[:1] in "0123456789.(-–—−":
        return gap <= SIGN_GAP_EMS
    if _CLOSING.fullmatch(piece.text) and any(character.isdigit() for character in before.text):
        return gap <= MARK_GAP_EMS
    is_label = is_first and is_only and _ROW_LABEL.fullmatch(before.text) is not None
    return is_label and gap <= LABEL_GAP_EMS and not is_figure(piece.text)
