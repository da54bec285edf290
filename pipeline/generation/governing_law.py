# ruff: noqa: E501  # patterns are read whole, on one line
"""Which law governs a contract: the state or country that the governing-law clause names, not the one whose courts decide.

A clause is one that says that a law governs, applies or is the one to construe by; a party 'organized under the laws of
Delaware' says nothing of it, nor does 'excluding the conflict-of-laws rules of New York'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dictionaries.folding import folded_text
from pipeline.generation.limits import missed_by
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.topic import Topic
from pipeline.scope.sentences import sentence_starts
from pipeline.values import FoundValue, same_value
from pipeline.values.found import fold
from pipeline.values.jurisdictions import find_named_jurisdictions
from pipeline.wording import tell_line
from schemas.values import Jurisdiction

MAX_SUBJECT = 90  # characters of what a law is for, told as a label where two laws differ
MAX_QUOTE = 160  # characters of a clause quoted in a caveat

_GOVERNS = re.compile(
    r"\bgovern(?:ed|s|ing)?\b|\bconstru(?:ed|ction)\b|\binterpret(?:ed|ation)\b|\bcontrolled by\b|\bproper law\b|\bapplicable law (?:is|shall|will)|\b(?:choice of|which) law\b|\benforced (?:in accordance|under|according)|\bdetermined (?:in accordance|under|according)|\blaws?\b[^.;]{0,120}\b(?:shall |will )?(?:appl(?:y|ies)|control)\b|\bsubject to (?:the )?(?:\w+ ){0,3}laws?\b"
    r"|\bse (?:rige|regira|regiran|interpretara)\b|\bregid[oa]s? por\b|\b(?:ley|legislacion|derecho) aplicable\b|\bsometid[oa]s? a(?:l| la)\b|\bse somete[n]? a(?:l| la)s? (?:ley|leyes|derecho|legislacion)|\bse aplicara\b|\baplicable (?:el|la) (?:derecho|ley)"
    r"|\bregie?s? par\b|\bregi\b|\bsoumise?s? (?:au droit|a la loi|aux lois)|\b(?:droit|loi) applicable\b|\binterprete\w*\b|\bconformement (?:au droit|a la loi|aux lois)"
)
_HEADING = re.compile(
    r"\b(?:governing|applicable|choice of|proper) law|\bgoverning$|\bley aplicable|\blegislacion aplicable|\bderecho aplicable|\bdroit applicable|\bloi applicable"
)
# Where a law is named that does not govern the contract.
_OTHER_LAW = re.compile(
    r"\b(?:organi[sz]ed|existing|incorporated|formed|established|constituted|good standing|registered|qualified|constituida?|immatriculee?|chartered|licensed)\b[^.;]{0,60}$"
    r"|\b(?:compl(?:y|ies|iance)|comply with all|violat\w+|required|permitted|prohibited|infring\w+|patents?|copyrights?) (?:\w+ ){0,3}(?:with|of|by|under)\b[^.;]{0,50}$"
)
_EXCLUDED = re.compile(
    r"\b(?:excluding|exclud(?:es?|ed)|without (?:regard|reference|giving effect|recourse)|except(?: for| that)?|other than|irrespective|regardless|notwithstanding|not including|conflicts?[- ]of[- ]laws?|con exclusion|excluidas?|con renuncia|sin tener en cuenta|a l'exclusion|sans egard|sin perjuicio)\b[^.;()]{0,160}$"
)
_INCLUDED_AGAIN = re.compile(
    r"[,)] of(?: the| that)?(?: (?:state|commonwealth|province) of)?$|(?:^|[.;,)])\s*(?:and |y |et )?(?:shall |will )?(?:be )?(?:governed|construed|interpreted)\b"
)
# What a governing-law clause of the contract itself speaks of.
_ITSELF = re.compile(
    r"\b(?:this|the|present) (?:\w+ ){0,3}(?:agreements?|contract|lease|license|licence|amendment|addendum|deed|certificate|guarant(?:y|ee)|note|warrant|indenture|letter|schedule|plan|terms|instrument|release|undertaking|policy)\b|\bhereof|hereunder|hereto|herein\b|\b(?:rights|obligations|duties) of the parties|\bterms and conditions\b|\bvalidity\b|\bdisputes?\b"
    r"|\b(?:el|este|presente|del) (?:presente )?(?:contrato|acuerdo|convenio)|\b(?:le|ce|present|presente|la|les) (?:present |presente |presentes )?(?:contrat|accord|convention|conditions|avenant)|\bpresentes\b"
)
_SUBJECT_END = re.compile(
    r"\b(?:shall|will|is|are|must|and (?:all )?the rights|se (?:rige|regira|interpretara)|sera|est|sont)\b"
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:trust agreement|guaranty agreement|loan agreement|credit agreement|indenture trustee|arbitration (?:agreement|clause|proceedings?|shall)|merger|corporate (?:law|matters)|internal affairs|employment laws?|tax(?:es|ation)?|patent (?:matters|issues|disputes)|real property|securities intermediary)\b"
)
# A law told by a rule instead of a name: 'the laws of the jurisdiction where the Customer is located'.
_UNNAMED = re.compile(
    r"\blaws?\s+of\s+(?:the\s+)?(?:\[[^\]]{0,30}\]|_{2,}|\*|(?:state|country|province|jurisdiction|place|territory|seat|location|domicile)\s+(?:where|in which|of (?:the|such|each|its|incorporation)|whose|designated|specified|set forth))"
    r"|\bleyes?\s+del?\s+(?:lugar|pais|domicilio|estado)\s+(?:donde|en que|del)|\b(?:loi|droit)\s+du\s+(?:pays|lieu|siege)",
)


@dataclass(frozen=True, slots=True)
class _Law:
    """A law that a clause says governs."""

    passage: Passage
    sentence: Sentence
    found: FoundValue  # its place counts in the passage's text
    value: Jurisdiction
    subject: str
    rank: tuple[int, ...]


def asks_law(topic: Topic) -> bool:
    """True for a question after the governing law that wants its name."""
    concepts = topic.brief.concepts
    return bool(concepts) and concepts[0].concept_id == "governing_law" and topic.brief.answer_type == "jurisdiction"


def find_governing_law(passages: Sequence[Passage], topic: Topic) -> Draft:
    """The law with its clause; further laws of the same contract, for another subject or elsewhere, as differing ones.

    Empty with a caveat where the clause tells the law by a rule and no name.
    """
    laws = sorted(
        (law for passage in passages for law in _laws_of(passage, topic)),
        key=lambda law: (law.rank, law.passage.rank, law.sentence.start, law.found.start),
    )
    if not laws:
        unnamed = _unnamed(passages, topic)
        return Draft((), caveats=(unnamed,) if unnamed else ())
    best = next((law for law in laws if _is_part_beside(law, laws[0])), laws[0])
    beside, differing = _others(laws, best)
    caveats = [f"The clause names the law of {law.value.name} beside it." for law in beside]
    named = [
        _proposal(best, label=best.subject if differing else None),
        *(_proposal(law, label=law.subject) for law in differing),
    ]
    return Draft(tuple(named), caveats=tuple(dict.fromkeys(caveats)), differing=tuple(range(1, len(named))))


def _laws_of(passage: Passage, topic: Topic) -> list[_Law]:
    """The laws that sentences of the passage say govern; sentences that a layout broke into rows are read whole then."""
    return _laws_in(passage, passage.sentences, topic) or _laws_in(passage, _unbroken(passage), topic)


def _unbroken(passage: Passage) -> tuple[Sentence, ...]:
    """The sentences of the passage by their full stops alone, whatever its lines look like."""
    starts = sorted({0, *sentence_starts(passage.text)})
    title = passage.candidate.section_title or ""
    return tuple(
        Sentence(start, end, "prose", 0, title) for start, end in pairwise((*starts, len(passage.text))) if end > start
    )


def _laws_in(passage: Passage, sentences: Sequence[Sentence], topic: Topic) -> list[_Law]:
    laws: list[_Law] = []
    for sentence in sentences:
        text = passage.text[sentence.start : sentence.end]
        folded = fold(text).lower()
        headed = _HEADING.search(folded_text(sentence.heading)) is not None
        if sentence.kind == "heading" or not (_GOVERNS.search(" ".join(folded.split())) or headed):
            continue
        if missed_by(passage, sentence, topic):
            continue
        for found, cue in find_named_jurisdictions(text):
            value = found.value
            if cue == "courts" or (cue == "name" and not headed) or not isinstance(value, Jurisdiction):
                continue
            before = " ".join(folded[: found.start].split())
            if _is_other(before):
                continue
            subject = _subject(text[: found.start])
            at = FoundValue(sentence.start + found.start, sentence.start + found.end, value)
            laws.append(_Law(passage, sentence, at, value, subject, _rank(passage, folded, before, headed)))
    return laws


def _is_other(before: str) -> bool:
    """True where the words before a law say that it does not govern: 'organized under the', 'excluding the rules of'."""
    if _OTHER_LAW.search(before):
        return True
    excluded = _EXCLUDED.search(before)
    return (
        excluded is not None
        and not _INCLUDED_AGAIN.search(before, excluded.start())
        and bool(_GOVERNS.search(before[: excluded.start()]))
    )


def _rank(passage: Passage, folded: str, before: str, headed: bool) -> tuple[int, ...]:
    """Smaller is better: of the contract itself, in a clause so headed, in a primary passage."""
    flat = " ".join(folded.split())
    subject = _SUBJECT_END.split(before)[0]
    other = _OTHER_SUBJECT.search(subject) is not None
    return (
        int(other),
        0 if _ITSELF.search(flat) or headed else 1,
        0 if _GOVERNS.search(flat) else 1,
        {"primary": 0, "supporting": 1}.get(passage.candidate.role or "primary", 2),
    )


def _others(laws: Sequence[_Law], best: _Law) -> tuple[list[_Law], list[_Law]]:
    """Laws named together with the best one, as a country beside its state; laws that another clause names instead."""
    beside: list[_Law] = []
    differing: list[_Law] = []
    for law in laws:
        if any(_same(law.value, one.value) for one in (best, *beside, *differing)):
            continue
        same_sentence = law.passage is best.passage and law.sentence == best.sentence
        if same_sentence and _contains(law.value, best.value):
            beside.append(law)
        elif (
            law.rank[:3] == best.rank[:3]
            and not _contains(law.value, best.value)
            and not _contains(best.value, law.value)
        ):
            differing.append(law)
    return beside, differing


def _is_part_beside(law: _Law, first: _Law) -> bool:
    """True for a state whose law the same sentence names with that of its country: it is the law that decides more."""
    same_sentence = law.passage is first.passage and law.sentence == first.sentence
    return same_sentence and law.value.subdivision is not None and _contains(first.value, law.value)


def _contains(whole: Jurisdiction, part: Jurisdiction) -> bool:
    """True for a country and one of its states."""
    return whole.subdivision is None and whole.country is not None and whole.country == part.country


def _same(one: Jurisdiction, other: Jurisdiction) -> bool:
    if same_value(one, other):
        return True
    return (one.name, one.country, one.subdivision) == (other.name, other.country, other.subdivision)


def _subject(before: str) -> str:
    """What the law is for, in the clause's words: 'This Agreement'; '' where the clause begins with the law."""
    flat = " ".join(before.split())
    flat = re.sub(r"^(?:\(?[\dIVX]+(?:\.\d+)*[.)]?\s+)?(?:[A-Z][\w,;/& ]{2,60}\.\s+)?", "", flat)
    head = _SUBJECT_END.split(flat, maxsplit=1)[0].strip(" ,;:")
    return head if 0 < len(head) <= MAX_SUBJECT else ""


def _proposal(law: _Law, *, label: str | None) -> Proposal:
    lines = law.passage.line_range(law.sentence.start, law.sentence.end)
    span = ProposedSpan(law.passage.candidate.candidate_id, *lines)
    return Proposal(law.value, (span,), law.value.original, "rules", "verbatim", label or None)


def _unnamed(passages: Sequence[Passage], topic: Topic) -> str | None:
    """A sentence on the clause that names no law; None where there is no such clause."""
    for passage in passages:
        for sentence in passage.sentences:
            words = passage.words(sentence)
            folded = folded_text(words)
            if sentence.kind == "heading" or missed_by(passage, sentence, topic) or not _GOVERNS.search(folded):
                continue
            if _UNNAMED.search(folded) and _ITSELF.search(folded):
                first = passage.lines[passage.line_index(sentence.start)]
                quote = words if len(words) <= MAX_QUOTE else words[: MAX_QUOTE - 1] + "…"
                where = tell_line(passage.candidate.anchor.page_unit, first.page_num, first.line_num)
                return f"The clause tells the law by a rule and names none ({where}): '{quote}'"
    return None
