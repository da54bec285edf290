"""Runs done again: strictly, with nothing sent; or with something changed, paid for once at most."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from dictionaries.loading import FOLDER as SHIPPED
from pipeline import asking
from pipeline.audit.comparing import read_side
from pipeline.audit.opened import open_run
from pipeline.audit.replaying import WhatIf, replay_run
from pipeline.audit.replaying.vocabulary import edited_words, joined, words_as_of
from pipeline.audit.replaying.whatif import read_prompts, read_settings
from pipeline.run import TRANSCRIPT, Run, ask
from pipeline.store.dictionaries import FOLDER, USED, save_dictionary
from pipeline.store.ledger import append, last_entry, read_entries
from pipeline.store.seals import read_seal, seal_root
from schemas.answer import Answer
from schemas.errors import DictionaryError, InputError, SettingsError
from schemas.replay import Replay
from tests.audit.agreement import CAP, LAW
from tests.audit.told import CAUTIOUS, MODEL, Stores, behave
from tests.commands import assert_clear, call
from tests.commands import kept as all_kept
from tests.scripted_server import ScriptedServer

TERM = b'"governed by", '


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection, also to this machine."""

    def refuse(*_: object) -> None:
        raise ConnectionRefusedError("nothing may be sent")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Runs to start from."""
    return Stores(tmp_path_factory.mktemp("stores"))


@pytest.fixture
def told(tmp_path: Path, stores: Stores) -> Run:
    """A run with the scripted model; its server is gone."""
    return stores.run(tmp_path, CAP, told=True)


def kept(store: Path) -> list[str]:
    """Every file of the store, but for those that SQLite keeps beside its own while it is read."""
    return [name for name in all_kept(store) if not name.endswith(("-shm", "-wal"))]


def use(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment name the server, and no model."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)


def prompt_file(folder: Path, text: str = f"Be {CAUTIOUS}.\n{{system}}", name: str = "b.txt") -> Path:
    """A prompt as a file."""
    path = folder / name
    path.write_text(text)
    return path


def edited(folder: Path) -> Path:
    """The shipped dictionary of contracts without one term, as a file."""
    shipped = (SHIPPED / "contracts.toml").read_bytes()
    assert TERM in shipped
    path = folder / "contracts.toml"
    path.write_bytes(shipped.replace(TERM, b""))
    return path


def json_of(*arguments: object) -> dict[str, Any]:
    """What a command prints as JSON, done well."""
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_a_strict_replay_by_rules_is_identical_and_sealed(tmp_path: Path, stores: Stores, no_network: None) -> None:
    """Every file comes out the same; the ledger holds fast which run it was and how it ended."""
    run = stores.run(tmp_path, CAP)
    seen = json_of("replay", run.path.name, "--store", tmp_path / "s")
    replay = Replay.model_validate(seen["replay"])
    assert (replay.strict, replay.identical, replay.changed, replay.diff.movements) == (True, True, {}, ())
    assert [stage.how for stage in replay.stages] == ["stored", "rules", "rules", "rules"]
    entry = last_entry(tmp_path / "s")
    assert entry is not None
    assert entry.kind == "replay"
    assert entry.facts == {"of_seq": 1, "identical": True, "strict": True, "changed": None}
    seal = read_seal(Path(seen["path"]))
    assert seal is not None
    assert (seal_root(seal), seal.runs) == (entry.seal, {replay.of: replay.of_seal})


@pytest.mark.parametrize("start", ["question", "retrieval", "generation"])
def test_a_strict_replay_with_a_model_sends_nothing(told: Run, no_network: None, start: str) -> None:
    """From its own record, without the store's transcript, from any stage on: the same bytes."""
    store = told.path.parents[2]
    (store / TRANSCRIPT).unlink()
    seen = json_of("replay", told.path.name, "--from", start, "--store", store)
    assert seen["replay"]["identical"]
    assert seen["differing"] == []
    assert not (store / TRANSCRIPT).exists()


