"""The budget of a batch: what a call may cost at most is set aside before it is sent, and put right by what it cost.

Each step is a line of `spending.jsonl`, synced before the request leaves, so that no kill and no loss of power makes
the batch forget what it has spent. What was set aside and never put right counts as spent.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.batch.calls.prices import Price
from pipeline.llm.wire import Question, Usage
from pipeline.store.folders import write_error
from schemas.batch import Budget, Spent
from schemas.errors import BudgetError

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

        Raises StoreError where the file cannot be read or written.
        """
        self._path, self._budget, self._price = path, budget, price
        self._changed = threading.Condition()
        self._number, self._calls = 0, 0
        self._input, self._output, self._amount = 0, 0, 0.0
        self._open: dict[int, Reservation] = {}
        self._exhausted: str | None = None
        self._read()

    def reserve(self, question: Question) -> Reservation:
        """Set aside what one request may cost at most; waits while others in flight may still cost less than that.

        Raises BudgetError where it would exceed the budget whatever these cost, StoreError where it cannot be recorded.
        """
        input_tokens, output_tokens = most_tokens(question), question.max_output_tokens
        amount = self._price.of(input_tokens, output_tokens) if self._price else 0.0
        with self._changed:
            while (why := self._why_not(amount)) is not None:
                if not self._open or self._why_not(amount, settled=True) is not None:
                    self._exhausted = why
                    raise BudgetError(why)
                self._changed.wait()
            self._number += 1
            self._calls += 1
            one = Reservation(self._number, input_tokens, output_tokens, amount)
            self._open[one.number] = one
            self._write({"reserve": one.number, "input": input_tokens, "output": output_tokens, "amount": amount})
        return one

    def settle(self, one: Reservation, usage: Usage | None, *, may_be_paid: bool) -> None:
        """Put right what was set aside: by what was used, by nothing, or, where that is not known, not at all."""
        with self._changed:
            self._open.pop(one.number, None)
            read, written, amount = 0, 0, 0.0
            if usage is not None:
                told = usage.input_tokens or usage.output_tokens
                read = usage.input_tokens if told else one.input_tokens
                written = usage.output_tokens if told else one.output_tokens
                amount = self._price.of(read, written) if self._price else 0.0
            elif may_be_paid:
                read, written, amount = one.input_tokens, one.output_tokens, one.amount
            self._input += read
            self._output += written
            self._amount += amount
            self._write({"settle": one.number, "input": read, "output": written, "amount": amount})
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
        """Why a call was refused for want of money or calls; None where none was."""
        with self._changed:
            return self._exhausted

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
            if "reserve" in step:
                begun[step["reserve"]] = step
                self._calls += 1
                self._number = max(self._number, step["reserve"])
            else:
                begun.pop(step.get("settle"), None)
                self._add(step)
        for step in begun.values():  # sent, and no word of what became of it
            self._add(step)
        if data and not data.endswith(b"\n"):
            self._write_bytes(b"\n")

    def _add(self, step: dict[str, Any]) -> None:
        self._input += int(step.get("input", 0))
        self._output += int(step.get("output", 0))
        self._amount += float(step.get("amount", 0.0))

    def _write(self, step: dict[str, Any]) -> None:
        self._write_bytes(json.dumps(step).encode() + b"\n")

    def _write_bytes(self, data: bytes) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(handle, data)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise write_error(self._path, error) from error


def most_tokens(question: Question) -> int:
    """Most tokens that the request can have: one a byte of its messages and its schema, since no token is shorter."""
    said = sum(len(message["content"].encode("utf-8", "surrogatepass")) for message in question.messages)
    return said + len(json.dumps(dict(question.schema)))
