"""The model arbiter: one call over all briefs, a role and a reason a candidate, every reply checked against the list.

The model reads briefs only. A candidate that its reply leaves out, repeats with another role, or gives no reason for is
judged by the rules and marked so; an id that it invents is dropped and recorded, and so are words that it claims to
have noticed in a passage and that do not stand there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.llm.model import LanguageModel, Shortfall
from pipeline.retrieval.arbiter.judgement import Judgement, Noticed, Verdict
from pipeline.retrieval.arbiter.prompt import ArbiterOutput, ArbiterRanking, arbiter_prompt
from pipeline.retrieval.arbiter.rules import case_of_brief, judge_by_rules, order_by_role
from pipeline.retrieval.settings import RetrievalSettings
from schemas.audit import ModelUse
from schemas.retrieval import CandidateBrief, Conflict

TOKENS_PER_RANKING = 40  # id, role and JSON around them
TOKENS_FOR_CONFLICTS = 400  # a handful of statements, where there are candidates enough to conflict
TOKENS_FOR_KEYWORDS = 300  # a dozen keywords with their ids
FULL_POOL = 8  # candidates from which on there may be as many conflicts and keywords; fewer get their part of the room
MAX_KEYWORDS = 12  # keywords of one reply; asked for more, models repeat the passage
MAX_KEYWORD_CHARS = 80  # a longer one is a sentence, which stands in no other document
MAX_LISTED_IDS = 12  # ids named in one complaint; the rest is counted


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reply held against the list: what counts, and what was wrong with it."""

    usable: Mapping[str, ArbiterRanking]
    problems: tuple[str, ...]


Fallback = Callable[[Sequence[str]], Mapping[str, Judgement]]


def judge_with_model(
    question_text: str,
    briefs: Sequence[CandidateBrief],
    llm: LanguageModel,
    settings: RetrievalSettings | None = None,
    *,
    fallback: Fallback | None = None,
) -> Verdict:
    """The model's judgement of every brief, in one call; what it does not judge, the rules do.

    `fallback` gives the rules' judgements for ids; without it they rest on the briefs alone. Judgements come out in the
    order of the roles, inside a role in the model's order. No brief in, no call.

    Raises ModelUseError when no usable reply comes.
    """
    settings = settings or RetrievalSettings()
    ids = [brief.candidate_id for brief in briefs]
    if not ids:
        return Verdict({}, (), "llm")
    reply = llm.ask(
        arbiter_prompt(question_text, briefs),
        ArbiterOutput,
        purpose="arbiter",
        max_output_tokens=output_budget(len(ids), settings),
        check=lambda output: _check(output, question_text, briefs, settings),
    )
    reading = _read(reply.value, ids)
    missing = [candidate_id for candidate_id in ids if candidate_id not in reading.usable]
    rules = (fallback or _by_briefs(briefs, settings))(missing) if missing else {}
    ordered = order_by_role(_judgements(reading, [rules[candidate_id] for candidate_id in missing]))
    use = _with_problems(reply.use, (*reply.problems, *reading.problems))
    primary = {one.candidate_id for one in ordered if one.role == "primary"}
    noticed, dropped = _noticed(reply.value, [brief for brief in briefs if brief.candidate_id in primary])
    if dropped:  # of no weight for the judgement, so the outcome of the call stays
        use = use.model_copy(update={"problems": (*use.problems, *dropped)})
    return Verdict(
        {judgement.candidate_id: judgement for judgement in ordered},
        _conflicts(reply.value, {one.candidate_id for one in ordered if one.role != "discarded"}),
        "llm",
        model_uses=(use,),
        noticed=noticed,
    )


def output_budget(count: int, settings: RetrievalSettings) -> int:
    """Tokens that a reply on so many candidates may have: an id, a role and a reason each, conflicts and keywords."""
    beside = (TOKENS_FOR_CONFLICTS + TOKENS_FOR_KEYWORDS) * min(count, FULL_POOL) // FULL_POOL
    return count * (TOKENS_PER_RANKING + settings.reason_tokens) + beside


def _check(
    output: ArbiterOutput, question_text: str, briefs: Sequence[CandidateBrief], settings: RetrievalSettings
) -> Sequence[str]:
    """What is wrong with a reply; where some of it is good, with a shorter request for the rest alone."""
    ids = [brief.candidate_id for brief in briefs]
    problems = find_problems(output, ids)
    good = _read(output, ids).usable
    rest = [brief for brief in briefs if brief.candidate_id not in good]
    if not problems or not good or not rest:
        return problems
    return Shortfall.of(
        problems,
        prompt=arbiter_prompt(question_text, rest),
        max_output_tokens=output_budget(len(rest), settings),
        merge=lambda second: _merged(output, second, good, ids),
    )


def _merged(
    first: ArbiterOutput, second: ArbiterOutput, good: Mapping[str, ArbiterRanking], ids: Sequence[str]
) -> ArbiterOutput:
    """The first reply's good rankings with the second's for the other candidates; conflicts and keywords of both."""
    known = set(ids)
    of_rest = [ranking for ranking in second.rankings if ranking.candidate_id not in good]
    conflicts = [one for one in first.conflicts if set(one.candidate_ids) <= known]
    return ArbiterOutput(
        rankings=[*good.values(), *of_rest],
        conflicts=[*conflicts, *second.conflicts],
        discovered_keywords=[*first.discovered_keywords, *second.discovered_keywords],
    )


