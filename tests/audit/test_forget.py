"""A document forgotten: nothing of it is left in any byte of the store, the chain verifies, others replay."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pipeline.audit import forgetting
from pipeline.audit.forgetting import erasing
from pipeline.audit.opened import offline_model, open_run, rerun
from pipeline.audit.replaying import WhatIf, replay_run
from pipeline.audit.reviewing.recording import Opinion, record
from pipeline.audit.verify import verify
from pipeline.case import ask_case
from pipeline.embeddings.cache import VectorCache, erase_vectors, text_key
from pipeline.llm import Transcript
from pipeline.retrieval.detectors.embeddings import passages_of
from pipeline.retrieval.lines import read_lines
from pipeline.run import TRANSCRIPT, ask
from pipeline.store.documents import load_document
from pipeline.store.ledger import read_entries
from pipeline.store.sessions import load_session
from schemas.errors import InputError, StoreError
from schemas.forgetting import Forgetting, Forgotten
from tests.commands import call
from tests.llm.doors import door
from tests.scripted_server import Answer, ScriptedServer, filled

LAW = "Which law governs the agreement?"
TERM = "How long is the term?"
SECRETS = (b"Zebulon", b"zebulon", b"Mordovia", b"seventeen months")
_TEXT = """SUPPLY AGREEMENT

This Agreement is made between {supplier} Limited (the "Supplier") and Delta Retail Limited (the "Customer").

1. TERM

1.1 The term of this Agreement is {term} from the date of signature, and no notice is needed for it to end.

2. GOVERNING LAW

2.1 This Agreement is governed by the laws of {law}, and the courts of that place have jurisdiction.
"""


@dataclass(frozen=True)
class Made:
    """Two documents, and stores that were made once: tests change copies."""

    folder: Path
    zebulon: Path
    other: Path
    kept: str  # place of a run of the other document, in the full store


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The document that is forgotten, whose name tells of it, another one, and a small and a full store."""
    folder = tmp_path_factory.mktemp("forget")
    zebulon, other = folder / "zebulon_supply.txt", folder / "other.txt"
    zebulon.write_text(_TEXT.format(supplier="Zebulon Fixtures", term="seventeen months", law="Mordovia"))
    other.write_text(_TEXT.format(supplier="Gamma Parts", term="twelve months", law="Ireland"))
    ask(zebulon, LAW, store=folder / "small")
    ask_case([zebulon, other], TERM, store=folder / "small")
    full = folder / "full"
    kept = ask(other, LAW, store=full)
    ask(zebulon, LAW, store=full)
    run = ask(zebulon, LAW, store=full)
    ask(zebulon, f"{TERM} And which law governs the agreement?", store=full)
    ask(other, LAW, store=full, session="talk")
    ask(zebulon, TERM, store=full, session="talk")
    case = ask_case([zebulon, other], TERM, store=full, session="both")
    replay_run(open_run(run.path), WhatIf())
    record(run.path, Opinion("accept", "It is the law of Mordovia."), by="Ann")
    record(case.path, Opinion("reject", "Zebulon is not meant."), by="Ann")
    return Made(folder, zebulon, other, kept.path.relative_to(full).as_posix())


@pytest.fixture
def root(made: Made, tmp_path: Path) -> Path:
    """A copy of the small store: a run and a case."""
    return Path(shutil.copytree(made.folder / "small", tmp_path / "store"))


@pytest.fixture
def full(made: Made, tmp_path: Path) -> Path:
    """A copy of the full one: a run that was replaced, a compound one, a case, a replay, reviews, conversations."""
    return Path(shutil.copytree(made.folder / "full", tmp_path / "full"))


def everything(root: Path) -> Iterator[tuple[str, bytes]]:
    """Every name and every byte in a store, packed files unpacked."""
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root).as_posix()
        yield place, place.encode()
        if path.is_file():
            data = path.read_bytes()
            yield place, data
            if path.suffix == ".parquet":
                yield place, pq.read_table(io.BytesIO(data)).to_pandas().to_csv().encode()
            elif zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as packed:
                    yield from ((f"{place}/{name}", packed.read(name)) for name in packed.namelist())


def leaks(root: Path) -> list[str]:
    """Places that still hold a word of the forgotten document."""
    return sorted({place for place, data in everything(root) if any(secret in data for secret in SECRETS)})


