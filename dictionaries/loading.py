"""Dictionary files to concepts: one TOML file a domain, every fault named with its file and concept."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from dictionaries.entries import ConceptEntry, Dictionaries, DictionarySource, DictionaryTerm, Priority, split_phrase
from dictionaries.stopwords import ALL_STOP_WORDS
from schemas.errors import DictionaryError
from schemas.question import AnswerContext, AnswerShape, ChunkStrategy
from schemas.record import list_faults

FOLDER = Path(__file__).parent
MAX_FILE_BYTES = 5_000_000  # a dictionary of a domain is some hundred concepts; more is no dictionary but a mistake
MAX_FAULTS = 20  # faults printed of one file; the rest is counted

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Weighted(_Strict):
    term: _Text
    weight: float = Field(gt=0, le=1)


class _Words(_Strict):
    primary: tuple[_Text | _Weighted, ...] = Field(min_length=1)
    secondary: tuple[_Text | _Weighted, ...] = ()
    questions: tuple[_Text, ...] = ()
    titles: tuple[_Text, ...] = ()


class _Concept(_Strict):
    definition: _Text
    answer_type: _Name
    answer_shape: AnswerShape = "single"
    answer_context: AnswerContext | None = None
    chunk_strategy: ChunkStrategy | None = None
    patterns: tuple[_Text, ...] = ()
    note: str = ""
    value_required: bool = False
    exhaustive: bool
    distractors: tuple[_Text, ...] = ()
    neighbours: tuple[_Text, ...] = ()
    negative_contexts: tuple[_Text, ...] = ()
    words: dict[_Language, _Words] = Field(min_length=1)


class _File(_Strict):
    owner: _Text
    version: _Text
    date: date
    source: _Text
    languages: tuple[_Language, ...] = Field(min_length=1)
    document_types: tuple[_Name, ...] = ()
    format: Literal[1] = 1
    concepts: dict[_Name, _Concept] = Field(min_length=1)


def load_dictionaries(
    folder: Path | None = None, *, names: Sequence[str] | None = None, overlay: Path | None = None
) -> Dictionaries:
    """The concepts of every dictionary file in `folder`, files sorted by name; the ones shipped without the argument.

    `names` (file stems) restricts them; an empty list gives no concepts at all. A file in `overlay` takes the place of
    the file of that name, or is added; a folder that is not there adds nothing.

    Raises DictionaryError naming file, concept and fault, all faults of a file at once.
    """
    place = FOLDER if folder is None else folder
    if not place.is_dir():
        raise DictionaryError(f"{place}: no such folder; name a folder that holds dictionary files (*.toml)")
    paths = {path.stem: path for path in sorted(place.glob("*.toml"))}
    if overlay is not None:
        paths |= {path.stem: path for path in sorted(overlay.glob("*.toml"))}
    missing = sorted(set(names or ()) - set(paths))
    if missing:
        raise DictionaryError(
            f"no dictionary named {', '.join(missing)}; there are {', '.join(paths) or 'none'} in the folder"
        )
    chosen = [path for name, path in sorted(paths.items()) if names is None or name in names]
    if not paths and folder is not None:
        raise DictionaryError(f"{place}: the folder holds no dictionary file (*.toml)")
    concepts: list[ConceptEntry] = []
    sources: list[DictionarySource] = []
    for path in chosen:
        source, entries = _load_file(path)
        sources.append(source)
        concepts.extend(entries)
    return Dictionaries(concepts=tuple(concepts), sources=tuple(sources))


def _load_file(path: Path) -> tuple[DictionarySource, list[ConceptEntry]]:
    content, data = _read(path)
    try:
        parsed = _File.model_validate(data)
    except ValidationError as error:
        raise DictionaryError(f"{path.name}: {list_faults(error)}") from error
    faults = list(_faults(parsed))
    if faults:
        more = f"; and {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
        raise DictionaryError(f"{path.name}: {'; '.join(faults[:MAX_FAULTS])}{more}")
    source = DictionarySource(
        name=path.stem,
        owner=parsed.owner,
        version=parsed.version,
        date=parsed.date.isoformat(),
        source=parsed.source,
        languages=parsed.languages,
        document_types=parsed.document_types,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return source, [_entry(name, concept, path.stem, parsed.version) for name, concept in parsed.concepts.items()]


def _read(path: Path) -> tuple[bytes, dict[str, Any]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DictionaryError(f"{path.name}: cannot be read ({error.strerror}); check its rights") from error
    if len(content) > MAX_FILE_BYTES:
        raise DictionaryError(f"{path.name}: {len(content)} bytes, the limit is {MAX_FILE_BYTES}; divide it by domain")
    try:
        return content, tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DictionaryError(f"{path.name}: not valid UTF-8 TOML ({error})") from error


def _entry(concept_id: str, concept: _Concept, dictionary: str, version: str) -> ConceptEntry:
    priorities: tuple[Priority, ...] = ("primary", "secondary")
    terms = tuple(
        DictionaryTerm(text=text, language=language, priority=priority, own_weight=weight)
        for priority in priorities
        for language, words in concept.words.items()
        for text, weight in map(_term, getattr(words, priority))
    )
    return ConceptEntry(
        concept_id=concept_id,
        dictionary=dictionary,
        version=version,
        terms=terms,
        question_phrases={language: words.questions for language, words in concept.words.items()},
        section_titles={language: words.titles for language, words in concept.words.items()},
        **concept.model_dump(exclude={"words"}),
    )


def _term(written: str | _Weighted) -> tuple[str, float | None]:
    """A term and the weight that the expert gave it."""
    return (written, None) if isinstance(written, str) else (written.term, written.weight)


def _faults(parsed: _File) -> Iterator[str]:
    """What is wrong with a file that fits its schema, a sentence each."""
    owners: dict[str, str] = {}
    for name, concept in parsed.concepts.items():
        for language, words in concept.words.items():
            if language not in parsed.languages:
                known = ", ".join(parsed.languages)
                yield f"{name}: language {language} is not among the languages of the file ({known})"
            yield from _term_faults(name, language, words, owners)
        for negative in concept.negative_contexts:
            if _form(negative) is None:
                yield f"{name}: negative context {negative!r} holds no word"
    for name, concept in parsed.concepts.items():
        for distractor in concept.distractors:
            if "_" in distractor and distractor not in parsed.concepts:
                yield f"{name}: distractor {distractor!r} is no concept of this file"
            if distractor == name:
                yield f"{name}: names itself as a distractor"


def _term_faults(name: str, language: str, words: _Words, owners: dict[str, str]) -> Iterator[str]:
    """Faults of the terms; `owners` (form to concept, primary terms) grows as they are read."""
    seen: dict[str, str] = {}
    for priority in ("primary", "secondary"):
        for term, _ in map(_term, getattr(words, priority)):
            form = _form(term)
            if form is None:
                yield f"{name}: {language} {priority} term {term!r} cannot be searched ({_why_not(term)})"
                continue
            if form in seen:
                yield f"{name}: {language} {priority} term {term!r} repeats {seen[form]!r}"
            seen[form] = term
            if form in ALL_STOP_WORDS and not (term.isupper() and len(term) > 1):  # 'IT', the acronym, is a term
                yield f"{name}: {language} {priority} term {term!r} is a bare stop word"
            if priority == "primary" and owners.setdefault(form, name) != name:
                yield f"{name}: {language} primary term {term!r} is also a primary term of {owners[form]}"
    for phrase in words.questions:
        pieces = split_phrase(phrase)
        if not pieces or any(_form(piece) is None for piece in pieces):
            yield f"{name}: {language} question phrase {phrase!r} holds a piece without a word"
        elif len(pieces) == 1 and _form(phrase) in ALL_STOP_WORDS:
            yield f"{name}: {language} question phrase {phrase!r} is a bare stop word"


def _form(term: str) -> str | None:
    """The term as the matcher compares it; None when it cannot be searched."""
    from dictionaries.matching import searched_form

    try:
        return searched_form(term)
    except ValueError:
        return None


def _why_not(term: str) -> str:
    from dictionaries.matching import searched_form

    try:
        searched_form(term)
    except ValueError as error:
        return str(error)
    return ""
