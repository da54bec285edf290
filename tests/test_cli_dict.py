"""`lineproof dict`: list, show, check, coverage, export and import, as an expert without Python uses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from dictionaries.loading import load_dictionaries
from pipeline.store.dictionaries import former_name, save_dictionary
from schemas.errors import StoreError
from tests.commands import assert_clear, call, kept
from tests.dictionaries.files import SMALL

Edit = Callable[[Any], None]
UNKNOWN_WORDS = "Within how many days may the closing purchase be made?"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one small dictionary of its own."""
    folder = tmp_path / "store" / "dictionaries"
    folder.mkdir(parents=True)
    (folder / "things.toml").write_text(SMALL, encoding="utf-8")
    return tmp_path / "store"


def exported(store: Path, name: str = "things") -> Path:
    """The workbook of a dictionary."""
    path = store.parent / f"{name}.xlsx"
    done = call("dict", "export", name, "--xlsx", path, "--store", store)
    assert done.exit_code == 0, done.output
    return path


def edit(path: Path, change: Edit) -> Path:
    """The workbook after a person edited and saved it."""
    book = openpyxl.load_workbook(path)
    change(book)
    book.save(path)
    return path


def object_of(*arguments: object, code: int = 0) -> dict[str, Any]:
    """The one JSON object that a command prints."""
    done = call(*arguments, "--json")
    assert done.exit_code == code, done.output
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_list_names_shipped_and_own(store: Path) -> None:
    """Every dictionary in force with its numbers, and where it comes from."""
    rows = {row["name"]: row for row in object_of("dict", "list", "--store", store)["dictionaries"]}
    assert rows["contracts"]["origin"] == "shipped"
    things = rows["things"]
    assert (things["origin"], things["version"], things["owner"]) == ("store", "1.2.0", "test desk")
    assert (things["concepts"], things["terms"], things["exhaustive"]) == (2, 9, 1)
    told = call("dict", "list", "--store", store).stdout
    assert "contracts desk" in told
    assert "test desk" in told


def test_a_broken_dictionary_is_listed_with_its_faults(store: Path) -> None:
    """One that cannot be used hides none of the others."""
    (store / "dictionaries" / "bad.toml").write_text(SMALL.replace('owner = "test desk"', ""), encoding="utf-8")
    done = call("dict", "list", "--store", store)
    assert done.exit_code == 5
    assert "not usable" in done.stdout
    assert "bad.toml: owner is missing" in done.stdout
    (store / "dictionaries" / "worse.toml").write_text("[concepts", encoding="utf-8")
    assert "worse.toml: not valid UTF-8 TOML" in call("dict", "list", "--store", store).stdout
    reasons = [fault["reason"] for fault in object_of("dict", "check", "--store", store, code=2)["faults"]]
    assert any("not valid UTF-8 TOML" in reason for reason in reasons)
    assert "owner is missing" in reasons
    shown = call("dict", "show", "worse", "--store", store)
    assert_clear(shown, 5, "worse.toml", "not valid UTF-8 TOML", "dict import")


def test_show_finds_a_concept_by_name_and_by_words(store: Path) -> None:
    """By its name, its name in words, or words that mean it; an unknown one is told with what is near."""
    for words in (["liability_cap"], ["liability", "cap"], ["Liability-cap"], ["cap on liability"]):
        found = object_of("dict", "show", "contracts", *words, "--store", store)
        assert found["concepts"][0]["concept"] == "liability_cap"
        assert found["dictionary"]["name"] == "contracts"
    shown = call("dict", "show", "things", "colour", "--store", store).stdout
    for words in ("The colour of a thing.", "shade of colour (0.8)", "colour blind", "as painters say it"):
        assert words in shown
    assert_clear(
        call("dict", "show", "things", "colour_of", "--store", store), 2, "no concept is named", "near it: colour"
    )
    assert_clear(call("dict", "show", "nothing", "--store", store), 2, "no dictionary named 'nothing'", "contracts")
    assert len(object_of("dict", "show", "things", "--store", store)["concepts"]) == 2
    assert "tamaño" not in call("dict", "show", "things", "--store", store).stdout


