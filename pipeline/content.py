"""What bytes are, by their content alone: a suffix says what someone believed. Opens no file, follows no link."""

from __future__ import annotations

import re
import zipfile
import zlib
from io import BytesIO
from pathlib import PurePath

from schemas.document import DocumentFormat
from schemas.errors import DamagedDocumentError, UnsupportedFormatError

PDF_WINDOW = 1024  # bytes in which '%PDF-' must stand; Adobe's own readers use this window (PDF 1.7, appendix H)
SNIFF_WINDOW = 4096  # bytes looked at to say what a file is
MAIL_WINDOW = 65_536  # bytes of a message's header block that are looked at: signatures and traces run to some 20 kB
MIN_MAIL_FIELDS = 2  # known header fields that make a message: a text may begin with one of them
PRINTABLE_SHARE = 0.85  # share of printable characters from which unknown bytes are called plain text
DAMAGED_SHARE = 0.01  # share of control characters that a text may hold by damage; of any bytes, 11 % are
MAX_RUN_BYTES = 200  # bytes for each blank in text of an 8-bit encoding, at most: binary data has hardly any
UTF16_ZERO_SHARE = 0.4  # share of zero bytes at every other place, from which text without a mark is UTF-16
OTHER_ZERO_SHARE = 0.05  # and at most this share at the places between

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"GIF8", "a GIF image"),
    (b"{\\rtf", "a rich text (RTF) file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x78\x9f\x3e\x22", "a TNEF file (winmail.dat)"),
    (b"%!PS", "a PostScript file"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"version https://git-lfs", "a Git LFS pointer: the file itself was never downloaded"),
)
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ZIP_MEMBERS: tuple[tuple[bytes, str], ...] = (
    (b"word/", "a Word document (DOCX)"),
    (b"xl/", "an Excel workbook (XLSX)"),
    (b"ppt/", "a PowerPoint presentation (PPTX)"),
    (b"application/epub+zip", "an e-book (EPUB)"),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TYPES_PART = "[Content_Types].xml"
MAX_TYPES_BYTES = 1024 * 1024  # bytes of the list of types that are looked at; real ones have a few kilobytes
_MAIN_TYPES: tuple[tuple[re.Pattern[bytes], DocumentFormat], ...] = (
    (re.compile(rb"(?:wordprocessingml\.(?:document|template)|ms-word\.\w+\.\w+)\.main\+xml"), "docx"),
    (re.compile(rb"(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template)\.macro\w+)\.main\+xml"), "xlsx"),
    (re.compile(rb"(?:presentationml\.\w+|ms-powerpoint\.\w+\.\w+)\.main\+xml"), "pptx"),
)
_OFFICE_PARTS: tuple[tuple[str, DocumentFormat], ...] = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))
_OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("__properties_version1.0", "an Outlook message (MSG)"),
    ("EncryptedPackage", "an Office file behind a password"),
    ("WordDocument", "a Word document of before 2007 (DOC); save it as DOCX"),
    ("Workbook", "an Excel workbook of before 2007 (XLS); save it as XLSX"),
    ("Book", "an Excel workbook of before 1997 (XLS); save it as XLSX"),
    ("PowerPoint Document", "a PowerPoint presentation of before 2007 (PPT); save it as PPTX"),
)
_WEB_PAGE = "a web page (HTML), perhaps an error page that was saved in place of the document"
_MAIL = "an e-mail message"
_TEXT = "plain text"
_MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})

# The tags that browsers take for a page's beginning (WHATWG MIME sniffing, 7.1), after blanks, comments and <?xml ?>.
_LEAD = re.compile(r"(?:\s+|<!--.*?-->|<\?xml[^>]*\?>)*", re.DOTALL)
_PAGE_START = re.compile(
    r"<!doctype\s+html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta|link)[\s>/]",
    re.IGNORECASE,
)
_XML_ROOT = re.compile(r"<[A-Za-z_][\w.:-]*\s[^<>]*\bxmlns(?::\w+)?\s*=")
_WHOLE_PAGE = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_INNER_PAGE = re.compile(r"^\s*<(?:!doctype\s+html|html|body)[\s>]", re.IGNORECASE | re.MULTILINE)
_HEADER_END = re.compile(rb"(?<=[^\r\n])\r?\n\r?\n")
_FIELD = re.compile(r"([!-9;-~]+):(?:[ \t]|$)")  # a header field's name (RFC 5322, 2.2)
_ORIGIN_FIELDS = frozenset({"from", "sender", "reply-to", "to", "cc", "bcc"})
_MACHINE_FIELDS = frozenset(
    {"received", "message-id", "mime-version", "return-path", "delivered-to", "dkim-signature", "x-mailer",
     "authentication-results", "received-spf", "arc-seal", "resent-message-id", "content-transfer-encoding"}
)  # fmt: skip
_OTHER_FIELDS = frozenset(
    {"date", "subject", "comments", "keywords", "in-reply-to", "references", "content-type", "resent-date",
     "resent-from", "resent-to", "list-id", "importance", "priority", "thread-topic", "thread-index", "user-agent"}
)  # fmt: skip

