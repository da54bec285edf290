"""What the reader keeps while it walks through a document; mutable, and gone when the reading is made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pipeline.parsing.docx.names import Element
from pipeline.parsing.docx.numbering import Numbering
from pipeline.parsing.docx.styles import Look, Styles
from pipeline.parsing.lines import ImageBox, Line, SpanRead
from pipeline.parsing.ooxml import Package, Relation
from pipeline.parsing.reading import CellRead, ChildFile, FieldRead, Finding, GivenHeading, LinkRead
from pipeline.parsing.settings import ParsingSettings

METHOD = "lxml"  # parsing_method: the XML itself is read, no library for Word files stands between


@dataclass(frozen=True, slots=True)
class Revision:
    """A tracked change: who made it, and when, as the file says."""

    kind: str  # 'inserted', 'deleted', 'moved away', 'moved here'
    author: str
    date: str

    @property
    def change(self) -> str:
        """As in line_df."""
        return "deleted" if self.kind in ("deleted", "moved away") else "inserted"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paragraph stands, and what it takes from there."""

    role: str = "body"
    ground: str = ""  # colour behind the text: of the cell, the box; '' for that of the page, '?' for an unknown one
    hidden: str = ""  # why nothing here is seen
    revision: Revision | None = None

    def within(self, **changes: object) -> Place:
        """The same place with something changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(slots=True)
class Piece:
    """A stretch of equal formatting; `text` may be a single line feed, where a line is broken by hand."""

    text: str
    look: Look
    hidden: str = ""
    revision: Revision | None = None


@dataclass(slots=True)
class OpenField:
    """A field whose end has not come yet; it may run over paragraphs."""

    code: list[str] = field(default_factory=list)
    in_result: bool = False
    form: Element | None = None  # w:ffData of a legacy form field
    started_at: int = 0  # piece of the paragraph where its result began
    paragraph: int = 0  # that paragraph

    @property
    def words(self) -> list[str]:
        """The instruction as words, the first of them in capitals."""
        words = "".join(self.code).split()
        return [words[0].upper(), *words[1:]] if words else []


@dataclass(slots=True)
class Inline:
    """What a paragraph holds, in order; places are numbers of pieces, from 0."""

    number: int
    pieces: list[Piece] = field(default_factory=list)
    bookmarks: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[int, int, str]] = field(default_factory=list)  # first piece, one after the last, bookmark
    fields: list[tuple[int, int, FieldRead]] = field(default_factory=list)  # first piece, one after the last
    is_contents: bool = False  # stands in the result of a table of contents


@dataclass(slots=True)
class Attached:
    """What stands beside the flow and is read after the paragraph or row: a note, a comment, a text box."""

    kind: str  # 'footnote', 'endnote', 'comment', 'box', 'diagram'
    element: Element
    place: Place
    mark: str = ""
    key: str = ""


@dataclass(slots=True)
class WaitingLink:
    """A link whose target is looked up at the end."""

    line: Line
    char_start: int
    text: str
    anchor: str


@dataclass(slots=True)
class State:
    """The package, what was learnt of it, and what was read so far."""

    package: Package
    settings: ParsingSettings
    styles: Styles
    numbering: Numbering
    part: str
    relations: dict[str, Relation]
    page_size: tuple[float, float] = (612.0, 792.0)  # points; Letter, what Word takes where a file says nothing
    depth: int = 0  # of chunks inside chunks
    notes: dict[str, dict[str, Element]] = field(default_factory=dict)  # kind -> id -> element
    note_formats: dict[str, tuple[str, int]] = field(default_factory=dict)  # kind -> format, start
    note_counts: dict[str, int] = field(default_factory=dict)
    note_relations: dict[str, dict[str, Relation]] = field(default_factory=dict)  # what each part of notes refers to
    note_restarts: set[str] = field(default_factory=set)  # kinds whose numbers begin anew with each section
    notes_done: set[tuple[str, str]] = field(default_factory=set)  # each is read once: a note may name itself
    open_fields: list[OpenField] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    cells: list[CellRead] = field(default_factory=list)
    headings: list[GivenHeading] = field(default_factory=list)
    titles: list[GivenHeading] = field(default_factory=list)  # paragraphs in the style 'Title'
    fields: list[FieldRead] = field(default_factory=list)
    links: list[WaitingLink] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    revisions: list[tuple[Revision, str, Line]] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    embedded: set[str] = field(default_factory=set)  # parts that are children already
    spans: list[SpanRead] = field(default_factory=list)  # where the settings ask for them
    images: list[ImageBox] = field(default_factory=list)
    ready_links: list[LinkRead] = field(default_factory=list)  # of chunks that another reader read
    libraries: dict[str, str] = field(default_factory=dict)  # with which those were read
    bookmarks: dict[str, Line] = field(default_factory=dict)
    waiting_bookmarks: list[str] = field(default_factory=list)
    attached: list[Attached] = field(default_factory=list)
    carried: Inline | None = None  # a paragraph that runs on into the next one
    inline_count: int = 0
    moved: dict[int, tuple[Line, int]] = field(default_factory=dict)  # id of a line -> line it became part of, offset
    paragraph_count: int = 0
    table_count: int = 0
    table_depth: int = 0
    runs_on: bool = False  # the next paragraph belongs to the one before, whose end is hidden
    format_changes: int = 0  # tracked changes of formatting alone

    def find_line(self, line: Line) -> tuple[Line, int]:
        """The line that now holds the words of `line`, and where they begin in it."""
        shift = 0
        while id(line) in self.moved:
            line, more = self.moved[id(line)]
            shift += more
        return line, shift
