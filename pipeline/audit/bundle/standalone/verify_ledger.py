"""How `verify_bundle.py` checks the ledger: each line hashes to what it says, and names the hash of the line before."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone import verify_basics as basics
    from pipeline.audit.bundle.standalone.verify_report import Case, Report
else:
    import verify_basics as basics
    from verify_report import Case, Report

NO_HASH = "0" * 64
LINE_FIELDS = {"format", "ledger", "seq", "kind", "at", "seal", "facts", "torn", "prev", "hash"}
KINDS = ("run", "case", "replay", "review", "dictionary", "anchor", "forget", "batch")
MAX_INTEGER = 2**53 - 1  # RFC 8785, by I-JSON: numbers are doubles
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\+00:00")
HEX_128, HEX_256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
RANGE = re.compile("([0-9]{1,15})(?:-([0-9]{1,15}))?")  # of numbers of lines: '3' or '3-5'


def check_chain(case: Case) -> None:
    """The lines of the ledger, taken into the case by their numbers."""
    report, raw_lines = case.report, case.bundle.read("ledger.jsonl").split(b"\n")
    if raw_lines[-1]:
        report.wrong("ledger_torn", f"ledger.jsonl line {len(raw_lines)}", "the last line does not end")
    else:
        raw_lines.pop()
    if not raw_lines:
        report.wrong("record_missing", "ledger.jsonl", "there is no ledger: nothing shows what was recorded, and when")
    before: dict[str, Any] | None = None
    torn: list[bytes] = []
    seen: set[str] = set()
    altered = 0
    for number, raw in enumerate(raw_lines, 1):
        report.count("lines of the ledger")
        line = read_line(raw)
        if line is not None:
            altered += check_torn(report, line, torn, number, before, altered)
            check_link(report, line, number, before, altered, seen)
            seen.add(line["hash"])
            case.lines.setdefault(line["seq"], line)
            before = line if before is None or line["seq"] > before["seq"] else before
            torn, altered = [], 0
        elif is_unfinished(raw):
            torn.append(raw)
        else:
            report.wrong("ledger_altered", at(number), "does not hash to what it says, or is no line of a ledger")
            altered += 1
    if torn:
        report.wrong("ledger_torn", at(len(raw_lines)), "is unfinished, and no line declares it")
    if before is not None:
        report.head, report.ledger, case.last = before["hash"], before["ledger"], before["seq"]
    read_lines(case)


def read_lines(case: Case) -> None:
    """What the lines say of one another: the line of each seal, heads that were signed, what was erased."""
    numbers = sorted(case.lines)  # those that no line has erased so far
    for line in case.lines.values():
        facts = line["facts"]
        if line["seal"]:
            case.by_seal.setdefault(line["seal"], line)
        signed = case.lines.get(facts.get("seq")) if line["kind"] == "anchor" else None
        if signed and signed["hash"] != facts.get("hash"):
            case.report.wrong("ledger_altered", f"line number {signed['seq']}", "had another hash when it was signed")
        for first, last in ranges(str(facts.get("seqs") or ""), line["seq"]) if line["kind"] == "forget" else ():
            start, end = bisect_left(numbers, first), bisect_right(numbers, last)
            case.erased.update(dict.fromkeys(numbers[start:end], line["seq"]))
            del numbers[start:end]


def ranges(told: str, before: int) -> list[tuple[int, int]]:
    """The ranges of '3-5,9' below `before`, joined where they meet: what was not recorded yet cannot be erased."""
    found: list[tuple[int, int]] = []
    matches = [match for match in map(RANGE.fullmatch, {piece.strip() for piece in told.split(",")}) if match]
    for first, last in sorted((int(one[1]), min(int(one[2] or one[1]), before - 1)) for one in matches):
        if first > last:
            continue
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def is_unfinished(raw: bytes) -> bool:
    """True for the beginning of a line, or none of it; NUL bytes are what a loss of power leaves of it."""
    begun = raw.rstrip(b"\0")
    return not begun or raw.startswith(b"\0") or (begun.startswith(b"{") and begun.count(b"{") > begun.count(b"}"))


def at(number: int) -> str:
    """Where a line of the ledger stands."""
    return f"ledger.jsonl line {number}"


def check_torn(
    report: Report, line: dict[str, Any], torn: list[bytes], number: int, before: dict[str, Any] | None, altered: int
) -> int:
    """Unfinished lines before a line, which declares them; gives how many were whole lines once."""
    left, declared = b"\n".join(torn), line["torn"]
    if declared and (declared["byte_count"], declared["sha256"]) != (len(left), basics.sha256(left)):
        report.wrong("ledger_altered", at(number), "the unfinished line that it declares does not stand before it")
    elif torn and not declared and before and line["seq"] > before["seq"] + altered + 1:
        report.wrong("ledger_altered", at(number - 1), "is no whole line")
        return len(torn)
    elif torn and not declared:
        report.wrong("ledger_torn", at(number - 1), "is no whole line, and the next does not declare it")
    return 0


def check_link(
    report: Report, line: dict[str, Any], number: int, before: dict[str, Any] | None, altered: int, seen: set[str]
) -> None:
    """A line against the one before; `altered`: lines between them that do not hash to what they say."""
    due = before["seq"] + 1 if before else 1
    if before and line["ledger"] != before["ledger"]:
        report.wrong("ledger_inserted", at(number), "is a line of another ledger")
    elif line["hash"] in seen:
        report.wrong("ledger_inserted", at(number), "stands there a second time")
    elif line["seq"] < due:
        report.wrong("ledger_reordered", at(number), f"is number {line['seq']} and stands behind {due - 1}")
    elif line["seq"] > due + altered:
        report.wrong("ledger_line_missing", at(number), f"is number {line['seq']} where {due + altered} is due")
    elif line["seq"] == due and line["prev"] != (before["hash"] if before else NO_HASH):
        report.wrong("ledger_altered", at(max(number - 1, 1)), "the next line names another hash for the one before it")


def read_line(raw: bytes) -> dict[str, Any] | None:
    """The fields of a line that is whole, canonical, and hashes to what it says; else None."""
    try:
        line = basics.as_object(raw)
        if not is_line(line) or basics.canonical(line) != raw:
            return None
        rest = {name: value for name, value in line.items() if name != "hash"}
        return line if basics.sha256(basics.canonical(rest)) == line["hash"] else None
    except ValueError:
        return None


def is_line(line: dict[str, Any]) -> bool:
    """True for the fields of a line, each of the form that it has in a ledger."""
    torn = line.get("torn")
    return (
        set(line) == LINE_FIELDS
        and is_number(line["format"])
        and line["format"] == 1
        and is_text(line["ledger"], HEX_128)
        and is_number(line["seq"])
        and line["kind"] in KINDS
        and is_text(line["at"], TIME)
        and (line["seal"] is None or is_text(line["seal"], HEX_256))
        and isinstance(line["facts"], dict)
        and all(is_fact(fact) for fact in line["facts"].values())
        and (torn is None or is_tail(torn))
        and is_text(line["prev"], HEX_256)
        and is_text(line["hash"], HEX_256)
    )


def is_tail(torn: Any) -> bool:
    """True for what a line says of an unfinished one before it."""
    return (
        isinstance(torn, dict)
        and set(torn) == {"byte_count", "sha256"}
        and is_number(torn["byte_count"])
        and is_text(torn["sha256"], HEX_256)
    )


def is_number(value: Any) -> bool:
    """True for a whole number from 1 on."""
    return type(value) is int and 1 <= value <= MAX_INTEGER


def is_fact(value: Any) -> bool:
    """True for a text, a whole number that canonical JSON can hold, true, false, or null."""
    return value is None or type(value) in (str, bool) or (type(value) is int and abs(value) <= MAX_INTEGER)


def is_text(value: Any, form: re.Pattern[str]) -> bool:
    """True for a text of a form."""
    return isinstance(value, str) and form.fullmatch(value) is not None
