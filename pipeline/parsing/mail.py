"""A message as a reading, however it was stored: its header as lines, its body, the files attached."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line, flow_line
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.reading import (
    SUBJECT,
    CellRead,
    ChildFile,
    FieldRead,
    Finding,
    GivenHeading,
    LinkRead,
    Metadata,
    Reading,
)
from pipeline.parsing.text import flow_page, make_text_lines, split_rows
from pipeline.parsing.web.images import count_images, tell_images
from schemas.document import DocumentFormat

SHOWN_FIELDS = ("From", "Sender", "To", "Cc", "Bcc", "Date", "Subject")  # in the order in which they become lines
MIN_OTHER_WORDS = 5  # words that one version has and the other lacks, from which the two say different things
MAX_OTHER_SHARE = 0.15  # share of a version's words that the other may lack: greetings, labels of links
_ADDRESS = re.compile(r"<?(?:https?|mailto|ftp|cid|tel):[^\s>\]]*[>\]]?|\S+@\S+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class Body:
    """One part of what a message says, in the versions that it gives; None for one it does not give."""

    plain: str | None = None
    html: str | None = None


@dataclass(slots=True)
class Mail:
    """A message: header fields by name, as shown; bodies in order; files attached; images that are part of a body."""

    fields: dict[str, str] = field(default_factory=dict)
    program: str | None = None
    bodies: list[Body] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    images: int = 0
    unread: str = ""  # why what the message says could not be read; empty where it could


@dataclass(slots=True)
class _Parts:
    """What the bodies gave so far."""

    lines: list[Line] = field(default_factory=list)
    headings: list[GivenHeading] = field(default_factory=list)
    cells: list[CellRead] = field(default_factory=list)
    fields: list[FieldRead] = field(default_factory=list)
    links: list[LinkRead] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    images: int = 0


def make_mail_reading(mail: Mail, name: DocumentFormat, *, method: str, libraries: Mapping[str, str]) -> Reading:
    """The reading of a message: the header's fields as lines, the subject as a heading, then the bodies."""
    parts = _Parts(findings=list(mail.findings))
    for number, label in enumerate((label for label in SHOWN_FIELDS if mail.fields.get(label)), start=1):
        line = flow_line(f"{label}: {mail.fields[label]}", method=method, paragraph_id=number)
        parts.lines.append(line)
        if label == "Subject":
            parts.headings.append(GivenHeading(line, 1, clean_text(mail.fields[label]), source=SUBJECT))
    head = len(parts.lines)
    for body in mail.bodies:
        _add_body(parts, body, method)
    if len(parts.lines) == head and any(body.plain or body.html for body in mail.bodies):
        parts.findings.append(Finding("placeholder", "The message has a body, but no words in it."))
    page = flow_page(parts.lines, method)
    if mail.unread:  # the fields of the header were read, and they are not what the message says
        page.status, page.reason = "unreadable", mail.unread
        parts.findings.append(Finding("placeholder", mail.unread))
    page.images = count_images(parts.images or mail.images)  # a web page shows the pictures that come with it
    parts.findings += tell_images(parts.images or mail.images)
    return Reading(
        name, "none", [page], headings=parts.headings, cells=parts.cells, fields=parts.fields, links=parts.links,
        findings=parts.findings, children=mail.children, libraries=dict(libraries), has_form=bool(parts.fields),
        metadata=Metadata(
            title=mail.fields.get("Subject"), author=mail.fields.get("From"), created=mail.fields.get("Date"),
            creator=mail.program,
        ),
    )  # fmt: skip


def _add_body(parts: _Parts, body: Body, method: str) -> None:
    """The plain version, or the other where it alone has words or tables; both where they say different things."""
    plain = [] if body.plain is None else make_text_lines(split_rows(body.plain), method=method)
    web = _Parts() if body.html is None else _read_web(body.html)
    seen = [line for line in web.lines if line.visible]
    if plain and seen and _differ(plain, seen):
        parts.findings.append(
            Finding(
                "alternative",
                "The message gives its text twice, as plain text and as a web page, and the two say different things; "
                "both were read, the plain text first.",
            )
        )
        _append(parts, _Parts(lines=plain))
        _append(parts, web)
    elif plain and not (web.cells and seen):
        _append(parts, _Parts(lines=plain, images=web.images))
    else:
        _append(parts, web)


def _read_web(markup: str) -> _Parts:
    from pipeline.parsing.web.page import read_markup

    page = read_markup(markup)
    for heading in page.headings:
        heading.level += 1  # the subject stands above
    return _Parts(page.lines, page.headings, page.cells, page.fields, page.links, page.findings, page.images)


def _append(parts: _Parts, more: _Parts) -> None:
    """Add what another part gave, its paragraphs and tables counted on."""
    paragraphs = max((line.paragraph_id for line in parts.lines), default=0)
    tables = max((cell.table_id for cell in parts.cells), default=0)
    for line in more.lines:
        line.paragraph_id += paragraphs
    for cell in more.cells:
        cell.table_id += tables
    parts.lines += more.lines
    parts.headings += more.headings
    parts.cells += more.cells
    parts.fields += more.fields
    parts.links += more.links
    parts.findings += more.findings
    parts.images += more.images


def _differ(plain: Sequence[Line], web: Sequence[Line]) -> bool:
    """Either version has a good part of its words for itself; addresses do not count, since one hides them."""
    one, other = _count_words(plain), _count_words(web)
    return any(
        lacking >= MIN_OTHER_WORDS and lacking > MAX_OTHER_SHARE * max(1, have.total())
        for have, lacking in ((one, (one - other).total()), (other, (other - one).total()))
    )


def _count_words(lines: Sequence[Line]) -> Counter[str]:
    text = _ADDRESS.sub(" ", " ".join(line.text for line in lines))
    return Counter(word.casefold() for word in _WORD.findall(text))
