"""A small store for the tests of bundles: found, absent and compound questions, a PDF, a run with a model, a review."""

from __future__ import annotations

import atexit
import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pymupdf

from pipeline.audit.bundle import BundleOptions, MadeBundle, make_bundle
from pipeline.audit.bundle.standalone import verify_bundle as standalone
from pipeline.run import ask
from tests.audit.told import ask_told

CONTRACT = """NON-DISCLOSURE AGREEMENT

This Agreement is made on 3 March 2021 between Zebulon Widgets Inc. ("Supplier") and Quorra Holdings Ltd. ("Customer").

1. Term
This Agreement remains in force for a period of thirty-seven (37) months from the Effective Date.

2. Governing Law
This Agreement is governed by the laws of the State of New York.

3. Liability
The liability cap of the Supplier is EUR 2,500,000 for each event.
"""
QUESTIONS = (
    "How long is the term of the agreement?",
    "Which law governs the agreement, and how long is the term?",
    "What is the price of the zirconium?",
)
Edit = Callable[[bytes], bytes]


@cache
def built() -> Path:
    """The store, made once a session; tests read it or take a copy."""
    folder = Path(mkdtemp(prefix="bundle-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    text = folder / "zebulon-secret-name.txt"
    text.write_text(CONTRACT)
    store = folder / "store"
    for question in (QUESTIONS[0], QUESTIONS[2]):
        ask(text, question, store=store)
    document = pymupdf.open()
    page = document.new_page()
    for number, line in enumerate(CONTRACT.split("\n")):
        page.insert_text((72, 72 + 16 * number), line)
    paper = folder / "zebulon-paper.pdf"
    paper.write_bytes(document.tobytes(no_new_id=True))
    ask(paper, QUESTIONS[1], store=store)
    ask_told(text, store)
    return store


def runs_of(store: Path) -> list[Path]:
    """Every run of a store."""
    return sorted(store.glob("*/questions/*"))


def quick_runs_of(store: Path) -> list[Path]:
    """The runs of the plain text: no picture is drawn for their pages."""
    return [run for run in runs_of(store) if run.parent.parent.name.startswith("zebulon-secret")]


def bundle_of(
    path: Path, store: Path | None = None, runs: Sequence[Path] | None = None, **options: object
) -> MadeBundle:
    """A bundle of all runs, or of some."""
    root = store or built()
    return make_bundle(root, runs or runs_of(root), path, options=BundleOptions(**options))  # type: ignore[arg-type]


def copy_of_store(folder: Path) -> Path:
    """A store of one's own."""
    return Path(shutil.copytree(built(), folder / "store"))


def edited(path: Path, target: Path, edits: Mapping[str, Edit | None], *, relist: bool = False) -> Path:
    """The bundle with files changed (None: taken out; a new name: added); `relist` puts them right in its list.

    A folder that has no seal any more is then taken off the list of folders.
    """
    with zipfile.ZipFile(path) as bundle:
        files = {name: bundle.read(name) for name in bundle.namelist()}
    for name, edit in edits.items():
        if edit is None:
            del files[name]
        else:
            files[name] = edit(files.get(name, b""))
    if relist:
        manifest = json.loads(files["bundle.json"])
        manifest["files"] = {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            for name, data in files.items()
            if name not in ("bundle.json", "signature.json")
        }
        kept = [one for one in manifest["folders"] if f"{one['folder']}/seal.json" in files]
        files["bundle.json"] = json.dumps({**manifest, "folders": kept}).encode()
    with zipfile.ZipFile(target, "w") as bundle:
        for name, data in files.items():
            bundle.writestr(name, data)
    return target


def kinds(path: Path, heads: tuple[str, ...] = (), keys: frozenset[bytes] = frozenset()) -> set[str]:
    """Kinds of what the bundle's own verifier finds."""
    return {kind for kind, _, _ in standalone.check_bundle(str(path), heads, keys).mismatches}


def name_in(path: Path, ending: str) -> str:
    """The first file of a bundle with this ending."""
    with zipfile.ZipFile(path) as bundle:
        return next(name for name in sorted(bundle.namelist()) if name.endswith(ending))
