"""What measured evidence makes of the decision list's roles: weak primaries step back, strong support steps up.

The rule that fits a passage stays, and so does its reason; the measured share is added to it in words. What the user
asked for by name (a section, a page, a label, a defined term) is never weighed: it is what it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.arbiter.measured import load_measured

if TYPE_CHECKING:
    from pipeline.retrieval.arbiter.rules import Case

# From here on a document is taken to hold the answer: where, on open data with each part held out in turn, the F1 of
# absence is best among all limits that keep 88 in 100 documents with an answer.
PRESENT_FROM = 0.32
PRIMARY_FROM = 0.3  # share of passages; below it a passage is read beside a better one, not instead of it
LEAST_PRIMARY = 0.05  # share; below it the passage is not where the answer is, even if the document holds one
NEGLIGIBLE = 0.01  # share; of passages below it, 1 answer in 150 documents is lost and a quarter less is read
NOT_WEIGHED = frozenset({  # asked for by name, proposed by other means than words, or no text on the topic at all
    "defined_term", "named_section", "outside_named_section", "caption", "pinned_page", "embedding_only", "exact_code",
    "reference_target", "contents_line", "reference_only",
})  # fmt: skip
# Rules that say what a passage lacks beside better ones. Without any better one it may still be where the answer is.
MAY_STEP_UP = frozenset({
    "secondary_terms", "usual_title", "topic_without_value", "value_missing", "value_near", "related_value",
    "incidental_term", "topic_terms", "terms_together", "distractor_concept", "definition",
})  # fmt: skip


def weigh(judged: list[tuple[Case, Judgement]]) -> tuple[list[tuple[Case, Judgement]], float | None]:
    """The judgements with the roles that measured evidence gives them, and how often such documents held the answer.

    As they were, with null, where the concept was not measured or the user asked for a place by name.
    """
    table = load_measured()
    chances: dict[int, float] = {}
    for at, (case, one) in enumerate(judged):
        rule = one.rule or ""
        if case.where is not None and table.knows(case.where) and rule not in NOT_WEIGHED:
            chances[at] = table.chance(case.signals, case.where, rule)
    if not chances:
        return judged, None
    where = judged[next(iter(chances))][0].where
    if where is None:
        return judged, None
    presence = table.presence(list(chances.values()), where)
    able = [at for at in chances if judged[at][1].role == "primary" or judged[at][1].rule in MAY_STEP_UP]
    best = max(able, key=lambda at: chances[at], default=None)
    weighed, unmeasured = [], False
    for at, (case, one) in enumerate(judged):
        if at not in chances:
            unmeasured = unmeasured or one.role == "primary"
            weighed.append((case, one))
        elif not table.counted(case.signals, where, one.rule or ""):
            unmeasured = unmeasured or one.role == "primary"
            weighed.append((case, replace(one, chance=chances[at])))
        else:
            least = LEAST_PRIMARY if at == best else PRIMARY_FROM
            present = presence >= PRESENT_FROM and at in able and chances[at] >= least
            weighed.append((case, _weighed(one, chances[at], presence, present=present)))
    return weighed, None if unmeasured else presence


def _weighed(one: Judgement, chance: float, presence: float, *, present: bool) -> Judgement:
    told = f"{one.reason} Measured: {_per_hundred(chance)} such passages held the answer."
    if present:
        return replace(one, role="primary", reason=told, chance=chance)
    if chance < NEGLIGIBLE:
        return replace(one, role="discarded", reason=told, chance=chance)
    if one.role == "primary":
        if presence < PRESENT_FROM:
            told = (
                f"{one.reason} That is not enough by itself: documents with no stronger passage than this held the "
                f"answer in {_of_hundred(presence)} cases, and in this very passage in {_of_hundred(chance)}."
            )
        return replace(one, role="supporting", reason=told, chance=chance)
    return replace(one, role="tangential" if one.role == "discarded" else one.role, reason=told, chance=chance)


def _of_hundred(share: float) -> str:
    count = round(100 * share)
    return f"{count} of 100" if count else "fewer than 1 of 100"


def _per_hundred(share: float) -> str:
    count = round(100 * share)
    return f"{count} in 100" if count else "fewer than 1 in 100"
