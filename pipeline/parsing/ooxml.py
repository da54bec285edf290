"""Office packages (OOXML, ISO/IEC 29500): a ZIP of XML parts, opened as the hostile data that it may be.

Shared by the readers of DOCX, XLSX and PPTX. A part is named as in the package, without a leading slash. Nothing is
unpacked to disk, no part's name is ever a path, no entity is expanded and no address fetched. Namespaces of the Strict
form (purl.oclc.org) are read as those of the Transitional one, which is all that the libraries know.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from urllib.parse import unquote

from lxml import etree

from pipeline.parsing.settings import MEBIBYTE, ParsingSettings
from schemas.errors import DamagedDocumentError, EncryptedDocumentError, LimitExceededError

MAX_PARTS = 50_000  # parts of a package; a presentation of 1,000 slides with notes and images has some 5,000
EXPANSION_FROM = MEBIBYTE  # bytes from which the expansion of a part is looked at: short ones may be mostly blanks
CHUNK = MEBIBYTE  # bytes unpacked at a time, so that a limit is met before memory is

_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError, IndexError, KeyError)
_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PRETTY_TYPES = {"extendedProperties": "extended-properties", "customProperties": "custom-properties"}
_STRICT = re.compile(rb"(=\s*[\"'])http://purl\.oclc\.org/ooxml/(\w+)/([\w/]+)")


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to; `kind` is the last word of the relationship's type, e.g. 'footnotes'."""

    id: str
    kind: str
    target: str  # name of the part, or the address where `external`
    external: bool


@dataclass(eq=False)
class Package:
    """An opened package; a part is unpacked when it is asked for, and not kept."""

    name: str
    archive: zipfile.ZipFile
    settings: ParsingSettings
    members: dict[str, zipfile.ZipInfo]  # by the part's name in small letters: OPC compares names without case
    faults: list[str] = field(default_factory=list)  # what was odd on opening, a sentence each
    main: str = ""  # name of the main part: document, workbook or presentation

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Names of all parts, sorted."""
        return tuple(sorted(_clean(info.filename) for info in self.members.values()))

    @cached_property
    def _content_types(self) -> tuple[dict[str, str], dict[str, str]]:
        if not self.has("[Content_Types].xml"):
            return {}, {}
        root = self.tree("[Content_Types].xml")
        defaults = {e.get("Extension", "").lower(): e.get("ContentType", "") for e in root.iter(f"{_TYPES}Default")}
        own = {_clean(e.get("PartName", "")).lower(): e.get("ContentType", "") for e in root.iter(f"{_TYPES}Override")}
        return defaults, own

    def has(self, part: str) -> bool:
        """The package holds a part of that name."""
        return _clean(part).lower() in self.members

    def content_type(self, part: str) -> str:
        """Media type as the package states it; empty where it does not."""
        defaults, own = self._content_types
        name = _clean(part).lower()
        return own.get(name) or defaults.get(name.rpartition(".")[2], "")

    def read(self, part: str) -> bytes:
        """The part's bytes.

        Raises DamagedDocumentError (missing, broken), LimitExceededError or EncryptedDocumentError.
        """
        info = self.members.get(_clean(part).lower())
        if info is None:
            raise DamagedDocumentError(f"{self.name}: the package has no part {part!r}; fetch the file again")
        if info.flag_bits & 1:
            raise EncryptedDocumentError(f"{self.name}: {part!r} is locked inside the ZIP; unpack and save it anew")
        chunks, size = [], 0
        try:
            with self.archive.open(info) as stream:
                while chunk := stream.read(CHUNK):
                    size += len(chunk)
                    _check_size(self.name, self.settings, part, size, info.compress_size, size)
                    chunks.append(chunk)
        except _ZIP_ERRORS as error:
            raise DamagedDocumentError(
                f"{self.name}: the part {part!r} is damaged ({error}); fetch it again"
            ) from error
        return b"".join(chunks)

    def tree(self, part: str) -> etree._Element:
        """Root element of an XML part, in Transitional namespaces. Raises DamagedDocumentError and as `read` does."""
        return parse_xml(to_transitional(self.read(part)), where=f"{self.name}: {part}")

    def relations(self, part: str = "") -> dict[str, Relation]:
        """What a part ('' for the package itself) refers to, by id, in the order of the file; empty without any."""
        folder, _, file = _clean(part).rpartition("/")
        rels = posixpath.join(folder, "_rels", f"{file}.rels")
        if not self.has(rels):
            return {}
        found: dict[str, Relation] = {}
        for element in self.tree(rels):
            if not isinstance(element.tag, str):
                continue
            kind = element.get("Type", "").rstrip("/").rpartition("/")[2]
            external = element.get("TargetMode", "").lower() == "external"
            target = element.get("Target", "")
            if not external:
                target = self._resolve(folder, target)
            key = element.get("Id", "")
            found.setdefault(key, Relation(key, _PRETTY_TYPES.get(kind, kind), target, external))
        return found

    def related(self, kind: str, part: str = "") -> list[str]:
        """Names of the existing parts that `part` refers to as `kind`, in the order of the file."""
        return [
            relation.target
            for relation in self.relations(part).values()
            if relation.kind == kind and not relation.external and self.has(relation.target)
        ]

    def _resolve(self, folder: str, target: str) -> str:
        """Name of the part that a relative target means; a target that climbs out of the package stays at its root."""
        target = target.partition("#")[0].replace("\\", "/")
        joined = target if target.startswith("/") else posixpath.join("/", folder, target)
        name = posixpath.normpath(joined).lstrip("/")
        return name if self.has(name) or not self.has(unquote(name)) else unquote(name)


def open_package(data: bytes, *, name: str, settings: ParsingSettings) -> Package:
    """The package in `data`; `name` is for messages. Its main part is known to be there, its size is within limits.

    Raises DamagedDocumentError, LimitExceededError, EncryptedDocumentError.
    """
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        infos = archive.infolist()
    except _ZIP_ERRORS as error:
        raise DamagedDocumentError(f"{name}: the ZIP package is damaged ({error}); fetch the file again") from error
    if len(infos) > MAX_PARTS:
        raise LimitExceededError(f"{name}: {len(infos):,} parts, the limit is {MAX_PARTS:,}; save the document anew")
    package = Package(name, archive, settings, {})
    total = 0
    for info in infos:
        if info.is_dir():
            continue
        # zipfile never unpacks more of a part than its header says, so that the sum of the headers is a true bound
        total += info.file_size
        _check_size(name, settings, info.filename, info.file_size, info.compress_size, total)
        key = _clean(info.filename).lower()
        if key in package.members:
            package.faults.append(f"The package holds {info.filename!r} more than once; the last one was read.")
        package.members[key] = info
    package.main = _find_main(package)
    return package


def normalise(package: Package) -> bytes:
    """The package with Transitional namespaces for those of Strict OOXML (ISO/IEC 29500-1), as a ZIP again.

    Every part is unpacked once, within the limits, so that a library may open the bytes without checks of its own.
    The same package gives the same bytes. Raises as `Package.read` does.
    """
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for part in package.parts:
            data = package.read(part)
            if part.lower().endswith((".xml", ".rels", ".vml")):
                data = to_transitional(data)
            archive.writestr(zipfile.ZipInfo(part), data, zipfile.ZIP_DEFLATED, 1)
    return target.getvalue()


def is_strict(package: Package) -> bool:
    """The main part is written in the namespaces of Strict OOXML."""
    return bool(_STRICT.search(_as_utf8(package.read(package.main))))


def to_transitional(data: bytes) -> bytes:
    """The XML with the namespaces and relationship types of Transitional OOXML, in UTF-8 where it was UTF-16."""
    data = _as_utf8(data)
    return _STRICT.sub(_translate, data) if b"purl.oclc.org/ooxml" in data else data


def parse_xml(data: bytes, *, where: str) -> etree._Element:
    """Root element; nothing is expanded, nothing fetched, nesting and text nodes bounded by libxml2's own limits.

    Raises DamagedDocumentError, also for a document type declaration: OPC (ISO/IEC 29500-2, 8.1.4) forbids it.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise DamagedDocumentError(f"{where} is no well-formed XML ({error}); save the document anew") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise DamagedDocumentError(f"{where} declares entities, which an Office file must not; do not trust this file")
    return root


