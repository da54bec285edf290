# ruff: noqa: E501  # patterns are read whole, on one line
"""Yes or no, as a clause says it: presence, permission, duty, and what negates each.

A clause is read for what was asked: 'shall not sell' is a no to 'may the Supplier sell?' and a yes to 'is there a
non-compete?'. Where the words do not settle it, there is no verdict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import folded_text

Asked = Literal["presence", "permission", "duty"]

NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|nothing|none|without|cannot|non|ni|nunca|sin|ningun[ao]?|nada|ne|pas|aucune?|jamais"
    r"|sans|n['’])\b|n['’]t\b|\bn['’]",
    re.IGNORECASE,
)
_PERMISSION_ASKED = re.compile(
    r"^(?:and |so )?(?:can|may|could|is [\w\s,'-]{1,60} (?:allowed|permitted|entitled|free|authori[sz]ed)|are [\w\s,'-]{1,60} "
    r"(?:allowed|permitted|entitled|free)|(?:do|does) [\w\s,'-]{1,40}\b(?:allow|permit|have the right|prohibit|forbid)"
    r")\b|\b(?:allowed to|permitted to|be assigned|be transferred|puede|pueden|podra|podran|se permite|esta permitid\w*|es posible|peut|peuvent|permis)\b"
)
_PROHIBITION_ASKED = re.compile(r"\b(?:prohibit\w*|forbid\w*|forbidden|prohib\w+|interdi\w+)\b")
_DUTY_ASKED = re.compile(
    r"^(?:and |so )?(?:must|shall|should|do(?:es)? [\w\s,'-]{1,60} (?:have to|need to|require|oblige)|is [\w\s,'-]{1,60} "
    r"(?:required|obliged|obligated|bound)|are [\w\s,'-]{1,60} (?:required|obliged|obligated|bound))\b|\b(?:debe|deben|tienen? [\w\s]{0,40}que|obligad[oa]s?|doit|doivent|tenue?s?)\b"
)
_FORBIDS = re.compile(
    r"\b(?:(?:shall|may|will|can|must|does|do) not(?! be (?:required|obliged|obligated)|[\w\s]{0,30}? (?:more (?:than|often|frequently)|exceed|fewer than|less than|unreasonably))|cannot|neither [\w\s,]{1,60}? (?:shall|may|will)"
    r"|no (?:party|right|assignment|transfer|sublicen[cs]e)\b[\w\s,]{0,60}? (?:shall|may|will)|(?:is|are) (?:prohibited|not (?:permitted|allowed|entitled|transferable|assignable))"
    r"|no podra[n]?|no puede[n]?|queda[n]? prohibid[oa]s?|sin (?:el )?(?:previo )?consentimiento"
    r"|ne (?:peut|peuvent|pourra|pourront|doit|doivent)|n'est pas autorise\w*|est interdite?|sont interdit\w*)\b",
)
_ALLOWS = re.compile(
    r"\b(?:may(?! not)|(?:shall|will) (?:have the right|be (?:entitled|permitted|free))|(?:is|are) (?:entitled|permitted|free|allowed|authori[sz]ed)"
    r"|has the right|have the right|can(?! ?not)|podra[n]?|puede[n]?|tendra[n]? derecho|tiene[n]? derecho|peut|peuvent|pourra|pourront"
    r"|a le droit|freely (?:assign\w*|transfer\w*))\b",
)
_CAUSE = re.compile(
    r"\b(?:if(?! any\b| applicable| so\b)|in (?:the )?(?:case|event)|where (?:a|an|the|any|either|such)|si|en caso|en cas|lorsque)\b"
)
# A right to end a contract for a reason: the reason may stand as a list, without any 'if'.
_END_ASKED = re.compile(r"\b(?:terminat\w*|cancel\w*|rescind|resolver|rescindir|resili\w*)\b")
_FOR_CAUSE = re.compile(
    r"\b(?:for (?:any (?:one )?(?:or more )?of )?the following (?:causes|reasons|events)|upon the occurrence|(?:material )?breach(?:es)?|defaults?"
    r"|fail(?:s|ure)? to|insolven\w*|bankrupt\w*|incumplimiento|incumpl\w+|manquement|inexecution)\b"
)
_ROLES = (
    "supplier|buyer|seller|purchaser|customer|client|vendor|provider|licensor|licensee|lessor|lessee|landlord|tenant|distributor"
    "|manufacturer|franchisor|franchisee|contractor|consultant|agent|principal|borrower|lender|employer|employee|reseller|publisher"
    "|proveedor|comprador|vendedor|cliente|arrendador|arrendatario|fournisseur|acheteur|vendeur|bailleur|preneur|prestataire"
)
_ROLE_ASKED = re.compile(
    rf"^(?:and |so )?(?:can|may|could|must|shall|should|does|is|will|puede|debe|tiene|peut|doit)(?: the| el| la| le| l['’])? ?(?P<role>{_ROLES})\b"
)
_ROLE = re.compile(rf"\b(?:{_ROLES})\b")
# 'Can either party ...?': a clause on one party's right alone settles nothing for both.
_BOTH_ASKED = re.compile(
    r"\b(?:either (?:of the )?part(?:y|ies)|both (?:of the )?parties|each party|any party|ambas partes|cualquiera de las partes"
    r"|cada parte|l'une ou l'autre|chaque partie|chacune des parties|les deux parties)\b"
)
# What a clause takes out of what it allows: 'may subcontract parts but not the final assembly'.
_CARVED_OUT = re.compile(
    r"\b(?:but not|(?:except|excluding|other than|apart from|save)(?: for| in| to)?|pero no|excepto|salvo|mais (?:pas|non)|sauf|hormis)\b"
    r"(?P<what>[^.;]{1,160})"
)
_ANY_PARTY = re.compile(r"\b(?:part(?:y|ies)|either|each|both|parte|partes|partie|parties)\b")
_NO_DUTY = re.compile(
    r"\b(?:(?:shall|will|is|are) not (?:be )?(?:required|obliged|obligated|bound)|no (?:obligation|duty)|not (?:be )?(?:obligated|obliged|required)"
    r"|no (?:estara|esta|estaran) obligad\w+|n'est pas tenu\w*|ne (?:sera|seront) pas tenu\w*|aucune obligation)\b",
)
_DUTY = re.compile(
    r"\b(?:shall(?! not)|must(?! not)|will(?! not)|agrees? to|undertakes? to|(?:is|are) (?:required|obliged|obligated) to|debera[n]?|debe[n]?"
    r"|se obliga[n]? a|se compromete[n]? a|doit|doivent|devra|devront|s'engage\w*)\b",
)
_ABSENT = re.compile(
    r"\b(?:there (?:is|are|shall be|will be) no|no (?:third part(?:y|ies)|other person)\b[\w\s,]{0,60}? (?:is|are|shall|will|may|has|have)|(?:does|do|shall|is|are) not (?:intended to )?(?:confer|create|give rise to|grant)|(?:this )?(?:agreement|contract) (?:does|shall|will) not (?:contain|include|provide|create|grant|impose|have)"
    r"|no hay|no existe[n]?|no se (?:establece|pacta|preve)|il n'y a (?:pas|aucun\w*)|aucune? [\w\s]{1,40} n'est|ne (?:contient|prevoit|comporte) (?:pas|aucun\w*))\b",
)
_NOTHING_RESTRICTS = re.compile(
    r"\b(?:nothing (?:herein|in this \w+|contained herein)[\w\s,]{0,60}? (?:shall|will|is intended to)|nada de lo|rien dans)\b"
)
_EXCEPTION = re.compile(
    r"\b(?:except(?:ing)?(?: as| for| that| to| in| with| where| when| if)?|other than|unless|save (?:for|as|that|where)|provided,? (?:however,? )?that|without the prior"
    r"(?: express)?(?: written)? (?:consent|approval)|subject to|salvo|excepto|a menos que|siempre que|sin el (?:previo )?consentimiento|sauf|a moins que|a condition que"
    r"|sans l'accord|sans le consentement|sous reserve)\b",
)
_REFERENCE_END = re.compile(
    r"[;.,](?:\s|$)"
)  # 'Subject to Section 7.1,' names what comes first; the rest is the clause
_EXCEPTION_END = re.compile(r"[;.](?:\s|$)")
# Stems of duties that are themselves a 'not': 'shall not compete' is the presence of a non-compete, not its absence.
_RESTRAINTS = ("compet", "solicit", "dispar", "disclo", "circumv", "confid", "hiring", "poach", "sue")
_ADJECTIVE_END = (
    r"(?:ives?|[ai]bles?|ary|iv[oa]s?|ifs?)\b"  # 'non-exclusive' denies; 'non-renewal' is a thing of its own
)
STEM = 5  # letters by which the verb of question and clause are compared: assig-n, assig-nment
VERB_REACH = 90  # characters from 'may not' to its verb: 'shall not, directly or through an Affiliate, sell'
_ASKING = frozenset(
    [
        *("agreement", "contract", "party", "parties", "either", "without", "consent", "prior", "with", "this", "that"),
        *("allowed", "permitted", "entitled", "supplier", "buyer", "customer", "company", "under", "puede", "pueden"),
        *("contrato", "proveedor", "parte", "peut", "contrat", "fournisseur", "partie", "sans", "from", "prohibited"),
    ]
)
# What a restraint restrains: 'compet' of 'non-compete', 'solic' of 'non-solicitation', 'concu' of 'non-concurrence'.
_RESTRAINT = re.compile(r"\b(?:non|no)[- ]?(?P<what>compet|solic|dispar|circum|concu|captac)")
_LIMITED = re.compile(r"\b(?:only|if|unless|terminat\w*|claim|seek|injunct\w*)\b")  # a right against a rival
MAX_EXCEPTION = 300  # characters of one exception


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a clause says to a question: yes, no, or not settled (None), with the words that decide."""

    value: bool | None
    words: str


