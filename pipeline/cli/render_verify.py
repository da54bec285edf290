"""A verification for people: passed or not, what does not hold by kind, remarks, and what it can tell at all."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from pipeline.cli.output import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from schemas.verification import Mismatch, Verification

MAX_SHOWN = 20  # mismatches of one kind that are printed; --json has more
MAX_REMARKS = 3  # remarks of one kind that are printed
INDENT = 3  # columns
TITLES = {
    "ledger_altered": "The ledger was altered",
    "ledger_line_missing": "Lines of the ledger were deleted",
    "ledger_reordered": "Lines of the ledger were moved",
    "ledger_inserted": "Lines were put into the ledger",
    "ledger_truncated": "The end of the ledger was cut off",
    "ledger_torn": "The ledger holds unfinished bytes",
    "anchor_mismatch": "A signed head does not fit the ledger",
    "signature_invalid": "A signature does not hold",
    "record_altered": "Records were altered",
    "record_missing": "Records are missing",
    "record_added": "Something was put there that nothing recorded",
    "record_invalid": "Records break their own rules",
    "seal_altered": "Seals were altered",
    "source_changed": "Documents are not those that were read",
    "source_missing": "Documents are not there",
    "quote_not_found": "Quotes do not stand in the document",
    "answer_inconsistent": "Answers do not follow from their evidence",
    "parsing_differs": "Parsing gives something else today",
    "question_differs": "Reading the question gives something else today",
    "retrieval_differs": "The search gives something else today",
    "answer_differs": "The answer is another today",
    "papers_differ": "Sheets or marked documents are others today",
    "transcript_altered": "Exchanges with a model were altered",
    "transcript_incomplete": "Exchanges with a model are not on record",
    "erasure_unfinished": "An erasure did not end",
    "not_upgradable": "Records of a version that cannot be read",
}
REMARKS = {
    "not_checked": "could not be checked",
    "unsealed": "from before there was a ledger",
    "unfinished": "left unfinished",
    "superseded": "replaced by a later one, and kept",
    "forgotten": "erased on request",
    "no_anchor": "vouched for by nothing outside the store",
    "versions": "made by other versions, with the same result today",
}


def render_verification(done: Verification) -> list[RenderableType]:
    """The verdict first, then what does not hold, remarks, and what a verification like this can and cannot detect."""
    parts: list[RenderableType] = [_verdict(done), Text(_counted(done), style="dim")]
    by_kind: dict[str, list[Mismatch]] = defaultdict(list)
    for one in done.mismatches:
        by_kind[one.kind].append(one)
    for kind, title in TITLES.items():
        if kind in by_kind:
            parts += _mismatches(f"{title} ({kind})", by_kind[kind])
    parts += _remarks(done)
    parts += _sentences("This verification detects", done.detects)
    parts += _sentences("It cannot detect", done.cannot_detect)
    return parts


def _verdict(done: Verification) -> Text:
    if done.passed:
        return Text("passed: everything that was checked is as it was recorded", style="bold green")
    count = len(done.mismatches)
    told = "1 thing is" if count == 1 else f"{count:,} things are"
    return Text(f"failed: {told} not as recorded", style="bold red")


def _counted(done: Verification) -> str:
    if done.ledger is None:
        ledger = "no ledger"
    else:
        ledger = f"ledger {done.ledger[:8]} of {_count(done.entry_count, 'line')}"
        if done.anchored_to is not None:
            ledger += f", vouched for up to line {done.anchored_to} by {', '.join(done.signed_by)}"
    checks = ", ".join(f"{name} {number:,}" for name, number in done.checks.items())  # no name needs a singular
    return f"{_count(done.run_count, 'run')}, {ledger}\nchecked: {checks or 'nothing'}"


def _mismatches(title: str, found: list[Mismatch]) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(f"\n{title}", style="bold")]
    for one in found[:MAX_SHOWN]:
        causes = f" (differs: {', '.join(one.causes)})" if one.causes else ""
        parts.append(_indented(f"{one.place}\n   {one.detail}{causes}"))
    if len(found) > MAX_SHOWN:
        parts.append(_indented(f"and {len(found) - MAX_SHOWN:,} more; --json lists them"))
    return parts


def _remarks(done: Verification) -> list[RenderableType]:
    if not done.remarks:
        return []
    parts: list[RenderableType] = [Text("\nTo know", style="bold")]
    counted = Counter(one.kind for one in done.remarks)
    for kind, words in REMARKS.items():
        own = [one for one in done.remarks if one.kind == kind]
        if own:
            parts.append(_indented(f"{counted[own[0].kind]:,} {words}"))
            parts += [_indented(f"   {one.place}: {one.detail}") for one in own[:MAX_REMARKS]]
            if len(own) > MAX_REMARKS:
                parts.append(_indented(f"   and {len(own) - MAX_REMARKS:,} more"))
    return parts


def _sentences(title: str, sentences: tuple[str, ...]) -> list[RenderableType]:
    return [Text(f"\n{title}", style="bold"), *(_indented(f"- {sentence}") for sentence in sentences)]


def _indented(text: str) -> Padding:
    return Padding(Text(plain(text)), (0, 0, 0, INDENT))


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
