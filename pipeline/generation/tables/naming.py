"""What a question names, apart from the words that ask: rows, columns and periods of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS, STOP_WORDS
from pipeline.generation.tables.asked import core_of
from pipeline.generation.tables.cells import Table
from pipeline.generation.tables.periods import Period, find_periods
from pipeline.generation.tables.words import plain_label, plain_words, words_alike
from schemas.handed_tables import HandedRow
from schemas.question import GenerationBrief

_MAIL = re.compile(
    r"\b(?:adresse |direccion )?(?:de )?(?:e-?mail(?: address(?:es)?)?|correo electronico|courriel"
    r"|courrier electronique)\b"
)
_FORM = r"(?:inc|incorporated|corp|corporation|company|co|plc|ltd|limited|llc|group|holdings?|sa|nv|ag|se)"
_YEAR = re.compile(r"(?:19|20)\d\d")
# Places are parts of who reports, whether the passages name them or not.
_PLACES = frozenset({"usa", "europe", "asia", "china", "japan", "emea", "apac", "latam", "canada", "mexico", "germany"})
MIN_STEM = 4  # letters of a word whose ending may differ: fee, fees; premium, premiums
_MONEY_WORDS = (
    "fee fees price prices cost costs cuesta coste precio precios tarifa tarifas prix tarif tarifs frais cout"
)
_MONEY = frozenset(_MONEY_WORDS.split())
# Words that ask, or name a table or its figures, and are no part of a label.
_ASKING_WORDS = (
    "what which how much many amount value figure number total table row column document contract agreement "
    "report is was were are under according listed shown state stated give per usd eur gbp dollars euros cost "
    "price long cual cuanto cuanta cuantos importe tabla fila columna documento contrato quel quelle combien "
    "montant tableau year end fiscal quarter annual company directly outlined quantity explicitly apply applies "
    "applicable set statement statements income balance sheet cash flow percent percentage rate charged paid for "
    "period term show list display mostrar montrer tarifa tarifas precio prix coste costo cuesta cuestan coute "
    "coutent cout frais honorarios honoraires valor valeur named called"
)
_ASKING = frozenset(_ASKING_WORDS.split())


@dataclass(frozen=True)
class Asking:
    """What a question names, apart from the words that ask."""

    brief: GenerationBrief

    @cached_property
    def core(self) -> str:
        """The sentence that asks, without wishes."""
        text = self.brief.question
        for piece in (*self.brief.format_wishes, *self.brief.exclusions):
            text = text.replace(piece, " ")
        return core_of(_MAIL.sub(" email ", " ".join(folded_text(text).split())))

    @cached_property
    def periods(self) -> list[Period]:
        """The periods that it names."""
        return [period for _, _, period in find_periods(self.core)]

    @cached_property
    def all(self) -> tuple[str, ...]:
        """Its words without periods, in order, each once."""
        text = self.core
        for start, end, _ in reversed(find_periods(self.core)):
            text = f"{text[:start]} {text[end:]}"
        return tuple(dict.fromkeys(word for word in plain_words(text).split() if word not in self._empty))

    @cached_property
    def _empty(self) -> frozenset[str]:
        """Words of the question's language that tell nothing: 'comment' is one in French alone."""
        return STOP_WORDS.get(self.brief.language, ALL_STOP_WORDS)

    @cached_property
    def _every(self) -> tuple[str, ...]:
        return tuple(plain_words(self.core).split())

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Words with a capital or written in capitals: names."""
        return frozenset(
            word for text in re.findall(r"\S*[A-Z]\S*", self.brief.question) for word in plain_words(text).split()
        )

    def names_in(self, table: Table) -> frozenset[str]:
        """Words with a capital that call a row of the table: 'Nespresso' is asked for, whoever reports."""
        rows = [row for row in table.record.rows if not plain_label(row.label).startswith("total")]
        called = [name for row in rows for name in (*names_of(row), *row.groups) if self.covers(name)]
        return frozenset(word for name in called for word in plain_label(name).split() if word in self.capitals)

    def parts_in(self, doc_id: str, texts: Sequence[str]) -> frozenset[str]:
        """Names that the texts have and that are not the one who reports: a product, a segment, a country.

        Who reports is known by the document's name, or by a legal form behind the name: 'Nike, Inc.'.
        """
        own = re.sub(r"[^a-z0-9]", "", folded_text(doc_id.rpartition("-")[0] or doc_id))
        around = plain_words(" ".join(texts))
        held = frozenset(around.split())
        names = [word for word in self.named if word in self.capitals and len(word) > 1 and not word.isdigit()]
        return frozenset(
            word
            for word in names
            if word in _PLACES
            or (
                word in held
                and word not in own
                and not re.search(rf"\b{re.escape(word)} (?:[a-z]+ )?{_FORM}\b", around)
                and word in self._named_inside
            )
        )

    @cached_property
    def _named_inside(self) -> frozenset[str]:
        """Its words with a capital that do not open the sentence."""
        found = re.findall(r"(?<=\S )[^\s?!.]*[A-Z]\S*", self.brief.question)
        return frozenset(word for text in found for word in plain_words(text).split())

    @property
    def is_of_money(self) -> bool:
        """True where it asks for a price or a fee, whatever kind of value the question was taken for."""
        return any(word in _MONEY for word in self.all)

    @property
    def named(self) -> tuple[str, ...]:
        """Its words apart from those that ask, names with a capital too."""
        return tuple(word for word in self.all if word not in _ASKING and word not in _MONEY)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words that must stand in the row, the header, the group or the title: no names, no words that ask."""
        return frozenset(word for word in self.all if word not in _ASKING and word not in self.capitals)

    def covers(self, text: str) -> int:
        """How much of a label the question has: 0 unless all words that matter, one more where it has every word."""
        label = [word for word in plain_label(text).split() if not _YEAR.fullmatch(word)]  # a period is told apart
        words = [word for word in label if word not in ALL_STOP_WORDS or word in self.all]
        told = [word for word in words if word not in _ASKING] or words
        if not told or not all(is_among(word, self.all) for word in told):
            return 0
        return 2 * len(told) + all(is_among(word, self._every) for word in label)

    def found_in(self, texts: Sequence[str]) -> int:
        """How many of its words stand in the texts."""
        around = plain_words(" ".join(texts)).split()
        return sum(is_among(word, around) for word in self.all if word not in _ASKING)

    def missing_in(self, texts: Sequence[str], names: Iterable[str] = ()) -> tuple[str, ...]:
        """Its telling words, and the names that it must have, that do not stand in the texts."""
        around = plain_words(" ".join(texts)).split()
        return tuple(word for word in sorted({*self.telling, *names}) if not is_among(word, around))


def is_among(word: str, words: Iterable[str]) -> bool:
    """True where the word, or it with another ending, is one of the words."""
    stem = word if len(word) < MIN_STEM else word.removesuffix("s").removesuffix("e")
    return any(
        other == word
        or (len(word) >= MIN_STEM and other.startswith(stem) and len(other) - len(stem) <= 2)
        or other in words_alike(word)
        for other in words
    )


def names_of(row: HandedRow) -> tuple[str, ...]:
    """What a row is called: its label, each cell of it ('DM-110', 'Drive motor, 110 W') and what these open with."""
    own = [cell.text for cell in row.cells if cell.text in row.label]
    heads = [text.split(",")[0] for text in own if "," in text and not any(letter.isdigit() for letter in text[:1])]
    return tuple(dict.fromkeys((row.label, *own, *heads)))
