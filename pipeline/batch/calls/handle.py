"""The keeper of calls as the coordinator has it, and the model of a worker whose calls the keeper sends."""

from __future__ import annotations

import json
import os
import pickle
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pipeline.batch.calls.keeper import Order
from pipeline.batch.calls.prices import price_of
from pipeline.batch.work import Setup, place_of_batch
from pipeline.llm.transcript import Transcript
from pipeline.llm.wire import Api, Question
from pipeline.run import TRANSCRIPT
from pipeline.store.disk import LOCKS
from schemas import errors
from schemas.audit import ModelCall
from schemas.batch import Budget, Spent
from schemas.errors import BudgetError, ModelUnavailableError, PipelineError, SettingsError, StoreError

if TYPE_CHECKING:
    from pipeline.llm.openai_model import OpenAIModel

MAX_PLACE_BYTES = 70  # of the folder for temporary files; a Unix socket has 104 to 108 for its whole path
STATE_SECONDS = 0.2  # between two questions to the keeper how things stand
_BOOT = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer)\n"
    "from pipeline.batch.calls.keeper import serve; serve()"
)
_GONE = "the keeper of the model calls is gone; what it had sent is on record: go on with `lineproof batch --resume`"


class Keeper:
    """The running keeper; the `with` statement ends it once its calls in flight are on record."""

    def __init__(self, process: subprocess.Popen[bytes], address: str, key: bytes) -> None:
        """Made by `start_keeper`."""
        self.address, self.key = address, key
        self._process = process
        self._line = _Line(address, key)
        self._lock = threading.Lock()
        self._known: dict[str, Any] = self._line.ask({"ask": "state"})
        self._at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        if self._process.stdin is not None:
            self._process.stdin.close()  # what tells it to end
        self._process.wait()

    def spent(self) -> Spent:
        """What was spent so far, over all sessions."""
        return Spent.model_validate(self._state()["spent"])

    def slowed(self) -> str | None:
        """Why calls wait, or that the server counts more tokens than there can be; None where neither is so."""
        told: str | None = self._state()["slowed"]
        return told

    def exhausted(self) -> str | None:
        """Why a call was refused for want of money or calls; None where none was."""
        told: str | None = self._state()["exhausted"]
        return told

    def _state(self) -> dict[str, Any]:
        with self._lock:
            if time.monotonic() - self._at > STATE_SECONDS:
                self._known, self._at = self._line.ask({"ask": "state"}), time.monotonic()
            return self._known


class KeeperDelivery:
    """What a worker's model sends its calls by. Each thread has a line of its own."""

    def __init__(self, address: str, key: bytes, transcript: Transcript) -> None:
        """`transcript` counts the calls that the keeper put on record."""
        self._address, self._key, self._transcript = address, key, transcript
        self._lines = threading.local()

    def prefer(self, api: Api) -> None:
        """Use `api` from now on, where the server has it."""
        self._line().ask({"ask": "prefer", "api": api})

    def send(self, question: Question, *, purpose: str, prompt_name: str) -> ModelCall:
        """The answered call, on record.

        Raises BudgetError, StoreError where the keeper is gone, and the ModelErrors of `Delivery.send`.
        """
        told = {"ask": "call", "question": question.as_json(), "purpose": purpose, "prompt_name": prompt_name}
        reply = self._line().ask(told)
        if "error" in reply:
            kind = getattr(errors, str(reply["error"]), ModelUnavailableError)
            is_ours = isinstance(kind, type) and issubclass(kind, PipelineError)
            raise (kind if is_ours else ModelUnavailableError)(str(reply["message"]))
        call = ModelCall.model_validate(reply["call"])
        self._transcript.take_over(call)
        return call

    def _line(self) -> _Line:
        line: _Line | None = getattr(self._lines, "line", None)
        if line is None:
            line = _Line(self._address, self._key)
            self._lines.line = line
        return line


class _Line:
    """A connection to the keeper: a question, a reply."""

    def __init__(self, address: str, key: bytes) -> None:
        try:
            self._pipe: Connection = Client(_where(address), authkey=key)
        except (OSError, EOFError) as error:
            raise StoreError(_GONE) from error

    def ask(self, told: dict[str, Any]) -> dict[str, Any]:
        try:
            self._pipe.send_bytes(json.dumps(told).encode())
            reply: dict[str, Any] = json.loads(self._pipe.recv_bytes())
        except (OSError, EOFError) as error:
            raise StoreError(_GONE) from error
        return reply

    def close(self) -> None:
        self._pipe.close()


