# ruff: noqa: E501  # patterns are read whole, on one line
"""Yes or no, as a clause says it: presence, permission, duty, restraint and consent, and what negates each.

A clause is read for what was asked: 'shall not sell' is a no to 'may the Supplier sell?' and a yes to 'is there a
non-compete?'. Where the words do not settle it, there is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.asking import Asked, Asking, link_of, plain, read_asking
from pipeline.generation.bounds import is_bounded, is_done, lacks
from pipeline.generation.carving import carved_out, excluded
from pipeline.generation.denials import (
    NEGATION,
    NOTHING,
    allowed_after_all,
    denied_act,
    denied_word,
    denies,
    leaves_free,
)
from pipeline.generation.ending import ending_of
from pipeline.generation.excepted import Part, part_on
from pipeline.generation.exceptions import exceptions_of
from pipeline.generation.modality import (
    ALLOWS,
    CAUSE,
    DUTY,
    FORBIDS,
    NO_DUTY,
    UNRESTRAINED,
    VERB_REACH,
    free_of_consent,
    has_modal,
    needs_consent,
    restrains,
    spoken,
)
from pipeline.generation.passages import whole_sentences
from pipeline.generation.recipients import keeps_from, lets_know
from pipeline.generation.subjects import left_out, only_party, other_subject
from pipeline.generation.turning import is_turned, not_so, said_plainly, widened

__all__ = [
    "NEGATION",
    "Asked",
    "Polarity",
    "asked_of",
    "exceptions_of",
    "is_denial",
    "negating_words",
    "only_party",
    "polarity_of",
]

# 'Any information, including but not limited to ...' is not limited to one kind of it.
_WIDE = re.compile(
    r"\b(?:not limited to|without (?:any )?limitation|any and all|(?:all|any) (?:\w+,? ){0,3}?(?:information|data|materials?)|sin limitacion|entre otr[oa]s|toda (?:la )?informacion|toute information|toutes (?:les )?informations|notamment|sans limitation)\b"
)
# 'shall make no copies except as necessary for the Purpose': neither a yes nor a no.
_AS_NEEDED = re.compile(
    r"\b(?:except|unless|other than|save|salvo|excepto|sauf)\b[^.;]{0,30}?\b(?:necessary|needed|reasonably|required (?:for|to)|permitted|necesari\w+|necessaire\w*)\b"
)
_ONLY_SOME = re.compile(r"^[^.;]{0,80}?\b(?:which|that|who) (?:do|does|are|is) not\b")
_FREELY = re.compile(
    r"\b(?:freely|free to|for any purpose|without (?:any )?restrictions?|libremente|librement|sans restriction|sin restricci\w+)\b"
)
_NO_ENDING = re.compile(
    r"\b(?:(?:shall|may|can) not|cannot|no right to|neither party (?:may|shall)|no (?:podra|puede)\w*|ne (?:peut|pourra)\w*)(?: \w+){0,2}? (?:be )?(?:terminat|cancel|resolver|rescindir|resilier|mettre fin)"
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a clause says to a question: yes, no, or not settled (None), with the words that decide."""

    value: bool | None
    words: str


def asked_of(question: str) -> Asked:
    """What a yes/no question asks for; presence unless its words ask for more."""
    return read_asking(question).kind


def polarity_of(clause: str, question: str, *, also: Sequence[str] = ()) -> Polarity | None:
    """What the clause says to the question; None where no rule speaks.

    `clause` is verbatim, on one line; the words given back are its own. `also`: further words that name what is asked,
    as an expert's terms do.
    """
    clause = whole_sentences(clause)  # cited lines begin and end inside other sentences
    folded = said_plainly(plain(clause))
    asking = read_asking(question)
    terms = tuple(plain(term) for term in also)
    whole_denied = not_so(folded)
    if whole_denied is not None:
        return Polarity(None, _words(clause, whole_denied))
    has_parts = asking.kind != "presence" and asking.whom is None and not asking.is_labelled
    has_parts = has_parts and left_out(folded, asking) is None
    part = part_on(folded, asking) if has_parts else None
    if part is not None:
        return _of_part(folded, clause, part, asking, terms)
    return _told(folded, clause, asking, terms)


