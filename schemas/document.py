"""What parsing hands over: the document as tables, and its profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

import pandas as pd
from pydantic import AfterValidator, Field

from schemas.places import PageUnit
from schemas.record import Part, Record, Stamp, read_version
from schemas.tables import (
    CROSS_REF_DF,
    DOCUMENT_TABLES,
    FIELD_DF,
    FINDING_DF,
    IMAGE_DF,
    LINE_DF,
    OBJECT_DF,
    PAGE_DF,
    SPAN_DF,
    TABLE_DF,
    TOC_DF,
    TableSchema,
    same_table,
)
from schemas.upgrades import TABLES_SINCE, lift_table

DocumentFormat = Literal["pdf", "docx", "xlsx", "pptx", "html", "eml", "msg", "txt", "md", "image"]


class IdentityZone(Part):
    """Which file this is and what made it."""

    sha256: str = Field(description="Hex SHA-256 of the file's bytes.")
    byte_count: int = Field(description="Size of the file in bytes.")
    page_unit: PageUnit = Field(
        default="page", description="What `page_num` counts; none: the format has no pages, and none may be cited."
    )
    page_count: int | None = Field(description="Physical pages, slides or sheets; null where the format has none.")
    format_version: str | None = Field(description="Version of the file format, e.g. 'PDF 1.7'.")
    producer: str | None = Field(description="Software that wrote the file, as the metadata say; they can lie.")
    creator: str | None = Field(description="Software the document was made with, as the metadata say.")
    title: str | None = Field(description="Title in the metadata.")
    author: str | None = Field(description="Author in the metadata.")
    created: str | None = Field(description="Creation date in the metadata, as written there.")


class ContentZone(Part):
    """What kind of content the pages hold."""

    content_type: Literal["native", "scanned", "mixed", "empty"] = Field(description="What most pages are.")
    has_text_layer: bool = Field(description="At least one page has characters.")
    has_hidden_text: bool = Field(description="At least one line is not visible to a person.")
    line_count: int = Field(description="Lines, hidden ones included.")
    char_count: int = Field(description="Characters of the visible lines.")
    image_count: int = Field(description="Images displayed.")


class StructureZone(Part):
    """What structure was found."""

    has_toc: bool = Field(description="There is at least one section.")
    toc_source: str | None = Field(description="Where the sections come from; null without any.")
    section_count: int = Field(description="Sections.")
    object_count: int = Field(description="Named objects: figures, tables, annexes ...")
    cross_ref_count: int = Field(description="Mentions of other places in the document.")
    page_status_counts: dict[str, int] = Field(description="Pages per status, sorted by status.")
    has_form_fields: bool = Field(description="The file has form fields.")
    is_encrypted: bool = Field(description="The file is encrypted, even if it opens without a password.")


class RoutingZone(Part):
    """What the parser advises for the pages it could not read fully."""

    usable_toc: bool = Field(description="Enough sections to search by title: at least four.")
    needs_ocr: bool = Field(description="At least one page has to be recognised from its image.")
    pages_needing_ocr: tuple[int, ...] = Field(description="Those pages, ascending.")
    pages_not_read: tuple[int, ...] = Field(description="Pages of which no text could be trusted, ascending.")


class Statement(Part):
    """Something that the first page states, with its line."""

    text: str = Field(description="As written: the name of a party, a date.")
    line_id: int = Field(ge=1, description="The line that states it.")
    label: str | None = Field(default=None, description="What it is called there: 'Supplier', 'Effective Date'.")


class SemanticZone(Part):
    """What the document is about, by rules; a summary needs a model and may be null."""

    doc_type: str = Field(
        description="contract, contract_amendment, academic_paper, annual_report, invoice, resume, memo, unknown."
    )
    typical_fields: tuple[str, ...] = Field(description="What such documents usually hold; empty for an unknown type.")
    languages: tuple[str, ...] = Field(description="ISO 639-1 codes, the most used first; empty without text.")
    title: Statement | None = Field(default=None, description="The document's own title; null where none is told.")
    parties: tuple[Statement, ...] = Field(default=(), description="Parties that the beginning names, in order.")
    dates: tuple[Statement, ...] = Field(default=(), description="Dates that the beginning states, in order.")
    summary: str | None = Field(default=None, description="Three or four sentences by a model; null without one.")


class DocumentProfile(Part):
    """The `parsing_summary` of the method: five zones that tell what the document is and how far to trust it."""

    identity: IdentityZone
    content: ContentZone
    structure: StructureZone
    routing: RoutingZone
    semantic: SemanticZone


class Attachment(Part):
    """A file inside the document, and the document that it became."""

    name: str = Field(description="Name of the file as the document gives it, without folders; never used as a path.")
    media_type: str = Field(description="Media type as stated, e.g. 'application/pdf'; empty where not stated.")
    byte_count: int = Field(ge=0, description="Size in bytes.")
    sha256: str = Field(description="Hex SHA-256 of its bytes.")
    status: Literal["parsed", "not_read"] = Field(description="parsed: a document of its own, `doc_id`.")
    reason: str = Field(default="", description="Why it was not read, in one sentence; empty when it was.")
    doc_id: str | None = Field(default=None, description="The child document; null when it was not read.")


def _fits(schema: TableSchema, frame: pd.DataFrame) -> pd.DataFrame:
    return schema.check(frame, where="ParsedDocument")


def _table(schema: TableSchema) -> Any:
    return Field(exclude=True, repr=False, description=f"{schema.description} See docs/tables.md.")


class ParsedDocument(Record):
    """A document as relational tables. The JSON holds the fields; each table is saved as parquet beside it.

    A table that the format has nothing for is empty, with its columns. Treat the tables as read-only: frozen does not
    freeze a frame.
    """

    SCHEMA_NAME: ClassVar[str] = "parsed_document"
    SCHEMA_VERSION: ClassVar[int] = 2

    doc_id: str = Field(description="File stem made safe, an underscore, and the first 8 hex digits of the SHA-256.")
    sha256: str = Field(description="Hex SHA-256 of the file's bytes.")
    source_name: str = Field(description="Name of the file without its folders.")
    format: DocumentFormat = Field(description="Format recognised by content.")
    profile: DocumentProfile = Field(description="What the document is and how far to trust it.")
    stamp: Stamp = Field(description="By what it was parsed.")
    attachments: tuple[Attachment, ...] = Field(
        default=(), description="Files inside the document, in order; their text is in documents of their own."
    )
    children: tuple[ParsedDocument, ...] = Field(
        default=(), exclude=True, repr=False, description="The attachments that were read, in order; stored apart."
    )
    line_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, LINE_DF))] = _table(LINE_DF)
    page_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, PAGE_DF))] = _table(PAGE_DF)
    toc_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, TOC_DF))] = _table(TOC_DF)
    object_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, OBJECT_DF))] = _table(OBJECT_DF)
    cross_ref_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, CROSS_REF_DF))] = _table(CROSS_REF_DF)
    image_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, IMAGE_DF))] = _table(IMAGE_DF)
    span_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, SPAN_DF))] = _table(SPAN_DF)
    table_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, TABLE_DF))] = _table(TABLE_DF)
    field_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, FIELD_DF))] = _table(FIELD_DF)
    finding_df: Annotated[pd.DataFrame, AfterValidator(partial(_fits, FINDING_DF))] = _table(FINDING_DF)

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name, in the order of `DOCUMENT_TABLES`."""
        return {schema.name: getattr(self, schema.name) for schema in DOCUMENT_TABLES}

    def same_as(self, other: Self) -> bool:
        """True when fields and tables are equal; `==` cannot be used on records that hold frames."""
        return self.to_json() == other.to_json() and all(
            same_table(frame, other.tables()[name]) for name, frame in self.tables().items()
        )

    @classmethod
    def load(cls, data: bytes, tables: Mapping[str, pd.DataFrame], *, where: str) -> Self:
        """The document out of its JSON and the frames read from parquet.

        Raises RecordError, TableError or SchemaVersionError.
        """
        restored = {
            schema.name: schema.restore(frame, where=f"{where}/{schema.name}.parquet")
            for schema, frame in cls._lift_tables(data, tables)
        }
        return cls.from_json(data, where=where, tables=restored)

    @classmethod
    def _lift_tables(
        cls, data: bytes, tables: Mapping[str, pd.DataFrame]
    ) -> Iterator[tuple[TableSchema, pd.DataFrame]]:
        """Each table with the columns that later versions than the file's brought."""
        version = read_version(data)
        for schema in DOCUMENT_TABLES:
            frame = tables.get(schema.name)
            if frame is None and version < TABLES_SINCE.get(schema.name, 1):
                frame = schema.empty()
            if frame is not None:
                yield schema, lift_table(schema.name, frame, version, cls.SCHEMA_VERSION)
