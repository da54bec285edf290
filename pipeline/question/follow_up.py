# ruff: noqa: E501  # a pattern is read whole, on one line
"""A follow-up made complete: 'and for the supplier?' is the question before with another party in it.

A fragment is told by what it lacks: it names a party, a place, a time, a format or a topic and asks nothing, or asks
with a question word alone, or speaks of 'it'. Anything else is a question of its own and is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.question.clauses import (
    OPENS,
    PRONOUN,
    YES_NO_OPEN,
    definite,
    is_plural,
    lower_first,
    replace_pronoun,
    sentence,
    subject_of,
)
from pipeline.question.distinctions import find_exclusions
from pipeline.question.follow_topic import ABOUT, TopicsOf, no_topics, with_phrase, with_topic
from pipeline.question.formats import find_wishes
from pipeline.question.fragments import (
    CONTRACTED,
    DET,
    NAME,
    NAMED,
    PARTY,
    PHRASE,
    POINTING,
    PREP,
    ROLE,
    TIME,
    Kind,
    kind_of,
    object_of,
    place_spans,
    uncontracted,
    without,
)
from pipeline.question.reading import clean

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|and|but|so|also|y|e|pero|et|mais)\b[\s,]*)*(?:¿\s*)?"
    r"(?P<about>(?:what|how)\s+about|same\s+(?:question\s+)?(?:for|but)|qué\s+hay\s+(?:de\b|del\b)|qué\s+pasa\s+con|y\s+qué\s+tal|lo\s+mismo|"
    r"qu['’]en\s+est-il\s+(?:de\b|du\b|des\b|pour\b|d['’])|quid\s+(?:de\b|du\b|des\b|d['’])|même\s+question\s+pour)?[\s,]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]+(?:too|also|as\s+well|then|instead|please|también|entonces|por\s+favor|aussi|alors|svp)$", re.IGNORECASE
)
_SOME_PARTY = re.compile(
    rf"(?:(?P<prep>\b{PREP})\s+)?(?P<who>\b(?:{DET}\s*)(?:{ROLE}|parties|party|partes?|parties?)\b)", re.IGNORECASE
)
_SOME_NAME = re.compile(rf"\b(?P<prep>for|by|of|para|por|de|pour|par)\s+(?P<who>{NAME})")
_SOME_TIME = re.compile(r"\b(?:fiscal\s+(?:year\s+)?|FY\s*|year\s+)?(?:19|20)\d\d\b|\b[QH][1-4](?:\s+(?:of\s+)?(?:19|20)\d\d)?\b", re.IGNORECASE)  # fmt: skip
_AND = {"en": "And", "es": "Y", "fr": "Et"}
_WHY = re.compile(r"^(?:why(?:\s+(?:so|is\s+that|not))?|(?:y\s+)?por\s+qué|pourquoi)$", re.IGNORECASE)
_REASON = {
    "en": "What is the reason for {0}?",
    "es": "¿Cuál es el motivo de {0}?",
    "fr": "Quelle est la raison de {0} ?",
}
_PLAIN_ASKING = re.compile(r"^(?:who|what|when|where|how\s+(?:long|much|many|often|big|high|large))$", re.IGNORECASE)
_WH_CLAUSE = re.compile(
    r"^(?:what|when|where|who|why|how(?:\s+(?:long|much|many|often|soon))?)\s+(?P<clause>(?:does|do|did|can|may|must|shall|will|should|is|are|was|were|has|have)\s+.+)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a text is in a session: its complete form, or the kind of fragment that nothing completes."""

    text: str  # the question to read: complete, or as it was
    is_resolved: bool = False
    missing: Kind | None = None  # the kind of a fragment without a question before it
    fragment: str = ""  # what the fragment names
    kind: Kind | None = None  # of a fragment that was resolved


