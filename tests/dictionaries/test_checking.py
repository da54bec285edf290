"""What the check of dictionaries refuses and what it warns of, each told by concept and reason."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest

from dictionaries.changes import changes_between, next_version, settle_version
from dictionaries.checking import check_drafts
from dictionaries.coverage import CoverageCount
from dictionaries.drafts import read_draft
from dictionaries.file_format import DictionaryFile
from dictionaries.loading import FOLDER, dictionary_paths, load_dictionaries, read_fields
from dictionaries.pattern_checking import SHORT_TRIAL_CHARS, TRIAL_CHARS, trial_texts, why_refused
from dictionaries.prose import PROSE
from dictionaries.searchable import SearchableText
from tests.dictionaries.files import SMALL, draft, faults_of, told

TYPES = ("amount", "text")


def small(**changes: str) -> DictionaryFile:
    """The small dictionary, with some fields written anew."""
    return DictionaryFile.model_validate({**tomllib.loads(SMALL), **changes})


def test_a_sound_dictionary_has_no_fault() -> None:
    """The small dictionary of the tests is sound in every respect."""
    assert faults_of(SMALL, answer_types=TYPES) == ()


@pytest.mark.parametrize(
    ("old", "new", "severity", "reason"),
    [
        ('primary = ["outer size"]', 'primary = ["document"]', "error", "en primary term 'document' is a generic"),
        ('primary = ["outer size"]', 'primary = ["is"]', "error", "bare stop word"),
        ('primary = ["outer size"]', 'primary = ["the year"]', "error", "of the lines of the sample of ordinary text"),
        ('primary = ["outer size"]', 'primary = ["Hue"]', "error", "also a primary term of colour"),
        ('secondary = ["tint"]', 'secondary = ["outer size"]', "warning", "'outer size' is primary in size"),
        ('secondary = ["tint"]', 'secondary = ["the year"]', "warning", "ordinary text"),
        ('answer_type = "amount"', 'answer_type = "quantity"', "error", "'quantity' is unknown; one of amount"),
        ('["colorido", "matiz", "tonalidad"]', '["colorido"]', "warning", "fewer than 3 primary terms in es"),
        ('languages = ["en", "es"]', 'languages = ["en", "es", "fr"]', "error", "exhaustive, and without a term in fr"),
        ('languages = ["en", "es"]', 'languages = ["en", "es", "fr"]', "warning", "size: has no words in fr"),
        ('["colour blind"]', '["colour", "hue", "hues", "shade of colour", "colorido", "matiz", "tonalidad"]', "error",
         "hide every primary term"),
        ('["colour blind"]', '["hue"]', "error", "negative context 'hue' hides the primary term 'hue' everywhere"),
        ('["colour blind"]', '["snow blind"]', "warning", "'snow blind' holds no term of the concept"),
        ('neighbours = ["paint"]', 'neighbours = ["paint, varnish"]', "warning", "looks like several entries"),
        ('titles = ["Colours"]', 'titles = ["Colours"]\nquestions2 = ["x"]', "error", "questions2 is no field"),
        ("weight = 0.8", "weight = 1.5", "error", "must be more than 0 and at most 1 (found '1.5')"),
        ("weight = 0.8", "weight = 0", "error", "must be more than 0 and at most 1"),
        ("RAL ", "(a+)+$", "error", "takes more than 0.2 s on 10,000 characters"),
        ('"\\\\bRAL \\\\d{4}\\\\b"', '"x*"', "error", "matches the empty text"),
        ('"\\\\bRAL \\\\d{4}\\\\b"', '"(ab"', "error", "is no regular expression"),
        ('"\\\\bRAL \\\\d{4}\\\\b"', '"[a-z]{4}"', "error", "of the lines of ordinary text"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(old: str, new: str, severity: str, reason: str) -> None:
    """One change of the sound dictionary, and the fault that it makes."""
    assert old in SMALL
    faults = faults_of(SMALL.replace(old, new), answer_types=TYPES)
    assert any(reason in each for each in told(faults, severity)), [fault.told for fault in faults]


def test_question_phrases_that_two_concepts_share_are_told() -> None:
    """The phrase, the other concept, and in which words."""
    shared = SMALL.replace('primary = ["outer size"]', 'primary = ["outer size"]\nquestions = ["which ... Colour"]')
    (first, second) = told(faults_of(shared), "warning")
    assert "colour: en question phrase 'which ... colour' also means size" in first
    assert "size: en question phrase 'which ... Colour' also means colour" in second
    narrower = shared.replace('definition = "The size of a thing."', 'definition = "Its size."\nnarrows = ["colour"]')
    assert faults_of(narrower) == ()


def test_phrases_are_alike_by_their_pieces() -> None:
    """Alternatives of one piece are not pieces of their own, and an order is not any order."""
    phrases = ("which|what ... size", "which ... what ... size", "which + size", "which ... size", "Which ... sizes")
    text = SMALL.replace('["outer size"]', f'["outer size"]\nquestions = {list(phrases)}'.replace("'", '"'))
    assert faults_of(text) == ()


def test_all_faults_of_a_file_are_told_at_once() -> None:
    """Faults of the schema do not hide those of the content, nor the other way round."""
    bad = (
        SMALL.replace('owner = "test desk"', "").replace("exhaustive = false", "").replace("weight = 0.8", "weight = 3")
    )
    bad = bad.replace('primary = ["outer size"]', 'primary = ["outer size", "Outer-size"]')
    errors = told(faults_of(bad), "error")
    assert len(errors) == 4, errors
    for words in ("owner is missing", "size: exhaustive is missing", "weight must be", "'Outer-size' repeats"):
        assert any(words in each for each in errors), errors


def test_words_of_two_dictionaries() -> None:
    """Primary in both is an error where both are made for the same documents, else a warning."""
    other = SMALL.replace("concepts.colour", "concepts.paint_colour")
    for types, expected in (('["leaflet", "book"]', "error"), ('["book"]', "warning"), ("[]", "error")):
        theirs = draft(other.replace('["leaflet"]', types), name="others")
        faults = check_drafts([draft()], others=[theirs])
        reason = "colour: en primary term 'colour' is also a primary term of paint_colour in others.toml"
        assert f"things.toml: {reason}" in told(faults, expected)
        assert {fault.file for fault in faults} == {"things.toml"}
    secondary = other.replace(
        'primary = ["colour", "hue", { term = "shade of colour", weight = 0.8 }]', 'primary = ["dye"]'
    )
    secondary = secondary.replace('secondary = ["tint"]', 'secondary = ["hue"]').replace('["outer size"]', '["format"]')
    secondary = secondary.replace('"colorido", "matiz", "tonalidad"', '"tinte"').replace("tamaño exterior", "formato")
    faults = check_drafts([draft()], others=[draft(secondary, name="others")])
    assert [fault.severity for fault in faults] == ["warning"]


def test_a_folder_of_the_users_own_shows_what_is_too_broad() -> None:
    """A term on more than one in twenty of the lines given is refused; on few lines nothing is concluded."""
    lines = ["The hue of it."] * 3 + ["Nothing."] * 37
    faults = faults_of(SMALL, prose={"my documents": lines})
    (error,) = told(faults, "error")
    assert "colour: en primary term 'hue' is found on 8% of the lines of my documents, the limit is 5%" in error
    assert faults_of(SMALL, prose={"my documents": lines[:10]}) == ()


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)+$", r"\s+$", r"(foo|fo+)+bar", r"(ab?)+c", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(x+x+)+y", "a" * 1001],
)
def test_careless_patterns_are_refused(pattern: str) -> None:
    """A pattern that takes too long on some text of three pages, or is too long itself."""
    reason, severity = why_refused(pattern)
    assert reason
    assert severity == "error"


@pytest.mark.parametrize(
    "pattern", [r"\bnet\s+\d+\s+days\b", r"\d{1,3} (?:days|months)", r"ISO ?27\d{3}", r"Art\. ?\d+"]
)
def test_sound_patterns_are_taken(pattern: str) -> None:
    """Patterns as experts write them pass."""
    assert why_refused(pattern)[0] == ""


def test_trial_texts_are_built_from_the_pattern() -> None:
    """Repeats of its own pieces are among the trials, all of the stated length at most."""
    trials = list(trial_texts(r"(foo|fo+)+bar"))
    assert any(trial.startswith("foofoofoo") for trial in trials)
    assert {len(trial) for trial in trials[:-1]} == {TRIAL_CHARS, SHORT_TRIAL_CHARS}


def test_the_sample_of_prose_is_balanced() -> None:
    """Sixty different lines a language."""
    assert all(len(set(lines)) == 60 for lines in PROSE.values())


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_shipped_dictionary_has_no_errors(path: object) -> None:
    """What is shipped passes its own check."""
    from pathlib import Path

    from dictionaries.drafts import read_draft
    from pipeline.cli.dict_check import known_answer_types

    faults = check_drafts([read_draft(Path(str(path)))], answer_types=known_answer_types())
    assert told(faults, "error") == []


def test_changes_are_told_in_words() -> None:
    """Terms and concepts added, removed and weighed anew, fields that say something else."""
    after = small()
    text = SMALL.replace('"hue", ', '"dye", ').replace("weight = 0.8", "weight = 0.9").replace("painters", "printers")
    after = DictionaryFile.model_validate(tomllib.loads(text))
    (colour,) = changes_between(small(), after).concepts_changed
    assert [(row.kind, row.text) for row in colour.terms_added] == [("primary", "dye")]
    assert [row.text for row in colour.terms_removed] == ["hue"]
    assert [(row.text, row.weight) for row in colour.terms_changed] == [("shade of colour", 0.9)]
    assert [change.field for change in colour.fields] == ["note"]
    assert changes_between(small(), small()).is_empty


def test_two_contents_never_carry_one_version() -> None:
    """The last number is raised where the content changed and the version did not, or went back."""
    today = date(2027, 5, 4)
    changed = small(owner="another desk")
    settled, note = settle_version(small(), changed, today=today)
    assert (settled.version, settled.date) == ("1.2.1", today)
    assert note is not None
    assert settle_version(small(), small(owner="another desk", version="2.0"), today=today)[0].version == "2.0"
    settled, note = settle_version(small(version="1.3.0"), changed, today=today)
    assert settled.version == "1.3.1"
    assert note is not None
    assert "made from version 1.2.0" in note
    assert settle_version(small(version="1.3.0"), small(), today=today) == (small(version="1.3.0"), None)
    assert settle_version(None, changed, today=today) == (changed, None)


@pytest.mark.parametrize(
    ("version", "following"),
    [("1.0.9", "1.0.10"), ("7", "8"), ("2026-09", "2026-10"), ("1.0-beta", "1.1-beta"), ("spring", "spring.1")],
)
def test_the_next_version(version: str, following: str) -> None:
    """Its last number raised by one."""
    assert next_version(version) == following


def test_coverage_counts_lines_and_documents() -> None:
    """Each term by lines and documents, those found nowhere, and each concept by its primary terms and patterns."""
    entries = load_dictionaries(names=["contracts"]).concepts[:1]
    entry = entries[0].model_copy(
        update={
            "concept_id": "colour",
            "terms": tuple(
                entries[0].terms[0].model_copy(update={"text": text, "priority": priority, "language": "en"})
                for text, priority in (("hue", "primary"), ("shade", "primary"), ("tint", "secondary"))
            ),
            "patterns": (r"RAL \d{4}",),
            "secondary_patterns": (r"\d tints?",),
        }
    )
    count = CoverageCount([entry])
    count.add("a.txt", SearchableText.of(["One hue, two hues.", "A tint.", "In RAL 9010.", "2 tints."]))
    count.add("b.txt", SearchableText.of(["A tint.", "Nothing."]))
    found = count.result(dictionary="things", version="1")
    assert [(term.text, term.lines, term.documents) for term in found.terms] == [
        ("hue", 1, 1), ("shade", 0, 0), ("tint", 3, 2), (r"RAL \d{4}", 1, 1), (r"\d tints?", 1, 1),
    ]  # fmt: skip
    assert [term.text for term in found.unused] == ["shade"]
    (concept,) = found.concepts
    assert (concept.documents, concept.lines, concept.without) == (1, 2, ("b.txt",))
    assert (found.documents, found.lines) == (("a.txt", "b.txt"), 6)


def test_the_shipped_files_are_valid_toml() -> None:
    """Each can be read as fields, which `dict check` and `dict export` begin with."""
    assert all(read_fields(path)[1] for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize(
    "pattern",
    [
        r"(\w+\s?)+!", r"(\w+\s?)+;", r"(a|a)*b", r"(\d+)*x", r"^(\s*\w+)+$", r"(?:\w+[ ,]*)+shall not",
        r"(\W+ ?)+x", r"(\w|\d)+:", r"(?:a|ab|b)+c", r"(x+x+)+y",
    ],
)  # fmt: skip
def test_a_pattern_without_end_is_refused_whatever_it_ends_with(pattern: str) -> None:
    """The trial fails behind every kind of repeat, also where the pattern's own ending stands further on."""
    reason, severity = why_refused(pattern)
    assert "takes more than 0.2 s" in reason
    assert severity == "error"


