# ruff: noqa: E501  # patterns are read whole, on one line
"""How many elements a sentence says that its list has: 'any of the following six events', 'las tres condiciones'."""

from __future__ import annotations

import re

from dictionaries.folding import folded_text
from pipeline.values.numerals import NUMBER_WORDS, parse_number_words

MIN_STATED = 2  # elements; 'one of the following' says how many apply, not how many there are
MAX_STATED = 100  # elements; a larger number before a noun counts something else
_NUMBER = rf"(?:(?P<words>{NUMBER_WORDS})(?:\s*\(\s*\d{{1,2}}\s*\))?|(?P<digits>\d{{1,2}})(?:\s*\([^)\d]{{2,20}}\))?)"
_FOLLOWING = r"(?:following|below|siguientes|suivante?s)"
# A number that counts the elements stands by 'following', or with its noun just before the list opens, or after a word
# that takes all or each of a known number.
_STATED = (
    re.compile(rf"\b{_FOLLOWING}\s+{_NUMBER}\b(?:\s+(?P<noun>[a-z]{{3,}}))?"),
    re.compile(rf"\b{_NUMBER}\s+(?:(?P<noun>[a-z-]{{3,}})\s+){{0,2}}{_FOLLOWING}\b"),
    re.compile(rf"\b(?:each|every|all|any|cada un[oa]|todas?|todos|cualquiera|chacune?|tou(?:te)?s|l['’]une?)\s+(?:of\s+|de\s+|d['’]\s*)?(?:the(?:se|m)?|las|los|les|ces|des|estas|estos)?\s*{_NUMBER}\s+(?P<noun>[a-z]{{3,}}[sx])\b"),
    re.compile(rf"\b{_NUMBER}\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>[a-z]{{3,}}[sx])\b(?=[^.;]{{0,80}}[:—-]\s*$)"),
)  # fmt: skip
_NO_COUNT = re.compile(
    r"(?:days?|months?|years?|weeks?|hours?|quarters?|minutes?|part(?:y|ies)|percents?|dollars?|euros?|times|pages?|sections?"
    r"|copies|business|calendar|dias?|mes(?:es)?|anos?|semanas?|horas?|partes|veces|jours?|mois|semaines?|ans?|annees?|heures?|fois|parties)"
)
_ACTS = re.compile(r"\b(?:shall|must|will|may|agrees?|deberan?|podran?|doivent|peuvent)\b")


def stated_count(words: str) -> int | None:
    """How many elements the opening sentence says there are: 6 for 'any of the following six events'.

    None where no number counts them: a number of days, of parties, of what acts ('the two directors shall:').
    """
    folded = folded_text(" ".join(words.split()))
    for number, pattern in enumerate(_STATED):
        for match in reversed(list(pattern.finditer(folded))):
            noun = match["noun"]
            if noun is not None and _NO_COUNT.fullmatch(noun):
                continue
            if number == len(_STATED) - 1 and _ACTS.search(folded[match.end() :]):
                continue
            read = _read(match)
            if read is not None and MIN_STATED <= read <= MAX_STATED:
                return read
    return None


def _read(match: re.Match[str]) -> int | None:
    if match["digits"]:
        return int(match["digits"])
    number = parse_number_words(match["words"], language="en")
    return int(number) if number is not None and number == int(number) else None
