"""Sixty-odd contract questions in three languages: concept, shape and type by rules alone."""

from __future__ import annotations

import pytest

from dictionaries import Dictionaries, load_dictionaries
from pipeline.question import parse_question

# question | first concept | shape | type
TABLE = """
Who are the parties to this agreement? | parties | listing | party
What is the date of the agreement? | agreement_date | single | date
When was the contract signed? | agreement_date | single | date
What is the effective date? | effective_date | single | date
When does the agreement come into force? | effective_date | single | date
When does the agreement expire? | expiration_date | single | date
How long is the initial term? | expiration_date | single | duration
What is the term of the agreement? | expiration_date | single | duration
Does the agreement renew automatically? | renewal_term | single | boolean
What is the renewal term? | renewal_term | single | duration
How much notice must be given to prevent renewal? | notice_period_to_terminate_renewal | single | duration
What is the notice period required to terminate renewal? | notice_period_to_terminate_renewal | single | duration
Which state's law governs this contract? | governing_law | single | jurisdiction
What is the governing law? | governing_law | single | jurisdiction
May either party terminate for convenience? | termination_for_convenience | single | boolean
Can the customer terminate at any time without cause? | termination_for_convenience | single | boolean
What counts as a material breach? | termination_for_cause | single | text
Is there a non-compete? | non_compete | single | boolean
Does the contract stop the supplier from competing with the buyer? | non_compete | single | boolean
How long does the noncompete last? | non_compete | single | duration
Is the distributor exclusive? | exclusivity | single | boolean
How long do the confidentiality obligations last? | confidentiality | single | duration
What is the liability cap? | liability_cap | single | amount
What is the maximum liability of the supplier? | liability_cap | single | amount
Is liability uncapped for gross negligence? | uncapped_liability | single | boolean
Must the supplier maintain insurance? | insurance | single | boolean
What is the deductible? | deductible | single | amount
Who must indemnify whom? | indemnification | single | party
How long is the warranty? | warranty_duration | single | duration
How quickly must a data breach be notified? | data_breach | single | duration
What does this document say about GDPR compliance? | data_protection | single | text
When must invoices be paid? | payment_terms | single | duration
How much is the annual fee? | fees | single | amount
List all the fees payable under the agreement. | fees | listing | amount
What interest rate applies to late payment? | late_payment_interest | single | percentage
What happens in a force majeure event? | force_majeure | single | text
May the customer assign the agreement without consent? | assignment | single | boolean
Does the customer have audit rights? | audit_rights | single | boolean
How are disputes resolved? | dispute_resolution | single | text
Is there an arbitration clause? | arbitration | single | boolean
Is there a waiver of jury trial? | jury_trial_waiver | single | boolean
How are disputes resolved? | dispute_resolution | single | text
How many sample units are free of charge? | - | single | number
What is the penalty for late delivery? | liquidated_damages | single | amount
How long does confidentiality survive? | confidentiality | single | duration
Who owns the intellectual property in the deliverables? | ip_ownership | single | party
What percentage of net sales is the royalty? | revenue_profit_sharing | single | percentage
¿Quiénes son las partes del contrato? | parties | listing | party
¿Cuándo entra en vigor el contrato? | effective_date | single | date
¿Cuál es la duración del contrato? | expiration_date | single | duration
¿Cuál es el plazo de preaviso para evitar la renovación? | notice_period_to_terminate_renewal | single | duration
¿Cuál es la ley aplicable? | governing_law | single | jurisdiction
¿Hay una cláusula de no competencia? | non_compete | single | boolean
¿Cuál es el tope de responsabilidad? | liability_cap | single | amount
¿Cuánto es el precio anual? | fees | single | amount
¿Qué interés de demora se aplica? | late_payment_interest | single | percentage
¿Puede cederse el contrato sin consentimiento? | assignment | single | boolean
¿Qué dice el contrato sobre la protección de datos personales? | data_protection | single | text
Enumera las causas de resolución. | termination_for_cause | listing | text
Qui sont les parties au contrat ? | parties | listing | party
Quand le contrat entre-t-il en vigueur ? | effective_date | single | date
Quelle est la durée du contrat ? | expiration_date | single | duration
Quel est le droit applicable ? | governing_law | single | jurisdiction
Peut-on résilier le contrat sans motif ? | termination_for_convenience | single | boolean
Y a-t-il une clause de non-concurrence ? | non_compete | single | boolean
Quel est le plafond de responsabilité ? | liability_cap | single | amount
Quel est le délai de paiement ? | payment_terms | single | duration
Quel est le taux des intérêts de retard ? | late_payment_interest | single | percentage
Le contrat contient-il une clause de force majeure ? | force_majeure | single | boolean
Que dit le document sur le RGPD ? | data_protection | single | text
Listez les cas de résiliation pour faute. | termination_for_cause | listing | text
"""
ROWS = [tuple(cell.strip() for cell in line.split(" | ")) for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def dictionaries() -> Dictionaries:
    """The shipped dictionaries."""
    return load_dictionaries()


@pytest.mark.parametrize(("question", "concept", "shape", "kind"), ROWS)
def test_concept_shape_and_type(dictionaries: Dictionaries, question: str, concept: str, shape: str, kind: str) -> None:
    """The question's main concept, the number of values and their type are what a lawyer would say."""
    parsed = parse_question(question, None, dictionaries)
    assert [one.concept_id for one in parsed.concepts][:1] == ([] if concept == "-" else [concept])
    assert (parsed.answer_shape, parsed.answer_type) == (shape, kind)
    assert parsed.clarification is None
    assert parsed.intent == ("listing" if shape == "listing" else "qa")


@pytest.mark.parametrize(
    "question",
    [
        "How does multi-head attention work?",
        "What does Figure 2 show?",
        "Why does this model train faster than RNNs?",
        "Summarize the Training section.",
        "What positional encoding does the paper use?",
        'What does the term "Affiliate" mean?',
        "What was the total revenue in 2022?",
        "How many employees work there?",
    ],
)
def test_no_concept_fires_on_incidental_words(dictionaries: Dictionaries, question: str) -> None:
    """A question that is not about a contract's topic gets no concept of contracts."""
    concepts = parse_question(question, None, dictionaries).concepts
    assert [concept for concept in concepts if concept.dictionary == "contracts"] == []
