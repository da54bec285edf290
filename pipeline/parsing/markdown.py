"""The reader of Markdown: the words that a reader of the rendered text sees, a line for each line of the source.

Heading marks, emphasis, and where links lead are left out, since 'the **Term**' is the Term in question; escapes and
entities are read. Lines that no block of the text shows (a link's definition) are left out too, all others are kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from pipeline.parsing.lines import Line, flow_line
from pipeline.parsing.markdown_inline import InlineRows, read_inline
from pipeline.parsing.numbering import squeeze
from pipeline.parsing.reading import CellRead, FieldRead, Finding, GivenHeading, LinkRead, Metadata, Reading
from pipeline.parsing.rows import CELL_SEPARATOR
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.text import flow_page
from pipeline.parsing.text_encoding import decode_text
from pipeline.parsing.web.images import count_images, tell_images
from schemas.errors import LimitExceededError

METHOD = "markdown-it"
MAX_NESTING = 50  # blocks inside one another that are told apart; deeper ones stay in the innermost one's lines
_FRONT = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_FIELD = re.compile(r"(title|author|date)[ \t]*:[ \t]*(.+)", re.IGNORECASE)
_DEFINITION = re.compile(r"\s{0,3}\[[^\]^]+\]:\s*\S+")
_NOTE = re.compile(r"\[\^[^\]]+\]:")
_MARKS_ONLY = re.compile(r"[\s>#*+_=|:`~.)-]*\d*[\s>#*+_=|:`~.)-]*")


@dataclass(slots=True)
class _Text:
    """What was read so far."""

    lines: list[Line] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # source line of each line, from 0
    headings: list[GivenHeading] = field(default_factory=list)
    cells: list[CellRead] = field(default_factory=list)
    fields: list[FieldRead] = field(default_factory=list)
    links: list[tuple[Line, int, str, str]] = field(default_factory=list)  # line, offset, words, target
    inner_links: list[LinkRead] = field(default_factory=list)  # of HTML in the text
    findings: list[Finding] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)  # source lines that some block showed
    images: int = 0
    paragraph: int = 0
    table_count: int = 0


def read_markdown(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The text's lines, headings, tables and inner links, on one page that stands for the whole.

    Raises LimitExceededError.
    """
    from markdown_it import MarkdownIt

    del password  # text is never locked
    decoded = decode_text(source.data)
    body = decoded.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    metadata, front = _read_front(body)
    most = settings.max_page_lines * settings.max_pages
    if body.count("\n") > most:
        raise LimitExceededError(
            f"{source.name}: {body.count(chr(10)):,} lines, the limit is {most:,} (settings.max_page_lines x "
            "settings.max_pages); split the document, or raise a limit"
        )
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    text = _Text()
    # the front matter is no Markdown: blank lines stand for it, so that the places of the lines stay right
    tokens = parser.parse("\n" * front + "".join(body.splitlines(keepends=True)[front:]))
    _read_blocks(text, tokens)
    _add_unseen(text, body.split("\n"))
    page = flow_page(text.lines, METHOD)
    page.images = count_images(text.images)
    text.findings += tell_images(text.images)
    doubts = [Finding("encoding", decoded.doubt)] if decoded.doubt else []
    return Reading(
        "md", "none", [page], headings=text.headings, cells=text.cells, fields=text.fields, links=_resolve(text),
        findings=doubts + text.findings, metadata=metadata, libraries={"markdown-it-py": version("markdown-it-py")},
        has_form=bool(text.fields),
    )  # fmt: skip


def _read_front(body: str) -> tuple[Metadata, int]:
    """Metadata of the front matter (YAML between two rules at the very beginning), and how many lines it takes."""
    match = _FRONT.match(body)
    if match is None:
        return Metadata(), 0
    values: dict[str, str] = {}
    for row in match[1].split("\n"):
        if told := _FRONT_FIELD.fullmatch(row.strip()):
            values.setdefault(told[1].lower(), told[2].strip().strip("\"'"))
    about = Metadata(title=values.get("title"), author=values.get("author"), created=values.get("date"))
    return about, match[0].count("\n")


def _read_blocks(text: _Text, tokens: Sequence[Any]) -> None:
    """Lines of all blocks but tables, which take their own tokens."""
    markers: list[tuple[int, str]] = []  # number of the next item and its mark, for each list that is open
    waiting = ""  # marker of an item whose first words have not come
    level = 0  # of the heading that is open
    at = 0
    while at < len(tokens):
        token = tokens[at]
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            markers.append((int(token.attrs.get("start", 1)), token.markup))
        elif kind in ("bullet_list_close", "ordered_list_close"):
            markers.pop()
        elif kind == "list_item_open":
            number, mark = markers[-1]
            waiting = f"{waiting} {f'{number}{mark}' if mark in '.)' else mark}".strip()
            markers[-1] = (number + 1, mark)
        elif kind == "list_item_close":
            waiting = ""
        elif kind == "heading_open":
            level = int(token.tag[1])
        elif kind == "inline":
            _add_rows(text, read_inline(token.children or ()), token.map[0], waiting, level)
            text.seen.update(range(*token.map))  # a span of code may have run over the end of a line
            waiting, level = "", 0
        elif kind in ("fence", "code_block"):
            _add_code(text, token)
        elif kind == "html_block":
            _add_html(text, token)
        elif kind == "hr":
            text.seen.update(range(*token.map))
        elif kind == "table_open":
            at = _add_table(text, tokens, at)
        at += 1