_SUFFIXES: dict[str, tuple[DocumentFormat, ...]] = {
    "pdf": ("pdf",), "docx": ("docx",), "docm": ("docx",), "dotx": ("docx",), "xlsx": ("xlsx",), "xlsm": ("xlsx",),
    "pptx": ("pptx",), "pptm": ("pptx",), "ppsx": ("pptx",), "html": ("html",), "htm": ("html",), "xhtml": ("html",),
    "eml": ("eml",), "mht": ("eml",), "mhtml": ("eml",), "mbox": ("eml",), "msg": ("msg",), "txt": ("txt", "md"),
    "csv": ("txt",), "json": ("txt",), "md": ("md",), "markdown": ("md",), "png": ("image",), "jpg": ("image",),
    "jpeg": ("image",), "tif": ("image",), "tiff": ("image",), "gif": ("image",), "bmp": ("image",),
    "webp": ("image",), "doc": (), "xls": (), "ppt": (), "rtf": (), "xml": (), "zip": (),
}  # fmt: skip
_FORMAT_WORDS: dict[DocumentFormat, str] = {
    "pdf": "a PDF", "docx": "a Word document (DOCX)", "xlsx": "an Excel workbook (XLSX)",
    "pptx": "a PowerPoint presentation (PPTX)", "html": "a web page (HTML)", "eml": "an e-mail message",
    "msg": "an Outlook message (MSG)", "txt": "plain text", "md": "Markdown text", "image": "an image",
}  # fmt: skip


def detect_format(data: bytes, *, name: str) -> DocumentFormat:
    """The format of a file's bytes; its suffix (of `name`) decides only whether text is plain or Markdown.

    An Office file behind a password is told by `is_locked_office` and has to be unlocked first.

    Raises UnsupportedFormatError that says what the content looks like, DamagedDocumentError for a cut-off archive.
    """
    words = _describe_zip(data) if data.startswith(b"PK\x03\x04") and not zipfile.is_zipfile(BytesIO(data)) else ""
    if words in dict(_ZIP_MEMBERS).values():
        raise DamagedDocumentError(
            f"{name}: the file begins as {words} and its end is missing: it is damaged or cut off; fetch it again"
        )
    found = _detect(data, name)
    if found is None:
        raise UnsupportedFormatError(
            f"{name}: the content looks like {describe_content(data)}, which is not a kind that is read; "
            "hand over a PDF, DOCX, XLSX, PPTX, HTML, EML, MSG, TXT, Markdown or image file"
        )
    return found


def contradicts_name(kind: DocumentFormat, *, name: str) -> str:
    """A sentence where the suffix of `name` says another format than the content; empty where both agree."""
    suffix = PurePath(name).suffix.lower().lstrip(".")
    if suffix not in _SUFFIXES or kind in _SUFFIXES[suffix]:
        return ""
    return f"The name says {suffix.upper()}, the content is {_FORMAT_WORDS[kind]}; it was read as what it is."


def is_locked_office(data: bytes) -> bool:
    """True for an Office file behind a password: an OLE container around an encrypted package."""
    return data.startswith(_OLE) and "EncryptedPackage" in _list_streams(data)


def describe_content(data: bytes) -> str:
    """What bytes that are no PDF look like, as words for a message: 'a web page (HTML)', 'plain text' ..."""
    head = data[:SNIFF_WINDOW]
    for signature, words in _SIGNATURES:
        if head.startswith(signature):
            return words
    if _is_bitmap(data):
        return "a bitmap image"
    if head.startswith(_OLE):
        streams = _list_streams(data)
        return next((words for stream, words in _OLE_STREAMS if stream in streams), "an OLE file")
    if head.startswith(_ZIPS):
        return _describe_zip(data)
    if not head.strip(b"\0"):
        return "nothing but zero bytes"
    header = _HEADER_END.split(data[:MAIL_WINDOW], maxsplit=1)[0]
    if b"\0" not in header and _is_mail(header.decode("latin-1").removeprefix("ï»¿")):  # its parts may be binary
        return _MAIL
    text = _decode_head(data[:MAIL_WINDOW])
    return "binary data of an unknown kind" if text is None else _describe_text(text)


def _detect(data: bytes, name: str) -> DocumentFormat | None:
    if data.startswith(_OLE):
        return "msg" if "__properties_version1.0" in _list_streams(data) else None
    if data.startswith(_ZIPS):
        return _detect_office(data)
    if _is_image(data):
        return "image"
    if _is_pdf(data):
        return "pdf"
    words = describe_content(data)
    is_markdown = PurePath(name).suffix.lower() in _MARKDOWN_SUFFIXES
    if words == _MAIL:
        return "eml"
    if words == _WEB_PAGE:  # a Markdown text may begin with a tag, but is no whole page
        fragment = is_markdown and not _WHOLE_PAGE.search(_decode_head(data[:SNIFF_WINDOW]) or "")
        return "md" if fragment else "html"
    if words == _TEXT:
        return "md" if is_markdown else "txt"
    return None


