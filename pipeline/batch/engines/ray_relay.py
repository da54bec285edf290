"""The keeper of calls for workers on other machines: a port of this one whose bytes go to the keeper and back.

The keeper listens on a socket of this machine's file system. The relay adds a way in by TCP and nothing else: it reads
nothing of what passes, and who connects must prove to the keeper that he has its key, as a worker of this machine does.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Self

from schemas.errors import StoreError

PIECE_BYTES = 1 << 16
START_SECONDS = 10.0


class Relay:
    """A relay to the keeper at `keeper`, open on `host`; the `with` statement closes it."""

    def __init__(self, keeper: str, host: str) -> None:
        self._keeper, self._host = keeper, host
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> str:
        """What `Setup.keeper` is for a worker elsewhere: 'tcp://HOST:PORT'.

        Raises StoreError while it is not open.
        """
        if self._server is None:
            raise StoreError("the relay to the keeper of the model calls is not open")
        return f"tcp://{self._host}:{self._server.sockets[0].getsockname()[1]}"

    def __enter__(self) -> Self:
        """Raises StoreError where no port can be opened."""
        self._thread.start()
        opening = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._attend, self._host, 0), self._loop)
        try:
            self._server = opening.result(START_SECONDS)
        except OSError as error:
            self._end()
            raise StoreError(
                f"no port can be opened on {self._host} for the workers of the cluster: {error}"
            ) from error
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._end()

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back, forth = await asyncio.open_unix_connection(self._keeper)
        except OSError:  # the keeper is gone: the worker tells it
            writer.close()
            return
        ways = [asyncio.ensure_future(_pass(reader, forth)), asyncio.ensure_future(_pass(back, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            forth.close()
            writer.close()

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        here = asyncio.current_task()
        left = [task for task in asyncio.all_tasks() if task is not here]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Bytes of one way until its end."""
    with suppress(OSError):
        while piece := await reader.read(PIECE_BYTES):
            writer.write(piece)
            await writer.drain()
