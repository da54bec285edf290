# ruff: noqa: E501  # a pattern is read whole, on one line
"""How the user wants the answer put: the words that say so, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from dictionaries.folding import folded_text
from pipeline.question.pieces import pieces_of
from pipeline.question.reading import Piece
from schemas.question import FormatConstraint

Period = Literal["hours", "days", "weeks", "months", "quarters", "years"]
Scale = Literal["units", "thousands", "millions", "billions"]
Layout = Literal["bullets", "table", "json", "sentence"]
MAX_DECIMALS = 12  # the record's own limit

_UNITS = r"(?:calendar\s+|business\s+|working\s+)?(?:days|weeks|months|quarters|years|hours|d[ií]as|semanas|meses|trimestres|años|horas|jours|semaines|mois|ans|ann[eé]es|heures|minutes|minutos)"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|JPY|CAD|MXN|euros?|€|\$|£|(?:us\s+)?dollars?|d[oó]lares|pounds?(?:\s+sterling)?|libras(?:\s+esterlinas)?|livres(?:\s+sterling)?|yen|(?:swiss\s+)?francs?(?:\s+suisses)?|francos\s+suizos|pesos)"
_SCALE = r"(?:thousands?|millions?|billions?|miles(?:\s+de\s+millones)?|millones|milliers?|milliards?|k|m|bn)"
_MONEY = rf"(?:{_SCALE}\s+(?:of|de|d['’])\s*{_CURRENCY}|{_CURRENCY}(?:\s+{_SCALE})?|(?:thousands|millions|billions|miles\s+de\s+millones|miles|millones|milliers|milliards))"
_LANGUAGE_OF = {
    **dict.fromkeys(("english", "ingles", "anglais"), "en"),
    **dict.fromkeys(("spanish", "espanol", "castellano", "espagnol"), "es"),
    **dict.fromkeys(("french", "frances", "francais"), "fr"),
    **dict.fromkeys(("german", "aleman", "allemand"), "de"),
    **dict.fromkeys(("portuguese", "portugues", "portugais"), "pt"),
    **dict.fromkeys(("italian", "italiano", "italien"), "it"),
}
_LANGUAGES = r"(?:english|spanish|french|german|portuguese|italian|ingl[eé]s|espa[nñ]ol|castellano|franc[eé]s|alem[aá]n|portugu[eé]s|italiano|anglais|espagnol|fran[cç]ais|allemand|portugais|italien)"
_COUNT = r"(?:one|a\s+single|two|three|four|five|six|a\s+few|\d+|una?|una\s+sola|dos|tres|cuatro|cinco|une|une\s+seule|deux|trois|quatre|cinq)"
_FORMATS = rf"(?:an?\s+|una?\s+|une\s+)?(?:bullet(?:ed)?\s+(?:points?|list)|bullets|viñetas|puces|table|tabla|tableau|list|lista|liste|json|iso(?:\s+8601)?(?:\s+format)?|(?:int|integer|float|list|decimal|percentage)\s+format|{_COUNT}\s+(?:short\s+)?(?:sentences?|words?|lines?|paragraphs?|frases?|palabras?|l[ií]neas?|p[aá]rrafos?|phrases?|mots?|lignes?)|percent|percentages?|porcentaje|pourcentage|short|brief|resumen|bref|detail|plain\s+(?:words|language|english))"
_DATES = r"(?:dd|mm|yyyy|jj|aaaa)[/.-](?:dd|mm|yyyy|jj|aaaa)(?:[/.-](?:dd|mm|yyyy|jj|aaaa|yy))?"
# Sentences that tell how to answer, beside the one that asks.
_INSTRUCTION = r"(?:(?<=[.!?])\s+|^)(?:please\s+)?(?:answer|give|round|return|format|assume|approach|calculate|compute|express|respond|reply|write|keep|responda|responde|redondee|redondea|répondez|réponds|arrondissez)\b[^.?!:]*(?:\.\d[^.?!:]*)*[.!:]?(?=\s|$)"
# 'Must notices be given in English?' asks about the language; it does not wish for one.
_ASKED_OF = (
    r"(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bser )(?<!\best )(?<!written )(?<!drafted )(?<!made )(?<!issued )(?<!provided )(?<!prepared )(?<!executed )"
    r"(?<!paid )(?<!payable )(?<!invoiced )(?<!billed )(?<!denominated )(?<!submitted )(?<!conducted )(?<!signed )(?<!published )(?<!redactado )(?<!redactada )"
    r"(?<!escrito )(?<!escrita )(?<!pagado )(?<!pagada )(?<!pagarse )(?<!pagan )(?<!rédigé )(?<!rédigée )(?<!écrit )(?<!écrite )(?<!payé )(?<!payée )(?<!payable )"
    r"(?<!payés )(?<!payées )(?<!given )(?<!delivered )(?<!stated )(?<!expressed )(?<!pay )(?<!owned )"
)
_IS_IT = re.compile(r"(?:is|are|was|were|est|sont|está|están|es|son|¿\s*(?:está|están|es|son))\b", re.IGNORECASE)
_IN_LANGUAGE = re.compile(rf"(?:in|en)\s+{_LANGUAGES}", re.IGNORECASE)
_SAID = r"(?:expressed\s+|stated\s+|given\s+|converted\s+|answer(?:ed)?\s+|expresad[oa]s?\s+|exprim[eé]e?s?\s+|convertid[oa]s?\s+|converti[e]?s?\s+)"
_WISHES = (
    re.compile(_INSTRUCTION, re.IGNORECASE),
    re.compile(rf"\(?(?<!\w)(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bser )(?<!\bestar )(?<!\bêtre )(?<!\bsont ){_SAID}(?:in|as|en|into)\s+(?:{_MONEY}|{_UNITS}|{_LANGUAGES}|{_FORMATS})(?!\w|\s+\d)\)?", re.IGNORECASE),
    re.compile(rf"\(?{_ASKED_OF}(?<!\w)(?:in|as|en|into)\s+(?:{_MONEY}|{_UNITS}|{_LANGUAGES})(?!\w|\s+\d|\s+(?:law|courts?|version|text|language|bonds?|bills?|notes?|loans?|after|from|following|of|before)\b)\)?", re.IGNORECASE),
    re.compile(rf"\(?(?<!\w)(?:in|as|en|into|sous\s+forme\s+de|con|avec)\s+(?:{_FORMATS})(?!\w|\s+\d)\)?", re.IGNORECASE),
    re.compile(rf"(?:\(\s*)?(?:\b(?:format(?:ted)?\s+(?:the\s+\w+\s+)?(?:as|like)|in\s+the\s+format|as|in|en\s+(?:el\s+)?formato|con\s+(?:el\s+)?formato|au\s+format|dans\s+le\s+format)\s+)?{_DATES}(?:\s+format)?\)?", re.IGNORECASE),
    re.compile(r"\b(?:format(?:ted)?\s+(?:the\s+\w+\s+)?as\s+\S+|one-line|briefly|brièvement|brevemente|(?:en\s+|au\s+)?format[oe]?\s+(?:iso(?:\s+8601)?|json))", re.IGNORECASE),
    re.compile(r"\bround(?:ed)?\s+(?:your\s+answer\s+)?(?:off\s+)?to\s+(?:the\s+nearest\s+\w+|\w+(?:\s+(?:decimals?(?:\s+places?)?|places?|digits?|figures?|significant\s+figures?))?)|\b(?:redondead[oa]|arrondie?)\s+(?:al?|à\s+l['’]|à|au)\s*(?:\w+\s+){0,2}\w+", re.IGNORECASE),
    re.compile(rf"(?<!\w)(?:to|with|at|con|a|avec|à|without|sin|sans)\s+(?:(?:{_COUNT}|no|zero|cero|zéro)\s+)?(?:decimal(?:\s+place)?s?|decimales?|décimales?)\b", re.IGNORECASE),
    re.compile(r"(?<!\w)(?:per\s+(?:year|annum|quarter|month|week|day|hour)|(?:al|por)\s+(?:año|trimestre|mes|d[ií]a|hora)|por\s+semana|par\s+(?:an|trimestre|mois|semaine|jour|heure))(?=\s*(?:[?.,;)]|$))", re.IGNORECASE),
)  # fmt: skip

_CURRENCIES = (
    ("EUR", r"\beur\b|\beuros?\b|€"), ("GBP", r"\bgbp\b|\bpounds?\b|\blibras\b|\blivres\b|£"),
    ("CHF", r"\bchf\b|\bswiss francs?\b|\bfrancos suizos\b|\bfrancs? suisses?\b"), ("JPY", r"\bjpy\b|\byen\b"),
    ("CAD", r"\bcad\b"), ("MXN", r"\bmxn\b"), ("USD", r"\busd\b|\bdollars?\b|\bdolares\b|\$"),
)  # fmt: skip
_SCALES: tuple[tuple[Scale, str], ...] = (
    ("billions", r"\bbillions?\b|\bbn\b|\bmiles de millones\b|\bmilliards?\b"),
    ("millions", r"\bmillions?\b|\bmillones\b"),
    ("thousands", r"\bthousands?\b|\bmiles\b|\bmilliers?\b"),
    ("units", r"\bin units\b|\bunidades\b|\bunites\b"),
)
_PERIODS: tuple[tuple[Period, str], ...] = (
    ("hours", r"\bhours?\b|\bhoras?\b|\bheures?\b"), ("days", r"\bdays?\b|\bdias?\b|\bjours?\b"),
    ("weeks", r"\bweeks?\b|\bsemanas?\b|\bsemaines?\b"), ("months", r"\bmonths?\b|\bmes(?:es)?\b|\bmois\b"),
    ("quarters", r"\bquarters?\b|\btrimestres?\b"), ("years", r"\byears?\b|\banos?\b|\bann(?:ees?|um)\b|\bans?\b"),
)  # fmt: skip
_LAYOUTS: tuple[tuple[Layout, str], ...] = (
    ("bullets", r"\bbullet|\bvinetas\b|\bpuces\b|\b(?:as|in) an? list\b|\ben (?:una )?lista\b|\bsous forme de liste\b|\blist format\b"),
    ("table", r"\btable\b|\btabla\b|\btableau\b"),
    ("json", r"\bjson\b"),
    ("sentence", r"\b(?:one|a single|1) (?:short )?(?:sentence|line)\b|\bone-line\b|\buna(?: sola)? (?:frase|linea)\b|\bune(?: seule)? (?:phrase|ligne)\b"),
)  # fmt: skip
_NUMBERS = {
    **dict.fromkeys(("no", "zero", "cero", "without", "sin", "sans"), 0),
    **dict.fromkeys(("one", "a single", "un", "una", "une", "una sola", "une seule"), 1),
    **dict.fromkeys(("two", "dos", "deux"), 2), **dict.fromkeys(("three", "tres", "trois", "a few"), 3),
    **dict.fromkeys(("four", "cuatro", "quatre"), 4), **dict.fromkeys(("five", "cinco", "cinq"), 5), "six": 6,
}  # fmt: skip
_NUMBER = r"(?P<n>\d{1,2}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"
_DECIMALS = re.compile(rf"\b{_NUMBER} (?:decimal|decimales|decimals|places|digits)|\bto {_NUMBER.replace('<n>', '<m>')} (?:decimal|places)")  # fmt: skip
_WHOLE = re.compile(
    r"\bnearest (?:whole|integer|unit|dollar|euro|number)|\bentero\b|\bentier\b|\b(?:int|integer) format\b|\bunite\b|\bunidad\b"
)
_SENTENCES = re.compile(rf"\b{_NUMBER} (?:short )?(?:sentences?|lines?|frases?|lineas?|phrases?|lignes?)\b")
_DATE_FORMAT = re.compile(_DATES, re.IGNORECASE)
_OTHER_LETTERS = str.maketrans({"J": "D", "A": "Y"})  # JJ/MM/AAAA


def find_wishes(text: str) -> tuple[Piece, ...]:
    """How the user wants the answer put, in the question's words."""
    found = pieces_of(text, _WISHES)
    if _IS_IT.match(text):
        found = tuple(piece for piece in found if not _IN_LANGUAGE.fullmatch(piece.text))
    return found


