# ruff: noqa: E501, SIM905  # tables and word lists are read whole
"""A bare word that the document's type makes clear: 'what is the name?' of a resume, 'the number' of an invoice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.topics import Topic
from schemas.question import Keyword

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

FIELD_WEIGHT = 1.0  # the field's words are what the user means
SIDE_WEIGHT = 0.5  # words that other fields have too: 'purchase order number'
_OF_MANY = frozenset({"number", "no.", "número", "n.º", "numéro", "n°"})
NAMED_BY_TITLE = frozenset({("resume", "name"), ("academic_paper", "title")})

# What a document of a type is called, by language, where a field is written with it ('invoice number').
_NOUNS: dict[str, dict[str, str]] = {
    "contract": {"en": "contract", "es": "contrato", "fr": "contrat"},
    "contract_amendment": {"en": "amendment", "es": "enmienda", "fr": "avenant"},
    "invoice": {"en": "invoice", "es": "factura", "fr": "facture"},
    "resume": {"en": "resume", "es": "currículum", "fr": "CV"},
    "annual_report": {"en": "report", "es": "informe", "fr": "rapport"},
    "academic_paper": {"en": "paper", "es": "artículo", "fr": "article"},
    "memo": {"en": "memo", "es": "memorando", "fr": "note"},
}
# The fields of profiles as people ask for them, folded; how documents write them, by language.
_ASKED: dict[str, tuple[str, ...]] = {
    "name": ("name", "full name", "nombre", "nom"), "number": ("number", "no", "numero", "num"),
    "date": ("date", "fecha"), "due date": ("due date", "vencimiento", "echeance"), "title": ("title", "titulo", "titre"),
    "total": ("total", "amount", "importe", "montant", "importe total", "montant total", "total amount"),
    "tax": ("tax", "vat", "iva", "tva", "impuesto", "taxe"), "currency": ("currency", "moneda", "devise"),
    "vendor": ("vendor", "seller", "supplier", "proveedor", "vendedor", "vendeur", "fournisseur"),
    "customer": ("customer", "client", "buyer", "cliente", "comprador", "acheteur"),
    "email": ("email", "e-mail", "mail", "correo", "correo electronico", "courriel"),
    "phone": ("phone", "telephone", "phone number", "telefono", "telephone number"),
    "address": ("address", "direccion", "domicilio", "adresse"), "subject": ("subject", "asunto", "objet"),
    "experience": ("experience", "work experience", "experiencia"), "education": ("education", "formacion", "formation"),
    "skills": ("skills", "habilidades", "competencias", "competences"), "languages": ("languages", "idiomas", "langues"),
    "authors": ("authors", "author", "autores", "auteurs"), "company": ("company", "empresa", "societe", "entreprise"),
    "period": ("period", "periodo", "periode", "exercice", "ejercicio"), "iban": ("iban",),
}  # fmt: skip
_WRITTEN: dict[str, dict[str, tuple[str, ...]]] = {
    "number": {"en": ("number", "no.", "#"), "es": ("número", "n.º"), "fr": ("numéro", "n°")},
    "date": {"en": ("date",), "es": ("fecha",), "fr": ("date",)},
    "due date": {"en": ("due date", "payment due", "due by"), "es": ("fecha de vencimiento", "vencimiento"),
                 "fr": ("date d'échéance", "échéance")},
    "total": {"en": ("total due", "amount due", "grand total", "total"), "es": ("total a pagar", "importe total", "total"),
              "fr": ("total TTC", "montant total", "net à payer", "total")},
    "tax": {"en": ("tax", "VAT", "sales tax"), "es": ("IVA", "impuesto"), "fr": ("TVA", "taxe")},
    "email": {"en": ("email", "e-mail"), "es": ("correo electrónico", "correo", "email"), "fr": ("courriel", "e-mail", "email")},
    "phone": {"en": ("phone", "telephone", "tel.", "mobile"), "es": ("teléfono", "tel.", "móvil"),
              "fr": ("téléphone", "tél.", "mobile")},
    "vendor": {"en": ("vendor", "seller", "supplier", "from"), "es": ("proveedor", "emisor"), "fr": ("fournisseur", "vendeur")},
    "customer": {"en": ("bill to", "customer", "sold to", "client"), "es": ("cliente", "facturar a"), "fr": ("client", "facturé à")},
}  # fmt: skip
# What a field looks like where documents write it without a label: the heading of a resume.
_PATTERNS: dict[str, tuple[str, ...]] = {
    "email": (r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}",),
    "phone": (r"(?<![\w.])(?=(?:[^\d\n]{0,3}\d){9})\+?\(?\d{1,4}\)?(?:[\s.-]?\(?\d{2,4}\)?){2,5}(?![\w.])",),
    "iban": (r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",),
}
_TYPES: dict[str, str] = {
    "date": "date", "due date": "date", "total": "amount", "tax": "amount", "number": "identifier", "email": "text",
    "phone": "text", "iban": "text", "name": "text", "title": "text",
}  # fmt: skip
_ASIDE = frozenset(
    ("what which who is are was the please tell give show me find state name of this that it its in on document file "
     "cual que quien es son el la los las del de este esta dime documento quel quelle quels quelles est sont le les du "
     "ce cette donne moi donnez a s").split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """The field that a bare word stands for: what is searched for it, its concepts, pages, and a note."""

    keywords: tuple[Keyword, ...]
    topics: tuple[Topic, ...]
    pages: tuple[int, ...]
    answer_type: str | None  # None: as the question's words say
    note: str


def resolve_field(
    text: str,
    profile: DocumentProfile | None,
    languages: Sequence[str],
    topics_of: Callable[[str], Sequence[Topic]],
) -> Field | None:
    """The field of the document's type that a question names and nothing else; None where it says more or no field."""
    if profile is None:
        return None
    kind = profile.semantic.doc_type
    asked = _bare(text)
    field = _field(asked, kind, profile.semantic.typical_fields)
    if field is None:
        return None
    noun = _NOUNS.get(kind, {})
    title = profile.semantic.title
    if (kind, field) in NAMED_BY_TITLE and title is not None:
        word = Keyword(text=title.text, source="anchor", weight=FIELD_WEIGHT)
        said = f"'{asked}' was read as the {field} at the head of the {_told(kind)}: '{title.text}'."
        return Field((word,), (), (1,) if profile.identity.page_unit == "page" else (), "text", said)
    topics = tuple(topics_of(f"{field} of the {noun.get('en', 'document')}"))
    texts = [] if topics else _texts(field, noun, languages or ("en",))
    patterns = () if topics else _PATTERNS.get(field, ())
    keywords = tuple(
        Keyword(
            text=text,
            source="expert_dictionary",
            weight=SIDE_WEIGHT if text in _OF_MANY else FIELD_WEIGHT,
            is_regex=at >= len(texts),
        )
        for at, text in enumerate((*texts, *patterns))
    )
    means = topics[0].entry.concept_id.replace("_", " ") if topics else f"{field} of the {_told(kind)}"
    note = f"'{asked}' was read as the {means}: the document is of the type '{_told(kind)}'."
    return Field(keywords, topics, (), None if topics else _TYPES.get(field), note)


