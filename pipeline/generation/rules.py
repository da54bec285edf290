"""The extractive generator: which rule answers which shape and type of question."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.clauses import pick_boolean, pick_summary, pick_text, rank_clauses
from pipeline.generation.listing import pick_listing
from pipeline.generation.parties import find_parties
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from pipeline.generation.typed import pick_values
from pipeline.values import VALUE_TYPES

_OTHER_KIND = {"date": "duration", "duration": "date"}  # 'when does it end' is answered by either


def draft_by_rules(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """What the rules propose, best first; nothing where the passages hold no answer of the kind."""
    brief = topic.brief
    if brief.intent == "summarization" or brief.needs_summary:
        return pick_summary(passages, topic, settings)
    if brief.answer_shape != "single":
        return pick_listing(passages, topic, brief.answer_type, settings)
    if brief.answer_type == "boolean":
        return pick_boolean(passages, topic, settings)
    if brief.answer_type == "party":
        parties = find_parties(passages) if any(c.concept_id == "parties" for c in brief.concepts) else Draft(())
        return parties if parties.proposals else pick_text(passages, topic, settings)
    if brief.answer_type in VALUE_TYPES:
        return _draft_value(passages, topic, settings)
    return pick_text(passages, topic, settings)


def _draft_value(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """The value; else one of the kind that also answers, or the clause that says how it is found, each with a caveat."""
    wanted = topic.brief.answer_type
    draft = pick_values(passages, topic, wanted)
    if draft.proposals or draft.caveats:
        return draft
    other = _OTHER_KIND.get(wanted)
    if other is not None:
        instead = pick_values(passages, topic, other)
        if instead.proposals and not instead.is_partial:
            caveat = f"The passages state no {wanted}; they state a {other}."
            return Draft(instead.proposals, (caveat, *instead.caveats), instead.differing, is_partial=True)
    if any(concept.value_required for concept in topic.brief.concepts[:1]):
        return Draft(())
    clauses = [c for c in rank_clauses(passages, topic) if c.passage.candidate.role == "primary"]
    if clauses and clauses[0].topic >= 2 and clauses[0].is_operative and not clauses[0].is_definition:
        text = pick_text(passages, topic, settings)
        caveat = f"The passages state no {wanted}; the clause on it is given as it stands."
        return Draft(text.proposals[:1], (caveat, *text.caveats), is_partial=True)
    return Draft(())
