"""One sheet: its rows as lines, its cells, its comments, and what a person would not see of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line, PageRead, flow_line
from pipeline.parsing.reading import CellRead, ChildFile, Finding, GivenHeading
from pipeline.parsing.xlsx.cells import Cell, Merged, show_row
from pipeline.parsing.xlsx.drawings import read_drawings
from pipeline.parsing.xlsx.notes import read_notes
from pipeline.parsing.xlsx.parts import side_tree
from pipeline.parsing.xlsx.places import Range, name_cell, read_range
from pipeline.parsing.xlsx.regions import Region, Told, find_regions
from pipeline.parsing.xlsx.sheet_xml import SheetXml, clean_string
from pipeline.parsing.xlsx.workbook import SheetEntry, Workbook

METHOD = "xlsx"  # parsing_method: our own pass over the XML
CELL_GAP = "  "  # two spaces between cells of a row, as between the cells of a PDF's rows (reading_order.py)
TABLE_CHARS = 1_200  # characters of a table that is one paragraph; a longer one is a paragraph a row
MAX_ADDRESS_CHARS = 200  # characters of an address in a finding
MAX_PLACES = 5  # cells named in a finding; the rest is counted
ON_HIDDEN_SHEET = "on a hidden sheet"
IN_HIDDEN_ROW = "in a hidden row"


@dataclass(slots=True)
class SheetReading:
    """A sheet as read; `lines_at`: the first line of each row, for links."""

    page: PageRead
    cells: list[CellRead] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    heading: GivenHeading | None = None
    lines_at: dict[int, Line] = field(default_factory=dict)
    links: list[tuple[Range, str]] = field(default_factory=list)  # cells, and the place in the workbook


@dataclass(slots=True)
class _Row:
    row: int
    hidden: bool
    cells: list[Cell]


def read_sheet(
    book: Workbook, entry: SheetEntry, xml: SheetXml, page_num: int, before: tuple[int, int]
) -> SheetReading:
    """The sheet as page `page_num`; `before`: the last paragraph and the last table of the sheets before it.

    Each row with words is a line; cells that a person does not see make lines of their own, hidden, one a reason.
    Comments come last.
    """
    result = SheetReading(PageRead(page_num, label=entry.name, method=METHOD))
    told = _tell(book, entry, xml)
    xml.conditional += told.headed  # the look of a table object may fill cells as well
    rows = _join_equal(_show_rows(book, xml))
    seen = [(row.row, [cell for cell in row.cells if not cell.hidden]) for row in rows]
    regions = find_regions([(number, cells) for number, cells in seen if cells], told)
    _add_rows(result, rows, regions, before)
    drawn = read_drawings(book, entry.part, page_num)
    result.page.lines += drawn.lines
    for role, words in dict.fromkeys(xml.printed):
        result.page.lines.append(flow_line(words, method=METHOD, page_num=page_num, role=role))
    result.findings += drawn.findings
    result.children += drawn.children
    _number(result, before[0])
    _add_notes(result, book, entry)
    if entry.state != "visible":
        for line in result.page.lines:
            line.hidden = ON_HIDDEN_SHEET
    _judge(result, entry, xml, drawn.picture_count)
    result.findings += _find(entry, xml, rows, page_num)
    _add_links(result, book, entry, xml)
    if result.page.lines:
        title = entry.name if entry.state == "visible" else f"Hidden sheet {page_num}"
        result.heading = GivenHeading(result.page.lines[0], 1, title, source="sheet_name", found=False)
    return result


def _tell(book: Workbook, entry: SheetEntry, xml: SheetXml) -> Told:
    """Ranges with a header on top: table objects that have one, and filters; and the rows kept in view."""
    headed = list(xml.filters)
    for part in book.package.related("table", entry.part):
        root = side_tree(book.package, part)
        cells = read_range(root.get("ref", ""))
        if cells is not None and root.get("headerRowCount", "1") != "0":
            headed.append(cells)
    return Told(tuple(sorted(set(headed))), xml.frozen_rows)


def _show_rows(book: Workbook, xml: SheetXml) -> list[_Row]:
    """The rows with words, by number; the stored cells are let go on the way, a large sheet is held once."""
    merged = Merged(xml.merges)
    rows = []
    for raw in xml.rows:
        cells = show_row(book, xml, raw.row, raw.cells, merged)
        raw.cells = []
        if cells:
            rows.append(_Row(raw.row, raw.hidden, cells))
    return sorted(rows, key=lambda row: row.row)


def _join_equal(rows: list[_Row]) -> list[_Row]:
    """Rows by number; a number that the file uses twice becomes one row."""
    joined: list[_Row] = []
    for row in rows:
        if joined and joined[-1].row == row.row:
            joined[-1].cells = sorted(joined[-1].cells + row.cells, key=lambda cell: cell.column)
        else:
            joined.append(row)
    return joined


def _add_rows(result: SheetReading, rows: Sequence[_Row], regions: Sequence[Region], before: tuple[int, int]) -> None:
    """A line a row, and a cell record a cell; a place that the file fills twice keeps its first cell."""
    region_of = {number: at for at, region in enumerate(regions) for number in region.rows}
    current = 0
    for row in rows:
        current = region_of.get(row.row, current)
        region = regions[current] if regions else Region()
        table_id = before[1] + current + 1
        role = "body" if row.row in region.prose_rows else "table"
        for reason in dict.fromkeys(cell.hidden for cell in row.cells):
            cells = [cell for cell in row.cells if cell.hidden == reason]
            line = _make_line(cells, result.page.page_num, role)
            line.hidden = reason or (IN_HIDDEN_ROW if row.hidden else "")
            result.page.lines.append(line)
            result.lines_at.setdefault(row.row, line)
            for cell in cells:
                result.cells.append(_make_cell(cell, region, table_id, line))
    first = {(cell.row_num, cell.column_num): cell for cell in reversed(result.cells)}
    result.cells = [cell for cell in result.cells if first[cell.row_num, cell.column_num] is cell]


def _make_line(cells: Sequence[Cell], page_num: int, role: str) -> Line:
    longest = max(cells, key=lambda cell: len(cell.text)).style
    half = sum(len(cell.text) for cell in cells) / 2
    bold = sum(len(cell.text) for cell in cells if cell.style.bold) > half
    italic = sum(len(cell.text) for cell in cells if cell.style.italic) > half
    text = CELL_GAP.join(cell.text for cell in cells)
    style = (longest.font, longest.size, bold, italic)
    return flow_line(text, method=METHOD, page_num=page_num, role=role, style=style)


def _make_cell(cell: Cell, region: Region, table_id: int, line: Line) -> CellRead:
    is_header = cell.row in region.header_rows
    is_below = bool(region.header_rows) and cell.row > max(region.header_rows) and cell.row not in region.prose_rows
    return CellRead(
        table_id, line.page_num, cell.row, cell.column, cell.text, cell.row_span, cell.column_span, is_header,
        region.titles.get(cell.column, "") if is_header or is_below else "", (line,), method=METHOD,
    )  # fmt: skip


def _number(result: SheetReading, count: int) -> None:
    """Paragraphs from `count` on: a short table is one, so that its header is read with its rows; else each line is."""
    sizes: dict[int, int] = {}
    table_of: dict[int, int] = {}
    for cell in result.cells:
        table_of[id(cell.lines[0])] = cell.table_id
    for line in result.page.lines:
        if line.role == "table" and line.visible:
            table = table_of.get(id(line), 0)
            sizes[table] = sizes.get(table, 0) + len(line.text)
    last, open_paragraph = 0, count
    for line in result.page.lines:
        table = table_of.get(id(line), 0) if line.role == "table" and line.visible else 0
        if line.visible and table and table == last and sizes[table] <= TABLE_CHARS:
            line.paragraph_id = open_paragraph
            continue
        count += 1
        line.paragraph_id = count
        if line.visible:  # what nobody sees does not part a table
            last, open_paragraph = table, count


def _add_notes(result: SheetReading, book: Workbook, entry: SheetEntry) -> None:
    page_num = result.page.page_num
    count = max((line.paragraph_id for line in result.page.lines), default=0)
    for number, note in enumerate(read_notes(book.package, entry.part, book.package.main), start=1):
        line = flow_line(note.text, method=METHOD, page_num=page_num, role="comment", paragraph_id=count + number)
        result.page.lines.append(line)
        by = f" by {note.author}" if note.author else ""
        place = name_cell(note.row, note.column)
        result.findings.append(Finding("comment", f"Comment{by} on cell {place} of {entry.name!r}.", page_num, line))


def _add_links(result: SheetReading, book: Workbook, entry: SheetEntry, xml: SheetXml) -> None:
    """Links inside the workbook; those that lead out of it are a finding where the cell does not show the address."""
    relations = book.package.relations(entry.part) if xml.links else {}
    shown = {(cell.row_num, cell.column_num): cell.text for cell in result.cells}
    outside = []
    for cells, key, location in xml.links:
        target = relations[key].target if key in relations else ""
        place = location if not target else target[1:] if target.startswith("#") else ""
        text = shown.get((cells[0], cells[1]), "")
        if place:
            result.links.append((cells, place))
        elif target and clean_string(target) not in text:
            outside.append(f"{name_cell(cells[0], cells[1])} ({clean_string(target)[:MAX_ADDRESS_CHARS]})")
    if outside:
        more = f" and {len(outside) - MAX_PLACES:,} more" if len(outside) > MAX_PLACES else ""
        detail = f"Cells of {entry.name!r} link to addresses that they do not show: "
        result.findings.append(
            Finding("link", f"{detail}{', '.join(outside[:MAX_PLACES])}{more}.", result.page.page_num)
        )


def _judge(result: SheetReading, entry: SheetEntry, xml: SheetXml, picture_count: int) -> None:
    page = result.page
    page.columns = 1 if any(line.visible for line in page.lines) else 0
    hidden = " The sheet is hidden." if entry.state != "visible" else ""
    if xml.broken:
        read_to = f"after row {xml.rows[-1].row:,}" if xml.rows else "from its first row on"
        page.status, page.reason = "failed", f"The sheet was not read {read_to}: {xml.broken}."
    elif xml.left_out:
        page.status = "unreadable"
        page.reason = f"{xml.left_out:,} cells beyond the limit of the workbook were not read (settings.max_cells)."
    elif page.lines:
        page.status, page.reason = "native", f"Cells as text.{hidden}"
    elif picture_count:
        page.status, page.reason = "scanned", f"No text, but pictures ({picture_count:,}): they have to be recognised."
    else:
        page.status, page.reason = "empty", f"No cell holds anything.{hidden}"


def _find(entry: SheetEntry, xml: SheetXml, rows: Sequence[_Row], page_num: int) -> list[Finding]:
    """What a reader must know of the sheet."""
    cells = [cell for row in rows for cell in row.cells]
    found: list[Finding] = []
    if entry.state != "visible":
        how = "hidden" if entry.state == "hidden" else f"hidden ({entry.state}: no menu shows it)"
        found.append(Finding("hidden_text", f"The sheet {entry.name!r} is {how}; a person does not see it.", page_num))
    if xml.is_filtered and any(row.hidden for row in rows):
        found.append(Finding("hidden_text", f"A filter is set on {entry.name!r}; it may be what hides rows.", page_num))
    unknown = [cell for cell in cells if cell.kind == "formula"]
    if unknown:
        found.append(
            Finding(
                "placeholder",
                f"{len(unknown):,} formula(s) without a stored result, shown as formulas: {_places(unknown)}. "
                "Open the workbook in a spreadsheet program and save it, so that they have values.",
                page_num,
            )
        )
    errors = [cell for cell in cells if cell.kind == "error"]
    if errors:
        found.append(Finding("cell_error", f"{len(errors):,} cell(s) show an error: {_places(errors)}.", page_num))
    lost = [cell for cell in cells if cell.text == "\ufffd"]
    if lost:
        detail = f"{len(lost):,} cell(s) show words that the file lost: {_places(lost)}."
        found.append(Finding("damage", detail, page_num))
    if xml.misplaced:
        detail = f"{xml.misplaced:,} cell(s) name no place in a sheet and were left out."
        found.append(Finding("damage", detail, page_num))
    return found


def _places(cells: Sequence[Cell]) -> str:
    named = ", ".join(f"{cell.place} ({cell.text[:40]})" for cell in cells[:MAX_PLACES])
    return f"{named} and {len(cells) - MAX_PLACES:,} more" if len(cells) > MAX_PLACES else named
