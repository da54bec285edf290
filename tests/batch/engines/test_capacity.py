"""How many workers a machine is for: its control groups are obeyed in both versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.batch.engines import capacity
from pipeline.batch.engines.capacity import count_processes

GIB = 1 << 30


@pytest.fixture(autouse=True)
def large_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen cores, 64 GiB."""
    monkeypatch.setattr(capacity.os, "sched_getaffinity", lambda _: set(range(16)), raising=False)
    monkeypatch.setattr(capacity.os, "cpu_count", lambda: 16)
    monkeypatch.setattr(
        capacity.os,
        "sysconf",
        lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 16 * GIB // 1024}[name],
        raising=False,
    )


@pytest.mark.parametrize(
    ("files", "count"),
    [
        ({}, 16),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000"}, 16),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "350000 100000"}, 3),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "200000 100000"}, 2),
        ({"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "50000 100000"}, 1),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": str(4 * GIB)}, 6),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max"}, 16),
        ({"proc/self/cgroup": "4:memory:/job\n", "sys/fs/cgroup/memory/job/memory.limit_in_bytes": str(GIB)}, 1),
        (
            {
                "proc/self/cgroup": "1:cpu,cpuacct:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "400000",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            4,
        ),
        (
            {
                "proc/self/cgroup": "1:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            16,
        ),
        ({"proc/self/cgroup": "0::/../outside\nnonsense\n", "sys/fs/cgroup/cpu.max": "odd"}, 16),
    ],
)
def test_limits_of_a_container(tmp_path: Path, files: dict[str, str], count: int) -> None:
    """The least of cores, share of the processor, and memory; at least one."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert count_processes(tmp_path) == count
