"""Spelling, mended before anything else: by the document's own words, the experts' and those of questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from pipeline.question.language import LANGUAGES
from pipeline.question.lexicon import WORD_ENDINGS
from pipeline.question.reading import Span
from pipeline.question.vocabulary import (
    MIN_TIMES,
    Vocabulary,
    document_words,
    expert_words,
    is_plain,
    ordinary_words,
)

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

MIN_LETTERS = 3  # letters; in a shorter word any edit makes another word
MIN_ONE_EDIT = 4  # letters; from here a letter may lack or be too many; before only two swapped ones
MIN_WRONG_LETTER = 6  # letters; in a shorter word another letter makes another word ('tern', 'term')
MIN_TWO_EDITS = 9  # letters; four in five misspelled words hold one edit (Damerau 1964), two only in long ones
KEPT_PAIRS = 16_384  # pairs of words whose difference is kept, some 4 MB
CLEAR_RATIO = 20  # times as frequent: then of two words that lie equally near one is meant
MIN_COMMON_STEM = 3  # letters that words share which are forms of one: 'buy', 'buyer'
MIN_PERSON = 7  # letters of a word in -ee that names a person by what is done: 'sublicensee'; shorter ones are slips
MIN_STEM = 4  # letters that a word and its derivation share: 'mortgagor' is no slip of 'mortgagee'

_WORD = re.compile(r"(?<![\w@])[^\W\d_]+(?!\w)(?![@/\\]|\.\w)")
_LETTER_ENDINGS = frozenset(("e", "n", "r", "t", "a", "o"))  # endings of Spanish and French words, none of English ones
_TWO_WAYS = ({"ance", "ence"}, {"ant", "ent"}, {"ants", "ents"}, {"able", "ible"})
# British spellings, and the American ones by which the list of English knows them.
_BRITISH = (
    (re.compile(r"our(?=$|s$|ed$|ing|able|ite)"), "or"),
    (re.compile(r"is(?=e$|es$|ed$|er$|ers$|ing$|ation)"), "iz"),
    (re.compile(r"ys(?=e$|es$|ed$|ing$)"), "yz"),
    (re.compile(r"re(?=s?$)"), "er"),
    (re.compile(r"ll(?=ed$|ing$|er$|ers$|ation$)"), "l"),
    (re.compile(r"enc(?=es?$)"), "ens"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"lment(?=s?$)"), "llment"),
)


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as written and as mended, and where it stood."""

    written: str
    mended: str
    span: Span


def correct(
    text: str,
    dictionaries: Dictionaries,
    *,
    protected: Sequence[Span],
    languages: Sequence[str] = LANGUAGES,
    document: ParsedDocument | None = None,
) -> tuple[str, tuple[Correction, ...]]:
    """The question with slips of the pen mended, and each correction.

    A word that stands in the document, in a dictionary or in one of the `languages` is never changed; nor are names,
    acronyms, words with digits and the `protected` spans (codes, quoted phrases). Another one is read as the nearest
    word of the document, the dictionaries or of questions where one alone lies nearest, by letters left out, doubled or
    swapped before wrong ones (optimal string alignment, Damerau 1964); the number of edits grows with its length.
    """
    corrections: list[Correction] = []
    own = document_words(document) if document is not None else None
    for match in _WORD.finditer(text):
        written = match.group()
        if len(written) < MIN_LETTERS or not _may_change(match, text, protected):
            continue
        folded = folded_text(written)
        if (own is not None and folded in own) or is_plain(written, dictionaries):
            continue  # most words; the table of all written forms takes long to make
        mended = _mended(folded, expert_words(dictionaries), own, languages)
        if mended is not None:
            cased = mended.upper() if written.isupper() else mended.capitalize() if written[0].isupper() else mended
            corrections.append(Correction(written, cased, match.span()))
    for correction in reversed(corrections):
        start, end = correction.span
        text = text[:start] + correction.mended + text[end:]
    return text, tuple(corrections)


def _may_change(match: re.Match[str], text: str, protected: Sequence[Span]) -> bool:
    """False for what must stay as it is: exact tokens, acronyms, and capitals inside a sentence, which are names."""
    word, start, end = match.group(), match.start(), match.end()
    if any(first < end and start < last for first, last in protected):
        return False
    if word.islower() or text.isupper():
        return True
    if not word.istitle():
        return False  # 'GmbH', 'IPO', 'iPhone'
    opens = re.search(r"(?:^|[.?!:]\s+|[¿¡]\s*)$", text[:start]) is not None
    return opens or _is_titled(text)


def _is_titled(text: str) -> bool:
    """True for a question in title case ('Cap On Liabilty'): its capitals name nobody."""
    words = re.findall(r"[^\W\d_]{3,}", text)
    return len(words) > 1 and all(word[0].isupper() for word in words)


