"""`lineproof review`: verdicts tied to seals, four eyes, corrections with the document's own lines, what they teach."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from dictionaries import loading
from pipeline.audit.keys import check_canonical, key_id_of, load_private_key, public_base64
from pipeline.audit.reviewing.recording import Opinion, record
from pipeline.audit.reviewing.stored import read_reviews, reviews_of, signed_fields
from pipeline.evaluation.datasets import read_dataset
from pipeline.store.ledger import read_entries
from schemas.errors import InputError, RecordError
from tests.audit.reviewed import CASE, OWN_WORDS, case_of, decision_of, folder_of, key_in, make_reviewed, said
from tests.commands import assert_clear, call
from tests.lifecycle.leases import DEPOSIT, PETS

HOSTILE = "\x1b[31m=cmd|'/c calc'!A1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The store as it was asked; never changed. The shipped dictionaries are left out, for speed."""
    nothing = tmp_path_factory.mktemp("no_dictionaries")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "FOLDER", nothing)
        yield make_reviewed(tmp_path_factory.mktemp("leases"))


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy, to be changed."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def give(store: Path, verdict: str, by: str, *options: object, town: str = "Lyon", code: int = 0) -> dict[str, Any]:
    """A verdict on the deposit of a lease."""
    run = folder_of(store, town)
    return said(verdict, run, "--by", by, "--reason", "read it", "--store", store, *options, code=code)


def status(store: Path, *options: object, town: str = "Lyon") -> dict[str, Any]:
    """The standing of the answer."""
    standings = said("status", folder_of(store, town), "--store", store, *options)["standings"]
    return dict(standings[0])


def corrected(store: Path, by: str = "Ana", value: str = "EUR 700") -> dict[str, Any]:
    """The deposit that the dictionary's words did not find, with its line."""
    return give(store, "correct", by, "--value", value, "--page", 1, "--lines", "2", town="Rome")


def test_a_verdict_is_sealed_to_the_records_and_recorded_without_names(store: Path) -> None:
    """The review names run and seal; the ledger's line what kind of verdict it is, and neither names nor reasons."""
    told = give(store, "accept", "Ana Ruiz")
    decision = decision_of(store, "Lyon")
    review = told["review"]
    assert isinstance(review, dict)
    assert (review["run"], review["run_seal"], review["signature"]) == (decision.place, decision.root, None)
    entry = read_entries(store)[-1]
    assert entry.kind == "review"
    assert entry.facts == {"of_seq": decision.seq, "verdict": "accept", "subject": "answer"}
    assert "Ruiz" not in (store / "ledger.jsonl").read_text()
    (found,) = reviews_of(store, folder_of(store, "Lyon"))
    assert (found.faults, found.seq, found.review.reviewer) == ((), entry.seq, "Ana Ruiz")


def test_two_different_people_settle_and_one_person_never_does(store: Path) -> None:
    """The same name in another spelling counts once; --eyes asks for more."""
    assert status(store)["state"] == "not_reviewed"
    give(store, "accept", "Ana")
    give(store, "accept", "  ANA ")
    assert (status(store)["state"], status(store)["people_count"]) == ("open", 1)
    give(store, "accept", "Ben")
    assert (status(store)["state"], status(store)["verdict"]) == ("settled", "accept")
    assert status(store, "--eyes", 3)["state"] == "open"


def test_disagreement_is_shown_and_ends_when_somebody_changes_their_mind(store: Path) -> None:
    """Two against one settles nothing; the last word of each person counts."""
    for by, verdict in (("Ana", "accept"), ("Ben", "accept"), ("Cy", "reject")):
        give(store, verdict, by)
    assert (status(store)["state"], status(store)["verdict"]) == ("disputed", None)
    told = call("review", "status", folder_of(store, "Lyon"), "--store", store).stdout
    assert "3 reviewers say different things; only new verdicts of theirs can settle it" in told
    give(store, "accept", "Cy")
    assert (status(store)["state"], status(store)["people_count"]) == ("settled", 3)


