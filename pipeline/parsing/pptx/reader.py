"""The reader of presentations: a page a slide, a line a paragraph, a row a row of a table or chart."""

from __future__ import annotations

from lxml import etree

from pipeline.parsing.lines import PageRead
from pipeline.parsing.ooxml import Package, open_package
from pipeline.parsing.pptx.comments import read_authors
from pipeline.parsing.pptx.names import EMU, METHOD, P, R, integer, plain
from pipeline.parsing.pptx.slide import Deck, read_slide
from pipeline.parsing.pptx.words import SlideReading
from pipeline.parsing.reading import Finding, GivenHeading, LinkRead, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.xlsx.workbook import read_metadata
from schemas.errors import DocumentError, EmptyDocumentError, LimitExceededError

NOT_ASKED = "Not read: the settings ask for other slides."
MIN_SECTIONS = 2  # sections that divide a presentation; a single one is what PowerPoint makes by itself


def read_pptx(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:  # noqa: ARG001
    """The presentation's slides with their words, tables, charts, notes and remarks, hidden ones marked as such.

    Without a layout in the sense of a PDF: order, titles and paragraphs are told from the shapes, which know them; the
    lines carry the boxes of their shapes. A slide that is damaged has a status that says so, the others are read.

    Raises EmptyDocumentError, EncryptedDocumentError, DamagedDocumentError, LimitExceededError.
    """
    package = open_package(source.data, name=source.name, settings=settings)
    root = package.tree(package.main)
    slides = _list_slides(package, root)
    if not slides:
        raise EmptyDocumentError(f"{source.name}: the presentation has no slide; save it anew")
    if len(slides) > settings.max_pages:
        raise LimitExceededError(
            f"{source.name}: {len(slides):,} slides, the limit is {settings.max_pages:,} (settings.max_pages); "
            "split the presentation, or raise the limit"
        )
    size = root.find(f"{P}sldSz")
    width, height = (integer(size.get("cx")) / EMU, integer(size.get("cy")) / EMU) if size is not None else (0.0, 0.0)
    deck = Deck(package, width, height, read_authors(package))
    reading = Reading("pptx", "slide", [], headings=[])
    first = integer(root.get("firstSlideNum"), 1)
    paragraph = table = 0
    read: list[SlideReading] = []
    for page_num, (_, part) in enumerate(slides, start=1):
        if settings.pages is not None and page_num not in settings.pages:
            reading.pages.append(PageRead(page_num, "unreadable", NOT_ASKED, width, height, method=METHOD))
            continue
        slide = _read_one(deck, part, page_num, (paragraph, table))
        paragraph, table = slide.paragraph, slide.table
        slide.page.label = None if first == 1 else str(first + page_num - 1)
        _add(reading, slide)
        read.append(slide)
    _add_sections(reading, root, [key for key, _ in slides])
    reading.links = _resolve_links(package, slides, read)
    reading.metadata = read_metadata(package)
    reading.libraries = {"lxml": str(etree.__version__)}
    reading.findings += [Finding("damage", fault) for fault in package.faults]
    if package.related("vbaProject", package.main):
        reading.findings.append(Finding("macro", "The presentation holds macros; they were not run and not read."))
    return reading


def _list_slides(package: Package, root: etree._Element) -> list[tuple[str, str]]:
    """Id and part of each slide in the order shown; the part is '' where the file does not hold it."""
    relations = package.relations(package.main)
    found = []
    for element in root.iterfind(f"{P}sldIdLst/{P}sldId"):
        relation = relations.get(element.get(f"{R}id", ""))
        there = relation is not None and not relation.external and package.has(relation.target)
        found.append((element.get("id", ""), relation.target if relation is not None and there else ""))
    return found


def _read_one(deck: Deck, part: str, page_num: int, before: tuple[int, int]) -> SlideReading:
    """The slide; one that the package does not hold, or that is damaged beyond reading, has status 'failed'."""
    failed = PageRead(page_num, "failed", "", deck.width, deck.height, method=METHOD)
    if not part:
        failed.reason = "The presentation lists the slide, and the file does not hold it."
        return SlideReading(failed, paragraph=before[0], table=before[1])
    try:
        return read_slide(deck, part, page_num, before)
    except LimitExceededError:
        raise
    except DocumentError as error:
        failed.reason = f"The slide could not be read: {error}"
        return SlideReading(failed, paragraph=before[0], table=before[1])


def _resolve_links(package: Package, slides: list[tuple[str, str]], read: list[SlideReading]) -> list[LinkRead]:
    """Links from words to other slides, each to the first line there; links out of the presentation are left out."""
    first = {slides[s.page.page_num - 1][1]: s.page.lines[0] for s in read if s.page.lines}
    found = []
    for slide in read:
        relations = package.relations(slides[slide.page.page_num - 1][1]) if slide.links else {}
        for line, words, key in slide.links:
            relation = relations.get(key)
            if relation is not None and not relation.external and relation.target in first:
                found.append(LinkRead(line, max(line.text.find(words), 0), words, first[relation.target]))
    return found


def _add(reading: Reading, slide: SlideReading) -> None:
    """Put the slide into the reading; one without a title is a section under its number."""
    reading.pages.append(slide.page)
    reading.cells += slide.cells
    reading.findings += slide.findings
    reading.children += slide.children
    headings = slide.headings
    if not headings and slide.page.lines:
        title = f"Slide {slide.page.page_num}"
        headings = [GivenHeading(slide.page.lines[0], 1, title, source="slide_number", found=False)]
    if reading.headings is not None:
        reading.headings += headings


def _add_sections(reading: Reading, root: etree._Element, keys: list[str]) -> None:
    """The presentation's own sections become the level above its slides."""
    sections = [element for element in root.iter("{*}section") if element.get("name")]
    if len(sections) < MIN_SECTIONS or not reading.headings:
        return
    lines = {page.page_num: page.lines[0] for page in reading.pages if page.lines}
    above: list[GivenHeading] = []
    for section in sections:
        pages = [keys.index(e.get("id", "")) + 1 for e in section.iter("{*}sldId") if e.get("id", "") in keys]
        first = next((lines[page] for page in sorted(pages) if page in lines), None)
        if first is not None:
            above.append(GivenHeading(first, 1, plain(section.get("name", "")), source="pptx_section", found=False))
    for heading in reading.headings:
        heading.level += 1
    reading.headings = [*above, *reading.headings]
