# ruff: noqa: E501  # a pattern is read whole, on one line
"""A follow-up made complete: 'and for the supplier?' is the question before with another party in it.

A fragment is told by what it lacks: it names a party, a place, a time, a format or a topic and asks nothing, or asks
with a question word alone, or speaks of 'it'. Anything else is a question of its own and is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import folded_text
from pipeline.question.anchors import find_anchors
from pipeline.question.clauses import (
    OPENS,
    PRONOUN,
    YES_NO_OPEN,
    definite,
    genitive,
    has_own_topic,
    is_plural,
    lower_first,
    replace_pronoun,
    sentence,
    subject_of,
    subject_span,
)
from pipeline.question.formats import find_wishes
from pipeline.question.hints import find_places
from pipeline.question.lexicon import ROLE_WORDS
from pipeline.question.reading import Span, clean

Kind = Literal["party", "place", "format", "time", "asking", "pronoun", "phrase", "topic"]
MAX_FRAGMENT_WORDS = 7  # a longer text without a verb of asking is a search of its own
MAX_ELLIPTIC_WORDS = 5  # 'and for how long', 'and with how much notice'

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|and|but|so|also|y|e|pero|et|mais)\b[\s,]*)*(?:¿\s*)?"
    r"(?P<about>(?:what|how)\s+about|same\s+(?:question\s+)?(?:for|but)|qué\s+hay\s+(?:de\b|del\b)|qué\s+pasa\s+con|y\s+qué\s+tal|lo\s+mismo|"
    r"qu['’]en\s+est-il\s+(?:de\b|du\b|des\b|pour\b|d['’])|quid\s+(?:de\b|du\b|des\b|d['’])|même\s+question\s+pour)?[\s,]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:too|also|as\s+well|then|instead|please|también|entonces|por\s+favor|aussi|alors|svp)$", re.IGNORECASE
)
_DET = r"(?:the|its|their|our|a|an|any|each|either|el|la|los|las|su|sus|un|una|le|les|l['’]|son|sa|ses|une)"
_PREP = r"(?:for|to|by|of|from|with|against|in|on|under|at|during|after|before|until|since|para|por|de|con|a|en|contra|pour|par|avec|à|dans|sur|sous|contre|tras|desde|hasta|después de|antes de|après|avant|depuis|jusqu['’]à)"
_CONTRACTED = {"del": "de el", "al": "a el", "du": "de le", "des": "de les", "au": "à le", "aux": "à les"}
_ROLE = "|".join(sorted(map(re.escape, ROLE_WORDS), key=lambda word: (-len(word), word)))
_NAME = r"[A-ZÀ-Ý][\w&.'’-]*(?:\s+(?:[A-ZÀ-Ý&][\w&.'’-]*|de|du|y|et|and))*"
_BEFORE_ROLE = re.compile(rf"\b(?:{'|'.join(_CONTRACTED)})\b(?=\s+(?:{_ROLE}|part)\w*\b)", re.IGNORECASE)
_PARTY = re.compile(rf"^(?:(?P<prep>{_PREP})\s+)?(?P<who>(?:{_DET}\s*)?(?:other\s+|otra\s+|autre\s+)?(?:{_ROLE}|part(?:y|ies|es?|ies?)))(?:['’]s)?$", re.IGNORECASE)  # fmt: skip
_NAMED = re.compile(rf"^(?i:(?P<prep>for|by|to|para|por|pour|par))\s+(?P<who>{_NAME})$")
_SOME_PARTY = re.compile(
    rf"(?:(?P<prep>\b{_PREP})\s+)?(?P<who>\b(?:{_DET}\s*)(?:{_ROLE}|parties|party|partes?|parties?)\b)", re.IGNORECASE
)
_SOME_NAME = re.compile(rf"\b(?P<prep>for|by|of|para|por|de|pour|par)\s+(?P<who>{_NAME})")
_TIME = re.compile(
    r"^(?:(?:in|for|during|as\s+of|at\s+the\s+end\s+of|en|durante|para|pendant|pour)\s+)?(?:(?:the|el|l['’])\s*)?(?P<when>(?:fiscal\s+(?:year\s+)?|FY\s*|año\s+|année\s+|year\s+)?(?:19|20)\d\d|[QH][1-4](?:\s+(?:of\s+)?(?:FY\s*)?(?:19|20)\d\d)?)$",
    re.IGNORECASE,
)
_SOME_TIME = re.compile(r"\b(?:fiscal\s+(?:year\s+)?|FY\s*|year\s+)?(?:19|20)\d\d\b|\b[QH][1-4](?:\s+(?:of\s+)?(?:19|20)\d\d)?\b", re.IGNORECASE)  # fmt: skip
_STRUCTURES = ("section", "article", "annex", "page", "table", "figure")
_BEFORE_PLACE = re.compile(r"(?:\b(?:in|on|at|of|under|from|within|en|de|dans|sur|à)\s+)?(?:\b(?:the|la|el|le|l['’])\s*)?$", re.IGNORECASE)  # fmt: skip
_PHRASE = re.compile(rf"^(?P<prep>{_PREP})\s+(?P<object>\S.*)$", re.IGNORECASE)
_DUMMY = re.compile(r"\bit\s+(?:possible|allowed|permitted|necessary|required|true|correct|mandatory|take|matter)\b|\bit\s+(?:is|was)\s+\w+\s+(?:that|to)\b|\b(?:il|elle|ils|elles)\s+y\s+a\b|\ba-t-(?:il|elle)\b|\best-il\b", re.IGNORECASE)  # fmt: skip
_POINTING = re.compile(r"\b(?:(?:is|does|did|can|was|about|after|before|for)\s+(?:that|this)|(?:are|do|about|for)\s+(?:those|these))$|\b(?:does|is|was|can)\s+(?:that|this)\s+(?=(?:mean|apply|include|cover|end|start|expire|last|say|work)\b)", re.IGNORECASE)  # fmt: skip
_WHY = re.compile(r"^(?:why(?:\s+(?:so|is\s+that|not))?|(?:y\s+)?por\s+qué|pourquoi)$", re.IGNORECASE)
_REASON = {
    "en": "What is the reason for {0}?",
    "es": "¿Cuál es el motivo de {0}?",
    "fr": "Quelle est la raison de {0} ?",
}
_ABOUT = {"en": "What does the document say about {0}?", "es": "¿Qué dice el documento sobre {0}?", "fr": "Que dit le document sur {0} ?"}  # fmt: skip
_PLAIN_ASKING = re.compile(r"^(?:who|what|when|where|how\s+(?:long|much|many|often|big|high|large))$", re.IGNORECASE)
_WH_CLAUSE = re.compile(
    r"^(?:what|when|where|who|why|how(?:\s+(?:long|much|many|often|soon))?)\s+(?P<clause>(?:does|do|did|can|may|must|shall|will|should|is|are|was|were|has|have)\s+.+)$",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(r"^[¿\s]*what(?:'s|\s+is|\s+are|\s+was)\b", re.IGNORECASE)
_OWNED = re.compile(r"^(?:its|their)\s+(?P<thing>\w.*)$", re.IGNORECASE)
_PERSON_OPEN = re.compile(r"^[¿\s]*(?:who|whose|by\s+whom|quién|quiénes|qui|where|dónde|où)\b", re.IGNORECASE)
_PLURAL_FIX = (("what is", "what are"), ("who is", "who are"), ("cuál es", "cuáles son"), ("quel est", "quels sont"))


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a text is in a session: its complete form, or the kind of fragment that nothing completes."""

    text: str  # the question to read: complete, or as it was
    is_resolved: bool = False
    missing: Kind | None = None  # the kind of a fragment without a question before it
    fragment: str = ""  # what the fragment names


