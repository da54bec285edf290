"""`lineproof batch DOCS QUESTIONS`: run, planned or gone on with."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.cli.batch_options import Options

if TYPE_CHECKING:
    from pipeline.batch.running import Outcome, Wanted
    from pipeline.batch.work import Executor
    from pipeline.cli.batch_told import Ending

INTERRUPTED, UNFINISHED = 130, 4


def run_it(options: Options, batch: str | None) -> int:
    """Run the batch, write its results, tell how it went; gives the exit code."""
    from pipeline.cli.batch_inputs import check_out
    from pipeline.cli.batch_told import told_as_json, told_in_words
    from pipeline.cli.output import show_all, show_json

    check_out(options)
    wanted, notes = _wanted(options, batch)
    stop = _Stop(is_heard=not (options.quiet or options.json_progress))
    outcome = _run(options, wanted, stop)
    if outcome is None:
        return INTERRUPTED
    ending = _write(options, outcome, notes)
    if options.as_json:
        show_json(told_as_json(ending))
    else:
        show_all(told_in_words(ending))
    if outcome.stopped_because and stop.wanted():
        return INTERRUPTED
    return UNFINISHED if ending.by_status.get("not_asked") else 0


def _run(options: Options, wanted: Wanted, stop: _Stop) -> Outcome | None:
    """What came of the batch; None where the user stopped it at once."""
    from pipeline.batch.running import Listening, run_batch
    from pipeline.cli.batch_bars import Bars
    from pipeline.cli.batch_inputs import keep_inputs
    from pipeline.cli.batch_told import resuming
    from pipeline.store.folders import open_store
    from schemas.errors import PipelineError

    root = open_store(options.store)
    with Bars(options, root, stop=stop) as bars:
        stop.is_drawn = bars.is_drawn

        def begun(name: str) -> None:
            bars.batch = name
            keep_inputs(root, name, options)

        listening = Listening(report=bars.report, log=bars.log, begun=begun)
        try:
            with stop:
                return run_batch(wanted, _executor(options), listening, stopping=stop.wanted)
        except PipelineError as error:
            with suppress(PipelineError):  # a full disk takes no log either; the error itself is told
                bars.log("failed", {"because": str(error)})
            raise
        except KeyboardInterrupt:
            bars.log("stopped", {"because": "it was stopped by the user at once"})
    go_on = f"; what is finished is kept, go on with: {resuming(bars.batch, options.store)}" if bars.batch else ""
    typer.echo(f"lineproof: stopped at once{go_on}", err=True)
    return None


def plan_it(options: Options) -> int:
    """Print what the batch would do and cost; gives the exit code."""
    from pipeline.batch.engines.capacity import count_processes
    from pipeline.batch.planning import plan_batch
    from pipeline.cli.batch_told import plan_in_words
    from pipeline.cli.output import show_all, show_json

    wanted, notes = _wanted(options, None)
    plan = plan_batch(wanted, processes=options.processes or count_processes())
    if options.as_json:
        show_json({**plan.model_dump(mode="json"), "notes": list(notes)})
    else:
        show_all(plan_in_words(plan, notes))
    return 0


class _Stop:
    """Whether the user asked to stop: the first time gently, the second at once."""

    def __init__(self, *, is_heard: bool) -> None:
        """`is_heard`: say so on stderr."""
        self.is_drawn: Callable[[], bool] = lambda: False  # True while bars stand on the terminal, which say it then
        self._asked, self._is_heard = False, is_heard
        self._former: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():  # no other may take signals
            for number in (signal.SIGINT, signal.SIGTERM):
                self._former[number] = signal.signal(number, self._hear)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def wanted(self) -> bool:
        """True once the user asked to stop."""
        return self._asked

    def _hear(self, number: int, frame: Any) -> None:  # noqa: ARG002 - the signature of a handler
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        if self._is_heard and not self.is_drawn():
            with suppress(OSError):  # not through sys.stderr: it may be in the middle of a line of its own
                os.write(2, b"lineproof: stopping after the documents in work; once more to stop at once\n")


def _wanted(options: Options, batch: str | None) -> tuple[Wanted, tuple[str, ...]]:
    """What the batch is to do; notes are what was noticed about its inputs."""
    from dictionaries.loading import dictionary_paths
    from pipeline.batch.documents import find_documents
    from pipeline.batch.reading import check_filters, read_questions
    from pipeline.batch.running import Wanted
    from pipeline.cli.output import Progress
    from pipeline.store.dictionaries import FOLDER

    store = Path(options.store)
    questions = read_questions(options.questions, dictionaries=dictionary_paths(overlay=store / FOLDER))
    metadata = Path(options.metadata) if options.metadata else None
    with nullcontext() if options.quiet else Progress() as progress:
        if progress is not None:
            progress("looking through the documents")
        found = find_documents(options.documents, metadata=metadata)
    check_filters(questions, found.columns, file=options.questions.name)
    wanted = Wanted(
        name=options.questions.stem,
        questions=questions,
        documents=found.documents,
        places=found.places,
        store=store,
        budget=options.limits(),
        strategy=options.strategy,
        use_model=options.use_model,
        prices=Path(options.prices) if options.prices else None,
        password=options.password,
        clearance=frozenset(options.access) if options.access else None,
        highlights=_copies(options) if options.highlights else None,
        batch=batch,
    )
    return wanted, found.notes


def _copies(options: Options) -> Path:
    return options.out_path.with_name(f"{options.out_path.stem}_files")


def _executor(options: Options) -> Executor:
    if options.engine == "ray":
        from pipeline.batch.engines.ray_engine import RayExecutor

        return RayExecutor(options.address, workers=options.processes)
    from pipeline.batch.engines import LocalExecutor

    return LocalExecutor(options.processes)


def _write(options: Options, outcome: Outcome, notes: tuple[str, ...]) -> Ending:
    """Write the results, and gather on the way what is told at the end."""
    from pipeline.batch.results import Facts, write_results
    from pipeline.cli.batch_inputs import note_results, refuse_changed
    from pipeline.cli.batch_told import Ending, resuming
    from pipeline.cli.files import write_file
    from schemas.errors import InputError

    path = options.out_path
    facts = Facts(
        batch=outcome.batch, spent=outcome.spent, stopped_because=outcome.stopped_because, notes=notes,
        folder=_copies(options).name, marked=outcome.marked,
    )  # fmt: skip
    ending = Ending(outcome, path, options.store, notes)
    data = write_results(path.name, outcome.request, ending.passing(outcome.cells), facts)
    try:
        refuse_changed(options)
    except InputError as error:  # someone saved it while the batch ran
        raise InputError(f"{error}; all cells are kept: {resuming(outcome.batch, options.store)} -o FILE") from error
    note_results(Path(options.store), outcome.batch, options, data)
    write_file(path, data, option="-o", force=True)
    return ending
