# ruff: noqa: E501  # a pattern is read whole, on one line
"""What kind of fragment a text is: a party, a place, a time, a format, a topic, a question word, 'it'; or none."""

from __future__ import annotations

import re
from typing import Literal

from pipeline.question.anchors import find_anchors
from pipeline.question.clauses import OPENS, PRONOUN, has_own_topic
from pipeline.question.formats import find_wishes
from pipeline.question.hints import find_places
from pipeline.question.lexicon import ROLE_WORDS
from pipeline.question.reading import Span

Kind = Literal["party", "place", "format", "time", "asking", "pronoun", "phrase", "topic"]
MAX_FRAGMENT_WORDS = 7  # a longer text without a verb of asking is a search of its own
MAX_ELLIPTIC_WORDS = 5  # 'and for how long', 'and with how much notice'

DET = r"(?:the|its|their|our|a|an|any|each|either|el|la|los|las|su|sus|un|una|le|les|l['’]|son|sa|ses|une)"
PREP = r"(?:for|to|by|of|from|with|against|in|on|under|at|during|after|before|until|since|para|por|de|con|a|en|contra|pour|par|avec|à|dans|sur|sous|contre|tras|desde|hasta|después de|antes de|après|avant|depuis|jusqu['’]à)"
CONTRACTED = {"del": "de el", "al": "a el", "du": "de le", "des": "de les", "au": "à le", "aux": "à les"}
ROLE = "|".join(sorted(map(re.escape, ROLE_WORDS), key=lambda word: (-len(word), word)))
NAME = r"[A-ZÀ-Ý][\w&.'’-]*(?:\s+(?:[A-ZÀ-Ý&][\w&.'’-]*|de|du|y|et|and))*"
_BEFORE_ROLE = re.compile(rf"\b(?:{'|'.join(CONTRACTED)})\b(?=\s+(?:{ROLE}|part)\w*\b)", re.IGNORECASE)
PARTY = re.compile(rf"^(?:(?P<prep>{PREP})\s+)?(?P<who>(?:{DET}\s*)?(?:other\s+|otra\s+|autre\s+)?(?:{ROLE}|part(?:y|ies|es?|ies?)))(?:['’]s)?$", re.IGNORECASE)  # fmt: skip
NAMED = re.compile(rf"^(?i:(?P<prep>for|by|to|para|por|pour|par))\s+(?P<who>{NAME})$")
TIME = re.compile(
    r"^(?:(?:in|for|during|as\s+of|at\s+the\s+end\s+of|en|durante|para|pendant|pour)\s+)?(?:(?:the|el|l['’])\s*)?(?P<when>(?:fiscal\s+(?:year\s+)?|FY\s*|año\s+|année\s+|year\s+)?(?:19|20)\d\d|[QH][1-4](?:\s+(?:of\s+)?(?:FY\s*)?(?:19|20)\d\d)?)$",
    re.IGNORECASE,
)
_STRUCTURES = ("section", "article", "annex", "page", "table", "figure")
_BEFORE_PLACE = re.compile(r"(?:\b(?:in|on|at|of|under|from|within|en|de|dans|sur|à)\s+)?(?:\b(?:the|la|el|le|l['’])\s*)?$", re.IGNORECASE)  # fmt: skip
PHRASE = re.compile(rf"^(?P<prep>{PREP})\s+(?P<object>\S.*)$", re.IGNORECASE)
DUMMY = re.compile(r"\bit\s+(?:possible|allowed|permitted|necessary|required|true|correct|mandatory|take|matter)\b|\bit\s+(?:is|was)\s+\w+\s+(?:that|to)\b|\b(?:il|elle|ils|elles)\s+y\s+a\b|\ba-t-(?:il|elle)\b|\best-il\b", re.IGNORECASE)  # fmt: skip
POINTING = re.compile(r"\b(?:(?:is|does|did|can|was|about|after|before|for)\s+(?:that|this)|(?:are|do|about|for)\s+(?:those|these))$|\b(?:does|is|was|can)\s+(?:that|this)\s+(?=(?:mean|apply|include|cover|end|start|expire|last|say|work)\b)", re.IGNORECASE)  # fmt: skip


def kind_of(rest: str, *, has_lead: bool, about: bool) -> Kind | None:
    """What kind of fragment it is; None for a question of its own."""
    words = rest.split()
    if not words:
        return None
    if OPENS.search(rest):
        if len(words) <= MAX_ELLIPTIC_WORDS and not has_own_topic(rest) and not PRONOUN.search(rest):
            return "asking"
        return "pronoun" if _speaks_of_it(rest) else None
    if len(words) > MAX_FRAGMENT_WORDS:
        return None
    if about and (PRONOUN.fullmatch(rest) or rest.lower() in ("that", "this", "those", "these", "eso", "cela", "ça")):
        return "pronoun"
    prefixed = bool(PHRASE.match(rest))
    if PARTY.match(uncontracted(rest)) or NAMED.match(rest):
        return "party" if has_lead or prefixed or len(words) > 1 else None
    if _is_format(rest):
        return "format"
    if TIME.match(rest):
        return "time"
    if _is_place(rest):
        return "place" if has_lead or prefixed else None
    if prefixed and (has_lead or len(words) <= MAX_ELLIPTIC_WORDS):
        return "phrase"
    return "topic" if has_lead else None


def object_of(rest: str) -> str:
    """What a fragment names, without the preposition before it."""
    match = PHRASE.match(rest)
    return match["object"] if match else rest


def uncontracted(text: str) -> str:
    """'Du client' as 'de le client', so that the party can be exchanged."""
    return _BEFORE_ROLE.sub(lambda match: CONTRACTED[match.group().lower()], text)


def _speaks_of_it(rest: str) -> bool:
    """True when a pronoun stands before any topic of the question's own."""
    match = PRONOUN.search(rest) or POINTING.search(rest)
    return bool(match) and not DUMMY.search(rest) and not has_own_topic(rest[: match.start()]) if match else False


def _is_format(rest: str) -> bool:
    return any(piece.text.strip() == rest for piece in find_wishes(f"so: {rest}"))


def place_spans(text: str) -> list[Span]:
    """Where a text names a place of the document, with the words that lead to it."""
    places = find_places(text)
    spans = [(piece.start, piece.end) for piece in places.page_pieces]
    spans += [found.span for found in find_anchors(text) if found.anchor.kind in _STRUCTURES]
    if places.section_piece is not None:
        spans.append((places.section_piece.start, places.section_piece.end))
    led = []
    for start, end in sorted(spans):
        before = _BEFORE_PLACE.search(text[:start])
        led.append((before.start() if before else start, end))
    return led


def _is_place(rest: str) -> bool:
    left = without(rest, place_spans(rest))
    return left != rest and not re.sub(rf"\b(?:{PREP}|{DET})\b", "", left, flags=re.IGNORECASE).strip(" ,")


def without(text: str, spans: list[Span]) -> str:
    """The text without these places, on one line."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split()).strip(" ,")
