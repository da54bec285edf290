"""`dict diff`: what an edit changes in the stored answers, told before it is accepted and without touching anything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from schemas.audit import ModelUse
from tests.commands import assert_clear, call
from tests.lifecycle.leases import DEPOSIT, DICTIONARY, PETS, SUBLET, bytes_of, rewrite, run_of


def edited(folder: Path, *changes: tuple[str, str]) -> Path:
    """The dictionary with words in other words' place."""
    text = DICTIONARY
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "leases.toml"
    path.write_text(text, encoding="utf-8")
    return path


def told(store: Path, path: object, *options: object, code: int) -> dict[str, Any]:
    """What `dict diff --json` prints, ending with `code`."""
    result = call("dict", "diff", path, "--store", store, "--json", *options)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


NO_PETS = ('primary = ["keeping of animals", "household animals"]', 'primary = ["menagerie"]')


def test_an_edit_that_says_the_same_changes_nothing(store: Path, tmp_path: Path) -> None:
    """Exit code 0, every run counted as unchanged, and the question of each read only once and alike."""
    found = told(store, edited(tmp_path), code=0)
    assert (found["run_count"], found["unchanged_count"], found["same_reading_count"]) == (9, 9, 9)
    assert (found["differences"], found["unread"], found["changed_answers"]) == ([], [], 0)
    assert "says the same" in call("dict", "diff", edited(tmp_path), "--store", store).stdout


def test_a_term_taken_away_changes_the_answers_that_rest_on_it(store: Path, tmp_path: Path) -> None:
    """Before and after with values and lines, the untouched runs counted; not a byte of the store moves."""
    before = bytes_of(store)
    found = told(store, edited(tmp_path, NO_PETS), code=4)
    assert bytes_of(store) == before
    assert [one["text"] for one in found["changes"]["concepts_changed"][0]["terms_added"]] == ["menagerie"]
    assert (found["changed_answers"], found["unchanged_count"], found["run_count"]) == (3, 6, 9)
    assert [one["doc_id"].split("_")[0] for one in found["differences"]] == ["Bath", "Cork", "Lyon"]
    first = found["differences"][0]
    assert (first["question"], first["made_with_model"], first["stored_differs"]) == (PETS, False, False)
    assert (first["before"]["status"], first["before"]["places"]) == ("answered", ["line 6"])
    assert first["after"]["status"] == "not_found"
    assert first["lost"]
    assert not first["gained"]
    shown = call("dict", "diff", edited(tmp_path, NO_PETS), "--store", store)
    assert shown.exit_code == 4
    assert "3 answers would change; 6 of 9 stored runs unchanged" in shown.stdout


def test_a_term_that_is_new_answers_what_was_not_found(store: Path, tmp_path: Path) -> None:
    """A phrase added for a question that chose no concept: the concept before and after is told."""
    path = edited(
        tmp_path, ('questions = ["pets", "animals"]', 'questions = ["pets", "animals", "sublease surcharge"]')
    )
    found = told(store, path, code=4)
    first = found["differences"][0]
    assert first["question"] == SUBLET
    assert (first["before"]["concepts"], first["after"]["concepts"]) == ([], ["leases.pets"])
    assert (first["before"]["status"], first["after"]["status"]) == ("not_found", "answered")
    assert first["gained"]


def test_a_claim_of_completeness_changes_the_proof_of_absence(store: Path, tmp_path: Path) -> None:
    """No value changes, and yet an answer does: what was not found is now proven absent."""
    gone = edited(tmp_path, NO_PETS)
    (store / "dictionaries" / "leases.toml").write_bytes(gone.read_bytes())
    head, tail = gone.read_text(encoding="utf-8").split("[concepts.pets]")
    gone.write_text(f"{head}[concepts.pets]{tail.replace('exhaustive = false', 'exhaustive = true')}", encoding="utf-8")
    found = told(store, gone, code=4)
    first = found["differences"][0]
    assert (first["before"]["absence"], first["after"]["absence"]) == ("not_found", "proven_absent")
    assert first["stored_differs"]  # the stored answer is of the dictionary before


def test_a_workbook_is_compared_as_a_dictionary_file_is(store: Path, tmp_path: Path) -> None:
    """What an expert did in Excel is looked at before it is imported; the import then does what was told."""
    sheet = tmp_path / "leases.xlsx"
    assert call("dict", "export", "leases", "--xlsx", sheet, "--store", store).exit_code == 0
    book = load_workbook(sheet)
    for row in book["terms"].iter_rows(min_row=2):
        for cell in row:
            if cell.value in ("keeping of animals", "household animals"):
                cell.value = f"{cell.value} at sea"
    book.save(sheet)
    found = told(store, sheet, code=4)
    assert found["changed_answers"] == 3
    assert call("dict", "import", sheet, "--store", store).exit_code == 0
    assert told(store, sheet, code=0)["changed_answers"] == 0


def test_a_former_version_is_found_in_the_history(store: Path, tmp_path: Path) -> None:
    """Going back is an edit like any other; a name that means several versions, or none, is told."""
    assert call("dict", "import", edited(tmp_path, NO_PETS), "--store", store).exit_code == 0
    found = told(store, "leases_1.0.0", code=4)
    assert (found["dictionary"], found["former_version"], found["edited_version"]) == ("leases", "1.0.1", "1.0.0")
    assert found["differences"][0]["after"]["status"] == "answered"
    file = next((store / "dictionaries" / "history").glob("leases_1.0.0_*.toml"))
    assert told(store, file, code=4) == found
    assert call("dict", "import", edited(tmp_path), "--force", "--store", store).exit_code == 0
    assert_clear(call("dict", "diff", "leases_1", "--store", store), 2, "names 2 former versions")
    assert_clear(call("dict", "diff", "leases_9", "--store", store), 2, "leases_1.0.0_")
    assert_clear(call("dict", "diff", "", "--store", store), 2, "no such file")


