# ruff: noqa: E501  # a pattern is read whole, on one line
"""A part of a compound question made complete: with the subject that it leaves to the part before it.

English says 'it', Spanish says nothing ('¿y cuánto dura?') or 'su', French asks with the verb first ('dure-t-elle').
"""

from __future__ import annotations

import re

from dictionaries.folding import folded_text
from pipeline.question.clauses import (
    PRONOUN,
    WHO_ACTS,
    YES_NO_OPEN,
    definite,
    has_own_topic,
    is_plural,
    lower_first,
    replace_pronoun,
    sentence,
    subject_of,
)
from pipeline.question.fragments import DUMMY

MAX_ELLIPTIC_WORDS = 5  # 'and for how long', 'and with how much notice': question words without a sentence

# What points back at the answer to the part before: 'that date', 'dicha parte', 'cette partie'.
_NAMED_NOUN = r"(?:section|clause|article|party|date|day|amount|sum|figure|table|person|company|entity|fecha|día|parte|secci[oó]n|cl[aá]usula|importe|persona|empresa|sociedad|partie|montant|jour|personne|soci[eé]t[eé])"
_POINTS_BACK = re.compile(
    rf"\b(?:that|this|the\s+said|the\s+same|es[ae]|est[ae]|dich[oa]|cette|cet|ce)\s+{_NAMED_NOUN}\b", re.IGNORECASE
)
# The answer to these is a person, a place in the text or a day: what is said of 'it' next is said of the answer.
_ASKS_WHOM = re.compile(r"^[¿\s]*(?:who\b|whom\b|which\s+(?:party|company|entity|section|clause|article)\b|quién|qui\b|quelle\s+(?:partie|société|section|clause)\b|qué\s+(?:parte|empresa|sección|cláusula)\b)", re.IGNORECASE)  # fmt: skip
_AFTER_IT = re.compile(
    r"\b(?:after|before|from|since|until|following|después\s+de|antes\s+de|desde|tras|après|avant|depuis)\s+(?P<it>it|that|then|ella|él|eso|cela|celle-ci|celui-ci|ça)\b",
    re.IGNORECASE,
)
# A Spanish clause of a question word and a verb: its subject is the one before. On folded text.
_NO_SUBJECT = re.compile(
    r"^(?:(?:por|para|en|de|desde|hasta|durante|con)\s+)?(?:cuant[oa]s?(?:\s+(?:tiempo|dias|meses|anos|horas|semanas))?|cuando|como|donde)\s+"
    r"(?:(?:se|le|les|lo|la)\s+)?(?!(?:se|le|les|lo|la|el|los|las|es|son|un|una|hay|de|por|para|en)\b)[a-z]{3,}(?:\s+(?:en\s+vigor|[a-z]+[aei]d[oa]|[a-z]+r(?:se|lo|la)?))?$"
)
_ES_ITS = re.compile(r"\b(?P<its>sus?)\s+(?P<thing>[^\W\d_]+)", re.IGNORECASE)
_FR_ITS = re.compile(r"\b(?P<its>sa|son|ses)\s+(?P<thing>[^\W\d_]+)", re.IGNORECASE)
_FR_VERB_FIRST = re.compile(r"(?<![\w-])(?:(?:se|s['’]|y|en)\s*)?(?P<verb>[^\W\d_]+)-(?:t-)?(?:il|elle|ils|elles)\b", re.IGNORECASE)  # fmt: skip
_FR_IMPERSONAL = frozenset(("a", "est", "faut", "existe", "peut", "convient", "suffit", "reste"))
_WHAT_ALONE = re.compile(r"^(?:cual(?:es)? (?:es|son)|quel(?:le)?s? (?:est|sont)(?:-(?:il|elle|ils|elles))?)(?P<wish> en [a-z]+)?$")  # fmt: skip
_WHAT_IS_IT = re.compile(r"^(?P<ask>(?:what|how\s+(?:long|much|many|high|big))\s+(?:is|are))\s+(?:it|they)(?P<wish>\s+(?:in|as)\s+\S.*)?$", re.IGNORECASE)  # fmt: skip
# Parties do not end, start or cost: what is said of one thing behind them is said of what they signed.
_THE_CONTRACT = {"en": "the agreement", "es": "el contrato", "fr": "le contrat"}
_OF_SEVERAL = re.compile(r"\b(?:they|them|their|ellos|ellas|sus|ils|elles|leurs?)\b|^(?:cuando|como|donde|cuanto)\s+(?:se\s+)?[a-z]+n\b")  # fmt: skip
_ES_ONE = re.compile(r"(?:a|ion|dad|tad|tud|ez|umbre|sis)$")  # endings of Spanish nouns that take 'la'


