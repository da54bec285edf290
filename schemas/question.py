"""What question analysis hands over: what is asked, in which words, and what an answer must look like."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.audit import Downgrade, ModelUse
from schemas.record import Part, Record, Stamp

Intent = Literal["qa", "summarization", "listing", "out_of_scope"]
AnswerShape = Literal["single", "listing", "table", "tree", "nested_json"]
AnswerContext = Literal["line", "paragraph", "page", "section"]
KeywordSource = Literal["anchor", "quoted", "direct", "expert_dictionary", "llm_expansion"]
AnchorKind = Literal[
    "code", "section", "article", "figure", "table", "equation", "annex", "quoted", "amount", "date", "page"
]


class Keyword(Part):
    """A word or phrase to search for."""

    text: str = Field(
        description="The word or phrase as it is searched; the matcher folds case, accents and inflection."
    )
    source: KeywordSource = Field(description="Where it comes from.")
    weight: float = Field(ge=0, le=1, description="1.0 primary or direct, 0.7 from a model, 0.5 secondary.")
    concept: str | None = Field(default=None, description="Dictionary concept it stands for, e.g. 'liability_cap'.")
    group: Literal["topic", "value"] = Field(
        default="topic", description="Topic word, or a word that stands next to the value."
    )


class Anchor(Part):
    """An exact token of the question that must be found as it is: a code, 'Figure 2', a quoted phrase."""

    kind: AnchorKind = Field(description="What the token is.")
    text: str = Field(description="The token as the user wrote it.")
    target: str = Field(description="The bare number, letter, code or phrase, e.g. '2' for 'Figure 2'.")


class Concept(Part):
    """A dictionary concept that the question is about, copied in so that the record stands alone."""

    concept_id: str = Field(description="Name in its dictionary, e.g. 'governing_law'.")
    dictionary: str = Field(description="Dictionary it comes from, e.g. 'contracts'.")
    dictionary_version: str = Field(description="Version of that dictionary.")
    matched_by: str = Field(description="Words of the question that chose the concept.")
    exhaustive: bool = Field(description="The expert claims that its terms cover every way the topic is written.")
    terms: tuple[str, ...] = Field(description="All its terms in the searched languages, primary first.")
    section_titles: tuple[str, ...] = Field(default=(), description="Titles under which the topic usually stands.")
    value_required: bool = Field(
        default=False, description="A passage without a value of the expected type is no answer."
    )
    distractors: tuple[str, ...] = Field(
        default=(), description="Terms of neighbouring concepts that are often confused."
    )
    neighbours: tuple[str, ...] = Field(default=(), description="Terms whose presence neither proves nor disproves it.")


class StructuralHints(Part):
    """Where to look and how much to read."""

    section_hint: str | None = Field(default=None, description="Title or number of a section that the user named.")
    pages_hint: tuple[int, ...] = Field(
        default=(), description="Pages that the user named, ascending; they survive without a hit."
    )
    layout_hint: Literal["text", "table", "image", "header"] | None = Field(
        default=None, description="Layout the user named."
    )
    answer_context: AnswerContext = Field(default="paragraph", description="How much text around the match is read.")
    needs_summary: bool = Field(default=False, description="The answer condenses a passage instead of quoting a value.")


class SubQuestion(Part):
    """One question of a compound one."""

    text: str = Field(description="The sub-question, complete in itself.")
    answer_shape: AnswerShape = Field(description="Shape of its answer.")
    answer_type: str = Field(description="Type of its answer.")


class Decomposition(Part):
    """How a compound question falls apart."""

    pattern: Literal["single", "independent", "sequential", "unified", "conditional"] = Field(
        default="single",
        description="single: one question; independent: asked apart; sequential: each needs the one before; "
        "unified: one question on two topics; conditional: one question under a condition.",
    )
    sub_questions: tuple[SubQuestion, ...] = Field(
        default=(), description="The parts in order; empty for a single question."
    )
    condition: str | None = Field(default=None, description="The condition of a conditional question.")


class ScopeFilters(Part):
    """Where the answer may come from; applied inside each search."""

    page_range: tuple[int, int] | None = Field(default=None, description="First and last page allowed.")
    sections: tuple[str, ...] = Field(default=(), description="Titles or numbers of sections allowed.")


class ExecutionPlan(Part):
    """Which steps are switched on; the profile of the document may switch some off, each with a note."""

    use_toc: bool = Field(default=True, description="Search section titles.")
    use_keywords: bool = Field(default=True, description="Search the lines for keywords.")
    use_codes: bool = Field(default=False, description="Search exact codes by BM25.")
    use_embeddings: bool = Field(default=False, description="Search by meaning; last.")
    decompose: bool = Field(default=False, description="Answer the sub-questions apart.")


class Clarification(Part):
    """A question back to the user: two or three choices, one of them the default."""

    question_to_user: str = Field(description="What to ask.")
    reason: str = Field(description="Why the question cannot be answered as it is put.")
    choices: tuple[str, ...] = Field(description="Two or three complete questions to choose from.")
    default: str = Field(description="The choice that would be taken without a reply.")


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


class GenerationBrief(Part):
    """The only part of the question that generation reads: the user's words, never a rewrite."""

    original_question: str = Field(description="The question, verbatim.")
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


class ParsedQuestion(Record):
    """A question, analysed. Everything downstream is decided from this record and the document's tables."""

    SCHEMA_NAME: ClassVar[str] = "parsed_question"
    SCHEMA_VERSION: ClassVar[int] = 1

    original_question: str = Field(description="The question as the user wrote it, verbatim.")
    corrected_question: str = Field(description="The question after spelling correction; the same when it was clean.")
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
    plan: ExecutionPlan = Field(description="Which steps are switched on.")
    notes: tuple[str, ...] = Field(
        description="Choices that were inferred and limits that were noticed, a sentence each."
    )
    clarification: Clarification | None = Field(default=None, description="Set when the user must be asked first.")
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
        )

    def generation_brief(self) -> GenerationBrief:
        """What generation may see."""
        return GenerationBrief(
            original_question=self.original_question,
            language=self.language,
            intent=self.intent,
            answer_shape=self.answer_shape,
            answer_type=self.answer_type,
            concepts=self.concepts,
            keywords=tuple(word for word in self.keywords if word.source != "llm_expansion"),
            exclusions=self.exclusions,
            format_wishes=self.format_wishes,
            needs_summary=self.hints.needs_summary,
        )


def _without(text: str, pieces: tuple[str, ...]) -> str:
    for piece in pieces:
        text = text.replace(piece, " ")
    return " ".join(text.split())
