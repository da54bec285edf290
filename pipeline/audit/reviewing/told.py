"""What people said of a run, in one record: what every place that shows the answer shows beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from pydantic import Field

from pipeline.audit.reviewing.decisions import Lines
from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.standing import EYES, Standing, standings
from pipeline.audit.reviewing.stored import StoredReviews, answer_is_the_same, missing_by_line, read_reviews, valid
from pipeline.store.runs import ANSWER, CASE, is_case
from pipeline.store.seals import read_seal, seal_root
from schemas.record import Part


class ToldReviews(Part):
    """How a run or a case stands with those who reviewed it."""

    run: str = Field(description="Its place in the store.")
    seal: str | None = Field(description="Its seal; null for one from before the ledger, which cannot be reviewed.")
    standings: tuple[Standing, ...] = Field(
        description="Of its answer, then of each candidate that somebody reviewed; empty without a seal."
    )
    outdated_answer_is_the_same: bool = Field(
        default=False,
        description="Among the verdicts that do not count is one on other records with the same answer, byte for byte.",
    )
    warnings: tuple[str, ...] = Field(default=(), description="What to know of names and keys, a sentence each.")
    unread: int = Field(default=0, description="Reviews of the store that cannot be read; any may be on this run.")

    @property
    def is_empty(self) -> bool:
        """True where nobody said a thing that has to be shown beside the answer."""
        return not any(one.said or one.missing or one.outdated or one.not_counted for one in self.standings)


class Verdicts:
    """All that people said in a store, read once, when it is first asked for."""

    def __init__(self, root: Path, *, eyes: int = EYES, trusted: Collection[str] | None = None) -> None:
        """Settled by `eyes` people; with `trusted` (public keys, base64) only reviews signed with one count."""
        self._root, self._eyes, self._trusted = root.resolve(), eyes, trusted
        self._lines = Lines(self._root)

    def on(self, folder: Path) -> ToldReviews:
        """What they said of the run or case of a folder, present or former.

        Raises RecordError for a damaged seal of it, StoreError for a ledger that cannot be read.
        """
        folder = folder.resolve()
        seal = read_seal(folder)
        if seal is None:
            place = folder.relative_to(self._root).as_posix()
            return ToldReviews(run=place, seal=None, standings=())
        sealed, own = seal_root(seal), self._stored.of(seal.place)
        line = self._lines.find(sealed)
        found = standings(
            own, self._eyes, seal=sealed, people=self._people, trusted=self._trusted,
            missing=self._missing[line[0]] if line is not None else 0,
        )  # fmt: skip
        name = CASE if is_case(folder) else ANSWER
        others = [one.review for one in own if one.review.run_seal != sealed]
        return ToldReviews(
            run=seal.place,
            seal=sealed,
            standings=tuple(self._without_root(one) for one in found),
            outdated_answer_is_the_same=any(answer_is_the_same(one, folder, name) for one in others),
            warnings=self._people.warnings() if own else (),
            unread=len(self._stored.unread),
        )

    def _without_root(self, one: Standing) -> Standing:
        """The same without the place of the store on this machine, which no record shown elsewhere may hold."""
        told = tuple((name, why.replace(f"{self._root}/", "")) for name, why in one.not_counted)
        return one.model_copy(update={"not_counted": told})

    @cached_property
    def _stored(self) -> StoredReviews:
        return read_reviews(self._root, lines=self._lines)

    @cached_property
    def _people(self) -> People:
        sound = valid(self._stored.found)
        return People([one for one in sound if self._trusted is None or one.review.public_key in self._trusted])

    @cached_property
    def _missing(self) -> Counter[int]:
        return missing_by_line(self._root, self._stored)


def told_reviews(root: Path, folder: Path) -> ToldReviews:
    """What people said of the run or case of a folder; for many of one store, keep its `Verdicts`.

    Raises RecordError for a damaged seal of the run, StoreError for a ledger that cannot be read.
    """
    return Verdicts(root).on(folder)
