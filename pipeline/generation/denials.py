# ruff: noqa: E501  # patterns are read whole, on one line
"""Clauses that say that a thing is not there: 'there is no ...', 'nothing herein shall ...', 'non-exclusive'."""

from __future__ import annotations

import re
from collections.abc import Collection

from pipeline.generation.acts import STEM, forms_of
from pipeline.generation.asking import Asking
from pipeline.generation.modality import ALLOWS, FUTURE_ES, VERB_REACH

NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|nothing|none|without|cannot|non|ni|nunca|sin|ningun[ao]?|nada|ne|pas|aucune?|jamais"
    r"|sans|n['’])\b|n['’]t\b|\bn['’]",
    re.IGNORECASE,
)
# The thing denied follows at once: 'there is no non-compete', 'no minimum amount', 'ninguna exclusividad'.
_NONE = re.compile(
    r"\b(?:there (?:is|are|shall be|will be|exists?) (?:no|not any)|(?:does|do|shall|will|may|is|are) not (?:be )?(?:(?:intended|deemed|construed) to )?(?:confer|create|give rise to|give|grant|contain|include|provide(?: for)?|impose|have|constitute|benefit|require|establish)"
    r"|(?:shall|will|may) not be (?:deemed|construed|interpreted|considered)|not (?:be )?(?:for the benefit of|intended (?:for|to))|no (?:hay|existe[n]?)|no se (?:establece[n]?|pacta[n]?|preve[n]?|concede[n]?|otorga[n]?)"
    r"|il n'y a (?:pas|aucun\w*)|n'est pas prevu\w*|ne (?:contient|prevoit|comporte|confere|cree|accorde) (?:pas|aucun\w*))\b"
    r"|\b(?:no|ningun[ao]?|aucune?|sin|neither any|nor any)\b(?! (?:event|other|longer|more|less|later|fewer|such|case|way|obstante|(?:se )?(?:podra|puede|debera|debe|tendra)n?\b))"
)
_NO_OTHER = re.compile(
    r"\b(?:no (?:third part(?:y|ies)|other (?:person|party|entity)|person|provision|part)\b[\w\s,’']{0,80}? (?:is|are|shall|will|may|has|have)|not (?:benefit|for the benefit of)|aucun tiers|ningun tercero)\b"
)
NOTHING = re.compile(
    r"\b(?:nothing(?: (?:herein|hereunder|expressed|express|contained|set forth|in (?:this|the|these|any)))?\b[\w\s,.()’'-]{0,110}?\b(?:shall|will|is|are|may|would|can)|no(?:ne of the)? provisions?\b[\w\s,.()’'-]{0,80}? (?:shall|will|is|are)"
    r"|nada (?:de lo|en)\b[\w\s,]{0,80}?|rien dans\b[\w\s,]{0,80}?)\b"
)
# 'shall not be construed to limit its right to ...'
_NOT_MEANT = re.compile(
    r"\bnot (?:be )?(?:construed|interpreted|deemed|intended|read|operate)\b(?: (?:to|as|so as to))?"
)
_OUTRIGHT = re.compile(r"(?:there (?:is|are|shall be|will be|exists?) |no (?:hay|existe)|il n'y a|n'est pas prevu)")
_LEAVES_FREE = re.compile(
    r"\b(?:prevent\w*|restrict\w*|prohibit\w*|limit\w*|preclude\w*|prejudice\w*|derogate\w*|impair\w*|affect\w*|interfere\w*|imped\w+|restring\w+|empech\w+)\b"
)
# What has no limit is not capped; 'including without limitation' says nothing of the kind.
# What was agreed once and is no more: 'the non-compete obligation is hereby waived', 'have deleted the exclusivity clause'.
_GONE = r"(?:waived|deleted|removed|terminated|cancel+ed|revoked|repealed|released|suspended|struck out|abandoned|rescinded|no longer (?:in force|applicable|of any effect|apply|applies)|intentionally omitted|suprimid[oa]s?|eliminad[oa]s?|derogad[oa]s?|dejad[oa]s? sin efecto|supprimee?s?|abandonnee?s?|abrogee?s?)"
_IS_GONE = re.compile(
    rf"\b(?P<noun>(?:[\w’'-]+ ){{1,4}}?)(?:(?:obligations?|clauses?|provisions?|covenants?|restrictions?|undertakings?|rights?|requirements?|terms?|obligacion\w*|clausulas?)\b[^.;,]{{0,60}}? )?(?:is|are|has been|have been|shall be|will be|was|were|queda[n]?|ha sido|han sido|est|sont|a ete|ont ete) (?:hereby |hereafter |therefore |par la presente |por la presente )?{_GONE}\b"
)
_MAKE_GONE = re.compile(
    r"\b(?:(?:have|has|hereby) (?:deleted|removed|cancel+ed|waived|revoked)|(?:hereby )?(?:deletes?|removes?|waives?|renounces?|gives? up)|(?:is|are|be) (?:hereby )?(?:released|relieved|discharged|exempt(?:ed)?) from|(?:is|are|be) not (?:subject to|bound by)|renuncia[n]? a|renonce(?:nt)? a|(?:ont|a) supprime)\b(?P<noun>[^.;,]{1,70})"
)
_UNLIMITED = re.compile(
    r"\b(?:liable|liability|responsabilidad|responsabilite)\b[^.;]{0,60}?(?<!including)(?<!including,)(?<!includes) \b(?:without (?:any )?(?:limit|limitation|cap)\b|unlimited|uncapped|ilimitada|sin limite|illimitee|sans limit\w+)"
)
_GRANTED = r"(?:grant|confer|creat|giv|convey|transfer)\w*"
_GRANT_ASKED = re.compile(rf"^(?:do|does)\b[^?]{{0,60}}?\b{_GRANTED}")
# 'No license is granted', 'nothing herein shall be construed as granting', 'nor as creating a license'.
_NOT_GRANTED = re.compile(rf"\b(?:no|not|nothing|neither|nor)\b[^.;]{{0,200}}?\b{_GRANTED}")
_OF_CONTRACT = re.compile(
    r"\b(?:agreement|contract|section|clause|article|paragraph|provisions?|terms|contrato|clausula|contrat|article)\b[^.;]{0,60}$"
)
_CONFERS = re.compile(r"confer|create|give rise|intended|deemed|construed|interpreted|considered|benefit")
_CAP_ASKED = re.compile(r"\b(?:cap|capped|limit\w*|maximum|tope|plafond\w*)\b")
_SIDE_NOUN = re.compile(r"\b(?:with|under|by|against|from|between|among|con|bajo|avec|sous)\b")
# Nouns that say nothing by themselves: 'no restriction on', 'no obligation to'; what they are of must be what is asked.
_GENERIC = re.compile(
    r"\b(?:restrictions?|limits?|limitations?|prohibitions?|requirements?|obligations?|commitments?|rights?|clauses?|provisions?|restriccion\w*|limite\w*|obligacion\w*|requisito\w*)\b"
)
_NOUN_REACH = 70  # characters from 'there is no' to the noun that it denies
NEAR = 25  # characters before 'is waived' in which a 'not' or 'nor' denies it
_GIVES_UP = re.compile(r"\b(?:waive\w*|releas\w*|delet\w*|not to sue|terminat\w*|renunci\w*|renonc\w*)\b")
_OBJECT_REACH = 240  # characters from 'nothing herein shall' or 'does not confer' to what is not conferred
# Stems of duties that are themselves a 'not': 'shall not compete' is the presence of a non-compete, not its absence.
_RESTRAINTS = ("compet", "solicit", "dispar", "disclo", "circumv", "confid", "hiring", "poach", "sue")
_ADJECTIVE_END = (
    r"(?:ives?|[ai]bles?|ary|iv[oa]s?|ifs?)\b"  # 'non-exclusive' denies; 'non-renewal' is a thing of its own
)
# What a restraint restrains: 'compet' of 'non-compete', 'solic' of 'non-solicitation', 'concu' of 'non-concurrence'.
_RESTRAINT = re.compile(r"\b(?:non|no)[- ]?(?P<what>compet|solic|dispar|circum|concu|captac)")
_LIMITED = re.compile(r"\b(?:only|if|unless|terminat\w*|claim|seek|injunct\w*)\b")  # a right against a rival


