"""How far text can be trusted: whether its characters are characters, and its words could be words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dictionaries.folding import fold_character, to_codes
from pipeline.parsing.letter_pairs import ENGLISH, FRENCH, POLISH, SPANISH

Codes: TypeAlias = npt.NDArray[np.uint32] | npt.NDArray[np.uint8]  # code points; bytes where all are ASCII
Places: TypeAlias = npt.NDArray[np.intp]
Kinds: TypeAlias = npt.NDArray[np.uint8]  # what each is, a bit a kind

MAX_BITS = 4.75  # bits a letter, up to which a word could be one: of word lists, 98 % of English and German, 99 % of
# Spanish and French, 97 % of Polish pass; 8 % of words with exchanged letters do, 12 % of letters at random
MIN_LETTERS = 60  # letters of words that can be judged, below which words say nothing about a page
BAD_WEIGHT = 2  # a character that says nothing spoils the word around it
MIN_WORD_LETTERS = 3  # letters of a word that can be judged
MAX_ACRONYM = 4  # capitals up to which a word may be an abbreviation, which any letters make
MAX_SHORT_SHARE = 0.35  # share of letters in shorter words that a recogniser's text may have; running text has 0.2
MIN_ALNUM_SHARE = 0.5  # share of letters and digits below which signs stand where words should; figures have 0.6
MAX_JUDGED = 2_000  # characters of a page whose words are judged, lines evenly spread: more tell the same
MIN_SIGNS = 4  # characters below which that says nothing

_FIELD_BITS = 15  # of one language's sum in a number that holds four
_FIELD = (1 << _FIELD_BITS) - 1
MAX_PACKED_LETTERS = 2_000  # letters of a word up to which its bits, at most 15 a pair, fit there
_LETTERS = 27  # the edge of a word and a to z
_LATIN_END = 0x250  # first character after the Latin letters with marks
_SYMBOLS = 0x2190  # from here to the end of the table: arrows, operators, boxes, ornaments
_TABLE_END = 0x2C00  # first character after the signs; what lies beyond are letters of scripts that are not judged
_REPLACEMENT = 0xFFFD
_PRIVATE = (0xE000, 0xF8FF)
_LIGATURES = (0xFB00, 0xFB06)  # all of them begin with f or s


def measure_quality(lines: Sequence[str], *, is_recognised: bool = False) -> float:
    """How far the text of the lines can be trusted, 0-1; 1 where nothing speaks against it, also for no text.

    The product of three shares: characters that are neither replacement, control nor private ones; letters and digits
    among what is no filling, where they are few; and, of the words in Latin letters, those that could be words of
    one of four languages by their pairs of letters (most words of other languages could). Scripts that are not
    judged count as good. `is_recognised`: a recogniser wrote it, and scraps of one and two letters count against it.
    """
    codes, kinds = _look_up(lines)
    counts = _FLAGS @ np.bincount(kinds, minlength=len(_FLAGS[0]))
    count = dict(zip(_COUNTED, counts.tolist(), strict=True))
    good = _share_of_good(codes, count)
    step = -(-len(codes) // MAX_JUDGED)
    if step > 1:
        codes, kinds = _look_up(lines[::step])
    return good * _share_of_alnum(count) * _share_of_words(codes, kinds, is_recognised=is_recognised)


def _look_up(lines: Sequence[str]) -> tuple[Codes, Kinds]:
    """The characters of the lines, an edge before and after each, and what each is."""
    text = "\n".join(["", *lines, ""])
    if text.isascii():
        narrow = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
        return narrow, _KINDS[narrow]
    codes = to_codes(text)
    return codes, _KINDS[np.minimum(codes, _TABLE_END)]


def _share_of_good(codes: Codes, count: Mapping[int, int]) -> float:
    """Share of characters that say which they are; white space and marks of direction do not count."""
    bad = count[_CONTROL]
    if codes.dtype != np.uint8 and int(codes.max()) >= _PRIVATE[0]:
        private = (codes >= _PRIVATE[0]) & (codes <= _PRIVATE[1])
        private[1:-1] &= private[:-2] | private[2:]  # one alone is a bullet or a tick box
        bad += int(np.count_nonzero(private)) + int(np.count_nonzero(codes == _REPLACEMENT))
    counted = count[_ALL] - count[_FILLING]
    return max(0.0, 1.0 - BAD_WEIGHT * bad / counted) if counted else 1.0


def _share_of_alnum(count: Mapping[int, int]) -> float:
    """1 where letters and digits are at least half of what is printed, less the fewer they are."""
    signs = count[_ALL] - count[_FILLING | _LEADER]
    if signs < MIN_SIGNS:
        return 1.0
    return min(1.0, count[_ALNUM] / signs / MIN_ALNUM_SHARE)


def _share_of_words(codes: Codes, kinds: Kinds, *, is_recognised: bool) -> float:
    """Share of the letters that stand in words that could be words; letters of scripts that are not judged are good."""
    if codes.dtype == np.uint8:
        letters = _CLASS[codes]
    else:
        letters = _CLASS[np.minimum(codes, _LATIN_END)]
        if int(codes.max()) >= _LIGATURES[0]:
            letters[(codes >= _LIGATURES[0]) & (codes <= _LIGATURES[1])] = _class_of(ord("f"))
    is_letter = letters != 0
    edges = (is_letter[1:] != is_letter[:-1]).nonzero()[0]  # in pairs, since the text begins and ends with no letter
    before, last = edges[::2], edges[1::2]  # place before each word, and of its last letter
    if not len(before):
        return 1.0
    size = last - before
    capitals = (kinds & _CAPITAL).cumsum(dtype=np.intp)
    is_acronym = (capitals[last] - capitals[before] == _CAPITAL * size) & (size <= MAX_ACRONYM)
    judged = (size >= MIN_WORD_LETTERS) & ~is_acronym
    fits = _count_bits(letters, before, last) <= MAX_BITS * (size + 1)
    known, total = int(size @ (judged & fits)), int(size @ judged)
    if is_recognised:
        short = int(size[size < MIN_WORD_LETTERS].sum())
        total += max(0, round(short - MAX_SHORT_SHARE * int(size.sum())))
    if total < MIN_LETTERS:
        return 1.0
    unjudged = 0 if codes.dtype == np.uint8 else int(np.count_nonzero(kinds & _OTHER_LETTER))
    return (known + unjudged) / (total + unjudged)


def _count_bits(letters: Places, before: Places, last: Places) -> Places:
    """The bits of each word, its edges included, in the language that finds it least surprising."""
    if len(letters) > MAX_PACKED_LETTERS and int((last - before).max()) > MAX_PACKED_LETTERS:
        bits = _BITS[:, letters[:-1] * _LETTERS + letters[1:]].cumsum(axis=1)  # bits[:, i]: from pair 0 up to pair i
        return np.asarray((bits[:, last] - bits[:, before] + _BITS[:, letters[before + 1]]).min(axis=0))
    # The four languages in one number, 15 bits each: differences of sums are right whatever went over before.
    sums = _PACKED[letters[:-1] * _LETTERS + letters[1:]].cumsum()
    words = sums[last] - sums[before] + _PACKED[letters[before + 1]]
    return np.asarray((words >> _FIELD_STARTS & _FIELD).min(axis=0))


def _class_of(code: int) -> int:
    """1 to 26 for a Latin letter, whatever its marks, else 0."""
    folded = fold_character(chr(code)) if chr(code).isalpha() else ""
    return ord(folded[0]) - ord("a") + 1 if folded[:1].isascii() and folded[:1].isalpha() else 0


def _kind_of(code: int) -> int:
    character = chr(code)
    kind = _CONTROL if unicodedata.category(character) in ("Cc", "Cn") and not character.isspace() else 0
    kind |= _FILLING if character.isspace() or unicodedata.category(character) == "Cf" else 0
    kind |= _LEADER if character in "._-–—…·•*=|/\\" or code >= _SYMBOLS else 0  # rules, blanks to fill in, ornaments
    kind |= _ALNUM if character.isalnum() or unicodedata.category(character).startswith("M") else 0
    kind |= _OTHER_LETTER if code >= _LATIN_END and character.isalpha() else 0
    return kind | (_CAPITAL if code < _LATIN_END and character.isupper() else 0)


_CONTROL, _FILLING, _LEADER, _ALNUM, _OTHER_LETTER, _CAPITAL = 1, 2, 4, 8, 16, 32
_ALL = 63
_COUNTED = (_CONTROL, _FILLING, _FILLING | _LEADER, _ALNUM, _ALL)  # kinds of which characters are counted
_FLAGS = np.array([[kind & wanted != 0 or wanted == _ALL for kind in range(64)] for wanted in _COUNTED], dtype=np.intp)
_BITS = np.array([[int(sign, 16) for sign in table] for table in (ENGLISH, SPANISH, FRENCH, POLISH)], dtype=np.intp)
_PACKED: Places = np.sum([row << at * _FIELD_BITS for at, row in enumerate(_BITS)], axis=0)
_FIELD_STARTS = np.arange(len(_BITS))[:, None] * _FIELD_BITS
_CLASS = np.array([_class_of(code) for code in range(_LATIN_END)] + [0], dtype=np.intp)
_KINDS = np.array([_kind_of(code) for code in range(_TABLE_END)] + [_ALNUM | _OTHER_LETTER], dtype=np.uint8)
