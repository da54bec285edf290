"""What a batch hands over: questions put to documents, the cells that come of them, a plan, and how far it is."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from schemas.record import Part, Record
from schemas.request import QuestionTerms

CellStatus = Literal[
    "answered",
    "partial",
    "not_found",
    "needs_clarification",
    "refused",
    "out_of_scope",
    "not_asked",
    "failed",
]
ENDED = ("answered", "partial", "not_found", "needs_clarification", "refused", "out_of_scope")  # not asked again
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "contains"]


class MetadataFilter(Part):
    """One condition on a column of the metadata sheet; all of a question must hold."""

    column: str = Field(description="Column of the metadata sheet, lower-case.")
    operator: Operator = Field(description="How the values are compared: dates as dates, numbers as numbers.")
    values: tuple[str, ...] = Field(description="What is compared with: one value, for 'in' several.")


class BatchQuestion(Part):
    """One row of the workbook of questions."""

    question_id: str = Field(description="Unique in the batch; as given, else 'q' and the number of the row.")
    text: str = Field(description="The question as it was typed.")
    terms: QuestionTerms = Field(default=QuestionTerms(), description="What is laid down beside its words.")
    folders: tuple[str, ...] = Field(
        default=(), description="Only documents below one of these folders of the collection; empty: all."
    )
    where: tuple[MetadataFilter, ...] = Field(default=(), description="Only documents whose metadata fit all of these.")
    priority: int = Field(default=0, description="Higher is asked first where a budget may not last for all.")
    row: int = Field(default=0, ge=0, description="Row of the sheet, or line of the file, from 1; 0 for none.")


class BatchDocument(Part):
    """One document of the collection, found but not opened."""

    name: str = Field(description="Path within the collection, '/' between its parts; unique in the batch.")
    sha256: str | None = Field(default=None, description="Hex SHA-256 of its bytes; null where it cannot be read.")
    byte_count: int | None = Field(default=None, ge=0, description="Its size; null where it cannot be read.")
    metadata: dict[str, str] = Field(
        default_factory=dict, description="Its row of the metadata sheet, by lower-case column; dates as ISO 8601."
    )
    fault: str | None = Field(default=None, description="Why it cannot be read; null where it can.")


class CellValue(Part):
    """A typed value of a cell with the lines that it stands on; what a workbook and a query can compute with."""

    text: str = Field(description="The value in plain words.")
    kind: str = Field(description="`kind` of the value: amount, date, duration, percentage, boolean, party, text ...")
    number: float | None = Field(
        default=None, description="Amount, count, years/months/days of a duration, or percentage (5 % is 0.05)."
    )
    unit: str | None = Field(default=None, description="Currency (ISO 4217) of an amount, unit of a duration.")
    date: str | None = Field(default=None, description="ISO 8601 date of a date; null for any other.")
    boolean: bool | None = Field(default=None, description="Yes or no; null for any other.")
    quote: str = Field(default="", description="The cited lines, verbatim, joined by a space.")
    page: int | None = Field(default=None, ge=1, description="First cited page; null where there is none.")
    line_start: int | None = Field(default=None, ge=1, description="First cited line (`line_id`).")
    line_end: int | None = Field(default=None, ge=1, description="Last cited line.")
    section: str | None = Field(default=None, description="Title of its section.")
    role: str | None = Field(default=None, description="Role of the passage it stands in: primary, supporting ...")
    reason: str | None = Field(default=None, description="Why the arbiter gave the passage that role.")
    methods: tuple[str, ...] = Field(default=(), description="Detectors that proposed the passage.")


class CellConflict(Part):
    """Two passages of one document that say different things."""

    detail: str = Field(description="What differs, in one sentence.")
    quotes: tuple[str, ...] = Field(default=(), description="The passages, verbatim, shortened.")
    pages: tuple[int, ...] = Field(default=(), description="Their pages, in the same order.")


class CellAbsence(Part):
    """What was searched when nothing was found."""

    verdict: str = Field(description="proven_absent, not_found or inconclusive.")
    searched: tuple[str, ...] = Field(default=(), description="Terms that were searched, each with its count of hits.")
    lines_read: int = Field(ge=0, description="Lines swept.")
    pages_read: int = Field(ge=0, description="Pages swept.")
    detail: str = Field(default="", description="Nearest misses and what was not read, in plain words.")


class CellCost(Part):
    """What a cell has cost; what came from the transcript of an earlier run costs nothing."""

    calls: int = Field(default=0, ge=0, description="Model calls whose replies it rests on.")
    input_tokens: int = Field(default=0, ge=0, description="Tokens read in these calls.")
    output_tokens: int = Field(default=0, ge=0, description="Tokens written in these calls.")
    amount: float | None = Field(default=None, ge=0, description="Their price; null where no price is known.")
    currency: str | None = Field(default=None, description="ISO 4217 code of the price.")


class BatchCell(Part):
    """One document and one question: a row of the long sheet, a cell of the grid. Holds no time and no place."""

    document: str = Field(description="`BatchDocument.name`.")
    doc_id: str | None = Field(default=None, description="The document in the store; null where it was not read.")
    question_id: str = Field(description="`BatchQuestion.question_id`.")
    status: CellStatus = Field(description="What became of it.")
    text: str = Field(description="The answer in plain words; for a cell without one, why.")
    answer_type: str = Field(default="text", description="What kind of value was asked for.")
    values: tuple[CellValue, ...] = Field(default=(), description="The values, best first.")
    among_allowed: bool | None = Field(
        default=None, description="The value is one of the allowed ones; null where none were laid down or no value is."
    )
    confidence: float = Field(default=0.0, ge=0, le=1, description="Confidence of retrieval; for triage only.")
    answered_by: Literal["llm", "rules", "nobody"] = Field(default="nobody", description="Who proposed the values.")
    conflicts: tuple[CellConflict, ...] = Field(default=(), description="Passages that differ.")
    absence: CellAbsence | None = Field(default=None, description="The proof, where nothing was found.")
    caveats: tuple[str, ...] = Field(default=(), description="What a reader must know.")
    downgrades: tuple[str, ...] = Field(default=(), description="Steps that a model should have done and rules did.")
    pages_not_read: tuple[int, ...] = Field(default=(), description="Pages of the document that could not be read.")
    cost: CellCost = Field(default=CellCost(), description="What it has cost.")
    run: str | None = Field(default=None, description="Folder of its run in the store; null without one.")
    answer_sha256: str | None = Field(default=None, description="Hex SHA-256 of `answer.json` of that run.")
    key: str | None = Field(
        default=None, description="Hex SHA-256 of all that shapes it: it is not asked again while that is the same."
    )


class DocumentCells(Part):
    """All cells of one document of a batch, and what was read of it."""

    number: int = Field(ge=0, description="Its place in `BatchRequest.documents`, from 0.")
    document: BatchDocument = Field(description="The document as it was when it was asked.")
    doc_id: str | None = Field(default=None, description="The document in the store; null where it was not read.")
    page_count: int = Field(default=0, ge=0, description="Pages of it.")
    line_count: int = Field(default=0, ge=0, description="Lines of it.")
    pages_not_read: tuple[int, ...] = Field(default=(), description="Pages that could not be read.")
    findings: tuple[str, ...] = Field(default=(), description="Hidden text, embedded instructions: a sentence each.")
    fault: str | None = Field(default=None, description="Why it could not be read or asked; null where it was.")
    cells: tuple[BatchCell, ...] = Field(default=(), description="One a question, in the order of the questions.")


class KeptCells(Record):
    """`cells/cells.json` of a document in the store: what was asked of it by batches, each cell by its key.

    It lies with the document, so that whoever erases the document erases it.
    """

    SCHEMA_NAME: ClassVar[str] = "kept_cells"
    SCHEMA_VERSION: ClassVar[int] = 1

    doc_id: str = Field(description="The document.")
    page_count: int = Field(default=0, ge=0, description="Pages of it.")
    line_count: int = Field(default=0, ge=0, description="Lines of it.")
    findings: tuple[str, ...] = Field(default=(), description="Hidden text, embedded instructions: a sentence each.")
    cells: dict[str, BatchCell] = Field(default_factory=dict, description="Cells by key.")


class DocumentState(Record):
    """`documents/<number>.json` of a batch: which cells a document has; it holds no text of the document."""

    SCHEMA_NAME: ClassVar[str] = "document_state"
    SCHEMA_VERSION: ClassVar[int] = 1

    number: int = Field(ge=0, description="Its place in `BatchRequest.documents`, from 0.")
    document: BatchDocument = Field(description="The document as it was when it was asked.")
    doc_id: str | None = Field(default=None, description="The document in the store; null where it was not read.")
    fault: str | None = Field(default=None, description="Why it could not be read or asked; null where it was.")
    keys: dict[str, str] = Field(default_factory=dict, description="Key of the cell, by id of the question.")
    without: tuple[BatchCell, ...] = Field(
        default=(), description="Cells that were not asked, failed, or are out of scope: they have no key."
    )


class BatchRequest(Record):
    """`request.json` of a batch: all that makes it what it is. No clock and no place in it."""

    SCHEMA_NAME: ClassVar[str] = "batch_request"
    SCHEMA_VERSION: ClassVar[int] = 1

    name: str = Field(description="Name of the batch: the stem of the file of questions.")
    questions: tuple[BatchQuestion, ...] = Field(description="The questions, in the order of their rows.")
    documents: tuple[BatchDocument, ...] = Field(description="The documents, sorted by name.")
    parsing_settings: dict[str, Any] = Field(description="How documents are opened.")
    retrieval_settings: dict[str, Any] = Field(description="How they are searched, in full.")
    searched_by: tuple[str, ...] = Field(default=(), description="Embedding models and cross-encoders, 'role:name'.")
    model: str | None = Field(default=None, description="The language model; null when rules alone run.")
    model_settings: dict[str, Any] = Field(default_factory=dict, description="Options of the model, in full.")
    dictionaries: dict[str, str] = Field(default_factory=dict, description="Hex SHA-256 of each, by name.")
    versions: dict[str, str] = Field(default_factory=dict, description="Versions of Lineproof and its libraries.")
    code_sha256: str = Field(description="Hex SHA-256 over the source files of Lineproof that run.")


class Budget(Part):
    """What a batch may spend; hard. Null: no limit."""

    amount: float | None = Field(default=None, ge=0, description="Money, in `currency`.")
    currency: str = Field(default="USD", description="ISO 4217 code.")
    max_calls: int | None = Field(default=None, ge=0, description="Calls to the model, repairs and retries included.")
    requests_per_minute: int | None = Field(default=None, ge=1, description="Requests over all workers.")
    tokens_per_minute: int | None = Field(default=None, ge=1, description="Tokens, read and written, over all workers.")


class Spent(Part):
    """What a batch has spent so far, over all its sessions."""

    calls: int = Field(default=0, ge=0, description="Calls that were sent.")
    input_tokens: int = Field(default=0, ge=0, description="Tokens read.")
    output_tokens: int = Field(default=0, ge=0, description="Tokens written.")
    amount: float | None = Field(default=None, ge=0, description="Money; null where no price is known.")
    currency: str | None = Field(default=None, description="ISO 4217 code.")


class BatchPlan(Part):
    """What a batch would do and cost, said before anything is spent. Estimates are upper ends unless said."""

    document_count: int = Field(ge=0, description="Documents of the collection.")
    unreadable_count: int = Field(ge=0, description="Documents that cannot be read.")
    page_count: int = Field(ge=0, description="Pages, as far as they are known without parsing.")
    pages_estimated: int = Field(default=0, ge=0, description="Pages estimated for documents not yet in the store.")
    question_count: int = Field(ge=0, description="Questions.")
    cell_count: int = Field(ge=0, description="Documents x questions.")
    cached_cells: int = Field(ge=0, description="Cells that are in the store already and cost nothing.")
    out_of_scope: int = Field(ge=0, description="Cells whose document is outside the scope of the question.")
    cells_to_ask: int = Field(ge=0, description="What is left to do.")
    max_calls: int = Field(ge=0, description="Most model calls, were something found in every cell.")
    expected_calls: int = Field(ge=0, description="Calls expected after the keyword sweep.")
    input_tokens: int = Field(ge=0, description="Tokens read in the expected calls.")
    output_tokens: int = Field(ge=0, description="Tokens written in the expected calls.")
    amount: float | None = Field(default=None, ge=0, description="Price of the expected calls; null: no price known.")
    max_amount: float | None = Field(default=None, ge=0, description="Price of the most calls.")
    currency: str | None = Field(default=None, description="ISO 4217 code.")
    price_source: str | None = Field(default=None, description="Where the prices come from, and of which day.")
    seconds: float = Field(ge=0, description="Expected time.")
    basis: tuple[str, ...] = Field(default=(), description="On what the estimates rest, a sentence each.")


class BatchProgress(Record):
    """`progress.json` of a batch: how far it is; rewritten while it runs. No other record of a batch holds times."""

    SCHEMA_NAME: ClassVar[str] = "batch_progress"
    SCHEMA_VERSION: ClassVar[int] = 1

    batch: str = Field(description="Id of the batch.")
    state: Literal["planning", "running", "stopping", "ended", "stopped"] = Field(description="What it does now.")
    started: str = Field(description="When this session began, UTC, ISO 8601.")
    updated: str = Field(description="When this was written, UTC, ISO 8601.")
    seconds: float = Field(ge=0, description="Since this session began.")
    process: int = Field(ge=0, description="Id of the process that runs it.")
    host: str = Field(default="", description="Name of its machine.")
    documents_done: int = Field(ge=0, description="Documents whose cells are in the store.")
    documents: int = Field(ge=0, description="Documents of the batch.")
    cells_done: int = Field(ge=0, description="Cells that need no more work.")
    cells: int = Field(ge=0, description="Cells of the batch.")
    cells_from_cache: int = Field(default=0, ge=0, description="Of the cells done, those that were in the store.")
    by_status: dict[str, int] = Field(default_factory=dict, description="Cells by status.")
    spent: Spent = Field(default=Spent(), description="What was spent so far.")
    budget: Budget = Field(default=Budget(), description="What may be spent.")
    eta_seconds: float | None = Field(default=None, ge=0, description="Until the end; null where it cannot be told.")
    current: tuple[str, ...] = Field(default=(), description="Documents in work.")
    slowed: str | None = Field(
        default=None, description="Why it waits: a limit of the server or of the user; null: not."
    )
    stopped_because: str | None = Field(default=None, description="Why it stopped before the end; null: it did not.")
