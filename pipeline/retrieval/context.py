"""How much is read around an anchor: by the question's `answer_context`, cut at structure, inside a budget."""

from __future__ import annotations

import re
from itertools import groupby

from pipeline.retrieval.evidence import Unit
from pipeline.retrieval.lines import Lines, numbering_of
from pipeline.retrieval.named_parties import PARTIES_CONTEXT, asks_parties, last_of_parties
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals
from pipeline.retrieval.statements import is_label_alone
from pipeline.retrieval.table_rows import row_facts

LINE_CONTEXT = 1_200  # characters; a paragraph up to this length is the context of a line as well
SHORT_BLOCK = 160  # characters; a shorter block ("as follows:", a defined rate) is read with the one after it
WHOLE_SHARE = 0.9  # share of the lines; a section that long is the document, not a chapter of it
CAPTION_CONTEXT = 1_200  # characters under a caption; a table of some thirty rows
LIST_CONTEXT = 1_800  # characters of list items read after the sentence that opens them

_ITEM = re.compile(r"^\s*(?:[•●▪◦‣·*\-–—]|\(?[a-z0-9ivx]{1,4}[.)]|\([a-z0-9ivx]{1,4}\))\s*\S", re.IGNORECASE)


def context_of(search: Search, unit: Unit, signals: Signals, anchor: tuple[int, int]) -> list[int]:
    """Positions of the lines that are read with an anchor, in order; hidden lines and running headers left out.

    line: the paragraph, or a few lines of a long one; paragraph: the block with the heading over it, and under a
    caption what it names; page; section: the section to its last line; chapter: the outermost section that holds it;
    document: all of it. A section whose title is the topic is read whole
    for a paragraph too. What exceeds the budget is cut at blocks, nearest to the anchor first; a block that alone
    exceeds it is cut at lines.
    """
    lines, budget = search.lines, search.settings.context_characters
    mode = search.query.hints.answer_context
    if signals.row_names is not None and mode in ("line", "paragraph") and signals.title_fit != "named":
        return _row_with_head(search, unit, anchor)
    if mode == "page":
        region = _page_region(lines, anchor)
    elif mode == "document":
        region = 0, len(lines.texts) - 1
    elif mode == "chapter":
        region = _chapter_region(search, unit, anchor)
    elif mode == "section" or (mode == "paragraph" and signals.title_fit in ("named", "exact")):
        region = _section_region(search, unit, signals, anchor)
    else:
        region = _caption_region(lines, unit, anchor) if signals.caption else _unit_region(lines, unit, anchor)
        if mode == "line":
            budget = min(budget, LINE_CONTEXT)
    if asks_parties(search.query):
        named = last_of_parties(lines, unit.block)
        if named > unit.block:
            region, budget = (region[0], max(region[1], lines.block_positions(named)[-1])), PARTIES_CONTEXT
    region = min(region[0], anchor[0]), max(region[1], anchor[1])
    return _within(lines, region, anchor, budget)


def snippet_of(lines: Lines, context: list[int], anchor: tuple[int, int]) -> str:
    """Three to five lines of the context around the anchor, joined by newlines; the first five of a longer anchor."""
    inside = [index for index, position in enumerate(context) if anchor[0] <= position <= anchor[1]]
    first, last = inside[0], inside[-1]
    while last - first < 2 and (first > 0 or last + 1 < len(context)):  # three lines
        if last + 1 < len(context):
            last += 1
        if last - first < 2 and first > 0:
            first -= 1
    return "\n".join(lines.texts[position] for position in context[first : min(last, first + 4) + 1])


def _row_with_head(search: Search, unit: Unit, anchor: tuple[int, int]) -> list[int]:
    """The row, the figures that slipped a line, and the title and the heads of its columns, in order."""
    lines = search.lines
    last = lines.block_positions(unit.block)[-1]
    if is_label_alone(lines, unit.block):
        last = lines.block_positions(unit.block + 1)[-1]
    row = range(min(lines.block_positions(unit.block)[0], anchor[0]), max(last, anchor[1]) + 1)
    return sorted({*row_facts(search, unit).head, *(position for position in row if lines.readable[position])})


def _page_region(lines: Lines, anchor: tuple[int, int]) -> tuple[int, int]:
    first, last = anchor
    while first > 0 and lines.page_nums[first - 1] == lines.page_nums[anchor[0]]:
        first -= 1
    while last + 1 < len(lines.page_nums) and lines.page_nums[last + 1] == lines.page_nums[anchor[1]]:
        last += 1
    return first, last


def _section_region(search: Search, unit: Unit, signals: Signals, anchor: tuple[int, int]) -> tuple[int, int]:
    """First and last position of the section; of the run under the heading where there is no table of contents."""
    lines = search.lines
    line_id = lines.line_ids[anchor[0]]
    if signals.title_fit in ("named", "exact"):
        for match in search.titles:
            if match.fit == signals.title_fit and match.start_line_id <= line_id <= match.end_line_id:
                return lines.position(match.start_line_id), lines.position(match.end_line_id)
    bounds = search.sections.get(lines.section_ids[anchor[0]] or "")
    if bounds is not None:
        return min(lines.position(bounds[0]), anchor[0]), max(lines.position(bounds[1]), anchor[1])
    return _run_region(lines, unit, anchor)


