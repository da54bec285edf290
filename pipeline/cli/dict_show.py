"""`lineproof dict list` and `dict show`: which dictionaries are in force, and what they say."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from dictionaries.drafts import Draft
    from dictionaries.file_format import DictionaryFile

KEPT_DRAFTS = 16  # dictionaries in force
NOT_USABLE = 5  # exit code of a saved record that cannot be used
MAX_MATCHES = 5  # concepts shown for words that mean several


def list_all(as_json: AsJson = False, store: Store = "outputs") -> None:
    """List the dictionaries in force: version, owner, languages, how much each holds, shipped or of the store.

    Exit code 5 where one cannot be used; it is listed with the reason and what to do.
    """
    with ending_well(as_json=as_json):
        from dictionaries.loading import remedy_of
        from pipeline.cli.output import show_all, show_json

        drafts = drafts_in_force(store)
        rows = [summary_of(draft, is_own=path_is_own(path, store)) for path, draft in drafts]
        for (path, _), row in zip(drafts, rows, strict=True):
            if row["errors"] and row["origin"] == "store":
                row["remedy"] = remedy_of(path)
        if as_json:
            show_json({"dictionaries": rows})
        else:
            from pipeline.cli.render_dict import render_list

            show_all(render_list(rows))
        if any(row["errors"] for row in rows):
            raise typer.Exit(NOT_USABLE)


def show(
    name: Annotated[str, typer.Argument(help="Name of the dictionary, as `dict list` has it.", metavar="NAME")],
    concept: Annotated[
        list[str] | None,
        typer.Argument(help="A concept by its name, or words that mean it: liability cap.", metavar="[CONCEPT]"),
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Show a dictionary and its concepts, or all that it says about one."""
    with ending_well(as_json=as_json):
        from pipeline.cli.output import show_all, show_json

        path, draft = draft_in_force(name, store)
        parsed = sound_in_force(path, draft, store)
        chosen = find_concepts(parsed, path, " ".join(concept)) if concept else list(parsed.concepts)
        if as_json:
            concepts = [{"concept": each, **parsed.concepts[each].model_dump(mode="json")} for each in chosen]
            show_json({"dictionary": summary_of(draft, is_own=path_is_own(path, store)), "concepts": concepts})
            return
        from pipeline.cli.render_dict import render_concept, render_dictionary

        if concept:
            show_all([part for each in chosen for part in render_concept(each, parsed.concepts[each])])
        else:
            show_all(render_dictionary(summary_of(draft, is_own=path_is_own(path, store)), parsed))


def drafts_in_force(store: str) -> list[tuple[Path, Draft]]:
    """The dictionaries in force in a store, sound or not, by name."""
    from dictionaries.loading import dictionary_paths
    from pipeline.store.dictionaries import own_dictionaries

    paths = dictionary_paths(overlay=own_dictionaries(store))
    return [(path, read_kept(path)) for path in paths.values()]


def draft_in_force(name: str, store: str) -> tuple[Path, Draft]:
    """The dictionary of that name.

    Raises DictionaryError where there is none.
    """
    from dictionaries.loading import dictionary_paths
    from pipeline.store.dictionaries import own_dictionaries
    from schemas.errors import DictionaryError

    paths = dictionary_paths(overlay=own_dictionaries(store))
    if name not in paths:
        raise DictionaryError(f"no dictionary named {name!r}; there are {', '.join(paths)}")
    return paths[name], read_kept(paths[name])


def read_kept(path: Path) -> Draft:
    """The draft of a file, read once for each state of it: the large ones take a while."""
    about = path.stat()
    return _read(path, about.st_mtime_ns, about.st_size)


def path_is_own(path: Path, store: str) -> bool:
    """True for a file of the store, False for a shipped one."""
    from pipeline.store.dictionaries import own_dictionaries

    return path.parent == own_dictionaries(store)


def sound(draft: Draft) -> DictionaryFile:
    """What the draft says.

    Raises DictionaryError, naming its faults, for one with errors.
    """
    from dictionaries.faults import tell_faults
    from schemas.errors import DictionaryError

    errors = [fault for fault in draft.faults if fault.severity == "error"]
    if draft.parsed is None or errors:
        raise DictionaryError(f"{draft.file}: {tell_faults(errors, limit=20)}")
    return draft.parsed


def sound_in_force(path: Path, draft: Draft, store: str) -> DictionaryFile:
    """What a dictionary in force says.

    Raises RecordError, with faults and remedy, for one of the store that cannot be used; DictionaryError for a shipped
    one.
    """
    from dictionaries.loading import unusable
    from schemas.errors import DictionaryError

    try:
        return sound(draft)
    except DictionaryError as error:
        if not path_is_own(path, store):
            raise
        raise unusable(path, str(error)) from error


@lru_cache(maxsize=KEPT_DRAFTS)
def _read(path: Path, _changed: int, _size: int) -> Draft:
    from dictionaries.drafts import read_draft

    return read_draft(path)


def summary_of(draft: Draft, *, is_own: bool) -> dict[str, Any]:
    """One dictionary in numbers, as `dict list --json` gives it; without numbers for one that cannot be used."""
    origin = "store" if is_own else "shipped"
    errors = [fault.told for fault in draft.faults if fault.severity == "error"]
    if draft.parsed is None:
        return {"name": draft.name, "origin": origin, "errors": errors}
    parsed = draft.parsed
    words = [words for concept in parsed.concepts.values() for words in concept.words.values()]
    return {
        "name": draft.name,
        "version": parsed.version,
        "date": parsed.date.isoformat(),
        "owner": parsed.owner,
        "source": parsed.source,
        "languages": list(parsed.languages),
        "document_types": list(parsed.document_types),
        "concepts": len(parsed.concepts),
        "terms": sum(len(each.primary) + len(each.secondary) for each in words),
        "question_phrases": sum(len(each.questions) for each in words),
        "exhaustive": sum(concept.exhaustive for concept in parsed.concepts.values()),
        "origin": origin,
        "errors": errors,
    }


def find_concepts(parsed: DictionaryFile, path: Path, words: str) -> list[str]:
    """The concept of that name, or those that the words mean, best first.

    Raises DictionaryError, with names that are near, where there is none.
    """
    from schemas.errors import DictionaryError

    name = "_".join(words.lower().replace("-", " ").split())
    if name in parsed.concepts:
        return [name]
    from dictionaries.loading import load_dictionaries
    from pipeline.question.topics import find_topics

    topics = find_topics(words, load_dictionaries(path.parent, names=[path.stem]), limit=MAX_MATCHES)
    if topics:
        return [topic.entry.concept_id for topic in topics]
    near = get_close_matches(name, parsed.concepts, n=MAX_MATCHES, cutoff=0.5) or sorted(
        concept for concept in parsed.concepts if any(part in concept.split("_") for part in name.split("_"))
    )
    told = f"; near it: {', '.join(near[:MAX_MATCHES])}" if near else f"; there are {len(parsed.concepts)} others"
    raise DictionaryError(f"{path.stem}: no concept is named {words!r} and no term or question phrase is{told}")
