"""The press: blocks flow into columns, columns into pages, and headings are remembered for the outline."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile

from blocks import Block, Command, Heading, Paragraph, TableSpec
from tables import draw_table, table_height
from typeset import PAGE_HEIGHT, PAGE_WIDTH, Line, Run, break_lines, draw_line, draw_rule, draw_text

MARGIN = 72.0  # left and right: one inch
TOP, BOTTOM = 84.0, 768.0  # first and last y of the text
GUTTER = 24.0
BODY_SIZE, LEADING = 11.0, 13.6
NARROW_SIZE, NARROW_LEADING = 9.5, 11.9  # where the text is set in two columns
NOTE_SIZE, NOTE_LEADING = 8.5, 10.5
ITEM_INDENT, NARROW_INDENT = 22.0, 16.0
PARAGRAPH_GAP = 6.0
HEADINGS = {1: ("bold", 13.0, 17.0), 2: ("bold", 11.0, 9.0), 3: ("bold_italic", 11.0, 6.5)}  # face, size, space above
LINES_KEPT = 2  # fewest lines of a paragraph at the foot or the head of a page
LINES_UNDER_HEADING = 3  # a paragraph of three lines is never parted, so a heading needs room for three
NEXT_HEADING = 28.0  # room for the heading of the next level


@dataclass(frozen=True)
class Entry:
    """A heading as it was printed; `y` is the top of its letters."""

    level: int
    text: str
    page_num: int
    x: float
    y: float


@dataclass
class Press:
    """Pages as they fill up.

    `pages` holds operators, `entries` the headings in order, `links` (page, box, target), `notes` (page, operators).
    """

    tables: dict[str, TableSpec]
    pages: list[list[bytes]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    links: list[tuple[int, tuple[float, float, float, float], Entry]] = field(default_factory=list)
    column_count: int = 1
    column: int = 0
    y: float = BOTTOM
    top: float = TOP
    foot: float = BOTTOM
    notes: list[tuple[int, bytes]] = field(default_factory=list)
    note_count: int = 0

    @property
    def measure(self) -> float:
        """Width of a column."""
        return (PAGE_WIDTH - 2 * MARGIN - GUTTER * (self.column_count - 1)) / self.column_count

    @property
    def x(self) -> float:
        """Left edge of the column."""
        return MARGIN + self.column * (self.measure + GUTTER)

    @property
    def sizes(self) -> tuple[float, float]:
        """Size and leading of the text."""
        return (BODY_SIZE, LEADING) if self.column_count == 1 else (NARROW_SIZE, NARROW_LEADING)

    def draw(self, operators: bytes) -> None:
        """Put `operators` on the current page."""
        self.pages[-1].append(operators)

    def new_page(self) -> None:
        """Begin a page."""
        self.pages.append([])
        self.column, self.y, self.top, self.foot = 0, TOP, TOP, BOTTOM

    def new_column(self) -> None:
        """Go on at the top of the next column, or of the next page."""
        if self.column + 1 < self.column_count:
            self.column, self.y = self.column + 1, self.top
        else:
            self.new_page()

    def set_columns(self, count: int) -> None:
        """Set what follows in `count` columns, from here down; leaving columns begins a page."""
        if count == 1:
            self.y = self.foot
        self.column_count, self.column, self.top = count, 0, self.y


def set_blocks(press: Press, blocks: tuple[Block, ...]) -> None:
    """Print `blocks` one after the other."""
    for index, block in enumerate(blocks):
        match block:
            case Heading():
                following = takewhile(lambda other: isinstance(other, Heading), blocks[index + 1 :])
                _set_heading(press, block, sum(1 for _ in following))
            case Paragraph():
                _set_paragraph(press, block)
            case Command():
                _obey(press, block)


def _set_heading(press: Press, heading: Heading, headings_below: int) -> None:
    """Print `heading` where it, the headings right below it and the first lines under them find room."""
    face, size, above = HEADINGS[heading.level]
    if press.column_count > 1:
        size, above = press.sizes[0] + 0.5, 8.0
    lines = break_lines(heading.text, press.measure, size=size, face=face)
    leading = size * 1.25
    needed = above + leading * len(lines) + press.sizes[1] * LINES_UNDER_HEADING + PARAGRAPH_GAP
    needed += NEXT_HEADING * headings_below
    if press.y + needed > press.foot:
        press.new_column()
    press.y += above if press.y > press.top else 0.0
    press.entries.append(Entry(heading.level, heading.text, len(press.pages), press.x, press.y))
    for line in lines:
        press.y += leading
        press.draw(draw_line(line, press.x, press.y - leading * 0.25))
    press.y += PARAGRAPH_GAP * 0.6


def _set_paragraph(press: Press, paragraph: Paragraph) -> None:
    size, leading = press.sizes
    indent = (ITEM_INDENT if press.column_count == 1 else NARROW_INDENT) if paragraph.is_item else 0.0
    lines = break_lines(paragraph.text, press.measure - indent, size=size, first_note=press.note_count + 1)
    left = len(lines)
    for line in lines:
        room = int((press.foot - _notes_height(line) - press.y) / leading + 0.01)
        starts, short = left == len(lines), len(lines) if len(lines) < 2 * LINES_KEPT else LINES_KEPT
        if room < 1 or (starts and room < short) or (left == LINES_KEPT and room == 1 and not starts):
            press.new_column()
        _set_notes(press, line)
        press.y += leading
        base = press.y - leading * 0.25
        if starts and paragraph.label:
            label = Run(paragraph.label + " ", "roman", size)
            press.draw(draw_line(Line((label,)), press.x, base))
        press.draw(draw_line(line, press.x + indent, base, justify=press.column_count == 1))
        left -= 1
    press.y += PARAGRAPH_GAP if press.column_count == 1 else PARAGRAPH_GAP * 0.6


def _note_lines(note: Run) -> list[Line]:
    return break_lines(f"{note.text}~{note.note}", PAGE_WIDTH - 2 * MARGIN, size=NOTE_SIZE)


def _notes_height(line: Line) -> float:
    return sum(len(_note_lines(note)) * NOTE_LEADING + 10.0 for note in line.notes)


def _set_notes(press: Press, line: Line) -> None:
    """Print the footnotes of `line` at the foot of the page, under a short rule; one note a page is enough here."""
    for note in line.notes:
        press.note_count += 1
        press.foot -= _notes_height(line)
        rule = draw_rule(MARGIN, press.foot + 5.0, MARGIN + 120.0, press.foot + 5.0)
        lines = (
            draw_line(line, MARGIN, press.foot + 7.0 + index * NOTE_LEADING)
            for index, line in enumerate(_note_lines(note), start=1)
        )
        press.notes.append((len(press.pages), b"".join((rule, *lines))))


def _obey(press: Press, command: Command) -> None:
    match command.name:
        case "page":
            press.new_page()
        case "columns":
            press.set_columns(int(command.argument))
        case "table":
            table = press.tables[command.argument]
            if press.y + table_height(table, press.measure) > press.foot:
                press.new_column()
            operators, press.y = draw_table(table, press.x, press.y, press.measure)
            press.draw(operators)
        case "signatures":
            _set_signatures(press)
        case name:
            raise ValueError(f"the markup has no command [[{name}]]")


def _set_signatures(press: Press) -> None:
    width = (PAGE_WIDTH - 2 * MARGIN - GUTTER) / 2
    for index, (party, role) in enumerate(
        (("Alpha Components Limited", "Managing Director"), ("Beta Appliances Limited", "Managing Director"))
    ):
        x, y = MARGIN + index * (width + GUTTER), press.y + 30.0
        press.draw(draw_text("Signed for and on behalf of", x, y, size=BODY_SIZE))
        press.draw(draw_text(party, x, y + 16.0, size=BODY_SIZE, face="bold"))
        for row, caption in enumerate(("Signature:", "Name:", f"Title: {role}", "Date:")):
            base = y + 66.0 + row * 40.0
            press.draw(draw_text(caption, x, base, size=BODY_SIZE))
            if caption.endswith(":"):
                press.draw(draw_rule(x + 60.0, base + 2.0, x + width, base + 2.0))
    press.y += 30.0 + 66.0 + 4 * 40.0


def running_head(title: str, reference: str) -> bytes:
    """Operators of the running header."""
    right, y = PAGE_WIDTH - MARGIN, 56.0
    return b"".join(
        (
            draw_text(title, MARGIN, y, size=9.0, face="italic"),
            draw_text(f"Ref. {reference}", right, y, size=9.0, face="italic", align="right"),
            draw_rule(MARGIN, y + 5.0, right, y + 5.0),
        )
    )


def running_foot(page_num: int, page_count: int) -> bytes:
    """Operators of the running footer."""
    y = PAGE_HEIGHT - 50.0
    page = draw_text(f"Page {page_num} of {page_count}", PAGE_WIDTH - MARGIN, y, size=9.0, align="right")
    return draw_text("Confidential", MARGIN, y, size=9.0) + page
