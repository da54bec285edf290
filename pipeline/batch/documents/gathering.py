"""What has been found so far: names and places, faults, and what was noticed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.batch.documents.limits import CollectingSettings
from pipeline.batch.documents.names import clean_name
from schemas.errors import InputError

MAX_NAMED = 5  # examples in a note; the rest is counted
LEFT_OUT = "hidden, temporary or system files are left out"
RENAMED = "documents have the name of another and are told with a number"
LINKED_FOLDERS = "links to folders are not followed"
REPEATED = "documents were named twice and are asked once"


@dataclass(slots=True)
class Gathered:
    """Documents by name, in the order in which they were found."""

    limits: CollectingSettings
    places: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    _noticed: dict[str, list[str]] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)  # places
    _numbers: dict[str, int] = field(default_factory=dict)  # the last one of a name that several documents have

    def add(self, name: str, place: str, fault: str | None = None) -> None:
        """Note a document; a name that another has gets a number, a place that was found before is left out.

        Raises InputError once there are too many.
        """
        if place in self._taken:
            self.notice(REPEATED, name)
            return
        self._taken.add(place)
        free = self._free_name(clean_name(name))
        self.places[free] = place
        if fault is not None:
            self.faults[free] = fault
        if len(self.places) > self.limits.max_documents:
            raise InputError(
                f"more than {self.limits.max_documents:,} documents; split the collection into several batches"
            )

    def notice(self, kind: str, name: str) -> None:
        """Note something that a user may want to know; told once a kind."""
        self._noticed.setdefault(kind, []).append(name)

    def notes(self) -> tuple[str, ...]:
        """Sentences on all that was noticed."""
        grouped = [
            f"{len(names):,} {kind}: {', '.join(names[:MAX_NAMED])}{' ...' if len(names) > MAX_NAMED else ''}"
            for kind, names in sorted(self._noticed.items())
        ]
        return (*self.told, *grouped)

    def _free_name(self, name: str) -> str:
        if name not in self.places:
            return name
        self.notice(RENAMED, name)
        folder, slash, last = name.rpartition("/")
        stem, dot, suffix = last.rpartition(".")
        stem, dot, suffix = (stem, dot, suffix) if stem else (last, "", "")
        number = self._numbers.get(name, 1)
        free = name
        while free in self.places:
            number += 1
            free = f"{folder}{slash}{stem} ({number}){dot}{suffix}"
        self._numbers[name] = number
        return free