def complete_follow_up(
    text: str, previous: str | None, *, language: str = "en", topics_of: TopicsOf = no_topics
) -> FollowUp:
    """The question that a text stands for behind `previous`, the complete question before it.

    A complete question comes back as it is. A fragment without a question before it comes back with `missing` set: it
    is for the user to say what is meant. `language` is that of the question before, for the words that join them;
    `topics_of` finds the dictionaries' concepts in words: 'for confidentiality' is another topic, 'for cause' is none.
    """
    bare = clean(text).strip(" ?¿!¡.…")
    lead = _LEAD.match(bare)
    rest = _TAIL.sub("", bare[lead.end() :] if lead else bare).strip(" ,¿")
    contracted = (
        re.search(r"\b(del|du|des)\b\s*$", bare[: lead.end()], re.IGNORECASE) if lead and lead["about"] else None
    )
    if contracted:
        rest = f"{CONTRACTED[contracted.group(1).lower()][3:]} {rest}"
    has_lead = bool(lead and lead.end())
    kind = kind_of(rest, has_lead=has_lead, about=bool(lead and lead["about"]))
    if kind is None:
        return FollowUp(text)
    if previous is None:
        lacks = kind in ("format", "time") or (kind in ("party", "place") and (has_lead or PHRASE.match(rest)))
        return FollowUp(text, missing=kind if lacks and has_lead else None, fragment=object_of(rest))
    about = bool(lead and lead["about"])
    resolved = _resolve(kind, rest, sentence(previous)[:-1].lstrip("¿"), language, topics_of, about=about)
    if resolved is None or folded_text(resolved) == folded_text(text):
        return FollowUp(text)
    return FollowUp(sentence(_contracted(resolved)), is_resolved=True, kind=kind)


def follow_compound(
    text: str, parts: Sequence[str], *, language: str = "en", topics_of: TopicsOf = no_topics
) -> FollowUp:
    """As `complete_follow_up`, behind a question of several parts.

    What names a party, a place, a time or a format holds for all of them, anything else is about the first.
    """
    first = complete_follow_up(text, parts[0], language=language, topics_of=topics_of)
    if not first.is_resolved or first.kind not in ("party", "place", "time", "format", "phrase"):
        return first
    others = [complete_follow_up(text, part, language=language, topics_of=topics_of).text for part in parts[1:]]
    joined = " ".join(
        [first.text, *(f"{_AND.get(language, 'And')} {lower_first(other.lstrip('¿'))}" for other in others)]
    )
    return FollowUp(joined, is_resolved=True, kind=first.kind)


def _resolve(kind: Kind, rest: str, previous: str, language: str, topics_of: TopicsOf, *, about: bool) -> str | None:
    """The question before with the fragment in its place."""
    if kind == "party":
        return _with_party(uncontracted(rest), previous)
    if kind == "place":
        return _with_place(rest, previous)
    if kind == "format":
        return f"{without(previous, [(piece.start, piece.end) for piece in find_wishes(previous)])} {rest}"
    if kind == "time":
        return _with_time(rest, previous)
    if kind == "asking":
        return _with_asking(rest, previous, language)
    if kind == "pronoun":
        return _with_pronoun(rest, previous, language)
    excluded = find_exclusions(previous)
    asked = without(previous, [(piece.start, piece.end) for piece in excluded])
    if kind != "phrase":
        return with_topic(rest, asked, language, about=about)
    resolved = with_phrase(rest, asked, language, topics_of)
    if not resolved.startswith(asked):
        return resolved  # what was excluded of the old topic says nothing of the new one
    return ", ".join([resolved, *(piece.text for piece in excluded)])


def _with_party(rest: str, question: str) -> str:
    previous = uncontracted(question)
    match = PARTY.match(rest) or NAMED.match(rest)
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
    spans = place_spans(previous)
    if len(spans) == 1 and not PHRASE.match(previous[slice(*spans[0])]):  # 'what does clause 5 say'
        start, end = spans[0]
        return f"{previous[:start]}{object_of(rest)}{previous[end:]}"
    kept = without(previous, spans)
    return f"{kept} {rest if PHRASE.match(rest) else f'in {rest}'}"


def _with_time(rest: str, previous: str) -> str:
    match, known = TIME.match(rest), list(_SOME_TIME.finditer(previous))
    if match is None or not known:
        return f"{previous} {rest if PHRASE.match(rest) else f'in {rest}'}"
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
        return ABOUT.get(language, ABOUT["en"]).format(definite(subject))
    pointing = POINTING.search(rest)
    match = PRONOUN.search(rest)
    if match is None and pointing:
        return re.sub(r"\b(?:that|this|those|these)\b", lambda _: definite(subject), rest, count=1, flags=re.IGNORECASE)
    if match is None:
        return None
    plural = folded_text(match.group()) in ("they", "them", "their", "ellos", "ils", "elles")
    if plural != is_plural(subject):
        return None  # 'they' are not the cap: the text speaks of something else, the contract's parties perhaps
    return replace_pronoun(rest, definite(subject))


def _contracted(text: str) -> str:
    """The two words as one again."""
    for short, long in CONTRACTED.items():
        text = re.sub(rf"\b{long}\b", short, text)
    return text