def _bare(text: str) -> str:
    """The question without words of asking; '' where nothing is left."""
    words = re.findall(r"[^\W_]+(?:-[^\W_]+)*", folded_text(text))
    kept = [
        word for at, word in enumerate(words) if not (word in _ASIDE and not (word == "name" and at == len(words) - 1))
    ]
    return " ".join(word for word in kept if word not in ALL_STOP_WORDS or word == "no")


def _field(asked: str, kind: str, typical: Sequence[str]) -> str | None:
    if not asked:
        return None
    fields = (*typical, *(("date", "title") if kind.startswith("contract") else ()))
    for field in fields:
        ways = {folded_text(field), *_ASKED.get(field, ())}
        if asked in {form for way in ways for form in written_forms(way)} and (field in _ASKED or " " not in field):
            return field if field in _ASKED else None
    return None


def _texts(field: str, noun: dict[str, str], languages: Sequence[str]) -> list[str]:
    """How documents write the field: with the document's noun where it has one, and alone."""
    texts: list[str] = []
    for language in languages:
        own = _WRITTEN.get(field, {}).get(language, (field,) if language == "en" else ())
        if field in ("number", "date") and language in noun:
            of = noun[language]
            texts += [f"{of} {text}" if language == "en" else f"{text} de {of}" for text in own]
        texts += [text for text in own if any(character.isalpha() for character in text)]
    return list(dict.fromkeys(texts))


def _told(kind: str) -> str:
    return kind.replace("_", " ")