def test_a_run_that_was_asked_again_is_not_settled_by_former_verdicts(store: Path, made: Path) -> None:
    """Verdicts are on records, not on places; that the answer is the same is told."""
    for by in ("Ana", "Ben"):
        give(store, "accept", by)
    call("ask", made.parent / "Lyon.txt", DEPOSIT, "--store", store)
    told = said("status", folder_of(store, "Lyon"), "--store", store)
    assert told["standings"][0]["state"] == "not_reviewed"
    assert (told["standings"][0]["outdated"], told["outdated_answer_is_the_same"]) == (2, True)
    former = next((store / folder_of(store, "Lyon").parents[1].name / "former").iterdir())
    assert said("status", former, "--store", store)["standings"][0]["state"] == "settled"


def test_a_signed_verdict_proves_its_key_and_is_not_overruled_by_an_unsigned_one(store: Path, tmp_path: Path) -> None:
    """The signature is over all other fields of the file; a name alone cannot speak for whoever signed."""
    key = key_in(tmp_path, "ana")
    told = give(store, "reject", "Ana", "--key", key)
    public = load_private_key(key).public_key()
    fields = json.loads((Path(str(told["path"])) / "review.json").read_bytes())
    assert fields["key_id"] == key_id_of(public)
    assert check_canonical(signed_fields(fields), fields["signature"], public_base64(public))
    warned = give(store, "accept", "Ana")
    assert "this review is not signed" in str(warned["warnings"])
    found = status(store)
    assert (found["state"], found["verdict"]) == ("open", "reject")
    assert "a verdict of the same person on these records is" in str(found["not_counted"])


def test_two_keys_of_one_name_and_two_names_of_one_key_are_one_person(store: Path, tmp_path: Path) -> None:
    """Nobody makes four eyes alone; it is told. With --trusted only the keys that are named count."""
    first, second = key_in(tmp_path, "first"), key_in(tmp_path, "second")
    give(store, "accept", "Ana", "--key", first)
    warned = give(store, "accept", "Ana", "--key", second)
    assert "signed before with another key" in str(warned["warnings"])
    give(store, "accept", "Ben", "--key", second)
    assert (status(store)["state"], status(store)["people_count"]) == ("open", 1)
    warnings = " ".join(said("status", folder_of(store, "Lyon"), "--store", store)["warnings"])
    assert "Ana: signed with 2 different keys" in warnings
    assert "signed under 2 names (Ana, Ben)" in warnings
    give(store, "accept", "Cy")
    assert status(store)["state"] == "settled"
    trusted = status(store, "--trusted", tmp_path / "first.pem.pub")
    assert (trusted["state"], trusted["people_count"]) == ("open", 1)
    assert {"not signed", "signed with a key that is not trusted"} == {why for _, why in trusted["not_counted"]}


@pytest.mark.parametrize("change", ["record", "signature", "ledger"])
def test_an_altered_review_counts_for_nothing_and_is_named(store: Path, tmp_path: Path, change: str) -> None:
    """Another verdict, another signature, or a ledger that does not know it: told, and not counted."""
    told = give(store, "accept", "Ana", "--key", key_in(tmp_path, "ana"))
    path = Path(str(told["path"])) / "review.json"
    if change == "ledger":
        lines = (store / "ledger.jsonl").read_bytes().splitlines(keepends=True)
        (store / "ledger.jsonl").write_bytes(b"".join(lines[:-1]))
    else:
        before, after = ('"read it"', '"wrote it"') if change == "record" else ('"signature": "', '"signature": "A')
        path.write_text(path.read_text().replace(before, after))
    assert status(store)["state"] == "not_reviewed"
    (found,) = said("list", "--store", store)["reviews"]
    wanted = {"record": "is not the one that was sealed", "signature": "signature does not fit"}
    assert wanted.get(change, "the ledger does not name its seal") in " ".join(found["faults"])
    assert "not counted" in call("review", "list", "--store", store).stdout


