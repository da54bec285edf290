"""What may be thought of a thing is no permission, and the future tense of a contract forbids."""

from __future__ import annotations

import pytest

from pipeline.generation.polarity import polarity_of

EN, ES, FR = (
    "Is there a non-compete clause?", "¿Hay una cláusula de no competencia?", "Y a-t-il une clause de non-concurrence ?"
)  # fmt: skip
TERMS = {
    EN: ("competitive", "competing", "compete"), ES: ("competencia", "compita"), FR: ("concurrence", "concurrents")
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "clause", "expected"),
    [
        (EN, "The Distributor shall not sell any equipment which can be considered competitive to the Product.", True),
        (EN, "The Distributor shall not sell any products which may compete with the Products.", True),
        (EN, "The Distributor shall not sell goods that could directly or indirectly compete with ours.", True),
        (EN, "The Distributor may freely compete with the Supplier.", False),
        (EN, "The Distributor, which may compete with the Supplier, shall keep records.", False),
        (ES, "El Distribuidor no venderá productos que puedan considerarse competencia de los Productos.", True),
        (ES, "El Distribuidor no podrá vender productos que puedan hacer competencia a los Productos.", True),
        (FR, "Le Distributeur ne vendra pas de produits qui peuvent être considérés comme concurrents.", True),
        (FR, "Le Distributeur ne peut vendre des produits qui pourraient faire concurrence aux Produits.", True),
    ],
)
def test_what_may_be_thought_of_a_thing_is_no_permission(question: str, clause: str, expected: bool) -> None:
    """'Equipment which can be considered competitive' is what may not be sold; 'may freely compete' is a permission."""
    told = polarity_of(clause, question, also=TERMS[question])
    assert told is not None
    assert told.value is expected


@pytest.mark.parametrize(
    "clause",
    [
        "La competencia no será objeto de este contrato.", "El plazo no excederá de tres años.",
        "Le délai n'aura pas de limite.",
    ],
)  # fmt: skip
def test_the_future_of_a_thing_forbids_nothing(clause: str) -> None:
    """'No será', 'no excederá', 'n'aura pas' say how a thing is; nobody is bound by them."""
    told = polarity_of(clause, ES, also=TERMS[ES])
    assert told is None or told.value is not True
