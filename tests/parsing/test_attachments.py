"""Files inside documents: all of them listed, read within limits, and never trusted."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

from pipeline.mupdf import pymupdf
from pipeline.parsing.dispatch import read_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from schemas.document import ParsedDocument
from tests.parsing.builders import new_page


def parse(path: Path, **settings: int) -> ParsedDocument:
    """The document of a file, without recognition."""
    chosen = ParsingSettings(ocr="off", **settings)
    return read_document(read_source(path, chosen), chosen)


def message(*files: tuple[str, bytes], inner: bytes | None = None) -> bytes:
    """A message with files attached, and another message."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ada@example.com", "Files"
    mail["Message-ID"] = "<1@example.com>"
    mail.set_content("See the files.")
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    if inner is not None:
        mail.add_attachment(inner, maintype="application", subtype="octet-stream", filename="inner.eml")
    return mail.as_bytes()


def reasons(parsed: ParsedDocument) -> list[str]:
    """Why each file was not read, empty for one that was."""
    return [one.reason for one in parsed.attachments]


def test_embedded_and_pinned_files_of_a_pdf_are_read_once(tmp_path: Path) -> None:
    """A file that is pinned to a page comes after those of the document."""
    document = pymupdf.open()
    page = new_page(document, [(72, 100, "The main text of the agreement")])
    document.embfile_add(
        "terms", b"Terms of payment: thirty days.\n", filename="terms.txt", ufilename="Bedingungen.txt"
    )
    page.add_file_annot((100, 200), b"<p>Pinned note</p>", "note.html")
    document.save(tmp_path / "a.pdf")
    parsed = parse(tmp_path / "a.pdf")
    assert [one.name for one in parsed.attachments] == ["Bedingungen.txt", "note.html"]
    assert [child.line_df["text"].tolist() for child in parsed.children] == [
        ["Terms of payment: thirty days."], ["Pinned note"],
    ]  # fmt: skip
    assert (parsed.finding_df["kind"] == "attachment").sum() == 2


def test_a_portfolio_says_so(tmp_path: Path) -> None:
    """Its own page only presents the files."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "For the best experience, open this PDF portfolio in a newer reader.")])
    document.embfile_add("one", b"The first file says this.\n", filename="one.txt")
    document.xref_set_key(document.pdf_catalog(), "Collection", "<</Type/Collection/View/D>>")
    document.save(tmp_path / "a.pdf")
    parsed = parse(tmp_path / "a.pdf")
    found = parsed.finding_df[parsed.finding_df["kind"] == "placeholder"]
    assert found["detail"].str.contains("portfolio").tolist() == [True]
    assert len(parsed.children) == 1


def test_a_name_tree_with_a_cycle_ends(tmp_path: Path) -> None:
    """And a file that is named and not there is listed."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "Text")])
    node, missing = document.get_new_xref(), document.get_new_xref()
    document.update_object(missing, "<</Type/Filespec/F(gone.doc)/UF(gone.doc)>>")
    document.update_object(node, f"<</Kids[{node} 0 R]/Names[(a) {missing} 0 R]>>")
    document.xref_set_key(document.pdf_catalog(), "Names", f"<</EmbeddedFiles {node} 0 R>>")
    document.save(tmp_path / "a.pdf")
    parsed = parse(tmp_path / "a.pdf")
    assert [one.name for one in parsed.attachments] == ["gone.doc"]
    assert "not inside" in reasons(parsed)[0]


