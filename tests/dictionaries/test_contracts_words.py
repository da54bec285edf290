"""The words of contracts: what proves a topic, what only goes with it, in three languages."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from dictionaries import load_dictionaries
from dictionaries.entries import ConceptEntry
from dictionaries.matching import TermMatcher

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
READ = 12  # contracts of CUAD read by the test; `benchmarks/coverage.py` reads all
MIN_COVERED = 0.9  # of their clauses; 95 % over all contracts


@cache
def contracts() -> dict[str, ConceptEntry]:
    """The concepts of the shipped file."""
    return {entry.concept_id: entry for entry in load_dictionaries(names=["contracts"]).concepts}


def proven(concept: str, text: str) -> bool:
    """True when a primary term or a pattern of the concept is in the text."""
    entry = contracts()[concept]
    primary = [term.text for term in entry.terms if term.priority == "primary"]
    return len(TermMatcher(primary, patterns=entry.patterns).find([text])) > 0


def found(concept: str, text: str) -> bool:
    """True when any term of the concept is in the text."""
    entry = contracts()[concept]
    patterns = (*entry.patterns, *entry.secondary_patterns)
    return len(TermMatcher([term.text for term in entry.terms], patterns=patterns).find([text])) > 0


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("exclusivity", "Licensor grants Licensee an exclusive licence in the Territory."),
        ("exclusivity", "Reseller shall not purchase the Goods from any source other than the Supplier."),
        ("revenue_profit_sharing", "a royalty equal to five percent (5%) of all Net Sales"),
        ("warranty_duration", "warrants that the Goods conform for a period of twelve (12) months"),
        (
            "termination_for_convenience",
            "Either party may terminate this Agreement upon 30 days' prior written notice.",
        ),
        ("audit_rights", "Owner shall have the right, on notice, to inspect and audit the accounts"),
        ("right_of_first_refusal", "if it exercises the option, the Company has the right to purchase the shares"),
        ("parties", "This Lease Agreement is entered into between Alpha and Beta, a firm of Ohio"),
        ("document_name", "MASTER SUPPLY AGREEMENT"),
        ("document_name", "CONTRATO DE SUMINISTRO DE GAS"),
        ("parties", "De una parte, Alfa, con domicilio en Madrid"),
        ("termination_for_convenience", "Chaque partie peut résilier le contrat à tout moment."),
        ("warranty_duration", "garantiza los productos durante un plazo de doce meses"),
        ("revenue_profit_sharing", "une redevance de 5 % du chiffre d'affaires"),
        ("ip_ownership", "Los resultados serán propiedad de la Empresa."),
        ("change_of_control", "upon a change in the effective Control of the Supplier"),
        ("termination_for_convenience", "This Agreement terminates at the option of either party."),
        ("third_party_beneficiary", "Nothing herein confers a right upon any person who is not a party."),
        ("no_solicit_of_customers", "Agent shall not contact or deal with any customer of the Company."),
        ("non_disparagement", "conduct that brings either party into public contempt or ridicule"),
    ],
)
def test_words_that_prove(concept: str, text: str) -> None:
    """A clause of the topic is known by its primary words, whatever the language."""
    assert proven(concept, text)


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("exclusivity", "a non-exclusive licence"),
        ("ip_ownership", "This Section survives with respect to intellectual property."),
        ("affiliate_license", "Buyer and its affiliates shall keep it secret."),
        ("document_name", "Each party has read the agreement."),
        ("agreement_date", "It was delivered in January."),
        ("warranty_duration", "No warranty is given."),
        ("third_party_beneficiary", "It shall not infringe third party rights."),
        ("ip_ownership", "Ley de propiedad intelectual"),
        ("affiliate_license", "l'acheteur et ses filiales"),
    ],
)
def test_words_that_only_go_with(concept: str, text: str) -> None:
    """A word that goes with a topic without being it proves nothing."""
    assert not proven(concept, text)


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("agreement_date", "Signed: 17/5/2012"),
        ("agreement_date", "May 25, 2016"),
        ("agreement_date", "____________, 1996"),
        ("effective_date", "el 5 de mayo de 2016"),
        ("parties", '("Telco")'),
        ("parties", "/s/ Jane Roe"),
        ("parties", "By: Jane Roe"),
        ("expiration_date", "until 31 December 2027"),
        ("non_compete", "The Distributor shall not:"),
        ("minimum_commitment", "1,463 units in the second year"),
        ("ip_ownership", "any interest in and to the Works"),
        ("license_grant", "to make, use and sell the Product"),
    ],
)
def test_patterns_that_only_go_with(concept: str, text: str) -> None:
    """Dates in figures, names in a signature block and the like are found, and prove nothing."""
    assert found(concept, text)
    assert not proven(concept, text)


def test_title_is_a_paragraph_of_its_own() -> None:
    """A sentence that ends in 'agreement' is no title of a contract, nor is the heading on the entire agreement."""
    assert not proven("document_name", "Nothing else amends the agreement.")
    assert not proven("document_name", "ENTIRE AGREEMENT")


def test_patterns_stay_in_their_paragraph() -> None:
    """No pattern joins the end of one paragraph with the beginning of the next."""
    texts = ["The Agreement is made", "between Alpha Inc", '("Alpha") and is warranted for', "30 days (Net Sales 5%"]
    for entry in contracts().values():
        for pattern in (*entry.patterns, *entry.secondary_patterns):
            hits = TermMatcher([], patterns=[pattern]).find(texts, groups=[0, 1, 2, 3])
            assert all(hit.text_index == hit.end_text_index for hit in hits), (entry.concept_id, pattern)
            assert "x00" not in pattern, (entry.concept_id, pattern)  # a paragraph ends by itself


def test_proofs_of_absence_are_claimed_where_cuad_bears_them_out() -> None:
    """Only the categories of CUAD without a contract that escapes their words claim to be exhaustive."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from cuad_concepts import CUAD_CONCEPTS
    finally:
        sys.path.remove(str(BENCHMARKS))
    claimed = {concept for concept in CUAD_CONCEPTS.values() if contracts()[concept].exhaustive}
    assert claimed == {"governing_law", "insurance", "source_code_escrow"}


def test_coverage_of_marked_clauses(shared_data: Path) -> None:
    """Of the clauses that lawyers marked nearly all have a line with a word of their category."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from cuad_concepts import CUAD_CONCEPTS
    finally:
        sys.path.remove(str(BENCHMARKS))
    labels = json.loads((shared_data / "cuad" / "labels.json").read_text(encoding="utf-8"))
    clauses = [
        (CUAD_CONCEPTS[category], answer["text"])
        for contract in labels["documents"][1 : 2 * READ : 2]
        for category, label in contract["categories"].items()
        for answer in label["answers"]
        if category in CUAD_CONCEPTS and CUAD_CONCEPTS[category] not in ("parties", "document_name", "agreement_date")
    ]  # names and dates stand in lines that the marked text is only a part of
    covered = sum(found(concept, text) for concept, text in clauses)
    assert covered >= MIN_COVERED * len(clauses)
