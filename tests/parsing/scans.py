"""Scans made on the spot from pages of text, and an engine that says what it is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing.ocr import engines
from pipeline.parsing.ocr.engine import Engine, Recognition, Word
from pipeline.parsing.ocr.tesseract import INSTALL_HINT, find_tesseract
from pipeline.parsing.settings import ParsingSettings

HERE = ParsingSettings(isolate=False)  # read in this process, so that a test can reach inside
ENGLISH = HERE.model_copy(update={"ocr_languages": ("en",)})  # one language: quicker
CLAUSES = (
    "1. Term of the Agreement",
    "This Agreement shall remain in force for two years from the date",
    "of signature, unless it is terminated earlier in writing by either",
    "of the parties with a notice of ninety days.",
    "2. Governing Law",
    "The laws of the State of Delaware govern this Agreement.",
)


def page_of(texts: Sequence[str], *, width: float = 420, height: float = 200, x: float = 30, size: float = 11):
    """A document with one page of text, and that page."""
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    for at, text in enumerate(texts):
        page.insert_text((x, 30 + 22 * at), text, fontsize=size)
    return document, page


def picture_of(page, *, dpi: int = 200, turn: float = 0) -> bytes:
    """The page as a gray picture, turned clockwise by `turn` degrees about its middle."""
    matrix = pymupdf.Matrix(dpi / 72, dpi / 72).prerotate(turn)
    return page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY).tobytes("png")


def scan_of(page, path: Path, *, dpi: int = 200, turn: float = 0, count: int = 1) -> Path:
    """A PDF of `count` pages that show the picture of the page."""
    picture = picture_of(page, dpi=dpi, turn=turn)
    about = pymupdf.Pixmap(picture)
    scan = pymupdf.open()
    for _ in range(count):
        sheet = scan.new_page(width=about.width * 72 / dpi, height=about.height * 72 / dpi)
        sheet.insert_image(sheet.rect, stream=picture)
    scan.save(path)
    return path


def require_tesseract(*languages: str) -> None:
    """Skip where the program or one of its languages is not installed."""
    engine = find_tesseract(seconds=60)
    if engine is None or set(languages) - set(engine.languages):
        pytest.skip(f"tesseract with {', '.join(languages)} is not installed: {INSTALL_HINT}")


def told_engine(texts: Sequence[str], *, confidence: float = 0.9, fault: str = "", calls: list | None = None) -> Engine:
    """An engine that reads the same lines in every picture, and notes the languages that it is asked for."""

    def read(pixels, dpi, languages):
        if calls is not None:
            calls.append(tuple(languages))
        if fault:
            return Recognition(fault=fault)
        zoom = dpi / 72
        lines = []
        for at, text in enumerate(texts):
            words, x = [], 30.0
            for part in text.split():
                words.append(
                    Word(
                        part,
                        (x * zoom, (20 + 22 * at) * zoom, (x + 5 * len(part)) * zoom, (30 + 22 * at) * zoom),
                        confidence,
                    )
                )
                x += 5 * len(part) + 4
            lines.append(tuple(words))
        return Recognition(tuple(lines))

    return Engine("told", "1", ("en", "es", "fr"), read, lambda pixels, dpi: (0, ""))


def use_engine(monkeypatch: pytest.MonkeyPatch, engine: Engine | None) -> None:
    """Let the parser find this engine, or none."""
    monkeypatch.setattr(engines, "find_tesseract", lambda *, seconds: engine)