def replays(folder: Path) -> bool:
    """True when a run, done again, gives every file to the byte."""
    opened = open_run(folder)
    again = rerun(opened, llm=offline_model(opened))
    return all((folder / name).read_bytes() == data for name, data in again.files.items())


def forget(root: Path, name: str = "zebulon", **options: str) -> Forgotten:
    """The document of that name, forgotten."""
    return forgetting.forget(root, forgetting.find_documents(root, name), **options)


def test_nothing_of_a_forgotten_document_is_left_and_the_rest_stands(made: Made, full: Path) -> None:
    """No byte of it in any file, name or lock; the chain verifies and tells; the other document's run replays."""
    assert leaks(full)
    told = forget(full, reason="request 17 of Mr. Zebulon")
    assert leaks(full) == []
    assert told.still_named_in == ()
    counts = told.counts
    assert (counts.documents, counts.cases, counts.replays, counts.reviews, counts.turns) == (1, 1, 1, 2, 1)
    assert counts.runs >= 6
    assert replays(full / made.kept)
    verified = verify(full, rerun=False)  # the other document's run was done again above
    assert verified.passed, verified.mismatches
    assert {one.kind for one in verified.remarks} >= {"forgotten"}
    assert "unfinished" not in {one.kind for one in verified.remarks}
    entry = read_entries(full)[-1]
    assert (entry.kind, entry.seq, entry.facts["seqs"]) == ("forget", told.seq, told.erased)
    session = load_session(full, "talk")
    assert [turn.question for turn in session.turns] == [LAW]
    assert session.last is None  # it was asked of the forgotten one


def test_the_reason_is_proven_by_its_salt_and_stored_nowhere(root: Path) -> None:
    """The line holds a salted hash; whoever keeps salt and reason can show which it was."""
    told = forget(root, reason="request 17")
    assert told.reason_salt is not None
    facts = read_entries(root)[-1].facts
    assert facts["has_reason"] is True
    assert facts["reason"] == hashlib.sha256(bytes.fromhex(told.reason_salt) + b"request 17").hexdigest()
    assert not any(b"request 17" in data for _, data in everything(root))


def test_a_forgotten_document_can_be_asked_anew(made: Made, root: Path) -> None:
    """It starts from nothing, is another run in the ledger, and can be forgotten again."""
    forget(root)
    again = ask(made.zebulon, TERM, store=root)
    assert "seventeen months" in again.answer.text
    assert verify(root, rerun=False).passed
    told = forget(root)
    assert told.reason_salt is None
    assert leaks(root) == []
    kinds = [entry.kind for entry in read_entries(root)]
    assert kinds[-3:] == ["forget", "run", "forget"]


def test_exchanges_with_a_model_go_and_those_of_others_stay(made: Made, tmp_path: Path) -> None:
    """Rows of the document are gone from the file's bytes, also one whose run is gone; the other run replays."""
    root = tmp_path / "store"
    root.mkdir()
    script = Answer(lambda request: filled(request, reason="it carries the clause"))
    with ScriptedServer(script) as server, Transcript(root / TRANSCRIPT) as transcript:
        model = door(server, transcript)
        kept = ask(made.other, LAW, store=root, llm=model)
        ask(made.zebulon, LAW, store=root, llm=model)
        died = ask(made.zebulon, TERM, store=root, llm=model)
    shutil.rmtree(died.path)  # as of a process that died after its calls
    assert TRANSCRIPT in leaks(root)
    told = forget(root)
    assert told.counts.calls > 0
    assert leaks(root) == []
    assert replays(kept.path)


STEPS: dict[str, Callable[..., object]] = {
    name: getattr(erasing, name) for name in ("erase_calls", "erase_found", "erase_remembered", "_remove", "_drop")
}


@pytest.mark.parametrize(
    ("step", "calls_before"),
    [("erase_calls", 0), ("erase_found", 0), ("erase_remembered", 0), ("_remove", 0), ("_remove", 1),
     ("_drop", 0), ("_drop", 1), ("_drop", 2)],
)  # fmt: skip
def test_an_erasure_whose_process_died_is_finished(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: str, calls_before: int
) -> None:
    """Wherever it stops after its line: verify tells that alone, the next one ends it, with no second line."""
    left = [calls_before]

    def dying(*arguments: object, **options: object) -> object:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return STEPS[step](*arguments, **options)

    monkeypatch.setattr(erasing, step, dying)
    with pytest.raises(KeyboardInterrupt):
        forget(root)
    assert forgetting.unfinished(root) is not None
    assert {one.kind for one in verify(root, rerun=False).mismatches} == {"erasure_unfinished"}
    monkeypatch.undo()
    told = forgetting.finish(root)
    assert told is not None
    assert told.resumed
    assert forgetting.unfinished(root) is None
    assert leaks(root) == []
    assert [entry.kind for entry in read_entries(root)].count("forget") == 1
    verified = verify(root, rerun=False)
    assert verified.passed, verified.mismatches


