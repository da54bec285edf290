"""How records are written: a record may say the same and yet be written so that other readers read something else."""

from __future__ import annotations

import json
from typing import Any

from pipeline.audit.verify.findings import Findings
from schemas.record import Record


def check_written(place: str, data: bytes, record: Record, findings: Findings) -> None:
    """That no field stands twice in a record, and that it does not call itself older than its version says.

    One of the current version that is written as today needs no second look.
    """
    if record.written_as is None and data == record.to_json():
        return
    if fault := fault_in(data):
        findings.wrong("record_altered", place, fault)


def fault_in(data: bytes) -> str:
    """What is wrong with how a record is written; empty where nothing is."""
    try:
        fields = json.loads(data, object_pairs_hook=_once)
    except _TwiceError as error:
        return f"the field {str(error)[:60]!r} stands in it twice, and readers need not agree on which of them counts"
    except (ValueError, RecursionError):
        return "this is no JSON that every reader takes"
    if isinstance(fields, dict) and fields.get("written_as") is not None:
        return "it says that it was lifted from an older version, which no record says as it is stored"
    return ""


class _TwiceError(Exception):
    """A field that stands in an object twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(name for name, _ in pairs if name in seen or seen.add(name)))  # type: ignore[func-returns-value]
    return found
