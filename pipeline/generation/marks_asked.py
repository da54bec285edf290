# ruff: noqa: E501  # patterns are read whole, on one line
"""Periods and bounds in a question and in what stands with a value: 'per year', 'annuelle', 'maximum', 'como mínimo'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from dictionaries.folding import folded_text
from pipeline.generation.topic import Topic
from pipeline.values import find_values
from schemas.answer import Value

_PER = r"(?:per|por|par|each|every|a|al|chaque|cada|/) ?(?:calendar |contract |fiscal |policy )?"
_PERIODS = {
    "year": re.compile(
        rf"\b(?:annual(?:ly)?|yearly|p\.a|anual(?:es|mente)?|annuel(?:le)?s?|annuellement)\b|(?:\b|/){_PER}(?:year|annum|ano|an|annee)\b"
    ),
    "quarter": re.compile(
        rf"\b(?:quarterly|trimestral(?:es|mente)?|trimestriel(?:le)?s?)\b|(?:\b|/){_PER}(?:quarter|trimestre)\b"
    ),
    "month": re.compile(
        rf"\b(?:monthly|mensual(?:es|mente)?|mensuel(?:le)?s?|mensuellement)\b|(?:\b|/){_PER}(?:month|mes|mois)\b"
    ),
    "week": re.compile(rf"\b(?:weekly|semanal(?:es|mente)?|hebdomadaires?)\b|(?:\b|/){_PER}(?:week|semana|semaine)\b"),
    "day": re.compile(
        rf"\b(?:daily|per diem|diari[oa]s?|journali(?:er|ere)s?)\b|(?:\b|/){_PER}(?:business )?(?:day|dia|jour)\b"
    ),
    "hour": re.compile(rf"\b(?:hourly|horaires?)\b|(?:\b|/){_PER}(?:hour|hora|heure)\b"),
}
# How it is paid says nothing about what it is per: 'an annual rent, payable quarterly in advance'.
_PAID = re.compile(
    r"\b(?:payable|paid|pay|invoiced|billed|due|pagader\w+|pagar\w*|payables?) (?:in )?(?:equal )?(?:annual(?:ly)?|yearly|quarterly|monthly|weekly|daily|trimestral\w*|mensual\w*|mensuel\w*|trimestriel\w*)"
)
_BOUNDS = {
    "maximum": re.compile(
        r"\b(?:maxim\w*|at most|up to|caps?|capped|limit(?:ed|s)?|not (?:to )?exceed\w*|(?:no|not) more than|ceiling|upper limit|hasta|topes?|plafon\w*|jusqu'a|au plus|no exced\w*|no superar\w*|sin superar|ne (?:depass|exced)\w*)\b"
    ),
    "minimum": re.compile(
        r"\b(?:minim\w*|at least|(?:no|not) (?:less|fewer) than|al menos|au moins|no inferior|floor)\b"
    ),
}
# Verbs and nouns by which a question asks for a length, a sum or a due date, and which no clause needs to repeat.
_ASKING = frozenset(
    [
        *("last", "lasts", "apply", "applies", "applicable", "stay", "survive", "needed", "cost", "costs", "worth"),
        *("payable", "due", "owed", "received", "value", "total", "length", "start", "starts", "begin", "begins"),
        *(
            "make",
            "made",
            "makes",
            "done",
            "happen",
            "pay",
            "paid",
            "pays",
            "give",
            "given",
            "must",
            "need",
            "needs",
            "take",
            "takes",
            "soon",
            "fast",
            "quickly",
        ),
        *("dura", "durar", "duran", "aplica", "cuesta", "vale", "valor", "paga", "pagar", "pagan", "debe", "tiempo"),
        *("dure", "durent", "duree", "temps", "coute", "vaut", "valeur", "applique", "payer", "paie", "doit", "verse"),
    ]
)
# Months in a period; weeks and days are no exact part of a month or a year.
_MONTHS = {"year": 12, "quarter": 3, "month": 1}


@dataclass(frozen=True)
class Asked:
    """The periods, bounds and values in a question."""

    topic: Topic

    @cached_property
    def _question(self) -> str:
        return folded_text(self.topic.brief.question)

    @cached_property
    def periods(self) -> frozenset[str]:
        """Periods that the value is asked for: 'year' for 'the annual fee'."""
        return periods_of(self._question)

    @cached_property
    def bounds(self) -> frozenset[str]:
        """'maximum' or 'minimum' where one of them is asked for."""
        return marks_of(self._question)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Amounts and percentages that the question itself states; they are given, not asked."""
        return self.values_in(self.topic.brief.question)

    def values_in(self, text: str) -> tuple[Value, ...]:
        """Amounts and percentages in a text; empty where the question states none, and nothing is to be compared."""
        if not any(character.isdigit() for character in self._question):
            return ()
        language = self.topic.brief.language
        return tuple(
            one.value for kind in ("amount", "percentage") for one in find_values(text, kind, language=language)
        )

    @cached_property
    def said_by_marks(self) -> frozenset[str]:
        """Words of the question that a period or a bound says, which a document may say in other words."""
        words = [word for word in self.topic.words if periods_of(f"per {word}") or periods_of(word) or marks_of(word)]
        return frozenset(words)


def flat(text: str) -> str:
    """The text folded, every white space of it (line ends, hard spaces) a plain one: as long as what folding gives."""
    return re.sub(r"\s", " ", folded_text(text))


def telling_words(topic: Topic) -> tuple[str, ...]:
    """Words asked for beyond the concept that a passage must say for its value to be the one meant."""
    said = Asked(topic).said_by_marks
    return tuple(word for word in topic.own_words if word not in said and word not in _ASKING)


def periods_of(text: str) -> frozenset[str]:
    """The periods that a text names as what a value is per."""
    folded = _PAID.sub(" ", flat(text))
    return frozenset(name for name, pattern in _PERIODS.items() if pattern.search(folded))


def marks_of(text: str) -> frozenset[str]:
    """The bounds that a text names."""
    folded = flat(text)
    return frozenset(name for name, pattern in _BOUNDS.items() if pattern.search(folded))


def times_of(asked: str, stated: str) -> Decimal | None:
    """By how many a sum per `stated` period is multiplied to be one per `asked` period; None where nothing is exact."""
    if asked not in _MONTHS or stated not in _MONTHS:
        return None
    return Decimal(_MONTHS[asked]) / Decimal(_MONTHS[stated])
