"""What is laid down beside the words of a question (`QuestionTerms`) wins over what the words were read to say."""

from __future__ import annotations

from dataclasses import replace

from pipeline.question.merging import Refined
from schemas.request import QuestionTerms

# The same note in the languages that questions are asked in.
_NOTES = {
    "en": ("the type of the value was laid down by the asker: {}", "the section was laid down by the asker: {}"),
    "es": ("quien pregunta fijó el tipo del valor: {}", "quien pregunta fijó la sección: {}"),
    "fr": ("le demandeur a fixé le type de la valeur : {}", "le demandeur a fixé la section : {}"),
}


def lay_down(refined: Refined, terms: QuestionTerms | None) -> Refined:
    """The reading with type, language and section as the terms say; as it is where they say nothing."""
    if terms is None:
        return refined
    of_type, of_section = _NOTES.get(terms.language or refined.language, _NOTES["en"])
    notes, hints = list(refined.notes), refined.hints
    sources = dict(refined.field_sources)
    answer_type = refined.answer_type
    if terms.answer_type is not None and terms.answer_type != answer_type:
        answer_type = terms.answer_type
        sources["answer_type"] = "rules"
        notes.append(of_type.format(answer_type))
    if terms.sections:
        hints = hints.model_copy(update={"section_hint": terms.sections[0]})
        sources["hints"] = "rules"
        notes.append(of_section.format("; ".join(terms.sections)))
    return replace(
        refined,
        answer_type=answer_type,
        language=terms.language or refined.language,
        hints=hints,
        field_sources=sources,
        notes=tuple(notes),
    )
