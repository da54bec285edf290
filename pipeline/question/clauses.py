# ruff: noqa: E501, SIM905  # patterns are read whole, on one line; word lists are read as text
"""What a clause that asks is made of: how it opens, its subject, the pronouns that stand for one."""

from __future__ import annotations

import re

from dictionaries.folding import folded_text
from pipeline.question.reading import Span

ASK = (
    r"(?:(?:for|by|to|with|at|in|on|under|from|within|since|until|against)\s+)?(?:what|when|where|who|whom|whose|which|why|how)\b"
    r"|(?:is|are|was|were|does|do|did|can|may|must|shall|should|will|has|have)\s+(?:there|the|it|its|they|this|that|these|those|either|any|each|both|a|an|one)\b"
    r"|(?:list|name|give|summari[sz]e|explain|describe|identify|find|show|calculate|compute|determine)\s"
    r"|(?:state|say|tell\s+(?:me|us)|specify|check|confirm)\s+(?:the|what|when|where|who|which|how|whether|if|its|their)\b"
    r"|(?:(?:por|para|con|a|en|de|desde|hasta|durante|bajo)\s+)?(?:qué|cu[aá]l(?:es)?|cuándo|cu[aá]nt[oa]s?|dónde|quién(?:es)?|cómo)(?!\w)"
    # without accents a relative pronoun looks the same: only a verb of asking behind it makes a question
    r"|(?:(?:desde|hasta|a|de|por|para)\s+)?(?:cuando|donde|quien|quienes|que|como)\s+(?:se\s+)?(?:es|son|esta|está|vence|termina|expira|finaliza|empieza|comienza|entra|ocurre|pasa|sucede|dura|paga|debe|puede)(?!\w)"
    r"|(?:hay|existe|puede|pueden|es|tiene|debe)\s"
    r"|(?:busca|encuentra|indica|di|dime|calcula|enumera|resume|explica|describe|identifica|da|dame)\s+(?:el|la|los|las|qué|cuál|cuándo|cuánt[oa]s?|dónde|quién|cómo|si|su)\b"
    r"|(?:(?:pour|par|avec|à|en|de|depuis|jusqu['’]à|pendant|dans|sous|sur)\s+)?(?:quel(?:le)?s?|quand|où|qui|comment|combien|pourquoi)(?!\w)"
    r"|(?:y\s+a-t-il|est-ce|existe-t-il|peut-on)\b|\w+-t-(?:il|elle|on)\b"
    r"|(?:trouve[rz]?|cherche[rz]?|indique[rz]?|dis|dites|calcule[rz]?|énumère[rz]?|énumérez|liste[rz]?|résume[rz]?|explique[rz]?|décri(?:s|vez)|identifie[rz]?|donne[rz]?)\s+(?:moi\s+)?(?:le|la|les|l['’]|quel|quelle|quand|où|qui|combien|comment|si|son|sa)(?!\w)"
)
OPENS = re.compile(rf"^[¿\s]*(?:{ASK})", re.IGNORECASE)
YES_NO_OPEN = re.compile(
    r"^[¿\s]*(?:is|are|was|were|does|do|did|can|may|must|shall|should|will|has|have|hay|existe|existen|puede|pueden|se puede|es|tiene|debe|"
    r"y a-t-il|existe-t-il|peut-on|est-ce que)\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|this one|that one|ella|ello|él|ellos|(?<!-t-)(?<!-)(?:il|elle|ils|elles)|celle-ci|celui-ci)\b(?!-)",
    re.IGNORECASE,
)
# 'Who owns the IP?', 'What happens after a breach?': what is asked about stands behind the verb.
WHO_ACTS = re.compile(
    r"^[¿\s]*(?:who|which\s+party)\s+(?!is\b|was\b|has\b|does\b)(?:(?:must|shall|will|may|can)\s+)?[a-z]+\s+(?P<subject>(?:the|an?|any|each)\s(?:(?!\s(?:to|for|of|if|when|in)\s).)+?)(?:\s(?:to|for|of|if|when|in)\s.+)?[\s?]*$",
    re.IGNORECASE,
)
_WHAT_HAPPENS = re.compile(
    r"^[¿\s]*(?:what\s+(?:happens|applies|follows)\s+(?:in\s+(?:the\s+event|case)\s+of|after|upon|on|if\s+there\s+is)|qué\s+(?:pasa|ocurre|sucede)\s+en\s+caso\s+de|que\s+se\s+passe-t-il\s+en\s+cas\s+d(?:e\s|['’]))\s*(?P<subject>.+?)[\s?]*$",
    re.IGNORECASE,
)
_ACTOR = re.compile(r"^[¿\s]*what\s+(?:happens|applies|follows)\s+(?:if|when|where|unless)\s+(?P<subject>(?:the|an?|either|any)\s+[\w-]+)\b", re.IGNORECASE)  # fmt: skip
_SUBJECT = re.compile(
    r"^[¿\s]*(?:what(?:'s| is| are| was)|who(?:'s| is| are)|how (?:long|much|many|often|big|high|large) (?:is|are)|is there|are there|where is|when is|(?:cuál|quién|qué|cuánto|cuándo) es|(?:cuáles|quiénes) son|hay|existe|"
    r"quel(?:le)?s? (?:est|sont)|qui est|y a-t-il|existe-t-il)\s+(?P<subject>.+?)[\s?]*$",
    re.IGNORECASE,
)
# "When was the contract signed?": what stands between the auxiliary and the last word.
_VERB_LAST = re.compile(
    r"^[¿\s]*(?:\w+\s+){0,3}?(?:is|are|was|were|does|do|did|can|must|may|shall|will)\s+(?P<subject>(?:the|this|that|an?|any|either|each)\s.+?)\s+(?!(?:us|me|it|them|him|her|you)\b)[\w-]+(?:\s+(?:[a-z]+ly|early|again))?[\s?]*$",
    re.IGNORECASE,
)
_BARE_VERB_LAST = re.compile(
    r"^[¿\s]*(?:\w+\s+){0,3}?(?:is|are|was|were|does|do|did|can|must|may|shall|will)\s+(?P<subject>[\w-]+)\s+[\w-]+[\s?]*$",
    re.IGNORECASE,
)
_ROLE_ACTS = re.compile(
    r"^[¿\s]*(?:\w+\s+){0,3}?(?:is|are|was|were|does|do|did|can|must|may|shall|will|has|have)\s+(?P<subject>(?:the|this|that|any|either|each)\s+\w+)\s+\w+\s.+$",
    re.IGNORECASE,
)
_SAYS_ABOUT = re.compile(
    r"\b(?:say|says|state|states|provide|mention|dice|dicen|dit|disent)\s+(?:about|on|of|sobre|acerca de|sur)\s+(?P<subject>.+?)[\s?]*$",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^[¿\s]*(?:please\s+)?(?:summari[sz]e|explain|describe|list|find|give|state|name|show|identify|resume|resuma|explica|describe|busca|encuentra|enumera|indica|résume[rz]?|explique[rz]?|décri(?:s|vez)|trouve[rz]?|liste[rz]?|indique[rz]?)\s+(?:(?:me|us|moi|nous)\s+)?(?P<subject>.+?)[\s?.]*$",
    re.IGNORECASE,
)
_ACTING_LAST = re.compile(
    r"^[¿\s]*(?:(?:por|para|con|a|en|de|desde|hasta|à|en|de|pour)\s+)?(?:cuándo|cuánt[oa]s?|dónde|cómo|quand|où|comment|combien)(?:\s+\w+){1,3}?\s+(?P<subject>(?:el|la|los|las|le|les)\s+.+?|l['’].+?)[\s?]*$",
    re.IGNORECASE,
)
_LEFT_TO_RIGHT = (
    _WHAT_HAPPENS,
    _ACTOR,
    _SAYS_ABOUT,
    _SUBJECT,
    _IMPERATIVE,
    _VERB_LAST,
    _ROLE_ACTS,
    _BARE_VERB_LAST,
    _ACTING_LAST,
    WHO_ACTS,
)
WHICH = re.compile(
    r"^[¿\s]*(?:which|what)\s+(?P<noun>(?!(?:is|are|was|were|does|do|did|can|may|must|shall|will|has|have|if|about|happens|happened|occurs|applies|follows|governs|remains|counts|constitutes|triggers)\b)\w+)\s+(?P<rest>(?!is the|are the|was the)\w.+?)[\s?]*$",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"^[¿\s]*how\s+(?:much|many)\s+(?P<noun>\w+)\s+(?P<rest>(?!is\b|are\b|does\b|do\b|can\b|must\b|may\b)\w.+?)[\s?]*$", re.IGNORECASE)  # fmt: skip
