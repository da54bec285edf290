"""Several calls at a time: results in order, faults in their places."""

from __future__ import annotations

import threading
import time

import pytest

from pipeline.batch.threads import map_in_threads
from schemas.errors import BudgetError


@pytest.mark.parametrize("threads", [1, 4])
def test_results_come_in_order_and_a_fault_stands_in_its_place(threads: int) -> None:
    """Whichever ends first; no fault costs another item."""

    def do(item: int) -> int:
        time.sleep(0.01 * (5 - item))
        if item == 2:
            raise BudgetError("spent")
        return item * 10

    first, second, third, *rest = map_in_threads(do, range(5), threads=threads)
    assert [first, second, *rest] == [0, 10, 30, 40]
    assert isinstance(third, BudgetError)


def test_so_many_are_done_at_a_time() -> None:
    """All threads are used: with fewer the meeting would never take place."""
    meeting = threading.Barrier(3, timeout=30)
    assert sorted(map_in_threads(lambda _: meeting.wait(), range(3), threads=3)) == [0, 1, 2]  # type: ignore[type-var]


def test_nothing_to_do_gives_nothing() -> None:
    """Without items no thread is started."""
    assert map_in_threads(lambda item: item, [], threads=4) == []
