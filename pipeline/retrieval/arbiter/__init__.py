"""The arbiter: candidates in, the same out, each with a role and a reason; a model or rules behind one face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.retrieval.arbiter.judgement import Judgement, Verdict
from pipeline.retrieval.arbiter.llm import judge_with_model
from pipeline.retrieval.arbiter.prompt import ArbiterOutput
from pipeline.retrieval.arbiter.rules import Case, case_of_brief, judge_by_rules
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.settings import RetrievalSettings
from schemas.audit import Downgrade

__all__ = [
    "ArbiterOutput",
    "Case",
    "Judgement",
    "Verdict",
    "case_of_brief",
    "judge",
    "judge_by_rules",
    "judge_with_model",
]

CUT_RULE = "pool_limit"


def judge(
    question_text: str,
    cases: Sequence[Case],
    *,
    ranks: Sequence[Mapping[str, int]],
    llm: LanguageModel | None,
    settings: RetrievalSettings,
    listing: bool = False,
) -> Verdict:
    """The verdict on every case: by one model call where a model is given, else by rules.

    `ranks` (candidate -> rank, a map a method) cut a pool beyond the limit by reciprocal rank fusion first; what is cut
    is discarded and says so. A model without a usable reply leaves the rules' verdict and a downgrade on record.

    Raises RuntimeError when candidates out are not candidates in, which is a bug.
    """
    judged, cut = _cut(cases, ranks, settings)
    by_rules = judge_by_rules(judged, settings, listing=listing)
    rules = {judgement.candidate_id: judgement for judgement in by_rules}
    verdict = Verdict(rules, (), "rules")
    if llm is not None and judged:
        try:
            verdict = judge_with_model(
                question_text,
                [case.brief for case in judged],
                llm,
                settings,
                fallback=lambda ids: {candidate_id: rules[candidate_id] for candidate_id in ids},
            )
        except ModelUseError as error:
            downgrade = Downgrade(
                stage="retrieval", wanted="llm arbiter", used="rules arbiter", reason=_one_line(str(error))
            )
            verdict = Verdict(rules, (), "rules", model_uses=(error.use,), downgrades=(downgrade,))
    judgements = {**verdict.judgements, **{judgement.candidate_id: judgement for judgement in cut}}
    if sorted(judgements) != sorted(case.brief.candidate_id for case in cases):
        raise RuntimeError("the arbiter lost or invented a candidate: candidates in must be candidates out")
    return replace(verdict, judgements=judgements)


def _cut(
    cases: Sequence[Case], ranks: Sequence[Mapping[str, int]], settings: RetrievalSettings
) -> tuple[list[Case], list[Judgement]]:
    """The cases that are judged, and the judgements of those that the pool has no room for."""
    if len(cases) <= settings.pool_limit:
        return list(cases), []
    fused = list(fuse(ranks, k=settings.rrf_k))
    kept = set(fused[: settings.pool_limit])
    reason = (
        f"Beyond the {settings.pool_limit} candidates that one arbiter call holds, by reciprocal rank fusion "
        f"(k = {settings.rrf_k}); not judged on its content."
    )
    cut = [
        Judgement(case.brief.candidate_id, "discarded", reason, CUT_RULE, "rules")
        for case in cases
        if case.brief.candidate_id not in kept
    ]
    return [case for case in cases if case.brief.candidate_id in kept], cut


def _one_line(text: str) -> str:
    return " ".join(text.split())
