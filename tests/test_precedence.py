"""Which side of a conflict a clause lets prevail: named where one clause names one side, and never guessed."""

from __future__ import annotations

import pytest

from pipeline.precedence import name_prevailing
from schemas.conflicts import Conflict, ConflictSide
from schemas.document import ParsedDocument
from tests import builders

CONTRACT = ["SERVICES AGREEMENT", "4.1 Fee", "The fee is EUR 500 a month.", "5.1 Term", "The term is one year."]


def document(doc_id: str, texts: list[str]) -> ParsedDocument:
    """A document of these lines."""
    made = builders.document(builders.lines(texts))
    return made.model_copy(update={"doc_id": doc_id, "source_name": f"{doc_id}.pdf"})


def conflict(*sides: tuple[str, int, str]) -> Conflict:
    """A conflict between lines of documents."""
    return Conflict(
        candidate_ids=tuple(f"{doc}/p1_l{line}" for doc, line, _ in sides), point="amount", statement="They differ.",
        found_by="rules", kind="value",
        sides=tuple(
            ConflictSide(
                candidate_id=f"{doc}/p1_l{line}", line_start=line, line_end=line, place=f"{doc}, line {line}",
                says=says, quote=says,
            )
            for doc, line, says in sides
        ),
    )  # fmt: skip


def winner(amendment: list[str], *, line: int, contract: list[str] | None = None) -> str | None:
    """The document that prevails between the contract's fee and a line of the amendment."""
    documents = {"contract": document("contract", contract or CONTRACT), "change": document("change", amendment)}
    named = name_prevailing(conflict(("contract", 3, "EUR 500"), ("change", line, "EUR 600")), documents)
    if named.prevails is None:
        return None
    assert named.prevails.quote in " ".join([*amendment, *(contract or CONTRACT)])
    return named.prevails.candidate_id.partition("/")[0]


FEE = "The fee is EUR 600 a month."


@pytest.mark.parametrize(
    ("title", "clause", "expected"),
    [
        ("AMENDMENT NO. 1", "In case of conflict with the Agreement, this Amendment shall prevail.", "change"),
        ("AMENDMENT NO. 1", "If there is any inconsistency, the terms of this Amendment shall control.", "change"),
        ("AMENDMENT NO. 1", "In case of discrepancy, the Agreement shall prevail.", "contract"),
        ("ADENDA N.º 1", "En caso de contradicción entre ambos documentos, prevalecerá la presente Adenda.", "change"),
        ("AVENANT N° 1", "En cas de contradiction, le présent avenant prévaut.", "change"),
        ("AMENDMENT NO. 1", "In the event of conflict, nothing in this Amendment shall prevail.", None),
        ("AMENDMENT NO. 1", "The parties have no conflict of interest.", None),
        ("AMENDMENT NO. 1", "In case of conflict the English version shall prevail.", None),
    ],
)  # fmt: skip
def test_a_clause_on_precedence_names_a_document(title: str, clause: str, expected: str | None) -> None:
    """Three languages; what a clause denies, or says of something else, names nobody."""
    assert winner([title, clause, FEE], line=3) == expected


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("Section 4.1 is hereby deleted and replaced by the following:", "change"),
        ("Section 4.1 (Fee) of the Agreement is amended to read as follows:", "change"),
        ("La cláusula 4.1 queda sustituida por la siguiente:", "change"),
        ("L'article 4.1 est supprimé et remplacé par le texte suivant :", "change"),
        ("Section 5.1 is hereby deleted and replaced by the following:", None),
    ],
)
def test_a_replaced_section_is_overruled(clause: str, expected: str | None) -> None:
    """The new text prevails over the very section that it replaces, and over no other."""
    assert winner(["AMENDMENT NO. 1", clause, FEE], line=3) == expected


def test_an_order_of_precedence_is_read_from_its_list() -> None:
    """The first kind in the list that one of the sides is."""
    contract = [
        *CONTRACT,
        "If there is a conflict, the following order of precedence applies:",
        "(a) any amendment; (b) the Agreement.",
    ]
    assert winner(["AMENDMENT NO. 1", FEE], line=2, contract=contract) == "change"


def test_clauses_that_contradict_each_other_settle_nothing() -> None:
    """Each document says that it prevails itself: no side is named."""
    contract = [*CONTRACT, "In case of conflict this Agreement shall prevail."]
    clause = "In case of conflict this Amendment shall prevail."
    assert winner(["AMENDMENT NO. 1", clause, FEE], line=3, contract=contract) is None


def test_without_a_clause_nothing_is_settled() -> None:
    """Both stay as they are."""
    assert winner(["AMENDMENT NO. 1", FEE], line=2) is None
