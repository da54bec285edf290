"""How sure retrieval is that the document holds an answer.

Where the concept was measured, the figure is the share of documents with such passages that held the answer
(`arbiter/measured.py`). Elsewhere it is the share over all concepts measured, by the rule behind the best primary: the
table below, made monotone in the order of the rules (isotonic regression by pooling neighbours: Zadrozny and Elkan,
KDD 2002). For triage only; nothing is decided by the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipeline.retrieval.arbiter.judgement import Judgement

# Shares of 9,459 questions on 231 contracts (CUAD v1), by the rule of the first primary, neighbours pooled. Rules that
# were hardly seen there (fewer than 20 questions) have the figure of the rule after them, or are marked as set.
CONFIDENCE_OF_RULE: Mapping[str, float] = {
    "defined_term": 0.9,  # set: the document itself says what the word means
    "named_section": 0.9,  # set: the user named it
    "caption": 0.9,  # set
    "statement_line": 0.83,  # set: as the best rule that was measured; contracts have no statements
    "statement_component": 0.83,  # set
    "table_row": 0.83,  # set
    "gives_reason": 0.83,  # set
    "exact_title": 0.83,  # 1,110 of 1,366, pooled with the two rules below it
    "co_occurrence": 0.83,  # 332 of 388
    "titled_passage": 0.83,  # 195 of 225
    "exact_code": 0.65,  # seen too rarely
    "terms_together": 0.65,  # 864 of 1,337
    "reference_target": 0.65,  # set: what the passage on the topic points at
    "value_near": 0.65,  # 11 of 22, pooled
    "related_value": 0.65,  # 28 of 36, pooled
    "question_phrase": 0.5,  # set: no expert's words for the topic
    "question_words": 0.5,  # set
    "stated_in_full": 0.5,  # set: 21 of 23 documents, on a sample; pooled with its neighbours
    "asked_words_with_value": 0.5,  # set: the question's words for the topic, and no expert's
    "asked_words_with_company": 0.5,  # set
    "topic_terms": 0.21,  # 103 of 496
    "figures_without_reason": 0.21,  # set
    "pinned_page": 0.21,  # seen too rarely
    "topic_without_value": 0.21,  # seen too rarely
}
MODEL_PRIMARY = 0.8  # the model calls it primary, whatever rule fits; a stronger rule counts more
ONLY_SUPPORT = 0.14  # 291 of 2,147
ONLY_TANGENTIAL = 0.02  # 36 of 1,913
NOTHING = 0.0


def confidence_of(judgements: Iterable[Judgement], rules: Mapping[str, str], presence: float | None = None) -> float:
    """0 to 1, from what was measured on open data (`presence`), or else from the best primary's rule.

    `rules` names the rule that fits each candidate, whoever judged it. A model's verdict outweighs what was measured on
    other documents: a primary of its own counts MODEL_PRIMARY at least, none at all no more than support does.
    """
    best, by_model, primary = NOTHING, False, False
    for judgement in judgements:
        by_model = by_model or judgement.judged_by == "llm"
        if judgement.role == "primary":
            primary = True
            value = CONFIDENCE_OF_RULE.get(rules.get(judgement.candidate_id, ""), NOTHING)
            value = max(value, MODEL_PRIMARY) if judgement.judged_by == "llm" else value
        else:
            value = {"supporting": ONLY_SUPPORT, "tangential": ONLY_TANGENTIAL}.get(judgement.role, NOTHING)
        best = max(best, value)
    if presence is None:
        return best
    if by_model:
        return max(best, presence) if primary else min(best, presence)
    return presence
