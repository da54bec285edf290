"""What question analysis hands over: what is asked, in which words, and what an answer must look like."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.audit import Downgrade, ModelUse
from schemas.question_parts import (
    Anchor,
    AnchorKind,
    AnswerContext,
    AnswerShape,
    ChunkStrategy,
    Clarification,
    Concept,
    DateRange,
    Decomposition,
    DetectionContext,
    Distinction,
    ExecutionPlan,
    FormatConstraint,
    Intent,
    Keyword,
    KeywordSource,
    ScopeFilters,
    Settled,
    StructuralHints,
    SubQuestion,
)
from schemas.record import Part, Record, Stamp

__all__ = [
    "Anchor",
    "AnchorKind",
    "AnswerContext",
    "AnswerShape",
    "ChunkStrategy",
    "Clarification",
    "Concept",
    "DateRange",
    "Decomposition",
    "DetectionContext",
    "Distinction",
    "ExecutionPlan",
    "FormatConstraint",
    "GenerationBrief",
    "Intent",
    "Keyword",
    "KeywordSource",
    "ParsedQuestion",
    "RetrievalQuery",
    "ScopeFilters",
    "Settled",
    "StructuralHints",
    "SubQuestion",
]


class RetrievalQuery(Part):
    """The only part of the question that retrieval reads: no negatives, no format wishes."""

    text: str = Field(description="The question as it is searched: corrected, without exclusions and format wishes.")
    language: str = Field(description="ISO 639-1 code of the question.")
    intent: Intent = Field(description="What the user wants done.")
    keywords: tuple[Keyword, ...] = Field(
        description="What to search for: anchors, direct words, dictionary, expansion."
    )
    anchors: tuple[Anchor, ...] = Field(description="Exact tokens.")
    concepts: tuple[Concept, ...] = Field(description="Dictionary concepts, best first.")
    answer_shape: AnswerShape = Field(description="How many values an answer has.")
    answer_type: str = Field(description="What kind of value; decides which value patterns fire.")
    hints: StructuralHints = Field(description="Where to look and how much to read.")
    filters: ScopeFilters = Field(description="Where the answer may come from.")
    plan: ExecutionPlan = Field(description="Which detectors may run.")
    rewrites: tuple[str, ...] = Field(
        default=(),
        description="The question in the document's words (experts' terms in its language); never generation's.",
    )
    unmet: tuple[str, ...] = Field(
        default=(), description="Why nothing may be searched: what the question allows alone is not in the document."
    )


class GenerationBrief(Part):
    """The only part of the question that generation reads: the user's words, never a rewrite."""

    original_question: str = Field(description="The question, verbatim.")
    resolved_question: str | None = Field(
        default=None,
        description="The question made complete, where it was not: a follow-up, an open question that was settled.",
    )
    language: str = Field(description="ISO 639-1 code of the question; the answer is given in it.")
    intent: Intent = Field(description="What the user wants done.")
    answer_shape: AnswerShape = Field(description="How many values an answer has.")
    answer_type: str = Field(description="What kind of value.")
    concepts: tuple[Concept, ...] = Field(
        default=(), description="Dictionary concepts, for choosing the value nearest to a term."
    )
    keywords: tuple[Keyword, ...] = Field(
        default=(), description="Direct and dictionary words, for choosing lines; no expansion."
    )
    exclusions: tuple[str, ...] = Field(default=(), description="What the user said it is not ('not the deductible').")
    format_wishes: tuple[str, ...] = Field(default=(), description="How the user wants it put ('in days').")
    needs_summary: bool = Field(default=False, description="The answer condenses a passage instead of quoting a value.")
    chunk_strategy: ChunkStrategy = Field(
        default="combined",
        description="combined: all passages are read together; sequential: one after the other until one answers.",
    )
    format_constraint: FormatConstraint = Field(
        default=FormatConstraint(), description="The format wishes as far as they are understood."
    )
    must_distinguish: tuple[Distinction, ...] = Field(default=(), description="What must not be mistaken for what.")
    filters: ScopeFilters = Field(default=ScopeFilters(), description="Dates and parties that an answer may speak of.")
    anchors: tuple[Anchor, ...] = Field(default=(), description="Exact tokens, as the user wrote them.")
    corrected_question: str | None = Field(
        default=None, description="The question with its spelling mended; null where nothing was."
    )
    limits: tuple[str, ...] = Field(
        default=(), description="Words of the question that say where, when and in which version, no topic."
    )

    @property
    def question(self) -> str:
        """The question as it is answered: complete in itself, its spelling mended."""
        return self.corrected_question or self.resolved_question or self.original_question


