"""What a model costs: from the environment, a file of the user's, or the shipped list with its date and source."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.llm.environment import prices_of_environment
from schemas.errors import SettingsError

SHIPPED = Path(__file__).with_name("prices.toml")
TOKENS_PRICED = 1_000_000
CACHED_VARIABLE = "LINEPROOF_PRICE_CACHED"
# 'gpt-4o' stands for 'gpt-4o-2024-08-06' too, but never for 'gpt-4o-audio-preview' or 'o3-pro', which cost other sums.
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens read and written, and where that is known from."""

    input: float
    output: float
    currency: str
    source: str
    cached: float | None = None  # tokens read that the server had kept; None: as any other

    def of(self, input_tokens: int, output_tokens: int, *, cached_tokens: int = 0) -> float:
        """What so many tokens cost; `cached_tokens` are part of the input tokens."""
        kept = min(cached_tokens, input_tokens) if self.cached is not None else 0
        read = (input_tokens - kept) * self.input + kept * (self.cached or 0.0)
        return (read + output_tokens * self.output) / TOKENS_PRICED

    def at_most(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost at most, however many of them the server had kept."""
        return max(self.of(input_tokens, output_tokens, cached_tokens=kept) for kept in (0, input_tokens))


@dataclass(frozen=True, slots=True)
class _Row:
    model: str
    price: Price

    def fits(self, model: str) -> bool:
        """The name itself, or with the day of its release."""
        return model.startswith(self.model) and (
            model == self.model or _DATED.fullmatch(model, len(self.model)) is not None
        )


def price_of(model: str, *, file: Path | None = None) -> Price | None:
    """The price of a model: what the environment says, else `file`, else the shipped list; None where none knows it.

    Raises SettingsError for a file that is no list of prices, and for a price that is no number from 0.
    """
    told = prices_of_environment()
    if told is not None:
        read, written, currency = told
        source = "LINEPROOF_PRICE_INPUT and LINEPROOF_PRICE_OUTPUT"
        return Price(read, written, currency, source, cached=_cached_of_environment())
    fitting = [row for row in _rows(file or SHIPPED) if row.fits(model)]
    return max(fitting, key=lambda row: len(row.model)).price if fitting else None


def _cached_of_environment() -> float | None:
    said = os.environ.get(CACHED_VARIABLE, "").strip()
    if not said:
        return None
    try:
        return _amount(float(said))
    except ValueError as error:
        raise SettingsError(f"{CACHED_VARIABLE} must be a number from 0, for a million tokens") from error


def _rows(path: Path) -> list[_Row]:
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        return [_row(one, fields) for one in fields["price"]]
    except OSError as error:
        raise SettingsError(f"{path}: the prices cannot be read ({error.strerror}); check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise SettingsError(
            f"{path}: no list of prices ({error}); it needs date, source, and [[price]] with model, input, "
            "output, currency"
        ) from error


def _row(one: Any, fields: dict[str, Any]) -> _Row:
    """A row with its own date and source, else those of the file."""
    known = f"{one.get('source') or fields['source']}, {one.get('date') or fields['date']}"
    cached = _amount(float(one["cached"])) if "cached" in one else None
    price = Price(
        _amount(float(one["input"])), _amount(float(one["output"])), str(one["currency"]), known, cached=cached
    )
    return _Row(str(one["model"]), price)


def _amount(number: float) -> float:
    if not 0 <= number < float("inf"):
        raise ValueError("prices are numbers from 0")
    return number
