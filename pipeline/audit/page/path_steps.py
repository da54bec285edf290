"""The steps from the document to the outcome, in the order they were taken: what the picture and its text both tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.audit.page.labels import kind_words, label
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.detail import cut
from pipeline.sheet.labels import check_label
from pipeline.sheet.methods import method_words, rule_words
from pipeline.wording import say, tell_note, tell_number
from schemas.audit import Stage
from schemas.provenance import ArbiterRole
from schemas.trace import MethodTrace, Trace

MAX_WORDS = 160  # characters of one sentence in a box: two to three lines of the picture
ROLES: tuple[ArbiterRole, ...] = ("primary", "supporting", "tangential", "discarded")


@dataclass(frozen=True, slots=True)
class Box:
    """A box inside a step: a method or a role. `look` is the class it is drawn with."""

    title: str
    lines: tuple[str, ...]
    look: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its title, what is told of it, the boxes inside it. `look` is the class it is drawn with."""

    title: str
    lines: tuple[str, ...]
    look: str = ""
    boxes: tuple[Box, ...] = ()


def path_of(run: ToldRun, language: str) -> tuple[Step, ...]:
    """The steps of a run from its records alone."""
    return (
        _parsing(run, language),
        _question(run, language),
        _dispatch(run, language),
        _arbiter(run, language),
        *_parts(run, language),
        *_passes(run, language),
        _generation(run, language),
        _verification(run, language),
        _outcome(run, language),
    )


def role_words(role: str, language: str) -> str:
    """A role in words."""
    return label("role_discarded", language) if role == "discarded" else say(f"role_{role}", language)


def methods_of(run: ToldRun) -> tuple[MethodTrace, ...]:
    """Every detector with what decided on it; of an older trace rebuilt from the account of the search."""
    if run.saved.trace.methods:
        return run.saved.trace.methods
    found = run.saved.retrieval
    proposed = Counter(method for one in found.provenances for method in one.methods_that_found_it)
    return tuple(
        MethodTrace(
            method=name, ran=name in found.methods_run, rule=found.dispatch_rules.get(name),
            reason=found.skipped_reasons.get(name), candidate_count=proposed[name],
        )
        for name in (*found.methods_run, *found.methods_skipped)
    )  # fmt: skip


def _parsing(run: ToldRun, language: str) -> Step:
    trace, told = run.saved.trace, []
    if run.document is not None:
        identity = run.document.profile.identity
        size: list[str] = [run.document.format]
        if identity.page_unit != "none" and identity.page_count:
            unit = identity.page_unit if identity.page_count == 1 else f"{identity.page_unit}s"
            size.append(f"{tell_number(identity.page_count, language)} {say(unit, language)}")
        size.append(label("lines_count", language, count=tell_number(len(run.document.line_df), language)))
        told.append(", ".join(size))
    if trace.pages_not_read:
        told.append(f"{say('not_read', language)}: {len(trace.pages_not_read)}")
    title = f"{label('step_parsing', language)}: {cut(trace.source_name, 60)}"
    return Step(title, (*told, *_timing(trace, "parsing", language)))


def _question(run: ToldRun, language: str) -> Step:
    question = run.saved.question
    asks = label(
        "asks_for",
        language,
        type=kind_words(question.answer_type, language),
        shape=label(f"shape_{question.answer_shape}", language),
        asked_in=question.language,
    )
    told = [asks]
    if question.concepts:
        told.append(
            cut(f"{label('concepts', language)}: {', '.join(one.concept_id for one in question.concepts)}", 120)
        )
    told.append(label("keywords_count", language, count=len(question.keywords)))
    if question.clarification is not None:
        told.append(cut(f"{label('asked_back', language)}: {question.clarification.question_to_user}", MAX_WORDS))
    return Step(label("step_question", language), (*told, *_timing(run.saved.trace, "question", language)))