def _where(address: str) -> str | tuple[str, int]:
    """A socket of the file system, or 'tcp://HOST:PORT': the relay for a worker on another machine."""
    if not address.startswith("tcp://"):
        return address
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    return host, int(port)


def start_keeper(root: Path, batch: str, *, model: str, budget: Budget, prices: Path | None = None) -> Keeper:
    """The keeper of a batch, ready; it waits for that of a former session to finish its calls.

    Raises BudgetError for a budget in money where no price is known, SettingsError where the model cannot be used,
    StoreError where the keeper cannot be started.
    """
    from pipeline.llm.environment import MODEL_VARIABLE, check_endpoint, settings_from_environment

    check_endpoint(MODEL_VARIABLE, model)
    price = price_of(model, file=prices)
    if budget.amount is not None and (price is None or price.currency != budget.currency):
        known = f"its price is known in {price.currency}" if price else "its price is not known"
        raise SettingsError(
            f"a budget of {budget.amount:g} {budget.currency} cannot be kept for the model {model}: {known}; set "
            "LINEPROOF_PRICE_INPUT and LINEPROOF_PRICE_OUTPUT, give a file with --prices, or use --max-calls"
        )
    folder = place_of_batch(root, batch)
    folder.mkdir(parents=True, exist_ok=True)
    key = secrets.token_bytes(32)
    address = str(Path(tempfile.mkdtemp(prefix="lineproof-", dir=_short_place())) / "keeper")
    order = Order(
        transcript=str((root / TRANSCRIPT).resolve()), folder=str(folder.resolve()),
        lock=str((root / LOCKS / f"keeper-{batch}.lock").resolve()), address=address, key=key,
        settings=settings_from_environment(), budget=budget, price=price,
    )  # fmt: skip
    process = subprocess.Popen(  # noqa: S603 our own interpreter
        [sys.executable, "-P", "-c", _BOOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    if process.stdin is None or process.stdout is None:
        raise StoreError("the keeper of the model calls cannot be started: it has no pipes")
    with suppress(BrokenPipeError):  # it has ended: what it said before is told below
        pickle.dump([entry for entry in sys.path if os.path.isabs(entry)], process.stdin)
        pickle.dump(order, process.stdin)
        process.stdin.flush()  # and kept open: its end is the end of the keeper
    told = process.stdout.readline().decode("utf-8", "replace").strip()
    process.stdout.close()
    if told != "ready":
        with suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()
        raise StoreError(f"the keeper of the model calls cannot be started: {told or 'it ended at once'}")
    return Keeper(process, address, key)


def _short_place() -> str | None:
    """Where the socket goes: its whole path has some hundred bytes at most; None for the usual place."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > MAX_PLACE_BYTES else None  # noqa: S108 a folder of 0700 in it


def open_kept_model(setup: Setup) -> OpenAIModel:
    """The model of a worker: what is on record is read from the store, and the rest is sent by the keeper.

    Raises SettingsError, StoreError.
    """
    from pipeline.llm.environment import settings_from_environment
    from pipeline.llm.openai_model import OpenAIModel

    if setup.model is None or setup.keeper is None:
        raise SettingsError("no model is named for this batch")
    transcript = Transcript(Path(setup.store) / TRANSCRIPT)
    delivery = KeeperDelivery(setup.keeper, setup.keeper_key, transcript)
    return OpenAIModel(setup.model, transcript, settings=settings_from_environment(), delivery=delivery)


def told_of_former_calls(root: Path) -> str | None:
    """What is to be said of calls that were begun and never ended on record; None where there are none."""
    path = root / TRANSCRIPT
    if not path.is_file():
        return None
    with Transcript(path) as transcript:
        count = transcript.without_reply()
    if not count:
        return None
    return f"{count} calls of former sessions were sent and have no reply on record; they may have been paid for"


__all__ = ["BudgetError", "Keeper", "KeeperDelivery", "open_kept_model", "start_keeper", "told_of_former_calls"]
