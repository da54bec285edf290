"""Which lines are entries of a contents page: told by leaders, by rising page numbers, by links, or by recurrence."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ENDS_IN_NUMBER, LEADERS, read_number, squeeze
from pipeline.parsing.reading import LinkRead
from pipeline.parsing.reading_order import CELL_SEPARATOR

MIN_TOC_LINES = 3  # lines with leaders or page numbers that make a contents page
MIN_LINKED_LINES = 5  # lines that are links to later places which make one without them (METHOD 1.3)
MIN_LINK_COVER = 0.5  # share of a line's characters under its link, from which the line is the link
MIN_RISING_SHARE = 0.75  # share of neighbouring page numbers that do not fall; amounts in a table fall as often as rise
MIN_SURE_SHARE = 0.6  # sure entries over lines that end in a number, from which the others are none
MIN_PAGE_SHARE = 0.5  # entries over lines of the page, from which there is nothing but contents on it
MAX_ENTRY_CHARS = 160  # characters of an entry without a page number
MAX_LABEL = 9_999  # a page number has no more than four digits
MAX_STRANGERS = 2  # lines in a row that do not recur in the text, after which a contents list without numbers is over
CONTENTS_WORDS = frozenset(
    {"contents", "tableofcontents", "contentstable", "index", "índice", "indice", "índicegeneral", "contenido",
     "contenidos", "tabladecontenido", "tabladecontenidos", "sommaire", "tabledesmatières", "inhalt",
     "inhaltsverzeichnis", "listoffigures", "listoftables", "listofexhibits"}
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPACED = re.compile(rf"{CELL_SEPARATOR}\s*(?:[A-Z]{{1,2}}-)?(?:\d{{1,4}}|[ivxlc]{{1,6}})\s*$")
_LAST_NUMBER = re.compile(r"(\d{1,4})\s*$")
_TAIL = re.compile(r"[\s.…_·]*(?:\d{1,4}|[ivxlc]{1,6})?\s*$")


def mark_contents(lines: Sequence[Line], links: Sequence[LinkRead] = ()) -> None:
    """Give the entries of contents pages, lists of figures and indexes the role toc_entry."""
    pages: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if line.role == "body" and line.visible:
            pages[line.page_num].append(line)
    linked = _find_linked(links)
    running = False  # the page before was a contents page
    for body in pages.values():
        titled = next((at for at, line in enumerate(body) if squeeze(line.text) in CONTENTS_WORDS), None)
        entries = _find_entries(body, linked, expected=running or titled is not None)
        if entries:
            _mark(body, entries, titled)
        running = bool(entries)
        if titled is not None and not entries:
            _mark_recurring(lines, body[titled])


def is_contents_title(text: str) -> bool:
    """The line is the title of a contents page, which is no section."""
    return squeeze(text) in CONTENTS_WORDS


def _find_linked(links: Sequence[LinkRead]) -> dict[int, LinkRead]:
    """The lines that are links as a whole, or end in one on their page number, by their id."""
    linked: dict[int, LinkRead] = {}
    for link in links:
        text = link.line.text
        whole = len(link.text) >= MIN_LINK_COVER * len(text)
        at_end = link.char_start + len(link.text) >= len(text) and bool(ENDS_IN_NUMBER.search(text))
        if link.target is not None and (whole or at_end):
            linked.setdefault(link.line.line_id, link)
    return linked


_NUMBER_ENDS = frozenset("0123456789ivxlc")  # a quick look before the pattern's thorough one; lines are trimmed


def _find_entries(body: Sequence[Line], linked: dict[int, LinkRead], *, expected: bool) -> set[int]:
    """Places in `body` of what shows itself to be an entry; empty where the page is no contents page."""
    leaders, spaced, numbered, links = set(), set(), set(), set()
    for at, line in enumerate(body):
        if line.line_id in linked:
            links.add(at)
        if line.text[-1:] not in _NUMBER_ENDS or not ENDS_IN_NUMBER.search(line.text):
            continue
        if LEADERS.search(line.text):
            leaders.add(at)
        if _WORD.search(line.text):
            numbered.add(at)
            if _SPACED.search(line.text):
                spaced.add(at)
    by_leaders = len(leaders) >= MIN_TOC_LINES and (expected or _rises(body, leaders))
    by_numbers = expected and len(numbered) >= max(MIN_TOC_LINES, len(body) / 2)
    by_links = len(links) >= max(MIN_LINKED_LINES, len(body) / 2) and _leads_on(
        [linked[body[x].line_id] for x in links]
    )
    by_headings = len(spaced) >= max(MIN_LINKED_LINES, len(body) / 2) and _are_numbered(body, spaced)
    if not (by_leaders or by_numbers or by_links or by_headings):
        return set()
    sure = leaders | spaced | (links if by_links or by_leaders else set())
    return sure if len(sure) >= max(MIN_TOC_LINES, MIN_SURE_SHARE * len(numbered)) else sure | numbered


def _are_numbered(body: Sequence[Line], entries: set[int]) -> bool:
    """Most of the lines begin with a heading's number, and the numbers at their ends never fall: no table does both."""
    numbered = sum(read_number(body[at].text) is not None for at in entries)
    return numbered >= MIN_SURE_SHARE * len(entries) and _rises(body, entries, share=1.0)