@pytest.mark.parametrize("pattern", [r"\w+ agreement", r"(?:[A-Z][a-z]* ?){1,5}Ltd", r"\bnot(?:\s+\w+){0,5}\s+apply"])
def test_a_pattern_that_ends_in_time_is_taken(pattern: str) -> None:
    """Repeats that are bounded, or stand side by side, are no fault."""
    assert why_refused(pattern) == ("", "warning")


def test_the_shipped_dictionaries_share_no_word_that_proves_a_topic() -> None:
    """Beside each other, as they are in force, none has an error."""
    shipped = [read_draft(path) for path in dictionary_paths().values()]
    assert told(check_drafts(shipped), "error") == []


def test_an_edit_is_not_blamed_for_what_was_shared_before_it() -> None:
    """A word that two dictionaries share already warns; one that the edit adds is refused."""
    other = draft(SMALL.replace('"outer size"', '"width"').replace('"hue"', '"tone"'), name="others")
    before = draft(SMALL)
    edit = draft(SMALL.replace('"outer size"', '"outer size", "width"'))
    alone = told(check_drafts([edit], others=[other]), "error")
    assert any("'colour' is also a primary term" in each for each in alone)
    errors = told(check_drafts([edit], others=[other], former=[before]), "error")
    assert len(errors) == 1
    assert "'width' is also a primary term" in errors[0]
    warned = told(check_drafts([edit], others=[other], former=[before]), "warning")
    assert any("'colour' is also a primary term" in each and "in force already" in each for each in warned)


