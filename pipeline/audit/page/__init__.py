"""The page of a run for an auditor: one HTML file that opens from disk, fetches nothing and runs no script.

It renders records and judges nothing: the question and its answer, the decision path drawn, the document's pages with
the passages marked, every candidate with what the arbiter saw and what it decided, the checks, what the model saw and
said, settings, versions, hashes, seal and ledger line. No text of a document becomes markup; the same records give the
same bytes, with the same libraries for the pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.audit.page.reviewed import with_reviews
from pipeline.audit.page.told import answering, sealed_part, tell_folder, tell_opened, without_source
from pipeline.audit.page.whole import case_page, run_page
from pipeline.audit.reviewing.told import Verdicts
from pipeline.store.runs import is_case, load_case, root_of_run
from pipeline.store.seals import read_seal
from schemas.errors import RecordError

if TYPE_CHECKING:
    from pipeline.audit.opened import OpenedRun
    from pipeline.audit.page.told import ToldRun

__all__ = ["folder_page", "trace_page"]


def trace_page(opened: OpenedRun, *, password: str | None = None) -> bytes:
    """The page of an opened run, the parts of a compound question below it.

    `password` opens a protected document for its pictures; without it the lines are shown as text.

    Raises StoreError for a ledger that cannot be read.
    """
    return run_page(with_reviews(tell_opened(opened, password=password), opened.root))


def folder_page(
    folder: Path, *, password: str | None = None, with_pictures: bool = True, verdicts: Verdicts | None = None
) -> bytes:
    """The page of a run or a case in the store, with whatever of it is still there; what is not is said.

    Without `with_pictures` no page of a document is drawn: its marked lines are shown as text. `verdicts` are those of
    the store, where the caller has read them.

    Raises RecordError for a damaged record, StoreError for a ledger that cannot be read.
    """
    folder = folder.resolve()
    root = root_of_run(folder)
    verdicts = verdicts or Verdicts(root)
    if not is_case(folder):
        run = with_reviews(tell_folder(folder, password=password), root, verdicts)
        return run_page(run if with_pictures else without_source(run))
    case, seal = load_case(folder), read_seal(folder)
    runs: list[ToldRun | None] = []
    for one in case.answers:
        places = [place for place in (seal.runs if seal else ()) if place.startswith(f"{one.doc_id}/")]
        own = sealed_part(root, places[0], seal) if places else answering(root, one)
        try:
            told = tell_folder(own, password=password) if own else None
            runs.append(with_reviews(told, root, verdicts) if told else None)
        except RecordError:
            runs.append(None)
    shown = runs if with_pictures else [run and without_source(run) for run in runs]
    return case_page(case, shown, verdicts.on(folder))
