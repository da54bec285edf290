"""The reader of e-mail messages (RFC 5322, MIME), tolerant of broken ones: what is wrong with them becomes findings."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from email.message import Message
from email.policy import compat32

from pipeline.parsing.mail import SHOWN_FIELDS, Body, Mail, make_mail_reading
from pipeline.parsing.mail_header import raw_values, read_file_name, read_value
from pipeline.parsing.reading import ChildFile, Finding, Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source
from pipeline.parsing.text_encoding import decode_text
from schemas.errors import DamagedDocumentError

METHOD = "email"
MAX_DEPTH = 40  # parts inside one another; mail programs make a handful
MAX_PARTS = 5_000  # parts of one message; the rest is a finding
_MBOX_SPLIT = re.compile(rb"\r?\n\r?\n(?=From [^\r\n]{1,200}\d{4}[^\r\n]{0,20}\r?\n[!-9;-~]+:)")
_MBOX_LINE = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:From [^\r\n:]*[^\r\n]*\r?\n)?")
_BODY_TYPES = ("text/plain", "text/html", "text/enriched", "text/x-amp-html")
_AS_TEXT = ("message/delivery-status", "message/disposition-notification", "text/rfc822-headers")
_PAGE_PARTS = ("/css", "javascript", "/ecmascript", "/woff", "/woff2", "/ttf", "/otf", "-font-woff", "-font-ttf")
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")
_LOCKED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_DEFECTS = {
    "NoBoundaryInMultipartDefect": "its parts have no boundary",
    "StartBoundaryNotFoundDefect": "the boundary of its parts never comes",
    "CloseBoundaryNotFoundDefect": "the last part has no end: the message may be cut off",
    "MultipartInvariantViolationDefect": "it says that it has parts, and has none",
    "MissingHeaderBodySeparatorDefect": "its header runs into its body",
    "FirstHeaderLineIsContinuationDefect": "its header begins in the middle of a field",
    "MisplacedEnvelopeHeaderDefect": "a mailbox line stands inside its header",
    "InvalidBase64PaddingDefect": "the end of a part is missing (base64)",
    "InvalidBase64CharactersDefect": "a part holds characters that are not base64",
    "InvalidBase64LengthDefect": "a part is cut off (base64)",
    "InvalidMultipartContentTransferEncodingDefect": "its parts are encoded as a whole, which no part may be",
}


def read_eml(source: Source, settings: ParsingSettings, *, password: str | None = None) -> Reading:
    """The message's header fields, body and attached files; in a mailbox the first message, the others as files.

    Raises DamagedDocumentError.
    """
    del settings, password  # limits on attached files are the dispatcher's; what is encrypted is reported
    first, *others = _MBOX_SPLIT.split(source.data)
    mail = Mail()
    try:
        message = email.message_from_bytes(_MBOX_LINE.sub(b"", first, count=1), policy=compat32)
        _read_header(mail, message)
        _read_parts(mail, message)
    except RecursionError as error:
        raise DamagedDocumentError(
            f"{source.name}: the message's parts are nested too deeply to be read; open it in a mail program and save "
            "the parts that matter"
        ) from error
    for number, data in enumerate(others, start=2):
        mail.children.append(ChildFile(f"message_{number}.eml", data, "message/rfc822"))
    if others:
        words = f"The file is a mailbox of {len(others) + 1:,} messages; the first is read here, each other by itself."
        mail.findings.insert(0, Finding("attachment", words))
    return make_mail_reading(mail, "eml", method=METHOD, libraries={})


def _read_header(mail: Mail, message: Message) -> None:
    for label in SHOWN_FIELDS:
        values = [read_value(value) for value in raw_values(message, label)]
        if any(values):
            mail.fields[label] = ", ".join(value for value in values if value)
    if mail.fields.get("Sender") == mail.fields.get("From"):
        mail.fields.pop("Sender", None)
    mail.program = next(map(read_value, raw_values(message, "X-Mailer") + raw_values(message, "User-Agent")), None)


def _read_parts(mail: Mail, message: Message) -> None:
    for count, (part, is_inline) in enumerate(_walk(message, is_inline=False, depth=0)):
        if count >= MAX_PARTS:
            mail.findings.append(Finding("damage", f"Only the first {MAX_PARTS:,} parts of the message were read."))
            break
        _read_part(mail, part, is_inline=is_inline)
    found = sorted({type(defect).__name__ for part in _all_parts(message) for defect in part.defects})
    for name in found:
        mail.findings.append(Finding("damage", f"The message is broken: {_DEFECTS.get(name, name)}."))


def _all_parts(message: Message) -> Iterator[Message]:
    """The message's own parts, not those of messages attached."""
    yield message
    if message.get_content_maintype() == "multipart" and message.is_multipart():
        for part in message.get_payload():
            yield from _all_parts(part)  # type: ignore[arg-type]


def _walk(part: Message, *, is_inline: bool, depth: int) -> Iterator[tuple[Message, bool]]:
    """The parts that hold something, in order; alternatives stay together; `is_inline`: part of a web page's body."""
    kind = part.get_content_type()
    if depth > MAX_DEPTH or not part.is_multipart() or not kind.startswith("multipart/"):
        yield part, is_inline
        return
    if kind == "multipart/alternative":
        yield part, is_inline
        return
    for number, child in enumerate(part.get_payload()):
        is_side = kind == "multipart/related" and number > 0
        yield from _walk(child, is_inline=is_inline or is_side, depth=depth + 1)


