"""One call an item, several at a time: for work that mostly waits for a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_threads(do: Callable[[Item], Result], items: Sequence[Item], *, threads: int) -> list[Result | Exception]:
    """What `do` gives for each item, in their order; an exception stands in the place of a result."""

    def attempt(item: Item) -> Result | Exception:
        try:
            return do(item)
        except Exception as error:  # noqa: BLE001 - told by whoever asked, item by item
            return error

    if threads <= 1 or len(items) <= 1:
        return [attempt(item) for item in items]
    with ThreadPoolExecutor(max_workers=min(threads, len(items))) as pool:
        return list(pool.map(attempt, items))
