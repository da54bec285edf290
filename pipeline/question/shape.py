# ruff: noqa: E501, SIM905  # patterns are read whole, on one line; word lists are read as text
"""What an answer must look like: how many values, of what kind, out of how much text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries import ConceptEntry
from dictionaries.folding import folded_text
from pipeline.question.answer_types import TYPE_PATTERNS
from pipeline.question.yes_no import asks_yes_no
from pipeline.values.registry import type_asked_for
from schemas.question import AnswerContext, AnswerShape, Intent

_VALUE_TYPES = ("amount", "date", "duration", "percentage", "boolean", "number", "identifier", "iban")

_SUMMARY = re.compile(
    r"\b(?:summari[sz]e|summary|overview|gist|main (?:points|ideas|findings|takeaways)|key (?:points|takeaways|findings)|"
    r"in a nutshell|tl;?dr|resum[ae]|resumir|resumeme|resumen|sintetiza|puntos (?:principales|clave)|"
    r"resumez|resumer|resume-moi|resume (?:le|la|les|du)|synthese|synthetise|points (?:principaux|cles))\b"
)
_LIST = re.compile(
    r"^(?:please |can you |could you )?(?:list|enumerate|name all|name the|give (?:me )?(?:a list|all)|show (?:me )?all|"
    r"find all|identify (?:all|the)|(?:necesito|quiero|quisiera|dame|dime|donnez-moi|give me|send me|il me faut) (?:los|las|les|the)(?: \w+)? (?!terms|conditions|condiciones|terminos)[a-z]{3,}s\b|relevez|recensez|lista|listar|enumer[ae]\w*|indica todos|indica todas|nombra|liste[rz]?|"
    r"enumere[rz]?|donne[rz]?(?:-moi)? (?:la liste|tous|toutes))\b"
    r"|^(?:in |dans |en )?(?:which|what|quels|que) (?:cases|situations|events|circumstances|cas|supuestos|casos|situaciones|evenements|hypotheses)\b"
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
    rights limits restrictions conditions rules consequences effects licences licenses derechos limites restricciones
    condiciones reglas consecuencias efectos licencias droits regles modalites effets requisitos exigences
    """.split()
)
_ONE_ASKED = re.compile(
    r"^(?:and |y |et )?(?:dites-moi |dime |tell me )?(?:what|which) (?!(?:are|is|was|were|do|does|did|can|may|must|shall|will|would|should|has|have|companies|parties|entities)\b)(?:\w+ )?[a-z]+(?<!s) (?:is|was|must|does|has|applies|shall|should|will)\b"
    r"|\b(?:quel|quelle) (?!est|sont)[a-z]+\b|^(?:dime )?que [a-z]+(?<!s)(?<!n)(?<!e) (?:debe|tiene|hay|se|es|por)\b"
)
_TABLE = re.compile(
    r"\b(?:as|in) a table\b|\btable of (?!contents)|\ben (?:una )?tabla\b|\bsous forme de tableau\b|\bcompare\b.*\btable\b"
)

