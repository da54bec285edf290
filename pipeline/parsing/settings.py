"""What a caller may set of parsing: limits against hostile files, and the pages to read."""

from __future__ import annotations

from pydantic import Field

from schemas.record import Part

MEBIBYTE = 1024 * 1024


class ParsingSettings(Part):
    """Limits and choices of one parse; they stand in full in the document's stamp."""

    max_bytes: int = Field(default=512 * MEBIBYTE, ge=1, description="Largest file that is read, in bytes.")
    max_pages: int = Field(default=10_000, ge=1, description="Most physical pages of a document.")
    max_page_lines: int = Field(
        default=20_000, ge=1, description="Most lines of one page; a page with more is marked unreadable."
    )
    max_sections: int = Field(default=20_000, ge=1, description="Most outline entries; the rest is a finding.")
    pages: tuple[int, ...] | None = Field(
        default=None,
        description="Physical pages to read, from 1; null reads all. The others keep a row in page_df that says so.",
    )
