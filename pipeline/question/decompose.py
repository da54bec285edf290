# ruff: noqa: E501  # a pattern is read whole, on one line
"""How a compound question falls apart: parts that can be asked alone, parts that need the one before, a condition."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.question.clauses import (
    ASK,
    OPENS,
    PRONOUN,
    YES_NO_OPEN,
    definite,
    has_own_topic,
    is_plural,
    lower_first,
    replace_pronoun,
    sentence,
    subject_of,
)
from pipeline.question.topics import Topic
from schemas.question import Decomposition, SubQuestion

MAX_PARTS = 6  # parts of one question; a longer list is answered as one listing
MAX_ELLIPTIC_WORDS = 5  # 'and for how long', 'and with how much notice': question words without a sentence

Part = Callable[[str], SubQuestion]

_CUT = re.compile(
    rf"(?:\s*[;?]\s*(?:(?:and|also|y|e|et|además|aussi)\s+)?|\s*,?\s+(?:and|y|e|et)\s+(?:also\s+|además\s+|aussi\s+|if\s+so,?\s+|en\s+caso\s+afirmativo,?\s+|si\s+oui,?\s+|then\s+)?|\s*,\s*)[¿]?(?=(?:{ASK}))",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:then|based on (?:that|this|the answer)|that (?:section|clause|party|date|amount|figure|table)|entonces|esa|ese|ensuite|cette|ce dernier)\b",
    re.IGNORECASE,
)
# What points back at the answer to the part before: 'that date', 'dicha parte', 'cette partie'.
_NAMED_NOUN = r"(?:section|clause|article|party|date|day|amount|sum|figure|table|person|company|entity|fecha|día|parte|secci[oó]n|cl[aá]usula|importe|persona|empresa|sociedad|partie|montant|jour|personne|soci[eé]t[eé])"
_POINTS_BACK = re.compile(
    rf"\b(?:that|this|the\s+said|the\s+same|es[ae]|est[ae]|dich[oa]|cette|cet|ce)\s+{_NAMED_NOUN}\b", re.IGNORECASE
)
# The answer to these is a person, a place in the text or a day: what is said of 'it' next is said of the answer.
_ASKS_WHOM = re.compile(r"^[¿\s]*(?:who\b|whom\b|which\s+(?:party|company|entity|section|clause|article)\b|quién|qui\b|quelle\s+(?:partie|société|section|clause)\b|qué\s+(?:parte|empresa|sección|cláusula)\b)", re.IGNORECASE)  # fmt: skip
_AFTER_IT = re.compile(
    r"\b(?:after|before|from|since|until|following|después\s+de|antes\s+de|desde|tras|après|avant|depuis)\s+(?P<it>it|that|then|ella|él|eso|cela|celle-ci|celui-ci|ça)\b",
    re.IGNORECASE,
)
_TELL = re.compile(
    r"^(?:please\s+)?(?:say|state|tell\s+(?:me|us)|specify|calculate|compute|determine|find(?:\s+out)?|di|dime|indica|calcula|dis|dites|dis-moi|indique[rz]?|calcule[rz]?)\s+(?=(?:what|when|where|who|which|how|qué|cuál|cuándo|cuánt|dónde|quién|cómo|quel|quand|où|qui|combien|comment)\w*\b)",
    re.IGNORECASE,
)
_INDIRECT = re.compile(
    r"^(?P<ask>(?:how\s+(?:long|much|many|soon)|when|where)(?:\s+(?:after|before|from|since)\s+(?:it|that|then))?)\s+(?P<subject>(?:the|this|that)\s+[\w-]+(?:\s[\w-]+)?)\s+(?P<verb>[a-z]{2,}?)s[\s?.]*$",
    re.IGNORECASE,
)
_FIND = (
    (re.compile(r"^(?:please\s+)?(?:find|identify|give(?:\s+(?:me|us))?|state|show(?:\s+(?:me|us))?)\s+(?=the\s)", re.IGNORECASE), "What is ", "What are "),
    (re.compile(r"^(?:busca|encuentra|indica|identifica|da|dame)\s+(?=(?:el|la|los|las)\s)", re.IGNORECASE), "Cuál es ", "Cuáles son "),
    (re.compile(r"^(?:trouve[rz]?|cherche[rz]?|indique[rz]?|identifie[rz]?|donne[rz]?(?:-moi)?)\s+(?=(?:le|les)\s|l['’])", re.IGNORECASE), "Quel est ", "Quels sont "),
    (re.compile(r"^(?:trouve[rz]?|cherche[rz]?|indique[rz]?|identifie[rz]?|donne[rz]?(?:-moi)?)\s+(?=la\s)", re.IGNORECASE), "Quelle est ", "Quelles sont "),
)  # fmt: skip
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
    if not OPENS.search(text):
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
    parts = [_asked(part) for part in parts]
    subs = [describe(sentence(parts[0]))]
    for part in parts[1:]:
        text, stands_for = _complete(parts[0], part)
        subs.append(describe(text).model_copy(update={"stands_for_answer": stands_for}))
    needs_first = any(
        sub.stands_for_answer or _THEN.search(part) for sub, part in zip(subs[1:], parts[1:], strict=True)
    )
    pattern = "sequential" if needs_first else "independent"
    return Compound(Decomposition(pattern=pattern, sub_questions=tuple(subs)))


def _asked(part: str) -> str:
    """A command to find something as the question it is: what is found is the answer."""
    bare = _TELL.sub("", part.strip())
    if bare != part.strip():
        bare = _direct(bare)
    for pattern, one, many in _FIND:
        found = pattern.match(bare)
        if found:
            rest = bare[found.end() :]
            return f"{many if is_plural(rest) else one}{rest}"
    return bare


def _direct(part: str) -> str:
    """'How long after it the term ends', as after 'say', with its verb: 'how long after it does the term end'."""
    match = _INDIRECT.match(part)
    if match is None:
        return part
    return f"{match['ask']} does {match['subject']} {match['verb']}"


def _complete(first: str, part: str) -> tuple[str, str | None]:
    """The part with what it takes from the first, and which of its words the first's answer may take the place of."""
    bare = part.strip(" ?¿.")
    if len(bare.split()) <= MAX_ELLIPTIC_WORDS and not has_own_topic(bare):
        clause = first.strip(" ?¿.")
        if YES_NO_OPEN.search(first):
            return sentence(f"{bare} {lower_first(clause)}"), None
        return sentence(f"{bare}: {subject_of(clause) or lower_first(clause)}"), None
    subject = subject_of(first)
    if subject is None:
        points = _POINTS_BACK.search(bare)
        return sentence(bare), points.group() if points else None
    named = definite(subject)
    for pattern, group in ((_POINTS_BACK, 0), (_AFTER_IT, "it")):
        match = pattern.search(bare)
        if match:
            start, end = match.span(group)
            return sentence(f"{bare[:start]}{named}{bare[end:]}"), named
    if PRONOUN.search(bare):
        return sentence(replace_pronoun(bare, named)), named if _ASKS_WHOM.search(first) else None
    return sentence(bare), None


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
        asked.append(sentence(f"{one} {words}{'' if words.endswith(more) else more}"))
    return asked


def _condition(text: str) -> str | None:
    if _WHETHER.search(text):
        return None
    match = _CONDITION.match(text)
    if match is None:
        return None
    if match["lead"]:
        if not OPENS.search(match["ask"]):
            return None
        return re.sub(r"^[¿\s]*", "", match["lead"]).strip()
    if re.match(r"^[¿\s]*(?:si|if)\b", match["first"], re.IGNORECASE):
        return None
    return str(match["tail"]).strip()
