"""The reader of Word documents: the package's parts, and what the file says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from pipeline.parsing.docx.embedded import read_embedded
from pipeline.parsing.docx.flow import flush_attached, read_blocks
from pipeline.parsing.docx.names import Element, W, flag, local, points
from pipeline.parsing.docx.notes import check_fields, header_parts, load_notes, read_part
from pipeline.parsing.docx.numbering import Numbering
from pipeline.parsing.docx.state import METHOD, Attached, Place, State
from pipeline.parsing.docx.styles import Styles
from pipeline.parsing.lines import Line, PageRead
from pipeline.parsing.ooxml import Package, is_strict, open_package
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.quality import measure_quality
from pipeline.parsing.reading import Finding, GivenHeading, LinkRead, Metadata, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from schemas.errors import DamagedDocumentError, LimitExceededError

MAX_LISTED_CHANGES = 50  # tracked changes listed one by one; the rest is counted
MAX_TITLE_LINES = 3  # paragraphs of one title on a cover
MAX_TOLD_CHARS = 200  # characters of a change's words in its finding
TWIP = 0.05  # points, unit of lengths in the file
UNSHOWN_HEADER = "a header or footer that no page shows"
_CORE = {
    "title": "{http://purl.org/dc/elements/1.1/}title",
    "author": "{http://purl.org/dc/elements/1.1/}creator",
    "created": "{http://purl.org/dc/terms/}created",
}
_APP = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_FORMAT_CHANGES = tuple(
    f"{W}{name}PrChange" for name in ("r", "p", "tbl", "tr", "tc", "sect")
)  # ISO/IEC 29500-1, 17.13.5


def read_docx(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The document's lines in reading order on one page without a number, with all that Word keeps beside them.

    Raises DamagedDocumentError, EncryptedDocumentError, LimitExceededError.
    """
    del password  # a locked file is unlocked before it comes here
    try:
        return read_part_document(source, settings, depth=0)
    except RecursionError as error:
        raise DamagedDocumentError(
            f"{source.name}: tables, boxes or chunks stand inside one another too deep to be read; save the file anew"
        ) from error


def read_part_document(source: Source, settings: ParsingSettings, *, depth: int) -> Reading:
    """The same for a document inside a document, `depth` levels down."""
    package = open_package(source.data, name=source.name, settings=settings)
    state = _start(package, settings, depth)
    root = package.tree(package.main)
    check_fields(state, root)
    body = root.find(f"{W}body")
    if body is None:
        raise DamagedDocumentError(f"{source.name}: the main part {package.main!r} has no body; save the file anew")
    about = _read_settings(state)
    sections = [e for e in body.iter(f"{W}sectPr") if local(e.getparent()) != "sectPrChange"]  # not as they were
    load_notes(state, about, sections)
    state.page_size = _page_size(sections) or state.page_size
    lines = read_blocks(state, body, Place(ground=_page_color(body, about)))
    state.format_changes = sum(1 for _ in body.iter(*_FORMAT_CHANGES))
    lines += _read_left_notes(state)
    lines += _read_headers(state, sections, about)
    read_embedded(state)
    state.lines = lines
    if len(lines) > settings.max_page_lines * settings.max_pages:
        raise LimitExceededError(
            f"{source.name}: {len(lines):,} lines, the limit is {settings.max_page_lines * settings.max_pages:,} "
            "(settings.max_page_lines x settings.max_pages); split the document, or raise a limit"
        )
    return _make_reading(state, lines)


def _start(package: Package, settings: ParsingSettings, depth: int) -> State:
    state = State(
        package, settings, Styles(None), Numbering(None, Styles(None)), package.main,
        package.relations(package.main), depth=depth,
    )  # fmt: skip
    state.findings += [Finding("damage", fault) for fault in package.faults]
    roots = {
        kind: next((read_part(state, part) for part in package.related(kind, package.main)), None)
        for kind in ("styles", "theme", "numbering")
    }
    state.styles = Styles(roots["styles"], roots["theme"])
    state.numbering = Numbering(roots["numbering"], state.styles)
    return state


def _page_size(sections: Sequence[Element]) -> tuple[float, float] | None:
    """Width and height of the last section's page, in points."""
    sizes = [size for section in sections if (size := section.find(f"{W}pgSz")) is not None]
    width = points(sizes[-1].get(f"{W}w"), unit=TWIP) if sizes else None
    height = points(sizes[-1].get(f"{W}h"), unit=TWIP) if sizes else None
    return (width, height) if width and height else None


def _page_color(body: Element, settings: Element | None) -> str:
    """Colour of the page where the document shows one of its own; empty for white."""
    background = body.getparent().find(f"{W}background")
    if background is None or not flag(settings, "displayBackgroundShape"):
        return ""
    return str(background.get(f"{W}color", ""))


def _read_settings(state: State) -> Element | None:
    for part in state.package.related("settings", state.package.main):
        return read_part(state, part)
    return None


def _read_left_notes(state: State) -> list[Line]:
    """Comments that no place in the text marks: they stand at the end."""
    for key, element in state.notes["comment"].items():
        if ("comment", key) not in state.notes_done:
            state.notes_done.add(("comment", key))
            state.attached.append(Attached("comment", element, Place("comment"), key=key))
    return flush_attached(state)


def _read_headers(state: State, sections: Sequence[Element], settings: Element | None) -> list[Line]:
    """Headers and footers, each text once."""
    lines: list[Line] = []
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for role, part, is_shown in header_parts(state, list(sections), settings):
        root = read_part(state, part)
        if root is None:
            continue
        state.relations = state.package.relations(part)
        place = Place(role, hidden="" if is_shown else UNSHOWN_HEADER)
        found = read_blocks(state, root, place)
        key = (role, tuple(line.text for line in found))
        if key not in seen:
            seen.add(key)
            lines += found
    state.relations = state.package.relations(state.package.main)
    return lines


