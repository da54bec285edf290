"""Form fields of a PDF: what was filled in or chosen, where it stands, and lines for values that the page hides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import NOWHERE, Line, PageRead
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import FieldRead, Finding, Reading
from pipeline.parsing.table_rules import Box

MAX_DEPTH = 32  # parents of a field that are asked: real forms nest a handful deep, a cycle never ends
MAX_FIELDS = 20_000  # fields of a document that are read; the rest is a finding
MAX_VALUE_CHARS = 10_000  # characters of a value that are kept
RADIO, PUSHBUTTON, PASSWORD = 1 << 15, 1 << 16, 1 << 13  # bits of /Ff (PDF 32000-1, tables 226 and 228)
COMBO = 1 << 17  # of a choice field: shows the chosen value alone, a list box shows all of them (table 230)
HIDDEN = 1 << 1 | 1 << 5  # bits of /F: hidden, no view (table 165)
INSIDE_SLACK = 2.0  # points by which words may stand out of their field's box
LABEL_REACH = 150.0  # points to the left or right of a tick box in which its words stand
SHOWN = frozenset({"text", "choice"})
XFA_ONLY = (
    "The form is written in XFA, which only Adobe's software shows: what stands on the pages is a placeholder, and the "
    "form's own text and values were not read."
)
TOO_MANY = "The document has more than {:,} form fields: the others were not read."


@dataclass(slots=True)
class _Field:
    """A field with the places that show it."""

    name: str
    label: str
    kind: str
    flags: int
    value: str
    boxes: list[tuple[int, Box, bool, str]] = field(default_factory=list)  # page, box, hidden, state of a button


def read_form(document: Any, reading: Reading) -> None:
    """Write the form's fields into the reading, and a line for each value that no line of its page shows.

    Fields without a place on a page that was read are left out. A form that only Adobe's software shows is a finding.
    """
    pages = {page.page_num: page for page in reading.pages if page.lines or page.status not in ("failed", "unreadable")}
    found: dict[int, _Field] = {}
    count = 0
    for page_num in pages:
        widgets, turn = _list_widgets(document, page_num)
        for xref in widgets:
            count += 1
            if count <= MAX_FIELDS:
                _add_widget(document, xref, page_num, turn, found)
    for one in found.values():
        reading.fields.append(_finish(one, pages))
    if count > MAX_FIELDS:
        reading.findings.append(Finding("page", TOO_MANY.format(MAX_FIELDS)))
    reading.has_form = reading.has_form or bool(found)
    if _is_xfa_only(document, has_fields=bool(found)):
        reading.has_form = True
        reading.findings.append(Finding("placeholder", XFA_ONLY))


def _list_widgets(document: Any, page_num: int) -> tuple[list[int], Any]:
    """Object numbers of the page's widgets, and the matrix from the file's points to those of the page as displayed."""
    try:
        page = document.load_page(page_num - 1)
        xrefs = [xref for xref, kind, _ in page.annot_xrefs() if kind == pymupdf.PDF_ANNOT_WIDGET and xref > 0]
        return xrefs, page.transformation_matrix * page.rotation_matrix
    except PAGE_ERRORS:
        return [], None  # the page itself was read; annotations of a damaged file may not be


def _is_xfa_only(document: Any, *, has_fields: bool) -> bool:
    """The file has an XFA form and says that it must be drawn anew, or has no ordinary fields beside it."""
    try:
        catalog = document.pdf_catalog()
        has_xfa = document.xref_get_key(catalog, "AcroForm/XFA")[0] != "null"
        needs_drawing = document.xref_get_key(catalog, "NeedsRendering")[1] == "true"
    except PAGE_ERRORS:
        return False
    return has_xfa and (needs_drawing or not has_fields)


def _add_widget(document: Any, xref: int, page_num: int, turn: Any, found: dict[int, _Field]) -> None:
    mupdf = pymupdf.mupdf
    try:
        widget = mupdf.pdf_load_object(mupdf.pdf_specifics(document.this), xref)
        chain = _parents(widget)
        owner = next((at for at, item in enumerate(chain) if _has(item, "T")), 0)
        key = mupdf.pdf_to_num(mupdf.pdf_dict_gets(chain[owner - 1], "Parent")) if owner else xref
        one = found.get(key)
        if one is None:
            one = found[key] = _read_field(chain)
        box = _place(mupdf.pdf_dict_gets(widget, "Rect"), turn)
        hidden = bool(mupdf.pdf_to_int(mupdf.pdf_dict_gets(widget, "F")) & HIDDEN)
        one.boxes.append((page_num, box, hidden, _name_of(mupdf.pdf_dict_gets(widget, "AS"))))
    except PAGE_ERRORS:
        return  # a broken field costs itself


def _parents(widget: Any) -> list[Any]:
    """The widget and the fields above it; a cycle ends it."""
    mupdf = pymupdf.mupdf
    chain, seen = [widget], set()
    while len(chain) <= MAX_DEPTH:
        parent = mupdf.pdf_dict_gets(chain[-1], "Parent")
        number = mupdf.pdf_to_num(parent)
        if not mupdf.pdf_is_dict(parent) or number in seen:
            break
        seen.add(number)
        chain.append(parent)
    return chain


def _read_field(chain: Sequence[Any]) -> _Field:
    mupdf = pymupdf.mupdf
    flags = mupdf.pdf_to_int(_inherited(chain, "Ff"))
    kind = _kind(_name_of(_inherited(chain, "FT")), flags)
    names = [_text_of(mupdf.pdf_dict_gets(item, "T")) for item in chain if _has(item, "T")]
    label = _text_of(_inherited(chain, "TU"))
    value = (
        "" if kind == "text" and flags & PASSWORD else _value(kind, _inherited(chain, "V"), _inherited(chain, "Opt"))
    )
    return _Field(".".join(reversed(names)), label, kind, flags, value)


def _kind(name: str, flags: int) -> str:
    if name == "Btn":
        return "button" if flags & PUSHBUTTON else "radio" if flags & RADIO else "checkbox"
    return {"Tx": "text", "Ch": "choice", "Sig": "signature"}.get(name, "other")


def _value(kind: str, value: Any, options: Any) -> str:
    mupdf = pymupdf.mupdf
    if kind == "signature":
        if not mupdf.pdf_is_dict(value):
            return ""
        parts = [_text_of(mupdf.pdf_dict_gets(value, key)) for key in ("Name", "M")]
        return " ".join(["signed", *(part for part in parts if part)])
    if kind in ("checkbox", "radio"):
        return "" if _name_of(value) in ("", "Off") else _name_of(value)
    if mupdf.pdf_is_array(value):
        parts = [_text_of(mupdf.pdf_array_get(value, at)) for at in range(min(mupdf.pdf_array_len(value), 1_000))]
    else:
        parts = [_text_of(value)]
    shown = dict(_options(options)) if kind == "choice" else {}
    return "; ".join(shown.get(part, part) for part in parts if part)[:MAX_VALUE_CHARS]


def _options(options: Any) -> Iterable[tuple[str, str]]:
    """What a choice is saved as, and what it shows, where the two differ."""
    mupdf = pymupdf.mupdf
    for at in range(min(mupdf.pdf_array_len(options), 1_000) if mupdf.pdf_is_array(options) else 0):
        pair = mupdf.pdf_array_get(options, at)
        if mupdf.pdf_is_array(pair) and mupdf.pdf_array_len(pair) == 2:
            yield _text_of(mupdf.pdf_array_get(pair, 0)), _text_of(mupdf.pdf_array_get(pair, 1))


def _inherited(chain: Sequence[Any], key: str) -> Any:
    mupdf = pymupdf.mupdf
    return mupdf.pdf_dict_gets(next((item for item in chain if _has(item, key)), chain[0]), key)


def _has(item: Any, key: str) -> bool:
    return not pymupdf.mupdf.pdf_is_null(pymupdf.mupdf.pdf_dict_gets(item, key))


def _name_of(item: Any) -> str:
    return pymupdf.mupdf.pdf_to_name(item) if pymupdf.mupdf.pdf_is_name(item) else ""


def _text_of(item: Any) -> str:
    mupdf = pymupdf.mupdf
    if mupdf.pdf_is_string(item):
        return clean_text(mupdf.pdf_to_text_string(item))
    if mupdf.pdf_is_name(item):
        return clean_text(mupdf.pdf_to_name(item))
    if mupdf.pdf_is_stream(item):
        return clean_text(bytes(mupdf.pdf_load_stream(item).fz_buffer_extract()).decode("utf-8", errors="replace"))
    return ""


def _place(rect: Any, turn: Any) -> Box:
    """The field's box on the page as displayed."""
    box = pymupdf.Rect(pymupdf.JM_py_from_rect(pymupdf.mupdf.pdf_to_rect(rect))) * turn
    return (float(box.x0), float(box.y0), float(box.x1), float(box.y1))


