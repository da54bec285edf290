"""The dispatcher: the two functions of the source text, and the decision with its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.retrieval.dispatch import RULES, choose_methods, choose_retrieval_strategy, dispatch
from schemas.question import ExecutionPlan, StructuralHints
from schemas.tables import CROSS_REF_DF
from tests.builders import document, lines, toc
from tests.retrieval.build import question

# The four questions of the source text: intent, keywords, exact, diverges -> strategy on a document with contents.
FOUR = [
    ("qa", ["multi-head", "attention"], False, False, ["toc_reasoning", "title_keyword_match", "reason_then_match"]),
    ("qa", ["Figure 2"], True, False, ["toc_reasoning", "title_keyword_match", "reason_then_match", "bm25"]),
    ("qa", [], False, True, ["toc_reasoning", "title_keyword_match", "hybrid_embedding"]),
    ("summarization", ["Training"], False, False, ["toc_reasoning", "title_keyword_match", "reason_then_match"]),
]


def sectioned() -> object:
    """A document with four sections."""
    line_df = lines(["Fees", "The fee is high.", "Term", "Two years.", "Law", "France.", "Notices", "By post."])
    return document(
        line_df, toc_df=toc([(1, "Fees", 1, 2), (1, "Term", 3, 4), (1, "Law", 5, 6), (1, "Notices", 7, 8)], line_df)
    )


@pytest.mark.parametrize(("intent", "keywords", "exact", "diverges", "expected"), FOUR)
def test_strategy_of_the_source_text(intent, keywords, exact, diverges, expected):
    """The four questions of the source text get the strategies that it prints."""
    assert choose_retrieval_strategy(intent, keywords, True, exact, diverges) == expected


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("qa", ["premium"], True), ["toc", "co_occurrence"]),
        (("qa", ["L131-1"], False, True), ["co_occurrence", "bm25"]),
        (("listing", ["premium"], True), ["co_occurrence"]),
        (("qa", [], False), ["embedding"]),
        (("qa", ["exit"], False, False, True), ["co_occurrence", "embedding"]),
        (("qa", [], True), ["toc"]),
    ],
)
def test_methods_of_the_source_text(args, expected):
    """Methods follow contents, keywords and codes; embeddings come last, alone or where words diverge."""
    assert choose_methods(*args) == expected


def test_strategy_without_contents():
    """Without a contents page keywords match content, and embeddings are of chunks."""
    assert choose_retrieval_strategy("qa", ["exit"], False, False, True) == [
        "content_keyword_match",
        "chunk_embedding_match",
    ]
    assert choose_retrieval_strategy("qa", [], False) == ["chunk_embedding_match"]


def test_every_decision_has_its_rule_and_reason():
    """Each detector is either run or skipped, by a rule of the table, with a reason where it is skipped."""
    plan = dispatch(sectioned(), question(words=["fee"]), embedder_available=False)
    assert plan.run == ("title_keyword_match", "content_keyword_match")
    assert set(plan.rules) == {*plan.run, *plan.skipped}
    assert set(plan.rules.values()) <= set(RULES)
    assert set(plan.reasons) == set(plan.skipped)
    assert plan.rules["chunk_embedding_match"] == "keyword_signal_suffices"


def test_no_embedder_says_so():
    """Where embeddings would be the only way, the reason names the missing model."""
    plan = dispatch(document(lines(["a"])), question(), embedder_available=False)
    assert plan.run == ()
    assert "No embedding model is configured" in plan.reasons["chunk_embedding_match"]


def test_diverging_words_bring_embeddings():
    """Where no keyword stands in the document, a given embedder runs beside the keywords."""
    plan = dispatch(sectioned(), question(words=["exit"]), embedder_available=True, vocabulary_diverges=True)
    assert plan.run[-2:] == ("chunk_embedding_match", "title_embedding_match")
    assert plan.rules["chunk_embedding_match"] == "vocabulary_diverges"


def test_listing_reads_titles_and_plan_can_switch_off():
    """A listing is led by titles as a question is; the plan may switch titles and keywords off."""
    listing = question(words=["fee"], intent="listing")
    assert "title_keyword_match" in dispatch(sectioned(), listing, embedder_available=False).run
    off = question(words=["fee"], plan=ExecutionPlan(use_toc=False))
    plan = dispatch(sectioned(), off, embedder_available=False)
    assert plan.rules["title_keyword_match"] == "switched_off"


def test_pages_named():
    """Pages that the user named bring their own detector."""
    plan = dispatch(sectioned(), question(hints=StructuralHints(pages_hint=(1,))), embedder_available=False)
    assert "page_hint" in plan.run


@pytest.mark.parametrize(
    ("asked", "options", "rule"),
    [
        ({"words": ["exit"]}, {"embedder_available": True, "vocabulary_diverges": True}, "no_title_matches"),
        ({"words": ["exit"]}, {"embedder_available": False, "vocabulary_diverges": True}, "no_embedder"),
        ({"words": ["fee"]}, {"embedder_available": True, "titles_match": True}, "titles_match"),
        ({"words": ["fee"]}, {"embedder_available": True}, "keyword_signal_suffices"),
        (
            {"words": ["exit"], "plan": ExecutionPlan(use_toc=False)},
            {"embedder_available": True, "vocabulary_diverges": True},
            "switched_off",
        ),
    ],
)
def test_titles_are_searched_by_meaning_last(asked, options, rule):
    """Titles are compared by meaning only with an embedder, where passages are, and where no title holds a term."""
    plan = dispatch(sectioned(), question(**asked), **options)
    assert plan.rules["title_embedding_match"] == rule
    assert ("title_embedding_match" in plan.run) == (rule == "no_title_matches")


def test_titles_by_meaning_need_contents():
    """Without a table of contents there are no titles to compare."""
    plan = dispatch(document(lines(["a"])), question(words=["exit"]), embedder_available=True, vocabulary_diverges=True)
    assert plan.rules["title_embedding_match"] == "no_usable_toc"


def referring() -> object:
    """A document with a mention of another place."""
    mention = CROSS_REF_DF.build(
        {
            "ref_type": ["schedule"], "ref_id": ["2"], "page_num": [1], "line_id": [1], "char_start": [0],
            "context": ["Schedule 2"], "target_line_id": [2], "source": ["pattern"],
        }
    )  # fmt: skip
    return document(lines(["Schedule 2", "Text."]), cross_ref_df=mention)


@pytest.mark.parametrize(
    ("parsed", "follow", "refers", "rule"),
    [
        (referring(), True, True, "topic_refers_elsewhere"),
        (referring(), True, False, "no_reference_to_follow"),
        (referring(), False, True, "switched_off"),
        (sectioned(), False, False, "no_reference_to_follow"),
    ],
)
def test_references_are_followed_where_the_topic_refers(parsed, follow, refers, rule):
    """Only a passage on the topic that refers elsewhere brings the detector, and only where the plan allows it."""
    asked = question(words=["fee"], plan=ExecutionPlan(follow_references=follow))
    plan = dispatch(parsed, asked, embedder_available=False, refers_elsewhere=refers)
    assert plan.rules["reference_follow"] == rule
    assert ("reference_follow" in plan.run) == (rule == "topic_refers_elsewhere")
    assert ("reference_follow" in plan.reasons) == (rule != "topic_refers_elsewhere")


@pytest.mark.parametrize(
    ("asked", "options", "method", "rule"),
    [
        ({"words": ["fee"]}, {}, "title_keyword_match", "toc_serves_the_intent"),
        ({"words": ["fee"], "intent": "out_of_scope"}, {}, "title_keyword_match", "intent_without_toc"),
        ({"words": ["fee"]}, {}, "content_keyword_match", "keywords_present"),
        ({}, {}, "content_keyword_match", "no_keywords"),
        ({"words": ["fee"], "plan": ExecutionPlan(use_keywords=False)}, {}, "content_keyword_match", "switched_off"),
        ({"anchors": [("figure", "Figure 2", "2")]}, {}, "bm25", "exact_codes_present"),
        ({"words": ["fee"]}, {}, "bm25", "no_exact_codes"),
        ({"anchors": [("defined_term", "Fee", "Fee")]}, {}, "definition_match", "meaning_asked"),
        ({"words": ["fee"]}, {}, "definition_match", "no_meaning_asked"),
        ({"hints": StructuralHints(pages_hint=(1,))}, {}, "page_hint", "pages_named"),
        ({"words": ["fee"]}, {}, "page_hint", "no_pages_named"),
        (
            {"words": ["fee"], "plan": ExecutionPlan(use_embeddings=True)}, {"embedder_available": True},
            "chunk_embedding_match", "meaning_asked_for",
        ),
        ({"words": ["fee"]}, {"vocabulary_diverges": True}, "chunk_embedding_match", "no_embedder"),
    ],
)  # fmt: skip
def test_each_branch_has_its_rule(asked, options, method, rule):
    """Every branch of the decision tree gives its own named rule, and the rule tells whether the method runs."""
    plan = dispatch(sectioned(), question(**asked), **{"embedder_available": False, **options})
    assert plan.rules[method] == rule
    assert (method in plan.run) == (method not in plan.reasons)


@pytest.mark.parametrize(("available", "rule"), [(True, "nothing_else_fires"), (False, "no_embedder")])
def test_meaning_is_searched_where_nothing_else_fires(available, rule):
    """A question without a word to search for is left to embeddings; without any the record says so."""
    plan = dispatch(sectioned(), question(intent="out_of_scope"), embedder_available=available)
    assert plan.rules["chunk_embedding_match"] == rule
    assert ("chunk_embedding_match" in plan.run) is available


def test_every_rule_of_the_dispatcher_is_named_in_a_test():
    """No branch of the dispatcher is without an example in this file."""
    told = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in RULES if f'"{name}"' not in told] == []
