# ruff: noqa: SIM905  # word lists are read as text
"""Runs of content words in a text: what a term may look like, by the words alone and without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dictionaries.folding import folded_text
from dictionaries.matching import searched_form
from dictionaries.stopwords import ALL_STOP_WORDS, STOP_WORDS
from pipeline.question.language import LANGUAGES
from pipeline.question.lexicon import ASKING_WORDS, COVERED_WORDS, GENERIC_WORDS, ORDINARY_WORDS, ROLE_WORDS
from pipeline.question.vocabulary import ordinary_words

MAX_CONTENT_WORDS = 4  # a longer run stands nowhere else; as for the phrases of questions (METHOD 2.4)
MAX_JOINING_WORDS = 2  # function words in a row inside a phrase: 'limitación de la responsabilidad'
MIN_SINGLE_LETTERS = 4  # letters of a word that is a phrase on its own; shorter ones are abbreviations and noise
FREQUENT_WORDS = 8000  # of a language: they cover 98 % of any text (Nation 2006), so one alone names no topic
KEPT_KEYS = 100_000  # keys of phrases that are kept: the phrases of a store's documents recur
MAX_ACRONYM = 5  # letters of a word in capitals that is an acronym and keeps them

# Function words that join two content words to one name: 'cap on liability', 'plafond de la responsabilité'.
_JOINING = {
    "en": frozenset("of on to for in".split()),
    "es": frozenset("de del la el las los en a por".split()),
    "fr": frozenset("de du des d la le les l a au aux en sur".split()),
}
# Numerals, codes of currencies, the adverbs and participles of legal drafting: part of no name, in no language.
_NO_NAME = frozenset(
    """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy
    eighty ninety hundred thousand million first second hereof hereunder hereto herein hereby hereafter hereinafter
    thereof thereunder thereto therein thereby therefor thereafter forth otherwise said pursuant prior provided however
    respective respectively including aforesaid foregoing following eur usd gbp chf cad aud jpy
    dos tres cuatro cinco seis siete ocho nueve diez quince veinte treinta cuarenta sesenta noventa cien ciento mil
    primero primera segundo segunda presente presentes dicho dicha dichos dichas citado citada mencionado mencionada
    siguiente siguientes anterior anteriores conforme previo previa respectivo respectivos
    deux trois quatre cinq sept huit neuf dix quinze vingt trente quarante soixante cent mille premier premiere second
    presents dit dite dits dites ledit ladite lesdits lesdites susvise susvisee suivant suivante suivants suivantes
    prealable prealablement ci-apres respectif respectifs
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
_PLURALS = (
    ("ss", "ss"), ("us", "us"), ("is", "is"), ("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"),
    ("shes", "sh"), ("iones", "ion"), ("dades", "dad"), ("tores", "tor"), ("dores", "dor"), ("aux", "al"), ("s", ""),
)  # fmt: skip
_NO_NOUN = {  # endings of participles and adverbs
    "en": ("ed", "ing", "ly", "standing"),
    "es": ("mente", "ando", "endo", "ado", "ada", "ido", "ida"),
    "fr": ("ant", "ees", "ivement", "ellement"),
}
_BETWEEN = re.compile(r"[ \t\r\n\u00a0\u202f]{0,3}|-|['’]")  # what may stand between two words of one phrase
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n\s*(?=[^\W\d_])")  # a word divided at the end of a line
_COMMON = GENERIC_WORDS | ROLE_WORDS | COVERED_WORDS | ORDINARY_WORDS | frozenset().union(*ASKING_WORDS.values())


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    folded: str
    start: int
    end: int
    joins: bool


def phrases_in(text: str, language: str) -> Iterator[str]:
    """Every run of one to four content words, function words inside it, as it is written, on one line.

    A run that holds only words of every contract ('the parties', 'written notice') is no phrase, nor is a single word
    of everyday language, a participle or an adverb.
    """
    text = _DIVIDED.sub("", text)
    for run in _runs(text, language, ends=_NO_NAME):
        for first, word in enumerate(run):
            if word.joins:
                continue
            content = 0
            for last in run[first:]:
                if last.joins:
                    continue
                content += 1
                if content > MAX_CONTENT_WORDS:
                    break
                phrase = " ".join(text[word.start : last.end].split())
                if says_something(phrase) and (content > 1 or _names_alone(phrase, language)):
                    yield phrase


