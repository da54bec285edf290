# ruff: noqa: E501  # a pattern is read whole, on one line
"""A request for several named things at once: 'Give me the parties, the date, the law and the term', a field each.

Each thing becomes a question of its own, so that each has its own search; a list that is one topic ('the obligations of
the Supplier and the Buyer', 'fees, costs and expenses') is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.question.clauses import is_plural, sentence
from pipeline.question.fragments import DET, PHRASE, ROLE
from pipeline.question.topics import Topic

MIN_KNOWN = 2  # things that name a concept or a kind of value; fewer, and the words are no list of fields
MIN_ASKED = 2  # things after a command; 'what are A and B' and a bare list need one more to be more than one topic
MIN_BARE = 3
MAX_FIELDS = 12  # fields of one record; a longer list is a form, to be asked in several questions
MAX_NAME_WORDS = 7  # words of a thing's name: 'the notice period for termination for convenience'

TopicsOf = Callable[[str], Sequence[Topic]]

_POLITE = r"(?:(?:please|por favor|s['’]il (?:vous|te) pla[iî]t|can you|could you|would you|kindly|i(?: would|['’]d) like|i (?:want|need)(?: you)?(?: to know)?|necesito(?: saber)?|quiero(?: saber)?|quisiera(?: saber)?|je (?:veux|voudrais|souhaite)(?: (?:savoir|conna[iî]tre))?|il me faut|(?:peux-tu|pouvez-vous|puede[sn]?(?: usted(?:es)?)?)(?: me)?|to)[\s,]+)*"
_VERB = r"(?:give|list|tell|show|extract|provide|return|find|state|name|identify|get|send|indicate|report|pull(?: out)?|dame|deme|dime|d[ií]game|indi(?:ca|que|ques)(?:me)?|extra(?:e|iga)|enumer[ae]|enum[eé]reme|lista|decirme|darme|muestra(?:me)?|mu[eé]strame|facil[ií]tame|proporciona(?:me)?|donne[rz]?|dis|dites|indique[rz]?|extrai[st]|extraire|extrayez|liste[rz]?|[eé]num[eè]re[rz]?|cite[rz]?|fournis(?:sez)?|pr[eé]cise[rz]?|montre[rz]?)"
_COMMAND = re.compile(rf"^[¿¡\s]*{_POLITE}{_VERB}(?:[\s-]+(?:me|us|moi|nous))?(?:\s+(?:with|about|out))?(?:\s*:\s*|\s+)(?:(?:what|which|cu[aá]l(?:es)?|quel(?:le)?s?)\s+(?:are|is|son|es|sont|est)\s+)?(?P<list>\S.*)$", re.IGNORECASE)  # fmt: skip
_WISH = re.compile(r"^[¿¡\s]*(?:i(?: would|['’]d) like|i (?:want|need)(?: to know)?|necesito(?: saber)?|quiero(?: saber)?|quisiera(?: saber)?|je (?:veux|voudrais|souhaite)(?: (?:savoir|conna[iî]tre))?|il me faut)\s+(?P<list>\S.*)$", re.IGNORECASE)  # fmt: skip
_WHAT = re.compile(r"^[¿¡\s]*(?:what(?:['’]s|\s+(?:are|is|were|was))|who\s+(?:are|is)|cu[aá]l(?:es)?\s+(?:son|es)|qui[eé]n(?:es)?\s+(?:son|es)|quel(?:le)?s?\s+(?:sont|est)|qui\s+(?:sont|est))\s+(?P<list>\S.*)$", re.IGNORECASE)  # fmt: skip
_LABEL = re.compile(r"^[^:?]{2,60}:\s+(?P<list>\S.*)$")  # 'Key terms: A; B; C'
_KEY = re.compile(r"^(?:(?:the\s+|los\s+|les\s+)?(?:following|siguientes?|(?:key|main|principal|essential)\s+\w+|\w+\s+(?:clave|principales|esenciales|cl[eé]s|principaux|essentiels)|\w+\s+suivants?|\w+\s+siguientes)(?:\s+\w+)?\s*:\s*)", re.IGNORECASE)  # fmt: skip
_JOINER = re.compile(
    r"\s*[,;]\s*(?:(?:and|y|e|et|as well as|plus|ainsi que|as[ií] como)\s+)?|\s+(?:and(?: also)?|&|y(?: tambi[eé]n)?|e(?=\s+i)|et(?: aussi)?|as well as|together with|along with|plus|ainsi que|as[ií] como)\s+",
    re.IGNORECASE,
)
_FORMAT = re.compile(r"\s+(?:(?:as|in|into|en|au|dans|sous)\s+(?:a\s+|an\s+|un[ae]?\s+|format\s+|forme\s+de\s+|forma\s+de\s+|formato\s+)?(?:json|record|table|tabla|tableau|yaml|csv|list|lista|liste|bullets?|bullet points)|please|por favor|s['’]il (?:vous|te) pla[iî]t)$", re.IGNORECASE)  # fmt: skip
_WHOLE = re.compile(
    r"\s+(?:(?:of|in|under|from|for)\s+(?:the|this|that|our)|(?:del?|en|de)\s+(?:el\s+|este\s+|esta\s+|la\s+)?|(?:du|de|dans)\s+(?:ce(?:tte)?\s+|le\s+|la\s+|l['’])?)\s*(?:agreement|contract|lease|loan|document|deal|licen[cs]e|contrato|acuerdo|documento|arrendamiento|pr[eé]stamo|contrat|accord|bail|pr[eê]t|convention|facture|invoice|policy|letter)$",
    re.IGNORECASE,
)
# Said of every thing of the list ('in 2023'), or of its attributes ('name and address of the Supplier').
_WHEN = re.compile(r"\s+(?:in|for|during|at the end of|en|para|durante|pour|pendant|au cours de|de)\s+(?:the\s+)?(?:fiscal\s+(?:year\s+)?|FY\s*|year\s+|el año\s+|l['’]année\s+|l['’]exercice\s+)?(?:19|20)\d\d$", re.IGNORECASE)  # fmt: skip
_WHOSE = re.compile(rf"\s+(?:of|for|del?|du|des|para|pour)\s+(?:{DET}\s*)?(?:{ROLE})$", re.IGNORECASE)
_OF_MANY = re.compile(r"\s(?:of|for|del?|des|d[eu]|para|pour)\s+(?:(?:the|both|all|each|las|los|les|las dos|ambas)\s+)?(?:parties|partes|signator(?:y|ies)|signataires|firmantes|party)$", re.IGNORECASE)  # fmt: skip
_ATTRIBUTE = re.compile(r"^(?:full |legal |registered |complete )?(?:names?|titles?|address(?:es)?|e-?mail(?: address)?|phone(?: number)?|number|iban|registration number|company number|role|nombre|direccion|domicilio|correo(?: electronico)?|telefono|cargo|nif|cif|nom|adresse|siege(?: social)?|courriel|telephone|fonction|siren|siret)$")  # fmt: skip
_EACH = re.compile(r"\b(?:with (?:their|its|the)|for each|per|each|every|all|todos|todas|cada|con (?:sus?|el|la|los|las)|tous|toutes|chaque|avec (?:leurs?|ses|sa|son|les?|la))\b", re.IGNORECASE)  # fmt: skip
_ARTICLE = re.compile(r"^(?:(?:the|its|their|an?|any|el|la|los|las|su|sus|le|les|sa|son|ses)\s+|l['’]\s*)", re.IGNORECASE)  # fmt: skip
_PARTIES = re.compile(r"^(?:(?:contracting|contract|signing)\s+)?(?:parties|part(?:es|y)|signator(?:y|ies)|signataires?|firmantes|contratantes|contractants)(?:\s+(?:involved|contratantes|contractantes|firmantes|signataires|intervinientes))?$")  # fmt: skip
_ROLE = re.compile(rf"^(?:{ROLE})$", re.IGNORECASE)
# A noun that says which kind of value is asked for, in three languages; on folded text.
_VALUE = re.compile(
    r"\b(?:date|dates|day|term|period|duration|length|notice|deadline|law|jurisdiction|fees?|price|cost|amount|sum|cap|rent|deposit|salary|premium|deductible|rate|margin|percentage|discount|number|address|iban|currency|name|title|email|royalt(?:y|ies)"
    r"|fechas?|plazo|duracion|vigencia|preaviso|periodo|ley|legislacion|jurisdiccion|tarifa|precio|coste|importe|suma|limite|renta|fianza|salario|prima|franquicia|tipo|tasa|porcentaje|descuento|numero|direccion|domicilio|moneda|nombre|titulo|canon|penalizacion"
    r"|duree|delai|preavis|periode|loi|droit|juridiction|redevance|prix|cout|montant|somme|plafond|loyer|depot|caution|salaire|prime|taux|marge|pourcentage|remise|numero|adresse|devise|nom|titre|penalite)\b"
)
_PLAIN = re.compile(r"^(?:fees?|costs?|expenses?|charges?|sums?|amounts?|terms|conditions|rates?|prices?|payments?|honorarios|gastos|costes|frais|couts|honoraires)$")  # fmt: skip
# What a bare word stands for where it is one of several fields of a document.
_MEANT = {
    "en": {"law": "governing law", "laws": "governing law", "date": "date of the agreement", "duration": "duration of the agreement"},
    "es": {"ley": "ley aplicable", "derecho": "derecho aplicable", "fecha": "fecha del contrato", "duracion": "duración del contrato"},
    "fr": {"loi": "loi applicable", "droit": "droit applicable", "date": "date du contrat", "duree": "durée du contrat"},
}  # fmt: skip
_FR_SHE = re.compile(r"^(?:date|loi|clause|redevance|garantie|periode|somme|devise|prime|adresse|marge|remise|penalite|franchise|assurance|\w+(?:ee|ion|te|ance|ence))\b")  # fmt: skip
_ES_SHE = re.compile(
    r"^(?:ley|fecha|renta|tarifa|prima|moneda|suma|tasa|fianza|franquicia|parte|\w+(?:cion|sion|dad|ncia))\b"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing of a request: its name as asked without an article, and the question after it alone."""

    name: str
    question: str


