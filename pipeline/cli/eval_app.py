"""`lineproof eval DATASET`, and the commands under it; without the name of one of them the data set is measured."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from pipeline.cli.eval_gate import gate
from pipeline.cli.eval_run import run

RUN = "run"  # the command that `lineproof eval DATASET` stands for


class _DatasetFirst(TyperGroup):
    """A group whose first word may be a data set: a folder named like a command is written './gate'."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command that measures before words that name none."""
        named = bool(args) and args[0] in self.commands
        return list(super().parse_args(ctx, args if named else [RUN, *(args or ["--help"])]))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command, shown in its usage as the user wrote it."""
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == RUN else name), command, rest


eval_app = typer.Typer(name="eval", cls=_DatasetFirst, add_completion=False)
eval_app.command(name=RUN, hidden=True)(run)
eval_app.command()(gate)


@eval_app.callback()
def _about() -> None:
    """Measure retrieval on labelled documents: figures, causes of failure, a report, and a gate for CI."""
