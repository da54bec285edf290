"""Dictionary files: the shipped ones are sound, a bad one is refused with file, concept and fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from schemas.errors import DictionaryError

GOOD = """
owner = "test desk"
version = "1.2.0"
date = 2026-01-31
source = "made for the tests"
languages = ["en"]
[concepts.colour]
definition = "The colour of a thing."
answer_type = "text"
exhaustive = true
distractors = ["size"]
neighbours = ["paint"]
[concepts.colour.words.en]
primary = ["colour", "hue"]
secondary = ["shade"]
questions = ["which ... colour"]
titles = ["Colours"]
[concepts.size]
definition = "The size of a thing."
answer_type = "amount"
exhaustive = false
[concepts.size.words.en]
primary = ["size"]
"""
REQUIRED = {
    "parties", "agreement_date", "effective_date", "expiration_date", "renewal_term",
    "notice_period_to_terminate_renewal", "governing_law", "termination_for_convenience", "non_compete", "exclusivity",
    "confidentiality", "liability_cap", "insurance", "indemnification", "warranty_duration", "data_breach",
    "data_protection", "payment_terms", "fees", "late_payment_interest", "force_majeure", "assignment", "audit_rights",
    "dispute_resolution", "ip_ownership",
}  # fmt: skip


def write(folder: Path, text: str, name: str = "things.toml") -> Path:
    """A folder with one dictionary file."""
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_dictionaries_are_sound() -> None:
    """Every shipped file loads; contracts hold the promised concepts in three languages, each with a definition."""
    dictionaries = load_dictionaries()
    assert "contracts" in dictionaries.versions
    contracts = [entry for entry in dictionaries.concepts if entry.dictionary == "contracts"]
    assert {entry.concept_id for entry in contracts} >= REQUIRED
    for entry in contracts:
        assert {term.language for term in entry.terms} == {"en", "es", "fr"}, entry.concept_id
        assert entry.definition.endswith(".")
        assert all(term.weight == (1.0 if term.priority == "primary" else 0.5) for term in entry.terms)
    assert all(source.owner and source.date and source.source for source in dictionaries.sources)


def test_a_file_becomes_concepts(tmp_path: Path) -> None:
    """Terms, phrases, titles, distractors and provenance arrive as written."""
    dictionaries = load_dictionaries(write(tmp_path, GOOD))
    assert dictionaries.versions == {"things": "1.2.0"}
    colour = dictionaries.concept("colour")
    assert colour is not None
    assert [(term.text, term.weight) for term in colour.terms] == [("colour", 1.0), ("hue", 1.0), ("shade", 0.5)]
    assert colour.titles() == ("Colours",)
    assert colour.words(("fr",)) == ()
    assert dictionaries.terms_of("size", dictionary="things") == ("size",)
    assert dictionaries.concept("shape") is None


def test_files_are_found_by_name_and_sorted(tmp_path: Path) -> None:
    """All files of a folder are read in the order of their names; `names` restricts them."""
    write(tmp_path, GOOD, "b.toml")
    write(tmp_path, GOOD, "a.toml")
    assert list(load_dictionaries(tmp_path).versions) == ["a", "b"]
    assert list(load_dictionaries(tmp_path, names=["b"]).versions) == ["b"]
    assert load_dictionaries(tmp_path, names=[]).concepts == ()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('primary = ["colour", "hue"]', 'primary = ["colour", "Colour"]', "colour.*repeats"),
        ('primary = ["size"]', 'primary = ["Hue"]', "size: en primary term 'Hue' is also a primary term of colour"),
        ('primary = ["size"]', "primary = []", "size"),
        ('primary = ["size"]', 'primary = [" "]', "size"),
        ('primary = ["size"]', 'primary = ["the"]', "size: en primary term 'the' is a bare stop word"),
        ('primary = ["size"]', 'primary = ["-"]', "size: en primary term '-' cannot be searched"),
        ('primary = ["size"]', 'primary = ["si*"]', "size: en primary term 'si\\*' cannot be searched"),
        ('distractors = ["size"]', 'distractors = ["no_such"]', "colour: distractor 'no_such' is no concept"),
        ('distractors = ["size"]', 'distractors = ["colour"]', "colour: names itself"),
        ("exhaustive = true", "", "colour: exhaustive is missing"),
        ("[concepts.size.words.en]", "[concepts.size.words.fr]", "size: language fr is not among"),
        ('version = "1.2.0"', "", "version"),
        ('owner = "test desk"', 'owner = "test desk"\nmood = "good"', "mood"),
        ("[concepts.size]", "[concepts.size", "TOML"),
        ('questions = ["which ... colour"]', 'questions = ["..."]', "colour: en question phrase .* cannot be searched"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    """The error names the file, the concept and the fault."""
    with pytest.raises(DictionaryError, match=fault) as caught:
        load_dictionaries(write(tmp_path, GOOD.replace(old, new)))
    assert "things.toml" in str(caught.value)


def test_a_missing_folder_or_name_is_refused(tmp_path: Path) -> None:
    """No folder, an empty folder, an unknown name: each error says what there is."""
    with pytest.raises(DictionaryError, match="no such folder"):
        load_dictionaries(tmp_path / "nowhere")
    with pytest.raises(DictionaryError, match="holds no dictionary file"):
        load_dictionaries(tmp_path)
    with pytest.raises(DictionaryError, match="no dictionary named x; there are contracts"):
        load_dictionaries(names=["x"])


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 give the same kind of error."""
    (tmp_path / "things.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DictionaryError, match="not valid UTF-8 TOML"):
        load_dictionaries(tmp_path)