def read_format(wishes: Iterable[str]) -> FormatConstraint:
    """What the wishes come to, as far as they are understood; the first that speaks of a thing decides it."""
    said = " ; ".join(wishes)
    folded = " ".join(folded_text(said).split())
    dated = _DATE_FORMAT.search(said)
    is_iso = re.search(r"\biso\b", folded) is not None
    layout = _first(folded, _LAYOUTS)
    sentences = _SENTENCES.search(folded)
    return FormatConstraint(
        currency=_first(folded, _CURRENCIES),
        scale=_first(folded, _SCALES),
        period=_first(folded, _PERIODS),
        date_format=dated.group().upper().translate(_OTHER_LETTERS) if dated else "ISO" if is_iso else None,
        decimals=_decimals(folded),
        language=next((_LANGUAGE_OF[word] for word in re.findall(r"[a-z]+", folded) if _names_language(word, folded)), None),
        layout=layout,
        max_sentences=1 if "one-line" in folded else _number(sentences["n"]) if sentences else None,
    )  # fmt: skip


def _names_language(word: str, folded: str) -> bool:
    return word in _LANGUAGE_OF and f"plain {word}" not in folded


def _first(folded: str, patterns: tuple[tuple[str, str], ...]) -> str | None:
    found = [(match.start(), name) for name, pattern in patterns if (match := re.search(pattern, folded))]
    return min(found)[1] if found else None


def _decimals(folded: str) -> int | None:
    match = _DECIMALS.search(folded)
    if match:
        count = _number(match["n"] or match["m"])
        return count if count is not None and count <= MAX_DECIMALS else None
    if _WHOLE.search(folded) or re.search(r"\b(?:without|sin|sans) decimal", folded):
        return 0
    return None


def _number(written: str) -> int | None:
    number = int(written) if written.isdigit() else _NUMBERS.get(written)
    return number or None if number != 0 else 0