def _is_pdf(data: bytes) -> bool:
    """'%PDF-' at the beginning, or behind junk where the objects of a PDF follow: a text may speak of '%PDF-' too."""
    at = data.find(b"%PDF-", 0, PDF_WINDOW)
    return at == 0 or (at > 0 and (b"endobj" in data or b"%%EOF" in data or not data[:at].strip()))


def _is_image(data: bytes) -> bool:
    signatures = tuple(signature for signature, words in _SIGNATURES if words.endswith("image"))
    is_webp = data.startswith(b"RIFF") and data[8:12] == b"WEBP"
    return data.startswith((*signatures, b"\x00\x00\x00\x0cjP  ")) or is_webp or _is_bitmap(data)


def _is_bitmap(data: bytes) -> bool:
    """'BM' alone may begin a text: the two reserved words are zero, and the header has one of the known sizes."""
    return (
        data.startswith(b"BM")
        and data[6:10] == b"\0\0\0\0"
        and int.from_bytes(data[14:18], "little") in (12, 16, 40, 52, 56, 64, 108, 124)
    )


def _detect_office(data: bytes) -> DocumentFormat | None:
    """By the type of the main part (ECMA-376 part 2), and where it names none that we know, by the parts' folders.

    The first of the three folders in the file wins: a presentation may hold a workbook.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            with archive.open(_TYPES_PART) as part:
                types = part.read(MAX_TYPES_BYTES)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, ValueError, OSError, zlib.error):
        return None
    main = {kind for pattern, kind in _MAIN_TYPES if pattern.search(types)}
    if len(main) == 1:
        return main.pop()
    found = [(names.index(part), kind) for prefix, kind in _OFFICE_PARTS for part in names if part.startswith(prefix)]
    return min(found)[1] if found else None


def _list_streams(data: bytes) -> frozenset[str]:
    """Names at the top of an OLE container: a message may hold other containers deeper down."""
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(data)) as container:
            return frozenset(path[0] for path in container.listdir(streams=True, storages=True))
    except (OSError, ValueError, IndexError, KeyError, TypeError, RecursionError, AttributeError):
        # a broken directory: the names still stand in the bytes
        return frozenset(name for name, _ in _OLE_STREAMS if name.encode("utf-16-le") in data)


def _describe_zip(data: bytes) -> str:
    # the earliest name decides: a presentation may hold a whole workbook behind its chart
    found = [(data.find(member), words) for member, words in _ZIP_MEMBERS if member in data]
    return min(found)[1] if found else "a ZIP archive"


def _decode_head(data: bytes) -> str | None:
    """The beginning of a text, its ASCII characters right whatever its encoding; None for bytes that are no text."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe\0\0", "utf-32"),
        (b"\0\0\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data[: len(data) // 4 * 4].decode(encoding, errors="replace")
    head = data[:SNIFF_WINDOW]
    half = max(len(head) // 2, 1)
    zeros = head[0::2].count(0) / half, head[1::2].count(0) / half
    if max(zeros) >= UTF16_ZERO_SHARE and min(zeros) <= OTHER_ZERO_SHARE:
        order = "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
        return data[: len(data) // 2 * 2].decode(order, errors="replace")
    controls = sum(byte < 0x20 and byte not in b"\t\n\f\r\x1b" for byte in head)
    if controls > DAMAGED_SHARE * len(head):
        return None
    text = head.decode("utf-8", errors="replace")
    printable = sum(character.isprintable() or character in "\r\n\t\f" for character in text)
    if "\ufffd" not in text[:-3] and printable >= PRINTABLE_SHARE * len(text):
        return data.decode("utf-8", errors="replace")
    blanks = sum(byte in b" \t\n\r" for byte in head)
    return data.decode("latin-1") if blanks * MAX_RUN_BYTES >= len(head) else None


def _describe_text(text: str) -> str:
    start = text.lstrip("\ufeff \t\r\n")
    body = _LEAD.sub("", start, count=1) if start.startswith("<") else ""
    if start.startswith("<?xml") or (_XML_ROOT.match(body) and not _PAGE_START.match(body)):
        return _WEB_PAGE if _WHOLE_PAGE.match(body) else "an XML file"
    if _PAGE_START.match(body):
        return _WEB_PAGE
    if _is_mail(text):
        return _MAIL
    return _WEB_PAGE if _INNER_PAGE.search(text[:SNIFF_WINDOW]) else _TEXT


def _is_mail(text: str) -> bool:
    """A block of header fields (RFC 5322) with an origin: written by a machine, or with an address in it."""
    lines = text.lstrip("\ufeff\r\n").splitlines()
    if lines and lines[0].startswith("From ") and ":" in lines[0]:  # an mbox: the line before each message
        lines = lines[1:]
    names: set[str] = set()
    has_address = False
    for line in lines:
        if line[:1] in (" ", "\t") and names:
            continue
        field = _FIELD.match(line)
        if field is None:
            break
        name = field[1].lower()
        names.add(name)
        has_address = has_address or (name in _ORIGIN_FIELDS and "@" in line)
    known = names & (_ORIGIN_FIELDS | _MACHINE_FIELDS | _OTHER_FIELDS)
    machine = bool(names & _MACHINE_FIELDS)
    return len(known) >= MIN_MAIL_FIELDS and (has_address or machine)
