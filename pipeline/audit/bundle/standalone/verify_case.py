"""How `verify_bundle.py` checks a bundle as a whole, and how it tells what it found. Standard library alone."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone import verify_basics as basics
    from pipeline.audit.bundle.standalone.verify_ledger import check_chain
    from pipeline.audit.bundle.standalone.verify_records import check_folder, check_listed, check_redacted
    from pipeline.audit.bundle.standalone.verify_report import Case, Report, guarded
    from pipeline.audit.bundle.standalone.verify_signatures import (
        check_asked_keys,
        check_given_head,
        check_list_signature,
        check_own_head,
    )
else:
    import verify_basics as basics
    from verify_ledger import check_chain
    from verify_records import check_folder, check_listed, check_redacted
    from verify_report import Case, Report, guarded
    from verify_signatures import check_asked_keys, check_given_head, check_list_signature, check_own_head

# What a terminal obeys, and marks that turn the direction of text.
UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
UNLISTED = ("bundle.json", "signature.json")  # the list of files cannot list itself, nor what signs it
# Folders that no seal holds, with a list of their own, and all else that a bundle may hold beside sealed folders.
LISTED = re.compile(r"store/[^/]+/(source|(former/)?parsing[^/]*)/[^/]+")
KNOWN = re.compile(
    r"README\.txt|index\.html|ledger\.jsonl|head\.json|bundle\.json|signature\.json"
    r"|verify_(bundle|basics|report|ledger|signatures|records|case)\.py"
    r"|pages/[0-9]+\.html|lines/[^/]+\.json|store/dictionaries/used/[0-9a-f]{64}\.toml"
)
MAX_GIVEN_BYTES = 32 * 2**20  # of a file with a head: a mail with all its attachments

CAN = (
    "a record, document, table or quote that was altered, swapped or taken away after it was sealed",
    "lines of the ledger that were altered, deleted, moved or put in",
)
CAN_REDACTED = "any change of what a redacted record shows, or of the hashes of what it hides"
CAN_WITH_HEAD = "a ledger that was rebuilt or cut off before the signed line, by whoever holds it"
CANNOT = (
    "runs that were left out of the bundle: the ledger shows that there were others, not what they said",
    "clocks: times are those of the machine that wrote them",
    "an answer that was wrong from the start: its records are checked, and not its sense",
    "whose key signed: trust a key only from its owner",
)
CANNOT_UNSIGNED = (
    "other words on the pages made for reading (index.html, pages, lines): the list of files alone holds these, and no "
    "key that you trust signed it; what counts are the records"
)
CANNOT_REDACTED = "whether what is hidden is what the document says: that takes the bundle in full"
CANNOT_WITHOUT_HEAD = (
    "a ledger and records that were made up, or written anew, as a whole: nothing from outside vouches for them"
)


def check_bundle(path: str, heads: Iterable[str] = (), keys: frozenset[bytes] = frozenset()) -> Report:
    """The report on a bundle; `heads` are texts that hold a head each, `keys` the trusted public keys, 32 bytes each.

    Raises NoBundle for what is none.
    """
    case = Case(path)
    report = case.report
    guarded(report, "bundle.json", check_files, case)
    guarded(report, "ledger.jsonl", check_chain, case)
    told = case.manifest.get("folders")
    told = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    folders = {str(one.get("folder")) for one in told}
    check_purpose(report, told)
    check = check_redacted if case.manifest.get("redacted") else check_folder
    for folder in sorted(folders):
        guarded(report, folder, check, case, folder)
    for folder in sorted({name.rpartition("/")[0] for name in case.names if LISTED.fullmatch(name)} - folders):
        guarded(report, folder, check_listed, case, folder)
    for name in sorted(case.names):
        if name.endswith("/seal.json") and name[: -len("/seal.json")] not in folders:
            report.wrong("record_added", name, "a sealed folder that bundle.json does not name")
    for folder, root in case.rests:
        guarded(report, folder, check_rest, case, folder, root)
    check_signatures(case, heads, keys)
    report.finish()
    return report


def check_purpose(report: Report, told: list[dict[str, Any]]) -> None:
    """That the bundle proves something: it names records, and among them those that it was made for."""
    report.decisions = len({str(one.get("folder")) for one in told if one.get("asked") is True})
    if not told:
        report.wrong("record_missing", "bundle.json", "names no record at all: such a bundle proves nothing")
    elif not report.decisions:
        report.wrong("record_missing", "bundle.json", "names no record that it was made for: it proves nothing")


def check_signatures(case: Case, heads: Iterable[str], keys: frozenset[bytes]) -> None:
    """Heads from elsewhere and the one in the bundle, the signature of the list, and how far they reach."""
    report, trusted = case.report, []

    def check_own() -> None:
        trusted.append(check_own_head(case, keys))

    def check_given(text: str, place: str) -> None:
        trusted.append(check_given_head(case, text, place, keys))

    if "head.json" in case.names:
        guarded(report, "head.json", check_own)
    for number, text in enumerate(heads, 1):
        guarded(report, f"head {number} of yours", check_given, text, f"head {number} of yours")
    if "signature.json" in case.names:
        guarded(report, "signature.json", check_list_signature, case, keys)
    else:
        report.remark("not_checked", "bundle.json", "the list of files is not signed: pages made for reading may lie")
    check_asked_keys(case, keys, has_head=any(trusted))
    after = [seq for seq in case.seals.values() if seq > report.anchored_to]
    if after:
        told = "no signed head from outside vouches for any line of it: nothing shows that it was not made up"
        if report.anchored_to:
            told = f"a signed head vouches for it up to line {report.anchored_to}; {len(after)} records came later"
        report.remark("no_anchor", "ledger.jsonl", told)


def check_files(case: Case) -> None:
    """Every file against the list of files with their hashes."""
    for name, told in sorted(case.manifest["files"].items()):
        case.report.count("files against the list")
        is_source = "/source/source." in name
        if name not in case.names:
            case.report.wrong("source_missing" if is_source else "record_missing", name, "is listed and not there")
        elif basics.sha256(case.bundle.read(name)) != told["sha256"]:
            kind = "source_changed" if is_source else "record_altered"
            case.report.wrong("ledger_altered" if name == "ledger.jsonl" else kind, name, "is not as it was listed")
    for name in sorted(case.names):
        used = re.fullmatch(r"store/dictionaries/used/([0-9a-f]{64})\.toml", name)
        if used and basics.sha256(case.bundle.read(name)) != used[1]:
            case.report.wrong("record_altered", name, "is not the dictionary of that SHA-256")
    for name in sorted(case.names - set(case.manifest["files"]) - set(UNLISTED)):
        case.report.wrong("record_added", name, "is not in the list of files")
    folders = {str(one["folder"]) for one in case.manifest.get("folders", ()) if isinstance(one, dict)}
    for name in sorted(case.names):
        if name.rpartition("/")[0] not in folders and not KNOWN.fullmatch(name) and not LISTED.fullmatch(name):
            case.report.wrong("record_added", name, "is no file that a bundle holds")


def check_rest(case: Case, folder: str, root: str) -> None:
    """A run that a record rests on: here, or erased on request as a later line of the ledger says."""
    line = case.by_seal.get(root)
    if root in case.seals:
        return
    if line is not None and line["seq"] in case.erased:
        case.report.remark("forgotten", folder, "rests on a run that was erased on request")
    else:
        case.report.wrong("record_missing", folder, "rests on a run that is not in the bundle")


def tell(report: Report) -> str:
    """The report in plain words."""
    wrong, many = len(report.mismatches), report.decisions != 1
    lines = [
        f"Verified {report.bundle}: {report.decisions} decision{'s' if many else ''}, ledger {report.ledger or 'none'}",
        f"FAILED: {wrong} {'thing is' if wrong == 1 else 'things are'} not as recorded." if wrong else "Passed.",
    ]
    lines += [f"  {kind}: {place}: {detail}" for kind, place, detail in report.mismatches]
    lines += ["", "Checked:", *(f"  {number} {check}" for check, number in sorted(report.counts.items()))]
    lines += [f"  ledger {report.ledger}, last line {report.head}"]
    if report.signed_by or report.anchored_to:
        reach = f"line {report.anchored_to}" if report.anchored_to else "no line"
        lines += [f"  vouched for from outside up to {reach}, by the keys: {', '.join(report.signed_by) or 'none'}"]
    lines += ["", "To know:", *(f"  {kind}: {place}: {detail}" for kind, place, detail in report.remarks)]
    can, cannot = detectable(report)
    lines += ["", "This check detects:", *(f"  - {one}" for one in can)]
    lines += ["It cannot detect:", *(f"  - {one}" for one in cannot)]
    return "\n".join(UNFIT.sub("?", line) for line in lines)


def detectable(report: Report) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the check detects, and what it cannot."""
    redacted = "redacted folders" in report.counts
    can = [CAN_REDACTED if redacted else CAN[0], CAN[1], *([CAN_WITH_HEAD] if report.anchored_to else [])]
    cannot = [] if report.anchored_to else [CANNOT_WITHOUT_HEAD]
    cannot += [CANNOT_REDACTED] if redacted else []
    cannot += [] if report.is_list_signed else [CANNOT_UNSIGNED]
    return tuple(can), (*cannot, *CANNOT)


