"""Who is who among reviewers: one person is one, under two spellings of a name or two keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pipeline.audit.reviewing.stored import StoredReview
from schemas.errors import InputError
from schemas.review import Review

MAX_NAME_CHARS = 200  # of a reviewer's name or number; longer is a mistake
MAX_REASON_CHARS = 10_000  # some three pages


def folded_name(name: str) -> str:
    """The name as it is compared: letter case, width and blanks apart."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def checked_name(name: str) -> str:
    """The name of a reviewer, one blank between its words.

    Raises InputError for an empty or overlong one, or one that holds characters that are not shown.
    """
    text = " ".join(name.split())
    if not text:
        raise InputError("a verdict needs its reviewer; name who says so with --by")
    if len(text) > MAX_NAME_CHARS:
        raise InputError(f"the reviewer's name has {len(text)} characters, the limit is {MAX_NAME_CHARS}")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") for char in text):
        raise InputError(f"the reviewer's name {text[:60]!r} holds characters that are not shown; write it plainly")
    return text


def checked_reason(reason: str) -> str:
    """The reason of a verdict without blanks at its ends.

    Raises InputError for an empty or overlong one.
    """
    text = "".join(char for char in reason.strip() if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs"))
    if not text:
        raise InputError("a verdict needs a reason, for whoever reads it later; give one with --reason")
    if len(text) > MAX_REASON_CHARS:
        raise InputError(f"the reason has {len(text)} characters, the limit is {MAX_REASON_CHARS}")
    return text


class People:
    """The reviewers of a store. Whoever shares a name or a key with another is the same person, so that nobody is two.

    A person is named by the first name they used.
    """

    def __init__(self, reviews: Sequence[StoredReview]) -> None:
        """Those of the reviews, which come in the order of the ledger."""
        self._above: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._keys: dict[str, list[str]] = {}
        for one in reviews:
            name, key = _marks(one.review)
            self._names.setdefault(name, one.review.reviewer)
            if key is not None:
                self._join(name, key)
                if one.review.key_id not in self._keys.setdefault(name, []):
                    self._keys[name].append(str(one.review.key_id))

    def of(self, review: Review) -> str:
        """The person who made a review."""
        return self._names.get(self._top(_marks(review)[0]), review.reviewer)

    def warnings(self) -> tuple[str, ...]:
        """What a reader should know of names and keys, a sentence each, sorted."""
        told = [
            f"{self._names[name]}: signed with {len(keys)} different keys ({', '.join(keys)}); they count once"
            for name, keys in self._keys.items()
            if len(keys) > 1
        ]
        shared: dict[str, set[str]] = {}
        for name, keys in self._keys.items():
            for key in keys:
                shared.setdefault(key, set()).add(self._names[name])
        told += [
            f"key {key} signed under {len(names)} names ({', '.join(sorted(names))}); they count once"
            for key, names in shared.items()
            if len(names) > 1
        ]
        return tuple(sorted(told))

    def warning_for(self, name: str, key_id: str | None) -> str | None:
        """What is odd about a new review of this name and key; None for nothing."""
        used = self._keys.get(f"name {folded_name(name)}", [])
        if key_id is None and used:
            return f"{name} signed before (key {', '.join(used)}), and this review is not signed"
        if key_id is not None and used and key_id not in used:
            return f"{name} signed before with another key ({', '.join(used)}, now {key_id}); both count as one person"
        return None

    def _top(self, mark: str) -> str:
        while self._above.get(mark, mark) != mark:
            mark = self._above[mark]
        return mark

    def _join(self, name: str, key: str) -> None:
        one, other = self._top(name), self._top(key)
        if one == other:
            return
        first, second = (other, one) if other in self._names else (one, other)  # an earlier name stays on top
        self._above[second] = first


def _marks(review: Review) -> tuple[str, str | None]:
    """What tells who made a review: the name, and the public key where there is one."""
    return f"name {folded_name(review.reviewer)}", f"key {review.public_key}" if review.public_key else None
