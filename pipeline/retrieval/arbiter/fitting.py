"""Which briefs one arbiter call holds; what is beyond the prompt's limit is judged by rules, and the record says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.arbiter.prompt import arbiter_prompt
from pipeline.retrieval.arbiter.rules import Case
from pipeline.retrieval.fusion import fuse
from pipeline.retrieval.settings import RetrievalSettings
from schemas.audit import Downgrade

CHARS_PER_TOKEN = 4  # characters; OpenAI's rule of thumb for English, as at the door to the model
MAX_OUTSIDE_SUPPORT = 5  # passages that the model did not see and that are still kept: a handful, so that none drowns


@dataclass(frozen=True, slots=True)
class Shown:
    """The cases that the model is shown, in their order, and the ids of those that it is not."""

    cases: tuple[Case, ...]
    hidden: tuple[str, ...] = ()
    downgrade: Downgrade | None = None


def fit_prompt(
    question_text: str, cases: Sequence[Case], ranks: Sequence[Mapping[str, int]], settings: RetrievalSettings
) -> Shown:
    """As many cases as the prompt has room for, the best by reciprocal rank fusion; at least one."""
    room = settings.prompt_tokens * CHARS_PER_TOKEN - _size(question_text, [])
    sizes = {case.brief.candidate_id: _size(question_text, [case]) - _size(question_text, []) + 1 for case in cases}
    if sum(sizes.values()) <= room:
        return Shown(tuple(cases))
    kept: set[str] = set()
    for candidate_id in by_rank(cases, ranks, settings):
        room -= sizes[candidate_id]
        if room < 0 and kept:
            break
        kept.add(candidate_id)
    return split(cases, kept, f"the briefs exceed a prompt of {settings.prompt_tokens:,} tokens")


def halved(shown: Shown, ranks: Sequence[Mapping[str, int]], settings: RetrievalSettings, reason: str) -> Shown:
    """The better half of what was shown, after the model said that the prompt is too large for it."""
    order = by_rank(shown.cases, ranks, settings)
    smaller = split(shown.cases, set(order[: max(1, len(order) // 2)]), reason)
    return replace(smaller, hidden=(*shown.hidden, *smaller.hidden))


def split(cases: Sequence[Case], kept: set[str], reason: str) -> Shown:
    """The cases in two: those the model is shown and those it is not, with the downgrade that says why."""
    inside = tuple(case for case in cases if case.brief.candidate_id in kept)
    hidden = tuple(case.brief.candidate_id for case in cases if case.brief.candidate_id not in kept)
    downgrade = Downgrade(
        stage="retrieval",
        wanted=f"llm arbiter over {len(cases)} candidates",
        used=f"llm arbiter over {len(inside)}, rules arbiter over {len(hidden)}",
        reason=reason,
    )
    return Shown(inside, hidden, downgrade)


def by_rank(cases: Sequence[Case], ranks: Sequence[Mapping[str, int]], settings: RetrievalSettings) -> list[str]:
    """The ids, best first by reciprocal rank fusion; what no method ranks comes last, in the order of the cases."""
    ids = [case.brief.candidate_id for case in cases]
    fused = [one for one in fuse(ranks, k=settings.rrf_k) if one in set(ids)]
    return [*fused, *(one for one in ids if one not in set(fused))]


def judge_hidden(hidden: Sequence[str], rules: Mapping[str, Judgement], why: str) -> list[Judgement]:
    """The rules' judgements of what the model was not shown: never primary beside its own, five kept as support."""
    kept = 0
    result: list[Judgement] = []
    order = {candidate_id: at for at, candidate_id in enumerate(rules)}
    for candidate_id in sorted(hidden, key=order.__getitem__):
        one = rules[candidate_id]
        role = one.role
        if role in ("primary", "supporting"):
            kept += 1
            role = "supporting" if kept <= MAX_OUTSIDE_SUPPORT else "tangential"
        result.append(replace(one, role=role, reason=f"{one.reason} {why}", judged_by="rules_after_llm"))
    return result


def _size(question_text: str, cases: Sequence[Case]) -> int:
    prompt = arbiter_prompt(question_text, [case.brief for case in cases])
    return len(prompt.system) + len(prompt.user)