class ParsedQuestion(Record):
    """A question, analysed. Everything downstream is decided from this record and the document's tables."""

    SCHEMA_NAME: ClassVar[str] = "parsed_question"
    SCHEMA_VERSION: ClassVar[int] = 3

    original_question: str = Field(description="The question as the user wrote it, verbatim.")
    previous_question: str | None = Field(
        default=None, description="The question before, in the same session, that a follow-up was resolved against."
    )
    resolved_question: str | None = Field(
        default=None,
        description="The question made complete: a follow-up ('and for the supplier?') from the question before, an "
        "open one ('what is the cap?') as it was settled; null for a question that is complete as it was put.",
    )
    corrected_question: str = Field(
        description="The (resolved) question after spelling correction; the same when it was clean."
    )
    language: str = Field(description="ISO 639-1 code.")
    intent: Intent = Field(description="What the user wants done.")
    answer_shape: AnswerShape = Field(description="How many values an answer has.")
    answer_type: str = Field(description="text, amount, date, duration, percentage, boolean, party, identifier ...")
    keywords: tuple[Keyword, ...] = Field(description="All keywords with their source, strongest source first.")
    anchors: tuple[Anchor, ...] = Field(description="Exact tokens, in the order of the question.")
    concepts: tuple[Concept, ...] = Field(description="Dictionary concepts, best first; empty when none is recognised.")
    hints: StructuralHints = Field(description="Where to look and how much to read.")
    decomposition: Decomposition = Field(description="How a compound question falls apart.")
    filters: ScopeFilters = Field(description="Where the answer may come from.")
    exclusions: tuple[str, ...] = Field(description="What the user said it is not; generation only.")
    format_wishes: tuple[str, ...] = Field(description="How the user wants it put; generation only.")
    chunk_strategy: ChunkStrategy = Field(
        default="combined", description="How passages are read: by concept, else by shape and type."
    )
    suggested_model: str | None = Field(
        default=None,
        description="Model that the settings name for this shape or type; the one that ran is in the stamp.",
    )
    format_constraint: FormatConstraint = Field(
        default=FormatConstraint(), description="The format wishes as far as they are understood."
    )
    must_distinguish: tuple[Distinction, ...] = Field(
        default=(), description="The exclusions, each with what is wanted instead and the experts' words for it."
    )
    rewrites: tuple[str, ...] = Field(default=(), description="The question in the document's words; retrieval only.")
    limits: tuple[str, ...] = Field(
        default=(),
        description="Words of the question that say where, when, in which version ('only on pages 8 to 9'); no topic.",
    )
    unmet: tuple[str, ...] = Field(
        default=(),
        description="Why nothing may be searched, a sentence each: a place that the question allows alone, or a term "
        "whose meaning it asks, is not in the document.",
    )
    plan: ExecutionPlan = Field(description="Which steps are switched on.")
    notes: tuple[str, ...] = Field(
        description="Choices that were inferred and limits that were noticed, a sentence each."
    )
    shown_notes: tuple[str, ...] = Field(
        default=(),
        description="Those of the notes that the user is shown with the answer: a word that was read as another, a "
        "place that the document has not.",
    )
    clarification: Clarification | None = Field(default=None, description="Set when the user must be asked first.")
    settled: Settled | None = Field(
        default=None, description="How an open question was settled; null for a question that was not open."
    )
    field_sources: dict[str, Literal["rules", "llm"]] = Field(description="Who set each field that a model may set.")
    model_uses: tuple[ModelUse, ...] = Field(default=(), description="Model calls made for this record.")
    downgrades: tuple[Downgrade, ...] = Field(
        default=(), description="Steps that were done by lesser means than asked for."
    )
    stamp: Stamp = Field(description="By what it was analysed.")

    def retrieval_query(self) -> RetrievalQuery:
        """What retrieval may see."""
        return RetrievalQuery(
            text=_without(self.corrected_question, (*self.exclusions, *self.format_wishes)),
            language=self.language,
            intent=self.intent,
            keywords=self.keywords,
            anchors=self.anchors,
            concepts=self.concepts,
            answer_shape=self.answer_shape,
            answer_type=self.answer_type,
            hints=self.hints,
            filters=self.filters,
            plan=self.plan,
            rewrites=self.rewrites,
            unmet=self.unmet,
        )

    def generation_brief(self) -> GenerationBrief:
        """What generation may see."""
        return GenerationBrief(
            original_question=self.original_question,
            resolved_question=self.resolved_question,
            language=self.language,
            intent=self.intent,
            answer_shape=self.answer_shape,
            answer_type=self.answer_type,
            concepts=self.concepts,
            keywords=tuple(word for word in self.keywords if word.source != "llm_expansion"),
            exclusions=self.exclusions,
            format_wishes=self.format_wishes,
            needs_summary=self.hints.needs_summary,
            chunk_strategy=self.chunk_strategy,
            format_constraint=self.format_constraint,
            must_distinguish=self.must_distinguish,
            filters=self.filters,
            anchors=self.anchors,
            corrected_question=self.corrected_question if self._was_mended() else None,
            limits=self.limits,
        )

    def _was_mended(self) -> bool:
        """True where the rules mended the spelling; a model's wording is none that generation may read."""
        asked = " ".join((self.resolved_question or self.original_question).split())
        return self.field_sources.get("corrected_question") == "rules" and self.corrected_question != asked


def _without(text: str, pieces: tuple[str, ...]) -> str:
    for piece in pieces:
        text = text.replace(piece, " ")
    return " ".join(text.split())
