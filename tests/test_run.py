"""ask() and ask_case(): the four bricks in a row, saved, and the same bytes wherever they run."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path

import pymupdf
import pytest
from openpyxl import load_workbook

from pipeline.case import ask_case, compare_answers, find_precedence
from pipeline.run import ask, open_model, parse
from pipeline.store.documents import load_document
from pipeline.store.folders import MANIFEST, read_folder
from pipeline.store.names import parsing_folder
from pipeline.store.runs import load_case, load_run
from schemas.answer import (
    Amount,
    Answer,
    AnswerItem,
    Completeness,
    DocumentAnswer,
    Duration,
    EvidenceSpan,
    TextValue,
    Value,
)
from schemas.errors import InputError
from tests import builders

CLOCKED = ("trace.json", MANIFEST, "seal.json", "entry.json")  # hold times, a random salt, or the hash of such
FEE = "What is the annual programme fee?"
COMPOUND = "What is the annual programme fee? And which law governs the agreement?"


@pytest.fixture
def contract(project: Path) -> Path:
    """The sample contract."""
    return project / "examples" / "supply_agreement.pdf"


def test_the_four_records_are_saved_as_they_were_returned(contract: Path, tmp_path: Path) -> None:
    """What is on disk is what the caller holds."""
    run = ask(contract, FEE, store=tmp_path)
    saved = load_run(run.path)
    assert (saved.question, saved.retrieval, saved.answer, saved.trace) == (
        run.question, run.retrieval, run.answer, run.trace
    )  # fmt: skip
    stored = load_document(tmp_path, run.document.doc_id)
    assert stored is not None
    assert stored.same_as(run.document)
    assert run.path.parent.parent.name == run.document.doc_id


def test_two_machines_give_the_same_bytes(contract: Path, tmp_path: Path) -> None:
    """Another folder, another store, another time zone, another hash seed: not a byte differs but in trace and seal."""
    made = []
    for number, zone in enumerate(("UTC", "Asia/Tokyo")):
        folder = tmp_path / f"place{number}"
        folder.mkdir()
        code = f"from pipeline.run import ask; print(ask({str(contract)!r}, {FEE!r}, store='kept{number}').path)"
        environment = {**os.environ, "PYTHONHASHSEED": str(number), "TZ": zone, "LC_ALL": "C"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
        )
        run = folder / done.stdout.strip()
        made.append({p.name: p.read_bytes() for p in run.iterdir() if p.name not in CLOCKED})
    assert set(made[0]) > {"retrieval_result.json", "answer.json", "retrieved_pages.xlsx", "highlighted.pdf"}
    for name in made[0]:
        assert made[0][name] == made[1][name], name
        if name.endswith(".json"):
            assert str(tmp_path).encode() not in made[0][name]


def test_the_same_bytes_are_parsed_once(contract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second question reads the parsed document out of the store; other settings or another version do not."""
    first = ask(contract, FEE, store=tmp_path)
    second = ask(contract, "How long is the initial term?", store=tmp_path)
    assert [run.trace.stages[0].from_cache for run in (first, second)] == [False, True]
    monkeypatch.setattr("pipeline.tracing.version", lambda _: "another")
    assert not parse(contract, store=tmp_path).stage.from_cache


def test_the_trace_links_the_stages_by_hashes(contract: Path, tmp_path: Path) -> None:
    """Each stage names what it read and wrote; the hashes are those of the files."""
    run = ask(contract, FEE, store=tmp_path)
    assert [stage.stage for stage in run.trace.stages] == [
        "parsing",
        "question",
        "retrieval",
        "generation",
        "highlight",
    ]
    for stage in run.trace.stages:
        folder = parsing_folder(tmp_path, run.document.doc_id) if stage.stage == "parsing" else run.path
        for name, expected in stage.output_sha256.items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected, name
    assert run.trace.stages[3].input_sha256["retrieval_result.json"] == run.retrieval.content_sha256()
    assert {"lineproof", "pymupdf"} <= {name.lower() for name in run.trace.versions}
    assert set(run.trace.settings) == {"parsing", "question", "retrieval", "generation"}
    assert run.trace.model_calls == ()


def test_the_workbook_shows_the_pages_of_the_candidates(contract: Path, tmp_path: Path) -> None:
    """One row a page, best first."""
    run = ask(contract, FEE, store=tmp_path)
    rows = list(load_workbook(run.path / "retrieved_pages.xlsx").worksheets[0].iter_rows(values_only=True))
    assert rows[0][:3] == ("page_num", "rank", "match_count")
    assert {row[0] for row in rows[1:]} == {
        page for c in run.retrieval.candidates for page in range(c.anchor.page_start, c.anchor.page_end + 1)
    }
    assert rows[1][1] == 1


def test_a_compound_question_is_answered_part_by_part(contract: Path, tmp_path: Path) -> None:
    """Each independent part is a run of its own, named in the trace of the whole; no half is dropped."""
    run = ask(contract, COMPOUND, store=tmp_path)
    if not run.question.plan.decompose:
        pytest.skip("question analysis does not take this question apart")
    assert [part.answer.status for part in run.parts] == ["answered", "answered"]
    assert run.trace.parts == tuple(part.path.name for part in run.parts)
    for part in run.parts:
        assert load_run(part.path).answer == part.answer
        assert part.parts == ()


