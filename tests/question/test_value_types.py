"""Questions for an address or an account number, in three languages; the verb 'to address' is neither."""

from __future__ import annotations

import pytest

from pipeline.question.shape import read_shape


@pytest.mark.parametrize(
    ("text", "answer_type"),
    [
        ("What is the address for notices?", "address"),
        ("To which address must notices be sent?", "address"),
        ("Where is the company's registered office?", "address"),
        ("¿Cuál es el domicilio social del proveedor?", "address"),
        ("Quelle est l'adresse du bailleur ?", "address"),
        ("What is the IBAN of the supplier?", "iban"),
        ("¿Cuál es el número de cuenta del proveedor?", "iban"),
        ("Quel est le numéro de compte du prestataire ?", "iban"),
        ("What is the e-mail address of the supplier?", "identifier"),
        ("How does the contract address termination?", "text"),
    ],
)
def test_an_address_and_an_account_are_asked_for_by_name(text: str, answer_type: str) -> None:
    """The words of the question set the type."""
    assert read_shape(text, ()).answer_type == answer_type