def question_phrases(text: str, language: str) -> list[str]:
    """The longest runs of a question's words that say what it is about, each once, in its order.

    Words of asking and words of every contract end a run; of a run of more than four words the neighbours in pairs.
    """
    found: list[str] = []
    for run in _runs(text, language, ends=_COMMON):
        words = [at for at, word in enumerate(run) if not word.joins]
        size = len(words) if len(words) <= MAX_CONTENT_WORDS else 2
        for first in range(len(words) - size + 1) if words else ():
            start, end = run[words[first]].start, run[words[first + size - 1]].end
            found.append(" ".join(text[start:end].split()))
    phrases = [phrase for phrase in dict.fromkeys(found) if says_something(phrase)]
    telling = [phrase for phrase in phrases if not is_everyday(phrase, language)]
    return telling or phrases


def is_everyday(phrase: str, language: str) -> bool:
    """True for a single word that is among the most frequent of the language."""
    return folded_text(phrase) in _everyday(language)


def is_unknown_word(phrase: str, language: str) -> bool:
    """True for a single word, no acronym, that is not among the words of the language, nor is its singular."""
    folded = folded_text(phrase)
    if not _WORD.fullmatch(folded) or language not in LANGUAGES or (phrase.isupper() and len(phrase) <= MAX_ACRONYM):
        return False
    listed = ordinary_words(language)
    return folded not in listed and _singular(folded) not in listed


def says_something(phrase: str) -> bool:
    """True for words that could be a term: at least one of them is not a word of every contract."""
    words = _WORD.findall(folded_text(phrase))
    content = [word for word in words if word not in ALL_STOP_WORDS and word not in _COMMON and len(word) > 1]
    return bool(content) and (len(words) > 1 or len(content[0]) >= MIN_SINGLE_LETTERS)


@lru_cache(maxsize=KEPT_KEYS)
def phrase_key(phrase: str) -> str | None:
    """What singular and plural, hyphenated and open writings of one term have in common; None for what is no term."""
    try:
        form = searched_form(phrase.replace("*", " "))
    except ValueError:
        return None
    return " ".join(_singular(word) for word in form.split())


def as_term(phrase: str) -> str:
    """The phrase as an expert would list it: small letters; an acronym keeps its capitals."""
    words = phrase.split()
    shouted = len(words) > 1 and phrase.isupper()
    return " ".join(word if not shouted and word.isupper() and 1 < len(word) <= MAX_ACRONYM else word.lower()
                    for word in words)  # fmt: skip


def _names_alone(word: str, language: str) -> bool:
    return not is_everyday(word, language) and not folded_text(word).endswith(_NO_NOUN.get(language, ()))


def _singular(word: str) -> str:
    """The word without the plural of the three languages, as far as its letters tell; equal for both is enough."""
    for ending, singular in _PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + singular
    return word


@lru_cache(maxsize=len(LANGUAGES))
def _everyday(language: str) -> frozenset[str]:
    if language not in LANGUAGES:
        return frozenset()
    counts = ordinary_words(language)
    return frozenset(sorted(counts, key=lambda word: (-counts[word], word))[:FREQUENT_WORDS])


def _runs(text: str, language: str, *, ends: frozenset[str] = frozenset()) -> Iterator[list[_Word]]:
    """Words that follow each other with nothing but joining words between; those of `ends` belong to no run."""
    stop = STOP_WORDS.get(language, ALL_STOP_WORDS)
    joining = _JOINING.get(language, frozenset())
    run: list[_Word] = []
    joined = 0
    for match in _WORD.finditer(text):
        word = _Word(match.group(), folded_text(match.group()), match.start(), match.end(), joins=False)
        follows = bool(run) and _BETWEEN.fullmatch(text, run[-1].end, word.start) is not None
        if word.folded in joining and follows and joined < MAX_JOINING_WORDS:
            run.append(_Word(word.text, word.folded, word.start, word.end, joins=True))
            joined += 1
            continue
        is_end = word.folded in stop or word.folded in ends or len(word.folded) == 1
        if is_end or not follows:
            yield run
            run = []
        if not is_end:
            run.append(word)
        joined = 0
    yield run