def complete_follow_up(text: str, previous: str | None, *, language: str = "en") -> FollowUp:
    """The question that a text stands for behind `previous`, the complete question before it.

    A complete question comes back as it is. A fragment without a question before it comes back with `missing` set: it
    is for the user to say what is meant. `language` is that of the question before, for the words that join them.
    """
    bare = clean(text).strip(" ?¿!¡.…")
    lead = _LEAD.match(bare)
    rest = _TAIL.sub("", bare[lead.end() :] if lead else bare).strip(" ,¿")
    contracted = (
        re.search(r"\b(del|du|des)\b\s*$", bare[: lead.end()], re.IGNORECASE) if lead and lead["about"] else None
    )
    if contracted:
        rest = f"{_CONTRACTED[contracted.group(1).lower()][3:]} {rest}"
    has_lead = bool(lead and lead.end())
    kind = _kind(rest, has_lead=has_lead, about=bool(lead and lead["about"]))
    if kind is None:
        return FollowUp(text)
    if previous is None:
        lacks = kind in ("format", "time") or (kind in ("party", "place") and (has_lead or _PHRASE.match(rest)))
        return FollowUp(text, missing=kind if lacks and has_lead else None, fragment=_object(rest))
    resolved = _resolve(kind, rest, sentence(previous)[:-1].lstrip("¿"), language, about=bool(lead and lead["about"]))
    if resolved is None or folded_text(resolved) == folded_text(text):
        return FollowUp(text)
    return FollowUp(sentence(_contracted(resolved)), is_resolved=True)