def find_problems(output: ArbiterOutput, ids: Sequence[str]) -> list[str]:
    """What is wrong with a reply, a sentence each: ids missing, invented or repeated, no reason; empty if nothing."""
    counts = Counter(ranking.candidate_id for ranking in output.rankings)
    known = set(ids)
    in_conflicts = {one for conflict in output.conflicts for one in conflict.candidate_ids}
    faults = (
        ("rankings lack these candidate_ids", [one for one in ids if one not in counts]),
        ("these candidate_ids do not exist", [one for one in counts if one not in known]),
        ("these candidate_ids are ranked more than once", [one for one in ids if counts[one] > 1]),
        ("the reason is empty for", [r.candidate_id for r in output.rankings if not r.reason.strip()]),
        ("conflicts name candidate_ids that do not exist", sorted(in_conflicts - known)),
    )
    return [f"{what}: {_shown(found)}" for what, found in faults if found]


def _read(output: ArbiterOutput, ids: Sequence[str]) -> _Reading:
    """The rankings that count, in the reply's order: known id, one role, a reason."""
    known = set(ids)
    roles: dict[str, set[str]] = {}
    for ranking in output.rankings:
        roles.setdefault(ranking.candidate_id, set()).add(ranking.role)
    usable: dict[str, ArbiterRanking] = {}
    for ranking in output.rankings:
        one = ranking.candidate_id
        if one in known and len(roles[one]) == 1 and ranking.reason.strip():
            usable.setdefault(one, ranking)
    return _Reading(usable, tuple(find_problems(output, ids)))


def _judgements(reading: _Reading, by_rules: Sequence[Judgement]) -> list[Judgement]:
    """The model's judgements in its reply's order, then the rules', marked as standing in for the model's."""
    by_model = [
        Judgement(ranking.candidate_id, ranking.role, _one_line(ranking.reason), None, "llm")
        for ranking in reading.usable.values()
    ]
    return by_model + [
        Judgement(one.candidate_id, one.role, one.reason, one.rule, "rules_after_llm") for one in by_rules
    ]


def _by_briefs(briefs: Sequence[CandidateBrief], settings: RetrievalSettings) -> Fallback:
    def judge(ids: Sequence[str]) -> Mapping[str, Judgement]:
        cases = [case_of_brief(brief) for brief in briefs]
        return {one.candidate_id: one for one in judge_by_rules(cases, settings) if one.candidate_id in ids}

    return judge


def _conflicts(output: ArbiterOutput, kept: set[str]) -> tuple[Conflict, ...]:
    """Conflicts between at least two candidates that are kept."""
    found = []
    for conflict in output.conflicts:
        ids = tuple(dict.fromkeys(one for one in conflict.candidate_ids if one in kept))
        if len(ids) > 1 and conflict.point.strip() and conflict.statement.strip():
            found.append(
                Conflict(
                    candidate_ids=ids,
                    point=_one_line(conflict.point),
                    statement=_one_line(conflict.statement),
                    found_by="llm",
                )
            )
    return tuple(found)


def _noticed(output: ArbiterOutput, briefs: Sequence[CandidateBrief]) -> tuple[tuple[Noticed, ...], tuple[str, ...]]:
    """Keywords that stand, as whole words, in the snippet of a primary candidate; and what was dropped, a sentence."""
    snippets = {brief.candidate_id: _one_line(brief.snippet) for brief in briefs}
    found: dict[tuple[str, str], Noticed] = {}
    dropped: list[str] = []
    for keyword in output.discovered_keywords:
        text = _one_line(keyword.text)
        if 0 < len(text) <= MAX_KEYWORD_CHARS and _stands_in(text, snippets.get(keyword.candidate_id, "")):
            found.setdefault((keyword.candidate_id, text), Noticed(keyword.candidate_id, text))
        else:
            dropped.append(text)
    kept = tuple(found.values())
    dropped += [one.text for one in kept[MAX_KEYWORDS:]]
    what = "discovered_keywords that do not stand in the snippet of a primary candidate, or too many or too long"
    return kept[:MAX_KEYWORDS], ((f"{what}: {_shown(dropped)}",) if dropped else ())


def _stands_in(text: str, snippet: str) -> bool:
    at = snippet.find(text)
    while at >= 0:
        before, after = snippet[at - 1 : at] if at else "", snippet[at + len(text) : at + len(text) + 1]
        if not (before.isalnum() and text[0].isalnum()) and not (after.isalnum() and text[-1].isalnum()):
            return True
        at = snippet.find(text, at + 1)
    return False


def _with_problems(use: ModelUse, problems: tuple[str, ...]) -> ModelUse:
    known = tuple(dict.fromkeys((*use.problems, *problems)))
    if not problems:
        return use
    return use.model_copy(update={"problems": known, "outcome": "partial"})


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shown(ids: Sequence[str]) -> str:
    more = len(ids) - MAX_LISTED_IDS
    return ", ".join(repr(one[:60]) for one in ids[:MAX_LISTED_IDS]) + (f" and {more} more" if more > 0 else "")