def wanted_things(text: str, topics_of: TopicsOf, language: str) -> tuple[Wanted, ...]:
    """The things that a request names, in order; empty for a text that asks for one thing, or in sentences."""
    listed, least = _list_of(text)
    pieces = [_FORMAT.sub("", piece).strip() for piece in _JOINER.split(listed.strip(" ?.!,;"))]
    pieces = [piece for piece in pieces if piece]
    if not least <= len(pieces) <= MAX_FIELDS or not all(_is_name(piece) for piece in pieces):
        return ()
    if _OF_MANY.search(pieces[-1]):
        return ()  # 'the names and addresses of the parties' are rows, not fields
    tail = next((found for found in (_WHOLE.search(pieces[-1]), _WHEN.search(pieces[-1])) if found), None)
    pieces[-1] = pieces[-1][: tail.start()] if tail else pieces[-1]
    if not _are_fields(pieces, topics_of, needs_all=least == MIN_BARE and listed == text):
        return ()
    of, whose = tail.group().rstrip() if tail else "", _WHOSE.search(pieces[-1])
    named: list[Wanted] = []
    for piece in pieces:
        is_attribute = bool(_ATTRIBUTE.match(folded_text(_ARTICLE.sub("", piece))))
        told = f"{piece}{whose.group()}" if whose and is_attribute else piece
        named.append(Wanted(_ARTICLE.sub("", piece), _question(told, "" if _WHOLE.search(told) else of, language)))
    return tuple(dict.fromkeys(named))


