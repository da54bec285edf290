"""What stands behind a context, and one more look: wider contexts, and the place that a passage sends to."""

from __future__ import annotations

from pipeline.retrieval import retrieve
from pipeline.retrieval.rereading import pointed_places, read_pointed, read_wider
from pipeline.retrieval.settings import RetrievalSettings
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion, ScopeFilters
from schemas.retrieval import AuditedRetrievalResult
from tests.builders import document as made
from tests.builders import lines
from tests.retrieval.build import concept, question
from tests.retrieval.test_references import referring

TEXTS = [
    "1. Defaults", "The events of default are:", "(a) breach;", "(b) insolvency;", "Page 1 of 2", "hidden words",
    "(c) fraud.", "2. Term", "The term is one year.",
]  # fmt: skip
DEFAULT = concept("default", terms=["events of default"])


def agreement() -> ParsedDocument:
    """Two pages: a running footer and hidden words stand in the middle of the list."""
    roles = ["heading", "body", "body", "body", "footer", "body", "body", "heading", "body"]
    visible = [text != "hidden words" for text in TEXTS]
    return made(
        lines(
            TEXTS, page=[1] * 6 + [2] * 3, role=roles, visible=visible,
            hidden_reason=[None if shown else "white on white" for shown in visible],
            paragraph_id=list(range(1, 10)),
        )
    )  # fmt: skip


def found(parsed: ParsedDocument, asked: ParsedQuestion) -> AuditedRetrievalResult:
    """What is found with a context too short for the list."""
    return retrieve(parsed, asked, settings=RetrievalSettings(context_characters=200))


def cut_to(result: AuditedRetrievalResult, count: int) -> AuditedRetrievalResult:
    """The result with its first context cut to so many lines, as a budget would."""
    first = result.candidates[0]
    short = first.model_copy(update={"lines": first.lines[:count], "text": "\n".join(first.text.split("\n")[:count])})
    return result.model_copy(update={"candidates": (short, *result.candidates[1:])})


def test_what_follows_a_context_is_on_record() -> None:
    """The next lines without footers and hidden words; a heading is a new section; nothing behind the last line."""
    result = found(agreement(), question("events of default", concepts=[DEFAULT]))
    for one in result.candidates:
        assert one.continuation is not None
        assert not {"hidden words", "Page 1 of 2"} & set(one.continuation.text.split("\n"))
        last = one.lines[-1].line_id
        assert all(ref.line_id > last for ref in one.continuation.lines)
        if last == 7:
            assert one.continuation.is_new_section
        assert bool(one.continuation.lines) == (last < len(TEXTS))


def test_a_context_is_read_on_to_the_next_heading() -> None:
    """The list is read to its end over the page, no further; its anchor, role and account stay."""
    parsed, asked = agreement(), question("events of default", concepts=[DEFAULT])
    short = cut_to(found(parsed, asked), 2)
    first = short.candidates[0]
    wide = read_wider(parsed, asked, short, [first.candidate_id])
    assert wide.candidates[0].text.split("\n")[-1] == "(c) fraud."
    assert (wide.candidates[0].anchor, wide.candidates[0].role) == (first.anchor, first.role)
    assert wide.provenances == short.provenances
    assert wide.stamp.settings["read_again"] == [f"wider: {first.candidate_id}"]
    assert read_wider(parsed, asked, wide, [first.candidate_id]) is wide


def test_no_line_outside_the_scope_is_read() -> None:
    """A question on page 1 alone never reads page 2."""
    parsed = agreement()
    asked = question("events of default", concepts=[DEFAULT], filters=ScopeFilters(page_range=(1, 1)))
    short = cut_to(found(parsed, asked), 2)
    wide = read_wider(parsed, asked, short, [short.candidates[0].candidate_id])
    assert {ref.page_num for ref in wide.candidates[0].lines} == {1}


def test_a_place_that_a_passage_sends_to_becomes_the_first_primary() -> None:
    """The passage that only points there supports it; the way and the reason are on record."""
    texts = ["The service level has the meaning given in Section 4.", "Other words.", "4. Levels", "99 % a month."]
    parsed = referring(texts, [(1, "section", "4", 3)], role=["body", "body", "heading", "body"])
    asked = question("service level", concepts=[concept("level", terms=["service level"])], answer_type="text")
    result = retrieve(parsed, asked)
    pointing = next(one for one in result.candidates if one.lines[0].line_id == 1)
    (place,) = pointed_places(parsed, [(1, 1)])
    again = read_pointed(parsed, asked, result, place, instead_of=[pointing.candidate_id])
    best = again.candidates[0]
    assert ("99 % a month." in best.text, best.role, best.reference_path) == (True, "primary", (place.told,))
    assert "Section 4 (page 1 line 1)" in place.told
    roles = {one.candidate_id: one.role for one in again.candidates}
    assert roles[pointing.candidate_id] == "supporting"
    proof = next(one for one in again.provenances if one.candidate_id == best.candidate_id)
    assert (proof.rule, proof.role) == ("answer_points_here", "primary")
    assert pointed_places(parsed, [(2, 2)]) == ()
