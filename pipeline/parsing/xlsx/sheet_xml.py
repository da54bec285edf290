"""The XML of one sheet as a stream: cells with content, and what the sheet says of rows, columns and ranges.

Read by our own pass over the XML and not by openpyxl: one pass gives the formula and its last value, a cell that is
only formatted costs nothing (a used range of a million rows with three values is such a sheet), hidden rows and merged
ranges are told in the same pass, serial numbers stay as they are, and Strict files are read like all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from io import BytesIO

from lxml import etree

from pipeline.parsing.xlsx.places import MAX_COLUMNS, MAX_ROWS, Range, name_cell, read_cell, read_range, read_ranges

MAX_RANGES = 200_000  # merged ranges and links of one sheet; more are no sheet that a person made

_WATCHED = (
    "pane", "col", "row", "autoFilter", "filterColumn", "mergeCell", "hyperlink", "conditionalFormatting", "drawing",
    "oddHeader", "oddFooter", "firstHeader", "firstFooter", "evenHeader", "evenFooter",
)  # fmt: skip
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# of headers and footers on paper (ECMA-376 part 1, 18.3.1.46): sections, page, date, file, font, size, colour
_PRINT_CODE = re.compile(r'&&|&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d{1,3}|[A-JL-Za-z])')
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(slots=True)
class RawCell:
    """A cell as stored: `kind` is the attribute t ('n' where it has none).

    `value` is None for a formula whose result the file does not hold; then `formula` is its text.
    """

    column: int
    kind: str
    value: str | None
    formula: str
    style: int


@dataclass(slots=True)
class RawRow:
    """A row with at least one cell that holds something."""

    row: int
    hidden: bool
    cells: list[RawCell]


@dataclass(slots=True)
class SheetXml:
    """What the XML of a sheet says; ranges and rows as in the sheet, from 1."""

    rows: list[RawRow] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    frozen_rows: int = 0
    filters: list[Range] = field(default_factory=list)
    is_filtered: bool = False
    merges: list[Range] = field(default_factory=list)
    links: list[tuple[Range, str, str]] = field(default_factory=list)  # cells, relationship id, place in the workbook
    conditional: list[Range] = field(default_factory=list)
    last_row: int = 0
    cell_count: int = 0
    printed: list[tuple[str, str]] = field(default_factory=list)  # role, words: what stands on each printed page
    formulas: dict[str, tuple[int, int, str]] = field(default_factory=dict)  # shared formulas: id -> row, column, text
    broken: str = ""  # why the XML ended early; what stands after the last row was not read
    left_out: int = 0  # cells with content beyond the limit
    misplaced: int = 0  # cells that name no place in a sheet


def read_sheet_xml(data: bytes, *, max_cells: int) -> SheetXml:
    """The sheet in `data`; cells with content beyond `max_cells` are counted and left out."""
    sheet = SheetXml()
    try:
        is_checked = False
        for _, element in etree.iterparse(
            BytesIO(data), events=("end",), tag=[f"{{*}}{name}" for name in _WATCHED], resolve_entities=False,
            no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True,
        ):  # fmt: skip
            if not is_checked and element.getroottree().docinfo.internalDTD is not None:
                sheet.broken = "it declares entities, which a workbook must not"
                return sheet
            is_checked = True
            name = _name(element)
            if name == "row":
                _read_row(sheet, element, max_cells)
                _drop(element)
            else:
                _read_fact(sheet, name, element)
    except (etree.XMLSyntaxError, ValueError) as error:
        sheet.broken = f"its XML is not well formed ({error})"
    return sheet


def clean_string(text: str) -> str:
    """The words that a cell shows: escapes undone (ECMA-376 22.9.2.19), controls as U+FFFD, white space as a blank."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    return " ".join(_CONTROL.sub("\ufffd", text).split())


