"""The command line: thin, quick to start, and the only place that prints."""

from __future__ import annotations

import gc

# New objects between two looks for unreachable circles. A command builds tables that live until it ends: at Python's
# 700 the looks take a tenth to a quarter of a cold `ask`, at this they cannot be measured, and memory is the same.
GARBAGE_THRESHOLD = 50_000


def main() -> None:
    """Run `lineproof`; exits with the code that the help lists."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    from pipeline.cli.app import run_app

    run_app()
