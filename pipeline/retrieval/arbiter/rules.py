"""The rules arbiter: a role and a reason for every candidate without a model, by the decision list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.retrieval.arbiter.decision_list import LAST_RESORT, RULE_ORDER, RULES
from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.arbiter.measured import Surroundings
from pipeline.retrieval.arbiter.rule import Pool
from pipeline.retrieval.arbiter.weighing import NOT_WEIGHED, weigh
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.signals import Signals
from pipeline.scope.reader import tell_missed
from schemas.retrieval import ArbiterRole, CandidateBrief, MissedLimit

MAX_SHARED_CONTEXT = 2  # primaries that hand over the same lines; a third adds nothing to read
MAX_SUPPORTING = 8  # passages kept beside the primaries; generation is not to drown in them
_ROLE_ORDER: dict[ArbiterRole, int] = {"primary": 0, "supporting": 1, "tangential": 2, "discarded": 3}


@dataclass(frozen=True, slots=True)
class Case:
    """One candidate as the rules see it. `place` orders equals: its rank in its best method, then its place."""

    brief: CandidateBrief
    signals: Signals
    place: tuple[int, int] = (0, 0)
    context_key: tuple[int, int] = (0, 0)  # first and last line handed over; equal keys mean the same text
    where: Surroundings | None = None  # null: not weighed by what was measured


def judge_by_rules(cases: Sequence[Case], settings: RetrievalSettings, *, listing: bool = False) -> list[Judgement]:
    """One judgement a case, by the first rule that fits, best first.

    Primaries beyond the limit, and a third one over the same lines, become supporting; `listing` raises the limit.
    """
    judged, _ = _judged(cases)
    judged = _stepped_back(judged)
    judged.sort(key=lambda row: order_key(row[0], row[1]))
    limit = settings.max_primaries_listing if listing else settings.max_primaries
    return order_by_role(_capped(judged, limit))


def _judged(cases: Sequence[Case]) -> tuple[list[tuple[Case, Judgement]], float | None]:
    """The judgements as weighed, or by a rule of last resort where none is primary; and what was measured, if it was.

    Nothing was measured of a passage under a rule of last resort; one that was weighed and found wanting needs a value
    beside the question's words to come back.
    """
    judged, presence = weigh(_by_list(cases))
    if any(one.role == "primary" for _, one in judged):
        return judged, presence
    pool, changed = _pool(cases), False
    result: list[tuple[Case, Judgement]] = []
    for case, one in judged:
        rule = next((rule for rule in LAST_RESORT if rule.fits(case.signals)), None)
        weighed = one.chance is not None and not (case.signals.asked_value or case.signals.states)  # wanting
        if rule is None or weighed or one.rule in NOT_WEIGHED:
            result.append((case, one))
            continue
        reason = _readable(rule.reason(case.signals), case.signals) + _misread_note(case)
        role = rule.role(case.signals, pool)
        result.append((case, Judgement(case.brief.candidate_id, role, reason, rule.name, "rules")))
        changed = True
    return result, None if changed else presence


def _by_list(cases: Sequence[Case]) -> list[tuple[Case, Judgement]]:
    """The judgement of each case by the first rule that fits, in the order of the cases."""
    pool = _pool(cases)
    judged: list[tuple[Case, Judgement]] = []
    for case in cases:
        rule = next(rule for rule in RULES if rule.fits(case.signals))
        role = rule.role(case.signals, pool)
        reason = _readable(rule.reason(case.signals), case.signals) + _misread_note(case)
        judged.append((case, Judgement(case.brief.candidate_id, role, reason, rule.name, "rules")))
    return judged


def _stepped_back(judged: list[tuple[Case, Judgement]]) -> list[tuple[Case, Judgement]]:
    """Primaries that miss a limit of the question become supporting where another meets it; all of them say so.

    Words that the user wants in one line or sentence are the question itself: what lacks them is never primary.
    """
    meets = any(one.role == "primary" and not _missed(case) for case, one in judged)
    result = []
    for case, one in judged:
        missed = _missed(case)
        if one.role == "primary" and missed:
            behind = meets or any(limit.limit == "together" for limit in missed)
            told = " ".join(tell_missed(limit) for limit in missed)
            changed = replace(one, role="supporting" if behind else "primary", reason=f"{one.reason} {told}")
            result.append((case, changed))
        else:
            result.append((case, one))
    return result


def _missed(case: Case) -> tuple[MissedLimit, ...]:
    return tuple(limit for limit in case.signals.missed if limit.limit != "section")  # that has a rule of its own


def _readable(reason: str, signals: Signals) -> str:
    """The reason with each pattern called by its topic: nobody reads a pattern."""
    for pattern, shown in signals.patterns:
        reason = reason.replace(f"'{pattern}'", shown)
    return reason


def _misread_note(case: Case) -> str:
    """What a reader must know of terms that stand there only if the recognition slipped; empty without any."""
    misread = case.signals.misread
    return (
        f" Approximate: the page was recognised, and {', '.join(misread)} is a word that it misread." if misread else ""
    )


def order_key(case: Case, judgement: Judgement) -> tuple[int, int, float, int, tuple[int, int]]:
    """Order of candidates: role, a page that the user named, what such passages were worth, the rule, rank and place.

    What was not weighed was asked for by name and comes first in its role; where nothing is weighed the rule decides.
    """
    rule = RULE_ORDER.get(judgement.rule or "", len(RULE_ORDER))
    worth = -1.0 if judgement.chance is None else -judgement.chance
    if judgement.rule == "reference_target" and case.signals.opening:
        worth = 0.0  # a day is counted from it: it stands behind the passages that say how long
    return (_ROLE_ORDER[judgement.role], 0 if case.signals.pinned else 1, worth, rule, case.place)


def order_by_role(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Primary first, then supporting, tangential, discarded; the order inside a role stays."""
    return sorted(judgements, key=lambda judgement: _ROLE_ORDER[judgement.role])


