"""`dict suggest`: what runs say that the dictionaries lack becomes proposals, and nothing happens without a person."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from pipeline.store.ledger import read_entries
from schemas.conversation import ClarificationDefault, ClarificationDefaults
from schemas.question import Keyword, Settled
from schemas.retrieval import DiscoveredKeyword
from tests.commands import assert_clear, call
from tests.lifecycle.leases import DEPOSIT, PETS, SUBLET, TOWNS, bytes_of, rewrite, run_of

HOSTILE = "=cmd|'/c calc'!A1"


def suggested(store: Path, *options: object) -> dict[str, Any]:
    """What `dict suggest --json` prints."""
    result = call("dict", "suggest", "--store", store, "--json", *options)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def proposal(store: Path, text: str) -> dict[str, Any]:
    """The proposal of these words."""
    return next(one for one in suggested(store)["proposals"] if one["text"] == text)


def own(store: Path) -> str:
    """The store's dictionary."""
    return (store / "dictionaries" / "leases.toml").read_text(encoding="utf-8")


def test_words_of_missed_questions_are_grouped_and_counted(store: Path) -> None:
    """Words that chose no concept and found nothing are one proposal for all runs; a person names its concept."""
    found = proposal(store, "sublease surcharge")
    assert (found["kind"], found["concept"], found["status"]) == ("questions", None, "pending")
    assert found["found_by"] == ["missed_question"]
    evidence = found["evidence"]
    assert (evidence["run_count"], evidence["document_count"], evidence["questions"]) == (3, 3, [SUBLET])
    assert "3 of 3 runs found nothing" in found["reason"]


def test_phrases_that_recur_in_accepted_passages_are_proposed_with_their_lines(store: Path) -> None:
    """A phrase beside the known term in several documents, and nowhere else, is a primary term to be."""
    found = proposal(store, "trustee escrow account")
    assert (found["dictionary"], found["concept"], found["kind"]) == ("leases", "deposit", "primary")
    evidence = found["evidence"]
    assert (evidence["passage_count"], evidence["elsewhere_count"], evidence["document_count"]) == (3, 0, 3)
    assert [line["line_id"] for line in evidence["lines"]] == [2, 2, 2]
    assert evidence["questions"] == [DEPOSIT]
    assert evidence["lift"] == 10.0
    assert evidence["score"] > 6.63


def test_known_terms_and_words_of_every_lease_are_not_proposed(store: Path) -> None:
    """What the dictionary has, and what stands everywhere, is no news."""
    texts = {one["text"] for one in suggested(store)["proposals"]}
    assert not texts & {"security deposit", "deposit", "animals", "tenant", "landlord", "keeping of animals"}


def test_proposals_change_no_dictionary_and_are_the_same_every_time(store: Path) -> None:
    """Only the file of proposals is new; asked again, not a byte differs."""
    before = bytes_of(store)
    suggested(store)
    after = bytes_of(store)
    assert {name for name in after if after[name] != before.get(name)} == {"dictionaries/proposals.json"}
    suggested(store)
    assert bytes_of(store) == after


def test_a_model_s_words_are_proposed_for_their_concept(store: Path) -> None:
    """The arbiter's discoveries, and expansions that hit an accepted passage; known terms are left out."""
    run = run_of(store, DEPOSIT)
    candidate = run.retrieval.candidates[0]
    words = ("kept in a trustee", "security deposits")
    noticed = tuple(
        DiscoveredKeyword(text=text, candidate_id=candidate.candidate_id, concept="deposit", dictionary="leases")
        for text in words
    )
    hit = candidate.model_copy(update={"matched_keywords": (*candidate.matched_keywords, "escrow account")})
    expansion = [Keyword(text=text, source="llm_expansion", weight=0.7) for text in ("escrow account", "guarantee sum")]
    rewrite(
        store,
        run,
        retrieval=run.retrieval.model_copy(
            update={"discovered_keywords": noticed, "candidates": (hit, *run.retrieval.candidates[1:])}
        ),
        question=run.question.model_copy(update={"keywords": (*run.question.keywords, *expansion)}),
    )
    found = {one["text"]: one for one in suggested(store)["proposals"]}
    assert found["kept in a trustee"]["found_by"] == ["arbiter"]
    assert found["kept in a trustee"]["concept"] == "deposit"
    assert found["kept in a trustee"]["kind"] == "primary"  # it stands in the concept's passages alone
    assert found["escrow account"]["found_by"][0] == "llm_expansion"
    assert "guarantee sum" not in found
    assert "security deposits" not in found