@pytest.mark.parametrize(
    ("old", "new", "severity", "reason"),
    [
        ('"outer size"', '"2024"', "error", "en primary term '2024' is a bare number"),
        ('"outer size"', '"1.5 %"', "error", "bare number"),
        ('secondary = ["tint"]', 'secondary = ["Shades-of-colours"]', "warning", "the same as 'shade of colour'"),
        ('"outer size"', f'"{"x" * 201}"', "error", "has 201 characters, the limit is 200"),
        ('"which ... colour"', f'"{"x" * 601}"', "error", "has 601 characters, the limit is 600"),
        ('titles = ["Colours"]', f'titles = ["{"x" * 201}"]', "error", "en title 'xxx"),
    ],
)
def test_what_proves_nothing_or_is_no_term_is_told(old: str, new: str, severity: str, reason: str) -> None:
    """Bare numbers, texts that are whole pages, and terms that the matcher cannot tell apart."""
    assert old in SMALL
    found = told(faults_of(SMALL.replace(old, new)), severity)
    assert any(reason in each for each in found), found
    assert all(len(each) < 400 for each in found)


@pytest.mark.parametrize("term", ["2016/679", "401(k)", "ISO 27001"])
def test_a_number_that_is_a_name_is_a_term(term: str) -> None:
    """Five digits, or a letter, name a law or a standard."""
    assert told(faults_of(SMALL.replace('"outer size"', f'"{term}"')), "error") == []


def test_a_long_question_phrase_is_compared() -> None:
    """A phrase with many alternatives, longer than a term may be, is a row of the changes like any other."""
    phrase = "|".join(f"shade{number:03}" for number in range(30))
    after = draft(SMALL.replace('"which ... colour"', f'"{phrase}"')).parsed
    assert after is not None
    (change,) = changes_between(small(), after).concepts_changed
    assert [row.text for row in change.terms_added] == [phrase]
