"""The reader of workbooks: a page a sheet, a line a row, a cell what it shows."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from pipeline.parsing.lines import PageRead
from pipeline.parsing.ooxml import open_package, to_transitional
from pipeline.parsing.reading import Finding, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.xlsx.sheet import METHOD, SheetReading, read_sheet
from pipeline.parsing.xlsx.sheet_links import link_sheets
from pipeline.parsing.xlsx.sheet_xml import read_sheet_xml
from pipeline.parsing.xlsx.workbook import MAX_NAMES_SHOWN, SheetEntry, Workbook, read_metadata, read_workbook
from schemas.errors import DocumentError, EmptyDocumentError, LimitExceededError, UnsupportedFormatError

NOT_ASKED = "Not read: the settings ask for other sheets."


def read_xlsx(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:  # noqa: ARG001
    """The workbook's sheets with their rows, cells, comments and links, hidden ones marked as such.

    No formula is computed: its last value is read, as the program that saved the file left it. A sheet that is damaged
    has a status that says so, the others are read.

    Raises EmptyDocumentError, EncryptedDocumentError, DamagedDocumentError, LimitExceededError, UnsupportedFormatError.
    """
    package = open_package(source.data, name=source.name, settings=settings)
    if package.main.lower().endswith(".bin"):
        raise UnsupportedFormatError(f"{source.name}: a binary workbook (XLSB) is not read; save it as XLSX")
    book = read_workbook(package)
    if not book.sheets:
        raise EmptyDocumentError(f"{source.name}: the workbook lists no sheet; save it anew")
    if len(book.sheets) > settings.max_pages:
        raise LimitExceededError(
            f"{source.name}: {len(book.sheets):,} sheets, the limit is {settings.max_pages:,} (settings.max_pages); "
            "split the workbook, or raise the limit"
        )
    reading = Reading("xlsx", "sheet", [], headings=[])
    sheets = _read_sheets(book, settings)
    for sheet in sheets:
        _add(reading, sheet)
    reading.links = link_sheets(book, sheets)
    reading.metadata = read_metadata(package)
    reading.libraries = {"lxml": str(etree.__version__)}
    reading.findings += _describe(book)
    return reading


def _read_sheets(book: Workbook, settings: ParsingSettings) -> list[SheetReading]:
    sheets: list[SheetReading] = []
    cells_left, paragraphs, tables = settings.max_cells, 0, 0
    for page_num, entry in enumerate(book.sheets, start=1):
        if settings.pages is not None and page_num not in settings.pages:
            sheets.append(SheetReading(PageRead(page_num, "unreadable", NOT_ASKED, label=entry.name, method=METHOD)))
            continue
        sheet = _read_one(book, entry, page_num, cells_left, (paragraphs, tables))
        cells_left -= len(sheet.cells)
        paragraphs = max((line.paragraph_id for line in sheet.page.lines), default=paragraphs)
        tables = max((cell.table_id for cell in sheet.cells), default=tables)
        sheets.append(sheet)
    return sheets


def _read_one(
    book: Workbook, entry: SheetEntry, page_num: int, cells_left: int, before: tuple[int, int]
) -> SheetReading:
    """The sheet; one that the package does not hold, or that is damaged beyond reading, has status 'failed'."""
    failed = PageRead(page_num, "failed", "", label=entry.name, method=METHOD)
    if not entry.part:
        failed.reason = "The workbook lists the sheet, and the file does not hold it."
        return SheetReading(failed)
    try:
        data = to_transitional(book.package.read(entry.part))
        xml = read_sheet_xml(data, max_cells=cells_left)
        return read_sheet(book, entry, xml, page_num, before)
    except LimitExceededError:
        raise
    except DocumentError as error:
        failed.reason = f"The sheet could not be read: {error}"
        return SheetReading(failed)


def _add(reading: Reading, sheet: SheetReading) -> None:
    reading.pages.append(sheet.page)
    reading.cells += sheet.cells
    reading.findings += sheet.findings
    reading.children += sheet.children
    if sheet.heading is not None and reading.headings is not None:
        reading.headings.append(sheet.heading)


def _describe(book: Workbook) -> list[Finding]:
    """What concerns the whole workbook: faults of the package, names, other workbooks that it draws on, macros."""
    findings = [Finding("damage", fault) for fault in book.package.faults]
    if book.outside:
        findings.append(
            Finding(
                "external", f"Formulas draw on other files, whose values may be out of date: {_list(book.outside)}."
            )
        )
    if book.names:
        findings.append(Finding("names", f"Names defined in the workbook: {_list(book.names)}."))
    if book.package.related("vbaProject", book.package.main):
        findings.append(Finding("macro", "The workbook holds macros; they were not run and not read."))
    return findings


def _list(items: Sequence[str]) -> str:
    more = f" and {len(items) - MAX_NAMES_SHOWN:,} more" if len(items) > MAX_NAMES_SHOWN else ""
    return "; ".join(items[:MAX_NAMES_SHOWN]) + more
