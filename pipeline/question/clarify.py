"""The question back to the user, for the few questions that hold nothing to search for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.question import Clarification

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

_MAX_FIELD_CHOICES = 2  # two concrete questions and the summary: three choices

_TEXTS = {
    "en": (
        "What would you like to know?",
        "The question holds no word, code or name to search for.",
        "What does the document say about {field}?",
        "Summarize the document.",
    ),
    "es": (
        "¿Qué desea saber?",
        "La pregunta no contiene ninguna palabra, código o nombre que buscar.",
        "¿Qué dice el documento sobre {field}?",
        "Resume el documento.",
    ),
    "fr": (
        "Que souhaitez-vous savoir ?",
        "La question ne contient aucun mot, code ou nom à rechercher.",
        "Que dit le document sur {field} ?",
        "Résume le document.",
    ),
}
_COMMON_FIELDS = {"en": "its subject", "es": "su objeto", "fr": "son objet"}


def ask_back(language: str, profile: DocumentProfile | None) -> Clarification:
    """A clarification with two or three complete questions; what such documents usually hold comes first."""
    question, reason, about, summary = _TEXTS.get(language, _TEXTS["en"])
    fields = list(profile.semantic.typical_fields[:_MAX_FIELD_CHOICES]) if profile and language == "en" else []
    named = fields or [_COMMON_FIELDS.get(language, _COMMON_FIELDS["en"])]
    choices = (*(about.format(field=field) for field in named), summary)
    return Clarification(question_to_user=question, reason=reason, choices=choices, default=summary)
