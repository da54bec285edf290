# ruff: noqa: E501  # questions are read whole, on one line
"""Questions after one party of a contract: by its role or short name, in three languages."""

from __future__ import annotations

import pytest

from dictionaries import load_dictionaries
from pipeline.question import parse_question
from pipeline.question.parties import asked_party


@pytest.mark.parametrize(
    ("question", "role", "answer_type"),
    [
        ("Who is the buyer?", "buyer", "party"),
        ("What is the name of the supplier?", "supplier", "party"),
        ("Which company is the licensor under this agreement?", "licensor", "party"),
        ("¿Quién es el comprador?", "comprador", "party"),
        ("Qui est l'acheteur ?", "acheteur", "party"),
        ("What is the Supplier's registered address?", "supplier", "address"),
        ("¿Cuál es el domicilio social del proveedor?", "proveedor", "address"),
        ("Quelle est l'adresse du fournisseur ?", "fournisseur", "address"),
    ],
)
def test_a_role_is_asked_after(question: str, role: str, answer_type: str) -> None:
    """One value is wanted, of that party alone, and it is looked for where the parties are named."""
    parsed = parse_question(question, None, load_dictionaries())
    assert (parsed.answer_type, parsed.answer_shape) == (answer_type, "single")
    assert parsed.filters.parties == (role,)
    assert parsed.concepts[0].concept_id == "parties"


@pytest.mark.parametrize(
    "question",
    [
        "Who are the parties?",
        "Who is the auditor?",
        "Who is liable for defects?",
        "Who is the buyer's counsel?",
        "À qui appartient la propriété intellectuelle ?",
        "What is the address for notices?",
    ],
)
def test_other_questions_ask_after_no_role(question: str) -> None:
    """All parties, a person who is none, a duty, a right."""
    assert asked_party(question, None) is None


@pytest.mark.parametrize(
    "question",
    ["What is this document called?", "What kind of agreement is it?", "¿Cómo se llama el contrato?", "Quel est le titre du contrat ?"],
)  # fmt: skip
def test_the_name_of_the_document_is_asked_after(question: str) -> None:
    """However it is put."""
    parsed = parse_question(question, None, load_dictionaries())
    assert parsed.concepts[0].concept_id == "document_name"
    assert (parsed.answer_type, parsed.answer_shape) == ("text", "single")
