"""What an edit changes in a dictionary, in the words of experts, and the version that the edited one carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from pydantic import Field

from dictionaries.file_format import KINDS, DictionaryFile, FileConcept, FileTerm
from schemas.record import Part

HEAD_FIELDS = ("owner", "version", "date", "source", "languages", "document_types")
_LAST_NUMBER = re.compile(r"[0-9]+(?=[^0-9]*\Z)")


class TermRow(Part):
    """One term, question phrase or title."""

    language: str = Field(description="ISO 639-1 code.")
    kind: str = Field(description="primary, secondary, questions, titles or examples.")
    text: str = Field(description="The words.")
    weight: float | None = Field(default=None, description="The expert's own weight; null without one.")


class FieldChange(Part):
    """A field that says something else."""

    field: str = Field(description="Name of the field.")
    before: str = Field(description="What it said; entries of a list divided by '; ', empty for none.")
    after: str = Field(description="What it says.")


class ConceptChange(Part):
    """What changes in one concept that is there before and after."""

    concept: str = Field(description="Name of the concept.")
    terms_added: tuple[TermRow, ...] = Field(default=(), description="In the order of the new file.")
    terms_removed: tuple[TermRow, ...] = Field(default=(), description="In the order of the former file.")
    terms_changed: tuple[TermRow, ...] = Field(default=(), description="Terms with another weight, as they are now.")
    fields: tuple[FieldChange, ...] = Field(default=(), description="Other fields, in the order of the file.")
    reordered: bool = Field(default=False, description="The same words in another order.")


class Changes(Part):
    """What changes from one version of a dictionary to the next."""

    head: tuple[FieldChange, ...] = Field(description="Fields of the dictionary itself.")
    concepts_added: tuple[str, ...] = Field(description="In the order of the new file.")
    concepts_removed: tuple[str, ...] = Field(description="In the order of the former file.")
    concepts_changed: tuple[ConceptChange, ...] = Field(description="In the order of the new file.")
    reordered: bool = Field(description="The concepts that stay stand in another order.")

    @property
    def is_empty(self) -> bool:
        """True when the two say the same."""
        return not (self.head or self.touches_content)

    @property
    def touches_content(self) -> bool:
        """True when more than version and date changes."""
        head = any(change.field not in ("version", "date") for change in self.head)
        return bool(head or self.concepts_added or self.concepts_removed or self.concepts_changed or self.reordered)


def changes_between(before: DictionaryFile, after: DictionaryFile) -> Changes:
    """What changes from `before` to `after`."""
    stay = [name for name in after.concepts if name in before.concepts]
    changed = (_concept_change(name, before.concepts[name], after.concepts[name]) for name in stay)
    return Changes(
        head=tuple(_field_changes(before, after, HEAD_FIELDS)),
        concepts_added=tuple(name for name in after.concepts if name not in before.concepts),
        concepts_removed=tuple(name for name in before.concepts if name not in after.concepts),
        concepts_changed=tuple(change for change in changed if change is not None),
        reordered=stay != [name for name in before.concepts if name in after.concepts],
    )


def is_older(version: str, other: str) -> bool:
    """True for a version that comes before the other one, by its numbers."""
    return version_numbers(version) < version_numbers(other)


def taken_back(base: DictionaryFile | None, before: DictionaryFile, after: DictionaryFile) -> Changes:
    """What `after`, made from `base`, undoes of the edits that led from `base` to `before`, the one in force.

    Without `base` all that `after` lacks or says otherwise.
    """
    undone = changes_between(before, after)
    head = tuple(change for change in undone.head if change.field not in ("version", "date"))
    if base is None:
        return undone.model_copy(update={"head": head, "concepts_added": (), "reordered": False})
    made = changes_between(base, before)
    touched = {*made.concepts_added, *(change.concept for change in made.concepts_changed)}
    of_made = {change.concept: change for change in made.concepts_changed}
    both = ((change, of_made.get(change.concept)) for change in undone.concepts_changed)
    kept = (_undone(change, theirs) for change, theirs in both if theirs is not None)
    heads = {change.field for change in made.head}
    return Changes(
        head=tuple(change for change in head if change.field in heads),
        concepts_added=tuple(name for name in undone.concepts_added if name in made.concepts_removed),
        concepts_removed=tuple(name for name in undone.concepts_removed if name in touched),
        concepts_changed=tuple(change for change in kept if change is not None),
        reordered=False,
    )


def _undone(change: ConceptChange, made: ConceptChange) -> ConceptChange | None:
    """Of a change, what goes against the one that was made before; None for nothing."""
    weighed = {(row.language, row.kind, row.text) for row in made.terms_changed}
    fields = {each.field for each in made.fields}
    against = ConceptChange(
        concept=change.concept,
        terms_added=tuple(row for row in change.terms_added if row in made.terms_removed),
        terms_removed=tuple(
            row
            for row in change.terms_removed
            if row in made.terms_added or (row.language, row.kind, row.text) in weighed
        ),
        terms_changed=tuple(row for row in change.terms_changed if (row.language, row.kind, row.text) in weighed),
        fields=tuple(each for each in change.fields if each.field in fields),
    )
    touches = against.terms_added or against.terms_removed or against.terms_changed or against.fields
    return against if touches else None


def settle_version(
    before: DictionaryFile | None, after: DictionaryFile, *, today: date
) -> tuple[DictionaryFile, str | None]:
    """`after` with the version it is to carry, and a sentence where that is not the one it was written with.

    Where the content changed and the version did not, or is an older one, the last number of the version in force is
    raised by one and the date is `today`: two different dictionaries never carry one version. The same content under
    an older version is what is in force already.
    """
    if before is None:
        return after, None
    older = version_numbers(after.version) < version_numbers(before.version)
    if not changes_between(before, after).touches_content:
        return (before, None) if older else (after, None)
    if before.version != after.version and not older:
        return after, None
    version = next_version(before.version)
    why = "the content changed and the version did not"
    if older:
        why = f"it was made from version {after.version} and {before.version} is in force: look at what it takes back"
    return after.model_copy(
        update={"version": version, "date": today}
    ), f"{why}; it became version {version} of {today}"


def version_numbers(version: str) -> tuple[int, ...]:
    """The numbers in a version, which say what is older: (1, 0, 9) for '1.0.9'."""
    return tuple(int(number) for number in re.findall(r"[0-9]+", version))


def next_version(version: str) -> str:
    """The version with its last number raised by one: '1.0.9' to '1.0.10'; one without a number gets '.1'."""
    found = _LAST_NUMBER.search(version)
    if found is None:
        return f"{version}.1"
    return version[: found.start()] + str(int(found[0]) + 1).zfill(len(found[0])) + version[found.end() :]


def _concept_change(name: str, before: FileConcept, after: FileConcept) -> ConceptChange | None:
    old, new = list(_rows(before)), list(_rows(after))
    key = {(row.language, row.kind, row.text): row for row in old}
    new_keys = {(row.language, row.kind, row.text) for row in new}
    added = tuple(row for row in new if (row.language, row.kind, row.text) not in key)
    removed = tuple(row for row in old if (row.language, row.kind, row.text) not in new_keys)
    changed = tuple(row for row in new if row not in added and key[row.language, row.kind, row.text] != row)
    fields = tuple(_field_changes(before, after, [field for field in FileConcept.model_fields if field != "words"]))
    reordered = not (added or removed or changed) and old != new
    if not (added or removed or changed or fields or reordered):
        return None
    return ConceptChange(
        concept=name,
        terms_added=added,
        terms_removed=removed,
        terms_changed=changed,
        fields=fields,
        reordered=reordered,
    )


def _rows(concept: FileConcept) -> Iterator[TermRow]:
    for language, words in concept.words.items():
        for kind in KINDS:
            for entry in getattr(words, kind):
                text, weight = (entry.term, entry.weight) if isinstance(entry, FileTerm) else (entry, None)
                yield TermRow(language=language, kind=kind, text=text, weight=weight)


def _field_changes(
    before: DictionaryFile | FileConcept, after: DictionaryFile | FileConcept, fields: list[str] | tuple[str, ...]
) -> Iterator[FieldChange]:
    for field in fields:
        old, new = getattr(before, field), getattr(after, field)
        if old != new:
            yield FieldChange(field=field, before=_told(old), after=_told(new))


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
