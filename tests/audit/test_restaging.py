"""Stages run again: an untouched store is the same to the byte; what was altered is named, and nothing that follows."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pipeline.audit.restaging import check_stages
from pipeline.case import ask_case
from pipeline.llm import Transcript
from pipeline.run import Run, ask
from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.folders import MANIFEST, open_store
from pipeline.store.names import parsing_folder, source_folder
from pipeline.store.sealed import former_folders, sealed_folders
from schemas.verification import Mismatch, Remark
from tests.commands import FEE
from tests.faults.test_model_faults import FAULTS, QUICK
from tests.llm.doors import door
from tests.scripted_server import ScriptedServer
from tests.test_conversation import CONTRACT

COMPOUND = "What is the annual programme fee? And which law governs the agreement?"
LAW = "Which law governs the agreement?"
Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A store with the run of a fee, made once."""
    root = open_store(tmp_path_factory.mktemp("restaging"))
    contract = Path(__file__).parents[2] / "examples" / "supply_agreement.pdf"
    return root, ask(contract, FEE, store=root)


@pytest.fixture
def fee(_made: tuple[Path, Run], tmp_path: Path) -> tuple[Path, Path]:
    """A copy of that store, and the folder of the run in it."""
    root, run = _made
    copy = tmp_path / "store"
    shutil.copytree(root, copy)
    return copy, copy / run.path.relative_to(root)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection to another machine."""
    connect = socket.socket.connect

    def refuse(one: socket.socket, address: Any) -> None:
        if one.family != socket.AF_UNIX:  # the reading process is this machine's own
            raise ConnectionRefusedError("nothing may be sent")
        connect(one, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


def check(root: Path, **options: Any) -> tuple[list[Mismatch], list[Remark], dict[str, int]]:
    """All that a check of the whole store says."""
    mismatches, remarks, checks = list[Mismatch](), list[Remark](), dict[str, int]()
    for _, found, told, counted in check_stages(root, sealed_folders(root), **options):
        mismatches += found
        remarks += told
        for name, count in counted.items():
            checks[name] = checks.get(name, 0) + count
    return mismatches, remarks, checks


def put(path: Path, data: bytes) -> None:
    """Another content for a file, with the list of files of its folder made to fit."""
    path.write_bytes(data)
    manifest = json.loads((path.parent / MANIFEST).read_bytes())
    manifest["files"][path.name] = hashlib.sha256(data).hexdigest()
    (path.parent / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


def edit(path: Path, change: Edit) -> None:
    """A record changed by `change`, written as Lineproof writes."""
    fields = json.loads(path.read_bytes())
    change(fields)
    put(path, json.dumps(fields, indent=1, ensure_ascii=False).encode() + b"\n")


def kinds(mismatches: list[Mismatch]) -> list[tuple[str, tuple[str, ...]]]:
    """Kind and causes of each."""
    return [(one.kind, one.causes) for one in mismatches]


def test_an_untouched_store_gives_the_same_bytes(project: Path, tmp_path: Path, no_network: None) -> None:
    """Found, absent, compound, a conversation, a former run, a case, a file inside: no mismatch, nothing left out."""
    root, contract = open_store(tmp_path / "store"), project / "examples" / "supply_agreement.pdf"
    for question in (FEE, COMPOUND, "Is there a non-compete clause?"):
        ask(contract, question, store=root)
    other = tmp_path / "contract.txt"
    other.write_text(CONTRACT)
    ask(other, "What is the cap?", store=root, session="talk")
    ask(other, "What is the cap?", store=root, session="talk", choose=1)
    ask_case([contract, other], LAW, store=root)
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Agreement", "a@example.com", "b@example.com"
    message.set_content("Dear all,\n\nthe signed agreement is attached.\n")
    message.add_attachment(contract.read_bytes(), maintype="application", subtype="pdf", filename="agreement.pdf")
    (tmp_path / "mail.eml").write_bytes(message.as_bytes())
    inside = ask(tmp_path / "mail.eml", FEE, store=root).inside[0]
    mismatches, remarks, checks = check(root)
    assert (mismatches, remarks) == ([], [])
    assert checks["cases put together again"] == 1
    assert checks["documents parsed again"] == 4
    assert checks["runs done again"] == len([one for one in sealed_folders(root) if one.parent.name != "cases"])
    assert former_folders(root, root / inside.document.doc_id / "questions" / "none") == []


@pytest.fixture(scope="module")
def _told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A store with a compound question to a model, which leaves a candidate out and is asked again for it."""
    root = open_store(tmp_path_factory.mktemp("told"))
    contract = Path(__file__).parents[2] / "examples" / "supply_agreement.pdf"
    calls = tmp_path_factory.mktemp("calls") / "calls.sqlite"
    with ScriptedServer(FAULTS["omits one"]) as server, Transcript(calls) as transcript:
        return root, ask(contract, COMPOUND, store=root, llm=door(server, transcript, **QUICK))


