"""The typed values of an answer: what each kind holds, in which units, and how the document wrote it.

Every kind but free text keeps `original`, the document's own wording. A kind that users add is a `CustomValue`: its
fields are those of the model it was registered with (`pipeline.values.registry`).
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from schemas.record import Part

DurationUnit = Literal["hour", "day", "business_day", "week", "month", "quarter", "year"]


class TextValue(Part):
    """Words of the document, or a summary of them."""

    kind: Literal["text"] = "text"
    text: str = Field(description="The words.")


class Amount(Part):
    """An amount of money."""

    kind: Literal["amount"] = "amount"
    value: Decimal = Field(description="The number in units of the currency, exact; a stated scale is multiplied in.")
    currency: str | None = Field(default=None, description="ISO 4217 code; null where the document names none.")
    unit: str | None = Field(
        default=None,
        description="The scale or measure that is stated apart from the number, as written: 'in millions'; else null.",
    )
    basis: str | None = Field(
        default=None, description="What it is for: 'per year', 'per claim' ...; null where not said."
    )
    original: str = Field(description="As the document writes it.")


class DateValue(Part):
    """A calendar date."""

    kind: Literal["date"] = "date"
    iso: date = Field(description="The date, ISO 8601.")
    anchor_event: str | None = Field(
        default=None, description="The event it is counted from, for a computed date: 'Effective Date'; else null."
    )
    original: str = Field(description="As the document writes it.")


class RelativeDate(Part):
    """A day told by an event whose date the document leaves open: '30 days after the Effective Date'."""

    kind: Literal["relative_date"] = "relative_date"
    number: Decimal = Field(ge=0, description="How many units from the event; 0: the day of the event itself.")
    unit: DurationUnit = Field(description="The unit; business days are not days.")
    direction: Literal["before", "on", "after"] = Field(description="Before, on or after the event.")
    anchor_event: str = Field(description="The event, in the document's words.")
    original: str = Field(description="As the document writes it.")


class Duration(Part):
    """A span of time."""

    kind: Literal["duration"] = "duration"
    number: Decimal = Field(description="How many units.")
    unit: DurationUnit = Field(description="The unit; business days are not days.")
    recurring: bool = Field(
        default=False, description="The document says that it repeats: 'successive one-year terms'."
    )
    starts: str | None = Field(
        default=None, description="The event it runs from, in the document's words; null where not said beside it."
    )
    original: str = Field(description="As the document writes it.")


class OpenEnd(Part):
    """No fixed end: perpetual, or until something happens that has no date."""

    kind: Literal["open_end"] = "open_end"
    until: str | None = Field(
        default=None, description="What ends it, in the document's words: 'terminated by either party'; null: nothing."
    )
    original: str = Field(description="As the document writes it.")


class Count(Part):
    """A number of things."""

    kind: Literal["number"] = "number"
    number: Decimal = Field(description="How many.")
    of: str = Field(description="What is counted, in the document's words, small letters without accents.")
    original: str = Field(description="As the document writes it.")


class Percentage(Part):
    """A share in percent."""

    kind: Literal["percentage"] = "percentage"
    value: Decimal = Field(description="The number of percent: 5 for '5 %'.")
    basis: str | None = Field(
        default=None,
        description="What it is a share of or comes on top of, or the period of a rate: 'of Net Sales', 'per month'; "
        "null: not said.",
    )
    original: str = Field(description="As the document writes it.")


class BooleanValue(Part):
    """Yes or no, as a clause says it."""

    kind: Literal["boolean"] = "boolean"
    value: bool = Field(description="True for yes.")
    negation: str | None = Field(
        default=None, description="The words that turn the clause to no; null where there are none."
    )
    exceptions: tuple[str, ...] = Field(default=(), description="Exceptions that the clause makes, verbatim.")
    clause: str | None = Field(
        default=None, description="The sentence or sentences that say so, verbatim, on one line; null: all cited lines."
    )


class Identifier(Part):
    """A code, a number or a name that must be given letter by letter."""

    kind: Literal["identifier"] = "identifier"
    text: str = Field(description="The code, verbatim.")
    scheme: str | None = Field(
        default=None, description="The scheme whose check digits it satisfies: 'lei', 'isin', 'bic' ...; else null."
    )


class Iban(Part):
    """An international bank account number (ISO 13616)."""

    kind: Literal["iban"] = "iban"
    iban: str = Field(description="Without spaces, in capitals; its check digits are right.")
    country: str = Field(description="ISO 3166-1 code of its first two letters.")
    original: str = Field(description="As the document writes it.")


class Party(Part):
    """A person or body that a contract binds or names."""

    kind: Literal["party"] = "party"
    name: str = Field(description="The name with its legal form, as written, on one line.")
    legal_form: str | None = Field(default=None, description="The legal form as written: 'Inc.'; null without one.")
    role: str | None = Field(default=None, description="The name that the document gives it: 'Supplier'; else null.")
    original: str = Field(description="As the document writes it.")


class Address(Part):
    """A postal address; what the document does not tell is null."""

    kind: Literal["address"] = "address"
    street: str | None = Field(default=None, description="Street and number, floor or suite, as written.")
    postal_code: str | None = Field(default=None, description="Postal code, as written.")
    city: str | None = Field(default=None, description="Town, as written.")
    region: str | None = Field(default=None, description="State, province or county, as written.")
    country: str | None = Field(default=None, description="Country, as written.")
    original: str = Field(description="As the document writes it.")


class Jurisdiction(Part):
    """A country or a part of it whose law or courts are named."""

    kind: Literal["jurisdiction"] = "jurisdiction"
    name: str = Field(description="English short name: 'New York', 'England and Wales', 'Spain'.")
    country: str | None = Field(default=None, description="ISO 3166-1 alpha-2 code; null for one that is no country's.")
    subdivision: str | None = Field(default=None, description="ISO 3166-2 code: 'US-NY'; null for a whole country.")
    original: str = Field(description="As the document writes it.")


class TableValue(Part):
    """A table or the part of it that answers, cell by cell as written."""

    kind: Literal["table"] = "table"
    title: str | None = Field(default=None, description="Caption; null without one.")
    headers: tuple[str, ...] = Field(description="Column titles, left to right; an empty string where one is missing.")
    rows: tuple[tuple[str, ...], ...] = Field(description="Cells, row by row, as many as there are headers.")


class TreeNode(Part):
    """A node of a tree: a clause with its sub-clauses, a group with its members."""

    label: str = Field(description="Its words, verbatim.")
    line_start: int = Field(ge=1, description="line_id of its first line.")
    line_end: int = Field(ge=1, description="line_id of its last line.")
    children: tuple[TreeNode, ...] = Field(default=(), description="What hangs under it, in order.")


class TreeValue(Part):
    """A hierarchy, as the document's numbering or indentation shows it."""

    kind: Literal["tree"] = "tree"
    nodes: tuple[TreeNode, ...] = Field(description="Top nodes in order, at least one.", min_length=1)


