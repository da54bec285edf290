"""What a check of a bundle goes through, and what it finds; for `verify_bundle.py`. Standard library alone."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone import verify_basics as basics
else:
    import verify_basics as basics

MAX_TOLD = 200  # mismatches of one kind, or remarks, that are listed; more are counted
MAX_DETAIL = 500  # characters of a detail: it may quote a hostile record


class Report:
    """What was checked, what is wrong, and what a reader should know."""

    def __init__(self, bundle: str) -> None:
        """Nothing was checked yet."""
        self.bundle = bundle
        self.counts: dict[str, int] = {}
        self.mismatches: list[tuple[str, str, str]] = []  # kind, place, detail
        self.remarks: list[tuple[str, str, str]] = []
        self.ledger: str | None = None
        self.head: str | None = None
        self.anchored_to = 0  # last line that a head from outside, or of a trusted key, vouches for
        self.signed_by: list[str] = []  # ids of the keys of such heads and lists
        self.decisions = 0  # runs and cases that the bundle was made for
        self.is_list_signed = False  # by a trusted key
        self._told: set[tuple[str, ...]] = set()
        self._listed: Counter[tuple[str, str]] = Counter()
        self._more: Counter[tuple[str, str]] = Counter()

    def wrong(self, kind: str, place: str, detail: str) -> None:
        """Something is not as it was recorded; told once a place and kind."""
        self._tell(self.mismatches, (kind, place), (kind, place, detail[:MAX_DETAIL]))

    def remark(self, kind: str, place: str, detail: str) -> None:
        """Something that is not wrong."""
        self._tell(self.remarks, (kind, place, detail), (kind, place, detail[:MAX_DETAIL]))

    def count(self, check: str) -> None:
        """A check was made."""
        self.counts[check] = self.counts.get(check, 0) + 1

    def finish(self) -> None:
        """Put what was found in order, and say how much is not listed."""
        for (name, kind), number in sorted(self._more.items()):
            found = self.mismatches if name == "wrong" else self.remarks
            found.append((kind, "bundle", f"{number} more of this kind are not listed"))
        self.mismatches.sort(key=lambda one: (one[1], one[0]))
        self.remarks.sort(key=lambda one: (one[1], one[0]))

    def _tell(self, found: list[tuple[str, str, str]], key: tuple[str, ...], told: tuple[str, str, str]) -> None:
        if key in self._told:
            return
        listed = "wrong" if found is self.mismatches else "remark"
        if self._listed[listed, told[0]] < MAX_TOLD:
            self._told.add(key)
            found.append(told)
            self._listed[listed, told[0]] += 1
        else:
            self._more[listed, told[0]] += 1


class Case:
    """A bundle while it is checked: its files, its list of files, the lines of its ledger, what the folders say."""

    def __init__(self, path: str) -> None:
        """Raises NoBundle for what is none."""
        self.bundle, self.report = basics.Bundle(path), Report(path)
        self.names = set(self.bundle.names)
        self._sorted = sorted(self.names)
        try:
            self.manifest = basics.as_object(self.bundle.read("bundle.json"))
        except ValueError as error:
            raise basics.NoBundle("is no bundle of Lineproof: it holds no list of files (bundle.json)") from error
        if self.manifest.get("format") != 1 or not isinstance(self.manifest.get("files"), dict):
            raise basics.NoBundle("its bundle.json is not one of version 1; take a newer verifier")
        self.lines: dict[int, dict[str, Any]] = {}
        self.by_seal: dict[str, dict[str, Any]] = {}  # root of a seal -> the first line that holds it
        self.erased: dict[int, int] = {}  # numbers of lines whose records were erased -> line that says so
        self.last = 0  # the highest number of a line
        self.seals: dict[str, int] = {}  # roots of the sealed folders in the bundle -> line that recorded each
        self.rests: list[tuple[str, str]] = []  # folder, root of a run that it rests on

    def json(self, name: str) -> dict[str, Any]:
        """A JSON object of the bundle."""
        return basics.as_object(self.bundle.read(name))

    def below(self, folder: str) -> list[str]:
        """The files of a folder and of those in it, sorted."""
        start, end = bisect_left(self._sorted, f"{folder}/"), bisect_left(self._sorted, f"{folder}0")  # '0' follows '/'
        return self._sorted[start:end]

    def inside(self, folder: str) -> dict[str, str]:
        """The files of a folder, name -> path."""
        return {name[len(folder) + 1 :]: name for name in self.below(folder)}


def guarded(report: Report, place: str, check: Callable[..., None], *given: Any) -> None:
    """Make a check; a record that is not built as records are is a mismatch, never a crash."""
    try:
        check(*given)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, IndexError, OverflowError) as error:
        report.wrong("record_invalid", place, f"is not built as it should be ({type(error).__name__}: {error})"[:300])