def test_a_verdict_that_was_taken_away_leaves_nothing_settled(store: Path) -> None:
    """The ledger knows that somebody disagreed: altering or deleting their review settles nothing."""
    for by in ("Ana", "Ben"):
        give(store, "accept", by)
    folder = Path(str(give(store, "reject", "Cy")["path"]))
    (folder / "review.json").write_text((folder / "review.json").read_text().replace('"Cy"', '"Di"'))
    assert (status(store)["state"], status(store)["missing"]) == ("open", 1)
    shutil.rmtree(folder)
    assert (status(store)["state"], status(store)["missing"]) == ("open", 1)
    shown = call("review", "status", folder_of(store, "Lyon"), "--store", store).stdout
    assert "the ledger names 1 verdict on it that the store does not hold as recorded" in shown


def test_a_review_of_another_run_put_in_its_place_is_noticed(store: Path) -> None:
    """A folder copied beside itself, and a file that is no record, are told and count for nothing."""
    told = give(store, "accept", "Ana")
    shutil.copytree(str(told["path"]), store / "reviews" / "0123456789abcdef")
    (store / "reviews" / "fedcba9876543210").mkdir()
    stored = read_reviews(store)
    assert sorted(bool(one.faults) for one in stored.found) == [False, True]
    assert [one.place for one in stored.unread] == ["reviews/fedcba9876543210"]


def test_a_correction_copies_the_lines_and_says_how_the_run_had_them(store: Path) -> None:
    """The quote is the document's; lines that no method proposed are told as such."""
    right = corrected(store)["review"]["correction"]
    assert (right["quote"], right["line_ids"], right["text"]) == (OWN_WORDS, [2], "EUR 700")
    assert (right["role_then"], right["notes"], right["question"]) == ("not_proposed", [], DEPOSIT)
    odd = corrected(store, "Ben", "EUR 900")
    assert odd["warnings"] == ["The amount 'EUR 900' does not stand in the quoted lines."]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "gives the right value with --value, or says --not-in-document"),
        (("--value", "1", "--not-in-document"), "one of them"),
        (("--value", "n/a"), "--not-in-document instead of a value"),
        (("--value", "1", "--page", 1), "a place is a page and its lines"),
        (("--value", "1", "--page", 9, "--lines", "1"), "page 9 has no lines"),
        (("--value", "1", "--page", 1, "--lines", "9-40"), "the page has lines 1 to 10"),
        (("--value", "1", "--page", 1, "--lines", "3-2"), "the first comes before the last"),
        (("--value", "1", "--page", 1, "--lines", "two"), "names no lines"),
        (("--value", " "), "at least 1"),
        (("--not-in-document",), "the answer says already"),
    ],
)
def test_a_correction_that_cannot_be_taken_says_why(store: Path, options: tuple[object, ...], words: str) -> None:
    """One sentence, exit code 2, and nothing recorded."""
    before = len(read_entries(store))
    run = folder_of(store, "Rome")
    result = call("review", "correct", run, "--by", "A", "--reason", "b", "--store", store, *options)
    assert_clear(result, 2, words)
    assert len(read_entries(store)) == before


def test_names_and_reasons_are_checked(store: Path) -> None:
    """Neither is empty, overlong, or hides characters."""
    run = folder_of(store, "Lyon")
    for by, reason in ((" ", "x"), ("x", " "), ("x" * 300, "x"), ("a\u202eb", "x"), ("x", "y" * 20_000)):
        with pytest.raises(InputError):
            record(run, Opinion("accept", reason), by=by)


def test_roles_are_corrected_or_confirmed_and_settle_apart(store: Path) -> None:
    """The role that a candidate has is an acceptance; another one a correction; the answer stays as it was."""
    run = folder_of(store, "Lyon")
    candidate = json.loads((run / "retrieval_result.json").read_bytes())["provenances"][0]
    name, now = candidate["candidate_id"], candidate["role"]
    common = ("--reason", "b", "--store", store)
    assert said("role", run, name, now, "--by", "Ana", *common)["review"]["verdict"] == "accept"
    assert said("role", run, name, "discarded", "--by", "Ben", *common)["review"]["verdict"] == "correct"
    found = said("status", run, "--store", store)["standings"]
    assert [(one["subject"], one["state"]) for one in found] == [("answer", "not_reviewed"), (name, "disputed")]
    assert_clear(call("review", "role", run, name, "best", "--by", "A", *common), 2, "is no role")
    assert_clear(call("review", "role", run, "c0", "primary", "--by", "A", *common), 2, "no candidate 'c0'")


