"""How sure retrieval is that the document holds an answer: a table from the rule behind the best primary.

The figures are ordered, not calibrated: a larger one stands for the stronger rule. Evaluation replaces them by measured
shares. For triage only; nothing is decided by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.retrieval.arbiter.judgement import Judgement

CONFIDENCE_OF_RULE: Mapping[str, float] = {
    "defined_term": 0.96,  # the document itself says what the word means
    "named_section": 0.95,
    "caption": 0.95,
    "exact_title": 0.95,  # the author wrote that title; 0.95 is the source text's figure for its running example
    "co_occurrence": 0.9,
    "titled_passage": 0.88,
    "exact_code": 0.85,
    "terms_together": 0.8,
    "reference_target": 0.7,
    "value_near": 0.65,
    "related_value": 0.63,
    "question_phrase": 0.62,
    "question_words": 0.6,
    "topic_terms": 0.55,
    "pinned_page": 0.5,
    "topic_without_value": 0.45,
}
MODEL_PRIMARY = 0.8  # the model calls it primary, whatever rule fits; a stronger rule counts more
ONLY_SUPPORT = 0.25
ONLY_TANGENTIAL = 0.1
NOTHING = 0.0


def confidence_of(judgements: Iterable[Judgement], rules: Mapping[str, str]) -> float:
    """0 to 1, from the best primary; `rules` names the rule that fits each candidate, whoever judged it."""
    best = NOTHING
    for judgement in judgements:
        if judgement.role == "primary":
            value = CONFIDENCE_OF_RULE.get(rules.get(judgement.candidate_id, ""), NOTHING)
            value = max(value, MODEL_PRIMARY) if judgement.judged_by == "llm" else value
        else:
            value = {"supporting": ONLY_SUPPORT, "tangential": ONLY_TANGENTIAL}.get(judgement.role, NOTHING)
        best = max(best, value)
    return best
