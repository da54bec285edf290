"""Differences of texts in words: what was taken out, what was put in, and a little of what stands around it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

WORDS_AROUND = 4  # words before and after a change that tell a reader where it stands
MAX_CHANGES = 12  # changed places told of one text; the rest is counted
MAX_LINES = 5  # changed lines of a document that are shown of each side; the rest is counted
MAX_CHARS = 300  # characters of one line or value in a difference
CHARS_BEFORE, CHARS_PARTING = 40, 120  # characters before the place where two texts part, and told in all
_TOKENS = re.compile(r"\w+|[^\w\s]")
_PIECES = re.compile(r"\S+")


def word_changes(before: str, after: str) -> str:
    """What changed in a text, word by word: `[-old-]{+new+}` with the words around it; empty where no word did.

    The marks are those of GNU wdiff.
    """
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    places = [step for step in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if step[0] != "equal"]
    told = [_place(old, new, *step[1:]) for step in places[:MAX_CHANGES]]
    more = [f"and {len(places) - MAX_CHANGES} more places"] if len(places) > MAX_CHANGES else []
    return "; ".join((*told, *more))


def line_changes(before: Sequence[str], after: Sequence[str]) -> tuple[int, int, str]:
    """How many lines were added, how many removed, and the first of them, '- ' and '+ ' before each.

    A line that only stands elsewhere is neither.
    """
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    shown = [*_lines("-", before, gone), *_lines("+", after, come)]
    return come.total(), gone.total(), "\n".join(shown)


def likeness(one: str, other: str) -> float:
    """How much of two texts is the same, 0 to 1, by their words in order; case and blanks do not count."""
    words, others = _TOKENS.findall(one.casefold()), _TOKENS.findall(other.casefold())
    if not words and not others:
        return 1.0
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    return matcher.ratio()


def short(text: str, limit: int = MAX_CHARS) -> str:
    """The text on one line, cut at `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def parting(before: str, after: str) -> tuple[str, str]:
    """Two texts from a little before where they part, each cut short."""
    at = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    start = max(0, at - CHARS_BEFORE)
    lead = "…" if start else ""
    return lead + short(before[start:], CHARS_PARTING), lead + short(after[start:], CHARS_PARTING)


def told(value: Any) -> str:
    """A value of a record as text: strings as they are, anything else as JSON."""
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json")
    return short(value) if isinstance(value, str) else short(json.dumps(value, ensure_ascii=False, default=str))


def flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The leaves of nested settings by their dotted names."""
    leaves: dict[str, Any] = {}
    for name, held in value.items():
        if isinstance(held, Mapping) and held:
            leaves |= flat(held, f"{prefix}{name}.")
        else:
            leaves[f"{prefix}{name}"] = held
    return leaves


def _place(old: Sequence[str], new: Sequence[str], i1: int, i2: int, j1: int, j2: int) -> str:
    before, after = old[max(0, i1 - WORDS_AROUND) : i1], old[i2 : i2 + WORDS_AROUND]
    gone, come = short(" ".join(old[i1:i2])), short(" ".join(new[j1:j2]))
    change = (f"[-{gone}-]" if gone else "") + (f"{{+{come}+}}" if come else "")
    return " ".join((*before, change, *after))


def _lines(mark: str, lines: Sequence[str], counts: Counter[str]) -> list[str]:
    left, shown = Counter(counts), []
    for line in lines:
        if left[line] > 0 and line.strip():
            left[line] -= 1
            shown.append(f"{mark} {short(line)}")
    more = [f"{mark} and {len(shown) - MAX_LINES} more lines"] if len(shown) > MAX_LINES else []
    return [*shown[:MAX_LINES], *more]
