# ruff: noqa: E501  # patterns are read whole, on one line
"""Working out: each name of a formula is looked up in the tables, and what it comes to is told with its inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, DivisionByZero, InvalidOperation

from pipeline.generation.tables.cells import Figure, Table
from pipeline.generation.tables.formulas import Average, Formula, Joined, Name, Number, apply, read_formula
from pipeline.generation.tables.metrics import Item, definitions
from pipeline.generation.tables.periods import Period, find_periods
from pipeline.generation.tables.words import fits_label, name_pattern, plain_label, plain_words
from schemas.handed_tables import HandedRow

MAX_DEPTH = 8  # definitions inside definitions; a cash conversion cycle has three
_CHANGE = re.compile(r"^(?:the )?(?:year over year |yoy )?change in ")
_AVERAGE = re.compile(r"^(?:the )?average (?:of )?")
_FROM = re.compile(
    r"\s(?:from|in|on|per|shown in|using)(?: the)? (?:consolidated )?(?:cash ?flow|income|balance|statement|p and l|profit).*$"
)
_LEAD = re.compile(r"^(?:the|unadjusted|reported|year end|end of year|annual|fiscal year|company)\s+")


class MissingLineError(Exception):
    """A line that the handed tables do not hold for the period; the message says which."""


class SeveralLinesError(MissingLineError):
    """A line for which the handed tables state several figures, none of which can be preferred."""


@dataclass(frozen=True, slots=True)
class Input:
    """A figure that went into a result, by the name that the formula calls it."""

    name: str
    figure: Figure
    value: Decimal  # as it counts: an outflow without its sign


@dataclass(frozen=True, slots=True)
class Worked:
    """A result with its formula in words. `money` is its dimension: 1 an amount, 0 a ratio."""

    value: Decimal
    words: str
    money: int
    inputs: tuple[Input, ...]
    rank: int = 3  # of its outermost sign: 1 sum, 2 product, 3 a name, number or bracket

    def bracketed(self, rank: int) -> str:
        """Its words, in brackets where its sign binds less than `rank`."""
        return self.words if self.rank >= rank else f"({self.words})"


@dataclass(frozen=True, slots=True)
class Lines:
    """The tables that are read, with the names that the question itself defines."""

    tables: Sequence[Table]
    defined: Mapping[str, Formula] = field(default_factory=dict)
    in_formula: bool = True

    def work_out(self, formula: Formula, period: Period, depth: int = 0) -> Worked:
        """What the formula comes to for the period.

        Raises MissingLineError for a line that no table holds, ZeroDivisionError for a division by nothing.
        """
        if depth > MAX_DEPTH:
            raise MissingLineError("the definitions refer to one another in a circle")
        match formula:
            case Number():
                return Worked(formula.value, format(formula.value, "f"), 0, ())
            case Average():
                return self._mean([self.work_out(formula.of, one, depth + 1) for one in (period.before(), period)])
            case Joined():
                left, right = (self.work_out(side, period, depth + 1) for side in (formula.left, formula.right))
                return join(left, formula.sign, right)
            case Name():
                return self._named(formula.words, period, depth)

    def _named(self, written: str, period: Period, depth: int) -> Worked:
        signed = definitions()
        if written in signed.items:
            return self.line(signed.items[written], period)
        if written in signed.metrics:
            return self._metric(written, period, depth)
        periods = [one for _, _, one in find_periods(written)]
        words = written
        for start, end, _ in reversed(find_periods(written)):
            words = f"{words[:start]} {words[end:]}"
        words = re.sub(r"\b(?:between|from|and|to|for|in|of|at the end of|at)\s*$", "", plain_words(words)).strip()
        words = re.sub(r"(?:\s(?:between|from|and|to|for|in|of))+$", "", words)
        asked = Name(words)
        if _CHANGE.match(words):
            first, last = (
                (periods[0], periods[-1])
                if len(periods) > 1
                else ((periods or [period])[0].before(), (periods or [period])[0])
            )
            asked = Name(_CHANGE.sub("", words))
            return join(self._plain(asked.words, last, depth), "-", self._plain(asked.words, first, depth))
        if _AVERAGE.match(words):
            told = periods if len(periods) > 1 else [(periods or [period])[0].before(), (periods or [period])[0]]
            return self._mean([self._plain(_AVERAGE.sub("", words), one, depth) for one in told])
        return self._plain(words, periods[0] if periods else period, depth)

    def _plain(self, words: str, period: Period, depth: int) -> Worked:
        """A phrase without its periods: a name that the question defines, a signed one, or the very label of a row."""
        bare = _FROM.sub("", words).strip()
        while _LEAD.match(bare):
            bare = _LEAD.sub("", bare)
        for name, formula in self.defined.items():
            if name and name_pattern(name).fullmatch(bare):
                return self.work_out(formula, period, depth + 1)
        key = definitions().exactly(bare) or definitions().exactly(re.sub(r"^(?:total|net) ", "", bare))
        if key is not None:
            return self._named(key, period, depth + 1)
        item = Item(bare, bare, "", (), (bare, f"total {bare}", f"{bare} net"), (), False, "money", None)
        return self.line(item, period)

    def _metric(self, key: str, period: Period, depth: int) -> Worked:
        metric = definitions().metrics[key]
        for name, formula in self.defined.items():
            if any(name_pattern(one).fullmatch(name) for one in metric.asked if name):
                return self.work_out(formula, period, depth + 1)
        missing: MissingLineError | None = None
        for written in metric.formulas:
            try:
                return self.work_out(read_formula(written), period, depth + 1)
            except MissingLineError as fault:
                missing = missing or fault
        raise missing or MissingLineError(metric.name)

    def _mean(self, parts: Sequence[Worked]) -> Worked:
        total = parts[0]
        for part in parts[1:]:
            total = join(total, "+", part)
        return join(total, "/", Worked(Decimal(len(parts)), str(len(parts)), 0, ()))

    def mean_of(self, formula: Formula, periods: Sequence[Period]) -> Worked:
        """The mean of what the formula comes to in each of the periods."""
        return self._mean([self.work_out(formula, period) for period in periods])

    def line(self, item: Item, period: Period) -> Worked:
        """The figure of a line for a period.

        Raises MissingLineError where no table holds it.
        """
        if self.in_formula and item.in_formula:
            item = definitions().items[item.in_formula]
        figure = find_line(self.tables, item, period)
        name = f"{item.name} {period.name}"
        value = _counted(figure, item)
        return Worked(value, name, 1 if figure.kind == "money" else 0, (Input(name, figure, value),))


def join(left: Worked, sign: str, right: Worked) -> Worked:
    """Two results with a sign between them; amounts are never added to ratios.

    Raises MissingLineError for kinds that do not go together, ZeroDivisionError.
    """
    inputs = tuple(dict.fromkeys((*left.inputs, *right.inputs)))
    rank = 1 if sign in "+-" else 2
    words = f"{left.bracketed(rank)} {sign} {right.bracketed(rank + (sign in '-/'))}"
    if sign in "+-":
        if left.money != right.money:
            raise MissingLineError("an amount and a ratio cannot be added")
        money = left.money
    else:
        money = left.money + right.money if sign == "*" else left.money - right.money
    currencies = {one.figure.currency for one in inputs if one.figure.kind == "money"}
    if len(currencies - {None}) > 1:
        raise MissingLineError("the lines are in different currencies")
    try:
        value = apply(sign, left.value, right.value)  # type: ignore[arg-type]
    except (DivisionByZero, InvalidOperation) as fault:
        raise ZeroDivisionError("a division by nothing") from fault
    return Worked(value, words, money, inputs, rank)


def find_line(tables: Sequence[Table], item: Item, period: Period) -> Figure:
    """The figure of a line for a period: of the statement that carries it, the first of the document, the best label.

    Raises MissingLineError where no table holds the line, or not for the period, or several say different things.
    """
    own = [table for table in tables if item.statement and table.record.statement == item.statement]
    others = [table for table in tables if not item.statement or table.record.statement is None]
    seen_label = False
    for group in (own, others):
        for pattern in item.labels:
            figures: list[Figure] = []
            for table in group:
                for row in table.record.rows:
                    if not _is_line(table, row, pattern, item):
                        continue
                    seen_label = True
                    figures += [
                        one
                        for one in table.figures(row)
                        if table.headings[one.cell.column].is_of(period) and _is_kind(one, item)
                    ]
            if figures:
                return _agreed(figures, item, period, is_own=group is own)
    what = f"{item.name} for {period.name}"
    raise MissingLineError(f"no handed table states {what}" + (", though one has the line" if seen_label else ""))


def _is_line(table: Table, row: HandedRow, pattern: str, item: Item) -> bool:
    """True for a row whose label is the line's; 'Basic' under 'Earnings per share' is both together."""
    label = table.label(row)
    own = f" {plain_words(row.label)} "
    if any(f" {words} " in own for words in item.without):
        return False
    labels = [label]
    if item.kind == "per_share" and row.groups:
        group = plain_label(row.groups[-1])
        labels = [f"{label} {group}", f"{group} {label}"]
    return any(fits_label(pattern, one) for one in labels)


