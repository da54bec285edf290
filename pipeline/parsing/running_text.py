"""Running headers, footers and page numbers: what recurs at the same height in the margins of many pages.

Each line is measured on the page turned so that its own text lies flat: a header on a landscape page, and a stamp that
runs up the edge of every page, are found like any other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.numbering import read_number

MARGIN_SHARE = 0.14  # share of the page's height at top and bottom where running text may stand
LONE_SHARE = 0.25  # the same for a line that a blank sets apart from all others: pages with large margins
LONE_GAP = 1.5  # heights of a line, the blank that sets it apart
MAX_MARGIN_LINES = 4  # lines looked at in each margin; running text is short
HEIGHT_TOLERANCE = 6.0  # points by which its height may differ from page to page
SIZE_TOLERANCE = 0.15  # share by which its size may differ; a title in larger type is no running header
MIN_PAGES = 3  # pages on which a text must recur; with fewer pages, all of them (at least 2)
NEAR_PAGES = 2  # pages between two occurrences; left and right pages have headers of their own
WIDE_SHARE = 0.3  # share of all pages from which a text is running text wherever it stands
MIN_OFFSET_SHARE = 0.6  # share of pages on which number minus page is the same, for numbers that count pages
TABLE_CELLS = 3  # cells of a row that heads a table: it recurs with the table, and belongs to it
TABLE_PITCH = 2.2  # heights of a line within which the table's next row follows

TEXT_GAP = 0.6  # heights of a line, the blank to the text from which a line is set apart from it
SAME_SIZE, SAME_EDGE = 0.5, 2.0  # points by which lines of one text differ in size and left edge

MAX_RUNNING_CHARS = 200  # characters of a header in which numbers are compared
MAX_RUNNING_NUMBERS = 8  # numbers compared
MAX_NUMBER_CHARS = 40  # characters of a line that is only a page number; longer ones could keep the pattern busy

_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_CELLS = re.compile(r"\s{2,}")
_NUMBER_ONLY = re.compile(
    r"[\W_]*(?:page|pag\.?|pág\.?|página|seite|p\.)?\s*(?:[a-z]{1,2}\s?-\s?)?(?P<number>\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|de|von|sur|/)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)
_WORDY = re.compile(r"page|pág|seite|of|/", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(slots=True)
class _Margin:
    """A line in a margin; `height` is its middle's distance from that edge of the page, in points."""

    line: Line
    page_num: int
    zone: str  # 'header' or 'footer'
    height: float
    cells: dict[str, str]  # masked text -> text
    is_lone: bool = False  # the last line of its page, set apart, wherever the text ends
    inner: Line | None = None  # the next line towards the middle of the page


def mark_running_text(pages: Sequence[PageRead]) -> None:
    """Write the roles header, footer and page_number into the lines concerned."""
    margins = [found for page in pages for found in _read_margins(page)]
    _mark_numbers(margins, len(pages))
    _mark_recurring(margins, [page.page_num for page in pages if page.lines])


def _read_margins(page: PageRead) -> list[_Margin]:
    """The outermost visible lines of each margin, for each direction of text on its own."""
    turned: defaultdict[int, list[Line]] = defaultdict(list)
    for line in page.lines:
        if line.visible and line.role == "body":
            turned[round(line.rotation / 90) % 4].append(line)
    found: list[_Margin] = []
    for quarter, lines in turned.items():
        height = page.width if quarter % 2 else page.height
        for zone in ("header", "footer"):
            outer = _outermost(lines, zone, height)
            found += [
                _Margin(line, page.page_num, zone, _distance(line, zone, height), {}, inner=inner)
                for line, inner in outer
            ]
        last = _set_apart(lines)
        if last is not None and all(last is not margin.line for margin in found):
            found.append(_Margin(last, page.page_num, "footer", _distance(last, "footer", height), {}, is_lone=True))
    for margin in found:
        margin.cells = {_mask(cell): cell for cell in _CELLS.split(margin.line.text) if cell}
    return found


def _outermost(lines: Sequence[Line], zone: str, height: float) -> list[tuple[Line, Line | None]]:
    """Lines in the margin, the outermost first, each with the next one inwards; none from a table's header row on."""
    is_top = zone == "header"
    ordered = sorted(lines, key=lambda x: x.flat[1] if is_top else -x.flat[3])
    reach = MARGIN_SHARE * height
    inside = [x for x in ordered if (x.flat[3] <= reach if is_top else x.flat[1] >= height - reach)]
    if not inside and len(ordered) > 1 and _stands_alone(ordered, zone, height):
        inside = ordered[:1]
    chosen: list[tuple[Line, Line | None]] = []
    for line, inner in zip(inside[:MAX_MARGIN_LINES], [*ordered[1:], None], strict=False):
        if is_top and inner is not None and _heads_table(line, inner):
            break
        chosen.append((line, inner))
    return chosen


def _stands_alone(ordered: Sequence[Line], zone: str, height: float) -> bool:
    first, second = ordered[0].flat, ordered[1].flat
    gap = second[1] - first[3] if zone == "header" else first[1] - second[3]
    deep = first[3] if zone == "header" else height - first[1]
    return gap >= LONE_GAP * (first[3] - first[1]) and deep <= LONE_SHARE * height


def _set_apart(lines: Sequence[Line]) -> Line | None:
    """The lowest line, where a blank sets it apart: the footer of a page that ends where its text does."""
    last = max(lines, key=lambda x: x.flat[3])
    above = max((x.flat[3] for x in lines if x is not last), default=None)
    if above is None or last.flat[1] - above < LONE_GAP * (last.flat[3] - last.flat[1]):
        return None
    return last


