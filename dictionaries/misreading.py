"""Words that recognition misread: which word of a term a recognised word most likely stands for.

Only words that look like nothing else are mended: a word that is itself a term's word or a function word, that stands
in a text that was not recognised, or that recurs, is taken as it is. Hits found so are marked as approximate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from dictionaries.folding import Codes, Ints, to_codes
from dictionaries.haystack import Haystack
from dictionaries.searchable import SearchableText
from dictionaries.stopwords import ALL_STOP_WORDS

MIN_LETTERS = 5  # shorter words are one letter away from too many others ('term', 'team')
TWO_SLIPS_FROM = 9  # letters; about one slip in five letters, stricter than Elasticsearch's fuzziness AUTO (2 from 6)
RECURRING = 3  # times; a word that recurs so often is a word, not a slip
ENDING = 2  # letters at the end of a word that make another word of it
# What recognition takes for one another, both read as the second (Kukich 1992, "Techniques for automatically correcting
# words in text", on typical confusions of recognition).
CONFUSED = (("rn", "m"), ("vv", "w"), ("ii", "u"), ("0", "o"), ("1", "l"), ("|", "l"), ("5", "s"), ("!", "l"))
_WORD = re.compile(r"[^\W_]+(?:[|!][^\W_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")


def mend_misread(text: SearchableText, forms: Iterable[str]) -> Haystack | None:
    """The text with the misread words of recognised texts replaced by words of `forms`; None where there are none.

    `forms` are folded terms as they are searched. A replaced word's letters are traced to the whole word.
    """
    wanted = sorted({word for form in forms for word in _LETTERS.findall(form) if len(word) >= MIN_LETTERS})
    if not wanted:
        return None
    spans = [found.span() for found in _WORD.finditer(text.haystack.text)]
    starts = np.array([start for start, _ in spans], dtype=np.int64)
    inside = text.inside_recognised(text.haystack.offsets[starts]) if spans else np.empty(0, dtype=np.bool_)
    read = [(start, end, text.haystack.text[start:end]) for start, end in spans]
    counts = Counter(word for (_, _, word), here in zip(read, inside.tolist(), strict=True) if here)
    taken = {word for (_, _, word), here in zip(read, inside.tolist(), strict=True) if not here}
    doubtful = sorted(
        word
        for word, count in counts.items()
        if count < RECURRING and len(word) >= MIN_LETTERS - 1 and word not in taken and word not in ALL_STOP_WORDS
    )
    meant = _nearest(doubtful, wanted)
    places = [row for row, here in zip(read, inside.tolist(), strict=True) if here and row[2] in meant]
    return _replaced(text.haystack, [(start, end, meant[word]) for start, end, word in places]) if places else None


def _nearest(doubtful: list[str], wanted: list[str]) -> dict[str, str]:
    """The one wanted word that each doubtful word is a slip of; a word that is near to two is left."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cdist

    known = set(wanted)
    asked = [word for word in doubtful if word not in known]
    if not asked:
        return {}
    distances = cdist(
        [_unconfused(word) for word in asked],
        [_unconfused(word) for word in wanted],
        scorer=OSA.distance,
        score_cutoff=2,
        dtype=np.uint8,
    )
    limits = np.array([2 if len(word) >= TWO_SLIPS_FROM else 1 for word in wanted], dtype=np.uint8)
    fits = distances <= limits
    found: dict[str, str] = {}
    for at in np.flatnonzero(fits.any(axis=1)):
        row = np.where(fits[at], distances[at], np.uint8(255))
        best = np.flatnonzero(row == row.min())
        word, meant = asked[int(at)], wanted[int(best[0])]
        if len(best) == 1 and not _is_other_ending(word, meant):
            found[word] = meant
    return found


def _is_other_ending(word: str, meant: str) -> bool:
    """True where the two differ in their last letters alone, as 'insured' and 'insurer': another word, no slip."""
    kept = max(len(word), len(meant)) - ENDING
    return word.isalpha() and word[:kept] == meant[:kept]


def _unconfused(word: str) -> str:
    for written, meant in CONFUSED:
        word = word.replace(written, meant)
    return word


def _replaced(haystack: Haystack, places: list[tuple[int, int, str]]) -> Haystack:
    codes: list[Codes] = []
    offsets: list[Ints] = []
    ends: list[Ints] = []
    at = 0
    for start, end, word in places:
        codes += [haystack.codes[at:start], to_codes(word)]
        first, last = haystack.offsets[start], haystack.ends[end - 1]
        offsets += [haystack.offsets[at:start], np.full(len(word), first, dtype=np.int64)]
        ends += [haystack.ends[at:start], np.full(len(word), last, dtype=np.int64)]
        at = end
    codes.append(haystack.codes[at:])
    offsets.append(haystack.offsets[at:])
    ends.append(haystack.ends[at:])
    joined = np.concatenate(codes)
    none = np.empty((0, 2), dtype=np.int64)
    keep = np.ones(len(joined), dtype=np.bool_)
    return Haystack.made(joined, np.concatenate(offsets), np.concatenate(ends), keep, none, none)
