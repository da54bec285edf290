"""The parts that an analysed question is made of: keywords, anchors, concepts, hints, filters, clarification."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.record import Part

Intent = Literal["qa", "summarization", "listing", "out_of_scope"]
AnswerShape = Literal["single", "listing", "table", "tree", "nested_json"]
AnswerContext = Literal["line", "paragraph", "page", "section", "chapter", "document"]
DetectionContext = Literal["line", "sentence", "paragraph"]
ChunkStrategy = Literal["combined", "sequential"]
KeywordSource = Literal["anchor", "quoted", "direct", "expert_dictionary", "llm_expansion"]
AnchorKind = Literal[
    "code", "section", "article", "figure", "table", "equation", "annex", "quoted", "amount", "date", "page",
    "defined_term",
]  # fmt: skip


WORDS_JOINT = " + "  # between the single words that chose a concept, where no phrase of an expert did


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
    is_regex: bool = Field(
        default=False, description="The text is an expert's pattern for the regex package, searched with a time limit."
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
    patterns: tuple[str, ...] = Field(default=(), description="Its patterns; searched like primary terms.")

    @property
    def is_by_words(self) -> bool:
        """True where the weight of single words chose it: what is asked may be something else that they go with."""
        return WORDS_JOINT in self.matched_by


class StructuralHints(Part):
    """Where to look and how much to read."""

    section_hint: str | None = Field(default=None, description="Title or number of a section that the user named.")
    pages_hint: tuple[int, ...] = Field(
        default=(), description="Pages that the user named, ascending; they survive without a hit."
    )
    layout_hint: Literal["text", "table", "image", "header"] | None = Field(
        default=None, description="Layout the user named."
    )
    sheets_hint: tuple[str, ...] = Field(default=(), description="Sheets of a workbook that the user named.")
    slides_hint: tuple[int, ...] = Field(default=(), description="Slides that the user named, ascending, from 1.")
    document_version: str | None = Field(default=None, description="Version of the document that the user named.")
    detection_context: DetectionContext = Field(
        default="paragraph",
        description="Within what the words of the question must stand together to count as one hit.",
    )
    answer_context: AnswerContext = Field(default="paragraph", description="How much text around the match is read.")
    needs_summary: bool = Field(default=False, description="The answer condenses a passage instead of quoting a value.")


class SubQuestion(Part):
    """One question of a compound one."""

    text: str = Field(description="The sub-question, complete in itself.")
    answer_shape: AnswerShape = Field(description="Shape of its answer.")
    answer_type: str = Field(description="Type of its answer.")
    stands_for_answer: str | None = Field(
        default=None,
        description="Words of the text that the answer to the part before takes the place of; null: asked as it is.",
    )
    name: str | None = Field(
        default=None, description="Name of the field that it fills in a record of several things; null: no field."
    )


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


class DateRange(Part):
    """From when until when, both ends included; null: open."""

    start: str | None = Field(default=None, description="First day, ISO 8601 (YYYY-MM-DD).")
    end: str | None = Field(default=None, description="Last day, ISO 8601.")


class ScopeFilters(Part):
    """Where the answer may come from; pages and sections are applied inside each search, the rest to what is found."""

    page_range: tuple[int, int] | None = Field(default=None, description="First and last page allowed.")
    pages: tuple[int, ...] = Field(
        default=(), description="The only pages allowed, ascending, where they are no range ('only on pages 2 and 9')."
    )
    sections: tuple[str, ...] = Field(default=(), description="Titles or numbers of sections allowed.")
    date_range: DateRange | None = Field(default=None, description="Dates that an answer may speak of ('before 2020').")
    parties: tuple[str, ...] = Field(default=(), description="Parties or roles the answer is about, as the user wrote.")
    known_parties: tuple[tuple[str, ...], ...] = Field(
        default=(), description="The document's parties where the question names any, each by its names and labels."
    )
    jurisdictions: tuple[str, ...] = Field(default=(), description="Countries or states named as a limit of the scope.")
    custom: dict[str, str] = Field(default_factory=dict, description="Further filters by name, set by the caller.")


class ExecutionPlan(Part):
    """Which steps are switched on; the profile of the document may switch some off, each with a note."""

    use_toc: bool = Field(default=True, description="Search section titles.")
    use_keywords: bool = Field(default=True, description="Search the lines for keywords.")
    use_codes: bool = Field(default=False, description="Search exact codes by BM25.")
    use_embeddings: bool = Field(default=False, description="Search by meaning; last.")
    decompose: bool = Field(default=False, description="Answer the sub-questions apart.")
    follow_references: bool = Field(default=True, description="Add the passages that a found passage refers to.")
    page_numbers: bool = Field(default=True, description="Cite pages; off where the document's format has none.")


class Distinction(Part):
    """Two things that must be told apart: 'the premium, not the deductible'."""

    wanted: str = Field(
        description="What is asked for, in the user's words; empty where the question does not name it."
    )
    unwanted: str = Field(description="What it is not, without the word that excludes it ('the deductible').")
    terms: tuple[str, ...] = Field(default=(), description="The experts' words for the unwanted thing.")


class FormatConstraint(Part):
    """How the user wants a value put; null: as the document has it."""

    currency: str | None = Field(default=None, description="ISO 4217 code.")
    scale: Literal["units", "thousands", "millions", "billions"] | None = Field(
        default=None, description="Scale of an amount."
    )
    period: Literal["hours", "days", "weeks", "months", "quarters", "years"] | None = Field(
        default=None, description="Unit of a duration, or the period that an amount is stated for."
    )
    date_format: str | None = Field(default=None, description="As written: 'DD/MM/YYYY', 'ISO'.")
    decimals: int | None = Field(default=None, ge=0, le=12, description="Decimal places to round to.")
    language: str | None = Field(default=None, description="ISO 639-1 code of the answer's language.")
    layout: Literal["bullets", "table", "json", "sentence"] | None = Field(default=None, description="Layout.")
    max_sentences: int | None = Field(default=None, ge=1, description="Longest text, in sentences.")


class Clarification(Part):
    """A question back to the user: two or three choices, one of them the default."""

    target_field: str = Field(default="question", description="What is open: 'question', 'concept', 'party', ...")
    question_to_user: str = Field(description="What to ask.")
    reason: str = Field(description="Why the question cannot be answered as it is put.")
    choices: tuple[str, ...] = Field(description="Two or three complete questions to choose from.")
    default: str = Field(description="The choice that would be taken without a reply.")
    default_reason: str = Field(default="", description="Why that one.")
    candidate_values: tuple[str, ...] = Field(
        default=(),
        description="What each choice stands for (a concept id, a section title), in the order of the choices.",
    )
    form: str = Field(
        default="", description="The open words, folded ('cap'): what earlier replies are remembered under."
    )


class Settled(Part):
    """How a question that was open came to be asked as one of its choices, without asking back (again)."""

    target_field: str = Field(description="What was open, as in the clarification.")
    form: str = Field(description="The open words, folded.")
    question_to_user: str = Field(description="What was asked or would have been.")
    choices: tuple[str, ...] = Field(description="The complete questions there were to choose from.")
    candidate_values: tuple[str, ...] = Field(description="What each choice stands for, in the order of the choices.")
    chosen: str = Field(description="What the choice taken stands for.")
    by: Literal["reply", "default", "votes", "only_option"] = Field(
        description="reply: the user chose it; default: the user let the default stand; votes: earlier replies agree; "
        "only_option: the document holds no other."
    )
    votes: float = Field(default=0.0, ge=0, description="Votes of earlier replies for it.")
    confidence: float | None = Field(
        default=None, ge=0, le=1, description="Its share of the votes, one vote of doubt counted; null without votes."
    )
