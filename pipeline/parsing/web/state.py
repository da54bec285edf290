"""What is open and what was gathered while a web page is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line
from pipeline.parsing.reading import CellRead, FieldRead, GivenHeading
from pipeline.parsing.web.buffer import Buffer, Link
from pipeline.parsing.web.lists import ListState
from pipeline.parsing.web.style import Look, Style
from pipeline.parsing.web.tables import CellDraft, TableDraft


@dataclass(slots=True, eq=False)
class Frame:
    """An element that is open, and what it hands down."""

    tag: str
    look: Look
    is_block: bool
    role: str = "body"
    region: str = ""
    items: ListState | None = None  # of the list that is open
    level: int = 0  # of the heading that the element is
    first_line: int = 0  # lines before the element
    link: Link | None = None
    draft: TableDraft | None = None  # the data table around it
    cell: CellDraft | None = None  # the data cell that the element is
    outer: Buffer | None = None  # what was gathered around that cell
    in_cell: bool = False  # inside a data cell: no line of its own
    in_row: bool = False  # inside a row of a table that arranges text
    in_head: bool = False  # inside <thead>
    in_part: bool = False  # inside an article or section of the page


@dataclass(slots=True)
class Flow:
    """What was made of a page so far."""

    sheet: Mapping[int, Style]  # declarations of the page's own style sheets, by element
    data_tables: Mapping[int, bool]
    lines: list[Line] = field(default_factory=list)
    headings: list[GivenHeading] = field(default_factory=list)
    cells: list[CellRead] = field(default_factory=list)
    fields: list[FieldRead] = field(default_factory=list)
    links: list[tuple[Line, Link, str]] = field(default_factory=list)
    anchors: dict[str, Line] = field(default_factory=dict)  # name -> line
    regions: dict[int, str] = field(default_factory=dict)  # id() of a line -> 'nav 1', 'header 2', 'footer 3' ...
    images: int = 0
    unread: int = 0  # frames, players and embedded objects
    struck: int = 0  # lines with words that have a line through them
    table_count: int = 0
    region_count: int = 0
    buffer: Buffer = field(default_factory=Buffer)
    paragraph: int = 0
    is_fresh: bool = True  # the next line begins a paragraph
    marker: str = ""  # of the list item that is open, until its first words come
    frames: list[Frame] = field(default_factory=list)
    linked: list[Frame] = field(default_factory=list)  # links that are open
    drafts: list[TableDraft] = field(default_factory=list)  # data tables that are open, the outermost first

    @property
    def top(self) -> Frame:
        """The innermost element that is open."""
        return self.frames[-1]
