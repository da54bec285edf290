"""Two generation prompts on the same evidence for a whole batch, in one table."""

from __future__ import annotations

import csv
import html
import io
import json
from pathlib import Path

import openpyxl
import pytest

from pipeline.audit.replaying.table import ComparedRun, VariantAnswer, VariantTable
from pipeline.audit.replaying.tabled import to_file
from pipeline.run import ask
from tests.audit.agreement import CAP, LAW, written
from tests.audit.test_replay import json_of, prompt_file, use
from tests.audit.told import MODEL, ask_told, behave
from tests.commands import assert_clear, call
from tests.scripted_server import ScriptedServer, Status


def test_two_prompts_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row a run, its answer under each; a run by rules says that a prompt has no effect; then it is all on record."""
    path, store = written(tmp_path), tmp_path / "s"
    told, _ = ask_told(path, store)
    ask(path, LAW, store=store)
    plain, cautious = prompt_file(tmp_path, "{system}", "a.txt"), prompt_file(tmp_path)
    arguments = ("replay", "--all", "--from", "generation", "--prompt", plain, "--prompt", cautious, "--store", store)
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        monkeypatch.setenv("LINEPROOF_MODEL", MODEL)
        seen = json_of(*arguments)
        assert len(server.requests) == 1  # the plain one is on record
    monkeypatch.delenv("OPENAI_BASE_URL")
    out = tmp_path / "table.xlsx"
    again = json_of(*arguments, "--out", out)
    table = VariantTable.model_validate({name: seen[name] for name in ("variants", "rows", "text")})
    rows = {row.question: row for row in table.rows}
    assert table.variants == ("a.txt", "b.txt")
    assert [one.status for one in rows[CAP].answers] == ["answered", "not_found"]
    assert rows[CAP].same is False
    assert rows[CAP].answers[0].values == ("EUR 2,500,000",)
    assert rows[CAP].answers[0].input_tokens > 0
    assert rows[LAW].same is True
    assert all("no effect" in one.note for one in rows[LAW].answers)
    assert [row["answers"][1]["text"] for row in again["rows"]] == [row.answers[1].text for row in table.rows]
    assert sum(one["calls_sent"] for row in again["rows"] for one in row["answers"]) == 0
    assert "2 runs: 1 the same, 1 different." in table.text
    sheet = openpyxl.load_workbook(out).active
    assert sheet is not None
    assert [cell.value for cell in sheet[1]][:4] == ["run", "document", "question", "outcome"]
    assert sheet.max_row == 4  # head, two runs, the gist
    assert told.path.name in {str(cell.value).rsplit("/", 1)[-1] for cell in sheet["A"]}


def test_strict_replays_of_a_whole_store(tmp_path: Path) -> None:
    """Without an option every run is done again as it was; the exit code says whether all came out the same."""
    path, store = written(tmp_path), tmp_path / "s"
    for question in (CAP, LAW):
        ask(path, question, store=store)
    seen = json_of("replay", "--all", "--store", store)
    assert [row["answers"][0]["identical"] for row in seen["rows"]] == [True, True]
    broken = next(store.glob("*/questions/*/answer.json"))
    broken.write_bytes(broken.read_bytes().replace(b"answered", b"refused ", 1))
    result = call("replay", "--all", "--store", store, "--json")
    assert result.exit_code == 1
    assert [row["same"] for row in json.loads(result.stdout)["rows"]].count(None) == 1


def test_a_server_that_is_down_ends_the_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After three runs without a reply the rest is not tried; the message says that nothing is lost."""
    path, store = written(tmp_path), tmp_path / "s"
    for question in (CAP, "What is the cap on liability?", "Is liability capped?"):
        ask_told(path, store, question)
    with ScriptedServer(Status(401)) as server:
        use(server, monkeypatch)
        monkeypatch.setenv("LINEPROOF_MODEL", MODEL)
        result = call("replay", "--all", "--prompt", prompt_file(tmp_path), "--store", store)
    assert_clear(result, 6, "on record")


def test_what_names_no_table_is_said(tmp_path: Path) -> None:
    """An ending that is none, names beside --all, a store without runs, two prompts given several times."""
    run = ask(written(tmp_path), CAP, store=tmp_path / "s")
    one = prompt_file(tmp_path)
    twice = [option for name in ("arbiter", "generation") for option in ("--prompt", f"{name}={one}") * 2]
    for arguments, word in (
        (["--all", "--out", "table.pdf"], ".xlsx"),
        (["--all", run.path.name], "--all"),
        ([run.path.name, *twice], "several times"),
    ):
        assert_clear(call("replay", *arguments, "--store", tmp_path / "s"), 2, word)
    assert_clear(call("replay", "--all", "--store", tmp_path / "none"), 2, "no run")
    assert_clear(call("replay", "--store", tmp_path / "s"), 2, "--all")


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "@SUM(A1)", "\t=1", "<script>alert(1)</script>", "-1"])
def test_no_cell_is_a_formula_and_no_text_is_markup(text: str) -> None:
    """Whatever a document says, in each kind of file."""
    answer = VariantAnswer(variant="a", status="answered", text=text, values=(text,), quotes=(text,), how="rules")
    row = ComparedRun(run="r", document=text, question=text, stored=answer, answers=(answer,), same=True)
    table = VariantTable(variants=(text,), rows=(row,), text=text)
    sheet = openpyxl.load_workbook(io.BytesIO(to_file(table, ".xlsx"))).active
    assert sheet is not None
    assert {cell.data_type for cells in sheet for cell in cells} <= {"s", "n", "inlineStr"}
    rows = list(csv.reader(io.StringIO(to_file(table, ".csv").decode("utf-8-sig"), newline="")))
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cells in rows for cell in cells)
    page = to_file(table, ".html").decode()
    assert "<script" not in page
    assert "default-src 'none'" in html.unescape(page)
    assert to_file(table, ".xlsx") == to_file(table, ".xlsx")
