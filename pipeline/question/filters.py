# ruff: noqa: E501  # patterns are read whole, on one line; word lists as text
"""Where and of whom an answer may speak: parties, versions, sheets, slides, and how near words must stand together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dictionaries.folding import folded_text
from pipeline.question.lexicon import ROLE_WORDS
from pipeline.question.reading import Piece
from schemas.question import AnswerContext, DetectionContext

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

_Name = TypeVar("_Name", bound=str)

MAX_SHEETS = 20  # sheets named in one question
MAX_SLIDES = 500  # slides named in one question

_QUOTED = (
    r"(?:\"(?P<a>[^\"]{1,80})\"|“(?P<b>[^”]{1,80})”|«\s*(?P<c>[^»]{1,80}?)\s*»|'(?P<d>[^']{1,80})'|‘(?P<e>[^’]{1,80})’)"
)
_SHEET_WORD = (
    r"(?:work\s?sheets?|sheets?|tabs?|hojas?(?:\s+de\s+cálculo)?|pestañas?|feuilles?(?:\s+de\s+calcul)?|onglets?)"
)
_NAMED = r"(?P<f>[A-ZÁÉÍÓÚÑÀÈÇ0-9][\w&.-]*(?:\s+[A-ZÁÉÍÓÚÑÀÈÇ0-9][\w&.-]*){0,3})"
_SHEETS = (
    re.compile(rf"(?<!\w)(?i:(?:in|on|from|of|en|de|dans|sur)\s+(?:the\s+|la\s+|l['’]|las\s+|les\s+)?)?(?i:{_SHEET_WORD})\s+(?i:named\s+|called\s+|llamada\s+|nommée?\s+)?(?:{_QUOTED}|{_NAMED})"),
    re.compile(rf"(?<!\w)(?i:in|on|from|of)\s+(?i:the\s+)(?:{_QUOTED}|{_NAMED})\s+(?i:{_SHEET_WORD})(?!\w)"),
)  # fmt: skip
_NO_SHEETS = frozenset(
    ("balance", "term", "fact", "time", "data", "rate", "cover")
)  # 'the Balance Sheet', 'Term Sheet'
_SLIDES = re.compile(
    r"\b(?:(?:on|in|from|en|de|sur|dans)\s+)?(?:(?:the|la|las|les)\s+)?(?:slides?|diapositivas?|diapos?|diapositives?)\s*"
    r"(?:n[.º°]\s*|#\s*)?(?P<list>\d{1,4}(?:\s*(?:-|–|to|through|and|,|a|al|y|à|et)\s*\d{1,4})*)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|\bto\b|\bthrough\b|\ba\b|\bal\b|\bà\b)\s*(\d+)", re.IGNORECASE)
_VERSION = (
    re.compile(r"\b(?:in|of|under|from|en|de|dans|selon)\s+(?:(?:the|la)\s+)?(?:version|versión|v\.?|revisi[oó]n|r[eé]vision|rev\.?|edition|edici[oó]n|édition)\s*(?:n[o.º°]+\s*)?(?P<name>\d+(?:\.\d+)*|[A-Z])\b", re.IGNORECASE),
    re.compile(r"\b(?P<name>(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)|latest|last|original|final|draft|current|previous|amended|restated)(?:\s+and\s+restated)?)\s+(?:version|edition|draft)\b", re.IGNORECASE),
    re.compile(r"\b(?:in|under|by|per)\s+the\s+(?P<name>(?:(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)|latest|last)\s+)?(?:amendment|addendum)(?:\s+(?:no\.?\s*)?\d+)?|original\s+(?:agreement|contract))\b(?!\s+(?:section|clause|provision))", re.IGNORECASE),
    re.compile(r"\b(?:en|según|por)\s+(?:la|el)\s+(?P<name>(?:primer[ao]?|segund[oa]|tercer[ao]?|últim[oa])?\s*(?:enmienda|adenda|modificación|contrato\s+original|versión\s+(?:original|final|anterior|vigente)))\b", re.IGNORECASE),
    re.compile(r"(?<!\w)(?:dans|selon|par)\s+(?:l['’]|le\s+|la\s+)(?P<name>(?:premier|deuxième|troisième|dernier)?\s*(?:avenant|contrat\s+initial|version\s+(?:originale|initiale|finale|précédente|en\s+vigueur)))(?:\s+n[o°º.]+\s*\d+)?(?!\w)", re.IGNORECASE),
)  # fmt: skip
_TOGETHER: tuple[tuple[DetectionContext, re.Pattern[str]], ...] = (
    ("line", re.compile(r"\b(?:in|on)\s+the\s+same\s+line\b|\ben\s+la\s+misma\s+línea\b|\b(?:sur|dans)\s+la\s+même\s+ligne\b", re.IGNORECASE)),
    ("sentence", re.compile(r"\bin\s+the\s+same\s+sentence\b|\ben\s+la\s+misma\s+(?:frase|oración)\b|\bdans\s+la\s+même\s+phrase\b", re.IGNORECASE)),
    ("paragraph", re.compile(r"\bin\s+the\s+same\s+paragraph\b|\ben\s+el\s+mismo\s+párrafo\b|\bdans\s+le\s+même\s+(?:paragraphe|alinéa)\b", re.IGNORECASE)),
)  # fmt: skip
_WHOLE: tuple[tuple[AnswerContext, re.Pattern[str]], ...] = (
    ("document", re.compile(r"\b(?:in|across|over|throughout)\s+the\s+(?:whole|entire|full|complete)\s+(?:document|contract|agreement|report|paper|file|text)\b|\bthroughout\s+the\s+(?:document|contract|agreement|report)\b|\ben\s+todo\s+el\s+(?:documento|contrato|informe|texto)\b|\bdans\s+(?:tout\s+le|l['’]ensemble\s+du)\s+(?:document|contrat|rapport|texte)\b", re.IGNORECASE)),
    ("chapter", re.compile(r"\b(?:in|of|from|within|under|summari[sz]e|explain|describe)\s+(?:the\s+)?(?:(?:whole|entire|\w+)\s+)?chapter\b|\b(?:en|del?|resum[ae]|resumir|explica)\s+(?:el\s+|todo\s+el\s+)?cap[ií]tulo\b|\b(?:dans|du|résume[rz]?|explique[rz]?)\s+(?:le\s+|tout\s+le\s+)?chapitre\b", re.IGNORECASE)),
    ("section", re.compile(r"\b(?:the\s+)?(?:whole|entire|full|complete)\s+(?:section|clause|article)\b|\btoda\s+la\s+(?:sección|cláusula)\b|\btoute\s+la\s+(?:section|clause)\b", re.IGNORECASE)),
    ("page", re.compile(r"\b(?:the\s+)?(?:whole|entire|full)\s+page\b|\btoda\s+la\s+página\b|\btoute\s+la\s+page\b", re.IGNORECASE)),
    ("paragraph", re.compile(r"\b(?:the\s+)?(?:whole|entire|full)\s+paragraph\b|\btodo\s+el\s+párrafo\b|\btout\s+(?:le\s+paragraphe|l['’]alinéa)\b", re.IGNORECASE)),
    ("line", re.compile(r"\b(?:just|only)\s+the\s+(?:exact\s+)?line\b|\b(?:solo|sólo)\s+la\s+línea\b|\bseulement\s+la\s+ligne\b", re.IGNORECASE)),
)  # fmt: skip
_PARTY = re.compile(
    r"(?<!\w)(?:the|either|each|both|el|la|los|las|del|al|le|les|du|aux?|l['’])\s*(?P<name>[^\W\d_]+)(?!\w)",
    re.IGNORECASE,
)
_EITHER = re.compile(r"(?<!\w)(?:either|each|both|cada|ambas|chaque|les\s+deux)\s+(?:part(?:y|ies|e|es|ie))(?!\w)", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question says of where to look beside sections, pages and dates; `pieces` are no words to search for."""

    parties: tuple[str, ...]
    version: str | None
    sheets: tuple[str, ...]
    slides: tuple[int, ...]
    detection: DetectionContext | None
    reading: AnswerContext | None
    pieces: tuple[Piece, ...]


