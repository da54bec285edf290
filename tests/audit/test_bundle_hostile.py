"""Bundles made to deceive or to hang whoever checks them: what is trusted, what is run, what it may cost."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipeline.audit.anchors import read_anchors, sign_head, sign_last_line
from pipeline.audit.bundle import verify_bundle
from pipeline.audit.bundle.collecting import collect
from pipeline.audit.bundle.contents import in_full
from pipeline.audit.bundle.making import STANDALONE, standalone
from pipeline.audit.bundle.readme import Counts, readme
from pipeline.audit.bundle.standalone import verify_basics as basics
from pipeline.audit.bundle.standalone import verify_ledger as of_ledger
from pipeline.audit.bundle.standalone import verify_report as reports
from pipeline.audit.bundle.standalone import verify_signatures as signatures
from pipeline.audit.bundle.standalone.verify_bundle import check_bundle, detectable, main
from pipeline.audit.keys import public_base64, sign_canonical
from pipeline.audit.reviewing.recording import Opinion, record
from pipeline.audit.reviewing.stored import signed_fields
from pipeline.audit.verify import verify
from pipeline.store.ledger import canonical, last_entry, parse_line
from schemas.errors import InputError, PipelineError, RecordError
from tests.audit.bundle_store import built, bundle_of, copy_of_store, edited, kinds, name_in, quick_runs_of

OWN = Ed25519PrivateKey.from_private_bytes(b"\1" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"\2" * 32)
TRUSTED = frozenset([OWN.public_key().public_bytes_raw()])


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of one run, unsigned."""
    return bundle_of(tmp_path_factory.mktemp("hostile") / "case.zip", runs=[_run_of(built())]).path


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, with head and list signed by `OWN`."""
    return bundle_of(tmp_path_factory.mktemp("hostile") / "case.zip", runs=[_run_of(built())], key=OWN).path


def _run_of(store: Path) -> Path:
    """A run with an answer that quotes a line."""
    return next(run for run in quick_runs_of(store) if run.name.startswith("how-long-is-the-term-of"))


def _both(path: Path, **options: Any) -> tuple[set[str], set[str]]:
    """Kinds that the two verifiers find; {'refused'} where one refuses the bundle."""
    heads = tuple(head.to_json().decode() for head in options.get("anchors", ()))
    keys = frozenset(key.public_bytes_raw() for key in options.get("trusted", ()))
    try:
        own = kinds(path, heads, keys)
    except basics.NoBundle:
        own = {"refused"}
    try:
        ours: set[str] = {one.kind for one in verify_bundle(path, rerun=False, **options).mismatches}
    except PipelineError:
        ours = {"refused"}
    assert bool(own) == bool(ours), (own, ours)
    return own, ours


# --- what is run


def _unpacked(path: Path, folder: Path) -> Path:
    with zipfile.ZipFile(path) as packed:
        packed.extractall(folder)
    return folder


def _run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, folder / "verify_bundle.py"], capture_output=True, text=True, check=False
    )


def test_unpacked_bundle_passes_twice_without_options(bundle: Path, tmp_path: Path) -> None:
    """Checking an unpacked bundle leaves nothing in it, so that the next check passes as well."""
    folder = _unpacked(bundle, tmp_path / "case")
    assert [_run(folder).returncode for _ in range(2)] == [0, 0]
    assert not list(folder.rglob("__pycache__"))


MODULES = ("argparse", "json", "os", "re", "types", "typing", "__future__", "zipfile", "pymupdf", "pypdf", "email")


@pytest.mark.parametrize("options", [(), ("-I", "-B")], ids=["plain", "isolated"])
def test_nothing_of_the_sender_runs(bundle: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """Files of the sender's with the names of Python's own, and compiled ones, are told and never run."""
    folder = _unpacked(bundle, tmp_path / "case")
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    cache = folder / "__pycache__"
    cache.mkdir()
    for name in STANDALONE:
        (cache / f"{name[:-3]}.cpython-{sys.version_info[0]}{sys.version_info[1]}.pyc").write_bytes(b"poison")
    done = _run(folder, *options)
    assert (done.returncode, done.stderr) == (1, "")
    assert not (tmp_path / "ran").exists()
    assert all(f"record_added: {name}.py" in done.stdout for name in MODULES)
    assert "record_added: __pycache__/" in done.stdout


def test_says_what_is_checked(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first line names the bundle, its ledger and how many decisions it holds, and so does the object."""
    assert main([str(bundle)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    entry = last_entry(built())
    assert entry is not None
    assert first == f"Verified {bundle}: 1 decision, ledger {entry.ledger}"
    assert main([str(bundle), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["bundle"], told["decisions"], told["ledger"]) == (str(bundle), 1, entry.ledger)
    assert told["cannot_detect"]


# --- whom to trust


def test_head_that_came_along_vouches_for_nothing(signed: Path) -> None:
    """A signed head in the bundle is no witness from outside, unless the user named its key."""
    report = check_bundle(str(signed))
    assert (report.mismatches, report.anchored_to, report.signed_by) == ([], 0, [])
    assert any("which came with the bundle" in detail for _, _, detail in report.remarks)
    assert any("nothing from outside" in one for one in detectable(report)[1])
    done = verify_bundle(signed, rerun=False)
    assert (done.passed, done.anchored_to, done.signed_by) == (True, None, ())
    assert any("came with the bundle" in one.detail for one in done.remarks)
    assert any("wrote everything anew" in one for one in done.cannot_detect)
    assert any("index.html" in one for one in done.cannot_detect)
    named = verify_bundle(signed, trusted=[OWN.public_key()], rerun=False)
    assert (named.passed, named.anchored_to) == (True, named.entry_count)
    assert not any("index.html" in one for one in named.cannot_detect)
    brought = verify_bundle(signed, anchors=[sign_last_line(built(), OWN)], rerun=False)
    assert (brought.passed, brought.anchored_to) == (True, brought.entry_count)


@pytest.mark.parametrize("gone", [("head.json",), ("signature.json",), ("head.json", "signature.json")])
def test_signature_that_was_asked_for_must_be_there(signed: Path, tmp_path: Path, gone: tuple[str, ...]) -> None:
    """With a trusted key, a bundle that lost its signature fails; without one it does not."""
    path = edited(signed, tmp_path / "x.zip", dict.fromkeys(gone), relist=True)
    relisted = set() if "signature.json" in gone else {"record_altered"}
    assert _both(path)[0] == relisted
    assert "signature_invalid" in _both(path, trusted=[OWN.public_key()])[0]
    wrong = check_bundle(str(path), (), TRUSTED).mismatches
    assert any("you asked for a signature by" in detail for _, _, detail in wrong)


def test_unsigned_bundle_with_a_trusted_head(bundle: Path) -> None:
    """A head of the trusted key that the user brought vouches for the ledger, and not for the list of files."""
    head = sign_last_line(built(), OWN)
    report = check_bundle(str(bundle), [head.to_json().decode()], TRUSTED)
    assert [place for _, place, _ in report.mismatches] == ["signature.json"]
    assert report.anchored_to > 0
    _both(bundle, anchors=[head], trusted=[OWN.public_key()])


def test_store_without_the_signature_that_was_asked_for() -> None:
    """`verify --trusted` on a store fails without a head of that key; a head whose key nobody named is told as such."""
    trusted = [OWN.public_key()]
    without = verify(built(), trusted=trusted, runs=[], rerun=False)
    assert {one.kind for one in without.mismatches} == {"signature_invalid"}
    head = sign_last_line(built(), OWN)
    assert verify(built(), anchors=[head], trusted=trusted, runs=[], rerun=False).passed
    done = verify(built(), anchors=[head], runs=[], rerun=False)
    assert done.passed
    assert done.anchored_to == head.seq
    assert any("no key that you trust" in one.detail for one in done.remarks)


def test_other_key_over_the_list(signed: Path, tmp_path: Path) -> None:
    """Head and list signed by different keys are told."""
    entry = last_entry(built())
    assert entry is not None
    path = edited(signed, tmp_path / "x.zip", {"head.json": lambda _: sign_head(entry, OTHER).to_json()})
    assert any("with another" in detail for _, _, detail in check_bundle(str(path)).remarks)


def _review(folder: Path, change: Callable[[dict[str, Any]], None]) -> tuple[Any, Path]:
    """What the verifier finds of a review that is signed, changed, and sealed as it is then."""
    store = copy_of_store(folder)
    run = _run_of(store)
    made = record(run, Opinion(verdict="accept", reason="By hand."), by="An Auditor", key=OWN)
    fields = json.loads((made.folder / "review.json").read_bytes())
    change(fields)
    path = bundle_of(folder / "case.zip", store, [run]).path
    name = name_in(path, "/review.json")
    place = name.rpartition("/")[0]
    case = reports.Case(str(edited(path, folder / "x.zip", {name: lambda _: json.dumps(fields).encode()})))
    of_ledger.check_chain(case)
    seal = case.json(f"{place}/seal.json")
    line = next(line for line in case.lines.values() if line["kind"] == "review")
    signatures.check_review(case, place, seal, line)
    return {kind for kind, _, _ in case.report.mismatches}, path


def test_signature_of_a_review(tmp_path: Path) -> None:
    """A review that does not say what was signed, or what its line says, is told by the bundle's own verifier."""

    def sign_by_other(fields: dict[str, Any]) -> None:
        fields["signature"] = sign_canonical(signed_fields(fields), OTHER)

    def claim_key(fields: dict[str, Any]) -> None:
        fields["public_key"] = public_base64(OTHER.public_key())
        sign_by_other(fields)

    cases: dict[str, tuple[Callable[[dict[str, Any]], None], set[str]]] = {
        "as it was": (lambda _: None, set()),
        "stale": (lambda fields: fields.update(reviewer="Somebody Else"), {"signature_invalid"}),
        "other key": (sign_by_other, {"signature_invalid"}),
        "key under another id": (claim_key, {"signature_invalid"}),
        "in part": (lambda fields: fields.update(signature=None), {"signature_invalid"}),
        "other run": (lambda fields: fields.update(run="x"), {"signature_invalid", "record_altered"}),
        "other verdict": (lambda fields: fields.update(verdict="reject"), {"signature_invalid", "record_altered"}),
    }
    for number, (name, (change, expected)) in enumerate(cases.items()):
        (tmp_path / str(number)).mkdir()
        found, path = _review(tmp_path / str(number), change)
        assert found == expected, name
        assert kinds(path) == set()


# --- what proves nothing


@pytest.mark.parametrize("folders", [[], [{"folder": "store/d/questions/q"}], "x", None])
def test_bundle_that_proves_nothing(bundle: Path, tmp_path: Path, folders: Any) -> None:
    """A bundle without a record, or without one that it was made for, fails."""

    def change(data: bytes) -> bytes:
        return json.dumps({**json.loads(data), "folders": folders}).encode()

    assert "record_missing" in _both(edited(bundle, tmp_path / "x.zip", {"bundle.json": change}))[0]


def test_records_are_never_left_out(bundle: Path, tmp_path: Path) -> None:
    """A record that the list of files says was left out is missing; only documents and dictionaries may be."""
    name = name_in(bundle, "/answer.json")
    digest = hashlib.sha256(zipfile.ZipFile(bundle).read(name)).hexdigest()

    def change(data: bytes) -> bytes:
        return json.dumps({**json.loads(data), "left_out": {name: digest}}).encode()

    own, ours = _both(edited(bundle, tmp_path / "x.zip", {name: None, "bundle.json": change}, relist=True))
    assert "record_missing" in own & ours


# --- what it may cost


def _json_edit(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        fields = json.loads(data)
        change(fields)
        return json.dumps(fields).encode()

    return edit


def _far(fields: dict[str, Any]) -> None:
    for item in fields["items"]:
        for span in item["spans"]:
            span["line_end"] = 10**15


HOSTILE: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "lines to the end of the world": ("/answer.json", _json_edit(_far)),
    "deep answer": ("/answer.json", lambda _: b'{"a":' * 900 + b"1" + b"}" * 900),
    "huge number": ("/answer.json", lambda _: b'{"a":' + b"9" * 5000 + b"}"),
    "many beginnings": ("head.json", lambda _: b"BEGIN LINEPROOF ANCHOR" * 40_000),
    "long head": ("head.json", lambda _: b'{"a":"' + b"x" * 200_000 + b'"}'),
    "many bad lines": ("ledger.jsonl", lambda data: data + b"x\n" * 30_000),
    "deep line": ("ledger.jsonl", lambda data: data + b'{"a":' * 450 + b"1" + b"}" * 450 + b"\n"),
    "manifest of no kind": (
        "bundle.json", _json_edit(lambda told: told.update(folders=[{"folder": 5}, {}, 7], documents=[1], left_out=3)),
    ),
    "file that is a folder": ("store/dictionaries", lambda _: b"x"),
    "long name": ("store/" + "a" * 300, lambda _: b"x"),
    "long path": ("store/" + "a/" * 1_500 + "b", lambda _: b"x"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(HOSTILE))
def test_hostile_bundle_is_told(bundle: Path, tmp_path: Path, what: str) -> None:
    """What is made to hang or to crash a verifier is told or refused by both, listed in part where it is much."""
    ending, edit = HOSTILE[what]
    name = name_in(bundle, ending) if ending.startswith("/") else ending
    path = edited(bundle, tmp_path / "x.zip", {name: edit}, relist=name != "bundle.json")
    own, _ = _both(path)
    assert own
    if own != {"refused"}:
        assert len(check_bundle(str(path)).mismatches) < 3 * reports.MAX_TOLD


def test_what_is_not_listed_is_counted() -> None:
    """Of a kind some hundred are listed, and the others counted."""
    report = reports.Report("x")
    for number in range(1_000):
        report.wrong("ledger_altered", f"line {number}", "")
        report.remark("not_checked", "x", f"{number}")
    report.wrong("record_added", "y", "")
    report.finish()
    assert len(report.mismatches) == reports.MAX_TOLD + 2
    assert ("ledger_altered", "bundle", "800 more of this kind are not listed") in report.mismatches


def test_erased_lines_are_read_once(tmp_path: Path) -> None:
    """A line that names a million ranges costs no more than reading it, and erases only what came before it."""
    told = "1-9," * 1_000_000 + "2,x,7-3,99999999999999999999,5-40"
    assert of_ledger.ranges(told, 12) == [(1, 11)]
    assert of_ledger.ranges("3-5, 9", 100) == [(3, 5), (9, 9)]


def test_large_file_is_refused(tmp_path: Path) -> None:
    """A file of more than a gigabyte is refused by its declared size, and the message says the limit."""
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bundle.json", b"{}")
        packed.writestr("big", bytes(range(256)) * 20_000)
    size = (5_120_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (2**30 + 1).to_bytes(4, "little")))
    with pytest.raises(basics.NoBundle, match=r"unpacks to more|no more than 1073741824"):
        basics.Bundle(str(path))
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(2**30 + 1)
    (tmp_path / "folder").mkdir()
    (tmp_path / "sparse").rename(tmp_path / "folder" / "sparse")
    with pytest.raises(basics.NoBundle, match="no more than 1073741824"):
        basics.Bundle(str(tmp_path / "folder"))


def test_anchor_files_are_bounded(tmp_path: Path) -> None:
    """A head that is too long, and a mail of nothing but beginnings, are refused at once."""
    path = tmp_path / "head"
    path.write_bytes(b'{"a":"' + b"x" * 100_000 + b'"}')
    with pytest.raises(RecordError, match="65,536"):
        read_anchors(path)
    path.write_bytes(b"BEGIN LINEPROOF ANCHOR " * 100_000)
    with pytest.raises(InputError, match="holds no anchor"):
        read_anchors(path)
    block = b"BEGIN LINEPROOF ANCHOR " + base64.b64encode(b"{}") + b" END LINEPROOF ANCHOR\n"
    path.write_bytes(block * 101)
    with pytest.raises(InputError, match="more than 100"):
        read_anchors(path)


# --- what a line of a ledger is


def _line(**changes: Any) -> bytes:
    fields = {
        "format": 1, "ledger": "a" * 32, "seq": 1, "kind": "run", "at": "2026-01-01T00:00:00.000+00:00", "seal": None,
        "facts": {}, "torn": None, "prev": "0" * 64,
    }  # fmt: skip
    fields.update(changes)
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return json.dumps(
        {**fields, "hash": hashlib.sha256(text).hexdigest()}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()


LINES: dict[str, dict[str, Any]] = {
    "large number": {"facts": {"n": 2**60}}, "largest negative": {"facts": {"n": -(2**53)}},
    "list": {"facts": {"n": [1]}}, "object": {"facts": {"n": {"a": 1}}}, "fraction": {"facts": {"n": 1.5}},
    "kind": {"kind": "tale"}, "format": {"format": 99}, "no format": {"format": True}, "time": {"at": "yesterday"},
    "local time": {"at": "2026-01-01T00:00:00.000+01:00"}, "number as text": {"seq": "1"}, "number zero": {"seq": 0},
    "torn": {"torn": {"byte_count": 0, "sha256": "0" * 64}}, "torn with more": {
        "torn": {"byte_count": 1, "sha256": "0" * 64, "x": 1}}, "seal": {"seal": "x"}, "more": {"note": "x"},
    "ledger": {"ledger": "A" * 32}, "prev": {"prev": "0" * 63}, "hash with a line end": {"prev": "0" * 64 + "\n"},
    "facts": {"facts": []},
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(LINES))
def test_both_refuse_what_is_no_line(what: str) -> None:
    """What no ledger holds is no line, to the store and to the bundle's verifier alike."""
    line = _line(**LINES[what])
    assert parse_line(line) is None
    assert of_ledger.read_line(line) is None


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"facts": {"n": 2**53 - 1, "t": "é\u2028", "b": True, "0": None}},
        {"torn": {"byte_count": 1, "sha256": "0" * 64}},
    ],
    ids=["plain", "facts", "torn"],
)
def test_both_take_what_is_a_line(changes: dict[str, Any]) -> None:
    """What a ledger may hold is a line to both."""
    line = _line(**changes)
    assert parse_line(line) is not None
    assert of_ledger.read_line(line) is not None


def test_canonical_json_of_a_review_is_that_of_the_store() -> None:
    """Lists, too: a review holds them."""
    value = {"b": [1, {"a": None}, []], "a": ["é", True]}
    assert basics.canonical(value) == canonical(value)
    for bad in (2**53, 1.5, [2**60]):
        with pytest.raises(ValueError, match="no such value"):
            basics.canonical(bad)


# --- what people read


def test_pages_of_others_are_named_and_not_linked(tmp_path: Path) -> None:
    """A document that is a page may run a script when it is opened: the first page names it, without a link."""
    from pipeline.run import ask

    source = tmp_path / "terms.html"
    source.write_text("<html><body><h1>Terms</h1><p>The term is two years.</p><script>x()</script></body></html>")
    store = tmp_path / "store"
    ask(source, "How long is the term?", store=store)
    path = bundle_of(tmp_path / "case.zip", store).path
    page = zipfile.ZipFile(path).read("index.html").decode()
    name = name_in(path, "/source/source.html")
    assert name in page
    assert f'href="./{name}"' not in page
    assert "may run a program of its own" in page
    taken = collect(built(), [_run_of(built())], documents=True, replays=False)
    text = in_full(built(), taken, documents=True, password=None, narrate=lambda _: None)["index.html"].decode()
    assert "/source/source.txt" in text.split('href="', 1)[1]


def test_readme_promises_what_is_there() -> None:
    """The README of a redacted bundle promises no lines and no reading anew, and tells of dictionary names."""
    full = readme(Counts(3, reviews=1), "1.0", documents=True, redacted=False, levels=()).decode()
    without = readme(Counts(1), "1.0", documents=False, redacted=False, levels=()).decode()
    hidden = readme(Counts(1), "1.0", documents=False, redacted=True, levels=()).decode()
    assert "3 decisions and 1 review, from" in full
    assert "1 decision, from" in without
    assert "lines/" in full
    assert "reads\n  every quote anew" in full
    for text in (without, hidden):
        assert "lines/" not in text
        assert "every quote anew" not in text
    assert "of dictionaries it tells the names" in hidden
    for text in (full, without, hidden):
        assert "-I -B" in text
        assert max(map(len, text.splitlines())) <= 80


def test_messages_name_the_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, no zip, or no bundle is told in one sentence, without a parser's words."""
    (tmp_path / "no.zip").write_bytes(b"no")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as packed:
        packed.writestr("a.txt", "a")
    for name, words in (("gone.zip", "there is no such file"), ("no.zip", "no zip file"), ("other.zip", "no bundle")):
        path = tmp_path / name
        assert main([str(path)]) == 2
        told = capsys.readouterr().err
        assert (told.count(name), words in told, "Expecting" in told) == (1, True, False), told
        with pytest.raises(InputError, match=words) as caught:
            verify_bundle(path)
        assert str(caught.value).count(name) == 1
    assert main([str(tmp_path / "no.zip"), "--key", "gone.pub"]) == 2
    assert "gone.pub: there is no such file" in capsys.readouterr().err


def test_verifier_is_one_with_its_list() -> None:
    """Every file of the verifier travels, and the bundle knows each by name."""
    from pipeline.audit.bundle.standalone.verify_case import KNOWN

    folder = Path(of_ledger.__file__).parent
    assert {path.name for path in folder.glob("verify_*.py")} == set(STANDALONE) == set(standalone())
    assert all(KNOWN.fullmatch(name) for name in STANDALONE)