def asked_of(question: str) -> Asked:
    """What a yes/no question asks for; presence unless its words ask for a permission or a duty."""
    folded = _plain(question).lstrip("¿¡\"'“« ")
    if _PERMISSION_ASKED.search(folded) or _PROHIBITION_ASKED.search(folded):
        return "permission"
    return "duty" if _DUTY_ASKED.search(folded) else "presence"


def polarity_of(clause: str, question: str) -> Polarity | None:
    """What the clause says to the question; None where no rule speaks.

    `clause` is verbatim, on one line; the words given back are its own.
    """
    folded = _plain(clause)
    asked = asked_of(question)
    if asked == "presence":
        return _presence(folded, clause, question)
    other = _other_subject(folded, question)
    if other is not None:
        return Polarity(None, _words(clause, other))
    turned = bool(_PROHIBITION_ASKED.search(_plain(question)))
    if asked == "permission":
        carved = _carved_out(folded, question)
        if carved is not None:
            return Polarity(turned, _words(clause, carved))
        forbids = _spoken(_FORBIDS, folded, question) or _denied_word(folded, question)
        allows = _spoken(_ALLOWS, folded, question)
        if forbids and allows and not forbids.start() <= allows.start():
            return Polarity(None, _words(clause, allows))
        if forbids:
            return Polarity(turned, _words(clause, forbids))
        if allows and (_CAUSE.search(folded) or (_END_ASKED.search(_plain(question)) and _FOR_CAUSE.search(folded))):
            return Polarity(None, _words(clause, allows))  # allowed only for a cause: neither yes nor no
        return Polarity(not turned, _words(clause, allows)) if allows else None
    no_duty, duty = _NO_DUTY.search(folded), _DUTY.search(folded)
    if no_duty:
        return Polarity(False, _words(clause, no_duty))
    return Polarity(True, _words(clause, duty)) if duty else None


