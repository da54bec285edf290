"""The generator that asks a model: it names lines and words, code reads the values in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.generation.drafting import Drafted
from pipeline.generation.instructions import tell_withheld, withheld_lines
from pipeline.generation.model_values import (
    ShownLines,
    join_conditions,
    propose,
    read_item,
    tell_condition,
    words_of,
)
from pipeline.generation.model_wholes import compute_end, make_record, make_tree
from pipeline.generation.passages import Passage
from pipeline.generation.prompt import PROMPT_NAME, fill_prompt, fragments_of
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.reading import Plan, plan_reading
from pipeline.generation.replies import AnswerReply, Reading, Told, join_readings, read_reply, reply_type
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.values import VALUE_TYPES, same_value
from pipeline.values.equality import plain
from schemas.audit import Downgrade, ModelUse
from schemas.errors import PromptTooLargeError

MAX_SPAN_LINES = 60  # lines of one citation: a page; more is no proof of one value
MAX_CAVEAT = 300  # characters of the model's caveat
MAX_HALVINGS = 3  # times that the text of one call is halved for a model with a smaller window: to an eighth
OUTPUT_TOKENS = {"value": 500, "boolean": 700, "text": 1_000}  # one item, its lines and a caveat, with room to spare


def draft_by_model(
    passages: Sequence[Passage], topic: Topic, settings: GenerationSettings, llm: LanguageModel, by_rules: Draft
) -> Drafted:
    """What the model proposes over the passages, read as the question says; `by_rules`, on record, where it fails.

    Where both name one value and the two differ, a caveat says so. Lines addressed to a program are not shown to it.
    """
    if _is_computed(by_rules, topic):
        return Drafted(by_rules, "rules", notes={"reading": "computed by code from cited values; no model was asked"})
    withheld = withheld_lines(passages)
    session = _Session(passages, topic, settings, llm, frozenset(withheld))
    plan = plan_reading(passages, topic.brief.chunk_strategy, settings, withheld=session.withheld)
    if not plan.calls:
        return Drafted(by_rules, "rules", notes={"reading": "no line could be shown"})
    plan = session.read(plan, by_rules)
    told: dict[str, str | int] = {
        "reading": plan.mode,
        "reading_reason": plan.reason,
        "model_readings": len(session.readings),
    }
    fragments = fragments_of(topic.brief)
    if not session.readings:
        return Drafted(
            by_rules, "rules", tuple(session.uses), tuple(session.downgrades), fragments, session.prompts(), told
        )
    caveats = [tell_withheld(withheld)] if withheld else []
    if plan.left_out:
        caveats.append(
            f"{plan.left_out} of {len(session.shown) + plan.left_out} retrieved lines were not shown to the model: "
            f"the limit is {settings.model_calls} calls of {settings.context_characters} characters."
        )
    unread = len(plan.calls) - len(session.readings)
    joined = join_readings(
        session.readings, every_line_was_read=not (plan.left_out or unread), single=topic.brief.answer_shape == "single"
    )
    draft = _draft(joined, ShownLines(passages, session.shown), topic, caveats)
    return Drafted(
        _compared(draft, by_rules, topic), "llm", tuple(session.uses), tuple(session.downgrades), fragments,
        session.prompts(), told,
    )  # fmt: skip


def _is_computed(by_rules: Draft, topic: Topic) -> bool:
    """True where code worked a figure out of cited values: a model may not compute, and could only repeat it."""
    return (
        topic.brief.answer_shape == "single"
        and topic.brief.answer_type != "date"
        and not by_rules.is_partial
        and any(one.method == "computed" for one in by_rules.proposals[:1])
    )


@dataclass
class _Session:
    """The calls of one answer and what came of them."""

    passages: Sequence[Passage]
    topic: Topic
    settings: GenerationSettings
    llm: LanguageModel
    withheld: frozenset[int]
    readings: list[Reading] = field(default_factory=list)
    uses: list[ModelUse] = field(default_factory=list)
    downgrades: list[Downgrade] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    templates: set[str] = field(default_factory=set)

    def read(self, plan: Plan, by_rules: Draft) -> Plan:
        """Call after call until one answers or all are read; gives the plan that was followed in the end."""
        halvings, at = 0, 0
        while at < len(plan.calls):
            try:
                self._call(plan.calls[at])
            except ModelUseError as error:
                self.uses.append(error.use)
                limit = self._size(plan.calls[at]) // 2
                if isinstance(error.__cause__, PromptTooLargeError) and halvings < MAX_HALVINGS and not self.readings:
                    halvings += 1
                    wanted = f"a call over {len(plan.calls[at])} lines"
                    self.downgrades.append(
                        Downgrade(stage="generation", wanted=wanted, used="calls over half the text", reason=str(error))
                    )
                    strategy = self.topic.brief.chunk_strategy
                    plan = plan_reading(
                        self.passages, strategy, self.settings, withheld=self.withheld, limit=max(limit, 1)
                    )
                    continue
                self._give_up(error, len(plan.calls) - at)
                break
            at += 1
            if self._is_enough(by_rules, plan.calls[:at]):
                break
        return plan

    def prompts(self) -> tuple[tuple[str, str], ...]:
        """Name and hash of the prompt; one, since all calls of an answer share it."""
        return tuple((PROMPT_NAME, sha) for sha in sorted(self.templates))

    def _call(self, line_ids: Sequence[int]) -> None:
        brief = self.topic.brief
        prompt = fill_prompt(brief, self.passages, line_ids)
        self.templates = {hashlib.sha256(prompt.template.encode()).hexdigest()}
        lines = ShownLines(self.passages, line_ids)
        reply = self.llm.ask(
            prompt,
            reply_type(brief, VALUE_TYPES),
            purpose="generation",
            max_output_tokens=_output_tokens(self.topic, self.settings),
            check=_checker(lines, self.topic),
        )
        self.uses.append(reply.use)
        self.readings.append(read_reply(reply.value))
        self.shown = sorted({*self.shown, *line_ids})

    def _is_enough(self, by_rules: Draft, read: Sequence[Sequence[int]]) -> bool:
        """True when a single answer is found and complete, and nothing unread is known to say otherwise."""
        if self.topic.brief.answer_shape != "single":
            return False
        last = self.readings[-1]
        if not last.items or not last.complete or last.conflicting:
            return False
        seen = {line for call in read for line in call}
        differing = [by_rules.proposals[number] for number in by_rules.differing]
        return all(seen & set(range(s.line_start, s.line_end + 1)) for one in differing for s in one.spans)

    def _give_up(self, error: ModelUseError, unread: int) -> None:
        used = f"its {len(self.readings)} readings so far, {unread} not made" if self.readings else "rules answer"
        self.downgrades.append(Downgrade(stage="generation", wanted="llm answer", used=used, reason=str(error)))

    def _size(self, line_ids: Sequence[int]) -> int:
        return len(ShownLines(self.passages, line_ids).text(min(line_ids), max(line_ids)))


def _output_tokens(topic: Topic, settings: GenerationSettings) -> int:
    brief = topic.brief
    if brief.answer_shape != "single":
        return settings.max_output_tokens
    kind = "boolean" if brief.answer_type == "boolean" else "value" if brief.answer_type in VALUE_TYPES else "text"
    return min(OUTPUT_TOKENS[kind], settings.max_output_tokens)


def _checker(lines: ShownLines, topic: Topic) -> Callable[[AnswerReply], Sequence[str]]:
    def check(reply: AnswerReply) -> Sequence[str]:
        return list(_faults(reply, lines, topic))

    return check


def _faults(reply: AnswerReply, lines: ShownLines, topic: Topic) -> Iterator[str]:
    """What is wrong with a reply, a sentence each: it goes back to the model once."""
    if reply.answer_found != bool(reply.items):
        yield f"answer_found is {str(reply.answer_found).lower()}, and there are {len(reply.items)} items"
    for number, item in enumerate(read_reply(reply).items, 1):
        where = f"item {number}"
        if item.line_end < item.line_start:
            yield f"{where}: line_end {item.line_end} is before line_start {item.line_start}"
            continue
        missing = [line for line in (item.line_start, item.line_end) if line not in lines.shown]
        if missing:
            yield f"{where}: {missing[0]} is not a GLOBAL_LINE of the lines"
            continue
        if item.line_end - item.line_start >= MAX_SPAN_LINES:
            yield f"{where}: {item.line_end - item.line_start + 1} lines are cited, at most {MAX_SPAN_LINES} may be"
        cited, held = f"lines {item.line_start}-{item.line_end}", plain(lines.text(item.line_start, item.line_end))
        words = words_of(item, lines)
        if plain(words) not in held:
            yield f"{where}: value_text {words[:80]!r} does not stand in {cited}"
        elif read_item(item, lines, topic) is None:
            what = f"value_text {words[:80]!r} holds" if item.value_text is not None else f"{cited} hold"
            yield f"{where}: {what} no {topic.brief.answer_type}"
        if item.condition.strip() and plain(item.condition) not in held:
            yield f"{where}: condition {item.condition[:80]!r} does not stand in {cited}"


def _draft(reading: Reading, lines: ShownLines, topic: Topic, caveats: Sequence[str]) -> Draft:
    said = [*caveats, *(f"The model notes: {_caveat(one)}" for one in reading.caveats)]
    items = [item for item in reading.items if item.part == "answer"] or list(reading.items)
    proposals = tuple(propose(item, lines, topic) for item in items)
    is_listing = topic.brief.answer_shape != "single"
    whole = _whole(items, proposals, topic)
    if whole is not None:
        return Draft((whole,), tuple(said), is_partial=not reading.complete)
    if not is_listing:
        joined = join_conditions(items, proposals, lines)
        if joined is not None:
            return Draft((joined[0],), (*said, *joined[1]))
        computed = compute_end(items, proposals) if _are_inputs(items) else None
        if computed is not None:
            return replace(computed, caveats=tuple(said))
        conditions = [tell_condition(item, lines) for item in items[:1]]
        said += [one for one in conditions if one is not None]
    return Draft(
        proposals,
        tuple(said),
        _differing(reading, items, proposals, is_listing=is_listing),
        is_partial=(is_listing and not reading.complete and not reading.conflicting) or _are_inputs(items),
        completeness_reason="the model says so; the document states no number" if is_listing else None,
    )


def _whole(items: Sequence[Told], proposals: Sequence[Proposal], topic: Topic) -> Proposal | None:
    """The one value of shape record or tree; None for other shapes, and where the items make none."""
    if topic.brief.answer_shape == "nested_json":
        return make_record(items, proposals, language=topic.brief.language)
    return make_tree(items, proposals) if topic.brief.answer_shape == "tree" else None


def _are_inputs(items: Sequence[Told]) -> bool:
    """True where only what a date is computed from was given."""
    return bool(items) and all(item.part != "answer" for item in items)


def _differing(
    reading: Reading, items: Sequence[Told], proposals: Sequence[object], *, is_listing: bool
) -> tuple[int, ...]:
    """Numbers of the proposals that state another value on the same point as the first one."""
    values = [getattr(one, "value", None) for one in proposals]
    first = values[0] if values else None
    if (is_listing and not reading.conflicting) or _are_inputs(items):
        return ()
    return tuple(
        number
        for number, value in enumerate(values)
        if number and value is not None and first is not None and not same_value(value, first)
    )


def _compared(draft: Draft, by_rules: Draft, topic: Topic) -> Draft:
    """The draft with a caveat where the rules, without a model, point at another value of the type."""
    if topic.brief.answer_shape != "single" or topic.brief.answer_type not in (*VALUE_TYPES, "boolean"):
        return draft
    if not draft.proposals and by_rules.proposals and not by_rules.is_partial:
        caveat = f"The model found no answer; the rules, without it, point at {by_rules.proposals[0].value_text!r}."
        return replace(draft, caveats=(*draft.caveats, f"{caveat[:-1]}; a person has to look."))
    rules = [proposal.value for proposal in by_rules.proposals if proposal.value is not None]
    model = [proposal.value for proposal in draft.proposals if proposal.value is not None]
    if not rules or not model or by_rules.is_partial or any(same_value(one, other) for one in rules for other in model):
        return draft
    other = by_rules.proposals[0].value_text
    caveat = f"The rules, without a model, point at another value: {other!r}; check which is meant."
    return replace(draft, caveats=(*draft.caveats, caveat))


def _caveat(text: str) -> str:
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= MAX_CAVEAT else flat[: MAX_CAVEAT - 1].rstrip() + "…"
