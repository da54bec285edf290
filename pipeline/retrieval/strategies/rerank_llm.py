"""A language model as reranker: grades from 0 to 3, or an ordered list of ids. The model gives ids, never texts.

The schema holds the form of a reply, this code its values: grades are clamped, invented ids ignored, a missing id
counts as 0, of a repeated id the first grade counts, ties keep the first-stage order. A reply that is of no use (cut
off, no JSON, no known id) leaves the first-stage order and a downgrade on record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.llm.model import LanguageModel, ModelUseError, Prompt, Shortfall
from pipeline.retrieval.strategies.prompts import GRADES, IDS, GradesOutput, IdsOutput, PassageGrade, fill
from pipeline.retrieval.strategies.rerank import Item, Reranking
from schemas.audit import Downgrade, ModelUse

TOP_GRADE = 3  # the scale of METHOD 9: 0 to 3
MAX_ITEM_CHARACTERS = 1_500  # characters of a passage that are shown; three times the usual size (seed text 000)
TOKENS_PER_ITEM = 40  # id, grade and the JSON around them
TOKENS_BESIDES = 200  # what frames the list
MAX_LISTED_IDS = 12  # ids named in one complaint; the rest is counted
GRADE_MEANS = ("unrelated", "on the topic", "part of the answer", "the whole answer")


def rerank_by_grade(query: str, items: Sequence[Item], llm: LanguageModel) -> Reranking:
    """The items by grade, those graded 0 dropped; all dropped: the reranker abstains."""
    ids = [item.candidate_id for item in items]
    try:
        reply = llm.ask(
            _grades_prompt(query, items),
            GradesOutput,
            purpose="rerank",
            max_output_tokens=_room_for(len(ids)),
            check=lambda output: _shortfall(output, query, items),
        )
    except ModelUseError as error:
        return _first_stage_order(ids, error.use, str(error))
    use = _with_problems(reply.use, (*reply.problems, *grade_problems(reply.value, ids)))
    known = set(ids)
    given: dict[str, int] = {}
    for grade in reply.value.grades:
        if grade.id in known:
            given.setdefault(grade.id, max(0, min(TOP_GRADE, grade.relevance)))
    if not given:
        return _first_stage_order(ids, use, "the reply grades none of the passages")
    grades = {one: given.get(one, 0) for one in ids}
    kept = tuple(sorted((one for one in ids if grades[one]), key=lambda one: -grades[one]))  # sorted is stable
    return Reranking(
        kept,
        dropped={one: _why_dropped(one, given) for one in ids if not grades[one]},
        grades=grades,
        reasons={one: f"graded {grades[one]} of {TOP_GRADE} ({GRADE_MEANS[grades[one]]})" for one in kept},
        by_model=True,
        model_uses=(use,),
    )


def rerank_by_ids(query: str, items: Sequence[Item], llm: LanguageModel, *, count: int) -> Reranking:
    """The `count` items that the model chose, in its order, then the others in first-stage order.

    This variant cannot abstain: the model is asked for the best there are.
    """
    ids = [item.candidate_id for item in items]
    count = min(count, len(ids))
    try:
        reply = llm.ask(
            fill("rerank_ids", IDS, count=count, question=query, passages=_rows(items)),
            IdsOutput,
            purpose="rerank",
            max_output_tokens=_room_for(count),
            check=lambda output: [] if set(output.ids) & set(ids) else id_problems(output, ids, count),
        )
    except ModelUseError as error:
        return _first_stage_order(ids, error.use, str(error))
    use = _with_problems(reply.use, (*reply.problems, *id_problems(reply.value, ids, count)))
    chosen = [one for one in dict.fromkeys(reply.value.ids) if one in set(ids)][:count]
    if not chosen:
        return _first_stage_order(ids, use, "the reply names none of the passages")
    return Reranking(
        (*chosen, *(one for one in ids if one not in chosen)),
        reasons={one: f"chosen as number {place} by the model" for place, one in enumerate(chosen, 1)},
        by_model=True,
        model_uses=(use,),
    )


def grade_problems(output: GradesOutput, ids: Sequence[str]) -> list[str]:
    """What is wrong with grades, a sentence each: ids missing, invented or repeated, grades off the scale."""
    counts = Counter(grade.id for grade in output.grades)
    off = [grade.id for grade in output.grades if not 0 <= grade.relevance <= TOP_GRADE]
    return _told(
        ("no grade for these ids", [one for one in ids if one not in counts]),
        ("these ids do not exist", [one for one in counts if one not in set(ids)]),
        ("these ids are graded more than once", [one for one in ids if counts[one] > 1]),
        (f"the grade is not between 0 and {TOP_GRADE} for", off),
    )


def id_problems(output: IdsOutput, ids: Sequence[str], count: int) -> list[str]:
    """What is wrong with a list of ids, a sentence each: invented or repeated ids, too few, too many."""
    counts = Counter(output.ids)
    problems = _told(
        ("these ids do not exist", [one for one in counts if one not in set(ids)]),
        ("these ids are given more than once", [one for one in ids if counts[one] > 1]),
    )
    return problems + ([] if len(output.ids) == count else [f"{count} ids were asked for, {len(output.ids)} are given"])


def _shortfall(output: GradesOutput, query: str, items: Sequence[Item]) -> Sequence[str]:
    """What has to be asked again: the passages without a grade on the scale, and those alone where others have one.

    Faults that code mends (an id invented or repeated) are worth no further call.
    """
    problems = grade_problems(output, [item.candidate_id for item in items])
    known = {item.candidate_id for item in items}
    good: dict[str, PassageGrade] = {}
    for grade in output.grades:
        if grade.id in known and 0 <= grade.relevance <= TOP_GRADE:
            good.setdefault(grade.id, grade)
    rest = [item for item in items if item.candidate_id not in good]
    if not rest:
        return ()
    if not good:
        return problems
    return Shortfall.of(
        problems,
        prompt=_grades_prompt(query, rest),
        max_output_tokens=_room_for(len(rest)),
        merge=lambda second: GradesOutput(
            grades=[*good.values(), *(grade for grade in second.grades if grade.id not in good)]
        ),
    )


def _grades_prompt(query: str, items: Sequence[Item]) -> Prompt:
    return fill("rerank_grades", GRADES, question=query, passages=_rows(items))


def _room_for(count: int) -> int:
    return TOKENS_BESIDES + TOKENS_PER_ITEM * count


def _rows(items: Sequence[Item]) -> list[dict[str, str | None]]:
    return [
        {"id": item.candidate_id, "section": item.section, "text": item.text[:MAX_ITEM_CHARACTERS]} for item in items
    ]


def _why_dropped(one: str, given: dict[str, int]) -> str:
    return f"Graded 0 of {TOP_GRADE} ({GRADE_MEANS[0]})." if one in given else "Not graded by the model: counts as 0."


def _first_stage_order(ids: Sequence[str], use: ModelUse, why: str) -> Reranking:
    downgrade = Downgrade(
        stage="retrieval", wanted="llm reranker", used="order of the first stage", reason=" ".join(why.split())
    )
    return Reranking(tuple(ids), model_uses=(use,), downgrades=(downgrade,))


def _with_problems(use: ModelUse, problems: tuple[str, ...]) -> ModelUse:
    if not problems:
        return use
    return use.model_copy(update={"problems": tuple(dict.fromkeys((*use.problems, *problems))), "outcome": "partial"})


def _told(*faults: tuple[str, list[str]]) -> list[str]:
    return [f"{what}: {_shown(found)}" for what, found in faults if found]


def _shown(ids: Sequence[str]) -> str:
    more = len(ids) - MAX_LISTED_IDS
    return ", ".join(repr(one[:60]) for one in ids[:MAX_LISTED_IDS]) + (f" and {more} more" if more > 0 else "")
