# ruff: noqa: E501  # patterns are read whole, on one line
"""The extractive generator: which rule answers which shape and type of question."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dictionaries.folding import folded_text
from pipeline.generation.clauses import pick_summary, pick_text
from pipeline.generation.conditions import cases_on_topic, with_conditions
from pipeline.generation.contract_terms import pick_contract_term
from pipeline.generation.counting import with_count
from pipeline.generation.governing_law import asks_law, find_governing_law
from pipeline.generation.listing import pick_listing
from pipeline.generation.parties import asks_parties, find_parties
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft
from pipeline.generation.ranking import Clause, rank_clauses
from pipeline.generation.records import asks_record, draft_record
from pipeline.generation.rows import Row
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.tables import draft_from_tables, refuse_unnamed
from pipeline.generation.title import asks_title, find_title
from pipeline.generation.topic import Topic
from pipeline.generation.typed import pick_values
from pipeline.generation.yes_no import pick_boolean
from pipeline.values import VALUE_TYPES
from schemas.handed_tables import HandedTable

_UNTIL = r"until|unless (?:earlier |sooner )?terminated|perpetual\w*|indefinite\w*|for as long as|in perpetuity|hasta|indefinid\w*|jusqu|indetermine\w*"
_SUM = r"exceed\w*|limited to|equal to|amounts?|fees|sums?|price|as set (?:out|forth)|exced\w*|limitad\w*|importe|precio|depass\w*|exced\w*|montant|prix"
# Words by which a clause measures without a figure: 'until terminated', 'not exceed the fees paid in the year before'.
_MEASURES = {
    "amount": re.compile(rf"\b(?:{_SUM})\b"),
    "percentage": re.compile(rf"\b(?:{_SUM}|rate|share|tasa|tipo|taux)\b"),
    "duration": re.compile(rf"\b(?:{_UNTIL})"),
    "date": re.compile(rf"\b(?:{_UNTIL}|on the date|accept\w*|between|entre)\b"),
    "address": re.compile(
        r"\b(?:address\w*|located|situated|domicil\w*|offices?|direccion|sede|adresse|siege|situee?)\b"
    ),
}
_OTHER_KIND = {"date": "duration", "duration": "date"}  # 'when does it end' is answered by either


def draft_by_rules(
    passages: Sequence[Passage],
    topic: Topic,
    settings: GenerationSettings,
    *,
    headers: Sequence[Row] = (),
    readable: Sequence[Passage] = (),
    tables: Sequence[HandedTable] = (),
    doc_id: str = "",
) -> Draft:
    """What the rules propose, best first; nothing where the passages hold no answer of the kind.

    `headers` are the table headers of every candidate, tangential ones too: they say what a row's numbers are.
    `readable` are all passages, tangential ones too: what stands by its place is read in them, a title or a signature.
    """
    brief = topic.brief
    if asks_record(brief):
        record = draft_record(topic, _fields_of(passages, settings, headers=headers, readable=readable, tables=tables))
        if record.proposals:
            return record
    if brief.intent == "summarization" or brief.needs_summary:
        return pick_summary(passages, settings)
    if asks_title(topic):
        return find_title(readable or passages)
    if asks_law(topic):
        return find_governing_law(readable or passages, topic)
    if asks_parties(topic):
        return find_parties(readable or passages, topic)
    texts = [one.text for one in readable or passages]
    from_tables = draft_from_tables(tables, brief, doc_id=doc_id, texts=texts)
    if from_tables is not None:
        return from_tables
    term = pick_contract_term(passages, topic, readable=readable)
    if term is not None:
        term = with_conditions(term, passages, brief.answer_type, language=brief.language)
        return _or_cases(term, passages, topic)
    if brief.answer_shape != "single":
        return pick_listing(passages, topic, brief.answer_type, settings, headers=headers)
    if brief.answer_type == "boolean":
        return pick_boolean(passages, topic)
    if brief.answer_type in VALUE_TYPES:
        draft = _draft_value(passages, topic, settings, headers)
        draft = refuse_unnamed(draft, passages, tables, brief, doc_id=doc_id)
        draft = with_conditions(draft, passages, brief.answer_type, language=brief.language)
        draft = _or_cases(draft, passages, topic)
        return with_count(draft, passages, topic, settings, readable=readable, tables=tables)
    return pick_text(passages, topic, settings)


def _or_cases(draft: Draft, passages: Sequence[Passage], topic: Topic) -> Draft:
    """The draft; where it proposes nothing, the value that the topic's clause states case by case, if one does."""
    cases = draft if draft.proposals else cases_on_topic(passages, topic, topic.brief.answer_type)
    return cases if cases.proposals else draft


def _fields_of(
    passages: Sequence[Passage],
    settings: GenerationSettings,
    *,
    headers: Sequence[Row],
    readable: Sequence[Passage],
    tables: Sequence[HandedTable],
) -> Callable[[Topic], Draft]:
    """What drafts one field of a record from the same passages."""
    return lambda topic: draft_by_rules(passages, topic, settings, headers=headers, readable=readable, tables=tables)


def _draft_value(
    passages: Sequence[Passage], topic: Topic, settings: GenerationSettings, headers: Sequence[Row]
) -> Draft:
    """The value; else one of the kind that also answers, or the clause that regulates it, each with a caveat."""
    wanted = topic.brief.answer_type
    draft = pick_values(passages, topic, wanted, headers=headers)
    if draft.proposals or topic.exact:
        return draft
    other = _OTHER_KIND.get(wanted)
    if other is not None:
        instead = pick_values(passages, topic, other, only_stated=True)
        if instead.proposals and not instead.is_partial and topic.has_concept:
            caveat = f"The passages state no {wanted}; they state a {other}."
            return Draft(instead.proposals, (caveat, *instead.caveats), instead.differing, is_partial=True)
    if any(concept.value_required for concept in topic.brief.concepts[:1]):
        return draft
    clauses = [
        one for one in rank_clauses(passages, topic) if one.passage.candidate.role == "primary" and not one.missed
    ]
    if clauses and _says_how(clauses[0], topic):
        text = pick_text(passages, topic, settings)
        caveat = f"The passages state no {wanted}; the clause on it is given as it stands."
        return Draft(text.proposals[:1], (caveat, *text.caveats), is_partial=True)
    return draft


def _says_how(clause: Clause, topic: Topic) -> bool:
    """True for a clause that says without a figure how much or how long: on the concept, in measuring words."""
    is_plain = clause.is_operative and not clause.is_definition and not clause.is_cut
    if not is_plain or topic.lacks(topic.own_words, *clause.texts):
        return False
    measures = _MEASURES.get(topic.brief.answer_type)
    if measures is None or not measures.search(folded_text(clause.texts[0])):
        return False
    return clause.coverage > 0 and (clause.is_named or not topic.has_concept)
