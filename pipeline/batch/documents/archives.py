"""Documents of a ZIP archive: its members, none unpacked but to be hashed; what may harm is told and never opened."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from pipeline.batch.documents.gathering import LEFT_OUT, Gathered
from pipeline.batch.documents.limits import MAX_DIRECTORY_BYTES, MIN_BOMB_BYTES, CollectingSettings
from pipeline.batch.documents.names import inside_name, is_left_out
from pipeline.batch.documents.places import (
    MEMBER,
    UNPACKING_FAULTS,
    chunks_of,
    hash_of,
    member_place,
    reason_of,
    refuse_bomb,
)
from schemas.errors import LimitExceededError, PipelineError

_TAIL, _END, _END64, _LOCATOR = 65_557, b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"  # APPNOTE.TXT, 4.3.14 to 4.3.16
_UTF8 = 0x800  # flag of a member whose name is in UTF-8
Hashed = tuple[str, int] | str  # hash and size, or why there is none


def is_archive(path: Path) -> bool:
    """True for a ZIP archive that is called one: office files are archives, too."""
    return path.suffix.lower() == ".zip" and zipfile.is_zipfile(path)


def add_archive(path: Path, gathered: Gathered, *, below: str = "") -> None:
    """Each file in the archive is a document; an archive that cannot be read is one itself, with a fault."""
    place = os.path.abspath(path)
    size = path.stat().st_size
    try:
        if _directory_bytes(path, size) > MAX_DIRECTORY_BYTES:
            gathered.add(below.rstrip("/") or path.name, place, _too_many(gathered.limits))
            return
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
    except (OSError, struct.error, *UNPACKING_FAULTS) as error:
        gathered.add(below.rstrip("/") or path.name, place, f"the archive {reason_of(error)}")
        return
    if len(members) > gathered.limits.max_members:
        gathered.add(below.rstrip("/") or path.name, place, _too_many(gathered.limits))
        return
    unpacked = 0
    for number, info in enumerate(members):
        if info.is_dir():
            continue
        name = inside_name(_member_name(info))
        if is_left_out(name):
            gathered.notice(LEFT_OUT, f"{below}{name}")
            continue
        fault = _fault_of(info, gathered.limits) or _fault_of_all(unpacked + info.file_size, size, gathered.limits)
        unpacked += 0 if fault else info.file_size
        gathered.add(below + name, member_place(place, number, info.filename), fault)


def hash_members(places: Mapping[str, str], limits: CollectingSettings) -> Iterator[tuple[str, Hashed]]:
    """Name and hash of each member of one archive, which is opened once."""
    archive = next(iter(places.values())).split(MEMBER, 1)[0]
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            for name, place in places.items():
                yield name, _hash_member(packed, members, place, limits)
    except (OSError, *UNPACKING_FAULTS) as error:  # it was well a moment ago
        for name in places:
            yield name, f"the archive {reason_of(error)}"


def _hash_member(
    packed: zipfile.ZipFile, members: list[zipfile.ZipInfo], place: str, limits: CollectingSettings
) -> Hashed:
    _, number, member = place.split(MEMBER, 2)
    try:
        with packed.open(members[int(number)]) as stream:
            return hash_of(chunks_of(stream, member, limits=limits))
    except PipelineError as error:
        return str(error).removeprefix(f"{member}: ")
    except (OSError, *UNPACKING_FAULTS) as error:
        return reason_of(error)


def _fault_of(info: zipfile.ZipInfo, limits: CollectingSettings) -> str | None:
    name = _member_name(info).replace("\\", "/")
    if info.flag_bits & 0x1:
        return "the member of the archive is encrypted; unpack it first"
    leads_out = name.startswith("/") or name[1:2] == ":" or ".." in PurePosixPath(name).parts
    if leads_out or "\0" in info.orig_filename:
        return "the archive names a place outside itself; unpack it yourself where you trust it"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link in an archive, which is not followed"
    try:
        refuse_bomb(info, "", limits=limits)
    except LimitExceededError as error:
        return str(error).removeprefix(": ")
    return None


def _fault_of_all(unpacked: int, size: int, limits: CollectingSettings) -> str | None:
    """Why a member is not read with which all come to so many bytes; members may share the same packed bytes."""
    if unpacked > limits.max_archive_bytes:
        return f"the archive unpacks to more than {limits.max_archive_bytes:,} bytes; unpack it, and name the folder"
    if unpacked > MIN_BOMB_BYTES and unpacked > limits.max_ratio * size:
        return (
            f"the archive unpacks to more than {limits.max_ratio} times its size; unpack it yourself where you trust it"
        )
    return None


def _too_many(limits: CollectingSettings) -> str:
    return f"the archive has more than {limits.max_members:,} members; unpack it, and name the folder"


def _member_name(info: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 without saying so."""
    if info.flag_bits & _UTF8 or info.filename.isascii():
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _directory_bytes(path: Path, size: int) -> int:
    """Length of the list of members, which `zipfile` reads whole; 0 where there is none."""
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        tail = file.read()
        at = tail.rfind(_END)
        if at < 0 or len(tail) < at + 22:
            return 0
        (length,) = struct.unpack_from("<L", tail, at + 12)
        if length != 0xFFFFFFFF or at < 20 or tail[at - 20 : at - 16] != _LOCATOR:
            return int(length)
        (place,) = struct.unpack_from("<Q", tail, at - 12)
        file.seek(place)
        record = file.read(56)
        return int(struct.unpack_from("<Q", record, 40)[0]) if record.startswith(_END64) else 0
