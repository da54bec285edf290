"""The document's own contents page: its entries, their levels, and the places in the text that they point at.

A contents page is the author's word on what the sections are called and how they nest. Where the file links it, the
links give the pages; a printed number is a label, and the labels are laid over the physical pages by the shift that
puts most titles where they stand (METHOD 1.3). An entry that neither a link nor the shift places is looked for between
its neighbours.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.parsing.contents_levels import set_entry_levels
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LEADERS, read_number, squeeze
from pipeline.parsing.outline import Heading, TitlePlaces, find_entry, top_of_page
from pipeline.parsing.reading import Entry, LinkRead

MIN_ENTRIES = 3  # entries of a contents page
MIN_FOUND_SHARE = 0.5  # share of entries whose title must stand in the text, for the page to be its contents
MIN_RISING_SHARE = 0.75  # share of neighbouring page numbers that do not fall; in an index they fall as often as rise
MIN_SHIFT_SHARE = 0.3  # share of the labelled entries that must agree on the shift of the page numbers
MAX_ENTRY_LINES = 4  # lines of an entry
MAX_TITLE_CHARS = 300  # characters of an entry's title
LINKED, PRINTED = "linked_contents", "printed_contents"
CONFIDENCE = {LINKED: 0.95, PRINTED: 0.9}
NEIGHBOUR_CONFIDENCE = 0.75  # of an entry found only between its neighbours
UNFOUND_CONFIDENCE = 0.4  # of one whose page is known and whose title does not stand there

_LABEL = re.compile(
    r"(?:[\s.…_·]+|^)(?:page\s+|pág\.?\s+|p\.\s*)?(?P<label>(?:[A-Z]{1,2}-)?\d{1,4}|[ivxlc]{1,7})\s*$", re.IGNORECASE
)
_FILL = re.compile(r"(?:[\s\u00a0]*[.…_·]){3,}[\s.…_·]*$|[\s.…_·]+$")
_OBJECT_ENTRY = re.compile(
    r"(?:fig(?:ure|\.|s\.)?|table|chart|box|figura|tabla|cuadro|gráfico|tableau|graphique|abbildung|tabelle)\s+"
    r"[A-Z]?[\d.IVX-]+",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(slots=True)
class Listed:
    """An entry of a contents page: `label` as printed, '' without one; page and height where a link gives them."""

    title: str
    label: str
    line: Line
    level: int = 1
    page_num: int | None = None
    y: float | None = None


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


def read_entries(lines: Sequence[Line], links: Sequence[LinkRead], places: TitlePlaces) -> list[Listed]:
    """The entries of the contents pages, in their order; lists of figures and alphabetical indexes are left out."""
    targets: dict[int, Line] = {}
    for link in links:
        if link.target is not None:
            targets.setdefault(link.line.line_id, link.target)
    entries: list[Listed] = []
    for group in _group(lines):
        found = _read_group(group, targets, places)
        standing = sum(bool(places.find(entry.title)) for entry in found)
        if (
            standing >= MIN_FOUND_SHARE * len(found)
            and _rises([_number(entry.label) for entry in found])
            and (not entries or _is_later_part(entries, found))
        ):
            entries += found
    return entries


def _group(lines: Sequence[Line]) -> Iterable[list[Line]]:
    """Runs of contents lines on one page or on pages that follow each other."""
    group: list[Line] = []
    for line in lines:
        if line.role != "toc_entry" or not line.visible:
            continue
        if group and line.page_num > group[-1].page_num + 1:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _is_later_part(entries: Sequence[Listed], found: Sequence[Listed]) -> bool:
    """A second contents page further on lists what follows it, not what came before: a part's own contents."""
    here = found[0].line.page_num
    known = {squeeze(entry.title) for entry in entries}
    own = [entry for entry in found if squeeze(entry.title) not in known]
    pages = [entry.page_num for entry in own if entry.page_num is not None]
    return 2 * len(own) >= len(found) and all(page >= here for page in pages)


def _read_group(group: Sequence[Line], targets: Mapping[int, Line], places: TitlePlaces) -> list[Listed]:
    found: list[Listed] = []
    at = 0
    while at < len(group):
        entry, used = _read_entry(group, at, targets, places)
        at += used
        if entry is not None:
            found.append(entry)
    return found


def _read_entry(
    group: Sequence[Line], at: int, targets: Mapping[int, Line], places: TitlePlaces
) -> tuple[Listed | None, int]:
    """The entry that begins at line `at`, and how many lines it takes; None for a line that is no entry."""
    line = group[at]
    title, label = _split(line.text)
    target = targets.get(line.line_id)
    used = 1
    if not label:
        title, label, used = _join(group, at, title, places)
        target = target or targets.get(group[at + used - 1].line_id)
        if not label and target is None and not places.find(title):
            return None, 1
    if len(squeeze(title)) < 2 or len(title) > MAX_TITLE_CHARS or _OBJECT_ENTRY.match(title):
        return None, used
    page_num, y = (None, None) if target is None else (target.page_num, target.y0)
    return Listed(title, label, line, page_num=page_num, y=y), used


def _join(group: Sequence[Line], at: int, title: str, places: TitlePlaces) -> tuple[str, str, int]:
    """Title and page number of an entry whose first line has none, and its lines: the longest that the text has."""
    line, parts = group[at], [title]
    stands = bool(places.find(title))
    for after in group[at + 1 : at + MAX_ENTRY_LINES]:
        more, label = _split(after.text)
        if after.page_num != line.page_num or read_number(after.text) is not None:
            break
        parts.append(more)
        joined = " ".join(parts)
        if places.find(joined) or (label and not stands and not places.find(more)):
            return joined, label, len(parts)
        if label:
            break
    return title, "", 1


def _split(text: str) -> tuple[str, str]:
    """Title and printed page number of a contents line; '' for a line without one."""
    match = _LABEL.search(text)
    label = "" if match is None else match["label"]
    title = text if match is None else text[: match.start()]
    if match is not None and not squeeze(title):
        return "", label
    if label and read_number(text) is not None and read_number(title) is None and not LEADERS.search(text):
        return text, ""  # 'ARTICLE 1': the number is the article's, not the page's
    return " ".join(_FILL.sub("", title).split()), label


def _number(label: str) -> int | None:
    """The value of an Arabic page number; None for others."""
    return int(label) if label.isdigit() else None


def _rises(numbers: Sequence[int | None]) -> bool:
    values = [number for number in numbers if number is not None]
    steps = sum(after >= before for before, after in itertools.pairwise(values))
    return steps >= MIN_RISING_SHARE * (len(values) - 1)


def _label_value(label: str) -> tuple[str, int] | None:
    """Series and value of a printed page number: '12', 'xii' and 'F-3' count in series of their own."""
    if label.isdigit():
        return "", int(label)
    if "-" in label:
        series, number = label.split("-", 1)
        return series.upper(), int(number)
    if not label:
        return None
    values = [_ROMAN[letter] for letter in label.lower()]
    return "roman", sum(-v if v < max(values[at:]) else v for at, v in enumerate(values))


def _place_by_label(entries: Sequence[Listed], places: TitlePlaces) -> None:
    """Write the physical page into the entries that no link places, by the shift that puts most titles right."""
    votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    labelled: Counter[str] = Counter()
    for entry in entries:
        value = _label_value(entry.label)
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
        value = _label_value(entry.label)
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