def _kind(rest: str, *, has_lead: bool, about: bool) -> Kind | None:
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
    prefixed = bool(_PHRASE.match(rest))
    if _PARTY.match(_uncontracted(rest)) or _NAMED.match(rest):
        return "party" if has_lead or prefixed or len(words) > 1 else None
    if _is_format(rest):
        return "format"
    if _TIME.match(rest):
        return "time"
    if _is_place(rest):
        return "place" if has_lead or prefixed else None
    if prefixed and (has_lead or len(words) <= MAX_ELLIPTIC_WORDS):
        return "phrase"
    return "topic" if has_lead else None


def _resolve(kind: Kind, rest: str, previous: str, language: str, *, about: bool) -> str | None:
    """The question before with the fragment in its place."""
    if kind == "party":
        return _with_party(_uncontracted(rest), previous)
    if kind == "place":
        return _with_place(rest, previous)
    if kind == "format":
        return f"{_without(previous, [(piece.start, piece.end) for piece in find_wishes(previous)])} {rest}"
    if kind == "time":
        return _with_time(rest, previous)
    if kind == "asking":
        return _with_asking(rest, previous, language)
    if kind == "pronoun":
        return _with_pronoun(rest, previous, language)
    if kind == "phrase":
        return _with_phrase(rest, previous)
    return _with_topic(rest, previous, language, about=about)


def _speaks_of_it(rest: str) -> bool:
    """True when a pronoun stands before any topic of the question's own."""
    match = PRONOUN.search(rest) or _POINTING.search(rest)
    return bool(match) and not _DUMMY.search(rest) and not has_own_topic(rest[: match.start()]) if match else False


def _is_format(rest: str) -> bool:
    return any(piece.text.strip() == rest for piece in find_wishes(f"so: {rest}"))


def _place_spans(text: str) -> list[Span]:
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
    left = _without(rest, _place_spans(rest))
    return left != rest and not re.sub(rf"\b(?:{_PREP}|{_DET})\b", "", left, flags=re.IGNORECASE).strip(" ,")


def _with_party(rest: str, question: str) -> str:
    previous = _uncontracted(question)
    match = _PARTY.match(rest) or _NAMED.match(rest)
    if match is None:
        return previous
    who, prep = match["who"], (match["prep"] or "").lower()
    others = [one for one in (*_SOME_PARTY.finditer(previous), *_SOME_NAME.finditer(previous)) if folded_text(one["who"]) != folded_text(who)]  # fmt: skip
    same = [one for one in others if prep and (one["prep"] or "").lower() == prep]
    chosen = (same or sorted(others, key=lambda one: one.start("who")))[:1]
    if chosen:
        start, end = chosen[0].span("who")
        return f"{previous[:start]}{who if start else who[:1].upper() + who[1:]}{previous[end:]}"
    return f"{previous} {prep or _for(who)} {who}"


def _for(who: str) -> str:
    first = folded_text(who).split()[0]
    if first in ("el", "la", "los", "las", "su", "sus"):
        return "para"
    return "pour" if first in ("le", "les", "son", "sa", "ses") or first.startswith("l'") else "for"


def _with_place(rest: str, previous: str) -> str:
    spans = _place_spans(previous)
    if len(spans) == 1 and not _PHRASE.match(previous[slice(*spans[0])]):  # 'what does clause 5 say'
        start, end = spans[0]
        return f"{previous[:start]}{_object(rest)}{previous[end:]}"
    kept = _without(previous, spans)
    return f"{kept} {rest if _PHRASE.match(rest) else f'in {rest}'}"


def _with_time(rest: str, previous: str) -> str:
    match, known = _TIME.match(rest), list(_SOME_TIME.finditer(previous))
    if match is None or not known:
        return f"{previous} {rest if _PHRASE.match(rest) else f'in {rest}'}"
    return f"{previous[: known[-1].start()]}{match['when']}{previous[known[-1].end() :]}"


def _with_asking(rest: str, previous: str, language: str) -> str:
    if YES_NO_OPEN.search(previous):
        return f"{rest} {lower_first(previous)}"
    clause, subject = _WH_CLAUSE.match(previous), subject_of(previous)
    copular = re.match(r"(?:is|are|was|were)\s", clause["clause"], re.IGNORECASE) if clause else None
    if clause and not copular:
        return f"{re.sub(r'^why .*', 'why', rest, flags=re.IGNORECASE)} {clause['clause']}"
    if subject is None:
        return f"{rest}: {lower_first(previous)}"
    if _WHY.match(rest):
        return _REASON.get(language, _REASON["en"]).format(definite(subject))
    if _PLAIN_ASKING.match(rest):
        return f"{rest} {'are' if is_plural(subject) else 'is'} {definite(subject)}"
    return f"{rest}: {definite(subject)}"


