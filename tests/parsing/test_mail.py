"""Messages: header, body in the version that says all, files and messages inside."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.dispatch import read_document
from pipeline.parsing.mail import Body, Mail
from pipeline.parsing.mail_writing import write_eml
from pipeline.parsing.reading import ChildFile
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from schemas.document import ParsedDocument
from schemas.errors import PipelineError

HEAD = "From: Ada <ada@example.com>\nTo: Bob <bob@example.com>\nDate: Mon, 6 May 2024 09:00:00 +0200\nSubject: Terms\n"


def parse(path: Path, data: str | bytes) -> ParsedDocument:
    """The document of a message written to `path`."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    settings = ParsingSettings()
    return read_document(read_source(path, settings), settings)


def lines(parsed: ParsedDocument) -> list[str]:
    """Its visible lines."""
    return parsed.line_df.loc[parsed.line_df["visible"], "text"].tolist()


def mixed(*parts: object, kind: str = "mixed") -> bytes:
    """A message of these parts."""
    message = MIMEMultipart(kind)
    message["From"], message["To"], message["Subject"] = "ada@example.com", "bob@example.com", "Terms"
    for part in parts:
        message.attach(part)  # type: ignore[arg-type]
    return message.as_bytes()


def test_the_header_comes_first_and_the_subject_is_the_heading(tmp_path: Path) -> None:
    """Quoted replies stay text; there are no pages."""
    parsed = parse(tmp_path / "a.eml", HEAD + "\nHello Bob,\n\n> you asked\n> for terms\n\nPay in May.\n")
    assert lines(parsed) == [
        "From: Ada <ada@example.com>", "To: Bob <bob@example.com>", "Date: Mon, 6 May 2024 09:00:00 +0200",
        "Subject: Terms", "Hello Bob,", "> you asked", "> for terms", "Pay in May.",
    ]  # fmt: skip
    assert parsed.toc_df["title"].tolist() == ["Terms"]
    assert parsed.toc_df["start_line_id"].tolist() == [4]
    assert parsed.profile.identity.title == "Terms"
    assert parsed.profile.identity.author == "Ada <ada@example.com>"
    assert parsed.profile.identity.page_unit == "none"


def test_encoded_and_raw_header_fields_are_read(tmp_path: Path) -> None:
    """Encoded words, folded lines, bytes without any declaration."""
    data = (
        b"From: =?utf-8?q?J=C3=BCrgen?= <j@example.com>\nTo: a@example.com,\n b@example.com\n"
        b"Subject: =?windows-1255?B?UkU6IPns5e0=?= und =?x-unknown?q?x?=\nCc: M\xc3\xbcller <m@example.com>\n\nx\n"
    )
    assert lines(parse(tmp_path / "a.eml", data))[:4] == [
        "From: Jürgen <j@example.com>", "To: a@example.com, b@example.com", "Cc: Müller <m@example.com>",
        "Subject: RE: שלום und x",
    ]  # fmt: skip


def test_of_two_versions_that_agree_the_plain_one_is_read(tmp_path: Path) -> None:
    """And nothing is told twice."""
    data = mixed(
        MIMEText("Pay in May,\nnot later.\n"),
        MIMEText("<p>Pay in May, <b>not</b> later.</p>", "html"),
        kind="alternative",
    )
    parsed = parse(tmp_path / "a.eml", data)
    assert lines(parsed)[3:] == ["Pay in May,", "not later."]
    assert parsed.finding_df.empty


def test_two_versions_that_differ_are_both_read(tmp_path: Path) -> None:
    """With a finding: one of them was meant to be seen, the other not."""
    html = "<h1>Offer</h1><p>The price is nine hundred euros, payable within thirty days.</p>"
    data = mixed(MIMEText("Please use a program that shows web pages.\n"), MIMEText(html, "html"), kind="alternative")
    parsed = parse(tmp_path / "a.eml", data)
    assert "The price is nine hundred euros, payable within thirty days." in lines(parsed)
    assert "Please use a program that shows web pages." in lines(parsed)
    assert parsed.finding_df["kind"].tolist() == ["alternative"]
    assert parsed.toc_df["level"].tolist() == [1, 2]


def test_a_table_in_the_web_version_is_read_as_one(tmp_path: Path) -> None:
    """The plain version has lost its columns."""
    html = "<table><tr><th>Item<th>Price<tr><td>Pump<td>900</table>"
    data = mixed(MIMEText("Item\nPrice\nPump\n900\n"), MIMEText(html, "html"), kind="alternative")
    parsed = parse(tmp_path / "a.eml", data)
    assert parsed.table_df["text"].tolist() == ["Item", "Price", "Pump", "900"]
    assert lines(parsed)[-1] == "Pump  900"