# What asks for the wording or the manner, whatever value the topic usually has.
_TEXT_FIRST = re.compile(
    r"^(?:and |y |et |please |can you |could you |por favor,? )*(?:describe|explain|quote|cite|outline|clarify|walk me through|describ[ae]|explica|explique|cita|cite[rz]?|citez|decrivez|decris|expliquez|precisez comment|detalla|detaillez)\b"
    r"|^(?:(?:and|y|et|tell me|dime|dites-moi|(?:necesito|quiero|quisiera) saber|i need to know|i want to know|indiquez|indica|sabes|explique) )*(?:how|como|comment)\b(?! (?:long|much|many|soon|quickly|fast|old|big|large|far|early|late)\b)(?!.* (?:called|titled|named|entitled)\b)"
    r"|^(?:what|which (?:factors?|reasons?|causes?)) (?:drove|drives|is driving|caused|causes|explains?|explained|led to|contributed to|accounts for|accounted for)\b"
    r"|^que (?:factores? )?(?:impulso|impulsaron|explica|explican|causo|causaron|motivo|provoco|llevo a)\b|^(?:qu'est-ce qui|quels? facteurs?) (?:explique|expliquent|a (?:cause|entraine|provoque|motive)|ont (?:cause|entraine|provoque))\b"
    r"|\bhow often\b|\bcada cuanto\b|\ba quelle frequence\b|\bcon que frecuencia\b"
    r"|^(?:who|quien|qui)\b.*\b(?:what|quoi)\b"
    r"|\b(?:what does|what do) (?:[\w'-]+ ){1,6}(?:say|provide|state|mention|stipulate|foresee)\b|\bque (?:dice|dicen|preve|establece|estipula|dispone)\b|\bque (?:dit|disent|prevoit|prevoient|stipule)\b|\bqu'est-ce qui est prevu\b"
)
_TEXT_LAST = re.compile(
    r"^(?:what|que|qu')(?: happens| if\b| pasa\b| ocurre\b| sucede\b| se passe| devient| advient)|^what (?:are|is|can|may|do|does) (?:each|the|we|they|it|either)?\b.*\b(?:do with)\b"
    r"|\b(?:what|which|under what|on what) (?:[\w-]+ )?(?:limits?|restrictions?|conditions?|rules?|rights|consequences|effects|circumstances|mechanism|wording|procedure)\b"
    r"|\b(?:que|cuales son (?:los|las)|en que|las|los|bajo que) (?:limites|restricciones|condiciones|reglas|derechos|efectos|consecuencias|requisitos)\b"
    r"|\b(?:quels?|quelles?|les|aux|a) (?:sont (?:les|ses) )?(?:limites?|restrictions?|conditions?|regles|droits|effets|consequences|modalites|exigences)\b"
    r"|\b(?:the |la |le |el |the exact |ce |a )?(?:clause|wording|provision|passage|paragraph|commitment|undertaking|clausula|texto|estipulacion|disposicion|compromiso|pasaje|mecanismo|mechanism|stipulation|engagement de|engagement du|mecanisme)\b"
    r"|^(?:dites-moi|indiquez|precisez|tell me) (?:ce (?:que|qui|qu')|what\b)|^(?:show me|muestrame|montrez-moi) (?:where|what|donde|que|lo que|ou|ce)\b"
    r"|\b(?:el|le|the) (?:alcance|perimetre|scope)\b"
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
    said = _said_type(text, folded, concept)
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


def _said_type(text: str, folded: str, concept: ConceptEntry | None) -> str | None:
    """The type that the question's words name; None where they do not."""
    if asks_yes_no(text):
        return "boolean"
    if _TEXT_FIRST.search(folded):
        return "text"
    registered = type_asked_for(folded)
    if registered is not None:
        return registered
    for name, pattern in TYPE_PATTERNS:
        if not pattern.search(folded):
            continue
        if name == "date" and concept and concept.answer_type == "duration" and _DUE.search(folded):
            return "duration"  # 'When must invoices be paid?' asks for the days that one has
        if name == "amount" and concept and concept.answer_type in ("percentage", "duration", "date"):
            return concept.answer_type if not re.search(r"\b(?:how much|cuanto|combien)\b", folded) else name
        return name
    if _COUNT.search(folded):
        return "number"
    return "text" if _TEXT_LAST.search(folded) else None


def _is_listing(folded: str, concept: ConceptEntry | None, said: str | None) -> bool:
    if said == "boolean":
        return False
    if _LIST.search(folded):
        return True
    if concept and concept.answer_shape == "listing":
        return said in (None, "party") and not _ONE_ASKED.search(folded)
    plural = _PLURAL_ASKED.search(folded)
    if plural is None or said in ("duration", "percentage", "amount", "date", "number"):
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
