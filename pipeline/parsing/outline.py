"""The file's own outline, each entry matched to the line of its heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import drop_number, squeeze
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import Entry

MAX_TITLE_LINES = 4  # lines over which a heading may run
MIN_RUN_IN_CHARS = 4  # letters of a title that may be matched as the beginning of a longer line
MIN_RUN_IN_TEXT = 12  # letters by which a line is longer than the title that stands in it
MIN_TAIL_CHARS = 6  # letters of a title that may be matched as the end of a line such as 'CHAPTER TWO: ...'
MAX_PREFIX_CHARS = 16  # letters that may stand before it
MAX_LOST_SHARE = 0.25  # unmatched entries of a page over its lines, above which they belong to another file
MIN_LOST = 3  # unmatched entries that any page may have: headings drawn as images
FUZZY_RATIO = 0.85  # share of equal letters (difflib) from which a title and a line at its height are the same
FUZZY_DISTANCE = 40.0  # points between the outline's height and such a line
PREFIX_CHARS = 12  # letters by which titles and lines are brought together
HEAD_CHARS = 60  # characters of a line that hold those letters, its number aside
MAX_PLACES = 300  # lines that begin alike which are compared with a title
NEAR_PAGES = (0, 1, -1)  # outlines are at times one page off, or point at the end of the page before


_OBJECT = re.compile(r"\[\s*(\d+) \d+ R")


@dataclass(slots=True)
class Heading:
    """A section's beginning: its heading's lines, or the top of its page where `found` is False."""

    level: int
    title: str
    line_id: int
    last_line_id: int
    found: bool
    source: str
    confidence: float


def is_run_in(heading: Heading, line: Line) -> bool:
    """A clause's title with its text on the same line: the line is body text."""
    is_longer = len(squeeze(line.text)) > len(squeeze(heading.title)) + MIN_RUN_IN_TEXT
    return is_longer and heading.line_id == heading.last_line_id


def read_outline(document: Any, limit: int) -> tuple[list[Entry], list[str]]:
    """The outline's entries that point at a page of the file, and a sentence for each thing that is wrong with it."""
    try:
        raw = document.get_toc(simple=False)
    except PAGE_ERRORS as error:
        return [], [f"The outline cannot be read: {str(error).splitlines()[0] if str(error) else type(error).__name__}"]
    faults = [] if len(raw) <= limit else [f"The outline has {len(raw):,} entries; only the first {limit:,} are used."]
    entries = []
    for level, raw_title, page_num, target in raw[:limit]:
        title = " ".join(clean_text(str(raw_title)).split())
        if not title:
            faults.append(f"An outline entry on level {level} has no title.")
        elif not 1 <= page_num <= document.page_count or _is_astray(document, page_num, target):
            faults.append(f"The outline entry '{title[:80]}' points at no page of this file.")
        else:
            point = target.get("to") if isinstance(target, dict) else None
            y = float(point.y) if point is not None and point.y else None
            entries.append(Entry(int(level), title, int(page_num), y))
    return entries, faults


def _is_astray(document: Any, page_num: int, target: Any) -> bool:
    """The entry names a page object that is not the file's first page, though MuPDF says so.

    MuPDF answers with the first page where an entry points at a page that was cut out of the file.
    """
    xref = target.get("xref") if isinstance(target, dict) else None
    if page_num != 1 or not xref:
        return False
    for key in ("Dest", "A/D"):
        kind, value = _try_key(document, xref, key)
        if kind == "array":
            named = _OBJECT.match(value)
            return named is not None and int(named[1]) != document.page_xref(0)
    return False


def _try_key(document: Any, xref: int, key: str) -> tuple[str, str]:
    try:
        kind, value = document.xref_get_key(xref, key)
    except PAGE_ERRORS:
        return "null", ""
    return str(kind), str(value)


