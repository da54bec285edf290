"""What a batch would do and cost, before anything is spent: counted where it can be, estimated where not, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.batch.documents.places import MEMBER, is_remote
from pipeline.batch.keys import cell_key
from pipeline.batch.records import load_kept, standing
from pipeline.batch.requesting import request_of
from pipeline.batch.scope import out_of_scope
from schemas.batch import BatchDocument, BatchPlan

if TYPE_CHECKING:
    from pipeline.batch.running import Wanted

# Measured on CUAD contracts, 41 questions, on 2 cores (benchmarks/batch.py; docs/scale.md).
SECONDS_A_PAGE = 0.05  # of parsing, one process
SECONDS_A_CELL = 0.08  # of asking by rules, one process
FOUND_SHARE = 0.4  # of cells in which the keyword sweep finds something: a model is asked there
CALLS_A_CELL = 2  # arbiter and generation
MOST_CALLS_A_CELL = 4  # with a repair each
INPUT_TOKENS_A_CALL, OUTPUT_TOKENS_A_CALL = 3_000, 400  # of a call with the passages of a contract
SECONDS_A_CALL = 3.0  # of a hosted model
BYTES_A_PAGE = 5_000  # of a document whose pages cannot be counted cheaply


def plan_batch(wanted: Wanted, *, processes: int) -> BatchPlan:
    """The plan of a batch; nothing is parsed, asked or written.

    Raises SettingsError where the environment is wrong.
    """
    request = request_of(wanted)
    from pipeline.batch.running import doc_id_of

    pages = estimated = unreadable = cached = out = left = 0
    for document in request.documents:
        doc_id = doc_id_of(document)
        kept = load_kept(wanted.store, doc_id) if doc_id and wanted.store.is_dir() else None
        keys: dict[str, str] = {}
        for question in request.questions:
            if document.fault is None and out_of_scope(document, question, clearance=wanted.clearance) is not None:
                out += 1
            elif document.fault is None and (key := cell_key(request, document, question)) is not None:
                keys[question.question_id] = key
        found = standing(wanted.store, kept.cells, keys.values()) if kept else {}
        cached += sum(key in found for key in keys.values())
        left += len(keys) - sum(key in found for key in keys.values())
        unreadable += document.fault is not None
        if kept:
            pages += kept.page_count
        elif document.fault is None:
            count, is_estimate = _pages_of(document, wanted.places.get(document.name, ""))
            pages += count
            estimated += count if is_estimate else 0
    return _priced(wanted, request.model, BatchPlan(
        document_count=len(request.documents), unreadable_count=unreadable, page_count=pages, pages_estimated=estimated,
        question_count=len(request.questions), cell_count=len(request.documents) * len(request.questions),
        cached_cells=cached, out_of_scope=out, cells_to_ask=left, max_calls=0, expected_calls=0, input_tokens=0,
        output_tokens=0, seconds=_seconds(pages if left else 0, left, processes),
        basis=(f"{SECONDS_A_PAGE:g} s a page and {SECONDS_A_CELL:g} s a cell in each of {processes} processes",),
    ))  # fmt: skip


def _priced(wanted: Wanted, model: str | None, plan: BatchPlan) -> BatchPlan:
    """The plan with what a model would be asked."""
    if model is None:
        return plan.model_copy(update={"basis": (*plan.basis, "no model is asked: rules alone answer")})
    from pipeline.batch.calls import price_of

    price = price_of(model, file=wanted.prices)
    calls = round(plan.cells_to_ask * FOUND_SHARE) * CALLS_A_CELL
    most = plan.cells_to_ask * MOST_CALLS_A_CELL
    read, written = calls * INPUT_TOKENS_A_CALL, calls * OUTPUT_TOKENS_A_CALL
    basis = (
        *plan.basis,
        f"the keyword sweep finds something in {FOUND_SHARE:.0%} of the cells, and only there a model is asked",
        f"{CALLS_A_CELL} calls a cell ({MOST_CALLS_A_CELL} at most), {INPUT_TOKENS_A_CALL:,} tokens read in each",
        *([] if price else [f"no price is known for {model}: set LINEPROOF_PRICE_INPUT and LINEPROOF_PRICE_OUTPUT"]),
    )
    return plan.model_copy(
        update={
            "max_calls": most,
            "expected_calls": calls,
            "input_tokens": read,
            "output_tokens": written,
            "amount": round(price.of(read, written), 4) if price else None,
            "max_amount": round(price.of(most * INPUT_TOKENS_A_CALL, most * OUTPUT_TOKENS_A_CALL), 4)
            if price
            else None,
            "currency": price.currency if price else None,
            "price_source": price.source if price else None,
            "seconds": round(plan.seconds + calls * SECONDS_A_CALL / max(1, wanted.threads), 1),
            "basis": basis,
        }
    )


def _seconds(pages: int, cells: int, processes: int) -> float:
    return round((pages * SECONDS_A_PAGE + cells * SECONDS_A_CELL) / processes, 1)


def _pages_of(document: BatchDocument, place: str) -> tuple[int, bool]:
    """Pages of a document that is not parsed yet, and whether that is an estimate."""
    if place.lower().endswith(".pdf") and not is_remote(place) and MEMBER not in place:
        from schemas.errors import PipelineError

        try:
            return _count_pages(Path(place)), False
        except (PipelineError, OSError):
            pass
    return max(1, (document.byte_count or 0) // BYTES_A_PAGE), True


def _count_pages(path: Path) -> int:
    import pypdfium2

    try:
        opened = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise OSError(str(error)) from error
    try:
        return len(opened)
    finally:
        opened.close()
