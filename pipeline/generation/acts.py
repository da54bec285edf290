# ruff: noqa: E501  # patterns are read whole, on one line
"""The act that a yes/no question asks about, and the words by which clauses say it: share, disclose, divulge."""

from __future__ import annotations

import re

STEM = 5  # letters by which the words of question and clause are compared: assig-n, assig-nment
# Stems that lawyers use for one another in English, Spanish and French; a word belongs to each family that it begins like.
_FAMILIES = (
    (
        "share",
        "sharing",
        "disclos",
        "reveal",
        "divulg",
        "communicat",
        "provide",
        "furnish",
        "make available",
        "access to",
        "revel",
        "comunic",
        "compart",
        "partag",
        "communiqu",
        "divulgu",
    ),
    ("retain", "keep", "hold", "possess", "conserv", "reten", "garder", "detenir"),
    ("return", "destroy", "destruct", "delet", "erase", "devolv", "devuel", "destru", "restitu", "detrui", "effac"),
    ("copy", "copie", "reproduc", "duplicat", "photocop", "reproduir", "reproduct"),
    (
        "notify",
        "notif",
        "notice",
        "informs",
        "informed",
        "informing",
        "inform the",
        "inform disclos",
        "inform its",
        "inform such",
        "advise",
        "avis",
        "aviser",
        "preven",
    ),
    (
        "terminat",
        "cancel",
        "rescind",
        "ends",
        "ended",
        "ending",
        "resolver",
        "rescind",
        "resolucion",
        "resili",
        "mettre fin",
        "rompre",
    ),
    ("assign", "transfer", "convey", "cede", "ceder", "cesion", "cession", "transmit", "transfer", "transf"),
    ("acquir", "obtain", "receiv", "adquir", "obten", "acquer", "obten", "recev", "recib"),
    ("sell", "sale", "resell", "distribut", "market", "vend", "commerciali", "comerciali"),
    ("audit", "inspect", "examin", "review", "access", "auditor", "inspec", "verific", "control", "verif"),
    ("solicit", "hire", "hiring", "entice", "recruit", "employ", "contrata", "sollicit", "debauch", "embauch"),
    ("compete", "competi", "concurr", "compet"),
    ("pay", "remit", "compensat", "pagar", "pago", "abon", "paye", "verser", "versement", "regle"),
    ("insur", "asegur", "segur", "assur"),
    ("modif", "amend", "chang", "alter", "modific", "enmend", "avenant"),
    ("subcontract", "delegat", "subcontrat", "sous-trait"),
    ("sublicen", "sous-licen"),
    ("use", "using", "utili", "exploit", "usar", "uso", "employ"),
    ("reverse", "disassembl", "decompil", "desensambl", "descompil", "desassembl"),
    ("indemnif", "hold harmless", "indemniz", "indemnis"),
    ("increas", "rais", "adjust", "aument", "augment", "revis"),
    ("verbal", "oral", "orally", "spoken", "verbale", "oralement"),
    ("renew", "extend", "renov", "prorrog", "renouvel", "reconduc", "prolong"),
    ("marked", "marking", "mark as", "mark the", "identif", "designat", "label", "legend"),
    ("fact", "existence", "existencia", "hecho"),
    ("negotiat", "discussion", "talks", "negocia", "conversacion", "pourparler"),
    ("surviv", "continu", "remain in", "subsist", "sobreviv", "perdur", "demeur"),
)
_SUBJECT = (
    r"(?:(?:the|a|an|any|either|each|both|one|our|el|la|los|las|le|les|un|una|une)\s+|l['’])*"
    r"(?:[\w-]+\s+){0,1}?(?:receiving party|disclosing party|part(?:y|ies)|obligations?|provisions?|clauses?|restrictions?|duties|terms|obligaciones|obligacion|clausulas|parte[s]?(?: receptora| reveladora)?|partie[s]?|agreement|contract|contrato|contrat|acuerdo|licen[cs]e|company|supplier|buyer|seller|purchaser|customer|client|vendor"
    r"|provider|licensor|licensee|lessor|lessee|landlord|tenant|distributor|manufacturer|franchisor|franchisee|contractor|consultant|agent|principal|borrower|lender|employer|employee|reseller|publisher|recipient"
    r"|proveedor|comprador|vendedor|cliente|arrendador|arrendatario|fournisseur|acheteur|vendeur|bailleur|preneur|prestataire|we|you|i|they|it)"
)
_ROLE_NAMES = re.compile(
    r"\b(?:receiving|disclosing|providing|notifying|terminating|breaching|assigning|indemnif\w+) part(?:y|ies)\b|\bpartes? (?:receptora|reveladora|divulgadora)s?\b|\bparties? (?:destinataire|divulgatrice|receptrice)s?\b"
)
_ADVERBS = r"(?:(?:be|also|ever|not|then|freely|libremente|librement|etre|ser|-?t?-?ils?|-?t?-?elles?|[a-z]+ly|[a-z]+mente|[a-z]+ment)\s+)*"
_ACTS = (
    re.compile(
        rf"^(?:and |so )?(?:can|may|could|must|shall|should|will|do|does|puede[n]?|podra[n]?|debe[n]?|peut|peuvent|doit|doivent)\s+{_SUBJECT}\s+{_ADVERBS}(?P<act>[a-z]+)(?:\s+(?:or|and|o|y|e|ou|et)\s+(?P<other>[a-z]+))?"
    ),
    re.compile(
        rf"^{_SUBJECT}\s+(?:peut|peuvent|doit|doivent|puede[n]?|debe[n]?)(?:-t)?(?:-ils?|-elles?)?\s+{_ADVERBS}(?P<act>[a-z]+)(?:\s+(?:or|and|o|y|e|ou|et)\s+(?P<other>[a-z]+))?"
    ),
    re.compile(
        r"\b(?:required|obliged|obligated|bound|entitled|allowed|permitted|free|(?:right|option|obligation|duty|ability)(?: of [a-z ]{1,20}?)?|need|have|has|obligad[oa]s?|derecho|droit|tenue?s?|autorise[es]*|interdit)\s+(?:not\s+)?(?:to|a|de)\s+(?:[a-z]+ly\s+)?(?P<act>[a-z]+)(?:\s+(?:or|and|o|y|ou|et)\s+(?P<other>[a-z]+))?"
    ),
    re.compile(
        r"\b(?:from|against|on)\s+(?:[\w’']+\s+){0,3}?(?P<act>[a-z]+ing)(?:\s+(?:or|and)\s+(?P<other>[a-z]+ing))?\b"
    ),
    re.compile(r"\b(?:para|pour)\s+(?P<act>[a-z]+(?:er|ir|ar|re))\b(?P<other>$)?"),
    re.compile(
        r"^(?:can|may|could|must|shall|should)\s+[a-z ,'-]{1,60}?\bbe\s+(?:[a-z]+ly\s+)?(?P<act>[a-z]+ed)\b(?P<other>$)?"
    ),
    re.compile(
        r"\b(?:is|are)\s+(?P<act>assign|assigned|transferred|terminated|renewed|audited|insured)\b|\b(?P<other>assignment|transfer|termination|subcontracting|cesion|cession|resiliation)\b(?= (?:is |be )?(?:prohibited|allowed|permitted|forbidden))"
    ),
)
_NO_ACTS = frozenset(
    [
        "have",
        "has",
        "be",
        "make",
        "take",
        "give",
        "grant",
        "do",
        "contain",
        "include",
        "allow",
        "permit",
        "require",
        "provide",
        "prohibit",
        "forbid",
        "the",
        "any",
        "all",
        "a",
        "an",
        "to",
        "of",
        "there",
        "exist",
        "restrict",
        "limit",
        "have",
        "tener",
        "avoir",
        "etre",
        "ser",
        "need",
        "during",
        "following",
        "contratar",
        "souscrire",
        "suscribir",
        "maintain",
        "carry",
        "obtain",
        "purchase",
        "enter",
    ]
)


