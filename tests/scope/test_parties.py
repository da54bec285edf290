"""Whose right or duty a sentence speaks of, against the party that a question asks about."""

from __future__ import annotations

import pytest

from pipeline.scope.parties import PartyScope, name_parties, party_scope
from schemas.question import ScopeFilters

PARTIES = [("Acme Ltd", "Supplier"), ("Beta Ltd", "Customer")]


def scope(question: str, *named: str) -> PartyScope | None:
    """The scope of a question on the agreement of Acme, the Supplier, and Beta, the Customer."""
    return party_scope(question, ScopeFilters(parties=named, known_parties=name_parties(PARTIES)))


OTHERS = [
    "The Customer may terminate this Agreement on thirty days' notice.",
    "The Customer shall pay the Supplier EUR 5.",
    "Fees shall be paid by the Customer.",
    "In no event shall the Customer be liable.",
    "The Customer's total liability under this Agreement shall not exceed EUR 1.",
    "Beta, acting reasonably, may suspend the services.",
    "If the Supplier fails to deliver, the Customer may terminate.",
]
NOT_OTHERS = [
    "Either party may terminate.",
    "Each of the Parties shall keep records.",
    "Acme shall pay all taxes.",
    "If the Customer fails to pay, the Supplier may suspend.",
    "The Customer, acting reasonably, may require the Supplier to pay costs.",
    "The Customer shall be paid a credit of 5%.",
    "The Customer shall be notified by the Supplier.",
    "The Customer is entitled to a credit of 5%.",
    "Customer Data shall be returned within 30 days.",
    "The fee is EUR 5.",
    "",
]


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_the_other_party_does(text: str) -> None:
    """A sentence whose subject is the other party alone is of that party."""
    asked = scope("What must the Supplier pay?", "Supplier")
    assert asked is not None
    assert asked.other_in(text) in ("Customer", "Beta")


@pytest.mark.parametrize("text", NOT_OTHERS)
def test_what_is_not_only_the_other_partys(text: str) -> None:
    """Every party, the party itself, what the other one receives, and sentences without a party are not counted."""
    asked = scope("What must the Supplier pay?", "Supplier")
    assert asked is not None
    assert asked.other_in(text) is None


def test_a_list_is_of_the_party_that_opens_it() -> None:
    """An item without a subject takes that of its opening or its heading; its own subject comes first."""
    asked = scope("What must the Supplier do?", "Supplier")
    assert asked is not None
    assert asked.other_in("(a) keep records;", "The Customer shall:") == "Customer"
    assert asked.other_in("Thirty days suffice.", "Termination by the Customer") == "Customer"
    assert asked.other_in("The Supplier may end it.", "Termination by the Customer") is None


def test_of_two_parties_the_one_that_acts_is_asked_about() -> None:
    """'What must the Customer pay to the Supplier?' asks what the Customer must."""
    asked = scope("What must the Customer pay to the Supplier?", "Customer", "Supplier")
    assert asked is not None
    assert (asked.names, asked.others, asked.acting) == (
        ("beta", "beta ltd", "customer"), ("acme", "acme ltd", "supplier"), True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "Is the client data protected?",
        "What notice reaches the Supplier?",
        "Who insures the Supplier?",
        "Can the Supplier be audited?",
        "Does the Supplier have to consent?",
        "What fee does the Supplier receive?",
    ],
)
def test_a_party_that_is_only_named(question: str) -> None:
    """It asks nothing of that party: only texts that never name it and are of the other one count as the other's."""
    asked = scope(question, "Supplier" if "Supplier" in question else "client")
    assert asked is None or not asked.acting
    assert asked is None or asked.other_in("The Customer shall notify the Supplier.") is None


@pytest.mark.parametrize("named", ["either party", "each party", "parties"])
def test_every_party_is_no_limit(named: str) -> None:
    """A question on every party is limited to none."""
    assert scope(f"May {named} terminate?", named) is None


def test_a_role_of_the_same_side_is_the_party() -> None:
    """'Vendor' is the Supplier, where one party is on that side; without parties the facing side is the other one."""
    vendor = scope("What must the Vendor pay?", "Vendor")
    assert vendor is not None
    assert vendor.other_in("The Customer shall pay.") == "Customer"
    assert vendor.other_in("The Supplier shall pay.") is None
    assert scope("What must the Landlord pay?", "Landlord") is None
    unknown = party_scope("What must the Vendor pay?", ScopeFilters(parties=("Vendor",)))
    assert unknown is not None
    assert unknown.other_in("The Customer shall pay.") == "Customer"
    assert unknown.other_in("The Supplier shall pay.") is None


@pytest.mark.parametrize(
    ("question", "named", "text"),
    [
        ("¿Puede el Proveedor resolver el contrato?", "Proveedor", "El Cliente podrá resolver el contrato."),
        ("Quels sont les droits du fournisseur ?", "fournisseur", "Le Client peut résilier le contrat."),
    ],
)
def test_in_other_languages(question: str, named: str, text: str) -> None:
    """Spanish and French clauses have their subjects too."""
    filters = ScopeFilters(parties=(named,), known_parties=((named,), ("Cliente", "Client")))
    asked = party_scope(question, filters)
    assert asked is not None
    assert asked.acting
    assert asked.other_in(text) in ("Cliente", "Client")