def _dispatch(run: ToldRun, language: str) -> Step:
    found = run.saved.retrieval
    told = [", ".join(found.strategy)] if found.strategy else []
    if found.strategy_name != "arbiter":
        told.insert(0, label("strategy", language, name=found.strategy_name))
    boxes = []
    for one in methods_of(run):
        rule = (label("rule", language, name=one.rule),) if one.rule else ()
        if one.ran:
            state = f"{label('ran', language)} · {label('candidates_count', language, count=one.candidate_count)}"
            boxes.append(Box(method_words(one.method, language), (state, *rule), "run"))
        else:
            why = cut(rule_words(one.rule or "", one.reason or label("not_recorded", language), language), MAX_WORDS)
            words = f"{label('skipped', language)}: {why}"
            boxes.append(Box(method_words(one.method, language), (words, *rule), "skipped"))
    lines = (*(cut(words, MAX_WORDS) for words in told), *_timing(run.saved.trace, "retrieval", language))
    return Step(label("step_dispatch", language), lines, boxes=tuple(boxes))


def _arbiter(run: ToldRun, language: str) -> Step:
    found = run.saved.retrieval
    roles = Counter(one.role for one in found.provenances)
    boxes = [Box(f"{role_words(role, language)}: {roles[role]}", (), role) for role in ROLES]
    judge = f"{label('judged_by', language)}: {label(f'judge_{found.arbiter}', language)}"
    told = [label("candidates_count", language, count=len(found.provenances)), judge]
    if found.not_found_reason:
        told.append(f"{say('status_not_found', language)}: {found.not_found_reason}")
    return Step(label("step_arbiter", language), tuple(told), boxes=tuple(boxes))


def _parts(run: ToldRun, language: str) -> Iterator[Step]:
    parts = run.saved.answer.parts
    if parts:
        boxes = tuple(
            Box(cut(f"{number}. {part.question}", 90), (say(f"status_{part.status}", language),), part.status)
            for number, part in enumerate(parts, 1)
        )
        yield Step(label("step_parts", language), (), boxes=boxes)


def _passes(run: ToldRun, language: str) -> Iterator[Step]:
    for one in run.saved.answer.history:
        change = label(
            "confidence_from_to", language, before=f"{one.confidence_before:.2f}", after=f"{one.confidence_after:.2f}"
        )
        kept = label("kept" if one.kept else "not_kept", language)
        told = (f"{one.trigger}: {one.action}, {one.detail}", one.result, f"{kept}; {change}")
        title = label("step_pass", language, number=one.number)
        yield Step(title, tuple(cut(words, MAX_WORDS) for words in told), "" if one.kept else "skipped")


def _generation(run: ToldRun, language: str) -> Step:
    answer = run.saved.answer
    count = len(answer.items) + len(answer.refused_items)
    told = (label("proposed", language, count=count), say(f"by_{answer.answered_by}", language))
    return Step(label("step_generation", language), (*told, *_timing(run.saved.trace, "generation", language)))


def _verification(run: ToldRun, language: str) -> Step:
    answer = run.saved.answer
    items = [item for item in answer.items if item.outcome == "verified"]
    every = [*(item.checks for item in answer.items), *(refused.checks for refused in answer.refused_items)]
    checks = Counter(check.check for own in every for check in own)
    counts = (
        ("verified", len(items)), ("mended", len(answer.items) - len(items)), ("refused_n", len(answer.refused_items))
    )  # fmt: skip
    told = [", ".join(label(key, language, count=count) for key, count in counts)]
    if checks:
        names = ", ".join(check_label(name, language) for name in checks)
        told.append(cut(f"{label('checks_n', language, count=checks.total())}: {names}", 2 * MAX_WORDS))
    complete = {True: "complete_true", False: "complete_false", None: "complete_none"}[answer.completeness.complete]
    if answer.items:
        told.append(f"{label('completeness', language)}: {say(complete, language)}")
    return Step(label("step_verification", language), tuple(told))


def _outcome(run: ToldRun, language: str) -> Step:
    answer = run.saved.answer
    title = f"{label('step_outcome', language)}: {say(f'status_{answer.status}', language)}"
    return Step(title, (cut(tell_note(answer.text, language), MAX_WORDS),), answer.status)


def _timing(trace: Trace, stage: Stage, language: str) -> tuple[str, ...]:
    """How long the stage took, all its passes together; nothing where the trace does not tell."""
    own = [one for one in trace.stages if one.stage == stage]
    if not own:
        return ()
    if all(one.from_cache for one in own):
        return (label("from_store", language),)
    return (label("seconds", language, count=f"{sum(one.seconds for one in own):.2f}"),)
