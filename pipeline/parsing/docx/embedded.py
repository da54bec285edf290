"""Files inside a Word document: what an OLE container holds, and which of them are documents at all."""

from __future__ import annotations

import struct
from io import BytesIO

from pipeline.parsing.docx.notes import read_bytes
from pipeline.parsing.docx.state import State
from pipeline.parsing.reading import ChildFile, Finding

MAX_TOLD_CHARS = 200  # characters of an address in a finding
MAX_NAME_CHARS = 260  # characters of a file's name inside a container: what Windows allows a path
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_EMBEDDED = frozenset({"package", "oleObject", "attachedFile"})
_WHOLE_STREAMS = ("Package", "CONTENTS", "PDF")  # streams that hold a whole file: of Office, of Acrobat
_FORMULA_STREAM = "Equation Native"  # formulas of before 2007: pictures in the text, no documents


def read_embedded(state: State) -> None:
    """Add the files inside the document to its children, in the order in which the parts refer to them."""
    package = state.package
    formulas = 0
    for part in package.parts:
        if part.endswith(".rels"):
            continue
        for relation in package.relations(part).values():
            if relation.kind == "vbaProject":
                state.findings.append(Finding("attachment", "The file holds macros; they are neither run nor read."))
            if relation.external:
                _note_link(state, relation.kind, relation.target)
            elif relation.kind in _EMBEDDED and relation.target not in state.embedded and package.has(relation.target):
                state.embedded.add(relation.target)
                name, data = unwrap(relation.target.rpartition("/")[2], read_bytes(state, relation.target))
                if data:
                    state.children.append(ChildFile(name, data, package.content_type(relation.target)))
                else:
                    formulas += 1
    if formulas:
        state.findings.append(
            Finding("placeholder", f"{formulas:,} formulas are objects of an old editor: what they say was not read.")
        )


def _note_link(state: State, kind: str, target: str) -> None:
    """A finding on a file outside that opening the document in Word would fetch."""
    if kind in _EMBEDDED:
        state.findings.append(Finding("attachment", f"A linked file ({target[:MAX_TOLD_CHARS]}) was not fetched."))
    elif kind == "attachedTemplate" and target.lower().startswith(("http:", "https:", "\\\\", "file://")):
        state.findings.append(Finding("attachment", f"A template outside ({target[:MAX_TOLD_CHARS]}) was not fetched."))


def unwrap(name: str, data: bytes) -> tuple[str, bytes]:
    """Name and bytes of the file inside an OLE container; other bytes as they are, none for a formula."""
    if not data.startswith(_OLE):
        return name, data
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(data)) as container:
            if container.exists(_FORMULA_STREAM):
                return name, b""
            for stream in _WHOLE_STREAMS:
                if container.exists(stream):
                    return name, container.openstream(stream).read()
            if container.exists("\x01Ole10Native"):
                return _read_package(name, container.openstream("\x01Ole10Native").read())
    except (OSError, ValueError, IndexError, struct.error):
        return name, data  # a broken container stays one: it is listed as a file that could not be read
    return name, data


def _read_package(name: str, data: bytes) -> tuple[str, bytes]:
    """A file dropped into the document ([MS-OLEDS] 2.3.6): label, two paths, then length and bytes."""
    at = 6  # length of all, flags
    end = data.index(b"\0", at, at + MAX_NAME_CHARS)
    label = data[at:end].decode("cp1252", errors="replace")
    at = data.index(b"\0", end + 1, end + 1 + 4 * MAX_NAME_CHARS) + 1  # the path it came from
    at += 4  # flags
    (length,) = struct.unpack_from("<I", data, at)
    at += 4 + length  # the path of a copy
    (size,) = struct.unpack_from("<I", data, at)
    inside = data[at + 4 : at + 4 + size]
    if len(inside) != size:
        raise ValueError("the packed file is cut off")
    return label or name, inside
