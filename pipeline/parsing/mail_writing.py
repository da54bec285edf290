"""A message written out as EML: the same bytes for the same message."""

from __future__ import annotations

import base64
from email.header import Header
from email.message import Message
from hashlib import sha256

from pipeline.parsing.mail import SHOWN_FIELDS, Mail


def write_eml(mail: Mail) -> bytes:
    """The message as MIME: its fields, each body in its versions, each file, in order."""
    parts = [_write_body(body.plain, body.html) for body in mail.bodies if body.plain or body.html]
    parts += [_write_file(child.name, child.data, child.media_type) for child in mail.children]
    whole = _join("mixed", parts)
    for label in SHOWN_FIELDS:
        if value := mail.fields.get(label):
            whole[label] = value if value.isascii() else Header(value, "utf-8", maxlinelen=10_000).encode()
    return whole.as_bytes(unixfrom=False)


def _write_body(plain: str | None, html: str | None) -> Message:
    versions = [
        _write_part(f"text/{kind}; charset=utf-8", text.encode("utf-8", "replace"))
        for kind, text in (("plain", plain), ("html", html))
        if text
    ]
    return versions[0] if len(versions) == 1 else _join("alternative", versions)


def _write_file(name: str, data: bytes, media_type: str) -> Message:
    is_message = media_type == "message/rfc822"  # carried as a file: its bytes stay as they are
    part = _write_part(media_type if "/" in media_type and not is_message else "application/octet-stream", data)
    part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name))
    return part


def _write_part(kind: str, data: bytes) -> Message:
    part = Message()
    part["Content-Type"] = " ".join(kind.split())
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(base64.encodebytes(data).decode("ascii"))
    return part


def _join(kind: str, parts: list[Message]) -> Message:
    """A multipart whose boundary comes of its content alone."""
    whole = Message()
    digest = sha256(b"\0".join(part.as_bytes() for part in parts)).hexdigest()[:32]
    whole["MIME-Version"] = "1.0"
    whole["Content-Type"] = f'multipart/{kind}; boundary="={digest}"'
    for part in parts:
        whole.attach(part)
    return whole