def _chapter_region(search: Search, unit: Unit, anchor: tuple[int, int]) -> tuple[int, int]:
    """First and last position of the outermost section around the anchor that is not the whole document.

    A document whose outline has one entry above all others (its title) is divided by the entries below that.
    """
    lines, toc = search.lines, search.document.toc_df
    line_id = lines.line_ids[anchor[0]]
    around = toc[(toc["start_line_id"] <= line_id) & (line_id <= toc["end_line_id"])].sort_values("level")
    for start, end in zip(around["start_line_id"].tolist(), around["end_line_id"].tolist(), strict=True):
        first, last = lines.position(start), lines.position(end)
        if last - first < WHOLE_SHARE * len(lines.texts):
            return min(first, anchor[0]), max(last, anchor[1])
    return _run_region(lines, unit, anchor)


def _run_region(lines: Lines, unit: Unit, anchor: tuple[int, int]) -> tuple[int, int]:
    first = last = unit.block
    over = lines.heading_over[unit.block]
    while first > 0 and not lines.is_heading[first - 1] and lines.heading_over[first - 1] == over:
        first -= 1
    while last + 1 < lines.block_count and not lines.is_heading[last + 1]:
        last += 1
    for heading in unit.headings:
        if heading == first - 1:
            first = heading
    return min(lines.block_positions(first)[0], anchor[0]), max(lines.block_positions(last)[-1], anchor[1])


def _unit_region(lines: Lines, unit: Unit, anchor: tuple[int, int]) -> tuple[int, int]:
    """The block, the headings directly above it, and what it opens: its list, or the next block after a short one."""
    first = last = unit.block
    for heading in unit.headings:
        if heading == first - 1:
            first = heading
    text = lines.block_text(unit.block)
    if text.rstrip().endswith((":", ":-", "—")):
        size = 0
        while _continues(lines, unit, last + 1) and size < LIST_CONTEXT:
            following = lines.block_text(last + 1)
            if last > unit.block and not _ITEM.match(following):
                break
            last, size = last + 1, size + len(following)
    elif (len(text) < SHORT_BLOCK or unit.near_value) and _continues(lines, unit, last + 1):
        last += 1
    return min(lines.block_positions(first)[0], anchor[0]), max(lines.block_positions(last)[-1], anchor[1])


def _caption_region(lines: Lines, unit: Unit, anchor: tuple[int, int]) -> tuple[int, int]:
    """The caption and what stands under it on its page, up to the next heading or caption: the table, or its text."""
    page, last, size = lines.page_nums[anchor[0]], unit.block, 0
    while last + 1 < lines.block_count and not lines.is_heading[last + 1] and size < CAPTION_CONTEXT:
        positions = lines.block_positions(last + 1)
        if lines.page_nums[positions[0]] != page or lines.roles[positions[0]] == "caption":
            break
        last, size = last + 1, size + len(lines.block_text(last + 1))
    return anchor[0], max(lines.block_positions(last)[-1], anchor[1])


def _continues(lines: Lines, unit: Unit, block: int) -> bool:
    return (
        block < lines.block_count
        and not lines.is_heading[block]
        and lines.heading_over[block] == lines.heading_over[unit.block]
        and not (numbering_of(lines.block_text(block))[0][:1].isdigit() and not unit.near_value)
    )


def _within(lines: Lines, region: tuple[int, int], anchor: tuple[int, int], budget: int) -> list[int]:
    """The readable lines of a region, or the blocks around the anchor that fit the budget."""
    region = _reach(lines, region, anchor, budget)
    shown = [position for position in range(region[0], region[1] + 1) if lines.readable[position]]
    sizes = {position: len(lines.texts[position]) + 1 for position in shown}
    if sum(sizes.values()) <= budget:
        return shown
    blocks = [list(group) for _, group in groupby(shown, key=lines.block_at)]
    holding = [index for index, block in enumerate(blocks) if block[-1] >= anchor[0] and block[0] <= anchor[1]]
    first, last = holding[0], holding[-1]
    used = sum(sizes[position] for block in blocks[first : last + 1] for position in block)
    if used > budget:
        return _lines_within([p for block in blocks[first : last + 1] for p in block], sizes, anchor, budget)
    grew = True
    while grew:
        grew = False
        for index in (last + 1, first - 1):
            if not 0 <= index < len(blocks):
                continue
            size = sum(sizes[position] for position in blocks[index])
            if used + size <= budget:
                used, grew = used + size, True
                first, last = min(first, index), max(last, index)
    return [position for block in blocks[first : last + 1] for position in block]


def _reach(lines: Lines, region: tuple[int, int], anchor: tuple[int, int], budget: int) -> tuple[int, int]:
    """The region without what lies farther from the anchor than the budget on either side: it never fits."""
    first, last = anchor
    for step, end in ((-1, region[0]), (1, region[1])):
        at, size = (first if step < 0 else last), 0
        while at != end and size <= budget:
            at += step
            size += len(lines.texts[at]) + 1 if lines.readable[at] else 0
        first, last = (at, last) if step < 0 else (first, at)
    return first, last


def _lines_within(shown: list[int], sizes: dict[int, int], anchor: tuple[int, int], budget: int) -> list[int]:
    """Lines around an anchor inside one long block; the anchor itself is always whole."""
    inside = [index for index, position in enumerate(shown) if anchor[0] <= position <= anchor[1]]
    first, last = inside[0], inside[-1]
    used = sum(sizes[shown[index]] for index in range(first, last + 1))
    grew = True
    while grew:
        grew = False
        for index in (last + 1, first - 1):
            if 0 <= index < len(shown) and used + sizes[shown[index]] <= budget:
                used, grew = used + sizes[shown[index]], True
                first, last = min(first, index), max(last, index)
    return shown[first : last + 1]
