# ruff: noqa: E501  # a question, its clause and its verdict are read in one line
"""Yes or no where a clause negates twice, excepts, bounds or takes back."""

from __future__ import annotations

import pytest

from pipeline.generation.asking import plain
from pipeline.generation.excepted import is_heading
from pipeline.generation.exceptions import exceptions_of
from pipeline.generation.polarity import polarity_of
from pipeline.generation.turning import said_plainly


def _verdict(question: str, clause: str) -> bool | None:
    told = polarity_of(clause, question)
    return None if told is None else told.value


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        ("Is the Lender prohibited from disclosing data to its affiliates?", "The Lender is not prohibited from disclosing data to its affiliates.", False),
        ("Is the Lender prohibited from disclosing data to competitors?", "The Lender is not prohibited from disclosing data to its affiliates.", None),
        ("May the Lender disclose data to regulators?", "The Lender shall not be prevented from disclosing data to regulators.", True),
        ("May the Supplier develop rival goods?", "Neither party shall be restricted from developing rival goods.", True),
        ("May the Buyer audit the records?", "The Supplier may not refuse to permit an audit of its records by the Buyer.", True),
        ("Must the Supplier insure the goods?", "The Supplier shall not fail to insure the goods.", True),
        ("Must the Supplier insure the goods?", "The Supplier will never be required to insure the goods.", False),
        ("Is the Distributor prohibited from selling rival goods?", "The Distributor is not free to sell rival goods.", True),
        ("Is the agreement exclusive?", "It is not the case that this Agreement is exclusive.", None),
        ("May the Supplier renew the licence?", "The Supplier may or may not renew the licence.", None),
        ("May the Supplier renew the licence?", "The Supplier may elect not to renew the licence.", None),
        ("May the Supplier assign the licence?", "The Supplier may under no circumstances assign the licence.", False),
        ("¿Puede el cliente resolver el contrato?", "Nada impide al Cliente resolver el contrato.", True),
        ("¿Puede el cliente revender los productos?", "No está prohibido al Cliente revender los productos.", True),
        ("Le Client peut-il céder le contrat ?", "Rien n'interdit au Client de céder le contrat.", True),
        ("Le contrat peut-il être résilié pour faute ?", "Le contrat ne peut être résilié que pour faute.", True),
        ("Le contrat peut-il être cédé sans accord ?", "La cession n'est possible qu'avec l'accord écrit du Client.", False),
        ("La licence est-elle exclusive ?", "La licence n'est ni exclusive ni cessible.", False),
    ],
)  # fmt: skip
def test_double_negatives_are_said_plainly(question: str, clause: str, value: bool | None) -> None:
    """What is not forbidden is allowed, what may not be refused is due, and 'ne peut que' confines."""
    assert _verdict(question, clause) == value


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        ("May the agreement be assigned to an affiliate without consent?", "Neither party may assign without the consent of the other, except that either may assign to an affiliate without consent.", True),
        ("May the agreement be assigned to a lender without consent?", "Neither party may assign without the consent of the other, except that either may assign to an affiliate without consent.", False),
        ("Can the contract be assigned to a subsidiary without consent?", "Neither party may assign without consent, except to a subsidiary with the consent of the board.", None),
        ("May the tenant sublet the attic?", "The Tenant shall not sublet, save that it may sublet the attic.", True),
        ("May the tenant sublet?", "The Tenant shall not sublet, save that it may sublet the attic.", False),
        ("Are guide dogs allowed?", "The Tenant must not keep pets, but guide dogs are allowed.", True),
        ("May the Supplier assign its duties?", "The Supplier may assign receivables but may not assign its duties.", False),
        ("Le contrat peut-il être cédé à une filiale ?", "Aucune des parties ne peut céder le contrat, à l'exception d'une cession à une filiale.", True),
        ("¿Puede el proveedor subcontratar el montaje?", "El Proveedor podrá subcontratar, salvo el montaje.", False),
    ],
)  # fmt: skip
def test_the_exception_that_names_what_is_asked_decides(question: str, clause: str, value: bool | None) -> None:
    """An exception, or what follows a 'but', is read where it alone names what is asked."""
    assert _verdict(question, clause) == value


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        ("Can the customer assign without consent?", "Customer may assign this Agreement with Supplier's consent only.", False),
        ("May the tenant use the premises as an office?", "The Tenant may use the premises only as a shop.", None),
        ("May the tenant use the premises as a shop?", "The Tenant may use the premises only as a shop.", True),
        ("May the Supplier subcontract?", "Unless the Buyer objects, the Supplier may subcontract the works.", None),
        ("May the Supplier subcontract?", "The Supplier may subcontract the works unless the Buyer objects.", None),
        ("May the Supplier terminate for convenience?", "Both parties, other than the Supplier, may terminate for convenience.", False),
        ("May the Supplier sublicense the code?", "No party other than the Supplier may sublicense the code.", True),
        ("Is consent required for assignment?", "Assignment does not require consent.", False),
    ],
)  # fmt: skip
def test_bounds_and_those_left_out_are_read(question: str, clause: str, value: bool | None) -> None:
    """'unless', 'only' and 'other than' bound what is allowed; a bound that is not met is no yes."""
    assert _verdict(question, clause) == value


@pytest.mark.parametrize(
    ("question", "clause", "value"),
    [
        ("Is there a non-compete?", "The non-compete obligation in the prior agreement is hereby waived.", False),
        ("Is there exclusivity?", "The parties have deleted the exclusivity clause.", False),
        ("Is there a confidentiality duty?", "The Supplier is released from any duty of confidentiality.", False),
        ("Is there a non-compete?", "The Distributor is not subject to any non-compete.", False),
        ("Does the licensor have an audit right?", "Licensor does not waive its audit right.", None),
        ("May the Recipient disclose the data?", "The Recipient shall not be liable if it did not disclose the data.", None),
    ],
)  # fmt: skip
def test_what_is_taken_back_is_not_there(question: str, clause: str, value: bool | None) -> None:
    """What is waived, deleted or released is a no; a waiver that is denied, or a liability, is none."""
    assert _verdict(question, clause) == value


def test_a_clause_said_plainly_keeps_its_places() -> None:
    """The plain text is as long as the clause, and the words given back are whole and the clause's own."""
    for clause in (
        "The Lender is not prohibited from lending.",
        "Le contrat ne peut être résilié qu'en cas de faute.",
        "No party is barred from it.",
    ):
        assert len(said_plainly(plain(clause))) == len(clause)
    told = polarity_of(
        "Customer may not terminate this Agreement for convenience.", "Can the customer terminate for convenience?"
    )
    assert told is not None
    assert told.words == "may not terminate"


def test_a_permission_without_consent_makes_no_exception_of_it() -> None:
    """'may assign without consent' excepts nothing; 'may not assign without consent' does."""
    assert exceptions_of("Provider may assign it without consent.") == ()
    assert exceptions_of("Provider may not assign it without consent.") == ("without consent",)


def test_a_heading_alone_is_no_clause() -> None:
    """A heading says what its text is on; a short rule is none."""
    assert is_heading("Article 9 - Non-concurrence.")
    assert not is_heading("The Tenant shall not sublet.")
    assert not is_heading("No subletting is allowed.")
