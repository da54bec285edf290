"""Files that are no document: one clear error each, nothing on the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pipeline.mupdf import describe_content, open_pdf, pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import make_doc_id
from schemas.errors import (
    DamagedDocumentError,
    DocumentNotFoundError,
    EmptyDocumentError,
    EncryptedDocumentError,
    LimitExceededError,
    UnsupportedFormatError,
)
from tests.parsing.builders import agreement, new_page, save


def test_a_missing_file_a_folder_and_an_impossible_name_are_told(tmp_path: Path) -> None:
    """Each says which path, and what is wrong with it."""
    with pytest.raises(DocumentNotFoundError, match="no such file"):
        parse_document(tmp_path / "nothing.pdf")
    with pytest.raises(DocumentNotFoundError, match="folder"):
        parse_document(tmp_path)
    with pytest.raises(DocumentNotFoundError, match="cannot be read"):
        parse_document("a\0b.pdf")
    with pytest.raises(DocumentNotFoundError, match="cannot be read"):
        parse_document(tmp_path / ("x" * 5000))


@pytest.mark.skipif(os.name != "posix", reason="named pipes are a POSIX thing")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """Reading it would wait for ever."""
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(DocumentNotFoundError, match="no regular file"):
        parse_document(tmp_path / "pipe.pdf")


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    """Zero bytes are an EmptyDocumentError."""
    (tmp_path / "empty.pdf").write_bytes(b"")
    with pytest.raises(EmptyDocumentError, match="0 bytes"):
        parse_document(tmp_path / "empty.pdf")


def test_what_is_no_pdf_is_named_by_its_content(tmp_path: Path) -> None:
    """The suffix does not count."""
    (tmp_path / "letter.pdf").write_text(r"{\rtf1\ansi Dear Sir}")
    with pytest.raises(UnsupportedFormatError, match="RTF"):
        parse_document(tmp_path / "letter.pdf")
    with zipfile.ZipFile(tmp_path / "office.pdf", "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(UnsupportedFormatError, match="Word"):
        parse_document(tmp_path / "office.pdf")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n....", "PNG"),
        (b"Just a few words of plain text.\n", "plain text"),
        (b"From: a@example.com\nTo: b@example.com\n\nHello", "e-mail"),
        (b"\0" * 200, "zero bytes"),
        (bytes(range(128, 256)) * 4, "unknown"),
        (b"<?xml version='1.0'?><a/>", "XML"),
    ],
)
def test_content_is_described_in_words(data: bytes, words: str) -> None:
    """The message says what the bytes look like."""
    assert words in describe_content(data)


def test_a_cut_file_is_damaged_and_a_repaired_one_says_so(tmp_path: Path) -> None:
    """Cut early it cannot be read; cut at its very end it is rebuilt, with a finding."""
    data = agreement(tmp_path / "whole.pdf").read_bytes()
    (tmp_path / "early.pdf").write_bytes(data[:150])
    with pytest.raises(DamagedDocumentError, match="cut off"):
        parse_document(tmp_path / "early.pdf")
    (tmp_path / "late.pdf").write_bytes(data[:-40])
    parsed = parse_document(tmp_path / "late.pdf")
    assert len(parsed.line_df) > 0
    assert parsed.finding_df["detail"].str.contains("rebuilt").any()


def test_an_encrypted_file_needs_its_password(tmp_path: Path) -> None:
    """Without it or with a wrong one it is refused; with it, the text is there."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "A secret line")])
    path = tmp_path / "secret.pdf"
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="right", owner_pw="owner")
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        parse_document(path)
    with pytest.raises(EncryptedDocumentError, match="does not open"):
        open_pdf(path.read_bytes(), name="secret.pdf", password="wrong")  # noqa: S106
    with open_pdf(path.read_bytes(), name="secret.pdf", password="right") as opened:  # noqa: S106
        assert "A secret line" in opened[0].get_text()


def test_limits_are_named_with_both_numbers(tmp_path: Path) -> None:
    """The message holds the limit, the size and the setting."""
    path = agreement(tmp_path / "a.pdf")
    with pytest.raises(LimitExceededError, match=r"the limit is 100 \(settings.max_bytes\)"):
        parse_document(path, settings=ParsingSettings(max_bytes=100))
    with pytest.raises(LimitExceededError, match=r"3 pages, the limit is 2"):
        parse_document(path, settings=ParsingSettings(max_pages=2))


@pytest.mark.parametrize(
    ("stem", "safe"),
    [
        ("Vertrag Nr. 5 (geändert)", "Vertrag_Nr._5_ge_ndert"),
        ("../../etc/passwd", "etc_passwd"),
        ("合同", "document"),
        ("x" * 300, "x" * 80),
        (".hidden", "hidden"),
    ],
)
def test_ids_are_safe_names(stem: str, safe: str) -> None:
    """Letters, digits, dot, underscore, hyphen; never empty, never a path, never too long."""
    assert make_doc_id(stem, "0123456789abcdef") == f"{safe}_01234567"


def test_opening_damaged_files_leaves_the_terminal_alone(tmp_path: Path) -> None:
    """MuPDF's own messages go nowhere: an error is ours to tell."""
    data = agreement(tmp_path / "whole.pdf").read_bytes()
    (tmp_path / "late.pdf").write_bytes(data[: len(data) // 2] + data[-60:])
    program = (
        "import sys; from pipeline.parsing import parse_document; from schemas.errors import PipelineError\n"
        "try: parse_document(sys.argv[1])\n"
        "except PipelineError: pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "late.pdf")], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_importing_the_brick_is_light() -> None:
    """The command line's help must not pay for PyMuPDF or pandas."""
    program = "import sys, pipeline.parsing; print(sorted({'pymupdf', 'pandas', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_outer_program_can_still_import_the_layout_package() -> None:
    """The mark that keeps PyMuPDF from loading its layout stack is taken away after the import."""
    program = (
        "import sys, pipeline.mupdf; print('pymupdf.layout' in sys.modules and sys.modules['pymupdf.layout'] is None)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_file_without_pages_or_text_is_not_confused(tmp_path: Path) -> None:
    """One empty page is a document with an empty page."""
    document = pymupdf.open()
    document.new_page()
    parsed = parse_document(save(document, tmp_path / "blank.pdf"))
    assert parsed.page_df["status"].tolist() == ["empty"]
    assert parsed.profile.content.content_type == "empty"
