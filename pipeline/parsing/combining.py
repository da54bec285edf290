"""Two sources of headings made one tree: what lists the upper levels, and the body's own headings for those below."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.parsing.heading_sequence import ITEM_KINDS
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, HeadingNumber, read_mark
from pipeline.parsing.outline import Heading, is_run_in
from pipeline.parsing.titles import Style, Styles

MAX_SHALLOW = 2  # levels of a contents page that leaves the lower ones out; a deeper one is taken to be complete
KNOWN_SHARE = 0.25  # headings of one kind of number that `upper` lists, from which it is taken to list all of them
COMPLETE_SHARE = 0.7  # headings of one style that the contents list, from which the others of the style are none


def combine_headings(
    upper: Sequence[Heading], body: Sequence[Heading], by_id: Mapping[int, Line], *, is_list: bool = True
) -> list[Heading]:
    """`upper` with those of `body` that it leaves out, in the order of the text.

    A numbered heading of the body joins when its kind and depth of number are not among those that `upper` lists:
    where the contents name every 1.1, a further '1.1' is none; items with their text on the same line only join where
    `upper` is shallow. Where `upper` is no list of contents (`is_list` False)
    but what a format names as headings, and names few of a kind, the others of it stand beside these. One told by its
    type joins beside headings of its style where `upper` lists few of these, and below where `upper` is shallow.
    `by_id` gives the lines by their ids.
    """
    ordered = sorted(upper, key=lambda heading: heading.line_id)
    if not ordered:
        return list(body)
    taken = {line_id for heading in ordered for line_id in range(heading.line_id, heading.last_line_id + 1)}
    kinds, few = _read_kinds(ordered, body, by_id)
    few = {} if is_list else few
    styles = Styles(list(by_id.values()))
    beside, complete = _read_styles(ordered, body, taken, styles, by_id)
    is_shallow = max(heading.level for heading in ordered) <= MAX_SHALLOW
    own = {heading.line_id: heading.level for heading in body}
    merged: list[Heading] = list(ordered)
    opened: list[int] = []  # body levels of the joined headings that are open under the anchor
    anchor: Heading | None = None
    is_behind = False  # in a schedule that `upper` does not list
    at = 0
    for heading in body:
        while at < len(ordered) and ordered[at].line_id <= heading.line_id:
            anchor, opened, is_behind = ordered[at], [], False
            at += 1
        if anchor is None or heading.line_id in taken:
            continue
        number = read_mark(heading.title)
        if number is not None and number.kind in ATTACHED and not any(kind == number.kind for kind, _ in kinds):
            anchor, opened, is_behind = replace(heading, level=1), [], True
            own[heading.line_id] = heading.level
            merged.append(anchor)
            continue
        style = styles.of(by_id[heading.line_id])[1:]
        if number is None:
            level = beside.get(style) if style not in complete else None
        else:
            level = few.get(_kind(number)) if style in beside else None
        if level is not None and not is_behind:
            anchor, opened = replace(heading, level=level), []
            merged.append(anchor)
            continue
        if number is not None:
            fits = (is_behind or _kind(number) not in kinds) and heading.level > own.get(anchor.line_id, 0)
            is_minor = number.kind in ITEM_KINDS and is_run_in(heading, by_id[heading.line_id])
            fits = fits and not (is_minor and not (is_shallow or is_behind))
        else:
            fits = is_shallow and style not in beside
        if fits:
            while opened and opened[-1] >= heading.level:
                opened.pop()
            opened.append(heading.level)
            merged.append(replace(heading, level=anchor.level + len(opened)))
    return sorted(merged, key=lambda heading: heading.line_id)


def _read_kinds(
    upper: Sequence[Heading], body: Sequence[Heading], by_id: Mapping[int, Line]
) -> tuple[set[tuple[str, int]], dict[tuple[str, int], int]]:
    """The kinds of number that `upper` has, and the level of those of which it lists less than the body has beside."""
    levels: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for heading in upper:
        number = read_mark(heading.title) or (read_mark(by_id[heading.line_id].text) if heading.found else None)
        if number is not None:
            levels[_kind(number)].append(heading.level)
    counts = Counter(_kind(number) for heading in body if (number := read_mark(heading.title)) is not None)
    few = {
        kind: max(set(found), key=lambda n: (found.count(n), -n))
        for kind, found in levels.items()
        if kind[0] not in ATTACHED and len(found) < KNOWN_SHARE * counts[kind]
    }
    return set(levels), few


def _read_styles(
    upper: Sequence[Heading],
    body: Sequence[Heading],
    taken: set[int],
    styles: Styles,
    by_id: Mapping[int, Line],
) -> tuple[dict[tuple[object, ...], int], set[tuple[object, ...]]]:
    """The level of each style that `upper` has headings in, and the styles of which it lists nearly all."""
    levels: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for heading in upper:
        if heading.found:
            levels[_look(styles.of(by_id[heading.line_id]))].append(heading.level)
    free: defaultdict[tuple[object, ...], int] = defaultdict(int)
    for heading in body:
        if heading.line_id not in taken and read_mark(heading.title) is None:
            free[_look(styles.of(by_id[heading.line_id]))] += 1
    complete = {look for look, found in levels.items() if len(found) >= COMPLETE_SHARE * (len(found) + free[look])}
    return {look: max(set(found), key=lambda n: (found.count(n), -n)) for look, found in levels.items()}, complete


def _look(style: Style) -> tuple[object, ...]:
    return style[1:]


def _kind(number: HeadingNumber) -> tuple[str, int]:
    return number.kind, len(number.parts)