def complete_part(first: str, part: str, language: str) -> tuple[str, str | None] | None:
    """The part with what it takes from the first, and which of its words the first's answer may take the place of.

    None where it lacks a subject that the first does not give: such a part cannot be asked alone.
    """
    bare = part.strip(" ?¿.")
    subject = subject_of(first)
    named = _the(subject, language) if subject else None
    if subject and _speaks_of_one(bare, language) and is_plural(subject):
        told = _with_subject(bare, _THE_CONTRACT[language], language)
        return (sentence(told), None) if told else None
    what = _WHAT_ALONE.match(folded_text(bare))
    if named and what:
        ask = " ".join(bare.split()[:2])
        wish = " ".join(bare.split()[2:])
        return sentence(f"{re.sub(r'-(?:il|elle|ils|elles)$', '', ask, flags=re.IGNORECASE)} {named} {wish}"), None
    it = _WHAT_IS_IT.match(bare)
    if named and it:
        return sentence(f"{it['ask']} {named}{it['wish'] or ''}"), None
    if len(bare.split()) <= MAX_ELLIPTIC_WORDS and not has_own_topic(bare):
        clause = first.strip(" ?¿.")
        if YES_NO_OPEN.search(first):
            return sentence(f"{bare} {lower_first(clause)}"), None
        return sentence(f"{bare}: {subject or lower_first(clause)}"), None
    whom = bool(_ASKS_WHOM.search(first)) and not WHO_ACTS.match(first)
    pointing = _POINTS_BACK.search(bare)
    if named is None:
        return None if _lacks(bare, language) else (sentence(bare), pointing.group() if pointing else None)
    for match, group in ((pointing, 0), (_AFTER_IT.search(bare), "it")):
        if match:
            start, end = match.span(group)
            return sentence(f"{bare[:start]}{named}{bare[end:]}"), named
    told = _with_subject(bare, named, language)
    return (sentence(told), named if whom else None) if told else (sentence(bare), None)


def _speaks_of_one(bare: str, language: str) -> bool:
    """True for a part about one thing that it does not name: 'when does it end', '¿cuándo termina?'."""
    if language not in _THE_CONTRACT or _OF_SEVERAL.search(folded_text(bare)) or _WHAT_IS_IT.match(bare):
        return False
    if language == "en":
        return re.search(r"\b(?:does|is|did|was|will|can|may|must)\s+it\b|\bits\b", bare, re.IGNORECASE) is not None
    return _with_subject(bare, "x", language) is not None


def _lacks(bare: str, language: str) -> bool:
    """True when a part speaks of something that it does not name."""
    return bool(_with_subject(bare, "x", language)) or bool(_AFTER_IT.search(bare))


def _with_subject(bare: str, named: str, language: str) -> str | None:
    """The part with the subject where it belongs; None where it speaks of nothing but what it names."""
    if language == "es":
        told = _in_spanish(bare, named)
    elif language == "fr":
        told = _in_french(bare, named)
    else:
        told = None
    if told is None and PRONOUN.search(bare) and not DUMMY.search(bare):
        return replace_pronoun(bare, named)
    return told


def _in_spanish(bare: str, named: str) -> str | None:
    if _NO_SUBJECT.match(folded_text(bare)):
        return f"{bare} {named}"
    its = _ES_ITS.search(bare)
    if its is None:
        return None
    thing = its["thing"]
    many = its["its"].lower() == "sus"
    of = re.sub(r"\bde el\b", "del", f"de {named}")
    return f"{bare[: its.start()]}{_es_article(thing, many=many)} {thing} {of}{bare[its.end() :]}"


def _in_french(bare: str, named: str) -> str | None:
    verb = next((found for found in _FR_VERB_FIRST.finditer(bare) if folded_text(found["verb"]) not in _FR_IMPERSONAL), None)  # fmt: skip
    if verb is not None:  # 'Combien de temps la clause dure-t-elle': the subject before the verb, the pronoun stays
        return f"{bare[: verb.start()]}{named} {bare[verb.start() :]}"
    its = _FR_ITS.search(bare)
    if its is None:
        return None
    thing = its["thing"]
    article = "les " if its["its"].lower() == "ses" else "l'" if folded_text(thing)[0] in "aeiouh" else "la " if its["its"].lower() == "sa" else "le "  # fmt: skip
    of = re.sub(r"\bde les\b", "des", re.sub(r"\bde le\b", "du", f"de {named}"))
    return f"{bare[: its.start()]}{article}{thing} {of}{bare[its.end() :]}"


def _the(subject: str, language: str) -> str:
    """The subject as it is named the second time, with the article of its language."""
    bare = subject.strip(" ?¿")
    if language == "fr":
        match = re.match(r"(?:une?|aucune?)\s+(?P<thing>.+)$", bare, re.IGNORECASE)
        if match is None:
            return bare
        thing = match["thing"]
        if folded_text(thing)[0] in "aeiou":
            return f"l'{thing}"
        return f"{'la' if bare.lower().split()[0].endswith('e') else 'le'} {thing}"
    if language == "es" and re.match(r"[^\W\d_]+", bare) and not re.match(r"(?:el|la|los|las|un|una|algun|su|sus|este|esta|ese|esa|[a-z]*mos)\b", folded_text(bare)):  # fmt: skip
        first = folded_text(bare).split()[0]
        return f"{_es_article(first, many=first.endswith('s') and not first.endswith('sis'))} {bare}"
    return definite(bare)


def _es_article(noun: str, *, many: bool) -> str:
    one = folded_text(noun)
    one = re.sub(r"e?s$", "", one) if many else one
    is_la = bool(_ES_ONE.search(one))
    return ("las" if is_la else "los") if many else ("la" if is_la else "el")
