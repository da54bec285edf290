"""What bytes are, told by their content."""

from __future__ import annotations

import contextlib
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.content import contradicts_name, describe_content, detect_format, is_locked_office
from schemas.errors import DamagedDocumentError, UnsupportedFormatError

MAIL = b"From: a@example.com\r\nTo: b@example.com\r\n"


def office(*names: str) -> bytes:
    """A ZIP with empty parts of these names."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7\n", "a", "pdf"),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj\nendobj\n", "a", "pdf"),
        (b"The header of such a file is %PDF-1.4, as the standard says.", "a", "txt"),
        (b"<!DOCTYPE html><p>x", "a.pdf", "html"),
        (b"<p>no doctype</p>", "a", "html"),
        (b"  <!-- c --><HTML><body>x", "a", "html"),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x"><html xmlns="y">', "a", "html"),
        ("<html><body>x</body></html>".encode("utf-16"), "a", "html"),
        (b"Warning: mysql failed\n<html><body>x", "a", "html"),
        (b"<div align=center>\n\n# Title\n", "a.md", "md"),
        (b"# Title\n", "README.md", "md"),
        (b"# Title\n", "notes.txt", "txt"),
        (MAIL + b"\r\nHello", "a", "eml"),
        (b"From a@b.c Thu Jan  1 00:00:00 1970\n" + MAIL + b"\nHello", "a", "eml"),
        (b"X-Notes-Item: 1;\n name=x\nMIME-Version: 1.0\nDate: now\nFrom: a@b.c\n\nx", "a", "eml"),
        (b"Return-Path: <>\nFrom: MAILER-DAEMON\n\nx", "a", "eml"),
        (b"Subject: hi\nDate: now\nMessage-ID: <1@x>\n\nx", "a", "eml"),
        (b"\xef\xbb\xbf" + MAIL + b"\n", "a", "eml"),
        (b"Subject: what we agreed\n\nThe text begins here.", "a", "txt"),
        (b"From: Legal\nTo: Board\nDate: 1 May\nSubject: Memo\n\nDear all", "a.txt", "txt"),
        (b"Name: Ada\nAge: 36\n\nx", "a", "txt"),
        (b"a,b\n1,2\n", "a.csv", "txt"),
        (b'{"a": 1}', "a.json", "txt"),
        (b"BMW and others agree as follows.\n", "a", "txt"),
        (b"PK Industries Ltd\n", "a", "txt"),
        ("Größe".encode("utf-16"), "a", "txt"),
        ("Hello there, my friend".encode("utf-16-le"), "a", "txt"),
        ("Übergabe der größeren Flächen an die Käufer. ".encode("cp1252") * 3, "a", "txt"),
        ("Договор поставки товара заключён сторонами. ".encode("cp1251") * 3, "a", "txt"),
        (b"\x89PNG\r\n\x1a\n", "a.txt", "image"),
        (b"RIFF\x10\x00\x00\x00WEBPVP8 ", "a", "image"),
        (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "a", "image"),
        (office("[Content_Types].xml", "word/document.xml"), "a.zip", "docx"),
        (office("[Content_Types].xml", "ppt/presentation.xml", "xl/workbook.xml"), "a", "pptx"),
    ],
)
def test_formats_are_told_by_content(data: bytes, name: str, kind: str) -> None:
    """The suffix decides only between plain text and Markdown."""
    assert detect_format(data, name=name) == kind


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (rb"{\rtf1 x}", "RTF"),
        (b"\x1f\x8b\x08", "gzip"),
        (office("a.txt"), "ZIP"),
        (office("mimetype", "word/document.xml"), "Word"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "DOC"),
        (b"\0" * 99, "zero bytes"),
        (bytes(range(128, 256)) * 4, "unknown"),
        (b"<?xml version='1.0'?><a/>", "XML"),
        (b'<math xmlns="http://www.w3.org/1998/Math/MathML"></math>', "XML"),
        (b"version https://git-lfs.github.com/spec/v1\n", "LFS"),
        (b"MZ\x90\0\x03", "program"),
    ],
)
def test_what_is_not_read_is_refused_in_words(data: bytes, words: str) -> None:
    """The message says what the content looks like and what to hand over."""
    with pytest.raises(UnsupportedFormatError, match=words):
        detect_format(data, name="a.pdf")


@given(st.binary(max_size=400))
def test_any_bytes_are_told_or_refused(data: bytes) -> None:
    """Never another error, never an empty description."""
    assert describe_content(data)
    with contextlib.suppress(UnsupportedFormatError):
        assert detect_format(data, name="a")


def test_a_name_that_contradicts_is_told() -> None:
    """Only where the suffix says something else."""
    assert "says PDF" in contradicts_name("html", name="a.PDF")
    assert "an image" in contradicts_name("image", name="a.docx")
    for kind, name in (
        ("html", "a.htm"),
        ("txt", "a.log"),
        ("txt", "a.csv"),
        ("md", "a.txt"),
        ("eml", "a"),
        ("pdf", "a.x"),
    ):
        assert contradicts_name(kind, name=name) == ""


def test_every_odd_file_is_what_its_index_says(shared_data: Path) -> None:
    """Suffix and content agree in all of them, locked Office files aside."""
    for path in sorted((shared_data / "torture").glob("*/*")):
        data = path.read_bytes()
        if is_locked_office(data):
            assert path.suffix in (".docx", ".xlsx")
        else:
            assert detect_format(data, name=path.name) == path.suffix[1:]


def test_an_office_file_is_told_by_its_main_part_wherever_that_lies() -> None:
    """The list of types names the main part; folders are a habit of the usual programs."""
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types><Override PartName="/body.xml" ContentType="{kind}"/></Types>')
        archive.writestr("body.xml", "<w/>")
    assert detect_format(packed.getvalue(), name="x.bin") == "docx"


def test_an_archive_that_is_cut_off_is_called_damaged() -> None:
    """Half a Word file is no unknown kind: it has to be fetched again."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w/>" * 1000)
    with pytest.raises(DamagedDocumentError, match="cut off"):
        detect_format(packed.getvalue()[:-200], name="half.docx")
