# ruff: noqa: E501  # patterns are read whole, on one line
"""What a yes/no question asks: that a clause exists, a permission, a duty, a restraint, or a consent; and of whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dictionaries.folding import folded_text
from pipeline.generation.acts import STEM, acts_of, forms_of
from pipeline.generation.recipients import Whom, whom_of

Asked = Literal["presence", "permission", "duty", "restraint", "consent"]

KEPT_QUESTIONS = 64  # readings kept: a question is read once for each clause that may answer it
_OPENS = (
    r"(?:and |so |or )?(?:is|are|was|does|do|did|can|could|may|might|must|shall|should|will|would|has|have|hay|existe[n]?|puede[n]?|podra[n]?|debe[n]?|tiene[n]?"
    r"|esta[n]?|es|son|contiene|incluye|preve|se|requiere|el|la|los|las|le|les|l['’]|un|une|y a|est|sont|peut|peuvent|doit|doivent|existe|a-t|faut)\b"
)
_LABEL = re.compile(rf"^[^?:]{{2,90}}:\s+(?=[¿¡\"'“« ]*{_OPENS})")
_CONSENT = r"(?:consents?|approvals?|permission|authori[sz]ation|consentimiento|autorizacion|aprobacion|consentement|agrement|autorisation|accord)"
_NEEDED = r"(?:requir\w+|need\w*|necessary|obtain\w*|obligator\w+|requer\w+|requier\w+|necesari\w+|necesit\w+|exig\w+|requis\w*|necessaire\w*|necessit\w+|obten\w+|faut)"
_CONSENT_ASKED = re.compile(
    rf"\b{_CONSENT}\b(?! (?:to|from) jurisdiction)[^?]{{0,60}}?\b{_NEEDED}\b|\b{_NEEDED}\b[^?]{{0,80}}?\b{_CONSENT}\b"
)
# 'without consent' in the question: a right that hangs on consent is a no.
_UNASKED = re.compile(
    rf"\b(?:without|sin|sans)\b[^?,;]{{0,40}}?\b(?:{_CONSENT}|asking|permiso|demander)\b|\b(?:freely|libremente|librement)\b"
)
_RESTRAINT_ASKED = re.compile(
    r"\b(?:restrict(?:ed|s|ions?|ing)?(?= (?:from|on|the|against|of|to|a|any|either|each|or|our|us|its)\b)|restraints?|(?:is|are|be) (?:barred|prevented|precluded|banned)|prohibit\w*|forbid\w*|forbidden"
    r"|limits? (?:on |to )?(?:the |its |our )?(?:ability|right|freedom|transfer\w*)|non?[- ](?=compet|solicit|dispar|circum|poach|hire|concu|captac|sollicit|denigr|competencia|transferab)\w+"
    r"|(?:requirement|obligation|covenant|duty|undertaking|agreement|promise|obligacion|obligation|engagement|compromiso)s?\b[^?]{0,40}? (?:not to|de no|de ne pas)"
    r"|prohib\w+|restricci\w+|restring\w+|limita la|interdi\w+|restreint\w*|restriction\w*|limite la)\b"
)
_PERMISSION_ASKED = re.compile(
    r"^(?:and |so )?(?:can|may|could|is [\w\s,'-]{1,60} (?:allowed|permitted|entitled|free|authori[sz]ed)|are [\w\s,'-]{1,60} "
    r"(?:allowed|permitted|entitled|free)|(?:do|does|has|have) [\w\s,'-]{1,40}\b(?:allow|permit|(?:the|a|any) right to(?! (?:the|any|its|his|confidential))|authori[sz]e|entitle))"
    r"\b|\b(?:allowed to|permitted to|be assigned|be transferred|puede|pueden|podra|podran|se permite|esta permitid\w*|tienen? derecho|es posible|peut|peuvent|permis|a-t-il le droit|a-t-elle le droit|a le droit|ont le droit)\b"
)
_DUTY_ASKED = re.compile(
    r"^(?:and |so )?(?:must|shall|should|(?:do|does|is|are|has|have) [\w\s,'-]{1,60} (?:have to|has to|need to|required|require|obliged?|obligated?|bound)) ?"
    r"\b|\b(?:debe|deben|tienen? [\w\s]{0,40}que|obligad[oa]s?|obliga|doit|doivent|tenue?s?)\b"
)
# 'Is the Lender prohibited from ...?' is of one act, where 'is there a restraint?' is of the whole contract.
_DIRECT = re.compile(
    r"^(?:is|are)\b(?! there\b)[^?]{1,60}?\b(?:prohibited|forbidden|restricted|barred|prevented|precluded|banned)\b|\b(?:tiene prohibido|esta prohibido|est-il interdit|est-elle interdite|il est interdit)\b"
)
_WITHOUT_CAUSE = re.compile(
    r"\b(?:without (?:any |a |giving (?:a |any )?|stating (?:a |any )?)?(?:causes?|reasons?)|(?:for|at) (?:its |their |our )?convenience|at will|(?:no|any) reason|(?:at )?any ?time|whenever|walk away"
    r"|sin (?:justa |ninguna )?(?:causa|motivo)|por conveniencia|en cualquier momento|cualquier motivo|unilateral\w*|sans (?:motif|cause|raison|justification)|a tout moment|pour convenance)\b"
)
_ENDING = re.compile(
    r"\b(?:terminat\w*|cancel\w*|rescind\w*|end|exit|walk away|withdraw|resolver|rescindir|resolucion|rescision|terminar|desistir|resili\w*|mettre fin|rompre|denoncer)\b"
)
# 'Must it be returned upon termination?': a clause on a return when the owner asks for it says another thing.
_AT_END = re.compile(
    r"\b(?:up ?on|on|after|at|following|when|once|tras|al|a la|despues de|apres|a|lors de)\b[^?,]{0,30}?\b(?:terminat\w*|expir\w*|end|ends|terminacion|resolucion|extincion|vencimiento|finalizacion|fin|resiliation|terme)\b"
)
ENDS = re.compile(
    r"\b(?:terminat\w*|expir\w*|(?:the )?end of|cessation|conclusion|survive\w*|terminacion|resolucion|extincion|vencimiento|finalizacion|fin|resiliation|terme|cessation)\b"
)
_OF_MEANING = re.compile(
    r"^(?:does|do|is|are)\b(?![^?]{0,30}\b(?:agreement|contract|document)\b)[^?]{1,60}?\b(?:includ\w+|cover\w*|mean\w*|limited to|considered|deemed)\b"
    r"|^(?!(?:el|le|l['’]|este|ce) ?(?:contrato|acuerdo|contrat|accord))[^?]{0,60}?\b(?:incluye\w*|abarca\w*|comprend\w*|inclut|incluent|couvr\w+)\b"
)
_OF_LIMIT = re.compile(r"\b(?:limited to|restricted to|confined to|limitad[oa]s? a|limitee?s? (?:a|aux))\b")
_ENDING_ACT = frozenset(["terminate", "end", "expire", "renew", "cancel", "resolver", "rescindir", "resilier"])
ROLES = (
    "receiving party|disclosing party|recipient|discloser|supplier|buyer|seller|purchaser|customer|client|vendor|provider|licensor|licensee|lessor|lessee|landlord|tenant|distributor"
    "|manufacturer|franchisor|franchisee|contractor|consultant|agent|principal|borrower|lender|employer|employee|reseller|publisher"
    "|parte receptora|parte reveladora|partie destinataire|partie divulgatrice|proveedor|comprador|vendedor|cliente|arrendador|arrendatario|fournisseur|acheteur|vendeur|bailleur|preneur|prestataire"
)
_ROLE_ASKED = re.compile(
    rf"^(?:and |so )?(?:can|may|could|must|shall|should|does|is|will|has|puede|debe|tiene|peut|doit)?(?: ?the| ?el| ?la| ?le| ?l['’])? ?(?P<role>{ROLES})\b"
)
# 'Can either party ...?': a clause on one party's right alone settles nothing for both.
_BOTH_ASKED = re.compile(
    r"\b(?:either (?:of the )?part(?:y|ies)|both (?:of the )?parties|each party|any party|ambas partes|cualquiera de las partes"
    r"|cada parte|l'une ou l'autre|chaque partie|chacune des parties|les deux parties)\b"
)
# Words that ask, or that stand in every clause: they link no question to a clause.
_COMMON = frozenset(
    [
        *("agreement", "contract", "party", "parties", "either", "without", "consent", "prior", "with", "this", "that"),
        *("allowed", "permitted", "entitled", "supplier", "buyer", "customer", "company", "under", "puede", "pueden"),
        *("contrato", "proveedor", "parte", "peut", "contrat", "fournisseur", "partie", "sans", "from", "prohibited"),
        *("etre", "avoir", "been", "soit", "esta", "estar", "haber", "sido"),
        *("required", "requires", "restricted", "restriction", "there", "clause", "provision", "does", "have", "must"),
        *(
            "contain",
            "include",
            "contiene",
            "incluye",
            "existe",
            "clausula",
            "obligation",
            "obligations",
            "counterparty",
        ),
        *("ability", "other", "otra", "autre", "shall", "will", "being", "document", "certain", "such", "notice"),
    ]
)


_EXISTS = re.compile(
    r"\b(?:(?:is|are) there|contains?|includes?|provides? for|have|has|grants?|confers?|hay|contiene|incluye|preve|existe[n]?|y a-t-il|contient(?:-il|-elle)?|prevoit(?:-il|-elle)?|comporte(?:-t-il|-t-elle)?)\b"
)
_NOUN_ENDS = re.compile(
    r"\b(?:of|on|for|to|that|which|who|in|between|with|by|upon|granting|granted|providing|under|if|de|del|sobre|para|que|en|entre|con|du|des|sur|pour|qui|avec|par)\b|[,(]"
)
_GENERAL = frozenset(
    [
        *("the", "any", "one", "two", "and", "some", "all", "right", "rights", "requirement", "requirements", "limit"),
        *(
            "limitation",
            "commitment",
            "covenant",
            "clauses",
            "provisions",
            "una",
            "los",
            "las",
            "alguna",
            "algun",
            "une",
        ),
        *("receiving", "disclosing", "recipient", "can", "may", "does", "shall", "would", "into", "per", "after"),
        *("les", "clausula", "derecho", "droit", "restraint", "duty", "not", "his", "its", "our", "their"),
    ]
)


@dataclass(frozen=True, slots=True)
class Asking:
    """A yes/no question read: `kinds` in the order asked (one may do), `core` its own sentence, folded, without a label.

    `is_turned`: asks whether a thing is forbidden, so that a prohibition is the yes. `without_cause`: asks for a right to
    end that needs no reason. `unasked`: asks for a thing done without consent. `role`: the party it names, None for any.
    `of_both`: asks for each of the parties. `stems`: first letters of its telling words; `heads`: of the noun that is
    asked for, 'cap' in 'is there a cap on liability?'. `acts`: the verbs of what may, must or must not be done.
    `is_labelled`: a name of the topic stands before the question. `is_existence`: 'is there', 'does it contain'. `link`: finds what is asked in a folded clause; None
    where the question has no telling word. `whom`: to whom a thing may be shown; None where nobody is named. `at_end`: of
    what is due or allowed when the contract ends. `of_meaning`: what a term includes, which its definition tells. `of_limit`: whether it
    is limited to some of it. `is_passive`: whether a thing must be done to something. `is_direct`: whether one act is forbidden.
    """

    kinds: tuple[Asked, ...]
    core: str
    is_turned: bool
    without_cause: bool
    unasked: bool
    role: str | None
    of_both: bool
    stems: frozenset[str]
    heads: frozenset[str]
    acts: frozenset[str]
    is_labelled: bool
    is_existence: bool
    link: re.Pattern[str] | None
    whom: Whom | None
    at_end: bool
    of_meaning: bool
    of_limit: bool
    is_passive: bool
    is_direct: bool = False

    @property
    def kind(self) -> Asked:
        """What is asked first."""
        return self.kinds[0]


@lru_cache(maxsize=KEPT_QUESTIONS)
def read_asking(question: str) -> Asking:
    """What the question asks; presence unless its words ask for a consent, a restraint, a permission or a duty."""
    core = core_of(question)
    kinds: list[Asked] = []
    if _RESTRAINT_ASKED.search(core):
        kinds.append("restraint")
    elif _CONSENT_ASKED.search(core) and not _UNASKED.search(core):
        kinds.append("consent")
    if not kinds or (kinds == ["consent"] and re.search(r"\b(?:or|o|ou)\b", core)):
        if _PERMISSION_ASKED.search(core):
            kinds.append("permission")
        elif _DUTY_ASKED.search(core) and not kinds:
            kinds.append("duty")
    role = _ROLE_ASKED.search(core)
    stems = stems_of(core)
    acts = acts_of(core, is_presence=not kinds)
    forms = [form for act in sorted(acts) for form in forms_of(act)] or sorted(stems)
    return Asking(
        kinds=tuple(kinds) or ("presence",),
        core=core,
        is_turned=kinds[:1] == ["restraint"],
        without_cause=_WITHOUT_CAUSE.search(core) is not None and _ENDING.search(core) is not None,
        unasked=_UNASKED.search(core) is not None,
        role=role["role"] if role is not None else None,
        of_both=_BOTH_ASKED.search(core) is not None,
        stems=stems,
        heads=_heads_of(core),
        acts=acts,
        is_labelled=_LABEL.match(plain(question).strip()) is not None,
        is_existence=_EXISTS.search(core) is not None,
        link=re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, forms))})") if forms else None,
        whom=whom_of(core) if "permission" in kinds else None,
        at_end=_AT_END.search(core) is not None and not _ENDING_ACT.intersection(acts),
        of_meaning=_OF_MEANING.search(core) is not None,
        is_passive=bool(acts) and re.search(r"\bbe (?:[a-z]+ly )?[a-z]+ed\b", core) is not None,
        of_limit=_OF_LIMIT.search(core) is not None,
        is_direct=_DIRECT.search(core) is not None,
    )


def link_of(asking: Asking, terms: Sequence[str]) -> re.Pattern[str] | None:
    """Finds what is asked in a folded clause, by an expert's `terms` for it too."""
    if not terms or asking.link is None:
        return asking.link
    return re.compile(rf"{asking.link.pattern}|{'|'.join(map(re.escape, sorted(terms)))}")


