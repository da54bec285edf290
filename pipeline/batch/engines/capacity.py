"""How many workers a machine is for: its cores and its memory, as far as this process may use them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESS_BYTES = 700_000_000  # memory that one worker usually needs: so many fit into a small machine


def count_processes(system: Path = Path("/")) -> int:
    """Workers for this machine, at least one; `system` is the root of the file system that tells its limits."""
    cores = float(os.cpu_count() or 1)
    with suppress(AttributeError):  # not on every system
        cores = float(len(os.sched_getaffinity(0)))
    memory = float("inf")
    with suppress(AttributeError, ValueError, OSError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    cores = min(cores, *_core_limits(system))
    memory = min(memory, *_memory_limits(system))
    return max(1, int(min(cores, memory / PROCESS_BYTES)))


def _core_limits(system: Path) -> Iterator[float]:
    """Cores that the control groups of a container grant: the second version tells share and span, the first each."""
    yield float("inf")
    for folder in _groups(system, "cpu"):
        share, _, span = _read(folder / "cpu.max").partition(" ")
        share, span = share or _read(folder / "cpu.cfs_quota_us"), span or _read(folder / "cpu.cfs_period_us")
        if share.isdecimal() and span.isdecimal() and int(span):  # neither for "max" nor for -1
            yield int(share) / int(span)


def _memory_limits(system: Path) -> Iterator[float]:
    """Bytes that the control groups of a container grant."""
    yield float("inf")
    for folder in _groups(system, "memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            if (most := _read(folder / name)).isdecimal():
                yield float(most)


def _groups(system: Path, controller: str) -> Iterator[Path]:
    """The folders of the control groups that this process is in, from its own to the root of either version."""
    for line in _read(system / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, place = rest.partition(":")
        if controllers and controller not in controllers.split(","):
            continue
        root = system / "sys/fs/cgroup" / (controller if controllers else "")
        own = Path(place.strip("/"))
        yield from (root / one for one in (own, *own.parents) if ".." not in one.parts)


def _read(path: Path) -> str:
    """What a file of the system says; empty where it is not there."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