def find_scope(text: str, profile: DocumentProfile | None) -> Scope:
    """Parties, version, sheets, slides and reading contexts that a question names."""
    pieces: list[Piece] = []
    sheets = _sheets(text, pieces)
    slides = _slides(text, pieces)
    version = None
    for pattern in _VERSION:
        match = pattern.search(text)
        if match:
            version = " ".join(match["name"].split())
            pieces.append(Piece(match.start(), match.end(), match.group()))
            break
    detection = _first(text, _TOGETHER, pieces)
    reading = _first(text, _WHOLE, [] if version else pieces, keep=("chapter",))
    return Scope(_parties(text, profile), version, sheets, slides, detection, reading, tuple(pieces))


def _first(  # the first pattern that matches says it
    text: str, patterns: Sequence[tuple[_Name, re.Pattern[str]]], pieces: list[Piece], *, keep: Sequence[str] = ()
) -> _Name | None:
    for name, pattern in patterns:
        match = pattern.search(text)
        if match:
            if name not in keep:
                pieces.append(Piece(match.start(), match.end(), match.group()))
            return name
    return None


def _sheets(text: str, pieces: list[Piece]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for pattern in _SHEETS:
        for match in pattern.finditer(text):
            if any(piece.start < match.end() and match.start() < piece.end for piece in pieces):
                continue
            name = next(match[group] for group in "abcdef" if match.groupdict().get(group))
            if folded_text(name) in _NO_SHEETS:
                continue
            found.setdefault(name.strip(), None)
            pieces.append(Piece(match.start(), match.end(), match.group()))
    return tuple(found)[:MAX_SHEETS]


def _slides(text: str, pieces: list[Piece]) -> tuple[int, ...]:
    numbers: set[int] = set()
    for match in _SLIDES.finditer(text):
        for bounds in _RANGE.finditer(match["list"]):
            first, last = int(bounds[1]), int(bounds[2])
            if first <= last < first + MAX_SLIDES:
                numbers.update(range(first, last + 1))
        numbers.update(map(int, re.findall(r"\d+", match["list"])))
        pieces.append(Piece(match.start(), match.end(), match.group()))
    numbers.discard(0)
    return tuple(sorted(numbers)[:MAX_SLIDES])


def _parties(text: str, profile: DocumentProfile | None) -> tuple[str, ...]:
    """Roles with an article before them, and the names and labels of the document's own parties, in their order."""
    found: list[tuple[int, str]] = [
        (match.start("name"), match["name"])
        for match in _PARTY.finditer(text)
        if folded_text(match["name"].removesuffix("s")) in ROLE_WORDS or folded_text(match["name"]) in ROLE_WORDS
    ]
    found += [(match.start(), match.group()) for match in _EITHER.finditer(text)]
    for party in profile.semantic.parties if profile else ():
        for name in (party.text, party.label):
            at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name else None
            if at:
                found.append((at.start(), at.group()))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))
