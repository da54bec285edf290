"""What a caller may set of parsing: limits against hostile files, and the pages to read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.record import Part

MEBIBYTE = 1024 * 1024


class ParsingSettings(Part):
    """Limits and choices of one parse; they stand in full in the document's stamp."""

    max_bytes: int = Field(default=512 * MEBIBYTE, ge=1, description="Largest file that is read, in bytes.")
    isolate: bool = Field(
        default=True,
        exclude=True,  # shows in no record: either way the same document comes out
        description="Read in a process of its own, under limits of time and memory; false: in the caller's, without.",
    )
    max_seconds: float = Field(
        default=600.0, gt=0, description="Longest time to read a document, in seconds; recognition is allowed on top."
    )
    max_page_seconds: float = Field(
        default=60.0, gt=0, description="Longest time for one page, in seconds; a page that takes longer is given up."
    )
    max_memory_bytes: int = Field(
        default=4096 * MEBIBYTE, ge=64 * MEBIBYTE, description="Most memory that reading a document may take, in bytes."
    )
    max_pages: int = Field(default=10_000, ge=1, description="Most physical pages of a document.")
    max_page_lines: int = Field(
        default=20_000, ge=1, description="Most lines of one page; a page with more is marked unreadable."
    )
    max_cells: int = Field(
        default=1_000_000,
        ge=1,
        description="Most cells with content of a workbook; the sheet that has more is marked unreadable.",
    )
    max_sections: int = Field(default=20_000, ge=1, description="Most outline entries; the rest is a finding.")
    max_attachment_depth: int = Field(
        default=3, ge=0, description="How deep files inside files are read: 0 reads none, 1 those of the document."
    )
    max_attachments: int = Field(
        default=200, ge=0, description="Most files inside one document that are read, however they are nested."
    )
    max_attachment_bytes: int = Field(
        default=1024 * MEBIBYTE, ge=0, description="Most bytes that are read of all files inside one document."
    )
    max_unpacked_bytes: int = Field(
        default=1024 * MEBIBYTE, ge=1, description="Most bytes that a zipped format may unpack to."
    )
    max_expansion: int = Field(
        default=200, ge=1, description="Most bytes unpacked for each byte packed, from 1 MiB on: a zip bomb has more."
    )
    ocr: Literal["auto", "off"] = Field(
        default="auto",
        description="auto: pages without trustworthy text are recognised where an engine is installed; off: never.",
    )
    ocr_languages: tuple[str, ...] = Field(
        default=(), description="ISO 639-1 codes to recognise, e.g. ('es',); empty: told from the document itself."
    )
    layout_model: bool = Field(
        default=False,
        description="Let PyMuPDF's layout model tell headings, running text, captions and footnotes of laid-out pages.",
    )
    ocr_workers: int = Field(default=2, ge=1, le=64, description="Pages that are recognised at the same time.")
    ocr_seconds: int = Field(
        default=60, ge=1, description="Longest time for one recognition of a page, in seconds; it takes 1 to 3."
    )
    spans: bool = Field(default=False, description="Fill span_df, the runs of equal style inside each line.")
    pages: tuple[int, ...] | None = Field(
        default=None,
        description="Physical pages to read, from 1; null reads all. The others keep a row in page_df that says so.",
    )
