"""A run, or its papers alone, made again in memory: what comes out, or why that fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.asking import Run, pages_of
from pipeline.audit.opened import Changed, OpenedRun, Start, rerun
from pipeline.audit.restaging.records import Difference
from pipeline.searching import Searching
from pipeline.store.runs import PAGES
from schemas.errors import PipelineError

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

# What code may raise on a record that was altered into a shape that no brick ever wrote; none of it ends a check.
FAULTS = (PipelineError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


@dataclass(frozen=True, slots=True)
class Desk:
    """A run with all that is needed to do it again.

    `searching` is None where it was searched with models that are not here; `skip` are papers that cannot be made here.
    """

    opened: OpenedRun
    llm: LanguageModel | None
    dictionaries: Dictionaries
    searching: Searching | None
    password: str | None = field(repr=False)
    skip: frozenset[str]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A run from some stage on, or why it failed."""

    run: Run | None = None
    fault: str = ""


def run_again(desk: Desk, start: Start) -> Tried:
    """The run from a stage on; where the models of its search are not here, with the default search."""
    changed = Changed(dictionaries=desk.dictionaries, searching=desk.searching or Searching())
    try:
        return Tried(rerun(desk.opened, llm=desk.llm, start=start, changed=changed, password=desk.password))
    except FAULTS as error:
        return Tried(fault=_told(error))


def papers_again(desk: Desk, hashes: Mapping[str, str]) -> dict[str, bytes] | str:
    """The sheets and papers of the stored records, whose SHA-256 they state; or why that fails."""
    from pipeline.sheet.papers import write_papers

    opened, saved = desk.opened, desk.opened.saved
    if not opened.request.papers:
        return {}
    try:
        pages = pages_of(saved.retrieval)
        papers = write_papers(
            opened.document, saved.question, saved.retrieval, saved.answer, data=opened.data, password=desk.password,
            records=hashes,
        )  # fmt: skip
    except FAULTS as error:
        return _told(error)
    return {PAGES: pages, **papers}


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