def test_a_case_is_accepted_as_a_whole_and_corrected_where_it_is_wrong(store: Path) -> None:
    """A case has a seal of its own; its candidates and lines are those of its documents."""
    case = case_of(store)
    common = ("--by", "A", "--reason", "b", "--store", store)
    assert said("accept", case, *common)["review"]["run"].startswith("cases/")
    assert_clear(call("review", "correct", case, "--value", "1", *common), 2, "name the run of that document")
    assert said("status", case, "--store", store)["standings"][0]["state"] == "open"


def test_a_run_without_a_seal_or_with_another_answer_cannot_be_reviewed(store: Path) -> None:
    """A verdict is tied to records that the ledger knows."""
    run = folder_of(store, "Lyon")
    path = run / "answer.json"
    path.write_text(path.read_text().replace("900", "901"))
    with pytest.raises(RecordError, match="is not the file that was sealed"):
        record(run, Opinion("accept", "x"), by="A")
    (run / "seal.json").unlink()
    with pytest.raises(RecordError, match="before there was a ledger"):
        record(run, Opinion("accept", "x"), by="A")


def test_corrections_become_cases_that_are_asked_again(store: Path, tmp_path: Path) -> None:
    """The case fails until the dictionary learns the words, is a data set for `eval`, and names what is disputed."""
    corrected(store)
    checked = said("check", "--store", store, code=1)["checked"]
    assert [(one["result"], one["status"]) for one in checked] == [("failed", "not_found")]
    told = call("review", "cases", "--store", store, "--out", tmp_path / "cases")
    assert told.exit_code == 0, told.output
    (document,) = read_dataset(tmp_path / "cases" / "cases.xlsx").documents
    (question,) = document.questions
    assert (question.text, question.clauses, question.present) == (DEPOSIT, (OWN_WORDS,), True)
    assert question.expected is not None
    assert question.expected.text == "EUR 700"
    assert document.path.read_text().splitlines()[2] == OWN_WORDS
    assert_clear(call("review", "cases", "--store", store, "--out", tmp_path / "cases"), 2, "is there already")

    proposals = {
        one["text"]: one for one in json.loads(call("dict", "suggest", "--store", store, "--json").stdout)["proposals"]
    }
    words = proposals["caution money"]
    assert (words["concept"], words["kind"], words["found_by"]) == ("deposit", "primary", ["correction"])
    assert words["evidence"]["lines"][0]["text"] == OWN_WORDS
    assert call("dict", "suggest", "--accept", words["proposal_id"], "--store", store).exit_code == 0
    assert [one["result"] for one in said("check", "--store", store)["checked"]] == ["passed"]

    corrected(store, "Ben", "EUR 7")
    found = said("cases", "--store", store)["cases"]
    assert found["cases"] == []
    assert "do not say the same" in found["disputed"][0]


def test_accepted_answers_are_held_against_what_today_gives(store: Path) -> None:
    """With --accepted an answer that an edit of a dictionary loses is told; a disputed one is not asked."""
    run = folder_of(store, "Lyon", CASE)
    said("accept", run, "--by", "Ana", "--reason", "x", "--store", store)
    give(store, "accept", "Ana", town="Rome")
    checked = said("check", "--accepted", "--store", store)["checked"]
    assert [(one["result"], one["status"]) for one in checked] == [("passed", "answered"), ("passed", "not_found")]
    own = store / "dictionaries" / "leases.toml"
    own.write_text(own.read_text().replace('"security deposit", ', ""))
    results = {one["result"] for one in said("check", "--accepted", "--store", store, code=1)["checked"]}
    assert results == {"failed", "passed"}
    said("reject", run, "--by", "Ben", "--reason", "x", "--store", store)
    assert len(said("check", "--accepted", "--store", store)["checked"]) == 1


