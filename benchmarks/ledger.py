"""Whether anything is lost that was reported done, when processes append to one ledger and are killed at random.

    python benchmarks/ledger.py [--processes 8] [--entries 1000] [--kills 400] [--seed 1] [--store DIR]
    python benchmarks/ledger.py --lengths          how long an appending takes on ledgers of 0 to 100,000 lines

Every second entry is one of `append`, every other a small folder through `save_sealed`; a place is written again and
again, so that folders are replaced. A process reports an entry by a line in a file of its own, synced, after the call
came back; killed, it is started again and goes on behind its last report. Each write to the ledger is cut into pieces
with a pause between (a short write, which POSIX allows), and some processes kill themselves between two: without that a
kernel finishes so small a write before the process dies, and no line would ever be torn.

Then, by code that shares nothing with the store but the recovery that it checks: every line is whole, canonical and
linked, or declared as unfinished by the next; every report is in the ledger; every sealed entry has its folder with
all files, in its place or among the former ones; nothing hidden is left. Ends with 1 where that does not hold.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pipeline.store import ledger
from pipeline.store.sealed import put_unfinished_in_place, save_sealed
from pipeline.store.seals import Rests, read_seal, seal_root

PLACES = 5  # folders of one process, each written again and again
DOCUMENTS = 3  # that they are spread over: processes share the lock of a document
PIECES = 3  # of a line, at most
PAUSE_SECONDS = 0.002  # before a piece, at most
SELF_KILLS = 0.02  # share of the pieces after which a process kills itself
KILL_EVERY_SECONDS = (0.005, 0.06)
REPORTS = "reports"  # folder beside the store
LENGTHS = (0, 1_000, 10_000, 100_000)


@dataclass
class Outcome:
    """What a campaign left behind; `faults` is empty where nothing was lost."""

    lines: int = 0
    reported: int = 0
    kills: int = 0
    torn: int = 0
    sealed: int = 0
    former: int = 0
    put_in_place: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


def main() -> None:
    """Run the campaign, or measure lengths, and print what came out as JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--processes", type=int, default=8)
    options.add_argument("--entries", type=int, default=1000, help="a process")
    options.add_argument("--kills", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--store", type=Path, default=None, help="a new folder; one for the time without it")
    options.add_argument("--lengths", action="store_true")
    asked = options.parse_args()
    folder = asked.store or Path(tempfile.mkdtemp(prefix="lineproof-ledger-"))
    try:
        if asked.lengths:
            print(json.dumps(measure_lengths(folder), indent=1))
            return
        outcome = run_campaign(
            folder, processes=asked.processes, entries=asked.entries, kills=asked.kills, seed=asked.seed
        )
    finally:
        if asked.store is None:
            shutil.rmtree(folder)
    print(json.dumps(asdict(outcome), indent=1))
    sys.exit(1 if outcome.faults else 0)


def run_campaign(folder: Path, *, processes: int, entries: int, kills: int, seed: int) -> Outcome:
    """The outcome of `processes` processes with `entries` entries each, killed `kills` times in all."""
    root, reports = folder / "store", folder / REPORTS
    root.mkdir(parents=True)
    reports.mkdir()
    chance = random.Random(seed)  # noqa: S311 - moments, not secrets
    started = time.monotonic()
    alive = {_start(root, reports, number, entries, chance.random()): number for number in range(processes)}
    sent = killed = 0
    while alive:
        time.sleep(chance.uniform(*KILL_EVERY_SECONDS))
        if sent < kills:
            os.kill(chance.choice(sorted(alive)), signal.SIGKILL)
            sent += 1
        for pid in list(alive):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended == 0:
                continue
            number = alive.pop(pid)
            if os.waitstatus_to_exitcode(status) == 0:
                continue
            if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
                return Outcome(faults=[f"process {number} failed with {os.waitstatus_to_exitcode(status)}"])
            killed += 1
            alive[_start(root, reports, number, entries, chance.random())] = number
    outcome = Outcome(kills=killed, seconds=round(time.monotonic() - started, 1))
    check(root, reports, outcome, expected=processes * entries)
    return outcome


def _start(root: Path, reports: Path, number: int, entries: int, luck: float) -> int:
    """Fork a process that goes on where its reports end; gives its id."""
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        _cut_writes(random.Random(luck))  # noqa: S311
        _append_all(root, reports / f"{number}.txt", number, entries)
        code = 0
    finally:
        os._exit(code)


def _append_all(root: Path, report: Path, number: int, entries: int) -> None:
    known = report.read_bytes() if report.exists() else b""
    done = known.count(b"\n")
    with report.open("ab") as file:
        file.truncate(known.rfind(b"\n") + 1)  # a report that was cut off was none
        for at in range(done, entries):
            if at % 2:
                entry = ledger.append(root, "anchor", facts={"process": number, "at": at})
                told = {"seq": entry.seq, "hash": entry.hash}
            else:
                place = root / f"doc_{number % DOCUMENTS}" / "questions" / f"q{number}_{at // 2 % PLACES}"
                content = {"answer.json": json.dumps({"process": number, "at": at}).encode(), "a.txt": b"x" * 200}
                entry = save_sealed(root, place, content, kind="run", rests=Rests())
                told = {"seq": entry.seq, "hash": entry.hash, "seal": entry.seal}
            file.write(json.dumps(told).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _cut_writes(chance: random.Random) -> None:
    """Let every `os.write` of this process write only a part of what it is given, after a pause."""
    whole = os.write

    def part(handle: int, data: bytes | memoryview) -> int:
        time.sleep(chance.uniform(0, PAUSE_SECONDS))
        done = whole(handle, data[: max(1, -(-len(data) // chance.randint(1, PIECES)))])
        if chance.random() < SELF_KILLS:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    os.write = part  # type: ignore[assignment]


def check(root: Path, reports: Path, outcome: Outcome, *, expected: int) -> None:
    """Fill in the outcome: what is in the ledger and in the folders against what was reported."""
    entries = {entry["seq"]: entry for entry in _chain(root / ledger.LEDGER, outcome)}
    reported = [json.loads(line) for path in sorted(reports.iterdir()) for line in path.read_bytes().splitlines()]
    outcome.lines, outcome.reported = len(entries), len(reported)
    if len(reported) != expected:
        outcome.faults.append(f"{expected} entries were to be reported, {len(reported)} were")
    for each in reported:
        entry = entries.get(each["seq"])
        if entry is None or entry["hash"] != each["hash"] or entry["seal"] != each.get("seal"):
            outcome.faults.append(f"line {each['seq']} was reported done and is not in the ledger")
    before = set(root.rglob(".new-*"))
    outcome.put_in_place = len(put_unfinished_in_place(root))
    if outcome.put_in_place > len(before):
        outcome.faults.append("more folders were put in place than lay beside")
    here = dict(_seals(root, outcome))
    for entry in entries.values():
        if entry["seal"] is not None:
            outcome.sealed += 1
            if entry["seal"] not in here:
                outcome.faults.append(f"line {entry['seq']}: the folder that it seals is not there")
    outcome.former = sum("former" in path.parts for path in here.values())
    known = {entry["seal"] for entry in entries.values()}
    outcome.faults += [f"{path}: nothing recorded it" for seal, path in here.items() if seal not in known]
    hidden = [path for path in root.rglob(".*") if path.name != ".locks"]
    outcome.faults += [f"{path}: was left behind" for path in hidden]


def _chain(path: Path, outcome: Outcome) -> Iterator[dict[str, object]]:
    """The lines that fit, in order; every one that does not is a fault, unless the next declares it unfinished."""
    prev, seq, torn = "0" * 64, 0, b""
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        outcome.faults.append("the last line has no end")
    for line in data.removesuffix(b"\n").split(b"\n"):
        entry = _entry(line)
        if entry is None:
            torn += b"\n" + line if torn else line
            outcome.torn += 1
            continue
        declared = entry["torn"]
        found = {"byte_count": len(torn), "sha256": hashlib.sha256(torn).hexdigest()} if torn else None
        if declared != found:
            outcome.faults.append(f"line {entry['seq']} declares {declared}, before it stands {found}")
        if (entry["seq"], entry["prev"]) != (seq + 1, prev):
            outcome.faults.append(f"line {entry['seq']} does not follow line {seq}")
        prev, seq, torn = str(entry["hash"]), seq + 1, b""
        yield entry
    if torn:
        outcome.faults.append("an unfinished line at the end")


def _entry(line: bytes) -> dict[str, object] | None:
    """The fields of a line that hashes to what it says; without floats, sorted keys are all that RFC 8785 asks."""
    try:
        fields = json.loads(line)
        rest = {name: value for name, value in fields.items() if name != "hash"}
        told = fields["hash"]
    except (ValueError, AttributeError, KeyError, TypeError):
        return None
    is_whole = hashlib.sha256(_canonical(rest)).hexdigest() == told and _canonical(fields) == line
    return dict(fields) if is_whole else None


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _seals(root: Path, outcome: Outcome) -> Iterator[tuple[str, Path]]:
    for path in sorted(root.rglob("seal.json")):
        seal = read_seal(path.parent)
        if seal is None:
            continue
        for name, expected in seal.files.items():
            if hashlib.sha256((path.parent / name).read_bytes()).hexdigest() != expected:
                outcome.faults.append(f"{path.parent / name}: is not what was sealed")
        yield seal_root(seal), path.parent


def measure_lengths(folder: Path) -> dict[str, dict[str, float]]:
    """Median milliseconds of an `append`, and of a look-up of the first seal, by the lines that are there already."""
    timed = {}
    for length in LENGTHS:
        root = folder / str(length)
        root.mkdir(parents=True)
        _write_lines(root, length)
        appends = sorted(_seconds(lambda root=root: ledger.append(root, "anchor")) for _ in range(51))
        searched = _seconds(lambda root=root: ledger.find_seal(root, "f" * 64))
        timed[f"{length:,} lines"] = {
            "append_ms": round(appends[25] * 1e3, 2),
            "find_seal_ms": round(searched * 1e3, 1),
        }
    return timed


def _write_lines(root: Path, length: int) -> None:
    """A sound ledger of that many lines, without syncing each."""
    if not length:
        return
    entry = ledger.append(root, "anchor")
    with (root / ledger.LEDGER).open("ab") as file:
        for seq in range(2, length + 1):
            blank = entry.model_copy(update={"seq": seq, "prev": entry.hash, "hash": "0" * 64})
            entry = blank.model_copy(update={"hash": ledger.hash_of(blank)})
            file.write(ledger.to_line(entry))


def _seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
