# ruff: noqa: E501  # lists of words are read whole
"""Any table by row and column: the row whose label the question names, the column by its period or its header's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.generation.checks.ground import with_article
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.tables.asked import core_of
from pipeline.generation.tables.cells import Figure, Table, read_figure
from pipeline.generation.tables.periods import Period, find_periods
from pipeline.generation.tables.proposals import propose_figure, spans_of_cell, tell_notes
from pipeline.generation.tables.words import plain_label, plain_words, words_alike
from pipeline.values import VALUE_TYPES, find_values
from schemas.answer import Identifier, TextValue
from schemas.handed_tables import HandedCell, HandedColumn, HandedRow
from schemas.question import GenerationBrief

MAX_TOLD = 4  # cells named in a caveat
MIN_STEM = 4  # letters of a word whose ending may differ: fee, fees; premium, premiums
_KINDS = {"amount": ("money", "per_share"), "percentage": ("percent",), "number": ("count",)}
# Kinds for which the words of a cell answer in place of a value: 'When is it due?' 'on release of first samples'.
_WORDED = ("text", "date", "duration", "amount", "percentage", "number")
_MAIL = re.compile(
    r"\b(?:adresse |direccion )?(?:de )?(?:e-?mail(?: address(?:es)?)?|correo electronico|courriel|courrier electronique)\b"
)
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
        return tuple(dict.fromkeys(word for word in plain_words(text).split() if word not in ALL_STOP_WORDS))

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
        capitals = {
            word for text in re.findall(r"\S*[A-Z]\S*", self.brief.question) for word in plain_words(text).split()
        }
        return frozenset(word for word in self.all if word not in _ASKING and word not in capitals)

    def covers(self, text: str) -> int:
        """How many words of a label the question has; 0 unless it has all that matter."""
        words = [word for word in plain_label(text).split() if word not in ALL_STOP_WORDS]
        told = [word for word in words if word not in _ASKING] or words
        return len(told) if told and all(is_among(word, self.all) for word in told) else 0

    def found_in(self, texts: Sequence[str]) -> int:
        """How many of its words stand in the texts."""
        around = plain_words(" ".join(texts)).split()
        return sum(is_among(word, around) for word in self.all if word not in _ASKING)

    def missing_in(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Its telling words that do not stand in the texts."""
        around = plain_words(" ".join(texts)).split()
        return tuple(word for word in sorted(self.telling) if not is_among(word, around))


def look_up(tables: Sequence[Table], brief: GenerationBrief) -> Draft | None:
    """The one cell that the question names by its row and its column; no value where several of a table fit as well.

    None where it names none, or cells of several tables.
    """
    words = Asking(brief)
    if len(words.periods) > 1 or not words.all:
        return None
    found: list[tuple[tuple[int, ...], Proposal, tuple[str, ...], int]] = []
    for table in tables:
        for row in table.record.rows:
            label = max(words.covers(name) for name in names_of(row))
            if not label:
                continue
            for column, matched in _columns(table, row, words):
                rank = _rank(table, row, column, words, label, matched)
                proposal = _proposal(table, row, column, brief, is_named=matched > 0) if rank is not None else None
                if rank is not None and proposal is not None:
                    found.append((rank, proposal, _notes(table, row, column), table.record.table_id))
    if not found:
        return None
    best = max(rank for rank, *_ in found)
    chosen = [(proposal, notes) for rank, proposal, notes, _ in found if rank == best]
    proposal, notes = chosen[0]
    if any(one.value != proposal.value for one, _ in chosen):
        holders = {table_id for rank, _, _, table_id in found if rank == best}
        return _tell_several([one for one, _ in chosen]) if len(holders) == 1 else None
    return Draft((proposal,), (*_tell_kind(proposal, brief), *notes))


def names_of(row: HandedRow) -> tuple[str, ...]:
    """What a row is called: its label, each cell of it ('DM-110', 'Drive motor, 110 W') and what these open with."""
    own = [cell.text for cell in row.cells if cell.text in row.label]
    heads = [text.split(",")[0] for text in own if "," in text and not any(letter.isdigit() for letter in text[:1])]
    return tuple(dict.fromkeys((row.label, *own, *heads)))


def is_among(word: str, words: Iterable[str]) -> bool:
    """True where the word, or it with another ending, is one of the words."""
    stem = word if len(word) < MIN_STEM else word.removesuffix("s").removesuffix("e")
    return any(
        other == word
        or (len(word) >= MIN_STEM and other.startswith(stem) and len(other) - len(stem) <= 2)
        or other in words_alike(word)
        for other in words
    )


