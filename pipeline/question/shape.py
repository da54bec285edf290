# ruff: noqa: E501, SIM905  # patterns are read whole, on one line; word lists are read as text
"""What an answer must look like: how many values, of what kind, out of how much text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries import ConceptEntry
from dictionaries.folding import folded_text
from pipeline.question.answer_types import TYPE_PATTERNS
from schemas.question import AnswerContext, AnswerShape, Intent

_VALUE_TYPES = ("amount", "date", "duration", "percentage", "boolean", "identifier")

_SUMMARY = re.compile(
    r"\b(?:summari[sz]e|summary|overview|gist|main (?:points|ideas|findings|takeaways)|key (?:points|takeaways|findings)|"
    r"in a nutshell|tl;?dr|resum[ae]|resumir|resumeme|resumen|sintetiza|puntos (?:principales|clave)|"
    r"resumez|resumer|resume-moi|resume (?:le|la|les|du)|synthese|synthetise|points (?:principaux|cles))\b"
)
_LIST = re.compile(
    r"^(?:please |can you |could you )?(?:list|enumerate|name all|name the|give (?:me )?(?:a list|all)|show (?:me )?all|"
    r"find all|identify (?:all|the)|lista|listar|enumer[ae]\w*|indica todos|indica todas|nombra|liste[rz]?|"
    r"enumere[rz]?|donne[rz]?(?:-moi)? (?:la liste|tous|toutes))\b"
    r"|\b(?:list of|all (?:of )?the|all \w+s\b|every|each of the|todos los|todas las|lista de|tous les|toutes les|liste des)\b"
)
_PLURAL_ASKED = re.compile(
    r"^(?:so |and |y |et )?(?:(?:what|which) are\b|(?:cuales) (?:son|eran)\b|(?:quels|quelles) sont\b"
    r"|(?:who) are\b|quienes son\b|qui sont\b"
    r"|(?:what|which|que|quels|quelles) (?:(?:other|main|key|kinds of|types of|sorts of|types de|sortes de|tipos de|principales) )*"
    r"(?:(?P<noun>[a-z]{3,}s)\b(?! (?:is|was|does|has|as|the|this|that|an?|if|when|its?|any|each|my|our)\b)"
    r"|(?:[\w-]+ ){1,2}(?P<later>[a-z]{3,}s) (?:are|were|do|did|have|can|may|must|shall|should|will|would|apply|exist)\b))"
)
# Words that end in s and are no plural, or a plural that is one thing.
_NO_PLURAL = frozenset(
    """
    is was does has this business basis process status address access loss class gross less express analysis series means
    pages us its his pays plus pris permis mois temps cas corps cours avis acces proces tras menos mas es dias meses
    terms plazos plus happens applies governs follows constitutes
    """.split()
)
_TABLE = re.compile(
    r"\b(?:as|in) a table\b|\btable of (?!contents)|\ben (?:una )?tabla\b|\bsous forme de tableau\b|\bcompare\b.*\btable\b"
)

_YES_NO = re.compile(
    r"^(?:and |so |but |y |et )?(?:is|are|was|were|does|do|did|can|could|may|might|must|shall|should|will|would|has|have|am|isn't|aren't|doesn't|don't|can't)\b(?! not only)"
    r"|\b(?:(?:tell me|say|state|check|confirm|know|see) (?:if|whether)|^whether)\b"
    r"|^(?:y )?(?:hay|existe|existen|puede|pueden|se puede|se pueden|es|son|esta|estan|debe|deben|tiene|tienen|permite|contiene|incluye|requiere|exige|preve|prohibe|establece|figura|cabe|podria|limita|obliga|obligan|ha|han)\b"
    r"|^(?:el|la|este|esta) (?:contrato|acuerdo|documento) \w+"
    r"|^(?:et )?(?:est-ce que|est-ce|y a-t-il|existe-t-il|peut-on|peut-il|faut-il)\b|^(?:et )?(?!quand|quel|qui|que|qu\W|comment|combien|ou |pourquoi|a quel|dans quel|pour combien|pendant combien)(?:[\w'’]+ ){0,5}\w+-(?:t-)?(?:il|elle|ils|elles|on)\b"
)
_DUE = re.compile(r"\b(?:must|shall|should|due|have to|needs? to|paid|pay|payable|deben?|hay que|tienen? que|pagar|doit|doivent|faut|payees?|payer)\b")  # fmt: skip
# A count of things is no amount of money, whatever the topic usually asks for.
_COUNT = re.compile(r"\bhow many\b|\bcuant[oa]s\b|\bcombien d['’e]")
_RELATION = re.compile(
    r"\b(?:differen(?:ce|t)|compared?|relation(?:ship)?|versus|vs|diferencia|difference|rapport entre)\b"
)
_EXPLAIN = re.compile(
    r"^(?:and )?(?:how|why|explain|describe|discuss|como|por que|explica|describe|comment|pourquoi|explique[rz]?|decri\w+)\b"
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What is asked for; `said` is True where the question's own words name the type."""

    intent: Intent
    answer_shape: AnswerShape
    answer_type: str
    answer_context: AnswerContext
    needs_summary: bool
    said: bool


