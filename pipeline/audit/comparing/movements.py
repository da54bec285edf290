"""What two runs gave, thing by thing: where it differs, and at which stage they first part on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.audit.comparing.answers import answer_movements
from pipeline.audit.comparing.matching import Pair, Passage, pair_candidates
from pipeline.audit.comparing.sides import Side
from pipeline.audit.comparing.wording import flat, short, told
from schemas.question import Keyword, ParsedQuestion
from schemas.replay import Movement, StageName

SNIPPET = 90  # characters of a passage that tell a reader which it is
# Fields of a question that are told as one; those of the nested ones are told one by one.
_FIELDS = (
    "language", "intent", "answer_shape", "answer_type", "resolved_question", "corrected_question", "exclusions",
    "format_wishes", "chunk_strategy", "rewrites", "limits", "unmet", "must_distinguish", "settled",
)  # fmt: skip
_NESTED = ("hints", "filters", "plan", "format_constraint")


def list_movements(first: Side, second: Side) -> tuple[Movement, ...]:
    """Everything that the two runs give differently, in the order of the stages."""
    pairs = pair_candidates(first, second)
    of_question = tuple(_question_movements(first.question, second.question))
    of_search = tuple(_search_movements(first, second, pairs, of_question))
    return (*of_question, *of_search, *answer_movements(first, second, pairs, of_search))


def _question_movements(first: ParsedQuestion, second: ParsedQuestion) -> Iterator[Movement]:
    for name, before, after in _question_fields(first, second):
        yield _moved("question_field", name, before, after, "question")
    words = _keywords(first.keywords), _keywords(second.keywords)
    for text in dict.fromkeys((*words[0], *words[1])):
        if words[0].get(text) != words[1].get(text):
            yield _moved("keyword", text, words[0].get(text), words[1].get(text), "question")


def _question_fields(first: ParsedQuestion, second: ParsedQuestion) -> Iterator[tuple[str, str | None, str | None]]:
    for name in _FIELDS:
        before, after = getattr(first, name), getattr(second, name)
        if before != after:
            yield name, _value(before), _value(after)
    for name in _NESTED:
        leaves = [flat(getattr(side, name).model_dump(mode="json"), f"{name}.") for side in (first, second)]
        for leaf in dict.fromkeys((*leaves[0], *leaves[1])):
            if leaves[0].get(leaf) != leaves[1].get(leaf):
                yield leaf, _value(leaves[0].get(leaf)), _value(leaves[1].get(leaf))
    concepts = [[f"{one.dictionary}.{one.concept_id}" for one in side.concepts] for side in (first, second)]
    if concepts[0] != concepts[1]:
        yield "concepts", ", ".join(concepts[0]) or None, ", ".join(concepts[1]) or None
    parts = [[part.text for part in side.decomposition.sub_questions] for side in (first, second)]
    if parts[0] != parts[1] or first.decomposition.pattern != second.decomposition.pattern:
        patterns = [side.decomposition.pattern for side in (first, second)]
        yield "decomposition", told([patterns[0], *parts[0]]), told([patterns[1], *parts[1]])
    asked = [side.clarification.question_to_user if side.clarification else None for side in (first, second)]
    if asked[0] != asked[1]:
        yield "clarification", asked[0], asked[1]


def _keywords(words: Sequence[Keyword]) -> dict[str, str]:
    """What each keyword is, by its text; one that stands for two concepts is told once."""
    told_of: dict[str, list[str]] = {}
    for word in words:
        of = f" for {word.concept}" if word.concept else ""
        told_of.setdefault(word.text, []).append(f"{word.source}{of}, weight {word.weight:g}")
    return {text: "; ".join(sorted(each)) for text, each in told_of.items()}


def _search_movements(
    first: Side, second: Side, pairs: Sequence[Pair], of_question: Sequence[Movement]
) -> Iterator[Movement]:
    yield from _method_movements(first, second)
    moved_words = {each.name.casefold() for each in of_question if each.what == "keyword"}
    known = [None if side.line_texts is None else set(side.line_texts) for side in (first, second)]
    for pair in pairs:
        other = known[1] if pair.second is None else known[0]
        stage = stage_of(pair, moved_words, other_lines=other)
        if pair.first is None or pair.second is None:
            yield _moved("candidate", pair.name, _candidate(pair.first), _candidate(pair.second), stage)
            continue
        yield from _pair_movements(pair.name, pair.first, pair.second, stage)
    orders = [_order(side.retrieval.candidates, pairs, at) for at, side in enumerate((first, second))]
    if sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]:
        yield _moved("candidate", "order of the passages", ", ".join(orders[0]), ", ".join(orders[1]), "retrieval")


def stage_of(pair: Pair, moved_words: set[str], *, other_lines: set[str] | None) -> StageName:
    """The first stage at which two runs part on a passage: its lines, the words that found it, or its judgement.

    `other_lines` are those of the run that lacks it; None where they are not known.
    """
    if pair.first is None or pair.second is None:
        passage = pair.first or pair.second
        if passage and other_lines is not None and not other_lines.issuperset(passage.text.split("\n")):
            return "parsing"
        words = passage.why.structural_context.matched_keywords if passage else ()
        return "question" if moved_words & {word.casefold() for word in words} else "retrieval"
    if " ".join(pair.first.text.split()) != " ".join(pair.second.text.split()):
        return "parsing"
    words = (
        *pair.first.why.structural_context.matched_keywords, *pair.second.why.structural_context.matched_keywords
    )  # fmt: skip
    return "question" if moved_words & {word.casefold() for word in words} else "retrieval"


def _method_movements(first: Side, second: Side) -> Iterator[Movement]:
    before, after = ({**_methods(side), "arbiter": _arbiter(side)} for side in (first, second))
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield _moved("method", name, before.get(name), after.get(name), "retrieval")


def _methods(side: Side) -> Mapping[str, str]:
    found = side.retrieval
    skipped = {name: f"skipped: {found.skipped_reasons[name]}" for name in found.methods_skipped}
    return {**dict.fromkeys(found.methods_run, "ran"), **skipped}


def _arbiter(side: Side) -> str:
    found = side.retrieval
    return found.arbiter if found.strategy_name == "arbiter" else f"{found.arbiter}, strategy {found.strategy_name}"


def _pair_movements(name: str, before: Passage, after: Passage, stage: StageName) -> Iterator[Movement]:
    if stage == "parsing":
        yield _moved("candidate", name, _snippet(before.text), _snippet(after.text), stage)
    if before.why.role != after.why.role:
        yield _moved("role", name, before.why.role, after.why.role, stage)
    if before.why.reason != after.why.reason:
        yield _moved("reason", name, before.why.reason, after.why.reason, stage)
    if before.kept and after.kept:
        reads = [len(each.kept.lines) for each in (before, after) if each.kept]
        same_text = before.kept.text.split() == after.kept.text.split()
        if not same_text and stage != "parsing":
            yield _moved("candidate", f"{name}, what is read", f"{reads[0]} lines", f"{reads[1]} lines", stage)


def _candidate(passage: Passage | None) -> str | None:
    return None if passage is None else f"{passage.why.role}: {_snippet(passage.text)}"


def _snippet(text: str) -> str:
    return short(text, SNIPPET)


def _order(candidates: Sequence[Any], pairs: Sequence[Pair], side: int) -> list[str]:
    """Names of the kept passages that both runs have, in the order in which they are handed over."""
    names = {}
    for pair in pairs:
        one = (pair.first, pair.second)[side]
        if pair.first is not None and pair.second is not None and one is not None:
            names[one.id] = pair.name
    return [names[one.candidate_id] for one in candidates if one.candidate_id in names]


def _value(value: Any) -> str | None:
    return None if value is None or value in ((), [], "") else told(value)


def _moved(what: Any, name: str, before: str | None, after: str | None, stage: StageName) -> Movement:
    return Movement(what=what, name=name, before=before, after=after, stage=stage)
