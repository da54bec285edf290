"""`lineproof dict`: the experts' dictionaries, from their list to what an edit puts in force."""

from __future__ import annotations

import typer

from pipeline.cli.dict_check import check
from pipeline.cli.dict_coverage import coverage
from pipeline.cli.dict_diff import diff
from pipeline.cli.dict_exchange import export, import_file
from pipeline.cli.dict_show import list_all, show
from pipeline.cli.dict_suggest import suggest

dict_app = typer.Typer(
    name="dict",
    help="The experts' dictionaries: list, show, check, edit in Excel, put in force.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
dict_app.command("list")(list_all)
dict_app.command("show")(show)
dict_app.command("check")(check)
dict_app.command("coverage")(coverage)
dict_app.command("export")(export)
dict_app.command("import")(import_file)
dict_app.command("suggest")(suggest)
dict_app.command("diff")(diff)