def read_shape(text: str, concepts: Sequence[ConceptEntry], *, has_label: bool = False) -> Shape:
    """Intent, shape, type and context of a question; the first concept fills what the question's words leave open.

    `has_label` says that the question names a figure, a table or a code: a paragraph around it is enough.
    """
    folded = folded_text(text).strip(" ¿¡?!.\"'")
    concept = concepts[0] if concepts else None
    if _SUMMARY.search(folded):
        return Shape("summarization", "single", "text", "section", needs_summary=True, said=True)
    said = _said_type(folded, concept)
    listing = _is_listing(folded, concept, said)
    answer_type = said or (concept.answer_type if concept and not _RELATION.search(folded) else "text")
    if listing and concept and said is None and concept.answer_type == "boolean":
        answer_type = "text"
    shape: AnswerShape = "table" if _TABLE.search(folded) else "listing" if listing else "single"
    intent: Intent = "listing" if shape in ("listing", "table") else "qa"
    return Shape(
        intent=intent,
        answer_shape=shape,
        answer_type=answer_type,
        answer_context=_context(folded, shape, answer_type, concept, has_label=has_label),
        needs_summary=False,
        said=said is not None,
    )


def _said_type(folded: str, concept: ConceptEntry | None) -> str | None:
    """The type that the question's words name; None where they do not."""
    if _YES_NO.search(folded):
        return "boolean"
    for name, pattern in TYPE_PATTERNS:
        if not pattern.search(folded):
            continue
        if name == "date" and concept and concept.answer_type == "duration" and _DUE.search(folded):
            return "duration"  # 'When must invoices be paid?' asks for the days that one has
        if name == "amount" and concept and concept.answer_type in ("percentage", "duration", "date"):
            return concept.answer_type if not re.search(r"\b(?:how much|cuanto|combien)\b", folded) else name
        return name
    return "text" if _COUNT.search(folded) else None


def _is_listing(folded: str, concept: ConceptEntry | None, said: str | None) -> bool:
    if said == "boolean":
        return False
    if _LIST.search(folded):
        return True
    if concept and concept.answer_shape == "listing":
        return said in (None, "party")
    plural = _PLURAL_ASKED.search(folded)
    if plural is None or said in ("duration", "percentage", "amount", "date"):
        return False
    noun = plural.group("noun") or plural.group("later")
    if noun is not None and (noun in _NO_PLURAL or noun.endswith("ss")):
        return False
    return not (concept and concept.answer_type in _VALUE_TYPES and said is None)


def _context(
    folded: str, shape: AnswerShape, answer_type: str, concept: ConceptEntry | None, *, has_label: bool
) -> AnswerContext:
    if shape in ("listing", "table"):
        return "section" if concept is None or concept.answer_shape == "single" else concept.answer_context or "section"
    if answer_type in _VALUE_TYPES or answer_type == "party":
        return "page" if concept and concept.answer_context == "page" else "paragraph"
    if concept and concept.answer_context:
        return concept.answer_context
    if has_label and not _EXPLAIN.search(folded):
        return "paragraph"
    return "section"  # words in the answer's own order need the passage that holds them
