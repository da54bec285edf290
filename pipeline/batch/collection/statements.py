"""A wish over one question of a grid as SQL: fixed words, and every value of the user bound as a parameter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from pipeline.batch.collection.thresholds import DAYS
from pipeline.batch.collection.wishes import Threshold, Wish

COLUMNS = (
    "verdict", "basis", "document", "text", "kind", "number", "unit", "date", "page", "section", "quote", "status",
    "conflicts", "others", "run", "place", "measure", "measured_in",
)  # fmt: skip
FIGURES = ("kind", "measured_in", "count", "total", "mean")
# What cannot be told is never a 'no': nothing was found, and not all could be read; or nobody asked.
_UNTOLD = """status IN ('failed', 'not_asked', 'refused', 'needs_clarification')
        OR (status = 'not_found' AND coalesce(absence, 'inconclusive') = 'inconclusive')"""
_DAYS = " ".join(f"WHEN '{unit}' THEN {days}" for unit, days in DAYS.items())
_MEASURE = f"CASE WHEN kind = 'duration' THEN round(number * coalesce(CASE unit {_DAYS} END, 1), 6) ELSE number END"
_MEASURED_IN = "CASE WHEN kind = 'duration' AND unit <> 'business_day' THEN 'day' ELSE unit END"
_NUMBERS = "number IS NOT NULL AND kind IN ('amount', 'number', 'duration', 'percentage')"


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL over the views with its parameters by name (`$name`)."""

    sql: str
    parameters: Mapping[str, Any]

    def as_text(self) -> str:
        """The SQL with its parameters written in, so that `lineproof query` can run it as it is."""
        return re.sub(r"\$(\w+)", lambda one: _literal(self.parameters[one[1]]), self.sql)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of a value: SQL that is true, false, or null where it cannot be told; `wants_value`: has one."""

    holds: str
    parameters: Mapping[str, Any]
    wants_value: bool = True
    compares: bool = False  # with a figure, or in an order


def condition_of(wish: Wish, texts: Sequence[str] | None, answer_type: str) -> Condition:
    """What a wish asks of each value; `texts`: values in the grid that are the one it names, None: none is named."""
    if wish.threshold is not None:
        return _negatable(wish, _compare(wish.threshold))
    if texts is not None:
        there = (
            'EXISTS (SELECT 1 FROM "values" AS one WHERE one.batch = cells.batch AND one.document = cells.document '
            "AND one.question_id = cells.question_id AND list_contains($texts, one.text))"
        )
        return _negatable(wish, Condition(there, {"texts": list(texts)}))
    if wish.aggregate in ("earliest", "latest"):
        return Condition("CASE WHEN date IS NOT NULL THEN true END", {}, compares=True)
    if wish.aggregate in ("highest", "lowest", "sum", "average"):
        return Condition(f"CASE WHEN {_NUMBERS} THEN true END", {}, compares=True)
    holds = '"boolean"' if answer_type == "boolean" else 'coalesce("boolean", true)'
    return Condition(f"NOT {holds}" if wish.negated else holds, {}, wants_value=not wish.negated)


def rows_statement(batch: str, question_id: str, wish: Wish, condition: Condition) -> Statement:
    """One row a document: its verdict, its value, and its place where the wish is about an order."""
    order = {"earliest": "date", "latest": "date DESC", "highest": "measure DESC", "lowest": "measure"}
    by = order.get(wish.aggregate)
    place = f"rank() OVER (PARTITION BY verdict, kind, measured_in ORDER BY {by} NULLS LAST)" if by else "NULL"
    if wish.aggregate in ("earliest", "latest"):
        place = f"rank() OVER (PARTITION BY verdict ORDER BY {by} NULLS LAST)"
    sql = f"""{_judged(condition)}
SELECT {", ".join(_column(name, place) for name in COLUMNS)}
FROM judged
ORDER BY verdict, {"place, " if by else ""}document"""  # noqa: S608 - fixed words; what the user says is bound
    return Statement(sql, {"batch": batch, "question": question_id, **condition.parameters})


def figures_statement(batch: str, question_id: str, condition: Condition) -> Statement:
    """Total and mean of the values that count, one row a kind and unit: currencies are never added to one another."""
    sql = f"""{_judged(condition)}
