"""The named strategies as a whole: lists, fusion, wording, context, parents, the record, and what is refused."""

from __future__ import annotations

import json

import pytest

from pipeline.generation import generate
from pipeline.retrieval import retrieve
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies import parse_strategy
from pipeline.retrieval.timing import StageTimes
from schemas.errors import SettingsError
from schemas.question import ScopeFilters
from schemas.retrieval import AuditedRetrievalResult
from tests.builders import document, lines, pages, profile, toc
from tests.retrieval.build import concept, question
from tests.retrieval.models import Model, Scores, WordVectors, WordWeights

FILL = " ".join(["and so on"] * 34)  # characters enough for a passage of its own

HIDDEN = document(lines(["x"], visible=[False], hidden_reason=["tiny"]))


def contract(**columns):
    """Three sections of two long paragraphs each, on two pages."""
    texts = [
        "1 Fees", f"The fee is ten dollars. {FILL}", f"Interest is owed on a late fee. {FILL}",
        "2 Law", f"The law of France governs. {FILL}", f"The courts of Paris decide. {FILL}",
        "3 Term", f"It runs for two years. {FILL}", f"It is renewed in silence. {FILL}",
    ]  # fmt: skip
    line_df = lines(
        texts, page=[1] * 6 + [2] * 3, role=["heading", "body", "body"] * 3,
        section_id=["1"] * 3 + ["2"] * 3 + ["3"] * 3, **columns,
    )  # fmt: skip
    return document(line_df, toc_df=toc([(1, "Fees", 1, 3), (1, "Law", 4, 6), (1, "Term", 7, 9)], line_df))


def run(name, asked="Which law governs?", parsed=None, *, models=None, times=None, **changes):
    """A result of a strategy; every model that it could want is given unless `models` says otherwise."""
    given = {"embedder": WordVectors(), "cross_encoder": Scores(len), "sparse_encoder": WordWeights()} | (models or {})
    asked = question(asked) if isinstance(asked, str) else asked
    settings = RetrievalSettings(strategy=name, **changes)
    return retrieve(parsed or contract(), asked, settings=settings, times=times, **given)