def _tell_several(proposals: Sequence[Proposal]) -> Draft:
    """No value where several cells of one table fit the question as well; they are named."""
    told = [f"{one.label}: {one.value_text}" for one in proposals[:MAX_TOLD]]
    more = f" and {len(proposals) - MAX_TOLD} more" if len(proposals) > MAX_TOLD else ""
    return Draft((), (f"Several cells of the table fit, and none is chosen ({'; '.join(told)}{more}).",))


def _tell_kind(proposal: Proposal, brief: GenerationBrief) -> tuple[str, ...]:
    """A caveat where the cell is of another kind than the question asks for."""
    kind = proposal.value.kind if proposal.value is not None else brief.answer_type
    if brief.answer_type in ("text", kind):
        return ()
    if kind == "text":
        return (f"The table states no {brief.answer_type} there; the words of the cell are given.",)
    return (f"The column states {with_article(kind)}, no {brief.answer_type}.",)


def _notes(table: Table, row: HandedRow, column: HandedColumn) -> tuple[str, ...]:
    return tell_notes([one for one in table.figures(row) if one.cell.column == column.number])


def _columns(table: Table, row: HandedRow, words: Asking) -> list[tuple[HandedColumn, int]]:
    """Columns that the question means, with how many of their words it has; all of them where it names none."""
    cells = {cell.column for cell in row.cells[1:]}
    columns = [column for column in table.record.columns if column.number in cells]
    if words.periods:
        return [(column, 1) for column in columns if table.headings[column.number].is_of(words.periods[0])]
    named = [(column, words.covers(" ".join(_own_header(column)))) for column in columns]
    matched = [(column, count) for column, count in named if count]
    if matched:
        return matched
    touched = [(words.found_in(_own_header(column)), column) for column in columns]
    best = max((count for count, _ in touched), default=0)
    nearest = [column for count, column in touched if count == best]
    return [(nearest[0], 1)] if best and len(nearest) == 1 else [(column, 0) for column in columns]


def _own_header(column: HandedColumn) -> Sequence[str]:
    return column.header[-1:]


def _rank(
    table: Table, row: HandedRow, column: HandedColumn, words: Asking, label: int, matched: int
) -> tuple[int, ...] | None:
    """How well a cell is named; None where a telling word of the question stands nowhere around it."""
    first = table.record.columns[0].header
    if words.missing_in((row.label, *row.groups, *column.header, table.record.title or "", *first)):
        return None
    groups = sum(words.covers(group) for group in row.groups)
    return label, groups, matched, words.covers(table.record.title or "")


def _proposal(
    table: Table, row: HandedRow, column: HandedColumn, brief: GenerationBrief, *, is_named: bool
) -> Proposal | None:
    """The cell as a value of the kind asked for, in a column that the question names also its words; None else."""
    cell = next((one for one in row.cells if one.column == column.number), None)
    if cell is None:
        return None
    figure = next((one for one in table.figures(row) if one.cell is cell), None)
    kinds = _KINDS.get(brief.answer_type, ())
    if kinds and Asking(brief).is_of_money:
        kinds = (*kinds, "money")
    if figure is not None and _is_sure(figure):
        is_told = is_named and (figure.kind == "percent" or table.counts_in(cell.column))
        if figure.kind in kinds or (is_named and brief.answer_type == "text") or (is_told and kinds):
            return propose_figure(figure, row.label)
    if brief.answer_type in VALUE_TYPES:
        typed = _typed_cell(table, row, cell, brief)
        if typed is not None:
            return typed
    if is_named and brief.answer_type == "identifier":
        value = Identifier(text=cell.text)
        return Proposal(value, spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label)
    has_words = read_figure(cell.text, table.language) is None
    if is_named and has_words and brief.answer_type in _WORDED:
        return Proposal(
            TextValue(text=cell.text), spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label
        )
    return None


def _is_sure(figure: Figure) -> bool:
    """True for a figure whose currency is known, where it is money, and that is no stroke."""
    return not figure.is_nil and (figure.kind != "money" or figure.currency is not None)


def _typed_cell(table: Table, row: HandedRow, cell: HandedCell, brief: GenerationBrief) -> Proposal | None:
    """A cell that is a value by itself: '30 days', 'EUR 2,400', 'March 1, 2024'."""
    read = find_values(cell.text, brief.answer_type, language=brief.language)
    if len(read) != 1:
        return None
    return Proposal(read[0].value, spans_of_cell(table, row, cell), cell.text, "rules", "verbatim", row.label)
