"""A parsed document for a person: what it is, its contents, and what could not be read."""

from __future__ import annotations

from collections import Counter

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from pipeline.cli.output import plain
from pipeline.cli.render_answer import render_path
from pipeline.run import Parsed
from schemas.document import ParsedDocument, Statement
from schemas.places import PageUnit
from schemas.tables import NOT_READ_STATUSES

DOUBTS = ("placeholder", "reader", "image", "external")  # findings that may stand for content not read
MAX_FINDINGS = 20  # findings listed; all stand in finding_df
MAX_UNREAD_PAGES = 20  # pages listed one by one; all stand in page_df


def render_document(parsed: Parsed, folder: str) -> list[RenderableType]:
    """Profile, contents, pages not read, findings, and where the tables are."""
    document = parsed.document
    how = "from the store" if parsed.stage.from_cache else f"read in {parsed.stage.seconds:.1f} s"
    return [
        Text(),
        Text.assemble((plain(document.source_name, keep_lines=False), "bold"), (f"   {how}", "dim")),
        _profile(document),
        _contents(document),
        *_attachments(document),
        *_pages_not_read(document),
        *_findings(document),
        *(Text.assemble(("note: ", "yellow"), plain(note, keep_lines=False)) for note in parsed.notes),
        render_path("tables", folder),
    ]


PAGE_WORDS = {"page": "pages", "slide": "slides", "sheet": "sheets", "none": "text"}


def _profile(document: ParsedDocument) -> RenderableType:
    profile = document.profile
    rows = {
        "document": document.doc_id,
        "what it is": profile.semantic.doc_type.replace("_", " "),
        "languages": ", ".join(profile.semantic.languages) or "none recognised",
        "format": profile.identity.format_version or document.format,
        PAGE_WORDS[profile.identity.page_unit]: _counts(
            profile.structure.page_status_counts, profile.identity.page_count or 1
        ),
        "content": f"{profile.content.content_type}; {profile.content.line_count:,} lines, "
        f"{profile.content.char_count:,} characters, {profile.content.image_count:,} images",
        "sections": f"{profile.structure.section_count:,} ({profile.structure.toc_source or 'no outline'})",
        "tables": f"{document.table_df['table_id'].nunique():,}" if len(document.table_df) else "",
        "form fields": _fields(document),
        "named objects": f"{profile.structure.object_count:,}; {profile.structure.cross_ref_count:,} references",
        "title": profile.semantic.title.text if profile.semantic.title else profile.identity.title or "",
        "parties": "; ".join(_statement(party) for party in profile.semantic.parties),
        "dates": "; ".join(_statement(date) for date in profile.semantic.dates),
        "made by": profile.identity.producer or "",
        "hidden text": "yes, see the findings; it is never searched" if profile.content.has_hidden_text else "",
        "encrypted": "yes, opens without a password" if profile.structure.is_encrypted else "",
    }
    table = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        if value:
            table.add_row(Text(name, style="dim"), Text(plain(value, keep_lines=False)))
    return table


def _contents(document: ParsedDocument) -> RenderableType:
    tree = Tree(Text("contents", style="bold"), guide_style="dim")
    if document.toc_df.empty:
        tree.add(Text("none found", style="dim"))
    nodes: dict[object, Tree] = {}
    unit = document.profile.identity.page_unit
    for row in document.toc_df.itertuples(index=False):
        parent = nodes.get(row.parent_section_id, tree)
        place = _place(unit, int(row.start_page), int(row.end_page), int(row.start_line_id))
        label = Text.assemble(plain(row.title, keep_lines=False), (f"  {place}", "cyan"))
        nodes[row.section_id] = parent.add(label)
    return tree


def _place(unit: PageUnit, first: int, last: int, line: int) -> str:
    if unit == "none":
        return f"line {line}"
    return f"{unit} {first}" if first == last else f"{unit}s {first}-{last}"


def _statement(said: Statement) -> str:
    return f"{said.text} ({said.label})" if said.label else said.text


def _fields(document: ParsedDocument) -> str:
    fields = document.field_df
    if not len(fields):
        return "yes, none could be listed" if document.profile.structure.has_form_fields else ""
    filled = int(((fields["value"] != "") | fields["is_checked"].fillna(value=False)).sum())
    return f"{len(fields):,}, {filled:,} filled in"


def _attachments(document: ParsedDocument) -> list[RenderableType]:
    told: list[RenderableType] = []
    for about in document.attachments:
        became = f"read as {about.doc_id}" if about.doc_id else f"not read: {about.reason}"
        told.append(Text.assemble(("file inside: ", "yellow"), plain(f"{about.name}, {became}", keep_lines=False)))
    return told


def _pages_not_read(document: ParsedDocument) -> list[RenderableType]:
    unit = document.profile.identity.page_unit.replace("none", "text")
    pages = document.page_df[document.page_df["status"].isin(NOT_READ_STATUSES)]
    told: list[RenderableType] = [
        Text.assemble((f"{unit} {row.page_num} not read: ", "yellow"), plain(f"{row.status}, {row.status_reason}"))
        for row in pages.head(MAX_UNREAD_PAGES).itertuples(index=False)
    ]
    if len(pages) > MAX_UNREAD_PAGES:
        told.append(Text(f"and {len(pages) - MAX_UNREAD_PAGES} more pages not read", style="yellow"))
    if told:
        return told
    if not document.profile.content.char_count:
        return [Text("no page has text that could be read", style="yellow")]
    if (document.finding_df["kind"] == "damage").any():
        return [Text("every page that could be found was read; the file is damaged", style="yellow")]
    if document.finding_df["kind"].isin(DOUBTS).any() or not _read_all_inside(document):
        return [Text("what could be read was read; the findings say what was not", style="yellow")]
    return [Text("all of it was read" if unit == "text" else f"every {unit} was read", style="green")]


def _read_all_inside(document: ParsedDocument) -> bool:
    """Every file inside was read, and every page of it."""
    return all(about.doc_id for about in document.attachments) and not any(
        child.profile.routing.pages_not_read for child in document.children
    )


def _findings(document: ParsedDocument) -> list[RenderableType]:
    told: list[RenderableType] = []
    unit = document.profile.identity.page_unit
    for row in document.finding_df.head(MAX_FINDINGS).itertuples(index=False):
        nowhere = unit == "none" or document.finding_df["page_num"].isna()[row.finding_id - 1]
        where = "" if nowhere else f"{unit} {row.page_num}: "
        told.append(Text.assemble((f"{row.kind}: ", "yellow"), where, plain(row.detail, keep_lines=False)))
    rest = document.finding_df["kind"].iloc[MAX_FINDINGS:]
    if len(rest):
        told.append(Text(f"and {_counts(Counter(rest), len(rest))} findings more", style="yellow"))
    return told


def _counts(counts: dict[str, int] | Counter[str], total: int) -> str:
    return f"{total:,} ({', '.join(f'{count:,} {name}' for name, count in sorted(counts.items()))})"
