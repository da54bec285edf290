"""Options of the door to a language model: how long to wait, how often to try, how much to send."""

from __future__ import annotations

from pydantic import Field

from schemas.record import Part

TIMEOUT_SECONDS = 120.0  # a hosted model writes 1,500 tokens in well under a minute; slow local models need more
MAX_ATTEMPTS = 4  # with the delays below this rides out some seven seconds of trouble, or one long Retry-After each
FIRST_DELAY_SECONDS = 1.0
MAX_DELAY_SECONDS = 60.0  # providers count requests by the minute, so a longer wait gains nothing
MAX_INPUT_TOKENS = 100_000  # fits the 128k windows that are common, with room for the reply
MAX_REPAIR_OUTPUT_TOKENS = 32_768  # the smallest output limit among the hosted models in wide use


class ModelSettings(Part):
    """Options of an `OpenAIModel`; they hold for every call it makes."""

    timeout_seconds: float = Field(
        default=TIMEOUT_SECONDS, gt=0, description="Longest wait for the server to connect or to send on, in seconds."
    )
    max_attempts: int = Field(
        default=MAX_ATTEMPTS, ge=1, le=20, description="Most requests for one call on 429, 5xx and broken connections."
    )
    first_delay_seconds: float = Field(
        default=FIRST_DELAY_SECONDS,
        ge=0,
        description="Wait before the second attempt, in seconds; then doubled.",
    )
    max_delay_seconds: float = Field(
        default=MAX_DELAY_SECONDS, ge=0, description="Longest wait, in seconds, also where the server asks for more."
    )
    max_input_tokens: int = Field(
        default=MAX_INPUT_TOKENS, ge=1, description="Largest prompt that is sent, in tokens of four characters."
    )
    max_repair_output_tokens: int = Field(
        default=MAX_REPAIR_OUTPUT_TOKENS,
        ge=1,
        description="Up to how many tokens the reply limit is raised when a reply was cut off.",
    )
    temperature: float | None = Field(
        default=0.0, ge=0, le=2, description="Sampling temperature; null leaves it to the server."
    )
    price_input: float | None = Field(
        default=None, ge=0, description="Price of a million tokens read; null: no price is told."
    )
    price_output: float | None = Field(default=None, ge=0, description="Price of a million tokens written.")
    price_currency: str | None = Field(default=None, description="ISO 4217 code of the prices.")
