"""The model that the environment names, if it names one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import Transcript
from schemas.errors import SettingsError

if TYPE_CHECKING:
    import openai

    from pipeline.llm.openai_model import OpenAIModel

MODEL_VARIABLE = "LINEPROOF_MODEL"
KEY_VARIABLE = "OPENAI_API_KEY"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
TIMEOUT_VARIABLE = "LINEPROOF_TIMEOUT"
CONTEXT_VARIABLE = "LINEPROOF_CONTEXT"
PLACEHOLDER_KEY = "no-key"  # local servers ask for none, but the client insists on sending one


def model_from_environment(transcript: Transcript, *, settings: ModelSettings | None = None) -> OpenAIModel | None:
    """The model that LINEPROOF_MODEL names; None where it is not set, so that a key alone never sends a document away.

    The openai client reads OPENAI_API_KEY and OPENAI_BASE_URL itself; a server at OPENAI_BASE_URL may need no key. A
    transcript that is offline needs neither.

    Raises SettingsError where the variables do not make a usable whole; no message holds the key.
    """
    name = os.environ.get(MODEL_VARIABLE, "").strip()
    if not name:
        return None
    settings = settings or settings_from_environment()
    from pipeline.llm.openai_model import OpenAIModel

    if transcript.offline:
        return OpenAIModel(name, transcript, settings=settings)
    check_endpoint(MODEL_VARIABLE, name)
    return OpenAIModel(name, transcript, settings=settings, client=open_client())


def settings_from_environment() -> ModelSettings:
    """The model's options as LINEPROOF_TIMEOUT, LINEPROOF_CONTEXT and the prices say.

    Seconds, and tokens of its window: a small local model needs more time than a hosted one, and takes less text; what
    is larger is never sent.

    Raises SettingsError for what is no number above zero, and for what is no price.
    """
    told: dict[str, float] = {}
    for variable, field in ((TIMEOUT_VARIABLE, "timeout_seconds"), (CONTEXT_VARIABLE, "max_input_tokens")):
        said = os.environ.get(variable, "").strip()
        if said:
            number = int(said) if said.isascii() and said.isdigit() else 0
            if not number:
                raise SettingsError(f"{variable} is {said[:40]!r}; it must be a whole number above zero")
            told[field] = number
    return ModelSettings().model_copy(update={**told, **_prices()})


def prices_of_environment() -> tuple[float, float, str] | None:
    """Price of a million tokens read and written, and the currency; None where no prices are set.

    LINEPROOF_PRICE_INPUT, LINEPROOF_PRICE_OUTPUT (numbers) and LINEPROOF_PRICE_CURRENCY (default USD).

    Raises SettingsError for a price that is no number from 0, and where one of the two is missing.
    """
    said = [os.environ.get(name, "").strip() for name in ("LINEPROOF_PRICE_INPUT", "LINEPROOF_PRICE_OUTPUT")]
    if not any(said):
        return None
    try:
        read, written = (float(one) for one in said)
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise SettingsError(
            "LINEPROOF_PRICE_INPUT and LINEPROOF_PRICE_OUTPUT must both be numbers from 0, for a million tokens"
        )
    return read, written, os.environ.get("LINEPROOF_PRICE_CURRENCY", "").strip() or "USD"


def _prices() -> dict[str, float | str]:
    prices = prices_of_environment()
    if prices is None:
        return {}
    return {"price_input": prices[0], "price_output": prices[1], "price_currency": prices[2]}


def check_endpoint(variable: str, name: str) -> None:
    """Refuse a model `name`, set in `variable`, where key and address make no usable whole.

    Raises SettingsError; no message holds the key.
    """
    key, address = os.environ.get(KEY_VARIABLE, "").strip(), os.environ.get(ADDRESS_VARIABLE, "").strip()
    if not key and not address:
        raise SettingsError(
            f"{variable} is set to {name!r}, but neither {KEY_VARIABLE} (a key of OpenAI) nor {ADDRESS_VARIABLE} "
            f"(the address of another server) is; set one of them, or unset {variable} to work without a model"
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingsError(f"{KEY_VARIABLE} holds a blank, a line break or a letter outside ASCII; copy the key anew")
    if address:
        _check_address(address)


def open_client() -> openai.OpenAI:
    """The client of the server that OPENAI_API_KEY and OPENAI_BASE_URL say; it sends each request once."""
    import openai

    key, address = os.environ.get(KEY_VARIABLE, "").strip(), os.environ.get(ADDRESS_VARIABLE, "").strip()
    # Blank variables count as not set, which the client itself would not allow.
    return openai.OpenAI(api_key=key or PLACEHOLDER_KEY, base_url=address or None, max_retries=0)


def _check_address(address: str) -> None:
    """Refuse what is no http address of a host; the message leaves out a password that the address may hold."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not address.isprintable() or " " in address:
        raise SettingsError(
            f"{ADDRESS_VARIABLE} is no address of a server; it must read like https://host/v1 or http://127.0.0.1:8080/v1"
        )
