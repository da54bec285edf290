"""The answer's sentence in the question's language, built by code from what was verified."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.passages import whole_sentences
from pipeline.wording import lay_out, place_of, tell_computed, with_unit, words_of
from schemas.answer import (
    Amount,
    AnswerItem,
    BooleanValue,
    ConditionalValue,
    Identifier,
    Party,
    RecordValue,
    TableValue,
    TextValue,
    TreeValue,
    Value,
)
from schemas.retrieval import AbsenceProof

MAX_TERMS = 8  # searched terms named in a sentence; all of them stand in the proof
MAX_LABEL = 80  # characters of a label told before its figure; a longer one is a sentence
_FIGURES = ("amount", "percentage", "number", "duration", "date")
MAX_WORDS = 400  # characters of a clause in the sentence; the whole clause stands in the item
_WORDS = {
    "en": {
        "yes": "Yes", "no": "No",
        "differ": "The document states different values", "and": "and", "not_found": "Not found.",
        "proven_absent": "Absent: the words searched cover the topic and the whole document was read.",
        "inconclusive": "Not found, but part of the document could not be searched.",
        "searched": "Searched", "in": "in {lines} lines on {pages} {unit}", "through": "in {lines} lines",
        "pages": "pages", "slide": "slide", "slides": "slides", "sheet": "sheet", "sheets": "sheets",
        "hits": "hits",
        "unread": "Pages not read", "refused": "No answer is given: what was proposed failed a check.",
        "clarify": "The question must be made clearer", "scope": "This is no question about the document.",
        "none": "No passage that was found holds an answer of the kind asked for.",
    },
    "es": {
        "yes": "Sí", "no": "No",
        "differ": "El documento indica valores distintos", "and": "y", "not_found": "No encontrado.",
        "proven_absent": "Ausente: los términos buscados cubren el tema y se leyó todo el documento.",
        "inconclusive": "No encontrado, pero una parte del documento no se pudo buscar.",
        "searched": "Se buscó", "in": "en {lines} líneas de {pages} {unit}", "through": "en {lines} líneas",
        "pages": "páginas", "slide": "diapositiva", "slides": "diapositivas", "sheet": "hoja", "sheets": "hojas",
        "hits": "apariciones",
        "unread": "Páginas no leídas", "refused": "No se da respuesta: lo propuesto no superó una comprobación.",
        "clarify": "Hay que precisar la pregunta", "scope": "No es una pregunta sobre el documento.",
        "none": "Ningún pasaje encontrado contiene una respuesta del tipo pedido.",
    },
    "fr": {
        "yes": "Oui", "no": "Non",
        "differ": "Le document donne des valeurs différentes", "and": "et", "not_found": "Non trouvé.",
        "proven_absent": "Absent : les termes cherchés couvrent le sujet et tout le document a été lu.",
        "inconclusive": "Non trouvé, mais une partie du document n'a pas pu être cherchée.",
        "searched": "Recherché", "in": "dans {lines} lignes de {pages} {unit}", "through": "dans {lines} lignes",
        "pages": "pages", "slide": "diapositive", "slides": "diapositives", "sheet": "feuille", "sheets": "feuilles",
        "hits": "occurrences",
        "unread": "Pages non lues", "refused": "Aucune réponse : ce qui était proposé n'a pas passé un contrôle.",
        "clarify": "La question doit être précisée", "scope": "Ce n'est pas une question sur le document.",
        "none": "Aucun passage trouvé ne contient une réponse du type demandé.",
    },
}  # fmt: skip


def phrase(key: str, language: str) -> str:
    """One of our own phrases in the language; English where the language has none."""
    return _WORDS.get(language, _WORDS["en"])[key]


def tell_items(items: Sequence[AnswerItem], language: str, *, differ: bool) -> str:
    """The items in plain words with page and lines; a line an item where there are several."""
    if differ:
        joined = f" {phrase('and', language)} ".join(_tell(item, language) for item in items)
        return f"{phrase('differ', language)}: {joined}."
    if len(items) == 1:
        return _tell(items[0], language).lstrip("\n") + ("" if isinstance(items[0].value, TextValue) else ".")
    return "\n".join(f"{number}. {_called(item)}{_tell(item, language)}" for number, item in enumerate(items, 1))


def tell_absence(absence: AbsenceProof, language: str) -> str:
    """The verdict, what was searched with its hits, in how much text, and what could not be read."""
    if absence.level == "section":  # the place that the question allows alone holds nothing: why says it all
        return f"{phrase('not_found', language)} {absence.statement}"
    key = "none" if absence.level in ("generation", "arbiter") and absence.verdict == "not_found" else absence.verdict
    parts = [phrase(key, language)]
    if key == "none":
        parts.insert(0, phrase("not_found", language))
    terms = [f"{term.term} ({term.hit_count})" for term in absence.terms[:MAX_TERMS]]
    more = " …" if len(absence.terms) > MAX_TERMS else ""
    swept = _tell_sweep(absence, language)
    if terms:
        parts.append(f"{phrase('searched', language)} ({phrase('hits', language)}): {', '.join(terms)}{more}; {swept}.")
    else:
        parts.append(f"{phrase('searched', language)} {swept}.")
    if absence.pages_not_read:
        parts.append(f"{phrase('unread', language)}: {', '.join(map(str, absence.pages_not_read))}.")
    return " ".join(parts)


def _tell_sweep(absence: AbsenceProof, language: str) -> str:
    if absence.page_unit == "none":
        return phrase("through", language).format(lines=absence.lines_searched)
    unit = phrase(f"{absence.page_unit}s", language)
    return phrase("in", language).format(lines=absence.lines_searched, pages=absence.pages_searched, unit=unit)


def _called(item: AnswerItem) -> str:
    """The name of the row before its figure: 'Zone NA: '; nothing where the label is the value's own sentence."""
    written = getattr(item.value, "original", None)
    if not written or not item.label or item.value.kind not in _FIGURES or len(item.label) > MAX_LABEL:
        return ""
    return "" if written in item.label else f"{item.label}: "


def _tell(item: AnswerItem, language: str) -> str:
    place = place_of(item.spans[0], language)
    told = f"{_value_words(item.value, item, language)} ({place})"
    computed = tell_computed(item, language)
    return f"{told}; {_flat(computed)}" if computed else told


def _value_words(value: Value, item: AnswerItem, language: str) -> str:
    match value:
        case BooleanValue():
            told = phrase("yes" if value.value else "no", language)
            return f"{told}: “{_flat(whole_sentences(item.spans[0].quote))}”"
        case TextValue() | Identifier():
            return _flat(value.text)
        case TableValue() | TreeValue() | RecordValue():
            return f"\n{lay_out(value, language)}\n"
        case ConditionalValue() | Party():
            return _flat(words_of(value, language))
        case Amount():
            words = _flat(value.original)
            if value.currency and value.currency not in words and words[:1].isdigit() and words[-1:].isdigit():
                words = f"{value.currency} {words}"
            words = with_unit(words, value)
            return f"{words} {_flat(value.basis)}" if value.basis and value.basis not in words else words
        case _:
            iso = getattr(value, "iso", None)
            words = _flat(words_of(value, language))
            return f"{words} ({iso.isoformat()})" if iso is not None and iso.isoformat() != words else words


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_WORDS else flat[:MAX_WORDS].rstrip() + " …"