def _finish(one: _Field, pages: dict[int, PageRead]) -> FieldRead:
    """The field as the tables want it, tied to a line that shows it or to one made for it."""
    is_button = one.kind in ("checkbox", "radio")
    ticked = [place for place in one.boxes if place[3] not in ("", "Off")]
    page_num, box, hidden, state = (ticked if is_button and ticked else one.boxes)[0]
    value = state if is_button and ticked else "" if is_button and any(place[3] for place in one.boxes) else one.value
    line = None
    if value and not hidden and one.kind != "button":
        line = _show(one, value, pages[page_num], box)
    checked = bool(value) if is_button else None
    return FieldRead(page_num, one.name or one.label, one.kind, value, is_checked=checked, line=line, box=box)


def _show(one: _Field, value: str, page: PageRead, box: Box) -> Line:
    """The line that shows the value: one of the page, or one put in where its field stands."""
    inside = [line for line in page.lines if line.visible and _reaches(line, box)]
    wanted = "".join(value.split()).casefold()
    is_list = one.kind == "choice" and not one.flags & COMBO
    if one.kind in SHOWN and not is_list:
        said = "".join("".join(line.text.split()) for line in inside).casefold()
        if inside and wanted[: len(said)] and (wanted in said or said in wanted):
            for line in inside:
                if _is_within(line, box):
                    line.role = "form_field"
            return inside[0]
    if one.kind in ("checkbox", "radio"):
        marked = next((line for line in inside if not _is_within(line, box)), None)
        if marked is not None:  # its tick stands in one line with its words
            return marked
    beside, column = _beside(page, box)
    label = one.label or beside or one.name
    words = (
        f"[x] {label}" if one.kind in ("checkbox", "radio") else f"{label.rstrip(' :')}: {value}" if label else value
    )
    if one.kind == "radio" and value.casefold() not in ("yes", "on", "true", "1"):
        words = f"{words}: {value}"
    line = Line(
        0, page.page_num, 0, clean_text(words), *box, "", 0.0, False, False, 0,
        column, "", box, role="form_field",
    )  # fmt: skip
    page.lines.insert(_position(page.lines, box), line)
    return line


