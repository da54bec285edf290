# ruff: noqa: E501, SIM905  # a pattern is read whole, on one line; word lists are read as text
"""The roles that a document gives its parties, questions after one of them, and those that say 'the party' of two."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from pipeline.question.lexicon import ROLE_WORDS
from pipeline.question.reading import Span
from schemas.tables import NOT_TEXT_ROLES

if TYPE_CHECKING:
    from schemas.document import DocumentProfile, ParsedDocument

PARTIES = "Who are the parties?"  # what a question after one of them is searched by
MAX_ROLES = 3  # two or three choices
HEAD_LINES = 150  # lines in which a contract names its parties

# 'the party' and nothing that says which: no 'disclosing party', no 'party that ...', no 'either party'.
_SINGLE = re.compile(
    r"\b(?:the\s+party|la\s+parte(?!\s+contraria)|la\s+partie)\b(?!\s+(?:that|which|who|in|responsible|liable|with|to\s+(?:the|this)|que|qui|à|en|"
    r"[a-zé]+(?:ing|ed|ada|ante|ora|rice))\b)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"\(\s*(?:hereinafter\s+|referred\s+to\s+as\s+|the\s+|en\s+adelante,?\s+|ci-après\s+)*[\"“«'‘]\s*(?:the\s+|el\s+|la\s+|le\s+|l['’])?(?P<role>[^\W\d_]{3,30})\s*[\"”»'’]", re.IGNORECASE)  # fmt: skip

_WITH_PARTIES = ("contract", "contract_amendment", "unknown")  # types of documents that have parties
# Roles beside those of the lexicon that contracts give their parties, in three languages, folded.
_MORE_ROLES = frozenset(
    (
        "advertiser affiliate assignee assignor bank borrower broker buyer carrier celebrity consultant contractor depositor endorser executive franchisee "
        "guarantor host insurer insured investor issuer licensee licensor lessee lessor lender manager marketer merchant mortgagee mortgagor operator owner "
        "producer promoter publisher purchaser sponsor shipper servicer subcontractor subscriber talent transporter trustee underwriter university "
        "aseguradora asegurado avalista cedente cesionario emisor fiador franquiciador franquiciado inversor patrocinador transportista "
        "assureur assure bailleur caution cedant cessionnaire emetteur franchise franchiseur garant investisseur sponsor transporteur"
    ).split()
)
_WHO = r"who(?:'s| is| are| was)|which (?:party|company|entity|person) is|what(?:'s| is) the (?:full |legal )*name of|quien es|quien figura como|cual es (?:el nombre|la razon social) del?|que (?:parte|empresa|sociedad) es|qui est|quelle (?:partie|societe|entreprise) est|quel est le nom d[eu]|identify|identifique|identifiez"
_OF_DEAL = r"(?: (?:in|under|of|to|for|en|de|segun|dans|selon|du|de) (?:this |the |este |el |ce |cette |la |le |l')?(?:agreement|contract|lease|deal|document|contrato|acuerdo|documento|contrat|accord|bail|convention))?"
_ASKS_ROLE = re.compile(
    rf"^(?:and |y |et )?(?:{_WHO}) (?:(?:the|el|la|le|los|las|les) |l' ?)?(?P<role>[a-z]+(?: [a-z]+)?){_OF_DEAL}$"
)


_SEAT = r"(?:registered |postal |business |legal |principal )*(?:address|(?:registered |principal |head )?office|place of business|seat|headquarters)|domicilio(?: social)?|sede(?: social)?|direccion|adresse|siege(?: social)?"
_ASKS_SEAT = re.compile(
    rf"^(?:and |y |et )?(?:(?:what|where)(?:'s| is| are) |cual es |donde (?:esta|tiene) |quelle est |quel est |ou (?:est|se trouve) )?"
    rf"(?:(?:the|its|el|la|su|le|son) |l')?(?:(?P<owner>[a-z]+(?: [a-z]+)?)(?:'s?) (?:{_SEAT})|(?:{_SEAT}) (?:of the |of |del |de la |de |du |de l')(?P<of>[a-z]+(?: [a-z]+)?))(?: located)?$"
)


@dataclass(frozen=True, slots=True)
class AskedParty:
    """A party asked after by its role: who it is (`answer_type` party) or where it has its seat (address)."""

    role: str
    answer_type: str


def asked_party(text: str, profile: DocumentProfile | None) -> AskedParty | None:
    """The role in a question that asks who has it, or for its address, and nothing else; None for any other question.

    A role is a word that contracts use for a side, or the short name that this document gives a party.
    """
    if profile is not None and profile.semantic.doc_type not in _WITH_PARTIES:
        return None
    folded = folded_text(text).replace("’", "'").strip(" ¿?!.\"'")
    who, seat = _ASKS_ROLE.match(folded), _ASKS_SEAT.match(folded)
    role = who["role"] if who else (seat["owner"] or seat["of"]) if seat else None
    if role is None:
        return None
    role = re.sub(r"^(?:the|el|la|le|los|las|les) ", "", role)
    labels = {folded_text(party.label) for party in profile.semantic.parties if party.label} if profile else set()
    is_role = role in labels or all(word in ROLE_WORDS | _MORE_ROLES for word in role.split())
    return AskedParty(role, "party" if who else "address") if is_role else None


def single_party(text: str) -> Span | None:
    """Where a question says 'the party' without saying which; None where it does not."""
    match = _SINGLE.search(text)
    return match.span() if match else None


def find_roles(document: ParsedDocument) -> tuple[str, ...]:
    """The roles that the head of the document defines for its parties ('the Supplier'), in its order, at most three."""
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    head = " ".join(lines["text"].tolist()[:HEAD_LINES])
    article = {"es": "el", "fr": "le"}.get(next(iter(document.profile.semantic.languages), "en"), "the")
    found = [match["role"] for match in _DEFINED.finditer(head) if folded_text(match["role"]) in ROLE_WORDS]
    return tuple(f"{article} {role}" for role in dict.fromkeys(found))[:MAX_ROLES]
