"""Where the reading of a document stands, told to the process that waits for it; without one, nothing happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

WHOLE = 0  # the page number that stands for the document as a whole

Place = tuple[str, int]  # SHA-256 of a document's bytes, and its page from 1 (negative: by a second reader) or WHOLE


class Watch(Protocol):
    """The one who waits: `lost` are places at which an earlier attempt ended, with the reason."""

    @property
    def lost(self) -> Mapping[Place, str]: ...  # noqa: D102 said above

    def stand_at(self, place: Place) -> None: ...  # noqa: D102 see enter_page

    def allow(self, seconds: float) -> None: ...  # noqa: D102 see allow_seconds


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Tell `watch` what is read inside the block."""
    token = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(token)


def enter_page(sha256: str, page_num: int = WHOLE) -> str:
    """Why the page must be left out, '' where it is to be read; the one who waits learns that it is begun.

    A reader calls it before each page, and with `WHOLE` when it turns to the document again; what hangs or crashes
    then costs that page alone.
    """
    watch = _WATCH.get()
    if watch is None:
        return ""
    place = (sha256, page_num)
    why_not = watch.lost.get(place, "")
    if not why_not:
        watch.stand_at(place)
    return why_not


def allow_seconds(seconds: float) -> None:
    """Grant more time to the page at hand and to the document: for work known to be slow, such as recognition."""
    watch = _WATCH.get()
    if watch is not None:
        watch.allow(seconds)
