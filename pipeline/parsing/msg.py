"""The reader of Outlook messages (MSG, [MS-OXMSG]); a message attached to one is written out as EML and read so."""

from __future__ import annotations

import struct
from collections.abc import Callable
from email.parser import HeaderParser
from email.policy import compat32
from importlib.metadata import version
from typing import Any

from pipeline.parsing.mail import SHOWN_FIELDS, Body, Mail, make_mail_reading
from pipeline.parsing.mail_header import read_value
from pipeline.parsing.mail_writing import write_eml
from pipeline.parsing.reading import ChildFile, Finding, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.text_encoding import decode_text
from schemas.errors import DamagedDocumentError

METHOD = "oxmsg"
MAX_DEPTH = 20  # messages inside one another that are written out
TOP_OFFSET, INNER_OFFSET, ATTACHMENT_OFFSET, RECIPIENT_OFFSET = 32, 24, 8, 8  # bytes before the properties (2.4.1)
_SUBJECT, _BODY, _HTML, _RTF, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D  # property ids of [MS-OXPROPS]
_SENDER_NAME, _SENDER_SMTP, _SENDER_ADDRESS, _SENT, _CLASS = 0x0C1A, 0x5D01, 0x0C1F, 0x0039, 0x001A
_DISPLAYED = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
_NAME, _SMTP, _ADDRESS, _RECIPIENT_TYPE = 0x3001, 0x39FE, 0x3003, 0x0C15
_DATA, _METHOD, _LONG_NAME, _SHORT_NAME, _MEDIA_TYPE, _CONTENT_ID, _HIDDEN = (
    0x3701, 0x3705, 0x3707, 0x3704, 0x370E, 0x3712, 0x7FFE,
)  # fmt: skip
_BY_REFERENCE = (2, 3, 4, 7)  # attach methods whose file lies elsewhere (PidTagAttachMethod)
_RECIPIENTS = {1: "To", 2: "Cc", 3: "Bcc"}
_INNER_MESSAGE = "__substg1.0_3701000D"
_LOCKED_CLASSES = ("IPM.NOTE.SMIME", "IPM.NOTE.RPMSG", "IPM.NOTE.SECURE")
_FAULTS = (KeyError, IndexError, ValueError, TypeError, LookupError, OSError, struct.error, AttributeError,
           OverflowError, AssertionError)  # fmt: skip