def as_json(report: Report) -> str:
    """The report as one JSON object."""
    can, cannot = detectable(report)
    told = {name: value for name, value in vars(report).items() if not name.startswith("_")}
    return json.dumps(
        {**told, "passed": not report.mismatches, "detects": can, "cannot_detect": cannot}, indent=1, sort_keys=True
    )


def read_given(text: str) -> str:
    """The content of the file that an option names, or the option itself."""
    if not os.path.exists(text):
        if not re.fullmatch("[0-9A-Za-z+/=]{40,}", text):  # neither a hash nor a key
            raise ValueError(f"{text}: there is no such file")
        return text
    with open(text, "rb") as file:
        data = file.read(MAX_GIVEN_BYTES + 1)
    if len(data) > MAX_GIVEN_BYTES:
        raise ValueError(f"{text}: larger than {MAX_GIVEN_BYTES} bytes")
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")


def main(arguments: list[str] | None = None) -> int:
    """Check the bundle that the arguments name; gives the exit code."""
    parser = argparse.ArgumentParser(prog="verify_bundle.py", description="Check an evidence bundle of Lineproof.")
    parser.add_argument("bundle", nargs="?", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--head", action="append", default=[], help="signed head, mail with one, or hash")
    parser.add_argument("--key", action="append", default=[], help="public key of whom you trust: PEM, base64 or hex")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    try:
        keys = frozenset(read_key(text) for text in given.key)
        heads = [read_given(text) for text in given.head]
        report = check_bundle(given.bundle, heads, keys)
    except basics.NoBundle as error:
        return refuse(f"{given.bundle}: {error}")
    except (ValueError, OSError) as error:
        return refuse(str(error))
    sys.stdout.write((as_json(report) if given.json else tell(report)) + "\n")
    return 1 if report.mismatches else 0


def read_key(text: str) -> bytes:
    """The public key that an option names or holds.

    Raises ValueError for anything else.
    """
    read = read_given(text)
    try:
        return basics.read_public_key(read)
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from error


def refuse(told: str) -> int:
    """Say why nothing was checked; gives the exit code."""
    sys.stderr.write(UNFIT.sub("?", f"verify_bundle: {told}") + "\n")
    return 2
