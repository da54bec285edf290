"""Files inside a PDF: embedded in the document, pinned to a page, or bound into a portfolio."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import ChildFile, Finding, Reading
from pipeline.parsing.settings import ParsingSettings

MAX_NODES = 20_000  # nodes of the name tree that are asked: a file with more, or with a cycle, is not followed further
MAX_ANNOTATIONS = 20_000  # annotations of one page that are asked
_NAMES = ("UF", "F", "Unix", "DOS", "Mac")  # where a file specification says its name, the best first (7.11.3)
_LOCKED = "The content is encrypted by a rights management system ({}) and was not read."
PORTFOLIO = "The file is a portfolio: its own pages only present the {:,} files inside, which are read by themselves."
PROTECTED = (
    "The pages are a stand-in: the document itself is encrypted by a rights management system ({}) and stands in an "
    "embedded file that was not read; open it with that system and save a copy without protection."
)

mupdf = pymupdf.mupdf


def read_attachments(document: Any, reading: Reading, settings: ParsingSettings) -> None:
    """Write the files inside the PDF into the reading, in the order of the document's list, then of the pages.

    Nothing is opened here. A portfolio and a stand-in for protected content are findings; the pages of a stand-in are
    unreadable, since what the document says was not read.
    """
    try:
        pdf = mupdf.pdf_document_from_fz_document(document.this)
        root = mupdf.pdf_dict_get(mupdf.pdf_trailer(pdf), _key("Root"))
        specifications = list(_list_specifications(pdf, root, document.page_count))
        is_portfolio = bool(mupdf.pdf_is_dict(_get(root, "Collection")))
    except PAGE_ERRORS as error:
        reading.findings.append(Finding("attachment", f"Whether files are inside cannot be told: {_say(error)}"))
        return
    seen: set[int] = set()
    systems: list[str] = []
    for place in specifications:
        child, number, system = _read_file(place, settings)
        if number in seen:  # pinned to a page and listed in the document
            continue
        seen.add(number)
        reading.children.append(child)
        if system:
            systems.append(system)
    if systems:
        _mark_stand_in(reading, systems[0])
    elif is_portfolio and reading.children:
        reading.findings.append(Finding("placeholder", PORTFOLIO.format(len(reading.children))))


def _mark_stand_in(reading: Reading, system: str) -> None:
    reading.findings.append(Finding("placeholder", PROTECTED.format(system)))
    for page in reading.pages:
        if page.status in ("native", "mixed", "ocr", "empty"):
            page.status, page.reason = "unreadable", PROTECTED.format(system)


def _list_specifications(pdf: Any, root: Any, page_count: int) -> Iterator[Any]:
    """File specifications (PDF 32000-2, 7.11): of the name tree, associated with the document, pinned to pages."""
    yield from _walk_tree(_get(_get(root, "Names"), "EmbeddedFiles"))
    yield from _items(_get(root, "AF"))
    for number in range(page_count):
        try:
            page = mupdf.pdf_lookup_page_obj(pdf, number)
            found = [_get(note, "FS") for note in _items(_get(page, "Annots")) if _is_pinned_file(note)]
            found += list(_items(_get(page, "AF")))
        except PAGE_ERRORS:
            continue  # a page that cannot be found has its status already
        yield from found


def _is_pinned_file(note: Any) -> bool:
    return _name(_get(note, "Subtype")) == "FileAttachment"


def _walk_tree(root: Any) -> Iterator[Any]:
    """The values of a name tree (7.9.6) from left to right; a cycle ends, as does a tree that is too large."""
    stack = [root]
    seen: set[int] = set()
    while stack and len(seen) < MAX_NODES:
        node = stack.pop()
        number = mupdf.pdf_to_num(node)
        if not mupdf.pdf_is_dict(node) or (number and number in seen):
            continue
        seen.add(number or -len(seen))
        names = _get(node, "Names")
        for at in range(1, min(mupdf.pdf_array_len(names), 2 * MAX_NODES), 2):
            yield mupdf.pdf_array_get(names, at)
        stack += reversed(list(_items(_get(node, "Kids"))))


def _read_file(place: Any, settings: ParsingSettings) -> tuple[ChildFile, int, str]:
    """The file, the number of the object that holds its bytes (below 0 for none), and the system that encrypts it."""
    name = next((text for key in _NAMES if (text := _text(_get(place, key)))), "")
    holders = _get(place, "EF")
    holder = next((one for key in _NAMES if mupdf.pdf_is_stream(one := _get(holders, key))), None)
    if holder is None:
        return ChildFile(name, b"", "", "The document names the file alone; it is not inside."), -_number_name(name), ""
    number = mupdf.pdf_to_num(holder)
    kind = _name(_get(holder, "Subtype"))
    media_type = kind if "/" in kind else ""
    try:
        data, why = _load(holder, settings)
    except PAGE_ERRORS as error:
        data, why = b"", f"Its bytes cannot be taken out of the document: {_say(error)}"
    system = ""
    if _name(_get(place, "AFRelationship")) == "EncryptedPayload":
        system = _name(_get(_get(place, "EP"), "Subtype")) or "unknown"
        why = _LOCKED.format(system)
    return ChildFile(name, data, media_type, why), number, system


def _load(holder: Any, settings: ParsingSettings) -> tuple[bytes, str]:
    """The bytes, and why they are not all there; unpacked up to the limit, so that a bomb costs no more."""
    most = min(settings.max_bytes, settings.max_attachment_bytes)
    filters = _get(holder, "Filter")
    is_plain = mupdf.pdf_is_null(filters)
    first = mupdf.pdf_array_get(filters, 0) if mupdf.pdf_is_array(filters) else filters
    alone = not mupdf.pdf_is_array(filters) or mupdf.pdf_array_len(filters) == 1
    is_flate = alone and _name(first) == "FlateDecode" and mupdf.pdf_is_null(_get(holder, "DecodeParms"))
    if not (is_plain or is_flate):
        data = _bytes(mupdf.pdf_load_stream(holder))
        return (data, "") if len(data) <= most else (b"", _too_large(most))
    raw = _bytes(mupdf.pdf_load_raw_stream(holder))
    if is_plain:
        return raw, ""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(raw, most + 1)
    except zlib.error:  # a damaged stream: MuPDF takes what can be had
        data = _bytes(mupdf.pdf_load_stream(holder))
    return (data, "") if len(data) <= most else (b"", _too_large(most))


def _too_large(most: int) -> str:
    return f"It unpacks to more than {most:,} bytes (settings.max_bytes, settings.max_attachment_bytes)."


def _number_name(name: str) -> int:
    """A number above 0 for a file without an object of its own: the same for the same name."""
    return 1 + zlib.crc32(name.encode("utf-8", errors="replace"))


def _key(name: str) -> Any:
    return mupdf.pdf_new_name(name)


def _get(holder: Any, key: str) -> Any:
    """The entry of a dictionary, null for one that is missing and in what is no dictionary."""
    return mupdf.pdf_dict_gets(holder, key)


def _items(array: Any) -> Iterator[Any]:
    """The items of an array; none of what is no array."""
    if mupdf.pdf_is_array(array):
        for at in range(min(mupdf.pdf_array_len(array), MAX_ANNOTATIONS)):
            yield mupdf.pdf_array_get(array, at)


def _name(value: Any) -> str:
    return str(mupdf.pdf_to_name(value)) if mupdf.pdf_is_name(value) else ""


def _text(value: Any) -> str:
    return clean_text(str(mupdf.pdf_to_text_string(value))) if mupdf.pdf_is_string(value) else ""


def _bytes(buffer: Any) -> bytes:
    return bytes(mupdf.fz_buffer_extract_copy(buffer))


def _say(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
