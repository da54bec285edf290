"""Counterfactuals: hand-overs without passages, answers made again from them, and what is said of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.audit.why import explain, explain_saved
from pipeline.audit.why.effects import difference
from pipeline.audit.why.minimal import smallest
from pipeline.audit.why.promoting import promoted
from pipeline.audit.why.regenerating import Limited, Remaking
from pipeline.audit.why.removing import owners_of, without
from pipeline.case import ask_case
from pipeline.generation import generate
from pipeline.llm import Transcript
from pipeline.run import TRANSCRIPT
from pipeline.run import ask as ask_run
from pipeline.store.folders import open_store
from pipeline.store.runs import SavedRun
from schemas.conflicts import Conflict
from schemas.provenance import CandidateBrief, CandidateProvenance
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult, RetrievedCandidate
from tests.audit.agreement import CAP, written
from tests.builders import stamp
from tests.commands import call
from tests.generation.handed import absent, ask, candidate, concept, reply
from tests.llm.doors import door
from tests.scripted_server import Answer, ScriptedRequest, ScriptedServer, filled
from tests.told_model import ToldModel

NOTICE = concept(["notice period", "terminate", "termination"], name="notice_period")
SIXTY = "Either party may terminate this Agreement on sixty (60) days' prior written notice to the other party."
THIRTY = "The Customer may terminate this Agreement on thirty (30) days' prior written notice to the Supplier."
TITLE = "This Agreement is made between Alpha Limited and Beta Limited."


def _audited(*candidates: RetrievedCandidate, discarded: int = 0, **fields: object) -> AuditedRetrievalResult:
    """A result that accounts for these candidates; `discarded` more were proposed and are not handed over."""
    proofs = [_proof(one.candidate_id, one, one.role or "primary") for one in candidates]
    base = candidates[0] if candidates else candidate("x")
    proofs += [_proof(f"d{number}", base, "discarded") for number in range(discarded)]
    return AuditedRetrievalResult.model_validate(
        {
            "doc_id": "doc_1", "question": "q", "candidates": candidates, "methods_used": (), "not_found": False,
            "confidence": 0.9, "provenances": tuple(proofs), "methods_run": (), "methods_skipped": (),
            "skipped_reasons": {}, "dispatch_rules": {}, "strategy": (), "arbiter": "rules", "stamp": stamp(), **fields,
        }
    )  # fmt: skip


def _proof(name: str, one: RetrievedCandidate, role: str) -> CandidateProvenance:
    brief = CandidateBrief(candidate_id=name, methods=(), section=None, matched_keywords=(), snippet=one.snippet)
    return CandidateProvenance.model_validate(
        {
            "candidate_id": name, "methods_that_found_it": (), "rank_per_method": {}, "detector_reasons": {},
            "structural_context": brief, "anchor": one.anchor, "role": role, "reason": "It was judged so.",
            "judged_by": "rules",
        }
    )  # fmt: skip


def _saved(question: ParsedQuestion, found: AuditedRetrievalResult, **fields: object) -> SavedRun:
    answer = generate(question, found).model_copy(update=fields)
    return SavedRun(Path("run"), question, found, answer, None, has_highlights=False)  # type: ignore[arg-type]


def _notice() -> ParsedQuestion:
    return ask("What is the notice period for termination?", "duration", concepts=(NOTICE,))


def test_a_passage_alone_is_decisive_and_minimal():
    """With one passage the answer stands on it, and without it nothing is left to answer from."""
    told = explain(_saved(_notice(), _audited(candidate(SIXTY))), None, place="run")
    assert told.baseline_identical
    assert told.minimal == ("p1_l1",)
    assert told.minimal_is_proven
    assert told.decisive == ("p1_l1",)
    assert told.ablations[0].text == "Nothing is left to answer from."
    assert told.sentences[0].startswith("The answer is ")
    assert "Without page 1, line 1 nothing would be left to answer from." in told.sentences


def test_an_answer_flips_to_the_other_passage():
    """Where another passage answers too, the sentence says with what and from where."""
    found = _audited(candidate(SIXTY), candidate(THIRTY, first=40, page=3, role="supporting"))
    told = explain(_saved(_notice(), found), None, place="run")
    first = next(one for one in told.ablations if one.removed == ("p1_l1",))
    assert first.effect == "flipped"
    assert first.evidence == ("page 3, line 1",)
    assert any(s.startswith("Without page 1, line 1 the answer would be 'thirty (30) days") for s in told.sentences)
    assert any(s.startswith("The passage on page 1, line 1 alone gives it") for s in told.sentences)


def test_two_passages_of_one_value_are_redundant_each():
    """The same value from another clause: neither passage decides, either alone is enough."""
    again = "Clause 9. Either party may terminate this Agreement on sixty (60) days' notice."
    found = _audited(candidate(SIXTY), candidate(again, first=40, page=3))
    told = explain(_saved(_notice(), found), None, place="run")
    assert told.decisive == ()
    assert set(told.redundant) == {"p1_l1", "p3_l40"}
    assert len(told.minimal) == 1
    assert any("the answer would be the same, from page 3, line 1" in one for one in told.sentences)


def test_passages_of_no_use_are_told_together():
    """Primary passages that change nothing are named in one sentence."""
    found = _audited(candidate(SIXTY), candidate(TITLE, first=40, page=3), candidate(TITLE, first=50, page=4))
    told = explain(_saved(_notice(), found), None, place="run")
    assert set(told.redundant) == {"p3_l40", "p4_l50"}
    assert any(one.startswith("2 primary passages change nothing") for one in told.sentences)


def test_a_conflict_is_told_as_gone_without_one_side():
    """Of two values that contradict each other each passage gives one."""
    cap = concept(["aggregate liability"], name="cap")
    question = ask("What is the cap on the aggregate liability?", "amount", concepts=(cap,))
    one = "The aggregate liability of the Supplier shall not exceed EUR 2,000,000."
    other = "The aggregate liability of the Supplier shall not exceed EUR 5,000,000."
    saved = _saved(question, _audited(candidate(one), candidate(other, first=40, page=3)))
    assert saved.answer.conflicts
    told = explain(saved, None, place="run")
    assert [each.effect for each in told.ablations] == ["weaker", "weaker"]
    assert any("the conflict would be gone" in sentence for sentence in told.sentences)
    assert told.minimal_is_proven
    assert len(told.minimal) == 2


def test_nothing_is_found_and_a_miss_would_have_answered():
    """Of an answer without a value, a passage that only stands beside is read as if it were primary."""
    found = _audited(candidate(TITLE), candidate(SIXTY, first=40, page=3, role="tangential"))
    saved = _saved(_notice(), found)
    assert saved.answer.status == "not_found"
    told = explain(saved, None, place="run")
    (miss,) = told.promotions
    assert (miss.candidate_id, miss.role, miss.would_answer) == ("p3_l40", "tangential", True)
    assert any(
        one.startswith("If page 3, line 1 (judged tangential) were primary, the answer would be 'sixty (60) days")
        for one in told.sentences
    )


def test_a_proven_absence_without_candidates_has_nothing_to_leave_out():
    """Where no passage was proposed, nothing is left out and no proof is made up."""
    proof = absent().absence
    found = _audited(not_found=True, not_found_reason="no_keyword_match", absence=proof)
    told = explain(_saved(_notice(), found), None, place="run")
    assert told.ablations == ()
    assert told.promotions == ()
    assert "No passage was read for an answer, so none can be left out." in told.sentences


def test_a_line_goes_with_the_passage_whose_match_is_nearest():
    """A passage that is taken away is not read on in the context of another."""
    text = f"Term and termination.\n{SIXTY}\nFiller one.\nFiller two.\n{TITLE}"
    near, far = candidate(text, anchor=1), candidate(text, anchor=4)
    far = far.model_copy(update={"candidate_id": "far"})
    owners = owners_of(_audited(near, far))
    assert [owners[line] for line in range(1, 6)] == ["p1_l1", "p1_l1", "p1_l1", "far", "far"]
    left = without(_audited(near, far), {"p1_l1"})
    assert left is not None
    (kept,) = left.candidates
    assert kept.text == "Filler two.\n" + TITLE
    assert [ref.line_id for ref in kept.lines] == [4, 5]
    assert kept.context.line_start == 4
    assert {one.candidate_id: one.role for one in left.provenances}["p1_l1"] == "discarded"


def test_what_points_at_a_passage_goes_with_it():
    """A conflict needs two passages; a result without any is none."""
    conflict = Conflict(candidate_ids=("p1_l1", "p3_l40"), point="duration", statement="s", found_by="rules")
    found = _audited(candidate(SIXTY), candidate(THIRTY, first=40, page=3), conflicts=(conflict,))
    left = without(found, {"p1_l1"})
    assert left is not None
    assert left.conflicts == ()
    assert without(found, {"p1_l1", "p3_l40"}) is None
    assert without(found, set()) is found


@pytest.mark.parametrize(
    ("needed", "expected"), [(({"a"},), ("a",)), (({"a", "c"},), ("a", "c")), (({"b", "c"}, {"d"}), ("d",))]
)
def test_the_smallest_set_is_found_and_proven(needed, expected):
    """Where any set that holds one of those needed gives the answer, the smallest is found and proven."""
    names = ["a", "b", "c", "d"]
    found = smallest(names, lambda chosen: any(one <= chosen for one in needed))
    assert found.kept == expected
    assert found.is_proven


def test_a_set_that_only_works_when_small_is_found():
    """Taking passages away can bring a value back: no larger set working proves nothing about smaller ones."""
    works = [frozenset("b"), frozenset("abcd"), frozenset("abc")]
    assert smallest(list("abcd"), lambda chosen: chosen in works).kept == ("b",)


def test_the_limit_ends_the_search_and_is_told():
    """Where the limit is reached, what is known so far is given and not called proven."""
    names = [f"n{number:02d}" for number in range(20)]
    whole = frozenset(names[:6])
    found = smallest(names, lambda chosen: whole <= chosen, limit=30)
    assert set(found.kept) == whole
    assert not found.is_proven
    assert found.tried == 30


def test_a_model_is_sent_no_more_calls_than_the_budget():
    """Each ablation costs a call; when the budget is used up rules go on, and the record says so."""
    item = {"line_start": 1, "line_end": 1, "value_text": "sixty (60) days"}
    model = ToldModel(reply(item))
    found = _audited(
        candidate(SIXTY), candidate(THIRTY, first=40, page=3), candidate(TITLE, first=50, page=4, role="supporting")
    )
    saved = _saved(_notice(), found)
    told = explain(saved, None, place="run", llm=model, budget=2)
    assert told.calls_made <= 2
    assert told.budget_used_up
    assert {one.how for one in told.ablations} <= {"rules", "model", "transcript"}
    assert "The budget of calls to the model was used up; what was left was judged by rules." in told.sentences


def test_replies_on_record_cost_nothing_and_rules_stand_in():
    """A model without a reply on record gives way to rules, which are compared with rules."""
    silent = ToldModel(None)
    remaking = Remaking(_notice(), replies=silent)
    made = remaking.remake(_audited(candidate(SIXTY)), "all")
    assert (made.how, made.with_model) == ("rules", False)
    assert Limited(silent, 3).sent == 0


def test_the_same_values_are_told_from_others():
    """Values are compared as what they are, whatever their words."""
    question = _notice()
    one = generate(question, _audited(candidate(SIXTY)))
    assert difference(one, one).effect == "same"
    assert difference(one, None).effect == "lost"
    assert difference(one, generate(question, _audited(candidate(THIRTY)))).effect == "flipped"


def test_a_counterfactual_is_the_same_twice():
    """No clock and no order of a set in it."""
    found = _audited(candidate(SIXTY), candidate(THIRTY, first=40, page=3, role="supporting"))
    saved = _saved(_notice(), found)
    assert explain(saved, None, place="run").to_json() == explain(saved, None, place="run").to_json()


def _told_by_model(request: ScriptedRequest) -> Any:
    """A model that gives the first sum of money of the lines it is shown, and judges every passage alike."""
    reply = filled(request, reason="it carries the clause")
    if "answer_found" not in reply:
        return reply
    rows = [line.split("\t") for line in request.messages[-1]["content"].split("\n") if re.match(r"\d+\t", line)]
    hit = next((row for row in rows if "EUR" in row[3]), None)
    sums = re.findall(r"EUR [\d,]+\d", hit[3]) if hit else []
    item = {"line_start": int(hit[0]), "line_end": int(hit[0]), "value_text": sums[0], "condition": ""} if hit else None
    return {**reply, "answer_found": hit is not None, "items": [item] if item else [], "complete": True, "caveat": ""}


def test_a_run_with_a_model_is_explained_from_its_record_and_then_by_the_model(tmp_path: Path) -> None:
    """Without --llm nothing is sent and rules stand in, which is told; what a model was paid for once is free later."""
    root = open_store(tmp_path / "s")
    with ScriptedServer(Answer(_told_by_model)) as server, Transcript(root / TRANSCRIPT) as transcript:
        model = door(server, transcript)
        run = ask_run(written(tmp_path), CAP, store=root, llm=model)
        sent = len(server.requests)
        (free,) = explain_saved(run.path)
        assert len(server.requests) == sent
        assert free.baseline_identical
        assert {one.how for one in free.ablations} == {"rules"}
        assert not free.minimal_is_proven
        assert any("The model has no reply on record" in one for one in free.sentences)
        (paid,) = explain_saved(run.path, llm=model, budget=50)
        assert paid.calls_made == len(server.requests) - sent > 0
        assert {one.how for one in paid.ablations} <= {"model", "transcript"}
        assert paid.minimal_is_proven
    (again,) = explain_saved(run.path)
    assert again.calls_made == 0
    assert {one.how for one in again.ablations} == {"transcript"}
    assert (again.minimal, again.sentences) == (paid.minimal, paid.sentences)


def test_the_command_explains_parts_and_cases(tmp_path: Path) -> None:
    """A compound question part by part, a case document by document, each as one object."""
    contract, store = written(tmp_path), tmp_path / "store"
    text = "What is the liability cap? And which law governs the agreement?"
    other = tmp_path / "other.txt"
    other.write_text("AGREEMENT\n\n1. LAW\n\n1.1 This Agreement is governed by the laws of Ireland.\n")
    run = ask_run(contract, text, store=store)
    case = ask_case([contract, other], "Which law governs the agreement?", store=store)
    told = json.loads(call("why", run.path, "--json", "--store", store).stdout)
    assert len(told["counterfactuals"]) == 2
    assert all(one["minimal_is_proven"] for one in told["counterfactuals"])
    of_case = json.loads(call("why", case.path, "--json", "--store", store).stdout)
    assert len(of_case["counterfactuals"]) == 2
    shown = call("why", case.path, "--store", store)
    assert shown.exit_code == 0
    assert "The answer is" in shown.stdout
    assert "without" in shown.stdout
    assert call("why", run.path, "--llm", "--store", store).exit_code == 2
    assert call("why", "nothing", "--store", store).exit_code == 2


def test_a_miss_that_was_discarded_is_read_anew_from_the_document(project: Path, tmp_path: Path) -> None:
    """It was never handed over; its paragraph is read again, and stands where the account says."""
    run = ask_run(project / "examples" / "supply_agreement.pdf", "What is the annual programme fee?", store=tmp_path)
    thrown = [one for one in run.retrieval.provenances if one.role == "discarded"]
    assert thrown
    for one in thrown:
        found = promoted(run.document, run.retrieval, one.candidate_id)
        assert found is not None
        first = found.candidates[0]
        assert (first.candidate_id, first.role, first.anchor) == (one.candidate_id, "primary", one.anchor)
        assert promoted(None, run.retrieval, one.candidate_id) is None
    (proof,) = [each for each in found.provenances if each.candidate_id == first.candidate_id]
    assert proof.role == "primary"
