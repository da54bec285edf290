"""Header fields of a message as a person reads them."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value

from pipeline.parsing.page_text import clean_text
from pipeline.parsing.text_encoding import decode_text

MAX_VALUE_CHARS = 20_000  # characters of one field: some 500 receivers
_FOLD = re.compile(r"\r?\n[ \t]*|[\t ]{2,}")
_ENCODED = re.compile(r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?=")


def raw_values(message: Message, name: str) -> list[str]:
    """The values of the field, as they stand in the message; bytes beyond ASCII as surrogates."""
    return [str(value) for label, value in message.raw_items() if label.lower() == name.lower()]


def read_value(raw: str) -> str:
    """The field's value on one line, its encoded words (RFC 2047) and raw bytes read as characters."""
    text = _FOLD.sub(" ", raw[:MAX_VALUE_CHARS])
    if not text.isascii():  # bytes beyond ASCII, kept by the parser as surrogates
        text = decode_text(text.encode("utf-8", "surrogateescape")).text
    if _ENCODED.search(text):
        try:
            pieces = decode_header(text)
        except (HeaderParseError, ValueError):
            return clean_text(text)
        text = "".join(
            piece if isinstance(piece, str) else decode_text(piece, declared=[charset] if charset else []).text
            for piece, charset in pieces
        )
    return clean_text(" ".join(text.split()))


def read_file_name(part: Message) -> str:
    """The name of an attached file (RFC 2183, RFC 2231), encoded words read; empty where it has none."""
    try:
        raw = part.get_filename("")
    except (ValueError, TypeError, LookupError, UnicodeError):
        return ""
    return read_value(collapse_rfc2231_value(raw) if raw else "")
