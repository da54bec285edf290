"""How amounts of money are written: a sign, code or name with a number, its scale, and ranges with one currency."""

from __future__ import annotations

import re

from pipeline.values.currencies import CODE, NAME, PLAIN_SIGN, PREFIX
from pipeline.values.numerals import (
    BARE_NUMERAL,
    BARE_SPACED_NUMERAL,
    NUMBER_WORDS,
    NUMERAL,
    SPACED_NUMERAL,
)

SCALES = {
    "mil millones": 10**9,
    "thousand": 10**3,
    "mille": 10**3,
    "mil": 10**3,
    "k": 10**3,
    "million": 10**6,
    "millions": 10**6,
    "millon": 10**6,
    "millones": 10**6,
    "mm": 10**6,
    "mn": 10**6,
    "mln": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "milliard": 10**9,
    "milliards": 10**9,
    "bn": 10**9,
    "b": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "lakhs": 10**5,
    "crore": 10**7,
    "crores": 10**7,
    "mio": 10**6,
    "mrd": 10**9,
    "md": 10**9,
    "mds": 10**9,
}
# A scale in words; or in letters, which a space parts from the number only where they are no unit and no initial.
_SCALE = (
    r"(?:[\s-]?\s?(?P<{0}>mil\s+millones|thousand|mille|mil|millions?|millon(?:es)?|billions?|milliards?|trillion|lakhs?|crores?|Mio|Mrd)\b"
    r"|(?P<{0}_short>MM|Mds?(?=\s?€)|mln|mn|M|bn|B|K)(?![A-Za-z0-9])"
    r"|[ ](?P<{0}_apart>(?-i:MM|Mds?(?=\s?€)|mln|mn|M|bn))(?![A-Za-z0-9&]|\.\s?[A-Z]))"
)
CENTS = r"(?:\s+(?:and|con|et)\s+(?P<cents>\d{1,2}|no|xx)\s?/\s?(?:100|xx)(?:ths?)?)"
_AFTER = rf"(?:\s?\(?(?P<after>{CODE}|{NAME}|Canadian|Australian)\)?)?"
# A figure that is a share, or the start of a date or of a code of figures, is no sum.
_NO_SUM = r"(?!\s?%|-\d{1,2}-\d|\s?per\s?cent)"
AMOUNT = re.compile(
    # a sign or code, then the number; the sign may stand in a cell of its own, and its scale before it: 'M€ 12.5'
    rf"(?P<ahead>(?<![A-Za-z\d])(?-i:MM|M|k|Mds?)(?=[€£$]))?(?P<prefix>{PREFIX})(?P<gap>[\s\0]{{0,4}})(?P<loss>\(\s?)?(?P<minus>-\s?(?=\d))?"
    rf"(?P<number>(?<=[€£¥RFPK\0 ]){BARE_SPACED_NUMERAL}|{BARE_NUMERAL}|(?<!\d)\.\d+)(?![A-Za-z]{{4}}){_NO_SUM}"
    rf"(?P<scaled>{_SCALE.format('scale')})?{_AFTER}"
    # the number in words, then the name of the currency
    rf"|(?P<words>{NUMBER_WORDS}){CENTS}?\s+(?:de\s+|d')?(?P<name>{NAME})(?:\s*\(\s*(?P<again>{NUMERAL})\s*\))?"
    # the number, then a sign, code or name
    rf"|(?P<digits>{SPACED_NUMERAL}|{NUMERAL})(?:\s(?=(?:M|k|Mds?)\s?[€£]))?(?:{_SCALE.format('size')})?\s{{0,2}}(?:de\s+|d')?"
    rf"(?P<suffix>{PLAIN_SIGN}|{CODE}|{NAME}|(?<=\d\s)\$(?!\s?\d)|(?<=\d)\$(?!\s?\d))"
    # thousands written with a small k, without a currency; forms such as 10k and 401k are none
    rf"|(?P<kilo>(?!(?:8|10|11|20|401)k){NUMERAL})(?-i:k)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# What every amount has: a digit, or the name of a currency behind a number in words; quickly told of texts without.
HAS_FIGURE = re.compile(rf"\d|{NAME}", re.IGNORECASE)
SCALE_BEHIND = re.compile(_SCALE.format("scale"), re.IGNORECASE)


def scale_of(match: re.Match[str], name: str) -> str | None:
    """The scale that a match of such a pattern holds, as written; None without one."""
    return match[name] or match[f"{name}_short"] or match[f"{name}_apart"]


_FIGURE = rf"(?:{SPACED_NUMERAL}|{NUMERAL})"
_BARE = rf"(?:{BARE_SPACED_NUMERAL}|{BARE_NUMERAL})"
# The upper end of a range whose currency stands before the lower one: '$10-15 million', 'between $5 and 10 million'.
UPPER_END = re.compile(
    rf"(?P<dash>\s?-\s?)(?P<high>{_BARE})(?![-\w]|\s?%)(?:{_SCALE.format('top')})?"
    rf"|(?P<dash_scaled>\s?-\s?|\s(?:to|and|a|y|et)\s)(?P<high_scaled>{_BARE})(?:{_SCALE.format('peak')})(?!\s(?!(?:per|in|of|or|and|as|for|a|al|par|por|de|d'|is|on)\b)[A-Za-z]{{3,}})",
    re.IGNORECASE,
)
# The lower end of one whose currency stands behind the upper one: 'entre 5 y 7 millones de euros', '5,000-10,000 EUR'.
LOWER_END = re.compile(
    rf"(?:(?P<dash>{_FIGURE})\s?-\s?"
    rf"|(?<=between\s)(?P<between>{_FIGURE})\s+and\s+|(?<=entre\s)(?P<entre>{_FIGURE})\s+(?:y|et)\s+"
    rf"|(?:(?<=from\s)|(?<=\bde\s))(?P<since>{_FIGURE})\s+(?:to|a)\s+)$",
    re.IGNORECASE,
)
LOWER_GROUPS = ("dash", "between", "entre", "since")
