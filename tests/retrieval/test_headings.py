"""Which lines are titles over what follows, and which are clauses of one line."""

from __future__ import annotations

import pytest

from pipeline.retrieval.lines import read_lines
from pipeline.scope.sentences import is_sentence, sentence_starts
from tests.builders import document, lines, toc

TITLES = [
    "7. Governing Law.",
    "7.1 Termination and Its Effects.",
    "ARTICLE IX. LIMITATION OF LIABILITY.",
    "3. When This Agreement Is Terminated.",
    "4. Effect of a Breach of the Contract.",
    "8. Ley aplicable y jurisdicción.",
    "9. Durée et fin du contrat.",
    "5. Means of Payment and Other Terms.",
]
CLAUSES = [
    "7.1 This Agreement is governed by the laws of Ireland.",
    "6.1 Law. This Agreement shall be construed under Irish law.",
    "2. The initial term of the agreement is five years.",
    "12. THIS AGREEMENT SHALL BE GOVERNED BY IRISH LAW.",
    "8.1 El presente contrato se rige por la ley española.",
    "9.1 Le présent contrat est régi par le droit français.",
    "(b) the Supplier may assign its rights to an Affiliate;",
]


@pytest.mark.parametrize("role", ["heading", "body"])
@pytest.mark.parametrize("text", CLAUSES)
def test_a_sentence_is_no_heading(text: str, role: str) -> None:
    """A numbered line that is a whole sentence is read as a clause, whatever role or outline entry it was given."""
    line_df = lines([text, "Something else follows here."], role=[role, "body"])
    outline = toc([(1, text, 1, 2)], line_df)
    assert read_lines(document(line_df, toc_df=outline)).is_heading == [False, False]


@pytest.mark.parametrize("text", TITLES)
def test_a_title_with_a_full_stop_stays_a_heading(text: str) -> None:
    """A title says nothing, with or without a full stop."""
    assert read_lines(document(lines([text, "Something follows."], role=["heading", "body"]))).is_heading[0]


@pytest.mark.parametrize("text", ["Governing Law.", "Time.", "How the fee is calculated", "When we may end it."])
def test_what_is_no_sentence(text: str) -> None:
    """Without a verb, a full stop or enough words there is no sentence, nor in a title that asks."""
    assert not is_sentence(text)


def test_where_sentences_start() -> None:
    """Abbreviations and numbers end no sentence."""
    text = "Acme Inc. pays No. 5 first. Then it ends. (2) The rest follows."
    assert [text[start : start + 4] for start in sentence_starts(text)] == ["Acme", "Then", "(2) "]
