"""A batch by rules: cells, cache, changes, bad documents; the same again after any end."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.audit.verify import verify
from pipeline.batch.engines import LocalExecutor
from pipeline.batch.results import Facts, write_results
from pipeline.batch.running import Listening, Outcome, Wanted, run_batch
from pipeline.batch.work import Executor
from pipeline.store.ledger import read_entries
from schemas.batch import BatchCell, BatchProgress
from schemas.request import QuestionTerms
from tests.batch.small import Here, put_collection, questions, wanted


def run(told: Wanted, *, stop_after: int | None = None, executor: Executor | None = None) -> Outcome:
    """The batch, stopped once so many documents are done."""
    seen = [0]

    def report(progress: BatchProgress) -> None:
        seen[0] = progress.documents_done

    return run_batch(
        told,
        executor or Here(),
        Listening(report=report),
        stopping=lambda: stop_after is not None and seen[0] >= stop_after,
    )


def cells(outcome: Outcome) -> dict[tuple[str, str], BatchCell]:
    """All cells by document and question."""
    return {(cell.document, cell.question_id): cell for one in outcome.cells for cell in one.cells}


def book(outcome: Outcome) -> bytes:
    """The results as JSON lines: what must not change."""
    return write_results("r.jsonl", outcome.request, outcome.cells, Facts(outcome.batch))


def test_cells_are_typed_cited_and_proven(tmp_path: Path) -> None:
    """A value has its type, its lines and its run; what is not there has its proof; the store verifies."""
    outcome = run(wanted(put_collection(tmp_path / "docs"), tmp_path / "store"))
    found = cells(outcome)
    assert len(found) == 9
    fee = found["agreement_0.txt", "fee"].values[0]
    assert (fee.kind, fee.number, fee.unit) == ("amount", 12500.0, "EUR")
    assert "annual fee of EUR 12,500" in fee.quote
    assert found["agreement_1.txt", "law"].values[0].text.startswith("France")
    absent = found["agreement_2.txt", "insurance"]
    assert absent.status == "not_found"
    assert absent.absence is not None
    assert absent.absence.searched
    runs = [cell.run for cell in found.values()]
    assert all(name is not None and (tmp_path / "store" / name / "answer.json").is_file() for name in runs)
    report = verify(tmp_path / "store")
    assert not report.mismatches
    assert [entry.kind for entry in read_entries(tmp_path / "store")].count("run") == 9


def test_the_same_batch_again_asks_nothing(tmp_path: Path) -> None:
    """All cells come from the store, nothing is recorded anew but the session itself, and the results are the same."""
    told = wanted(put_collection(tmp_path / "docs"), tmp_path / "store")
    first = run(told)
    again = run(told)
    assert again.cells_from_cache == 9
    assert book(again) == book(first)
    assert [entry.kind for entry in read_entries(tmp_path / "store")].count("run") == 9


def test_another_batch_shares_the_cells(tmp_path: Path) -> None:
    """What one batch asked of a document, another with further questions does not ask again."""
    docs, store = put_collection(tmp_path / "docs"), tmp_path / "store"
    run(wanted(docs, store))
    more = questions(law="Which law governs the agreement?", notice="What is the notice period for termination?")
    outcome = run(wanted(docs, store, questions=more, name="more"))
    assert outcome.cells_from_cache == 3
    assert cells(outcome)["agreement_0.txt", "notice"].values[0].number == 90


def test_a_stopped_batch_goes_on(tmp_path: Path) -> None:
    """Stopped between documents it keeps what is done, marks the rest, and ends as one that was not disturbed."""
    docs = put_collection(tmp_path / "docs", 8)
    stopped = run(wanted(docs, tmp_path / "store"), stop_after=2)
    assert stopped.stopped_because == "it was stopped by the user"
    statuses = {cell.status for cell in cells(stopped).values()}
    assert "not_asked" in statuses
    assert "answered" in statuses
    ended = run(wanted(docs, tmp_path / "store"), executor=LocalExecutor(2))
    assert 0 < ended.cells_from_cache < 24
    assert book(ended) == book(run(wanted(docs, tmp_path / "other")))


def test_what_changed_is_named_and_only_that_is_asked_again(tmp_path: Path) -> None:
    """A document that changed is asked anew, the others are not, and the outcome says which."""
    docs, store = put_collection(tmp_path / "docs"), tmp_path / "store"
    first = run(wanted(docs, store))
    path = docs / "agreement_1.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("laws of France", "laws of Spain"), encoding="utf-8")
    outcome = run(wanted(docs, store))
    assert outcome.batch == first.batch
    assert outcome.changed == ("agreement_1.txt has changed",)
    assert outcome.cells_from_cache == 6
    assert cells(outcome)["agreement_1.txt", "law"].values[0].text.startswith("Spain")


def test_one_bad_file_is_one_failed_row(tmp_path: Path) -> None:
    """Empty, broken and unreadable files are rows with their reasons; the batch ends."""
    docs = put_collection(tmp_path / "docs", 1)
    (docs / "empty.pdf").write_bytes(b"")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a document")
    (docs / "away.txt").symlink_to(tmp_path / "nowhere")
    outcome = run(wanted(docs, tmp_path / "store"))
    faults = {one.document.name: one.fault for one in outcome.cells}
    assert faults["agreement_0.txt"] is None
    assert all(faults[name] for name in ("empty.pdf", "broken.pdf", "away.txt"))
    assert outcome.by_status["failed"] == 9


def test_an_altered_answer_is_not_taken_from_the_store(tmp_path: Path) -> None:
    """A kept cell counts only while the answer it tells of is the one in the store."""
    told = wanted(put_collection(tmp_path / "docs", 1), tmp_path / "store")
    first = run(told)
    run_of = cells(first)["agreement_0.txt", "fee"].run
    path = tmp_path / "store" / str(run_of) / "answer.json"
    path.write_bytes(path.read_bytes().replace(b"12,500", b"99,500"))
    again = run(told)
    assert again.cells_from_cache == 2
    assert "12,500" in cells(again)["agreement_0.txt", "fee"].values[0].quote


def test_terms_are_laid_down_and_on_record(tmp_path: Path) -> None:
    """A type that is laid down wins over the words, and stands in the request of the run."""
    asked = questions(law="Which law governs the agreement?")[0]
    terms = QuestionTerms(answer_type="jurisdiction", allowed_values=("Ireland", "France"))
    told = wanted(
        put_collection(tmp_path / "docs"), tmp_path / "store", questions=(asked.model_copy(update={"terms": terms}),)
    )
    found = cells(run(told))
    assert found["agreement_0.txt", "law"].among_allowed is True
    assert found["agreement_2.txt", "law"].among_allowed is False
    request = json.loads((tmp_path / "store" / str(found["agreement_0.txt", "law"].run) / "request.json").read_bytes())
    assert request["terms"]["answer_type"] == "jurisdiction"
    assert not verify(tmp_path / "store").mismatches


def test_scope_and_priority_leave_documents_out(tmp_path: Path) -> None:
    """A cell outside the scope of its question is never asked, and says why."""
    docs = put_collection(tmp_path / "docs")
    (docs / "sub").mkdir()
    (docs / "agreement_2.txt").rename(docs / "sub" / "agreement_2.txt")
    asked = tuple(one.model_copy(update={"folders": ("sub",)}) for one in questions())
    outcome = run(wanted(docs, tmp_path / "store", questions=asked))
    assert outcome.by_status["out_of_scope"] == 6
    assert cells(outcome)["sub/agreement_2.txt", "law"].status == "answered"


def test_marked_copies_show_every_cited_line(tmp_path: Path, project: Path) -> None:
    """A PDF comes back with a bookmark a question; the copy is not made again while nothing changes."""
    import pymupdf

    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "supply.pdf").write_bytes((project / "examples" / "supply_agreement.pdf").read_bytes())
    asked = questions(law="Which law governs the agreement?", fee="What is the annual programme fee?")
    told = wanted(docs, tmp_path / "store", questions=asked, highlights=tmp_path / "copies")
    outcome = run(told)
    path = tmp_path / "copies" / outcome.marked["supply.pdf"]
    with pymupdf.open(path) as opened:
        titles = [title for _, title, _ in opened.get_toc()]
        notes = [note.info["content"] for page in opened for note in page.annots()]
    assert any(title.startswith("law:") for title in titles)
    assert any("annual programme fee" in note for note in notes)
    written = path.stat().st_mtime_ns
    run(told)
    assert path.stat().st_mtime_ns == written


def test_members_of_an_archive_leave_no_copy_behind(tmp_path: Path) -> None:
    """What is fetched from an archive lies with its document alone, so that an erasure finds it."""
    import zipfile

    docs = put_collection(tmp_path / "docs", 2)
    with zipfile.ZipFile(tmp_path / "docs.zip", "w") as packed:
        for path in sorted(docs.iterdir()):
            packed.write(path, path.name)
    outcome = run(wanted(tmp_path / "docs.zip", tmp_path / "store"))
    assert outcome.by_status == {"answered": 4, "not_found": 2}
    assert not [path for path in (tmp_path / "store" / ".batch_files").rglob("*") if path.is_file()]