def test_hidden_text_of_a_message_is_hidden(tmp_path: Path) -> None:
    """A message of a web page alone."""
    parsed = parse(tmp_path / "a.eml", mixed(MIMEText('<p>Seen</p><p style="display:none">Preview</p>', "html")))
    assert lines(parsed)[3:] == ["Seen"]
    assert "hidden_text" in parsed.finding_df["kind"].tolist()


def test_files_attached_become_documents(tmp_path: Path) -> None:
    """In order, each a finding; pictures of the body are only counted; a wrong charset is survived."""
    text = MIMEBase("text", "plain", charset="no-such-charset")
    text.set_payload(b"Gr\xf6\xdfe und Ma\xdf")
    text.add_header("Content-Disposition", "attachment", filename=("utf-8", "", "Maße.txt"))
    picture = MIMEImage(b"\x89PNG\r\n\x1a\n", "png")
    picture.add_header("Content-ID", "<logo>")
    picture.add_header("Content-Disposition", "inline", filename="logo.png")
    related = MIMEMultipart("related")
    related.attach(MIMEText('<p>Hi <img src="cid:logo"></p>', "html"))
    related.attach(picture)
    archive = MIMEBase("application", "zip")
    archive.set_payload(b"PK\x05\x06" + b"\0" * 18)
    archive.add_header("Content-Disposition", "attachment", filename="../../a.zip")
    tnef = MIMEBase("application", "ms-tnef")
    tnef.set_payload(b"\x78\x9f\x3e\x22")
    tnef.add_header("Content-Disposition", "attachment", filename="winmail.dat")
    parsed = parse(tmp_path / "a.eml", mixed(related, text, archive, tnef))
    assert [one.name for one in parsed.attachments] == ["Maße.txt", "a.zip", "winmail.dat"]
    assert [one.status for one in parsed.attachments] == ["parsed", "not_read", "not_read"]
    assert "TNEF" in parsed.attachments[2].reason
    assert lines(parsed.children[0]) == ["Größe und Maß"]
    assert parsed.finding_df["kind"].tolist() == ["image"] + ["attachment"] * 3
    assert parsed.page_df["image_count"].tolist() == [1]


def test_messages_inside_become_documents(tmp_path: Path) -> None:
    """A message forwarded as an attachment, with its own attachment."""
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "eve@example.com", "Inner"
    inner.set_content("The inner text.")
    inner.add_attachment("deepest text", filename="deep.txt")
    outer = EmailMessage()
    outer["From"], outer["Subject"] = "ada@example.com", "Outer"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    parsed = parse(tmp_path / "a.eml", outer.as_bytes())
    child = parsed.children[0]
    assert child.toc_df["title"].tolist() == ["Inner"]
    assert "The inner text." in lines(child)
    assert lines(child.children[0]) == ["deepest text"]


def test_a_mailbox_gives_its_messages(tmp_path: Path) -> None:
    """The first is the document, the others are files inside; '>From' in a text splits nothing."""
    one = "From a@b.c Mon May  6 09:00:00 2024\n" + HEAD + "\nFrom here on we agree 2024\n\n"
    two = "From d@e.f Tue May  7 09:00:00 2024\nFrom: d@e.f\nTo: a@b.c\nSubject: Second\n\nAnswer\n"
    parsed = parse(tmp_path / "a.mbox", one + two)
    assert "From here on we agree 2024" in lines(parsed)
    assert [child.toc_df["title"].tolist() for child in parsed.children] == [["Second"]]


def test_numbered_headings_stand_below_the_subject(tmp_path: Path) -> None:
    """The subject stays the heading of the whole."""
    body = "\n\n".join(
        f"{n}. {title}\n\nThe text of this section." for n, title in enumerate(("Fees", "Term", "Law"), 1)
    )
    parsed = parse(tmp_path / "a.eml", HEAD + "\n" + body)
    assert parsed.toc_df["title"].tolist() == ["Terms", "1. Fees", "2. Term", "3. Law"]
    assert parsed.toc_df["level"].tolist() == [1, 2, 2, 2]


