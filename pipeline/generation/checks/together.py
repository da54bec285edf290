"""Rules across the fields of an answer: parties are distinct, a start is before its end, shares of a whole make 100."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from dictionaries.folding import folded_text
from pipeline.generation.checks.ground import check, shorten
from pipeline.values.equality import plain
from schemas.answer import AnswerItem, EvidenceCheck
from schemas.values import ConditionalValue, DateValue, Jurisdiction, Party, Percentage, RecordValue, TableValue, Value

_START = re.compile(r"\b(?:effective|commence\w*|start\w*|begin\w*|inicio|entrada en vigor|debut|prise d'effet)\b")
_END = re.compile(r"\b(?:expir\w*|end|ends|ending|terminat\w*|vencimiento|fin|expiration|echeance)\b")
_TOTAL = re.compile(r"^(?:grand |sub-?)?total\b|^sum\b|^suma\b|^importe total\b|^montant total\b")
_SPLIT = re.compile(r"\b(?:split|allocat\w*|shared?|apportion\w*|reparto|reparti\w*|distribu\w*|repartition)\b")
_NUMBER = re.compile(r"\(?-?[$€£]?\s?\d[\d.,]*\)?")
TOLERANCE = Decimal("0.05")  # percent: shares are often rounded to one decimal


def check_fields(value: Value) -> EvidenceCheck | None:
    """Rules inside one value; None where it has no fields that could disagree."""
    match value:
        case Party(name=name, role=role) if role is not None:
            return check("fields_agree", plain(name) != plain(role), f"{shorten(name)!r} is called {shorten(role)!r}")
        case RecordValue():
            return _check_days([(field.name, field.value) for field in value.fields if field.value is not None])
        case ConditionalValue():
            kinds = {branch.value.kind for branch in value.branches}
            alone = [branch for branch in value.branches if branch.condition is None]
            fits = len(alone) <= 1 and (not alone or value.branches[-1] is alone[0])
            return check("fields_agree", fits, f"{len(value.branches)} branches of {' and '.join(sorted(kinds))}")
        case Jurisdiction(country=str() as country, subdivision=str() as part):
            return check("fields_agree", part.startswith(f"{country}-"), f"{part} is a part of {country}")
    return None


def check_items(items: Sequence[AnswerItem]) -> dict[int, EvidenceCheck]:
    """The check of each item against the others, by its place in `items`; nothing for items that stand alone."""
    outcomes: dict[int, EvidenceCheck] = {}
    parties: dict[str, int] = {}
    for number, item in enumerate(items):
        name = _party_name(item)
        if name is None:
            continue
        other = parties.setdefault(name, number)
        if other != number:
            outcomes[number] = check("fields_agree", False, f"item {other + 1} is the same party under {name!r}")
    labelled = [(item.label or "", item.value) for item in items]
    days = _check_days(labelled)
    if days is not None:
        for number, item in enumerate(items):
            if isinstance(item.value, DateValue):
                outcomes.setdefault(number, days)
    return outcomes


def doubts_of(items: Sequence[AnswerItem]) -> tuple[str, ...]:
    """What a reader must know of values that are as the document has them and still do not add up."""
    told = []
    shares: list[Decimal] = [item.value.value for item in items if isinstance(item.value, Percentage)]
    whole = sum(shares, Decimal(0))
    splits = any(_SPLIT.search(folded_text(span.quote)) for item in items for span in item.spans)
    if len(shares) > 1 and len(shares) == len(items) and splits and abs(whole - 100) > TOLERANCE:
        told.append(f"The shares add up to {whole:f} %, not to 100 %.")
    for item in items:
        if isinstance(item.value, TableValue):
            told += _totals_off(item.value)
    return tuple(told)


def _check_days(named: Sequence[tuple[str, Value]]) -> EvidenceCheck | None:
    starts = [value.iso for name, value in named if isinstance(value, DateValue) and _START.search(folded_text(name))]
    ends = [
        value.iso
        for name, value in named
        if isinstance(value, DateValue) and _END.search(folded_text(name)) and not _START.search(folded_text(name))
    ]
    if not starts or not ends:
        return None
    fits = max(starts) <= min(ends)
    relation = "is not after" if fits else "is after"
    return check(
        "fields_agree", fits, f"the start {max(starts).isoformat()} {relation} the end {min(ends).isoformat()}"
    )


def _party_name(item: AnswerItem) -> str | None:
    return plain(item.value.name) if isinstance(item.value, Party) else None


def _totals_off(table: TableValue) -> list[str]:
    """Columns whose total is neither the sum of all rows above it nor of those since the total before."""
    told = []
    for at, row in enumerate(table.rows):
        if not row or not _TOTAL.search(folded_text(row[0])):
            continue
        for column in range(1, len(row)):
            total = _read(row[column])
            above = [(_TOTAL.search(folded_text(each[0])) is not None, _read(each[column])) for each in table.rows[:at]]
            numbers = [number for is_total, number in above if number is not None and not is_total]
            since = _since_total(above)
            if total is None or len(numbers) < 2 or total in (sum(numbers), sum(since)):
                continue
            told.append(
                f"The row {shorten(row[0])!r} says {row[column]}, the rows above it add up to {sum(numbers):f}."
            )
    return told[:1]


def _since_total(above: Sequence[tuple[bool, Decimal | None]]) -> list[Decimal]:
    since: list[Decimal] = []
    for is_total, number in above:
        since = [] if is_total else since if number is None else [*since, number]
    return since


def _read(cell: str) -> Decimal | None:
    flat = cell.strip()
    if not _NUMBER.fullmatch(flat):
        return None
    digits = re.sub(r"[^\d.]", "", flat.replace(",", ""))
    if digits.count(".") > 1 or not digits.strip("."):
        return None
    number = Decimal(digits)
    return -number if flat.startswith(("(", "-")) else number
