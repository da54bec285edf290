"""The workbook of a batch: summary, grid, long sheet, what was not found, conflicts, what was not read, versions."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from openpyxl import Workbook
from openpyxl.chart import BarChart, PieChart, Reference
from openpyxl.comments import Comment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.properties import PageSetupProperties

from dictionaries.workbook_bytes import without_clock
from pipeline.batch.results.looks import FILLS, WORDS, Looks
from pipeline.batch.results.rows import COLUMNS, REVIEW, WIDTHS, joined, rows_of
from pipeline.batch.results.texts import plain, text_cell
from schemas.batch import BatchCell, BatchRequest, CellStatus, DocumentCells, Spent

MAX_LINKS = 60_000  # a sheet; Excel opens no file with more than 65,530 (Excel specifications and limits)
MAX_COMMENTS = 20_000  # each is a drawing, which spreadsheet programs keep in memory
MAX_ROWS = 1_048_000  # of a sheet; Excel has 1,048,576
MAX_COMMENT = 600  # characters of a comment
QUESTION_POINTS = 62  # height of the row of questions: four lines; few programs fit a row that a program wrote
MAX_CHART_QUESTIONS = 60  # bars that can be told apart
STATUSES: tuple[CellStatus, ...] = (
    "answered", "partial", "not_found", "needs_clarification", "refused", "out_of_scope", "not_asked", "failed"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Facts:
    """What is told of a batch beside its cells: its id, what was spent, why it stopped, what changed, notes."""

    batch: str
    spent: Spent = field(default_factory=Spent)
    stopped_because: str | None = None
    changed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    folder: str = ""  # of the marked copies, as links name it
    marked: Mapping[str, str] | None = None  # document name -> file in that folder


def to_book(request: BatchRequest, documents: Iterable[DocumentCells], facts: Facts) -> bytes:
    """The workbook as bytes; equal inputs give equal bytes. Documents are taken one at a time."""
    book = _Book(request, facts)
    for document in documents:
        book.add(document)
    return book.finish()


class _Book:
    """The sheets while they grow; only rows already written are forgotten."""

    def __init__(self, request: BatchRequest, facts: Facts) -> None:
        self._request, self._facts = request, facts
        self._book = Workbook(write_only=True)
        self._questions = {one.question_id: one for one in request.questions}
        self._meta = sorted({name for one in request.documents for name in one.metadata})
        self._summary = self._sheet("summary", (30, 16, 16, 16, 16, 16, 16, 16, 16, 16))
        self._grid = self._sheet("grid", (34, *(16 for _ in self._meta), *(22 for _ in request.questions)))
        self._looks = Looks(self._grid)
        self._cells: Any = None
        self._cell_rows = self._cell_sheets = self._cell_links = 0
        self._absent = self._listed("not found", {
            "document": 34, "question id": 18, "verdict": 16, "lines read": 12, "pages read": 12, "searched": 60,
            "what came nearest, what was not read": 90,
        })  # fmt: skip
        self._conflicts = self._listed("conflicts", {
            "document": 34, "question id": 18, "what differs": 60, "passages": 90, "pages": 16,
        })  # fmt: skip
        self._unread = self._listed("not read", {"document": 34, "what": 20, "why": 100})
        self._by_status: Counter[CellStatus] = Counter()
        self._by_question: dict[str, Counter[CellStatus]] = {name: Counter() for name in self._questions}
        self._links = self._comments = self._grid_rows = 0
        self._document_count = 0
        self._begin_grid()

    def add(self, document: DocumentCells) -> None:
        """A row of the grid, the rows of the long sheet, and what is to be told beside."""
        self._document_count += 1
        self._grid_rows += 1
        row = [self._looks.text(document.document.name)]
        row += [self._looks.text(document.document.metadata.get(name, "")) for name in self._meta]
        for cell in document.cells:
            self._by_status[cell.status] += 1
            self._by_question[cell.question_id][cell.status] += 1
            shown = self._looks.of_cell(cell)
            self._annotate(shown, cell, document, len(row) + 1)
            row.append(shown)
        self._grid.append(row)
        self._add_long(document)
        self._add_beside(document)

    def finish(self) -> bytes:
        """The last sheets, and all as bytes."""
        if self._cells is not None:
            self._close_cells()
        self._write_summary()
        self._write_questions()
        self._write_versions()
        sink = io.BytesIO()
        self._book.save(sink)
        return without_clock(sink.getvalue())

    def _begin_grid(self) -> None:
        looks = self._looks
        self._grid.row_dimensions[2].height = QUESTION_POINTS
        self._grid.append([looks.head("document"), *map(looks.head, self._meta), *map(looks.head, self._questions)])
        blank = [looks.head("") for _ in self._meta]
        self._grid.append([looks.head("question"), *blank, *(looks.head(one.text) for one in self._questions.values())])
        self._grid.freeze_panes = f"{get_column_letter(len(self._meta) + 2)}3"

    def _annotate(self, shown: Any, cell: BatchCell, document: DocumentCells, column: int) -> None:
        first = cell.values[0] if cell.values else None
        if first is not None and self._comments < MAX_COMMENTS:
            page = f"page {first.page}" if first.page else "no page"
            told = f"{WORDS[cell.status]}, {page}: {first.quote}"
            if cell.conflicts:
                told = f"CONFLICT: {cell.conflicts[0].detail}\n{told}"
            shown.comment = Comment(plain(told[:MAX_COMMENT]), "Lineproof", height=150, width=340)
            self._comments += 1
        link = self._link(cell, document)
        if link is not None and self._links < MAX_LINKS:
            ref = f"{get_column_letter(column)}{self._grid_rows + 2}"
            shown.hyperlink = Hyperlink(ref=ref, target=link)
            self._links += 1

    def _link(self, cell: BatchCell, document: DocumentCells) -> str | None:
        file = (self._facts.marked or {}).get(document.document.name)
        first = cell.values[0] if cell.values else None
        if file is None or first is None or cell.doc_id != document.doc_id:
            return None
        place = f"#page={first.page}" if file.endswith(".pdf") and first.page else f"#L{first.line_start}"
        return f"{quote(self._facts.folder)}/{quote(file)}{place}"

    def _add_long(self, document: DocumentCells) -> None:
        for one in rows_of(document, self._questions):
            if self._cells is None or self._cell_rows >= MAX_ROWS:
                self._begin_cells()
            sheet: Any = self._cells
            meta = [text_cell(sheet, document.document.metadata.get(name, "")) for name in self._meta]
            values = [joined(read(one)) for read in COLUMNS.values()]
            shown = [text_cell(sheet, value) if isinstance(value, str) else value for value in values]
            link = self._link(one.cell, document)
            link_cell = None
            if link is not None and self._cell_links < MAX_LINKS:
                link_cell = Looks(sheet).cell("open")
                link_cell.hyperlink = Hyperlink(ref=f"A{self._cell_rows + 2}", target=link)
                self._cell_links += 1
            sheet.append([link_cell, *shown[:1], *meta, *shown[1:]])
            self._cell_rows += 1

    def _begin_cells(self) -> None:
        if self._cells is not None:
            self._close_cells()
        self._cell_sheets += 1
        self._cell_rows = self._cell_links = 0
        first, *rest = COLUMNS
        titles = ["open", first, *self._meta, *rest, *REVIEW]
        name = "cells" if self._cell_sheets == 1 else f"cells {self._cell_sheets}"
        sheet = self._sheet(name, tuple(WIDTHS.get(title, 14) for title in titles))
        looks = Looks(sheet)
        sheet.append([looks.head(title) for title in titles])
        sheet.freeze_panes = "C2"
        self._cells, self._titles = sheet, titles

    def _close_cells(self) -> None:
        sheet: Any = self._cells
        last = self._cell_rows + 1
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(self._titles))}{last}"
        for title, words in (("review verdict", "accept,reject,correct"), ("review not_in_document", "yes")):
            rule = DataValidation(type="list", formula1=f'"{words}"', allow_blank=True)
            letter = get_column_letter(self._titles.index(title) + 1)
            rule.add(f"{letter}2:{letter}{last}")
            sheet.data_validations.append(rule)

    def _add_beside(self, document: DocumentCells) -> None:
        name = document.document.name
        for cell in document.cells:
            if cell.absence is not None:
                proof = cell.absence
                self._put(self._absent, name, cell.question_id, proof.verdict, proof.lines_read, proof.pages_read,
                          "; ".join(proof.searched), proof.detail)  # fmt: skip
            for conflict in cell.conflicts:
                pages = ", ".join(map(str, conflict.pages))
                self._put(self._conflicts, name, cell.question_id, conflict.detail, " | ".join(conflict.quotes), pages)
        if document.fault is not None:
            self._put(self._unread, name, "not read", document.fault, fill=FILLS["failed"])
        elif failed := [cell for cell in document.cells if cell.status == "failed"]:
            for cell in failed:
                self._put(self._unread, name, f"failed: {cell.question_id}", cell.text, fill=FILLS["failed"])
        if document.pages_not_read:
            pages = ", ".join(map(str, document.pages_not_read))
            self._put(self._unread, name, "pages not read", pages, fill=FILLS["partial"])
        for finding in document.findings:
            self._put(self._unread, name, "finding", finding)

    def _write_summary(self) -> None:
        sheet, looks = self._summary, Looks(self._summary)
        total = sum(self._by_status.values())
        facts = self._facts
        told = [("batch", facts.batch), ("documents", self._document_count), ("questions", len(self._questions)),
                ("cells", total), ("model", self._request.model or "none: rules alone"),
                ("calls", facts.spent.calls), ("tokens read", facts.spent.input_tokens),
                ("tokens written", facts.spent.output_tokens)]  # fmt: skip
        if facts.spent.amount is not None:
            told.append((f"spent, {facts.spent.currency}", facts.spent.amount))
        if facts.stopped_because:
            told.append(("stopped before the end", facts.stopped_because))
        told += [("changed since the last session", one) for one in facts.changed]
        told += [("note", one) for one in (*facts.notes, *self._limits())]
        for name, value in told:
            sheet.append([looks.head(name), looks.text(value) if isinstance(value, str) else value])
        sheet.append([])
        first = len(told) + 2
        sheet.append([looks.head("status"), looks.head("cells"), looks.head("share")])
        shown = [one for one in STATUSES if self._by_status[one]]
        for status in shown:
            count = self._by_status[status]
            sheet.append([looks.text(WORDS[status], fill=FILLS[status]), count, looks.cell(count / total, form="0.0%")])
        sheet.append([])
        of_questions = first + len(shown) + 2
        sheet.append([looks.head("question"), *(looks.head(WORDS[one]) for one in STATUSES), looks.head("as asked")])
        for name, question in self._questions.items():
            counts = [self._by_question[name][one] for one in STATUSES]
            sheet.append([looks.text(name), *counts, looks.text(question.text)])
        if total:
            self._draw(first, len(shown), of_questions)

    def _draw(self, first: int, statuses: int, of_questions: int) -> None:
        sheet = self._summary
        pie = PieChart()
        pie.title = "cells by status"
        pie.add_data(Reference(sheet, min_col=2, min_row=first, max_row=first + statuses), titles_from_data=True)
        pie.set_categories(Reference(sheet, min_col=1, min_row=first + 1, max_row=first + statuses))
        pie.height, pie.width = 9, 13
        sheet.add_chart(pie, "L1")
        count = min(len(self._questions), MAX_CHART_QUESTIONS)
        bars = BarChart()
        bars.type, bars.grouping, bars.overlap, bars.title = "bar", "stacked", 100, "status by question"
        last = len(STATUSES) + 1
        bars.add_data(
            Reference(sheet, min_col=2, max_col=last, min_row=of_questions, max_row=of_questions + count),
            titles_from_data=True,
        )
        bars.set_categories(Reference(sheet, min_col=1, min_row=of_questions + 1, max_row=of_questions + count))
        for series, status in zip(bars.series, STATUSES, strict=True):
            series.graphicalProperties.solidFill = FILLS[status][2:]
            series.graphicalProperties.line.solidFill = "808080"
        bars.y_axis.delete = bars.x_axis.delete = False
        bars.height, bars.width = max(9, 0.55 * count), 24
        sheet.add_chart(bars, "L20")

    def _write_questions(self) -> None:
        sheet = self._listed("questions", {
            "id": 18, "question": 60, "type": 14, "allowed values": 30, "folders": 24, "filter": 40, "sections": 24,
            "dictionaries": 20, "language": 10, "priority": 10,
        })  # fmt: skip
        for one in self._request.questions:
            where = "; ".join(f"{each.column} {each.operator} {'|'.join(each.values)}" for each in one.where)
            terms = one.terms
            self._put(sheet, one.question_id, one.text, terms.answer_type or "", "; ".join(terms.allowed_values),
                      "; ".join(one.folders), where, "; ".join(terms.sections), ", ".join(terms.dictionaries),
                      terms.language or "", one.priority)  # fmt: skip

    def _write_versions(self) -> None:
        sheet = self._listed("versions", {"what": 34, "version": 80})
        request = self._request
        rows = [("batch", self._facts.batch), ("request, SHA-256", request.content_sha256()),
                ("code of Lineproof, SHA-256", request.code_sha256), *sorted(request.versions.items()),
                *((f"dictionary {name}, SHA-256", sha) for name, sha in sorted(request.dictionaries.items())),
                ("model", request.model or "none"), ("options of the model", _told(request.model_settings)),
                ("parsing", _told(request.parsing_settings)), ("retrieval", _told(request.retrieval_settings)),
                ("searched by", "; ".join(request.searched_by) or "no embedding model")]  # fmt: skip
        for name, value in rows:
            self._put(sheet, name, value)

    def _limits(self) -> list[str]:
        told = []
        if self._links >= MAX_LINKS:
            told.append(f"the grid links its first {MAX_LINKS:,} values; spreadsheet programs open no more")
        if self._comments >= MAX_COMMENTS:
            told.append(
                f"the first {MAX_COMMENTS:,} values of the grid have a comment; quotes are in the sheet 'cells'"
            )
        return told

    def _listed(self, name: str, columns: Mapping[str, int]) -> Any:
        sheet = self._sheet(name, tuple(columns.values()))
        looks = Looks(sheet)
        sheet.append([looks.head(title) for title in columns])
        sheet.freeze_panes = "B2"
        return sheet

    def _put(self, sheet: Any, *values: str | int, fill: str = "") -> None:
        looks = Looks(sheet) if fill else None
        sheet.append(
            [
                (looks.text(value, fill=fill) if looks else text_cell(sheet, value))
                if isinstance(value, str)
                else value
                for value in values
            ]
        )

    def _sheet(self, name: str, widths: tuple[int, ...]) -> Any:
        sheet = self._book.create_sheet(name)
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)  # printed as wide as one page
        sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
        for at, width in enumerate(widths, 1):
            sheet.column_dimensions[get_column_letter(at)].width = width
        return sheet


def _told(settings: Mapping[str, Any]) -> str:
    return "; ".join(f"{name}={value}" for name, value in sorted(settings.items()))
