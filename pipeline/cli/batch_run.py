"""`lineproof batch DOCS QUESTIONS`: run, planned or gone on with."""

from __future__ import annotations

import json
import signal
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline.cli.batch_options import Options

if TYPE_CHECKING:
    from pipeline.batch.running import Outcome, Wanted
    from pipeline.batch.work import Executor

INPUTS = "inputs.json"  # beside the records of a batch: where its inputs are, for --resume
INTERRUPTED, UNFINISHED = 130, 4
_KEPT = ("inputs", "out", "metadata", "access", "engine", "use_model", "highlights", "strategy")


def run_it(options: Options, batch: str | None) -> int:
    """Run the batch, write its results, tell how it went; gives the exit code."""
    from pipeline.batch.progress import EventLog
    from pipeline.batch.running import Listening, run_batch
    from pipeline.batch.work import place_of_batch
    from pipeline.cli.batch_bars import Bars
    from pipeline.cli.batch_told import told_as_json, told_in_words
    from pipeline.cli.output import show_all, show_json
    from pipeline.store.folders import open_store

    _check_out(options, batch)
    wanted, notes = _wanted(options, batch)
    root = open_store(options.store)
    stop = _Stop()
    with Bars(options, root, stop=stop) as bars:
        logs: dict[str, EventLog] = {}

        def log(event: str, facts: Any) -> None:
            if bars.batch is not None:
                logs.setdefault(bars.batch, EventLog(place_of_batch(root, bars.batch))).write(event, facts)

        def begun(name: str) -> None:
            bars.batch = name
            _keep_inputs(root, name, options)

        with stop:
            listening = Listening(report=bars.report, log=log, begun=begun)
            outcome = run_batch(wanted, _executor(options), listening, stopping=stop.wanted)
    path = _write(options, outcome, notes)
    if options.as_json:
        show_json(told_as_json(outcome, path, notes))
    else:
        show_all(told_in_words(outcome, path, notes))
    if outcome.stopped_because:
        return INTERRUPTED if stop.wanted() else UNFINISHED
    return UNFINISHED if outcome.by_status.get("not_asked") else 0


def plan_it(options: Options) -> int:
    """Print what the batch would do and cost; gives the exit code."""
    from pipeline.batch.engines.local import count_processes
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


def resumed(options: Options, name: str) -> tuple[Options, str]:
    """The options with the inputs that the batch had, and its id.

    Raises InputError where there is no such batch, or it does not tell its inputs.
    """
    from pipeline.batch.records import find_batch
    from pipeline.batch.work import place_of_batch
    from schemas.errors import InputError

    batch = find_batch(Path(options.store), name)
    path = place_of_batch(Path(options.store), batch) / INPUTS
    told: dict[str, Any]
    try:
        kept = json.loads(path.read_bytes())
        told = {key: tuple(kept[key]) if isinstance(kept[key], list) else kept[key] for key in _KEPT}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path}: does not tell the inputs of the batch ({error}); give documents and questions again instead"
        ) from error
    if options.out is not None:
        told["out"] = options.out
    return replace(options, **{**told, "force": True}), batch


class _Stop:
    """Whether the user asked to stop: the first time gently, the second at once."""

    def __init__(self) -> None:
        self._asked = False
        self._former: dict[int, Any] = {}

    def __enter__(self) -> None:
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
        typer.echo("lineproof: stopping after the documents in work; once more to stop at once", err=True)


def _wanted(options: Options, batch: str | None) -> tuple[Wanted, tuple[str, ...]]:
    """What the batch is to do; notes are what was noticed about its inputs."""
    from dictionaries.loading import dictionary_paths
    from pipeline.batch.documents import find_documents
    from pipeline.batch.reading import check_filters, read_questions
    from pipeline.batch.running import Wanted
    from pipeline.store.dictionaries import FOLDER

    store = Path(options.store)
    questions = read_questions(options.questions, dictionaries=dictionary_paths(overlay=store / FOLDER))
    metadata = Path(options.metadata) if options.metadata else None
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


def _check_out(options: Options, batch: str | None) -> None:
    """Refuse a place for the results before anything runs."""
    from pipeline.audit.keys import refuse_in_store
    from pipeline.batch.results.writing import SUFFIXES
    from schemas.errors import InputError

    path = options.out_path
    refuse_in_store(path, what="the results of a batch")
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: results are written as {', '.join(SUFFIXES)}; choose one of these endings")
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file")
    if path.exists() and not (options.force or batch or _is_ours(options)):
        raise InputError(f"{path}: is there already; name another file with -o, or replace it with --force")


def _is_ours(options: Options) -> bool:
    """True for results that a batch of this store wrote: the same command goes on with it."""
    from pipeline.batch.work import place_of_batch

    wanted = _absolute(str(options.out_path))
    for path in place_of_batch(Path(options.store), "").glob(f"*/{INPUTS}"):
        with suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads(path.read_bytes())["out"] == wanted:
                return True
    return False


def _write(options: Options, outcome: Outcome, notes: tuple[str, ...]) -> Path:
    from pipeline.batch.results import Facts, write_results
    from pipeline.cli.files import write_file

    path = options.out_path
    facts = Facts(
        batch=outcome.batch, spent=outcome.spent, stopped_because=outcome.stopped_because, notes=notes,
        folder=_copies(options).name, marked=outcome.marked,
    )  # fmt: skip
    write_file(path, write_results(path.name, outcome.request, outcome.cells, facts), option="-o", force=True)
    return path


def _keep_inputs(root: Path, batch: str, options: Options) -> None:
    """Note where the inputs are, for --resume; no password, and nothing of this is hashed."""
    from pipeline.batch.work import place_of_batch
    from pipeline.store.files import replace_file

    told = {key: value for key, value in asdict(options).items() if key in _KEPT}
    told["inputs"] = [_absolute(one) for one in options.inputs]
    told |= {key: _absolute(told[key]) for key in ("out", "metadata") if told[key]}
    told["out"] = told["out"] or _absolute(str(options.out_path))
    data = json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "surrogateescape")
    replace_file(place_of_batch(root, batch) / INPUTS, data)


def _absolute(place: str) -> str:
    from pipeline.batch.documents.places import is_remote

    return place if is_remote(place) else str(Path(place).absolute())
