"""What a document's beginning states: title, parties, dates, in three languages; nothing where it states nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.lines import Line
from pipeline.parsing.semantics import describe_subject
from pipeline.parsing.statements import find_dates, find_parties, find_title


def make_lines(*texts: str, size: float = 10.0, first_size: float = 10.0) -> list[Line]:
    """Lines one under the other; '*' before one makes it bold."""
    made = []
    for at, text in enumerate(texts, start=1):
        words = text.removeprefix("*")
        box = (72.0, 24.0 * at, 72.0 + 5 * len(words), 24.0 * at + 11)
        line = Line(at, 1, at, words, *box, "Times", size, words != text, False, 0, "single", "", box)
        line.size = first_size if at == 1 else size
        made.append(line)
    return made


@pytest.mark.parametrize(
    ("texts", "parties"),
    [
        (
            [
                "This Agreement is made by and between Acme, Inc., a Delaware corporation (“Supplier”), and Beta",
                "LLC (the “Customer”).",
            ],
            [("Acme, Inc.", "Supplier", 1), ("Beta LLC", "Customer", 1)],
        ),
        (
            [
                "BETWEEN:",
                "(1) ALPHA LIMITED, a company registered in England (“Alpha”); and",
                "(2) Gamma plc (“Gamma”)",
            ],
            [("ALPHA LIMITED", "Alpha", 2), ("Gamma plc", "Gamma", 3)],
        ),
        (
            [
                "by and between Acme Inc. (“Acme”), a Delaware corporation, and Beta International, Inc., a Nevada",
                "corporation (“Beta”).",
            ],
            [("Acme Inc.", "Acme", 1), ("Beta International, Inc.", "Beta", 1)],
        ),
        (
            [
                "Contrato de suministro entre Acme, S.A., sociedad con domicilio en Madrid (en adelante, el",
                "“Proveedor”), y Beta, S.L. (el “Cliente”).",
            ],
            [("Acme, S.A.", "Proveedor", 1), ("Beta, S.L.", "Cliente", 2)],
        ),
        (
            [
                "Contrat entre Acme SARL, au capital de 10 000 euros (ci-après le « Fournisseur »), et Beta SAS",
                "(ci-après le « Client »).",
            ],
            [("Acme SARL", "Fournisseur", 1), ("Beta SAS", "Client", 1)],
        ),
        (["The difference between the two is large and small."], []),
        (["between Acme Inc. and Beta LLC dated May 1, 2020"], [("Acme Inc.", None, 1), ("Beta LLC", None, 1)]),
    ],
)
def test_parties_of_a_preamble(texts: list[str], parties: list[tuple[str, str | None, int]]) -> None:
    """Names without what they are, the label they go by, and the line that names them."""
    assert [(party.text, party.label, party.line_id) for party in find_parties(make_lines(*texts))] == parties


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("made as of May 3, 2020 (the “Effective Date”)", [("May 3, 2020", "Effective Date")]),
        ("dated as of the 3rd day of May, 2020", [("3rd day of May, 2020", "dated as of")]),
        ("For the fiscal year ended December 31, 2022", [("December 31, 2022", "fiscal year ended")]),
        ("En Madrid, a 3 de mayo de 2020", [("3 de mayo de 2020", "En Madrid, a")]),
        ("Fait à Paris, le 3 mai 2020", [("3 mai 2020", "Fait à Paris, le")]),
        ("Invoice date: 2020-05-03", [("2020-05-03", "Invoice date")]),
        ("The fire of May 3, 2020 was great.", []),
    ],
)
def test_dates_that_have_a_name(text: str, dates: list[tuple[str, str]]) -> None:
    """As written, with the words that say what they are; a date in a story is none."""
    assert [(date.text, date.label) for date in find_dates(make_lines(text))] == dates


def test_an_instrument_names_itself() -> None:
    """The title of a contract is its own, not its label in a filing nor a party's name."""
    found = find_title(make_lines("*Exhibit 10.4", "*SUPPLY AGREEMENT", "This agreement is made by two parties."), 10.0)
    assert found is not None
    assert (found.text, found.line_id) == ("SUPPLY AGREEMENT", 2)


def test_the_largest_print_is_a_title() -> None:
    """Where nothing names itself, the largest print at the beginning is the title; plain text has none."""
    found = find_title(make_lines("Attention Is All You Need", "Some words.", first_size=17), 10.0)
    assert found is not None
    assert found.text == "Attention Is All You Need"
    assert find_title(make_lines("some words that begin a text", "and go on"), 10.0) is None


@given(st.lists(st.text(max_size=80), max_size=30))
def test_whatever_it_begins_with_its_statements_stand_in_it(texts: list[str]) -> None:
    """No text breaks the rules, and each statement's line exists."""
    lines = make_lines(*(" ".join(text.split()) for text in texts))
    zone = describe_subject("x.pdf", lines)
    for statement in [*([zone.title] if zone.title else []), *zone.parties, *zone.dates]:
        assert 1 <= statement.line_id <= len(lines)