def test_what_is_not_in_the_document_is_a_case_too(store: Path, tmp_path: Path) -> None:
    """An answer that should have been none; the data set says so in its own word."""
    give(store, "correct", "Ana", "--not-in-document")
    assert [one["result"] for one in said("check", "--store", store, code=1)["checked"]] == ["failed"]
    call("review", "cases", "--store", store, "--out", tmp_path / "cases")
    (document,) = read_dataset(tmp_path / "cases" / "cases.xlsx").documents
    assert not document.questions[0].present


def test_passages_that_people_reject_teach_nothing(store: Path) -> None:
    """A rejected run is no evidence for words; an accepted one stays as it was."""

    def told() -> set[str]:
        proposals = json.loads(call("dict", "suggest", "--store", store, "--json").stdout)["proposals"]
        return {one["text"] for one in proposals}

    before = told()
    give(store, "reject", "Ana", town="Rome")
    give(store, "reject", "Ana", town="Lyon")
    assert told() <= before
    assert "caution money" not in told()


def test_a_sample_is_the_same_for_everybody_and_says_what_was_found(store: Path, tmp_path: Path) -> None:
    """The order depends on the seed alone; verdicts on the sample tell how sure one may be."""
    first = said("sample", "--store", store, "--error-rate", "0.5", "--confidence", "0.9")["plan"]
    again = said("sample", "--store", store, "--error-rate", "50%", "--confidence", "0,9")["plan"]
    assert first == again
    assert (first["population"], first["left_out"]) == (6, {"cases": 1})
    other = [said("sample", "--store", store, "--error-rate", "0.5", "--seed", n)["plan"]["chosen"] for n in range(8)]
    assert len({tuple(one["run"] for one in chosen) for chosen in other}) > 1
    for one in first["chosen"]:
        said("accept", store / one["run"], "--by", "Ana", "--reason", "x", "--store", store)
    done = said("sample", "--store", store, "--error-rate", "0.5", "--confidence", "0.9")["plan"]["found"]
    assert (done["checked"], done["wrong"], done["holds"]) == (first["size"], 0, True)
    said("reject", store / first["chosen"][0]["run"], "--by", "Ben", "--reason", "x", "--store", store)
    assert said("sample", "--store", store, "--error-rate", "0.5")["plan"]["found"]["holds"] is False
    strata = said("sample", "--store", store, "--by-type", "--out", tmp_path / "s.xlsx")["plan"]["strata"]
    assert sum(one["size"] for one in strata) == 6
    for options in (("--confidence", "1"), ("--error-rate", "0"), ("--margin", "0.7"), ("--confidence", "sure")):
        assert_clear(call("review", "sample", "--store", store, *options), 2)


def filled(store: Path, path: Path, **rows: dict[str, object]) -> Path:
    """An exported workbook, filled in by town."""
    if not path.exists():
        assert call("review", "export", "--out", path, "--store", store).exit_code == 0
    book = load_workbook(path)
    sheet = book["reviews"]
    titles = [cell.value for cell in sheet[1]]
    for row in sheet.iter_rows(min_row=2):
        cells = dict(zip(titles, row, strict=True))
        place = str(cells["run"].value)
        town = place[:4]
        if town in rows and "security-deposit" in place:
            for name, value in rows[town].items():
                cells[name].value = value  # type: ignore[assignment]
    book.save(path)
    return path


def test_a_workbook_is_reviewed_in_and_imported_once(store: Path, tmp_path: Path) -> None:
    """Verdicts of a sheet are recorded as if given one by one; the same file again records nothing."""
    path = filled(
        store, tmp_path / "r.xlsx",
        Lyon={"verdict": "Accept", "reason": "as it says", "reviewer": "Ben"},
        Rome={"verdict": "correct", "reason": "clause 2", "value": "EUR 700", "page": 1, "first_line": 2},
    )  # fmt: skip
    assert said("import", path, "--by", "Ana", "--dry-run", "--store", store)["recorded"] == []
    told = said("import", path, "--by", "Ana", "--store", store)
    assert (len(told["recorded"]), told["already_recorded"], told["without_verdict"]) == (2, 0, 5)
    stored = read_reviews(store).found
    assert [(one.review.reviewer, one.review.verdict, one.faults) for one in stored] == [
        ("Ben", "accept", ()),
        ("Ana", "correct", ()),
    ]
    again = said("import", path, "--by", "Ana", "--store", store)
    assert (again["recorded"], again["already_recorded"]) == ([], 2)


