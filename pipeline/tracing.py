"""Bookkeeping of a run: what each stage read, wrote and took, and whether a stored record is still current."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from schemas.answer import Answer
from schemas.audit import ModelCall, ModelUse, Stage, StageTrace
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.record import Part, Stamp
from schemas.retrieval import AuditedRetrievalResult
from schemas.trace import CostTrace, MethodTrace, Outcome, PromptTrace, Trace

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel

PAPER_LIBRARIES = ("openpyxl", "pymupdf")  # what the sheets and the marked document are written with
TOKENS_PRICED = 1_000_000  # tokens that a price is for, as providers state them


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
        self.llm = llm

    def calls(self, keys: Sequence[str]) -> tuple[ModelCall, ...]:
        """Those whose key is one of `keys`: another thread may use the same transcript at the same time."""
        if self._transcript is None:
            return ()
        return tuple(call for call in self._transcript.calls()[self._before :] if call.call_key in keys)

    def prompts(self, uses: Sequence[ModelUse]) -> tuple[PromptTrace, ...]:
        """The templates of the prompts that were used, in order of first use."""
        if not isinstance(self.llm, _Templated):
            return ()
        known = self.llm.templates
        used = dict.fromkeys((use.prompt_name, use.prompt_sha256) for use in uses)
        return tuple(PromptTrace(name=name, sha256=sha, template=known[sha]) for name, sha in used if sha in known)


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
    uses = tuple(dict.fromkeys(use for record in records for use in record.model_uses))
    calls = log.calls([key for use in uses for key in use.call_keys])
    options = model_settings(log.llm)
    return Trace(
        doc_id=document.doc_id,
        source_name=document.source_name,
        question=question.original_question,
        started=started,
        stages=tuple(stages),
        methods=methods_of(found),
        strategy_name=found.strategy_name,
        arbiter=found.arbiter,
        candidates=found.provenances,
        outcome=outcome_of(answer),
        prompts=log.prompts(uses),
        model_uses=uses,
        model_calls=calls,
        cost=_cost(calls, options),
        downgrades=tuple(dict.fromkeys(step for record in records for step in record.downgrades)),
        pages_not_read=answer.pages_not_read,
        settings={name: stamp.settings for name, stamp in stamps.items()} | ({"model": options} if options else {}),
        versions=_versions(list(stamps.values())) | {"lineproof code": code_sha256()},
        notes=notes,
        parts=parts,
    )


def model_settings(llm: LanguageModel | None) -> dict[str, Any]:
    """The options of a model; empty without a model, or for one that tells none."""
    return llm.settings.model_dump(mode="json") if isinstance(llm, _Configured) else {}


@lru_cache(maxsize=1)
def code_sha256() -> str:
    """Hex SHA-256 over the source files of Lineproof that run, data files included but for the dictionaries' words."""
    here = Path(__file__).resolve().parents[1]
    joined = sha256()
    for folder in ("dictionaries", "pipeline", "schemas"):
        for path in sorted((here / folder).rglob("*")):
            is_code = path.suffix == ".py" or (path.suffix == ".toml" and folder != "dictionaries")
            if is_code and path.is_file():
                content = path.read_bytes().replace(b"\r\n", b"\n")
                name = path.relative_to(here).as_posix()
                joined.update(f"{name}\0{sha256(content).hexdigest()}\n".encode())
    return joined.hexdigest()


def is_current(stamp: Stamp, settings: Part) -> bool:
    """True when this Lineproof, with these settings and the libraries installed now, would write the same stamp."""
    return (
        stamp.lineproof == version("lineproof")
        and stamp.settings == settings.model_dump(mode="json")
        and all(_installed(name) == known for name, known in stamp.libraries.items())
    )


def outcome_of(answer: Answer) -> Outcome:
    """What a trace says of an answer."""
    return Outcome(
        status=answer.status,
        text=answer.text,
        refused_count=len(answer.refused_items),
        repaired_count=sum(bool(item.repairs) for item in answer.items),
    )


def methods_of(found: AuditedRetrievalResult) -> tuple[MethodTrace, ...]:
    """What a trace says of the detectors of a search, in dispatch order."""
    proposed = [method for one in found.provenances for method in one.methods_that_found_it]
    return tuple(
        MethodTrace(
            method=method,
            ran=method in found.methods_run,
            rule=found.dispatch_rules.get(method),
            reason=found.skipped_reasons.get(method),
            candidate_count=proposed.count(method),
        )
        for method in (*found.methods_run, *found.methods_skipped)
    )


def _cost(calls: Sequence[ModelCall], options: Mapping[str, Any]) -> CostTrace:
    sent = [call for call in calls if not call.from_cache]
    tokens = {
        name: sum(getattr(call, name) for call in sent) for name in ("input_tokens", "cached_tokens", "output_tokens")
    }
    read, written = options.get("price_input"), options.get("price_output")
    amount = None
    if read is not None and written is not None:
        amount = round((tokens["input_tokens"] * read + tokens["output_tokens"] * written) / TOKENS_PRICED, 8)
    return CostTrace(
        calls_sent=len(sent),
        calls_from_cache=len(calls) - len(sent),
        **tokens,
        amount=amount,
        currency=options.get("price_currency") if amount is not None else None,
    )


class _Calls(Protocol):
    def calls(self) -> tuple[ModelCall, ...]: ...


@runtime_checkable
class _Templated(Protocol):
    @property
    def templates(self) -> Mapping[str, str]: ...


@runtime_checkable
class _Configured(Protocol):
    @property
    def settings(self) -> Part: ...


@runtime_checkable
class _Recorded(Protocol):
    @property
    def transcript(self) -> _Calls: ...


def _versions(stamps: Sequence[Stamp]) -> dict[str, str]:
    found: dict[str, Any] = {name: _version_here(name) for name in ("lineproof", *PAPER_LIBRARIES)}
    for stamp in stamps:
        found |= {re.sub(r"[-_.]+", "-", name).lower(): value for name, value in stamp.libraries.items()}
        found |= {f"dictionary {name}": value for name, value in stamp.dictionary_versions.items()}
    return dict(sorted(found.items()))


@lru_cache(maxsize=8)
def _version_here(name: str) -> str:
    """Read from disk once: it does not change while the process runs."""
    return version(name)


def _installed(name: str) -> str | None:
    """Version of a package, or of a program that parsing calls; None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        from pipeline.parsing.ocr.engines import installed_engines

        return installed_engines().get(name)
