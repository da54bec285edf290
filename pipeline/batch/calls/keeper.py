"""The keeper: the one process of a batch that calls a model. It holds budget, pace and transcript, and outlives a kill.

It runs in a session of its own, and its input is a pipe that the coordinator holds open: when that ends, however it
ended, the keeper sends nothing more, finishes the calls in flight, puts them on record and ends; the next session of
the batch waits for that. So no reply that was paid for is lost, whoever is killed but the keeper itself; of a killed
keeper the transcript tells which calls were begun.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pipeline.batch.calls.prices import Price
from pipeline.batch.calls.purse import SPENDING, Purse, Reservation, most_tokens
from pipeline.batch.calls.rates import Rates, StoppedError
from pipeline.llm.delivery import Delivery
from pipeline.llm.environment import open_client
from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import Transcript, call_key
from pipeline.llm.wire import Question, Usage
from schemas.audit import ModelCall
from schemas.batch import Budget
from schemas.errors import ModelUnavailableError, PipelineError, StoreError

WAIT_SECONDS = 900.0  # for the keeper of a former session: its calls in flight take no longer
SLOW_DOWN = frozenset({429, 503, 529})  # too many requests; no room for more (529: Anthropic's)
GATEWAYS = frozenset({502, 504, 520, 522, 524})  # what stands behind may have answered, and charged
BACKLOG = 128  # workers and their threads that may come at once
BYTES_A_TOKEN = 4  # as a rule, in English; the budget reckons with one
ENDING = "the batch has ended; this call was not sent"


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

    def admit(self, question: Question, *, is_bounded: bool) -> Reservation:
        """Wait until one request may be sent.

        Raises BudgetError where it may never be, StoreError once the batch has ended.
        """
        one = self._purse.reserve(question, is_bounded=is_bounded)
        try:
            self._rates.wait(most_tokens(question) // BYTES_A_TOKEN + question.max_output_tokens)  # as servers count
        except StoppedError as error:
            self._purse.give_back(one)
            raise StoreError(ENDING) from error
        return one

    def settle(self, admitted: object, *, usage: Usage | None, status: int | None, delay: float | None) -> None:
        """A request has ended."""
        if not isinstance(admitted, Reservation):
            raise TypeError("a reservation is due")
        self._purse.settle(admitted, usage, may_be_paid=status is None or status in GATEWAYS)
        if status in SLOW_DOWN:
            self._rates.refused(delay)
        elif usage is not None:
            self._rates.replied(delay)


class _Keeper:
    def __init__(self, order: Order) -> None:
        self._purse = Purse(Path(order.folder) / SPENDING, order.budget, order.price)
        self._rates = Rates(order.budget.requests_per_minute, order.budget.tokens_per_minute)
        self._transcript = Transcript(Path(order.transcript))
        self._delivery = Delivery(
            open_client(), self._transcript, settings=order.settings, gate=_Gate(self._purse, self._rates)
        )
        self._lock = threading.Lock()
        self._flights: dict[str, _Flight] = {}
        self._idle = threading.Condition(self._lock)
        self._is_ending = False

    def serve(self, pipe: Connection) -> None:
        """Answer one who asks until he leaves."""
        with suppress(EOFError, OSError, ValueError), pipe:
            while True:
                told = json.loads(pipe.recv_bytes())
                reply = self._state() if told["ask"] == "state" else self._call(told)
                pipe.send_bytes(json.dumps(reply).encode())

    def finish(self) -> None:
        """Send nothing more, and wait for the calls in flight."""
        self._rates.stop()
        with self._idle:
            self._is_ending = True
            while self._flights:
                self._idle.wait()

    def _state(self) -> dict[str, Any]:
        return {
            "spent": self._purse.spent().model_dump(mode="json"),
            "slowed": self._rates.slowed() or self._purse.overrun(),
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
                if self._is_ending:
                    return {"error": StoreError.__name__, "message": ENDING}
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
        finally:
            self._transcript.forget_calls()  # they are on record, and nobody asks for them here: memory stays flat
        return {"call": call.model_dump(mode="json")}


def serve() -> None:
    """In a process of its own: read the order, say that all is ready, and answer until the input ends."""
    import pickle

    order: Order = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process, over a pipe that nobody else holds
    ready = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        with FileLock(order.lock, timeout=WAIT_SECONDS):
            keeper = _Keeper(order)
            with Listener(order.address, backlog=BACKLOG, authkey=order.key) as listener:
                ready.write(b"ready\n")
                ready.close()
                _listen(listener, keeper)
    except (PipelineError, OSError, Timeout) as error:
        with suppress(OSError, ValueError):
            ready.write(f"{type(error).__name__}: {error}\n".encode())
            ready.close()
    finally:
        with suppress(OSError):
            Path(order.address).parent.rmdir()


def _listen(listener: Listener, keeper: _Keeper) -> None:
    def accept() -> None:
        while True:
            try:
                pipe = listener.accept()
            except (OSError, EOFError, AuthenticationError):  # somebody without the key, or one who left at once
                continue
            threading.Thread(target=keeper.serve, args=(pipe,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.buffer.read()  # ends when the coordinator does, also by a kill
    keeper.finish()
