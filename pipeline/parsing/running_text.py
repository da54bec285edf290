"""Running headers, footers and page numbers: what recurs at the same height in the margins of many pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.reading_order import CELL_SEPARATOR

MARGIN_SHARE = 0.14  # share of the page's height at top and bottom where running text may stand
MAX_MARGIN_LINES = 4  # lines looked at in each margin; running text is short
HEIGHT_TOLERANCE = 6.0  # points by which its height may differ from page to page
MIN_PAGES = 3  # pages on which a text must recur; with fewer pages, all of them (at least 2)
MIN_OFFSET_SHARE = 0.6  # share of pages on which number minus page is the same, for numbers that count pages

MAX_RUNNING_CHARS = 200  # characters of a header in which numbers are compared
MAX_RUNNING_NUMBERS = 8  # numbers compared
MAX_NUMBER_CHARS = 40  # characters of a line that is only a page number; longer ones could keep the pattern busy

_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_NUMBER_ONLY = re.compile(
    r"[\W_]*(?:page|pag\.?|pág\.?|página|seite|p\.)?\s*(?:[a-z]{1,2}\s?-\s?)?(?P<number>\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|de|von|sur|/)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def mark_running_text(pages: Sequence[PageRead]) -> None:
    """Write the roles header, footer and page_number into the lines concerned."""
    margins = [(line, page, zone) for page in pages for zone in ("header", "footer") for line in _margin(page, zone)]
    _mark_numbers(margins, len(pages))
    _mark_recurring(margins, sum(bool(page.lines) for page in pages))


def _margin(page: PageRead, zone: str) -> list[Line]:
    """The outermost visible lines of the margin, the outermost first."""
    reach = MARGIN_SHARE * page.height
    if zone == "header":
        inside = sorted((x for x in page.lines if x.visible and x.y1 <= reach), key=lambda x: x.y0)
    else:
        inside = sorted((x for x in page.lines if x.visible and x.y0 >= page.height - reach), key=lambda x: -x.y1)
    return inside[:MAX_MARGIN_LINES]


def _mark_numbers(margins: Sequence[tuple[Line, PageRead, str]], page_count: int) -> None:
    """Lines that are nothing but a number that counts pages."""
    found = []
    for line, page, zone in margins:
        match = _NUMBER_ONLY.fullmatch(line.text) if len(line.text) <= MAX_NUMBER_CHARS else None
        number = _value(match["number"]) if match else None
        if number is not None:
            found.append((line, number - page.page_num, zone))
    offsets = Counter((offset, zone) for _, offset, zone in found)
    for line, offset, zone in found:
        wordy = bool(re.search(r"page|pág|seite|of|/", line.text, re.IGNORECASE))
        if offsets[offset, zone] >= min(2, page_count) and (page_count > 1 or wordy or zone == "footer"):
            line.role = "page_number"


def _mark_recurring(margins: Sequence[tuple[Line, PageRead, str]], page_count: int) -> None:
    groups: defaultdict[tuple[str, str], list[tuple[Line, PageRead]]] = defaultdict(list)
    for line, page, zone in margins:
        if line.role == "body":
            for cell in line.text.split(CELL_SEPARATOR):  # left and right half of a header may stand in two columns
                groups[_mask(cell), zone].append((line, page))
    recurring: defaultdict[int, set[str]] = defaultdict(set)
    needed = min(MIN_PAGES, max(2, page_count))
    for (text, zone), members in groups.items():
        height = median(_height(line, page, zone) for line, page in members)
        level = [(x, p) for x, p in members if abs(_height(x, p, zone) - height) <= HEIGHT_TOLERANCE]
        if len({page.page_num for _, page in level}) >= needed and text and _is_constant(text, level):
            for line, _ in level:
                recurring[id(line)].add(text)
    for line, _, zone in margins:
        if line.role == "body" and {_mask(cell) for cell in line.text.split(CELL_SEPARATOR)} <= recurring[id(line)]:
            line.role = zone


def _is_constant(text: str, members: Sequence[tuple[Line, PageRead]]) -> bool:
    """Numbers in the masked text are the same everywhere or count the pages; 'Chapter 2' does neither."""
    cells = [next(c for c in x.text.split(CELL_SEPARATOR) if _mask(c) == text) for x, _ in members]
    digits = [tuple(map(int, _DIGITS.findall(cell[:MAX_RUNNING_CHARS])[:MAX_RUNNING_NUMBERS])) for cell in cells]
    if len(set(digits)) == 1:
        return True
    columns = zip(*digits, strict=False)
    return all(
        len(set(column)) == 1
        or Counter(n - p.page_num for n, (_, p) in zip(column, members, strict=True)).most_common(1)[0][1]
        >= MIN_OFFSET_SHARE * len(members)
        for column in columns
    )


def _height(line: Line, page: PageRead, zone: str) -> float:
    middle = (line.y0 + line.y1) / 2
    return middle if zone == "header" else page.height - middle


def _mask(text: str) -> str:
    return _SPACE.sub(" ", _DIGITS.sub("#", text)).casefold()


def _value(number: str) -> int | None:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-v if v < max(values[at:]) else v for at, v in enumerate(values))
