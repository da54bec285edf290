"""How `verify_bundle.py` checks the folders of a bundle: seals, files, documents, quotes. Standard library alone."""

from __future__ import annotations

import importlib
import io
import json
import re
import unicodedata
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone import verify_basics as basics
    from pipeline.audit.bundle.standalone.verify_report import Case, guarded
    from pipeline.audit.bundle.standalone.verify_signatures import check_review
else:
    import verify_basics as basics
    from verify_report import Case, guarded
    from verify_signatures import check_review

# What a sender may leave out of a sealed folder: marked copies, which hold a document in full. Never a record.
MAY_BE_LEFT_OUT = re.compile(r"highlighted\.(pdf|html)")
ENOUGH_WORDS = 0.5  # share of a quote's words below which a page that was read another way does not hold it


# --- sealed folders: the ledger holds the salted root of a seal, the seal holds the hash of every file


def check_folder(case: Case, folder: str) -> None:
    """A folder: its seal against the ledger, its files and records against the seal, what it rests on, its quotes."""
    report, inside = case.report, case.inside(folder)
    report.count("sealed folders")
    if "seal.json" not in inside:
        report.wrong("record_missing", folder, "there is no seal, so nothing in the folder is proven")
        return
    seal = case.json(inside["seal.json"])
    salt = bytes.fromhex(seal["salt"])
    own_salt = basics.salt_of_record(salt, "seal.json")
    root = basics.root_of({name: seal[name] for name in seal if name not in ("salt", "written_as")}, own_salt)
    check_entry(case, folder, root, seal["kind"], case.json(inside["entry.json"]) if "entry.json" in inside else None)
    first, leaf = seal["place"].split("/")[0], seal["place"].split("/")[-1]
    manifest = case.bundle.read(folder + "/complete.json")
    if folder not in ("store/" + seal["place"], f"store/{first}/former/{leaf}_{basics.sha256(manifest)[:12]}"):
        report.wrong("seal_altered", folder, "was sealed at another place")
    check_sealed_files(case, folder, seal, salt)
    listed = {**seal["files"], "seal.json": basics.sha256(case.bundle.read(inside["seal.json"]))}
    if "complete.json" in inside and manifest != list_of(listed):
        report.wrong("record_altered", f"{folder}/complete.json", "does not list the sealed files")
    for name in sorted({"entry.json", "complete.json"} - set(inside)):
        report.wrong("record_missing", f"{folder}/{name}", "belongs to every sealed folder")
    for name in sorted(set(inside) - set(listed) - {"entry.json", "complete.json"}):
        report.wrong("record_added", f"{folder}/{name}", "is not among the sealed files")
    case.rests += [(folder, rested) for rested in seal["runs"].values()]
    request = case.json(inside["request.json"]) if "request.json" in inside else {}
    for digest in sorted(request.get("dictionaries", {}).values()):
        check_dictionary(case, folder, digest)
    check_documents(case, folder, seal)
    if "review.json" in inside:
        guarded(report, f"{folder}/review.json", check_review, case, folder, seal, case.by_seal.get(root))
    if {"answer.json", "retrieval_result.json"} <= set(inside):
        guarded(report, f"{folder}/answer.json", check_quotes, case, folder, seal)


def check_sealed_files(case: Case, folder: str, seal: dict[str, Any], salt: bytes) -> None:
    """The files of a folder against the hashes in its seal, its records against their salted roots."""
    report, inside = case.report, case.inside(folder)
    for name, expected in sorted(seal["files"].items()):
        report.count("files against their seals")
        place = f"{folder}/{name}"
        data = case.bundle.read(place)
        may_be_left_out = MAY_BE_LEFT_OUT.fullmatch(name) and case.manifest["left_out"].get(place) == expected
        if name not in inside and may_be_left_out:
            report.remark("not_checked", place, f"was left out by the sender; SHA-256 {expected}")
        elif name not in inside:
            report.wrong("record_missing", place, "is sealed and not there")
        elif basics.sha256(data) != expected:
            report.wrong("record_altered", place, "is not the file that was sealed")
        elif name.endswith(".json") and basics.root_of_file(data, name, salt) != seal["roots"].get(name):
            report.wrong("seal_altered", folder, f"the salted root of {name} is not the one in the seal")


def check_entry(case: Case, folder: str, root: str, kind: str, receipt: dict[str, Any] | None) -> None:
    """The root of a seal against the line of the ledger that holds it fast."""
    line, last = case.by_seal.get(root), case.last
    if line is not None:
        case.seals[root] = line["seq"]
        if line["kind"] != kind:
            case.report.wrong("seal_altered", folder, f"is a {kind}, and was recorded as a {line['kind']}")
        if receipt and receipt != {name: line[name] for name in ("ledger", "seq", "hash")}:
            case.report.wrong("record_altered", f"{folder}/entry.json", "names another line than the one that holds it")
    elif receipt and receipt["seq"] > last:
        case.report.wrong("ledger_truncated", folder, f"line {receipt['seq']} recorded it; the ledger ends at {last}")
    elif receipt and case.lines.get(receipt["seq"], {}).get("hash") not in (None, receipt["hash"]):
        case.report.wrong("record_added", folder, "no line of the ledger holds its seal or is the one that it names")
    else:
        kind = "seal_altered" if receipt and receipt["seq"] in case.lines else "record_added"
        case.report.wrong(kind, folder, "no line of the ledger holds this seal")


