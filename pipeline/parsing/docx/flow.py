"""The flow of a document: paragraphs, tables, content controls and chunks in order, with what stands beside them."""

from __future__ import annotations

from hashlib import sha256

from pipeline.content import detect_format
from pipeline.parsing.docx.fields import read_control
from pipeline.parsing.docx.grid import read_table
from pipeline.parsing.docx.inline import note_outside, read_revision
from pipeline.parsing.docx.names import Element, R, W, children, local
from pipeline.parsing.docx.notes import end_section, tell_comment
from pipeline.parsing.docx.paragraphs import flush_carried, read_paragraph
from pipeline.parsing.docx.state import Attached, Place, State
from pipeline.parsing.lines import Line
from pipeline.parsing.reading import ChildFile, Finding, Reading
from pipeline.parsing.source import Source, make_doc_id
from schemas.errors import DocumentError

_WRAPPERS = frozenset({"customXml", "smartTag", "sdtContent"})
_CHANGES = frozenset({"ins", "del", "moveFrom", "moveTo"})


def read_blocks(state: State, parent: Element, place: Place) -> list[Line]:
    """The lines of everything in `parent`, in reading order, without numbers."""
    lines: list[Line] = []
    for child in children(parent):
        lines += _read_block(state, child, place)
    lines += flush_carried(state, place)
    return lines


def _read_block(state: State, block: Element, place: Place) -> list[Line]:
    kind = local(block)
    if kind in _WRAPPERS or kind in _CHANGES:
        inside = place.within(revision=read_revision(block)) if kind in _CHANGES else place
        return [line for child in children(block) for line in _read_block(state, child, inside)]
    if kind == "subDoc":
        note_outside(state, block, "A sub-document, kept in a file of its own,")
    elif kind == "bookmarkStart":
        state.waiting_bookmarks.append(block.get(f"{W}name", ""))
    read = _READERS.get(kind)
    lines = [] if read is None else read(state, block, place)
    return lines + flush_attached(state) if state.table_depth == 0 else lines


def _read_paragraph(state: State, block: Element, place: Place) -> list[Line]:
    lines = read_paragraph(state, block, place)
    if block.find(f"{W}pPr/{W}sectPr") is not None:
        end_section(state)
    return lines


def _read_table(state: State, block: Element, place: Place) -> list[Line]:
    return flush_carried(state, place) + read_table(state, block, place, read_blocks, flush_attached)


def flush_attached(state: State) -> list[Line]:
    """The lines of notes, comments and boxes that wait, in the order in which they were marked."""
    lines: list[Line] = []
    while state.attached:
        waiting, state.attached = state.attached, []
        for item in waiting:
            lines += _read_attached(state, item)
    return lines


def _read_attached(state: State, item: Attached) -> list[Line]:
    if item.kind == "box":
        return read_blocks(state, item.element, item.place)
    # a note stands apart from the text that it is marked in, and refers to parts of its own
    outside = (state.carried, state.runs_on, state.relations)
    state.carried, state.runs_on, state.relations = None, False, state.note_relations.get(item.kind, {})
    lines = read_blocks(state, item.element, item.place)
    state.carried, state.runs_on, state.relations = outside
    if item.kind == "comment":
        text = " ".join(line.text for line in lines if line.visible)
        state.findings.append(Finding("comment", tell_comment(item.element, text), line=lines[0] if lines else None))
    elif item.mark and lines:
        lines[0].text = f"{item.mark} {lines[0].text}"
    return lines


def _read_control(state: State, control: Element, place: Place) -> list[Line]:
    """A content control around whole paragraphs."""
    content = control.find(f"{W}sdtContent")
    lines: list[Line] = []
    if content is not None:
        for child in children(content):
            lines += _read_block(state, child, place)
    field = read_control(control, " ".join(line.text for line in lines if line.visible))
    if field is not None:
        field.line = next((line for line in lines if line.visible), None)
        state.fields.append(field)
    return lines


def _read_chunk(state: State, chunk: Element, place: Place) -> list[Line]:
    """A file of another format that stands in the text's place (w:altChunk), read by the reader of its format."""
    before = flush_carried(state, place)
    relation = state.relations.get(chunk.get(f"{R}id", ""))
    if relation is None or relation.external or not state.package.has(relation.target):
        note_outside(state, chunk, "A part of the text, kept in a file of its own,")
        return before
    name = relation.target.rpartition("/")[2]
    data = state.package.read(relation.target)
    digest = sha256(data).hexdigest()
    source = Source(data, f"{state.package.name}/{name}", digest, make_doc_id(name, digest))
    try:
        reading = _read_other(state, source)
    except DocumentError as error:
        state.findings.append(
            Finding("placeholder", f"A part of the text is a file of its own and was not read: {error}")
        )
        state.children.append(ChildFile(name, data, state.package.content_type(relation.target), str(error)))
        return before
    return before + _graft(state, reading, place)


def _read_other(state: State, source: Source) -> Reading:
    """Raises DocumentError for a chunk that cannot be read, also where chunks are nested too deep."""
    from pipeline.parsing.docx.reader import read_part_document
    from pipeline.parsing.readers import READERS, find_reader

    if state.depth >= state.settings.max_attachment_depth:
        raise DocumentError(f"chunks are read down to depth {state.depth} (settings.max_attachment_depth)")
    kind = detect_format(source.data, name=source.name)
    if kind == "docx":
        return read_part_document(source, state.settings, depth=state.depth + 1)
    if kind not in READERS:
        raise DocumentError(f"{source.name}: {kind.upper()} files are not read")
    return find_reader(kind)(source, state.settings)


def _graft(state: State, reading: Reading, place: Place) -> list[Line]:
    """The lines of another reading as a part of this one."""
    lines = [line for page in reading.pages for line in page.lines]
    first, last = state.paragraph_count, 0
    for line in lines:
        line.page_num, line.hidden = 1, line.hidden or place.hidden
        if line.paragraph_id == 0:
            last += 1
            line.paragraph_id = last
        last = max(last, line.paragraph_id)
        line.paragraph_id += first
    state.paragraph_count += last
    tables = max((cell.table_id for cell in reading.cells), default=0)
    for cell in reading.cells:
        cell.table_id, cell.page_num = cell.table_id + state.table_count, 1
    state.table_count += tables
    for field in reading.fields:
        field.page_num = 1
    for finding in reading.findings:
        finding.page_num = None
    state.cells += reading.cells
    state.fields += reading.fields
    state.findings += reading.findings
    state.headings += reading.headings or ()
    state.ready_links += reading.links
    state.children += reading.children
    state.images += [image for page in reading.pages for image in page.images]
    state.libraries.update(reading.libraries)
    return lines


_READERS = {"p": _read_paragraph, "tbl": _read_table, "sdt": _read_control, "altChunk": _read_chunk}
