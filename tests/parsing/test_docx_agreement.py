"""Whole Word documents: a contract beside its PDF, and the shared ones to the character."""

from __future__ import annotations

import importlib
import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from pipeline.parsing import parse_document
from schemas.document import ParsedDocument
from tests.parsing.docx_builder import make_agreement
from tests.parsing.docx_reading import parse, read


def test_the_shared_documents_lose_no_character(shared_data: Path) -> None:
    """Every character of the text parts stands in a line, whatever else the reader makes of it."""
    text = re.compile(r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml")
    for path in sorted((shared_data / "torture" / "docx").glob("*.docx")):
        if not zipfile.is_zipfile(path) or path.stat().st_size > 100_000:
            continue
        found = Counter("".join("".join(line.text for line in read(path.read_bytes()).pages[0].lines).split()))
        wanted: Counter[str] = Counter()
        with zipfile.ZipFile(path) as archive:
            for name in filter(text.fullmatch, archive.namelist()):
                for element in etree.fromstring(archive.read(name)).iter("{*}t", "{*}delText"):
                    if not any(parent.tag.endswith("}Fallback") for parent in element.iterancestors()):
                        wanted.update("".join((element.text or "").split()))
        assert not wanted - found, path.name


@pytest.fixture(scope="module")
def agreement_pdf(project: Path) -> ParsedDocument:
    """The sample agreement as its PDF says it."""
    return parse_document(project / "examples" / "supply_agreement.pdf")


@pytest.fixture
def agreement_parts(project: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[Any, ...], Any]:
    """Blocks and tables of the sample agreement."""
    monkeypatch.syspath_prepend(str(project / "examples"))
    blocks = importlib.import_module("blocks")
    general = importlib.import_module("agreement_general").GENERAL
    schedules = importlib.import_module("agreement_schedules")
    terms = importlib.import_module("agreement_terms").TERMS
    return blocks.read_blocks(terms + general + schedules.SCHEDULES), schedules.TABLES


def sections_of(document: ParsedDocument, *, numbered_only: bool) -> list[tuple[int, str]]:
    """Level and title of each section, blanks and quotation marks made equal."""
    rows = zip(document.toc_df["level"].tolist(), document.toc_df["title"].tolist(), strict=True)
    told = [(level, " ".join(title.replace("\u00a0", " ").split())) for level, title in rows]
    return [row for row in told if not numbered_only or row[1][0].isdigit()]


def test_the_headings_of_a_contract_in_word_are_the_sections_of_its_pdf(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """As the reader hands them over, numbers included."""
    headings = read(make_agreement(*agreement_parts, styled=True)).headings or []
    told = [(heading.level, heading.title.replace("\u00a0", " ")) for heading in headings]
    assert told == sections_of(agreement_pdf, numbered_only=False)


def test_a_contract_in_word_has_the_sections_of_its_pdf(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """Headings in heading styles, numbered by Word: the same tree, title by title and level by level."""
    document = parse(make_agreement(*agreement_parts, styled=True))
    assert sections_of(document, numbered_only=False) == sections_of(agreement_pdf, numbered_only=False)


def test_a_contract_whose_headings_are_only_bold_and_numbered_has_them_too(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """No style says heading: the numbers that Word displays tell the tree, to the titles of a schedule's items.

    '1. Quality system. The Supplier ...' is one of these: the PDF's outline stops above them.
    """
    document = parse(make_agreement(*agreement_parts, styled=False))
    told, wanted = (sections_of(one, numbered_only=True) for one in (document, agreement_pdf))
    assert [row for row in told if row in wanted] == wanted
    more = [title for level, title in told if (level, title) not in wanted]
    lines = document.line_df["text"].str.replace("\u00a0", " ").tolist()
    assert more[0] == "1. Quality system"
    assert all(any(line.startswith(f"{title}. ") for line in lines) for title in more)


def test_a_contract_in_word_says_what_its_pdf_says(
    agreement_pdf: ParsedDocument, agreement_parts: tuple[tuple[Any, ...], Any]
) -> None:
    """The words of each numbered clause are those of the PDF, from its heading to the next."""
    reading = read(make_agreement(*agreement_parts, styled=True))
    starts = {id(heading.line): heading.title for heading in reading.headings or []}
    word: dict[str, str] = {}
    title = ""
    for line in reading.pages[0].lines:
        title = starts.get(id(line), title)
        if line.role == "body":
            word[_squeeze(title)] = word.get(_squeeze(title), "") + _squeeze(line.text)
    titles = agreement_pdf.toc_df.set_index("section_id")["title"]
    frame = agreement_pdf.line_df[agreement_pdf.line_df["role"].isin(["body", "heading", "caption"])]
    pdf: dict[str, str] = {}
    for section, text in zip(frame["section_id"].tolist(), frame["text"].tolist(), strict=True):
        if isinstance(section, str) and titles[section][0].isdigit():
            pdf[_squeeze(titles[section])] = pdf.get(_squeeze(titles[section]), "") + _squeeze(text)
    assert {title: word.get(title) for title in pdf} == pdf


def _squeeze(text: str) -> str:
    """Without blanks, which a justified page sets as it likes; a mark in brackets as the raised one of the PDF."""
    return "".join(text.split()).replace("[1]", "1")