def _make_reading(state: State, lines: list[Line]) -> Reading:
    _number_paragraphs(lines)
    _list_changes(state)
    _point_home(state)
    if state.numbering.unknown_formats:
        told = ", ".join(sorted(state.numbering.unknown_formats))
        state.findings.append(
            Finding("placeholder", f"Numbers of the format {told} are shown here in plain figures, unlike in Word.")
        )
    page = PageRead(1, method=METHOD, images=state.images, lines=lines, spans=state.spans)
    seen = [line.text for line in lines if line.visible]
    page.status, page.reason = _judge(bool(seen), len(state.images))
    page.columns, page.needs_ocr = int(bool(seen)), page.status == "scanned"
    page.quality = measure_quality(seen) if seen else None
    metadata = _read_metadata(state)
    return Reading(
        "docx", "none", [page], headings=_choose_headings(state), cells=state.cells, fields=state.fields,
        links=_find_links(state), findings=state.findings, children=state.children, metadata=metadata,
        libraries={"lxml": etree.__version__, **state.libraries}, has_form=bool(state.fields),
    )  # fmt: skip


def _number_paragraphs(lines: Sequence[Line]) -> None:
    """Numbers without gaps, in the order of the lines."""
    numbers: dict[int, int] = {}
    for line in lines:
        line.paragraph_id = numbers.setdefault(line.paragraph_id, len(numbers) + 1)


def _point_home(state: State) -> None:
    """Point everything at the lines that are left after cells were joined to rows."""
    for cell in state.cells:
        cell.lines = tuple({id(held): held for held in (state.find_line(line)[0] for line in cell.lines)}.values())
    for field in state.fields:
        field.line = None if field.line is None else state.find_line(field.line)[0]
    for finding in state.findings:
        finding.line = None if finding.line is None else state.find_line(finding.line)[0]
    for span in state.spans:
        span.line = state.find_line(span.line)[0]
    for heading in (*state.headings, *state.titles):
        heading.line = state.find_line(heading.line)[0]
        heading.last = None if heading.last is None else state.find_line(heading.last)[0]


def _choose_headings(state: State) -> list[GivenHeading]:
    """The headings by outline level; a title that stands before all of them names the document, no section."""
    if not state.headings:  # a style for titles alone: the first names the document, many of them its parts
        later = state.titles[1:] if len(state.titles) > MAX_TITLE_LINES else []
    else:
        places = {id(line): at for at, line in enumerate(state.lines)}
        first = min(places.get(id(heading.line), 0) for heading in state.headings)
        later = [title for title in state.titles if places.get(id(title.line), 0) > first]
    for title in state.titles:
        if title not in later and title.line.role == "body":
            title.line.role = "heading"
            if title.last is not None and title.last.role == "body":
                title.last.role = "heading"
    return [*state.headings, *later]


def _find_links(state: State) -> list[LinkRead]:
    links = list(state.ready_links)
    for link in state.links:
        line, shift = state.find_line(link.line)
        target = state.bookmarks.get(link.anchor)
        if target is not None and line.visible:
            links.append(LinkRead(line, link.char_start + shift, link.text, state.find_line(target)[0]))
    return links


def _list_changes(state: State) -> None:
    """A finding for each tracked change, counted from `MAX_LISTED_CHANGES` on."""
    for revision, text, line in state.revisions[:MAX_LISTED_CHANGES]:
        who = revision.author.strip() or "an unnamed author"
        when = f" on {revision.date[:10]}" if revision.date else ""
        short = text if len(text) <= MAX_TOLD_CHARS else f"{text[:MAX_TOLD_CHARS]} ..."
        detail = f"Tracked change by {who}{when}, {revision.kind}: {clean_text(short)}"
        state.findings.append(Finding("tracked_change", detail, line=line))
    more = len(state.revisions) - MAX_LISTED_CHANGES
    if more > 0:
        state.findings.append(Finding("tracked_change", f"{more:,} more tracked changes of the text."))
    if state.format_changes:
        state.findings.append(
            Finding("tracked_change", f"{state.format_changes:,} tracked changes of formatting alone; the words stay.")
        )


def _judge(has_text: bool, image_count: int) -> tuple[str, str]:
    """Status and reason of the one page that stands for the document."""
    if has_text and image_count:
        return "native", f"Text as characters, and {image_count:,} images in which no words were read; no pages."
    if has_text:
        return "native", "Text as characters; the format has no pages."
    if image_count:
        return "scanned", f"No text, but {image_count:,} images: what they show has to be recognised."
    return "empty", "No text; the format has no pages."


def _read_metadata(state: State) -> Metadata:
    found: dict[str, str] = {}
    for part in state.package.related("core-properties"):
        root = read_part(state, part)
        for name, tag in _CORE.items():
            text = None if root is None else root.findtext(tag)
            if text and text.strip():
                found[name] = clean_text(text)
    creator = None
    for part in state.package.related("extended-properties"):
        root = read_part(state, part)
        application = "" if root is None else (root.findtext(f"{_APP}Application") or "").strip()
        version = "" if root is None else (root.findtext(f"{_APP}AppVersion") or "").strip()
        creator = clean_text(f"{application} {version}".strip()) or None
    kind = "Strict" if is_strict(state.package) else "Transitional"
    return Metadata(**found, creator=creator, format_version=f"Office Open XML {kind}")
