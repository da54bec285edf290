"""Options of generation."""

from __future__ import annotations

from pydantic import Field

from schemas.record import Part

MAX_ITEMS = 50  # items of a listing; more are a table that belongs into a workbook
MAX_TEXT_CHARACTERS = 1_500  # characters of a clause given as an answer; a reader stops before
CONTEXT_CHARACTERS = 24_000  # characters handed to a model: about 6,000 tokens, under METHOD 9's budget of 8,000
MAX_OUTPUT_TOKENS = 2_000  # fifty items of forty tokens; a single value is given a part of it
MODEL_CALLS = 4  # of one answer: three passages one after the other, and all others together
SUMMARY_SENTENCES = 6  # lead sentences of a summary without a model
# Of recognised lines, 0-1. Clean print reads at 0.90 to 0.97; below these a character in a line is likely misread. A
# word with a letter misread is still understood; a figure with a digit misread is another figure.
MIN_FIGURE_CONFIDENCE = 0.80
MIN_WORD_CONFIDENCE = 0.50


class GenerationSettings(Part):
    """Options of `generate`."""

    max_items: int = Field(default=MAX_ITEMS, ge=1, description="Most items of an answer.")
    max_text_characters: int = Field(
        default=MAX_TEXT_CHARACTERS, ge=100, description="Longest clause given as one item, in characters."
    )
    context_characters: int = Field(
        default=CONTEXT_CHARACTERS, ge=500, description="Most text handed to a model, in characters."
    )
    max_output_tokens: int = Field(
        default=MAX_OUTPUT_TOKENS, ge=200, description="Longest reply of a model, in tokens."
    )
    model_calls: int = Field(default=MODEL_CALLS, ge=1, description="Most calls of a model for one answer.")
    summary_sentences: int = Field(default=SUMMARY_SENTENCES, ge=1, description="Most sentences of a rules' summary.")
    min_figure_confidence: float = Field(
        default=MIN_FIGURE_CONFIDENCE,
        ge=0,
        le=1,
        description="Least confidence of a recognised line whose figures are given; native text is always read.",
    )
    min_word_confidence: float = Field(
        default=MIN_WORD_CONFIDENCE, ge=0, le=1, description="The same for values without a figure."
    )
