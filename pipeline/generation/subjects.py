# ruff: noqa: E501  # patterns are read whole, on one line
"""Of whom a clause speaks: another party than the one asked about, all but that one, or one alone."""

from __future__ import annotations

import re

from pipeline.generation.asking import ROLES, Asking, plain, read_asking
from pipeline.generation.ending import ending_of
from pipeline.generation.modality import ALLOWS, DUTY, FORBIDS, VERB_REACH, spoken

ROLE = re.compile(rf"\b(?:{ROLES})\b")
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
_ANY_PARTY = re.compile(
    r"\b(?<!receiving )(?<!disclosing )(?<!other )(?<!third )(?:part(?:y|ies)|either|each|both|parte|partes|partie|parties)\b(?! (?:receptora|reveladora|destinataire|divulgatrice))"
)
_LETS = re.compile(r"\b(?:allow|permit|afford|grant|give)s?$")


def only_party(clause: str, question: str) -> str | None:
    """The one party to which the clause gives what is asked of each, verbatim; None where it gives it to both or none."""
    folded = plain(clause)
    asking = read_asking(question)
    modal = other_subject(folded, asking) if asking.of_both else None
    if modal is None or not ALLOWS.match(modal.group(0)) or spoken(ALLOWS, folded, asking.link) is None:
        return None
    if asking.without_cause and ending_of(folded) != "free":
        return None
    start = max(0, modal.start() - VERB_REACH)
    named = list(ROLE.finditer(folded, start, modal.start()))
    return clause[named[-1].start() : named[-1].end()] if named else None


def other_subject(folded: str, asking: Asking) -> re.Match[str] | None:
    """The modal of the clause when its subject is another party than the one that the question names."""
    if asking.role is None and not asking.of_both:
        return None
    modals = [match for pattern in (FORBIDS, ALLOWS, DUTY) if (match := pattern.search(folded)) is not None]
    if not modals:
        return None
    modal = modals[0]
    subject = folded[max(0, modal.start() - VERB_REACH) : modal.start()]
    if _LETS.search(modal.group(0)):  # 'shall permit the Buyer to audit': the Buyer is the one who may
        subject = folded[modal.end() : modal.end() + VERB_REACH]
    named = [_SAME_ROLE.get(match.group(0), match.group(0)) for match in ROLE.finditer(subject)]
    role = _SAME_ROLE.get(asking.role or "", asking.role)
    if not named or _ANY_PARTY.search(subject) or (role is not None and role in named):
        return None
    return modal


def left_out(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where the party asked about is left out of those whom the clause speaks of: 'both parties, other than the Supplier'."""
    if asking.role is None:
        return None
    return re.search(
        rf"\b(?:other than|except(?: for)?|excluding|save(?: for)?|salvo|excepto|sauf|hormis|a l'exception d[eu])\s+(?:the |el |la |le |l['’])?{re.escape(asking.role)}\b,?(?= (?:may|shall|can|has|have|is|are|podra|puede|peut|peuvent|pueden|podran))",
        folded,
    )
