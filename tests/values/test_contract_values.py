# ruff: noqa: E501  # texts of contracts are read whole, on one line
"""Parties, addresses, accounts, codes of schemes and relative dates; equality of every kind; hostile texts."""

from __future__ import annotations

from decimal import Decimal
from typing import get_args

import pytest

from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.relative_dates import find_relative_dates
from schemas.values import (
    Address,
    Branch,
    ConditionalValue,
    Iban,
    Identifier,
    Party,
    Percentage,
    RecordField,
    RecordValue,
    RelativeDate,
    TableValue,
    TextValue,
    TreeNode,
    TreeValue,
    Value,
)


def parties(text: str) -> list[tuple[str, str | None, str | None]]:
    """Name, legal form and role."""
    values = [found.value for found in find_values(text, "party")]
    return [(value.name, value.legal_form, value.role) for value in values if isinstance(value, Party)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'between Acme Widgets, Inc., a Delaware corporation ("Supplier"), and Foo & Bar LLC (hereinafter the "Buyer").',
            [("Acme Widgets, Inc.", "Inc.", "Supplier"), ("Foo & Bar LLC", "LLC", "Buyer")],
        ),
        (
            "entre Gas Natural, S.A. (en adelante, “el Proveedor”), y Pérez Hermanos, S.L. (en lo sucesivo, el «Cliente»)",
            [("Gas Natural, S.A.", "S.A.", "Proveedor"), ("Pérez Hermanos, S.L.", "S.L.", "Cliente")],
        ),
        (
            "La société Dupont et Fils SARL, au capital de 10 000 euros (ci-après dénommée « le Prestataire »)",
            [("Dupont et Fils SARL", "SARL", "Prestataire")],
        ),
        ("the Company shall indemnify any corporation or Limited Partner", []),
    ],
)
def test_a_party_has_its_form_and_its_role(text: str, told: list[tuple[str, str | None, str | None]]) -> None:
    """The name with its legal form, and the name that the document gives it; 'the Company' is no name."""
    assert parties(text) == told


@pytest.mark.parametrize(
    ("text", "street", "code", "city", "region", "country"),
    [
        ("at 5 Main Street, Suite 200, New York, NY 10001 (the", "5 Main Street, Suite 200", "10001", "New York", "NY", None),
        ("350 Mission St.\nSan Francisco, California 94105, USA", "350 Mission St.", "94105", "San Francisco", "California", "USA"),
        ("P.O. Box 1234, Austin, Texas 78701-0001", "P.O. Box 1234", "78701-0001", "Austin", "Texas", None),
        ("at 10 Downing Street, London SW1A 2AA, United Kingdom", "10 Downing Street", "SW1A 2AA", "London", None, "United Kingdom"),
        ("en Calle Gran Vía 28, 3º izq., 28013 Madrid, España", "Calle Gran Vía 28, 3º izq.", "28013", "Madrid", None, "España"),
        ("domiciliée 12 bis, rue de la Paix, 75002 Paris, France", "12 bis, rue de la Paix", "75002", "Paris", None, "France"),
    ],
)  # fmt: skip
def test_an_address_is_read_in_four_forms(
    text: str, street: str, code: str, city: str, region: str | None, country: str | None
) -> None:
    """American, British, Spanish and French addresses give their parts as written."""
    (found,) = find_values(text, "address")
    value = found.value
    assert isinstance(value, Address)
    assert (value.street, value.postal_code, value.city, value.region, value.country) == (
        street,
        code,
        city,
        region,
        country,
    )


@pytest.mark.parametrize(
    "text", ["100 shares, 30 days, New York, NY 10001", "Section 5 of 2000, Texas", "New York, NY 10001"]
)
def test_what_has_no_street_is_no_address(text: str) -> None:
    """A town with its postal code alone is not where a notice is sent."""
    assert find_values(text, "address") == ()


def test_an_iban_is_one_only_with_right_check_digits() -> None:
    """Spaces are taken out, words behind are not its own, and a changed digit makes it none."""
    text = "IBAN: ES91 2100 0418 4502 0005 1332 BIC: CAIXESBBXXX"
    (found,) = find_values(text, "iban")
    assert found.value == Iban(iban="ES9121000418450200051332", country="ES", original="ES91 2100 0418 4502 0005 1332")
    assert find_values(text.replace("1332", "1333"), "iban") == ()


@pytest.mark.parametrize(
    ("text", "code", "scheme"),
    [
        ("LEI 213800KUD8LAJWSQ9D15", "213800KUD8LAJWSQ9D15", "lei"),
        ("the notes, ISIN US0378331005,", "US0378331005", "isin"),
        ("ISIN US0378331006", "US0378331006", None),
        ("EIN: 91-1144442", "91-1144442", "ein"),
        ("C.I.F. B58378431", "B58378431", "nif"),
        ("VAT ESB58378431", "ESB58378431", "vat"),
        ("RCS Paris 404 833 048", "404 833 048", "siren"),
        ("SIRET: 732 829 320 00074", "732 829 320 00074", "siret"),
        ("SWIFT code DEUTDEFF", "DEUTDEFF", "bic"),
        ("IBAN GB82WEST12345698765432", "GB82WEST12345698765432", "iban"),
        ("policy HIP2024_Q3", "HIP2024_Q3", None),
    ],
)
def test_check_digits_tell_the_scheme_of_a_code(text: str, code: str, scheme: str | None) -> None:
    """A code with wrong digits is still a code, and of no scheme."""
    assert [found.value for found in find_values(text, "identifier")] == [Identifier(text=code, scheme=scheme)]