def _with_pronoun(rest: str, previous: str, language: str) -> str | None:
    subject = subject_of(previous)
    if subject is None:
        return None
    if not OPENS.search(rest):
        return _ABOUT.get(language, _ABOUT["en"]).format(definite(subject))
    pointing = _POINTING.search(rest)
    match = PRONOUN.search(rest)
    if match is None and pointing:
        return re.sub(r"\b(?:that|this|those|these)\b", lambda _: definite(subject), rest, count=1, flags=re.IGNORECASE)
    if match is None:
        return None
    plural = folded_text(match.group()) in ("they", "them", "their", "ellos", "ils", "elles")
    if plural != is_plural(subject):
        return None  # 'they' are not the cap: the text speaks of something else, the contract's parties perhaps
    return replace_pronoun(rest, definite(subject))


def _with_phrase(rest: str, previous: str) -> str:
    """'For cause' takes the place of 'for convenience'; without a like phrase it is added."""
    match = _PHRASE.match(rest)
    if match is None:
        return f"{previous} {rest}"
    like = list(re.finditer(rf"\s{re.escape(match['prep'])}\s", previous, re.IGNORECASE))
    return f"{previous[: like[-1].start()] if like else previous} {rest}"


def _with_topic(rest: str, previous: str, language: str, *, about: bool) -> str:
    """The question before about another thing; what the document says of it where the question does not fit things."""
    span, owned = subject_span(previous), _OWNED.match(rest)
    owner = subject_of(previous)
    if owned and owner:
        return f"What {'are' if is_plural(owned['thing']) else 'is'} {genitive(definite(owner))} {owned['thing']}"
    has_det = re.match(rf"{_DET}\b", rest, re.IGNORECASE)
    open_topic = _WHAT_IS.match(previous) and not has_det and len(rest.split()) == 1
    inner = _inner(previous[slice(*span)]) if span and not has_det else None
    if span is None or _PERSON_OPEN.search(previous) or (open_topic and not inner) or (about and language != "en"):
        return _ABOUT.get(language, _ABOUT["en"]).format(rest)
    subject = previous[span[0] : span[1]]
    if inner:
        return f"{previous[: span[0]]}{inner['head']}{rest}{previous[span[1] :]}"
    party = re.search(rf"\s(?:for|of|to|para|de|pour)\s+(?:{_DET}\s*)(?:{_ROLE}|part(?:y|ies|es?))\b.*$", subject, re.IGNORECASE)  # fmt: skip
    article = re.match(r"(?:the|el|la|le|los|las|les)\s|l['’]", subject, re.IGNORECASE)
    own = rest if has_det or not article or language != "en" else f"the {rest}"
    opening = _agreeing(previous[: span[0]], own)
    return f"{opening}{own}{party.group() if party else ''}{previous[span[1] :]}"


def _inner(subject: str) -> re.Match[str] | None:
    """'The notice period for' and 'renewal', where the subject ends in a bare noun."""
    return re.match(rf"^(?P<head>.+?\s(?:for|of|to|on|de|para|sobre|pour|sur)\s)(?P<object>(?!(?:{_DET})\b)[\w-]+)$", subject, re.IGNORECASE)  # fmt: skip


def _agreeing(opening: str, subject: str) -> str:
    for one, many in _PLURAL_FIX:
        wanted, other = (many, one) if is_plural(subject) else (one, many)
        found = re.match(rf"^[¿\s]*{other}\b", opening, re.IGNORECASE)
        if found:
            return wanted[:1].upper() + wanted[1:] + opening[found.end() :]
    return opening


def _object(rest: str) -> str:
    match = _PHRASE.match(rest)
    return match["object"] if match else rest


def _uncontracted(text: str) -> str:
    """'Du client' as 'de le client', so that the party can be exchanged."""
    return _BEFORE_ROLE.sub(lambda match: _CONTRACTED[match.group().lower()], text)


def _contracted(text: str) -> str:
    """The two words as one again."""
    for short, long in _CONTRACTED.items():
        text = re.sub(rf"\b{long}\b", short, text)
    return text


def _without(text: str, spans: list[Span]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split()).strip(" ,")
