# ruff: noqa: E501  # patterns are read whole, on one line
"""A nested record: each thing asked for by the rule of its own type, with its own lines; what is not there is null."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dictionaries.folding import folded_text
from pipeline.generation.part_fields import fits_field
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.topic import Topic
from schemas.answer import RecordField, RecordValue
from schemas.question import Concept, GenerationBrief

_TABLE = re.compile(r"\b(?:the|a|la|una|le|un|el) (?:table|tabla|cuadro|tableau)\b")
MIN_FIELDS = 2  # a record has several fields
MAX_NAME_WORDS = 4  # words of a field's name: 'notice period for renewal'
_ASKS = re.compile(
    r"[¿¡\s]*(?:please\s+)?(?:give(?: me)?|list|extract|provide|tell me|show(?: me)?|return|find|what (?:are|is)|dame|deme|indi(?:ca|que)|extra(?:e|iga)"
    r"|lista|cu[áa]les son|donne[rz]?(?:-moi)?|extrai[st]|extraire|liste[rz]?|indique[rz]?|quels? sont|quelles? sont)\b\s*:?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:(?:the|its?|el|la|los|las|le|les|sus?)\s+|l['’]\s*)", re.IGNORECASE)
_FORMAT = re.compile(
    r"\s+(?:as|in|en|au format)\s+(?:a\s+)?(?:json|record|table|tabla|tableau|yaml|csv)\b.*$|\s+of (?:the|this) (?:agreement|contract)$",
    re.IGNORECASE,
)
# What kind of value a field is by its name, in three languages; anything else is given in the document's words.
_TYPES = (
    ("party", r"part(?:y|ies|es)\b|parties"),
    ("date", r"date|day|fecha|dia\b|jour"),
    ("jurisdiction", r"law|jurisdiction|ley\b|legislacion|derecho|droit|loi\b"),
    ("duration", r"term\b|period|duration|notice|plazo|duracion|vigencia|preaviso|duree|delai|preavis"),
    ("amount", r"fee|price|amount|cap\b|rent\b|importe|precio|canon|prix|montant|loyer|redevance"),
    ("percentage", r"rate|percentage|share|tasa|porcentaje|tipo\b|taux|pourcentage"),
)


def asks_record(brief: GenerationBrief) -> bool:
    """True for a question after several named things at once: 'Give me the parties, the date, the law and the term'.

    Two of three names or more must be concepts of the experts, else it is a list of words on one topic.
    """
    if _TABLE.search(folded_text(brief.question)):
        return False  # 'the table of plans with premium and deductible' names columns, not fields
    if brief.answer_shape == "nested_json":
        return len(brief.concepts) >= MIN_FIELDS or len(_names_in(brief.question)) >= MIN_FIELDS
    names = _names_in(brief.question)
    known = [name for name in names if _concept_of(name, brief.concepts) is not None]
    return brief.answer_shape == "listing" and len(names) > MIN_FIELDS and len(known) >= MIN_FIELDS


def draft_record(topic: Topic, draft_field: Callable[[Topic], Draft]) -> Draft:
    """One record with a field for each thing that the question names, in its order; empty where none has a value.

    `draft_field` drafts the question after one field. A field without a verbatim value is null, with a caveat.
    """
    brief = topic.brief
    named: list[tuple[str, Concept | None]] = [
        (name, _concept_of(name, brief.concepts)) for name in _names_in(brief.question)
    ]
    if len(named) < MIN_FIELDS:
        concepts = sorted(brief.concepts, key=lambda one: _place(topic, one))
        named = [(" ".join(one.matched_by.split()) or one.concept_id.replace("_", " "), one) for one in concepts]
    fields: list[RecordField] = []
    proposals: list[Proposal] = []
    for name, concept in named:
        about = _about(topic, concept, name)
        draft = draft_field(about)
        kind = about.brief.answer_type
        given = [one for one in draft.proposals if one.method == "verbatim" and one.value is not None]
        given = [one for one in given if one.value is not None and fits_field(one.value, kind)]
        if not given:
            caveat = draft.caveats[0] if draft.caveats else f"The passages do not state the {name}."
            fields.append(RecordField(name=name, value=None, line_start=None, line_end=None, caveat=caveat))
            continue
        several = given if len(given) > 1 and not draft.differing else given[:1]
        for number, one in enumerate(several, 1):
            label = f"{name} {number}" if len(several) > 1 else name
            span = one.spans[0]
            told = draft.caveats[0] if draft.caveats else None
            fields.append(
                RecordField(
                    name=label, value=one.value, line_start=span.line_start, line_end=span.line_end, caveat=told
                )
            )
        proposals += several
    if not proposals:
        return Draft(())
    spans = tuple(dict.fromkeys(span for one in proposals for span in one.spans))
    words = "; ".join(one.value_text for one in proposals)
    missing = [field for field in fields if field.value is None]
    caveats = tuple(dict.fromkeys(field.caveat for field in missing if field.caveat))
    whole = Proposal(RecordValue(fields=tuple(fields)), spans, words, "rules", "verbatim")
    reason = f"{len(fields) - len(missing)} of the {len(fields)} fields have a value"
    return Draft((whole,), caveats, is_partial=bool(missing), ends=not missing or None, completeness_reason=reason)


def _names_in(question: str) -> tuple[str, ...]:
    """The names that a question enumerates: 'parties', 'date', 'law'; empty for one that enumerates none."""
    asked = _ASKS.match(" ".join(question.split()))
    if asked is None:
        return ()
    rest = _FORMAT.sub("", question[asked.end() :].strip(" ?.!"))
    names = [
        _ARTICLE.sub("", piece).strip() for piece in re.split(r"\s*,\s*(?:(?:and|y|et)\s+)?|\s+(?:and|y|et|&)\s+", rest)
    ]
    fits = all(name and len(name.split()) <= MAX_NAME_WORDS for name in names)
    return tuple(dict.fromkeys(names)) if fits and len(names) >= MIN_FIELDS else ()


def _concept_of(name: str, concepts: Sequence[Concept]) -> Concept | None:
    """The concept that the words of a name chose."""
    told = folded_text(name)
    return next(
        (one for one in concepts if folded_text(one.matched_by) in told or told in folded_text(one.matched_by)), None
    )


def _about(topic: Topic, concept: Concept | None, name: str) -> Topic:
    """The question after one field: its concept, its words, its type."""
    kind = next((kind for kind, words in _TYPES if re.search(rf"\b(?:{words})", folded_text(name))), "text")
    own = concept.concept_id if concept is not None else None
    keywords = tuple(word for word in topic.brief.keywords if own is not None and word.concept == own)
    return Topic(
        topic.brief.model_copy(
            update={
                "original_question": name, "resolved_question": None, "corrected_question": None,
                "answer_shape": "listing" if kind == "party" else "single", "answer_type": kind,
                "concepts": (concept,) if concept is not None else (), "keywords": keywords,
            }
        )
    )  # fmt: skip


def _place(topic: Topic, concept: Concept) -> int:
    at = folded_text(topic.brief.question).find(folded_text(concept.matched_by))
    return at if at >= 0 else len(topic.brief.question)
