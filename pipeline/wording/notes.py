"""Remarks of the records, which are in English, in the reader's language; what is quoted in them stays as it is.

A remark that has no translation is shown as the record has it: it is never left out, and never reworded.
"""

from __future__ import annotations

import re

from pipeline.wording.phrases import LANGUAGES
from pipeline.wording.remarks import CAVEATS, FURTHER, REASONS, WORDS

_Q = r"(?P<quote>.+?)"
# A pattern over the whole remark; Spanish; French. {place} is told in the language, {quote} as it stands.
_REMARKS: tuple[tuple[str, str, str], ...] = (
    (rf"The clause makes an exception: {_Q}", "La cláusula hace una excepción: {quote}",
     "La clause fait une exception : {quote}"),
    (r"The document also speaks of this at (?P<place>.+)\.", "El documento también trata de esto en {place}.",
     "Le document en parle aussi à : {place}."),
    (rf"The clause does not speak of {_Q}; check that it is meant\.",
     "La cláusula no habla de {quote}; compruebe que es la que se busca.",
     "La clause ne parle pas de {quote} ; vérifiez que c'est bien elle."),
    (rf"The value stands with the topic, and not with {_Q}; check that it is meant\.",
     "El valor consta con el tema, y no con {quote}; compruebe que es el que se busca.",
     "La valeur figure avec le sujet, et non avec {quote} ; vérifiez que c'est bien elle."),
    (r"Whether this is a yes or a no, the rules cannot tell from the clause; a person has to read it\.",
     "Si es un sí o un no, las reglas no pueden decirlo a partir de la cláusula; debe leerla una persona.",
     "Si c'est un oui ou un non, les règles ne peuvent le dire d'après la clause ; une personne doit la lire."),
    (rf"The passages speak of the topic, and nowhere of {_Q}: a person has to read it\.",
     "Los pasajes tratan del tema, y en ningún lugar de {quote}: debe leerlos una persona.",
     "Les passages parlent du sujet, et nulle part de {quote} : une personne doit les lire."),
    (r"The answer stands in a passage that the arbiter judged supporting, not primary\.",
     "La respuesta consta en un pasaje que el árbitro juzgó de apoyo, no principal.",
     "La réponse figure dans un passage que l'arbitre a jugé à l'appui, non principal."),
    (r"Every value that was proposed failed a check; see refused_items\.",
     "Todo valor propuesto falló una comprobación; véase refused_items.",
     "Toute valeur proposée a échoué à un contrôle ; voir refused_items."),
    (r"(?P<quote>\d+) proposed values? failed a check(?:; see refused_items\.)?",
     "{quote} propuestos fallaron una comprobación", "{quote} proposés ont échoué à un contrôle"),
    (r"The document states different values on this point; all are given, none is chosen\.",
     "El documento indica valores distintos en este punto; se dan todos, no se elige ninguno.",
     "Le document donne des valeurs différentes sur ce point ; toutes sont données, aucune n'est choisie."),
    (rf"Values are given as the document writes them; not carried out: {_Q}\.",
     "Los valores se dan como los escribe el documento; no se pudo cumplir: {quote}.",
     "Les valeurs sont données comme le document les écrit ; n'a pu être fait : {quote}."),
    (rf"Pages {_Q} of the document could not be read\.", "Las páginas {quote} del documento no se pudieron leer.",
     "Les pages {quote} du document n'ont pas pu être lues."),
    (rf"Pictures beside the text on pages {_Q} were not looked at\.",
     "No se miraron las imágenes junto al texto en las páginas {quote}.",
     "Les images à côté du texte aux pages {quote} n'ont pas été regardées."),
    (r"The document has no list of these; each clause that speaks of it is given\.",
     "El documento no tiene una lista de ello; se da cada cláusula que lo trata.",
     "Le document n'en a pas de liste ; chaque clause qui en parle est donnée."),
    (rf"No day can be told: the passages give no date for {_Q}; the term is given as it stands\.",
     "No se puede decir un día: los pasajes no dan fecha para {quote}; se da el plazo tal cual.",
     "Aucun jour ne peut être dit : les passages ne datent pas {quote} ; la durée est donnée telle quelle."),
    # why an answer is whole or not
    (r"one answer was asked for and is given", "se pidió una respuesta y se da",
     "une réponse était demandée et est donnée"),
    (r"the document states different values", "el documento indica valores distintos",
     "le document donne des valeurs différentes"),
    (r"answered in part, as the caveats say", "respondida en parte, como dicen las notas",
     "réponse partielle, comme le disent les notes"),
    (r"the list was seen to end", "se vio el final de la lista", "on a vu la fin de la liste"),
    (r"the document states no number", "el documento no indica cuántos", "le document n'en dit pas le nombre"),
    (r"the document says there are (?P<quote>\d+), (?P<rest>\d+) are given",
     "el documento dice que son {quote}, se dan {rest}", "le document dit qu'il y en a {quote}, {rest} sont donnés"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.DOTALL), told) for pattern, *told in _REMARKS)


def _compile(template: str) -> re.Pattern[str]:
    """The template as a pattern over the whole remark; each {} holds what the remark quotes."""
    return re.compile("(.*?)".join(map(re.escape, template.split("{}"))), re.DOTALL)


_TEMPLATES = tuple((_compile(english), told) for english, *told in (*CAVEATS, *REASONS))
_SENTENCES = tuple((_compile(english), told) for english, *told in FURTHER)
_SENTENCE_END = re.compile(r"(?<=\.) (?=Kept |Measured: )")
_UNITS = {
    "es": {"page": "página", "line": "línea", "lines": "líneas", "slide": "diapositiva", "sheet": "hoja", "to": "a"},
    "fr": {"page": "page", "line": "ligne", "lines": "lignes", "slide": "diapositive", "sheet": "feuille", "to": "à"},
}


def tell_note(remark: str, language: str = "en") -> str:
    """The remark in the language; as the record has it where we have no translation."""
    if language not in LANGUAGES[1:]:
        return remark
    units = _UNITS[language]
    for pattern, told in _PATTERNS:
        match = pattern.fullmatch(remark)
        if match is not None:
            parts = {name: held or "" for name, held in match.groupdict().items()}
            if "place" in parts:
                parts["place"] = re.sub(r"[a-z]+", lambda word: units.get(word.group(), word.group()), parts["place"])
            return told[LANGUAGES.index(language) - 1].format(**parts)
    parts_of = _SENTENCE_END.split(remark)
    if len(parts_of) > 1:
        return " ".join(tell_note(part, language) for part in parts_of)
    return _from_template(remark, language)


def tell_words(words: str, language: str = "en") -> str:
    """Words that code put into a formula ('start of the term + term'), in the language; others as they are."""
    if language not in LANGUAGES[1:]:
        return words
    at = LANGUAGES.index(language) - 1
    for english, *told in WORDS:
        words = re.sub(rf"(?<!\w){re.escape(english)}(?!\w)", told[at], words)
    return words


def _from_template(remark: str, language: str) -> str:
    for pattern, told in (*_TEMPLATES, *_SENTENCES):
        match = pattern.fullmatch(remark)
        if match is not None:
            held = [
                tell_words(part or "", language) if (part or "") in _OWN_WORDS else part or ""
                for part in match.groups()
            ]
            words = told[LANGUAGES.index(language) - 1]
            return words.format(*held)
    return remark


_OWN_WORDS = frozenset(english for english, *_ in WORDS)
