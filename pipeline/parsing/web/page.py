"""The reader of web pages: what a browser shows, without scripts and without the network."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from pipeline.parsing.lines import Line
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.reading import CellRead, FieldRead, Finding, GivenHeading, LinkRead, Metadata, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.text import flow_page
from pipeline.parsing.text_encoding import decode_text
from pipeline.parsing.web.buffer import METHOD, resolve_links
from pipeline.parsing.web.flow import read_flow
from pipeline.parsing.web.images import count_images, tell_images
from pipeline.parsing.web.roles import mark_contents_links, mark_regions
from pipeline.parsing.web.state import Flow
from pipeline.parsing.web.style import MAX_STYLE_RULES, Look, read_sheets
from pipeline.parsing.web.tables import find_data_tables
from pipeline.parsing.web.tree import MAX_DEPTH, parse_tree
from schemas.errors import LimitExceededError

LIBRARIES = ("selectolax",)
STAND_IN = (
    "The page is empty until scripts have run or frames have loaded: what it shows is not in the file; open it in a "
    "browser and save it as a whole, or as PDF."
)
CUT_OFF = "The page's end (</body> or </html>) is missing: the file may be cut off."
_BEGUN = re.compile(r"<body[\s>]", re.IGNORECASE)
_ENDED = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta\s[^>]{0,500}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)


@dataclass(slots=True)
class Markup:
    """What was read of a web page; paragraphs of its lines count from 1."""

    lines: list[Line]
    headings: list[GivenHeading]
    cells: list[CellRead]
    fields: list[FieldRead]
    links: list[LinkRead]
    images: int
    metadata: Metadata
    findings: list[Finding] = field(default_factory=list)
    is_stand_in: bool = False  # nothing is seen before scripts run or frames load


def read_html(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The page's lines, headings, tables, fields and inner links, on one page that stands for the whole.

    Raises LimitExceededError.
    """
    del password  # a web page is never locked
    decoded = decode_text(source.data, declared=find_charsets(source.data))
    markup = read_markup(decoded.text)
    most = settings.max_page_lines * settings.max_pages
    if len(markup.lines) > most:
        raise LimitExceededError(
            f"{source.name}: {len(markup.lines):,} lines, the limit is {most:,} (settings.max_page_lines x "
            "settings.max_pages); split the document, or raise a limit"
        )
    page = flow_page(markup.lines, METHOD)
    if markup.is_stand_in:
        page.status, page.reason = "unreadable", STAND_IN
        markup.findings.append(Finding("placeholder", STAND_IN))
    page.images = count_images(markup.images)
    markup.findings += tell_images(markup.images)
    doubts = [Finding("encoding", decoded.doubt)] if decoded.doubt else []
    if _BEGUN.search(decoded.text) and not _ENDED.search(decoded.text):
        doubts.append(Finding("damage", CUT_OFF))
    return Reading(
        "html", "none", [page], headings=markup.headings, cells=markup.cells, fields=markup.fields,
        links=markup.links, findings=doubts + markup.findings, metadata=markup.metadata,
        libraries={name: version(name) for name in LIBRARIES}, has_form=bool(markup.fields),
    )  # fmt: skip


def find_charsets(data: bytes) -> list[str]:
    """The encodings that a page declares, in order: in its XML declaration and any <meta>, however far down."""
    return [found.decode("ascii") for pattern in (_XML_CHARSET, _META_CHARSET) for found in pattern.findall(data)]


def read_markup(text: str) -> Markup:
    """What a browser shows of a page's markup; nothing is run or fetched."""
    parser, is_flattened = parse_tree(text)
    sheet, all_rules = read_sheets(parser)
    has_other_sheets = any("stylesheet" in (node.attributes.get("rel") or "") for node in parser.css("link"))
    flow = Flow(sheet, find_data_tables(parser.root))
    # where a style sheet elsewhere may paint the page, only a background told in the page is known
    read_flow(parser.root, flow, Look(background=None if has_other_sheets else (255, 255, 255)))
    links = resolve_links(flow.links, flow.anchors)
    mark_contents_links(links, flow.lines, flow.headings)
    mark_regions(flow.regions, flow.lines, flow.headings)
    is_empty = not any(line.visible for line in flow.lines) and not flow.images
    is_stand_in = is_empty and (flow.unread > 0 or parser.css_first("script, frameset") is not None)
    findings = _list_findings(flow, is_flattened=is_flattened, all_rules=all_rules)
    return Markup(
        flow.lines, flow.headings, flow.cells, flow.fields, links, flow.images, _read_metadata(parser), findings,
        is_stand_in,
    )  # fmt: skip


def _read_metadata(parser: Any) -> Metadata:
    title = parser.css_first("head > title") or parser.css_first("title")
    values: dict[str, str] = {}
    for node in parser.css("meta"):
        attributes = node.attributes
        name = (attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or "").lower()
        content = clean_text(" ".join((attributes.get("content") or "").split()))
        if name and content:
            values.setdefault(name, content)

    def first(*names: str) -> str | None:
        return next((values[name] for name in names if name in values), None)

    return Metadata(
        title=(clean_text(" ".join(title.text().split())) if title is not None else "")
        or first("og:title", "dc.title"),
        author=first("author", "dc.creator", "dcterms.creator", "article:author"),
        creator=first("generator", "progid"),
        created=first("dcterms.created", "dc.date", "date", "article:published_time", "datepublished"),
    )


def _list_findings(flow: Flow, *, is_flattened: bool, all_rules: bool) -> list[Finding]:
    findings: list[Finding] = []
    if is_flattened:
        findings.append(
            Finding("damage", f"Elements stand more than {MAX_DEPTH} deep; deeper ones were read side by side.")
        )
    if not all_rules:
        findings.append(
            Finding(
                "style",
                f"Only the first {MAX_STYLE_RULES} rules of the page's style sheets were looked at: text that others "
                "hide may be among the visible lines.",
            )
        )
    if flow.unread:
        findings.append(
            Finding("external", f"{flow.unread:,} frames, players or embedded objects show what is not in the file.")
        )
    changes = Counter(line.change for line in flow.lines)
    if changes["deleted"] or changes["inserted"]:
        findings.append(
            Finding(
                "tracked_change",
                f"Words are marked as deleted (in {changes['deleted']:,} places) or inserted (in "
                f"{changes['inserted']:,} lines); the text is read as it stands after the changes.",
            )
        )
    if flow.struck:
        words = f"{flow.struck:,} lines show words with a line through them; they are kept as text."
        findings.append(Finding("tracked_change", words))
    return findings