def _rises(body: Sequence[Line], entries: set[int], *, share: float = MIN_RISING_SHARE) -> bool:
    """The numbers at the ends of the lines go up, as those of pages do."""
    found = [_LAST_NUMBER.search(body[at].text) for at in sorted(entries)]
    values = [int(match[1]) for match in found if match is not None and int(match[1]) <= MAX_LABEL]
    steps = sum(after >= before for before, after in itertools.pairwise(values))
    return steps >= share * (len(values) - 1)


def _leads_on(links: Sequence[LinkRead]) -> bool:
    """The links lead to later places, each to its own and one after the other."""
    places = [link.target.line_id for link in sorted(links, key=lambda x: x.line.line_id) if link.target is not None]
    steps = sum(after >= before for before, after in itertools.pairwise(places))
    return steps >= MIN_RISING_SHARE * (len(places) - 1) and 2 * len(set(places)) > len(places)


def _mark(body: Sequence[Line], entries: set[int], titled: int | None) -> None:
    """Entries, and the lines among them: titles that run over two lines, parts without a page number."""
    first, last = min(entries), max(entries)
    if titled is not None and titled < first and first - titled <= MAX_STRANGERS + 1:
        first = titled + 1
    among = [at for at in range(first, last + 1) if len(body[at].text) <= MAX_ENTRY_CHARS]
    if len(entries) >= MIN_PAGE_SHARE * len(body):  # nothing but contents: a number makes an entry too
        chosen = set(among) | {at for at in range(last, len(body)) if read_number(body[at].text) is not None}
    else:
        ordered = sorted(entries)
        between = {
            at
            for before, after in itertools.pairwise(ordered)
            if after - before <= MAX_STRANGERS + 1 and body[before].column == body[after].column
            for at in range(before, after)
        }
        chosen = entries | between
    for at in chosen:
        if at != titled:
            body[at].role = "toc_entry"


def _mark_recurring(lines: Sequence[Line], title: Line) -> None:
    """After the title of a contents page, the lines that stand in the text once more: a list without page numbers."""
    later = [line for line in lines if line.line_id > title.line_id and line.role == "body" and line.visible]
    counts = Counter(squeeze(line.text) for line in later)
    chosen: list[Line] = []
    strangers: list[Line] = []
    for line in later:
        key = squeeze(_TAIL.sub("", line.text))
        whole = squeeze(line.text)
        if counts[whole] >= 2 or (key != whole and counts[key] >= 1 and key):
            chosen += [*strangers, line] if chosen else [line]
            strangers = []
            counts[whole] -= 1
        else:
            strangers.append(line)
            if len(strangers) > MAX_STRANGERS or len(line.text) > MAX_ENTRY_CHARS:
                break
    if len(chosen) >= MIN_TOC_LINES:
        for line in chosen:
            line.role = "toc_entry"