def _mended(word: str, experts: Vocabulary, own: Vocabulary | None, languages: Sequence[str]) -> str | None:
    """The word that is meant, as it is written; None where this one is a word or nothing is clearly meant."""
    if word in experts or (own is not None and word in own):
        return None
    usual = [ordinary_words(language) for language in languages if language in LANGUAGES]
    # A longer form proves nothing: 'lawes' is a name in the lists and makes 'lawe' no word.
    forms = {form for form in written_forms(word) if len(form) <= len(word)}
    if word.endswith("ee") and len(word) >= MIN_PERSON:
        forms |= {word[:-1], word[:-2]}
    forms |= {pattern.sub(american, word) for pattern, american in _BRITISH}
    if any(form in words for words in (*usual, experts.writings) for form in forms):
        return None
    is_english = set(languages) <= {"en"}
    best: dict[str, int] = {}  # a word that may be meant -> how much it differs
    for vocabulary in (experts, own):
        for other in vocabulary.near(word, edits=_edits_allowed(word)) if vocabulary is not None else ():
            is_odd = other not in experts and not any(other in words for words in usual)
            if is_odd and own is not None and own.counts[other] < MIN_TIMES:
                continue
            cost = _cost(word, other, is_english=is_english)
            if cost is not None:
                best[other] = cost
    if not best:
        return None
    nearest = min(best.values())
    fitting = [other for other, cost in best.items() if cost == nearest]
    chosen = _clear_one(fitting, own, usual)
    if chosen is None:
        return None
    return next((v.writings[chosen] for v in (own, experts) if v is not None and chosen in v.writings), chosen)


def _clear_one(fitting: list[str], own: Vocabulary | None, usual: Sequence[Mapping[str, int]]) -> str | None:
    """The only one, or the one that stands far more often than any other: in the document, else in the language.

    Of words of one stem ('termination', 'terminating') the more frequent one will do: they lead to the same lines.
    """
    if len(fitting) == 1:
        return fitting[0]
    shared = min(_shared(fitting[0], other) for other in fitting)
    is_one_stem = any(all(other[at:] in WORD_ENDINGS for other in fitting) for at in range(MIN_COMMON_STEM, shared + 1))
    for counts in (own.counts if own is not None else {}, *usual):
        ranked = sorted(((counts.get(other, 0), other) for other in fitting), reverse=True)
        if ranked[0][0] >= (1 if is_one_stem else CLEAR_RATIO) * max(ranked[1][0], 1):
            return ranked[0][1]
    return None


def _edits_allowed(word: str) -> int:
    return 2 if len(word) >= MIN_TWO_EDITS else 1


@lru_cache(maxsize=KEPT_PAIRS)
def _cost(written: str, meant: str, *, is_english: bool = False) -> int | None:
    """How much a word differs from the one meant, by the worth of its edits; None where it is no slip of it."""
    if sorted(written[:2]) != sorted(meant[:2]) and written[0] != meant[0]:
        return None  # the first letter is hardly ever wrong (Yannakoudakis and Fawthrop 1983)
    if _is_derived(written, meant, is_english=is_english):
        return None
    swaps, lacks, wrong = _edits(written, meant)
    count = swaps + lacks + wrong
    if count > _edits_allowed(written) or (len(written) < MIN_ONE_EDIT and count != swaps):
        return None
    if wrong and len(written) < MIN_WRONG_LETTER:
        return None
    return 3 * count + lacks + 2 * wrong  # the fewest edits; then swapped letters before lacking before wrong ones


def _is_derived(written: str, meant: str, *, is_english: bool) -> bool:
    """True for two words of one stem with different endings: other words, no slip.

    In English one letter more makes no other word but for a few ('costt' is a slip, 'sublicensee' is none), nor does
    the vowel of an ending that is spelled two ways ('insurence').
    """
    slips = _LETTER_ENDINGS if is_english and not written.endswith("ee") else frozenset[str]()
    shared = _shared(written, meant)
    return any(
        written[at:] in WORD_ENDINGS
        and meant[at:] in WORD_ENDINGS
        and written[at:] != meant[at:]
        and not ({written[at:], meant[at:]} & slips or {written[at:], meant[at:]} in _TWO_WAYS)
        for at in range(max(MIN_STEM, shared - 1), shared + 1)
    )


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _edits(written: str, meant: str) -> tuple[int, int, int]:
    """Neighbours swapped, letters lacking or too many, letters wrong: the fewest edits that lead from one to the other.

    Optimal string alignment; of equally short ways the one with the fewest wrong letters.
    """
    rows: list[list[tuple[int, int, int, int]]] = []  # edits, wrong, lacking, swaps
    for i in range(len(written) + 1):
        row: list[tuple[int, int, int, int]] = []
        for j in range(len(meant) + 1):
            if i == 0 or j == 0:
                row.append((i + j, 0, i + j, 0))
                continue
            ways = [_plus(rows[i - 1][j], 0, 1, 0), _plus(row[j - 1], 0, 1, 0)]
            same = written[i - 1] == meant[j - 1]
            ways.append(rows[i - 1][j - 1] if same else _plus(rows[i - 1][j - 1], 1, 0, 0))
            if i > 1 and j > 1 and written[i - 1] == meant[j - 2] and written[i - 2] == meant[j - 1] and not same:
                ways.append(_plus(rows[i - 2][j - 2], 0, 0, 1))
            row.append(min(ways))
        rows.append(row)
    _, wrong, lacking, swaps = rows[-1][-1]
    return swaps, lacking, wrong


def _plus(edits: tuple[int, int, int, int], wrong: int, lacking: int, swaps: int) -> tuple[int, int, int, int]:
    return edits[0] + 1, edits[1] + wrong, edits[2] + lacking, edits[3] + swaps
