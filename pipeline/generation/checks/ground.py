"""What a value is checked against: the handed passages, the question, and the thresholds; nothing else is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from pipeline.generation.passages import Passage, Sentence, read_passages
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from schemas.answer import EvidenceCheck
from schemas.handed_tables import HandedTable
from schemas.question import AnswerShape, ParsedQuestion
from schemas.retrieval import CandidateScope, RetrievalResult, RetrievedCandidate

ALL_ROLES = ("primary", "supporting", "tangential")


@dataclass(frozen=True)
class Ground:
    """The handed passages and what was asked.

    `topic` is None where an auditor re-verifies without the parsed question: what needs it is then not checked again.
    """

    found: RetrievalResult
    question: str = ""
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    topic: Topic | None = None
    settings: GenerationSettings = field(default_factory=GenerationSettings)

    @cached_property
    def passages(self) -> Mapping[str, Passage]:
        """Every handed passage by the id of its candidate."""
        return {one.candidate.candidate_id: one for one in read_passages(self.found, roles=ALL_ROLES)}

    @cached_property
    def tables(self) -> Mapping[str, tuple[Passage, ...]]:
        """Tables that are handed over beside the passages, by the ids of the candidates that they stand with."""
        held: dict[str, tuple[Passage, ...]] = {}
        for table in self.found.tables:
            for candidate_id in table.candidate_ids:
                passage = self.passages.get(candidate_id)
                candidate = passage.candidate if passage is not None else _by_itself(table)
                held[candidate_id] = (*held.get(candidate_id, ()), _read_table(table, candidate))
        return held

    def stretch(self, candidate_id: str, line_start: int, line_end: int) -> Cited | None:
        """The lines as handed over with a candidate, in its context or in a table; None where they are not."""
        passage = self.passages.get(candidate_id)
        own = () if passage is None else (passage,)
        for one in (*own, *self.tables.get(candidate_id, ())):
            held = cited_stretch(one, line_start, line_end)
            if held is not None:
                return held
        return None


def ground_of(
    question: ParsedQuestion, found: RetrievalResult, settings: GenerationSettings, *, topic: Topic | None = None
) -> Ground:
    """The ground of one question on one document."""
    brief = question.generation_brief()
    return Ground(found, brief.question, question.answer_type, question.answer_shape, topic or Topic(brief), settings)


class _Range(Protocol):
    """Lines of a candidate: a proposed span or one with its quote."""

    @property
    def candidate_id(self) -> str:
        """The candidate."""

    @property
    def line_start(self) -> int:
        """First line_id."""

    @property
    def line_end(self) -> int:
        """Last line_id."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A cited range of lines as a stretch of its passage: `passage.text[start:end]`."""

    passage: Passage
    start: int
    end: int

    @property
    def text(self) -> str:
        """The lines, verbatim, joined by newlines."""
        return self.passage.text[self.start : self.end]


def cited_stretch(passage: Passage, line_start: int, line_end: int) -> Cited | None:
    """The stretch of the lines from `line_start` to `line_end`; None where one of both is not a line of the passage."""
    ids = [line.line_id for line in passage.lines]
    if line_end < line_start or line_start not in ids or line_end not in ids:
        return None
    first, last = ids.index(line_start), len(ids) - 1 - ids[::-1].index(line_end)
    if last < first:
        return None
    end = passage.starts[last + 1] - 1 if last + 1 < len(passage.starts) else len(passage.text)
    return Cited(passage, passage.starts[first], end)


def stretches_of(spans: Sequence[_Range], ground: Ground) -> list[Cited]:
    """The stretches of spans that exist, in their order."""
    held = (ground.stretch(span.candidate_id, span.line_start, span.line_end) for span in spans)
    return [one for one in held if one is not None]


def check(name: str, passed: bool, detail: str) -> EvidenceCheck:
    """One check with its outcome and what was compared."""
    return EvidenceCheck.model_validate({"check": name, "passed": passed, "detail": detail})


def with_article(kind: str) -> str:
    """A kind of value as a noun: 'an amount', 'a relative date'."""
    words = kind.replace("_", " ")
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def shorten(text: str, limit: int = 60) -> str:
    """The text on one line, cut with an ellipsis where it is longer than `limit` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def _by_itself(table: HandedTable) -> RetrievedCandidate:
    """A table that no candidate was kept for, as the passage that it is."""
    first, last = table.lines[0], table.lines[-1]
    scope = CandidateScope(
        page_start=first.page_num, page_end=last.page_num, line_start=first.line_num, line_end=last.line_num
    )
    return RetrievedCandidate(
        candidate_id=table.candidate_ids[0], anchor=scope, context=scope, snippet=table.title or "", text=table.text,
        lines=table.lines, anchor_line_ids=tuple(line.line_id for line in table.lines), methods=(), matched_keywords=(),
    )  # fmt: skip


def _read_table(table: HandedTable, candidate: RetrievedCandidate) -> Passage:
    """A table as a passage: each of its lines is a row of its own."""
    starts, sentences, at = [], [], 0
    for number, text in enumerate(table.text.split("\n")):
        starts.append(at)
        sentences.append(Sentence(at, at + len(text), "row", number, table.title or ""))
        at += len(text) + 1
    return Passage(candidate, 0, table.lines, table.text, tuple(starts), tuple(sentences))
