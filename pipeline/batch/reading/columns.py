"""The columns of the sheet of questions: how people head them, what they hold, with an example."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_LETTERS = re.compile(r"[^a-z]")


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `names` are other headings for it, in letters alone."""

    key: str
    title: str
    what: str
    example: str
    names: tuple[str, ...] = ()


COLUMNS = (
    Column("question", "question", "The question, as you would ask a person. One row a question.",
           "What is the notice period for termination?",
           ("questions", "query", "pregunta", "preguntas", "frage", "text")),
    Column("id", "id", "A short name for it, unique; without one the row's number is taken.", "notice",
           ("questionid", "key", "identificador", "identifiant", "code", "codigo")),
    Column("type", "expected type", "The kind of value awaited; empty: as the question says.", "duration",
           ("expectedtype", "answertype", "tipo", "tipoesperado", "typeattendu")),
    Column("allowed", "allowed values", "The only values that count, divided by ';'. Others are marked.",
           "30 days; 60 days; 90 days",
           ("allowed", "allowedvalue", "values", "valores", "valorespermitidos", "valeurs", "valeursautorisees",
            "options")),
    Column("folders", "folders", "Only documents below these folders of the collection, divided by ';'.",
           "suppliers/2024",
           ("folder", "carpeta", "carpetas", "dossier", "dossiers")),
    Column("filter", "filter", "Only documents whose metadata fit: conditions divided by ';' (=, !=, <, <=, >, >=, "
           "in, contains); several values by '|'.", "party = Acme Ltd; date >= 2020-01-01; region in US|EU",
           ("filters", "where", "metadata", "filtro", "filtros", "filtre", "filtres")),
    Column("sections", "sections", "Title or number of the section to look in; empty: the whole document.",
           "Termination",
           ("section", "seccion", "secciones")),
    Column("dictionaries", "dictionary", "Names of the dictionaries to use, divided by ','; empty: all.", "contracts",
           ("dictionaries", "diccionario", "diccionarios", "dictionnaire", "dictionnaires")),
    Column("language", "language", "Language of the question: en, es or fr; empty: as recognised.", "en",
           ("lang", "idioma", "langue")),
    Column("priority", "priority", "A whole number: higher is asked first where a budget may not last.", "1",
           ("prio", "prioridad", "priorite")),
)  # fmt: skip


def column_of(title: object) -> Column | None:
    """The column that a heading means: case, accents, blanks and punctuation do not count. None for none."""
    plain = plain_title(title)
    for column in COLUMNS:
        if plain in (column.key, plain_title(column.title), *column.names):
            return column
    return None


def plain_title(title: object) -> str:
    """A heading in small letters alone."""
    folded = unicodedata.normalize("NFKD", str(title)).encode("ascii", "ignore").decode().lower()
    return _LETTERS.sub("", folded)
