"""The chain of the ledger by itself: each way to change it has its kind, and a chain that is whole has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.tampers import entries_of, rechained, rehashed, write_ledger
from pipeline.audit.verify.chain import Chain, Witnesses, check_chain
from pipeline.audit.verify.findings import Findings
from pipeline.store.ledger import LEDGER, append
from schemas.ledger import LedgerEntry

LINES = 6
Change = Callable[[list[LedgerEntry]], list[LedgerEntry]]


def ledger(root: Path, lines: int = LINES) -> list[LedgerEntry]:
    """A ledger of some lines."""
    for number in range(lines):
        append(root, "dictionary", facts={"name": f"words{number}"})
    return entries_of(root)


def kinds(root: Path, witnesses: Witnesses | None = None) -> tuple[list[str], Chain]:
    """The kinds of what is found, and the chain."""
    findings = Findings()
    chain = check_chain(root, witnesses or Witnesses(), findings)
    return sorted(one.kind for one in findings.mismatches()), chain


def edited(entry: LedgerEntry) -> LedgerEntry:
    """The line with another time, and the hash as it was."""
    return entry.model_copy(update={"at": "2020-01-01T00:00:00.000+00:00"})


def test_a_whole_chain_has_no_fault(tmp_path: Path) -> None:
    """Untouched: nothing is found, and all lines are in the chain."""
    made = ledger(tmp_path)
    found, chain = kinds(tmp_path)
    assert found == []
    assert list(chain.entries.values()) == made
    assert chain.last == LINES


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: [*lines[:2], edited(lines[2]), *lines[3:]], ["ledger_altered"]),
        (lambda lines: [*lines[:2], rehashed(edited(lines[2])), *lines[3:]], ["ledger_altered"]),
        (lambda lines: lines[:2] + lines[3:], ["ledger_line_missing"]),
        (lambda lines: lines[2:], ["ledger_line_missing"]),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], ["ledger_reordered"]),
        (lambda lines: [*lines[1:], lines[0]], ["ledger_reordered"]),
        (lambda lines: [*lines[:3], lines[1], *lines[3:]], ["ledger_inserted"]),
        (lambda lines: [*lines[:3], rehashed(lines[3], ledger="0" * 32), *lines[3:]], ["ledger_inserted"]),
        (
            lambda lines: [*lines[:3], rehashed(lines[3], facts={}, prev=lines[2].hash), *lines[3:]],
            ["ledger_inserted"],
        ),
        (lambda lines: [*lines[:3], rehashed(lines[3], seq=99, prev="1" * 64), *lines[3:]], ["ledger_inserted"]),
        (lambda lines: [rehashed(lines[0], prev="1" * 64), *lines[1:]], ["ledger_altered", "ledger_altered"]),
    ],
)
def test_each_change_of_lines_has_its_kind(tmp_path: Path, change: Change, expected: list[str]) -> None:
    """Edited, with its hash or without; deleted; moved; repeated; of another ledger; forged."""
    write_ledger(tmp_path, change(ledger(tmp_path)))
    assert kinds(tmp_path)[0] == expected


def test_the_number_and_the_line_are_named(tmp_path: Path) -> None:
    """A deleted line is told by its number, an edited one by its place in the file."""
    lines = ledger(tmp_path)
    write_ledger(tmp_path, [*lines[:1], *lines[2:4], edited(lines[4]), lines[5]])
    findings = Findings()
    check_chain(tmp_path, Witnesses(), findings)
    told = {(one.kind, one.place, one.seq) for one in findings.mismatches()}
    assert told == {
        ("ledger_line_missing", f"{LEDGER} line 2", 2),
        ("ledger_altered", f"{LEDGER} line 4", 5),
    }


@pytest.mark.parametrize(
    ("bytes_added", "expected"),
    [
        (b'{"at":"2026', ["ledger_torn", "ledger_torn"]),
        (b"\n", ["ledger_torn"]),
        (b"approved\n", ["ledger_inserted"]),
    ],
)
def test_bytes_after_the_last_line_are_told(tmp_path: Path, bytes_added: bytes, expected: list[str]) -> None:
    """Unfinished or foreign bytes at the end; each kind as often as it is told."""
    ledger(tmp_path)
    with (tmp_path / LEDGER).open("ab") as file:
        file.write(bytes_added)
    assert kinds(tmp_path)[0] == expected


def test_an_unfinished_line_that_the_next_declares_is_no_fault(tmp_path: Path) -> None:
    """A process that died: the next line says so, and any other bytes in that place are told."""
    ledger(tmp_path, 2)
    whole = (tmp_path / LEDGER).read_bytes()
    (tmp_path / LEDGER).write_bytes(whole + b'{"at":"20')
    append(tmp_path, "dictionary", facts={"name": "after"})
    assert kinds(tmp_path)[0] == []
    (tmp_path / LEDGER).write_bytes((tmp_path / LEDGER).read_bytes().replace(b'{"at":"20\n', b'{"at":"21\n'))
    assert kinds(tmp_path)[0] == ["ledger_altered"]


def test_a_line_end_that_was_taken_away_is_told(tmp_path: Path) -> None:
    """One byte less at the very end."""
    ledger(tmp_path)
    (tmp_path / LEDGER).write_bytes((tmp_path / LEDGER).read_bytes()[:-1])
    found, chain = kinds(tmp_path)
    assert found == ["ledger_torn"]
    assert chain.last == LINES


@pytest.mark.parametrize("at", range(0, 1800, 97))
def test_any_flipped_bit_shows(tmp_path: Path, at: int) -> None:
    """Wherever it is: in a line, in its hash, in its end."""
    ledger(tmp_path)
    data = bytearray((tmp_path / LEDGER).read_bytes())
    data[at % len(data)] ^= 4
    (tmp_path / LEDGER).write_bytes(data)
    assert kinds(tmp_path)[0]


def test_a_witness_decides_which_of_two_neighbours_was_edited(tmp_path: Path) -> None:
    """The receipt of a folder vouches for the line before, so the one after it names a false hash."""
    lines = ledger(tmp_path)
    write_ledger(tmp_path, [*lines[:5], rehashed(lines[5], prev="1" * 64)])
    said = Witnesses(Counter([lines[4].ledger]), {(lines[4].ledger, 5): frozenset({lines[4].hash})})
    findings = Findings()
    check_chain(tmp_path, said, findings)
    assert [(one.kind, one.seq) for one in findings.mismatches()] == [("ledger_altered", 6)]


def test_a_chain_that_was_written_anew_is_whole_by_itself(tmp_path: Path) -> None:
    """What the documentation says cannot be seen from the chain alone; only witnesses outside of it tell."""
    lines = ledger(tmp_path)
    write_ledger(tmp_path, rechained([edited(line) for line in lines]))
    assert kinds(tmp_path)[0] == []


def test_a_store_without_a_ledger_has_an_empty_chain(tmp_path: Path) -> None:
    """Nothing to check, nothing found."""
    found, chain = kinds(tmp_path)
    assert (found, chain.exists, chain.last) == ([], False, 0)
