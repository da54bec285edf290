"""How many tamperings with a store verification detects, and whether it names them; and that it cries no false alarm.

    python benchmarks/tampering.py [STORE] [--number 500] [--seed 7] [--stages] [--only WORDS] [--out FOLDER]

An even part of the tamperings is made of each kind by the seed, each on a fresh copy of the store, a quarter as many
on a bundle of it; without STORE one is
made from the sample contract, by rules and with a scripted model. Each is counted as

- named: a mismatch of a kind that says what was done;
- told: mismatches of other kinds alone;
- missed: the verification passed. For those that only a signed head can show, both are measured: without one they are
  to be missed, as the verification says itself; with one they are to be named.

Tamperings that only stages done again can show are made with --stages alone.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from table_output import Table, publish

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # runs from a checkout, installed or not

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.tampers import Tamper, folders_of
from benchmarks.tampers_bundle import BUNDLE_TAMPERS
from benchmarks.tampers_ledger import LEDGER_TAMPERS
from benchmarks.tampers_records import RECORD_TAMPERS
from pipeline.audit.anchors import sign_last_line
from pipeline.audit.bundle import BundleOptions, make_bundle, verify_bundle
from pipeline.audit.verify import verify
from schemas.errors import PipelineError
from schemas.ledger import SignedHead

TAMPERS = {**LEDGER_TAMPERS, **RECORD_TAMPERS}


def main() -> None:
    """Print a row a kind: how often it was named, told by another kind, missed; then everything that was missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("store", type=Path, nargs="?", help="a store; it is copied, never changed")
    options.add_argument("--number", type=int, default=500, help="tamperings in all")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--stages", action="store_true", help="do every stage again, too")
    options.add_argument("--only", default="", help="only kinds with these words in their name")
    options.add_argument("--out", type=Path, help="folder for the table")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        store = chosen.store or _make_store(Path(name) / "made")
        key = Ed25519PrivateKey.generate()
        head = sign_last_line(store, key)
        _require_no_false_alarm(store, head, stages=chosen.stages)
        kinds = {name: one for name, one in TAMPERS.items() if chosen.only in name}
        counts = run_campaign(
            store,
            kinds,
            head,
            number=chosen.number,
            seed=chosen.seed,
            stages=chosen.stages,
            scratch=Path(name) / "copy",
        )
        in_bundle = {name: one for name, one in BUNDLE_TAMPERS.items() if chosen.only in name}
        bundle = Path(name) / "case.zip"
        make_bundle(store, folders_of(store), bundle, options=BundleOptions(key=key))
        counts |= run_on_bundle(bundle, in_bundle, key, number=chosen.number // 4, seed=chosen.seed)
    _report(counts, chosen.out)


def run_campaign(
    store: Path,
    kinds: dict[str, Tamper],
    head: SignedHead,
    *,
    number: int,
    seed: int,
    stages: bool,
    scratch: Path,
) -> dict[str, Counter[str]]:
    """Outcomes by kind of tampering; what was missed or misnamed is printed at once."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    names = [name for name, one in kinds.items() if stages or one.needs != "stages"]
    for at in range(number if names else 0):
        name = names[at % len(names)]
        rng = Random(f"{seed}/{at}")  # noqa: S311 - a seeded sample, no secret
        shutil.copytree(store, scratch, symlinks=True)
        did = kinds[name].act(scratch, rng)
        if did is None:
            counts[name]["not possible"] += 1
        else:
            counts[name] += _outcome(scratch, name, kinds[name], head, did, stages=stages)
        shutil.rmtree(scratch)
    return counts


def _outcome(root: Path, name: str, tamper: Tamper, head: SignedHead, did: str, *, stages: bool) -> Counter[str]:
    rerun = stages and tamper.needs == "stages"
    counted: Counter[str] = Counter()
    if tamper.needs == "anchor":
        without = verify(root, rerun=rerun)
        counted["without a head: missed" if without.passed else "without a head: told"] += 1
    anchors = [head] if tamper.needs == "anchor" else []
    done = verify(root, anchors=anchors, rerun=rerun)
    told = {one.kind for one in done.mismatches}
    outcome = "missed" if done.passed else "named" if told & set(tamper.named) else "told"
    if outcome != "named":
        print(f"  {outcome}: {name} ({did}): {', '.join(sorted(told)) or 'passed'}")
        for remark in done.remarks[:5]:
            print(f"      remark {remark.kind}: {remark.place}: {remark.detail}")
    counted[outcome] += 1
    return counted


def run_on_bundle(
    bundle: Path, kinds: dict[str, Tamper], key: Ed25519PrivateKey, *, number: int, seed: int
) -> dict[str, Counter[str]]:
    """The same for a bundle; one that is no bundle any more is refused, which shows as well."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    trusted = [key.public_key()]
    if not verify_bundle(bundle, trusted=trusted, rerun=False).passed:
        print("  FALSE ALARM: the untouched bundle")
    names, copy = list(kinds), bundle.with_name("copy.zip")
    for at in range(number if names else 0):
        name = names[at % len(names)]
        shutil.copyfile(bundle, copy)
        did = kinds[name].act(copy, Random(f"{seed}/{at}"))  # noqa: S311 - a seeded sample, no secret
        if did is None:
            counts[name]["not possible"] += 1
            continue
        try:
            told: set[str] = {one.kind for one in verify_bundle(copy, trusted=trusted, rerun=False).mismatches}
        except PipelineError:
            told = {"refused"}
        outcome = "missed" if not told else "named" if told & set(kinds[name].named) else "told"
        counts[name][outcome] += 1
        if outcome != "named":
            print(f"  {outcome}: {name} ({did}): {', '.join(sorted(told)) or 'passed'}")
    return counts


def _require_no_false_alarm(store: Path, head: SignedHead, *, stages: bool) -> None:
    done = verify(store, anchors=[head], rerun=stages)
    print(f"untouched: {done.run_count} runs, {len(done.mismatches)} mismatches, {len(done.remarks)} remarks")
    for one in done.mismatches:
        print(f"  FALSE ALARM {one.kind}: {one.place}: {one.detail}")


def _make_store(root: Path) -> Path:
    """A store with runs by rules, a compound question, one that was asked again, and some with a scripted model."""
    from pipeline.llm import Transcript
    from pipeline.run import TRANSCRIPT, ask
    from tests.faults.test_model_faults import FAULTS, QUESTION, QUICK, door
    from tests.scripted_server import ScriptedServer

    contract = Path(__file__).resolve().parents[1] / "examples" / "supply_agreement.pdf"
    for question in (
        "What is the annual programme fee?",
        "What is the liability cap?",
        "Is there a non-compete, and which law governs the agreement?",
        "List the parties.",
        "What is the liability cap?",
    ):
        ask(contract, question, store=root)
    (root.parent / "other.txt").write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    ask(root.parent / "other.txt", "What is the fee?", store=root)
    for script in list(FAULTS.values())[:3]:
        with ScriptedServer(script) as server, Transcript(root / TRANSCRIPT) as transcript:
            ask(contract, QUESTION, store=root, llm=door(server, transcript, **QUICK))
    return root


def _report(counts: dict[str, Counter[str]], out: Path | None) -> None:
    columns = ("named", "told", "missed", "not possible", "without a head: missed", "without a head: told")
    table = Table("tampering", "Tamperings by kind")
    for name, counted in (*sorted(counts.items()), ("all", sum(counts.values(), Counter()))):
        table.add(kind=name, **{column: counted[column] for column in columns})
    publish(table, out)


if __name__ == "__main__":
    main()