def match_outline(
    entries: Sequence[Entry], lines_by_page: Mapping[int, Sequence[Line]], heights: Mapping[int, float]
) -> tuple[list[Heading], list[str]]:
    """Each entry with its heading's lines, in the outline's order, and a sentence for each page with astray entries.

    Unmatched entries start at the top of their page; where there are more of them than the page has lines to spare,
    they are left out: the outline was made for another file.

    `lines_by_page` holds the visible lines outside running text, `heights` the pages' heights in points.
    """
    headings: list[Heading] = []
    lost: defaultdict[int, list[Heading]] = defaultdict(list)
    keys: dict[int, str] = {}
    last = 0
    for entry in entries:
        found = find_entry(entry, lines_by_page, heights, keys, last)
        if found is None:
            start = top_of_page(entry.page_num, lines_by_page)
            if start is not None:
                heading = Heading(entry.level, entry.title, start, start, False, "native_outline", 0.5)
                headings.append(heading)
                lost[entry.page_num].append(heading)
            continue
        first, final, confidence = found
        headings.append(Heading(entry.level, entry.title, first, final, True, "native_outline", confidence))
        last = first
    faults = []
    for page_num, unmatched in lost.items():
        if len(unmatched) > MAX_LOST_SHARE * len(lines_by_page.get(page_num, ())) + MIN_LOST:
            faults.append(
                f"{len(unmatched):,} outline entries point at page {page_num} where their titles do not stand, "
                f"the first is '{unmatched[0].title[:80]}'."
            )
            gone = set(map(id, unmatched))
            headings = [heading for heading in headings if id(heading) not in gone]
    return headings, faults


class TitlePlaces:
    """Where titles stand among the lines of a text, told by their letters; the lines in reading order."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Nothing is read of the lines before a title is sought: most documents list none."""
        self._lines = lines
        self._keys: dict[int, str] = {}

    @cached_property
    def by_id(self) -> dict[int, Line]:
        """The lines by their ids."""
        return {line.line_id: line for line in self._lines}

    @cached_property
    def _starts(self) -> Mapping[str, list[int]]:
        """Places of the lines by the letters that they begin with."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._lines):
            head = line.text[:HEAD_CHARS]
            whole, rest = squeeze(head), drop_number(head)
            bare = whole if rest is head else squeeze(rest)
            for key in {whole[:PREFIX_CHARS], bare[:PREFIX_CHARS]}:
                starts[key].append(at)
        return starts

    def spans(self, title: str) -> list[tuple[int, int]]:
        """First and last line of each heading that has the title, with its number or without; run-in ones are none."""
        titles = _titles_of(title)
        if not titles:
            return []
        seen = {
            at
            for key in titles
            for length in range(1, min(PREFIX_CHARS, len(key)) + 1)
            for at in self._starts.get(key[:length], ())[:MAX_PLACES]
        }
        found = []
        for at in sorted(seen):
            compared = _compare(titles, self._lines, at, self._keys)
            if compared is not None and compared[0] <= 1:
                found.append((self._lines[at].line_id, self._lines[compared[1]].line_id))
        return found

    def find(self, title: str) -> list[Line]:
        """The first lines of those headings."""
        return [self.by_id[first] for first, _ in self.spans(title)]


def _titles_of(title: str) -> list[str]:
    """The title's letters, with its number and without."""
    return [key for key in dict.fromkeys((squeeze(title), squeeze(drop_number(title)))) if key]


def top_of_page(page_num: int, lines_by_page: Mapping[int, Sequence[Line]]) -> int | None:
    """First line of the page, or of the next page that has any."""
    later = [page for page in lines_by_page if page >= page_num and lines_by_page[page]]
    return min(line.line_id for line in lines_by_page[min(later)]) if later else None


