"""The whole brick on small documents: contexts, accounting, absence, conflicts, and the real paper."""

from __future__ import annotations

import pytest

from pipeline.retrieval import retrieve
from pipeline.retrieval.settings import RetrievalSettings
from schemas.question import ScopeFilters, StructuralHints
from schemas.retrieval import AuditedRetrievalResult
from tests.builders import document, lines, pages, toc
from tests.retrieval.build import concept, question


def primaries(found):
    """The primaries of a result."""
    return [one for one in found.candidates if one.role == "primary"]


def sectioned(**columns):
    """Four sections on two pages; 'Escrow' runs over the page break under a running header."""
    texts = [
        "1 Fees", "The fee is USD 10.",
        "2 Escrow", "The source code is held by a bank.", "Running header", "It is released on insolvency.",
        "3 Term", "Two years.", "4 Law", "The law of France.",
    ]  # fmt: skip
    roles = ["heading", "body", "heading", "body", "header", "body", "heading", "body", "heading", "body"]
    section = ["1", "1", "2", "2", "2", "2", "3", "3", "4", "4"]
    line_df = lines(texts, page=[1] * 4 + [2] * 6, role=roles, section_id=section, **columns)
    entries = [(1, "Fees", 1, 2), (1, "Escrow", 3, 6), (1, "Term", 7, 8), (1, "Law", 9, 10)]
    return document(line_df, toc_df=toc(entries, line_df))


def test_an_exact_title_gives_the_whole_section_and_nothing_around_it():
    """The context of a section whose title is the topic ends with the section, over a page break, header left out."""
    found = retrieve(sectioned(), question(words=["escrow"]))
    best = found.candidates[0]
    assert best.role == "primary"
    assert [line.line_id for line in best.lines] == [3, 4, 6]
    assert (best.context.page_start, best.context.page_end, best.context.section_id) == (1, 2, "2")
    assert best.section_title == "Escrow"
    assert "Running header" not in best.text
    assert set(best.methods) == {"title_keyword_match", "content_keyword_match"}


@pytest.mark.parametrize(
    ("context", "expected"), [("line", [8]), ("paragraph", [7, 8]), ("page", [6, 7, 8, 9, 10]), ("section", [7, 8])]
)
def test_context_follows_the_question(context, expected):
    """line, paragraph, page and section read what they say; running headers never."""
    asked = question(concepts=[concept("term", terms=["two years"])], hints=StructuralHints(answer_context=context))
    found = retrieve(sectioned(), asked)
    read = [line.line_id for line in primaries(found)[0].lines]
    assert read == expected or (context == "line" and read == [7, 8])


def test_a_context_is_cut_at_blocks_inside_the_budget():
    """A section beyond the budget is cut at whole paragraphs around the anchor."""
    texts = ["Escrow", *(f"Paragraph {n} " + "word " * 30 for n in range(6)), "The escrow agent is here."]
    line_df = lines(texts, role=["heading", *["body"] * 7], section_id=["1"] * 8)
    asked = question(concepts=[concept(terms=["escrow agent"])], hints=StructuralHints(answer_context="section"))
    parsed = document(line_df, toc_df=toc([(1, "Escrow", 1, 8)], line_df))
    found = retrieve(parsed, asked, settings=RetrievalSettings(context_characters=400))
    best = primaries(found)[0]
    assert len(best.text) <= 400
    assert [line.line_id for line in best.lines] == [6, 7, 8]
    assert best.anchor_line_ids == (8,)


def test_a_caption_is_read_with_what_stands_under_it():
    """The caption of a table is read with the table, up to the next heading."""
    texts = ["Before.", "Table 2: Fees", "Base fee 100", "Late fee 20", "3 Term", "Two years."]
    roles = ["body", "caption", "body", "body", "heading", "body"]
    found = retrieve(document(lines(texts, role=roles)), question(anchors=[("table", "Table 2", "2")]))
    assert [line.line_id for line in found.candidates[0].lines] == [2, 3, 4]
    assert found.candidates[0].anchor_line_ids == (2,)


