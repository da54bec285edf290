"""`lineproof review accept`, `reject`, `correct` and `role`: one person's verdict on a run, sealed and recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store
from pipeline.cli.review_options import By, Key, PassphraseEnv, Reason, RunName, key_for

if TYPE_CHECKING:
    from pipeline.audit.reviewing.recording import Opinion


def accept(
    run: RunName, by: By, reason: Reason, key: Key = None, passphrase_env: PassphraseEnv = None,
    as_json: AsJson = False, store: Store = "outputs",
) -> None:  # fmt: skip
    """Say that an answer is right, with its lines."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.recording import Opinion

        _record(run, Opinion("accept", reason), by, key, passphrase_env, as_json=as_json, store=store)


def reject(
    run: RunName, by: By, reason: Reason, key: Key = None, passphrase_env: PassphraseEnv = None,
    as_json: AsJson = False, store: Store = "outputs",
) -> None:  # fmt: skip
    """Say that an answer is wrong; `correct` also says what is right."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.recording import Opinion

        _record(run, Opinion("reject", reason), by, key, passphrase_env, as_json=as_json, store=store)


def correct(
    run: RunName,
    by: By,
    reason: Reason,
    value: Annotated[
        str | None, typer.Option("--value", help="The right value, in the document's words.", metavar="TEXT")
    ] = None,
    not_in_document: Annotated[
        bool, typer.Option("--not-in-document", help="The document does not answer the question.")
    ] = False,
    page: Annotated[int | None, typer.Option("--page", help="Page where the value stands.", min=1, metavar="N")] = None,
    lines: Annotated[
        str | None, typer.Option("--lines", help="Lines on that page, as answers cite them.", metavar="A-B")
    ] = None,
    key: Key = None,
    passphrase_env: PassphraseEnv = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Say what an answer should have been. The quote is copied from the document's lines, never typed.

    The correction becomes a case of `review check`, and its lines teach `dict suggest` the words that were missing.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.recording import Opinion, Right, parse_lines
        from schemas.errors import InputError

        if (value is None) != not_in_document:
            raise InputError("a correction gives the right value with --value, or says --not-in-document; one of them")
        refuse_absent_words(value)
        right = Right(value, page, parse_lines(lines) if lines is not None else None)
        opinion = Opinion("correct", reason, right=right)
        _record(run, opinion, by, key, passphrase_env, as_json=as_json, store=store)


def role(
    run: RunName,
    candidate: Annotated[str, typer.Argument(help="Id of the candidate, as `lineproof show` prints it.")],
    role_name: Annotated[
        str, typer.Argument(help="primary, supporting, tangential or discarded; its own role confirms it.",
                            metavar="ROLE")
    ],
    by: By,
    reason: Reason,
    key: Key = None,
    passphrase_env: PassphraseEnv = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:  # fmt: skip
    """Say which role a candidate should have, or confirm the one it has."""
    with ending_well(as_json=as_json):
        from pipeline.audit.reviewing.recording import Opinion

        opinion = Opinion("correct", reason, candidate=(candidate, role_name.strip().lower()))
        _record(run, opinion, by, key, passphrase_env, as_json=as_json, store=store)


def refuse_absent_words(value: str | None) -> None:
    """Nothing for a value that is one.

    Raises InputError for 'none', 'n/a' and the like, which data sets read as 'the document does not say'.
    """
    from pipeline.evaluation.datasets.workbook import ABSENT_WORDS
    from schemas.errors import InputError

    if value is not None and " ".join(value.casefold().split()).strip(".") in ABSENT_WORDS:
        raise InputError(f"{value!r} says that the document does not tell: give --not-in-document instead of a value")


def _record(
    run: str, opinion: Opinion, by: str, key: str | None, passphrase_env: str | None, *, as_json: bool, store: str
) -> None:
    from pipeline.audit.reviewing.recording import record
    from pipeline.cli.output import show_all, show_json
    from pipeline.store.runs import find_run

    done = record(find_run(Path(store), run), opinion, by=by, key=key_for(key, passphrase_env, store=store))
    if as_json:
        show_json(
            {
                "review": done.review.model_dump(mode="json"),
                "path": str(done.folder),
                "ledger_line": done.entry.seq,
                "warnings": list(done.warnings),
            }
        )
    else:
        from pipeline.cli.render_review import render_recorded

        show_all(render_recorded(done))
