"""What is slow to work out of a document, kept as long as the document lives: the next question finds it made."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Generic, TypeVar
from weakref import ref

T = TypeVar("T")


class Kept(Generic[T]):
    """Results for the last objects that were asked about, at most `size` of them; safe to share between threads.

    An object is known by its identity, not by what it holds: it must not change after it was first asked about, and a
    copy of it is another object. What was made of an object goes with it.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = RLock()
        self._made: OrderedDict[tuple[int, Hashable], tuple[ref[object], T]] = OrderedDict()

    def get(self, owner: object, make: Callable[[], T], *, key: Hashable = None) -> T:
        """What `make` gives for `owner` (and `key`, where one object has several results); made once."""
        place = id(owner), key
        with self._lock:
            known = self._made.get(place)
            if known is not None and known[0]() is owner:
                self._made.move_to_end(place)
                return known[1]
        made = make()  # outside the lock: two threads may both make it, and either result will do
        with self._lock:
            self._made[place] = ref(owner, lambda _: self._forget(place)), made
            self._made.move_to_end(place)
            while len(self._made) > self._size:
                self._made.popitem(last=False)
        return made

    def _forget(self, place: tuple[int, Hashable]) -> None:
        with self._lock:
            known = self._made.get(place)
            if known is not None and known[0]() is None:
                del self._made[place]