def test_words_that_people_chose_a_concept_for_are_proposed(store: Path) -> None:
    """Where every reply to a question back chose one concept, its words are a question phrase for it."""
    for town in TOWNS:
        run = run_of(store, PETS, town)
        settled = Settled(
            target_field="concept", form="critters", question_to_user="Which?", choices=("a", "b"),
            candidate_values=("pets", "deposit"), chosen="pets", by="reply",
        )  # fmt: skip
        rewrite(store, run, question=run.question.model_copy(update={"settled": settled}))
    found = proposal(store, "critters")
    assert (found["kind"], found["concept"], found["found_by"]) == ("questions", "pets", ["clarification"])
    assert found["evidence"]["run_count"] == 3


@pytest.mark.parametrize(
    ("votes", "proposed"),
    [({"pets": 3.0, "deposit": 0.25}, True), ({"pets": 3.0, "deposit": 1.0}, False), ({"pets": 0.5}, False)],
)
def test_remembered_replies_count_where_they_agree(store: Path, votes: dict[str, float], proposed: bool) -> None:
    """Of the votes that a store keeps, those for one concept alone make a proposal; a damaged file is told."""
    default = ClarificationDefault(
        target_field="concept", doc_type="unknown", form="critters", candidate_votes=votes, sample_size=4
    )
    (store / "clarifications.json").write_bytes(ClarificationDefaults(defaults=(default,)).to_json())
    told = suggested(store)
    assert ("critters" in {one["text"] for one in told["proposals"]}) is proposed
    (store / "clarifications.json").write_bytes(b"{")
    assert [one["run"] for one in suggested(store)["unread"]] == ["clarifications.json"]


