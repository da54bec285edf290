"""Numbers as documents write them: digits with separators, and number words in English, Spanish and French."""

from __future__ import annotations

import re
from decimal import Decimal

# Digits that belong to a longer number, a code or a section number are not taken: no digit, letter, point or stroke
# may touch them on the left, and no further digits on the right.
_LONE = r"(?<![\w.,/])"
BARE_NUMERAL = (
    r"(?:\d{1,3}(?:[.,']\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:[.,]\d+)?)(?!\d|[.,'/]\d)"
)
NUMERAL = _LONE + BARE_NUMERAL
BARE_SPACED_NUMERAL = r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d|[ .,'/]\d)"  # 1 234 567,89: French, SI
SPACED_NUMERAL = _LONE + BARE_SPACED_NUMERAL
HALF = Decimal("0.5")
MAX_DIGITS = 24  # a number has no more; of longer runs of digits sums would not be exact (Decimal keeps 28)


def _series(words: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: start + step * index for index, word in enumerate(words.split())}


_EN = {
    **_series("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", 0),
    **_series("sixteen seventeen eighteen nineteen", 16),
    **_series("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10),
    "fourty": 40,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
}
_ES = {
    **_series("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince", 0),
    **_series("dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro", 16),
    **_series("veinticinco veintiseis veintisiete veintiocho veintinueve", 25),
    **_series("treinta cuarenta cincuenta sesenta setenta ochenta noventa cien", 30, 10),
    **_series("ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos", 100, 100),
    **_series("ochocientos novecientos mil", 800, 100),
    **_series(
        "doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas", 200, 100
    ),
    "un": 1,
    "una": 1,
    "veintiun": 21,
    "veintiuna": 21,
    "millon": 10**6,
    "millones": 10**6,
}
_FR = {
    **_series("zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize", 0),
    **_series("vingt trente quarante cinquante soixante septante huitante nonante cent", 20, 10),
    "une": 1,
    "vingts": 20,
    "octante": 80,
    "cents": 100,
    "mille": 1000,
    "million": 10**6,
    "millions": 10**6,
    "milliard": 10**9,
    "milliards": 10**9,
}
_VOCABULARIES = {"en": _EN, "es": _ES, "fr": _FR}
_LINKS = {"en": "and", "es": "y", "fr": "et"}


_BIG = "(?:thousand|million|billion)"
# One half of a large number: 'half a million', 'medio millón', 'un demi-million'.
_HALF_OF_ONE = r"(?:half\s+a\s+(?:million|billion)|medio\s+millon|(?:un\s+)?demi[\s-]mil(?:lion|liard))\b"
_HALF_WORDS = re.compile(
    rf"(?:[\s-]+and[\s-]+(?:a|one)[\s-]+half(?:[\s-]+(?P<big>{_BIG}))?|\s+y\s+medi[oa]|[\s-]+et[\s-]+demie?)$"
)


def _words_pattern() -> str:
    patterns = []
    for language, vocabulary in _VOCABULARIES.items():
        word = "(?:" + "|".join(sorted(vocabulary, key=lambda word: (-len(word), word))) + r")\b"
        patterns.append(rf"{word}(?:[\s-]+(?:{_LINKS[language]}[\s-]+)?{word})*")
    halves = (
        rf"(?:[\s-]+and[\s-]+(?:a|one)[\s-]+half\b(?:[\s-]+{_BIG}\b)?)?",
        r"(?:\s+y\s+medi[oa]\b)?",
        r"(?:[\s-]+et[\s-]+demie?\b)?",
    )
    counted = "|".join(pattern + half for pattern, half in zip(patterns, halves, strict=True))
    return rf"(?<![\w])(?:{_HALF_OF_ONE}|{counted})"


NUMBER_WORDS = _words_pattern()
# A fraction behind a number, as rates of interest have it: '8 3/4', '5-1/2', '2½'; eighths and the like are exact.
_PART = r"(?:[\s-]\d{1,2}/(?:2|4|8|16|32)(?!\d|[.,/]\d)|\s?[½¼¾⅛⅜⅝⅞])"
# A number however it is written: 'five (5)', '5 (five)', 'five', '5'.
NUMBER = (
    rf"(?:(?P<words>{NUMBER_WORDS})(?:[\s\0]*\(\s*(?P<restated>{NUMERAL}{_PART}?)\s*\))?"
    rf"|(?P<digits>{NUMERAL}{_PART}?)(?:\s*\(\s*(?P<spelled>{NUMBER_WORDS})\s*\))?)"
)

# The lower end of a range whose unit is written once: '30 to 60 days', 'between thirty (30) and sixty (60) days'. Words
# alone may not be joined by '-' or 'and', which also build one number: 'twenty-five', 'one hundred and fifty'.
RANGE_START = (
    rf"(?P<low>{NUMERAL}|{NUMBER_WORDS}\s*\(\s*{NUMERAL}\s*\))(?:\s*-\s*|\s+(?:to|or|a|ou|o)\s+)"
    rf"|(?<=between\s)(?P<low_of_two>{NUMERAL}|{NUMBER_WORDS}\s*\(\s*{NUMERAL}\s*\))\s+and\s+"
    rf"|(?<=entre\s)(?P<low_of_both>{NUMERAL}|{NUMBER_WORDS}\s*\(\s*{NUMERAL}\s*\))\s+(?:y|et)\s+"
    rf"|(?P<low_words>{NUMBER_WORDS})\s+(?:to|or|a|ou|o)\s+"
)
LOW_GROUPS = ("low", "low_of_two", "low_of_both", "low_words")


_PART_AT_END = re.compile(rf"{_PART}$")
_SIGNS = {sign: Decimal(share) / 8 for sign, share in zip("⅛¼⅜½⅝¾⅞", range(1, 8), strict=True)}


def parse_numeral(text: str, *, language: str, group: str | None = None) -> Decimal | None:
    """The number that digits with separators stand for; null for contradicting separators or over 24 characters.

    With both separators the last is the decimal one; one that repeats separates groups. A single one before exactly
    three digits separates groups when it is `group`; without that, ',' does in English and '.' in Spanish and French.
    """
    part = _PART_AT_END.search(text)
    digits = text[: part.start()] if part else text
    digits = re.sub(r"[ '\s]", "", digits)
    if len(digits) > MAX_DIGITS:
        return None  # a run of digits that nobody counts with
    separators = re.findall(r"[.,]", digits)
    if len(set(separators)) == 2:
        decimal = separators[-1]
        if separators.count(decimal) > 1:
            return None
    elif len(separators) == 1:
        grouping = group or ("," if language == "en" else ".")
        is_group = separators[0] == grouping and bool(re.search(r"^[1-9]\d{0,2}[.,]\d{3}$", digits))
        decimal = "" if is_group else separators[0]
        if decimal == "," and language == "en" and len(digits.partition(",")[2]) > 2:
            return None  # '1,2345' is neither
    else:
        decimal = ""
    for separator in ".,":
        if separator != decimal:
            digits = digits.replace(separator, "")
    number = Decimal(digits.replace(decimal, ".") if decimal else digits)
    return number + read_fraction(part.group()) if part else number


def read_fraction(text: str) -> Decimal:
    """The part of one that '3/4' or '¾' writes, exact for halves, quarters, eighths and tenths; 0 for nothing read."""
    written = re.search(r"(\d{1,2})\s?/\s?(\d{1,2})", text)
    if written is not None and int(written[2]):
        return Decimal(written[1]) / Decimal(written[2])
    return next((share for sign, share in _SIGNS.items() if sign in text), Decimal(0))


def parse_number_words(text: str, *, language: str) -> Decimal | None:
    """The number that words stand for, tried in `language` first; null when they form none ('five ten')."""
    for code in sorted(_VOCABULARIES, key=lambda code: code != language):
        number = _parse_words(text.lower(), code)
        if number is not None:
            return number
    return None


def _parse_words(text: str, language: str) -> Decimal | None:
    if re.fullmatch(_HALF_OF_ONE, text):
        return HALF * (10**9 if text.endswith(("milliard", "billion")) else 10**6)
    half = _HALF_WORDS.search(text)
    if half is not None:
        return _with_half(text[: half.start()], half["big"], language)
    total, current, vocabulary = 0, 0, _VOCABULARIES[language]
    for word in re.split(r"[\s-]+", text):
        if word == _LINKS[language]:
            continue
        value = vocabulary.get(word)
        if value is None:
            return None
        if value >= 1000:
            if value == 10**6 and language == "es" and total and current == 0:
                total *= value  # mil millones
            else:
                total += (current or 1) * value
            current = 0
        elif value == 100 and language in ("en", "fr"):
            current = (current or 1) * 100
        elif language == "fr" and value == 20 and current % 100 == 4:
            current += 76  # quatre-vingts
        elif _fits(current, value, language):
            current += value
        else:
            return None
    return Decimal(total + current)


def _with_half(words: str, big: str | None, language: str) -> Decimal | None:
    """'two and a half', 'one and a half million', and 'dos millones y medio', whose half is one of a million."""
    number = _parse_words(words, language)
    last = _VOCABULARIES[language].get(re.split(r"[\s-]+", words)[-1], 0)
    if number is None or (last >= 100 and (language == "en" or last < 10**6)):
        return None  # 'two thousand and a half' is said of no sum
    if big is not None:
        return (number + HALF) * _EN[big]
    return number + HALF * (last if last >= 10**6 else 1)


def _fits(current: int, value: int, language: str) -> bool:
    if value >= 100:
        return current == 0
    tens = current % 100
    if tens == 0:
        return True
    if language == "fr" and tens in (60, 80) and value < 20:
        return True
    if language == "fr" and tens in (10, 70, 90) and 7 <= value <= 9:
        return True
    return value < 10 and tens >= 20 and tens % 10 == 0
