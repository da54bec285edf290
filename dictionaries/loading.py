"""Dictionary files to concepts: one TOML file a domain, every fault named with its file and concept."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dictionaries.content_rules import content_faults
from dictionaries.entries import ConceptEntry, Dictionaries, DictionarySource, DictionaryTerm, Priority
from dictionaries.faults import schema_faults, tell_faults
from dictionaries.file_format import DictionaryFile, FileConcept
from schemas.errors import DictionaryError, RecordError

FOLDER = Path(__file__).parent
MAX_FILE_BYTES = 5_000_000  # a dictionary of a domain is some hundred concepts; more is no dictionary but a mistake
KEPT = 4  # sets of dictionaries kept in memory: the shipped ones, a store's, an edit that is compared with it
MAX_FAULTS = 20  # faults printed of one file; the rest is counted


def load_dictionaries(
    folder: Path | None = None, *, names: Sequence[str] | None = None, overlay: Path | None = None
) -> Dictionaries:
    """The concepts of every dictionary file in `folder`, files sorted by name; the ones shipped without the argument.

    `names` (file stems) restricts them; an empty list gives no concepts at all. A file in `overlay` takes the place of
    the file of that name, or is added; a folder that is not there adds nothing. Files of the package were checked
    before it was made; only their form is looked at again.

    Raises DictionaryError naming file, concept and fault, all faults of a file at once; RecordError for a file of the
    `overlay`, which a store keeps and can put back.
    """
    paths = dictionary_paths(folder, overlay=overlay)
    missing = sorted(set(names or ()) - set(paths))
    if missing:
        raise DictionaryError(
            f"no dictionary named {', '.join(missing)}; there are {', '.join(paths) or 'none'} in the folder"
        )
    files = tuple((path, *_state(path)) for name, path in paths.items() if names is None or name in names)
    return _loaded(files, overlay)


@lru_cache(maxsize=KEPT)
def _loaded(files: tuple[tuple[Path, int, int], ...], overlay: Path | None) -> Dictionaries:
    """The dictionaries of files in a state: read once, since they are slow to read, and immutable."""
    concepts: list[ConceptEntry] = []
    sources: list[DictionarySource] = []
    for path, _, _ in files:
        try:
            source, entries = _load_file(path)
        except DictionaryError as error:
            if path.parent != overlay:
                raise
            raise unusable(path, str(error)) from error
        sources.append(source)
        concepts.extend(entries)
    return Dictionaries(concepts=tuple(concepts), sources=tuple(sources))


def unusable(path: Path, why: str) -> RecordError:
    """The error of a dictionary that a store keeps and that cannot be used, with what to do."""
    reason = why.removeprefix(f"{path.name}: ")
    return RecordError(f"{path}: this store's dictionary cannot be used: {reason}; {remedy_of(path)}")


def remedy_of(path: Path) -> str:
    """What to do about a dictionary of a store that cannot be used."""
    former = path.parent / "history"
    return f"copy a former version from {former} over it, or put one in force again with `lineproof dict import`"


def _state(path: Path) -> tuple[int, int]:
    """Time of the last change, in nanoseconds, and size, in bytes; zeros for a file that is not there."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def dictionary_paths(folder: Path | None = None, *, overlay: Path | None = None) -> dict[str, Path]:
    """The file of each dictionary in force, by its name, sorted; see `load_dictionaries`.

    Raises DictionaryError for a named folder that is not there or holds no dictionary.
    """
    place = FOLDER if folder is None else folder
    if not place.is_dir():
        raise DictionaryError(f"{place}: no such folder; name a folder that holds dictionary files (*.toml)")
    paths = {path.stem: path for path in sorted(place.glob("*.toml"))}
    if overlay is not None:
        paths |= {path.stem: path for path in sorted(overlay.glob("*.toml"))}
    if not paths and folder is not None:
        raise DictionaryError(f"{place}: the folder holds no dictionary file (*.toml)")
    return dict(sorted(paths.items()))


def read_fields(path: Path) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a dictionary file and what its TOML says, unchecked.

    Raises DictionaryError when it cannot be read, is too large, or is no TOML.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DictionaryError(f"{path.name}: cannot be read ({error.strerror}); check its name and rights") from error
    if len(content) > MAX_FILE_BYTES:
        raise DictionaryError(f"{path.name}: {len(content)} bytes, the limit is {MAX_FILE_BYTES}; divide it by domain")
    try:
        return content, tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DictionaryError(f"{path.name}: not valid UTF-8 TOML ({error})") from error


def _load_file(path: Path) -> tuple[DictionarySource, list[ConceptEntry]]:
    content, fields = read_fields(path)
    try:
        parsed = DictionaryFile.model_validate(fields)
    except ValidationError as error:
        raise DictionaryError(
            f"{path.name}: {tell_faults(schema_faults(error, path.name), limit=MAX_FAULTS)}"
        ) from error
    faults = [] if path.parent == FOLDER else list(content_faults(parsed, path.name))
    if faults:
        raise DictionaryError(f"{path.name}: {tell_faults(faults, limit=MAX_FAULTS)}")
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


def _entry(concept_id: str, concept: FileConcept, dictionary: str, version: str) -> ConceptEntry:
    priorities: tuple[Priority, ...] = ("primary", "secondary")
    terms = tuple(
        DictionaryTerm(text=written.term, language=language, priority=priority, own_weight=written.weight)
        for priority in priorities
        for language, words in concept.words.items()
        for written in getattr(words, priority)
    )
    return ConceptEntry(
        concept_id=concept_id,
        dictionary=dictionary,
        version=version,
        terms=terms,
        question_phrases={language: words.questions for language, words in concept.words.items()},
        examples={language: words.examples for language, words in concept.words.items() if words.examples},
        section_titles={language: words.titles for language, words in concept.words.items()},
        **concept.model_dump(exclude={"words"}),
    )