def test_a_sheet_of_former_records_or_with_a_fault_is_refused_as_a_whole(
    store: Path, made: Path, tmp_path: Path
) -> None:
    """All faults with their rows at once, and nothing recorded."""
    path = filled(
        store, tmp_path / "r.xlsx",
        Lyon={"verdict": "accept", "reason": "fine"},
        Rome={"verdict": "correct", "reason": "x"},
    )  # fmt: skip
    call("ask", made.parent / "Lyon.txt", DEPOSIT, "--store", store)
    result = call("review", "import", path, "--by", "Ana", "--store", store)
    assert_clear(result, 2, "the run was asked again since", "a correction gives a value", "nothing was recorded")
    assert not read_reviews(store).found
    for change, words in (
        ({"verdict": "maybe"}, "must say accept, reject, correct"),
        ({"verdict": None, "reason": "x"}, "a row with other cells filled in"),
        ({"verdict": "reject", "reason": None}, "needs a reason"),
        ({"verdict": "correct", "reason": "x", "value": "1", "page": 1.5, "first_line": 2}, "whole numbers"),
        ({"verdict": "correct", "reason": "x", "value": "=1+1"}, "formula"),
        ({"verdict": "reject", "reason": "x", "page": 3}, "go with the verdict correct"),
    ):
        one = filled(store, tmp_path / f"{len(words)}.xlsx", Rome=dict(change))
        assert_clear(call("review", "import", one, "--by", "Ana", "--store", store), 2, words)


def test_a_key_signs_the_rows_of_one_person(store: Path, tmp_path: Path) -> None:
    """Rows of others are refused, and --by is needed."""
    key = key_in(tmp_path, "ana")
    path = filled(store, tmp_path / "r.xlsx", Lyon={"verdict": "accept", "reason": "x", "reviewer": "Ben"})
    assert_clear(call("review", "import", path, "--key", key, "--store", store), 2, "--by")
    result = call("review", "import", path, "--key", key, "--by", "Ana", "--store", store)
    assert_clear(result, 2, "a key signs only for the one that --by names")
    told = said("import", path, "--key", key, "--by", "ben", "--store", store)
    assert len(told["recorded"]) == 1
    assert read_reviews(store).found[0].review.key_id


def test_hostile_words_move_no_cursor_and_are_no_formula(store: Path, tmp_path: Path) -> None:
    """Reasons and names are shown plainly, and cells of a workbook are texts."""
    run = folder_of(store, "Lyon", PETS)
    call("review", "reject", run, "--by", "=Ana", "--reason", HOSTILE, "--store", store)
    for told in (call("review", "list", "--store", store), call("review", "status", run, "--store", store)):
        assert told.exit_code == 0
        assert "\x1b" not in told.stdout
    call("review", "export", run, "--out", tmp_path / "e.xlsx", "--store", store)
    cells = [cell for row in load_workbook(tmp_path / "e.xlsx")["reviews"].iter_rows() for cell in row]
    assert not [cell.coordinate for cell in cells if cell.data_type == "f"]


def test_a_store_without_reviews_says_so(tmp_path: Path) -> None:
    """Nothing reviewed is a value, and nothing to draw from an error."""
    assert said("list", "--store", tmp_path) == {"reviews": [], "unread": []}
    assert said("agreement", "--store", tmp_path)["agreement"]["judged"] == 0
    assert said("check", "--store", tmp_path)["checked"] == []
    assert_clear(call("review", "sample", "--store", tmp_path), 2, "no run to draw from")
    assert_clear(call("review", "cases", "--out", tmp_path / "x", "--store", tmp_path), 2, "no correction")
