# ruff: noqa: E501  # a pattern is read whole, on one line
"""How a compound question falls apart: parts that can be asked alone, parts that need the one before, a condition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.question.clauses import (
    ASK,
    OPENS,
    is_plural,
    sentence,
)
from pipeline.question.completion import complete_part
from pipeline.question.follow_topic import TopicsOf
from pipeline.question.fragments import DET, PHRASE
from pipeline.question.language import detect_language
from pipeline.question.requests import Wanted, wanted_things
from pipeline.question.shape import read_shape
from pipeline.question.topics import Topic
from schemas.question import Decomposition, SubQuestion

MAX_PARTS = 6  # parts of one question; a longer list is answered as one listing

_CUT = re.compile(
    rf"(?:\s*[;?]\s*(?:(?:and|also|y|e|et|además|aussi)\s+)?|\s*,?\s+(?:and|y|e|et)\s+(?:also\s+|además\s+|aussi\s+|if\s+so,?\s+|en\s+caso\s+afirmativo,?\s+|si\s+oui,?\s+|then\s+)?|\s*,\s*)[¿]?(?=(?:{ASK}))",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:then|based on (?:that|this|the answer)|that (?:section|clause|party|date|amount|figure|table)|entonces|esa|ese|ensuite|cette|ce dernier)\b",
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
_NEGATED = re.compile(r"(?:not|no|non|pas)\b(?!-)", re.IGNORECASE)
# 'The notice period for renewal': what follows without an article is what the period is for, too.
_FOR_BARE = re.compile(rf"(?P<head>.+?\s)(?P<prep>for|para|pour)\s+(?P<bare>(?!(?:{DET})(?:\b|(?<=['’])))\S.*)$", re.IGNORECASE)  # fmt: skip
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
    is_record: bool = False  # several named things, a field each


def decompose(text: str, topics: Sequence[Topic], topics_of: TopicsOf, *, wishing: str | None = None) -> Compound:
    """The parts of a question, each complete in itself, with the shape and type of its answer.

    `topics_of` finds the concepts of words; `wishing` is the question with its wishes ('in months'), which belong to
    the part that they stand in.
    """
    language = detect_language(text)
    fields = _fields(text if wishing is None else wishing, topics_of, language) or _fields(text, topics_of, language)
    if fields:
        subs = tuple(_described(one.question, topics_of).model_copy(update={"name": one.name}) for one in fields)
        return Compound(Decomposition(pattern="independent", sub_questions=subs), is_record=True)
    parts = _cut(text)
    if wishing is not None and len(_cut(wishing)) == len(parts) > 1:
        parts = _cut(wishing)
    parts = [one for part in parts for one in _expanded(part, parts, topics_of, language)]
    if len(parts) > MAX_PARTS:
        note = f"The question has {len(parts)} parts, more than {MAX_PARTS}: it is answered as one."
        return Compound(Decomposition(), (note,))
    if len(parts) > 1:
        return _several(parts, topics_of, language)
    listed = _listed_topics(text, topics)
    if listed:
        subs = tuple(_described(one, topics_of) for one in listed)
        return Compound(Decomposition(pattern="independent", sub_questions=subs))
    if len(topics) > 1 and _RELATION.search(text):
        return Compound(Decomposition(pattern="unified"))
    condition = _condition(text)
    if condition:
        return Compound(Decomposition(pattern="conditional", condition=condition))
    return Compound(Decomposition())


def _fields(text: str, topics_of: TopicsOf, language: str) -> tuple[Wanted, ...]:
    """The things that a request names; none where a part of it asks in a sentence of its own."""
    if len(_cut(text)) > 1 or _RELATION.search(text):
        return ()
    return wanted_things(text, topics_of, language)


def _expanded(part: str, parts: Sequence[str], topics_of: TopicsOf, language: str) -> list[str]:
    """A part of several that names several things ('give me the parties, the date, and ...') as a question each."""
    things = wanted_things(part, topics_of, language) if len(parts) > 1 and not _RELATION.search(part) else ()
    return [one.question for one in things] or [part]


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


def _described(part: str, topics_of: TopicsOf) -> SubQuestion:
    shape = read_shape(part, [topic.entry for topic in topics_of(part)])
    return SubQuestion(text=part, answer_shape=shape.answer_shape, answer_type=shape.answer_type)


def _several(parts: list[str], topics_of: TopicsOf, language: str) -> Compound:
    parts = [_asked(part) for part in parts]
    subs = [_described(sentence(parts[0]), topics_of)]
    for part in parts[1:]:
        completed = complete_part(parts[0], part, language)
        if completed is None:
            note = f"The question is answered as one: '{part.strip(' ?¿')}' does not say what it is about."
            return Compound(Decomposition(), (note,))
        text, stands_for = completed
        subs.append(_described(text, topics_of).model_copy(update={"stands_for_answer": stands_for}))
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
    whole = _with_heads([words for words, _ in pieces])
    if whole is None:
        return []
    opening = match.group("open").strip(" ¿")
    singular = {"what are": "What is", "cuáles son": "Cuál es", "quelles sont": "Quelle est", "quels sont": "Quel est"}
    tail = re.search(
        r"\s+(?:of|in|under|del|de este|du|de ce)\s+(?:the|this|that|contrato|contrat|acuerdo|accord)\b.*$",
        whole[-1],
        re.IGNORECASE,
    )
    more = tail.group() if tail else ""
    asked: list[str] = []
    for words in whole:
        head = re.split(r"\s(?:of|for|to|in|under|de|du|des|para|pour)\s", words)[0]
        one = opening if head.endswith("s") else singular.get(opening.lower(), opening)
        asked.append(sentence(f"{one} {words}{'' if words.endswith(more) else more}"))
    return asked


def _with_heads(pieces: list[str]) -> list[str] | None:
    """Each of a list's things in full: of 'the notice period for renewal and for cause' 'the notice period for cause'.

    None where one is a rest of a phrase whose head does not show, or is what the user says it is not.
    """
    first = _FOR_BARE.match(pieces[0])
    whole = pieces[:1]
    for piece in pieces[1:]:
        phrase = PHRASE.match(piece)
        if _NEGATED.match(piece):
            return None
        if phrase is None:
            shares = first is not None and not re.match(rf"(?:{DET})(?:\b|(?<=['’]))", piece, re.IGNORECASE)
            whole.append(f"{first['head']}{first['prep']} {piece}" if first is not None and shares else piece)
            continue
        head = re.match(rf"(?P<head>.+?\s){re.escape(phrase['prep'])}\s", pieces[0], re.IGNORECASE)
        if head is None:
            return None
        whole.append(f"{head['head']}{piece}")
    return whole


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