def core_of(question: str) -> str:
    """The sentence that asks, folded: without a label before it ('Audit: may ...?') and what explains it after it."""
    folded = plain(question).strip()
    label = _LABEL.match(folded)
    asked = folded[label.end() :] if label is not None else folded
    end = asked.find("?")
    return (asked[:end] if end > 0 else asked).strip("¿¡\"'“«‘ ")


def _heads_of(core: str) -> frozenset[str]:
    """First letters of the words of the first noun that says what is asked for: no 'clause', 'right' or 'requirement'."""
    opened = _EXISTS.search(core)
    rest = core[opened.end() :] if opened is not None else core
    for piece in _NOUN_ENDS.split(rest):
        words = [word for word in re.findall(r"[a-z]{3,}", piece) if word not in _COMMON and word not in _GENERAL]
        if words:
            return frozenset(word[:STEM] for word in words)
    return frozenset()


def stems_of(text: str) -> frozenset[str]:
    """First letters of the telling words of a folded text."""
    return frozenset(word[:STEM] for word in re.findall(r"[a-z]{4,}", text) if word not in _COMMON)


def plain(text: str) -> str:
    """Folded, with the same offsets: characters that fold into several or none are kept as they are."""
    pieces = []
    for character in text:
        folded = folded_text(character)
        pieces.append(folded if len(folded) == 1 else character.lower() if len(character.lower()) == 1 else character)
    return "".join(pieces)