SELECT kind, measured_in, count(*) AS "count", sum(CAST(measure AS DECIMAL(30, 6))) AS total, avg(measure) AS mean
FROM judged WHERE verdict = 'yes'
GROUP BY kind, measured_in ORDER BY kind, measured_in"""  # noqa: S608 - fixed words; what the user says is bound
    return Statement(sql, {"batch": batch, "question": question_id, **condition.parameters})


def _column(name: str, place: str) -> str:
    return f"{place} AS place" if name == "place" else name


def _judged(condition: Condition) -> str:
    absent = "no_value" if condition.wants_value else "yes"
    return f"""WITH judged AS (
  SELECT *, {_MEASURE} AS measure, {_MEASURED_IN} AS measured_in,
    CASE WHEN status = 'not_found' THEN absence WHEN "boolean" = false THEN 'says_no' ELSE 'value' END AS basis,
    "values" - 1 AS others,
    CASE WHEN status = 'out_of_scope' THEN 'out_of_scope'
      WHEN {_UNTOLD} THEN 'cannot_be_told'
      WHEN status = 'not_found' THEN '{absent}'
      ELSE CASE {condition.holds} WHEN true THEN 'yes' WHEN false THEN 'no' ELSE 'cannot_be_told' END
    END AS verdict
  FROM cells WHERE batch = $batch AND question_id = $question
)"""  # noqa: S608 - fixed words; what the user says is bound


def _negatable(wish: Wish, condition: Condition) -> Condition:
    return replace(condition, holds=f"NOT ({condition.holds})") if wish.negated else condition


def _compare(threshold: Threshold) -> Condition:
    """Null where the value is of another kind or unit: a date is not compared with a term, nor euros with dollars."""
    value, parameters = _operands(threshold)
    match threshold.operator:
        case "<" | ">=":
            test, names = f"{value} {threshold.operator} $low", ("low",)
        case ">" | "<=":
            test, names = f"{value} {threshold.operator} $high", ("high",)
        case _:
            test, names = f"{value} BETWEEN $low AND $high", ("low", "high")  # type: ignore[assignment]
    kept = {name: parameters[name] for name in (*names, *(["unit"] if "unit" in parameters else []))}
    guards = {
        "date": "date IS NOT NULL",
        "amount": "kind = 'amount' AND unit = $unit",
        "percentage": "kind = 'percentage'",
        "number": "kind = 'number'",
        "duration": "kind = 'duration' AND unit = 'business_day'"
        if threshold.unit == "business_day"
        else "kind = 'duration' AND unit <> 'business_day'",
    }
    return Condition(f"CASE WHEN {guards[threshold.kind]} THEN {test} END", kept, compares=True)


def _operands(threshold: Threshold) -> tuple[str, dict[str, Any]]:
    low, high = threshold.low, threshold.high
    if isinstance(low, date):
        return "date", {"low": low, "high": high}
    factor = Decimal(DAYS.get(threshold.unit or "", "1")) if threshold.kind == "duration" else Decimal(1)
    told: dict[str, Any] = {
        "low": round(float(low * factor), 6), "high": round(float(Decimal(str(high)) * factor), 6),
    }  # fmt: skip
    if threshold.kind == "amount":
        told["unit"] = threshold.unit
    return ("measure" if threshold.kind == "duration" else "number"), told


def _literal(value: Any) -> str:
    """A value as SQL writes it."""
    match value:
        case bool() | int() | float() | Decimal():
            return repr(value) if isinstance(value, float) else str(value)
        case date():
            return f"DATE '{value.isoformat()}'"
        case list() | tuple():
            return "[" + ", ".join(map(_literal, value)) + "]"
        case None:
            return "NULL"
        case _:
            return "'" + str(value).replace("'", "''") + "'"
