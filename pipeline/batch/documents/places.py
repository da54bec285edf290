"""Places of documents: a path, a member of an archive, or a file in remote storage; opened as a local file."""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from schemas.errors import DocumentNotFoundError, LimitExceededError

MEMBER = "!"  # between the path of an archive and the name of its member, in a place
CHUNK_BYTES = 1 << 20
MAX_DOCUMENT_BYTES = 500_000_000  # of one document; what is larger is refused before it is copied
MAX_RATIO = 200  # bytes out for a byte in, of a member of an archive: text packs 20 to 1, a bomb 1,000 to 1
MIN_BOMB_BYTES = 10_000_000  # smaller members are harmless whatever their ratio


def open_place(place: str, cache: Path, *, data: bytes | None = None, name: str = "") -> Path:
    """A local file that holds the document: its own path, or a copy under `cache`, named as the document is.

    `data` are its bytes where the worker cannot see the place.

    Raises DocumentNotFoundError where it cannot be read, LimitExceededError for what is too large.
    """
    if data is None and not is_remote(place) and MEMBER not in place:
        return Path(place)
    if data is None:
        with open_bytes(place) as stream:
            data = b"".join(chunks_of(stream, place))
    digest = hashlib.sha256(data).hexdigest()
    path = cache / digest[:2] / digest / plain_name(name or place)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{os.getpid()}.part")
        beside.write_bytes(data)
        beside.replace(path)
    return path


def hash_of_place(place: str) -> tuple[str, int]:
    """Hex SHA-256 and size of a document, read in pieces.

    Raises DocumentNotFoundError where it cannot be read, LimitExceededError for what is too large.
    """
    digest, count = hashlib.sha256(), 0
    with open_bytes(place) as stream:
        for chunk in chunks_of(stream, place):
            digest.update(chunk)
            count += len(chunk)
    return digest.hexdigest(), count


@contextmanager
def open_bytes(place: str) -> Iterator[IO[bytes]]:
    """The bytes at a place, to be read in pieces.

    Raises DocumentNotFoundError where it cannot be read.
    """
    told = place[:300]
    try:
        if is_remote(place):
            import fsspec

            with fsspec.open(place, "rb") as stream:
                yield stream
        elif MEMBER in place:
            archive, _, member = place.partition(MEMBER)
            with zipfile.ZipFile(archive) as packed, packed.open(member) as stream:
                _refuse_bomb(packed.getinfo(member), place)
                yield stream
        else:
            with Path(place).open("rb") as stream:
                yield stream
    except FileNotFoundError as error:
        raise DocumentNotFoundError(f"{told}: no such file; it may have been moved since it was found") from error
    except PermissionError as error:
        raise DocumentNotFoundError(f"{told}: no permission to read it; check its rights") from error
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise DocumentNotFoundError(f"{told}: cannot be read ({type(error).__name__}: {error})") from error
    except ImportError as error:  # of a file system's own package
        raise DocumentNotFoundError(f"{told}: {error}") from error
    except ValueError as error:  # a protocol that nobody knows, a NUL in a path
        raise DocumentNotFoundError(f"{told}: cannot be read ({error})") from error


def chunks_of(stream: IO[bytes], place: str) -> Iterator[bytes]:
    """The bytes of a stream in pieces.

    Raises LimitExceededError once there are too many.
    """
    count = 0
    while chunk := stream.read(CHUNK_BYTES):
        count += len(chunk)
        if count > MAX_DOCUMENT_BYTES:
            raise LimitExceededError(
                f"{place[:300]}: more than {MAX_DOCUMENT_BYTES:,} bytes; split the document, or leave it out"
            )
        yield chunk


def is_remote(place: str) -> bool:
    """True for an fsspec URL ('s3://...', 'memory://...'), False for a path of this machine."""
    head, mark, _ = place.partition("://")
    return bool(mark) and head.isascii() and head.replace("+", "").replace("-", "").replace(":", "").isalnum()


def plain_name(name: str) -> str:
    """The last part of a name as the name of a file: no separators, no control characters, never hidden or empty."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2].rpartition(MEMBER)[2] or "document"
    kept = "".join(one if one.isprintable() and one not in '/\\:*?"<>|' else "_" for one in last).lstrip(".")
    with suppress(UnicodeEncodeError):
        while len(kept.encode()) > 200:  # file systems allow 255 bytes
            stem, dot, suffix = kept.rpartition(".")
            kept = f"{stem[:-1]}{dot}{suffix}" if stem and len(suffix) < 10 else kept[:-1]
    return kept or "document"


def _refuse_bomb(info: zipfile.ZipInfo, place: str) -> None:
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > MIN_BOMB_BYTES and ratio > MAX_RATIO:
        raise LimitExceededError(
            f"{place[:300]}: unpacks to {info.file_size:,} bytes, {ratio:,.0f} times its size, the limit is "
            f"{MAX_RATIO}; unpack it yourself where you trust it"
        )
