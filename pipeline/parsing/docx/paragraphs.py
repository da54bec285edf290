"""From a paragraph's pieces to lines: its number in front, what is hidden or taken out on lines of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from pipeline.parsing.docx.inline import drop_cap, is_mark_gone, read_inline
from pipeline.parsing.docx.names import Element, W, flag, number, value
from pipeline.parsing.docx.state import METHOD, Inline, Piece, Place, State, WaitingLink
from pipeline.parsing.docx.styles import AUTO, BODY_LEVEL, Look, Style, is_contents_style, read_shading
from pipeline.parsing.docx.visibility import read_color
from pipeline.parsing.lines import NOWHERE, Line, SpanRead, flow_line
from pipeline.parsing.reading import GivenHeading
from pipeline.parsing.reading_order import CELL_SEPARATOR

DELETED = "deleted by a tracked change"
MOVED = "moved away by a tracked change"
MAX_LABEL_CHARS = 14  # characters before a tab that are a number typed by hand: 'Section 12.10.'
MAX_HEADING_WORDS = 25  # words of a paragraph in a heading's style that is a heading, not a clause set in that style
MAX_RUN_IN_WORDS = 12  # words of a title that a clause's text follows in the same paragraph

LABEL = re.compile(  # a number or bullet typed by hand: '1.2', '(a)', 'iv.', '§ 5', 'Article 7.', a dash
    r"[(\[]?(?:\d{1,3}(?:[.\-]\d{1,3})*[A-Za-z]?|[A-Za-z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.):\]]*"
    r"|§+\s?[\d.]+|(?:article|section|clause|part|item)\s[\w.]{1,6}[.:]?|[•●○▪■–—*-]",
    re.IGNORECASE,
)
_TABS = re.compile(r"[ \t]*\t[ \t]*")
_NUMBER = re.compile(r"[^\W_]")
_RUN_IN = re.compile(r"(?P<title>[^.:;]{2,90}?)\s*[.:](?=\s|$)")


def read_paragraph(state: State, paragraph: Element, place: Place) -> list[Line]:
    """The lines of a w:p: what is seen first, then what was taken out or is hidden; empty for an empty paragraph.

    Notes, comments and boxes wait in `state.attached`.
    """
    properties = paragraph.find(f"{W}pPr")
    style = state.styles.get(value(properties, "pStyle") or state.styles.default_paragraph)
    here = _place_of(properties, style, place)
    inline = read_inline(state, paragraph, style, here)
    carried, state.carried = state.carried, None
    if carried is not None:
        inline = _join(carried, inline)
    gone = is_mark_gone(properties)
    if gone is not None or drop_cap(properties):
        if not any(_is_seen(piece) and piece.text.strip() for piece in inline.pieces):
            return _finish(state, inline, "", style, properties, here)  # all of it was taken out
        state.carried = inline
        return []
    label = "" if _is_hidden(inline, properties) else _number(state, properties, style)
    return _finish(state, inline, label, style, properties, here)


def flush_carried(state: State, place: Place) -> list[Line]:
    """The lines of a paragraph that was to run on into one that never came."""
    inline, state.carried = state.carried, None
    if inline is None:
        return []
    return _finish(state, inline, "", state.styles.get(state.styles.default_paragraph), None, place)


def _finish(
    state: State, inline: Inline, label: str, style: Style, properties: Element | None, place: Place
) -> list[Line]:
    seen, links = _seen_lines(state, inline, label, place)
    rest = _unseen_lines(state, inline, place)
    lines = [*seen, *rest]
    state.waiting_bookmarks += [name for name, _ in inline.bookmarks]
    if not lines:
        return []
    if not state.runs_on:
        state.paragraph_count += 1
    state.runs_on = bool(seen) and _is_mark_hidden(properties)
    is_contents = place.role == "body" and (inline.is_contents or is_contents_style(style))
    for line in lines:
        line.paragraph_id = state.paragraph_count
        if is_contents:
            line.role = "toc_entry"
    for name in state.waiting_bookmarks:
        state.bookmarks.setdefault(name, lines[0])
    state.waiting_bookmarks.clear()
    if not is_contents:
        state.links += links
        if seen and place.role in ("body", "table"):
            _note_heading(state, seen, style, properties, label)
    if seen and place.role == "body" and not is_contents and style.name.casefold() == "caption":
        seen[0].role = "caption"
    return lines


def _seen_lines(state: State, inline: Inline, label: str, place: Place) -> tuple[list[Line], list[WaitingLink]]:
    """The visible lines, one for each line that was broken by hand; links and fields are tied to them."""
    rows: list[list[int]] = [[]]
    for at, piece in enumerate(inline.pieces):
        if _is_seen(piece):
            if piece.text == "\n":
                rows.append([])
            else:
                rows[-1].append(at)
    if not any(piece.text.strip() for piece in inline.pieces if _is_seen(piece)) and not _NUMBER.search(label):
        label = ""  # a bullet without a text; a number alone is something that a person reads
    lines: list[Line] = []
    line_of: dict[int, Line] = {}
    for row in rows:
        pieces = [inline.pieces[piece] for piece in row]
        front, label = ("", label) if lines else (label, "")
        text = front + _lay_tabs("".join(piece.text for piece in pieces))
        if not text.strip():
            continue
        line = flow_line(text, method=METHOD, role=place.role, style=_style_of(pieces))
        line.change = "inserted" if any(p.revision is not None and p.text.strip() for p in pieces) else ""
        lines.append(line)
        line_of.update(dict.fromkeys(row, line))
        if state.settings.spans:
            state.spans += _make_spans(line, front, pieces)
    _note_revisions(state, [(inline.pieces[at], line_of[at]) for row in rows for at in row if at in line_of])
    _tie_fields(state, inline, line_of, lines)
    return lines, _tie_links(inline, line_of)


def _make_spans(line: Line, front: str, pieces: Sequence[Piece]) -> list[SpanRead]:
    """The runs of equal look in a line; its number belongs to the first."""
    spans: list[SpanRead] = []
    for look, group in groupby(pieces, key=lambda piece: piece.look):
        text = (front + "".join(piece.text for piece in group)).replace("\t", " ")
        front = ""
        if text.strip():
            color = 0 if look.color.lower() == AUTO else read_color(look.color)
            spans.append(SpanRead(line, text.strip(), NOWHERE, (look.font, look.size, look.bold, look.italic, color)))
    return spans


def _unseen_lines(state: State, inline: Inline, place: Place) -> list[Line]:
    """A line for each stretch that was taken out or that a person does not see."""
    lines = []
    for (hidden, change), group in groupby(inline.pieces, key=_unseen_key):
        pieces = list(group)
        text = _lay_tabs("".join(piece.text for piece in pieces).replace("\n", " "))
        if not hidden or not text.strip():
            continue
        line = flow_line(text, method=METHOD, role=place.role, style=_style_of(pieces))
        line.hidden, line.change = hidden, change
        lines.append(line)
        _note_revisions(state, [(piece, line) for piece in pieces])
    return lines


def _unseen_key(piece: Piece) -> tuple[str, str]:
    """Why the piece is not seen and 'deleted' where it was taken out; '' twice for what is seen."""
    if piece.revision is not None and piece.revision.change == "deleted":
        return (MOVED if piece.revision.kind == "moved away" else DELETED), "deleted"
    return piece.hidden, ""


def _is_seen(piece: Piece) -> bool:
    return not piece.hidden and not (piece.revision is not None and piece.revision.change == "deleted")


def _note_revisions(state: State, placed: Sequence[tuple[Piece, Line]]) -> None:
    for (revision, _), group in groupby(placed, key=lambda pair: (pair[0].revision, id(pair[1]))):
        members = list(group)
        text = "".join(piece.text for piece, _ in members).strip()
        if revision is not None and text:
            state.revisions.append((revision, text, members[0][1]))


def _tie_fields(state: State, inline: Inline, line_of: dict[int, Line], lines: Sequence[Line]) -> None:
    for start, end, field in inline.fields:
        held = [line_of[at] for at in range(start, max(end, start + 1)) if at in line_of]
        field.line = held[0] if held else (lines[0] if lines else None)
        state.fields.append(field)


def _tie_links(inline: Inline, line_of: dict[int, Line]) -> list[WaitingLink]:
    links = []
    searched: dict[int, int] = {}  # where the next link of a line is looked for
    for start, end, anchor in sorted(inline.links):
        held = [at for at in range(start, end) if at in line_of]
        if not held:
            continue
        line = line_of[held[0]]
        text = _lay_tabs("".join(inline.pieces[at].text for at in held if line_of[at] is line)).strip()
        begin = line.text.find(text, searched.get(id(line), 0)) if text else -1
        if begin >= 0:
            searched[id(line)] = begin + len(text)
            links.append(WaitingLink(line, begin, text, anchor))
    return links


def _lay_tabs(text: str) -> str:
    """One blank for the tab behind a number typed by hand, the gap between cells for any other."""
    if "\t" not in text:
        return text
    text = text.strip("\t ")
    head, _, rest = text.partition("\t")
    if rest and len(head) <= MAX_LABEL_CHARS and LABEL.fullmatch(head.strip()):
        text = f"{head.strip()} {rest.strip()}"
    return _TABS.sub(CELL_SEPARATOR, text)


def _style_of(pieces: Sequence[Piece]) -> tuple[str, float, bool, bool]:
    """Font and size of most characters; bold and italic where most are."""
    weights: Counter[Look] = Counter()
    for piece in pieces:
        weights[piece.look] += len(piece.text.strip())
    if not weights:
        return ("", 0.0, False, False)
    fonts: Counter[tuple[str, float]] = Counter()
    for look, weight in weights.items():
        fonts[look.font, look.size] += weight
    font, size = max(fonts, key=lambda key: (fonts[key], key))
    half = sum(weights.values()) / 2
    bold = sum(weight for look, weight in weights.items() if look.bold) > half
    italic = sum(weight for look, weight in weights.items() if look.italic) > half
    return (font, size, bold, italic)


def _place_of(properties: Element | None, style: Style, place: Place) -> Place:
    own = None if properties is None else read_shading(properties.find(f"{W}shd"))
    ground = own or style.ground
    return place.within(ground=ground) if ground else place


def _is_hidden(inline: Inline, properties: Element | None) -> bool:
    """A paragraph that is hidden or taken out with its end: Word does not count it."""
    return _is_mark_hidden(properties) and not any(_is_seen(piece) for piece in inline.pieces)


def _is_mark_hidden(properties: Element | None) -> bool:
    """The paragraph's end is hidden: the next one goes on beside it, as a heading does that runs into its clause."""
    runs = None if properties is None else properties.find(f"{W}rPr")
    return bool(flag(runs, "vanish")) or bool(flag(runs, "specVanish"))


