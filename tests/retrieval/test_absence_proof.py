"""The proof of absence: its verdicts never confused, its misses readable, its risk stated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.retrieval import retrieve
from pipeline.retrieval.arbiter.measured import load_measured
from pipeline.retrieval.miss_table import (
    MIN_SAMPLE,
    MissCount,
    MissTable,
    miss_probability,
    tell_misses,
    wilson_interval,
)
from schemas.question import ScopeFilters
from tests.builders import document, lines, pages
from tests.retrieval.build import concept, question

TABLE = MissTable(
    measured_on="60 contracts", documents=60, dictionary="contracts", dictionary_version="1",
    all_concepts=MissCount(not_found=400, present=20),
    concepts={"escrow": MissCount(not_found=40, present=2), "rare": MissCount(not_found=3, present=0),
              "date": MissCount(not_found=9, present=9)},
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    exhaustive=st.booleans(),
    term=st.booleans(),
    scanned=st.booleans(),
    restricted=st.booleans(),
    neighbour=st.booleans(),
)
def test_the_table_of_verdicts(exhaustive, term, scanned, restricted, neighbour):
    """proven_absent wants all of: an exhaustive vocabulary, no hit, every page read, the whole document; else never."""
    texts = ["Escrow ........ 12" if term else "Nothing.", "The deposit is paid." if neighbour else "Nothing more."]
    parsed = document(
        lines(texts, page=[1, 2]), page_df=pages(3, status=["native", "native", "scanned" if scanned else "native"])
    )
    filters = ScopeFilters(page_range=(1, 2)) if restricted else ScopeFilters()
    known = concept("escrow", terms=["escrow"], neighbours=("deposit",), exhaustive=exhaustive)
    proof = retrieve(parsed, question(concepts=[known], filters=filters)).absence
    assert proof is not None
    if scanned:
        assert proof.verdict == "inconclusive"
    elif exhaustive and not term and not restricted:
        assert proof.verdict == "proven_absent"
    else:
        assert proof.verdict == "not_found"
    assert proof.exhaustive is exhaustive
    assert proof.statement.startswith("Absent:") is (proof.verdict == "proven_absent")


@pytest.mark.parametrize(
    ("texts", "asked", "level"),
    [
        ([], question(words=["escrow"]), "document"),
        (["a b"], question(words=["escrow"], filters=ScopeFilters(page_range=(7, 9))), "section"),
        (["a b"], question(words=["escrow"]), "retrieval"),
        (["Escrow ..... 12"], question(concepts=[concept("escrow", terms=["escrow"])]), "arbiter"),
    ],
)
def test_the_level_says_where_the_search_ended(texts, asked, level):
    """No text, nothing in scope, nothing proposed, nothing kept: four levels (the fifth is generation's)."""
    proof = retrieve(document(lines(texts)), asked).absence
    assert proof is not None
    assert proof.level == level


def test_a_header_of_another_topic_proves_nothing():
    """A running header with a word of the question's second topic leaves the finding as it is."""
    line_df = lines(["License Agreement", "Nothing."], role=["header", "body"])
    asked = question(
        concepts=[concept("escrow", terms=["escrow"], exhaustive=True), concept("grant", terms=["license"])]
    )
    assert retrieve(document(line_df), asked).absence.verdict == "proven_absent"
    own = question(concepts=[concept("grant", terms=["license"], exhaustive=True)])
    assert retrieve(document(line_df), own).absence.verdict == "inconclusive"


def test_misses_are_distinct_and_nearest_first():
    """Supporting passages come before discarded ones, each place once, and at most two for the same reason."""
    texts = [*(f"The deposit number {n} is paid." for n in range(6)), "See Section 9 (Escrow agent)."]
    known = concept("escrow", terms=["escrow agent"], neighbours=("deposit number",))
    found = retrieve(document(lines(texts)), question(concepts=[known], secondary=[("paid", "escrow")]))
    misses = found.absence.nearest_misses
    roles = {one.candidate_id: one.role for one in found.provenances}
    order = ["supporting", "tangential", "discarded"]
    ranks = [order.index(roles[miss.candidate_id]) for miss in misses]
    assert ranks == sorted(ranks)
    assert len({miss.line_id for miss in misses}) == len(misses) <= 5
    reasons = [miss.why_not for miss in misses]
    assert all(reasons.count(reason) <= 2 for reason in reasons)
    assert all(reason.endswith(".") and "\n" not in reason for reason in reasons)


def test_misses_of_one_plain_word_give_way():
    """A passage that only says 'party' is shown where nothing else came near, and not beside what did."""
    known = concept("escrow", terms=["escrow"], neighbours=("party",), distractors=("escrow account tax",))
    alone = retrieve(document(lines(["Each party pays."])), question(concepts=[known]))
    assert "neighbouring topic" in alone.absence.nearest_misses[0].why_not
    beside = retrieve(document(lines(["Each party pays.", "The escrow account tax."])), question(concepts=[known]))
    assert [miss.line_id for miss in beside.absence.nearest_misses] == [2]


def test_a_statement_names_topic_terms_and_what_follows():
    """Without an exhaustive dictionary the statement says that it is no proof; patterns are not spelt out."""
    known = concept("source_code_escrow", terms=["escrow"], patterns=("source[- ]code (?:is )?held",))
    said = retrieve(document(lines(["Nothing."])), question(concepts=[known])).absence.statement
    assert "'source code escrow'" in said
    assert "no proof of absence" in said
    assert "(?:" not in said


def test_the_risk_of_a_miss_is_of_the_concept_or_of_all():
    """Enough findings of its own, or all together and said so; nothing for a dictionary that was not measured."""
    own = miss_probability("escrow", "contracts", TABLE)
    assert (own.probability, own.sample_size) == (0.05, 40)
    assert own.low < 0.05 < own.high
    assert "'escrow'" in own.measured_on
    rare = miss_probability("rare", "contracts", TABLE)
    assert rare.sample_size == 400
    assert "all topics together" in rare.measured_on
    assert MIN_SAMPLE > 9
    assert miss_probability("date", "contracts", TABLE).sample_size == 9  # few, and plainly worse than the rest
    assert miss_probability("ratio", "finance", TABLE) is None
    assert "2 of 40 such findings for 'escrow' were wrong" in tell_misses(own, "escrow")
    told = tell_misses(rare, "rare")
    assert "Too few findings for this topic were checked to say. Over all topics together, in" in told
    assert "of 400 findings that something is not there were wrong" in told


@given(trials=st.integers(0, 500), share=st.floats(0, 1))
def test_the_interval_holds_the_share(trials, share):
    """Wilson's interval lies in 0 to 1 and holds the measured share; without a trial it is all of it."""
    successes = round(trials * share)
    low, high = wilson_interval(successes, trials)
    assert 0 <= low <= high <= 1
    if trials:
        assert low - 1e-6 <= successes / trials <= high + 1e-6


def test_the_interval_of_a_known_case():
    """4 of 120: Wilson's bounds as published tables give them."""
    assert wilson_interval(4, 120) == pytest.approx((0.0130, 0.0825), abs=2e-3)


def test_only_the_way_that_was_measured_states_its_risk(monkeypatch):
    """A finding inside named pages, and one that is inconclusive, states no figure; one over the whole does."""
    monkeypatch.setattr("pipeline.retrieval.miss_table.read_miss_table", lambda: TABLE)
    asked = question(concepts=[concept("escrow", terms=["escrow"])])
    long = ["Nothing."] * load_measured().shortest
    assert retrieve(document(lines(long)), asked).absence.miss_probability.sample_size == 40
    inside = asked.model_copy(update={"filters": ScopeFilters(page_range=(1, 1))})
    assert retrieve(document(lines(long)), inside).absence.miss_probability is None
    unread = document(lines(long), page_df=pages(2, status=["native", "scanned"]))
    assert retrieve(unread, asked).absence.miss_probability is None


def test_no_figure_for_a_document_shorter_than_those_measured(monkeypatch):
    """Contracts of hundreds of lines say nothing of a text of a few."""
    monkeypatch.setattr("pipeline.retrieval.miss_table.read_miss_table", lambda: TABLE)
    asked = question(concepts=[concept("escrow", terms=["escrow"])])
    short = ["Nothing."] * (load_measured().shortest - 1)
    found = retrieve(document(lines(short)), asked).absence
    assert found.miss_probability is None
    assert "How sure" not in found.statement


def test_a_proven_absence_has_a_figure_of_its_own_topic_or_none(monkeypatch):
    """What was measured over all topics together says nothing of a proof for this one."""
    monkeypatch.setattr("pipeline.retrieval.miss_table.read_miss_table", lambda: TABLE)
    long = document(lines(["Nothing."] * load_measured().shortest))
    for name, claims, told in (("rare", True, False), ("rare", False, True), ("escrow", True, True)):
        asked = question(concepts=[concept(name, terms=["escrow"], exhaustive=claims)])
        found = retrieve(long, asked).absence
        assert found.verdict == ("proven_absent" if claims else "not_found")
        assert (found.miss_probability is not None) is told
        assert ("How sure" in found.statement) is told


def test_words_that_stand_only_in_a_heading_are_said_to_and_listed():
    """A document of headings: the statement says where the words stand, and the heading is the nearest miss."""
    known = concept("governing_law", terms=["governing law"])
    bare = document(lines(["Agreement", "Governing Law", "Term"], role=["heading"] * 3))
    found = retrieve(bare, question(concepts=[known])).absence
    assert found is not None
    assert "stands only in a heading, which states nothing by itself" in found.statement
    assert [miss.line_id for miss in found.nearest_misses] == [2]
    assert "A heading that names 'governing law'" in found.nearest_misses[0].why_not
