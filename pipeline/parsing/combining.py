"""Two sources of headings made one tree: what lists the upper levels, and the body's own headings for those below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import HeadingNumber, read_number
from pipeline.parsing.outline import Heading
from pipeline.parsing.titles import Styles

MAX_SHALLOW = 2  # levels of a contents page that leaves the lower ones out; a deeper one is taken to be complete


def combine_headings(upper: Sequence[Heading], body: Sequence[Heading], by_id: Mapping[int, Line]) -> list[Heading]:
    """`upper` with those of `body` that stand deeper than it goes, in the order of the text.

    A numbered heading of the body joins when its kind and depth of number are not among those that `upper` lists:
    where the contents name every 1.1, a further '1.1' is none. One told by its type joins where `upper` is shallow and
    lists nothing that is set like it. Each goes as much deeper under the heading before it as it does in the body.
    `by_id` gives the lines by their ids.
    """
    ordered = sorted(upper, key=lambda heading: heading.line_id)
    taken = {line_id for heading in ordered for line_id in range(heading.line_id, heading.last_line_id + 1)}
    listed = {_kind(number) for heading in ordered if (number := read_number(heading.title)) is not None}
    styles = Styles(list(by_id.values()))
    looks = {styles.of(by_id[heading.line_id])[1:] for heading in ordered if heading.found}
    is_shallow = max(heading.level for heading in ordered) <= MAX_SHALLOW if ordered else False
    own = {heading.line_id: heading.level for heading in body}
    merged: list[Heading] = list(ordered)
    anchor: tuple[int, int] | None = None  # level in `upper` and in the body of the last heading that both have
    at = 0
    for heading in body:
        while at < len(ordered) and ordered[at].line_id <= heading.line_id:
            level = own.get(ordered[at].line_id)
            anchor = (ordered[at].level, level if level is not None else anchor[1] if anchor else 0)
            at += 1
        number = read_number(heading.title)
        if anchor is None or heading.line_id in taken or heading.level <= anchor[1]:
            continue
        like = by_id[heading.line_id]
        fits = _kind(number) not in listed if number is not None else is_shallow and styles.of(like)[1:] not in looks
        if fits:
            merged.append(replace(heading, level=anchor[0] + heading.level - anchor[1]))
    return sorted(merged, key=lambda heading: heading.line_id)


def _kind(number: HeadingNumber) -> tuple[str, int]:
    return number.kind, len(number.parts)
