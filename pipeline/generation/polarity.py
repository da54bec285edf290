# ruff: noqa: E501  # patterns are read whole, on one line
"""Yes or no, as a clause says it: presence, permission, duty, restraint and consent, and what negates each.

A clause is read for what was asked: 'shall not sell' is a no to 'may the Supplier sell?' and a yes to 'is there a
non-compete?'. Where the words do not settle it, there is no verdict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.acts import forms_of
from pipeline.generation.asking import ROLES, Asked, Asking, link_of, plain, read_asking
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
    needs_consent,
    restrains,
    spoken,
)
from pipeline.generation.passages import whole_sentences
from pipeline.generation.recipients import keeps_from, lets_know

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

_ROLE = re.compile(rf"\b(?:{ROLES})\b")
# 'Any information, including but not limited to ...' is not limited to one kind of it.
_WIDE = re.compile(
    r"\b(?:not limited to|without (?:any )?limitation|any and all|(?:all|any) (?:\w+,? ){0,3}?(?:information|data|materials?)|sin limitacion|entre otr[oa]s|toda (?:la )?informacion|toute information|toutes (?:les )?informations|notamment|sans limitation)\b"
)
# 'shall make no copies except as necessary for the Purpose': neither a yes nor a no.
_AS_NEEDED = re.compile(
    r"\b(?:except|unless|other than|save|salvo|excepto|sauf)\b[^.;]{0,30}?\b(?:necessary|needed|reasonably|required (?:for|to)|permitted|necesari\w+|necessaire\w*)\b"
)
_ONLY_SOME = re.compile(r"^[^.;]{0,80}?\b(?:which|that|who) (?:do|does|are|is) not\b")
_SAME_ROLE = {
    "recipient": "receiving party",
    "parte receptora": "receiving party",
    "partie destinataire": "receiving party",
    "discloser": "disclosing party",
    "parte reveladora": "disclosing party",
    "partie divulgatrice": "disclosing party",
    "buyer": "purchaser",
    "customer": "client",
    "seller": "vendor",
}
_FREELY = re.compile(
    r"\b(?:freely|free to|for any purpose|without (?:any )?restrictions?|libremente|librement|sans restriction|sin restricci\w+)\b"
)
_NO_ENDING = re.compile(
    r"\b(?:(?:shall|may|can) not|cannot|no right to|neither party (?:may|shall)|no (?:podra|puede)\w*|ne (?:peut|pourra)\w*)(?: \w+){0,2}? (?:be )?(?:terminat|cancel|resolver|rescindir|resilier|mettre fin)"
)
_ANY_PARTY = re.compile(
    r"\b(?<!receiving )(?<!disclosing )(?<!other )(?<!third )(?:part(?:y|ies)|either|each|both|parte|partes|partie|parties)\b(?! (?:receptora|reveladora|destinataire|divulgatrice))"
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
    folded = plain(clause)
    asking = read_asking(question)
    terms = tuple(plain(term) for term in also)
    told = [one for kind in asking.kinds if (one := _READINGS[kind](folded, clause, asking, terms)) is not None]
    return next((one for one in told if one.value), told[0] if told else None)


def is_denial(clause: str, question: str, *, also: Sequence[str] = ()) -> bool:
    """True for a clause that says that what is asked is not there: 'there is no ...', 'nothing herein shall create'."""
    return denies(plain(clause), read_asking(question), tuple(map(plain, also))) is not None


def only_party(clause: str, question: str) -> str | None:
    """The one party to which the clause gives what is asked of each, verbatim; None where it gives it to both or none."""
    folded = plain(clause)
    asking = read_asking(question)
    modal = _other_subject(folded, asking) if asking.of_both else None
    if modal is None or not ALLOWS.match(modal.group(0)) or spoken(ALLOWS, folded, asking.link) is None:
        return None
    if asking.without_cause and ending_of(folded) != "free":
        return None
    start = max(0, modal.start() - VERB_REACH)
    named = list(_ROLE.finditer(folded, start, modal.start()))
    return clause[named[-1].start() : named[-1].end()] if named else None


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
    other = _other_subject(folded, asking)
    if other is not None:
        return Polarity(None, _words(clause, other))
    if asking.without_cause:
        return _free_ending(folded, clause, asking)
    link = link_of(asking, terms)
    if asking.whom is not None:
        let = lets_know(folded, asking.whom, asking.link)
        if let is not None:
            return Polarity(True, _words(clause, let))
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
    if asking.unasked and (hung := needs_consent(folded)) is not None:
        return Polarity(False, _words(clause, hung))
    if CAUSE.search(folded, 0, allows.start()):
        return Polarity(None, _words(clause, allows))  # allowed only for a cause: neither yes nor no
    return Polarity(True, _words(clause, allows))


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
    other = _other_subject(folded, asking)
    if other is not None:
        return Polarity(None, _words(clause, other))
    link = link_of(asking, terms)
    no_duty = spoken(NO_DUTY, folded, link)
    if no_duty is not None:
        return Polarity(False, _words(clause, no_duty))
    duty = spoken(DUTY, folded, link)
    if asking.is_passive and duty is not None and not _done(folded, asking):
        return None
    return Polarity(True, _words(clause, duty)) if duty is not None else None


_READINGS = {
    "presence": _presence,
    "restraint": _restraint,
    "consent": _consent,
    "permission": _permission,
    "duty": _duty,
}


def _other_subject(folded: str, asking: Asking) -> re.Match[str] | None:
    """The modal of the clause when its subject is another party than the one that the question names."""
    if asking.role is None and not asking.of_both:
        return None
    modals = [match for pattern in (FORBIDS, ALLOWS, DUTY) if (match := pattern.search(folded)) is not None]
    if not modals:
        return None
    modal = modals[0]
    subject = folded[max(0, modal.start() - VERB_REACH) : modal.start()]
    named = [_SAME_ROLE.get(match.group(0), match.group(0)) for match in _ROLE.finditer(subject)]
    role = _SAME_ROLE.get(asking.role or "", asking.role)
    if not named or _ANY_PARTY.search(subject) or (role is not None and role in named):
        return None
    return modal


def _done(folded: str, asking: Asking) -> bool:
    """True where the act is done to something: 'shall be marked', where 'as it may designate' marks nothing."""
    forms = "|".join(re.escape(form) for act in sorted(asking.acts) for form in forms_of(act))
    return re.search(rf"\b(?:be|been|is|are|so)\b (?:[a-z]+ ){{0,3}}?(?:{forms})", folded) is not None


def _words(clause: str, match: re.Match[str]) -> str:
    return clause[match.start() : match.end()]
