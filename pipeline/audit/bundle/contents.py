"""The files of a bundle: records as they were written with pages for reading, or what is shown of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pydantic_core

from pipeline.audit.bundle.collecting import Collected, SealedFolder, left_out, lines_of
from pipeline.audit.bundle.fields import Level
from pipeline.audit.bundle.index_page import ToldFolder, index_page
from pipeline.audit.bundle.redacted_page import HIDDEN, redacted_page, utc_time
from pipeline.audit.bundle.redaction import redact_folder
from pipeline.audit.bundle.reviewed import page_of_review, told_beside, told_redacted
from pipeline.audit.reviewing.told import Verdicts
from pipeline.commitments import shown_of
from pipeline.opening import Narrate
from pipeline.store.documents import load_document
from pipeline.store.runs import ANSWER, CASE, PAPERS, REQUEST
from pipeline.store.seals import SEAL

CHECK = ("python -I -B verify_bundle.py", "python -I -B verify_bundle.py --key KEY.pub --head HEAD")
# Documents that a browser shows or saves, and runs nothing of; a page (html, svg) is named and not linked.
_LINKED = (".pdf", ".txt", ".md", ".csv", ".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".docx", ".pptx",
           ".xlsx")  # fmt: skip
_CAREFUL = "not linked from here: it may run a program of its own when it is opened"
_WORDS = {
    "highlighted.pdf": "the document with the cited lines marked",
    "highlighted.html": "the document's lines with the cited ones marked",
    "decision.html": "decision sheet",
    "decision.pdf": "decision sheet, for printing",
}


def told_of(taken: Collected, *, documents: bool, levels: Sequence[Level] | None) -> dict[str, Any]:
    """What `bundle.json` says beside the list of files; `levels` is None for a bundle that is not redacted."""
    is_redacted = levels is not None
    folders = [
        {
            "folder": _place(at, folder, is_redacted=is_redacted),
            "kind": folder.seal.kind,
            "seal": folder.root,
            "line": folder.entry.seq,
            "asked": folder.root in taken.asked,
        }
        for at, folder in enumerate(taken.folders.values(), 1)
    ]
    left = {
        f"store/{folder.place}/{name}": sha
        for folder in taken.folders.values()
        for name, sha in left_out(folder, documents=documents).items()
    }
    left |= taken.not_kept
    with_source = {name.split("/")[1] for name in taken.files if "/source/" in name}
    told = {
        doc_id: {"sha256": sha, "included": documents, "source": doc_id in with_source}
        for doc_id, sha in taken.documents.items()
    }
    return {
        "made_by": f"lineproof {version('lineproof')}",
        "redacted": is_redacted,
        "shown": list(levels or ()),
        "folders": folders,
        "left_out": {} if is_redacted else left,
        "documents": {} if is_redacted else told,
    }


def in_full(
    root: Path, taken: Collected, *, documents: bool, password: str | None, narrate: Narrate
) -> dict[str, bytes]:
    """Every record as it was written, the documents' lines, the trace of each run as a page, and the first page."""
    files, told, verdicts = dict(taken.files), [], Verdicts(root)
    for name, (doc_id, parsing) in sorted(taken.parsings.items()):
        document = load_document(root, doc_id, folder=parsing)
        if document is not None:
            files[f"lines/{name}.json"] = lines_of(document)
    for at, folder in enumerate(taken.folders.values(), 1):
        narrate(f"writing the pages of record {at} of {len(taken.folders)}")
        omitted = left_out(folder, documents=documents)
        files |= {f"store/{folder.place}/{name}": data for name, data in folder.files.items() if name not in omitted}
        page = _page_of(folder, verdicts, documents=documents, password=password)
        if page is not None:
            files[f"pages/{at}.html"] = page
        told.append(replace(_tell(at, folder, taken, files), **told_beside(folder, verdicts)))
    files["index.html"] = index_page(told, _facts(taken), check=CHECK)
    return files


