"""Two runs compared: what changed, what it moved, and which change moved what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dictionaries.loading import FOLDER as SHIPPED
from pipeline.audit.comparing import compare, read_side
from pipeline.audit.comparing.experiments import OnRecord
from pipeline.audit.comparing.matching import pair_candidates
from pipeline.audit.comparing.wording import likeness, line_changes, word_changes
from pipeline.generation import prompt as generation_prompt
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.run import ask
from pipeline.searching import Searching
from pipeline.store.dictionaries import save_dictionary
from pipeline.store.sealed import former_folders
from schemas.replay import RunDiff
from tests.audit.agreement import AMENDED, CAP, LAW, written
from tests.audit.told import CAUTIOUS, ask_told
from tests.commands import assert_clear, call


def compared(first: Path, second: Path) -> RunDiff:
    """Two runs with their experiments."""
    sides = read_side(first), read_side(second)
    return compare(*sides, experiments=OnRecord(sides))


def subjects(diff: RunDiff) -> list[str]:
    """What kinds of things changed."""
    return [one.subject for one in diff.changes]


def edit_dictionary(store: Path, before: bytes, after: bytes) -> None:
    """Put an edited dictionary of contracts in force in a store."""
    shipped = (SHIPPED / "contracts.toml").read_bytes()
    assert before in shipped
    save_dictionary(store, "contracts", shipped.replace(before, after), former=None)


def test_the_same_run_twice_differs_in_nothing(tmp_path: Path) -> None:
    """Asked again, nothing changed and nothing moved; the former run is compared with the one in its place."""
    path = written(tmp_path)
    run = ask(path, CAP, store=tmp_path / "s")
    again = ask(path, CAP, store=tmp_path / "s")
    (former,) = former_folders(tmp_path / "s", run.path)
    diff = compared(former, again.path)
    assert (diff.same, diff.changes, diff.movements) == (True, (), ())
    assert diff.first.startswith(f"{run.document.doc_id}/former/")


def test_one_word_of_a_prompt_names_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt is named with the word that changed; it moved the answer and can have moved no role."""
    path, store = written(tmp_path), tmp_path / "s"
    first, _ = ask_told(path, store)
    base = generation_prompt._BASE.replace("You answer one", f"You answer one {CAUTIOUS}", 1)
    monkeypatch.setattr(generation_prompt, "_BASE", base)
    second, _ = ask_told(path, store)
    assert (first.answer.status, second.answer.status) == ("answered", "not_found")
    (former,) = former_folders(store, second.path)
    diff = compared(former, second.path)
    (change,) = diff.changes
    assert (change.subject, change.name, change.reaches) == ("prompt", "generation_v2", ("generation",))
    assert f"{{+{CAUTIOUS}+}}" in change.detail
    assert not diff.same
    assert {one.what for one in diff.movements} >= {"status", "value"}
    assert {one.stage for one in diff.movements} == {"generation"}
    assert {one.moved_by for one in diff.movements} == {("prompt generation_v2",)}
    assert "prompt generation_v2" in diff.text


def test_an_edited_dictionary_is_told_by_its_words_and_what_they_moved(tmp_path: Path) -> None:
    """A removed term is named, the keyword is gone, and what it found with it."""
    path, store = written(tmp_path), tmp_path / "s"
    first = ask(path, LAW, store=store)
    edit_dictionary(store, b'"governed by", ', b"")
    second = ask(path, LAW, store=store)
    (former,) = former_folders(store, second.path)
    assert first.request.dictionaries != second.request.dictionaries
    diff = compared(former, second.path)
    (change,) = diff.changes
    assert (change.subject, change.name) == ("dictionary", "contracts")
    assert "governing_law" in change.detail
    assert "'governed by' (en) removed" in change.detail
    keyword = next(one for one in diff.movements if one.what == "keyword")
    assert (keyword.name, keyword.after, keyword.stage) == ("governed by", None, "question")
    assert {one.moved_by for one in diff.movements} == {("dictionary contracts",)}


def test_of_two_changes_the_one_that_moved_it_is_shown(tmp_path: Path) -> None:
    """A setting and a dictionary changed: run with each alone, only the setting moves the passages."""
    path, store = written(tmp_path), tmp_path / "s"
    first = ask(path, CAP, store=store)
    edit_dictionary(store, b'"governed by", ', b"")
    narrow = Searching(RetrievalSettings(context_characters=200, max_primaries=1, max_hits=1))
    second = ask(path, CAP, store=store, searching=narrow)
    diff = compared(first.path, second.path)
    assert subjects(diff) == ["dictionary", "setting", "setting", "setting"]
    assert next(one for one in diff.changes if one.subject == "dictionary").reaches in ((), ("question",))
    moved = [one for one in diff.movements if one.what in ("candidate", "role", "reason")]
    assert moved
    causes = {name for one in moved for name in one.moved_by}
    assert "dictionary contracts" not in causes
    assert any(one.shown for one in moved)
    plainly = compare(read_side(first.path), read_side(second.path))
    assert not any(one.shown for one in plainly.movements)


