"""What the local engine of the batch costs: the start of a worker, a task that does nothing, one process against two.

    python benchmarks/batch_engines.py [--tasks N] [--processes P ...]

Tasks are made up, so that nothing but the engine is measured; what a batch as a whole takes is told by `batch.py`. All
times are by the wall clock, the best of three; memory is that of the coordinating process.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pipeline.batch.engines import LocalExecutor
from pipeline.batch.engines.worker import DO_TASK
from pipeline.batch.work import Setup, Task, TaskResult, peak_bytes
from schemas.batch import BatchDocument, DocumentCells

ROUNDS = 3
SPIN = 400_000  # steps of a loop: some tens of milliseconds of one core
DATA = bytes(200_000)  # what the runs of a document take on the way back, about


def idle(_setup: Setup, task: Task) -> TaskResult:
    """Nothing but the way there and back."""
    return TaskResult(task.number, DocumentCells(number=task.number, document=task.document))


def laden(_setup: Setup, task: Task) -> TaskResult:
    """Nothing, but with as much on the way back as a document has."""
    cells = DocumentCells(number=task.number, document=task.document)
    return TaskResult(task.number, cells, parsing={"runs": {"all": DATA + task.number.to_bytes(8, "big")}})


def spin(setup: Setup, task: Task) -> TaskResult:
    """Some work for one core."""
    total = 0
    for number in range(SPIN):
        total += number * number
    return idle(setup, task)


def main() -> None:
    """Measure, and print a line each."""
    options = _options()
    here = Path(__file__).stem
    print(f"start of a worker that does {DO_TASK}: {_best(DO_TASK, 1, 1):.2f} s, its first task included")
    print(f"start of a worker that does nothing: {_best(f'{here}:idle', 1, 1):.2f} s")
    for name in ("idle", "laden"):
        for processes in options.processes:
            start = _best(f"{here}:{name}", 1, processes)
            whole = _best(f"{here}:{name}", options.tasks, processes)
            each = (whole - start) / (options.tasks - 1) * 1000
            print(f"{name}, {processes} processes: {each:.2f} ms a task over {options.tasks:,} tasks")
    print(f"memory of the coordinator: {peak_bytes() / 1e6:.0f} MB at most so far")
    _best(f"{here}:laden", options.tasks * 5, max(options.processes))
    print(f"    after {options.tasks * 5:,} tasks with results of {len(DATA):,} bytes: {peak_bytes() / 1e6:.0f} MB")
    base = 0.0
    for processes in options.processes:
        few, many = _best(f"{here}:spin", processes, processes), _best(f"{here}:spin", 200, processes)
        base = base or (many - few) * processes
        print(f"work for a core, {processes} processes: {base / (many - few):.2f} times one (starts not counted)")


def _best(work: str, count: int, processes: int) -> float:
    return min(_seconds(work, count, processes) for _ in range(ROUNDS))


def _seconds(work: str, count: int, processes: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        executor = LocalExecutor(processes, work=work)
        for _ in executor.run(Setup(folder, "arbiter", highlights=False), _tasks(count), stopping=lambda: False):
            pass
        return time.perf_counter() - start


def _tasks(count: int) -> Iterator[Task]:
    return (Task(number, BatchDocument(name=f"{number}.txt"), "", ()) for number in range(count))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    return parser.parse_args()


if __name__ == "__main__":
    main()
