"""`lineproof batch`: a file of questions put to a collection of documents, and a workbook of proven answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Password, Store, Strategy

if TYPE_CHECKING:
    from pipeline.cli.batch_options import Options


def batch(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            help="Folders, files, globs, lists, archives or URLs of documents, and last the file of questions "
            "(.xlsx, .csv, .jsonl).",
            metavar="DOCS... QUESTIONS",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Where the results go: .xlsx, .csv or .jsonl.", metavar="FILE")
    ] = None,
    metadata: Annotated[
        str | None,
        typer.Option("--metadata", help="Sheet of what is known of each document; filters use it.", metavar="FILE"),
    ] = None,
    access: Annotated[
        list[str] | None,
        typer.Option("--access", help="An access label that you may read; may be repeated.", metavar="LABEL"),
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what it would do and cost, and do nothing.")] = False,
    budget: Annotated[
        str | None, typer.Option("--budget", help="Most money to spend, e.g. '20 USD'; never exceeded.", metavar="SUM")
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", help="Most calls to the model, retries included.", min=0)
    ] = None,
    requests_per_minute: Annotated[
        int | None, typer.Option("--requests-per-minute", help="Over all workers.", min=1)
    ] = None,
    tokens_per_minute: Annotated[
        int | None, typer.Option("--tokens-per-minute", help="Over all workers.", min=1)
    ] = None,
    prices: Annotated[
        str | None,
        typer.Option("--prices", help="List of prices (TOML) instead of the shipped one.", metavar="FILE"),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option("--engine", help="local, as without it, or ray: a cluster.", metavar="NAME"),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option("--address", help="Of the Ray cluster; without one it is started here.", metavar="HOST:PORT"),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("--processes", help="Workers on this machine; without it as many as it has room for.", min=1),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Use rules alone, even where LINEPROOF_MODEL names a model.")
    ] = False,
    no_highlights: Annotated[
        bool, typer.Option("--no-highlights", help="Make no marked copies of the documents.")
    ] = False,
    strategy: Strategy = "arbiter",
    password: Password = None,
    template: Annotated[
        bool, typer.Option("--template", help="Write a workbook to fill in: questions, metadata, help.")
    ] = False,
    resume: Annotated[
        str | None,
        typer.Option("--resume", help="Go on with a batch, by its id, with the inputs it had.", metavar="BATCH"),
    ] = None,
    watch: Annotated[
        str | None, typer.Option("--watch", help="Watch a batch that runs, from anywhere.", metavar="BATCH")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="With --watch: tell how it stands, and end.")] = False,
    list_all: Annotated[bool, typer.Option("--list", help="List the batches of the store.")] = False,
    import_review: Annotated[
        str | None,
        typer.Option("--import-review", help="Record what reviewers filled in in the sheet 'cells'.", metavar="FILE"),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", help="The reviewer of rows that name none.", metavar="WHO")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the results where they are there already.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    json_progress: Annotated[
        bool, typer.Option("--json-progress", help="Progress as one JSON object a line, on stderr.")
    ] = False,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Put a file of questions to a whole collection of documents; a workbook of typed, cited answers comes back.

    It goes on where it was stopped, whatever stopped it: run the same command again, or `--resume BATCH`.
    """
    with ending_well(as_json=as_json):
        from pipeline.cli.batch_options import Options, action_of

        options = Options(
            inputs=tuple(inputs or ()), out=out, metadata=metadata, access=tuple(access or ()), plan=plan,
            budget=budget, max_calls=max_calls, requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute, prices=prices, engine=engine, address=address, processes=processes,
            use_model=not no_model, highlights=not no_highlights, strategy=strategy, by=by, once=once, force=force,
            quiet=quiet, json_progress=json_progress, as_json=as_json, store=store, password=password,
        )  # fmt: skip
        action = action_of(
            options, template=template, resume=resume, watch=watch, listed=list_all, review=import_review
        )
        code = _act(options, action, resume or watch or import_review or "")
    raise typer.Exit(code)


def _act(options: Options, action: str, name: str) -> int:
    """Do it; `name` is the batch or the file that the action is about. Gives the exit code."""
    if action == "template":
        from pipeline.cli.batch_template import put_template

        return put_template(options)
    if action == "watch":
        from pipeline.cli.batch_watch import watch_batch

        return watch_batch(options, name)
    if action == "list":
        from pipeline.cli.batch_watch import list_them

        return list_them(options)
    if action == "import-review":
        from pipeline.cli.batch_review import import_reviews

        return import_reviews(options, name, by=options.by)
    from pipeline.cli.batch_run import plan_it, run_it

    batch_id = None
    if action == "resume":
        from pipeline.cli.batch_inputs import resumed

        options, batch_id = resumed(options, name)
    return plan_it(options) if options.plan else run_it(options, batch_id)
