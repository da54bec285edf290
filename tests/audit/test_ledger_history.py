"""`lineproof ledger`: each line with what it recorded, read only where it is what was sealed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from pipeline.audit.history import read_history
from pipeline.store.ledger import LEDGER, append
from pipeline.store.sealed import save_sealed
from pipeline.store.seals import Rests
from tests.commands import assert_clear, call
from tests.dictionaries.files import SMALL

Facts = dict[str, Any]


def save(root: Path, place: str, kind: Any, **records: Facts) -> Path:
    """A sealed folder with these records, on the document d_1."""
    files = {f"{name}.json": json.dumps(record).encode() for name, record in records.items()}
    save_sealed(root, root / place, files, kind=kind, rests=Rests(documents={"d_1": "0" * 64}))
    return root / place


def ask(root: Path, name: str, text: str, status: str = "answered") -> Path:
    """A run as far as the history reads it."""
    return save(root, f"d_1/questions/{name}", "run", request={"text": text}, answer={"status": status})


def states(root: Path) -> list[str]:
    """What became of each line."""
    return [event.state for event in read_history(root).events]


def test_each_kind_is_told_in_words(tmp_path: Path) -> None:
    """By the record that it seals, or by its facts."""
    ask(tmp_path, "q", "What is the cap?", "partial")
    save(tmp_path, "cases/c", "case", case_answer={"question": "And overall?"})
    save(
        tmp_path,
        "replays/r",
        "replay",
        replay={"of": "d_1/questions/q", "identical": False, "changed": {"prompt": "p"}},
    )
    save(tmp_path, "replays/s", "replay", replay={"of": "d_1/questions/q", "identical": True, "changed": {}})
    review = {"run": "d_1/questions/q", "verdict": "reject", "reviewer": "A. Auditor", "reason": "wrong line"}
    save(tmp_path, "reviews/v", "review", review=review)
    append(
        tmp_path, "dictionary", facts={"name": "words", "version": "2", "sha256_before": None, "sha256_after": "a" * 64}
    )
    append(tmp_path, "anchor", facts={"seq": 6, "hash": "b" * 64, "key_id": "c" * 16})
    append(tmp_path, "forget", facts={"seqs": "1-2"})
    events = read_history(tmp_path).events
    assert [event.what for event in events[2:]] == [
        "d_1/questions/q: with another prompt p, not identical",
        "d_1/questions/q: as it was, identical",
        "d_1/questions/q: rejected by A. Auditor: wrong line",
        "words 2: none -> aaaaaaaaaaaa",
        "line 6 signed by the key cccccccccccccccc",
        "erased what these lines recorded: 1-2",
    ]
    assert [(event.what, event.status, event.documents) for event in events[:2]] == [
        ("What is the cap?", "partial", ("d_1",)), ("And overall?", None, ("d_1",))
    ]  # fmt: skip


def test_what_became_of_a_record_is_told(tmp_path: Path) -> None:
    """Replaced and kept, moved to another place, changed, taken away, erased on request."""
    ask(tmp_path, "a", "first")
    ask(tmp_path, "a", "second")
    changed, sealed, gone, erased = (ask(tmp_path, name, name) for name in ("changed", "sealed", "gone", "erased"))
    (changed / "request.json").write_text('{"text": "another question"}', encoding="utf-8")
    seal = json.loads((sealed / "seal.json").read_bytes())
    (sealed / "seal.json").write_text(json.dumps({**seal, "place": "elsewhere"}), encoding="utf-8")
    shutil.rmtree(gone)
    shutil.rmtree(erased)
    append(tmp_path, "forget", facts={"seqs": "6"})
    assert states(tmp_path) == ["replaced", "kept", "altered", "altered", "missing", "forgotten", "none"]
    events = read_history(tmp_path).events
    assert [event.what for event in events[:2]] == ["first", "second"]
    assert events[2].what == ""
    assert events[5].what == "erased on request by line 7"


def test_a_folder_without_its_receipt_is_found_by_its_seal(tmp_path: Path) -> None:
    """The receipt is a hint: missing, damaged, or that of another line."""
    folders = [ask(tmp_path, name, name) for name in ("a", "b", "c")]
    (folders[0] / "entry.json").unlink()
    (folders[1] / "entry.json").write_bytes(b"{")
    shutil.copyfile(folders[1].parent / "c" / "entry.json", folders[0] / "entry.json")
    assert states(tmp_path) == ["kept"] * 3
    assert [event.what for event in read_history(tmp_path).events] == ["a", "b", "c"]


def test_some_lines_may_be_asked_for(tmp_path: Path) -> None:
    """The last ones, of a kind; the numbers stay those of the ledger."""
    for number in range(4):
        ask(tmp_path, f"q{number}", str(number))
        append(tmp_path, "anchor", facts={"seq": number})
    assert [event.entry.seq for event in read_history(tmp_path, last=3).events] == [6, 7, 8]
    assert [event.entry.seq for event in read_history(tmp_path, last=2, kinds=("run",)).events] == [5, 7]
    assert read_history(tmp_path, kinds=("review",)).events == ()
    assert read_history(tmp_path / "none").ledger is None


def test_lines_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    """Unless the next line declares them as unfinished."""
    append(tmp_path, "anchor")
    with (tmp_path / LEDGER).open("ab") as file:
        file.write(b'{"at":"20')
    append(tmp_path, "anchor")
    assert read_history(tmp_path).damaged == 0
    content = (tmp_path / LEDGER).read_bytes()
    (tmp_path / LEDGER).write_bytes(content.replace(b'"seq":1', b'"seq":3') + b"{")
    history = read_history(tmp_path)
    assert (history.line_count, history.damaged, len(history.events)) == (4, 2, 1)


def test_the_command_shows_the_history(tmp_path: Path) -> None:
    """For people, with control characters of a question taken out, and as one object for machines."""
    ask(tmp_path, "a", "What is\x1b[31m the\ncap? " + "and " * 80)
    ask(tmp_path, "a", "again")
    append(tmp_path, "anchor", facts={"seq": 2, "key_id": "c" * 16})
    shown = call("ledger", "--store", tmp_path).stdout
    assert "What is the cap?" in shown
    assert "..." in shown
    assert "\x1b" not in shown
    assert "answered, replaced" in shown
    assert "signed by the key" in shown
    told = json.loads(
        call("ledger", "--store", tmp_path, "--json", "--kind", "anchor", "--kind", "run", "--last", "2").stdout
    )
    assert [entry["seq"] for entry in told["entries"]] == [2, 3]
    assert told["lines"] == 3
    assert told["entries"][0]["what"] == "again"
    assert_clear(call("ledger", "--store", tmp_path, "--kind", "runs"), 2, "no such kind")
    assert_clear(call("ledger", "--store", tmp_path / "none"), 2, "no such store")
    (tmp_path / "empty").mkdir()
    assert "no ledger yet" in call("ledger", "--store", tmp_path / "empty").stdout


def test_every_way_to_change_a_dictionary_is_in_the_history(tmp_path: Path) -> None:
    """A new one, an edit, going back to a former version; what changes nothing is no event."""
    store, file = tmp_path / "store", tmp_path / "things.toml"
    file.write_text(SMALL, encoding="utf-8")
    assert call("dict", "import", file, "--store", store).exit_code == 0
    assert call("dict", "import", file, "--store", store).exit_code == 0
    file.write_text(SMALL.replace('"tint"', '"tinge"'), encoding="utf-8")
    assert call("dict", "import", file, "--store", store, "--dry-run").exit_code == 0
    assert call("dict", "import", file, "--store", store).exit_code == 0
    (former,) = (store / "dictionaries" / "history").iterdir()
    back = call("dict", "import", former, "--as", "things", "--store", store, "--force")
    assert back.exit_code == 0, back.output
    facts = [event.entry.facts for event in read_history(store, kinds=("dictionary",)).events]
    assert [each["name"] for each in facts] == ["things"] * 3
    assert [each["sha256_before"] for each in facts] == [None, facts[0]["sha256_after"], facts[1]["sha256_after"]]
    assert len({each["version"] for each in facts}) == 3
