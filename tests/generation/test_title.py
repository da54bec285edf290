# ruff: noqa: E501  # documents are read whole, on one line
"""What a contract is called: its heading, the name of its opening sentence, and nothing else."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from schemas.answer import Answer, TextValue
from tests.generation.handed import ask, candidate, concept, found

NAME = concept(["agreement", "license", "lease", "contrato", "contrat"], name="document_name")


def called(*texts: str, question: str = "What is this document called?", role: str = "primary") -> Answer:
    """The answer of a document whose handed passages are these, each on the page of its number."""
    passages = [candidate(text, first=1 + 100 * n, page=n + 1, role=role) for n, text in enumerate(texts)]
    return generate(ask(question, concepts=[NAME]), found(*passages))


def name_of(answer: Answer) -> str | None:
    """The one name given; None without one."""
    values = [item.value for item in answer.items]
    return values[0].text if len(values) == 1 and isinstance(values[0], TextValue) else None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('CO-HOSTING AGREEMENT\nThis Co-Hosting Agreement (the "Agreement") is made by and between A and B.', "CO-HOSTING AGREEMENT"),
        ("Exhibit 10.1\nEXECUTION COPY\nSUPPLY AGREEMENT\nThis Agreement is made on May 1, 2020.", "SUPPLY AGREEMENT"),
        ("This Premium Managed Hosting Agreement (“Agreement”) is made and entered into on May 1.", "Premium Managed Hosting Agreement"),
        ("COLLABORATIVE RESEARCH, DEVELOPMENT AND COMMERCIALIZATION\nAGREEMENT\nThe parties agree.", "COLLABORATIVE RESEARCH, DEVELOPMENT AND COMMERCIALIZATION AGREEMENT"),
        ("DISTRIBUTION AGREEMENT AND\nTRADEMARK LICENSE\nmade between A and B", "DISTRIBUTION AGREEMENT AND TRADEMARK LICENSE"),
        ("CISCO SYSTEMS, INC.\nDISTRIBUTOR AGREEMENT\nbetween A and B", "DISTRIBUTOR AGREEMENT"),
        ("AMENDMENT NO. 2\nTO MANUFACTURING AND SUPPLY AGREEMENT\nTHIS AMENDMENT NO. 2 (this “Amendment”) is made", "AMENDMENT NO. 2 TO MANUFACTURING AND SUPPLY AGREEMENT"),
        ("Dated 29/3/18\nDistributorship agreement\nbetween", "Distributorship agreement"),
        ("THE COMPANY HAS REQUESTED\nCONFIDENTIAL TREATMENT OF THIS\nAGREEMENT ACCORDINGLY,\nSPONSORSHIP AGREEMENT", "SPONSORSHIP AGREEMENT"),
        ("CONTRATO DE PRESTACIÓN DE SERVICIOS\nEn Madrid, a 3 de mayo de 2021", "CONTRATO DE PRESTACIÓN DE SERVICIOS"),
        ("Contrat de distribution exclusive\nEntre les soussignés", "Contrat de distribution exclusive"),
        ("El presente Contrato de Suministro se celebra entre A y B.", "Contrato de Suministro"),
    ],
)  # fmt: skip
def test_the_title_is_given_as_it_stands(text: str, name: str) -> None:
    """Exhibit numbers, legends, company names and dates are no part of it; its lines are joined."""
    assert name_of(called(text)) == name


def test_the_heading_that_the_opening_names_goes_before_another() -> None:
    """A header of a filer stands above the title; the first words say which heading is the name."""
    text = "ACME Agreement with BETA CORPORATION\nLICENSE AGREEMENT\nThis License Agreement is between ACME and BETA."
    given = called(text)
    assert name_of(given) == "LICENSE AGREEMENT"
    assert (given.items[0].spans[0].line_start, given.items[0].spans[0].line_end) == (2, 2)


def test_no_clause_stands_in_for_a_title() -> None:
    """A document whose first pages name nothing gets no name, and a heading deep inside names an exhibit."""
    body = "4. PURPOSE OF THE AGREEMENT\nThe Supplier shall deliver the goods under this Agreement."
    assert name_of(called(body)) is None
    deep = candidate("FORM OF ESCROW AGREEMENT\nThe agent shall hold the sum.", first=900, page=30)
    assert not generate(ask("What is it called?", concepts=[NAME]), found(deep)).items


def test_a_contract_that_someone_must_conclude_is_not_this_one() -> None:
    """'What kind of agreement must the Distributor sign?' asks for a clause, not for the title."""
    text = "DISTRIBUTOR AGREEMENT\nThe Distributor must sign a confidentiality agreement with each reseller."
    given = called(text, question="What kind of agreement must the Distributor sign with resellers?")
    assert name_of(given) != "DISTRIBUTOR AGREEMENT"


def test_a_title_is_read_where_retrieval_saw_nothing_in_it() -> None:
    """Its place makes a title: a tangential passage may hold it."""
    assert name_of(called("LEASE AGREEMENT\nbetween A and B", role="tangential")) == "LEASE AGREEMENT"
