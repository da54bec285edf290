# ruff: noqa: E501  # documents are read whole, on one line
"""The parties of a contract: their names alone, their roles, and one of them where one is asked for."""

from __future__ import annotations

import pytest

from pipeline.generation import generate
from schemas.answer import Answer, Party
from schemas.question import ScopeFilters
from schemas.values import wording_of
from tests.generation.handed import ask, candidate, concept, found

PARTIES = concept(
    [
        "by and between",
        "undersigned",
        "company",
        "party",
        "LP",
        "L.P",
        "LLC",
        "SARL",
        "SAS",
        "S.L",
        "S.A",
        "GmbH",
        "AG",
        "N.A",
        "you",
        "Ltd",
        "Government",
        "employee",
    ],
    name="parties",
)


def asked(text: str, *, page: int = 1) -> Answer:
    """The answer to 'who are the parties' of one handed passage."""
    question = ask("Who are the parties?", "party", shape="listing", concepts=[PARTIES])
    return generate(question, found(candidate(text, page=page)))


def told(answer: Answer) -> list[tuple[str, str | None]]:
    """Names with roles."""
    return [(item.value.name, item.value.role) for item in answer.items if isinstance(item.value, Party)]


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "This Agreement is made by and between I-ESCROW,\nINC., with its principal place of business at 1730 S. Amphlett\nBlvd., Suite 233, San Mateo, California 94402 (\"i-Escrow\"), and\n2THEMART.COM, INC. having its place of business at 18301 Von Karman Avenue (\"2TheMart\").",
            [("I-ESCROW, INC.", "i-Escrow"), ("2THEMART.COM, INC.", "2TheMart")],
        ),
        (
            "This Agreement is entered into by and between [ * * * ] (the “Provider”), and TELCOSTAR PTE, LTD., a company organized under the laws of\nSingapore and Ability Computer & Software Industries Ltd, a company of Israel (each and both\nof them “Recipient”).",
            [("[ * * * ]", "Provider"), ("TELCOSTAR PTE, LTD.", "Recipient"), ("Ability Computer & Software Industries Ltd", "Recipient")],
        ),
        (
            "THIS AGREEMENT is made on 26 September 2019\nBETWEEN:\n(1) BICYCLETX LIMITED a company incorporated under the laws of England and Wales whose\nregistered office is at Babraham (the “Company”); and\n(2) NIGEL CROCKETT of Cambridge (the “Employee”).",
            [("BICYCLETX LIMITED", "Company"), ("NIGEL CROCKETT", "Employee")],
        ),
        (
            "This Supply Agreement is made between Centre for Probe Development and Commercialization, having a place in Hamilton (“CPDC”), and FUSION Pharmaceuticals Inc. (“FUSION”).",
            [("Centre for Probe Development and Commercialization", "CPDC"), ("FUSION Pharmaceuticals Inc.", "FUSION")],
        ),
        (
            "Aduro Biotech, Inc., with a place of business at 740 Heinz Avenue (“Aduro”) and IREYA B.V having an address in\nLeiden (“Consultant”) agree to the terms of this Agreement.",
            [("Aduro Biotech, Inc.", "Aduro"), ("IREYA B.V", "Consultant")],
        ),
        (
            "This Agreement is made by and between Marshall & Ilsley\nCorporation, acting through its division, M&I Data\nServices (“M&I”), and Tri City National Bank, doing business as the Bank of Tri (the “Bank”).",
            [("Marshall & Ilsley Corporation", "M&I"), ("Tri City National Bank", "Bank")],
        ),
        (
            "This Agreement is entered into between the At Home Corporation (“Excite@Home”\nor “Excite”), and e-centives, Inc. (“Provider”), and\nCo-Diagnostics, Inc. (herein referred to as “Principal”).",
            [("the At Home Corporation", "Excite@Home"), ("e-centives, Inc.", "Provider"), ("Co-Diagnostics, Inc.", "Principal")],
        ),
        (
            "This Agreement is effective as of the Closing (as defined in the Merger Agreement), between FOOTBALL MUSEUM, INC. (“Museum”) and Amsterdam Federal\nSavings and Loan Association, a federal association (the “Association”).",
            [("FOOTBALL MUSEUM, INC.", "Museum"), ("Amsterdam Federal Savings and Loan Association", "Association")],
        ),
        (
            "Mutual Insurance Corporation of America, a Michigan insurance\ncorporation (MICOA) and Stratton, Cheeseman & Walsh-Nevada, Inc., a Nevada\ncorporation (“Agency”) agree as follows:",
            [("Mutual Insurance Corporation of America", "MICOA"), ("Stratton, Cheeseman & Walsh-Nevada, Inc.", "Agency")],
        ),
        (
            "This Agreement is made by and between Mail\n-------\nBoxes Etc. USA, Inc. (“MBE”) and BIG CITY LLC (“Dick’s Wings and Grill”).",
            [("Mail Boxes Etc. USA, Inc.", "MBE"), ("BIG CITY LLC", "Dick’s Wings and Grill")],
        ),
        (
            "This Agreement is entered into by and between i3 Solutions, LLC (“Reseller”) and the company set forth below (“Company”):\nCompany: Bravatek Solutions, Inc. (BVTK)  Telephone: 1-866",
            [("i3 Solutions, LLC", "Reseller"), ("Bravatek Solutions, Inc.", "Company")],
        ),
        (
            "Road Transportation Agreement\nParty A (Shipper): ZTO Express Co., Ltd.\nAddress: Shanghai\nParty B (Carrier): Tonglu Tongze Logistics Ltd.",
            [("ZTO Express Co., Ltd.", "Party A"), ("Tonglu Tongze Logistics Ltd.", "Party B")],
        ),
        (
            "Cooperation Agreement of a Power Generation Project\nParty A: People’s Government of Fenyi County\nParty B: Xinyu Xinwei New Energy Co., Ltd.",
            [("People’s Government of Fenyi County", "Party A"), ("Xinyu Xinwei New Energy Co., Ltd.", "Party B")],
        ),
        (
            "El presente contrato se celebra entre, de una parte, ACME Servicios, S.L., con domicilio en Madrid (en adelante, el «Proveedor»), y de otra parte, Beta Industrial, S.A. (en adelante, el «Cliente»).",
            [("ACME Servicios, S.L.", "Proveedor"), ("Beta Industrial, S.A.", "Cliente")],
        ),
        (
            "CONTRAT DE VENTE\nENTRE LES SOUSSIGNÉS :\nLa société DUPONT SARL, au capital de 10 000 euros, ci-après dénommée « le Fournisseur », d'une part,\net\nLa société MARTIN SAS, dont le siège est à Paris, ci-après dénommée « l'Acheteur », d'autre part,",
            [("DUPONT SARL", "Fournisseur"), ("MARTIN SAS", "Acheteur")],
        ),
        (
            "REUNIDOS\nDe una parte, D. Juan Pérez, con DNI 12345678A, en nombre y representación de ACME SERVICIOS, S.L., con domicilio en Madrid (en adelante, el PROVEEDOR).\nY de otra parte, Dña. María López, en representación de BETA INDUSTRIAL, S.A. (en adelante, el CLIENTE).",
            [("ACME SERVICIOS, S.L.", "PROVEEDOR"), ("BETA INDUSTRIAL, S.A.", "CLIENTE")],
        ),
        (
            "This Agreement is made between Alpha GmbH, Stuttgart, hereinafter referred to as the Supplier, and Beta AG, Zurich, hereinafter called Buyer.",
            [("Alpha GmbH", "Supplier"), ("Beta AG", "Buyer")],
        ),
        (
            "This Agreement sets the terms agreed between Chase Bank USA, N.A. (“Chase”) and you (“Affiliate”).",
            [("Chase Bank USA, N.A.", "Chase"), ("you", "Affiliate")],
        ),
    ],
    ids=["addresses", "redacted", "numbered", "and in a name", "no between", "role in the name", "lower case", "closing", "initials", "ruled", "set forth below", "labels with brackets", "labels", "spanish", "french", "represented", "unquoted", "you"],
)  # fmt: skip
def test_each_party_is_named_with_its_role(text: str, parties: list[tuple[str, str | None]]) -> None:
    """Addresses, states and descriptions are no part of a name and no party of their own."""
    given = asked(text)
    assert told(given) == parties
    assert given.completeness.complete is True


