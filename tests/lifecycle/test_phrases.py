"""Phrases and figures: what counts as a term to be, and how a surplus is told from chance."""

from __future__ import annotations

import math

import pytest

from pipeline.lifecycle.counting import Counts, Standing, count_phrases
from pipeline.lifecycle.paragraphs import paragraphs_of
from pipeline.lifecycle.phrases import as_term, phrase_key, phrases_in, question_phrases
from tests.builders import document, lines


@pytest.mark.parametrize(
    ("text", "language", "held", "not_held"),
    [
        ("The cap on liability applies.", "en", {"cap on liability"}, {"on liability", "cap on"}),
        ("la limitación de la responsabilidad civil", "es", {"limitación de la responsabilidad civil"}, {"de la"}),
        ("la perte d’exploitation du site", "fr", {"perte d’exploitation"}, {"la perte"}),
        ("the aggre-\ngate exposure", "en", {"aggregate exposure"}, {"gate exposure"}),
        ("escrow\naccount", "en", {"escrow account"}, set()),
        ("escrow, account", "en", {"escrow"}, {"escrow, account"}),
        ("ninety days; the parties hereof; written notice", "en", set(), {"ninety days", "parties", "written notice"}),
        ("\x1b[2J escrow \x1b[0m =cmd()", "en", {"escrow"}, {"=cmd()"}),
        ("", "en", set(), set()),
        ("12 %, EUR 5", "de", set(), {"12"}),
    ],
)
def test_phrases_are_runs_of_content_words(text: str, language: str, held: set[str], not_held: set[str]) -> None:
    """Joining words stand inside and never at an end; punctuation, numerals and words of every contract divide."""
    found = set(phrases_in(text, language))
    assert held <= found
    assert not not_held & found


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Is there a clawback of bonuses?", "en", ["clawback of bonuses"]),
        ("Which parking fines must the supplier bear?", "en", ["parking fines"]),
        ("What does the contract say about |?", "en", []),
        ("¿Hay una cláusula de rescate?", "es", ["rescate"]),
        ("What is it?", "en", []),
    ],
)
def test_phrases_of_questions_are_what_they_are_about(text: str, language: str, expected: list[str]) -> None:
    """Words of asking and of every contract are left out, and everyday words where there are better ones."""
    assert question_phrases(text, language) == expected


def test_forms_of_one_term_have_one_key() -> None:
    """Singular and plural, hyphen and space, accents and capitals; what is no term has none."""
    for one, other in (("clawbacks", "Clawback"), ("Break-Options", "break option"), ("liabilities", "liability")):
        assert phrase_key(one) == phrase_key(other)
    assert phrase_key("obligaciones") == phrase_key("obligación")
    assert phrase_key("...") is None
    assert (as_term("CHANGE OF CONTROL"), as_term("SLA Credits")) == ("change of control", "SLA credits")


def counts(inside: int, here: int, total: int, paragraphs: int) -> Counts:
    """`here` of the concept's `inside` paragraphs hold the phrase, `total` of all."""
    concept = ("d", "c")
    return Counts(paragraphs, {concept: inside}, {"p": total}, {(concept, "p"): Standing(passages=here)})


def test_the_score_is_the_log_likelihood_ratio() -> None:
    """Checked against the formula written out; a phrase as frequent inside as outside scores nothing."""
    found = counts(10, 5, 8, 100).score(("d", "c"), "p")
    table = {(5, 8, 10): 5, (3, 8, 90): 3, (5, 92, 10): 5, (87, 92, 90): 87}
    expected = 2 * sum(n * math.log(n * 100 / (row * column)) for (n, row, column), n in table.items())
    assert found == pytest.approx(expected)
    assert counts(10, 1, 10, 100).score(("d", "c"), "p") == pytest.approx(0)
    assert counts(10, 5, 8, 100).lift(("d", "c"), "p") == pytest.approx(6.25)
    assert Counts().lift(("d", "c"), "p") == 0


def test_counts_are_of_paragraphs_and_of_all_written_forms() -> None:
    """A phrase over a line break counts once for its paragraph; hidden lines and running headers count nowhere."""
    texts = ["the escrow", "accounts are kept", "an escrow account", "escrow account", "escrow account"]
    frame = lines(
        texts, paragraph_id=[1, 1, 2, 3, 4], visible=[True, True, True, False, True],
        hidden_reason=[None, None, None, "white", None], role=["body", "body", "body", "body", "header"],
    )  # fmt: skip
    read = paragraphs_of(document(frame))
    marks = {read.doc_id: {2: frozenset({("d", "c")})}}
    found = count_phrases([read], marks, ["escrow account"], narrate=lambda _words: None)
    assert (found.paragraphs, found.holding) == (2, {"escrow account": 2})
    assert found.passages(("d", "c"), "escrow account") == 1
    assert [line.line_id for line in found.standing[("d", "c"), "escrow account"].lines] == [1]