def test_a_bomb_inside_costs_no_more_than_the_limit(tmp_path: Path) -> None:
    """It is listed with the limit, and the document is read."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "Text")])
    document.embfile_add("bomb", b"\0" * 5_000_000, filename="bomb.txt")
    document.save(tmp_path / "a.pdf", deflate=True)
    parsed = parse(tmp_path / "a.pdf", max_bytes=100_000)
    assert "max_bytes" in reasons(parsed)[0]
    assert parsed.line_df["text"].tolist() == ["Text"]


def test_limits_hold_over_all_levels(tmp_path: Path) -> None:
    """Depth, number and bytes, each named with its setting."""
    inner = message(("a.txt", b"aaaa"), ("b.txt", b"bbbb"))
    (tmp_path / "m.eml").write_bytes(message(("c.txt", b"cccc"), inner=inner))
    whole = parse(tmp_path / "m.eml")
    assert [one.name for one in whole.children[1].attachments] == ["a.txt", "b.txt"]
    shallow = parse(tmp_path / "m.eml", max_attachment_depth=1)
    assert ["max_attachment_depth" in reason for reason in reasons(shallow.children[1])] == [True, True]
    few = parse(tmp_path / "m.eml", max_attachments=3)
    assert ["max_attachments" in reason for reason in reasons(few.children[1])] == [False, True]
    assert reasons(few) == ["", ""]
    small = parse(tmp_path / "m.eml", max_attachment_bytes=8)
    assert "max_attachment_bytes" in reasons(small)[1]
    none = parse(tmp_path / "m.eml", max_attachment_depth=0)
    assert not none.children
    assert len(none.attachments) == 2


def test_files_that_fail_cost_a_reason_and_no_more(tmp_path: Path) -> None:
    """Empty, unknown, damaged and encrypted ones; the others are read."""
    locked = pymupdf.open()
    new_page(locked, [(72, 100, "Secret")])
    secret = locked.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="right", owner_pw="owner")
    data = message(
        ("e.txt", b""), ("p.rtf", b"{\\rtf1}"), ("d.pdf", b"%PDF-1.4\n"), ("s.pdf", secret), ("g.txt", b"good")
    )
    (tmp_path / "m.eml").write_bytes(data)
    parsed = parse(tmp_path / "m.eml")
    assert [one.status for one in parsed.attachments] == ["not_read"] * 4 + ["parsed"]
    assert all(
        word in reason for word, reason in zip(("empty", "RTF", "damaged", "password"), reasons(parsed), strict=False)
    )
    settings = ParsingSettings(ocr="off")
    opened = read_document(read_source(tmp_path / "m.eml", settings), settings, password="right")  # noqa: S106
    assert [one.name for one in opened.attachments if one.status == "parsed"] == ["s.pdf", "g.txt"]
    assert "right" not in opened.to_json().decode()


def test_names_are_never_paths(tmp_path: Path) -> None:
    """Folders, control and direction characters are taken away, and long names cut before their suffix."""
    names = ["../../etc/passwd", "C:\\temp\\a.txt", "x\u202etxt.exe", "n" * 400 + ".txt", "..."]
    (tmp_path / "m.eml").write_bytes(message(*((name, b"words") for name in names)))
    found = [one.name for one in parse(tmp_path / "m.eml").attachments]
    assert found[:3] == ["passwd", "a.txt", "xtxt.exe"]
    assert len(found[3]) == 200
    assert found[3].endswith(".txt")
    assert found[4] == "attachment_5"


def test_a_suffix_that_contradicts_is_a_finding(tmp_path: Path) -> None:
    """In the document and in the files inside it."""
    (tmp_path / "page.pdf").write_bytes(b"<!doctype html><p>A page</p>")
    parsed = parse(tmp_path / "page.pdf")
    assert parsed.format == "html"
    assert parsed.finding_df["kind"].tolist() == ["format"]
    assert "The name says PDF, the content is a web page" in parsed.finding_df["detail"].iloc[0]
    (tmp_path / "m.eml").write_bytes(message(("sheet.xlsx", b"plain words")))
    child = parse(tmp_path / "m.eml").children[0]
    assert child.finding_df["kind"].tolist() == ["format"]


def test_pages_asked_for_are_those_of_the_outer_document(tmp_path: Path) -> None:
    """A file inside is read whole."""
    inner = pymupdf.open()
    for number in (1, 2):
        new_page(inner, [(72, 100, f"Inner page {number}")])
    outer = pymupdf.open()
    for number in (1, 2):
        new_page(outer, [(72, 100, f"Outer page {number}")])
    outer.embfile_add("inner", inner.tobytes(), filename="inner.pdf")
    outer.save(tmp_path / "a.pdf")
    settings = ParsingSettings(ocr="off", pages=(2,))
    parsed = read_document(read_source(tmp_path / "a.pdf", settings), settings)
    assert parsed.line_df["text"].tolist() == ["Outer page 2"]
    assert parsed.children[0].line_df["text"].tolist() == ["Inner page 1", "Inner page 2"]


def test_real_portfolios_and_protected_files(shared_data: Path) -> None:
    """A portfolio's files are read, a stand-in for protected content is unreadable, a name tree has branches."""
    folder = shared_data / "torture" / "pdf"
    assert len(parse(folder / "portfolio_package.pdf").children) == 2
    protected = parse(folder / "irm_wrapper.pdf")
    assert protected.page_df["status"].tolist() == ["unreadable"]
    assert "placeholder" in protected.finding_df["kind"].tolist()
    settings = ParsingSettings(ocr="off", pages=(1,))
    path = folder / "attachments_childAttachments_outline57.pdf"
    branched = read_document(read_source(path, settings), settings)
    assert [one.name for one in branched.attachments] == ["Press Quality(1).joboptions", "Unit10.doc"]
