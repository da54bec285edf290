# ruff: noqa: E501  # a pattern is read whole, on one line
"""Where the user says to look: sections, pages, layouts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.question.reading import Piece

Layout = Literal["text", "table", "image", "header"]
MAX_PAGES = 500  # pages named in one question; 'pages 1 to 9999' would name everything

_SECTION_WORD = r"(?:section|chapter|clause|article|part|secci[oó]n|apartado|cl[aá]usula|cap[ií]tulo|chapitre|rubrique)"
_TITLE_WORDS = r"[\w'’&/.-]+(?:\s+[\w'’&/.-]+){0,5}?"
_NUMBER = r"\d+(?:\.\d+)*|[IVXLC]+\b"
_SECTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:in|within|under|from|of|summari[sz]e|explain)\s+the\s+(?P<title>{_TITLE_WORDS})\s+(?:section|chapter|clause)s?\b(?!\s+\d)",
        rf"\b(?:section|chapter)\s+(?:on|about|titled|called|entitled|named)\s+(?P<title>{_TITLE_WORDS})(?=\s*(?:[,.;:?!|]|$|\b(?:say|says|describe|mention|cover|contain|state)))",
        rf"\b(?:secci[oó]n|apartado|cap[ií]tulo)\s+(?:(?:de|sobre|titulad[oa]|llamad[oa])\s+)(?:la\s+|el\s+|los\s+|las\s+)?(?P<title>{_TITLE_WORDS})(?=\s*(?:[,.;:?!|]|$))",
        rf"\b(?:section|chapitre|rubrique)\s+(?:sur|intitulée?|relative?\s+(?:à|aux?)|des?|du)\s+(?:la\s+|le\s+|les\s+|l['’])?(?P<title>{_TITLE_WORDS})(?=\s*(?:[,.;:?!|]|$))",
        r"\b(?:la|las|una|the)\s+(?:secci[oó]n|apartado)\s+(?P<title>[A-ZÁÉÍÓÚ][\w'’&/-]+(?:\s+[\w'’&/-]+){0,3}?)(?=\s*(?:[,.;:?!|]|$))",
        r"\bla\s+section\s+(?P<title>[A-ZÉÈÀ][\w'’&/-]+(?:\s+[\w'’&/-]+){0,3}?)(?=\s*(?:[,.;:?!|]|$))",
    )
)  # fmt: skip
_NUMBERED = re.compile(rf"(?<!\w)(?:§\s*|{_SECTION_WORD}s?\s+(?:n[o.º°]+\s*)?)(?P<number>{_NUMBER})", re.IGNORECASE)
_ONLY = r"(?:only|solely|exclusively|just|nothing\s+but|s[oó]lo|solamente|[uú]nicamente|exclusivamente|uniquement|seulement|exclusivement)"
# 'only use pages 2 to 4', 'look only at page 3', 'on page 8 only'.
_LOOK = r"(?:\s+(?:use|look|search|read|consider|check|usa|use|busca|mira|lee|utilisez|cherchez|lisez|regardez))?"
_ONLY_BEFORE = re.compile(rf"(?<!\w){_ONLY}{_LOOK}\s*$", re.IGNORECASE)
_ONLY_AFTER = re.compile(rf"\s*\(?{_ONLY}(?=\W|$)\)?", re.IGNORECASE)
_PAGES = re.compile(
    rf"\b(?:(?P<only>{_ONLY}){_LOOK}\s+)?"
    r"(?:(?:on|in|at|from|en|de|à|aux?|sur|dans)\s+)?(?:(?:the|la|las|les)\s+)?(?:pages?|p[aá]ginas?|pp?\.|p[aá]gs?\.)\s*"
    r"(?P<list>\d+(?:\s*(?:-|–|—|to|through|until|till|and|or|&|,|a|al|hasta|y|o|e|à|au|jusqu['’]à|et|ou)\s*(?:la\s+)?\d+)*)",
    re.IGNORECASE,
)
_NAMED_PAGE = re.compile(
    r"\b(?:on|in|en|sur|à|de)\s+(?:the|la)\s+(?:(?P<first>first|cover|title|primera|premi[eè]re)\s+(?:page|p[aá]gina)|"
    r"(?P<last>last|final|[uú]ltima|derni[eè]re)\s+(?:page|p[aá]gina)|(?P<portada>portada|couverture|page\s+de\s+garde))",
    re.IGNORECASE,
)
_COUNTS = {
    **dict.fromkeys(("primera", "première", "última", "dernière"), 1),
    **dict.fromkeys(("two", "dos", "deux", "couple of"), 2),
    **dict.fromkeys(("three", "tres", "trois", "few"), 3),
    **dict.fromkeys(("four", "cuatro", "quatre"), 4),
    **dict.fromkeys(("five", "cinco", "cinq"), 5),
    **dict.fromkeys(("six", "seis"), 6),
    **dict.fromkeys(("seven", "siete", "sept"), 7),
    **dict.fromkeys(("eight", "ocho", "huit"), 8),
    **dict.fromkeys(("nine", "nueve", "neuf"), 9),
    **dict.fromkeys(("ten", "diez", "dix"), 10),
}
_COUNT = rf"(?P<{{0}}>\d{{{{1,3}}}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_FIRST, _LAST = r"first|primeras?|premi[eè]res?", r"last|final|[uú]ltimas?|derni[eè]res?"
_SPAN_OF_PAGES = re.compile(
    rf"\b(?:(?P<only>{_ONLY}){_LOOK}\s+)?"
    r"(?:on|in|at|within|from|en|dans|sur|aux?|de)\s+(?:the|las?|les)\s+"
    rf"(?:(?P<end>{_FIRST}|{_LAST})\s+{_COUNT.format('n1')}|{_COUNT.format('n2')}\s+(?P<end2>{_FIRST}|{_LAST}))\s+"
    r"(?:pages|p[aá]ginas)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b|\ba\b|\bal\b|\bhasta\b|\bà\b|\bau\b|\bjusqu['’]à\b)\s*(?:la\s+)?(\d+)", re.IGNORECASE)  # fmt: skip
_LAYOUTS: tuple[tuple[Layout, str], ...] = (
    ("table", r"\b(?:in|from|según|en|dans|d'après)\s+(?:the|this|la|las|le|les|el|los)\s+(?:\w+\s+)?(?:tables?|tablas?|tableaux?|cuadros?)\b(?!\s+of\s+contents)"),
    ("image", r"\b(?:in|from|en|dans)\s+(?:the|this|la|las|le|les|el|los)\s+(?:\w+\s+)?(?:figures?|images?|charts?|diagrams?|graphs?|pictures?|maps?|im[aá]gen(?:es)?|gr[aá]ficos?|diagramas?|graphiques?|sch[eé]mas?)\b"),
    ("header", r"\b(?:in|en|dans)\s+(?:the|el|l['’]|le)\s*(?:page\s+)?(?:headers?|footers?|letterhead|encabezado|pie\s+de\s+p[aá]gina|en-t[eê]te|pied\s+de\s+page)\b"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Places:
    """Where the user says to look; `pieces` are the words that say so."""

    section: str | None
    section_piece: Piece | None
    pages: tuple[int, ...]
    last_pages: int  # how many pages at the end; 0 for none
    page_only: bool
    layout: Layout | None
    page_pieces: tuple[Piece, ...]
    layout_words: str = ""  # 'in the table'


def find_places(text: str) -> Places:
    """Section, pages and layout that a question names."""
    section, titled = _section(text)
    pages: set[int] = set()
    pieces: list[Piece] = []
    only = False
    for match in _PAGES.finditer(text):
        pages |= _page_numbers(match.group("list"))
        piece, is_only = with_only(text, Piece(match.start(), match.end(), match.group()))
        only = only or is_only or match["only"] is not None
        pieces.append(piece)
    last = 0
    for match in _SPAN_OF_PAGES.finditer(text):
        number = (match["n1"] or match["n2"]).casefold()
        count = min(int(number) if number.isdigit() else _COUNTS[number], MAX_PAGES)
        if re.fullmatch(_FIRST, match["end"] or match["end2"], re.IGNORECASE):
            pages.update(range(1, count + 1))
        else:
            last = max(last, count)
        piece, is_only = with_only(text, Piece(match.start(), match.end(), match.group()))
        only = only or is_only or match["only"] is not None
        pieces.append(piece)
    for match in _NAMED_PAGE.finditer(text):
        last = max(last, int(match.group("last") is not None))
        if match.group("last") is None:
            pages.add(1)
        piece, is_only = with_only(text, Piece(match.start(), match.end(), match.group()))
        only = only or is_only
        pieces.append(piece)
    layouts = ((name, re.search(pattern, text, re.IGNORECASE)) for name, pattern in _LAYOUTS)
    layout, words = next(((name, match.group()) for name, match in layouts if match), (None, ""))
    return Places(
        section, titled, tuple(sorted(pages)), last, only and bool(pages or last), layout, tuple(pieces), words
    )


def with_only(text: str, piece: Piece) -> tuple[Piece, bool]:
    """The piece with the 'only' that stands at it, before or behind; True where one does."""
    before, after = _ONLY_BEFORE.search(text[: piece.start]), _ONLY_AFTER.match(text, piece.end)
    start, end = before.start() if before else piece.start, after.end() if after else piece.end
    return Piece(start, end, text[start:end]), bool(before or after)


def _section(text: str) -> tuple[str | None, Piece | None]:
    for pattern in _SECTIONS:
        match = pattern.search(text)
        if match and not re.fullmatch(
            r"(?:this|that|same|next|following|document|entire|whole)", match["title"], re.IGNORECASE
        ):
            return match["title"].strip(), Piece(match.start("title"), match.end("title"), match["title"])
    match = _NUMBERED.search(text)
    return (match["number"], None) if match else (None, None)


def _page_numbers(listed: str) -> set[int]:
    pages: set[int] = set()
    for match in _RANGE.finditer(listed):
        first, last = int(match[1]), int(match[2])
        if first <= last < first + MAX_PAGES:
            pages.update(range(first, last + 1))
    pages.update(int(number) for number in re.findall(r"\d+", listed)[:MAX_PAGES])
    pages.discard(0)
    return pages
