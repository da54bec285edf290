"""A Ray cluster as a batch uses it: joined where the user gave an address, else started on this machine and ended."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.batch.engines.local import PROCESS_BYTES, count_processes
from schemas.errors import SettingsError

NAMESPACE = "lineproof"
REACH_SECONDS = 10.0  # for the head of the cluster to answer
OWN_STORE_BYTES = 200_000_000  # objects in flight of a cluster of ours; more is spilled to disk
THIS_MACHINE = "127.0.0.1"
_ADDRESS = re.compile(r"[A-Za-z0-9._-]+:[0-9]{1,5}|\[[0-9A-Fa-f:]+\]:[0-9]{1,5}")
_AUTHENTICATION = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")  # what a user sets of it
# Nothing leaves the machine, no page is served, and no note of Ray reaches the output of the batch.
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


@dataclass(frozen=True, slots=True)
class Joined:
    """A cluster that this process is in. `folder` is for the files of workers where the cluster is ours."""

    ray: Any
    host: str  # under which other nodes reach this one
    is_own: bool
    folder: str | None = None

    def count_workers(self) -> int:
        """How many workers it is for: CPUs of each node, fewer where its memory is small; at least one."""
        count = 0
        for node in self.ray.nodes():
            has = node["Resources"] if node["Alive"] else {}
            count += int(min(has.get("CPU", 0), has.get("memory", 0) // PROCESS_BYTES))
        return max(1, count)


class Cluster:
    """The cluster at `address`, or one of our own; the `with` statement leaves it, and ends one of our own."""

    def __init__(self, ray: Any, address: str | None) -> None:
        """Raises SettingsError for what is no address."""
        if address is not None and not _ADDRESS.fullmatch(address):
            raise SettingsError(
                f"--address {address[:100]!r} is no address of a Ray cluster; give HOST:PORT as `ray start --head` "
                "tells it, on a machine that is a node of the cluster (`ray start --address HOST:PORT`)"
            )
        self._ray, self._address, self._folder = ray, address, None if address else _Folder()
        self._is_ours = False

    def __enter__(self) -> Joined:
        """Raises SettingsError where it cannot be reached."""
        ray = self._ray
        if self._folder is None:
            self._reach()
        elif not ray.is_initialized():
            self._folder.make()
        if not ray.is_initialized():
            self._is_ours = True
            with _handlers_kept():
                self._start()
        folder = self._folder.path if self._folder else None
        host = THIS_MACHINE if self._folder else str(ray.util.get_node_ip_address())
        return Joined(ray, host, is_own=self._folder is not None, folder=folder)

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._is_ours = False
            with _handlers_kept():
                self._ray.shutdown()
        if self._folder is not None:
            self._folder.remove()

    def _start(self) -> None:
        os.environ.update(_QUIET)
        how: dict[str, Any] = {"address": self._address}
        if self._folder is not None:
            if not any(os.environ.get(name) for name in _AUTHENTICATION):
                os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)  # else Ray keeps one in the user's home
            how = {
                "address": "local", "include_dashboard": False, "num_cpus": count_processes(),
                "object_store_memory": OWN_STORE_BYTES, "_temp_dir": self._folder.path,
                "_node_ip_address": THIS_MACHINE,
            }  # fmt: skip
        try:
            self._ray.init(namespace=NAMESPACE, log_to_driver=False, configure_logging=False, **how)
        except (ConnectionError, RuntimeError, ValueError, OSError, self._ray.exceptions.RayError) as error:
            self._ray.shutdown()
            if self._folder is not None:
                self._folder.remove()
            told = " ".join(str(error).split())[:300]
            raise SettingsError(
                f"the Ray cluster {self._address or 'of this machine'} cannot be used ({told}); "
                + ("check --address" if self._address else "use --engine local")
            ) from error

    def _reach(self) -> None:
        """Nothing where the head answers: Ray itself waits for minutes, and ends the process then.

        Raises SettingsError.
        """
        host, _, port = str(self._address).rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise SettingsError(
                f"no Ray cluster answers at {self._address} ({error}); start one with `ray start --head`, or correct "
                "--address"
            ) from error


class _Folder:
    """Where a cluster of ours has its files; short, for the paths of sockets are limited to about 100 bytes."""

    def __init__(self) -> None:
        self.path: str | None = None

    def make(self) -> None:
        self.path = tempfile.mkdtemp(prefix="lineproof-ray-")

    def remove(self) -> None:
        if self.path is not None:
            shutil.rmtree(Path(self.path), ignore_errors=True)  # a process of Ray may still write its last line
            self.path = None


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Ray takes SIGTERM for itself; whoever runs the batch has a handler that stops it between documents."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    former = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in former.items():
            if handler is not None:  # one that was not set from Python cannot be set again
                signal.signal(number, handler)
