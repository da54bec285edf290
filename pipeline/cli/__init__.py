"""The command line: thin, quick to start, and the only place that prints."""

from __future__ import annotations


def main() -> None:
    """Run `lineproof`; exits with the code that the help lists."""
    from pipeline.cli.app import run_app

    run_app()