_ASKING_WORD = re.compile(r"(?:what|when|where|who|whom|why|how|which)", re.IGNORECASE)  # never what is asked about
_SINGULAR_ENDINGS = ("ss", "us", "is")  # 'loss', 'bonus', 'basis' are one thing


def subject_span(text: str) -> Span | None:
    """Where the thing that a question asks about stands in it; None where no form of question shows it."""
    for pattern in _LEFT_TO_RIGHT:
        match = pattern.search(text)
        if match and not PRONOUN.fullmatch(match["subject"]) and not _ASKING_WORD.fullmatch(match["subject"].strip()):
            return match.span("subject")
    return None


def subject_of(text: str) -> str | None:
    """The thing that a question asks about, as it may be named again ('the law that governs'); None without one."""
    which = WHICH.match(text) or _HOW_MUCH.match(text)
    if which and not re.match(
        r"(?:is|are|does|do|did|can|must|may|shall|will|was|were)\b", which["rest"], re.IGNORECASE
    ):
        return f"the {which['noun']} that {which['rest']}"
    span = subject_span(text)
    return text[span[0] : span[1]].strip(" ?") if span else None


def is_plural(subject: str) -> bool:
    """True when an English, Spanish or French noun phrase names several things, by its article and its head."""
    words = re.findall(r"[^\W_]+(?:['’]\w+)?", folded_text(subject))
    if not words:
        return False
    if words[0] in ("los", "las", "les", "des", "these", "those"):
        return True
    head = words[: next((at for at, word in enumerate(words) if at and word in _AFTER_HEAD), len(words))][-1]
    return words[0] not in ("a", "an", "el", "la", "le", "un", "una", "une", "each") and (
        head.endswith("s") and not head.endswith(_SINGULAR_ENDINGS)
    )


