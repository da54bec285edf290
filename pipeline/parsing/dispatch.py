"""From bytes to the record: the format is told, its reader called, and the files inside read the same way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import PurePath

from pipeline.content import contradicts_name, detect_format, is_locked_office
from pipeline.parsing.assemble import make_document
from pipeline.parsing.locked_office import unlock_office
from pipeline.parsing.readers import READERS, find_reader
from pipeline.parsing.reading import ChildFile, Finding
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source, clean_name, make_doc_id
from pipeline.parsing.watch import enter_page
from schemas.document import Attachment, ParsedDocument
from schemas.errors import DocumentError, MissingPackageError, ReaderFailedError, UnsupportedFormatError

MAX_NAME_CHARS = 200  # characters kept of a name that a document gives to a file inside it; file systems allow 255


@dataclass(slots=True)
class _Allowance:
    """What may still be read of files inside one outermost document, however they are nested."""

    files: int
    byte_count: int


def read_document(source: Source, settings: ParsingSettings, *, password: str | None = None) -> ParsedDocument:
    """The document, with the files inside it down to `settings.max_attachment_depth`.

    `password` is tried on the files inside too.

    Raises DocumentError; a file inside that cannot be read costs an attachment with its reason, and no more.
    """
    allowance = _Allowance(settings.max_attachments, settings.max_attachment_bytes)
    return _read(source, settings, password, 0, allowance)


def _read(
    source: Source, settings: ParsingSettings, password: str | None, depth: int, allowance: _Allowance
) -> ParsedDocument:
    """`depth` is the document's own, 0 outside."""
    if why_not := enter_page(source.sha256):
        raise ReaderFailedError(f"{source.name}: {why_not}")
    data = source.data
    if is_locked_office(data):
        data = unlock_office(data, name=source.name, password=password)
    kind = detect_format(data, name=source.name)
    if kind not in READERS:
        raise UnsupportedFormatError(f"{source.name}: {kind.upper()} files are not read yet; hand over a PDF")
    reading = find_reader(kind)(replace(source, data=data), settings, password=password)
    if odd := contradicts_name(kind, name=source.name):
        reading.findings.insert(0, Finding("format", odd))
    inner = settings.model_copy(update={"pages": None})  # the pages asked for are those of the document outside
    attachments, children = [], []
    for number, child in enumerate(reading.children, start=1):
        about, document = _read_child(child, number, inner, password, depth, allowance)
        enter_page(source.sha256)
        attachments.append(about)
        reading.findings.append(_report(about))
        if document is not None:
            children.append(document)
    return make_document(source, settings, reading, attachments=attachments, children=children)


def _read_child(
    child: ChildFile,
    number: int,
    settings: ParsingSettings,
    password: str | None,
    depth: int,
    allowance: _Allowance,
) -> tuple[Attachment, ParsedDocument | None]:
    name = _child_name(child.name) or f"attachment_{number}"
    digest = sha256(child.data).hexdigest()
    document = None
    reason = child.why_not or _over_limit(child, settings, depth, allowance)
    if not reason:
        allowance.files -= 1
        allowance.byte_count -= len(child.data)
        source = Source(child.data, name, digest, make_doc_id(PurePath(name).stem, digest))
        try:
            document = _read(source, settings, password, depth + 1, allowance)
        except (DocumentError, MissingPackageError) as error:
            reason = str(error)
    about = Attachment(
        name=name, media_type=child.media_type, byte_count=len(child.data), sha256=digest,
        status="not_read" if document is None else "parsed", reason=reason,
        doc_id=None if document is None else document.doc_id,
    )  # fmt: skip
    return about, document


def _over_limit(child: ChildFile, settings: ParsingSettings, depth: int, allowance: _Allowance) -> str:
    """The limit that keeps the file from being read, in one sentence; empty where none does."""
    size = len(child.data)
    if not size:
        return "The file is empty (0 bytes)."
    if depth >= settings.max_attachment_depth:
        return f"Files are read down to depth {settings.max_attachment_depth} (settings.max_attachment_depth)."
    if allowance.files <= 0:
        return f"Only {settings.max_attachments:,} files inside a document are read (settings.max_attachments)."
    if size > settings.max_bytes:
        return f"{size:,} bytes, the limit is {settings.max_bytes:,} (settings.max_bytes)."
    if size > allowance.byte_count:
        return (
            f"{size:,} bytes more than the {settings.max_attachment_bytes:,} that are read of all files inside a "
            "document (settings.max_attachment_bytes)."
        )
    return ""


def _report(about: Attachment) -> Finding:
    what = f"The file inside, {about.name!r} ({about.byte_count:,} bytes),"
    if about.status == "parsed":
        return Finding("attachment", f"{what} was read as a document of its own: {about.doc_id}.")
    return Finding("attachment", f"{what} was not read: {about.reason}")


def _child_name(name: str) -> str:
    """The name without folders, control and direction characters: it is shown, and never used as a path."""
    last = clean_name(name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    shown = "".join(character for character in last if character.isprintable()).strip(" .")
    stem, dot, suffix = shown.rpartition(".")
    if len(shown) > MAX_NAME_CHARS and dot and len(suffix) < MAX_NAME_CHARS // 2:
        return stem[: MAX_NAME_CHARS - len(suffix) - 1] + dot + suffix
    return shown[:MAX_NAME_CHARS]
