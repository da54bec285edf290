"""The budget of a batch: what a call may cost at most is set aside before it is sent, and put right by what it cost.

Each step is a line of `spending.jsonl`, synced before the request leaves, so that no kill and no loss of power makes
the batch forget what it has spent. What was set aside and never put right counts as spent.

A server that counts more tokens than a request can have is believed: from then on as much more is set aside.
"""

from __future__ import annotations

import errno
import json
import math
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.batch.calls.prices import Price
from pipeline.llm.wire import Question, Usage
from pipeline.store.folders import write_error
from schemas.batch import Budget, Spent
from schemas.errors import BudgetError, SettingsError, StoreError

SPENDING = "spending.jsonl"
MARGIN = 1e-9  # money: what adding fractions may be off by


@dataclass(frozen=True, slots=True)
class Reservation:
    """What was set aside for one request."""

    number: int
    input_tokens: int
    output_tokens: int
    amount: float


class Purse:
    """Safe for several threads; one process at a time has it."""

    def __init__(self, path: Path, budget: Budget, price: Price | None) -> None:
        """Reads what former sessions spent.

        Raises StoreError where the file cannot be read or written, SettingsError where they spent another currency.
        """
        self._path, self._budget, self._price = path, budget, price
        self._changed = threading.Condition()
        self._number, self._calls = 0, 0
        self._input, self._output, self._amount = 0, 0, 0.0
        self._open: dict[int, Reservation] = {}
        self._exhausted: str | None = None
        self._excess = 1.0  # how many times as many tokens as a request can have the server has counted
        self._overrun: str | None = None
        self._torn = False  # the last line was not written whole
        self._read()

    def reserve(self, question: Question, *, is_bounded: bool = True) -> Reservation:
        """Set aside what one request may cost at most; waits while others in flight may still cost less than that.

        `is_bounded` is False where the server takes no limit on the length of a reply.

        Raises BudgetError where it would exceed the budget whatever these cost, StoreError where it cannot be recorded.
        """
        if not is_bounded and self._budget.amount is not None:
            raise self._refusal(
                f"the budget of {self._budget.amount:g} {self._budget.currency} cannot be kept: the server takes no "
                "limit on the length of a reply; use --max-calls instead"
            )
        with self._changed:
            one = self._worst(question)
            while (why := self._why_not(one.amount)) is not None:
                if not self._open or self._why_not(one.amount, settled=True) is not None:
                    raise self._refusal(why)
                self._changed.wait()
                one = self._worst(question)
            self._write(
                {
                    "reserve": one.number, "input": one.input_tokens, "output": one.output_tokens,
                    "amount": one.amount, **self._currency(),
                }
            )  # fmt: skip
            self._number = one.number
            self._calls += 1
            self._open[one.number] = one
        return one

    def settle(self, one: Reservation, usage: Usage | None, *, may_be_paid: bool) -> None:
        """Put right what was set aside: by what was used, by nothing, or, where that is not known, not at all."""
        read, written, amount = 0, 0, 0.0
        if usage is not None and (usage.input_tokens or usage.output_tokens):
            read, written = usage.input_tokens, usage.output_tokens
            amount = self._price.of(read, written, cached_tokens=usage.cached_tokens) if self._price else 0.0
        elif usage is not None or may_be_paid:  # answered and not counted, or not known
            read, written, amount = one.input_tokens, one.output_tokens, one.amount
        with self._changed:
            self._open.pop(one.number, None)
            step = {"settle": one.number, "input": read, "output": written, "amount": amount, **self._currency()}
            self._add(step)
            self._compare(one.input_tokens, one.output_tokens, step)
            self._write_if_possible(step)
            self._changed.notify_all()

    def give_back(self, one: Reservation) -> None:
        """Of a request that was never sent: it is no call."""
        with self._changed:
            self._open.pop(one.number, None)
            self._calls -= 1
            self._write_if_possible({"settle": one.number, "unsent": True})
            self._changed.notify_all()

    def spent(self) -> Spent:
        """What was spent over all sessions; what is in flight counts once it is known."""
        with self._changed:
            return Spent(
                calls=self._calls,
                input_tokens=self._input,
                output_tokens=self._output,
                amount=round(self._amount, 8) if self._price else None,
                currency=self._price.currency if self._price else None,
            )

    def exhausted(self) -> str | None:
        """Why a call was refused for want of money or calls, or the budget broken; None where neither is."""
        with self._changed:
            return self._exhausted

    def overrun(self) -> str | None:
        """By how much the server counts more tokens than a request can have; None where it does not."""
        with self._changed:
            return self._overrun

    def _currency(self) -> dict[str, str]:
        return {"currency": self._price.currency} if self._price else {}

    def _worst(self, question: Question) -> Reservation:
        read = math.ceil(most_tokens(question) * self._excess)
        written = math.ceil(question.max_output_tokens * self._excess)
        amount = self._price.at_most(read, written) if self._price else 0.0
        return Reservation(self._number + 1, read, written, amount)

    def _refusal(self, why: str) -> BudgetError:
        self._exhausted = why
        return BudgetError(why)

    def _why_not(self, amount: float, *, settled: bool = False) -> str | None:
        budget = self._budget
        if budget.max_calls is not None and self._calls >= budget.max_calls:
            return f"the budget of {budget.max_calls} calls is used up"
        if budget.amount is None:
            return None
        aside = 0.0 if settled else sum(one.amount for one in self._open.values())
        if self._amount + aside + amount <= budget.amount + MARGIN:
            return None
        return (
            f"the budget of {budget.amount:g} {budget.currency} does not allow another call: {self._amount:.4f} is "
            f"spent, and the next may cost up to {amount:.4f}"
        )

    def _compare(self, input_tokens: int, output_tokens: int, step: dict[str, Any]) -> None:
        """Notice a server that counts more than was set aside."""
        read, written = int(step["input"]), int(step["output"])
        if read > input_tokens or written > output_tokens:
            more = max(read / max(1, input_tokens), written / max(1, output_tokens))
            self._excess *= more
            self._overrun = (
                f"the server counted {read:,} tokens read and {written:,} written for a request that can have "
                f"{input_tokens:,} and {output_tokens:,}; {self._excess:.3g} times as much is set aside since"
            )
        limit = self._budget.amount
        if limit is not None and self._amount > limit + MARGIN and self._overrun:
            self._exhausted = (
                f"{self._amount:.4f} {self._budget.currency} is spent of a budget of {limit:g}, since {self._overrun}"
            )

    def _read(self) -> None:
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise write_error(self._path, error) from error
        begun: dict[int, dict[str, Any]] = {}
        for line in data.splitlines():
            try:
                step = json.loads(line)
            except ValueError:  # the torn end of a session that was killed: its request had not left
                continue
            self._check_currency(step)
            if "reserve" in step:
                begun[step["reserve"]] = step
                self._calls += 1
                self._number = max(self._number, step["reserve"])
                continue
            aside = begun.pop(step.get("settle"), None)
            if step.get("unsent"):
                self._calls -= 1
                continue
            self._add(step)
            if aside is not None:
                self._compare(int(aside["input"]), int(aside["output"]), step)
        for step in begun.values():  # sent, and no word of what became of it
            self._add(step)
        self._torn = bool(data) and not data.endswith(b"\n")

    def _check_currency(self, step: dict[str, Any]) -> None:
        known, spent = self._price.currency if self._price else None, step.get("currency")
        if known and spent and known != spent:
            raise SettingsError(
                f"{self._path}: this batch has spent {spent} so far, and the prices are in {known} now; set "
                "LINEPROOF_PRICE_CURRENCY, or give prices in the currency of before"
            )

    def _add(self, step: dict[str, Any]) -> None:
        self._input += int(step.get("input", 0))
        self._output += int(step.get("output", 0))
        if "currency" in step or self._price is None:
            self._amount += float(step.get("amount", 0.0))
        else:  # of a session that knew no price
            self._amount += self._price.at_most(int(step.get("input", 0)), int(step.get("output", 0)))

    def _write_if_possible(self, step: dict[str, Any]) -> None:
        """A full disk must not cost a reply that has come; what was set aside then counts in full."""
        with suppress(StoreError):  # the next request cannot be set aside on that disk, and tells it
            self._write(step)

    def _write(self, step: dict[str, Any]) -> None:
        """Put a step on record; what was torn before it is closed, so that no line is lost to another's end."""
        data = (b"\n" if self._torn else b"") + json.dumps(step).encode() + b"\n"
        self._torn = True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                if os.write(handle, data) < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise write_error(self._path, error) from error
        self._torn = False


def most_tokens(question: Question) -> int:
    """Most tokens that the request can have: one a byte of its messages and its schema, since no token is shorter."""
    said = sum(len(message["content"].encode("utf-8", "surrogatepass")) for message in question.messages)
    return said + len(json.dumps(dict(question.schema)))
