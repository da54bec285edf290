"""How the commands write: clean text for people on stdout, one JSON object for machines, progress on stderr."""

from __future__ import annotations

import json
import re
import sys
import threading
from io import StringIO
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.status import Status

PATIENCE_SECONDS = 1.0  # what takes less needs no progress
MAX_WIDTH = 120  # columns; longer lines are hard to read
PIPE_WIDTH = 112  # columns, room for a printed line and its bar, when the output goes to a file or another program

# Escape sequences, then what is left of control characters, and marks that turn the direction of text: a document must
# not be able to move the cursor, colour the terminal, or show its words in another order.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def plain(text: str, *, keep_lines: bool = True) -> str:
    """The text as it may be shown on a terminal; without `keep_lines` all on one line."""
    clean = _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n"))).replace("\t", "    ")
    return clean if keep_lines else " ".join(clean.split())


def show_all(parts: list[RenderableType]) -> None:
    """Print for a person. Text is never read as markup, whatever brackets it holds."""
    from rich.console import Console
    from rich.text import Text

    terminal = Console()
    width = min(terminal.width, MAX_WIDTH) if terminal.is_terminal else PIPE_WIDTH
    sink = StringIO()
    console = Console(
        file=sink,
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
        force_terminal=terminal.is_terminal,
        color_system=terminal.color_system if terminal.is_terminal else None,  # type: ignore[arg-type]
        no_color=terminal.no_color,
        legacy_windows=False,
    )
    for part in parts:
        stays_on_one_line = isinstance(part, Text) and bool(part.no_wrap)  # a path, so that it can be copied
        console.print(part, soft_wrap=stays_on_one_line)
    sys.stdout.write("\n".join(line.rstrip() for line in sink.getvalue().split("\n")))
    sys.stdout.flush()


def show_json(value: dict[str, Any]) -> None:
    """Print one JSON object; everything outside ASCII is escaped, so that any terminal and any encoding can take it."""
    sys.stdout.write(json.dumps(value, indent=1) + "\n")
    sys.stdout.flush()


class Progress:
    """What is being done, on a terminal only and only after a second; call it with a few words a step."""

    def __init__(self) -> None:
        self._words = "starting"
        self._status: Status | None = None
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def __call__(self, words: str) -> None:
        """Say what is being done now."""
        with self._lock:
            self._words = words
            if self._status is not None:
                self._status.update(words)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE_SECONDS, self._appear)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._status is not None:
                self._status.stop()
                self._status = None

    def _appear(self) -> None:
        from rich.console import Console

        with self._lock:
            if self._timer is not None:
                self._status = Console(stderr=True, markup=False, highlight=False).status(self._words)
                self._status.start()
