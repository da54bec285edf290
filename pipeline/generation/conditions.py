"""Values that depend on a case: each branch with its condition, verbatim; never flattened to one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.cases import conditional_value, opens_case
from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.placing import place_values, propose
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import with_list
from pipeline.generation.topic import Topic
from pipeline.values import same_value
from schemas.answer import ConditionalValue

REACH = 2  # sentences after the one with the value that may state another under a condition
MAX_TRIED = 6  # values, the best placed first, around which cases are looked for
ON_TOPIC = 2  # of Placed.topic: a term of the concept in the sentence, or in what stands over it
_STATED_BESIDE = ("The value applies under a condition", "Under a condition another value applies")

__all__ = ["cases_on_topic", "conditional_value", "with_conditions"]


def with_conditions(draft: Draft, passages: Sequence[Passage], answer_type: str, *, language: str) -> Draft:
    """The draft with its first value made conditional where its sentence, or those right after it, state the others.

    Values of other cases are then no conflict and need no caveat; the draft as it is where nothing depends.
    """
    if not draft.proposals or draft.proposals[0].method != "verbatim" or draft.proposals[0].value is None:
        return draft
    first = draft.proposals[0]
    made = _around(first, passages, answer_type, language)
    if made is None:
        return draft
    value, span = made
    whole = Proposal(value, (span, *first.spans[1:]), value.original, first.proposed_by, "verbatim", first.label)
    kept = [whole]
    differing: list[int] = []
    for number, one in enumerate(draft.proposals[1:], 1):
        is_branch = one.value is not None and any(same_value(one.value, branch.value) for branch in value.branches)
        if is_branch and all(
            span.line_start <= each.line_start and each.line_end <= span.line_end for each in one.spans
        ):
            continue
        if number in draft.differing:
            differing.append(len(kept))
        kept.append(one)
    caveats = tuple(one for one in draft.caveats if not one.startswith(_STATED_BESIDE))
    return replace(draft, proposals=tuple(kept), caveats=caveats, differing=tuple(differing))


def cases_on_topic(passages: Sequence[Passage], topic: Topic, answer_type: str) -> Draft:
    """The first conditional value that a primary passage states on the topic; empty where nothing there depends."""
    for one in place_values(passages, topic, answer_type)[:MAX_TRIED]:
        if one.passage.candidate.role != "primary" or one.missed or one.topic < ON_TOPIC:
            continue
        draft = with_conditions(Draft((propose(one),)), passages, answer_type, language=topic.brief.language)
        if isinstance(draft.proposals[0].value, ConditionalValue):
            return draft
    return Draft(())


def _around(
    first: Proposal, passages: Sequence[Passage], answer_type: str, language: str
) -> tuple[ConditionalValue, ProposedSpan] | None:
    """The conditional value around a proposal, with its lines; None where its value is no branch of one."""
    cited = first.spans[0]
    passage = next((one for one in passages if one.candidate.candidate_id == cited.candidate_id), None)
    if passage is None or first.value is None:
        return None
    for start, end in _groups(passage, cited, first):
        value = conditional_value(passage.text[start:end], answer_type, language=language)
        if value is not None and any(same_value(branch.value, first.value) for branch in value.branches):
            return value, ProposedSpan(cited.candidate_id, *passage.line_range(start, end))
    return None


def _groups(passage: Passage, cited: ProposedSpan, first: Proposal) -> list[tuple[int, int]]:
    """Stretches that may state all cases, the widest first: the sentence, its list, sentences after and before it."""
    holding = [
        (number, one)
        for number, one in enumerate(passage.sentences)
        if passage.line_range(one.start, one.end)[0] >= cited.line_start
        and passage.line_range(one.start, one.end)[1] <= cited.line_end
        and " ".join(first.value_text.split()) in passage.words(one)
    ]
    if not holding:
        return []
    number, sentence = holding[0]
    start, end = with_list(passage, sentence)
    groups = [(start, end)]
    if sentence.kind == "item":  # an item of a list of cases: the list, with what opens it
        opened = _list_around(passage, number)
        groups = [opened, *groups] if opened is not None else groups
    following = [one for one in passage.sentences[number + 1 :] if one.start >= end][:REACH]
    for one in following:
        if one.heading != sentence.heading or not _depends(passage, one):
            break
        groups.insert(0, (start, one.end))
    if number and _depends(passage, sentence) and passage.sentences[number - 1].heading == sentence.heading:
        groups.insert(0, (passage.sentences[number - 1].start, end))
    return groups


def _depends(passage: Passage, sentence: Sentence) -> bool:
    """True for a sentence that opens with a condition, with 'otherwise', or as a case of several."""
    return sentence.kind in ("prose", "item") and opens_case(passage.words(sentence))


def _list_around(passage: Passage, number: int) -> tuple[int, int] | None:
    first = last = number
    while first > 0 and passage.sentences[first - 1].kind == "item":
        first -= 1
    while last + 1 < len(passage.sentences) and passage.sentences[last + 1].kind == "item":
        last += 1
    opener = passage.sentences[first - 1] if first else None
    begun = opener.start if opener is not None and passage.words(opener).endswith((":", ":-", "—")) else None
    if begun is None and first == last:
        return None
    return begun if begun is not None else passage.sentences[first].start, passage.sentences[last].end
