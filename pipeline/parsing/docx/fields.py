"""Fields and forms: what a field shows, where it points, and what was filled in."""

from __future__ import annotations

from pipeline.parsing.docx.names import VAL, W14, Element, W, flag, number, value
from pipeline.parsing.docx.state import Inline, OpenField, State
from pipeline.parsing.reading import FieldRead, Finding

UNCLOSED = "unclosed"  # attribute of our own on a w:fldChar
CHECKED, UNCHECKED = "☒", "☐"
_POINTING = frozenset({"REF", "PAGEREF", "NOTEREF"})
_AUTOMATIC = frozenset({"AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "LISTNUM"})  # numbers that only Word itself computes
_CONTROLS = {"text": "text", "comboBox": "choice", "dropDownList": "choice", "date": "text"}


def mark_unclosed(root: Element) -> bool:
    """Mark the fields under `root` that begin and never end, so that they do not swallow the text; True for any."""
    opened: list[Element] = []
    for sign in root.iter(f"{W}fldChar"):
        kind = sign.get(f"{W}fldCharType", "")
        if kind == "begin":
            opened.append(sign)
        elif kind == "end" and opened:
            opened.pop()
    for sign in opened:
        sign.set(UNCLOSED, "1")
    return bool(opened)


def close_field(state: State, inline: Inline, field: OpenField) -> str:
    """What a field shows that holds no result of its own, '' for nothing; its link or form field joins `inline`."""
    here = field.paragraph == inline.number
    start = field.started_at if here else 0
    anchor = field_link(field)
    if anchor and field.in_result:
        inline.links.append((start, len(inline.pieces), anchor))
    if field.form is not None:
        return _close_form(inline, field, start)
    words = field.words
    if not field.in_result and words:
        if words[0] == "MACROBUTTON":
            return " ".join(words[2:])
        if words[0] in _AUTOMATIC:
            state.findings.append(
                Finding("placeholder", f"A number that only Word computes (field {words[0]}) is missing in the text.")
            )
    return ""


def field_link(field: OpenField) -> str:
    """The bookmark that a field points at; empty for one that does not."""
    words = field.words
    if len(words) >= 2 and words[0] in _POINTING:
        return words[1].strip('"')
    if words and words[0] == "HYPERLINK" and "\\l" in words[:-1]:
        return words[words.index("\\l") + 1].strip('"')
    return ""


def _close_form(inline: Inline, field: OpenField, start: int) -> str:
    form = field.form
    name = value(form, "name") or ""
    box = None if form is None else form.find(f"{W}checkBox")
    if box is not None:
        state = flag(box, "checked")
        checked = bool(flag(box, "default")) if state is None else state
        shown = CHECKED if checked else UNCHECKED
        inline.fields.append((start, start, FieldRead(1, name, "checkbox", shown if checked else "", checked)))
        return shown
    chosen = None if form is None else form.find(f"{W}ddList")
    if chosen is not None:
        entries = [entry.get(VAL, "") for entry in chosen.iterfind(f"{W}listEntry")]
        at = number(value(chosen, "result")) or number(value(chosen, "default")) or 0
        shown = entries[at] if 0 <= at < len(entries) else ""
        inline.fields.append((start, start, FieldRead(1, name, "choice", shown)))
        return shown
    written = "".join(piece.text for piece in inline.pieces[start:]).strip()
    inline.fields.append((start, len(inline.pieces), FieldRead(1, name, "text", written)))
    return ""


def read_control(element: Element, shown: str) -> FieldRead | None:
    """The form field that a content control (w:sdt) is, with what it shows; None for one that only groups text."""
    properties = element.find(f"{W}sdtPr")
    if properties is None:
        return None
    name = value(properties, "alias") or value(properties, "tag") or ""
    box = properties.find(f"{W14}checkbox")
    if box is not None:
        mark = box.find(f"{W14}checked")
        checked = mark is not None and mark.get(f"{W14}val", "1").lower() not in ("0", "false", "off")
        return FieldRead(1, name, "checkbox", shown.strip() if checked else "", checked)
    for child, kind in _CONTROLS.items():
        if properties.find(f"{W}{child}") is not None:
            empty = properties.find(f"{W}showingPlcHdr") is not None
            return FieldRead(1, name, kind, "" if empty else shown.strip())
    return None