def _add_rows(text: _Text, rows: InlineRows, place: int, marker: str, level: int) -> None:
    """The lines of a paragraph or heading that begins on source line `place`."""
    text.paragraph += 1
    text.images += rows.images
    role = "footnote" if _NOTE.match(rows.texts[0]) else "body"
    is_bold = level > 0 or 2 * rows.bold > sum(map(len, rows.texts))
    made: list[Line] = []
    for number, row_words in enumerate(rows.texts):
        prefix = f"{marker} " if number == 0 and marker else ""
        words = prefix + row_words
        text.seen.add(place + number)
        if not words.strip():
            continue
        shift = len(prefix) - (len(words) - len(words.lstrip()))
        line = _add_line(text, words, place + number, role=role, bold=is_bold)
        made.append(line)
        for row, start, shown, target in rows.links:
            if row == number:
                text.links.append((line, max(0, start + shift), shown, target))
    if level and made:
        title = " ".join(words.strip() for words in rows.texts if words.strip())
        text.headings.append(GivenHeading(made[0], level, title, made[-1]))


def _add_line(text: _Text, words: str, place: int, *, role: str = "body", bold: bool = False) -> Line:
    style = ("", 0.0, bold, False)
    line = flow_line(words, method=METHOD, role=role, paragraph_id=text.paragraph, style=style)
    text.lines.append(line)
    text.places.append(place)
    return line


def _add_code(text: _Text, token: Any) -> None:
    first, last = token.map
    text.seen.update(range(first, last))
    text.paragraph += 1
    rows = token.content.split("\n")
    shift = 1 if token.type == "fence" else 0
    for number, words in enumerate(rows):
        if words.strip():
            _add_line(text, words, first + shift + number)


def _add_html(text: _Text, token: Any) -> None:
    """HTML between the paragraphs, as a browser shows it; its tables, fields and links count with those of the text."""
    from pipeline.parsing.web.page import read_markup

    first, last = token.map
    text.seen.update(range(first, last))
    markup = read_markup(token.content)
    for line in markup.lines:
        line.paragraph_id += text.paragraph
        text.lines.append(line)
        text.places.append(first)
    for cell in markup.cells:
        cell.table_id += text.table_count
    text.table_count = max([text.table_count, *(cell.table_id for cell in markup.cells)])
    text.paragraph = max([text.paragraph, *(line.paragraph_id for line in markup.lines)])
    text.headings += markup.headings
    text.cells += markup.cells
    text.fields += markup.fields
    text.inner_links += markup.links
    text.findings += markup.findings
    text.images += markup.images


def _add_table(text: _Text, tokens: Sequence[Any], at: int) -> int:
    """The rows of the table that opens at token `at`; gives the place of the token that closes it."""
    text.table_count += 1
    text.seen.update(range(*tokens[at].map))
    headers: list[str] = []
    row: list[str] = []
    links: list[tuple[int, str, str]] = []  # column, words, target
    row_num = place = 0
    while tokens[at].type != "table_close":
        token = tokens[at]
        if token.type == "tr_open":
            row, links, place = [], [], token.map[0] if token.map else place
        elif token.type == "inline":
            rows = read_inline(token.children or ())
            text.images += rows.images
            links += [(len(row), shown, target) for _, _, shown, target in rows.links]
            row.append(" ".join(part.strip() for part in rows.texts).strip())
        elif token.type == "tr_close" and any(row):
            row_num += 1
            is_header = not headers and row_num == 1
            headers = row if is_header else headers
            text.paragraph += 1
            line = _add_line(text, CELL_SEPARATOR.join(filter(None, row)), place, role="table", bold=is_header)
            text.links += [(line, max(0, line.text.find(shown)), shown, target) for _, shown, target in links]
            text.cells += [
                CellRead(
                    text.table_count, 1, row_num, column, words, is_header=is_header,
                    header="" if is_header or column > len(headers) else headers[column - 1],
                    lines=(line,) if words else (), method=METHOD,
                )
                for column, words in enumerate(row, start=1)
            ]  # fmt: skip
        at += 1
    return at


def _add_unseen(text: _Text, source_lines: Sequence[str]) -> None:
    """Source lines with words that no block showed: nested too deeply, or front matter. They are kept as they stand."""
    unseen = [
        (place, row)
        for place, row in enumerate(source_lines)
        if place not in text.seen and not _MARKS_ONLY.fullmatch(row) and not _DEFINITION.match(row)
    ]
    if not unseen:
        return
    kept = list(zip(text.places, range(len(text.lines)), text.lines, strict=True))
    for place, row in unseen:
        text.paragraph += 1
        line = flow_line(row, method=METHOD, paragraph_id=text.paragraph)
        kept.append((place, -1, line))
    kept.sort(key=lambda item: item[:2])
    text.lines[:] = [line for _, _, line in kept]
    numbers: dict[int, int] = {}
    for line in text.lines:  # paragraphs are counted in reading order
        line.paragraph_id = numbers.setdefault(line.paragraph_id, len(numbers) + 1)


def _resolve(text: _Text) -> list[LinkRead]:
    """Links inside the text, with the heading that each points at: by its words, as all renderers name headings."""
    targets: dict[str, Line] = {}
    for heading in text.headings:
        targets.setdefault(squeeze(heading.title), heading.line)
    found = [LinkRead(line, start, shown, targets.get(squeeze(target))) for line, start, shown, target in text.links]
    return found + text.inner_links
