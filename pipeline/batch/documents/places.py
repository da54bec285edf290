"""Places of documents: a path, a member of an archive, or a file in remote storage; opened as a local file."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from pipeline.batch.documents.limits import DEFAULT_LIMITS, MIN_BOMB_BYTES, CollectingSettings
from pipeline.batch.documents.names import plain_name
from pipeline.store.disk import write_error
from schemas.errors import DocumentNotFoundError, InputError, LimitExceededError, PipelineError

__all__ = [
    "MEMBER",
    "chunks_of",
    "hash_of_place",
    "is_remote",
    "member_place",
    "open_bytes",
    "open_place",
    "plain_name",
    "refuse_bomb",
    "shown_place",
]
MEMBER = "\0"  # between the parts of a place in an archive: no path and no name of a member can hold it
CHUNK_BYTES = 1 << 20
UNPACKING_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, IndexError, ValueError)
_USER = re.compile(r"://[^/@]*@")  # a name and a password in a URL


def member_place(archive: str, number: int, name: str) -> str:
    """The place of a member: its number counts, for names in an archive need not be unique."""
    return MEMBER.join((archive, str(number), name))


def open_place(
    place: str, cache: Path, *, data: bytes | None = None, name: str = "", sha256: str | None = None
) -> Path:
    """A local file that holds the document: its own path, or a copy under `cache`, named as the document is.

    `data` are its bytes where the worker cannot see the place. With `sha256` a copy that is there already is taken,
    once its bytes have been checked, and a fresh one must be the same.

    Raises DocumentNotFoundError where it cannot be read, LimitExceededError for what is too large, InputError where it
    is not the one of `sha256`, StoreError where the cache cannot be written.
    """
    told = name or shown_place(place)
    file = plain_name(told)
    is_path = data is None and not is_remote(place) and MEMBER not in place
    if is_path and (not name or file == Path(place).name):
        return Path(place)
    if sha256 is not None:
        kept = _copy_in(cache, sha256, file)
        if _has_hash(kept, sha256):
            return kept
    if data is not None:
        return _keep([data], cache, file, told=told, sha256=sha256)
    with open_bytes(place, name=name) as stream:
        return _keep(chunks_of(stream, told), cache, file, told=told, sha256=sha256)


def hash_of_place(place: str, *, limits: CollectingSettings = DEFAULT_LIMITS) -> tuple[str, int]:
    """Hex SHA-256 and size of a document, read in pieces.

    Raises DocumentNotFoundError where it cannot be read, LimitExceededError for what is too large.
    """
    with open_bytes(place, limits=limits) as stream:
        return hash_of(chunks_of(stream, shown_place(place), limits=limits))


def hash_of(chunks: Iterable[bytes]) -> tuple[str, int]:
    """Hex SHA-256 and size of bytes that come in pieces."""
    digest, count = hashlib.sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        count += len(chunk)
    return digest.hexdigest(), count


@contextmanager
def open_bytes(place: str, *, name: str = "", limits: CollectingSettings = DEFAULT_LIMITS) -> Iterator[IO[bytes]]:
    """The bytes at a place, to be read in pieces; messages call it by `name`, or by its place.

    Raises DocumentNotFoundError where it cannot be read, LimitExceededError for what is too large.
    """
    told = name or shown_place(place)
    try:
        with _opened(place, told, limits) as stream:
            yield stream
    except PipelineError:
        raise
    except Exception as error:
        if not (is_remote(place) or isinstance(error, (OSError, *UNPACKING_FAULTS))):
            raise  # a fault of ours; what a file system of the user's choice raises is not known beforehand
        raise DocumentNotFoundError(f"{told}: {reason_of(error)}") from error


def chunks_of(stream: IO[bytes], told: str, *, limits: CollectingSettings = DEFAULT_LIMITS) -> Iterator[bytes]:
    """The bytes of a stream in pieces; messages call it as `told`.

    Raises LimitExceededError once there are too many.
    """
    count = 0
    while chunk := stream.read(CHUNK_BYTES):
        count += len(chunk)
        if count > limits.max_document_bytes:
            raise LimitExceededError(f"{told}: {_too_large(limits)}")
        yield chunk


def is_remote(place: str) -> bool:
    """True for an fsspec URL ('s3://...', 'memory://...'), False for a path of this machine."""
    head, mark, _ = place.partition("://")
    return bool(mark) and head.isascii() and head.replace("+", "").replace("-", "").replace(":", "").isalnum()


def shown_place(place: str) -> str:
    """A place for messages: no password in it, and no more than a line."""
    if MEMBER in place:
        archive, _, member = place.split(MEMBER, 2)
        return f"{archive}!{member}"[:300]
    return (_USER.sub("://", place) if is_remote(place) else place)[:300]


def reason_of(error: Exception) -> str:
    """Why something cannot be read, without its place: the same on every machine."""
    match error:
        case FileNotFoundError():
            return "no such file; it may have been moved since it was found"
        case PermissionError():
            return "no permission to read it; check its rights"
        case ImportError():  # of a file system's own package
            return f"cannot be read ({error}); install that package beside Lineproof"
        case OSError() if error.errno:
            return f"cannot be read ({os.strerror(error.errno)})"
        case zipfile.BadZipFile() | RuntimeError():  # these name the member, at most
            return f"cannot be unpacked ({error})"
        case _:
            return f"cannot be read ({type(error).__name__})"


def refuse_bomb(info: zipfile.ZipInfo, told: str, *, limits: CollectingSettings = DEFAULT_LIMITS) -> None:
    """Nothing for a member that unpacks to a sensible size; no more than it says is ever unpacked.

    Raises LimitExceededError for any other.
    """
    if info.file_size > limits.max_document_bytes:
        raise LimitExceededError(f"{told}: {_too_large(limits)}")
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > MIN_BOMB_BYTES and ratio > limits.max_ratio:
        raise LimitExceededError(
            f"{told}: unpacks to {info.file_size:,} bytes, {ratio:,.0f} times its size, the limit is "
            f"{limits.max_ratio}; unpack it yourself where you trust it"
        )


@contextmanager
def _opened(place: str, told: str, limits: CollectingSettings) -> Iterator[IO[bytes]]:
    if is_remote(place):
        import fsspec

        system, path = fsspec.core.url_to_fs(place)
        with system.open(path, "rb") as stream:
            yield stream
    elif MEMBER in place:
        archive, number, member = place.split(MEMBER, 2)
        with zipfile.ZipFile(archive) as packed:
            info = packed.infolist()[int(number)]
            if info.filename != member:
                raise DocumentNotFoundError(f"{told}: its archive changed since it was found; run the batch again")
            refuse_bomb(info, told, limits=limits)
            with packed.open(info) as stream:
                yield stream
    else:
        # Not to wait for a pipe that nobody writes to, even where it took the place of a file a moment ago.
        number_of_file = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(number_of_file, "rb") as stream:
            facts = os.fstat(number_of_file)
            if not stat.S_ISREG(facts.st_mode):
                raise DocumentNotFoundError(f"{told}: {NO_FILE}")
            if facts.st_size > limits.max_document_bytes:
                raise LimitExceededError(f"{told}: {_too_large(limits)}")
            yield stream


NO_FILE = "neither a file nor a folder (a pipe, a socket or a device)"


def _too_large(limits: CollectingSettings) -> str:
    return f"more than {limits.max_document_bytes:,} bytes; split the document, or leave it out"


def _copy_in(cache: Path, sha256: str, file: str) -> Path:
    return cache / sha256[:2] / sha256 / file


def _has_hash(path: Path, sha256: str) -> bool:
    """True for a whole copy; one that a crash left torn, or that somebody changed, is made anew."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _keep(chunks: Iterable[bytes], cache: Path, file: str, *, told: str, sha256: str | None) -> Path:
    """Write a copy beside and rename it; whatever its size, a piece of it is in memory."""
    digest, beside = hashlib.sha256(), None
    try:
        with _writing(cache):
            cache.mkdir(parents=True, exist_ok=True)
            number, beside = tempfile.mkstemp(dir=cache, prefix=".part-")
        with os.fdopen(number, "wb") as fresh:
            for chunk in chunks:
                digest.update(chunk)
                with _writing(cache):
                    fresh.write(chunk)
                    fresh.flush()
        _refuse_changed(digest.hexdigest(), sha256, told)
        path = _copy_in(cache, digest.hexdigest(), file)
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(beside, path)
    except BaseException:
        if beside is not None:
            with suppress(OSError):  # the first error is the one to tell
                os.unlink(beside)
        raise
    return path


def _refuse_changed(found: str, sha256: str | None, told: str) -> None:
    if sha256 is not None and found != sha256:
        raise InputError(f"{told}: it changed since it was found; run the batch again")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Keeps faults of the cache apart from those of the document.

    Raises StoreError for any of them.
    """
    try:
        yield
    except OSError as error:
        raise write_error(path, error) from error
