"""From bytes to the record: the format is told, its reader called, and the files inside read the same way."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import PurePath

from pipeline.content import detect_format, is_locked_office
from pipeline.parsing.assemble import make_document
from pipeline.parsing.locked_office import unlock_office
from pipeline.parsing.readers import READERS, find_reader
from pipeline.parsing.reading import ChildFile
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source, clean_name, make_doc_id
from schemas.document import Attachment, ParsedDocument
from schemas.errors import DocumentError, UnsupportedFormatError


def read_document(
    source: Source, settings: ParsingSettings, *, password: str | None = None, depth: int = 0
) -> ParsedDocument:
    """The document, with the files inside it down to `settings.max_attachment_depth`; `depth` is its own, 0 outside.

    Raises DocumentError; a file inside that cannot be read costs an attachment with its reason, and no more.
    """
    if is_locked_office(source.data):
        source = replace(source, data=unlock_office(source.data, name=source.name, password=password))
    kind = detect_format(source.data, name=source.name)
    if kind not in READERS:
        raise UnsupportedFormatError(f"{source.name}: {kind.upper()} files are not read yet; hand over a PDF")
    reading = find_reader(kind)(source, settings, password=password)
    attachments, children = [], []
    for number, child in enumerate(reading.children, start=1):
        about, document = _read_child(child, number, settings, depth)
        attachments.append(about)
        if document is not None:
            children.append(document)
    return make_document(source, settings, reading, attachments=attachments, children=children)


def _read_child(
    child: ChildFile, number: int, settings: ParsingSettings, depth: int
) -> tuple[Attachment, ParsedDocument | None]:
    name = clean_name(PurePath(child.name.replace("\\", "/")).name) or f"attachment_{number}"
    digest = sha256(child.data).hexdigest()
    reason, document = child.why_not, None
    if not reason and depth >= settings.max_attachment_depth:
        reason = f"Files are read down to depth {settings.max_attachment_depth} (settings.max_attachment_depth)."
    elif not reason and number > settings.max_attachments:
        reason = f"Only {settings.max_attachments:,} files inside a document are read (settings.max_attachments)."
    elif not reason and len(child.data) > settings.max_bytes:
        reason = f"{len(child.data):,} bytes, the limit is {settings.max_bytes:,} (settings.max_bytes)."
    elif not reason:
        source = Source(child.data, name, digest, make_doc_id(PurePath(name).stem, digest))
        try:
            document = read_document(source, settings, depth=depth + 1)
        except DocumentError as error:
            reason = str(error)
    about = Attachment(
        name=name, media_type=child.media_type, byte_count=len(child.data), sha256=digest,
        status="not_read" if document is None else "parsed", reason=reason,
        doc_id=None if document is None else document.doc_id,
    )  # fmt: skip
    return about, document
