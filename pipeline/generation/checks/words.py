"""Where words stand in a passage, and which lines a citation of them takes.

A citation takes exactly the lines of its words, or the whole sentences around them: a range that starts or ends in the
middle of a sentence was shifted, and what proves the value may stand outside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pipeline.generation.passages import Passage, Sentence

KEPT_TEXTS = 256  # passages whose words are kept in one line with their offsets: those of some ten questions
Stretch = tuple[int, int]
_RULE = re.compile(r"(?<=\s)[-=]{3,}(?=\s)")  # a drawn line is no word
_LETTER = re.compile(r"\s+(?:[-=]{3,}\s+)*|\S")


def find_words(text: str, words: str, start: int = 0, end: int | None = None) -> tuple[Stretch, ...]:
    """Stretches of `text[start:end]` that read as `words`, runs of white space counted as one space, in order.

    Words are whole: '5' does not stand in '25', 'art' not in 'party'.
    """
    wanted = " ".join(_RULE.sub(" ", " ".join(words.split())).split())
    if not wanted:
        return ()
    flat, offsets = _flat(text)
    limit = len(text) if end is None else end
    found = []
    at = flat.find(wanted)
    while at >= 0:
        first, last = offsets[at], offsets[at + len(wanted) - 1] + 1
        if start <= first and last <= limit and _is_whole(flat, at, at + len(wanted)):
            found.append((first, last))
        at = flat.find(wanted, at + 1)
    return tuple(found)


def sentences_around(passage: Passage, stretch: Stretch) -> tuple[Sentence, ...]:
    """The sentences, headings, items or rows of a passage that a stretch touches, in order."""
    return tuple(one for one in passage.sentences if one.start < stretch[1] and stretch[0] < one.end)


def whole_stretch(passage: Passage, stretch: Stretch) -> Stretch:
    """From the start of the first sentence that a stretch touches to the end of the last."""
    around = sentences_around(passage, stretch)
    return (min(stretch[0], around[0].start), max(stretch[1], around[-1].end)) if around else stretch


def is_whole_clause(passage: Passage, stretch: Stretch) -> bool:
    """True where the stretch begins where a sentence does, and ends where one does, its last signs apart."""
    first, last = whole_stretch(passage, stretch)
    return first == stretch[0] and not any(map(str.isalnum, passage.text[stretch[1] : last]))


def is_whole_range(passage: Passage, lines: tuple[int, int]) -> bool:
    """True for one line, and for lines that begin with a sentence and end with one; a shifted range cuts both."""
    if lines[0] == lines[1]:
        return True
    ranges = [passage.line_range(one.start, one.end) for one in passage.sentences]
    starts = any(first == lines[0] and last <= lines[1] for first, last in ranges)
    return starts and any(last == lines[1] and first >= lines[0] for first, last in ranges)


def fits_words(passage: Passage, lines: tuple[int, int], stretch: Stretch) -> bool:
    """True for a range of lines that is the words' own, or ends where a sentence around them does.

    `lines` are the first and last line_id cited; they hold the stretch.
    """
    own = passage.line_range(*stretch)
    whole = passage.line_range(*whole_stretch(passage, stretch))
    starts_well = lines[0] in (own[0], whole[0]) or (lines[0] < whole[0] and _starts_on(passage, lines[0]))
    ends_well = lines[1] in (own[1], whole[1]) or (lines[1] > whole[1] and _ends_on(passage, lines[1]))
    if lines[0] < whole[0] or lines[1] > whole[1]:  # further whole sentences: then the words' own is whole too
        return starts_well and ends_well and lines[0] <= whole[0] and lines[1] >= whole[1]
    return starts_well and ends_well


def hull(stretches: Sequence[Stretch]) -> Stretch:
    """From the first start to the last end."""
    return min(start for start, _ in stretches), max(end for _, end in stretches)


def nearest_set(places: Sequence[Sequence[Stretch]]) -> Iterator[Stretch]:
    """For each place of the first words, the stretch that also takes one place of every other; in order.

    A place inside the first words comes before the nearest one outside.
    """
    for first in places[0]:
        yield hull([first, *(_nearest(others, first) for others in places[1:])])


def _nearest(others: Sequence[Stretch], first: Stretch) -> Stretch:
    """The one inside the first words, else the nearest."""

    def order(other: Stretch) -> tuple[bool, int, int]:
        is_inside = first[0] <= other[0] and other[1] <= first[1]
        return not is_inside, abs(other[0] - first[0]), other[0]

    return min(others, key=order)


def _starts_on(passage: Passage, line_id: int) -> bool:
    return any(passage.line_range(one.start, one.end)[0] == line_id for one in passage.sentences)


def _ends_on(passage: Passage, line_id: int) -> bool:
    return any(passage.line_range(one.start, one.end)[1] == line_id for one in passage.sentences)


def _is_whole(flat: str, start: int, end: int) -> bool:
    """False where a word or a number runs on beyond the stretch."""
    for one, other in ((flat[start - 1 : start], flat[start]), (flat[end - 1], flat[end : end + 1])):
        if (one.isalpha() and other.isalpha()) or (one.isdigit() and other.isdigit()):
            return False
    runs_on = re.match(r"[.,]\d", flat[end : end + 2]) is not None and flat[end - 1].isdigit()
    is_tail = flat[start].isdigit() and re.search(r"\d[.,]$", flat[max(0, start - 2) : start]) is not None
    return not runs_on and not is_tail


@lru_cache(maxsize=KEPT_TEXTS)
def _flat(text: str) -> tuple[str, tuple[int, ...]]:
    """The text on one line, runs of white space as one space, and where each of its characters stood."""
    letters: list[str] = []
    offsets: list[int] = []
    for match in _LETTER.finditer(text):
        letters.append(" " if match.group()[0].isspace() else match.group())
        offsets.append(match.start())
    return "".join(letters), tuple(offsets)