def test_parts_of_a_saved_page_are_no_files(tmp_path: Path) -> None:
    """A web archive (MHTML): its style sheets belong to the page."""
    sheet = MIMEText("p{color:red}", "css")
    related = MIMEMultipart("related")
    related["From"], related["Subject"], related["MIME-Version"] = "<Saved by a browser>", "Page", "1.0"
    related.attach(MIMEText("<p>The page</p>", "html"))
    related.attach(sheet)
    parsed = parse(tmp_path / "a.mht", related.as_bytes())
    assert lines(parsed)[-1] == "The page"
    assert not parsed.attachments


def test_an_encrypted_message_is_told(tmp_path: Path) -> None:
    """What it says was not read, so nothing can be proven absent from it."""
    part = MIMEBase("application", "pkcs7-mime", name="smime.p7m")
    part.set_payload(b"\x30\x80")
    part.add_header("Content-Disposition", "attachment", filename="smime.p7m")
    parsed = parse(tmp_path / "a.eml", mixed(part))
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert "placeholder" in parsed.finding_df["kind"].tolist()
    assert "key" in parsed.attachments[0].reason


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (HEAD + "Content-Type: multipart/mixed\n\nthe text", "no boundary"),
        (HEAD + 'Content-Type: multipart/mixed; boundary="x"\n\nthe text', "never comes"),
        (HEAD + 'Content-Type: multipart/mixed; boundary="x"\n\n--x\n\nthe text', "cut off"),
        (HEAD + "this is no field\n\nthe text", "runs into its body"),
    ],
)
def test_broken_messages_are_read_and_told(tmp_path: Path, data: str, words: str) -> None:
    """What is wrong is a finding in words; the text is there."""
    parsed = parse(tmp_path / "a.eml", data)
    assert "the text" in lines(parsed)
    assert parsed.finding_df["detail"].str.contains(words).any()


@given(st.lists(st.sampled_from(
    ["Content-Type: multipart/mixed; boundary=x\n", "Content-Type: text/html\n", "Content-Transfer-Encoding: base64\n",
     "Content-Type: message/rfc822\n", "\n", "--x\n", "--x--\n", "Subject: =?q?b?\n", "text\n", "<p>web\n",
     "SGFsbG8=\n",
     "Content-Disposition: attachment; filename*=utf-8''%FF\n", "Content-Type: multipart/alternative; boundary=x\n",
     "Content-Type: text/plain; charset=\"\n", "\xff\n"]
)))  # fmt: skip
def test_any_message_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """No MIME soup crashes."""
    path = tmp_path_factory.mktemp("mail") / "a.eml"
    try:
        parsed = parse(path, HEAD.encode() + "".join(parts).encode("latin-1"))
    except PipelineError:
        return
    assert parsed.line_df["text"].iloc[0] == "From: Ada <ada@example.com>"


def test_a_message_written_out_is_the_same_when_read(tmp_path: Path) -> None:
    """Its bytes come of its content alone."""
    mail = Mail(
        {"From": "Ada", "To": "bob@example.com", "Subject": "Größe"}, None, [Body("plain text", None)],
        [ChildFile("Maße.txt", "äöü".encode(), "text/plain")],
    )  # fmt: skip
    data = write_eml(mail)
    assert data == write_eml(mail)
    parsed = parse(tmp_path / "a.eml", data)
    assert lines(parsed) == ["From: Ada", "To: bob@example.com", "Subject: Größe", "plain text"]
    assert lines(parsed.children[0]) == ["äöü"]
    assert parsed.attachments[0].name == "Maße.txt"


def test_outlook_messages_and_those_inside_are_read(shared_data: Path) -> None:
    """Header, body, a PDF and a message attached."""
    settings = ParsingSettings(ocr="off")
    path = shared_data / "torture" / "eml" / "message_in_message.msg"
    parsed = read_document(read_source(path, settings), settings)
    assert parsed.format == "msg"
    assert lines(parsed)[-1] == "Test email with 1 msg attachment, 1 pdf"
    assert [child.format for child in parsed.children] == ["eml", "pdf"]
    assert "Blah blah blah" in lines(parsed.children[0])


def test_real_messages_are_read(shared_data: Path) -> None:
    """A digest, a wrong charset, a PDF attached."""
    settings = ParsingSettings(ocr="off")
    folder = shared_data / "torture" / "eml"
    digest = read_document(read_source(folder / "multipart_digest.eml", settings), settings)
    assert [child.toc_df["title"].iloc[0] for child in digest.children] == [
        "First Message", "Second Message", "Third Message",
    ]  # fmt: skip
    hebrew = read_document(read_source(folder / "no_utf8_2008.eml", settings), settings)
    assert "סלבה היקר," in lines(hebrew)
