# ruff: noqa: E501  # a text is read whole, on one line
"""The words in which the user is asked back, by language."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.question import Clarification

COMMON_FIELDS = {"en": "its subject", "es": "su objeto", "fr": "son objet"}
_TEXTS = {
    "en": {
        "ask": "What would you like to know?", "why": "The question holds no word, code or name to search for.",
        "about": "What does the document say about {0}?", "summary": "Summarize the document.",
        "which": "Which {0} do you mean?", "several": "The document has more than one that '{0}' may mean.",
        "of": "{0} for {1}", "first": "It stands first in the document.", "named": "The document itself calls it so.",
        "votes": "Earlier replies in this store chose it ({0:g} of {1:g} votes).",
        "whole": "It needs no further choice.", "broad": "It is the widest of the choices.", "usual": "It is what the experts take the words for.",
        "fragment": "The question only makes sense behind another one, and there is none in this session.",
        "next": "The choice before it was turned down; this one comes next.",
        "party": "Which party do you mean?", "obligations": "What are the obligations of {0}?",
    },
    "es": {
        "ask": "¿Qué desea saber?", "why": "La pregunta no contiene ninguna palabra, código o nombre que buscar.",
        "about": "¿Qué dice el documento sobre {0}?", "summary": "Resume el documento.",
        "which": "¿A qué se refiere con «{0}»?", "several": "El documento contiene más de una cosa que «{0}» puede significar.",
        "of": "{0} para {1}", "first": "Es la primera del documento.", "named": "El propio documento la llama así.",
        "votes": "Respuestas anteriores la eligieron ({0:g} de {1:g} votos).",
        "whole": "No exige elegir más.", "broad": "Es la más amplia.", "usual": "Es lo que los expertos entienden por ello.",
        "fragment": "La pregunta solo tiene sentido después de otra, y no hay ninguna en esta sesión.",
        "next": "Se rechazó la anterior; esta es la siguiente.",
        "party": "¿A qué parte se refiere?", "obligations": "¿Cuáles son las obligaciones de {0}?",
    },
    "fr": {
        "ask": "Que souhaitez-vous savoir ?", "why": "La question ne contient aucun mot, code ou nom à rechercher.",
        "about": "Que dit le document sur {0} ?", "summary": "Résume le document.",
        "which": "Que voulez-vous dire par « {0} » ?", "several": "Le document contient plusieurs choses que « {0} » peut désigner.",
        "of": "{0} pour {1}", "first": "C'est la première du document.", "named": "Le document lui-même la nomme ainsi.",
        "votes": "Des réponses précédentes l'ont choisie ({0:g} sur {1:g} voix).",
        "whole": "Elle ne demande pas d'autre choix.", "broad": "C'est la plus large.", "usual": "C'est ce que les experts entendent par là.",
        "fragment": "La question n'a de sens qu'après une autre, et il n'y en a pas dans cette session.",
        "next": "La précédente a été écartée ; celle-ci vient ensuite.",
        "party": "De quelle partie s'agit-il ?", "obligations": "Quelles sont les obligations de {0} ?",
    },
}  # fmt: skip


def texts_in(language: str) -> Mapping[str, str]:
    """The words of a language; English ones for a language that has none."""
    return _TEXTS.get(language, _TEXTS["en"])


def texts_of(asked: Clarification) -> Mapping[str, str]:
    """The words of the language in which the user is asked."""
    return (
        _TEXTS["es"]
        if asked.question_to_user.startswith("¿")
        else _TEXTS["fr" if " ?" in asked.question_to_user else "en"]
    )