@pytest.fixture
def told(_told: tuple[Path, Run], tmp_path: Path) -> tuple[Path, Path]:
    """A copy of that store, and the folder of the first part in it."""
    root, run = _told
    copy = tmp_path / "store"
    shutil.copytree(root, copy)
    assert len(run.parts) == 2
    return copy, copy / run.parts[0].path.relative_to(root)


def test_a_model_is_answered_from_the_record(
    told: tuple[Path, Path], no_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compound question with a model: whole and parts come out the same with nothing sent and no transcript file."""
    monkeypatch.setenv("LINEPROOF_MODEL", "one-that-must-not-be-asked")
    mismatches, remarks, checks = check(told[0])
    assert (mismatches, remarks) == ([], [])
    assert checks["model calls answered from the record"] >= 3


def test_a_call_that_is_not_on_record_is_named(told: tuple[Path, Path]) -> None:
    """With the arbiter's calls taken out of the trace of a part, today's code asks for what is not there.

    The whole, which is made of it, is not said to differ.
    """
    root, folder = told

    def forget(fields: dict[str, Any]) -> None:
        fields["model_calls"] = [call for call in fields["model_calls"] if call["purpose"] != "arbiter"]

    edit(folder / "trace.json", forget)
    mismatches, remarks, _ = check(root)
    assert kinds(mismatches) == [("transcript_incomplete", ("record",))]
    assert "arbiter" in mismatches[0].detail
    assert [(one.kind, folder.name in one.detail) for one in remarks] == [("not_checked", True)]


def test_an_edited_reply_gives_another_result(told: tuple[Path, Path]) -> None:
    """The reply of the arbiter on record is changed: searching again from the record gives another result."""
    root, folder = told

    def twist(fields: dict[str, Any]) -> None:
        for call in fields["model_calls"]:
            if call["purpose"] == "arbiter":
                call["reply"] = call["reply"].replace("it carries the clause", "it says nothing of it")

    edit(folder / "trace.json", twist)
    mismatches, _, _ = check(root)
    assert kinds(mismatches) == [("retrieval_differs", ("record",))]


def _swap_reasons(fields: dict[str, Any]) -> None:
    one, other = (fields["provenances"][at] for at in (0, -1))
    assert one["reason"] != other["reason"]
    one["reason"], other["reason"] = other["reason"], one["reason"]


def _first_value(fields: dict[str, Any]) -> None:
    fields["text"] = "The annual fee is EUR 1."


def _one_keyword_less(fields: dict[str, Any]) -> None:
    fields["keywords"] = fields["keywords"][1:]


@pytest.mark.parametrize(
    ("name", "change", "kind"),
    [
        ("parsed_question.json", _one_keyword_less, "question_differs"),
        ("retrieval_result.json", _swap_reasons, "retrieval_differs"),
        ("answer.json", _first_value, "answer_differs"),
    ],
)
def test_an_altered_record_is_named_and_not_what_follows(
    fee: tuple[Path, Path], name: str, change: Edit, kind: str
) -> None:
    """A record altered, its hash with it: one mismatch, of its stage; nothing else has changed, so it was altered."""
    root, folder = fee
    edit(folder / name, change)
    mismatches, remarks, _ = check(root)
    assert kinds(mismatches) == [(kind, ("record",))]
    assert mismatches[0].place == f"{folder.relative_to(root).as_posix()}/{name}"
    assert remarks == []


@pytest.mark.parametrize("name", ["decision.html", "decision.pdf", "highlighted.pdf", "retrieved_pages.xlsx"])
def test_an_altered_paper_is_named(fee: tuple[Path, Path], name: str) -> None:
    """One byte more in a paper."""
    root, folder = fee
    put(folder / name, (folder / name).read_bytes() + b" ")
    mismatches, _, _ = check(root)
    assert kinds(mismatches) == [("papers_differ", ("record",))]
    assert name in mismatches[0].detail


def test_reasons_swapped_in_the_trace_alone_are_found(fee: tuple[Path, Path]) -> None:
    """The trace repeats what the records say; where it says otherwise, it was altered."""
    root, folder = fee

    def swap(fields: dict[str, Any]) -> None:
        _swap_reasons({"provenances": fields["candidates"]})

    edit(folder / "trace.json", swap)
    mismatches, _, _ = check(root)
    assert kinds(mismatches) == [("record_altered", ("record",))]
    assert "candidates" in mismatches[0].detail


def test_an_altered_parsing_is_named_alone(fee: tuple[Path, Path]) -> None:
    """The profile of the stored parsing is changed where no question looks: the parsing differs, the run does not."""
    root, folder = fee
    doc_id = folder.parts[-3]

    def retitle(fields: dict[str, Any]) -> None:
        fields["profile"]["identity"]["creator"] = "somebody else"

    edit(parsing_folder(root, doc_id) / "parsed_document.json", retitle)
    mismatches, _, _ = check(root)
    places = {one.place for one in mismatches if one.kind == "parsing_differs"}
    assert places == {f"{doc_id}/parsing"}


def test_other_code_that_gives_the_same_is_one_remark(fee: tuple[Path, Path]) -> None:
    """The request names other code, and a stamp other libraries: one remark for the store, with the versions."""
    root, folder = fee
    edit(folder / "request.json", lambda fields: fields.update(code_sha256="0" * 64))
    for name in ("parsed_question.json", "retrieval_result.json", "answer.json"):
        edit(folder / name, lambda fields: fields["stamp"]["libraries"].update(numpy="1.0.0"))
    mismatches, remarks, _ = check(root)
    assert [one.kind for one in remarks] == ["versions"]
    assert "numpy 1.0.0 then" in remarks[0].detail
    assert "code 000000000000 then" in remarks[0].detail
    assert mismatches == []


def test_other_code_that_gives_something_else_is_its_cause(fee: tuple[Path, Path]) -> None:
    """A record that differs, made by other code: the cause is the code, not an alteration."""
    root, folder = fee
    edit(folder / "request.json", lambda fields: fields.update(code_sha256="0" * 64))
    edit(folder / "answer.json", _first_value)
    mismatches, _, _ = check(root)
    assert ("answer_differs", ("code",)) in kinds(mismatches)


def test_a_dictionary_that_was_not_kept_is_said(fee: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Today's words are used in the place of those of then, and named where nothing comes of it."""
    root, folder = fee
    edit(folder / "request.json", lambda fields: fields["dictionaries"].update(contracts="0" * 64))
    for path in (root / FOLDER / USED).glob("*.toml"):
        path.unlink()
    mismatches, remarks, _ = check(root)
    assert mismatches == []
    assert [one.kind for one in remarks] == ["versions"]
    assert "the dictionary contracts of then was not kept" in remarks[0].detail


def test_what_cannot_be_checked_is_said(fee: tuple[Path, Path]) -> None:
    """Without the bytes of the document neither its parsing nor the marked pages are made again; the rest is."""
    root, folder = fee
    shutil.rmtree(source_folder(root, folder.parts[-3]))
    mismatches, remarks, checks = check(root)
    assert mismatches == []
    assert [one.kind for one in remarks] == ["not_checked", "not_checked"]
    assert checks["runs done again"] == 1
    assert not any(str(root) in one.detail for one in remarks)


def test_a_damaged_run_is_left_to_the_check_of_files(fee: tuple[Path, Path]) -> None:
    """A file that does not fit the list of files: not done again, with the reason and without the store's place."""
    root, folder = fee
    (folder / "answer.json").write_bytes(b"{}")
    mismatches, remarks, _ = check(root)
    assert mismatches == []
    assert [one.kind for one in remarks] == ["not_checked"]
    assert str(root) not in remarks[0].detail


def test_processes_give_what_one_gives(fee: tuple[Path, Path]) -> None:
    """Two processes, the same results in the same order."""
    root, folder = fee
    edit(folder / "answer.json", _first_value)
    alone = list(check_stages(root, sealed_folders(root), processes=1))
    both = list(check_stages(root, sealed_folders(root), processes=2))
    told = [
        [(folder, [(one.kind, one.place) for one in found]) for folder, found, *_ in each] for each in (alone, both)
    ]
    assert told[0] == told[1]
    assert [one[0] for one in alone[:-1]] == sorted(one[0] for one in alone[:-1])
    assert alone[-1][0] == root.resolve()


def test_a_check_changes_nothing(fee: tuple[Path, Path]) -> None:
    """Every file of the store is what it was, locks aside."""
    root, _ = fee

    def state() -> Iterator[tuple[str, bytes]]:
        for path in sorted(root.rglob("*")):
            if path.is_file() and ".locks" not in path.parts:
                yield path.relative_to(root).as_posix(), path.read_bytes()

    before = list(state())
    check(root)
    assert list(state()) == before


def test_a_case_is_put_together_again(project: Path, tmp_path: Path) -> None:
    """A case whose text was altered differs, and its runs do not."""
    root, contract = open_store(tmp_path / "store"), project / "examples" / "supply_agreement.pdf"
    other = tmp_path / "contract.txt"
    other.write_text(CONTRACT)
    case = ask_case([contract, other], LAW, store=root)
    edit(case.path / "case_answer.json", lambda fields: fields.update(text="They agree."))
    mismatches, _, _ = check(root)
    assert kinds(mismatches) == [("answer_differs", ("record",))]
    assert mismatches[0].place.startswith("cases/")


def test_a_protected_document_needs_its_password(project: Path, tmp_path: Path) -> None:
    """Without the password, or with another, its parsing and its marked pages are left out, and the rest is checked."""
    from pipeline.mupdf import pymupdf
    from pipeline.opening import Opening

    locked = tmp_path / "locked.pdf"
    with pymupdf.open(project / "examples" / "supply_agreement.pdf") as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="open", owner_pw="own")
    root = open_store(tmp_path / "store")
    known = "open"
    run = ask(locked, FEE, store=root, opening=Opening(password=known))
    mismatches, remarks, checks = check(root, password=known)
    assert (mismatches, remarks) == ([], [])
    assert checks["marked copies of protected documents compared unlocked"] == 1
    for given in (None, "other"):
        mismatches, remarks, checks = check(root, password=given)
        assert mismatches == []
        assert [one.kind for one in remarks] == ["not_checked", "not_checked"]
        assert checks["runs done again"] == 1
    put(run.path / "highlighted.pdf", locked.read_bytes())
    assert kinds(check(root, password=known)[0]) == [("papers_differ", ("record",))]