def test_accepted_words_change_the_next_answer_and_rejected_ones_do_not_return(store: Path, tmp_path: Path) -> None:
    """The sheet goes out, comes back decided: the version rises, the next question understands, the rest stays away."""
    sheet = tmp_path / "proposals.xlsx"
    suggested(store, "--xlsx", sheet)
    book = load_workbook(sheet)
    rows = book["proposals"]
    titles = [cell.value for cell in rows[1]]
    assert {str(rule.sqref).split(":")[0]: rule.formula1 for rule in rows.data_validations.dataValidation} == {
        "A2": '"accept,reject"',
        "D2": '"primary,secondary,question"',
    }
    for row in rows.iter_rows(min_row=2):
        cells = dict(zip(titles, row, strict=True))
        if cells["text"].value == "sublease surcharge":
            cells["decision"].value, cells["dictionary"].value, cells["concept"].value = "Accept", "leases", "deposit"
        elif cells["text"].value == "trustee escrow account":
            cells["decision"].value = "reject"
    book.save(sheet)
    result = call("dict", "suggest", "--decide", sheet, "--store", store, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["accepted"] == ["leases.deposit questions en: sublease surcharge"]
    assert len(told["rejected"]) == 1
    assert (told["dictionaries"][0]["former_version"], told["dictionaries"][0]["version"]) == ("1.0.0", "1.0.1")
    assert "sublease surcharge" in own(store)
    assert len(list((store / "dictionaries" / "history").glob("leases_1.0.0_*.toml"))) == 1
    after = suggested(store)
    assert not {"sublease surcharge", "trustee escrow account"} & {one["text"] for one in after["proposals"]}
    assert after["decided"] == 2
    again = call("dict", "suggest", "--decide", sheet, "--store", store, "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["dictionaries"] == []  # the same decisions add nothing twice
    assert 'version = "1.0.1"' in own(store)


def test_one_proposal_is_decided_by_its_id(store: Path) -> None:
    """--accept needs a concept where the proposal has none; --reject is for good."""
    sublease = proposal(store, "sublease surcharge")["proposal_id"]
    escrow = proposal(store, "trustee escrow account")["proposal_id"]
    refused = call("dict", "suggest", "--store", store, "--accept", sublease)
    assert_clear(refused, 2, sublease, "--to")
    done = call(
        "dict", "suggest", "--store", store, "--accept", sublease, "--to", "leases.pets", "--reject", escrow.upper()
    )
    assert done.exit_code == 0, done.output
    assert "in force as version 1.0.1" in done.stdout
    changes = [entry.facts for entry in read_entries(store) if entry.kind == "dictionary"]
    assert [(each["name"], each["version"]) for each in changes] == [("leases", "1.0.1")]
    texts = {one["text"] for one in suggested(store)["proposals"]}
    assert not texts & {"sublease surcharge", "trustee escrow account"}
    taken_back = call("dict", "suggest", "--store", store, "--reject", sublease)
    assert_clear(taken_back, 2, "accepted already")


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("decision", "perhaps", ("row 2", "perhaps", "accept, reject")),
        ("concept", "parking", ("row 2", "parking")),
        ("dictionary", "cars", ("row 2", "cars")),
        ("kind", "title", ("row 2", "kind")),
        ("text", "=1+1", ("row 2", "formula")),
        ("text", None, ("row 2", "text is empty")),
        ("text", "keeping of animals", ("row 2", "keeping of animals")),
        ("text", "the", ("row 2", "stop word")),
        ("language", "fr", ("row 2", "fr")),
        ("id", "0123456789ab", ("sheet 'proposals', row 2", "'0123456789ab' is no proposal of this store")),
        ("concept", "stall", ("sheet 'proposals', row 2", "decide again")),
    ],
)
def test_a_sheet_with_a_fault_changes_nothing(
    store: Path, tmp_path: Path, column: str, value: str | None, words: tuple[str, ...]
) -> None:
    """Whatever a row cannot be is told with the row, and neither dictionary nor proposals change."""
    sheet = tmp_path / "p.xlsx"
    suggested(store, "--xlsx", sheet)
    before = bytes_of(store)
    book = load_workbook(sheet)
    rows = book["proposals"]
    cells = {title.value: cell for title, cell in zip(rows[1], rows[2], strict=True)}
    for name, written in (
        ("decision", "accept"), ("dictionary", "leases"), ("concept", "deposit"), ("kind", "primary"), (column, value),
    ):  # fmt: skip
        cells[name].value = written
    book.save(sheet)
    result = call("dict", "suggest", "--decide", sheet, "--store", store)
    assert result.exit_code == 2, result.output
    assert all(word in result.stderr for word in words), result.stderr
    assert "Traceback" not in result.stderr
    assert bytes_of(store) == before