def test_steps_are_told_in_order(contract: Path, tmp_path: Path) -> None:
    """Whoever waits learns what is being done."""
    told: list[str] = []
    ask(contract, FEE, store=tmp_path, narrate=told.append)
    assert told[0] == "reading the document"
    assert len(told) >= 4


def test_no_model_is_used_unless_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment alone sends nothing anywhere, and makes no transcript."""
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    assert open_model(tmp_path / "store") is None
    assert not (tmp_path / "store").exists()


def test_contract_and_amendment_conflict(project: Path, tmp_path: Path) -> None:
    """Both caps with their quotes, the clause on precedence quoted, nothing settled; saved as it was returned."""
    paths = [project / "examples" / name for name in ("supply_agreement.pdf", "amendment_1.pdf")]
    case = ask_case(paths, "What is the liability cap?", store=tmp_path)
    (conflict,) = case.answer.conflicts
    assert "2,500,000" in conflict.statement
    assert "4,000,000" in conflict.statement
    assert {name.partition("/")[0] for name in conflict.candidate_ids} == {run.document.doc_id for run in case.runs}
    assert "this Amendment prevails" in case.answer.text
    assert load_case(case.path) == case.answer
    assert read_folder(tmp_path, case.path) is not None


def test_a_case_needs_two_documents(contract: Path, tmp_path: Path) -> None:
    """One document, or the same one twice, is no case."""
    with pytest.raises(InputError, match="at least two"):
        ask_case([contract], FEE, store=tmp_path)
    with pytest.raises(InputError, match="twice"):
        ask_case([contract, contract], FEE, store=tmp_path)


def say(doc: str, *values: Value) -> DocumentAnswer:
    """What one document answers; nothing for no value."""
    span = EvidenceSpan(
        candidate_id="p1_l1", line_start=1, line_end=1, page_start=1, page_end=1, page_line_start=1, page_line_end=1,
        quote=f"quote of {doc}",
    )  # fmt: skip
    answer = Answer(
        doc_id=doc, question="q", status="answered" if values else "refused", text="t", answer_shape="single",
        answer_type="amount", completeness=Completeness(complete=None, found_count=len(values), reason="r"),
        items=tuple(AnswerItem(value=v, spans=(span,), extraction_method="verbatim", checks=()) for v in values),
        confidence=1, answered_by="rules", stamp=builders.stamp(),
    )  # fmt: skip
    return DocumentAnswer(doc_id=doc, source_name=f"{doc}.pdf", answer=answer)


def years(number: int) -> Duration:
    """So many years."""
    return Duration(number=Decimal(number), unit="year", original=f"{number} years")


def test_values_are_compared_as_what_they_are() -> None:
    """Sixty months are five years; a document that is silent contradicts nothing; any other difference is told."""
    months = Duration(number=Decimal(60), unit="month", original="60 months")
    euros, dollars = (Amount(value=Decimal(5), currency=code, original=f"{code} 5") for code in ("EUR", "USD"))
    assert compare_answers([say("a", years(5)), say("b", months)]) == ()
    assert compare_answers([say("a", years(5)), say("b")]) == ()
    assert compare_answers([say("a"), say("b")]) == ()
    assert (
        compare_answers([say("a", TextValue(text="Law  of Ireland")), say("b", TextValue(text="law of ireland"))]) == ()
    )
    (conflict,) = compare_answers([say("a", euros), say("b", dollars), say("c", euros)])
    assert conflict.candidate_ids == ("a/p1_l1", "b/p1_l1", "c/p1_l1")
    for word in ("EUR 5", "USD 5", "a.pdf", "page 1, line 1"):
        assert word in conflict.statement
    assert [side.quote for side in conflict.sides] == ["quote of a", "quote of b", "quote of c"]
    assert len(compare_answers([say("a", years(5)), say("b", years(5), years(3))])) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In case of conflict between this Amendment and the Agreement, this Amendment prevails.", True),
        ("If there is any inconsistency, the Schedules take precedence over the Order Form.", True),
        ("In the event of a discrepancy the English version shall control.", True),
        ("En caso de contradicción entre ambos textos prevalecerá la versión española.", True),
        ("En cas de contradiction, les conditions particulières prévalent.", True),
        ("This Agreement is governed by Irish law, without regard to conflict of laws principles that control.", False),
        ("No director has a conflict of interest. The prevailing party recovers its costs.", False),
        ("The Buyer controls the quality of the goods.", False),
    ],
)
def test_clauses_on_precedence_are_quoted(text: str, found: bool) -> None:
    """A sentence that says which text wins where two differ, in three languages; other conflicts are left alone."""
    assert [text in clause for clause in find_precedence(builders.document(builders.lines([text])))] == [True] * found


def test_hidden_words_settle_nothing() -> None:
    """A clause that nobody can see on the page is not quoted."""
    text = "In case of conflict this Amendment prevails."
    line_df = builders.lines([text], visible=[False], hidden_reason=["white on white"])
    assert find_precedence(builders.document(line_df)) == []


def test_a_damaged_cache_is_noted_once(contract: Path, tmp_path: Path) -> None:
    """The note stands in the trace of the run that mended it, and the next run reads the mended copy."""
    first = ask(contract, FEE, store=tmp_path)
    victim = parsing_folder(tmp_path, first.document.doc_id) / "line_df.parquet"
    victim.write_bytes(victim.read_bytes()[:-7])
    second, third = (ask(contract, FEE, store=tmp_path) for _ in range(2))
    assert len(second.trace.notes) == 1
    assert not second.trace.stages[0].from_cache
    assert third.trace.notes == ()
    assert third.trace.stages[0].from_cache
    assert json.loads((second.path / "trace.json").read_bytes())["notes"] == []  # the third run replaced it


def test_files_inside_a_document_are_asked_the_same(project: Path, tmp_path: Path) -> None:
    """A mail with a contract attached: the mail says nothing, the contract answers, and no absence is proven."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.com", "b@example.com", "The signed agreement"
    message.set_content("Dear all,\n\nthe signed agreement is attached.\n")
    contract = (project / "examples" / "supply_agreement.pdf").read_bytes()
    message.add_attachment(contract, maintype="application", subtype="pdf", filename="agreement.pdf")
    (tmp_path / "mail.eml").write_bytes(message.as_bytes())
    run = ask(tmp_path / "mail.eml", FEE, store=tmp_path / "store")
    assert run.answer.status == "not_found"
    assert run.answer.absence is not None
    assert run.answer.absence.verdict == "inconclusive"
    (inside,) = run.inside
    assert inside.answer.status == "answered"
    assert inside.document.source_name == "agreement.pdf"
    assert inside.path.parent.parent.name == inside.document.doc_id
    span = inside.answer.items[0].spans[0]
    assert (span.page_unit, span.page_start) == ("page", 6)


