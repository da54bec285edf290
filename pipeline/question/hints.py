# ruff: noqa: E501  # a pattern is read whole, on one line
"""Where the user says to look, what they say it is not, and how they want it put."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.question.reading import Piece

Layout = Literal["text", "table", "image", "header"]
MAX_PAGES = 500  # pages named in one question; 'pages 1 to 9999' would name everything
MAX_EXCLUSION_WORDS = 8  # longer and the clause is a sentence of its own

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
_PAGES = re.compile(
    r"\b(?:(?P<only>only|solely|s[oó]lo|solamente|[uú]nicamente|uniquement|seulement)\s+)?"
    r"(?:(?:on|in|at|from|en|de|à|sur|dans)\s+)?(?:(?:the|la|las|les)\s+)?(?:pages?|p[aá]ginas?|pp?\.|p[aá]gs?\.)\s*"
    r"(?P<list>\d+(?:\s*(?:-|–|—|to|through|until|till|and|or|&|,|a|al|hasta|y|o|e|à|au|jusqu['’]à|et|ou)\s*(?:la\s+)?\d+)*)",
    re.IGNORECASE,
)
_NAMED_PAGE = re.compile(
    r"\b(?:on|in|en|sur|à|de)\s+(?:the|la)\s+(?:(?P<first>first|cover|title|primera|premi[eè]re)\s+(?:page|p[aá]gina)|"
    r"(?P<last>last|final|[uú]ltima|derni[eè]re)\s+(?:page|p[aá]gina)|(?P<portada>portada|couverture|page\s+de\s+garde))",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b|\ba\b|\bal\b|\bhasta\b|\bà\b|\bau\b|\bjusqu['’]à\b)\s*(?:la\s+)?(\d+)", re.IGNORECASE)  # fmt: skip
_LAYOUTS: tuple[tuple[Layout, str], ...] = (
    ("table", r"\b(?:in|from|según|en|dans|d'après)\s+(?:the|this|la|las|le|les|el|los)\s+(?:\w+\s+)?(?:tables?|tablas?|tableaux?|cuadros?)\b(?!\s+of\s+contents)"),
    ("image", r"\b(?:in|from|en|dans)\s+(?:the|this|la|las|le|les|el|los)\s+(?:\w+\s+)?(?:figures?|images?|charts?|diagrams?|graphs?|pictures?|maps?|im[aá]gen(?:es)?|gr[aá]ficos?|diagramas?|graphiques?|sch[eé]mas?)\b"),
    ("header", r"\b(?:in|en|dans)\s+(?:the|el|l['’]|le)\s*(?:page\s+)?(?:headers?|footers?|letterhead|encabezado|pie\s+de\s+p[aá]gina|en-t[eê]te|pied\s+de\s+page)\b"),
)  # fmt: skip

_ARTICLE = r"(?:the|a|an|any|its|their|those|that|including|counting|just|only|el|la|los|las|un|una|su|sus|le|les|l['’]|une|des|son|ses|du)"
_CLAUSE = rf"(?:[^\s,.;:?!()|]+(?:\s+|(?=[,.;:?!()|]|$))){{1,{MAX_EXCLUSION_WORDS}}}"
_EXCLUSIONS = (
    re.compile(rf"(?:(?<=[,;(])\s*|\b(?:and|but|y|pero|et|mais)\s+)(?:not|no|non|pas)\s+(?={_ARTICLE}(?:\s|(?<=['’]))){_CLAUSE}", re.IGNORECASE),
    re.compile(rf"\b(?:excluding|except(?:\s+for)?|other\s+than|apart\s+from|rather\s+than|instead\s+of|as\s+opposed\s+to|ignoring|disregarding|leaving\s+(?:out|aside)|without\s+counting|but\s+not)\s+{_CLAUSE}", re.IGNORECASE),
    re.compile(rf"\b(?:excluyendo|excepto|salvo|sin\s+contar|sin\s+incluir|en\s+lugar\s+de|en\s+vez\s+de|aparte\s+de|hormis|sauf|excepté|à\s+l['’]exclusion\s+d[eu']|plutôt\s+que|au\s+lieu\s+d[eu']|sans\s+compter|sans\s+inclure)\s*{_CLAUSE}", re.IGNORECASE),
)  # fmt: skip
_UNITS = (
    r"(?:calendar\s+|business\s+|working\s+)?(?:days|weeks|months|years|hours|minutes|d[ií]as|semanas|meses|años|horas|jours|semaines|mois|ans|ann[eé]es|heures)"
)  # fmt: skip
_MONEY = r"(?:(?:thousands?|millions?|billions?)\s+of\s+)?(?:EUR|USD|GBP|CHF|JPY|CAD|euros?|(?:us\s+)?dollars?|d[oó]lares|pounds?|libras|livres|yen)(?:\s+(?:thousands?|millions?|billions?))?"
_FORMATS = r"(?:an?\s+)?(?:bullet(?:ed)?\s+(?:points?|list)|table|tabla|tableau|list|lista|liste|json|iso(?:\s+8601)?(?:\s+format)?|(?:int|integer|float|list|decimal|percentage)\s+format|(?:one|two|three|a\s+few|\d+|una|dos|tres|une|deux|trois)\s+(?:sentences?|words?|lines?|paragraphs?|frases?|palabras?|l[ií]neas?|p[aá]rrafos?|phrases?|mots?|lignes?)|percent|percentages?|porcentaje|pourcentage|short|brief|resumen|bref|detail|english|spanish|french|ingl[eé]s|espa[nñ]ol|franc[eé]s|anglais|espagnol|fran[cç]ais|plain\s+(?:words|language|english))"
# Sentences that tell how to answer, beside the one that asks.
_INSTRUCTION = r"(?:(?<=[.!?])\s+|^)(?:please\s+)?(?:answer|give|round|return|format|assume|approach|calculate|compute|express|respond|reply|write|keep|responda|redondee|répondez|arrondissez)\b[^.?!]*(?:\.\d[^.?!]*)*[.!]?(?=\s|$)"
_WISHES = (
    re.compile(_INSTRUCTION, re.IGNORECASE),
    re.compile(rf"\(?\b(?:expressed\s+|stated\s+|given\s+|converted\s+|answer(?:ed)?\s+|expresad[oa]\s+|exprim[eé]e?s?\s+)?(?:in|as|en|into)\s+(?:{_UNITS}|{_MONEY}|{_FORMATS})\b(?!\s+\d)\)?", re.IGNORECASE),
    re.compile(r"\b(?:format(?:ted)?\s+(?:the\s+\w+\s+)?as\s+\S+|(?:dd|mm|yyyy)[/.-](?:dd|mm|yyyy)(?:[/.-](?:dd|mm|yyyy))?|round(?:ed)?\s+(?:your\s+answer\s+)?to\s+\w+(?:\s+\w+){0,3}|one-line|briefly|brièvement|brevemente)", re.IGNORECASE),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Places:
    """Where the user says to look; `pieces` are the words that say so."""

    section: str | None
    section_piece: Piece | None
    pages: tuple[int, ...]
    last_page: bool
    page_only: bool
    layout: Layout | None
    page_pieces: tuple[Piece, ...]


def find_places(text: str) -> Places:
    """Section, pages and layout that a question names."""
    section, piece = _section(text)
    pages: set[int] = set()
    pieces: list[Piece] = []
    only = False
    for match in _PAGES.finditer(text):
        pages |= _page_numbers(match.group("list"))
        only = only or match.group("only") is not None
        pieces.append(Piece(match.start(), match.end(), match.group()))
    last = False
    for match in _NAMED_PAGE.finditer(text):
        last = last or match.group("last") is not None
        if match.group("last") is None:
            pages.add(1)
        pieces.append(Piece(match.start(), match.end(), match.group()))
    layout = next((name for name, pattern in _LAYOUTS if re.search(pattern, text, re.IGNORECASE)), None)
    return Places(section, piece, tuple(sorted(pages)), last, only and bool(pages), layout, tuple(pieces))


def find_exclusions(text: str) -> tuple[Piece, ...]:
    """What the user says it is not, in the question's words."""
    return _pieces(text, _EXCLUSIONS)


def find_wishes(text: str) -> tuple[Piece, ...]:
    """How the user wants the answer put, in the question's words."""
    return _pieces(text, _WISHES)


def _pieces(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for pattern in patterns:
        for match in pattern.finditer(text):
            if match.end() - match.start() >= len(text.rstrip(" ?.!")):
                continue  # the whole question: a command ('Give the price in EUR'), no wish beside one
            stripped = match.group().strip(" ,;")
            start = match.start() + match.group().index(stripped)
            piece = Piece(start, start + len(stripped), stripped)
            if all(piece.end <= other.start or piece.start >= other.end for other in found):
                found.append(piece)
    return tuple(sorted(found, key=lambda piece: piece.span))


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