def test_a_broken_edit_is_refused_before_anything_is_asked(store: Path, tmp_path: Path) -> None:
    """As by `dict check`: exit code 2, and the fault."""
    path = edited(tmp_path, ('primary = ["keeping of animals"', 'primary = ["security deposit"'))
    result = call("dict", "diff", path, "--store", store)
    assert result.exit_code == 2
    assert "security deposit" in result.stderr
    assert result.stdout == ""


def test_one_document_is_compared_alone(store: Path, tmp_path: Path) -> None:
    """--documents DOC_ID; a document that is not there is told, a path is none."""
    doc_id = next(store.glob("Cork_*")).name
    found = told(store, edited(tmp_path, NO_PETS), "--documents", doc_id, code=4)
    assert (found["run_count"], found["changed_answers"]) == (3, 1)
    assert told(store, edited(tmp_path, NO_PETS), "--documents", "all", code=4)["run_count"] == 9
    for name in ("Oslo_00000000", "../store", "/etc", ""):
        assert_clear(call("dict", "diff", edited(tmp_path), "--store", store, "--documents", name), 2, "doc_id")


def test_runs_that_cannot_be_asked_again_are_named(store: Path, tmp_path: Path) -> None:
    """A damaged run, a damaged document, one that is gone: told with the reason; exit code 5 if nothing changes."""
    (run_of(store, PETS, "Cork").path / "answer.json").write_bytes(b"{}")
    shutil.rmtree(next(store.glob("Lyon_*")) / "parsing")
    found = told(store, edited(tmp_path), code=5)
    assert (found["run_count"], found["unchanged_count"], len(found["unread"])) == (5, 5, 4)
    assert [run.split("_")[0] for run, _ in found["unread"]] == ["Cork", "Lyon", "Lyon", "Lyon"]
    next(next(store.glob("Bath_*")).glob("parsing/line_df.parquet")).write_bytes(b"x")
    assert told(store, edited(tmp_path, NO_PETS), code=5)["run_count"] == 2


def test_runs_made_with_a_model_are_compared_by_rules_and_marked(store: Path, tmp_path: Path) -> None:
    """The model is never asked; a reader is told that the stored answer was its work."""
    run = run_of(store, PETS)
    use = ModelUse(
        purpose="question", model="m", prompt_name="p", prompt_sha256="0" * 64, call_keys=("k",), input_tokens=1,
        output_tokens=1, outcome="valid",
    )  # fmt: skip
    rewrite(store, run, answer=run.answer.model_copy(update={"model_uses": (use,)}))
    found = told(store, edited(tmp_path, NO_PETS), code=4)
    marked = {one["doc_id"].split("_")[0]: one["made_with_model"] for one in found["differences"]}
    assert marked == {"Bath": True, "Cork": False, "Lyon": False}
    assert "made with a model" in call("dict", "diff", edited(tmp_path, NO_PETS), "--store", store).stdout


def test_a_follow_up_is_asked_again_as_it_was_made_complete(store: Path, tmp_path: Path) -> None:
    """'and for pets?' means nothing alone: the question on record is asked."""
    run = run_of(store, PETS)
    question = run.question.model_copy(
        update={"original_question": "and those?", "resolved_question": PETS, "previous_question": DEPOSIT}
    )
    rewrite(store, run, question=question)
    found = told(store, edited(tmp_path, NO_PETS), code=4)
    first = found["differences"][0]
    assert (first["question"], first["asked_as"], first["answer_changes"]) == ("and those?", PETS, True)


def test_a_new_dictionary_is_an_edit_too(store: Path, tmp_path: Path) -> None:
    """Beside the others; its name is that of its file, or the one given."""
    path = tmp_path / "storage.toml"
    text = DICTIONARY.replace("deposit", "attic").replace("animals", "boxes").replace("pets", "cellars")
    path.write_text(text, encoding="utf-8")
    found = told(store, path, code=0)
    assert (found["dictionary"], found["former_version"], found["changes"]) == ("storage", None, None)
    assert told(store, path, "--as", "leases", code=4)["changes"]["concepts_removed"] == ["deposit", "pets"]


def test_an_empty_store_has_no_answers_to_change(tmp_path: Path, made: Path) -> None:
    """The words are compared all the same."""
    store = tmp_path / "store"
    shutil.copytree(made / "dictionaries", store / "dictionaries")
    before = bytes_of(store)
    found = told(store, edited(tmp_path, NO_PETS), code=0)
    assert (found["run_count"], len(found["changes"]["concepts_changed"])) == (0, 1)
    assert bytes_of(store) == before


@pytest.mark.parametrize(
    "question", ["\x1b[2J\u202eHow much do pets cost? =1+1", "How much do pets cost? " + "x" * 3900]
)
def test_hostile_questions_reach_no_terminal(store: Path, tmp_path: Path, question: str) -> None:
    """Escape sequences are shown as nothing, endless questions are cut."""
    run = run_of(store, PETS)
    rewrite(store, run, question=run.question.model_copy(update={"original_question": question}))
    shown = call("dict", "diff", edited(tmp_path, NO_PETS), "--store", store)
    assert shown.exit_code == 4
    assert not {"\x1b", "\u202e"} & set(shown.stdout)
    assert "x" * 300 not in shown.stdout.replace("\n", "")
