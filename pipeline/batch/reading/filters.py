"""Conditions on metadata, as people write them in a cell: `party = Acme; date >= 2020-01-01; region in US|EU`."""

from __future__ import annotations

import re

from schemas.batch import MetadataFilter, Operator

_CONDITION = re.compile(
    r"\s*(?P<column>[^=!<>]+?)\s*(?P<operator>>=|<=|!=|=|<|>|\bin\b|\bcontains\b)\s*(?P<value>.*)", re.DOTALL
)
_OPERATORS: dict[str, Operator] = {
    "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "in", "contains": "contains",
}  # fmt: skip


def read_filter(condition: str) -> MetadataFilter | str:
    """The condition, or in one sentence why it is none."""
    match = _CONDITION.fullmatch(condition)
    if match is None:
        return f"{condition[:60]!r} is no condition; write 'column = value' with =, !=, <, <=, >, >=, in or contains"
    values = tuple(one.strip().strip("\"'") for one in match["value"].split("|"))
    if not all(values):
        return f"{condition[:60]!r}: no value stands behind {match['operator']!r}"
    operator = _OPERATORS[match["operator"]]
    if len(values) > 1 and operator not in ("in", "=", "!="):
        return f"{condition[:60]!r}: {operator!r} takes one value"
    if len(values) > 1 and operator == "=":
        operator = "in"
    return MetadataFilter(column=" ".join(match["column"].lower().split()), operator=operator, values=values)