def test_every_candidate_is_accounted_for():
    """Provenances hold kept and discarded candidates, each with rank, reason, brief and rule."""
    texts = ["The escrow agent holds the code.", "See Section 9 (Escrow agent) for this.", "Escrow agent ..... 12"]
    found = retrieve(document(lines(texts)), question(concepts=[concept(terms=["escrow agent"])]))
    roles = {one.anchor.line_start: (one.role, one.rule) for one in found.provenances}
    assert roles == {
        1: ("primary", "topic_terms"), 2: ("discarded", "reference_only"), 3: ("discarded", "contents_line"),
    }  # fmt: skip
    for one in found.provenances:
        assert one.structural_context.candidate_id == one.candidate_id
        assert one.rank_per_method.keys() == one.detector_reasons.keys() == set(one.methods_that_found_it)
    assert AuditedRetrievalResult.from_json(found.to_json(), where="test") == found


def test_candidate_ids_are_pages_and_lines():
    """Ids say where the anchor is, over a page break too."""
    assert (
        retrieve(document(lines(["x", "escrow"])), question(words=["escrow"])).candidates[0].candidate_id == "p1_l2_l2"
    )
    table = lines(["the escrow", "agent is here."], page=[1, 2], paragraph_id=[1, 1])
    found = retrieve(document(table), question(concepts=[concept(terms=["escrow agent"])]))
    assert found.candidates[0].candidate_id == "p1_l1_p2_l1"


def test_absence_is_proved_by_exhaustive_words():
    """Zero hits of an exhaustive concept on pages that were all read prove the absence, with every term counted."""
    asked = question(concepts=[concept("escrow", terms=["escrow", "software deposit"], exhaustive=True)])
    found = retrieve(document(lines(["Nothing of that kind.", "Really."])), asked)
    assert (found.not_found, found.not_found_reason, found.confidence) == (True, "no_keyword_match", 0.0)
    assert found.absence.verdict == "proven_absent"
    assert [(one.term, one.hit_count) for one in found.absence.terms] == [("escrow", 0), ("software deposit", 0)]
    assert (found.absence.lines_searched, found.absence.pages_searched) == (2, 1)
    assert found.absence.dictionary_versions == {"contracts": "1"}


def test_words_of_a_question_prove_no_absence():
    """Without an expert's claim zero hits are a not found, no proof."""
    found = retrieve(document(lines(["Nothing."])), question(words=["escrow"]))
    assert found.absence.verdict == "not_found"


def test_unread_pages_make_absence_inconclusive():
    """A page that could not be read forbids the proof and is named."""
    line_df = lines(["Nothing.", "Nothing."], page=[1, 3])
    parsed = document(line_df, page_df=pages(3, status=["native", "scanned", "native"]))
    found = retrieve(parsed, question(concepts=[concept(terms=["escrow"], exhaustive=True)]))
    assert found.absence.verdict == "inconclusive"
    assert found.absence.pages_not_read == found.pages_not_read == (2,)
    assert "Page 2 could not be read" in found.absence.statement


def test_a_neighbour_is_no_presence():
    """Terms of a neighbouring topic leave the proof standing and are shown as the nearest miss."""
    asked = question(concepts=[concept("escrow", terms=["escrow"], neighbours=("deposit",), exhaustive=True)])
    found = retrieve(document(lines(["The deposit is paid back."])), asked)
    assert found.absence.verdict == "proven_absent"
    assert found.absence.nearest_misses[0].line_id == 1
    assert "neighbouring topic" in found.absence.nearest_misses[0].why_not


def test_a_term_inside_a_distractor_is_no_match():
    """'insurance' inside 'insurance premium tax' speaks of the tax."""
    asked = question(concepts=[concept("insurance", terms=["insurance"], distractors=("insurance premium tax",))])
    found = retrieve(document(lines(["The insurance premium tax is borne by the buyer."])), asked)
    assert found.not_found
    assert found.provenances[0].rule == "neighbouring_topic"


