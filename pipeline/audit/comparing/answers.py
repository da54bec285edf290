"""What two answers say differently: status, values, quotes, what a reader must know; and where they part on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.audit.comparing.matching import Pair
from pipeline.audit.comparing.sides import Side
from pipeline.audit.comparing.wording import parting, short
from pipeline.wording.values import typed_of, words_of
from schemas.answer import Answer, AnswerItem
from schemas.evidence import EvidenceSpan
from schemas.replay import Movement, StageName

_ORDER: tuple[StageName, ...] = ("parsing", "question", "retrieval", "generation")


def answer_movements(
    first: Side, second: Side, pairs: Sequence[Pair], of_search: Sequence[Movement]
) -> tuple[Movement, ...]:
    """Differences of the answers; a value whose passage moved parts where the passage does."""
    stages = _Stages(pairs, of_search)
    values = tuple(_value_movements(first.answer, second.answer, stages))
    earliest = min((each.stage for each in values), key=_ORDER.index, default=None)
    if earliest is None:
        earliest = "retrieval" if first.retrieval.not_found != second.retrieval.not_found else "generation"
    told = []
    if first.answer.status != second.answer.status:
        told.append(_moved("status", "status", first.answer.status, second.answer.status, earliest))
    proofs = [answer.absence.verdict if answer.absence else None for answer in (first.answer, second.answer)]
    if proofs[0] != proofs[1]:
        told.append(_moved("status", "proof of absence", proofs[0], proofs[1], earliest))
    whole = [_whole(answer) for answer in (first.answer, second.answer)]
    if whole[0] != whole[1]:
        told.append(_moved("status", "completeness", whole[0], whole[1], earliest))
    texts = first.answer.text, second.answer.text
    if texts[0] != texts[1] and not told and not values:
        told.append(_moved("status", "wording of the answer", *parting(texts[0], texts[1]), earliest))
    return (*told, *values, *_caveat_movements(first.answer, second.answer, earliest))


class _Stages:
    """The first stage at which the passages of a value part, by candidate id of either run."""

    def __init__(self, pairs: Sequence[Pair], moved: Sequence[Movement]) -> None:
        stage_of: dict[str, StageName] = {}
        for each in moved:
            if each.what in ("candidate", "role"):
                known = stage_of.get(each.name, "generation")
                stage_of[each.name] = min(each.stage, known, key=_ORDER.index)
        self._of_side: tuple[dict[str, StageName], dict[str, StageName]] = ({}, {})
        for pair in pairs:
            for side, one in zip(self._of_side, (pair.first, pair.second), strict=True):
                if one is not None:
                    side[one.id] = stage_of.get(pair.name, "generation")

    def of(self, items: Sequence[tuple[int, AnswerItem]]) -> StageName:
        """Of the values of a movement, each with the number of its run, 0 or 1."""
        found = [
            self._of_side[side].get(span.candidate_id, "generation") for side, item in items for span in item.spans
        ]
        return min(found, key=_ORDER.index, default="generation")


def _value_movements(first: Answer, second: Answer, stages: _Stages) -> Iterator[Movement]:
    left, right = list(first.items), list(second.items)
    for before, after in _same_values(left, right):
        stage = stages.of([(0, before), (1, after)])
        quotes = _quotes(before.spans), _quotes(after.spans)
        if quotes[0] != quotes[1]:
            yield _moved("quote", _name(after), short(quotes[0]), short(quotes[1]), stage)
        if before.label != after.label:
            yield _moved("value", f"label of {_name(after)}", before.label, after.label, stage)
    if len(left) == len(right) == 1:
        stage = stages.of([(0, left[0]), (1, right[0])])
        yield _moved("value", left[0].label or "value", _told(left[0]), _told(right[0]), stage)
        quotes = _quotes(left[0].spans), _quotes(right[0].spans)
        if quotes[0] != quotes[1]:
            yield _moved("quote", left[0].label or "quote", short(quotes[0]), short(quotes[1]), stage)
    else:
        for item in left:
            yield _moved("value", _name(item), _told(item), None, stages.of([(0, item)]))
        for item in right:
            yield _moved("value", _name(item), None, _told(item), stages.of([(1, item)]))
    refused = [{one.value_text: one.reason for one in answer.refused_items} for answer in (first, second)]
    for text in dict.fromkeys((*refused[0], *refused[1])):
        if refused[0].get(text) != refused[1].get(text):
            yield _moved("value", f"refused: {short(text)}", refused[0].get(text), refused[1].get(text), "generation")


def _same_values(left: list[AnswerItem], right: list[AnswerItem]) -> list[tuple[AnswerItem, AnswerItem]]:
    """Values that both have, taken out of both lists: those with the same lines first, then any other."""
    pairs = []
    for same_lines in (True, False):
        for item in tuple(left):
            for other in right:
                alike = item.value == other.value and (item.label == other.label or not same_lines)
                if alike and (not same_lines or _quotes(item.spans) == _quotes(other.spans)):
                    pairs.append((item, other))
                    left.remove(item)
                    right.remove(other)
                    break
    return pairs


def _caveat_movements(first: Answer, second: Answer, stage: StageName) -> Iterator[Movement]:
    lists = {
        "caveat": [list(answer.caveats) for answer in (first, second)],
        "conflict": [[one.model_dump_json() for one in answer.conflicts] for answer in (first, second)],
        "finding": [[one.detail for one in answer.findings] for answer in (first, second)],
        "downgrade": [[f"{one.stage}: {one.reason}" for one in answer.downgrades] for answer in (first, second)],
    }
    for name, (before, after) in lists.items():
        for text in dict.fromkeys((*before, *after)):
            if before.count(text) != after.count(text):
                there = text in before and text not in after
                yield _moved("caveat", name, short(text) if there else None, None if there else short(text), stage)


def _whole(answer: Answer) -> str:
    words = {True: "complete", False: "not complete", None: "cannot be told"}
    return words[answer.completeness.complete]


def _quotes(spans: Sequence[EvidenceSpan]) -> str:
    return "\n".join(" ".join(span.quote.split()) for span in spans)


def _name(item: AnswerItem) -> str:
    return item.label or short(words_of(item.value))


def _told(item: AnswerItem) -> str:
    words, typed = short(words_of(item.value)), typed_of(item.value)
    return f"{words} ({short(typed)})" if typed and typed not in words else words


def _moved(what: Any, name: str, before: str | None, after: str | None, stage: StageName) -> Movement:
    return Movement(what=what, name=name, before=before, after=after, stage=stage)
