"""From a path to bytes: the checks every format shares, and the document's id."""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pipeline.parsing.settings import ParsingSettings
from schemas.errors import DocumentNotFoundError, EmptyDocumentError, LimitExceededError

MAX_STEM_CHARS = 80  # file systems allow 255 bytes a name; room is left for what the store adds
HASH_DIGITS = 8  # hex digits of the SHA-256 in the id: 32 bits tell a folder's documents apart

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as bytes, with what names it."""

    data: bytes
    name: str
    sha256: str
    doc_id: str


def read_source(path: str | Path, settings: ParsingSettings) -> Source:
    """The file's bytes, name, SHA-256 and document id.

    Raises DocumentNotFoundError (missing, a folder, no regular file, no right to read), EmptyDocumentError or
    LimitExceededError.
    """
    file = Path(path)
    try:
        about = file.stat()
        if stat.S_ISDIR(about.st_mode):
            raise DocumentNotFoundError(f"{file}: this is a folder; name one file in it")
        if not stat.S_ISREG(about.st_mode):
            raise DocumentNotFoundError(f"{file}: this is no regular file; save the document as a file first")
        if about.st_size > settings.max_bytes:
            raise LimitExceededError(
                f"{file.name}: {about.st_size:,} bytes, the limit is {settings.max_bytes:,} (settings.max_bytes); "
                "split the document, or raise the limit"
            )
        data = file.read_bytes()
    except FileNotFoundError as error:
        raise DocumentNotFoundError(f"{file}: no such file; check the path") from error
    except PermissionError as error:
        raise DocumentNotFoundError(
            f"{file}: no permission to read it; check the rights of the file and its folders"
        ) from error
    except (OSError, ValueError) as error:  # a name too long, a null byte in it, a loop of links, a broken device
        raise DocumentNotFoundError(f"{str(file)[:200]}: cannot be read ({error})") from error
    if not data:
        raise EmptyDocumentError(f"{file.name}: the file is empty (0 bytes); check that it was copied completely")
    digest = sha256(data).hexdigest()
    return Source(data=data, name=clean_name(file.name), sha256=digest, doc_id=make_doc_id(file.stem, digest))


def clean_name(name: str) -> str:
    """The file name as text that can be written: bytes that are no UTF-8 become the replacement character."""
    return name.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def make_doc_id(stem: str, digest: str) -> str:
    """The stem with only letters, digits, dot, underscore and hyphen, an underscore, 8 hex digits of the SHA-256."""
    safe = _UNSAFE.sub("_", stem).strip("._-")[:MAX_STEM_CHARS].rstrip("._-")
    return f"{safe or 'document'}_{digest[:HASH_DIGITS]}"
