"""The words by which questions are put to a collection (`words.toml`), and how a text is read by them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
LIKE = 5  # letters that two words must begin with to be forms of one: expire, expiry, expiration
ENDING = 8  # letters by which forms of one word may differ after these


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: where it stands, and as it is compared."""

    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of the vocabulary in a text: its table and list in `words.toml`, and its words `first` to `last`."""

    table: str
    name: str
    first: int
    last: int


def fold(text: str) -> str:
    """Lower case, without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in parts if not unicodedata.combining(each))


def words_in(text: str) -> tuple[Word, ...]:
    """The words of a text in order; an apostrophe parts two, a hyphen does not."""
    return tuple(Word(one.start(), one.end(), fold(one[0])) for one in _WORD.finditer(text))


def same_word(one: str, other: str) -> bool:
    """True for two forms of a word, by their beginning: expire and expiration, fee and fees."""
    if one == other or one.rstrip("s") == other.rstrip("s"):
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= LIKE and max(len(one), len(other)) - shared <= ENDING and shared * 2 >= min(len(one), len(other))


def phrase_at(words: Sequence[Word], at: int, tables: Sequence[str]) -> Phrase | None:
    """The longest phrase of these tables that begins with a word; of equals that of the first table; None for none."""
    for length in range(min(_longest(), len(words) - at), 0, -1):
        folded = tuple(one.folded for one in words[at : at + length])
        for table in tables:
            for phrase, name in _phrases(table).get(folded[0][:2], ()):
                if len(phrase) == length and all(map(_fits, phrase, folded)):
                    return Phrase(table, name, at, at + length - 1)
    return None


def is_listed(table: str, name: str, word: str) -> bool:
    """True for a word that stands in a list."""
    return any(_fits(fold(one), word) for one in _data()[table][name])


def say(table: str, name: str, language: str) -> str:
    """A sentence of the tables `wording` and `why`, in English for languages that there are no words in."""
    told = _data()[table]
    return str(told.get(language, told["en"])[name])


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files("pipeline.batch.collection").joinpath("words.toml").read_text(encoding="utf-8"))


@cache
def _phrases(table: str) -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """The phrases of a table with the name of their list, by the first two letters."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, phrases in _data()[table].items():
        if name == "weak":
            continue
        for phrase in phrases:
            parts = tuple(phrase.split())
            found.setdefault(parts[0].rstrip("*")[:2], []).append((parts, name))
    return found


@cache
def _longest() -> int:
    tables = ("aggregate", "condition", "comparison", "topic", "plain")
    return max(len(parts) for table in tables for each in _phrases(table).values() for parts, _ in each)
