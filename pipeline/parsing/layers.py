"""Text on layers (optional content) that are switched off: MuPDF drops it, so it is read at the end with all on."""

from __future__ import annotations

from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import make_line
from pipeline.parsing.page_text import TEXT_FLAGS, Fragment, make_fragments, read_textpage
from pipeline.parsing.pages import PAGE_ERRORS
from pipeline.parsing.reading import Finding, Reading

UNREAD = "The page has layers that are switched off, and they could not be read."
_ALL_ON = "all layers"  # name of the configuration that is added, in memory alone


def add_switched_off(document: Any, reading: Reading) -> None:
    """Add to each page that was read its lines on layers that are switched off, as hidden lines.

    The document stays with all its layers on: call it when everything else was read. A page that fails is a finding.
    """
    layers = document.get_ocgs()
    if all(layer["on"] for layer in layers.values()):
        return
    seen: dict[int, set[tuple[str, int, int]]] = {}
    for page in reading.pages:
        if page.lines or page.status == "empty":
            seen[page.page_num] = {_key(f) for f in _read_fragments(document, page.page_num)}
    number = len(document.get_layers())
    document.add_layer(_ALL_ON, on=sorted(layers))
    document.switch_layer(number)
    for page in reading.pages:
        if page.page_num not in seen:
            continue
        try:
            found = _read_fragments(document, page.page_num)
        except PAGE_ERRORS:
            reading.findings.append(Finding("hidden_text", UNREAD, page.page_num))
            continue
        for fragment in found:
            if _key(fragment) not in seen[page.page_num]:
                fragment.hidden = "layer"
                page.lines.append(make_line([fragment], "single", page.page_num))


def _read_fragments(document: Any, page_num: int) -> list[Fragment]:
    page = document.load_page(page_num - 1)
    textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
    return make_fragments(page, read_textpage(textpage))


def _key(fragment: Fragment) -> tuple[str, int, int]:
    return fragment.text, round(fragment.box[0]), round(fragment.box[1])
