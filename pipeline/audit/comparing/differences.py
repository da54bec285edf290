"""What two runs were made from, thing by thing: where it differs, how, and at which stages it enters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.audit.comparing.prompts import prompt_differences
from pipeline.audit.comparing.sides import Side
from pipeline.audit.comparing.vocabularies import dictionary_differences
from pipeline.audit.comparing.wording import flat, line_changes, told, word_changes
from schemas.replay import Change, ChangeSubject, StageName

STAGES: tuple[StageName, ...] = ("parsing", "question", "retrieval", "generation")
DONE: tuple[StageName, ...] = STAGES[1:]  # stages of a question; the parsing is shared by all questions
MODEL_STAGES: Mapping[str, StageName] = {"question": "question", "generation": "generation"}  # the others: retrieval
CODE_VERSION = "lineproof code"  # the hash of our source files, among a trace's versions
# What stands among the settings of a stage and is made of the question, or tells of another change.
_FOLLOWS = {"generation.prompt_fragments", "retrieval.embedder", "model.price_input", "model.price_cached"}
_FOLLOWS |= {"model.price_output", "model.price_currency", "generation.reading"}
_FOLLOWS |= {"generation.reading_reason", "generation.model_readings"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A change, and the stages that read the changed thing themselves."""

    change: Change
    enters: frozenset[StageName]

    @property
    def label(self) -> str:
        """What a movement names it by."""
        return label_of(self.change)


def label_of(change: Change) -> str:
    """'prompt generation_v2', 'dictionary contracts', 'setting max_primaries': unambiguous among the changes."""
    return change.subject if change.name == change.subject else f"{change.subject} {change.name}"


def list_differences(first: Side, second: Side) -> tuple[Difference, ...]:
    """Everything that differs between what two runs were made from, in the order of the stages."""
    return tuple(
        difference
        for part in (_document, _parser, _question, _session, _types, _dictionaries, _settings, _prompts, _model)
        for difference in part(first, second)
    ) + tuple(_versions(first, second))


def _difference(
    subject: ChangeSubject, name: str, before: Any, after: Any, enters: tuple[StageName, ...], detail: str = ""
) -> Difference:
    change = Change(
        subject=subject,
        name=name,
        before=None if before is None else told(before),
        after=None if after is None else told(after),
        detail=detail,
        reaches=(),
    )
    return Difference(change, frozenset(enters))


def _document(first: Side, second: Side) -> Iterator[Difference]:
    before, after = first.document_sha256, second.document_sha256
    if before == after:
        return
    names = dict.fromkeys((first.trace.source_name, second.trace.source_name))
    # Retrieval searches the lines, generation reads the clauses on precedence and reports hidden text.
    yield _difference("document", " -> ".join(names), before, after, STAGES, _document_detail(first, second))


def _document_detail(first: Side, second: Side) -> str:
    before, after = first.line_texts, second.line_texts
    if first.document is None or second.document is None or before is None or after is None:
        return "the lines of one of them are not kept"
    pages = [len(side.document.page_df) for side in (first, second) if side.document is not None]
    added, removed, shown = line_changes(before, after)
    told_pages = (
        f"{pages[0]} page{'' if pages[0] == 1 else 's'}" if pages[0] == pages[1] else f"pages {pages[0]} -> {pages[1]}"
    )
    return f"{told_pages}; {added} lines added, {removed} removed" + (f"\n{shown}" if shown else "")


def _parser(first: Side, second: Side) -> Iterator[Difference]:
    before, after = (flat(side.trace.settings.get("parsing", {})) for side in (first, second))
    yield from _changed_keys("parser", before, after, STAGES)
    if first.document is None or second.document is None or first.document_sha256 != second.document_sha256:
        return
    added, removed, shown = line_changes(first.line_texts or (), second.line_texts or ())
    if added or removed:
        detail = f"the same file was read differently: {added} lines added, {removed} removed\n{shown}"
        libraries = [" ".join(f"{k} {v}" for k, v in side.document.stamp.libraries.items())
                     for side in (first, second) if side.document is not None]  # fmt: skip
        yield _difference("parser", "lines", libraries[0], libraries[1], STAGES, detail)


def _question(first: Side, second: Side) -> Iterator[Difference]:
    before, after = first.question.original_question, second.question.original_question
    if before != after:
        yield _difference("question", "question", before, after, ("question",), word_changes(before, after))


