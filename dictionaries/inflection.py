"""The written forms of a term: plural and singular, open, hyphenated and closed compounds."""

from __future__ import annotations

from itertools import product

from dictionaries.folding import folded_text

MAX_FORMS = 24  # forms of one term; a longer product keeps the inflection of its last words
MIN_INFLECTED_LETTERS = 3  # shorter words have no plural worth looking for ('of', 'if')
MIN_CLOSED_LETTERS = 4  # 'life time' is also written 'lifetime'; shorter parts give other words ('may be', 'in put')

# Words whose plural means another thing than their singular: the singular is not searched for them.
PLURAL_ONLY = frozenset({"goods", "news", "means", "customs", "premises", "proceeds"})
# Prefixes that English, Spanish and French set apart, hyphenate or close up without a change of meaning.
PREFIXES = (
    "non", "anti", "sub", "multi", "co", "pre", "post", "re", "inter", "micro", "semi", "over", "under", "self",
    "cross", "no", "contra", "contre", "auto", "extra", "intra", "e",
)  # fmt: skip
_HYPHENATES_ONLY = frozenset({"re", "no", "e", "over", "under", "self", "cross"})  # never split off a closed word


def written_forms(term: str) -> tuple[str, ...]:
    """Forms of a folded, separator-free `term` ('non compete'), sorted: itself, inflected and closed up.

    `term` may carry hyphens: they say where a compound may be closed ('non-compete').
    """
    forms: set[str] = set()
    for words in _compounds(term):
        choices = [_inflections(word) for word in words]
        size = 1
        for index in range(len(choices) - 1, -1, -1):  # the head of an English phrase stands last
            size *= len(choices[index])
            if size > MAX_FORMS:
                choices[index] = (words[index],)
                size //= 2
        forms.update(" ".join(chosen) for chosen in product(*choices))
    return tuple(sorted(forms))


def _compounds(term: str) -> list[tuple[str, ...]]:
    """Ways to divide the term into words: as written, with hyphenated parts closed up, prefixes split off."""
    pieces: list[list[tuple[str, ...]]] = []
    for word in term.split():
        parts = tuple(part for part in word.split("-") if part)
        ways = [parts] if parts else []
        if len(parts) > 1:
            ways.append(("".join(parts),))
            ways.extend((*parts[:at], "".join(parts[at : at + 2]), *parts[at + 2 :]) for at in range(len(parts) - 1))
        elif parts:
            ways.extend(_split_prefix(parts[0]))
        pieces.append(ways)
    found = [tuple(word for way in ways for word in way) for ways in product(*pieces)]
    whole = found[0] if found else ()
    if len(whole) == 2 and (  # two words that may be one
        whole[0] in PREFIXES or all(len(word) >= MIN_CLOSED_LETTERS for word in whole)
    ):
        found.append(("".join(whole),))
    return sorted(set(found))


def _split_prefix(word: str) -> list[tuple[str, ...]]:
    for prefix in PREFIXES:
        rest = word[len(prefix) :]
        if word.startswith(prefix) and prefix not in _HYPHENATES_ONLY and len(rest) > MIN_CLOSED_LETTERS:
            return [(prefix, rest)]
    return []


def _inflections(word: str) -> tuple[str, ...]:
    """The word, its plural and its singular in English, Spanish and French spelling; over-generation finds nothing."""
    if len(word) < MIN_INFLECTED_LETTERS or not word.isalpha() or word in _FUNCTION_WORDS:
        return (word,)
    forms = {word}
    if word.endswith("ies"):
        forms |= {word[:-3] + "y", word[:-1]}
    elif word.endswith("ces"):
        forms |= {word[:-1], word[:-3] + "z"}
    elif word.endswith(("ss", "us", "is", "ous")):
        forms.add(word + "es")
    elif word.endswith("es"):
        forms |= {word[:-1], word[:-2]}
    elif word.endswith("s"):
        forms.add(word[:-1])
    elif word.endswith("aux"):
        forms |= {word[:-3] + "al", word[:-1]}
    else:
        forms |= _plurals(word)
    if word in PLURAL_ONLY:
        return (word,)
    return tuple(sorted(form for form in forms if len(form) >= MIN_INFLECTED_LETTERS - 1))


def _plurals(word: str) -> set[str]:
    forms = {word + "s"}
    if word.endswith("y") and word[-2] not in "aeiou":
        forms.add(word[:-1] + "ies")
    elif word.endswith("z"):
        forms |= {word + "es", word[:-1] + "ces"}
    elif word.endswith(("x", "ch", "sh")):
        forms.add(word + "es")
    elif word.endswith("al"):
        forms |= {word[:-1] + "ux", word + "es"}  # French 'legal, legaux', Spanish 'legal, legales'
    elif word.endswith("eau"):
        forms.add(word + "x")
    elif word[-1] not in "aeiou":
        forms.add(word + "es")  # Spanish 'obligacion, obligaciones'
    return forms


_FUNCTION_WORDS = frozenset(
    folded_text(
    "of the and for any all not its a an to in on or by with de la le les du des el los las del al y o et ou en "
         "un una une por para pour par con avec que no non sur sous au aux se su sus son ses").split()
)  # fmt: skip
