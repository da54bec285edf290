"""Dictionaries for the tests: a small one in TOML, any one by hypothesis, and the check of a TOML text."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from typing import Any

from hypothesis import strategies as st
from pydantic import ValidationError

from dictionaries.checking import check_drafts
from dictionaries.drafts import Draft, draft_of
from dictionaries.faults import Fault
from dictionaries.file_format import DictionaryFile, clean_line, clean_prose

SMALL = """
owner = "test desk"
version = "1.2.0"
date = 2026-01-31
source = "made for the tests"
languages = ["en", "es"]
document_types = ["leaflet"]
[concepts.colour]
definition = "The colour of a thing."
answer_type = "text"
exhaustive = true
distractors = ["size"]
neighbours = ["paint"]
negative_contexts = ["colour blind"]
patterns = ["\\\\bRAL \\\\d{4}\\\\b"]
secondary_patterns = ["\\\\b\\\\d{4} gloss\\\\b"]
note = "as painters say it"
[concepts.colour.words.en]
primary = ["colour", "hue", { term = "shade of colour", weight = 0.8 }]
secondary = ["tint"]
questions = ["which ... colour"]
titles = ["Colours"]
[concepts.colour.words.es]
primary = ["colorido", "matiz", "tonalidad"]
[concepts.size]
definition = "The size of a thing."
answer_type = "amount"
exhaustive = false
[concepts.size.words.en]
primary = ["outer size"]
[concepts.size.words.es]
primary = ["tamaño exterior"]
"""
ODD = (
    "=1+1", "+a", "-x", "@sum", "'quoted", "''", "1.0", "007", "1e5", "TRUE", "no", "2024-01-01", "1/2", "#N/A",
    "#REF!",     "_x0041_", "_x005F_x000D_", "“smart” ‘quotes’", "a; b, c", "l’hôtel", "ﬁn", "a\u00adb", "日本語", "🙂",
    "a\\b\"c", "…", "None", "nan", "a\u200bb", "<b>&amp;</b>", "{x}", "[bold]", "\\d+",
)  # fmt: skip


def draft(text: str = SMALL, *, name: str = "things") -> Draft:
    """The draft of a TOML text."""
    return draft_of(tomllib.loads(text), name=name, file=f"{name}.toml")


def faults_of(text: str, **options: Any) -> tuple[Fault, ...]:
    """Every fault of a TOML text."""
    return check_drafts([draft(text)], **options)


def told(faults: tuple[Fault, ...], severity: str) -> list[str]:
    """The faults of a severity, one line each."""
    return [fault.told for fault in faults if fault.severity == severity]


def _usable(clean: Any) -> Any:
    def fits(text: str) -> bool:
        try:
            return bool(clean(text))
        except ValueError:
            return False

    return fits


def _unless_surrogates(alphabet: str = "") -> Any:
    return st.characters(exclude_categories=("Cs",), include_characters=alphabet)


LINES = (st.sampled_from(ODD) | st.text(_unless_surrogates(), min_size=1, max_size=12)).filter(_usable(clean_line))
PROSE = st.text(_unless_surrogates("\n\t"), min_size=1, max_size=20).filter(_usable(clean_prose)) | LINES
NAMES = st.from_regex(re.compile(r"[a-z][a-z0-9_]{0,12}", re.ASCII), fullmatch=True)
LANGUAGES = st.sampled_from(["en", "es", "fr", "de"])
TERMS = LINES | st.fixed_dictionaries(
    {"term": LINES, "weight": st.floats(0, 1, exclude_min=True) | st.sampled_from([0.1, 0.3, 0.7, 1.0])}
)
WORDS = st.fixed_dictionaries(
    {"primary": st.lists(TERMS, min_size=1, max_size=3)},
    optional={
        "secondary": st.lists(TERMS, max_size=2),
        "questions": st.lists(LINES, max_size=2),
        "titles": st.lists(LINES, max_size=2),
    },
)
CONCEPTS = st.fixed_dictionaries(
    {
        "definition": PROSE,
        "answer_type": NAMES,
        "exhaustive": st.booleans(),
        "words": st.dictionaries(LANGUAGES, WORDS, min_size=1, max_size=2),
    },
    optional={
        "answer_shape": st.sampled_from(["single", "listing", "table", "tree", "nested_json"]),
        "answer_context": st.sampled_from(["line", "paragraph", "page", "section", "chapter", "document"]),
        "chunk_strategy": st.sampled_from(["combined", "sequential"]),
        "value_required": st.booleans(),
        "distractors": st.lists(LINES, max_size=3),
        "neighbours": st.lists(LINES, max_size=3),
        "negative_contexts": st.lists(LINES, max_size=3),
        "patterns": st.lists(LINES, max_size=3),
        "secondary_patterns": st.lists(LINES, max_size=2),
        "note": PROSE,
    },
)
FILES = st.fixed_dictionaries(
    {
        "owner": LINES,
        "version": LINES,
        "date": st.dates(min_value=date(1950, 1, 1), max_value=date(2150, 1, 1)),
        "source": PROSE,
        "languages": st.lists(LANGUAGES, min_size=1, max_size=3, unique=True),
        "document_types": st.lists(NAMES, max_size=2, unique=True),
        "concepts": st.dictionaries(NAMES, CONCEPTS, min_size=1, max_size=3),
    }
)


def is_valid(fields: dict[str, Any]) -> bool:
    """True for fields that fit the schema."""
    try:
        DictionaryFile.model_validate(fields)
    except ValidationError:
        return False
    return True


DICTIONARIES = FILES.filter(is_valid).map(DictionaryFile.model_validate)
