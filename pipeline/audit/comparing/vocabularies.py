"""Dictionaries of two runs: which one says something else, and which concepts and terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dictionaries.changes import Changes, ConceptChange, changes_between
from schemas.replay import Change

if TYPE_CHECKING:
    from pipeline.audit.comparing.sides import Side

MAX_TOLD = 20  # concepts and terms told of one dictionary; the rest is counted
SHA_SHOWN = 12  # hex digits of a file's hash


def dictionary_differences(first: Side, second: Side) -> Iterator[Change]:
    """Each dictionary that is not the same in both runs, by name; with its words where both files are kept."""
    before, after = first.dictionaries, second.dictionaries
    versions = _versions(first), _versions(second)
    for name in sorted({*before, *after}):
        if before.get(name) == after.get(name):
            continue
        files = first.dictionary(name), second.dictionary(name)
        detail = ""
        if files[0] is not None and files[1] is not None:
            detail = tell_changes(changes_between(files[0], files[1]))
        elif name in before and name in after:
            detail = "the words of one of the two versions are not kept"
        yield Change(
            subject="dictionary",
            name=name,
            before=_told(versions[0].get(name), before.get(name)),
            after=_told(versions[1].get(name), after.get(name)),
            detail=detail,
            reaches=(),
        )


def tell_changes(changes: Changes) -> str:
    """The changes in words: concepts, then terms by concept, then the rest; 'only its order' where nothing else."""
    parts = [f"concept {name} added" for name in changes.concepts_added]
    parts += [f"concept {name} removed" for name in changes.concepts_removed]
    parts += [part for concept in changes.concepts_changed for part in _of_concept(concept)]
    parts += [f"{one.field}: {one.before!r} -> {one.after!r}" for one in changes.head if one.field != "version"]
    if not parts:
        return "its order" if changes.reordered else "its version or its layout only"
    more = [f"and {len(parts) - MAX_TOLD} more"] if len(parts) > MAX_TOLD else []
    return "; ".join((*parts[:MAX_TOLD], *more))


def _of_concept(concept: ConceptChange) -> list[str]:
    told: list[str] = []
    for words, rows in (("added", concept.terms_added), ("removed", concept.terms_removed)):
        told += [f"{concept.concept}: {row.kind} {row.text!r} ({row.language}) {words}" for row in rows]
    told += [f"{concept.concept}: weight of {row.text!r} is now {row.weight}" for row in concept.terms_changed]
    told += [f"{concept.concept}: {one.field} {one.before!r} -> {one.after!r}" for one in concept.fields]
    return told or [f"{concept.concept}: its order"]


def _told(version: str | None, sha256: str | None) -> str | None:
    if sha256 is None:
        return None
    return f"{version} ({sha256[:SHA_SHOWN]})" if version else sha256[:SHA_SHOWN]


def _versions(side: Side) -> dict[str, str]:
    known = {
        name.removeprefix("dictionary "): version
        for name, version in side.trace.versions.items()
        if name.startswith("dictionary ")
    }
    return known | dict(side.question.stamp.dictionary_versions)
