"""Two sources of headings made one tree: what lists the upper levels, and the body's numbering for those below."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from pipeline.parsing.numbering import HeadingNumber, read_number
from pipeline.parsing.outline import Heading


def combine_headings(upper: Sequence[Heading], body: Sequence[Heading]) -> list[Heading]:
    """`upper` with those of `body` that stand deeper than it goes, in the order of the text.

    A numbered heading of the body joins when its kind and depth of number are not among those that `upper` lists:
    where the contents name every 1.1, a further '1.1' is none. It goes one level under the heading that its number
    names as its parent, else under the one it stands below, in the order in which the body's own levels nest.
    """
    ordered = sorted(upper, key=lambda heading: heading.line_id)
    taken = {line_id for heading in ordered for line_id in range(heading.line_id, heading.last_line_id + 1)}
    listed = {_kind(number) for heading in ordered if (number := read_number(heading.title)) is not None}
    starts = [heading.line_id for heading in ordered]
    merged: list[Heading] = list(ordered)
    body_level: dict[int, int] = {heading.line_id: heading.level for heading in body}
    for heading in body:
        number = read_number(heading.title)
        if number is None or heading.line_id in taken or _kind(number) in listed:
            continue
        at = bisect_right(starts, heading.line_id) - 1
        if at < 0:
            continue
        above = ordered[at]
        depth = 1
        own = body_level.get(above.line_id)
        if own is not None:
            depth = heading.level - own
            if depth < 1:
                continue
        merged.append(replace(heading, level=above.level + depth))
    return sorted(merged, key=lambda heading: heading.line_id)


def _kind(number: HeadingNumber) -> tuple[str, int]:
    return number.kind, len(number.parts)