ALL = [
    "bm25_only", "embedding_only", "hybrid_rrf", "hybrid_rrf+sparse", "bm25_only+contextual", "hybrid_rrf+contextual",
    "hybrid_rrf+hyde", "embedding_only+hyde", "bm25_only+hyde", "hybrid_rrf+parent", "hybrid_rrf+cross_encoder",
    "hybrid_rrf+contextual+hyde+sparse+parent+cross_encoder",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_every_strategy_gives_the_record_of_the_arbiter(name):
    """Found, complete, primary throughout, each with ranks and a reason; the same bytes every time; it can be read."""
    found = run(name)
    assert found.strategy_name == parse_strategy(name).name
    assert found.arbiter == "ranking"
    assert "law of France" in found.candidates[0].text
    assert {one.role for one in found.candidates} == {"primary"}
    assert [one.candidate_id for one in found.candidates] == [
        one.candidate_id for one in found.provenances if one.role == "primary"
    ]
    for one in found.provenances:
        assert set(one.rank_per_method) == set(one.methods_that_found_it) == set(one.detector_reasons)
        assert set(one.score_per_method) >= set(one.methods_that_found_it)
        assert "rank " in one.reason.lower()
        assert sum(term.contribution for term in one.score_terms) == pytest.approx(one.score_per_method.get("bm25", 0))
    assert set(found.skipped_reasons) == set(found.methods_skipped)
    assert found.context_budget == 32_000
    assert run(name).to_json() == found.to_json()
    assert AuditedRetrievalResult.from_json(found.to_json(), where="test") == found


def test_a_fused_record_quotes_the_ranks_of_every_list():
    """Reasons say where a passage stood in each list; scores are kept apart, never added up."""
    found = run("hybrid_rrf", handed_over=2)
    first = found.provenances[0]
    assert first.reason == "Rank 1 of BM25, rank 1 of embeddings."
    assert first.score_per_method["rrf"] == pytest.approx(2 / 61)
    assert found.methods_run == ("bm25", "dense")
    assert found.methods_used == ("bm25", "dense", "rrf", "ranking")
    assert found.dispatch_rules["sparse"] == "not_in_strategy"
    assert found.provenances[2].role == "discarded"
    assert found.provenances[2].reason.startswith("Beyond the first 2: place 3, ")
    lonely = next(one for one in found.provenances if one.methods_that_found_it == ("dense",))
    assert "not in BM25" in lonely.reason
    assert not lonely.score_terms


def test_rrf_takes_the_constant_from_the_settings():
    """The sum of 1 / (k + rank) over the lists."""
    assert run("hybrid_rrf", rrf_k=20).provenances[0].score_per_method["rrf"] == pytest.approx(2 / 21)
    assert run("hybrid_rrf+sparse").provenances[0].score_per_method["rrf"] == pytest.approx(3 / 61)


def test_a_list_proposes_no_more_than_its_limit():
    """Fifty by default; what no list proposes is not accounted for."""
    assert len(run("embedding_only", list_limit=3).provenances) == 3
    assert RetrievalSettings().list_limit == 50


@pytest.mark.parametrize(
    ("filters", "pages_found"), [({"pages": (2,)}, {2}), ({"page_range": (1, 1)}, {1}), ({"sections": ("Term",)}, {2})]
)
@pytest.mark.parametrize("name", ["bm25_only", "embedding_only", "hybrid_rrf+sparse"])
def test_filters_apply_inside_each_search(name, filters, pages_found):
    """What lies outside the scope takes no place in any list: a list of one is still full."""
    asked = question("fee law years", filters=ScopeFilters(**filters))
    found = run(name, asked, list_limit=1)
    assert len(found.candidates) >= 1
    assert {one.anchor.page_start for one in found.provenances} == pages_found


def test_two_scopes_and_two_documents_are_kept_apart():
    """What was cut for one question is not used for another scope or another document, though their hashes agree."""
    parsed, other = contract(), document(lines([f"The law of Spain governs. {FILL}"]))
    assert "France" in run("bm25_only", parsed=parsed).candidates[0].text
    assert "Spain" in run("bm25_only", parsed=other).candidates[0].text
    limited = question("Which law governs?", filters=ScopeFilters(pages=(2,)))
    assert run("bm25_only", limited, parsed).not_found
    assert "France" in run("bm25_only", parsed=parsed).candidates[0].text


def test_hidden_lines_and_running_headers_are_in_no_passage():
    """They are neither searched nor handed over."""
    texts = ["The law of France.", "law law law", "law header", "It governs."]
    line_df = lines(
        texts, visible=[True, False, True, True], hidden_reason=[None, "white on white", None, None],
        role=["body", "body", "header", "body"],
    )  # fmt: skip
    found = run("hybrid_rrf", parsed=document(line_df))
    assert [line.line_id for one in found.candidates for line in one.lines] == [1, 4]
    assert len(found.candidates[0].lines) == 2


@pytest.mark.parametrize(
    ("name", "models", "said"),
    [
        ("embedding_only", {"embedder": None}, "an embedder"),
        ("hybrid_rrf+sparse", {"embedder": None, "sparse_encoder": None}, "an embedder and a sparse encoder"),
        ("bm25_only+cross_encoder", {"cross_encoder": None}, "a cross-encoder"),
        ("bm25_only+llm_rerank", {}, "a language model"),
        ("bm25_only+llm_rerank_ids", {}, "a language model"),
        ("bm25", {}, "'bm25' is not known"),
        ("bm25_only+parent+parent", {}, "once"),
        ("embedding_only", {"embedder": None}, r"pip install 'lineproof\[embeddings\]'.*LINEPROOF_EMBEDDINGS"),
        ("hybrid_rrf+sparse", {"sparse_encoder": None}, "LINEPROOF_SPARSE_ENCODER"),
        ("bm25_only+cross_encoder", {"cross_encoder": None}, "LINEPROOF_CROSS_ENCODER"),
        ("bm25_only+llm_rerank", {}, "LINEPROOF_MODEL"),
        ("arbiter+parent", {}, "'arbiter' takes no options; give 'arbiter' alone"),
        ("bm25_olny", {}, "did you mean 'bm25_only'"),
        ("BM25_only", {}, "did you mean 'bm25_only'"),
        ("Arbiter", {}, "did you mean 'arbiter'"),
        ("hybrid_rrf+cros-encoder", {}, "did you mean 'cross_encoder'"),
        ("cross_encoder", {}, "'cross_encoder' is an option; write it after"),
        ("", {}, "'' is not known; give"),
    ],
)
def test_a_strategy_without_its_model_is_refused(name, models, said):
    """The message names what is missing; nothing is replaced in silence."""
    with pytest.raises(SettingsError, match=said):
        run(name, models=models)


def test_an_embedder_that_does_not_normalise_is_refused():
    """A dot product of other vectors is no cosine."""

    class Long(WordVectors):
        def __call__(self, texts):
            return super().__call__(texts) * 2

    with pytest.raises(SettingsError, match="L2-normalised"):
        run("embedding_only", models={"embedder": Long()})


def test_passages_are_embedded_once_a_document():
    """Forty questions on one document embed its passages once; only the question is new."""
    embedder, parsed = WordVectors(), contract()
    run("hybrid_rrf", parsed=parsed, models={"embedder": embedder})
    count = len(embedder.texts)
    run("hybrid_rrf", "What is the term?", parsed, models={"embedder": embedder})
    assert len(embedder.texts) == count + 1


def test_without_a_model_titles_place_a_passage():
    """The breadcrumb is searched with the passage, stored apart, and stands in no text."""
    found = run("bm25_only+contextual", "fees")
    assert {one.situating_context for one in found.provenances} == {"Fees"}
    assert len(found.candidates) == 2  # the second holds the word 'fees' by its title alone
    assert len(run("bm25_only", "fees").candidates) == 1
    assert "Fees" not in found.candidates[1].text + found.candidates[1].snippet
    assert found.dispatch_rules["contextual"] == "titles_over_the_passage"
    assert not found.downgrades


def test_a_model_places_each_passage_with_the_document_first():
    """One call a passage; all before the passage is the same, so that a prompt cache serves it."""
    model, parsed = Model(lambda prompt: {"context": f"On Zanzibar, {len(model.prompts)}."}), contract()
    found = run("hybrid_rrf+contextual", "Zanzibar", parsed, models={"llm": model})
    heads = {prompt.system + prompt.user.split("<passage>")[0] for prompt in model.prompts}
    assert len(model.prompts) == 6
    assert len(heads) == 1
    assert "law of France" in heads.pop()
    assert set(model.purposes) == {"situating"}
    assert all(one.situating_context.startswith("On Zanzibar") for one in found.provenances)
    assert all("Zanzibar" not in one.text + one.snippet for one in found.candidates)
    assert found.model_uses[0].call_keys == tuple(f"k{n}" for n in range(1, 7))
    assert found.model_uses[0].input_tokens == 60
    again = run("hybrid_rrf+contextual", "Zanzibar", parsed, models={"llm": model})
    assert len(model.prompts) == 6
    assert again.to_json() == found.to_json()


def test_situating_has_a_budget_and_survives_a_failing_model():
    """Over the budget no call is made; after three failures no further one: the titles stand in, on record."""
    model = Model(lambda _: {"context": "x"})
    found = run("bm25_only+contextual", "fees", models={"llm": model}, situating_calls=5)
    assert model.prompts == []
    assert "situating_calls allows 5" in found.downgrades[0].reason
    assert found.provenances[0].situating_context == "Fees"
    broken = Model(lambda _: None)
    found = run("bm25_only+contextual", "fees", models={"llm": broken})
    assert len(broken.prompts) == 3
    assert "6 of 6 passages got no sentence" in found.downgrades[0].reason
    assert found.model_uses[0].outcome == "failed"
    assert found.provenances[0].situating_context == "Fees"


def test_hyde_searches_by_a_passage_that_would_answer():
    """The hypothetical passage and the question are compared, the nearer counts; it stands in no text."""
    model = Model(lambda _: {"passage": "renewed in silence"})
    found = run("embedding_only+hyde", "prolongation", models={"llm": model})
    assert "renewed in silence" in found.candidates[0].text
    assert model.purposes == ["hyde"]
    assert found.dispatch_rules["hyde"] == "hypothetical_passage"
    assert not found.downgrades


@pytest.mark.parametrize("llm", [None, Model(lambda _: None), Model(lambda _: {"passage": "  "})])
def test_hyde_without_a_passage_takes_the_experts_words(llm):
    """No model, none that answers, an empty passage: the dictionary's words widen the query, and it is on record."""
    asked = question("Is it prolonged?", concepts=[concept("renewal", terms=["renewed", "renewal"])])
    found = run("hybrid_rrf+hyde", asked, models={"llm": llm})
    best = next(one for one in found.provenances if "renewed" in {term.term for term in one.score_terms})
    assert best.rank_per_method["bm25"] == 1
    assert [(one.wanted, one.used) for one in found.downgrades] == [
        ("hypothetical passage by a model", "words of the expert dictionaries")
    ]
    assert "renewed" not in {term.term for one in run("hybrid_rrf", asked).provenances for term in one.score_terms}


def test_children_of_one_section_are_handed_over_as_their_parent():
    """Two hits in a section: the section is read, anchored at the better one, with the methods of both on record."""
    found = run("bm25_only+parent", "fee")
    (only,) = found.candidates
    assert [line.line_id for line in only.lines] == [1, 2, 3]
    assert only.context.contains(only.anchor)
    assert set(only.anchor_line_ids) < {1, 2, 3}
    assert only.reason.endswith("with 1 more of its section.")
    assert [one.role for one in found.provenances] == ["primary", "discarded"]
    assert found.provenances[1].reason.startswith(f"Read with {only.candidate_id}, the same section")
    assert len(run("bm25_only", "fee").candidates) == 2


def test_methods_of_merged_children_are_kept():
    """A parent names every method that found any of its children, each with its best rank there."""
    found = run("hybrid_rrf+parent", "late fee", models={"embedder": WordVectors(late="ten")})
    assert set(found.candidates[0].methods) == {"bm25", "dense"}
    assert set(found.provenances[0].rank_per_method) == {"bm25", "dense"}


def test_a_parent_is_cut_at_structure_and_holds_its_anchor():
    """A section beyond the limit is read as the passages nearest to the anchor that fit."""
    texts = ["1 Fees", *(f"Fee {n} is due. {FILL}" for n in range(8))]
    line_df = lines(texts, role=["heading", *["body"] * 8], section_id=["1"] * 9)
    found = run(
        "bm25_only+parent", "fee 5 due", document(line_df, toc_df=toc([(1, "Fees", 1, 9)], line_df)),
        context_characters=1_000,
    )  # fmt: skip
    best = found.candidates[0]
    assert len(best.text) <= 1_000
    assert 7 in best.anchor_line_ids
    assert len(best.lines) > 1


def test_the_context_budget_is_honoured_and_reported():
    """What exceeds it is not handed over and says so; the first passage always is."""
    found = run("bm25_only", "fee law years", budget_characters=500)
    assert len(found.candidates) == 1
    assert found.characters_handed_over <= 500
    assert found.context_budget == 500
    assert any(one.reason.startswith("Beyond the context budget") for one in found.provenances)
    assert [(one.wanted, one.used) for one in found.downgrades] == [("4 passages", "the first 1")]


def test_words_that_stand_nowhere_are_not_found_with_a_proof():
    """BM25 without a hit finds nothing and says which words were searched in what; never a proven absence."""
    exhaustive = question("Any xylophone insurance?", concepts=[concept(terms=["xylophone"], exhaustive=True)])
    found = run("bm25_only", exhaustive)
    assert found.not_found_reason == "no_keyword_match"
    assert found.confidence == 0.0
    assert found.candidates == found.provenances == ()
    assert found.absence.verdict == "not_found"
    told = {term.term: term.hit_count for term in found.absence.terms}
    assert told == {"any": 0, "xylophone": 0, "insurance": 0}
    assert found.absence.lines_searched == 9
    assert not run("embedding_only", exhaustive).not_found  # there is always a nearest passage


@pytest.mark.parametrize(
    ("parsed", "asked", "code", "level"),
    [
        (document(lines(["   "])), question("law"), "outside_scope", "section"),
        (HIDDEN, question("law"), "no_readable_text", "document"),
        (contract(), question("law", filters=ScopeFilters(pages=(9,))), "outside_scope", "section"),
        (contract(), question("law", unmet=("The document has no schedule 9.",)), "outside_scope", "section"),
        (contract(), question("?!"), "no_searchable_terms", "retrieval"),
    ],
)  # fmt: skip
def test_why_nothing_was_found(parsed, asked, code, level):
    """No text, a scope without text, no word: each with its code, and no claim from what was not searched."""
    found = run("bm25_only", asked, parsed)
    assert (found.not_found_reason, found.absence.level) == (code, level)
    assert found.absence.verdict == ("not_found" if asked.unmet else "inconclusive")
    if code != "no_searchable_terms":
        assert run("hybrid_rrf+sparse+parent+contextual+hyde+cross_encoder", asked, parsed).not_found_reason == code


def test_pages_that_were_not_read_leave_absence_open():
    """A scan without text may hold the words."""
    parsed = contract().model_copy(
        update={
            "page_df": pages(3, status=["native", "native", "scanned"]),
            "profile": profile(page_count=3, pages_not_read=[3]),
        }
    )
    found = run("bm25_only", "xylophone", parsed)
    assert found.absence.verdict == "inconclusive"
    assert found.pages_not_read == (3,)


def test_each_stage_is_timed_and_the_record_holds_no_clock():
    """Latency by stage, apart from the record."""
    times = StageTimes()
    run("hybrid_rrf+contextual+hyde+sparse+cross_encoder", times=times)
    assert list(times.wall) == ["index", "situate", "hyde", "bm25", "dense", "sparse", "fuse", "rerank", "record"]
    run("bm25_only", times=(only := StageTimes()))
    assert list(only.wall) == ["index", "bm25", "record"]


def test_generation_answers_from_a_strategy():
    """The hand-over is the same: generation reads it and cites its lines."""
    parsed = contract()
    law = concept("governing_law", terms=["law of France"])
    asked = question("What is the governing law?", words=["law"], concepts=[law])
    found = run("bm25_only", asked, parsed)
    answer = generate(asked, found)
    assert answer.status == "answered"
    assert "France" in answer.items[0].spans[0].quote
    missing = run("bm25_only", "xylophone", parsed)
    assert generate(question("xylophone"), missing).status == "not_found"


def test_confidence_says_how_much_of_the_question_stands_there():
    """A passage with every word is surer than one with some; a cosine never makes more than one of it."""
    assert run("bm25_only", "law France governs").confidence > run("bm25_only", "law xylophone zither").confidence > 0
    assert 0 < run("embedding_only").confidence <= 1
    assert run("bm25_only+cross_encoder", models={"cross_encoder": Scores(lambda _: 0.0)}).confidence == 0.5


def test_questions_are_data_in_every_prompt():
    """A question cannot fill a placeholder of a prompt."""
    model = Model(lambda _: {"passage": "p"})
    run("embedding_only+hyde", "{kind} {question}", models={"llm": model})
    assert json.dumps("{kind} {question}") in model.prompts[0].user
