"""Contracts made by code, of any length: what a benchmark of ours reads where no real document is at hand."""

from __future__ import annotations

import textwrap
from pathlib import Path

from dictionaries import Dictionaries
from dictionaries.entries import ConceptEntry, DictionarySource, DictionaryTerm
from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from schemas.document import ParsedDocument

LINES_A_PAGE, WIDTH = 42, 88  # lines of 88 characters: an A4 page in 10 points
FILLER_BLOCKS = 1_200  # paragraphs of the document in which the number of candidates is changed

# A clause a title; the numbers in braces make no two alike. One in ten speaks of what the questions ask.
_CLAUSES = (
    ("Definitions", '"Net Sales" means the gross amount invoiced in quarter {n} less returns, freight and taxes.'),
    ("Deliveries", "The Supplier shall deliver lot {n} to the dock named in the order, packed as the parties agree."),
    ("Annual Fee", "The Customer shall pay an annual fee of USD {n},500 within thirty (30) days of the invoice."),
    ("Records", "Each party keeps books and records of lot {n} in the form that its auditors accept."),
    ("Confidentiality", "The obligations of confidentiality survive for a period of five ({n}) years from disclosure."),
    ("Inspection", "The Customer may inspect lot {n} on arrival; what is not rejected in ten days is accepted."),
    ("Tooling", "Tooling number {n} stays where it was made and is returned in working order on request."),
    ("Notices", "Notices under clause {n}.3 are given in writing to the address that stands on the first page."),
    ("Termination", "Either party may terminate order {n} for convenience upon sixty days' prior written notice."),
    ("Insurance", "The Supplier shall maintain commercial general liability insurance of USD {n},000,000 an event."),
    ("Non-Compete", "During the term the Distributor shall not compete with the Company in territory {n}."),
    ("Quality", "Samples of lot {n} are kept for two years in a dry room, apart from other goods."),
)
_SENTENCES = (
    "The parties meet in the first week of each quarter to go through what is open and what is planned.",
    "What is said here of one site holds for every site that is named in the schedule, unless that site says more.",
    "Where a day on which something falls due is no working day at the place, the next working day takes its place.",
)


def write_contract(folder: Path, pages: int) -> Path:
    """A PDF of exactly so many pages: numbered titles and clauses of running text, as a contract has them."""
    lines = _lines(pages * LINES_A_PAGE)
    path = folder / f"contract_{pages}_pages.pdf"
    document = pymupdf.open()
    for at in range(pages):
        page = document.new_page()
        page.insert_text((56, 64), lines[at * LINES_A_PAGE : (at + 1) * LINES_A_PAGE], fontsize=10, lineheight=1.5)
        page.insert_text((280, 820), str(at + 1), fontsize=9)
    document.save(path, deflate=True, no_new_id=True)
    document.close()
    return path


def document_with_topic(folder: Path, count: int, *, settings: ParsingSettings) -> ParsedDocument:
    """A text of fixed length where `count` paragraphs speak of non-competition."""
    topical = (
        "The Distributor shall not compete with the Company, directly or indirectly, in market {n} during the term."
    )
    step = FILLER_BLOCKS / count
    wanted = {int(at * step) for at in range(count)}
    blocks = []
    for number in range(FILLER_BLOCKS):
        plain = f"{_SENTENCES[number % len(_SENTENCES)]} Lot {number} is kept apart from the others."
        blocks.append(topical.format(n=number) if number in wanted else plain)
    path = folder / f"topic_{count}.txt"
    path.write_text("\n\n".join(blocks), encoding="utf-8")
    return parse_document(path, settings=settings)


def made_dictionaries(count: int) -> Dictionaries:
    """One concept of `count` terms, made of syllables so that no two are alike; the first stands in our contracts."""
    texts = ["tooling", *(_made_term(number) for number in range(1, count))]
    entry = ConceptEntry(
        concept_id="tooling_custody",
        dictionary="made",
        version="1",
        definition="Who keeps the tooling.",
        terms=tuple(DictionaryTerm(text=text, language="en", priority="primary") for text in texts),
        question_phrases={"en": ("tooling custody",)},
        section_titles={"en": ("Tooling",)},
        answer_type="text",
        answer_shape="single",
        value_required=False,
        exhaustive=False,
        distractors=(),
        neighbours=(),
        negative_contexts=(),
    )
    source = DictionarySource(
        name="made",
        owner="benchmark",
        version="1",
        date="2026-01-01",
        source="made",
        languages=("en",),
        sha256="0" * 64,
    )
    return Dictionaries(concepts=(entry,), sources=(source,))


def _made_term(number: int) -> str:
    syllables = ("bra", "dex", "fom", "gul", "kip", "lor", "mav", "nes", "pir", "tuv")
    return "".join(syllables[int(digit)] for digit in f"{number:05d}")


def _lines(count: int) -> list[str]:
    lines: list[str] = []
    number = 0
    while len(lines) < count:
        title, clause = _CLAUSES[number % len(_CLAUSES)]
        number += 1
        words = " ".join((clause.format(n=number), *_SENTENCES[: 1 + number % len(_SENTENCES)]))
        lines += [f"{number}. {title}", *textwrap.wrap(words, WIDTH), ""]
    return lines[:count]