def test_what_was_asked_before_an_erasure_ended_goes_too(
    made: Made, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document was asked again after a process died in its erasure: a second line names that run."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(erasing, "_remove", die)
    with pytest.raises(KeyboardInterrupt):
        forget(root)
    monkeypatch.undo()
    ask(made.zebulon, "Who are the parties?", store=root)
    monkeypatch.setattr(erasing, "append", die)
    with pytest.raises(KeyboardInterrupt):
        forgetting.finish(root)
    monkeypatch.undo()
    assert forgetting.finish(root) is not None
    assert leaks(root) == []
    verified = verify(root, rerun=False)
    assert verified.passed, verified.mismatches
    assert [entry.kind for entry in read_entries(root)][-3:] == ["forget", "run", "forget"]


def test_an_erasure_that_was_never_announced_has_erased_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies before the line leaves all in place; its note is dropped."""
    before = leaks(root)

    def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(erasing, "append", full)
    with pytest.raises(StoreError):
        forget(root)
    monkeypatch.undo()
    assert forgetting.unfinished(root) is None
    assert forgetting.finish(root) is None
    assert not (root / forgetting.MARK).exists()
    assert leaks(root) == before


def test_a_run_that_is_saved_meanwhile_is_named_too(made: Made, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and erasing another process may save a run; the ledger says that it was erased as well."""
    planned = erasing.plan_erasure
    done: list[int] = []

    def slow(*arguments: object) -> object:
        mark = planned(*arguments)  # type: ignore[arg-type]
        if not done:
            done.append(1)
            ask(made.zebulon, "Who are the parties?", store=root)
        return mark

    monkeypatch.setattr(erasing, "plan_erasure", slow)
    assert forget(root).counts.runs == 3
    assert verify(root, rerun=False).passed


def test_a_document_is_named_by_id_by_its_beginning_or_by_the_file(made: Made, root: Path, tmp_path: Path) -> None:
    """The file is found by its bytes, under whatever name, and copies under other names are meant as well."""
    copy, renamed = tmp_path / "copy.txt", tmp_path / "renamed.txt"
    shutil.copy(made.zebulon, copy)
    shutil.copy(made.zebulon, renamed)
    ids = {ask(path, LAW, store=root).document.doc_id for path in (made.zebulon, copy)}
    (theirs,) = (path.name for path in root.glob("other*"))
    for name in (str(renamed), "copy", *ids, str(root / min(ids))):
        assert set(forgetting.find_documents(root, name)) == ids
    assert forgetting.find_documents(root, theirs) == (theirs,)
    for name in ("", "nothing", "../other", "cases", "\0", "x" * 5000):
        with pytest.raises(InputError):
            forgetting.find_documents(root, name)


def test_files_inside_go_with_their_document_and_not_alone(made: Made, tmp_path: Path) -> None:
    """An attachment is refused by itself; with its mail both go, unless it was put into the store by itself."""
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Zebulon", "a@example.com", "b@example.com"
    message.set_content("Dear all,\n\nthe signed agreement with Zebulon Fixtures Limited is attached.\n")
    message.add_attachment(made.zebulon.read_bytes(), maintype="text", subtype="plain", filename="agreement.txt")
    mail, root = tmp_path / "zebulon_mail.eml", tmp_path / "store"
    mail.write_bytes(message.as_bytes())
    run = ask(mail, LAW, store=root)
    (inside,) = run.document.children
    with pytest.raises(InputError, match="lies inside"):
        forget(root, inside.doc_id)
    assert forget(root, "zebulon_mail").counts.documents == 2
    assert leaks(root) == []


def test_a_place_that_points_out_of_the_store_is_never_erased(root: Path) -> None:
    """The note of an unfinished erasure is data: what it names outside the folders of records is left alone."""
    outside = root.parent / "outside"
    (outside / "cases").mkdir(parents=True)
    mark = forgetting.plan_erasure(root, forgetting.find_documents(root, "zebulon"))
    names = ("../outside", "..", ".locks", "dictionaries", str(outside))
    places = ("../outside/cases", str(outside / "cases"), "dictionaries/used", "cases", "cases/../../outside")
    erasing._erase(root, mark.model_copy(update={"documents": names, "folders": places}), lambda _: None)
    assert (outside / "cases").is_dir()
    assert (root / "dictionaries").is_dir()
    assert (root / ".locks").is_dir()


def test_vectors_of_the_document_are_overwritten_and_others_kept(tmp_path: Path) -> None:
    """Rows are zeroed in place, so that a reader finds the others where they were, and can be written again."""
    cache = VectorCache(tmp_path, "model")
    texts = ["of Zebulon", "of others"]
    vectors = np.eye(2, 4, dtype=np.float32)
    cache.add([text_key(text) for text in texts], vectors)
    assert erase_vectors(cache.folder, [text_key(texts[0]), text_key("never there")]) == 1
    fresh = VectorCache(tmp_path, "model")
    rows = fresh.rows([text_key(text) for text in texts])
    assert rows.tolist() == [-1, 1]
    assert np.array_equal(fresh.vectors(rows[1:]), vectors[1:])
    assert (fresh.folder / "keys.bin").read_bytes()[:40] == bytes(40)
    assert (fresh.folder / "vectors.f32").read_bytes()[:16] == bytes(16)
    fresh.add([text_key(texts[0])], vectors[:1])
    assert fresh.rows([text_key(texts[0])]).tolist() == [2]


def test_vectors_of_what_was_embedded_of_the_document_go(root: Path) -> None:
    """Its passages are told again from its parsing; those that only the other document has stay."""
    cache = VectorCache(root / "embeddings", "model")
    keys = {}
    for (folder,) in (list(root.glob("zebulon*")), list(root.glob("other*"))):
        document = load_document(root, folder.name)
        assert document is not None
        keys[folder.name[:5]] = {text_key(one.text) for one in passages_of(read_lines(document))}
    every = sorted(keys["zebul"] | keys["other"])
    cache.add(every, np.tile(np.eye(1, 4, dtype=np.float32), (len(every), 1)))
    assert not forgetting.plan_erasure(root, forgetting.find_documents(root, "zebulon")).all_vectors
    forget(root)
    fresh = VectorCache(root / "embeddings", "model")
    assert set(fresh.rows(sorted(keys["zebul"])).tolist()) == {-1}
    own = sorted(keys["other"] - keys["zebul"])
    assert own
    assert -1 not in fresh.rows(own)


def test_all_vectors_go_where_the_documents_own_cannot_be_told(root: Path) -> None:
    """A parsing that is damaged does not tell what was embedded of it: the cache is dropped, it is only a cache."""
    cache = VectorCache(root / "embeddings", "model")
    cache.add([text_key("of Zebulon")], np.eye(1, 4, dtype=np.float32))
    (parsing,) = root.glob("zebulon*/parsing")
    (parsing / "parsed_document.json").write_bytes(b"{}")
    forget(root)
    assert not list((root / "embeddings").iterdir())
    assert leaks(root) == []


def test_the_command_asks_first_and_never_waits_for_an_answer(root: Path) -> None:
    """Without a terminal it says what it would erase and that --yes is needed; with it, JSON tells what was done."""
    refused = call("forget", "zebulon", "--store", root)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert "2 runs, 1 case" in refused.stderr
    assert leaks(root)
    done = call("forget", "zebulon", "--yes", "--json", "--reason", "asked", "--store", root)
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["counts"]["runs"] == 2
    assert told["reason"] == "asked"
    assert any("Bundles" in one for one in told["remains"])
    assert call("forget", "zebulon", "--yes", "--store", root).exit_code == 2
    assert call("forget", "--store", root).exit_code == 2
    assert call("forget", "x", "--store", root / "none").exit_code == 2


def test_the_record_of_an_erasure_reads_what_it_wrote(root: Path) -> None:
    """The note that a dead process leaves is a record with a version like all others."""
    mark = forgetting.plan_erasure(root, forgetting.find_documents(root, "zebulon"))
    assert Forgetting.from_json(mark.to_json(), where="mark") == mark
