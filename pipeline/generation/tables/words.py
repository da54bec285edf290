# ruff: noqa: E501  # patterns and lists of words are read whole, on one line
"""Labels and questions as plain words, so that 'PP&E, net' and 'PP and E net' are one thing."""

from __future__ import annotations

import re
from functools import lru_cache

from dictionaries.folding import folded_text

KEPT_TEXTS = 8_192  # labels and patterns are read again for every question
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LEAD = re.compile(r"^(?:less|plus|add|deduct|menos|moins|of which)\s*:?\s+")
_MARKS = re.compile(r"[\u2018\u2019']s?\b")  # possessives: "Nike's"
_DOLLARS = re.compile(r"\bu\.?s\.?(?= (?:dollars?|gaap)\b)")  # a currency and a standard, no place
_STATES = re.compile(r"\bu\.\s?s\.(?:\s?a\.)?")
_NOT_WORD = re.compile(r"[^a-z0-9%]+")
_NOTE = re.compile(r"\b(?:see )?notes? \d+[a-z]?\b.*$|\bnota \d+\b.*$")

# Words of headers and labels by which questions in Spanish and French name an English table, and English ones theirs.
_SAME = (
    "unit unitario unitaria unitaire", "minimum minimo minima minimal minimale", "maximum maximo maxima maximal maximale",
    "quantity cantidad quantite", "price precio prix", "fee fees tarifa tarifas frais honorarios honoraires redevance",
    "amount importe montant", "annual anual annuel annuelle", "monthly mensual mensuel mensuelle", "target objetivo objectif cible",
    "credit credito", "due vencimiento echeance", "rate tasa tipo taux", "total totale", "storage almacenamiento stockage",
    "delivery entrega livraison", "date fecha", "basis base", "discount descuento remise", "rebate rabais bonificacion",
    "product producto produit", "service servicio", "party parte partie", "address direccion domicilio adresse",
    "term plazo duree", "sales ventas ventes", "revenue ingresos revenus", "cost coste costo cout", "tax impuesto impot",
    "email correo courriel", "country pais pays", "name nombre nom", "value valor valeur", "level nivel niveau",
)  # fmt: skip
_ALIKE: dict[str, frozenset[str]] = {}
for _line in _SAME:
    for _word in _line.split():
        _ALIKE[_word] = _ALIKE.get(_word, frozenset()) | (frozenset(_line.split()) - {_word})


def words_alike(word: str) -> frozenset[str]:
    """What other languages call a plain word of a header: 'unit' for 'unitario'; empty for a word that is not known."""
    return _ALIKE.get(word, frozenset())


@lru_cache(maxsize=KEPT_TEXTS)
def plain_words(text: str) -> str:
    """Small letters without accents, one space between words, '&' as 'and'; brackets kept as words."""
    folded = _STATES.sub(" usa ", _DOLLARS.sub(" ", folded_text(text))).replace("&", " and ")
    return " ".join(_NOT_WORD.sub(" ", _MARKS.sub(" ", folded)).split())


@lru_cache(maxsize=KEPT_TEXTS)
def plain_label(label: str) -> str:
    """A row's label as plain words, without what stands in brackets, references to notes and 'less:'."""
    bare = _BRACKETS.sub(" ", _LEAD.sub("", folded_text(label).strip()))
    bare = re.sub(r"shareholders|shareowners", "shareholders", bare)
    return _NOTE.sub("", plain_words(re.sub(r"(?<=[a-z])['\u2019](?=s?\b)", "", bare))).strip()


@lru_cache(maxsize=KEPT_TEXTS)
def fits_label(pattern: str, label: str) -> bool:
    """True where a plain label is as the pattern says; '*' in it stands for any words, also none."""
    words = "".join(r"(?:\S+ )*" if word == "*" else re.escape(word) + " " for word in pattern.split())
    return re.fullmatch(words, f"{label} ") is not None


@lru_cache(maxsize=KEPT_TEXTS)
def name_pattern(name: str) -> re.Pattern[str]:
    """A name as whole words, a plural 's' allowed at its end."""
    return re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?:s)?(?![a-z0-9])")