def _name(element: etree._Element) -> str:
    """The element's name without its namespace; '' for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def rich_text(element: etree._Element) -> str:
    """The text of a string item (si, is): its runs joined, phonetic guides left out."""
    pieces = []
    for child in element:
        name = _name(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces += [t.text or "" for t in child if _name(t) == "t"]
    return "".join(pieces)


def _drop(element: etree._Element) -> None:
    """Free a row that was read, and the empty shells of those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _read_row(sheet: SheetXml, element: etree._Element, max_cells: int) -> None:
    number = element.get("r", "")
    row = sheet.last_row = int(number) if number.isdigit() else sheet.last_row + 1
    hidden = _is_true(element.get("hidden")) or element.get("ht", "") in ("0", "0.0")
    cells: list[RawCell] = []
    place, since = "", 0  # the last place that was named, and cells after it that name none
    for child in element:
        here = child.get("r", "")
        place, since = (here, 0) if here else (place, since + 1)
        if len(child) == 0:  # only formatted
            continue
        found = read_cell(place) if place else (row, 0)
        column = (found[1] if found else 0) + since
        cell = _read_cell_xml(sheet, child, row, column)
        if cell is None:
            continue
        if not 1 <= row <= MAX_ROWS or not 1 <= column <= MAX_COLUMNS or found is None:
            sheet.misplaced += 1
        elif sheet.cell_count >= max_cells:
            sheet.left_out += 1
        else:
            cells.append(cell)
            sheet.cell_count += 1
    if cells:
        sheet.rows.append(RawRow(row, hidden, cells))


def _read_cell_xml(sheet: SheetXml, element: etree._Element, row: int, column: int) -> RawCell | None:
    value, formula, kind = None, None, element.get("t", "n")
    for child in element:
        name = _name(child)
        if name == "v":
            value = child.text or ("" if kind == "str" else None)
        elif name == "is":
            value = rich_text(child)
        elif name == "f":
            formula = child
            if child.get("si") is not None and child.text:
                sheet.formulas[child.get("si", "")] = (row, column, child.text)
    if value is None and formula is None:
        return None
    style = element.get("s", "0")
    written = "" if value is not None or formula is None else _formula_text(sheet, formula, row, column)
    return RawCell(column, kind, value, written, int(style) if style.isdigit() else 0)


def _formula_text(sheet: SheetXml, element: etree._Element, row: int, column: int) -> str:
    """The formula as the cell's input line shows it; a shared one is moved here from the cell that holds it."""
    text, shared = element.text or "", element.get("si")
    if not text and shared in sheet.formulas:
        from openpyxl.formula.tokenizer import TokenizerError
        from openpyxl.formula.translate import Translator, TranslatorError

        home_row, home_column, home = sheet.formulas[shared]
        try:
            mover = Translator(f"={home}", origin=name_cell(home_row, home_column))
            return str(mover.translate_formula(name_cell(row, column)))
        except (TokenizerError, TranslatorError):
            return f"={home}"
    return f"={text}"


def _read_fact(sheet: SheetXml, name: str, element: etree._Element) -> None:
    if name == "col":
        _read_column(sheet, element)
    elif name == "pane" and element.get("state") in ("frozen", "frozenSplit"):
        split = element.get("ySplit", "0").partition(".")[0]
        sheet.frozen_rows = int(split) if split.isdigit() else 0
    elif name == "filterColumn":
        sheet.is_filtered = True
    elif name == "autoFilter":
        sheet.filters += read_ranges(element.get("ref", ""))
    elif name.endswith(("Header", "Footer")):
        words = clean_string(_PRINT_CODE.sub(lambda code: "&" if code[0] == "&&" else " ", element.text or ""))
        if words and words.strip(" /-"):  # more than page numbers and dates
            sheet.printed.append((name[-len("Header") :].lower(), words))
    elif name == "mergeCell" and len(sheet.merges) < MAX_RANGES:
        sheet.merges += read_ranges(element.get("ref", ""))
    elif name == "conditionalFormatting" and len(sheet.conditional) < MAX_RANGES:
        sheet.conditional += read_ranges(element.get("sqref", ""))
    elif name == "hyperlink" and len(sheet.links) < MAX_RANGES:
        cells = read_range(element.get("ref", ""))
        relation = next((v for k, v in element.attrib.items() if etree.QName(k).localname == "id"), "")
        if cells is not None:
            sheet.links.append((cells, str(relation), element.get("location", "")))


def _read_column(sheet: SheetXml, element: etree._Element) -> None:
    """Columns that are hidden, or so narrow that nothing of them shows."""
    first, last, width = element.get("min", ""), element.get("max", ""), element.get("width", "1")
    hidden = _is_true(element.get("hidden")) or not width.strip("0.")
    if hidden and first.isdigit() and last.isdigit() and len(sheet.hidden_columns) < MAX_COLUMNS:
        sheet.hidden_columns.append((int(first), int(last)))


def _is_true(value: str | None) -> bool:
    return value in ("1", "true", "on")