class RecordField(Part):
    """One field of a nested record with the lines that prove it."""

    name: str = Field(description="Name of the field, as asked or as the document labels it.")
    value: Value | None = Field(description="Its value; null where the document has none.")
    line_start: int | None = Field(default=None, ge=1, description="line_id of the first proving line; null: no value.")
    line_end: int | None = Field(default=None, ge=1, description="line_id of the last proving line; null: no value.")
    caveat: str | None = Field(default=None, description="What a reader must know; else null.")


class RecordValue(Part):
    """Several named values that belong together: the key terms of a contract, one entry of a schedule."""

    kind: Literal["record"] = "record"
    fields: tuple[RecordField, ...] = Field(description="Its fields in order, at least one.", min_length=1)


class Branch(Part):
    """What applies in one case."""

    condition: str | None = Field(description="The condition, verbatim; null for what applies otherwise.")
    value: Value = Field(description="What applies then.")


class ConditionalValue(Part):
    """A value that depends: 'X if A, otherwise Y'."""

    kind: Literal["conditional"] = "conditional"
    branches: tuple[Branch, ...] = Field(
        description="At least two, in the document's order, what applies otherwise last.", min_length=2
    )
    original: str = Field(description="The sentence or sentences, as the document writes them.")


class CustomValue(Part):
    """A value of a kind that a user has registered."""

    kind: Literal["custom"] = "custom"
    type_name: str = Field(description="Name it was registered under.")
    fields: dict[str, JsonValue] = Field(description="The fields of its model, as JSON.")
    original: str = Field(description="As the document writes it.")


Value = Annotated[
    TextValue
    | Amount
    | DateValue
    | RelativeDate
    | Duration
    | OpenEnd
    | Count
    | Percentage
    | BooleanValue
    | Identifier
    | Iban
    | Party
    | Address
    | Jurisdiction
    | TableValue
    | TreeValue
    | RecordValue
    | ConditionalValue
    | CustomValue,
    Field(discriminator="kind"),
]

for _model in (RecordField, RecordValue, Branch, ConditionalValue):  # they hold values themselves
    _model.model_rebuild()


def wording_of(value: Value) -> str:
    """The document's own words of a value, pieces joined by '; '; of a yes or no the words that make it one."""
    match value:
        case TextValue() | Identifier():
            return value.text
        case BooleanValue():
            return "; ".join(piece for piece in (value.negation or "", *value.exceptions) if piece)
        case TableValue():
            cells = [value.headers, *value.rows] if any(value.headers) else list(value.rows)
            return "; ".join(" | ".join(row) for row in cells)
        case TreeValue():
            return "; ".join(_labels(value.nodes))
        case RecordValue():
            told = [(field.name, field.value) for field in value.fields if field.value is not None]
            return "; ".join(f"{name}: {wording_of(held)}" for name, held in told)
        case _:
            return value.original


def _labels(nodes: tuple[TreeNode, ...]) -> list[str]:
    """The labels of a tree, top down."""
    return [label for node in nodes for label in (node.label, *_labels(node.children))]
