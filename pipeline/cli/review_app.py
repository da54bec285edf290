"""`lineproof review`: people's verdicts on runs, what they settle, and what they teach."""

from __future__ import annotations

import typer

from pipeline.cli.review_cases import cases, check
from pipeline.cli.review_exchange import export, import_file
from pipeline.cli.review_sample import sample
from pipeline.cli.review_status import agreement, list_reviews, status
from pipeline.cli.review_verdicts import accept, correct, reject, role

review_app = typer.Typer(
    name="review",
    help="Verdicts of people on answers: accept, reject, correct, four eyes, samples, agreement.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
review_app.command()(accept)
review_app.command()(reject)
review_app.command()(correct)
review_app.command()(role)
review_app.command("list")(list_reviews)
review_app.command()(status)
review_app.command()(sample)
review_app.command()(agreement)
review_app.command()(export)
review_app.command("import")(import_file)
review_app.command()(cases)
review_app.command()(check)
