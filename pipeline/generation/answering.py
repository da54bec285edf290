"""The way of one answer: drafted by rules or a model, every value checked, then stated, refused or not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.absence import prove_no_value
from pipeline.generation.checks.ground import Ground, ground_of
from pipeline.generation.checks.reading import tell_recognised
from pipeline.generation.checks.together import check_items, doubts_of
from pipeline.generation.completeness import judge
from pipeline.generation.conflicts import conflict_between
from pipeline.generation.drafting import Drafted
from pipeline.generation.foreign_types import with_parser_faults
from pipeline.generation.instructions import check_source
from pipeline.generation.limits import missed_places
from pipeline.generation.passages import Passage, read_passages
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.record import build_answer, state_absence
from pipeline.generation.rows import Row, find_headers
from pipeline.generation.rules import draft_by_rules
from pipeline.generation.scope import check_scope
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.tables import draft_from_cells
from pipeline.generation.topic import Topic
from pipeline.generation.verify import verify
from pipeline.generation.wishes import unmet_wishes
from pipeline.generation.wording import phrase, tell_items
from pipeline.llm.model import LanguageModel
from schemas.answer import Answer, AnswerItem, EvidenceCheck, RefusedItem
from schemas.question import ParsedQuestion
from schemas.retrieval import Conflict, RetrievalResult


def answer_question(
    question: ParsedQuestion, found: RetrievalResult, *, llm: LanguageModel | None, settings: GenerationSettings
) -> Answer:
    """The answer; see `generate`."""
    topic = Topic(question.generation_brief())
    nobody = Drafted(Draft(()), "rules")
    if question.clarification is not None:
        asked = question.clarification
        words = f"{asked.question_to_user} {' / '.join(asked.choices)}"
        text = f"{phrase('clarify', question.language)}: {words}"
        return build_answer(
            question, found, nobody, settings, llm, status="needs_clarification", text=text, clarification=words
        )
    if question.intent == "out_of_scope":
        return build_answer(
            question, found, nobody, settings, llm, status="refused", text=phrase("scope", question.language)
        )
    if found.not_found and found.absence is not None:
        texts = [one.text for one in found.candidates]
        cells = draft_from_cells(found.tables, topic.brief, doc_id=found.doc_id, texts=texts)
        drafted = Drafted(cells if llm is None else Draft(()), "rules")
        items, refused = _verify(drafted.draft, ground_of(question, found, settings, topic=topic), question)
        if not items:
            return state_absence(question, found, nobody, settings, llm, found.absence)
        return _answered(question, found, drafted, settings, llm, items, refused)
    readable = read_passages(found, roles=("primary", "supporting", "tangential"))
    passages = tuple(one for one in readable if one.candidate.role != "tangential")
    headers = find_headers(readable)
    drafted = _draft(passages, topic, settings, llm, headers, readable, found)
    drafted = with_parser_faults(drafted, passages, topic.brief.answer_type, topic.brief.language)
    items, refused = _verify(drafted.draft, ground_of(question, found, settings, topic=topic), question)
    if not items and not refused:
        why = _why_nothing(drafted, question)
        proof = prove_no_value(found, passages or readable, topic, why=why)
        return state_absence(question, found, drafted, settings, llm, proof)
    return _answered(question, found, drafted, settings, llm, items, refused)


def _draft(
    passages: Sequence[Passage],
    topic: Topic,
    settings: GenerationSettings,
    llm: LanguageModel | None,
    headers: Sequence[Row],
    readable: Sequence[Passage],
    found: RetrievalResult,
) -> Drafted:
    by_rules = draft_by_rules(
        passages, topic, settings, headers=headers, readable=readable, tables=found.tables, doc_id=found.doc_id
    )
    if llm is None or not passages:
        return Drafted(by_rules, "rules")
    from pipeline.generation.llm import draft_by_model

    return draft_by_model(passages, topic, settings, llm, by_rules)


def _verify(
    draft: Draft, ground: Ground, question: ParsedQuestion
) -> tuple[list[tuple[int, AnswerItem]], list[RefusedItem]]:
    """Items that pass every check, with the number of their proposal, and the others with what failed."""
    items: list[tuple[int, AnswerItem]] = []
    refused: list[RefusedItem] = []
    for number, proposal in enumerate(draft.proposals):
        verified = verify(proposal, ground)
        checks = [*verified.checks]
        if verified.spans and verified.proposal.value is not None:
            checks += check_scope(verified.proposal.value, question.generation_brief())
            checks += check_source(verified.spans, ground.found)
        failed = [check for check in checks if not check.passed]
        if failed or verified.proposal.value is None:
            refused.append(_refuse(proposal, checks, failed))
        else:
            items.append((number, replace(verified, checks=tuple(checks)).as_item()))
    return _agreeing(items, refused, draft)


def _agreeing(
    items: Sequence[tuple[int, AnswerItem]], refused: list[RefusedItem], draft: Draft
) -> tuple[list[tuple[int, AnswerItem]], list[RefusedItem]]:
    """The items that agree with one another, and the refused ones with those that do not."""
    together = check_items([item for _, item in items])
    kept: list[tuple[int, AnswerItem]] = []
    for at, (number, item) in enumerate(items):
        checks = (*item.checks, together[at]) if at in together else item.checks
        failed = [check for check in checks if not check.passed]
        if failed:
            refused.append(_refuse(draft.proposals[number], checks, failed))
        else:
            kept.append((number, item.model_copy(update={"checks": checks})))
    return kept, refused


def _refuse(proposal: Proposal, checks: Sequence[EvidenceCheck], failed: Sequence[EvidenceCheck]) -> RefusedItem:
    first = proposal.spans[0] if proposal.spans else None
    return RefusedItem(
        value_text=proposal.value_text,
        proposed_by=proposal.proposed_by,
        line_start=first.line_start if first else None,
        line_end=first.line_end if first else None,
        checks=tuple(checks),
        reason="; ".join(f"{check.check}: {check.detail}" for check in failed) or "no value was given",
    )


def _answered(
    question: ParsedQuestion,
    found: RetrievalResult,
    drafted: Drafted,
    settings: GenerationSettings,
    llm: LanguageModel | None,
    numbered: Sequence[tuple[int, AnswerItem]],
    refused: Sequence[RefusedItem],
) -> Answer:
    items = tuple(item for _, item in numbered)
    if not items:
        text = phrase("refused", question.language)
        caveats = ("Every value that was proposed failed a check; see refused_items.",)
        return build_answer(
            question, found, drafted, settings, llm, status="refused", text=text, refused_items=tuple(refused),
            caveats=caveats,
        )  # fmt: skip
    differing = [item for number, item in numbered if number in drafted.draft.differing]
    conflicts = (
        (conflict_between([items[0], *differing], point=question.answer_type, found_by=drafted.by),)
        if differing
        else ()
    )
    completeness = judge(
        question,
        items,
        refused,
        drafted.draft,
        found,
        differ=bool(conflicts),
        model_says=_model_says(drafted, question),
    )
    is_partial = bool(refused) or drafted.draft.is_partial or completeness.complete is False
    return build_answer(
        question,
        found,
        drafted,
        settings,
        llm,
        status="partial" if is_partial else "answered",
        text=tell_items(items, question.language, differ=bool(conflicts)),
        items=items,
        refused_items=tuple(refused),
        conflicts=conflicts,
        completeness=completeness,
        caveats=(
            *_caveats(found, items, drafted.draft, conflicts, refused),
            *doubts_of(items),
            *tell_recognised([span for item in items for span in item.spans]),
            *unmet_wishes(question.generation_brief(), items),
        ),
    )


def _model_says(drafted: Drafted, question: ParsedQuestion) -> bool | None:
    """Whether the model says that a list is whole; None where no model or no list was asked for."""
    return None if drafted.by == "rules" or question.answer_shape == "single" else not drafted.draft.is_partial


def _caveats(
    found: RetrievalResult,
    items: Sequence[AnswerItem],
    draft: Draft,
    conflicts: Sequence[Conflict],
    refused: Sequence[RefusedItem],
) -> tuple[str, ...]:
    caveats = list(draft.caveats)
    if conflicts:
        caveats.append("The document states different values on this point; all are given, none is chosen.")
    if refused:
        caveats.append(
            f"{len(refused)} proposed value{'' if len(refused) == 1 else 's'} failed a check; see refused_items."
        )
    cited = {span.candidate_id for item in items for span in item.spans}
    own = {conflict.candidate_ids for conflict in conflicts}
    caveats += [
        f"Retrieval notes passages that differ on {conflict.point}: {conflict.statement}"
        for conflict in found.conflicts
        if conflict.found_by == "llm" and cited & set(conflict.candidate_ids) and conflict.candidate_ids not in own
    ]
    if items and all(_role_of(found, span.candidate_id) == "supporting" for item in items for span in item.spans):
        caveats.append("The answer stands in a passage that the arbiter judged supporting, not primary.")
    caveats += missed_places(found, items)
    if found.pages_not_read:
        caveats.append(f"Pages {', '.join(map(str, found.pages_not_read))} of the document could not be read.")
    caveats += found.document_caveats
    return tuple(dict.fromkeys(caveats))


def _role_of(found: RetrievalResult, candidate_id: str) -> str | None:
    return next((one.role for one in found.candidates if one.candidate_id == candidate_id), None)


def _why_nothing(drafted: Drafted, question: ParsedQuestion) -> str:
    if drafted.by == "llm":
        return "the model found no answer in them"
    if drafted.draft.caveats:
        return drafted.draft.caveats[0][:1].lower() + drafted.draft.caveats[0][1:].rstrip(".")
    kind = question.answer_type if question.answer_type != "boolean" else "clause"
    return f"none of them states a {kind} on what was asked"