def find_entry(
    entry: Entry,
    lines_by_page: Mapping[int, Sequence[Line]],
    heights: Mapping[int, float],
    keys: dict[int, str],
    last: int,
) -> tuple[int, int, float] | None:
    """First and last line of the entry's heading and a confidence; None where no line looks like it."""
    titles = _titles_of(entry.title)
    if not titles:
        return None
    for step in NEAR_PAGES:
        lines = lines_by_page.get(entry.page_num + step, ())
        candidates = []
        for at, line in enumerate(lines):
            rank_end = _compare(titles, lines, at, keys)
            if rank_end is not None and (step == 0 or rank_end[0] <= 1):
                rank, end = rank_end
                distance = _distance(entry, line, heights) if step == 0 else 0.0
                candidates.append((line.line_id <= last, rank, round(distance), -line.size, at, end))
        if candidates:
            _, rank, _, _, at, end = min(candidates)
            return lines[at].line_id, lines[end].line_id, (1.0, 1.0, 0.95)[rank]
    return _find_alike(titles[0], entry, lines_by_page.get(entry.page_num, ()), heights, keys)


def _compare(titles: Sequence[str], lines: Sequence[Line], at: int, keys: dict[int, str]) -> tuple[int, int] | None:
    """How well the title stands at line `at`, and its last line: 0 exact, 1 without number, 2 in a longer line."""
    whole = _key(lines[at], keys)
    if not whole:
        return None
    bare = keys.get(-lines[at].line_id)
    if bare is None:
        bare = keys[-lines[at].line_id] = squeeze(drop_number(lines[at].text))
    for rank, title in enumerate(titles):
        for key in (whole, bare):
            if key == title:
                return rank if key == whole else 1, at
    title = titles[0]
    for head in (whole, bare):
        for target in titles:
            if len(head) < len(target) and target.startswith(head):
                end = _join_lines(target, head, lines, at, keys)
                if end is not None:
                    return (0 if target == title and head == whole else 1), end
            elif (len(target) >= MIN_RUN_IN_CHARS and head.startswith(target) and _runs_in(lines[at].text, target)) or (
                len(target) >= MIN_TAIL_CHARS and head.endswith(target) and len(head) <= len(target) + MAX_PREFIX_CHARS
            ):
                return 2, at
    return None


def _join_lines(title: str, head: str, lines: Sequence[Line], at: int, keys: dict[int, str]) -> int | None:
    joined = head
    for end in range(at + 1, min(at + MAX_TITLE_LINES, len(lines))):
        joined += _key(lines[end], keys)
        if joined == title:
            return end
        if not title.startswith(joined):
            return None
    return None


def _runs_in(text: str, title: str) -> bool:
    """The title ends at a word's end within `text`, so that 'Term' is not found in 'Termination'."""
    letters = ""
    for at, character in enumerate(drop_number(text) if not squeeze(text).startswith(title) else text):
        letters += squeeze(character)
        if letters == title:
            source = drop_number(text) if not squeeze(text).startswith(title) else text
            return not source[at + 1 : at + 2].isalnum()
        if len(letters) >= len(title):
            return False
    return False


def _find_alike(
    title: str, entry: Entry, lines: Sequence[Line], heights: Mapping[int, float], keys: dict[int, str]
) -> tuple[int, int, float] | None:
    """A line at the outline's own height that is nearly the title: a typing error, a symbol, a lost letter."""
    if entry.y is None:
        return None
    best: tuple[float, int] | None = None
    for line in lines:
        if _distance(entry, line, heights) <= FUZZY_DISTANCE:
            ratio = SequenceMatcher(None, title, _key(line, keys), autojunk=False).ratio()
            if ratio >= FUZZY_RATIO and (best is None or ratio > best[0]):
                best = (ratio, line.line_id)
    return None if best is None else (best[1], best[1], round(best[0], 2))


def _distance(entry: Entry, line: Line, heights: Mapping[int, float]) -> float:
    """Points between the line and the outline's height, read from the top or from the bottom, whichever is nearer."""
    if entry.y is None:
        return 0.0
    height = heights.get(entry.page_num, 0.0)
    return min(abs(line.y0 - entry.y), abs(line.y0 - (height - entry.y)))


def _key(line: Line, keys: dict[int, str]) -> str:
    if line.line_id not in keys:
        keys[line.line_id] = squeeze(line.text)
    return keys[line.line_id]
