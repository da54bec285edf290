"""What stands right after a context: the lines by which one tells whether it was cut; never an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.retrieval.lines import Lines
from schemas.retrieval import Continuation

PEEKED_LINES = 12  # lines: METHOD 4.2 looks at the top of the next page, where a heading or a list mark stands


def continuation_of(lines: Lines, context: Sequence[int], titles: Mapping[str, str]) -> Continuation:
    """The next lines in reading order after a context (positions), hidden and blank ones and running headers left out.

    `titles` are the titles of the sections by their id. Without lines the document ends where the context does.
    """
    following: list[int] = []
    for position in range(context[-1] + 1, len(lines.texts)):
        if lines.readable[position] and lines.texts[position].strip():
            following.append(position)
            if len(following) == PEEKED_LINES:
                break
    if not following:
        return Continuation(lines=(), text="", is_new_section=False)
    first, section = following[0], lines.section_ids[following[0]]
    block = lines.block_at(first)
    return Continuation(
        lines=tuple(map(lines.ref, following)),
        text="\n".join(lines.texts[position] for position in following),
        is_new_section=section != lines.section_ids[context[-1]] or (block is not None and lines.is_heading[block]),
        section_title=titles.get(section or ""),
    )
