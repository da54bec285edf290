"""How far text can be trusted."""

from __future__ import annotations

from collections.abc import Sequence


def measure_quality(lines: Sequence[str]) -> float:
    """Share of good characters, 0-1."""
    text = "".join(lines)
    if text.isprintable() and "\ufffd" not in text:
        return 1.0
    characters = text.replace(" ", "")
    bad = sum(c == "\ufffd" or (not c.isprintable() and not c.isspace() and c not in _SOFT) for c in characters)
    return 1.0 - bad / max(len(characters), 1)


_SOFT = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