@pytest.mark.parametrize(
    ("text", "number", "unit", "direction", "event"),
    [
        ("30 days after the Effective Date", "30", "day", "after", "the Effective Date"),
        ("within sixty (60) days following receipt of notice, the", "60", "day", "after", "receipt of notice"),
        ("90 days prior to the expiration of the then-current Term", "90", "day", "before", "the expiration of the then-current Term"),
        ("treinta días naturales a partir de la firma del contrato", "30", "day", "after", "la firma del contrato"),
        ("10 días hábiles siguientes a la recepción de la factura", "10", "business_day", "after", "la recepción de la factura"),
        ("dix-huit mois à compter de la date de signature", "18", "month", "after", "la date de signature"),
        ("until the fifth (5th) anniversary of the Effective Date (the", "5", "year", "after", "the Effective Date"),
        ("on the Closing Date", "0", "day", "on", "the Closing Date"),
        ("upon signature by both parties", "0", "day", "on", "signature by both parties"),
    ],
)  # fmt: skip
def test_a_day_is_told_by_its_event(text: str, number: str, unit: str, direction: str, event: str) -> None:
    """Number, unit, direction and event, in three languages."""
    (found,) = find_values(text, "relative_date")
    value = found.value
    assert isinstance(value, RelativeDate)
    assert (str(value.number), value.unit, value.direction, value.anchor_event) == (number, unit, direction, event)


def test_a_span_of_something_else_is_no_relative_date() -> None:
    """'Five years of service' and 'two years from Microsoft' have no event."""
    assert find_relative_dates("five years of service, two years from Microsoft", "en") == ()


def _tree(label: str) -> TreeValue:
    return TreeValue(nodes=(TreeNode(label="a", line_start=1, line_end=1, children=(TreeNode(label=label, line_start=2, line_end=2),)),))  # fmt: skip


def _record(text: str) -> RecordValue:
    return RecordValue(
        fields=(RecordField(name="fee", value=TextValue(text=text)), RecordField(name="term", value=None))
    )


def _conditional(number: int) -> ConditionalValue:
    value = Percentage(value=Decimal(number), original=f"{number} %")
    branches = (Branch(condition="if late", value=value), Branch(condition=None, value=TextValue(text="none")))
    return ConditionalValue(branches=branches, original="if late ...")


def _relative(number: int, unit: str = "month", event: str = "the Effective Date") -> RelativeDate:
    return RelativeDate.model_validate(
        {"number": number, "unit": unit, "direction": "after", "anchor_event": event, "original": "x"}
    )


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (_tree("b"), _tree(" B"), _tree("c")),
        (_record("one  fee"), _record("One fee"), _record("two")),
        (_conditional(5), _conditional(5), _conditional(6)),
        (
            TableValue(headers=("a",), rows=(("1",),)), TableValue(headers=("A ",), rows=(("1",),)),
            TableValue(headers=("a",), rows=(("2",),)),
        ),
        (_relative(12), _relative(1, "year", "Effective Date"), _relative(12, event="the Closing Date")),
        (
            Party(name="ACME, INC.", original="x"), Party(name="Acme Inc", original="y"),
            Party(name="Acme LLC", original="z"),
        ),
        (
            Address(street="5 Main St.", city="Reno", postal_code="1", original="x"),
            Address(street="5 Main St", city="RENO", postal_code="1", country="USA", original="y"),
            Address(street="6 Main St", city="Reno", postal_code="1", original="z"),
        ),
    ],
)  # fmt: skip
def test_values_of_every_kind_are_compared_as_what_they_are(one: Value, same: Value, other: Value) -> None:
    """Writing does not matter; a number, a name, a cell, a branch does."""
    assert same_value(one, same)
    assert not same_value(one, other)


def test_no_kind_is_equal_to_another() -> None:
    """A date is no relative date, and every kind of the contract is known to equality."""
    assert not same_value(_relative(1), Party(name="a", original="a"))
    kinds = {model.model_fields["kind"].default for model in get_args(get_args(Value)[0])}
    assert set(VALUE_TYPES) < kinds


# Texts that would make a careless pattern take the square of their length, or more.
HOSTILE = {
    "brackets": ("(", 200_000),
    "digits": ("7", 200_000),
    "spaces": (" ", 200_000),
    "groups": ("1,000,", 30_000),
    "lines": ("five\n", 30_000),
    "number words": ("one hundred and ", 30_000),
    "dollars": ("$1 ", 20_000),
    "percents": ("5% of ", 20_000),
    "laws": ("laws of the State of ", 30_000),
    "courts": ("courts of A, ", 30_000),
    "until": ("until the ", 30_000),
    "events": ("30 days after the ", 30_000),
    "names": ("Aa Bb, ", 30_000),
    "forms": ("Inc. ", 30_000),
    "roles": ("A Inc. (the ", 30_000),
    "accounts": ("ES91 2100 ", 30_000),
    "codes": ("12345 Aa ", 30_000),
    "streets": ("5 Main Street, ", 30_000),
    "quotes": ('("', 30_000),
    "dashes": ("a-", 30_000),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_text_takes_time_in_proportion(name: str) -> None:
    """Up to 200,000 characters made to catch patterns are read to the end; the time limit of the suite is the judge."""
    piece, length = HOSTILE[name]
    text = piece * (length // len(piece))
    for kind in (*VALUE_TYPES, "party"):
        for found in find_values(text, kind):
            assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "$" + "9" * 60 + " million",
        "9" * 5_000 + " %",
        "USD 1" + ",000" * 40 + ".00",
        "1" * 400 + " years",
        "7" * 300 + " directors",
    ],
)
def test_a_number_beyond_all_measure_is_none(text: str) -> None:
    """Digits without end crash nothing, and are no value."""
    assert [find_values(text, kind) for kind in ("amount", "percentage", "duration", "number")] == [(), (), (), ()]
