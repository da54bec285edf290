# ruff: noqa: E501, SIM905  # a pattern is read whole, on one line; word lists are read as text
"""A follow-up that names another topic: 'and royalties?', 'and for confidentiality?', 'and for cause?'."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from pipeline.question.ambiguity import FAMILIES
from pipeline.question.clauses import definite, genitive, is_plural, subject_of, subject_span
from pipeline.question.fragments import DET, PHRASE, ROLE
from pipeline.question.topics import Topic

TopicsOf = Callable[[str], Sequence[Topic]]

ABOUT = {"en": "What does the document say about {0}?", "es": "¿Qué dice el documento sobre {0}?", "fr": "Que dit le document sur {0} ?"}  # fmt: skip
_WHAT_IS = re.compile(r"^[¿\s]*what(?:'s|\s+is|\s+are|\s+was)\b", re.IGNORECASE)
_OWNED = re.compile(r"^(?:its|their)\s+(?P<thing>\w.*)$", re.IGNORECASE)
_PERSON_OPEN = re.compile(r"^[¿\s]*(?:who|whose|by\s+whom|quién|quiénes|qui|where|dónde|où)\b", re.IGNORECASE)
_PLURAL_FIX = (
    ("what is", "what are"), ("who is", "who are"), ("how long is", "how long are"), ("how much is", "how much are"),
    ("is there", "are there"), ("cuál es", "cuáles son"), ("quel est", "quels sont"),
)  # fmt: skip
# 'For X' names the thing asked about; 'after X', 'with X', 'in X' only say when, how or where.
_NAMES_A_THING = re.compile(r"^(?:for|of|para|de|pour)$", re.IGNORECASE)
_OF_PARTY = re.compile(rf"\s(?:for|of|to|para|de|pour)\s+(?:{DET}\s*)(?:{ROLE}|part(?:y|ies|es?))\b.*$", re.IGNORECASE)
_OF_A_THING = re.compile(r"^(?P<head>.+?\s(?:for|of|to|on|de|del|du|des|para|sobre|pour|sur)\s+)(?P<object>.+)$", re.IGNORECASE)  # fmt: skip
_BARE_OBJECT = re.compile(rf"^(?P<head>.+?\s(?:for|of|to|on|de|para|sobre|pour|sur)\s)(?P<object>(?!(?:{DET})\b)[\w-]+)$", re.IGNORECASE)  # fmt: skip
_MEASURED = re.compile(r"^(?P<head>(?:the|an?|any)\s+)(?P<object>\S.*?)(?P<noun>\s+(?:period|term|date|duration|length))$", re.IGNORECASE)  # fmt: skip
# The contract's own length: what else lasts has a period of its own, and no 'initial term'.
_LASTS = re.compile(r"^(?:the\s+|la\s+|el\s+|l['’]\s*)?(?:(?:initial|current|original|contract|first)\s+)?(?:term|duration|length|duraci[oó]n|vigencia|plazo|dur[eé]e)(?:\s+(?:inicial|initiale))?(?:\s+(?:of|del?|du|de)\s+(?:the\s+|this\s+|la\s+|este\s+|ce\s+|l['’])?(?:agreement|contract|lease|contrato|acuerdo|contrat|accord|bail))?$", re.IGNORECASE)  # fmt: skip
_HOW_LONG = re.compile(r"^[¿\s]*(?:how\s+long|(?:until\s+)?when|cu[aá]nto(?:\s+tiempo)?\s+dura|(?:hasta\s+)?cu[aá]ndo|combien\s+de\s+temps|(?:jusqu['’][aà]\s+)?quand)\b", re.IGNORECASE)  # fmt: skip
_WHOLE = re.compile(
    r"\b(?:contract|agreement|contrato|acuerdo|contrat|accord)$", re.IGNORECASE
)  # has no topic of its own
# A measure, a remedy or a right is *of* something: 'the cap, and for price?' asks for the cap on price.
_OF_SOMETHING = frozenset().union(*(family.words for family in FAMILIES)) | frozenset(
    form
    for word in """
    term condition requirement right obligation penalty indemnity indemnification compensation damage remedy interest cost
    payment refund liability deadline procedure process exception exclusion consent approval responsibility consequence
    condicion requisito derecho obligacion penalizacion penalidad multa indemnizacion compensacion dano interes coste
    costo pago reembolso responsabilidad procedimiento excepcion exclusion consentimiento aprobacion consecuencia
    exigence droit penalite indemnite indemnisation dommage cout paiement remboursement responsabilite
    procedure consentement approbation consequence
    """.split()
    for form in (word, *written_forms(word))
)


def no_topics(_words: str) -> Sequence[Topic]:
    """No concept at all, for a reader without dictionaries."""
    return ()


def with_phrase(rest: str, previous: str, language: str, topics_of: TopicsOf = no_topics) -> str:
    """The question before with 'for ...' in it.

    Another topic takes the topic's place ('how long is the warranty', 'and for confidentiality'), 'for cause' that of
    'for convenience'; what is neither is added.
    """
    match = PHRASE.match(rest)
    if match is None:
        return f"{previous} {rest}"
    like = list(re.finditer(rf"\s{re.escape(match['prep'])}\s", previous, re.IGNORECASE))
    if not like or _OF_PARTY.match(previous[like[-1].start() :]):
        swapped = _swapped(match, previous, language, topics_of)
        if swapped is not None:
            return swapped
    return f"{previous[: like[-1].start()] if like else previous} {rest}"


def with_topic(rest: str, previous: str, language: str, *, about: bool) -> str:
    """The question before about another thing; what the document says of it where the question does not fit things."""
    span, owned = subject_span(previous), _OWNED.match(rest)
    owner = subject_of(previous)
    if owned and owner:
        return f"What {'are' if is_plural(owned['thing']) else 'is'} {genitive(definite(owner))} {owned['thing']}"
    has_det = re.match(rf"{DET}\b", rest, re.IGNORECASE)
    open_topic = _WHAT_IS.match(previous) and not has_det and len(rest.split()) == 1
    inner = _BARE_OBJECT.match(previous[slice(*span)]) if span and not has_det else None
    if span is None or _PERSON_OPEN.search(previous) or (open_topic and not inner) or (about and language != "en"):
        return ABOUT.get(language, ABOUT["en"]).format(rest)
    subject = previous[span[0] : span[1]]
    if inner:
        return f"{previous[: span[0]]}{inner['head']}{rest}{previous[span[1] :]}"
    party = _OF_PARTY.search(subject)
    article = re.match(r"(?:the|el|la|le|los|las|les)\s|l['’]", subject, re.IGNORECASE)
    own = rest if has_det or not article or language != "en" else f"the {rest}"
    opening = _agreeing(previous[: span[0]], own)
    return f"{opening}{own}{party.group() if party else ''}{previous[span[1] :]}"


def _swapped(match: re.Match[str], previous: str, language: str, topics_of: TopicsOf) -> str | None:
    """The question before about the topic that a phrase names; None where the phrase only says more of the old one."""
    thing, span = match["object"], subject_span(previous)
    named = {topic.entry.concept_id for topic in topics_of(thing)}
    if span is None or not named or not _NAMES_A_THING.match(match["prep"]):
        return None
    party = _OF_PARTY.search(previous[slice(*span)])
    end = span[0] + party.start() if party else span[1]
    subject = previous[span[0] : end]
    if _LASTS.match(subject):
        return f"{previous[: span[0]]}{_period_of(thing, language)}{previous[end:]}"
    if _HOW_LONG.match(previous) and re.match(rf"{DET}\s*\w+$", subject, re.IGNORECASE) and _WHOLE.search(subject):
        return f"{previous[: span[0]]}{thing}{previous[end:]}"
    known = topics_of(subject)
    if not known or named & {topic.entry.concept_id for topic in known}:
        return None
    together = f"{subject} {match.group()}"
    behind = len(together) - len(thing)
    if any(a < len(subject) and b > behind for topic in topics_of(together) for a, b in topic.spans):
        return None  # 'termination for convenience' is one thing
    inner = _OF_A_THING.match(subject)
    if inner is not None:
        if not topics_of(inner["object"]) and not _WHOLE.search(inner["object"]):
            return None
        head = re.sub(r"\b(?:del|du|des)\s+$|\b(?:de|of|on|for|to|para|sobre|pour|sur)\s+$", lambda found: _plain(found.group()), inner["head"])  # fmt: skip
        return f"{previous[: span[0]]}{head}{thing}{previous[end:]}"
    measured = _MEASURED.match(subject) if language == "en" else None
    if measured is not None and _stands_alone(measured["object"], topics_of):
        bare = re.sub(rf"^{DET}\s+", "", thing, flags=re.IGNORECASE)
        return f"{previous[: span[0]]}{measured['head']}{bare}{measured['noun']}{previous[end:]}"
    if _head(subject, language) in _OF_SOMETHING:
        return None
    return f"{_agreeing(previous[: span[0]], thing)}{thing}{previous[end:]}"


def _period_of(thing: str, language: str) -> str:
    """How long a thing lasts, as a noun: 'the confidentiality period', 'la duración de la confidencialidad'."""
    if language == "es":
        return re.sub(r"\bde el\b", "del", f"la duración de {thing}")
    if language == "fr":
        return re.sub(r"\bde les\b", "des", re.sub(r"\bde le\b", "du", f"la durée de {thing}"))
    bare = re.sub(rf"^{DET}\s+", "", thing, flags=re.IGNORECASE)
    return f"the {bare}" if re.search(r"\b(?:period|term|duration)$", bare, re.IGNORECASE) else f"the {bare} period"


def _stands_alone(words: str, topics_of: TopicsOf) -> bool:
    """True for a topic that has a period ('warranty'), not a kind of period ('notice', 'payment')."""
    return bool(topics_of(words)) and folded_text(words).split()[-1] not in _OF_SOMETHING


def _head(subject: str, language: str) -> str:
    """The noun that the others qualify: the last in English, the first in Spanish and French."""
    words = re.findall(r"[^\W_]+(?:-[^\W_]+)*", re.sub(rf"^(?:{DET})(?:\s+|(?<=['’]))", "", folded_text(subject)))
    return (words[-1] if language == "en" else words[0]) if words else ""


def _plain(contracted: str) -> str:
    """'Del' as 'de ', so that another article may follow."""
    return "de " if contracted.strip().lower() in ("del", "du", "des") else contracted


def _agreeing(opening: str, subject: str) -> str:
    for one, many in _PLURAL_FIX:
        wanted, other = (many, one) if is_plural(subject) else (one, many)
        found = re.match(rf"^[¿\s]*{other}\b", opening, re.IGNORECASE)
        if found:
            return wanted[:1].upper() + wanted[1:] + opening[found.end() :]
    return opening