def _list_of(text: str) -> tuple[str, int]:
    """The words that list, and the fewest things that make them a request for several."""
    bare = _FORMAT.sub("", text.strip(" ?.!"))
    for pattern, least in ((_COMMAND, MIN_ASKED), (_WISH, MIN_ASKED), (_LABEL, MIN_ASKED), (_WHAT, MIN_BARE)):
        match = pattern.match(bare)
        if match is not None:
            return _KEY.sub("", match["list"]), least
    return text, MIN_BARE


def _is_name(piece: str) -> bool:
    """True for a short noun phrase: no verb of asking, no rest of a phrase ('for cause'), no sentence."""
    words = piece.split()
    asks = re.match(r"(?:what|when|where|who|which|how|why|whether|if|si|qu[eéi]|cu[aá]|cuando|d[oó]nde|quand|comment|combien|not|no|non|pas)\b", piece, re.IGNORECASE)  # fmt: skip
    return len(words) <= MAX_NAME_WORDS and not asks and not _EACH.search(piece) and PHRASE.match(piece) is None


def _are_fields(pieces: Sequence[str], topics_of: TopicsOf, *, needs_all: bool) -> bool:
    """True where the pieces are things of their own: two at least are known, and no head is shared by bare names.

    'The obligations of the Supplier and the Buyer', 'fees, costs and expenses' are one topic each.
    """
    names = [_ARTICLE.sub("", piece) for piece in pieces]
    shared = re.search(rf"\s(?:of|for|de|du|des|del|para|pour)\s+(?:{DET}\s*)?(?:{ROLE}|[A-ZÀ-Ý]\S*)$", names[0])
    if shared and all(_ROLE.match(name) or name[:1].isupper() for name in names[1:]):
        return False
    concepts = [_concepts(name, topics_of) for name in names]
    known = [bool(own) or _is_kind(name) for own, name in zip(concepts, names, strict=True)]
    valued = [name for name, own in zip(names, concepts, strict=True) if _is_kind(name) or any(own.values())]
    told = set().union(*(frozenset(own) or {folded_text(name)} for own, name in zip(concepts, names, strict=True)))
    plain = [name for name in names if _PLAIN.match(folded_text(name))]
    if len(plain) == len(names) or len(told) < MIN_KNOWN or len(valued) < MIN_KNOWN:
        return False
    return all(known) if needs_all or len(names) == MIN_ASKED else sum(known) >= MIN_KNOWN


