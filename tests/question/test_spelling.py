"""Spelling is mended by the document's, the experts' and the questions' own words; what is a word stays."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import QuestionContext, parse_question
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from tests.builders import document, lines

DICTIONARIES = load_dictionaries()
DOCUMENT = document(
    lines(["The Zephyrine module is delivered by the vendor.", "Each zephyrine module is tested.", "A trufle once."])
)


def read(text: str, asked: ParsedDocument | None = None) -> ParsedQuestion:
    """The question by rules alone."""
    profile = asked.profile if asked else None
    return parse_question(text, profile, DICTIONARIES, context=QuestionContext(document=asked))


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("what is the govering law", "what is the governing law"),
        ("teh liabilty cap", "the liability cap"),
        ("wich parties", "which parties"),
        ("duracion del contarto", "duracion del contrato"),
        ("résilation", "résiliation"),
        ("Wich law aplies?", "Which law applies?"),
        ("confidentialty obligatons", "confidentiality obligations"),
        ("quelle est la durée du contart", "quelle est la durée du contrat"),
        ("cual es la ley aplicabel", "cual es la ley aplicable"),
        ("how mcuh is the premiun", "how much is the premium"),
        ("GOVERING LAW", "GOVERNING LAW"),
        ("Cap On Liabilty", "Cap On Liability"),
    ],
)
def test_slips_are_mended(text: str, corrected: str) -> None:
    """Letters left out, doubled, swapped or wrong: mended, each on record, the original kept."""
    parsed = read(text)
    assert (parsed.original_question, parsed.corrected_question) == (text, corrected)
    changed = [(old, new) for old, new in zip(text.split(), corrected.rstrip().split(), strict=True) if old != new]
    for old, new in changed:
        assert f"'{old.strip('?')}' was read as '{new.strip('?')}'." in parsed.notes


@pytest.mark.parametrize(
    "text",
    [
        "Is the insured or the insurer paying?",
        "¿Que dice la resolucion?",
        "bond, tern, bind",
        "the mortgagor and the unvested shares",
        "favour, licence, authorise, cancelled, fulfilment",
        "What does Mr Govering owe?",
        "What does 'govering' mean?",
        "Is L131-1x or ID.AM-1 cited by jonh@acme.com?",
        "the iPhone of GmbH and IPOS",
        "is there a clawback",
    ],
)
def test_what_is_a_word_a_name_or_a_code_is_never_changed(text: str) -> None:
    """Words of a language, derived words, names, acronyms, codes and quoted words stay."""
    assert read(text).corrected_question == text


def test_words_of_the_document_count() -> None:
    """The document's own words mend a slip, and are never mended themselves."""
    assert read("is the zephirine tested", DOCUMENT).corrected_question == "is the zephyrine tested"
    assert read("is the zephyrine tested", DOCUMENT).corrected_question == "is the zephyrine tested"
    assert read("is there a trufle", DOCUMENT).corrected_question == "is there a trufle"


def test_a_word_that_stands_once_mends_nothing() -> None:
    """A single odd word of a document may be its own slip: another one is not turned into it."""
    assert read("is there a truefle", DOCUMENT).corrected_question == "is there a truefle"


def test_two_that_fit_leave_the_word() -> None:
    """Where two words lie equally near and neither is far more frequent, nothing is changed."""
    both = document(lines(["The marquent and the marqueft.", "The marquent and the marqueft."]))
    assert read("is there a marquext", both).corrected_question == "is there a marquext"
