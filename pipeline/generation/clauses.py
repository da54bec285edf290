# ruff: noqa: E501  # patterns are read whole, on one line
"""Clauses that answer in their own words: text, figures, lead sentences of a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.generation.limits import missed_by, tell_all
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import Clause, further_places, rank_clauses, with_list
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from schemas.answer import TextValue

NEAR_ANCHOR = 2  # sentences beside the anchor that may belong to its clause
# A number or a label of its clause, then a few words and a full stop: '2. Deposit.', 'Article 3 - Paiement.', 'QUINTA. Penalización.'
_TITLE = re.compile(
    r"(?:(?:article|section|clause|art[ií]culo|cl[aá]usula)\s+)?(?:[\dIVX]{1,4}(?:\.\d{1,3})*[.)]?|[A-ZÁÉÍÓÚ]{5,14}\.)\s+(?:[-–—]\s*)?[^\W\d_][^.;:]{0,50}\.",
    re.IGNORECASE,
)
MAX_CAPTION = 600  # characters of a caption
MIN_LEAD = 40  # characters of a lead sentence; shorter ones lead into a list or are fragments


def pick_text(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """The clause that answers, whole, verbatim; others that speak of it are named in a caveat."""
    figure = _pick_figure(passages, topic)
    if figure is not None:
        return figure
    clauses = [one for one in rank_clauses(passages, topic) if not _is_run_in_title(one)]
    if topic.exact and any(one.exact for one in clauses):
        clauses = [one for one in clauses if one.exact or _is_pointed_to(one)]
    if not clauses or is_elsewhere(clauses[0], topic):
        return Draft(())
    best = clauses[0]
    start, end = _whole_clause(best, topic, settings.max_text_characters)
    caveats = (*tell_all(best.missed), *further_places(best, clauses, (start, end)))
    return Draft((_text(best.passage, start, end),), caveats=caveats, is_partial=bool(best.missed))


def text_of(clause: Clause) -> Proposal:
    """The clause as it stands, with the list that it opens."""
    return _text(clause.passage, *with_list(clause.passage, clause.sentence))


def is_elsewhere(best: Clause, topic: Topic) -> bool:
    """True for a best clause that shares no word with the question, or none of several beyond its concept."""
    if best.exact or _is_pointed_to(best):
        return False
    if not topic.has_concept:
        return best.coverage == 0 and bool(topic.words)
    lacking = topic.lacks(topic.own_words, *best.texts)
    return len(lacking) > 1 and len(lacking) == len(topic.own_words)


def _is_run_in_title(one: Clause) -> bool:
    """True for the heading at the head of its paragraph, '2. Deposit.': the clause itself follows it."""
    sentences = one.passage.sentences
    after = sentences.index(one.sentence) + 1
    follows = after < len(sentences) and sentences[after].block == one.sentence.block
    return follows and not one.is_operative and _TITLE.fullmatch(one.passage.words(one.sentence)) is not None


def _is_pointed_to(one: Clause) -> bool:
    """True for what stands at a place that a passage on the topic sends to: it need not repeat the words asked for."""
    candidate = one.passage.candidate
    return bool(candidate.reference_path) and candidate.role == "primary" and one.holds_anchor


def pick_summary(passages: Sequence[Passage], settings: GenerationSettings) -> Draft:
    """Lead sentences: the first under each heading of the first passage, in its order, verbatim."""
    proposals: list[Proposal] = []
    seen: set[tuple[int, int]] = set()
    for passage in passages:
        heading: str | None = None
        for sentence in passage.sentences:
            lines = passage.line_range(sentence.start, sentence.end)
            if sentence.kind not in ("prose", "item") or sentence.heading == heading or lines in seen:
                continue
            if len(passage.words(sentence)) < MIN_LEAD:
                continue
            heading = sentence.heading
            seen.add(lines)
            proposals.append(_text(passage, sentence.start, sentence.end, label=heading or None))
        if len(proposals) >= settings.summary_sentences or (proposals and passage.rank == 0 and len(proposals) > 1):
            break
    caveat = "No model was used: these are the lead sentences of the passages, verbatim, not a summary."
    return Draft(tuple(proposals[: settings.summary_sentences]), caveats=(caveat,) if proposals else ())


def _whole_clause(best: Clause, topic: Topic, limit: int) -> tuple[int, int]:
    """The sentence with what belongs to it: its list, and sentences of the same passage part that go on about it."""
    passage, sentence = best.passage, best.sentence
    start, end = with_list(passage, sentence)
    sentences = passage.sentences
    index = sentences.index(sentence)
    if sentence.kind == "item" or best.defines:  # a definition ends with its sentence and the list that it opens
        return start, end
    for following in sentences[index + 1 : index + 1 + NEAR_ANCHOR]:
        words = passage.words(following)
        goes_on = topic.coverage(words) or any(place.sense == "topic" for place in topic.places(words))
        if following.kind != "prose" or following.start < end or following.end - start > limit or not goes_on:
            break
        if missed_by(passage, following, topic) != best.missed:
            break
        end = following.end
    return start, end


def _pick_figure(passages: Sequence[Passage], topic: Topic) -> Draft | None:
    """Caption first, then every sentence that names it; None where the question names no figure or table."""
    labels = [
        word for word in topic.exact if re.fullmatch(r"(?i)(?:figure|fig\.?|table|tabla|tableau|figura)\s+\w+", word)
    ]
    if not labels:
        return None
    captions: dict[tuple[int, int], Proposal] = {}
    mentions: dict[tuple[int, int], Proposal] = {}
    for passage in passages:
        for sentence in passage.sentences:
            words = passage.words(sentence)
            if sentence.kind == "heading" or not topic.exact_count(words):
                continue
            lines = passage.line_range(sentence.start, sentence.end)
            is_caption = sentence.kind == "caption" and topic.exact_count(words[: len(labels[0]) + 4]) > 0
            into = captions if is_caption else mentions
            label = "caption" if is_caption else "mention"
            end = _caption_end(passage, sentence) if is_caption else sentence.end
            into.setdefault(lines, _text(passage, sentence.start, end, label=label))
    return Draft((*captions.values(), *mentions.values())) if captions or mentions else None


def _caption_end(passage: Passage, caption: Sentence) -> int:
    """End of the first of its lines that ends a sentence; of the sentence where none does."""
    ends = [one.end for one in passage.sentences if one.block == caption.block and one.start >= caption.start]
    text = passage.text[caption.start : min(max(ends), caption.start + MAX_CAPTION)]
    line_end = re.search(r"[.!?)](?=\s*\n)", text)
    return caption.start + line_end.end() if line_end is not None else caption.end


def _text(passage: Passage, start: int, end: int, *, label: str | None = None) -> Proposal:
    words = " ".join(passage.text[start:end].split())
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    return Proposal(TextValue(text=words), (span,), words, "rules", "verbatim", label)
