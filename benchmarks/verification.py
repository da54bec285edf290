"""Stages done again: seconds a run, what they are spent on, and how they grow with the number of runs and documents.

    python benchmarks/verification.py [--documents 5] [--questions 20] [--processes N] [--store FOLDER] [--data FOLDER]
                                      [--out FOLDER]

A store is made in a temporary folder of contracts of CUAD, evenly spread, and the questions below (making it takes
longer than checking it); with `--store` a store that is there already is checked. It is checked with a fifth, half
and all of its documents, which shows whether the cost is linear, and once more in this process for the stages. Memory
is the largest of this process and of any that it started.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from table_output import Table, publish

from pipeline.audit.restaging import check_stages
from pipeline.audit.restaging.jobs import plan_jobs
from pipeline.audit.restaging.pool import do_job
from pipeline.run import ask, dictionaries_of
from pipeline.store.sealed import sealed_folders

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "cuad" / "pdfs"
SHARES = (0.2, 0.5, 1.0)  # of the documents
MEBIBYTE_IN_KIB = 1024
QUESTIONS = (
    "Is there a non-compete obligation?",
    "What is the governing law?",
    "When does the agreement expire?",
    "For how long is the initial term?",
    "List all the termination rights of the parties",
    "Who are the parties to the agreement?",
    "Is there a cap on liability?",
    "What is the notice period to terminate renewal?",
    "What is the effective date?",
    "May a party assign the agreement without consent?",
    "Is there an exclusivity clause?",
    "What insurance must be kept?",
    "How many days' notice must be given?",
    "What are the audit rights?",
    "Is there a warranty period and how long is it?",
    "What happens on a change of control?",
    "What are the fees and the governing law?",
    "Is there a most favoured nation clause?",
    "What royalty is paid?",
    "Who owns the intellectual property?",
)


def make_store(root: Path, documents: Sequence[Path], questions: Sequence[str]) -> float:
    """Ask every question of every document; gives the seconds."""
    words, begun = dictionaries_of(root), time.perf_counter()
    for path in documents:
        for question in questions:
            ask(path, question, store=root, dictionaries=words)
    return time.perf_counter() - begun


def measure_growth(root: Path, processes: int | None) -> Table:
    """A row a share of the documents: seconds in all and a run, CPU seconds a run, mismatches, memory."""
    table = Table("verification", "seconds to do all stages again", x="runs", y="seconds")
    folders = list(sealed_folders(root))
    names = sorted({folder.relative_to(root).parts[0] for folder in folders})
    for share in SHARES:
        chosen = set(names[: max(1, round(len(names) * share))])
        own = [folder for folder in folders if folder.relative_to(root).parts[0] in chosen]
        cpu, begun = _cpu(), time.perf_counter()
        results = list(check_stages(root, own, processes=processes))
        seconds = time.perf_counter() - begun
        runs = sum(checks.get("runs done again", 0) for *_, checks in results)
        table.add(
            documents=len(chosen), runs=runs, seconds=seconds, seconds_a_run=seconds / max(runs, 1),
            cpu_a_run=(_cpu() - cpu) / max(runs, 1), mismatches=sum(len(found) for _, found, *_ in results),
            remarks=sum(len(told) for *_, told, _ in results), memory_mib=_memory(),
        )  # fmt: skip
    return table


def measure_kinds(root: Path) -> Table:
    """A row a kind of work, in this process: how much there was, seconds, and CPU seconds."""
    table = Table("verification_kinds", "one process, by kind of work")
    jobs = plan_jobs(root, sealed_folders(root), None)
    for kind in ("parsing", "runs", "cases"):
        own = [job for job in jobs if job.kind == kind]
        cpu, begun = _cpu(), time.perf_counter()
        count = sum(len(do_job(job)) for job in own)
        seconds = time.perf_counter() - begun
        table.add(
            kind=kind,
            count=count,
            seconds=seconds,
            each=seconds / max(count, 1),
            cpu_each=(_cpu() - cpu) / max(count, 1),
        )
    return table


def _cpu() -> float:
    """CPU seconds of this process and of those that it started and that ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _memory() -> float:
    """MiB of the largest process so far."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / (
        MEBIBYTE_IN_KIB
    )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=5)
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--store", type=Path, default=None)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=None)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "store" if said.store is None else said.store
        if said.store is None:
            found = sorted(said.data.glob("*.pdf"))
            chosen = found[:: max(1, len(found) // said.documents)][: said.documents]
            print(f"made in {make_store(root, chosen, QUESTIONS[: said.questions]):.1f} s")
        publish(measure_growth(root.resolve(), said.processes), said.out)
        publish(measure_kinds(root.resolve()), said.out)


if __name__ == "__main__":
    main()
