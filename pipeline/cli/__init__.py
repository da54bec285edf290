"""The command line: thin, quick to start, and the only place that prints."""

from __future__ import annotations

import gc

# New objects between two looks for unreachable circles (Python's own: 700). A command builds tables that live until it
# ends, so that the looks find nothing: reading the dictionaries alone takes about a third less without them.
GARBAGE_THRESHOLD = 50_000


def main() -> None:
    """Run `lineproof`; exits with the code that the help lists."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    from pipeline.cli.app import run_app

    run_app()
