"""Folding that keeps every offset, so that what is found in the folded text can be shown as it was written."""

from __future__ import annotations

from dictionaries.folding import folded_text


def plain(text: str) -> str:
    """Folded, with the same offsets: characters that fold into several or none are kept as they are."""
    return "".join(map(_fold_one, text))


def _fold_one(character: str) -> str:
    folded = folded_text(character)
    if len(folded) == 1:
        return folded
    return character.lower() if len(character.lower()) == 1 else character