def has_own_topic(bare: str) -> bool:
    """True when a short part holds a word of its own beside the question words ('and who pays')."""
    words = re.findall(r"[^\W_]+(?:['’]\w+)?", folded_text(bare))
    return any(word not in _ELLIPTIC_WORDS for word in words) or bool(PRONOUN.search(bare) and len(words) > 3)


def replace_pronoun(part: str, subject: str) -> str:
    """The part with its first pronoun replaced by the subject."""

    def put(match: re.Match[str]) -> str:
        possessive = match.group().lower() in ("its", "their")
        return genitive(subject) if possessive else subject

    return PRONOUN.sub(put, part, count=1)


def genitive(subject: str) -> str:
    """The English subject as an owner: 'the supplier's', 'the parties'."""
    return f"{subject}'" if is_plural(subject) else f"{subject}'s"


def definite(subject: str) -> str:
    """The subject as it is named the second time: 'a non-compete' is 'the non-compete' then."""
    bare = subject.strip(" ?")
    for pattern, article in (
        (r"^(?:an?|any)\s+", "the "), (r"^(?:una|alguna)\s+", "la "), (r"^(?:un|algún)\s+(?=\w+[oóae]?)", "el "),
    ):  # fmt: skip
        if re.match(pattern, bare, re.IGNORECASE) and not (article == "el " and re.search(r"[èêçà]|tion\b", bare)):
            return re.sub(pattern, article, bare, count=1, flags=re.IGNORECASE)
    return bare


def lower_first(text: str) -> str:
    """The text with a small first letter, unless that is an acronym's."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] in (" ", "-") else text


def sentence(text: str) -> str:
    """The text as a question of its own: capital, question mark, in Spanish both."""
    bare = text.strip(" ?¿,;.")
    spanish = bool(
        re.match(
            r"^(?:(?:por|para|con|a|en|de|desde|hasta|durante)\s+)?(?:qué|cu[aá]l|cu[aá]ndo|cu[aá]nt|d[oó]nde|qui[eé]n|cómo|hay\b|existen?\b(?!-)|puede)",
            bare,
            re.IGNORECASE,
        )
    )
    return f"{'¿' if spanish else ''}{bare[:1].upper()}{bare[1:]}?"


_AFTER_HEAD = frozenset(
    "of for to in under from with on at by that which who de del para en por con que du des pour dans qui".split()
)
_ELLIPTIC_WORDS = frozenset(
    """
    for by to with at in on under from within since until what when where who whom why how which long much many notice
    soon often so period date amount days months years far cost is are it they that does the a and be not
    por para con a en de desde hasta durante que cual cuando cuanto cuanta cuantos donde quien como tiempo plazo
    preaviso fecha importe meses dias anos es
    pour par avec depuis jusqu'a pendant dans quel quelle quels quelles quand ou qui comment combien temps duree delai
    preavis montant mois jours ans est pourquoi
    """.split()
)