def _session(first: Side, second: Side) -> Iterator[Difference]:
    pairs: dict[str, tuple[Any, Any]] = {
        "previous question": (first.question.previous_question, second.question.previous_question)
    }
    if first.request is not None and second.request is not None:
        pairs["reply"] = (first.request.reply, second.request.reply)
        pairs["remembered choices"] = (first.request.choices or None, second.request.choices or None)
        fills = [side.request.part.fill if side.request and side.request.part else None for side in (first, second)]
        pairs["answer to the part before"] = (fills[0], fills[1])
    for name, (before, after) in pairs.items():
        if before != after:
            yield _difference("session", name, before, after, ("question",))


def _types(first: Side, second: Side) -> Iterator[Difference]:
    if first.request is None or second.request is None:
        return
    before, after = set(first.request.declared_types), set(second.request.declared_types)
    for name in sorted(before ^ after):
        told_of = ["declared" if name in names else None for names in (before, after)]
        yield _difference("types", name, told_of[0], told_of[1], DONE)


def _dictionaries(first: Side, second: Side) -> Iterator[Difference]:
    # Retrieval and generation read of the dictionaries only what stands in the question's record.
    for change in dictionary_differences(first, second):
        yield Difference(change, frozenset(("question",)))


def _settings(first: Side, second: Side) -> Iterator[Difference]:
    for stage in DONE:
        before, after = (flat(side.trace.settings.get(stage, {})) for side in (first, second))
        before, after = ({k: v for k, v in each.items() if f"{stage}.{k}" not in _FOLLOWS} for each in (before, after))
        yield from _changed_keys("setting", before, after, (stage,), prefix=f"{stage}.")
    searched = [", ".join(side.request.searched_by) if side.request else None for side in (first, second)]
    if None not in searched and searched[0] != searched[1]:
        yield _difference("setting", "retrieval.models", searched[0], searched[1], ("retrieval",))


def _prompts(first: Side, second: Side) -> Iterator[Difference]:
    for change, purpose in prompt_differences(first, second):
        yield Difference(change, frozenset((MODEL_STAGES.get(purpose, "retrieval"),)))


def _model(first: Side, second: Side) -> Iterator[Difference]:
    stages = _model_stages(first) | _model_stages(second)
    names = [{use.purpose: use.model for use in side.uses} for side in (first, second)]
    before, after = first.model, second.model
    if before != after:
        yield _difference("model", "model", before or "rules", after or "rules", tuple(stages or DONE))
    elif first.retrieval.arbiter != second.retrieval.arbiter and set(names[0]) != set(names[1]):
        yield _difference("model", "arbiter", first.retrieval.arbiter, second.retrieval.arbiter, ("retrieval",))
    if before and after:
        options = [
            {f"model.{k}": v for k, v in side.trace.settings.get("model", {}).items()} for side in (first, second)
        ]
        kept = [{k: v for k, v in each.items() if k not in _FOLLOWS} for each in options]
        if all(kept):
            yield from _changed_keys("setting", kept[0], kept[1], tuple(stages))


def _model_stages(side: Side) -> frozenset[StageName]:
    return frozenset(MODEL_STAGES.get(use.purpose, "retrieval") for use in side.uses)


def _versions(first: Side, second: Side) -> Iterator[Difference]:
    before, after = (
        {name: value for name, value in side.trace.versions.items() if not name.startswith("dictionary ")}
        for side in (first, second)
    )
    ours = before.pop("lineproof", None), after.pop("lineproof", None)
    codes = [each.pop(CODE_VERSION, None) for each in (before, after)]
    yield from _changed_keys("library", before, after, STAGES)
    if ours[0] != ours[1]:
        yield _difference("code", "lineproof", *ours, STAGES)
    known = [
        side.request.code_sha256 if side.request else code for side, code in zip((first, second), codes, strict=True)
    ]
    if None not in known and known[0] != known[1]:
        yield _difference("code", "source files", known[0], known[1], STAGES)


def _changed_keys(
    subject: ChangeSubject,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    enters: tuple[StageName, ...],
    *,
    prefix: str = "",
) -> Iterator[Difference]:
    """One difference a key; a key that only one version of the code knows is told as not there."""
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield _difference(subject, f"{prefix}{name}", before.get(name), after.get(name), enters)