def redacted(taken: Collected, levels: Sequence[Level], verdicts: Verdicts) -> dict[str, bytes]:
    """What is shown of every record, a page of it each, and the first page; folders are numbered, not named."""
    files: dict[str, bytes] = {}
    told = []
    for at, folder in enumerate(taken.folders.values(), 1):
        place = _place(at, folder, is_redacted=True)
        parts = redact_folder(folder.files, folder.seal, levels)
        files |= {f"{place}/{name}": data for name, data in parts.items()}
        shown = {name: shown_of(pydantic_core.from_json(data)) for name, data in parts.items() if name != SEAL}
        facts = _line_facts(folder)
        files[f"pages/{at}.html"] = redacted_page(f"{folder.seal.kind.capitalize()} {at}", shown, facts)
        answer = shown.get(ANSWER) or {}
        links = [(f"{folder.seal.kind} {at}, as far as it is shown", f"pages/{at}.html")]
        records = tuple((name, f"{place}/{name}") for name in sorted(parts))
        text, heading = answer.get("text") or HIDDEN, f"{folder.seal.kind.capitalize()} {at}"
        about = ToldFolder(heading, answer.get("status") or "", text, facts, tuple(links), records)
        told.append(replace(about, **told_redacted(folder, shown, verdicts)))
    files["index.html"] = index_page(told, _facts(taken), check=CHECK, hidden=HIDDEN)
    return files


def _place(at: int, folder: SealedFolder, *, is_redacted: bool) -> str:
    return f"redacted/{at}" if is_redacted else f"store/{folder.place}"


def _page_of(folder: SealedFolder, verdicts: Verdicts, *, documents: bool, password: str | None) -> bytes | None:
    """The page of a run, a case or a review; None for others. Without `documents` no page of one is drawn."""
    from pipeline.audit.page import folder_page

    if folder.seal.kind == "review":
        return page_of_review(folder, _line_facts(folder))
    if folder.seal.kind not in ("run", "case"):
        return None
    return folder_page(folder.path, password=password, with_pictures=documents, verdicts=verdicts)


def _tell(at: int, folder: SealedFolder, taken: Collected, files: dict[str, bytes]) -> ToldFolder:
    base, named = f"store/{folder.place}", []
    words = "the review in full" if folder.seal.kind == "review" else "how the answer came about"
    links = [(words, f"pages/{at}.html")] if f"pages/{at}.html" in files else []
    links += [(_WORDS[name], f"{base}/{name}") for name in PAPERS if f"{base}/{name}" in files]
    for doc_id, sha in sorted(folder.seal.documents.items()):
        sources = [name for name in sorted(files) if name.startswith(f"store/{doc_id}/source/source.")]
        links += [("the document", name) for name in sources if name.lower().endswith(_LINKED)]
        named += [("the document", f"{name}; {_CAREFUL}") for name in sources if not name.lower().endswith(_LINKED)]
        lines = f"lines/{doc_id}_{folder.seal.parsings.get(doc_id, sha)[:12]}.json"
        links += [("every line of the document, as text", lines)] if lines in files else []
    records = tuple((name, f"{base}/{name}") for name in sorted(folder.files) if name.endswith(".json"))
    heading, status, text = folder.seal.kind, "", ""
    for name in (ANSWER, CASE):
        if name in folder.files:
            answer = pydantic_core.from_json(folder.files[name])
            heading, status, text = answer["question"], answer.get("status", ""), answer["text"]
    request = pydantic_core.from_json(folder.files[REQUEST]) if REQUEST in folder.files else {}
    asked = () if folder.root in taken.asked else (("why it is here", "what was asked for rests on it, or judges it"),)
    document = (("document", request["doc_id"]),) if request else ()
    return ToldFolder(heading, status, text, (*document, *named, *asked, *_line_facts(folder)), tuple(links), records)


def _line_facts(folder: SealedFolder) -> tuple[tuple[str, str], ...]:
    entry = folder.entry
    return (("recorded", f"line {entry.seq} of the ledger, {utc_time(entry.at)}"), ("seal", folder.root))


def _facts(taken: Collected) -> tuple[tuple[str, str], ...]:
    last = max((folder.entry for folder in taken.folders.values()), key=lambda entry: entry.seq)
    return (
        ("ledger", last.ledger),
        ("its lines", f"{taken.ledger.count(bytes([10]))}, the whole ledger: ledger.jsonl"),
        ("records", f"{len(taken.folders)}, recorded up to line {last.seq}"),
    )