def test_other_code_makes_a_strict_replay_differ(
    tmp_path: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What today's code gives otherwise is told with the stage, and the exit code is 1."""
    run = stores.run(tmp_path, CAP)
    prevail = asking.with_prevailing

    def other(answer: Answer, *rest: Any) -> Answer:
        made = prevail(answer, *rest)
        return made.model_copy(update={"caveats": (*made.caveats, "Something new.")})

    monkeypatch.setattr(asking, "with_prevailing", other)
    result = call("replay", run.path.name, "--store", tmp_path / "s", "--json")
    assert result.exit_code == 1
    seen = json.loads(result.stdout)
    assert "answer.json" in seen["differing"]
    assert [each["identical"] for each in seen["replay"]["stages"]] == [None, True, True, False]
    assert "Something new." in [each["after"] for each in seen["replay"]["diff"]["movements"]]


def test_a_prompt_of_today_that_is_not_on_record_is_not_sent(
    told: Run, monkeypatch: pytest.MonkeyPatch, no_network: None
) -> None:
    """Strict, with the code's prompt changed: it differs, says what the model would be asked, and sends nothing."""
    from pipeline.generation import prompt

    monkeypatch.setattr(prompt, "_BASE", prompt._BASE.replace("You answer", "You will answer", 1))
    result = call("replay", told.path.name, "--store", told.path.parents[2])
    assert result.exit_code == 1
    assert "not on record" in " ".join(result.stdout.split())


def test_a_dictionary_in_the_place_of_another(tmp_path: Path, stores: Stores) -> None:
    """Only that one changes; the file is kept for later, and `diff` names its term and what it moved."""
    store, run = tmp_path / "s", stores.run(tmp_path, LAW)
    seen = json_of("replay", run.path.name, "--dictionary", edited(tmp_path), "--store", store)
    replay = Replay.model_validate(seen["replay"])
    assert replay.start == "question"
    assert replay.changed["dictionary"].startswith("contracts ")
    assert str(tmp_path) not in json.dumps(seen["replay"])
    side = read_side(Path(seen["path"]))
    changed = {name for name, sha in side.dictionaries.items() if run.request.dictionaries[name] != sha}
    assert changed == {"contracts"}
    assert (store / FOLDER / USED / f"{side.dictionaries['contracts']}.toml").is_file()
    result = call("diff", run.path.name, Path(seen["path"]).name, "--store", store)
    assert "'governed by' (en) removed" in " ".join(result.stdout.split())


def test_a_workbook_is_taken_as_a_dictionary(tmp_path: Path, stores: Stores) -> None:
    """What `dict export` wrote is read; a broken file is refused with its fault."""
    run = stores.run(tmp_path, LAW)
    book = tmp_path / "contracts.xlsx"
    assert call("dict", "export", "contracts", "--xlsx", book, "--store", tmp_path / "s").exit_code == 0
    words = joined([edited_words(tmp_path / "s", [str(book)])])
    again = replay_run(open_run(run.path), WhatIf(words=words), saving=False)
    assert again.run.answer.text == run.answer.text
    (tmp_path / "broken.toml").write_text("owner = 3")
    with pytest.raises(DictionaryError, match=r"broken\.toml"):
        edited_words(tmp_path / "s", [str(tmp_path / "broken.toml")])


def test_the_dictionaries_of_a_day_or_a_version(tmp_path: Path, stores: Stores) -> None:
    """A later change does not count on an earlier day; before anything is on record there is an error."""
    store = tmp_path / "s"
    run = stores.run(tmp_path, LAW)
    then = run.request.dictionaries["contracts"]
    day = read_entries(store)[0].at[:10]
    assert words_as_of(store, day).files["contracts"] == (SHIPPED / "contracts.toml").read_bytes()
    content = edited(tmp_path).read_bytes().replace(b'version = "1.0.0"', b'version = "1.1.0"', 1)
    save_dictionary(store, "contracts", content, former=None)
    if last_entry(store).kind != "dictionary":  # type: ignore[union-attr]
        facts = {"name": "contracts", "sha256_before": then, "sha256_after": None}
        append(store, "dictionary", facts=facts)
    ask(tmp_path / "agreement.txt", LAW, store=store)
    assert words_as_of(store, "contracts=1.1.0").files == {"contracts": content}
    assert words_as_of(store, "contracts=1.0.0").files["contracts"] != content
    seen = json_of("replay", run.path.name, "--as-of", "contracts=1.1.0", "--store", store)
    assert seen["replay"]["changed"] == {"as_of": "contracts=1.1.0"}
    for wrong in ("2001-01-01", "2001-13-01", "yesterday", "contracts=9"):
        with pytest.raises(InputError, match="--as-of"):
            words_as_of(store, wrong)


def test_a_what_if_without_a_server_is_refused(told: Run) -> None:
    """What is not on record would have to be sent: which call, and what to set, is said; nothing is saved."""
    store, before = told.path.parents[2], kept(told.path.parents[2])
    prompt = prompt_file(store.parent)
    result = call("replay", told.path.name, "--prompt", prompt, "--store", store)
    assert_clear(result, 2, "generation", "not on record", "OPENAI_BASE_URL", f"--model {MODEL}")
    assert kept(store) == before


def test_another_prompt_is_asked_once_and_named(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call, for generation alone; the next time it is on record. The difference names the prompt."""
    store = told.path.parents[2]
    prompt = prompt_file(store.parent)
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        seen = json_of("replay", told.path.name, "--prompt", prompt, "--model", MODEL, "--store", store)
        assert len(server.requests) == 1
        assert server.requests[0].messages[0]["content"].startswith(f"Be {CAUTIOUS}.\nYou answer one question")
    replay = Replay.model_validate(seen["replay"])
    assert [stage.how for stage in replay.stages] == ["stored", "stored", "stored", "model"]
    assert seen["answer"]["status"] == "not_found"
    (change,) = replay.diff.changes
    assert (change.subject, change.name, change.reaches) == ("prompt", "generation_v2", ("generation",))
    assert CAUTIOUS in change.detail
    assert {one.moved_by for one in replay.diff.movements} == {("prompt generation_v2",)}
    monkeypatch.delenv("OPENAI_BASE_URL")
    again = json_of("replay", told.path.name, "--prompt", prompt, "--store", store)
    assert again["answer"] == seen["answer"]
    assert again["replay"]["stages"][-1]["how"] == "transcript"
    result = call("diff", told.path.name, Path(again["path"]).name, "--store", store)
    assert result.exit_code == 1
    assert "prompt generation_v2" in result.stdout


def test_the_same_words_are_no_new_request(told: Run, no_network: None) -> None:
    """A prompt that says what it said is answered from the record, offline, to the byte."""
    again = replay_run(open_run(told.path), WhatIf(prompts={"generation": "{system}"}), saving=False)
    assert again.replay.identical


def test_a_repair_has_the_other_prompt_too(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request of the purpose carries it, the shorter one of a repair included."""
    store = told.path.parents[2]
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        prompts = {"arbiter": "Judge as a lawyer would.\n{system}"}
        replay_run(open_run(told.path), WhatIf(prompts=prompts, may_send=True), saving=False)
    asked = [one for one in server.requests if "rankings" in one.schema.get("properties", {})]
    assert asked
    assert all(one.messages[0]["content"].startswith("Judge as a lawyer would.") for one in asked)
    assert kept(store)


def test_the_arbiter_by_rules(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The passages are judged by rules; the model reads those in the end, and that alone is asked."""
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        again = replay_run(open_run(told.path), WhatIf(arbiter="rules", may_send=True), saving=False)
    assert all("answer_found" in one.schema["properties"] for one in server.requests)
    assert again.run.retrieval.arbiter == "rules"
    assert again.run.retrieval.model_uses == ()
    assert (again.replay.start, again.replay.stages[2].how) == ("retrieval", "rules")
    assert ("model", "arbiter") in [(one.subject, one.name) for one in again.replay.diff.changes]


def test_the_arbiter_by_a_model(tmp_path: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run by rules is judged by a model: its call is on record, and rules write the answer."""
    run = stores.run(tmp_path, CAP)
    with pytest.raises(InputError, match="--model"):
        replay_run(open_run(run.path), WhatIf(arbiter="llm"))
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        monkeypatch.setenv("LINEPROOF_MODEL", MODEL)
        again = replay_run(open_run(run.path), WhatIf(arbiter="llm"))
    assert len(server.requests) == 1
    assert (again.run.retrieval.arbiter, again.run.answer.answered_by) == ("llm", "rules")
    assert [each.purpose for each in again.run.trace.model_calls] == ["arbiter"]
    assert again.path is not None
    assert [one.name for one in read_side(again.path).trace.prompts] == ["arbiter"]


def test_another_model_is_asked_for_everything(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage asks the other one, and the model is what changed."""
    with ScriptedServer(behave) as server:
        use(server, monkeypatch)
        again = replay_run(open_run(told.path), WhatIf(model="other-model", may_send=True), saving=False)
    assert {one.body["model"] for one in server.requests} == {"other-model"}
    assert [(one.subject, one.before, one.after) for one in again.replay.diff.changes] == [
        ("model", MODEL, "other-model")
    ]


def test_a_setting_of_retrieval(tmp_path: Path, stores: Stores) -> None:
    """It is checked, told with its value, and searched with."""
    run = stores.run(tmp_path, CAP)
    again = replay_run(open_run(run.path), WhatIf(settings=read_settings(["max_primaries=1"])), saving=False)
    assert again.run.request.retrieval_settings["max_primaries"] == 1
    assert [(one.name, one.after) for one in again.replay.diff.changes] == [("retrieval.max_primaries", "1")]
    for wrong in ({"max_primary": "1"}, {"max_primaries": "none"}):
        with pytest.raises(SettingsError, match="--setting"):
            replay_run(open_run(run.path), WhatIf(settings=wrong), saving=False)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--from", "generation", "--setting", "max_hits=3"], "retrieval"),
        (["--from", "parsing"], "question, retrieval, generation"),
        (["--arbiter", "coin"], "rules, llm"),
        (["--prompt", "judge=x.txt"], "arbiter"),
        (["--prompt", "nowhere.txt"], "nowhere.txt"),
        (["--setting", "max_hits"], "KEY=VALUE"),
        (["--dictionary", "nowhere.toml"], "nowhere"),
    ],
)
def test_what_cannot_be_changed_so_is_said(tmp_path: Path, stores: Stores, options: list[str], word: str) -> None:
    """One sentence, exit code 2, nothing written."""
    run = stores.run(tmp_path, CAP)
    before = kept(tmp_path / "s")
    assert_clear(call("replay", run.path.name, *options, "--store", tmp_path / "s"), 2, word)
    assert kept(tmp_path / "s") == before


def test_prompts_are_read_by_name(tmp_path: Path) -> None:
    """Generation without one; a name twice only where that is meant; an empty file is none."""
    file = prompt_file(tmp_path, "Be brief.")
    assert read_prompts([str(file), f"arbiter={file}"]) == [
        ("generation", "Be brief.", "b.txt"), ("arbiter", "Be brief.", "b.txt")
    ]  # fmt: skip
    with pytest.raises(InputError, match="twice"):
        read_prompts([str(file), f"generation={file}"])
    with pytest.raises(InputError, match="empty"):
        read_prompts([str(prompt_file(tmp_path, " \n", "none.txt"))])


def test_a_replay_is_kept_beside_the_one_before(tmp_path: Path, stores: Stores) -> None:
    """Done once more it takes the place of the first, which stays; both are in the ledger. --no-save leaves nothing."""
    store, run = tmp_path / "s", stores.run(tmp_path, CAP)
    first, second = (json_of("replay", run.path.name, "--store", store) for _ in range(2))
    assert first["path"] == second["path"]
    assert [entry.kind for entry in read_entries(store)] == ["run", "replay", "replay"]
    assert len(list((store / "replays" / "former").iterdir())) == 1
    before = kept(store)
    assert json_of("replay", run.path.name, "--no-save", "--store", store)["path"] is None
    assert kept(store) == before
