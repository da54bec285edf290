"""How people ask about contracts, in three languages: the topic found by rules, its type and shape."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.entries import read_phrase
from dictionaries.rarity import rarities
from pipeline.question import parse_question
from pipeline.question.topics import find_topics
from pipeline.question.yes_no import asks_yes_no

MIN_RIGHT = 0.95  # issue 4, what must be shown: share of CUAD's categories understood in the dataset's own words

# question | first concept | shape | type
TABLE = """
¿Quiénes son las partes? | parties | listing | party
Qui sont les parties ? | parties | listing | party
Dans quel délai les factures doivent-elles être payées ? | payment_terms | single | duration
Quels tribunaux sont compétents ? | dispute_resolution | single | text
When was the agreement made? | agreement_date | single | date
What is Acme's liability limited to? | liability_cap | single | amount
termination | termination | single | text
Parties | parties | listing | party
Can we pull out of the deal whenever we like? | termination_for_convenience | single | boolean
¿Podemos salirnos del acuerdo sin dar explicaciones? | termination_for_convenience | single | boolean
Peut-on quitter le contrat sans raison particulière ? | termination_for_convenience | single | boolean
Can the buyer end the contract if the seller goes bankrupt? | termination | single | boolean
How long before the end must we say we do not renew? | notice_period_to_terminate_renewal | single | duration
May an affiliate of the licensee use the software under the licence? | affiliate_license | single | boolean
Does the licence last forever? | irrevocable_license | single | boolean
Which cases are exempted from the exclusivity? | competitive_restriction_exception | listing | text
Describe how prices may be increased. | price_restrictions | single | text
Can the supplier use subcontractors? | subcontracting | single | boolean
¿Se puede subcontratar? | subcontracting | single | boolean
How can the agreement be amended? | amendment | single | text
What happens if a clause is held invalid? | severability | single | text
Which document prevails in case of conflict? | order_of_precedence | single | text
¿En qué idioma está redactado el contrato? | contract_language | single | text
Qui supporte les taxes ? | taxes | single | party
What uptime is guaranteed? | service_levels | single | text
How many users are included? | - | single | number
"""
ROWS = [tuple(cell.strip() for cell in line.split(" | ")) for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def contracts() -> Dictionaries:
    """The shipped dictionary of contracts alone."""
    return load_dictionaries(names=["contracts"])


@pytest.mark.parametrize(("question", "concept", "shape", "kind"), ROWS)
def test_ways_of_asking(contracts: Dictionaries, question: str, concept: str, shape: str, kind: str) -> None:
    """A question in an officer's own words finds its topic, type and shape."""
    parsed = parse_question(question, None, contracts)
    if concept != "-":
        assert [one.concept_id for one in parsed.concepts][:1] == [concept]
    assert (parsed.answer_shape, parsed.answer_type) == (shape, kind)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Si metemos más usuarios, ¿nos cobran un extra?", True),
        ("¿Ley aplicable?", False),
        ("¿Con cuántos días de antelación hay que avisar?", False),
        ("Puis-je vendre les produits ailleurs ?", True),
        ("Pour quel montant le fournisseur doit-il être assuré ?", False),
        ("Dites-moi si l'usage est illimité.", True),
        ("Tell me whether and how one can leave.", False),
        ("If the developer goes bankrupt, can we get the source?", True),
        ("Droit applicable ?", False),
        ("Under what conditions may a party assign its rights?", False),
    ],
)
def test_yes_or_no(text: str, answer: bool) -> None:  # a column of the table
    """Yes or no is asked by a verb before its subject or, in Spanish, by a question without a question word."""
    assert asks_yes_no(text) is answer


def test_pieces_in_any_order_and_alternatives() -> None:
    """'|' names alternatives of a piece, '+' lets pieces stand in any order, a stem ends a piece."""
    phrase = read_phrase("terminat*|cancel + without cause")
    assert phrase.pieces == (("terminat*", "cancel"), ("without cause",))
    assert phrase.any_order
    assert read_phrase("tercer* beneficiario").pieces == (("tercer*",), ("beneficiario",))


def test_what_is_supposed_ranks_behind_what_is_asked(contracts: Dictionaries) -> None:
    """A condition is the topic only where the main clause names none."""
    found = find_topics("If confidential information leaks, is insurance required?", contracts, limit=3)
    assert found[0].entry.concept_id == "insurance"
    alone = find_topics("What happens if confidential information leaks?", contracts, limit=3)
    assert alone[0].entry.concept_id == "confidentiality"


def test_the_narrower_topic_comes_first(contracts: Dictionaries) -> None:
    """Of a broad topic and one that narrows it, found in one question, the narrower is asked."""
    found = [one.entry.concept_id for one in find_topics("Is the licence granted irrevocable?", contracts, limit=3)]
    assert found.index("irrevocable_license") < found.index("license_grant")


def test_rarity_is_one_for_a_word_of_one_concept_and_none_for_a_word_of_all() -> None:
    """Rarity falls with the number of concepts that use a word, from 1 to 0."""
    rarity = rarities([("escrow deposit",), ("deposit of shares",)])
    assert rarity["escro"] == 1.0
    assert rarity["depos"] == 0.0


@pytest.mark.parametrize(
    "question",
    [
        "What positional encoding is used?",
        "Which optimizer was used for training?",
        "What was the gross margin in 2022?",
        "How tall is the tower?",
        "¿Cuál es la capital de Francia?",
        "Qui a écrit cet article ?",
    ],
)
def test_other_domains_find_no_topic_of_contracts(contracts: Dictionaries, question: str) -> None:
    """A question that is not about a contract finds nothing in its dictionary."""
    assert parse_question(question, None, contracts).concepts == ()


def test_the_categories_of_cuad_in_their_own_words(shared_data: Path, project: Path) -> None:
    """By name, by question and by both, at least 95 % of CUAD's categories are understood, with type and shape."""
    sys.path.insert(0, str(project / "benchmarks"))
    try:
        from questions import read_cuad, understand
    finally:
        sys.path.remove(str(project / "benchmarks"))
    dictionaries = load_dictionaries()
    results = [understand(one, dictionaries) for one in read_cuad(shared_data / "cuad")]
    assert len(results) == 3 * len(json.loads((shared_data / "cuad" / "labels.json").read_text())["categories"])
    assert sum(one.concept_right for one in results) >= MIN_RIGHT * len(results)
    assert sum(one.type_right and one.shape_right for one in results) >= MIN_RIGHT * len(results)