def exceptions_of(clause: str) -> tuple[str, ...]:
    """Exceptions that the clause makes, verbatim, each to the end of its part of the sentence."""
    folded = _plain(clause)
    found: list[str] = []
    end = 0
    for match in _EXCEPTION.finditer(folded):
        if match.start() < end:
            continue
        ends = _REFERENCE_END if match.group(0) in ("subject to", "sous reserve") else _EXCEPTION_END
        stop = ends.search(folded, match.end())
        end = min(stop.start() if stop else len(clause), match.start() + MAX_EXCEPTION)
        found.append(clause[match.start() : end].rstrip(" ,;."))
    return tuple(found)


def is_denial(clause: str) -> bool:
    """True for a clause that says that a thing is not there: 'there is no ...', 'nothing herein shall ...'."""
    folded = _plain(clause)
    return _ABSENT.search(folded) is not None or _NOTHING_RESTRICTS.search(folded) is not None


def negating_words(clause: str) -> str | None:
    """The first words of the clause that negate, verbatim."""
    folded = _plain(clause)
    for pattern in (_ABSENT, _FORBIDS, _NO_DUTY, _NOTHING_RESTRICTS, NEGATION):
        match = pattern.search(folded)
        if match is not None:
            return clause[match.start() : match.end()]
    return None


