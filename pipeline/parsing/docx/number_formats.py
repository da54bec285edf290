"""How a counter is written: the number formats of ISO/IEC 29500-1, 17.18.59 (ST_NumberFormat)."""

from __future__ import annotations

from collections.abc import Callable

MAX_ROMAN = 3999  # beyond it Roman figures need bars
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщыэюя"  # the letters that Word counts with
_CHICAGO = "*†‡§"  # Chicago Manual of Style: repeated when exhausted


def write_number(count: int, fmt: str) -> str | None:
    """`count` in the format named `fmt`, e.g. 'lowerRoman'; None for a format that is not known here."""
    write = _FORMATS.get(fmt)
    return None if write is None else write(count)


def _roman(count: int) -> str:
    if not 0 < count <= MAX_ROMAN:
        return str(count)
    written = ""
    for size, letters in _ROMAN:
        times, count = divmod(count, size)
        written += letters * times
    return written


def _letters(count: int, alphabet: str = "abcdefghijklmnopqrstuvwxyz") -> str:
    """A to z, then aa, bb: Word repeats the letter, it does not count on as columns of a sheet do."""
    if count <= 0:
        return str(count)
    rounds, at = divmod(count - 1, len(alphabet))
    return alphabet[at] * min(rounds + 1, 30)


def _ordinal(count: int) -> str:
    teen = 10 <= count % 100 <= 20
    return f"{count}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(count % 10, 'th')}"


def _words(count: int) -> str:
    if not 0 <= count < 1000:
        return str(count)
    if count < 20:
        return _ONES[count]
    if count < 100:
        tens, ones = divmod(count, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    hundreds, rest = divmod(count, 100)
    return f"{_ONES[hundreds]} hundred" + (f" {_words(rest)}" if rest else "")


def _ordinal_words(count: int) -> str:
    words = _words(count)
    if words.isdigit():
        return _ordinal(count)
    head, dash, last = words.rpartition("-") if "-" in words.rpartition(" ")[2] else words.rpartition(" ")
    last = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{head}{dash}{last}"


def _chicago(count: int) -> str:
    rounds, at = divmod(max(count, 1) - 1, len(_CHICAGO))
    return _CHICAGO[at] * min(rounds + 1, 30)


def _circled(count: int) -> str:
    return chr(0x2460 + count - 1) if 1 <= count <= 20 else str(count)  # U+2460: circled digit one


_FORMATS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda count: f"{count:02d}",
    "decimalZero3": lambda count: f"{count:03d}",
    "decimalZero4": lambda count: f"{count:04d}",
    "decimalZero5": lambda count: f"{count:05d}",
    "decimalHalfWidth": str,
    "decimalFullWidth": lambda count: "".join(chr(0xFF10 + int(c)) if c.isdigit() else c for c in str(count)),
    "decimalEnclosedParen": lambda count: f"({count})",
    "decimalEnclosedFullstop": lambda count: f"{count}.",
    "decimalEnclosedCircle": _circled,
    "numberInDash": lambda count: f"- {count} -",
    "upperRoman": lambda count: _roman(count).upper(),
    "lowerRoman": _roman,
    "upperLetter": lambda count: _letters(count).upper(),
    "lowerLetter": _letters,
    "ordinal": _ordinal,
    "cardinalText": lambda count: _words(count).capitalize(),
    "ordinalText": lambda count: _ordinal_words(count).capitalize(),
    "hex": lambda count: f"{count:X}",
    "chicago": _chicago,
    "russianLower": lambda count: _letters(count, _CYRILLIC),
    "russianUpper": lambda count: _letters(count, _CYRILLIC).upper(),
    "none": lambda _count: "",
}