def rule_of_each(cases: Sequence[Case]) -> list[str]:
    """Name of the first rule that fits each case, in the order of the cases."""
    return [one.rule or "" for _, one in _by_list(cases)]


def rules_and_presence(cases: Sequence[Case]) -> tuple[dict[str, str], float | None]:
    """Name of the rule that fits each candidate, and how often documents with such passages held the answer.

    0 to 1; null where the concept was not measured.
    """
    judged, presence = _judged(cases)
    return {one.candidate_id: one.rule or "" for _, one in judged}, presence


def case_of_brief(brief: CandidateBrief) -> Case:
    """A case out of a brief alone, for candidates whose evidence is not at hand: its methods and keywords tell."""
    titled = any(method in ("toc", "title_keyword_match") for method in brief.methods)
    return Case(
        brief,
        Signals(
            words=brief.matched_keywords,
            words_needed=2,  # one shared word is a mention, two are a topic
            word_count=max(2, len(brief.matched_keywords)),
            title_fit="exact" if titled else None,
            section_title=brief.section if titled else None,
            methods=brief.methods,
        ),
    )


def _pool(cases: Sequence[Case]) -> Pool:
    signals = [
        case.signals
        for case in cases
        if not case.signals.is_contents and not case.signals.only_reference and not _missed(case)
    ]
    return Pool(
        has_value_passage=any(s.on_topic and (s.value_beside or s.value_inside) for s in signals),
        has_topic_passage=any(s.on_topic or s.titled for s in signals),
        has_title_passage=any(s.title_fit in ("named", "exact") and not s.heading_only for s in signals),
        has_definition=any(s.defines for s in signals),
        has_statement_line=any(s.row_names == "item" and s.statement is not None for s in signals),
        has_reason=any(s.gives_reason and (s.on_topic or s.titled) for s in signals),
        has_caption=any(s.exact and s.caption for s in signals),
    )


def _capped(judged: list[tuple[Case, Judgement]], limit: int) -> list[Judgement]:
    primaries = supporting = 0
    shared: dict[tuple[int, int], int] = {}
    result: list[Judgement] = []
    for case, judgement in judged:
        role, reason = judgement.role, judgement.reason
        if role == "primary":
            used = shared.get(case.context_key, 0)
            if primaries >= limit:
                role, reason = "supporting", f"{reason} Kept as support: {limit} stronger passages come first."
            elif used >= MAX_SHARED_CONTEXT and case.context_key != (0, 0):
                role, reason = "supporting", f"{reason} Kept as support: the same lines are handed over already."
            else:
                primaries += 1
                shared[case.context_key] = used + 1
        if role == "supporting":
            supporting += 1
            if supporting > MAX_SUPPORTING:
                role, reason = "tangential", f"{reason} Kept low: {MAX_SUPPORTING} stronger passages support already."
        changed = role != judgement.role or reason != judgement.reason
        result.append(replace(judgement, role=role, reason=reason) if changed else judgement)
    return result