def _read_part(mail: Mail, part: Message, *, is_inline: bool) -> None:
    kind = part.get_content_type()
    if kind == "multipart/alternative" and part.is_multipart():
        _read_alternatives(mail, part)
    elif kind == "message/rfc822" and part.is_multipart():
        _add_message(mail, part)
    elif is_inline and kind.endswith(_PAGE_PARTS):  # style, scripts and fonts of the web page that the body is
        return
    elif _is_attached(part, kind, is_inline=is_inline):
        _add_file(mail, part, kind)
    elif kind.startswith("image/"):
        mail.images += 1
    elif kind in _BODY_TYPES or kind in _AS_TEXT or kind.startswith("multipart/"):
        text = _read_text(mail, part)
        mail.bodies.append(Body(html=text) if kind == "text/html" else Body(plain=text))


def _read_alternatives(mail: Mail, part: Message) -> None:
    """One body in its versions; what is no version of it (an invitation, a picture) is read as by itself."""
    body = Body()
    rest = []
    for child, is_inline in (found for one in part.get_payload() for found in _walk(one, is_inline=False, depth=1)):  # type: ignore[arg-type]
        kind = child.get_content_type()
        if kind == "text/html" and body.html is None and not _is_attached(child, kind, is_inline=is_inline):
            body.html = _read_text(mail, child)
        elif kind == "text/plain" and body.plain is None and not _is_attached(child, kind, is_inline=is_inline):
            body.plain = _read_text(mail, child)
        elif kind not in ("text/enriched", "text/x-amp-html"):  # further versions of the same text
            rest.append((child, is_inline))
    mail.bodies.append(body)
    for child, is_inline in rest:
        _read_part(mail, child, is_inline=is_inline)


def _is_attached(part: Message, kind: str, *, is_inline: bool) -> bool:
    """The part is a file, and no part of what the message itself shows."""
    disposition = part.get_content_disposition()
    if disposition == "attachment":
        return not (kind.startswith("image/") and is_inline and part.get("Content-ID"))
    if kind.startswith("image/"):
        return not is_inline
    if kind in _BODY_TYPES:
        return is_inline or (bool(part.get_filename()) and disposition != "inline")
    return kind not in _AS_TEXT and not kind.startswith("multipart/")


def _add_message(mail: Mail, part: Message) -> None:
    inner = part.get_payload(0)
    try:
        data = inner.as_bytes(policy=compat32)  # type: ignore[union-attr]
    except (UnicodeError, LookupError, ValueError, TypeError, AttributeError) as error:
        mail.children.append(ChildFile("message.eml", b"", "message/rfc822", f"The message is damaged ({error})."))
        return
    subject = next(map(read_value, raw_values(inner, "Subject")), "") if isinstance(inner, Message) else ""
    name = read_file_name(part) or f"{subject[:80].strip() or 'message'}.eml"
    mail.children.append(ChildFile(name, data, "message/rfc822"))


def _add_file(mail: Mail, part: Message, kind: str) -> None:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    why = ""
    if kind == "application/ms-tnef":
        why = "A TNEF file (winmail.dat) of Outlook: files inside it are not read; ask for the message as MSG or EML."
    elif kind in _SIGNATURES:
        why = "A signature: it proves who wrote the message, and says nothing."
    elif kind in _LOCKED or (kind == "application/octet-stream" and _is_encrypted(mail, part)):
        why = "Encrypted content: it can be read with the receiver's key alone."
        mail.unread = "The message is encrypted: what it says can be read with the receiver's key alone."
    elif kind == "message/external-body":
        why = "The content is kept elsewhere; nothing is fetched."
    elif kind == "message/partial":
        why = "A piece of a message that was sent in several."
    mail.children.append(ChildFile(read_file_name(part) or _default_name(kind), data, kind, why))


def _is_encrypted(mail: Mail, part: Message) -> bool:
    """The second part of a message encrypted with OpenPGP (RFC 3156)."""
    before = mail.children[-1].media_type if mail.children else ""
    return before == "application/pgp-encrypted" and bool(part)


def _default_name(kind: str) -> str:
    """A name for a file without one; the format is told by content anyway."""
    suffix = {"text/calendar": ".ics", "text/html": ".html", "text/plain": ".txt", "message/rfc822": ".eml"}
    return "attachment" + suffix.get(kind, "")


def _read_text(mail: Mail, part: Message) -> str:
    if part.is_multipart():  # the fields of a delivery report come as messages of their own
        return "\n\n".join(str(one) for one in part.get_payload())
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else str(part.get_payload()).encode("utf-8", "surrogateescape")
    declared = [str(charset)] if (charset := part.get_param("charset")) and isinstance(charset, str) else []
    if part.get_content_type() == "text/html":
        from pipeline.parsing.web.page import find_charsets

        declared += find_charsets(data)
    decoded = decode_text(data, declared=declared)
    if decoded.doubt:
        mail.findings.append(Finding("encoding", decoded.doubt))
    return decoded.text
