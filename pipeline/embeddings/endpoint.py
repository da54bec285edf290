"""An embedder behind the OpenAI-compatible address `/v1/embeddings`; texts leave this machine."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ModelError, ModelReplyError, ModelUnavailableError

if TYPE_CHECKING:
    import openai

    from pipeline.llm.faults import Fault
    from pipeline.llm.settings import ModelSettings

MAX_BATCH_TEXTS = 96  # texts of one request; the smallest limit among the hosted services in wide use (Cohere's)
MAX_BATCH_CHARACTERS = 200_000  # characters; some 50,000 tokens, a sixth of what OpenAI takes in one request
_TINY = 1e-12  # a vector shorter than that has no direction


class EndpointEmbedder:
    """An `Embedder` that sends texts in batches and checks what comes back: one finite vector a text, of one length."""

    def __init__(
        self, model: str, open_client: Callable[[], openai.OpenAI], *, settings: ModelSettings, host: str
    ) -> None:
        """`open_client` is called at the first text; `host` says in the record where texts were sent."""
        self._model = model
        self._open_client = open_client
        self._settings = settings
        self._host = host
        self._client: openai.OpenAI | None = None
        self._dimension = 0

    @property
    def name(self) -> str:
        """Name of the model as configured, and the host that it runs on: the weights behind are not known."""
        return f"{self._model} at {self._host}"

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row a text, in order; of no text an empty array.

        Raises ModelUnavailableError after all retries or at once where none would help, ModelReplyError for a reply
        that cannot be used, PromptTooLargeError for a text that is longer than the model takes.
        """
        unique = list(dict.fromkeys(texts))
        rows: dict[str, NDArray[np.float32]] = {}
        for batch in _batches(unique):
            rows.update(zip(batch, self._checked(self._ask(batch), len(batch)), strict=True))
        return np.stack([rows[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)

    def _ask(self, batch: Sequence[str]) -> bytes:
        """The body of the reply to one batch, retried as the settings allow."""
        attempt = 0
        while True:
            attempt += 1
            outcome = self._request(batch)
            if isinstance(outcome, bytes):
                return outcome
            allowed = min(self._settings.max_attempts, outcome.max_attempts or self._settings.max_attempts)
            if outcome.action != "retry" or attempt >= allowed:
                raise _told(outcome.error, attempt if outcome.action == "retry" else 0) from outcome.error.__cause__
            doubled = self._settings.first_delay_seconds * 2 ** (attempt - 1)
            time.sleep(min(doubled if outcome.delay is None else outcome.delay, self._settings.max_delay_seconds))

    def _request(self, batch: Sequence[str]) -> bytes | Fault:
        import openai

        from pipeline.llm.faults import Fault, read_connection_error, read_status_error

        if self._client is None:
            self._client = self._open_client().with_options(max_retries=0, timeout=self._settings.timeout_seconds)
        client = self._client
        sent: dict[str, Any] = {"model": self._model, "input": list(batch), "encoding_format": "float"}
        try:
            # Floats as such: several servers do not know the encoding that the client would ask for by itself.
            return client.embeddings.with_raw_response.create(**sent).content
        except openai.APIConnectionError as error:
            return read_connection_error(error, timeout_seconds=self._settings.timeout_seconds)
        except openai.APIStatusError as error:
            return read_status_error(error, api="chat", model=self._model, sent=sent, secret=client.api_key)
        except openai.OpenAIError as error:  # the client itself refuses, such as for want of credentials
            return Fault("final", ModelUnavailableError(f"the openai client cannot send: {type(error).__name__}"))

    def _checked(self, body: bytes, count: int) -> NDArray[np.float32]:
        vectors = _read(body, count, self.name)
        if self._dimension not in (0, vectors.shape[1]):
            raise ModelReplyError(
                f"{self.name} gave vectors of {vectors.shape[1]} numbers after such of {self._dimension}"
            )
        self._dimension = vectors.shape[1]
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not bool(np.isfinite(vectors).all()) or float(lengths.min()) < _TINY:
            raise ModelReplyError(f"{self.name} gave a vector that holds no finite numbers, or only zeros")
        return np.asarray(vectors / lengths, dtype=np.float32)


def host_of(address: str) -> str:
    """Host and port of an address, without the name and password that it may hold; OpenAI's where it is empty."""
    parts = urlsplit(address or "https://api.openai.com/v1")
    return (parts.hostname or "") + (f":{parts.port}" if parts.port else "")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == MAX_BATCH_TEXTS or size + len(text) > MAX_BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _read(body: bytes, count: int, name: str) -> NDArray[np.float64]:
    """The vectors of a reply in the order of the texts."""
    try:
        data = json.loads(body)["data"]
        places = [int(one["index"]) for one in data]
        rows = [one["embedding"] for one in data]
    except (ValueError, KeyError, TypeError) as error:
        raise ModelReplyError(
            f"{name} replied with something else than embeddings ({type(error).__name__}: {str(error)[:80]}); check "
            "that OPENAI_BASE_URL is the address of a server that has /embeddings"
        ) from error
    if sorted(places) != list(range(count)):
        raise ModelReplyError(f"{name} gave {len(rows)} vectors for {count} texts, or numbered them wrongly")
    try:
        vectors = np.array([row for _, row in sorted(zip(places, rows, strict=True))], dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise ModelReplyError(f"{name} gave vectors that are no rows of numbers of one length") from error
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ModelReplyError(f"{name} gave an array of shape {vectors.shape}; one vector a text is needed")
    return vectors


def _told(error: ModelError, attempts: int) -> ModelError:
    """The error with the variable that is to be set for embeddings, and how often the server was asked."""
    from pipeline.embeddings.selection import EMBEDDINGS_VARIABLE
    from pipeline.llm.environment import MODEL_VARIABLE

    message = str(error).replace(MODEL_VARIABLE, EMBEDDINGS_VARIABLE)
    return type(error)(f"{message} (requests sent: {attempts})" if attempts else message)
