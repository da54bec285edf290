"""Erasures on request that their processes did not finish: what was announced is still to be erased."""

from __future__ import annotations

from pathlib import Path

from pipeline.audit.forgetting import MARK, unfinished
from pipeline.audit.forgetting.erasing import GONE
from pipeline.audit.verify.findings import Findings
from schemas.errors import RecordError

_AGAIN = "run `lineproof forget` again, and it is finished"


def check_erasures(root: Path, findings: Findings) -> None:
    """Tell an erasure that has not ended: what was to go is still there. A damaged record of one counts as altered."""
    if (root / MARK).is_symlink():  # told among the links of the store
        return
    try:
        left = unfinished(root)
    except RecordError as error:
        findings.wrong("record_altered", MARK, " ".join(str(error).replace(f"{root}/", "").split()))
        return
    if left is not None:
        mark, line = left
        documents = f"{len(mark.documents)} document{'' if len(mark.documents) == 1 else 's'}"
        detail = f"the erasure of {documents} that number {line.seq} of the ledger announced did not end: {_AGAIN}"
        findings.wrong("erasure_unfinished", MARK, detail, seq=line.seq)
    elif (root / MARK).exists():
        detail = "an erasure was prepared and never announced in the ledger: nothing was erased"
        findings.note("unfinished", MARK, detail)
    for path in sorted(root.glob(f"{GONE}*")):
        findings.wrong(
            "erasure_unfinished", path.name, f"taken out of its place to be erased, and still there: {_AGAIN}"
        )