def _heads_table(line: Line, after: Line) -> bool:
    """A row of several cells right above another one."""
    near = after.middle - line.middle <= TABLE_PITCH * (line.flat[3] - line.flat[1])
    return near and all(len(_CELLS.split(x.text)) >= TABLE_CELLS for x in (line, after))


def _mark_numbers(margins: Sequence[_Margin], page_count: int) -> None:
    """Lines that are nothing but a number that counts pages."""
    found = []
    for margin in margins:
        text = margin.line.text
        match = _NUMBER_ONLY.fullmatch(text) if len(text) <= MAX_NUMBER_CHARS else None
        number = _value(match["number"]) if match else None
        if number is not None and not (margin.is_lone and page_count == 1 and number != margin.page_num):
            found.append((margin.line, number - margin.page_num, margin.zone))
    offsets = Counter((offset, zone) for _, offset, zone in found)
    for line, offset, zone in found:
        wordy = bool(_WORDY.search(line.text))
        if offsets[offset, zone] >= min(2, page_count) and (page_count > 1 or wordy or zone == "footer"):
            line.role = "page_number"


def _mark_recurring(margins: Sequence[_Margin], page_nums: Sequence[int]) -> None:
    groups: defaultdict[tuple[str, str], list[_Margin]] = defaultdict(list)
    for margin in margins:
        if margin.line.role == "body":
            for cell in margin.cells:  # left and right half of a header may stand in two columns
                groups[cell, margin.zone].append(margin)
    recurring: defaultdict[int, set[str]] = defaultdict(set)
    for (text, _), members in groups.items():
        for margin in _running_members(text, members, page_nums):
            recurring[id(margin.line)].add(text)
    for margin in margins:
        if margin.line.role == "body" and margin.cells and set(margin.cells) <= recurring[id(margin.line)]:
            margin.line.role = margin.zone
    for margin in reversed(margins):  # from the text outwards
        if margin.line.role == margin.zone and margin.inner is not None and _is_text(margin.line, margin.inner):
            margin.line.role = "body"


def _is_text(line: Line, inner: Line) -> bool:
    """The line stands in the text like the one beside it: a repeated sentence, a form, and no running text."""
    low, high = sorted((line.flat, inner.flat), key=lambda box: box[1])
    return (
        inner.role == "body"
        and high[1] - low[3] < TEXT_GAP * (line.flat[3] - line.flat[1])
        and abs(line.size - inner.size) <= SAME_SIZE
        and abs(line.left - inner.left) <= SAME_EDGE
    )


def _running_members(text: str, members: Sequence[_Margin], page_nums: Sequence[int]) -> list[_Margin]:
    """The lines with that text that are running text; none where the text does not recur as such does."""
    if len(members) < 2 or not text:
        return []
    height, size = median(m.height for m in members), median(m.line.size for m in members)
    like = [m for m in members if abs(m.line.size - size) <= SIZE_TOLERANCE * size]
    level = [m for m in like if abs(m.height - height) <= HEIGHT_TOLERANCE or m.is_lone]
    where = sorted({m.page_num for m in level})
    if not (_recurs(where, page_nums) and _is_constant(text, level)):
        return []
    if _is_part_title(level[0].cells[text]):
        return [m for m in level if m.page_num != where[0]]  # the first is the part's own heading
    if len(where) >= max(MIN_PAGES, WIDE_SHARE * len(page_nums)):
        return like  # pages of another size have the same header at another height
    close = [pair for pair in pairwise(where) if pair[1] - pair[0] <= NEAR_PAGES]
    return [m for m in level if any(m.page_num in pair for pair in close)]


def _recurs(where: Sequence[int], page_nums: Sequence[int]) -> bool:
    """The pages are many enough, near each other, or all there are of a short document's left, right or later pages."""
    if len(where) >= MIN_PAGES:
        return len(where) >= WIDE_SHARE * len(page_nums) or any(
            c - a <= 2 * NEAR_PAGES for a, c in zip(where, where[2:], strict=False)
        )
    return len(where) == MIN_PAGES - 1 and any(set(part) <= set(where) for part in _parts(page_nums) if len(part) > 1)


def _parts(page_nums: Sequence[int]) -> Iterable[Sequence[int]]:
    """All pages, all but the first, the odd and the even ones."""
    yield page_nums
    yield page_nums[1:]
    yield [number for number in page_nums if number % 2]
    yield [number for number in page_nums if number % 2 == 0]


def _is_part_title(text: str) -> bool:
    """'Section 2', 'EXHIBIT A': what heads a part of the document, and may be repeated on its pages."""
    number = read_number(text)
    return number is not None and number.kind not in ("decimal", "letter", "roman") and not number.title


def _is_constant(text: str, members: Sequence[_Margin]) -> bool:
    """Numbers in the masked text are the same everywhere or count the pages; 'Chapter 2' does neither.

    'Section 1', 'Section 2' at the top of the first pages are headings, though they count the pages.
    """
    cells = [m.cells[text] for m in members]
    digits = [tuple(map(int, _DIGITS.findall(cell[:MAX_RUNNING_CHARS])[:MAX_RUNNING_NUMBERS])) for cell in cells]
    if len(set(digits)) == 1:
        return True
    if any(map(_is_part_title, cells)):
        return False
    columns = zip(*digits, strict=False)
    return all(
        len(set(column)) == 1
        or Counter(n - m.page_num for n, m in zip(column, members, strict=True)).most_common(1)[0][1]
        >= MIN_OFFSET_SHARE * len(members)
        for column in columns
    )


def _distance(line: Line, zone: str, height: float) -> float:
    return line.middle if zone == "header" else height - line.middle


def _mask(text: str) -> str:
    return _SPACE.sub(" ", _DIGITS.sub("#", text)).casefold()


def _value(number: str) -> int | None:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-v if v < max(values[at:]) else v for at, v in enumerate(values))