def read_msg(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The message's header fields, body and attached files.

    Raises DamagedDocumentError.
    """
    del settings, password  # limits on attached files are the dispatcher's; a message is never locked as a file
    from olefile import olefile
    from oxmsg import Message

    try:
        storage = Message.load(source.data)._storage  # noqa: SLF001  the library shows messages inside no other way
    except (*_FAULTS, RecursionError, olefile.OleFileError) as error:
        raise DamagedDocumentError(
            f"{source.name}: the Outlook message is damaged ({str(error)[:120] or type(error).__name__}); save it "
            "again from the mail program"
        ) from error
    mail = _read_message(storage, TOP_OFFSET, 0)
    libraries = {name: version(name) for name in ("python-oxmsg", "olefile")}
    return make_mail_reading(mail, "msg", method=METHOD, libraries=libraries)


def _read_message(storage: Any, offset: int, depth: int) -> Mail:
    mail = Mail()
    read = _reader(storage, offset, mail)
    headers = HeaderParser(policy=compat32).parsestr(read(_HEADERS, "str") or "")
    told = {label: read_value(str(headers.get(label) or "")) for label in SHOWN_FIELDS}
    told["From"] = told["From"] or _sender(read)
    told["Subject"] = read_value(read(_SUBJECT, "str") or "") or told["Subject"]
    received = _recipients(storage, mail)
    told["Sender"] = "" if told["Sender"] == told["From"] else told["Sender"]
    for label, pid in _DISPLAYED.items():
        told[label] = told[label] or received.get(label, "") or read_value((read(pid, "str") or "").rstrip("\0"))
    if not told["Date"] and (sent := read(_SENT, "date")) is not None:
        told["Date"] = sent.strftime("%a, %d %b %Y %H:%M:%S %z")
    mail.fields = {label: value for label, value in told.items() if value}
    mail.program = read_value(str(headers.get("X-Mailer") or "")) or None
    mail.bodies.append(Body(_plain(read), _html(read, mail)))
    if not mail.bodies[0].plain and not mail.bodies[0].html and read(_RTF, "binary"):
        mail.unread = "The body is kept as compressed RTF alone, which is not read; save the message anew."
    if str(read(_CLASS, "str") or "").upper().startswith(_LOCKED_CLASSES):
        mail.unread = "The message is encrypted or signed as a whole: what it says is in an attached file."
    for part in storage.iter_attachment_storages():
        _add_attachment(mail, part, depth)
    return mail


def _reader(storage: Any, offset: int, mail: Mail) -> Callable[[int, str], Any]:
    """A function that gives a property by id and kind (str, int, binary, date), None where it is missing or broken."""
    from oxmsg.domain.model import UnrecognizedCodePageError, UnsupportedEncodingError
    from oxmsg.properties import Properties

    properties = Properties(storage, properties_header_offset=offset)

    def read(pid: int, kind: str) -> Any:
        try:
            return getattr(properties, f"{kind}_prop_value")(pid)
        except (*_FAULTS, UnrecognizedCodePageError, UnsupportedEncodingError) as error:
            detail = (
                f"A property of the message (0x{pid:04X}) cannot be read: {str(error)[:100] or type(error).__name__}."
            )
            mail.findings.append(Finding("damage", detail))
            return None

    return read


def _sender(read: Callable[[int, str], Any]) -> str:
    name = read_value(read(_SENDER_NAME, "str") or "")
    address = read_value(read(_SENDER_SMTP, "str") or read(_SENDER_ADDRESS, "str") or "")
    if "@" not in address or address == name:  # an address inside Exchange names nobody outside
        return name or address
    return f"{name} <{address}>".strip()


def _recipients(storage: Any, mail: Mail) -> dict[str, str]:
    """The receivers by kind, each as name and address."""
    found: dict[str, list[str]] = {}
    for part in storage.iter_recipient_storages():
        read = _reader(part, RECIPIENT_OFFSET, mail)
        name = read_value(read(_NAME, "str") or "")
        address = read_value(read(_SMTP, "str") or read(_ADDRESS, "str") or "")
        shown = f"{name} <{address}>" if "@" in address and address != name else name or address
        kind = _RECIPIENTS.get(read(_RECIPIENT_TYPE, "int") or 1, "To")
        if shown.strip():
            found.setdefault(kind, []).append(shown.strip())
    return {kind: ", ".join(names) for kind, names in found.items()}


def _plain(read: Callable[[int, str], Any]) -> str | None:
    text = read(_BODY, "str")
    return str(text).rstrip("\0") if text and str(text).strip("\0\r\n\t ") else None


def _html(read: Callable[[int, str], Any], mail: Mail) -> str | None:
    from pipeline.parsing.web.page import find_charsets

    data = read(_HTML, "binary")
    if not data:
        text = read(_HTML, "str")
        return str(text) if text else None
    codepage = read(0x3FDE, "int")  # PidTagInternetCodepage
    declared = find_charsets(data) + ([f"cp{codepage}" if codepage != 65001 else "utf-8"] if codepage else [])
    decoded = decode_text(data, declared=declared)
    if decoded.doubt:
        mail.findings.append(Finding("encoding", decoded.doubt))
    return decoded.text


def _add_attachment(mail: Mail, part: Any, depth: int) -> None:
    read = _reader(part, ATTACHMENT_OFFSET, mail)
    name = read_value(read(_LONG_NAME, "str") or read(_SHORT_NAME, "str") or read(_NAME, "str") or "")
    media_type = read_value(read(_MEDIA_TYPE, "str") or "")
    inner = next((one for one in part.storages if one.name == _INNER_MESSAGE), None)
    if inner is not None:
        _add_inner(mail, inner, name, depth)
        return
    method = read(_METHOD, "int")
    data = read(_DATA, "binary")
    is_picture = media_type.startswith("image/") and bool(read(_CONTENT_ID, "str"))
    if is_picture and _is_shown(mail, read_value(read(_CONTENT_ID, "str") or "")):
        mail.images += 1
        return
    why = ""
    if method in _BY_REFERENCE and not data:
        why = "The message holds a link to the file alone; nothing is fetched."
    elif data is None:
        why = "The message does not hold the bytes of the file."
    mail.children.append(ChildFile(name, data or b"", media_type, why))


def _is_shown(mail: Mail, content_id: str) -> bool:
    """The body shows the picture: it is no file that someone attached."""
    return any(f"cid:{content_id}" in (body.html or "") for body in mail.bodies)


def _add_inner(mail: Mail, inner: Any, name: str, depth: int) -> None:
    """A message inside: its parts are in this file, and it has no bytes of its own."""
    if depth >= MAX_DEPTH or not any(one.name == "__properties_version1.0" for one in inner.streams):
        why = "The attached item is no message that can be read."
        mail.children.append(ChildFile(name or "message.eml", b"", "application/vnd.ms-outlook", why))
        return
    message = _read_message(inner, INNER_OFFSET, depth + 1)
    title = name or message.fields.get("Subject", "") or "message"
    mail.children.append(ChildFile(f"{title[:80].removesuffix('.msg')}.eml", write_eml(message), "message/rfc822"))
    mail.findings += [finding for finding in message.findings if finding.kind == "damage"]
    if message.unread:
        mail.findings.append(Finding("placeholder", f"A message inside: {message.unread}"))
