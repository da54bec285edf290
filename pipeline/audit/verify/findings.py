"""What a verification gathers on its way: mismatches, remarks, and how often each check was made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from schemas.verification import Mismatch, MismatchKind, Remark, RemarkKind

MAX_LISTED = 500  # of a kind that are listed, the rest is counted: a file of damaged lines is no report


@dataclass(slots=True)
class Findings:
    """Filled by every check; `mismatches` and `remarks` are sorted. Of a kind, the first `MAX_LISTED` are listed.

    `places`: where anything at all does not hold, listed or not, and whether it is more than records that break rules.
    """

    checks: Counter[str] = field(default_factory=Counter)
    _mismatches: dict[Mismatch, None] = field(default_factory=dict)
    _remarks: dict[Remark, None] = field(default_factory=dict)
    places: dict[str, bool] = field(default_factory=dict)
    _listed: Counter[str] = field(default_factory=Counter)
    _more: Counter[MismatchKind] = field(default_factory=Counter)
    _more_remarks: Counter[RemarkKind] = field(default_factory=Counter)

    def wrong(self, kind: MismatchKind, place: str, detail: str, *, seq: int | None = None) -> None:
        """One thing that is not as it was recorded."""
        self._add(Mismatch(kind=kind, place=place, detail=detail, seq=seq))

    def note(self, kind: RemarkKind, place: str, detail: str) -> None:
        """Something a reader should know that is no mismatch."""
        self._remark(Remark(kind=kind, place=place, detail=detail))

    def made(self, check: str, times: int = 1) -> None:
        """That a check was made, whatever came of it."""
        self.checks[check] += times

    def take(self, mismatches: list[Mismatch], remarks: list[Remark], checks: dict[str, int]) -> None:
        """What another part of the verification found."""
        for mismatch in mismatches:
            self._add(mismatch)
        for remark in remarks:
            self._remark(remark)
        self.checks.update(checks)

    def mismatches(self) -> tuple[Mismatch, ...]:
        """By place, then by kind; each once."""
        more = [Mismatch(kind=kind, place=".", detail=_told_more(count)) for kind, count in self._more.items()]
        return tuple(
            sorted((*self._mismatches, *more), key=lambda one: (one.place, one.kind, one.seq or 0, one.detail))
        )

    def remarks(self) -> tuple[Remark, ...]:
        """By place, then by kind; each once."""
        more = [Remark(kind=kind, place=".", detail=_told_more(count)) for kind, count in self._more_remarks.items()]
        return tuple(sorted((*self._remarks, *more), key=lambda one: (one.place, one.kind, one.detail)))

    def _add(self, one: Mismatch) -> None:
        self.places[one.place] = self.places.get(one.place, False) or one.kind != "record_invalid"
        if one in self._mismatches:
            return
        if self._listed[one.kind] >= MAX_LISTED:
            self._more[one.kind] += 1
            return
        self._listed[one.kind] += 1
        self._mismatches[one] = None

    def _remark(self, one: Remark) -> None:
        if one in self._remarks:
            return
        name = f"remark {one.kind}"
        if self._listed[name] >= MAX_LISTED:
            self._more_remarks[one.kind] += 1
            return
        self._listed[name] += 1
        self._remarks[one] = None


def _told_more(count: int) -> str:
    return f"and {count:,} more of this kind, which are not listed"