_FORBIDDEN_ACT = re.compile(rf"no {FUTURE_ES}")


def denies(folded: str, asking: Asking, terms: Collection[str] = ()) -> re.Match[str] | None:
    """The words by which a clause denies what is asked; `terms` are an expert's words for it that stand in the clause.

    The denied noun must be what is asked: 'no disputes under the insurance policies' denies no insurance, and 'no
    liability for delays' no cap on liability.
    """
    unlimited = _UNLIMITED.search(folded)
    if unlimited is not None and _CAP_ASKED.search(asking.core) and "liab" in asking.core + folded:
        return unlimited
    refused = _NOT_GRANTED.search(folded) if _GRANT_ASKED.search(asking.core) else None
    if refused is not None:
        return refused
    for match in _NONE.finditer(folded):
        if _RESTRAINT.match(folded, match.start()) and _RESTRAINT.search(asking.core):
            continue  # 'no competencia' is the name of what is asked for
        if _FORBIDDEN_ACT.match(folded, match.start()):
            continue  # 'no venderá productos de la competencia' forbids an act
        wide = " not" in match.group(0)
        if wide and not (_OF_CONTRACT.search(folded[: match.start()]) or _CONFERS.search(match.group(0))):
            continue  # 'the Supplier shall not provide competing services' denies no clause
        noun = re.split(r"[.;:]", folded[match.end() : match.end() + (_OBJECT_REACH if wide else _NOUN_REACH)])[0]
        head = noun if wide else _SIDE_NOUN.split(noun)[0]
        # 'no consequential damages' is no denial of a cap, although the experts look for it there
        known = terms if wide or _OUTRIGHT.match(match.group(0)) else ()
        if _is_asked(head, noun, asking, known) and not _is_condition(folded, match):
            return match
    gone = _gone(folded, asking)
    if gone is not None:
        return gone
    for match in (*NOTHING.finditer(folded), *_NO_OTHER.finditer(folded)):
        object_ = re.split(r"[.;]", folded[match.end() : match.end() + _OBJECT_REACH])[0]
        if _LEAVES_FREE.search(object_[:VERB_REACH]):
            continue
        if _is_asked(object_, object_, asking, terms) or any(term in folded[: match.start()] for term in terms):
            return match
    return None


