"""The generator that asks a model: it names lines and words, code reads the values in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pipeline.generation.drafting import Drafted
from pipeline.generation.passages import Passage
from pipeline.generation.prompt import PROMPT_NAME, AnswerReply, ItemReply, fill_prompt, fragments_of
from pipeline.generation.proposal import Draft, Method, Proposal, ProposedSpan
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.equality import plain
from schemas.answer import Amount, BooleanValue, TextValue, Value
from schemas.audit import Downgrade

MAX_SPAN_LINES = 60  # lines of one citation: a page; more is no proof of one value
MAX_CAVEAT = 300  # characters of the model's caveat


def draft_by_model(
    passages: Sequence[Passage], topic: Topic, settings: GenerationSettings, llm: LanguageModel, by_rules: Draft
) -> Drafted:
    """What the model proposes over as many lines as fit; `by_rules`, on record, where it gives no usable reply.

    Where both name one value and the two differ, a caveat says so.
    """
    chosen, left_out = choose_lines(passages, settings.context_characters)
    prompt = fill_prompt(topic.brief, passages, chosen)
    fragments = fragments_of(topic.brief)
    prompts = ((PROMPT_NAME, hashlib.sha256(prompt.template.encode()).hexdigest()),)
    lines = _Lines(passages, chosen)
    try:
        reply = llm.ask(
            prompt,
            AnswerReply,
            purpose="generation",
            max_output_tokens=settings.max_output_tokens,
            check=_checker(lines, topic),
        )
    except ModelUseError as error:
        downgrade = Downgrade(stage="generation", wanted="llm answer", used="rules answer", reason=str(error))
        return Drafted(by_rules, "rules", (error.use,), (downgrade,), fragments, prompts)
    caveats = [f"The model notes: {_caveat(reply.value.caveat)}"] if reply.value.caveat.strip() else []
    if left_out:
        caveats.append(
            f"{left_out} of {left_out + len(chosen)} retrieved lines were not shown to the model: the limit is "
            f"{settings.context_characters} characters."
        )
    draft = _draft(reply.value, lines, topic, caveats)
    return Drafted(_compared(draft, by_rules, topic), "llm", (reply.use,), (), fragments, prompts)


def choose_lines(passages: Sequence[Passage], limit: int) -> tuple[tuple[int, ...], int]:
    """line_ids that are handed over, in order, passage after passage until the limit; and how many were left out."""
    chosen: dict[int, None] = {}
    known: set[int] = set()
    size = 0
    for passage in passages:
        texts = dict(zip((ref.line_id for ref in passage.lines), passage.text.split("\n"), strict=True))
        new = {line_id: text for line_id, text in texts.items() if line_id not in chosen}
        known |= set(texts)
        needed = sum(len(text) + 1 for text in new.values())
        if chosen and size + needed > limit:
            continue
        for line_id, text in new.items():
            if size + len(text) + 1 > limit:
                break
            chosen[line_id] = None
            size += len(text) + 1
    return tuple(sorted(chosen)), len(known) - len(chosen)


class _Lines:
    """The lines that the model saw, and which candidate holds a range of them."""

    def __init__(self, passages: Sequence[Passage], chosen: Sequence[int]) -> None:
        self.shown = frozenset(chosen)
        self._passages = passages
        self._texts = {
            ref.line_id: text
            for passage in passages
            for ref, text in zip(passage.lines, passage.text.split("\n"), strict=True)
            if ref.line_id in self.shown
        }

    def holder(self, start: int, end: int) -> str | None:
        """Id of the first candidate whose context holds both ends."""
        for passage in self._passages:
            ids = {ref.line_id for ref in passage.lines}
            if start in ids and end in ids:
                return passage.candidate.candidate_id
        return None

    def title(self, start: int, end: int) -> str:
        """Section title of the candidate that holds the range; empty without one."""
        holder = self.holder(start, end)
        titles = (p.candidate.section_title for p in self._passages if p.candidate.candidate_id == holder)
        return next(titles, None) or ""

    def text(self, start: int, end: int) -> str:
        """The shown lines of the range, joined by newlines."""
        return "\n".join(self._texts[number] for number in sorted(self._texts) if start <= number <= end)


def _checker(lines: _Lines, topic: Topic) -> Callable[[AnswerReply], Sequence[str]]:
    def check(reply: AnswerReply) -> Sequence[str]:
        return list(_faults(reply, lines, topic))

    return check


def _faults(reply: AnswerReply, lines: _Lines, topic: Topic) -> Iterator[str]:
    """What is wrong with a reply, a sentence each: it goes back to the model once."""
    if reply.answer_found != bool(reply.items):
        yield f"answer_found is {str(reply.answer_found).lower()}, and there are {len(reply.items)} items"
    for number, item in enumerate(reply.items, 1):
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
        if plain(item.value_text) not in plain(lines.text(item.line_start, item.line_end)):
            cited = f"lines {item.line_start}-{item.line_end}"
            yield f"{where}: value_text {item.value_text[:80]!r} does not stand in {cited}"
        elif _read(item, lines, topic) is None:
            yield f"{where}: value_text {item.value_text[:80]!r} holds no {topic.brief.answer_type}"


def _draft(reply: AnswerReply, lines: _Lines, topic: Topic, caveats: Sequence[str]) -> Draft:
    if not reply.answer_found:
        return Draft((), tuple(caveats))
    proposals = tuple(_propose(item, lines, topic) for item in reply.items)
    values = [proposal.value for proposal in proposals]
    differing: tuple[int, ...] = ()
    if reply.conflicting or topic.brief.answer_shape == "single":
        first = values[0] if values else None
        differing = tuple(
            number
            for number, value in enumerate(values)
            if number and value is not None and first is not None and not same_value(value, first)
        )
    is_listing = topic.brief.answer_shape != "single"
    return Draft(
        proposals,
        tuple(caveats),
        differing if reply.conflicting or not is_listing else (),
        is_partial=is_listing and not reply.complete and not reply.conflicting,
        completeness_reason="the model says so; the document states no number" if is_listing else None,
    )


def _compared(draft: Draft, by_rules: Draft, topic: Topic) -> Draft:
    """The draft with a caveat where the rules, without a model, point at another value of the type."""
    if topic.brief.answer_shape != "single" or topic.brief.answer_type not in (*VALUE_TYPES, "boolean"):
        return draft
    rules = [proposal.value for proposal in by_rules.proposals if proposal.value is not None]
    model = [proposal.value for proposal in draft.proposals if proposal.value is not None]
    if not rules or not model or by_rules.is_partial or any(same_value(one, other) for one in rules for other in model):
        return draft
    other = by_rules.proposals[0].value_text
    caveat = f"The rules, without a model, point at another value: {other!r}; check which is meant."
    return replace(draft, caveats=(*draft.caveats, caveat))


def _propose(item: ItemReply, lines: _Lines, topic: Topic) -> Proposal:
    holder = lines.holder(item.line_start, item.line_end)
    spans = (ProposedSpan(holder or "", item.line_start, item.line_end),)
    value = _read(item, lines, topic) if holder is not None else None
    method: Method = "inferred" if isinstance(value, BooleanValue) else "verbatim"
    return Proposal(value, spans, item.value_text, "llm", method, " ".join(item.label.split()) or None)


def _read(item: ItemReply, lines: _Lines, topic: Topic) -> Value | None:
    """The value as code reads it in the cited lines; None where the words that were given are not there as one.

    A currency that the words do not name is taken from the lines only where the number is the same.
    """
    kind, language = topic.brief.answer_type, topic.brief.language
    quote = lines.text(item.line_start, item.line_end)
    if kind == "boolean":
        about = (quote, lines.title(item.line_start, item.line_end))
        speaks = topic.coverage(*about) or topic.exact_count(*about) or any(topic.places(text) for text in about)
        if not speaks:
            return None  # lines that share no word with the question prove nothing about it
        if item.yes_no == "not_asked" or plain(item.value_text) not in plain(quote) or not item.value_text.strip():
            return None
        negation = " ".join(item.negation.split()) or None
        return BooleanValue(
            value=item.yes_no == "yes",
            negation=negation if item.yes_no == "no" else None,
            exceptions=tuple(" ".join(piece.split()) for piece in item.exceptions if piece.strip()),
            clause=" ".join(item.value_text.split()),
        )
    if kind not in VALUE_TYPES:
        return TextValue(text=" ".join(item.value_text.split())) if item.value_text.strip() else None
    told = [found.value for found in find_values(item.value_text, kind, language=language)]
    held = [found.value for found in find_values(quote, kind, language=language)]
    if len(told) != 1:
        return None
    return next((value for value in held if same_value(value, told[0]) or _same_number(value, told[0])), told[0])


def _same_number(held: Value, told: Value) -> bool:
    """True for a bare '$5,000' that the lines around leave open: the reading with the most context counts."""
    return (
        isinstance(held, Amount)
        and isinstance(told, Amount)
        and held.value == told.value
        and plain(told.original) in plain(held.original)
        and (held.currency is None or held.original != told.original)
    )


def _caveat(text: str) -> str:
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= MAX_CAVEAT else flat[: MAX_CAVEAT - 1].rstrip() + "…"