def test_hostile_words_stay_words(store: Path, tmp_path: Path) -> None:
    """Formulas, escape sequences and endless words of a document reach no cell as a formula and no terminal."""
    run = run_of(store, DEPOSIT)
    first = run.retrieval.candidates[0].candidate_id
    words = (HOSTILE, "red \x1b[31mtext", "x" * 10_000, "*" * 20, "a\u202eb trick", "_x0041_ raw")
    noticed = [
        DiscoveredKeyword(text=text, candidate_id=first, concept="deposit", dictionary="leases") for text in words
    ]
    question = run.question.model_copy(
        update={"original_question": "\x1b[2J=1+1 " + "why " * 3000, "corrected_question": f"What of {'y' * 9000}?"}
    )
    retrieval = run.retrieval.model_copy(update={"discovered_keywords": tuple(noticed)})
    rewrite(store, run, retrieval=retrieval, question=question)
    sheet = tmp_path / "p.xlsx"
    shown = call("dict", "suggest", "--store", store, "--xlsx", sheet)
    assert shown.exit_code == 0, shown.output
    assert "\x1b" not in shown.stdout
    assert "\u202e" not in shown.stdout
    texts = {one["text"] for one in suggested(store)["proposals"]}
    assert HOSTILE.lower() in texts
    assert not any("\x1b" in text or len(text) > 80 for text in texts)
    cells = [cell for row in load_workbook(sheet)["proposals"].iter_rows() for cell in row]
    assert not any(cell.data_type == "f" for cell in cells)
    decided = call("dict", "suggest", "--decide", sheet, "--store", store)
    assert decided.exit_code == 0, decided.output  # nothing was decided: the sheet reads back as it was written


def test_an_empty_store_has_no_proposals_and_stays_empty(tmp_path: Path, made: Path) -> None:
    """No runs, nothing to propose, nothing written; a sheet without rows can be had all the same."""
    store = tmp_path / "store"
    shutil.copytree(made / "dictionaries", store / "dictionaries")
    before = bytes_of(store)
    told = suggested(store, "--xlsx", tmp_path / "none.xlsx")
    assert (told["proposals"], told["runs"], told["unread"]) == ([], 0, [])
    assert bytes_of(store) == before
    assert (tmp_path / "none.xlsx").is_file()


def test_runs_and_documents_that_cannot_be_read_are_named_and_the_rest_goes_on(store: Path) -> None:
    """A damaged run and a document that is gone are told; proposals are made of the others."""
    run = run_of(store, PETS, "Cork")
    (run.path / "answer.json").write_bytes(b"{}")
    shutil.rmtree(next(store.glob("Lyon_*")) / "parsing")
    told = suggested(store)
    assert [one["run"].split("_")[0] for one in told["unread"]] == ["Cork", "Lyon"]
    assert "sublease surcharge" in {one["text"] for one in told["proposals"]}


def test_runs_of_an_older_version_are_read(store: Path) -> None:
    """A store written before the arbiter's words were kept gives its proposals all the same."""
    for question in (DEPOSIT, SUBLET, PETS):
        for town in TOWNS:
            run = run_of(store, question, town)
            old = json.loads(run.retrieval.to_json())
            del old["discovered_keywords"]
            rewrite(store, run, retrieval={**old, "schema_version": 2})
    assert {"sublease surcharge", "trustee escrow account"} <= {one["text"] for one in suggested(store)["proposals"]}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema_version": 99, "proposals": []}'])
def test_a_damaged_or_newer_file_of_proposals_is_refused(store: Path, content: bytes) -> None:
    """It is named, and never overwritten: it may hold what people rejected."""
    path = store / "dictionaries" / "proposals.json"
    path.write_bytes(content)
    assert_clear(
        call("dict", "suggest", "--store", store), 5, "proposals.json", "install" if b"99" in content else "backup"
    )
    assert path.read_bytes() == content


