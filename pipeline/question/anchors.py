# ruff: noqa: E501  # a pattern is read whole, on one line
"""Exact tokens of a question: codes, 'Figure 2', 'Article IV', quoted phrases, dates and sums."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.question.reading import Piece, Span
from pipeline.values import find_values
from pipeline.values.found import fold
from pipeline.values.ordinals import ORDINAL, read_ordinal
from schemas.question import Anchor, AnchorKind

MIN_QUOTED_LETTERS = 2  # a quoted single letter is an apostrophe gone astray

_NUMBER = r"(?:\d+(?:\.\d+)*[a-z]?(?![a-z])(?:\([a-z0-9]{1,4}\))*|[IVXLCDM]+\b|[A-Z](?:[.-]?\d+(?:\.\d+)*)?\b)"
_STRUCTURE: tuple[tuple[AnchorKind, str], ...] = (
    ("section", r"sections?|sec\.|§{1,2}|chapters?|clauses?|cl\.|paragraphs?|secci[oó]n(?:es)?|apartados?|cap[ií]tulos?|cl[aá]usulas?|chapitres?|paragraphes?"),
    ("article", r"articles?|art\.|arts\.|art[ií]culos?"),
    ("figure", r"figures?|figs?\.|figuras?|gr[aá]ficos?|charts?"),
    ("table", r"tables?|tabs?\.|tablas?|cuadros?|tableaux?"),
    ("equation", r"equations?|eqs?\.|ecuaci[oó]n(?:es)?|[eé]quations?"),
    ("annex", r"annex(?:es)?|appendi(?:x|ces)|schedules?|exhibits?|attachments?|anexos?|ap[eé]ndices?|annexes?|appendices?"),
)  # fmt: skip
_STRUCTURES = tuple(
    (kind, re.compile(rf"(?<!\w)(?:{words})\s*(?:n[o.º°]+\s*)?(?P<target>{_NUMBER})(?P<more>(?:\s*(?:,|and|&|y|et|to|-|–)\s*\d+(?:\.\d+)*)*)",
                      re.IGNORECASE))
    for kind, words in _STRUCTURE
)  # fmt: skip
# 'cláusula séptima', 'Article premier', 'seventh clause': numbered in words; read on the folded text.
_SECTIONS_FOLDED = (
    r"(?:sections?|clauses?|chapters?|seccion(?:es)?|clausulas?|apartados?|capitulos?|chapitres?|estipulacion|pacto)"
)
_ARTICLES_FOLDED = r"(?:articles?|articulos?)"
_BY_WORD = re.compile(
    rf"(?<!\w)(?:(?P<label>{_SECTIONS_FOLDED}|{_ARTICLES_FOLDED})\s+(?P<after>{ORDINAL})|"
    rf"(?P<before>{ORDINAL})\s+(?P<behind>{_SECTIONS_FOLDED}|{_ARTICLES_FOLDED})(?!\w))",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^“”]+)”|„([^„“”]+)[“”]|«\s*([^«»]+?)\s*»|‘([^‘’]+)’(?!\w)|(?<!\w)'([^']+)'(?!\w)|(?<!\w)`([^`]+)`"
)
_DATE = re.compile(r"(?<![\w.-])\d{4}-\d{2}-\d{2}(?![\w-])|(?<![\w./])\d{1,2}[/.]\d{1,2}[/.]\d{2,4}(?![\w/])")
_AMOUNT = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF)\s)\s?\d[\d.,' ]*\d?(?:\s?(?:million|billion|m|bn|k)\b)?|\d[\d.,]*\s?(?:€|£|\$|(?:USD|EUR|GBP|CHF|euros?|dollars?)\b)"
)
_STANDARD = re.compile(
    r"\b(?:ISO(?:/IEC)?|RFC|IEC|IEEE|NIST(?: SP)?|FIPS|SOC|IFRS|IAS|ASC|ASTM|DIN|ANSI|PCI|UL|EN|CSWP|SP)[ -]\d[\w.:/-]*\w|\bSOC [123]\b"
)
_TOKEN = re.compile(r"(?<![\w.])[^\W_]+(?:[-./_:][^\W_]+)*(?:-\d+)*")
# Ordinals ('3rd'), counted units ('30-day', '5-year'), multiples, clock times: numbers in words, no codes.
_PLAIN_NUMBER = re.compile(
    r"\d+(?:st|nd|rd|th|er|ère|e|è|º|ª|o|a|x|s|k|m|am|pm|h)?|\d+(?:[-–][a-z]{3,})+|\d{1,4}s|\d{1,2}:\d{2}|24/7|\d+(?:[.,]\d+)*%?",
    re.IGNORECASE,
)
_PERIOD = re.compile(r"(?:FY|CY|Q|H)'?\d{1,4}|\d?[QH]\d{1,4}|Q\d[-/ ]?(?:FY)?\d{2,4}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundAnchor:
    """An anchor and where it stands in the question."""

    anchor: Anchor
    span: Span


def find_anchors(text: str) -> tuple[FoundAnchor, ...]:
    """The exact tokens of a question in its order, none inside another; quoted phrases first, then labels, then codes."""
    taken: list[FoundAnchor] = []
    for found in _candidates(text):
        start, end = found.span
        if all(end <= other.span[0] or start >= other.span[1] for other in taken):
            taken.append(found)
    return tuple(sorted(taken, key=lambda found: found.span))


def outside(anchors: Sequence[FoundAnchor], pieces: Sequence[Piece]) -> tuple[FoundAnchor, ...]:
    """The anchors that stand in none of the pieces: what only says where to look, or what is not meant, is no anchor."""
    return tuple(
        found
        for found in anchors
        if not any(piece.start <= found.span[0] and found.span[1] <= piece.end for piece in pieces)
    )


def apart(pieces: Sequence[Piece], anchors: Sequence[FoundAnchor]) -> tuple[Piece, ...]:
    """Pieces that do not run through an anchor: a quoted phrase or a code stays whole."""
    return tuple(
        piece
        for piece in pieces
        if not any(found.span[0] <= piece.start and piece.end <= found.span[1] for found in anchors)
    )


def _candidates(text: str) -> Iterator[FoundAnchor]:
    for match in _QUOTED.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip(" .,;")
        if sum(character.isalnum() for character in inner) >= MIN_QUOTED_LETTERS:
            yield _found("quoted", inner, inner, match.span())
    for match in _IBAN.finditer(text):
        if any(character.isdigit() for character in match.group()[4:]):
            yield _found("code", match.group(), match.group(), match.span())
    for kind, pattern in _STRUCTURES:
        for match in pattern.finditer(text):
            yield from _labelled(text, kind, match)
    yield from _numbered_by_word(text)
    yield from _values(text)
    for match in _STANDARD.finditer(text):
        yield _found("code", match.group(), match.group(), match.span())
    for match in _TOKEN.finditer(text):
        if _is_code_token(match.group()):
            yield _found("code", match.group(), match.group(), match.span())


def _values(text: str) -> Iterator[FoundAnchor]:
    """Dates and sums in every writing that values are read in, and numeric dates of either order; figures only."""
    for value in (*find_values(text, "date"), *find_values(text, "amount")):
        words = text[value.start : value.end].strip(" ,.")
        if any(character.isdigit() for character in words):
            yield _found("date" if value.value.kind == "date" else "amount", words, words, (value.start, value.end))
    kinds: tuple[tuple[AnchorKind, re.Pattern[str]], ...] = (("date", _DATE), ("amount", _AMOUNT))
    for kind, pattern in kinds:
        for match in pattern.finditer(text):
            yield _found(kind, match.group().strip(" ,."), match.group().strip(" ,."), match.span())


def _numbered_by_word(text: str) -> Iterator[FoundAnchor]:
    for match in _BY_WORD.finditer(fold(text)):
        label, ordinal = ("label", "after") if match["label"] else ("behind", "before")
        number = read_ordinal(match[ordinal])
        if number is None or (
            label == "behind" and not match["behind"].lower().startswith(("section", "clause", "art"))
        ):
            continue  # 'first chapter', 'primer capítulo': said of any book
        kind: AnchorKind = "article" if match[label].lower().startswith("art") else "section"
        yield _found(kind, text[match.start() : match.end()], str(number), match.span())


def _labelled(text: str, kind: AnchorKind, match: re.Match[str]) -> Iterator[FoundAnchor]:
    """'Figures 2 and 3' gives both, each with the label."""
    target = match.group("target")
    if target.isalpha() and not target.isupper():
        return  # 'section a' is no label; a number, a capital or a Roman numeral is
    label = text[match.start() : match.start("target")].strip()
    yield _found(kind, f"{label} {target}", target, (match.start(), match.end("target")))
    if not label.rstrip(".").endswith(("s", "§§", "x")):
        return  # 'Table 2 and 3 months': one label, one number
    for more in re.finditer(r"\d+(?:\.\d+)*", match.group("more")):
        at = match.start("more")
        yield _found(kind, f"{label} {more.group()}", more.group(), (at + more.start(), at + more.end()))


def _found(kind: AnchorKind, text: str, target: str, span: Span) -> FoundAnchor:
    return FoundAnchor(Anchor(kind=kind, text=text, target=target), span)


def _is_code_token(token: str) -> bool:
    """True for letters and digits mixed, or numbers and capitals joined by hyphens, dots or slashes."""
    digits = any(character.isdigit() for character in token)
    letters = any(character.isalpha() for character in token)
    joined = any(mark in token for mark in "-./_:")
    if _PLAIN_NUMBER.fullmatch(token) or _PERIOD.fullmatch(token):
        return False
    if digits and letters:
        return True
    if digits and joined:
        return len(token) >= len("12-345")  # shorter ones are ranges of numbers
    return token.isupper() and any(mark in token for mark in "._")