def test_a_terminal_is_not_steered_by_a_dictionary(store: Path) -> None:
    """Escape sequences and direction marks in a dictionary are not printed."""
    text = SMALL.replace("The colour of a thing.", "The \u202ecolour [bold]of a thing.")
    (store / "dictionaries" / "things.toml").write_text(text, encoding="utf-8")
    shown = call("dict", "show", "things", "--store", store).stdout
    assert "\u202e" not in shown
    assert "[bold]" in shown


def test_check_ends_by_what_it_finds(store: Path) -> None:
    """Sound or with warnings: 0. With an error: 2, told with file, concept and reason; nothing is written."""
    path = store / "dictionaries" / "things.toml"
    assert "sound" in call("dict", "check", path, "--store", store).stdout
    warned = SMALL.replace('["colour blind"]', '["snow blind"]')
    path.write_text(warned, encoding="utf-8")
    found = object_of("dict", "check", path, "--store", store)
    assert (found["errors"], found["warnings"]) == (0, 1)
    path.write_text(warned.replace('"outer size"', '"hue"'), encoding="utf-8")
    before = kept(store)
    done = call("dict", "check", path, "--store", store)
    assert done.exit_code == 2
    assert "size: en primary term 'hue' is also a primary term of colour" in " ".join(done.stdout.split())
    found = object_of("dict", "check", path, "--store", store, code=2)
    assert {fault["concept"] for fault in found["faults"] if fault["severity"] == "error"} == {"size"}
    assert kept(store) == before


