"""A web page as lines: blocks, lists, tables, links and fields in the order in which a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.parsing.reading import GivenHeading
from pipeline.parsing.web.buffer import Buffer, Link, Placed, place, split_rows
from pipeline.parsing.web.fields import read_field
from pipeline.parsing.web.lists import next_marker, open_list
from pipeline.parsing.web.roles import SECTIONING, find_region, is_footnote
from pipeline.parsing.web.state import Flow, Frame
from pipeline.parsing.web.style import Look, Style, derive_look, hide, read_style
from pipeline.parsing.web.tables import TableDraft, close_row, fold_figures, is_marker, join_row, make_cells, open_cell
from pipeline.parsing.web.tree import walk

BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div",
     "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
     "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre",
     "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp", "text"}
)  # fmt: skip
MIN_IMAGE_PIXELS = 3  # pixels of a side; smaller images are spacers or count visits
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_BLOCK_DISPLAYS = ("block", "flex", "grid", "table", "list-item", "flow-root")
_LISTS = ("ol", "ul", "menu", "dir")
_ELSEWHERE = ("iframe", "object", "embed", "video", "audio", "frame", "applet")


def read_flow(root: Any, flow: Flow, look: Look) -> None:
    """Fill `flow` from the tree under `root`, whose outermost look is `look`."""
    flow.frames = [Frame("", look, is_block=True)]
    for event, node in walk(root):
        if event == "text":
            _add_text(flow, node.text_content)
        elif event == "start":
            _start(flow, node)
        elif event == "end":
            _end(flow)
        elif node.tag in _ELSEWHERE:
            flow.unread += not flow.top.look.hidden
        elif node.tag in ("select", "textarea"):
            _add_field(flow, node)
    _break(flow, is_forced=True)


def _start(flow: Flow, node: Any) -> None:
    tag, attributes = node.tag, node.attributes
    style = flow.sheet.get(node.mem_id, {}) | read_style(attributes.get("style") or "")
    frame = _open_frame(flow, tag, attributes, style)
    if frame.is_block:
        _break(flow)
    flow.buffer.anchors += [name for name in (attributes.get("id"), tag == "a" and attributes.get("name")) if name]
    frame.first_line = len(flow.lines)
    flow.frames.append(frame)
    if tag in ("table", "thead", "tr", "td", "th"):
        _start_table_part(flow, frame, node)
    elif tag in _LISTS:
        frame.items = open_list(tag, attributes, style, _count_items(node) if "reversed" in attributes else 0)
    elif tag == "li" and not frame.is_block:  # set in a row, without a marker
        flow.buffer.add(" ", frame.look)
    elif tag == "li" and not frame.look.hidden:
        flow.marker = f"{flow.marker} {next_marker(frame.items, attributes, style)}".strip()
    elif tag == "br":
        _break_line(flow)
    elif tag == "a":
        _start_link(flow, frame, attributes.get("href") or "")
    elif tag == "q":
        _add_text(flow, "“")
    elif tag in ("img", "svg"):
        flow.images += _is_shown_image(frame.look, attributes)
    elif tag == "input":
        _add_field(flow, node)


def _open_frame(flow: Flow, tag: str, attributes: Mapping[str, str | None], style: Style) -> Frame:
    above = flow.top
    look = derive_look(above.look, tag, attributes, style)
    if not look.gone and tag == "noscript":
        look = hide(look, "shown only where scripts do not run")
    elif not look.gone and tag == "dialog" and "open" not in attributes:
        look = hide(look, "not displayed (a closed dialog)")
    display = style.get("display", "")
    is_block = (tag in BLOCKS and display not in ("inline", "contents")) or display.startswith(_BLOCK_DISPLAYS)
    level = _LEVELS.get(tag, 0)
    if (attributes.get("role") or "").lower() == "heading":
        told = attributes.get("aria-level") or ""
        level = int(told) if told in tuple("123456789") else 2  # ARIA 1.2: without a level it is of level 2
    role = above.role
    if is_footnote(tag, attributes):
        role = "footnote"
    elif tag in ("caption", "figcaption"):
        role = "caption"
    region = find_region(tag, attributes, in_part=above.in_part)
    if region:
        flow.region_count += 1
        region = f"{region} {flow.region_count}"
    return Frame(
        tag, look, is_block, role, region or above.region, above.items,
        0 if above.in_cell else level, draft=above.draft, in_cell=above.in_cell, in_row=above.in_row,
        in_head=above.in_head or tag == "thead", in_part=above.in_part or tag in SECTIONING,
    )  # fmt: skip


def _start_table_part(flow: Flow, frame: Frame, node: Any) -> None:
    if frame.tag == "table":
        frame.in_row = frame.in_head = False
        frame.draft = None
        if flow.data_tables.get(node.mem_id) and not frame.look.hidden:
            flow.table_count += 1
            frame.draft = TableDraft(flow.table_count)
            flow.drafts.append(frame.draft)
    elif frame.draft is None:
        frame.in_row = frame.in_row or (frame.tag == "tr" and not frame.in_cell)
    elif frame.tag == "tr":
        frame.draft.rows.append([])
        if frame.in_head:
            frame.draft.head_rows.add(len(frame.draft.rows) - 1)
    elif frame.tag in ("td", "th"):
        if not frame.draft.rows:
            frame.draft.rows.append([])
        frame.cell = open_cell(frame.draft, frame.tag, node.attributes)
        frame.outer, flow.buffer = flow.buffer, frame.cell.buffer
        frame.in_cell = True


def _start_link(flow: Flow, frame: Frame, href: str) -> None:
    """Links inside the page alone: where others lead is no part of the document."""
    name = href.strip().removeprefix("#")
    if href.strip().startswith("#") and name and not frame.look.hidden:
        frame.link = Link(name, len(flow.buffer.text))
        flow.buffer.links.append(frame.link)
        flow.linked.append(frame)


def _end(flow: Flow) -> None:
    frame = flow.top
    if frame.tag == "q":
        _add_text(flow, "”")
    if frame.link is not None:
        frame.link.end = len(flow.buffer.text)
        flow.linked.remove(frame)
    if frame.cell is not None and frame.outer is not None:
        flow.buffer = frame.outer
    elif frame.draft is not None and frame.tag == "tr":
        _end_row(flow, frame.draft)
    elif frame.draft is not None and frame.tag == "table":
        _end_table(flow, frame.draft)
    elif frame.is_block:
        _break(flow, is_forced=frame.tag == "tr")
    if frame.tag == "li":
        flow.marker = ""
    flow.frames.pop()
    if frame.level:
        _end_heading(flow, frame)


def _end_heading(flow: Flow, frame: Frame) -> None:
    lines = [line for line in flow.lines[frame.first_line :] if line.visible and line.role == "body"]
    if lines:
        title = " ".join(line.text for line in lines)
        flow.headings.append(GivenHeading(lines[0], frame.level, title, lines[-1]))


def _end_row(flow: Flow, draft: TableDraft) -> None:
    row = draft.rows[-1]
    placed = place(join_row(row), role="table")
    deferred, draft.deferred = draft.deferred, []
    seen = [line for line in placed.lines if line.visible]
    for cell in row:
        cell.line = seen[0] if seen else None
    fold_figures(row)
    for item in (placed, *deferred):
        _emit(flow, item, flow.drafts[:-1])
    close_row(draft)


def _end_table(flow: Flow, draft: TableDraft) -> None:
    flow.drafts.pop()
    flow.cells += make_cells(draft)


def _emit(flow: Flow, placed: Placed, around: list[TableDraft]) -> None:
    """Add lines; those of a table inside a cell come after the row that the cell is in."""
    if around:
        around[-1].deferred.append(placed)
        return
    for line in placed.lines:
        is_row = line.role == "table"
        if flow.is_fresh or is_row:
            flow.paragraph += 1
        flow.is_fresh = is_row
        line.paragraph_id = flow.paragraph
        if flow.top.region:
            flow.regions[id(line)] = flow.top.region
    flow.struck += placed.is_struck
    flow.lines += placed.lines
    flow.links += placed.links
    flow.fields += placed.fields
    for name in placed.anchors:
        if placed.lines:
            flow.anchors.setdefault(name, placed.lines[0])


def _add_text(flow: Flow, text: str) -> None:
    look = flow.top.look
    if not look.keeps_breaks:
        _add_words(flow, text, look)
        return
    for at, row in enumerate(split_rows(text)):
        if at:
            _break_line(flow)
        _add_words(flow, row, look)


def _add_words(flow: Flow, text: str, look: Look) -> None:
    if flow.marker and text.strip() and not look.hidden:
        flow.buffer.add(flow.marker + " ", look)
        flow.marker = ""
    flow.buffer.add(text, look)


def _break_line(flow: Flow) -> None:
    """A new line of the same paragraph; a second one in a row leaves a blank line, which ends it."""
    if flow.top.in_cell:
        flow.buffer.add(" ", flow.top.look)
    elif flow.buffer.is_blank:
        flow.is_fresh = True
    else:
        _flush(flow)


def _break(flow: Flow, *, is_forced: bool = False) -> None:
    """The end of a block; in a row that arranges text, a number alone stays with the words in the next cell."""
    stays = flow.top.in_row and not is_forced and is_marker(flow.buffer.text)
    if flow.top.in_cell or stays:
        flow.buffer.add(" ", flow.top.look)
    else:
        _flush(flow)
        flow.is_fresh = True


def _flush(flow: Flow) -> None:
    done, flow.buffer = flow.buffer, Buffer()
    for frame in flow.linked:  # a link around several blocks goes on in the next line
        if frame.link is not None and frame.link.end < 0:
            frame.link.end = len(done.text)
            frame.link = Link(frame.link.target, 0)
            flow.buffer.links.append(frame.link)
    if done.is_blank:
        flow.buffer.anchors = done.anchors
        flow.fields += done.fields
        return
    _emit(flow, place(done, role=flow.top.role), [])


def _add_field(flow: Flow, node: Any) -> None:
    style = flow.sheet.get(node.mem_id, {}) | read_style(node.attributes.get("style") or "")
    look = derive_look(flow.top.look, "", node.attributes, style)
    entry, shown = read_field(node)
    if entry is None or look.hidden:
        return
    flow.buffer.fields.append(entry)
    if shown:
        _add_words(flow, f" {shown} ", look)


def _is_shown_image(look: Look, attributes: Mapping[str, str | None]) -> bool:
    sides = [(attributes.get(side) or "").strip().removesuffix("px") for side in ("width", "height")]
    return not look.hidden and not any(side.isdecimal() and int(side[:9]) < MIN_IMAGE_PIXELS for side in sides)


def _count_items(node: Any) -> int:
    count, child = 0, node.child
    while child is not None:
        count += child.tag == "li"
        child = child.next
    return count
