"""Numbers and values written twice, in words and in digits: 'five (5)', 'two million dollars ($2,000,000)'.

Where both agree they are one value. Where they contradict each other both are given, in the order of the text: whether
words or digits prevail is for the contract or a court to say, not for us.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from pipeline.values.found import FoundValue
from pipeline.values.numerals import LOW_GROUPS, parse_number_words, parse_numeral
from schemas.answer import Value

_CLOSE = re.compile(r"\s*\)")
_OPEN = re.compile(r",?\s*\(\s*(?:i\.e\.,?\s*)?")


def written_number(
    match: re.Match[str], text: str, language: str, *, group: str | None = None
) -> tuple[tuple[int, int, Decimal], ...]:
    """The numbers of a `match` of `RANGE_START` and `NUMBER` with the place of each in `text`.

    One as a rule, reaching to the end of the match; the lower end of a range before it; two where words and digits
    contradict each other. `group` is as for `parse_numeral`.
    """
    places: list[tuple[int, int, Decimal]] = []
    for name in LOW_GROUPS:
        if match[name] is not None:
            low = read_number((match[name].split("(")[0].strip(),), language, group)
            places += [(match.start(name), match.end(name), number) for number in low]
    names = ("words", "restated") if match["words"] is not None else ("digits", "spelled")
    numbers = read_number([match[name] for name in names if match[name] is not None], language, group)
    start, middle = match.span(names[0])
    if len(numbers) == 2:
        places.append((start, middle, numbers[0]))
        places.append((text.index("(", middle), match.end(), numbers[1]))
    else:
        places += [(start, match.end(), number) for number in numbers]
    return tuple(places)


def read_number(writings: Sequence[str], language: str, group: str | None = None) -> tuple[Decimal, ...]:
    """The number that all `writings` agree on, or each of theirs where they contradict; empty when none is one."""
    numbers = [
        parse_numeral(text, language=language, group=group)
        if text[0].isdigit()
        else parse_number_words(text, language=language)
        for text in writings
    ]
    known = [number for number in numbers if number is not None]
    return tuple(known[:1]) if len(set(known)) == 1 else tuple(known)


def merge_restated(
    found: list[FoundValue], text: str, agree: Callable[[Value, Value], bool], remake: Callable[[Value, str], Value]
) -> tuple[FoundValue, ...]:
    """`found` with a value that repeats the one before it in brackets taken as one; others stay as they are.

    `remake` gives the first value with its new original wording.
    """
    merged: list[FoundValue] = []
    for item in found:
        last = merged[-1] if merged else None
        close = _CLOSE.match(text, item.end)
        if (
            last is not None
            and close is not None
            and _OPEN.fullmatch(text, last.end, item.start)
            and agree(last.value, item.value)
        ):
            end = close.end()
            merged[-1] = FoundValue(last.start, end, remake(last.value, text[last.start : end]))
        else:
            merged.append(item)
    return tuple(merged)
