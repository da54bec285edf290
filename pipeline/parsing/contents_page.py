"""The document's own contents page: its entries, their levels, and the places in the text that they point at.

A contents page is the author's word on what the sections are called and how they nest. Where the file links it, the
links give the pages; a printed number is a label, and the labels are laid over the physical pages by the shift that
puts most titles where they stand (METHOD 1.3). An entry that neither a link nor the shift places is looked for between
its neighbours.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from pipeline.parsing.contents_entries import Listed, label_value, read_entries
from pipeline.parsing.contents_levels import set_entry_levels
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import read_number
from pipeline.parsing.outline import Heading, TitlePlaces, find_entry, top_of_page
from pipeline.parsing.reading import Entry, LinkRead

MIN_ENTRIES = 3  # entries of a contents page
MIN_FOUND_SHARE = 0.5  # share of entries whose title must stand in the text, for the page to be its contents
MIN_SHIFT_SHARE = 0.3  # share of the labelled entries that must agree on the shift of the page numbers
LINKED, PRINTED = "linked_contents", "printed_contents"
CONFIDENCE = {LINKED: 0.95, PRINTED: 0.9}
NEIGHBOUR_CONFIDENCE = 0.75  # of an entry found only between its neighbours
UNFOUND_CONFIDENCE = 0.4  # of one whose page is known and whose title does not stand there


def find_listed(
    lines: Sequence[Line],
    lines_by_page: Mapping[int, Sequence[Line]],
    heights: Mapping[int, float],
    links: Sequence[LinkRead] = (),
) -> list[Heading]:
    """Headings that the contents page lists, in its order; empty without one that fits the text.

    `lines_by_page` holds the visible lines outside running text and contents pages, `heights` the pages' heights.
    """
    places = TitlePlaces([line for page in lines_by_page.values() for line in page])
    entries = read_entries(lines, links, places)
    if len(entries) < MIN_ENTRIES:
        return []
    set_entry_levels(entries)
    linked = sum(entry.page_num is not None for entry in entries)
    _place_by_label(entries, places)
    source = LINKED if 2 * linked >= len(entries) else PRINTED
    headings = _match(entries, places, lines_by_page, heights, source)
    found = sum(heading.found for heading in headings)
    if found < MIN_ENTRIES or found < MIN_FOUND_SHARE * len(entries):
        return []
    return headings


def _place_by_label(entries: Sequence[Listed], places: TitlePlaces) -> None:
    """Write the physical page into the entries that no link places, by the shift that puts most titles right."""
    votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    labelled: Counter[str] = Counter()
    for entry in entries:
        value = label_value(entry.label)
        if value is None:
            continue
        pages = {entry.page_num} if entry.page_num is not None else {line.page_num for line in places.find(entry.title)}
        labelled[value[0]] += 1
        votes[value[0]].update({page - value[1] for page in pages})
    shifts: dict[str, int] = {}
    for series, counts in votes.items():
        if counts:
            shift, count = max(counts.items(), key=lambda item: (item[1], -abs(item[0]), item[0]))
            if count >= max(min(2, labelled[series]), MIN_SHIFT_SHARE * labelled[series]):
                shifts[series] = shift
    for entry in entries:
        value = label_value(entry.label)
        if entry.page_num is None and value is not None and value[0] in shifts:
            entry.page_num = max(1, value[1] + shifts[value[0]])


def _match(
    entries: Sequence[Listed],
    places: TitlePlaces,
    lines_by_page: Mapping[int, Sequence[Line]],
    heights: Mapping[int, float],
    source: str,
) -> list[Heading]:
    """Headings of the entries; those with a page as an outline's entries are, the others between their neighbours."""
    headings: dict[int, Heading] = {}
    keys: dict[int, str] = {}
    last = 0
    for entry in entries:
        if entry.page_num is None or entry.page_num not in lines_by_page:
            continue
        wanted = Entry(entry.level, entry.title, entry.page_num, entry.y)
        found = find_entry(wanted, lines_by_page, heights, keys, last)
        if found is not None:
            last, final, sure = found
            sure = min(sure, CONFIDENCE[source])
            headings[id(entry)] = Heading(entry.level, entry.title, last, final, True, source, sure)
    _drop_falling(headings, entries)
    _place_between(entries, headings, places, source)
    for entry in entries:
        if id(entry) not in headings and entry.page_num is not None:
            numbered = _find_by_number(entry, lines_by_page)
            start = top_of_page(entry.page_num, lines_by_page)
            if numbered is not None:
                headings[id(entry)] = Heading(
                    entry.level, entry.title, numbered, numbered, True, source, NEIGHBOUR_CONFIDENCE
                )
            elif start is not None:
                headings[id(entry)] = Heading(entry.level, entry.title, start, start, False, source, UNFOUND_CONFIDENCE)
    return [headings[id(entry)] for entry in entries if id(entry) in headings]


def _find_by_number(entry: Listed, lines_by_page: Mapping[int, Sequence[Line]]) -> int | None:
    """The line that begins with the entry's word and number, 'ARTICLE 2', where its title is worded in another way."""
    number = read_number(entry.title)
    if number is None or number.kind in ("decimal", "roman", "letter") or entry.page_num is None:
        return None
    for page_num in (entry.page_num, entry.page_num + 1, entry.page_num - 1):
        for line in lines_by_page.get(page_num, ()):
            other = read_number(line.text)
            if other is not None and (other.kind, other.parts) == (number.kind, number.parts):
                return line.line_id
    return None


def _drop_falling(headings: dict[int, Heading], entries: Sequence[Listed]) -> None:
    """Take out the places that break the order of the contents: the longest rising run of them is kept."""
    order = [id(entry) for entry in entries if id(entry) in headings and headings[id(entry)].found]
    kept = set(_longest_rising([headings[key].line_id for key in order]))
    for at, key in enumerate(order):
        if at not in kept:
            del headings[key]


def _longest_rising(values: Sequence[int]) -> list[int]:
    """Indices of a longest non-falling run, in order (patience sorting)."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, value in enumerate(values):
        place = bisect_right(tails, value)
        before.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(value)
            ends.append(at)
        else:
            tails[place], ends[place] = value, at
    run: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        run.append(at)
        at = before[at]
    return run[::-1]


def _place_between(entries: Sequence[Listed], headings: dict[int, Heading], places: TitlePlaces, source: str) -> None:
    """Look for the entries without a place between the places of the entries around them."""
    starts = [headings[id(e)].line_id if id(e) in headings and headings[id(e)].found else None for e in entries]
    after = 0
    for at, entry in enumerate(entries):
        start = starts[at]
        if start is not None:
            after = start
            continue
        limit = next((other for other in starts[at + 1 :] if other is not None), None)
        for first, last in places.spans(entry.title):
            if first > after and (limit is None or first <= limit):
                headings[id(entry)] = Heading(entry.level, entry.title, first, last, True, source, NEIGHBOUR_CONFIDENCE)
                after = first
                break