def test_a_format_without_pages_cites_none(tmp_path: Path) -> None:
    """Lines are counted through, and no page number stands in the record or its words."""
    (tmp_path / "note.txt").write_text("Fees\n\nThe delivery fee is EUR 120.\n")
    run = ask(tmp_path / "note.txt", "What is the delivery fee?", store=tmp_path / "store")
    assert run.answer.status == "answered"
    span = run.answer.items[0].spans[0]
    assert (span.page_unit, span.page_start, span.page_end) == ("none", None, None)
    assert "page" not in run.answer.text


def test_a_scan_is_read_once_and_again_when_the_engine_changed(
    tmp_path: Path, contract: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What recognised the pages stands in the stamp: the same engine needs no second reading, another one does."""
    with pymupdf.open(contract) as document, pymupdf.open() as scan:
        picture = document[5].get_pixmap(dpi=150)
        page = scan.new_page(width=document[5].rect.width, height=document[5].rect.height)
        page.insert_image(page.rect, pixmap=picture)
        scan.save(tmp_path / "scan.pdf")
    first = parse(tmp_path / "scan.pdf", store=tmp_path / "store")
    assert "tesseract" in first.document.stamp.libraries
    assert parse(tmp_path / "scan.pdf", store=tmp_path / "store").stage.from_cache
    monkeypatch.setattr("pipeline.parsing.ocr.engines.installed_engines", lambda: {"tesseract": "99 xx"})
    assert not parse(tmp_path / "scan.pdf", store=tmp_path / "store").stage.from_cache


def test_what_only_a_footer_or_a_picture_says_is_never_proven_absent(tmp_path: Path) -> None:
    """Running text is not searched page by page, and pictures in native pages are not looked at: absence stays open."""
    with pymupdf.open() as document:
        for number in range(4):
            page = document.new_page()
            for line in range(12):
                page.insert_text((72, 90 + 20 * line), f"Clause {number}.{line} on the delivery of goods to the buyer.")
            page.insert_text((72, 800), "Disputes are settled by arbitration in Paris.", fontsize=8)
        document.save(tmp_path / "footer.pdf")
        document.delete_pages(1, 3)
        document[0].add_redact_annot(pymupdf.Rect(0, 780, 595, 842))
        document[0].apply_redactions()
        document.save(tmp_path / "plain.pdf")
        picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 300, 20))
        picture.set_rect(picture.irect, (200, 200, 200))
        document[0].insert_image(pymupdf.Rect(72, 500, 372, 520), pixmap=picture)
        document.save(tmp_path / "picture.pdf")
    asked = {
        name: ask(tmp_path / f"{name}.pdf", "Is there an arbitration clause?", store=tmp_path / "store").answer
        for name in ("plain", "footer", "picture")
    }
    verdicts = {name: answer.absence.verdict for name, answer in asked.items() if answer.absence is not None}
    assert verdicts == {"plain": "proven_absent", "footer": "inconclusive", "picture": "inconclusive"}
    assert "arbitration in Paris" in asked["footer"].absence.statement  # type: ignore[union-attr]