def _translate(match: re.Match[bytes]) -> bytes:
    family, rest = match[2], match[3]
    if rest == b"relationships/metadata/thumbnail":
        return match[1] + b"http://schemas.openxmlformats.org/package/2006/" + rest
    for strict, usual in _PRETTY_TYPES.items():
        rest = rest.replace(strict.encode(), usual.encode())
    return match[1] + b"http://schemas.openxmlformats.org/" + family + b"/2006/" + rest


def _as_utf8(data: bytes) -> bytes:
    """XML in UTF-16, which OPC allows, in UTF-8; without its declaration, which would now lie."""
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    text = data.decode("utf-16", errors="replace")
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode("utf-8", errors="replace")


def _check_size(name: str, settings: ParsingSettings, part: str, size: int, packed: int, total: int) -> None:
    if total > settings.max_unpacked_bytes:
        raise LimitExceededError(
            f"{name}: unpacks to more than {settings.max_unpacked_bytes:,} bytes (settings.max_unpacked_bytes); "
            "do not trust the file, or raise the limit"
        )
    if size > EXPANSION_FROM and size > settings.max_expansion * max(packed, 1):
        raise LimitExceededError(
            f"{name}: {part!r} unpacks to more than {settings.max_expansion} times its size "
            "(settings.max_expansion), as a ZIP bomb does; do not trust the file, or raise the limit"
        )


def _find_main(package: Package) -> str:
    """The part that the package's own relationships name, else the one whose content type is a main part's."""
    named = package.related("officeDocument")
    if named:
        return named[0]
    typed = [part for part in package.parts if package.content_type(part).endswith("main+xml")]
    if typed:
        package.faults.append(f"The package does not say which part is the document; {typed[0]!r} was read.")
        return typed[0]
    raise DamagedDocumentError(f"{package.name}: the package has no main part (document, workbook or presentation)")


def _clean(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")