# Forks once for each call that touches the disk; the child is killed before that call.
CRASHING = """
import os, signal, sys
from pathlib import Path
from pipeline.store.proposals import update_proposals
from schemas.proposals import Proposals
root = Path(sys.argv[1])
path = root / "dictionaries" / "proposals.json"
former, acts = path.read_bytes(), (os.fsync, Path.replace, Path.open)
def emptied(before):
    return Proposals(proposals=())
def counted(act, left):
    def wrapped(*arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*arguments, **options)
    return wrapped
for step in range(40):
    path.write_bytes(former)
    child = os.fork()
    if child == 0:
        left = [step]
        os.fsync, Path.replace, Path.open = (counted(act, left) for act in acts)
        update_proposals(root, emptied)
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found = path.read_bytes()
    print(step, ended, "former" if found == former else "new" if b'"proposals": []' in found else "broken", flush=True)
    path.write_bytes(former)
    update_proposals(root, emptied)  # the next writer is not in the way of what was left
    if ended == 0:
        break
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
def test_a_crash_while_writing_keeps_the_proposals_of_before(store: Path) -> None:
    """Killed before each call that touches the disk, in turn: the file is whole, the old one or the new one."""
    suggested(store)
    done = subprocess.run(
        [sys.executable, "-c", CRASHING, str(store)], capture_output=True, text=True, check=True, timeout=120
    )
    steps = [line.split() for line in done.stdout.splitlines()]
    assert len(steps) > 3
    assert [ended for _, ended, _ in steps] == [str(-signal.SIGKILL)] * (len(steps) - 1) + ["0"]
    assert next(state for *_, state in steps) == "former"
    assert {state for *_, state in steps} == {"former", "new"}
    assert steps[-1][-1] == "new"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--accept", "ffffffffffff"), ("ffffffffffff",)),
        (("--accept", ""), ("no proposal",)),
        (("--decide", "x.xlsx", "--accept", "a"), ("--decide",)),
        (("--decide", "absent.xlsx"), ("absent.xlsx",)),
        (("--to", "leases.pets"), ("--accept",)),
        (("--dictionary", "cars"), ("cars", "leases")),
        (("--xlsx", "p.txt"), (".xlsx",)),
        (("--xlsx", "p.xlsx", "--reject", "a"), ("--xlsx",)),
    ],
)
def test_options_that_do_not_fit_are_told(store: Path, options: tuple[str, ...], words: tuple[str, ...]) -> None:
    """One sentence, exit code 2."""
    assert_clear(call("dict", "suggest", "--store", store, *options), 2, *words)


def test_a_sheet_that_is_there_is_not_overwritten(store: Path, tmp_path: Path) -> None:
    """It may hold a person's decisions."""
    sheet = tmp_path / "p.xlsx"
    sheet.write_bytes(b"mine")
    assert_clear(call("dict", "suggest", "--store", store, "--xlsx", sheet), 2, "--force")
    assert sheet.read_bytes() == b"mine"
    assert call("dict", "suggest", "--store", store, "--xlsx", sheet, "--force").exit_code == 0


def test_proposals_for_one_dictionary_leave_the_others(store: Path) -> None:
    """--dictionary shows and renews those of one dictionary."""
    every = suggested(store)["proposals"]
    some = suggested(store, "--dictionary", "leases")["proposals"]
    assert 0 < len(some) < len(every)
    assert {one["dictionary"] for one in some} == {"leases"}
    assert json.loads((store / "dictionaries" / "proposals.json").read_bytes())["proposals"] == every


def test_what_was_not_found_or_asked_of_some_pages_proves_nothing(store: Path) -> None:
    """Passages of such runs make no proposal; where one document alone is left, the words only go with the topic."""
    for town in TOWNS[:2]:
        run = run_of(store, DEPOSIT, town)
        limited = run.question.filters.model_copy(update={"page_range": (1, 1)})
        rewrite(store, run, question=run.question.model_copy(update={"filters": limited}))
    found = [one for one in suggested(store)["proposals"] if one["concept"] == "deposit"]
    assert not any(one["kind"] == "primary" for one in found)


@pytest.mark.parametrize(("word", "listed"), [("subleaze", False), ("sublease", True), ("mailboxx", False)])
def test_a_slip_of_the_pen_of_one_run_is_not_proposed(store: Path, word: str, listed: bool) -> None:
    """A single word that neither the language nor the document knows waits for a second run."""
    run = run_of(store, SUBLET)
    asked = f"How high is the {word}?"
    rewrite(
        store, run, question=run.question.model_copy(update={"original_question": asked, "corrected_question": asked})
    )
    assert (word in {one["text"] for one in suggested(store)["proposals"]}) is listed