def acts_of(core: str, *, is_presence: bool = False) -> frozenset[str]:
    """The words of the act that a folded question asks about, in its own form; empty where it names none.

    A question for presence names one only in its verb: 'does it renew?'.
    """
    found: list[str] = []
    for pattern in _ACTS[:1] if is_presence else _ACTS:
        match = pattern.search(core)
        if match is None:
            continue
        acts = [match["act"], match["other"]]
        if match["act"] == "make" and (
            copied := re.match(r"(?:\w+ ){0,2}?(cop(?:y|ies)|copias?|copies)\b", core[match.end("act") :].strip())
        ):
            acts = [copied[1]]
        found += [act for act in acts if act and len(act) > 2]
    return frozenset(act for act in found if act not in _NO_ACTS)


def forms_of(act: str) -> tuple[str, ...]:
    """Beginnings of the words that say the act: its own, and those of its families."""
    own = _stem(act)
    families = [family for family in _FAMILIES if any(act.startswith(stem) or stem.startswith(own) for stem in family)]
    return tuple(dict.fromkeys((own, *(stem.strip() for family in families for stem in family))))


def without_roles(folded: str) -> str:
    """The text, of the same length, without names of parties that look like acts: 'the Receiving Party' receives nothing."""
    return _ROLE_NAMES.sub(lambda match: "-" * len(match.group(0)), folded)


def says(folded: str, word: str) -> bool:
    """True where a folded text says the word, in one of its forms or another word for it."""
    masked = without_roles(folded)
    return any(re.search(rf"(?<![a-z]){re.escape(form)}", masked) is not None for form in forms_of(word))


def _stem(word: str) -> str:
    """The word without its ending: 'soliciting' and 'solicits' share 'solicit'."""
    for ending in ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y", "er", "ir", "ar", "re"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