@pytest.mark.parametrize(
    ("asked", "line_df", "code", "level"),
    [
        (question(), lines(["text"]), "no_searchable_terms", "retrieval"),
        (question(words=["escrow"]), lines(["   "]), "outside_scope", "section"),
        (question(words=["escrow"]), lines([]), "no_readable_text", "document"),
        (
            question(words=["escrow"], filters=ScopeFilters(sections=("Annex 9",))),
            lines(["escrow"]), "outside_scope", "section",
        ),
        (question(words=["escrow", "agent", "bank"]), lines(["escrow"]), "no_candidate_kept", "arbiter"),
        (question(words=["escrow"]), lines(["text"]), "no_keyword_match", "retrieval"),
    ],
)  # fmt: skip
def test_not_found_says_where_the_search_ended(asked, line_df, code, level):
    """Each stage that ends without an answer has its code and its level."""
    found = retrieve(document(line_df), asked)
    assert (found.not_found, found.not_found_reason, found.absence.level) == (True, code, level)
    assert found.absence.statement


def test_two_clauses_that_differ_are_a_conflict():
    """Two normative passages with different values for the same term are named, not settled."""
    texts = ["The total liability shall not exceed USD 100.", "Other.", "The total liability shall not exceed USD 200."]
    asked = question(concepts=[concept(terms=["total liability"])], answer_type="amount")
    found = retrieve(document(lines(texts)), asked)
    assert len(found.conflicts) == 1
    assert found.conflicts[0].found_by == "rules"
    assert "USD 100" in found.conflicts[0].statement
    assert "USD 200" in found.conflicts[0].statement


@pytest.mark.parametrize(
    "texts",
    [
        ["The total liability shall not exceed USD 100.", "The total liability shall not exceed USD 100.00."],
        ["The total liability: USD 100", "The total liability: USD 200"],
        ["The total liability shall be USD 100 or USD 300.", "The total liability shall not exceed USD 200."],
        ["The total liability shall not exceed USD 100.", "The cap on claims shall be USD 200."],
    ],
)
def test_false_alarms_are_not_raised(texts):
    """Equal values, fee lists, several values in a sentence and other terms are no conflict."""
    asked = question(concepts=[concept(terms=["total liability", "cap on claims"])], answer_type="amount")
    assert retrieve(document(lines(texts)), asked).conflicts == ()


def test_a_table_is_no_conflict():
    """Rows of a table differ by nature."""
    texts = ["The total liability shall be USD 100.", "The total liability shall be USD 200."]
    asked = question(concepts=[concept(terms=["total liability"])], answer_type="amount")
    assert retrieve(document(lines(texts, role=["table", "table"])), asked).conflicts == ()


def test_a_named_section_comes_before_the_rest():
    """What the user's section says is primary; the same word elsewhere is kept low."""
    asked = question(words=["years"], hints=StructuralHints(section_hint="Term"))
    found = retrieve(sectioned(), asked)
    assert [one.section_title for one in primaries(found)] == ["Term"]
    assert found.dispatch_rules["title_keyword_match"] == "toc_serves_the_intent"


def test_the_paper_of_the_source_text(shared_data):
    """The running example: primaries in the section on positional encoding, its context bounded to the section."""
    from pipeline.parsing import parse_document

    parsed = parse_document(shared_data / "papers" / "1706.03762v7.pdf")
    found = retrieve(parsed, question(words=["positional", "encoding"]))
    best = primaries(found)
    assert {one.section_title for one in best} == {"Positional Encoding"}
    assert "sine and cosine" in best[0].text
    assert "Why Self-Attention" not in best[0].text
    assert "Embeddings and Softmax" not in best[0].text
    named = retrieve(parsed, question(anchors=[("figure", "Figure 2", "2")]))
    anchored = {line for one in named.candidates for line in one.anchor_line_ids}
    texts = zip(parsed.line_df["line_id"], parsed.line_df["text"], strict=True)
    assert {line_id for line_id, text in texts if "Figure 2" in text} <= anchored
    absent = retrieve(
        parsed, question(words=["compliance"], concepts=[concept("data", terms=["GDPR", "personal data"])])
    )
    assert absent.not_found
    assert [one.hit_count for one in absent.absence.terms] == [0, 0, 0]