def list_of(files: dict[str, str]) -> bytes:
    """`complete.json` of a folder with these files, name -> SHA-256, as it is written."""
    return json.dumps({"files": dict(sorted(files.items()))}, indent=1).encode() + b"\n"


def check_dictionary(case: Case, folder: str, digest: str) -> None:
    """A dictionary that a run used, by its SHA-256."""
    case.report.count("dictionaries that runs used")
    name = f"store/dictionaries/used/{digest}.toml"
    if name in case.names:
        if basics.sha256(case.bundle.read(name)) != digest:
            case.report.wrong("record_altered", name, f"is not the dictionary that {folder} used")
    elif case.manifest["left_out"].get(name) == digest:
        case.report.remark("not_checked", name, f"was left out by the sender; SHA-256 {digest}")
    else:
        case.report.wrong("record_missing", name, f"{folder} used it, and it is not there")


def check_documents(case: Case, folder: str, seal: dict[str, Any]) -> None:
    """The documents by their SHA-256, and the parsings by that of their lists of files."""
    for doc_id, expected in sorted(seal["documents"].items()):
        place = f"store/{doc_id}/source"
        names = [name for name in case.below(place) if name.startswith(place + "/source.")]
        for name in names:
            case.report.count("documents")
            if basics.sha256(case.bundle.read(name)) != expected:
                case.report.wrong("source_changed", name, f"is not the document that was read for {folder}")
        if not names and is_sent(case, doc_id) and not is_inside(case, doc_id):
            case.report.wrong("source_missing", place, f"the document read for {folder} is not there")
        elif not names:
            told = (
                f"not here by itself (left out, or inside another document): compare your own copy, SHA-256 {expected}"
            )
            case.report.remark("not_checked", place, told)
    for doc_id, expected in sorted(seal["parsings"].items()):
        form = re.compile(rf"store/{re.escape(doc_id)}/(former/)?parsing[^/]*/complete\.json")
        lists = [name for name in case.below(f"store/{doc_id}") if form.fullmatch(name)]
        if is_sent(case, doc_id) and expected not in [basics.sha256(case.bundle.read(name)) for name in lists]:
            place = lists[0] if lists else f"store/{doc_id}/parsing"
            kind = "record_altered" if lists else "record_missing"
            case.report.wrong(kind, place, f"the parsing that was read for {folder} is not there")
        lines = f"lines/{doc_id}_{expected[:12]}.json"
        if is_sent(case, doc_id) and lines not in case.names:
            case.report.wrong("record_missing", lines, f"the lines of the parsing that was read for {folder}")


def is_sent(case: Case, doc_id: str) -> bool:
    """False for a document that the sender left out, with its parsing."""
    return case.manifest["documents"].get(doc_id, {}).get("included") is not False


def is_inside(case: Case, doc_id: str) -> bool:
    """True for a document inside another, whose own bytes are not kept, as the run of it says."""
    names = [name for name in case.below(f"store/{doc_id}") if name.endswith("/request.json")]
    return any(case.json(name).get("inside") for name in names)


def check_listed(case: Case, folder: str) -> None:
    """A document or a parsing, which have no seal, against the list of its folder."""
    inside = case.inside(folder)
    is_document = folder.endswith("/source")
    if "complete.json" not in inside:
        case.report.wrong("record_missing", f"{folder}/complete.json", "the list of the folder's files is not there")
        return
    listed = case.json(inside["complete.json"])["files"]
    if case.bundle.read(inside["complete.json"]) != list_of(listed):
        case.report.wrong("record_altered", inside["complete.json"], "is not written as the store writes it")
    for name, digest in sorted(listed.items()):
        case.report.count("documents against their lists" if is_document else "tables of parsings")
        if name not in inside:
            kind = "source_missing" if is_document else "record_missing"
            case.report.wrong(kind, f"{folder}/{name}", "is listed and not there")
        elif basics.sha256(case.bundle.read(inside[name])) != digest:
            kind = "source_changed" if is_document else "record_altered"
            case.report.wrong(kind, inside[name], "is not the file that was listed when it was stored")
    for name in sorted(set(inside) - set(listed) - {"complete.json"}):
        case.report.wrong("record_added", f"{folder}/{name}", "is not in the list of the folder's files")


