"""Evidence bundles in full: what is in them, that they verify by both verifiers, and that each change is named."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from pipeline.audit.anchors import sign_last_line, to_text
from pipeline.audit.bundle import BundleOptions, make_bundle, verify_bundle
from pipeline.audit.keys import load_private_key, load_public_key, make_key
from pipeline.run import ask
from pipeline.store.ledger import LEDGER
from schemas.errors import InputError, RecordError, StoreError
from tests.audit.bundle_store import (
    CONTRACT,
    QUESTIONS,
    built,
    bundle_of,
    copy_of_store,
    edited,
    kinds,
    name_in,
    quick_runs_of,
    runs_of,
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of all runs of the store, unsigned."""
    return bundle_of(tmp_path_factory.mktemp("bundle") / "case.zip").path


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the runs of the plain text, unsigned: what most changes are made to."""
    return bundle_of(tmp_path_factory.mktemp("quick") / "case.zip", runs=quick_runs_of(built())).path


def test_untouched_bundle_passes_both_verifiers(bundle: Path) -> None:
    """A bundle that nobody touched passes its own verifier and `lineproof verify`, with every stage done again."""
    assert kinds(bundle) == set()
    done = verify_bundle(bundle)
    assert (done.passed, done.mismatches) == (True, ())
    assert done.checks["bundle: sealed folders"] == len(runs_of(built()))
    assert done.checks["runs done again"] == len(runs_of(built()))


def test_bundle_runs_alone(bundle: Path, tmp_path: Path) -> None:
    """The unpacked bundle verifies with an isolated Python that sees no package, from another folder, no home."""
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "case")
    (tmp_path / "empty").mkdir()
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-B", tmp_path / "case" / "verify_bundle.py"],
        cwd=tmp_path / "empty", env={"HOME": str(tmp_path / "empty")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    first, second = run.stdout.splitlines()[:2]
    assert first.startswith(f"Verified {tmp_path / 'case'}: {len(runs_of(built()))} decisions, ledger ")
    assert second == "Passed."
    assert "no signed head from outside" in run.stdout
    on_zip = subprocess.run(
        [sys.executable, "-I", "-S", "-B", tmp_path / "case" / "verify_bundle.py", bundle, "--json"],
        env={}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert json.loads(on_zip.stdout)["passed"] is True


def test_same_store_same_bytes(bundle: Path, tmp_path: Path) -> None:
    """Two bundles of the same runs are the same bytes: no clock, no path, no order of chance in them."""
    assert bundle_of(tmp_path / "again.zip").path.read_bytes() == bundle.read_bytes()


def test_first_page_leads_to_files_of_the_bundle_alone(bundle: Path) -> None:
    """Every link of index.html is a file of the bundle, and the page allows no script and no request."""
    with zipfile.ZipFile(bundle) as packed:
        page, names = packed.read("index.html").decode(), set(packed.namelist())
        links = re.findall(r'href="([^"]*)"', page)
    assert links
    assert all(link.startswith("./") and link[2:] in names for link in links)
    assert "<script" not in page
    assert "default-src &#x27;none&#x27;" in page
    assert QUESTIONS[0] in page


def test_holds_what_the_runs_rest_on(bundle: Path) -> None:
    """Source, tables, lines as text, dictionaries, the parts of a compound question, pages and papers are there."""
    with zipfile.ZipFile(bundle) as packed:
        names = packed.namelist()
        lines = json.loads(packed.read(next(name for name in names if name.startswith("lines/"))))
    for piece in (
        "/source/source.txt", "/source/source.pdf", "/parsing/line_df.parquet", "store/dictionaries/used/",
        "/highlighted.pdf", "/decision.html", "pages/1.html", "README.txt", "how-long-is-the-term_",
    ):  # fmt: skip
        assert any(piece in name for name in names), piece
    assert "thirty-seven (37) months" in " ".join(line["text"] for line in lines["lines"])


def test_parts_come_with_the_whole(tmp_path: Path) -> None:
    """A compound question brings the runs of its parts along."""
    whole = next(run for run in runs_of(built()) if run.name.startswith("which-law-governs-the-agreement-and"))
    made = make_bundle(built(), [whole], tmp_path / "case.zip")
    assert len(made.places) == 3
    assert kinds(made.path) == set()


def test_without_documents(tmp_path: Path) -> None:
    """Without documents their bytes, tables, lines and marked copies are out, and both verifiers say so and pass.

    Each run has its page all the same, with no picture of a document in it.
    """
    path = bundle_of(tmp_path / "case.zip", documents=False).path
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
        pages = [packed.read(name) for name in names if name.startswith("pages/")]
    assert len(pages) == len(runs_of(built()))
    assert not [page for page in pages if b"data:image" in page]
    assert not [name for name in names if "/source/" in name or "/parsing/" in name or "highlighted" in name]
    assert not [name for name in names if name.startswith("lines/")]
    assert kinds(path) == set()
    done = verify_bundle(path)
    assert done.mismatches == ()
    assert any("left out" in remark.detail for remark in done.remarks)


SWAPS = {
    "answer.json": (b"thirty-seven (37)", b"thirty-eight (38)"),
    "trace.json": (b"exact_title", b"other_title"),
    "request.json": (b"How long", b"How wide"),
    "retrieval_result.json": (b"primary", b"secundo"),
}


@pytest.mark.parametrize("relist", [False, True])
@pytest.mark.parametrize("record", sorted(SWAPS))
def test_altered_record(quick: Path, tmp_path: Path, record: str, *, relist: bool) -> None:
    """A record that was edited is named as altered by both verifiers, also where the list of files was put right."""
    name = name_in(quick, f"of-the-agreement_d8b288fc/{record}")
    path = edited(quick, tmp_path / "x.zip", {name: lambda data: data.replace(*SWAPS[record])}, relist=relist)
    assert "record_altered" in kinds(path)
    found = {(one.kind, one.place) for one in verify_bundle(path, rerun=False).mismatches}
    assert ("record_altered", name) in found


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ("source.txt", "source_changed"), ("line_df.parquet", "record_altered"), ("seal.json", "seal_altered"),
        ("ledger.jsonl", "ledger_altered"), ("decision.html", "record_altered"), ("entry.json", "record_altered"),
    ],
)  # fmt: skip
def test_flipped_bit(quick: Path, tmp_path: Path, ending: str, kind: str) -> None:
    """A byte changed in any kind of file is named with its kind, also where the list of files was put right."""
    name = name_in(quick, ending)

    def flip(data: bytes) -> bytes:
        at = data.index(b'"hash":"') + 9 if b'"hash":"' in data else len(data) // 2
        return data[:at] + (b"a" if data[at : at + 1] != b"a" else b"b") + data[at + 1 :]

    path = edited(quick, tmp_path / "x.zip", {name: flip}, relist=True)
    found = kinds(path)
    assert found & {kind, "record_invalid"}
    assert not verify_bundle(path, rerun=False).passed


def test_missing_and_added(quick: Path, tmp_path: Path) -> None:
    """A file that was taken out is missing, one that was put in is added, whatever the list of files says."""
    gone = edited(quick, tmp_path / "gone.zip", {name_in(quick, "/answer.json"): None}, relist=True)
    assert "record_missing" in kinds(gone)
    folder = name_in(quick, "/answer.json").rpartition("/")[0]
    more = edited(quick, tmp_path / "more.zip", {f"{folder}/more.json": lambda _: b"{}"}, relist=True)
    assert kinds(more) == {"record_added"}
    plain = edited(quick, tmp_path / "plain.zip", {"more.txt": lambda _: b"x"})
    assert kinds(plain) == {"record_added"}


# What no seal holds, taken out or changed with the list of files put right: what to change, kind that is told.
WITHOUT_SEAL = {
    "dictionary": (lambda name: "/dictionaries/used/" in name, None, "record_missing"),
    "parsing": (lambda name: "/parsing/" in name, None, "record_missing"),
    "document": (lambda name: "/source/source." in name, None, "source_missing"),
    "document and its list": (lambda name: "/source/" in name, None, "source_missing"),
    "list of a document": (lambda name: name.endswith("/source/complete.json"), None, "record_missing"),
    "list written anew": (
        lambda name: name.endswith("/source/complete.json"), lambda data: data.replace(b"{", b'{"a":1,', 1),
        "record_altered",
    ),
    "list of a run": (lambda name: "/questions/" in name and name.endswith("complete.json"),
                      lambda data: data.replace(b"{", b'{"a":1,', 1), "record_altered"),
    "receipt of another ledger": (
        lambda name: name.endswith("/entry.json"), lambda data: re.sub(rb'"ledger": "..', b'"ledger": "zz', data),
        "record_altered",
    ),
    "lines": (lambda name: name.startswith("lines/"), None, "record_missing"),
    "part of a question": (lambda name: "/which-law-governs-the-agreement_" in name, None, "record_missing"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(WITHOUT_SEAL))
def test_what_no_seal_holds(bundle: Path, tmp_path: Path, what: str) -> None:
    """What runs rest on, and the lists and receipts beside them, are named by both verifiers when they were changed."""
    is_meant, edit, kind = WITHOUT_SEAL[what]
    meant = {name: edit for name in zipfile.ZipFile(bundle).namelist() if is_meant(name)}
    assert meant
    path = edited(bundle, tmp_path / "x.zip", meant, relist=True)
    assert kind in kinds(path)
    assert not verify_bundle(path, rerun=False).passed


@pytest.mark.parametrize(
    "name", ["note.txt", "store/dictionaries/used/x.toml", "store/llm_calls.sqlite", "pages/x.exe"]
)
def test_file_of_no_kind(quick: Path, tmp_path: Path, name: str) -> None:
    """A file that no bundle holds is told as added, whatever the list of files says."""
    assert kinds(edited(quick, tmp_path / "x.zip", {name: lambda _: b"x"}, relist=True)) == {"record_added"}


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def _joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


LEDGERS = {
    "deleted": ("ledger_line_missing", lambda lines: [lines[0], *lines[2:]]),
    "swapped": ("ledger_reordered", lambda lines: [lines[1], lines[0], *lines[2:]]),
    "twice": ("ledger_inserted", lambda lines: [*lines[:2], lines[1], *lines[2:]]),
    "truncated": ("ledger_truncated", lambda lines: lines[:-1]),
    "edited": ("ledger_altered", lambda lines: [lines[0].replace(b'"kind":"run"', b'"kind":"case"'), *lines[1:]]),
    "torn": ("ledger_torn", lambda lines: [*lines, lines[-1][:40]]),
}


@pytest.mark.parametrize("how", sorted(LEDGERS))
def test_ledger(quick: Path, tmp_path: Path, how: str) -> None:
    """Lines deleted, swapped, repeated, cut off, edited or torn are named with their kind by both verifiers."""
    kind, change = LEDGERS[how]
    path = edited(quick, tmp_path / "x.zip", {LEDGER: lambda data: _joined(change(_lines(data)))}, relist=True)
    assert kind in kinds(path)
    assert kind in {one.kind for one in verify_bundle(path, rerun=False).mismatches}


def test_other_words_on_the_lines(quick: Path, tmp_path: Path) -> None:
    """Lines that were edited where they are to be read do not fit the sealed passages, nor the sealed tables."""
    name = next(one for one in zipfile.ZipFile(quick).namelist() if one.startswith("lines/") and "secret" in one)
    path = edited(
        quick, tmp_path / "x.zip", {name: lambda data: data.replace(b"thirty-seven (37)", b"ninety (90)")}, relist=True
    )
    assert kinds(path) == {"quote_not_found"}
    assert {one.kind for one in verify_bundle(path, rerun=False).mismatches} == {"quote_not_found", "record_altered"}


def test_signed_bundle(tmp_path: Path) -> None:
    """A key signs the head and the list of files; the right key is trusted, another is named."""
    made = make_key(tmp_path / "key.pem")
    other = make_key(tmp_path / "other.pem")
    key = load_private_key(tmp_path / "key.pem")
    path = bundle_of(tmp_path / "case.zip", runs=quick_runs_of(built()), key=key).path
    public = load_public_key(tmp_path / "key.pem.pub")
    assert kinds(path, keys=frozenset([public.public_bytes_raw()])) == set()
    done = verify_bundle(path, trusted=[public], rerun=False)
    assert (done.passed, done.signed_by, done.anchored_to) == (True, (made.key_id,), done.entry_count)
    stranger = load_public_key(tmp_path / "other.pem.pub")
    assert kinds(path, keys=frozenset([stranger.public_bytes_raw()])) == {"signature_invalid"}
    assert other.key_id not in done.signed_by
    page = edited(path, tmp_path / "page.zip", {"index.html": lambda data: data + b" "}, relist=True)
    assert kinds(page) == {"record_altered"}
    for name in ("head.json", "signature.json"):
        bad = edited(path, tmp_path / f"{name}.zip", {name: lambda data: data.replace(b"2026", b"2025")}, relist=True)
        assert kinds(bad) & {"signature_invalid", "record_altered"}


def test_head_from_elsewhere(quick: Path, tmp_path: Path) -> None:
    """A head from elsewhere is compared: as JSON, as a quoted mail, as a bare hash; a false one fails."""
    make_key(tmp_path / "key.pem")
    head = sign_last_line(built(), load_private_key(tmp_path / "key.pem"))
    mail = "\n".join(f"> {line}" for line in to_text(head).splitlines())
    wrapped = mail.replace("BEGIN LINEPROOF ANCHOR", "BEGIN LINEPROOF\n> > ANCHOR").replace("=", "&#61;")
    encoded = EmailMessage()
    encoded.set_content(to_text(head), cte="base64")
    for text in (head.to_json().decode(), mail, wrapped, f"<p>{wrapped}</p>", encoded.as_string(), head.hash):
        assert kinds(quick, (text,)) == set()
    assert kinds(quick, ("0" * 64,)) == {"anchor_mismatch"}
    rebuilt = head.model_copy(update={"hash": "0" * 64})
    assert kinds(quick, (rebuilt.to_json().decode(),)) == {"signature_invalid"}
    cut = edited(quick, tmp_path / "x.zip", {LEDGER: lambda data: _joined(_lines(data)[:-1])}, relist=True)
    assert "ledger_truncated" in kinds(cut, (head.to_json().decode(),))


def test_anchor_of_another_ledger_is_refused(tmp_path: Path) -> None:
    """An anchor that does not fit the ledger is no anchor of this bundle; one that is older is told."""
    make_key(tmp_path / "key.pem")
    key = load_private_key(tmp_path / "key.pem")
    head = sign_last_line(built(), key)
    wrong = head.model_copy(update={"hash": "0" * 64})
    with pytest.raises(InputError, match="anchor"):
        bundle_of(tmp_path / "wrong.zip", runs=quick_runs_of(built()), anchor=wrong)
    made = bundle_of(tmp_path / "case.zip", runs=quick_runs_of(built()), anchor=head)
    assert (made.head, made.remarks) == (head, ())


def test_replaced_run_is_bundled_from_where_it_is_kept(tmp_path: Path) -> None:
    """A run that another took the place of can still be bundled, and both verifiers pass it."""
    store = copy_of_store(tmp_path)
    text = tmp_path / "zebulon-secret-name.txt"
    text.write_text(CONTRACT)
    ask(text, QUESTIONS[0], store=store)
    former = next(store.glob("*/former/how-long*"))
    path = make_bundle(store, [former], tmp_path / "case.zip").path
    assert kinds(path) == set()
    assert verify_bundle(path, rerun=False).mismatches == ()


def test_damaged_store_makes_no_bundle(tmp_path: Path) -> None:
    """What is damaged is not bundled: a bundle of it would prove nothing."""
    store = copy_of_store(tmp_path)
    run = runs_of(store)[0]
    (run / "answer.json").write_bytes(b"{}")
    with pytest.raises(RecordError, match=r"answer\.json"):
        make_bundle(store, [run], tmp_path / "a.zip")
    (runs_of(store)[1] / "seal.json").unlink()
    with pytest.raises(InputError, match="before there was a ledger"):
        make_bundle(store, [runs_of(store)[1]], tmp_path / "b.zip")


def test_where_it_is_written(tmp_path: Path) -> None:
    """No file is overwritten, none goes into a store, none is left half written."""
    run = runs_of(built())[:1]
    (tmp_path / "there.zip").write_bytes(b"")
    with pytest.raises(InputError, match="is there already"):
        make_bundle(built(), run, tmp_path / "there.zip")
    with pytest.raises(InputError, match="store"):
        make_bundle(built(), run, built() / "case.zip")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError):
        make_bundle(built(), run, tmp_path / "file" / "case.zip", options=BundleOptions())
    with pytest.raises(InputError, match="no run"):
        make_bundle(built(), [], tmp_path / "none.zip")


def test_pages_open_without_a_request(bundle: Path, tmp_path: Path) -> None:
    """In a browser the pages of an unpacked bundle load nothing and show what they hold."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium here")
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "case")
    log = tmp_path / "net.json"
    run = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
         "--host-resolver-rules=MAP * ~NOTFOUND", f"--log-net-log={log}", "--dump-dom",
         (tmp_path / "case" / "index.html").as_uri()],
        capture_output=True, text=True, check=False, timeout=120, env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert QUESTIONS[0] in run.stdout
    # The browser's own calls home are not the page's: what a page asks for has it as its initiator.
    urls = set(re.findall(r'"url":"([^"]+)"', log.read_text()))
    assert not [url for url in urls if "zebulon" in url.lower() and not url.startswith("file:")]