def _concepts(name: str, topics_of: TopicsOf) -> dict[str, bool]:
    """The concepts that a phrase of the name chooses, each with whether it asks for a value."""
    return {one.entry.concept_id: one.entry.answer_type != "text" for one in topics_of(name) if not one.by_words}


def _is_kind(name: str) -> bool:
    """True where the name says the kind of what is asked for: a party or its role, a date, a sum."""
    folded = folded_text(name)
    return bool(_PARTIES.match(folded) or _ROLE.match(name) or _VALUE.search(folded))


def _question(piece: str, of: str, language: str) -> str:
    """The question after one thing, in the language of the request."""
    article = _ARTICLE.match(piece)
    name = piece[article.end() :] if article else piece
    folded = folded_text(name)
    who = bool(_PARTIES.match(folded) or _ROLE.match(name))
    meant = _MEANT.get(language, {}).get(folded)
    told = meant or f"{name}{of}"
    many = is_plural(piece) or (not article and is_plural(name)) or folded in ("parties", "partes")
    if language == "es":
        the = article.group() if article else _spanish(folded, many=many)
        ask = ("quiénes son" if many else "quién es") if who else "cuáles son" if many else "cuál es"
    elif language == "fr":
        the = article.group() if article else _french(folded, many=many)
        she = the.strip().lower() == "la" or (
            the.strip().lower() in ("l'", "l’", "les") and bool(_FR_SHE.match(folded))
        )
        ask = f"qui {'sont' if many else 'est'}" if who else f"quel{'le' if she else ''}{'s sont' if many else ' est'}"
    else:
        the = article.group() if article and article.group().strip().lower() in ("its", "their") else "the "
        ask = f"{'who' if who else 'what'} {'are' if many else 'is'}"
    return sentence(f"{ask} {the}{told}")


def _spanish(folded: str, *, many: bool) -> str:
    she = bool(_ES_SHE.match(folded))
    return ("las " if she else "los ") if many else "la " if she else "el "


def _french(folded: str, *, many: bool) -> str:
    if many:
        return "les "
    return "l'" if folded[:1] in "aeiouh" else "la " if _FR_SHE.match(folded) else "le "
