"""Words of a text that are the same as others but for how they are set: spaces, hyphens, quotes, reference marks."""

from __future__ import annotations

import re
import unicodedata

_MARK = re.compile(r"\[\d{1,3}\]")  # '[12]': a reference mark, no part of the sentence
_BROKEN = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=[a-zà-ÿ])")  # a hyphen at the end of a line
_PLAIN = str.maketrans("“”„«»‘’‚`´–—‐‑−\u00a0\u2009\u202f", "\"\"\"\"\"'''''-----   ")
MIN_LETTERS = 12  # of words that are found so; shorter ones are too easily something else


def find_loosely(text: str, words: str) -> list[str]:
    """The pieces of `text`, verbatim, that read as `words` when set alike; none where a figure differs."""
    wanted, _ = _loosened(words)
    if sum(map(str.isalnum, wanted)) < MIN_LETTERS:
        return []
    flat, offsets = _loosened(text)
    pieces = []
    for match in re.finditer(re.escape(wanted), flat):
        start, end = offsets[match.start()], offsets[match.end() - 1] + 1
        whole = not (text[start - 1 : start].isalnum() and text[start].isalnum())
        whole = whole and not (text[end : end + 1].isalnum() and text[end - 1].isalnum())
        if whole and _figures(text[start:end]) == _figures(words):
            pieces.append(text[start:end])
    return pieces


def _loosened(text: str) -> tuple[str, list[int]]:
    """Letters, digits and signs without white space, marks or line-end hyphens, folded; and where each stood."""
    skipped = set()
    for pattern in (_MARK, _BROKEN):
        for match in pattern.finditer(text):
            skipped |= set(range(*match.span()))
    letters: list[str] = []
    offsets: list[int] = []
    for at, character in enumerate(text):
        if at in skipped or character.isspace():
            continue
        for letter in unicodedata.normalize("NFKC", character.translate(_PLAIN)):
            if not letter.isspace():
                letters.append(letter)
                offsets.append(at)
    return "".join(letters), offsets


def _figures(text: str) -> list[str]:
    return re.findall(r"\d+", _MARK.sub(" ", text))