def _gone(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where a clause ends what is asked: 'is hereby waived'; 'does not waive' and a condition end nothing."""
    if _GIVES_UP.search(asking.core):
        return None  # 'is there a waiver of jury trial?', 'a covenant not to sue?' ask for a thing given up
    for match in (*_IS_GONE.finditer(folded), *_MAKE_GONE.finditer(folded)):
        before = f"{folded[max(0, match.start() - NEAR) : match.start()]} {match['noun']}"
        words = re.findall(r"[a-z]{3,}", match["noun"])
        if NEGATION.search(before.replace("non-", "")) or _is_condition(folded, match):
            continue
        if any(word[:STEM] in asking.heads for word in words):
            return match
    return None


def is_plain(denial: str) -> bool:
    """True for words that deny outright, 'there is no', where 'nothing herein shall grant' often only reserves."""
    return _OUTRIGHT.match(denial) is not None


def leaves_free(folded: str, asking: Asking) -> re.Match[str] | None:
    """'Nothing herein shall prevent it from competing', 'may freely compete': what a restraint would forbid is free.

    It is an exception where another clause restrains.
    """
    for match in (*NOTHING.finditer(folded), *_NOT_MEANT.finditer(folded)):
        object_ = re.split(r"[.;]", folded[match.end() : match.end() + _OBJECT_REACH])[0]
        if _LEAVES_FREE.search(object_[:VERB_REACH]) and asking.link is not None and asking.link.search(object_):
            return match
    return None


def denied_word(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where the clause denies a word of the question itself: 'non-exclusive', 'is not transferable'."""
    asked = asking.core
    for word in re.findall(r"[a-z]{5,}", asked):
        if (
            word[:STEM] not in asking.heads
            or word.startswith(_RESTRAINTS)
            or re.search(rf"\bnon[- ]?{re.escape(word[:5])}", asked)
        ):
            continue
        stem = re.escape(word[: max(5, len(word) - 4)])
        denied = re.search(
            rf"(?<!not )\bnon-?\s*{stem}\w*?{_ADJECTIVE_END}|\b(?:neither|nor|ni) (?:[a-z-]+ (?:nor|or|ni) )?{stem}\w*|\b(?:is|are|be|shall|will) not (?:be )?(?:an? |the )?{stem}\w*"
            rf"|\bno (?:es|sera|seran|son) {stem}\w*|\b(?:n'est|ne sont|ne sera) pas {stem}\w*",
            folded,
        )
        if denied is not None:
            return denied
    return None


def denied_act(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where the clause denies the verb that is asked: 'shall not automatically renew'."""
    forms = "|".join(re.escape(form) for act in sorted(asking.acts) for form in forms_of(act))
    if not forms or asking.is_labelled:
        return None
    return re.search(rf"\b(?:not|never|cannot|no|ne|ni)\b (?:[a-z]+ ){{0,2}}?(?:{forms})", folded)


_OF_THINGS = re.compile(
    r"[^\s,;](?: or [\w-]+)? (?:which|that|who|que|qui)(?: (?:\w+ly|\w+ment\w*|in any way|directly or indirectly|directa o indirectamente|directement ou indirectement))? $"
)


def allowed_after_all(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where a clause allows what a restraint would forbid: 'may freely compete' is no non-compete."""
    restraint = _RESTRAINT.search(asking.core)
    if restraint is None:
        return None
    for match in ALLOWS.finditer(folded):
        if re.search(r"\b(?:no|no se|ne|neither|not)\s+$", folded[: match.start()]):
            continue  # 'no podrá'
        if _OF_THINGS.search(folded[: match.start()]):
            continue  # 'products which may compete': what they are, not what a party is allowed
        between = re.match(rf"[^.;:]*?\b{restraint['what']}", folded[match.end() : match.end() + VERB_REACH])
        if between is not None and not NEGATION.search(between.group()) and not _LIMITED.search(between.group()):
            return match
    return None


def _names(text: str, stems: Collection[str]) -> bool:
    return any(word[:STEM] in stems for word in re.findall(r"[a-z]{4,}", text))


def _is_asked(head: str, noun: str, asking: Asking, terms: Collection[str]) -> bool:
    """True where the denied words name the thing asked for: its head noun, or an expert's term of several words."""
    words = re.findall(r"[a-z]{3,}", head)
    if any(word[:STEM] in asking.heads for word in words):
        return True
    if any(" " in term and term in noun for term in terms):
        return True
    return _GENERIC.search(head) is not None and _names(noun, asking.stems)


def _is_condition(folded: str, match: re.Match[str]) -> bool:
    """True for a 'no' inside a sub-clause that sets a condition: 'if there is no ...', 'so long as no ...'."""
    before = re.split(r"[,.;:]", folded[max(0, match.start() - 60) : match.start()])[-1]
    return (
        re.search(r"\b(?:if|unless|where|when|provided|so long as|to the extent|si|salvo|sauf|lorsque)\b", before)
        is not None
    )
