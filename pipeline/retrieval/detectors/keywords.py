"""content_keyword_match: passages that hold the topic, best where the value or its words stand beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import groupby

import pandas as pd

from pipeline.retrieval.anchors import anchor_of
from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.evidence import Unit
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals, signals_of

METHOD = "content_keyword_match"
MAX_OTHER_TOPICS = 5  # passages with only a neighbouring topic: enough to show what was mistaken for what

# Weights of the score, which orders the hits of this method and nothing else. Topic and value together outweigh any
# number of further terms (METHOD 3.2: a line counts when it holds both groups); rarity earns nothing.
_TERM, _SECONDARY, _OTHER, _WORDS = 4.0, 2.0, 1.5, 3.0
_MORE, _MAX_MORE = 0.5, 3
_BESIDE, _INSIDE, _NEAR, _VALUE_WORD = 4.0, 3.0, 1.0, 1.0
_STATEMENT, _COMPONENT, _ROW, _TURN = 20.0, 15.0, 6.0, 2.0  # a figure is read off its row before any prose
_REASON, _TITLED, _REFERENCE, _DEFINITION = 3.0, 3.0, -4.0, -1.5


def find_keywords(search: Search) -> pd.DataFrame:
    """HIT_DF: one row a passage with a term of the topic, those with a value beside it first.

    A passage with one word of a longer question is proposed too, last: the arbiter says why it is no answer. So are the
    first few passages with nothing but terms of other topics, those often confused first. Empty when no term occurs.
    """
    found: list[tuple[float, Unit]] = []
    others: list[tuple[bool, int, Unit]] = []
    statements: dict[tuple[int, str], list[tuple[float, Unit]]] = {}
    tells = _telling(search)
    for unit in search.evidence.units.values():
        signals = signals_of(search, unit)
        if signals.statement is not None and signals.row_names is not None:
            page = search.lines.page_nums[search.lines.block_positions(unit.block)[0]]
            statements.setdefault((page, signals.statement), []).append((_score(signals, tells), unit))
            continue
        words_count = not signals.has_concept or len(signals.words) >= signals.words_needed
        proposed = unit.titled or signals.exact or signals.primary_terms or signals.secondary_terms
        if proposed or signals.other_terms or signals.asked_value or (signals.words and words_count):
            found.append((_score(signals, tells), unit))
        elif signals.distractors or signals.neighbours:
            others.append((not signals.distractors, unit.block, unit))
    nearest = [unit for *_, unit in sorted(others, key=lambda row: row[:2])[:MAX_OTHER_TOPICS]]
    found += [(_score(signals_of(search, unit), tells), unit) for unit in nearest]
    found += _in_turns(statements.values())
    return hit_table(METHOD, _best(search, found), search.lines, limit=search.settings.max_hits)


def _best(search: Search, found: list[tuple[float, Unit]]) -> list[Hit]:
    """The hits of the passages with the highest scores, as many as are kept; those of one score all or none."""
    found.sort(key=lambda row: -row[0])
    hits: list[Hit] = []
    ranges: set[tuple[int, int]] = set()
    for score, group in groupby(found, key=lambda row: row[0]):
        if len(ranges) >= search.settings.max_hits:
            break
        for _, unit in group:
            signals = signals_of(search, unit)
            first, last = anchor_of(search.lines, search.evidence, unit)
            ranges.add((first, last))
            hits.append(Hit(first, last, score, signals.keywords, _reason(signals)))
    return hits


def _in_turns(statements: Iterable[list[tuple[float, Unit]]]) -> list[tuple[float, Unit]]:
    """The rows of each statement, best first, each behind the rows before it: the next statement has its turn."""
    ordered = (sorted(rows, key=lambda row: (-row[0], row[1].block)) for rows in statements)
    return [(round(score - _TURN * turn, 4), unit) for rows in ordered for turn, (score, unit) in enumerate(rows)]


def _telling(search: Search) -> dict[str, float]:
    """How much each word of the question tells passages apart, together 1: more, the fewer lines hold it.

    All the same where an expert's dictionary says what the topic is: then the words are not the topic. The weight is
    the inverse document frequency of Spaerck Jones (Journal of Documentation, 1972) over lines.
    """
    evidence, count = search.evidence, max(len(search.lines.searched), 1)
    held = {evidence.term(index).text: evidence.line_counts.get(index, 0) for index in evidence.words}
    weights = {
        text: 1.0 if evidence.has_concept else math.log(1.0 + count / (lines + 0.5))
        for text, lines in sorted(held.items())
    }
    total = sum(weights.values())
    return {text: weight / total for text, weight in weights.items()}


def _score(signals: Signals, tells: Mapping[str, float]) -> float:
    terms = len(signals.exact) + len(signals.primary_terms)
    score = _TERM if terms else _SECONDARY if signals.secondary_terms else _OTHER if signals.other_terms else 0.0
    score = max(score, _OTHER) if signals.asked_value else score
    more = terms + len(signals.secondary_terms) + len(signals.other_terms) - 1
    score += _MORE * min(max(more, 0), _MAX_MORE)
    score += _WORDS * sum(tells[word] for word in signals.words)
    if signals.on_topic or signals.secondary_terms or signals.other_terms:
        score += _BESIDE if signals.value_beside else _INSIDE if signals.value_inside else 0.0
        score += _NEAR if signals.value_near else 0.0
        score += _VALUE_WORD if signals.value_words else 0.0
    score += _MORE * min(len(signals.phrases), _MAX_MORE)
    if signals.row_names == "item":
        score += (_STATEMENT if signals.statement is not None else _ROW) * signals.row_fit
    elif signals.row_names == "component" and signals.statement is not None:
        score += _COMPONENT * signals.row_fit
    score += _REASON if signals.gives_reason else 0.0
    score += _TITLED if signals.titled else 0.0
    score += _REFERENCE if signals.only_reference else _DEFINITION if signals.only_definition else 0.0
    return round(score, 4)


def _reason(signals: Signals) -> str:
    topic = (*signals.exact, *signals.primary_terms, *signals.secondary_terms, *signals.other_terms, *signals.words)
    if not topic and signals.asked_value:
        return f"Holds {_listed(signals.asked)}, as the question names it, with a value of the expected type beside it."
    if not topic:
        if signals.titled:
            return "The heading above is about the topic."
        return f"Only words of a neighbouring topic stand here: {_listed((*signals.distractors, *signals.neighbours))}."
    parts = [f"Holds {_listed(topic)}"]
    if signals.statement is not None:
        parts.append(f"as a line of '{signals.statement}'")
    if signals.value_beside:
        parts.append("with a value of the expected type beside it")
    elif signals.value_inside:
        parts.append("with a value of the expected type in the same passage")
    elif signals.value_near:
        parts.append("with a value of the expected type in the next passage")
    if signals.value_words:
        parts.append(f"with {_listed(signals.value_words)}, which goes with the value")
    if signals.titled:
        parts.append("under a heading on the topic")
    return ", ".join(parts) + "."


def _listed(terms: tuple[str, ...]) -> str:
    shown = [f"'{term}'" for term in dict.fromkeys(terms)]
    more = len(shown) - 4
    return ", ".join(shown[:4]) + (f" and {more} more" if more > 0 else "")