def _is_kind(figure: Figure, item: Item) -> bool:
    return figure.kind == (item.kind if item.kind != "shares" else "count")


def _agreed(figures: Sequence[Figure], item: Item, period: Period, *, is_own: bool) -> Figure:
    """The figure that all say; of a statement printed again (parent company alone, restated) the first one's."""
    first = figures[0]
    same = [one for one in figures if one.table is first.table] if is_own else figures
    if any(abs(one.value) != abs(first.value) for one in same):
        raise SeveralLinesError(f"tables state different figures of {item.name} for {period.name}")
    return first


def _counted(figure: Figure, item: Item) -> Decimal:
    """The figure as it counts: cash that goes out and a cost printed as a deduction are amounts without a sign.

    Raises MissingLineError for 'Benefit (provision)', whose sign is the other way round.
    """
    label = plain_words(figure.row.label)
    if item.outflow and label.startswith("benefit"):
        raise MissingLineError(f"the row of {item.name} is printed as a benefit, so that its sign cannot be told")
    if item.outflow and figure.value < 0 and "benefit" not in label:
        return -figure.value
    return figure.value


def in_percent(worked: Worked) -> Worked:
    """A ratio in percent."""
    hundred = Worked(Decimal(100), "100", 0, ())
    return join(hundred, "*", worked)


def growth(first: Worked, last: Worked) -> Worked:
    """The change from the first to the last, in percent of the first.

    Raises MissingLineError where the first is not positive: a share of a loss says nothing.
    """
    if first.value <= 0:
        raise MissingLineError("the earlier figure is not positive: a growth rate from it says nothing")
    return in_percent(join(replace(join(last, "-", first), rank=1), "/", first))
