"""Imported by a reading process before it forks: pages that hang, crash or eat memory, told by a word on them."""

from __future__ import annotations

import os
import time
from typing import Any

from pipeline.parsing import pdf, second_reader
from pipeline.parsing.lines import PageRead
from pipeline.parsing.settings import ParsingSettings

_read_page = pdf.read_page


def read_badly(document: Any, page_num: int, settings: ParsingSettings, **options: Any) -> PageRead:
    """The page, unless its text orders something else."""
    words = document[page_num - 1].get_text()
    if "HANG" in words:
        while True:
            time.sleep(0.1)
    if "CRASH" in words:
        os.abort()
    if "KILL" in words:
        os.kill(os.getpid(), 9)
    if "EAT" in words:
        bytearray(1 << 40)
    if "BUG" in words:
        raise ZeroDivisionError("a fault of ours")
    return _read_page(document, page_num, settings, **options)


_fill = second_reader._fill


def fill_badly(result: PageRead, document: Any, settings: ParsingSettings) -> None:
    """The same for the second reader."""
    if "BOTH" in document[result.page_num - 1].get_textpage().get_text_range():
        os.abort()
    _fill(result, document, settings)


pdf.read_page = read_badly
second_reader._fill = fill_badly
