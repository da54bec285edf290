# ruff: noqa: E501, SIM905  # patterns are read whole, on one line; word lists are read as text
"""How a compound question falls apart: parts that can be asked alone, parts that need the one before, a condition."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.question.topics import Topic
from schemas.question import Decomposition, SubQuestion

MAX_PARTS = 6  # parts of one question; a longer list is answered as one listing
MAX_ELLIPTIC_WORDS = 5  # 'and for how long', 'and with how much notice': question words without a sentence

Part = Callable[[str], SubQuestion]

_ASK = (
    r"(?:(?:for|by|to|with|at|in|on|under|from|within|since|until|against)\s+)?(?:what|when|where|who|whom|whose|which|why|how)\b"
    r"|(?:is|are|was|were|does|do|did|can|may|must|shall|should|will|has|have)\s+(?:there|the|it|its|they|this|that|these|those|either|any|each|both|a|an|one)\b"
    r"|(?:list|name|give|summari[sz]e|explain|describe|identify)\s"
    r"|(?:(?:por|para|con|a|en|de|desde|hasta|durante|bajo)\s+)?(?:qué|cuál(?:es)?|cuándo|cuánt[oa]s?|dónde|quién(?:es)?|cómo)(?!\w)"
    r"|(?:hay|existe|puede|pueden|es|tiene|debe)\s"
    r"|(?:(?:pour|par|avec|à|en|de|depuis|jusqu['’]à|pendant|dans|sous|sur)\s+)?(?:quel(?:le)?s?|quand|où|qui|comment|combien|pourquoi)(?!\w)"
    r"|(?:y\s+a-t-il|est-ce|existe-t-il|peut-on)\b|\w+-t-(?:il|elle|on)\b"
)
_CUT = re.compile(
    rf"(?:\s*[;?]\s*(?:(?:and|also|y|e|et|además|aussi)\s+)?|\s*,?\s+(?:and|y|e|et)\s+(?:also\s+|además\s+|aussi\s+|if\s+so,?\s+|en\s+caso\s+afirmativo,?\s+|si\s+oui,?\s+|then\s+)?|\s*,\s*)[¿]?(?=(?:{_ASK}))",
    re.IGNORECASE,
)
_OPENS = re.compile(rf"^[¿\s]*(?:{_ASK})", re.IGNORECASE)
_YES_NO_OPEN = re.compile(
    r"^[¿\s]*(?:is|are|was|were|does|do|did|can|may|must|shall|should|will|has|have|hay|existe|existen|puede|pueden|se puede|es|tiene|debe|"
    r"y a-t-il|existe-t-il|peut-on|est-ce que)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|this one|that one|ella|ello|él|ellos|il|elle|ils|elles|celle-ci|celui-ci)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:then|based on (?:that|this|the answer)|that (?:section|clause|party|date|amount|figure|table)|entonces|esa|ese|ensuite|cette|ce dernier)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^[¿\s]*(?:what(?:'s| is| are| was)|who(?:'s| is| are)|is there|are there|where is|(?:cuál|quién|qué) es|(?:cuáles|quiénes) son|hay|existe|"
    r"quel(?:le)?s? (?:est|sont)|qui est|y a-t-il|existe-t-il)\s+(?P<subject>.+?)[\s?]*$",
    re.IGNORECASE,
)
# "When was the contract signed?": what stands between the auxiliary and the last word.
_VERB_LAST = re.compile(
    r"^[¿\s]*(?:\w+\s+){0,3}?(?:is|are|was|were|does|do|did|can|must|may|shall|will)\s+(?P<subject>(?:the|this|that|an?|any|either|each)\s.+?)\s+[\w-]+[\s?]*$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^[¿\s]*(?:which|what)\s+(?P<noun>\w+)\s+(?P<rest>(?!is the|are the|was the)\w.+?)[\s?]*$", re.IGNORECASE
)
_CONJOINED = re.compile(
    r"^(?P<open>[¿\s]*(?:what|who|when)(?:'s| is| are)|[¿\s]*(?:cuál|cuáles|quién|quiénes|qué) (?:es|son)|[¿\s]*quel(?:le)?s? (?:est|sont))\s+(?P<list>.+?)[\s?]*$",
    re.IGNORECASE,
)
_JOINERS = re.compile(
    r"\s*,\s*(?:and|y|e|et)\s+|\s*,\s*|\s+(?:and|y|e|et)\s+|\s+as well as\s+|\s+así como\s+|\s+ainsi que\s+",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"\b(?:difference|compare[ds]?|comparison|relat(?:e[ds]?|ion|ionship)|interact|versus|vs\.?|conflict|consistent with|diferencia|relación entre|compara|différence|rapport entre|compare[rz]?)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^(?P<lead>[¿\s]*(?:(?:if|in case(?: of)?|in the event (?:of|that)|assuming|provided|where|when|once|upon|si|en caso de|cuando|en cas de|au cas où|lorsque)\s+[^,?]+)),\s*(?P<ask>.+)$"
    r"|^(?P<first>.+?)\s+(?P<tail>(?:if|in case(?: of)?|in the event (?:of|that)|unless|provided that|assuming|si|en caso de|a menos que|en cas de|au cas où|lorsque|sauf si)\s+.+?)[\s?]*$",
    re.IGNORECASE)  # fmt: skip
_WHETHER = re.compile(r"\b(?:tell me|say|state|know|check|confirm|explain|saber|savoir|dis(?:-moi)?|dime)\s+(?:if|si)\b|\bas if\b|\bthat if\b|\bif any\b|\bif so\b|\bif applicable\b|\bsi oui\b|\bif not\b", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compound:
    """How the question falls apart, and what was noticed."""

    decomposition: Decomposition
    notes: tuple[str, ...] = ()


def decompose(text: str, topics: Sequence[Topic], describe: Part) -> Compound:
    """The parts of a question, each complete in itself; `describe` gives shape and type of a part."""
    parts = _cut(text)
    if len(parts) > MAX_PARTS:
        note = f"The question has {len(parts)} parts, more than {MAX_PARTS}: it is answered as one."
        return Compound(Decomposition(), (note,))
    if len(parts) > 1:
        return _several(parts, describe)
    listed = _listed_topics(text, topics)
    if listed:
        return Compound(Decomposition(pattern="independent", sub_questions=tuple(map(describe, listed))))
    if len(topics) > 1 and _RELATION.search(text):
        return Compound(Decomposition(pattern="unified"))
    condition = _condition(text)
    if condition:
        return Compound(Decomposition(pattern="conditional", condition=condition))
    return Compound(Decomposition())


def _cut(text: str) -> list[str]:
    """The clauses of the question that ask on their own; one where nothing falls apart."""
    if not _OPENS.search(text):
        return [text]  # 'Considering the balance sheet, what is ...' is one question with a preamble
    parts: list[str] = []
    at = 0
    for match in _CUT.finditer(text):
        piece = text[at : match.start()].strip(" ,;")
        if piece and len(piece.split()) > 1 and not _is_subordinate(text, match.end(), match.group()):
            parts.append(piece)
            at = match.end()
    parts.append(text[at:].strip(" ,;"))
    return [part for part in parts if part.strip("?¿ ")]


def _is_subordinate(text: str, at: int, cut: str) -> bool:
    """True when the words behind a comma only describe what stands before ('the supplier, which pays, ...')."""
    if "?" in cut or ";" in cut or re.search(r"\b(?:and|y|e|et)\b", cut, re.IGNORECASE):
        return False
    return bool(re.match(r"[¿]?(?:which|who|whose|whom|when|where|qui|quand|où|is|are|has|have|in which|es|hay|tiene|name|list)\b", text[at:], re.IGNORECASE))  # fmt: skip


def _several(parts: list[str], describe: Part) -> Compound:
    first = _sentence(parts[0])
    complete = [first]
    sequential = False
    for part in parts[1:]:
        which = _WHICH.match(parts[0])
        needs_first = bool(_THEN.search(part)) or bool(which and _PRONOUN.search(part))
        sequential = sequential or needs_first
        complete.append(_complete(parts[0], part, which))
    pattern = "sequential" if sequential else "independent"
    return Compound(Decomposition(pattern=pattern, sub_questions=tuple(describe(one) for one in complete)))


def _complete(first: str, part: str, which: re.Match[str] | None) -> str:
    """The part with what it takes from the first: the clause it leaves out, the thing its pronoun stands for."""
    bare = part.strip(" ?¿.")
    if len(bare.split()) <= MAX_ELLIPTIC_WORDS and not _has_own_topic(bare):
        clause = first.strip(" ?¿.")
        if _YES_NO_OPEN.search(first):
            return _sentence(f"{bare} {_lower_first(clause)}")
        subject = _SUBJECT.match(clause)
        return _sentence(f"{bare}: {subject['subject'] if subject else _lower_first(clause)}")
    if which and _PRONOUN.search(part):
        return _sentence(_replace_pronoun(bare, f"the {which['noun']} that {which['rest']}"))
    subject = _SUBJECT.match(first) or _VERB_LAST.match(first)
    if subject and _PRONOUN.search(part):
        return _sentence(_replace_pronoun(bare, _definite(subject["subject"])))
    return _sentence(bare)


_ELLIPTIC_WORDS = frozenset(
    """
    for by to with at in on under from within since until what when where who whom why how which long much many notice
    soon often so period date amount days months years far cost is are it they that does the a and be
    por para con a en de desde hasta durante que cual cuando cuanto cuanta cuantos donde quien como tiempo plazo
    preaviso fecha importe meses dias anos es
    pour par avec depuis jusqu'a pendant dans quel quelle quels quelles quand ou qui comment combien temps duree delai
    preavis montant mois jours ans est
    """.split()
)


def _has_own_topic(bare: str) -> bool:
    """True when a short part holds a word of its own beside the question words ('and who pays')."""
    words = re.findall(r"[^\W_]+(?:['’]\w+)?", folded_text(bare))
    return any(word not in _ELLIPTIC_WORDS for word in words) or bool(_PRONOUN.search(bare) and len(words) > 3)


def _replace_pronoun(part: str, subject: str) -> str:
    def put(match: re.Match[str]) -> str:
        possessive = match.group().lower() in ("its", "their")
        return f"{subject}'s" if possessive else subject

    return _PRONOUN.sub(put, part, count=1)


def _definite(subject: str) -> str:
    return re.sub(r"^(?:an?|any)\s+", "the ", subject.strip(" ?"), flags=re.IGNORECASE)


def _listed_topics(text: str, topics: Sequence[Topic]) -> list[str]:
    """'What are the governing law and the notice period?' as one question each, where each part names a concept."""
    if len(topics) < 2 or _RELATION.search(text):  # fewer than two topics are no list of them
        return []
    match = _CONJOINED.match(text)
    if match is None or "?" in match.group("list"):
        return []
    pieces: list[tuple[str, set[str]]] = []
    at = match.start("list")
    spans = [joiner.span() for joiner in _JOINERS.finditer(text, match.start("list"), match.end("list"))]
    for start, end in [*spans, (match.end("list"), match.end("list"))]:
        inside = {topic.entry.concept_id for topic in topics if any(at <= a and b <= start for a, b in topic.spans)}
        pieces.append((text[at:start].strip(" ,?"), inside))
        at = end
    named = [inside for _, inside in pieces]
    if not 1 < len(pieces) <= MAX_PARTS or not all(named) or len(set.union(*named)) < len(pieces):
        return []
    opening = match.group("open").strip(" ¿")
    singular = {"what are": "What is", "cuáles son": "Cuál es", "quelles sont": "Quelle est", "quels sont": "Quel est"}
    tail = re.search(
        r"\s+(?:of|in|under|del|de este|du|de ce)\s+(?:the|this|that|contrato|contrat|acuerdo|accord)\b.*$",
        pieces[-1][0],
        re.IGNORECASE,
    )
    more = tail.group() if tail else ""
    asked: list[str] = []
    for words, _ in pieces:
        head = re.split(r"\s(?:of|for|to|in|under|de|du|des|para|pour)\s", words)[0]
        one = opening if head.endswith("s") else singular.get(opening.lower(), opening)
        asked.append(_sentence(f"{one} {words}{'' if words.endswith(more) else more}"))
    return asked


def _condition(text: str) -> str | None:
    if _WHETHER.search(text):
        return None
    match = _CONDITION.match(text)
    if match is None:
        return None
    if match["lead"]:
        if not _OPENS.search(match["ask"]):
            return None
        return re.sub(r"^[¿\s]*", "", match["lead"]).strip()
    if re.match(r"^[¿\s]*(?:si|if)\b", match["first"], re.IGNORECASE):
        return None
    return str(match["tail"]).strip()


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] in (" ", "-") else text


def _sentence(text: str) -> str:
    bare = text.strip(" ?¿,;.")
    spanish = bool(
        re.match(
            r"^(?:(?:por|para|con|a|en|de|desde|hasta|durante)\s+)?(?:qué|cuál|cuándo|cuánt|dónde|quién|cómo|hay\b|existe\b|puede)",
            bare,
            re.IGNORECASE,
        )
    )
    return f"{'¿' if spanish else ''}{bare[:1].upper()}{bare[1:]}?"