def test_passages_of_two_versions_of_a_document_are_matched_by_their_words(tmp_path: Path) -> None:
    """A clause was inserted and an amount changed: the cap is the same passage on other lines, and its value moved."""
    first = ask(written(tmp_path), CAP, store=tmp_path / "s")
    second = ask(written(tmp_path / "new", AMENDED), CAP, store=tmp_path / "s")
    diff = compared(first.path, second.path)
    (change,) = [one for one in diff.changes if one.subject == "document"]
    assert "2 lines added, 1 removed" in change.detail or "lines added" in change.detail
    assert "3,000,000" in change.detail
    sides = read_side(first.path), read_side(second.path)
    cap = next(pair for pair in pair_candidates(*sides) if pair.first and "2,500,000" in pair.first.text)
    assert cap.second is not None
    assert "3,000,000" in cap.second.text
    assert cap.first is not None
    assert cap.first.id != cap.second.id
    value = next(one for one in diff.movements if one.what == "value")
    assert "2,500,000" in str(value.before)
    assert "3,000,000" in str(value.after)
    assert (value.stage, value.moved_by) == ("parsing", (f"document {change.name}",))


def test_a_model_in_the_place_of_rules_is_named(tmp_path: Path) -> None:
    """The arbiter changed with the model, and nothing else."""
    path, store = written(tmp_path), tmp_path / "s"
    rules, (told, _) = ask(path, CAP, store=store), ask_told(path, store)
    diff = compared(rules.path, told.path)
    assert [(one.name, one.before, one.after) for one in diff.changes] == [("model", "rules", "test-model")]
    arbiter = next(one for one in diff.movements if one.what == "method" and one.name == "arbiter")
    assert (arbiter.before, arbiter.after, arbiter.moved_by) == ("rules", "llm", ("model",))


def test_what_today_s_code_makes_alike_was_not_moved_by_code(tmp_path: Path) -> None:
    """Other code is on record, but it makes both runs as they are: the setting alone moved what moved."""
    path, store = written(tmp_path), tmp_path / "s"
    one = ask(path, CAP, store=store)
    two = ask(path, CAP, store=store, searching=Searching(RetrievalSettings(max_hits=1)))
    first, second = read_side(one.path), read_side(two.path)
    assert first.request is not None
    versions = {**first.trace.versions, "lineproof": "0.0.1"}
    old = replace(
        first,
        request=first.request.model_copy(update={"code_sha256": "0" * 64}),
        trace=first.trace.model_copy(update={"versions": versions}),
    )
    diff = compare(old, second, experiments=OnRecord((old, second)))
    assert {change.subject for change in diff.changes} == {"setting", "code"}
    assert all(change.reaches == () for change in diff.changes if change.subject == "code")
    assert {name for each in diff.movements for name in each.moved_by} == {"setting retrieval.max_hits"}
    assert "code and libraries moved nothing" in diff.text


def test_two_questions_are_told_as_another_question(tmp_path: Path) -> None:
    """The words of the question differ, and nothing else is a change: prompts and settings are no news."""
    path = written(tmp_path)
    first, second = ask(path, CAP, store=tmp_path / "s"), ask(path, LAW, store=tmp_path / "s")
    diff = compared(first.path, second.path)
    assert subjects(diff) == ["question"]
    assert {one.moved_by for one in diff.movements} == {("question",)}


def test_runs_of_two_stores_are_compared(tmp_path: Path) -> None:
    """Each is read from its own store, with its own dictionaries, by the path of its folder; the code tells."""
    path = written(tmp_path)
    first = ask(path, LAW, store=tmp_path / "one")
    edit_dictionary(tmp_path / "two", b'"governed by", ', b"")
    second = ask(path, LAW, store=tmp_path / "two")
    result = call("diff", first.path, second.path, "--store", tmp_path / "one")
    assert "dictionary contracts" in result.stdout
    assert "'governed by' (en) removed" in " ".join(result.stdout.split())
    assert result.exit_code in (0, 1)
    assert_clear(call("diff", "nothing", first.path, "--store", tmp_path / "one"), 2, "nothing")


def test_the_exit_code_says_whether_they_differ(tmp_path: Path) -> None:
    """0 for the same answer, 1 for another; the same in JSON."""
    path = written(tmp_path)
    run, other = ask(path, CAP, store=tmp_path / "s"), ask(path, LAW, store=tmp_path / "s")
    assert call("diff", run.path.name, run.path.name, "--store", tmp_path / "s").exit_code == 0
    result = call("diff", run.path.name, other.path.name, "--json", "--store", tmp_path / "s")
    assert result.exit_code == 1
    told = RunDiff.from_json(result.stdout.encode(), where="stdout")
    assert not told.same


def test_words_and_lines_are_compared() -> None:
    """Changed words in wdiff's marks, lines that only moved are no change, likeness by words."""
    assert word_changes("a b c d e f", "a b X d e f") == "a b [-c-]{+X+} d e f"
    assert word_changes("same words", "same  words") == ""
    assert line_changes(["a", "b", "c"], ["c", "a", "d"])[:2] == (1, 1)
    assert likeness("The cap is EUR 5", "the cap is EUR 6") > 0.7
    assert likeness("The cap is EUR 5", "Governed by Irish law") < 0.3


def test_both_runs_stay_as_they_were(tmp_path: Path) -> None:
    """Comparing writes nothing, whatever it tries."""
    path, store = written(tmp_path), tmp_path / "s"
    first = ask(path, CAP, store=store)
    second = ask(path, CAP, store=store, searching=Searching(RetrievalSettings(max_hits=1, max_primaries=1)))
    before = {each: each.read_bytes() for each in store.rglob("*") if each.is_file() and ".locks" not in each.parts}
    compared(first.path, second.path)
    after = {each: each.read_bytes() for each in store.rglob("*") if each.is_file() and ".locks" not in each.parts}
    assert before == after
