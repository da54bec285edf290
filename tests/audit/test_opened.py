"""A saved run done again from what the store holds: the same bytes, whatever happened in it, and nothing sent."""

from __future__ import annotations

import socket
from email.message import EmailMessage
from pathlib import Path

import pytest

from pipeline.audit.opened import OpenedRun, Start, load_used, offline_model, open_run, rerun
from pipeline.run import Run, ask
from pipeline.store.dictionaries import FOLDER, USED, save_dictionary
from pipeline.store.folders import open_store
from pipeline.store.runs import load_run
from pipeline.store.sealed import former_folders
from schemas.errors import InputError, RecordError
from tests.commands import FEE
from tests.faults.test_model_faults import FAULTS, ask_model
from tests.test_conversation import CONTRACT

STARTS: tuple[Start, ...] = ("question", "retrieval", "generation")
COMPOUND = "What is the annual programme fee? And which law governs the agreement?"


@pytest.fixture
def contract(project: Path) -> Path:
    """The sample contract."""
    return project / "examples" / "supply_agreement.pdf"


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection, also to this machine."""

    def refuse(*_: object) -> None:
        raise ConnectionRefusedError("nothing may be sent")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def differing(opened: OpenedRun, again: Run) -> list[str]:
    """Names of the files that are not what is stored."""
    return [name for name, data in again.files.items() if (opened.folder / name).read_bytes() != data]


def assert_replays(run: Run) -> None:
    """Every run of it gives the same bytes again, from every stage."""
    for one in (run, *run.all()):
        opened = open_run(one.path)
        assert opened.saved.request == one.request
        for start in STARTS:
            assert differing(opened, rerun(opened, llm=offline_model(opened), start=start)) == [], start


@pytest.mark.parametrize("question", [FEE, COMPOUND, "Is there a non-compete clause?", "List the parties."])
def test_a_run_by_rules_is_done_again_to_the_byte(
    contract: Path, tmp_path: Path, no_network: None, question: str
) -> None:
    """Found, compound, not found, a listing: from any stage on, each file is the stored one."""
    assert_replays(ask(contract, question, store=tmp_path))


def test_a_conversation_is_done_again_to_the_byte(tmp_path: Path, no_network: None) -> None:
    """A follow-up and a reply to a question back rest on what went before; the record holds it."""
    (tmp_path / "contract.txt").write_text(CONTRACT)
    for text, choose in (
        ("What is the liability cap?", None),
        ("What is the cap?", 1),
        ("And for the Customer?", None),
    ):
        assert_replays(ask(tmp_path / "contract.txt", text, store=tmp_path / "store", session="talk", choose=choose))


def test_files_inside_a_document_are_done_again(contract: Path, tmp_path: Path, no_network: None) -> None:
    """A mail with a contract attached: both runs."""
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Agreement", "a@example.com", "b@example.com"
    message.set_content("Dear all,\n\nthe signed agreement is attached.\n")
    message.add_attachment(contract.read_bytes(), maintype="application", subtype="pdf", filename="agreement.pdf")
    (tmp_path / "mail.eml").write_bytes(message.as_bytes())
    run = ask(tmp_path / "mail.eml", FEE, store=tmp_path / "store")
    assert run.inside[0].request.inside == run.document.doc_id
    assert_replays(run)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_run_with_a_model_is_done_again_from_its_own_record(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Whatever the model said, or why it said nothing: the same bytes, with the network refused and no transcript."""
    run, _ = ask_model(project, open_store(tmp_path), FAULTS[fault], "transcript")
    (tmp_path / "transcript_llm_calls.sqlite").unlink()

    def refuse(*_: object) -> None:
        raise ConnectionRefusedError("nothing may be sent")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert_replays(run)


def test_a_replaced_run_is_kept_and_can_be_done_again(contract: Path, tmp_path: Path) -> None:
    """A question asked again takes the place of its run; the one before stays, whole, and replays."""
    first = ask(contract, FEE, store=tmp_path)
    trace = load_run(first.path).trace
    second = ask(contract, FEE, store=tmp_path)
    (former,) = former_folders(tmp_path, second.path)
    opened = open_run(former)
    assert opened.saved.trace == trace
    assert differing(opened, rerun(opened, llm=None)) == []


def test_the_words_of_then_are_read_from_the_store(contract: Path, tmp_path: Path) -> None:
    """A dictionary that was changed since does not change a replay; one that was not kept is an error that names it."""
    run = ask(contract, FEE, store=tmp_path)
    then = run.request.dictionaries["contracts"]
    shipped = (Path(__file__).parents[2] / "dictionaries" / "contracts.toml").read_bytes()
    other = shipped.replace(b"governing law", b"ruling law")
    assert other != shipped
    save_dictionary(tmp_path, "contracts", other, former=None)
    changed = ask(contract, "Which law governs the agreement?", store=tmp_path)
    assert changed.request.dictionaries["contracts"] != then
    assert_replays(run)
    assert_replays(changed)
    (tmp_path / FOLDER / USED / f"{changed.request.dictionaries['contracts']}.toml").unlink()
    with pytest.raises(RecordError, match="contracts"):
        load_used(tmp_path, changed.request.dictionaries)


def test_a_run_from_before_the_ledger_cannot_be_done_again(contract: Path, tmp_path: Path) -> None:
    """It loads and shows, and what it lacks is said."""
    from pipeline.store.folders import write_folder

    run = ask(contract, FEE, store=tmp_path)
    old = {name: data for name, data in run.files.items() if name != "request.json"}
    write_folder(tmp_path, tmp_path / "old_1" / "questions" / "q_1", {**old, "trace.json": run.trace.to_json()})
    assert load_run(tmp_path / "old_1" / "questions" / "q_1").request is None
    with pytest.raises(InputError, match=r"request\.json"):
        open_run(tmp_path / "old_1" / "questions" / "q_1")
