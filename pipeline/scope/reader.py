"""What of a question's limits a text does not meet, party and place together."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.scope.jurisdictions import PlaceScope, place_scope
from pipeline.scope.parties import PartyScope, party_scope
from schemas.question import ScopeFilters
from schemas.retrieval import MissedLimit


@dataclass(frozen=True, slots=True)
class ScopeReader:
    """The limits of one question, ready to be held against texts; built once a question."""

    party: PartyScope | None
    place: PlaceScope | None

    @classmethod
    def of(cls, question: str, filters: ScopeFilters) -> ScopeReader:
        """The reader of a question's filters."""
        return cls(party_scope(question, filters), place_scope(question, filters))

    def __bool__(self) -> bool:
        return self.party is not None or self.place is not None

    def missed(self, text: str, *above: str) -> tuple[MissedLimit, ...]:
        """The limits that a text does not meet; `above` are its opening and its headings, nearest first."""
        found: list[MissedLimit] = []
        if self.party is not None:
            other = self.party.other_in(text, *above)
            if other is not None:
                found.append(MissedLimit(limit="party", asked=self.party.shown, found=other))
        if self.place is not None:
            other = self.place.other_in(text, *above)
            if other is not None:
                found.append(MissedLimit(limit="jurisdiction", asked=self.place.shown, found=other))
        return tuple(found)


def tell_missed(missed: MissedLimit) -> str:
    """What a text lacks, in one sentence."""
    if missed.limit == "party":
        return f"The passage speaks of what '{missed.found}' may or must do, the question of '{missed.asked}'."
    if missed.limit == "jurisdiction":
        return f"The passage speaks of '{missed.found}', the question of '{missed.asked}'."
    if missed.limit == "section":
        return f"The question names '{missed.asked}'; the passage stands in '{missed.found}'."
    return f"{missed.asked} do not stand together in one {missed.found}."
