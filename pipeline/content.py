"""What bytes are, by their content alone: a suffix says what someone believed. Reads nothing, opens nothing."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import PurePath

from schemas.document import DocumentFormat
from schemas.errors import UnsupportedFormatError

PDF_WINDOW = 1024  # bytes in which '%PDF-' must stand; Adobe's own readers use this window (PDF 1.7, appendix H)
SNIFF_WINDOW = 4096  # bytes looked at to say what a file is
MAIL_WINDOW = 1024  # bytes in which a message's first header field must stand
PRINTABLE_SHARE = 0.85  # share of printable characters from which unknown bytes are called plain text

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "a bitmap image"),
    (b"{\\rtf", "a rich text (RTF) file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"%!PS", "a PostScript file"),
    (b"version https://git-lfs", "a Git LFS pointer: the file itself was never downloaded"),
)
_ZIP_MEMBERS: tuple[tuple[bytes, str], ...] = (
    (b"word/", "a Word document (DOCX)"),
    (b"xl/", "an Excel workbook (XLSX)"),
    (b"ppt/", "a PowerPoint presentation (PPTX)"),
    (b"application/epub+zip", "an e-book (EPUB)"),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file"),
)
_MAIL_HEADER = re.compile(
    rb"(?:^|\n)(?:Received|From|Message-ID|MIME-Version|Return-Path|Delivered-To): ", re.IGNORECASE
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"GIF8", b"BM", b"\x00\x00\x00\x0cjP  ")
_OFFICE_PARTS: tuple[tuple[str, DocumentFormat], ...] = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))
_OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("WordDocument", "a Word document of before 2007 (DOC); save it as DOCX"),
    ("Workbook", "an Excel workbook of before 2007 (XLS); save it as XLSX"),
    ("PowerPoint Document", "a PowerPoint presentation of before 2007 (PPT); save it as PPTX"),
)
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})


def detect_format(data: bytes, *, name: str) -> DocumentFormat:
    """The format of a file's bytes; its suffix (of `name`) decides only between plain text and Markdown.

    An Office file behind a password is told by `is_locked_office` and has to be unlocked first.

    Raises UnsupportedFormatError that says what the content looks like.
    """
    found = _detect(data, name)
    if found is None:
        raise UnsupportedFormatError(
            f"{name}: the content looks like {describe_content(data)}, which is not a kind that is read; "
            "hand over a PDF, DOCX, XLSX, PPTX, HTML, EML, MSG, TXT, Markdown or image file"
        )
    return found


def is_locked_office(data: bytes) -> bool:
    """True for an Office file behind a password: an OLE container around an encrypted package."""
    return data.startswith(_OLE) and _has_stream(data, "EncryptedPackage")


def _detect(data: bytes, name: str) -> DocumentFormat | None:
    if data.startswith(_OLE):
        return "msg" if _has_stream(data, "__properties_version1.0") else None
    if data.startswith(b"PK"):
        return _detect_office(data)
    if data.startswith(_IMAGES) or (data.startswith(b"RIFF") and data[8:12] == b"WEBP"):
        return "image"
    if b"%PDF-" in data[:PDF_WINDOW]:
        return "pdf"
    words = describe_content(data)
    if words.startswith("an e-mail"):
        return "eml"
    if words.startswith("a web page"):
        return "html"
    if words == "plain text":
        return "md" if PurePath(name).suffix.lower() in _MARKDOWN_SUFFIXES else "txt"
    return None


def _detect_office(data: bytes) -> DocumentFormat | None:
    """By the parts' names; the first of the three folders in the file wins: a presentation may hold a workbook."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        names = []
    if "[Content_Types].xml" not in names:
        return None
    found = [(names.index(part), kind) for prefix, kind in _OFFICE_PARTS for part in names if part.startswith(prefix)]
    return min(found)[1] if found else None


def _has_stream(data: bytes, name: str) -> bool:
    return name.encode("utf-16-le") in data


def describe_content(data: bytes) -> str:
    """What bytes that are no PDF look like, as words for a message: 'a web page (HTML)', 'plain text' ..."""
    head = data[:SNIFF_WINDOW]
    for signature, words in _SIGNATURES:
        if head.startswith(signature):
            return words
    if head.startswith(_OLE):
        return next((words for stream, words in _OLE_STREAMS if _has_stream(data, stream)), "an OLE file")
    if head.startswith(b"PK"):
        return _describe_zip(data)
    if _MAIL_HEADER.search(head[:MAIL_WINDOW]):
        return "an e-mail message"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype html", b"<html")) or b"<html" in text or b"<body" in text:
        return "a web page (HTML), perhaps an error page that was saved in place of the document"
    if text.startswith(b"<?xml"):
        return "an XML file"
    if not head.strip(b"\0"):
        return "nothing but zero bytes"
    decoded = head.decode("utf-8", errors="replace")
    printable = sum(character.isprintable() or character in "\r\n\t\f" for character in decoded)
    if "\0" not in decoded and "\ufffd" not in decoded[:-3] and printable >= PRINTABLE_SHARE * len(decoded):
        return "plain text"
    return "binary data of an unknown kind"


def _describe_zip(data: bytes) -> str:
    # the earliest name decides: a presentation may hold a whole workbook behind its chart
    found = [(data.find(member), words) for member, words in _ZIP_MEMBERS if member in data]
    return min(found)[1] if found else "a ZIP archive"