def _reaches(line: Line, box: Box) -> bool:
    """Some of the line's words stand in the box."""
    return any(_stands_in(place, box) for _, place in _parts(line))


def _parts(line: Line) -> list[tuple[str, Box]]:
    """The line's pieces that stand apart, with their boxes."""
    return [(piece.text, piece.box) for piece in line.pieces] or [(line.text, (line.x0, line.y0, line.x1, line.y1))]


def _stands_in(place: Box, box: Box) -> bool:
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_within(line: Line, box: Box) -> bool:
    slack = INSIDE_SLACK
    return line.x0 >= box[0] - slack and line.x1 <= box[2] + slack and box[1] <= (line.y0 + line.y1) / 2 <= box[3]


def _beside(page: PageRead, box: Box) -> tuple[str, str]:
    """The words next to the box at its height, and the column that they are in; empty where there are none."""
    near = [
        (max(place[0] - box[2], box[0] - place[2]), place[0], words, line.column)
        for line in page.lines
        if line.visible and line.role != "form_field" and line.y0 < box[3] and line.y1 > box[1]
        for words, place in _parts(line)
        if any(map(str.isalpha, words)) and not _stands_in(place, box)
    ]
    near = [item for item in near if item[0] <= LABEL_REACH]
    return min(near)[2:] if near else ("", "single")


def _position(lines: Sequence[Line], box: Box) -> int:
    """Where in the reading order the box belongs: behind what stands left of it, else behind what is above."""
    middle = (box[1] + box[3]) / 2
    best, at = (-1.0, 0.0), 0
    for index, line in enumerate(lines):
        if not line.visible or line.flat == NOWHERE:
            continue
        if line.y0 <= middle <= line.y1 and line.x0 <= box[0]:
            score = (1e6, line.x1)
        elif line.y1 <= middle and line.x0 <= box[2] and line.x1 >= box[0] - LABEL_REACH:
            score = (line.y1, line.x0)
        else:
            continue
        if score >= best:
            best, at = score, index + 1
    return at
