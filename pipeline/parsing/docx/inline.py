"""The inside of a paragraph as pieces of text: runs, fields, tracked changes, links, notes, symbols, formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipeline.parsing.docx.drawings import read_drawing, read_object, read_picture
from pipeline.parsing.docx.fields import UNCLOSED, close_field, field_link, read_control
from pipeline.parsing.docx.maths import read_formula
from pipeline.parsing.docx.names import Element, M, R, W, children, local
from pipeline.parsing.docx.notes import mark_note
from pipeline.parsing.docx.state import Attached, Inline, OpenField, Piece, Place, Revision, State
from pipeline.parsing.docx.styles import Look, Style
from pipeline.parsing.docx.symbols import show_symbol, show_text
from pipeline.parsing.docx.visibility import why_unseen
from pipeline.parsing.reading import Finding

CONTENTS_FIELDS = frozenset({"TOC", "TOA", "INDEX", "RD"})  # tables of contents, of authorities, an index
_REVISIONS = {
    "ins": "inserted", "del": "deleted", "moveFrom": "moved away", "moveTo": "moved here",
    "cellIns": "inserted", "cellDel": "deleted",
}  # fmt: skip
_THROUGH = frozenset({"smartTag", "customXml", "dir", "bdo", "sdtContent", "rubyBase", "r"})
_SIGNS = {"tab": "\t", "ptab": "\t", "cr": "\n", "br": "\n", "noBreakHyphen": "-", "softHyphen": ""}


def read_inline(state: State, paragraph: Element, style: Style, place: Place) -> Inline:
    """The pieces of a w:p; fields that began before it go on in it. Notes, comments and boxes join `state.attached`."""
    state.inline_count += 1
    inline = Inline(state.inline_count)
    inline.is_contents = _is_in_contents(state)
    _walk(state, inline, children(paragraph), style, place)
    return inline


def _walk(state: State, inline: Inline, elements: Iterator[Element], style: Style, place: Place) -> None:
    for element in elements:
        kind = local(element)
        if kind == "r" and element.tag.startswith(W):
            _read_run(state, inline, element, style, place)
        elif kind in _REVISIONS:
            _walk(state, inline, children(element), style, place.within(revision=read_revision(element)))
        elif kind == "hyperlink":
            start = len(inline.pieces)
            _walk(state, inline, children(element), style, place)
            if element.get(f"{W}anchor") and not element.get(f"{R}id"):
                inline.links.append((start, len(inline.pieces), element.get(f"{W}anchor", "")))
        elif kind == "fldSimple":
            _read_simple_field(state, inline, element, style, place)
        elif kind == "sdt":
            _read_sdt(state, inline, element, style, place)
        elif kind == "bookmarkStart":
            inline.bookmarks.append((element.get(f"{W}name", ""), len(inline.pieces)))
        elif kind in ("oMath", "oMathPara"):
            _add(state, inline, read_formula(element), state.styles.look(style, state.styles.read_run(None)), place)
        elif kind == "subDoc":
            note_outside(state, element, "A sub-document, kept in a file of its own,")
        elif kind in _THROUGH:
            _walk(state, inline, children(element), style, place)


def _read_run(state: State, inline: Inline, run: Element, style: Style, place: Place) -> None:
    properties = run.find(f"{W}rPr")
    look = state.styles.look(style, state.styles.read_run(properties))
    for child in children(run):
        kind = local(child)
        if kind in ("t", "delText"):
            if not child.tag.startswith(M):
                _add(state, inline, show_text(child.text or "", look.font), look, place)
        elif kind in _SIGNS:
            _add(state, inline, _SIGNS[kind], look, place)
        elif kind in _RUN_PARTS:
            _RUN_PARTS[kind](state, inline, child, look, style, place)


def _add(state: State, inline: Inline, text: str, look: Look, place: Place) -> None:
    """A piece of text, unless it is the instruction of a field."""
    if not text or any(not open_field.in_result for open_field in state.open_fields):
        return
    inline.is_contents = inline.is_contents or _is_in_contents(state)
    hidden = place.hidden or why_unseen(look, place.ground)
    inline.pieces.append(Piece(text.upper() if look.caps else text, look, hidden, place.revision))


def _is_in_contents(state: State) -> bool:
    return any(f.in_result and f.words[:1] and f.words[0] in CONTENTS_FIELDS for f in state.open_fields)


def read_revision(element: Element) -> Revision:
    """The tracked change that an element such as w:ins marks."""
    return Revision(
        _REVISIONS.get(local(element), "inserted"), element.get(f"{W}author", ""), element.get(f"{W}date", "")
    )


def note_outside(state: State, element: Element, what: str) -> None:
    """A finding on content that the document only refers to."""
    relation = state.relations.get(element.get(f"{R}id", ""))
    target = f" ({relation.target[:200]})" if relation is not None else ""
    state.findings.append(Finding("placeholder", f"{what} is only referred to{target}: its content was not read."))


def _read_symbol(state: State, inline: Inline, child: Element, look: Look, _style: Style, place: Place) -> None:
    try:
        code = int(child.get(f"{W}char", ""), 16)
    except ValueError:
        code = 0xFFFD
    _add(state, inline, show_symbol(code, child.get(f"{W}font", look.font)), look, place)


def _read_field_char(state: State, inline: Inline, child: Element, look: Look, _style: Style, place: Place) -> None:
    kind = child.get(f"{W}fldCharType", "")
    if kind == "begin" and child.get(UNCLOSED) is None:
        state.open_fields.append(
            OpenField(form=child.find(f"{W}ffData"), started_at=len(inline.pieces), paragraph=inline.number)
        )
    elif kind == "separate" and state.open_fields:
        state.open_fields[-1].in_result = True
        state.open_fields[-1].started_at, state.open_fields[-1].paragraph = len(inline.pieces), inline.number
    elif kind == "end" and state.open_fields:
        closed = state.open_fields.pop()
        shown = close_field(state, inline, closed)
        if shown:
            _add(state, inline, shown, look, place)


def _read_instruction(state: State, _inline: Inline, child: Element, _look: Look, _style: Style, _place: Place) -> None:
    if state.open_fields and not state.open_fields[-1].in_result:
        state.open_fields[-1].code.append(child.text or "")


def _read_note(state: State, inline: Inline, child: Element, look: Look, _style: Style, place: Place) -> None:
    shown = mark_note(state, child, place)
    if shown:
        _add(state, inline, shown, look, place)


def _read_comment(state: State, _inline: Inline, child: Element, _look: Look, _style: Style, _place: Place) -> None:
    key = child.get(f"{W}id", "")
    element = state.notes.get("comment", {}).get(key)
    if element is not None and ("comment", key) not in state.notes_done:
        state.notes_done.add(("comment", key))
        state.attached.append(Attached("comment", element, Place("comment"), key=key))


def _read_ruby(state: State, inline: Inline, child: Element, _look: Look, style: Style, place: Place) -> None:
    """The base text; the small print over it, which says how it is read, follows in brackets."""
    for part in child:
        if local(part) == "rubyBase":
            _walk(state, inline, children(part), style, place)
    reading = "".join(text.text or "" for text in child.iterfind(f"{W}rt//{W}t"))
    if reading:
        _add(state, inline, f"({reading})", state.styles.look(style, state.styles.read_run(None)), place)


def _read_drawing(state: State, _inline: Inline, child: Element, _look: Look, _style: Style, place: Place) -> None:
    read_drawing(state, child, place)


def _read_pict(state: State, _inline: Inline, child: Element, _look: Look, _style: Style, place: Place) -> None:
    read_picture(state, child, place)


def _read_ole(state: State, _inline: Inline, child: Element, _look: Look, _style: Style, place: Place) -> None:
    read_object(state, child, place)


def _read_simple_field(state: State, inline: Inline, element: Element, style: Style, place: Place) -> None:
    """w:fldSimple: the instruction in an attribute, the result inside."""
    opened = OpenField([element.get(f"{W}instr", "")], True, element.find(f"{W}fldData"))
    opened.started_at, opened.paragraph = len(inline.pieces), inline.number
    depth = len(state.open_fields)
    state.open_fields.append(opened)
    _walk(state, inline, children(element), style, place)
    del state.open_fields[depth:]
    link = field_link(opened)
    if link:
        inline.links.append((opened.started_at, len(inline.pieces), link))


def _read_sdt(state: State, inline: Inline, element: Element, style: Style, place: Place) -> None:
    """A content control inside a paragraph."""
    start = len(inline.pieces)
    content = element.find(f"{W}sdtContent")
    if content is not None:
        _walk(state, inline, children(content), style, place)
    shown = "".join(piece.text for piece in inline.pieces[start:])
    field = read_control(element, shown)
    if field is not None:
        inline.fields.append((start, len(inline.pieces), field))


def is_mark_gone(properties: Element | None) -> Revision | None:
    """The tracked change that took a paragraph's end away: its text runs on into the next paragraph."""
    runs = None if properties is None else properties.find(f"{W}rPr")
    if runs is not None:
        for kind in ("del", "moveFrom"):
            found = runs.find(f"{W}{kind}")
            if found is not None:
                return read_revision(found)
    return None


def drop_cap(properties: Element | None) -> bool:
    """The paragraph is a large first letter, set in a frame of its own before the paragraph that it begins."""
    frame = None if properties is None else properties.find(f"{W}framePr")
    return frame is not None and frame.get(f"{W}dropCap", "none") not in ("none", "")


_RunPart = Callable[[State, Inline, Element, Look, Style, Place], None]
_RUN_PARTS: dict[str, _RunPart] = {
    "sym": _read_symbol,
    "fldChar": _read_field_char,
    "instrText": _read_instruction,
    "delInstrText": _read_instruction,
    "footnoteReference": _read_note,
    "endnoteReference": _read_note,
    "commentReference": _read_comment,
    "ruby": _read_ruby,
    "drawing": _read_drawing,
    "pict": _read_pict,
    "object": _read_ole,
}