def test_a_joint_filing_names_its_parties_in_the_signatures() -> None:
    """Companies over their signatures; those that sign for them are none of them."""
    given = asked(
        "JOINT FILING AGREEMENT\nThe undersigned hereby agree that the statement is filed on behalf of each.\n"
        "ALPHA CAPITAL PARTNERS, L.P.\nBy: Alpha GP, LLC, its General Partner\nBy: /s/ Jane Roe\nName: Jane Roe\n"
        "BETA GROWTH AND OPPORTUNITY FUND\nOffshore, LP\nBy: /s/ John Doe\nTitle: Manager"
    )
    assert [name for name, _ in told(given)] == [
        "ALPHA CAPITAL PARTNERS, L.P.",
        "BETA GROWTH AND OPPORTUNITY FUND Offshore, LP",
    ]


@pytest.mark.parametrize(
    ("role", "name"), [("supplier", "Alpha, Inc."), ("comprador", "Beta Ltd."), ("landlord", None)]
)
def test_one_role_gives_that_party_alone(role: str, name: str | None) -> None:
    """A role in another language or of the same side finds its party; one that nobody has finds none."""
    text = "This Agreement is made between Alpha, Inc. (“Supplier”) and Beta Ltd. (“Buyer”)."
    question = ask(f"Who is the {role}?", "party", concepts=[PARTIES])
    question = question.model_copy(update={"filters": ScopeFilters(parties=(role,))})
    given = generate(question, found(candidate(text)))
    assert [party for party, _ in told(given)] == ([name] if name else [])


