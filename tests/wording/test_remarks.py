"""Every remark that code writes has its words in Spanish and in French."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.wording import LANGUAGES, say, tell_note, tell_words
from pipeline.wording.remarks import CAVEATS, FURTHER, REASONS, WORDS

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("pipeline/generation", "pipeline/retrieval/arbiter")
_SENTENCE = re.compile(r"[A-Z{][^\n]{12,}(?:[.}]|[}][\"'])", re.DOTALL)
# Sentences that no reader is told as a remark: parts of others, what is asked of a model, details of a check.
_NOT_REMARKS = {
    "prompt.py",
    "proposal.py",
    "replies.py",
    "asking.py",
    "settings.py",
    "wording.py",
    "empty_words.py",
}
_SKIPPED_FOLDERS = ("checks",)
# Parts of a remark that another line of code puts together.
_PARTS = (
    "The model found no answer; the rules, without it, point at {}.",
    "{}; a person has to look.",
    "{} {} between {} and {}",
)


def _written(tree: ast.Module) -> Iterator[str]:
    """The texts handed over as caveats or reasons: arguments, appended texts and names of that kind; {} for holes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(
            getattr(one, "id", "") in ("caveat", "_caveat") for one in node.targets
        ):
            yield from _texts(node.value)
        if isinstance(node, ast.keyword) and node.arg in ("caveats", "caveat"):
            yield from _texts(node.value)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
            named = getattr(getattr(node.func, "value", None), "id", "")
            yield from _texts(node) if named in ("caveats", "told", "said") else ()


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _remarks() -> list[tuple[str, str]]:
    found = []
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name in _NOT_REMARKS or path.parent.name in _SKIPPED_FOLDERS:
                continue
            texts = _written(ast.parse(path.read_text(encoding="utf-8")))
            found += [(path.name, text) for text in texts if _SENTENCE.fullmatch(text) and text not in _PARTS]
    return sorted(set(found))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_caveat_that_code_writes_has_its_words(language: str) -> None:
    """A new remark without a translation fails here, with the file that writes it."""
    filled = [(name, re.sub(r"(?<=[a-z])\{\}", "s", text).replace("{}", "7")) for name, text in _remarks()]
    lacking = [(name, text) for name, text in filled if tell_note(text, language) == text]
    assert filled
    assert lacking == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_template_is_told_with_what_it_quotes(language: str) -> None:
    """What a remark quotes stands in its translation; a plural ending alone may go."""
    for english, *_ in (*CAVEATS, *REASONS, *FURTHER):
        filled = english.replace("{}", "Q7Q")
        told = tell_note(filled, language)
        assert told != filled
        assert ("Q7Q" in told) == ("{}" in english)


def test_words_of_formulas_are_told() -> None:
    """'start of the term + term' in the reader's language; an English reader sees the record's own."""
    assert tell_words("start of the term + term", "fr") == "début de la durée + durée"
    assert tell_words("Fecha + plazo de prueba", "es") == "Fecha + plazo de prueba"
    assert all(tell_words(english, "en") == english for english, *_ in WORDS)


def test_a_reason_with_a_second_sentence_is_told_in_both() -> None:
    """Why a passage is kept as support follows its own reason."""
    told = tell_note("Names 'X', exactly as asked. Kept as support: 3 stronger passages come first.", "es")
    assert told == "Nombra 'X', tal como se pregunta. Se conserva como apoyo: hay 3 pasajes más fuertes."


def test_one_value_is_told_without_a_plural() -> None:
    """'1 indicados' is no Spanish."""
    assert say("given", "es", count=1) == "respuestas dadas: 1"