def _other_subject(folded: str, question: str) -> re.Match[str] | None:
    """The modal of the clause when its subject is another party than the one that the question names."""
    plain = _plain(question).lstrip("¿¡\"'“« ")
    asked = _ROLE_ASKED.search(plain)
    both = _BOTH_ASKED.search(plain)
    modal = next((match for pattern in (_FORBIDS, _ALLOWS, _DUTY) if (match := pattern.search(folded))), None)
    if modal is None or (asked is None and both is None):
        return None
    subject = folded[max(0, modal.start() - VERB_REACH) : modal.start()]
    named = [match.group(0) for match in _ROLE.finditer(subject)]
    if not named or _ANY_PARTY.search(subject) or (asked is not None and asked["role"] in named):
        return None
    return modal


def _carved_out(folded: str, question: str) -> re.Match[str] | None:
    """The words that take what is asked for out of what is allowed; what stands before them does not speak of it."""
    words = {word[:STEM] for word in re.findall(r"[a-z]{4,}", _plain(question)) if word not in _ASKING}
    for match in _CARVED_OUT.finditer(folded):
        if not _ALLOWS.search(folded, 0, match.start()):
            continue
        before = {word[:STEM] for word in re.findall(r"[a-z]{4,}", folded[: match.start()])}
        inside = {word[:STEM] for word in re.findall(r"[a-z]{4,}", match["what"])}
        if words - before and words - before <= inside:
            return match
    return None


def _presence(folded: str, clause: str, question: str) -> Polarity | None:
    absent = _ABSENT.search(folded) or _NOTHING_RESTRICTS.search(folded)
    if absent is not None:
        return Polarity(False, _words(clause, absent))
    denied = _denied_word(folded, question) or _allowed_after_all(folded, question)
    return Polarity(False, _words(clause, denied)) if denied is not None else None


def _allowed_after_all(folded: str, question: str) -> re.Match[str] | None:
    """Where a clause allows what a restraint would forbid: 'may freely compete' is no non-compete."""
    restraint = _RESTRAINT.search(_plain(question))
    if restraint is None:
        return None
    for match in _ALLOWS.finditer(folded):
        between = re.match(rf"[^.;:]*?\b{restraint['what']}", folded[match.end() : match.end() + VERB_REACH])
        if between is not None and not NEGATION.search(between.group()) and not _LIMITED.search(between.group()):
            return match
    return None


def _spoken(pattern: re.Pattern[str], folded: str, question: str) -> re.Match[str] | None:
    """The first match that speaks of what is asked: a word of the question follows it, or its noun stands before it.

    'Termination shall not release a Party' forbids a release, not a termination.
    """
    asked = {word[:STEM] for word in re.findall(r"[a-z]{4,}", _plain(question)) if word not in _ASKING}
    for match in pattern.finditer(folded):
        before = (
            match.start() - VERB_REACH if match.group(0).startswith(("is ", "are ", "no ", "est ")) else match.start()
        )
        near = re.findall(r"[a-z]{4,}", folded[max(0, before) : match.end() + VERB_REACH])
        if not asked or any(word[:STEM] in asked for word in near):
            return match
    return None


def _denied_word(folded: str, question: str) -> re.Match[str] | None:
    """Where the clause denies a word of the question itself: 'non-exclusive', 'is not transferable'."""
    asked = _plain(question)
    for word in re.findall(r"[a-z]{5,}", asked):
        if word.startswith(_RESTRAINTS) or re.search(rf"\bnon[- ]?{re.escape(word[:5])}", asked):
            continue
        stem = re.escape(word[: max(5, len(word) - 3)])
        denied = re.search(
            rf"\bnon-?\s*{stem}\w*?{_ADJECTIVE_END}|\b(?:is|are|be|shall|will) not (?:be )?(?:an? |the )?{stem}\w*"
            rf"|\bno (?:es|sera|seran|son) {stem}\w*|\b(?:n'est|ne sont|ne sera) pas {stem}\w*",
            folded,
        )
        if denied is not None:
            return denied
    return None


def _words(clause: str, match: re.Match[str]) -> str:
    return clause[match.start() : match.end()]


def _plain(text: str) -> str:
    """Folded, with the same offsets: characters that fold into several or none are kept as they are."""
    pieces = []
    for character in text:
        folded = folded_text(character)
        pieces.append(folded if len(folded) == 1 else character.lower() if len(character.lower()) == 1 else character)
    return "".join(pieces)
