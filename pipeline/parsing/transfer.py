"""A document on its way between two processes: frames of JSON and Arrow, checked on arrival; never pickle.

A frame is one byte that names its kind, eight that give its length (big-endian), and that many bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

import pandas as pd
import pyarrow as pa

from schemas.document import ParsedDocument
from schemas.errors import RecordError
from schemas.tables import DOCUMENT_TABLES

REQUEST, DATA = b"Q", b"B"  # to the reading process: what to do, the document's bytes
PLACE, ERROR, FAULT, RECORD, EXIT = b"P", b"E", b"F", b"R", b"X"  # from it; EXIT comes from its parent, the server

_HEAD = struct.Struct(">cQ")


def send_frame(out: IO[bytes], kind: bytes, *parts: bytes | memoryview | pa.Buffer) -> None:
    """Write one frame that holds the parts one behind the other.

    Raises OSError when no one listens any more.
    """
    out.write(_HEAD.pack(kind, sum(map(len, parts))))
    out.writelines(parts)
    out.flush()


def receive_frame(source: IO[bytes], *, limit: int) -> tuple[bytes, bytes] | None:
    """Kind and content of the next frame; None where the other side is gone.

    Raises RecordError for a frame of more than `limit` bytes, OSError when reading fails or takes too long.
    """
    head = source.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    if length > limit:
        raise RecordError(
            f"a reading process sent {length:,} bytes, the limit is {limit:,} (settings.max_memory_bytes)"
        )
    content = source.read(length)
    return (kind, content) if len(content) == length else None


def pack_document(document: ParsedDocument) -> list[bytes | pa.Buffer]:
    """The record and those inside it as parts of one frame, each part behind its length; an empty table takes none."""
    parts: list[bytes | pa.Buffer] = [document.model_dump_json().encode()]
    parts += [_pack_table(frame) if len(frame) else b"" for frame in document.tables().values()]
    parts.append(struct.pack(">Q", len(document.children)))
    packed: list[bytes | pa.Buffer] = []
    for part in parts:
        packed += [struct.pack(">Q", len(part)), part]
    for child in document.children:
        packed += pack_document(child)
    return packed


def unpack_document(content: bytes, *, where: str) -> ParsedDocument:
    """The record that `pack_document` took apart, checked as one read from disk is; `where` names it in messages.

    Raises RecordError or TableError for what does not fit.
    """
    try:
        return _unpack(_parts(memoryview(content)), where)
    except (struct.error, StopIteration, pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"{where}: what the reading process sent cannot be read ({error})") from error


def _parts(content: memoryview) -> Iterator[memoryview]:
    at = 0
    while at < len(content):
        (length,) = struct.unpack_from(">Q", content, at)
        yield content[at + 8 : at + 8 + length]
        at += 8 + length


def _unpack(parts: Iterator[memoryview], where: str) -> ParsedDocument:
    fields = bytes(next(parts))
    tables = {}
    for schema in DOCUMENT_TABLES:
        packed = next(parts)
        tables[schema.name] = (
            schema.restore(_unpack_table(packed), where=f"{where}/{schema.name}") if len(packed) else schema.empty()
        )
    (child_count,) = struct.unpack(">Q", next(parts))
    children = []
    for _ in range(child_count):
        children.append(_unpack(parts, where))  # noqa: PERF401 a loop keeps StopIteration out of a generator
    return ParsedDocument.from_json(fields, where=where, tables={**tables, "children": tuple(children)})


def _pack_table(frame: pd.DataFrame) -> pa.Buffer:
    table = pa.Table.from_pandas(frame, preserve_index=False, nthreads=1)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _unpack_table(packed: memoryview) -> pd.DataFrame:
    with pa.ipc.open_stream(pa.py_buffer(packed)) as reader:
        table = reader.read_all()
    table.validate(full=True)
    return table.to_pandas(use_threads=False, ignore_metadata=True)  # what it says of itself is not believed