def test_no_clause_stands_in_for_the_parties() -> None:
    """A document that names nobody gets no parties: 'between the parties' names none."""
    given = asked("Any dispute between the parties shall be settled. Distributor and Supplier agree to cooperate.")
    assert not given.items


@pytest.mark.parametrize(
    ("seat", "kind", "words"),
    [
        (
            "6 Logue Court, Greenville, South Carolina 29615",
            "address",
            "6 Logue Court, Greenville, South Carolina 29615",
        ),
        ("the Bahnhofplatz in Zug, Switzerland", "text", "the Bahnhofplatz in Zug, Switzerland"),
    ],
)
def test_the_address_of_a_party_is_that_said_of_it(seat: str, kind: str, words: str) -> None:
    """An address without a postal code is given in the document's words, with a caveat; the other party's is not."""
    text = (
        f"This Agreement is made between Alpha, Inc., a company with its office at {seat} (“Supplier”)\n"
        "and Beta Ltd., with its office at 1 Main Street, Boston, Massachusetts 02108 (“Buyer”)."
    )
    question = ask("What is the Supplier's address?", "address", concepts=[PARTIES])
    question = question.model_copy(update={"filters": ScopeFilters(parties=("supplier",))})
    given = generate(question, found(candidate(text)))
    assert [item.value.kind for item in given.items] == [kind]
    assert wording_of(given.items[0].value) == words


@pytest.mark.parametrize(
    "side",
    [
        "__________________________ (“Franchisee”)",
        "the individual or entity identified on the cover page (“Franchisee”)",
    ],
)
def test_a_side_that_is_left_open_is_told_and_not_named(side: str) -> None:
    """A franchise form names one side; the other is a caveat, and the answer is partial."""
    answer = asked(f"This Franchise Agreement is made between Pizza Fusion Holding, Inc. (“Franchisor”), and {side}.")
    assert told(answer) == [("Pizza Fusion Holding, Inc.", "Franchisor")]
    assert answer.status == "partial"
    assert any("'Franchisee' is left open" in caveat for caveat in answer.caveats)


def test_what_only_points_at_another_contract_names_nobody() -> None:
    """'Between the Company and the Trust' of a recited note: the names stand elsewhere."""
    answer = asked(
        "This Note is issued under the Demand Note made between the Company and the Trust (the “Demand Note”)."
    )
    assert told(answer) == []