def check_redacted(case: Case, folder: str) -> None:
    """A folder without its texts: what is left still has the roots that the ledger holds fast."""
    case.report.count("redacted folders")
    inside = case.inside(folder)
    disclosed = case.json(inside["seal.json"])
    seal = basics.shown_of(disclosed)
    check_entry(case, folder, basics.root_of_disclosed(disclosed).hex(), seal["kind"], None)
    for name in sorted(set(seal["roots"]) | set(inside) - {"seal.json"}):
        case.report.count("redacted records")
        if name not in inside:
            case.report.wrong("record_missing", f"{folder}/{name}", "is sealed and not there")
        elif name not in seal["roots"]:
            case.report.wrong("record_added", f"{folder}/{name}", "is not among the sealed records")
        elif basics.root_of_disclosed(case.json(inside[name])).hex() != seal["roots"][name]:
            case.report.wrong("record_altered", f"{folder}/{name}", "what is shown of it is not what was sealed")


# --- quotes: against the passages that were handed over, the table of lines, and where possible the document


def check_quotes(case: Case, folder: str, seal: dict[str, Any]) -> None:
    """Every quote of the answer."""
    answer, found = case.json(f"{folder}/answer.json"), case.json(f"{folder}/retrieval_result.json")
    handed: dict[int, tuple[str, int]] = {}
    for holder in [*found["candidates"], *found.get("tables", ())]:
        for line, text in zip(holder["lines"], holder["text"].split("\n")):  # noqa: B905 - 3.8 knows no strict
            handed[line["line_id"]] = (text, line["page_num"])
    doc_id = answer["doc_id"]
    table = f"lines/{doc_id}_{seal['parsings'].get(doc_id, '')[:12]}.json"
    rows = case.json(table)["lines"] if table in case.names else ()
    lines = {row["line_id"]: (row["text"], row["page_num"]) for row in rows}
    inside = case.below(f"store/{doc_id}/source")
    source = next((name for name in inside if name.startswith(f"store/{doc_id}/source/source.")), None)
    in_handed, in_table = sorted(handed), sorted(lines)
    for span in [span for item in answer["items"] for span in item["spans"]]:
        case.report.count("quotes")
        place = f"{folder}/answer.json, lines {span['line_start']} to {span['line_end']}"
        if not answer.get("parts") and not stands_in(span, handed, in_handed):  # parts have passages of their own
            case.report.wrong("quote_not_found", place, "does not stand in the passages that were handed over")
        if lines and not stands_in(span, lines, in_table):
            case.report.wrong("quote_not_found", place, f"does not stand in {table}")
        if source and span["reading"] == "native":
            check_in_document(case, source, span, place)
        else:
            told = "was recognised from a picture: look at the page" if source else "not compared with the document"
            case.report.remark("not_checked", place, told)


def stands_in(span: dict[str, Any], known: dict[int, tuple[str, int]], numbers: list[int]) -> bool:
    """True where the lines of a quote stand in order, letter by letter, among the lines that it cites.

    `numbers` are those of the known lines, sorted: those that a quote names may be made up.
    """
    start, end = bisect_left(numbers, span["line_start"]), bisect_right(numbers, span["line_end"])
    cited = [known[number] for number in numbers[start:end]]
    rest = iter([text for text, _ in cited])
    return (
        bool(cited)
        and all(line in rest for line in span["quote"].split("\n"))
        and (span["page_start"] in (None, cited[0][1]))
    )


def check_in_document(case: Case, source: str, span: dict[str, Any], place: str) -> None:
    """A quote against the document read anew: plain text always, a PDF where a library for it is installed."""
    text, by = read_pages(case, source, span["page_start"] or 1, span["page_end"] or 1)
    words, there = words_of(span["quote"]), words_of(text or "")
    if text is None:
        case.report.remark("not_checked", source, f"quotes are not read anew from the document: that needs {by}")
    elif "".join(words) in "".join(there):
        case.report.count(f"quotes read anew from the document by {by}")
    elif sum(word in set(there) for word in words) < ENOUGH_WORDS * len(words):
        case.report.wrong("quote_not_found", place, f"the document does not say this there, as {by} reads it")
    else:
        case.report.remark("not_checked", place, f"{by} reads that page in another order: look at it")


def words_of(text: str) -> list[str]:
    """Letters and digits, word by word, folded."""
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).replace("\u00ad", "").casefold())


def read_pages(case: Case, source: str, first: int, last: int) -> tuple[str | None, str]:
    """The text of some pages and by what it was read; without one, what it would need."""
    if source.endswith((".txt", ".md")):
        return case.bundle.read(source).decode("utf-8", "replace"), "this program"
    for name in ("pymupdf", "pypdf") if source.endswith(".pdf") else ():
        try:
            library, data = importlib.import_module(name), case.bundle.read(source)
            if name == "pymupdf":
                with library.open("pdf", data) as document:
                    return "\n".join(document[at].get_text() for at in range(first - 1, last)), name
            pages = library.PdfReader(io.BytesIO(data)).pages
            return "\n".join(pages[at].extract_text() for at in range(first - 1, last)), name
        except Exception:  # noqa: BLE001, S112 - a library that is not ours may raise anything: the next is tried
            continue
    return None, "Lineproof, or for a PDF a library such as pypdf or PyMuPDF"