def _number(state: State, properties: Element | None, style: Style) -> str:
    numbered = state.numbering.find(properties, style)
    return "" if numbered is None else state.numbering.label(*numbered)


def _join(before: Inline, inline: Inline) -> Inline:
    """A paragraph that ran on, with the one that it runs into."""
    by = len(before.pieces)
    before.pieces += inline.pieces
    before.bookmarks += [(name, at + by) for name, at in inline.bookmarks]
    before.links += [(start + by, end + by, anchor) for start, end, anchor in inline.links]
    before.fields += [(start + by, end + by, field) for start, end, field in inline.fields]
    before.is_contents = before.is_contents or inline.is_contents
    return before


def _note_heading(state: State, lines: Sequence[Line], style: Style, properties: Element | None, label: str) -> None:
    """Add the heading that a paragraph is by its outline level; a clause set in a heading's style gives its title."""
    level = _outline_level(properties, style)
    text = " ".join(line.text for line in lines)
    if level is None:
        if style.name.casefold() == "title":
            state.titles.append(GivenHeading(lines[0], 1, text, lines[-1]))
        return
    if len(text.split()) > MAX_HEADING_WORDS:
        body = lines[0].text.removeprefix(label)
        match = _RUN_IN.match(body)
        if match is None or len(match["title"].split()) > MAX_RUN_IN_WORDS:
            return
        state.headings.append(GivenHeading(lines[0], level, f"{label}{match['title']}".strip()))
        return
    state.headings.append(GivenHeading(lines[0], level, text, lines[-1]))


def _outline_level(properties: Element | None, style: Style) -> int | None:
    """Level of a heading from 1; None for text."""
    direct = number(value(properties, "outlineLvl"))
    if direct is not None:
        return direct + 1 if 0 <= direct < BODY_LEVEL else None
    return None if style.outline is None else style.outline + 1
