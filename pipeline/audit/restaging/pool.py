"""Jobs done in processes of their own, two at a time on two cores; results come in the order of their folders."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue

from pipeline.audit.restaging.records import Checked, Job
from pipeline.audit.restaging.worker import Worker

MIN_RUNS = 30  # fewer are done in this process: another takes two seconds to start, as long as some twenty runs
MAX_PROCESSES = 8  # beyond that the disk and the memory of a usual machine give out before its cores do
AHEAD = 2  # jobs handed out for each process: none waits for work, and none piles up results


def do_jobs(jobs: Sequence[Job], *, processes: int | None) -> Iterator[tuple[Job, list[Checked]]]:
    """Each job with what came of it, in order; `processes` None: as many as there are cores, one for little work.

    Raises StoreError where a process was ended from outside.
    """
    count = min(_count(jobs) if processes is None else processes, len(jobs))
    if count <= 1:
        for job in jobs:
            yield job, do_job(job)
        return
    workers = [Worker() for _ in range(count)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)
    waiting: deque[tuple[Job, Future[list[Checked]]]] = deque()
    threads = ThreadPoolExecutor(max_workers=count)  # each waits for one process
    is_done = False
    try:
        for job in jobs:
            waiting.append((job, threads.submit(_do_by_any, job, idle)))
            if len(waiting) > count * AHEAD:
                yield _first(waiting)
        while waiting:
            yield _first(waiting)
        is_done = True
    finally:
        for worker in workers if not is_done else ():
            worker.kill()
        threads.shutdown(wait=True, cancel_futures=True)
        for worker in workers:
            worker.close()


def do_job(job: Job) -> list[Checked]:
    """What came of each folder of a job."""
    if job.kind == "parsing":
        from pipeline.audit.restaging.reparsing import check_parsings

        return list(check_parsings(job))
    if job.kind == "cases":
        from pipeline.audit.restaging.cases import check_cases

        return list(check_cases(job))
    from pipeline.audit.restaging.rerunning import check_runs

    return list(check_runs(job))


def _do_by_any(job: Job, idle: SimpleQueue[Worker]) -> list[Checked]:
    worker = idle.get()
    try:
        return worker.do(job)
    finally:
        idle.put(worker)


def _first(waiting: deque[tuple[Job, Future[list[Checked]]]]) -> tuple[Job, list[Checked]]:
    job, future = waiting.popleft()
    return job, future.result()


def _count(jobs: Sequence[Job]) -> int:
    if sum(len(job.folders) for job in jobs) < MIN_RUNS:
        return 1
    cores = os.cpu_count() or 1
    with suppress(AttributeError):  # not on every system
        cores = len(os.sched_getaffinity(0))
    return min(cores, MAX_PROCESSES)