def test_check_reads_workbooks_and_folders(store: Path) -> None:
    """A workbook is checked like a file; a folder of documents shows a term that is all over them."""
    path = exported(store)
    assert object_of("dict", "check", path, "--store", store)["errors"] == 0
    folder = store.parent / "documents"
    folder.mkdir()
    (folder / "leaflet.txt").write_text("\n\n".join(f"Line {n} speaks of the hue.\n" for n in range(40)), "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    found = object_of("dict", "check", path, "--folder", folder, "--store", store, code=2)
    assert any("'hue' is found on" in fault["reason"] for fault in found["faults"])
    assert [each["file"] for each in found["unread"]] == ["broken.pdf"]


def test_coverage_counts_and_names_what_finds_nothing(store: Path) -> None:
    """Lines and documents a term; what cannot be read is named and the rest goes on; a workbook on demand."""
    folder = store.parent / "documents"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("The colour is red.\n\nThe hue is deep.\n", "utf-8")
    (folder / "deep" / "b.txt").write_text("Nothing is here.\n", "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    book = store.parent / "counts.xlsx"
    found = object_of("dict", "coverage", "things", folder, "--xlsx", book, "--store", store)
    assert found["coverage"]["documents"] == ["a.txt", "deep/b.txt"]
    lines = {term["text"]: (term["lines"], term["documents"]) for term in found["coverage"]["terms"]}
    assert (lines["colour"], lines["hue"], lines["matiz"]) == ((1, 1), (1, 1), (0, 0))
    colour = found["coverage"]["concepts"][0]
    assert (colour["documents"], colour["lines"], colour["without"]) == (1, 2, ["deep/b.txt"])
    assert "matiz" in {term["text"] for term in found["unused"]}
    assert [each["file"] for each in found["unread"]] == ["broken.pdf"]
    assert openpyxl.load_workbook(book).worksheets[0].max_row == 1 + len(lines)
    told = call("dict", "coverage", "things", folder, "--concept", "colour", "--store", store).stdout
    assert "not read: broken.pdf" in told
    assert "without a hit" in told
    assert_clear(
        call("dict", "coverage", "things", folder, "--concept", "x", "--store", store), 2, "no concept named x"
    )
    assert_clear(call("dict", "coverage", "things", store / "none", "--store", store), 2, "no such folder")


def test_export_replaces_no_edits(store: Path) -> None:
    """A workbook that is there already may hold an expert's work."""
    path = exported(store)
    again = ("dict", "export", "things", "--xlsx", path, "--store", store)
    assert_clear(call(*again), 2, "is there already", "--force")
    assert object_of(*again, "--force")["path"] == str(path)
    assert_clear(call("dict", "export", "things", "--xlsx", "things.csv", "--store", store), 2, "ends in .xlsx")


def test_an_import_changes_versions_and_keeps_the_one_before(store: Path) -> None:
    """What changes is told, the version is raised, the former file is kept, and loading gives the new words."""
    path = exported(store)
    former = (store / "dictionaries" / "things.toml").read_bytes()
    assert not object_of("dict", "import", path, "--store", store)["is_new"]
    edit(path, lambda book: book["terms"].append(["colour", "en", "primary", "tinge"]))
    tried = object_of("dict", "import", path, "--dry-run", "--store", store)
    assert (tried["path"], (store / "dictionaries" / "things.toml").read_bytes()) == (None, former)
    done = call("dict", "import", path, "--xlsx", "--store", store)
    assert done.exit_code == 0, done.output
    told = " ".join(done.stdout.split())
    for words in (
        "colour: + en primary 'tinge'",
        "version: 1.2.0 became 1.2.1",
        "it became version 1.2.1",
        "in force as",
    ):
        assert words in told
    (history,) = (store / "dictionaries" / "history").iterdir()
    assert history.name.startswith("things_1.2.0_")
    assert history.read_bytes() == former
    colour = load_dictionaries(names=["things"], overlay=store / "dictionaries").concept("colour")
    assert colour is not None
    assert "tinge" in {term.text for term in colour.terms}
    assert not object_of("dict", "import", path, "--store", store)["is_new"]
    assert object_of("dict", "import", history, "--as", "former_things", "--dry-run", "--store", store, code=2)["error"]


def test_a_shipped_dictionary_is_overlaid(store: Path, tmp_path: Path) -> None:
    """The store's own takes its place from the next question on, and an expert's file in TOML does as well."""
    shipped = load_dictionaries(names=["things"], overlay=store / "dictionaries")
    assert shipped.versions == {"things": "1.2.0"}
    elsewhere = tmp_path / "elsewhere"
    path = tmp_path / "things.toml"
    path.write_text(SMALL, encoding="utf-8")
    told = object_of("dict", "import", path, "--store", elsewhere)
    assert (told["former_version"], told["changes"], told["concepts"]) == (None, None, 2)
    rows = object_of("dict", "list", "--store", elsewhere)["dictionaries"]
    assert "store" in {row["origin"] for row in rows if row["name"] == "things"}
    assert kept(elsewhere) == ["dictionaries/things.toml", "ledger.jsonl"]
    assert_clear(call("dict", "import", path, "--as", "../x", "--store", elsewhere), 2, "is no name of a dictionary")
    assert_clear(call("dict", "import", path, "--xlsx", "--store", elsewhere), 2, "leave --xlsx out")


def test_two_experts_at_once_lose_nothing(tmp_path: Path) -> None:
    """What another process put in force meanwhile is not overwritten, and nothing half written stays."""
    path = save_dictionary(tmp_path, "things", b"first", former=None)
    save_dictionary(tmp_path, "things", b"second", former=b"first", former_version="1.0/../beta")
    with pytest.raises(StoreError, match="was changed by another process meanwhile"):
        save_dictionary(tmp_path, "things", b"third", former=b"first", former_version="1.0")
    assert path.read_bytes() == b"second"
    (history,) = (path.parent / "history").iterdir()
    assert (history.name, history.read_bytes()) == (former_name("things", b"first", "1.0/../beta"), b"first")
    assert kept(tmp_path) == ["dictionaries/history/" + history.name, "dictionaries/things.toml", "ledger.jsonl"]


def add(sheet: str, *values: Any) -> Edit:
    """An edit that adds a row."""
    return lambda book: book[sheet].append(list(values))


def set_first(sheet: str, column: str, value: Any) -> Edit:
    """An edit of the first row below the head."""

    def change(book: Any) -> None:
        place = next(cell.column for cell in book[sheet][1] if cell.value == column)
        book[sheet].cell(2, place).value = value

    return change


@pytest.mark.parametrize(
    ("change", "sheet", "row", "reason"),
    [
        (add("terms", "size", "en", "primary", "hues"), None, None, ""),
        (add("terms", "size", "en", "primary", "Hue"), "terms", 13, "also a primary term of colour"),
        (add("terms", "shape", "en", "primary", "outline"), "terms", 13, "'shape' is no concept"),
        (set_first("concepts", "patterns", "(a+)+$"), "concepts", 2, "takes more than 0.2 s"),
        (set_first("concepts", "patterns", "(a"), "concepts", 2, "is no regular expression"),
        (lambda book: book["terms"].delete_cols(2), "terms", 1, "'language' is missing"),
    ],
)
def test_a_broken_workbook_is_refused(store: Path, change: Edit, sheet: str | None, row: int, reason: str) -> None:
    """Told by sheet, row and reason, with exit code 2, and the store stays byte for byte as it was."""
    path = edit(exported(store), change)
    before = {name: (store / name).read_bytes() for name in kept(store)}
    if sheet is None:
        assert call("dict", "import", path, "--store", store).exit_code == 0
        return
    done = call("dict", "import", path, "--store", store)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert f"things.xlsx, sheet '{sheet}', row {row}, column" in done.stderr
    assert reason in done.stderr
    assert "nothing was written" in done.stderr
    told = object_of("dict", "import", path, "--store", store, code=2)
    assert told["error"]["kind"] == "DictionaryError"
    assert any(fault["sheet"] == sheet and fault["row"] == row for fault in told["faults"])
    assert {name: (store / name).read_bytes() for name in kept(store)} == before


def test_an_edit_in_a_workbook_changes_the_next_answer(project: Path, tmp_path: Path) -> None:
    """The whole way of an expert without Python: export, add what people ask, import, ask again.

    Nobody has said yet that a 'closing purchase' is the last-time buy at the end of a contract.
    """
    store, contract = tmp_path / "store", project / "examples" / "supply_agreement.pdf"
    before = object_of("ask", contract, UNKNOWN_WORDS, "--no-llm", "--store", store, code=3)
    assert before["answer"]["status"] == "not_found"
    path = edit(
        exported(store, "contracts"), add("terms", "post_termination_services", "en", "question", "closing purchase")
    )
    assert call("dict", "import", path, "--xlsx", "--store", store).exit_code == 0
    after = object_of("ask", contract, UNKNOWN_WORDS, "--no-llm", "--store", store)
    assert after["answer"]["status"] == "answered"
    assert "thirty (30) days of a notice of termination" in json.dumps(after["answer"])


def test_a_fault_of_the_columns_is_told_alone(store: Path) -> None:
    """A column that is gone or renamed: what its cells would say is not guessed."""
    path = edit(exported(store, "contracts"), lambda book: book["terms"].delete_cols(2))
    found = object_of("dict", "check", path, "--store", store, code=2)["faults"]
    assert [(fault["sheet"], fault["row"], fault["column"]) for fault in found] == [("terms", 1, "language")]


def test_the_same_fault_of_many_rows_is_counted(store: Path) -> None:
    """Two headers that changed places: three rows of each fault, how many more there are, and all in --json."""

    def swap(book: Any) -> None:
        sheet = book["terms"]
        sheet.cell(1, 2).value, sheet.cell(1, 3).value = sheet.cell(1, 3).value, sheet.cell(1, 2).value

    path = edit(exported(store, "contracts"), swap)
    every = object_of("dict", "check", path, "--store", store, code=2)["faults"]
    assert len(every) > 1000
    for command in ("check", "import"):
        done = call("dict", command, path, "--store", store)
        assert done.exit_code == 2
        assert len(done.output.splitlines()) < 80
        assert "more rows; is the column 'kind' headed right?" in " ".join(done.output.split())


def test_check_tells_errors_before_warnings(store: Path) -> None:
    """Of all files together; a date that is none is told once, and a weight by its word."""
    path = store / "dictionaries" / "things.toml"
    text = SMALL.replace('["colour blind"]', '["snow blind"]').replace("weight = 0.8", "weight = 8")
    path.write_text(text, encoding="utf-8")
    other = store.parent / "others.toml"
    other.write_text(SMALL.replace('"outer size"', '"hue"'), encoding="utf-8")
    told = " ".join(call("dict", "check", path, other, "--store", store).stdout.split())
    assert told.rindex("error: ") < told.index("warning: ")
    assert "colour: en primary term 'shade of colour': weight must be" in told
    (store / "dictionaries" / "things.toml").write_text(SMALL, encoding="utf-8")
    book = exported(store)
    edit(book, lambda each: each["dictionary"].cell(5, 2, "soon"))
    done = call("dict", "import", book, "--store", store)
    assert "refused for 1 error" in done.stderr
    assert "must be a date" in done.stderr


def test_a_damaged_dictionary_is_told_with_its_remedy_and_an_import_cures_it(store: Path, tmp_path: Path) -> None:
    """A saved record that cannot be used: exit code 5, its path, and what to do; then the import."""
    book = exported(store)
    path = store / "dictionaries" / "things.toml"
    path.write_bytes(b"\xff\x00[concepts")
    letter = tmp_path / "letter.txt"
    letter.write_text("The colour is red.", encoding="utf-8")
    asked = call("ask", letter, "Which colour?", "--no-llm", "--store", store)
    assert_clear(asked, 5, "things.toml", "history", "dict import")
    listed = call("dict", "list", "--store", store)
    assert listed.exit_code == 5
    assert "dict import" in " ".join(listed.stdout.split())
    told = object_of("dict", "import", book, "--store", store)
    assert told["is_new"]
    assert "could not be used" in told["notes"][0]
    assert call("dict", "list", "--store", store).exit_code == 0
    (kept_one,) = (store / "dictionaries" / "history").iterdir()
    assert kept_one.read_bytes() == b"\xff\x00[concepts"


def test_an_older_export_takes_nothing_back_unless_told_to(store: Path) -> None:
    """Two experts with the same export: the second is refused with what would be undone, and nothing is written."""
    mine, theirs = exported(store), store.parent / "theirs.xlsx"
    theirs.write_bytes(mine.read_bytes())
    edit(theirs, lambda book: book["terms"].append(["colour", "en", "primary", "tinge"]))
    assert object_of("dict", "import", theirs, "--store", store)["version"] == "1.2.1"
    path = store / "dictionaries" / "things.toml"
    before = path.read_bytes()
    edit(mine, lambda book: book["terms"].append(["colour", "en", "primary", "shading"]))
    refused = call("dict", "import", mine, "--store", store)
    assert_clear(refused, 2, "made from version 1.2.0, and 1.2.1 is in force", "- en primary 'tinge'", "--force")
    assert "shading" not in refused.stderr
    assert path.read_bytes() == before
    both = edit(mine, lambda book: book["terms"].append(["colour", "en", "primary", "tinge"]))
    assert object_of("dict", "import", both, "--store", store)["version"] == "1.2.2"
    (history,) = (store / "dictionaries" / "history").glob("things_1.2.0_*")
    assert call("dict", "import", history, "--as", "things", "--store", store).exit_code == 2
    assert object_of("dict", "import", history, "--as", "things", "--force", "--store", store)["version"] == "1.2.3"


def test_a_version_raised_by_hand_hides_no_older_export(store: Path) -> None:
    """The workbook remembers what it was exported from, and the same expert may go on with it."""
    mine, theirs = exported(store), store.parent / "theirs.xlsx"
    theirs.write_bytes(mine.read_bytes())
    edit(theirs, lambda book: book["terms"].append(["colour", "en", "primary", "tinge"]))
    assert object_of("dict", "import", theirs, "--store", store)["version"] == "1.2.1"
    edit(theirs, lambda book: book["terms"].append(["colour", "en", "primary", "undertone"]))
    assert object_of("dict", "import", theirs, "--store", store)["version"] == "1.2.2"
    edit(mine, lambda book: book["dictionary"].cell(4, 2, "2.0.0"))
    refused = call("dict", "import", mine, "--store", store)
    assert_clear(refused, 2, "made from version 1.2.0, and 1.2.2 is in force", "'tinge'", "'undertone'")
