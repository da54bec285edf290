"""Files inside an Office file: taken out of the OLE wrapping where they have one."""

from __future__ import annotations

import io

from pipeline.parsing.ooxml import Package
from pipeline.parsing.reading import ChildFile
from schemas.errors import DocumentError

MAX_NAME_BYTES = 1_024  # bytes of a name in an OLE package; Windows allows 260 characters
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NATIVE = "\x01Ole10Native"
_WHOLE = ("CONTENTS", "Package")  # streams that are the file itself: PDF of Acrobat, Office files


def take_out(package: Package, part: str) -> ChildFile:
    """The file in a part; `why_not` says why its bytes could not be had."""
    name, kind = part.rpartition("/")[2], package.content_type(part)
    try:
        data = package.read(part)
    except DocumentError as error:
        return ChildFile(name, b"", kind, why_not=str(error))
    if data.startswith(_OLE):
        found = _unwrap(data)
        if found is not None:
            return ChildFile(found[0] or name, found[1])
    return ChildFile(name, data, kind)


def _unwrap(data: bytes) -> tuple[str, bytes] | None:
    """Name and bytes of the file in an OLE container; None where it is an OLE file itself (DOC, XLS, MSG)."""
    import olefile  # comes with msoffcrypto-tool, which opens protected files

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as container:
            if container.exists(_NATIVE):
                return _read_native(container.openstream(_NATIVE).read())
            for stream in _WHOLE:
                if container.exists(stream):
                    return "", container.openstream(stream).read()
    except (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError):  # what olefile raises on damage
        return None
    return None


def _read_native(stream: bytes) -> tuple[str, bytes] | None:
    """Name and bytes out of a stream of the packager: sizes, flags, label, path, then the file ([MS-OLEDS] 2.3.6)."""
    at = 6
    label, at = _read_name(stream, at)
    _, at = _read_name(stream, at)
    at += 4
    skip = int.from_bytes(stream[at : at + 4], "little")
    at += 4 + skip
    size = int.from_bytes(stream[at : at + 4], "little")
    file = stream[at + 4 : at + 4 + size]
    return (label, file) if file and len(file) == size else None


def _read_name(stream: bytes, at: int) -> tuple[str, int]:
    end = stream.find(b"\0", at, at + MAX_NAME_BYTES)
    end = len(stream) if end < 0 else end
    return stream[at:end].decode("cp1252", errors="replace"), end + 1
