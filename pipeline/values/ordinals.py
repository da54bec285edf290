# ruff: noqa: SIM905  # word lists are read as text
"""Ordinals in words, as clauses and articles are numbered: 'séptima', 'premier', 'Twelfth', '3.º', '1er'."""

from __future__ import annotations

import re

from pipeline.values.found import fold

_ENGLISH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()  # fmt: skip
_SPANISH = "primer segund tercer cuart quint sext septim octav noven decim undecim duodecim".split()
_FRENCH = (
    "premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme onzieme douzieme "
    "treizieme quatorzieme quinzieme seizieme dix-septieme dix-huitieme dix-neuvieme vingtieme"
).split()  # fmt: skip
_TENS_ES = {"decim": 10, "vigesim": 20, "trigesim": 30}


def _words() -> dict[str, int]:
    found = {word: number for words in (_ENGLISH, _FRENCH) for number, word in enumerate(words, 1)}
    found |= {"second": 2, "seconde": 2, "premiere": 1, "unico": 1, "unica": 1, "unique": 1, "primero": 1, "tercero": 3}
    found |= {"primer": 1, "tercer": 3}
    for number, stem in enumerate(_SPANISH, 1):
        found |= {f"{stem}{ending}": number for ending in "oa"}
    for ten, base in _TENS_ES.items():
        found |= {f"{ten}{ending}": base for ending in "oa"}
        for number, stem in enumerate(_SPANISH[:9], 1):
            for ending in "oa":
                for joined in (f"{ten}o{stem}{ending}", f"{ten}{ending} {stem}{ending}"):
                    found.setdefault(joined, base + number)
    return found


_NUMBER_OF = _words()
ORDINAL = (  # folded; digits with an ordinal sign too
    r"(?:\d{1,2}\s?(?:er|ere|st|nd|rd|th|eme|\.?[ªº°]|\.[oa])(?!\w)|(?:"
    + "|".join(sorted((re.escape(word).replace(r"\ ", r"\s+") for word in _NUMBER_OF), key=len, reverse=True))
    + r")(?!\w))"
)
_WHOLE = re.compile(ORDINAL)


def read_ordinal(text: str) -> int | None:
    """The number of an ordinal in English, Spanish or French words or figures; None for anything else."""
    folded = " ".join(fold(text).lower().split())
    if not _WHOLE.fullmatch(folded):
        return None
    digits = re.match(r"\d+", folded)
    return int(digits[0]) if digits else _NUMBER_OF.get(folded)
