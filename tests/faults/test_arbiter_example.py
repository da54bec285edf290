"""The arbiter example of the source text, over HTTP: four briefs in, four roles out, the discarded ones on record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.llm import Transcript
from pipeline.retrieval.arbiter import judge_with_model
from pipeline.run import ask
from schemas.retrieval import CandidateBrief
from tests.llm.doors import door
from tests.scripted_server import Answer, ScriptedRequest, ScriptedServer, filled, ids_in

QUESTION = "What positional encoding does the paper use?"
BRIEFS = (
    CandidateBrief(
        candidate_id="page_5_sinusoidal",
        methods=("section_title_match", "content_keyword_match"),
        section="3.5 Positional Encoding",
        matched_keywords=("positional", "encoding", "sinusoidal"),
        snippet="In this work, we use sine and cosine functions of different frequencies ...",
    ),
    CandidateBrief(
        candidate_id="page_6_learned",
        methods=("section_title_match", "content_keyword_match"),
        section="3.5 Positional Encoding",
        matched_keywords=("positional", "encoding"),
        snippet="We also experimented with using learned positional embeddings instead ...",
    ),
    CandidateBrief(
        candidate_id="page_2_intro",
        methods=("content_keyword_match",),
        section="1 Introduction",
        matched_keywords=("positional",),
        snippet="... positions in input and output sequences ...",
    ),
    CandidateBrief(
        candidate_id="page_3_encoder",
        methods=("content_keyword_match",),
        section="3.1 Encoder and Decoder Stacks",
        matched_keywords=("encoding",),
        snippet="The encoder is composed of a stack of N = 6 identical layers ...",
    ),
)
RANKINGS = {
    "page_5_sinusoidal": ("primary", "Defines the sinusoidal positional encoding used in the paper"),
    "page_6_learned": ("primary", "States the alternative (learned embeddings) the paper compared"),
    "page_2_intro": ("discarded", "Mentions the motivation for positional encoding, but no choice"),
    "page_3_encoder": ("discarded", "Single mention in another context, off topic"),
}
REPLY = {
    "rankings": [{"candidate_id": one, "role": role, "reason": why} for one, (role, why) in RANKINGS.items()],
    "conflicts": [],
}


def test_four_briefs_in_four_roles_out() -> None:
    """One request holds all four briefs; each comes back with the role and the reason that the model gave."""
    with ScriptedServer([Answer(REPLY)]) as server, Transcript(None) as transcript:
        verdict = judge_with_model(QUESTION, BRIEFS, door(server, transcript))
    (request,) = server.requests
    for brief in BRIEFS:
        assert brief.candidate_id in request.prompt
        assert brief.snippet in request.prompt
    assert {one: (j.role, j.reason) for one, j in verdict.judgements.items()} == RANKINGS
    assert {judgement.judged_by for judgement in verdict.judgements.values()} == {"llm"}
    assert [use.outcome for use in verdict.model_uses] == ["valid"]


def test_a_discarded_candidate_stays_on_record(project: Path, tmp_path: Path) -> None:
    """Through all four bricks: what the model discards is not handed on, and its reason stands in the account."""

    def discard_all_but_first(request: ScriptedRequest) -> Any:
        first, *_ = [*ids_in(request.messages[1]["content"]), ""]
        role = lambda at: "primary" if at == first else "discarded"  # noqa: E731
        return filled(request, role=role, reason="by the words of the clause")

    contract = project / "examples" / "supply_agreement.pdf"
    with ScriptedServer(Answer(discard_all_but_first)) as server, Transcript(tmp_path / "calls") as transcript:
        found = ask(contract, "What is the liability cap?", store=tmp_path, llm=door(server, transcript)).retrieval
    assert [candidate.role for candidate in found.candidates] == ["primary"]
    discarded = [each for each in found.provenances if each.role == "discarded"]
    assert len(discarded) == len(found.provenances) - 1 > 0
    for each in discarded:
        assert (each.judged_by, each.reason) == ("llm", "by the words of the clause")
