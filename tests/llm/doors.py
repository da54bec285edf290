"""What the tests of the model door share: a small schema, a prompt, quick settings, and a door to a scripted server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import openai
from pydantic import BaseModel, Field

from pipeline.llm import ModelSettings, Prompt, Reply, Transcript
from pipeline.llm.openai_model import OpenAIModel
from tests.scripted_server import ScriptedServer

KEY = "test-key-1234567890"
QUICK = ModelSettings(timeout_seconds=2, first_delay_seconds=0.001, max_delay_seconds=0.05)
_CLIENT = openai.OpenAI(api_key=KEY, base_url="http://127.0.0.1:9/v1")  # made once: it reads all certificates
PROMPT = Prompt("arbiter", "Judge {ids}.", "You judge passages.", "Judge p1_l2_l4 and p3_l7.")
IDS = ["p1_l2_l4", "p3_l7"]


class Ruling(BaseModel):
    """One passage judged."""

    candidate_id: str
    role: str
    weight: int = Field(default=1, ge=1, le=9)


class Rulings(BaseModel):
    """All passages judged."""

    rulings: list[Ruling]


def good(*ids: str) -> dict[str, Any]:
    """A reply that fits the schema."""
    return {"rulings": [{"candidate_id": one, "role": "primary", "weight": 1} for one in ids or IDS]}


def door(server: ScriptedServer | None, transcript: Transcript, **settings: Any) -> OpenAIModel:
    """A model behind the server; without one, a model whose every request would fail at once."""
    address = server.base_url if server is not None else "http://127.0.0.1:9/v1"
    client = _CLIENT.with_options(base_url=address)
    return OpenAIModel("test-model", transcript, settings=QUICK.model_copy(update=settings), client=client)


def accounts(reply: Rulings) -> list[str]:
    """The check an arbiter would make: each id once, none invented."""
    named = [ruling.candidate_id for ruling in reply.rulings]
    return (
        [f"{one} is not a candidate" for one in named if one not in IDS]
        + [f"{one} is missing" for one in IDS if one not in named]
        + [f"{one} is repeated" for one in IDS if named.count(one) > 1]
    )


def ask(
    model: OpenAIModel,
    *,
    prompt: Prompt = PROMPT,
    check: Callable[[Rulings], Sequence[str]] = accounts,
    max_output_tokens: int = 200,
) -> Reply[Rulings]:
    """The one question of these tests."""
    return model.ask(prompt, Rulings, purpose="arbiter", max_output_tokens=max_output_tokens, check=check)
