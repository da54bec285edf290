"""What a model costs: from the environment, a file of the user's, or the shipped list with its date and source."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.llm.environment import prices_of_environment
from schemas.errors import SettingsError

SHIPPED = Path(__file__).with_name("prices.toml")
TOKENS_PRICED = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens read and written, and where that is known from."""

    input: float
    output: float
    currency: str
    source: str

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input + output_tokens * self.output) / TOKENS_PRICED


def price_of(model: str, *, file: Path | None = None) -> Price | None:
    """The price of a model: what the environment says, else `file`, else the shipped list; None where none knows it.

    Raises SettingsError for a file that is no list of prices.
    """
    told = prices_of_environment()
    if told is not None:
        return Price(told[0], told[1], told[2], "LINEPROOF_PRICE_INPUT and LINEPROOF_PRICE_OUTPUT")
    path = file or SHIPPED
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        rows = [_row(one) for one in fields["price"]]
        known = f"{fields['source']}, {fields['date']}"
    except OSError as error:
        raise SettingsError(f"{path}: the prices cannot be read ({error.strerror}); check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise SettingsError(
            f"{path}: no list of prices ({error}); it needs date, source, and [[price]] with model, input, "
            "output, currency"
        ) from error
    fitting = [row for row in rows if model == row[0] or model.startswith(f"{row[0]}-")]
    if not fitting:
        return None
    _, read, written, currency = max(fitting, key=lambda row: len(row[0]))
    return Price(read, written, currency, known)


def _row(one: Any) -> tuple[str, float, float, str]:
    read, written = float(one["input"]), float(one["output"])
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise ValueError("prices are numbers from 0")
    return str(one["model"]), read, written, str(one["currency"])
