"""Office packages: opened as hostile data, whatever their ZIP or their XML says."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.parsing.locked_office import unlock_office
from pipeline.parsing.ooxml import is_strict, normalise, open_package, parse_xml, to_transitional
from pipeline.parsing.settings import ParsingSettings
from schemas.errors import (
    DamagedDocumentError,
    DocumentError,
    EncryptedDocumentError,
    LimitExceededError,
)
from tests.parsing.docx_builder import make_docx, para, zip_parts
from tests.parsing.docx_reading import seen

OPENS = "tika"  # the word that stands in the index of the shared documents
SETTINGS = ParsingSettings()
STRICT = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "http://purl.oclc.org/ooxml/wordprocessingml/main",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
        "http://purl.oclc.org/ooxml/officeDocument/relationships"
    ),
}


def rezip(data: bytes, change: dict[str, bytes | None]) -> bytes:
    """The package with parts put in place, or taken out where None."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts.update({name: new for name, new in change.items() if new is not None})
    return zip_parts({name: new for name, new in parts.items() if change.get(name, b"") is not None})


def make_strict(data: bytes) -> bytes:
    """The package in the namespaces of Strict OOXML."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for usual, strict in STRICT.items():
        parts = {name: xml.replace(usual.encode(), strict.encode()) for name, xml in parts.items()}
    return zip_parts(parts)


def test_a_package_gives_its_parts_and_what_they_refer_to() -> None:
    """Names without a leading slash, compared without case; relationships by their kind."""
    data = make_docx(para("Text"), inner={"styles": ""}, external={"x": ("hyperlink", "http://example.org/")})
    package = open_package(data, name="a.docx", settings=SETTINGS)
    assert package.main == "word/document.xml"
    assert package.has("/Word/Document.XML")
    assert package.related("styles", package.main) == ["word/styles.xml"]
    assert package.content_type(package.main).endswith("document.main+xml")
    outside = package.relations(package.main)["x"]
    assert (outside.kind, outside.target, outside.external) == ("hyperlink", "http://example.org/", True)


def test_strict_packages_are_read_like_transitional_ones() -> None:
    """The same lines; normalised, it is a transitional package; normalising twice changes nothing."""
    usual = make_docx(para("Text"), inner={"styles": ""})
    strict = make_strict(usual)
    package = open_package(strict, name="a.docx", settings=SETTINGS)
    assert is_strict(package)
    assert seen(strict) == seen(usual) == ["Text"]
    again = open_package(normalise(package), name="a.docx", settings=SETTINGS)
    assert not is_strict(again)
    assert normalise(again) == normalise(package)


@pytest.mark.parametrize(
    ("strict", "usual"),
    [
        ("wordprocessingml/main", "wordprocessingml/2006/main"),
        ("spreadsheetml/main", "spreadsheetml/2006/main"),
        ("drawingml/wordprocessingDrawing", "drawingml/2006/wordprocessingDrawing"),
        ("officeDocument/relationships/styles", "officeDocument/2006/relationships/styles"),
        ("officeDocument/extendedProperties", "officeDocument/2006/extended-properties"),
        ("officeDocument/relationships/customProperties", "officeDocument/2006/relationships/custom-properties"),
    ],
)
def test_strict_names_have_their_transitional_ones(strict: str, usual: str) -> None:
    """ISO/IEC 29500: the year moves in, two names get a hyphen."""
    found = to_transitional(f'<a x="http://purl.oclc.org/ooxml/{strict}"/>'.encode())
    assert found == f'<a x="http://schemas.openxmlformats.org/{usual}"/>'.encode()


def test_a_strict_name_in_the_text_stays() -> None:
    """Only names of namespaces and relationships are exchanged, never words."""
    xml = b"<t>see http://purl.oclc.org/ooxml/wordprocessingml/main</t>"
    assert to_transitional(xml) == xml


def test_xml_in_utf_16_is_read() -> None:
    """OPC allows two encodings."""
    xml = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'.encode("utf-16")
    assert parse_xml(to_transitional(xml), where="x").text == "é"


def test_a_zip_bomb_is_refused_before_it_unpacks() -> None:
    """Too much for its size, or too much at all."""
    bomb = rezip(make_docx(para("x")), {"word/media/image1.bmp": b"\0" * 3_000_000})
    with pytest.raises(LimitExceededError, match="max_expansion"):
        open_package(bomb, name="a.docx", settings=SETTINGS)
    with pytest.raises(LimitExceededError, match="max_unpacked_bytes"):
        open_package(bomb, name="a.docx", settings=ParsingSettings(max_expansion=100_000, max_unpacked_bytes=1_000_000))


def test_a_header_that_lies_about_the_size_gains_nothing() -> None:
    """A part is never unpacked beyond the size that was checked."""
    data = rezip(make_docx(para("x")), {"word/big.bin": bytes(range(256)) * 8_000})
    lying = data.replace((256 * 8_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != data
    package = open_package(lying, name="a.docx", settings=SETTINGS)
    with pytest.raises(DamagedDocumentError, match=r"big\.bin"):
        package.read("word/big.bin")


def test_entities_are_neither_expanded_nor_fetched() -> None:
    """A document type declaration is refused: an Office file has none."""
    for declared in ('<!ENTITY a "aaaa">', '<!ENTITY a SYSTEM "file:///etc/passwd">'):
        xml = f"<!DOCTYPE w [{declared}]><w>&a;</w>".encode()
        with pytest.raises(DamagedDocumentError, match="entities"):
            parse_xml(xml, where="x")


def test_names_that_climb_out_of_the_package_are_only_names() -> None:
    """A part called '../../x' is a key like any other, and a relationship to it stays inside."""
    data = rezip(make_docx(para("Text")), {"../../evil.xml": b"<a/>"})
    package = open_package(data, name="a.docx", settings=SETTINGS)
    assert "../../evil.xml" in package.parts
    assert seen(data) == ["Text"]


def test_a_package_without_its_main_part_is_damaged() -> None:
    """Whether the relationship, the part or the whole ZIP is broken; a missing relationship alone is made good."""
    data = make_docx(para("Text"))
    with pytest.raises(DamagedDocumentError, match="no main part"):
        open_package(rezip(data, {"word/document.xml": None}), name="a.docx", settings=SETTINGS)
    package = open_package(rezip(data, {"_rels/.rels": None}), name="a.docx", settings=SETTINGS)
    assert package.main == "word/document.xml"
    assert package.faults
    for broken in (data[: len(data) // 2], b"PK\x03\x04" + data[40:-40]):
        with pytest.raises(DamagedDocumentError, match="damaged"):
            open_package(broken, name="a.docx", settings=SETTINGS)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 10_000), bits=st.integers(1, 255), cut=st.integers(0, 400))
def test_a_damaged_file_is_a_document_or_a_clear_error(at: int, bits: int, cut: int) -> None:
    """Whatever byte is changed and wherever the file is cut, nothing but a DocumentError comes out."""
    data = bytearray(make_docx(para("Text of the agreement.") * 5, inner={"styles": "", "numbering": ""}))
    data[at % len(data)] ^= bits
    with suppress(DocumentError):
        seen(bytes(data[: len(data) - cut]))


def test_a_locked_file_opens_with_its_password_only(shared_data: Path) -> None:
    """None, a wrong one and the right one."""
    data = (shared_data / "torture" / "docx" / "encrypted_passtika.docx").read_bytes()
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        unlock_office(data, name="a.docx", password=None)
    with pytest.raises(EncryptedDocumentError, match="does not open"):
        unlock_office(data, name="a.docx", password=OPENS[::-1])
    assert seen(unlock_office(data, name="a.docx", password=OPENS)) == ["This is an encrypted Word 2007 File."]


def test_a_locked_file_that_is_cut_off_is_damaged(shared_data: Path) -> None:
    """Nothing but a clear error, whatever the library inside raises."""
    data = (shared_data / "torture" / "docx" / "encrypted_passtika.docx").read_bytes()
    for size in range(600, len(data), 250):
        with suppress(DocumentError):
            unlock_office(data[:size], name="a.docx", password=OPENS)
