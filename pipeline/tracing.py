"""Bookkeeping of a run: what each stage read, wrote and took, and whether a stored record is still current."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from schemas.answer import Answer
from schemas.audit import ModelCall, Stage, StageTrace, Trace
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.record import Part, Stamp
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel


class StageClock:
    """Times one stage from its making to `stop`."""

    def __init__(self, stage: Stage, inputs: Mapping[str, str]) -> None:
        self._stage: Stage = stage
        self._inputs = dict(inputs)
        self._start = time.perf_counter()

    def stop(self, outputs: Mapping[str, str], *, from_cache: bool = False) -> StageTrace:
        """What the stage read and wrote (name -> SHA-256), and the seconds it took."""
        return StageTrace(
            stage=self._stage,
            input_sha256=self._inputs,
            output_sha256=dict(outputs),
            seconds=round(time.perf_counter() - self._start, 6),
            from_cache=from_cache,
        )


class CallLog:
    """The exchanges with the model from its making on; none for a model that keeps no transcript."""

    def __init__(self, llm: LanguageModel | None) -> None:
        self._transcript = llm.transcript if isinstance(llm, _Recorded) else None
        self._before = len(self._transcript.calls()) if self._transcript else 0

    def calls(self, keys: Sequence[str]) -> tuple[ModelCall, ...]:
        """Those whose key is one of `keys`: another thread may use the same transcript at the same time."""
        if self._transcript is None:
            return ()
        return tuple(call for call in self._transcript.calls()[self._before :] if call.call_key in keys)


def build_trace(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    answer: Answer,
    *,
    started: str,
    stages: Sequence[StageTrace],
    log: CallLog,
    notes: tuple[str, ...],
    parts: tuple[str, ...],
) -> Trace:
    """The record of a whole run: the only one with times in it."""
    records: tuple[ParsedQuestion | AuditedRetrievalResult | Answer, ...] = (question, found, answer)
    stamps = {
        "parsing": document.stamp, "question": question.stamp, "retrieval": found.stamp, "generation": answer.stamp
    }  # fmt: skip
    keys = [key for record in records for use in record.model_uses for key in use.call_keys]
    return Trace(
        doc_id=document.doc_id,
        source_name=document.source_name,
        question=question.original_question,
        started=started,
        stages=tuple(stages),
        model_calls=log.calls(keys),
        downgrades=tuple(dict.fromkeys(step for record in records for step in record.downgrades)),
        pages_not_read=answer.pages_not_read,
        settings={name: stamp.settings for name, stamp in stamps.items()},
        versions=_versions(list(stamps.values())),
        notes=notes,
        parts=parts,
    )


def is_current(stamp: Stamp, settings: Part) -> bool:
    """True when this Lineproof, with these settings and the libraries installed now, would write the same stamp."""
    return (
        stamp.lineproof == version("lineproof")
        and stamp.settings == settings.model_dump(mode="json")
        and all(_installed(name) == known for name, known in stamp.libraries.items())
    )


class _Calls(Protocol):
    def calls(self) -> tuple[ModelCall, ...]: ...


@runtime_checkable
class _Recorded(Protocol):
    @property
    def transcript(self) -> _Calls: ...


def _versions(stamps: Sequence[Stamp]) -> dict[str, str]:
    found: dict[str, Any] = {"lineproof": version("lineproof")}
    for stamp in stamps:
        found |= {re.sub(r"[-_.]+", "-", name).lower(): value for name, value in stamp.libraries.items()}
        found |= {f"dictionary {name}": value for name, value in stamp.dictionary_versions.items()}
    return dict(sorted(found.items()))


def _installed(name: str) -> str | None:
    """Version of a package, or of a program that parsing calls; None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        from pipeline.parsing.ocr.engines import installed_engines

        return installed_engines().get(name)
