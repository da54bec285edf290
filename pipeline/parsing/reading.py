"""What a reader hands over before the tables are made: the same for every format, mutable, and never saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.parsing.lines import Line, PageRead
from schemas.document import DocumentFormat
from schemas.places import PageUnit


@dataclass(frozen=True, slots=True)
class Entry:
    """One outline entry as the file gives it: page from 1; `y` in points, from top or bottom, None where not given."""

    level: int
    title: str
    page_num: int
    y: float | None


SUBJECT = "subject"  # source of the heading that a message's subject is


@dataclass(slots=True)
class GivenHeading:
    """A heading that the format itself names as one: 'Heading 2' of a text processor, <h2>, '## '."""

    line: Line
    level: int
    title: str
    last: Line | None = None  # where the heading runs over several lines, the last of them
    source: str = "native_heading"
    found: bool = True  # `line` is the heading; else it is the first line under a title that no line shows


@dataclass(slots=True)
class CellRead:
    """A table cell; rows and columns from 1, a table that goes on over pages keeps its number."""

    table_id: int
    page_num: int
    row_num: int
    column_num: int
    text: str
    row_span: int = 1
    column_span: int = 1
    is_header: bool = False
    header: str = ""
    lines: tuple[Line, ...] = ()  # the lines that hold its words; empty where none does
    box: tuple[float, float, float, float] | None = None
    method: str = "pymupdf"
    caption: Line | None = None  # first line of the table's caption


@dataclass(slots=True)
class FieldRead:
    """A form field; `kind` as in field_df."""

    page_num: int
    name: str
    kind: str
    value: str
    is_checked: bool | None = None
    line: Line | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(slots=True)
class LinkRead:
    """A link inside the document: from a place in a line to a line."""

    line: Line
    char_start: int
    text: str
    target: Line | None


@dataclass(slots=True)
class Finding:
    """What a reader of the document must know; `kind` as in finding_df."""

    kind: str
    detail: str
    page_num: int | None = None
    line: Line | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(slots=True)
class ChildFile:
    """A file inside the document; `why_not` says why its bytes could not be had."""

    name: str
    data: bytes
    media_type: str = ""
    why_not: str = ""


@dataclass(slots=True)
class Metadata:
    """The file's own word about itself, each None where it says nothing."""

    title: str | None = None
    author: str | None = None
    creator: str | None = None
    producer: str | None = None
    created: str | None = None
    format_version: str | None = None


@dataclass(slots=True)
class Reading:
    """A document as its reader leaves it.

    `pages` hold every physical page, slide or sheet with its lines in reading order (one page for a format without
    any). Lines have no numbers yet. `headings`: those that the format itself names; None where it cannot.
    """

    format: DocumentFormat
    page_unit: PageUnit
    pages: list[PageRead]
    headings: list[GivenHeading] | None = None
    outline: list[Entry] = field(default_factory=list)
    has_layout: bool = False  # lines have boxes on real pages: columns, running text and typography are told from them
    cells: list[CellRead] = field(default_factory=list)
    fields: list[FieldRead] = field(default_factory=list)
    links: list[LinkRead] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    metadata: Metadata = field(default_factory=Metadata)
    libraries: dict[str, str] = field(default_factory=dict)  # name -> version of what read it
    has_form: bool = False
    is_encrypted: bool = False
