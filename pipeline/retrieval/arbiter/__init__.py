"""The arbiter: candidates in, the same out, each with a role and a reason; a model or rules behind one face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.retrieval.arbiter.fitting import fit_prompt, halved, judge_hidden
from pipeline.retrieval.arbiter.judgement import Judgement, Verdict
from pipeline.retrieval.arbiter.llm import judge_with_model
from pipeline.retrieval.arbiter.narrowing import Contents, Narrowed, narrow
from pipeline.retrieval.arbiter.prompt import ArbiterOutput
from pipeline.retrieval.arbiter.rules import Case, case_of_brief, judge_by_rules, order_by_role
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.settings import RetrievalSettings
from schemas.audit import Downgrade
from schemas.errors import PromptTooLargeError

__all__ = [
    "ArbiterOutput",
    "Case",
    "Contents",
    "Judgement",
    "Verdict",
    "case_of_brief",
    "judge",
    "judge_by_rules",
    "judge_with_model",
]

CUT_RULE = "pool_limit"
MAX_HALVINGS = 3  # times that a prompt which is too large for the model is halved: to an eighth, then the rules judge
NOT_SHOWN = "Judged by rules: the model's prompt had no room for it."


def judge(
    question_text: str,
    cases: Sequence[Case],
    *,
    ranks: Sequence[Mapping[str, int]],
    llm: LanguageModel | None,
    settings: RetrievalSettings,
    listing: bool = False,
    contents: Contents | None = None,
) -> Verdict:
    """The verdict on every case: by one model call where a model is given, else by rules.

    `ranks` (candidate -> rank, a map a method) cut a pool beyond the limit by reciprocal rank fusion first; what is cut
    is discarded and says so. Of a long document (`contents`) with many candidates a model first chooses sections; what
    lies outside them, and what its prompt has no room for, is judged by the rules and says so. A model without a usable
    reply leaves the rules' verdict and a downgrade on record.

    Raises RuntimeError when candidates out are not candidates in, which is a bug.
    """
    judged, cut = _cut(cases, ranks, settings)
    by_rules = judge_by_rules(judged, settings, listing=listing)
    rules = {judgement.candidate_id: judgement for judgement in by_rules}
    verdict = Verdict(rules, (), "rules")
    if llm is not None and judged:
        verdict = _by_model(
            question_text, judged, ranks=ranks, llm=llm, settings=settings, rules=rules, contents=contents
        )
    judgements = {**verdict.judgements, **{judgement.candidate_id: judgement for judgement in cut}}
    if sorted(judgements) != sorted(case.brief.candidate_id for case in cases):
        raise RuntimeError("the arbiter lost or invented a candidate: candidates in must be candidates out")
    return replace(verdict, judgements=judgements)


def _by_model(
    question_text: str,
    cases: Sequence[Case],
    *,
    ranks: Sequence[Mapping[str, int]],
    llm: LanguageModel,
    settings: RetrievalSettings,
    rules: Mapping[str, Judgement],
    contents: Contents | None,
) -> Verdict:
    """The model's verdict on what it is shown, the rules' on the rest; the rules' alone where no reply is usable."""
    narrowed = Narrowed(None)
    if contents is not None and is_long(len(contents.sections), len(cases), settings):
        narrowed = narrow(question_text, cases, contents, llm, rules=rules)
    inside = [case for case in cases if narrowed.inside is None or case.brief.candidate_id in narrowed.inside]
    outside = [case.brief.candidate_id for case in cases if case not in inside]
    shown = fit_prompt(question_text, inside, ranks, settings)
    uses = list(narrowed.uses)
    downgrades = [*narrowed.downgrades, *((shown.downgrade,) if shown.downgrade is not None else ())]
    verdict = Verdict({}, (), "rules")
    for attempt in range(MAX_HALVINGS + 1):
        try:
            verdict = judge_with_model(
                question_text, [case.brief for case in shown.cases], llm, settings,
                fallback=lambda ids: {candidate_id: rules[candidate_id] for candidate_id in ids},
            )  # fmt: skip
            break
        except ModelUseError as error:
            uses.append(error.use)
            reason = _one_line(str(error))
            if isinstance(error.__cause__, PromptTooLargeError) and len(shown.cases) > 1 and attempt < MAX_HALVINGS:
                shown = halved(shown, ranks, settings, reason)
                downgrades += [shown.downgrade] if shown.downgrade is not None else []  # one for each call that failed
                continue
            failed = Downgrade(stage="retrieval", wanted="llm arbiter", used="rules arbiter", reason=reason)
            return Verdict(rules, (), "rules", model_uses=tuple(uses), downgrades=(*downgrades, failed))
    rest = [*judge_hidden(outside, rules, narrowed.why), *judge_hidden(shown.hidden, rules, NOT_SHOWN)]
    ordered = order_by_role([*verdict.judgements.values(), *rest])
    return replace(
        verdict,
        judgements={one.candidate_id: one for one in ordered},
        model_uses=(*uses, *verdict.model_uses),
        downgrades=tuple(downgrades),
    )


def is_long(sections: int, candidates: int, settings: RetrievalSettings) -> bool:
    """True for a document whose sections a model chooses from first: many of them, and many candidates."""
    return sections > settings.narrow_sections and candidates > settings.narrow_candidates


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
