"""The keeper: the one process of a batch that calls a model. It holds budget, pace and transcript, and outlives a kill.

It runs in a session of its own. When the coordinator is gone it finishes the calls in flight, puts them on record and
ends; the next session of the batch waits for that. So no reply that was paid for is lost, whoever is killed but the
keeper itself; of a killed keeper the transcript tells which calls were begun.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pipeline.batch.calls.prices import Price
from pipeline.batch.calls.purse import Purse, Reservation
from pipeline.batch.calls.rates import Rates
from pipeline.llm.delivery import Delivery
from pipeline.llm.environment import open_client
from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import Transcript, call_key
from pipeline.llm.wire import Question, Usage
from schemas.audit import ModelCall
from schemas.batch import Budget
from schemas.errors import ModelUnavailableError, PipelineError

WAIT_SECONDS = 900.0  # for the keeper of a former session: its calls in flight take no longer
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Order:
    """What a keeper is told when it is started; a key of the server is not in it: the environment has that."""

    transcript: str
    folder: str  # of the batch
    lock: str
    address: str
    key: bytes = field(repr=False)
    settings: ModelSettings
    budget: Budget
    price: Price | None


@dataclass(slots=True)
class _Flight:
    """A call on its way, and those who wait for it."""

    done: threading.Event = field(default_factory=threading.Event)
    reply: dict[str, Any] = field(default_factory=dict)


class _Gate:
    """Budget and pace, passed by every request."""

    def __init__(self, purse: Purse, rates: Rates) -> None:
        self._purse, self._rates = purse, rates

    def admit(self, question: Question) -> Reservation:
        """Wait until one request may be sent.

        Raises BudgetError where it may never be.
        """
        one = self._purse.reserve(question)
        self._rates.wait(one.input_tokens // 4 + one.output_tokens)  # four bytes a token: what servers count
        return one

    def settle(self, admitted: object, *, usage: Usage | None, status: int | None, delay: float | None) -> None:
        """A request has ended."""
        if not isinstance(admitted, Reservation):
            raise TypeError("a reservation is due")
        self._purse.settle(admitted, usage, may_be_paid=status is None)
        if status == TOO_MANY:
            self._rates.refused(delay)
        elif usage is not None:
            self._rates.replied()


class _Keeper:
    def __init__(self, order: Order) -> None:
        self._purse = Purse(Path(order.folder) / "spending.jsonl", order.budget, order.price)
        self._rates = Rates(order.budget.requests_per_minute, order.budget.tokens_per_minute)
        self._transcript = Transcript(Path(order.transcript))
        self._delivery = Delivery(
            open_client(), self._transcript, settings=order.settings, gate=_Gate(self._purse, self._rates)
        )
        self._lock = threading.Lock()
        self._flights: dict[str, _Flight] = {}
        self._idle = threading.Condition(self._lock)

    def serve(self, pipe: Connection) -> bool:
        """Answer one who asks until he leaves; True for the coordinator, whose leaving ends the keeper."""
        is_owner = False
        with suppress(EOFError, OSError, ValueError):
            while True:
                told = json.loads(pipe.recv_bytes())
                is_owner = is_owner or told["ask"] == "owner"
                reply = self._state() if told["ask"] in ("state", "owner") else self._call(told)
                pipe.send_bytes(json.dumps(reply).encode())
        return is_owner

    def finish(self) -> None:
        """Wait for the calls in flight."""
        with self._idle:
            while self._flights:
                self._idle.wait()

    def _state(self) -> dict[str, Any]:
        return {
            "spent": self._purse.spent().model_dump(mode="json"),
            "slowed": self._rates.slowed(),
            "exhausted": self._purse.exhausted(),
        }

    def _call(self, told: dict[str, Any]) -> dict[str, Any]:
        if told["ask"] == "prefer":
            self._delivery.prefer(told["api"])
            return {}
        fields = told["question"]
        question = Question(**{**fields, "messages": tuple(fields["messages"])})
        key = call_key(question)
        with self._lock:
            flight, is_first = self._flights.get(key), False
            if flight is None:
                flight, is_first = _Flight(), True
                self._flights[key] = flight
        if not is_first:  # asked twice at once: sent once
            flight.done.wait()
            return flight.reply
        try:
            flight.reply = self._send(question, key, told)
        finally:
            with self._idle:
                del self._flights[key]
                self._idle.notify_all()
            flight.done.set()
        return flight.reply

    def _send(self, question: Question, key: str, told: dict[str, Any]) -> dict[str, Any]:
        try:
            known = self._transcript.lookup(key)
            call: ModelCall = known or self._delivery.send(
                question, purpose=told["purpose"], prompt_name=told["prompt_name"]
            )
        except PipelineError as error:
            return {"error": type(error).__name__, "message": str(error)}
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave those who wait without a word
            return {"error": ModelUnavailableError.__name__, "message": f"{type(error).__name__}: {error}"}
        return {"call": call.model_dump(mode="json")}


def serve() -> None:
    """In a process of its own: read the order, say that all is ready, and answer until the coordinator is gone."""
    import pickle

    order: Order = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process, over a pipe that nobody else holds
    ready = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        with FileLock(order.lock, timeout=WAIT_SECONDS), Listener(order.address, authkey=order.key) as listener:
            keeper = _Keeper(order)
            ready.write(b"ready\n")
            ready.close()
            _listen(listener, keeper)
    except (PipelineError, OSError, Timeout) as error:
        with suppress(OSError, ValueError):
            ready.write(f"{type(error).__name__}: {error}\n".encode())
            ready.close()


def _listen(listener: Listener, keeper: _Keeper) -> None:
    gone = threading.Event()

    def attend(pipe: Connection) -> None:
        if keeper.serve(pipe):
            gone.set()

    def accept() -> None:
        while True:
            try:
                pipe = listener.accept()
            except (OSError, EOFError):  # somebody without the key, or one who left at once
                if gone.is_set():
                    return
                continue
            except Exception:  # noqa: BLE001, S112 - AuthenticationError and its kin: nobody of ours
                continue
            threading.Thread(target=attend, args=(pipe,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    gone.wait()
    keeper.finish()
