"""The entries of a document's contents pages: titles, printed page numbers, and where links lead."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import LEADERS, read_number, squeeze
from pipeline.parsing.outline import TitlePlaces
from pipeline.parsing.reading import LinkRead

MIN_STANDING_SHARE = 0.5  # share of a contents page's entries whose title must stand in the text
MIN_RISING_SHARE = 0.75  # share of neighbouring page numbers that do not fall; in an index they fall as often as rise
MAX_ENTRY_LINES = 4  # lines of an entry
MAX_TITLE_CHARS = 300  # characters of an entry's title
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
            standing >= MIN_STANDING_SHARE * len(found)
            and _rises([_number(entry.label) for entry in found])
            and (not entries or _is_later_part(entries, found))
        ):
            entries += found
    return entries


def label_value(label: str) -> tuple[str, int] | None:
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


def _group(lines: Sequence[Line]) -> Iterable[list[Line]]:
    """Runs of contents lines on one page or on pages that follow each other; of two columns the left one first."""
    group: list[Line] = []
    entries = [line for line in lines if line.role == "toc_entry" and line.visible]
    for line in sorted(entries, key=lambda line: (line.page_num, line.column == "right")):
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