def _told(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    """What the readings asked for say, where they agree; not settled where one says yes and another no."""
    told = [one for kind in asking.kinds if (one := _READINGS[kind](folded, clause, asking, terms)) is not None]
    settled = [one for one in told if one.value is not None]
    if len({one.value for one in settled}) > 1:
        return Polarity(None, settled[0].words)
    return next(iter(settled), told[0] if told else None)


def _of_part(folded: str, clause: str, part: Part, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    """What an exception says, or, where it only takes out of the rule, the contrary of the rule."""
    words = clause[part.start : part.end].strip()
    blank = " " * part.start + folded[part.start : part.end]
    told = _told(blank, clause, asking, terms) if has_modal(blank) else None
    if told is not None or not part.takes_out or not part.is_whole:
        return Polarity(told.value, words) if told is not None and part.is_whole else Polarity(None, words)
    rule = _told(part.rule, clause, asking, terms)
    if rule is None or rule.value is None or (asking.unasked and needs_consent(blank)):
        return Polarity(None, words)
    return Polarity(not rule.value, words)


def is_denial(clause: str, question: str, *, also: Sequence[str] = ()) -> bool:
    """True for a clause that says that what is asked is not there: 'there is no ...', 'nothing herein shall create'."""
    return denies(plain(clause), read_asking(question), tuple(map(plain, also))) is not None


def negating_words(clause: str) -> str | None:
    """The first words of the clause that negate, verbatim."""
    folded = plain(clause)
    for pattern in (FORBIDS, NO_DUTY, NOTHING, NEGATION):
        match = pattern.search(folded)
        if match is not None:
            return clause[match.start() : match.end()]
    return None


def _presence(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    denied = denies(folded, asking, terms) or denied_word(folded, asking) or allowed_after_all(folded, asking)
    denied = denied or denied_act(folded, asking)
    if denied is None and asking.of_limit and asking.of_meaning:
        denied = _WIDE.search(folded)
    if denied is None:
        return None
    # 'if sales fall short, the Licensor may make it non-exclusive' denies nothing today
    hangs = CAUSE.search(folded, 0, denied.start()) is not None
    return Polarity(None if hangs else False, _words(clause, denied))


def _restraint(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    """A restraint is a yes where the act is forbidden, limited or hangs on a consent; free where it is allowed."""
    denied = denies(folded, asking, terms) or allowed_after_all(folded, asking)
    if denied is not None:
        return Polarity(False, _words(clause, denied))
    free = leaves_free(folded, asking)
    if free is not None:
        return Polarity(None, _words(clause, free))  # it may be an exception of a restraint that stands elsewhere
    forbids = restrains(folded, link_of(asking, terms))
    if forbids is not None:
        return Polarity(True, _words(clause, forbids))
    allows = spoken(ALLOWS, folded, asking.link)
    freed = UNRESTRAINED.search(folded)
    if allows is not None and asking.is_direct and is_turned(plain(clause)) and not lacks(folded, asking):
        return Polarity(False, _words(clause, allows))
    if allows is None or freed is not None:
        said = freed or allows
        return None if said is None else Polarity(None, _words(clause, said))
    return Polarity(False if _FREELY.search(folded, allows.start()) else None, _words(clause, allows))


def _consent(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    """A consent is required where the act hangs on one, or is forbidden outright."""
    needed = needs_consent(folded)
    if needed is not None:
        return Polarity(True, _words(clause, needed))
    free = free_of_consent(folded)
    if free is not None:
        return Polarity(False, _words(clause, free))
    link = link_of(asking, terms)
    forbids = spoken(FORBIDS, folded, link)
    if forbids is not None and not NOTHING.search(folded):
        return Polarity(True, _words(clause, forbids))
    return None


def _permission(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    subject = _of_others(folded, clause, asking)
    if subject is not None:
        return subject
    if asking.without_cause:
        return _free_ending(folded, clause, asking)
    link = link_of(asking, terms)
    if asking.whom is not None:
        let = lets_know(folded, asking.whom, asking.link)
        if let is not None:
            hung = asking.unasked and needs_consent(folded[let.start() :]) is not None
            return Polarity(None if hung else True, _words(clause, let))
        kept = keeps_from(folded, asking.whom, asking.link)
        return Polarity(False, _words(clause, kept)) if kept is not None else None
    left = leaves_free(folded, asking) or excluded(folded, asking)
    if left is not None:
        return Polarity(True, _words(clause, left))
    carved = carved_out(folded, asking)
    if carved is not None:
        return Polarity(False, _words(clause, carved))
    forbids = spoken(FORBIDS, folded, link) or denied_word(folded, asking)
    allows = spoken(ALLOWS, folded, link)
    if forbids and allows and not forbids.start() <= allows.start():
        return Polarity(None, _words(clause, allows))
    if forbids:
        # 'no access to records which do not relate to sales' leaves access to the others
        partly = _ONLY_SOME.match(folded[forbids.end() :]) or _AS_NEEDED.search(folded, forbids.end())
        return Polarity(None if partly else False, _words(clause, forbids))
    if allows is None:
        return None
    if asking.unasked and (consent := needs_consent(folded)) is not None:
        return Polarity(False, _words(clause, consent))
    if CAUSE.search(folded, 0, allows.start()) or is_bounded(folded, allows, asking):
        return Polarity(None, _words(clause, allows))  # allowed only for a cause: neither yes nor no
    return Polarity(True, _words(clause, allows))


def _of_others(folded: str, clause: str, asking: Asking) -> Polarity | None:
    """What is said where the clause speaks of others than the party asked about; None where it speaks of it."""
    others = left_out(folded, asking)
    if others is not None:  # 'no party other than the Supplier may' lets the Supplier
        forbidden = FORBIDS.search(folded, max(0, others.start() - VERB_REACH)) is not None
        return Polarity(forbidden, _words(clause, others))
    other = other_subject(folded, asking)
    if other is not None:
        return Polarity(None, _words(clause, other))
    return None


def _free_ending(folded: str, clause: str, asking: Asking) -> Polarity | None:
    """A right to end without a cause; one for a cause is neither yes nor no."""
    ending = ending_of(folded)
    forbids = _NO_ENDING.search(folded)
    if ending == "other":
        return Polarity(False, _words(clause, forbids)) if forbids is not None and _names_free(folded) else None
    is_any = asking.role is None and not asking.of_both  # one party's right is enough
    if forbids is not None and not (ending == "free" and is_any):
        return Polarity(None if ending == "for_cause" else False, _words(clause, forbids))
    return Polarity(True if ending == "free" else None, "")


def _names_free(folded: str) -> bool:
    """True for a denial of an ending without a cause, not of every ending: 'no right to terminate for convenience'."""
    return (
        re.search(r"\b(?:convenience|without cause|at will|sin causa|conveniencia|sans motif|convenance)\b", folded)
        is not None
    )


def _duty(folded: str, clause: str, asking: Asking, terms: Sequence[str]) -> Polarity | None:
    other = other_subject(folded, asking)
    if other is not None:
        return Polarity(None, _words(clause, other))
    link = link_of(asking, terms)
    no_duty = spoken(NO_DUTY, folded, link)
    if no_duty is not None:
        return Polarity(False, _words(clause, no_duty))
    duty = spoken(DUTY, folded, link)
    if asking.is_passive and duty is not None and not is_done(folded, asking):
        return None
    return Polarity(True, _words(clause, duty)) if duty is not None else None


_READINGS = {
    "presence": _presence,
    "restraint": _restraint,
    "consent": _consent,
    "permission": _permission,
    "duty": _duty,
}


def _words(clause: str, match: re.Match[str]) -> str:
    """The words found, whole, verbatim."""
    start, end = widened(plain(clause), match.start(), match.end())
    return clause[start:end]
