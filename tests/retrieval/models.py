"""Models for the tests of the strategies: deterministic, small, and wrong where a test wants them wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.llm.model import ModelUseError, Reply
from schemas.audit import ModelUse

DIMENSIONS = 64


class WordVectors:
    """An embedder: every word adds to one dimension; `same` maps words to the one they mean the same as."""

    name = "words-64"

    def __init__(self, **same: str) -> None:
        self.same = same
        self.texts: list[str] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length one a text."""
        self.texts += texts
        rows = np.full((len(texts), DIMENSIONS), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").split():
                meant = self.same.get(word, word)
                row[int(hashlib.sha256(meant.encode()).hexdigest(), 16) % DIMENSIONS] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class WordWeights:
    """A sparse encoder: every word is a term of weight one."""

    name = "words-sparse"

    def __call__(self, texts: Sequence[str]) -> list[Mapping[int, float]]:
        """One map a text."""
        return [
            {int(hashlib.sha256(word.encode()).hexdigest()[:8], 16): 1.0 for word in text.split()} for text in texts
        ]


class Scores:
    """A cross-encoder that scores by a function of the text."""

    name = "scores"

    def __init__(self, score: Callable[[str], float]) -> None:
        self.score = score
        self.texts: list[str] = []

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        self.texts += texts
        return [self.score(text) for text in texts]


class Model:
    """A language model that replies by a function of the prompt; None is a server that fails."""

    name = "fake"

    def __init__(self, reply: Callable[[Any], Mapping[str, Any] | None]) -> None:
        self.reply = reply
        self.prompts: list[Any] = []
        self.purposes: list[str] = []

    def ask(self, prompt, output, *, purpose, max_output_tokens, check):
        """The reply with what the check finds; no repair."""
        self.prompts.append(prompt)
        self.purposes.append(purpose)
        said = self.reply(prompt)
        use = ModelUse(
            purpose=purpose, model=self.name, prompt_name=prompt.name, prompt_sha256="0" * 64,
            call_keys=(f"k{len(self.prompts)}",), input_tokens=10, output_tokens=2,
            outcome="failed" if said is None else "valid",
        )  # fmt: skip
        if said is None:
            raise ModelUseError("the server cannot be reached", use)
        value = output.model_validate(said)
        return Reply(value, tuple(check(value)), use)
