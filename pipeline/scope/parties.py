# ruff: noqa: E501  # patterns are read whole, on one line
"""Whose right, duty or payment a sentence speaks of, held against the party that a question asks about.

A sentence is of the party that stands before its modal verb ('the Customer may terminate'), after 'by' ('terminated by
the Customer'), or whose right or duty it names ('the Customer's obligations'). Conditions ('if the Customer fails to
pay') name no actor. A sentence that names no party is open, and never counted against a passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dictionaries.folding import folded_text
from pipeline.scope.words import plain
from schemas.question import ScopeFilters

# Roles that are one side of the same kind of contract by several names; a question may use another one than the document.
_FAMILIES = tuple(
    frozenset(names.split())
    for names in (
        "supplier vendor seller provider contractor manufacturer proveedor vendedor prestador fournisseur vendeur prestataire",
        "customer client buyer purchaser cliente comprador acheteur",
        "licensor licenciante concedant",
        "licensee licenciatario licencie",
        "landlord lessor arrendador bailleur",
        "tenant lessee arrendatario preneur locataire",
        "employer empleador empresario employeur",
        "employee empleado trabajador employe salarie",
        "lender prestamista preteur",
        "borrower prestatario emprunteur",
        "franchisor franquiciador franchiseur",
        "franchisee franquiciado franchise",
        "distributor reseller distribuidor distributeur revendeur",
        "insurer asegurador assureur",
        "insured policyholder asegurado assure",
    )
)
# The side that faces each family, by number: who is asked about where the document names no parties.
_FACING = {
    0: (1,),
    1: (0,),
    2: (3,),
    3: (2,),
    4: (5,),
    5: (4,),
    6: (7,),
    7: (6,),
    8: (9,),
    9: (8,),
    10: (11,),
    11: (10,),
    12: (0,),
    13: (14,),
    14: (13,),
}
MAX_APART = 100  # characters between a party and its verb: 'the Supplier, directly or through an Affiliate, may'
CONDITION_REACH = 40  # characters before a party in which the word stands that makes it a condition
MIN_SHORT_NAME = 3  # letters of a name without its legal form
MAX_NAMES = 12  # parties of a document that are told apart

_LEGAL_FORM = re.compile(
    r"(?:[,\s]+(?:and\s+)?(?:incorporated|inc|llc|l\.l\.c|ltd|limited|corp|corporation|company|co|lp|l\.p|llp|plc|gmbh|ag|s\.?\s?a\.?s?|s\.?\s?l\.?u?|b\.?v|n\.?v|sarl|s\.?p\.?a|pty|kg|se|oy|ab)\.?(?![\w]))+\s*$",
    re.IGNORECASE,
)
_ART = r"(?:(?:the|el|la|los|las|le|les)\s+|l['’]\s*)?"
_EVERY = r"(?:(?:either|each|any|both|every|no|neither|all|such|cada|ambas|cualquier\w*|ninguna|chaque|les\s+deux|aucune)\s+(?:of\s+the\s+|de\s+las\s+|des\s+)?(?:\w+\s+)?part(?:y|ies|es?|ies?)|(?:the|las|les)\s+(?:\w+\s+)?(?:parties|partes)|(?:a|the|la|une)\s+(?:\w+[- ]?\w*\s+)?part(?:y|e|ie))"
_MODAL = (
    r"(?:shall|may|must|will|can(?:not)?|agrees?|undertakes?|warrants?|represents?|covenants?|grants?|acknowledges?|pays?|owes?|indemnif\w+|assumes?|bears?|guarantees?|retains?|reserves?"
    r"|(?:is|are)\s+(?:not\s+)?(?:entitled|required|obliged|obligated|permitted|allowed|liable|responsible|free|authori[sz]ed|bound)|(?:has|have)\s+(?:the|a|an|no)\s+(?:\w+\s+)?(?:right|option|obligation|duty)"
    r"|(?:no\s+)?(?:podra|debera|puede|debe|tendra|pagara|tiene\s+derecho|se\s+obliga|se\s+compromete|esta\s+obligad\w|respondera|garantiza)n?"
    r"|(?:ne\s+)?(?:peut|doit|pourra|devra|paie|paye|paiera|versera|s['’]engage|est\s+tenu\w*|a\s+le\s+droit|garantit|s['’]oblige))"
)
_DUTIES = r"(?:rights?|obligations?|dut(?:y|ies)|options?|remed(?:y|ies)|liabilit(?:y|ies)|responsibilit(?:y|ies)|warrant(?:y|ies)|undertakings?|covenants?|commitments?|election|indemnit(?:y|ies)|derechos?|obligacion(?:es)?|deberes|responsabilidad(?:es)?|garantias?|droits?|responsabilites?|garanties?|engagements?)"
_RECEIVES = re.compile(
    r"^(?:shall|will|may|must)\s+(?:not\s+)?(?:also\s+)?(?:receive|be\s+(?:given|paid|notified|informed|provided|reimbursed|indemnified|sent|credited|compensated|refunded|held\s+harmless|entitled\s+to\s+(?:receive|an?\b|the\b|\d|\w+\s+(?:credits?|notice|refunds?))))"
    r"|^(?:is|are)\s+entitled\s+to\s+(?:receive|an?\b|\d|\w+\s+(?:credits?|notice|refunds?))"
)
_PASSIVE = re.compile(rf"^(?:shall|will|may|must|can)\s+(?:not\s+)?be\s+\w+\s+(?:\w+\s+)?by\s+{_ART}")
_CONDITION = re.compile(
    rf"(?:\b(?:if|where|when|whenever|unless|should|until|upon|once|because|si|cuando|lorsque|quand)\b|\b(?:event|case|provided|extent|caso\s+de|cas\s+ou)(?:\s+that|\s+de\s+que)?)\s+{_ART}$"
)
_ASKS = re.compile(
    rf"(?:\b(?:can|may|could|must|shall|should|does|do|did|will|would|is|are|has|have|when|if|whether|what|how|puede|debe|podra|debera|tiene|esta|doit|peut|que\s+(?:debe|puede|tiene)|est)\s+(?:que\s+)?|\b(?:let|allow|permit|entitle|require|oblige|enable|prevent|stop|prohibit|forbid)\w*\s+){_ART}$"
    rf"|\b{_DUTIES}\s+(?:of|for|on|del?|du|des|au|pour)\s+{_ART}$|\b(?:by|por|par)\s+{_ART}$|^{_ART}$|\bfor\s+{_ART}$"
)
# 'Can the Licensee be audited?', 'must the Licensor consent?': what another party does to it, or asks of it.
_SUFFERS = re.compile(
    r"^\s+(?:(?:also|ever)\s+)?(?:(?:has|have|need)\s+to\s+|to\s+)?(?:be\s+\w+(?:ed|en|id|aid|ld|nt)\b(?!\s+to\b)|receive|get|allow|permit|accept|tolerate|consent|agree|approve)\b"
)
# 'Is the Client's consent required?' asks what another party may do: the clause is on that one, and names the Client.
_CONSENT = r"(?:consents?|approvals?|permission|authori[sz]ation|agreement|consentimiento|autorizacion|aprobacion|conformidad|consentement|accord|agrement|autorisation)"
_CONSENTS = re.compile(rf"\b{_CONSENT}\s+(?:(?:of|from|by|del?|du|des|a)\s+)?{_ART}$")
_OWN_CONSENT = re.compile(rf"^['’]s?\s+(?:(?:prior|written|express|previous)\s+){{0,3}}(?:and\s+\w+\s+)?{_CONSENT}\b")
# 'the client data' and 'the customer list' are no parties.
_COMPOUND = re.compile(
    r"^\s+(?:data|information|lists?|relationships?|support|content|services?|products?|materials?|equipment|personnel|agreement|contract|portal|account|care|records?|premises|benefits?|handbook|code|property|ip|satisfaction|base)\b"
)
_ASKS_AFTER = re.compile(
    rf"^\s*(?:{_MODAL}|needs?|has\s+to|have\s+to|doit-\w+|peut-\w+|est-\w+|tiene\s+que|debe)|^['’]s?\s+(?:\w+\s+){{0,3}}{_DUTIES}\b"
)


def name_parties(parties: Iterable[tuple[str, str | None]]) -> tuple[tuple[str, ...], ...]:
    """Each party by all that a document calls it: its name, its label, and its name without the legal form."""
    found = (tuple(dict.fromkeys(one for one in (name, label, _short_name(name)) if one)) for name, label in parties)
    return tuple(found)[:MAX_NAMES]


def find_party(name: str, known: Sequence[Sequence[str]]) -> int | None:
    """Place of the party of that name or label, else of the only one with a role of the same side; None for none.

    `known` as `name_parties` gives them: 'comprador' finds the party that the document calls 'Buyer'.
    """
    found = _who_is(folded_text(name), [[folded_text(one) for one in names] for names in known])
    return found[0] if found else None


@dataclass(frozen=True)
class PartyScope:
    """The party that a question asks about; `names` and `others` folded.

    `acting`: it asks what that party may, must or owes; else the question only names it. `shown` is what the user wrote.
    """

    names: tuple[str, ...]
    others: tuple[str, ...]
    acting: bool
    shown: str

    def other_in(self, text: str, *above: str) -> str | None:
        """The other party that alone acts in a text, as the text writes it; None where it is not so.

        `above` are its opening ('The Customer shall:') and its headings, nearest first: they tell where it tells not.
        """
        for at, piece in enumerate((text, *above)):
            actors = self._actors(piece)
            if not actors and at:
                actors = self._named(piece)
            if None in actors:
                return None
            if actors:
                return next(name for name in actors if name) if self.acting or not self._mentions(text) else None
        return None

    def _actors(self, text: str) -> list[str | None]:
        """Parties that act in a text, in order: None for the one asked about or every party; conditions aside."""
        folded = plain(text)
        main: list[str | None] = [None] if self._handed.search(folded) else []
        for start, end, verb_start in self._subjects(folded):
            if _CONDITION.search(folded[max(0, start - CONDITION_REACH) : start]):
                continue
            verb = folded[verb_start:]
            passive = _PASSIVE.match(verb)
            by = self._who.match(verb, passive.end()) if passive else None
            if by is not None:
                main.append(self._told(text, verb_start + by.start(), verb_start + by.end()))
            elif passive is None and not _RECEIVES.match(verb):
                main.append(self._told(text, start, end))
        if main:
            return main
        return [self._told(text, *match.span("name")) for one in self._beside for match in one.finditer(folded)]

    def _subjects(self, folded: str) -> list[tuple[int, int, int]]:
        """Start and end of each party that stands as a subject, and where its verb starts, in order."""
        before, inverted = self._subject
        found = [(*match.span("name"), match.start("verb")) for match in before.finditer(folded)]
        found += [(*match.span("name"), match.end("name")) for match in inverted.finditer(folded)]
        return sorted(found)

    def _named(self, heading: str) -> list[str | None]:
        return [self._told(heading, *match.span()) for match in self._who.finditer(plain(heading))]

    def _told(self, text: str, start: int, end: int) -> str | None:
        name = plain(text[start:end])
        return text[start:end] if any(_same(name, one) for one in self.others) else None

    def _mentions(self, text: str) -> bool:
        return any(_same(match.group(), name) for match in self._who.finditer(plain(text)) for name in self.names)

    @cached_property
    def _any_name(self) -> str:
        names = sorted({*self.names, *self.others}, key=lambda name: (-len(name), name))
        return rf"(?:{'|'.join(re.escape(name) for name in names)})s?(?!\w)"

    @cached_property
    def _who(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w){self._any_name}")

    @cached_property
    def _subject(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """A party before its verb, with what may stand between; and after it: 'in no event shall the Customer'."""
        named = rf"(?<!\w)(?P<name>{self._any_name}|{_EVERY})"
        owned = rf"(?:['’]s?\s+(?:\w+\s+){{0,3}}{_DUTIES}(?:\s+\w+){{0,8}}?)?"
        apart = rf"(?:\s*\([^)]{{0,60}}\))?(?:\s*,[^,.;]{{1,{MAX_APART}}},)?"
        adverbs = r"(?:(?:hereby|also|further|then|only|expressly|each|in\s+turn|therefore|promptly)\s+){0,2}"
        before = re.compile(rf"{named}{owned}{apart}\s+{adverbs}(?P<verb>{_MODAL})(?!\w)")
        inverted = re.compile(rf"\b(?:shall|may|will|must)\s+{_ART}(?P<name>{self._any_name}|{_EVERY})")
        return before, inverted

    @cached_property
    def _beside(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """A party whose right or duty is named, or by whom a thing is done."""
        after = rf"(?:\bby|\bpor|\bpar|\b{_DUTIES}\s+(?:of|del?|du))\s+{_ART}(?P<name>{self._any_name}|{_EVERY})"
        before = rf"(?<!\w)(?P<name>{self._any_name}|{_EVERY})['’]s?\s+(?:\w+\s+){{0,2}}{_DUTIES}(?!\w)"
        return re.compile(after), re.compile(before)

    @cached_property
    def _handed(self) -> re.Pattern[str]:
        """'require the Supplier to ...', 'request that the Supplier ...': a duty of the one asked about."""
        own = "|".join(re.escape(name) for name in self.names)
        return re.compile(rf"\b(?:requir|request|oblig|caus|direct|instruct)\w*\s+(?:that\s+)?{_ART}(?:{own})(?!\w)")


def party_scope(question: str, filters: ScopeFilters) -> PartyScope | None:
    """Whom a question asks about; None where it names no party, every party, or the other parties are not known.

    Of several parties the one that acts is asked about: 'What must the Customer pay to the Supplier?' A role that is no
    label of the document is taken for its only party with a role of the same side ('Vendor' for 'Supplier').
    """
    named = [folded_text(name) for name in filters.parties]
    if not named or any(_is_every(name) for name in named):
        return None
    folded = plain(question)
    acting = [name for name in named if _is_actor(name, folded)]
    asked = acting or named
    known = [[folded_text(name) for name in names] for names in filters.known_parties]
    found = [at for name in asked for at in _who_is(name, known)]
    own = {*asked, *(name for at in found for name in known[at])}
    others = {name for at, names in enumerate(known) if at not in found for name in names} if found else set()
    others |= {name for name in named if not any(_same(name, one) for one in own)}
    if not known:
        others |= _counterparts(asked)
    others -= own
    if not others:
        return None
    shown = ", ".join(name for name in filters.parties if folded_text(name) in asked)
    return PartyScope(tuple(sorted(own)), tuple(sorted(others)), bool(acting), shown)


def _who_is(name: str, known: Sequence[Sequence[str]]) -> list[int]:
    """The party of that name or label, else the only one with a role of the same side; empty where none is."""
    found = [at for at, names in enumerate(known) if any(_same(name, one) for one in names)]
    found = found or [at for at, names in enumerate(known) if any(_one_side(name, one) for one in names)]
    return found if len(found) == 1 else []


def _short_name(name: str) -> str | None:
    """A company's name without its legal form: 'Acme' of 'Acme Ltd.'; None where nothing tells of it is left."""
    short = _LEGAL_FORM.sub("", name).strip(" ,.&")
    return short if len(short) >= MIN_SHORT_NAME and short != name and short[:1].isupper() else None


def _is_actor(name: str, question: str) -> bool:
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question):
        before, after = question[: match.start()], question[match.end() :]
        if _COMPOUND.match(after) or _SUFFERS.match(after) or _OWN_CONSENT.match(after) or _CONSENTS.search(before):
            continue
        if _ASKS.search(before) or _ASKS_AFTER.match(after):
            return True
    return False


def _counterparts(asked: Sequence[str]) -> set[str]:
    """Roles of the facing side, where the document names no parties: 'customer' for 'supplier', never 'vendor'."""
    facing: set[str] = set()
    for number, family in enumerate(_FAMILIES):
        if any(_same(name, role) for name in asked for role in family):
            facing = facing.union(*(_FAMILIES[other] for other in _FACING[number]))
    return facing


def _is_every(name: str) -> bool:
    return re.fullmatch(rf"{_EVERY}|part(?:y|ies|es?|ie)", name) is not None


def _same(one: str, other: str) -> bool:
    return one == other or one == f"{other}s" or other == f"{one}s"


def _one_side(one: str, other: str) -> bool:
    return any(one.removesuffix("s") in family and other.removesuffix("s") in family for family in _FAMILIES)
