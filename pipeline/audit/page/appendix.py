"""Downgrades, pages not read, settings, versions, hashes, seal and ledger: what lets anyone check the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pipeline.audit.page.blocks import as_json, bullets, facts, folded, table
from pipeline.audit.page.labels import label
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.detail import LEVELS
from pipeline.sheet.markup import Markup, Node, join, tag
from pipeline.sheet.searching import tell_findings
from pipeline.wording import pages_of, tell_note
from schemas.audit import Stage, StageTrace

SHOWN_HASHES = 4  # hashes of one stage shown without being asked for


def tell_limits(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """What was done by lesser means, what was not read, what the document tries on its reader."""
    saved = run.saved
    yield tag("h2", label("lesser_means", language), id=f"{key}lesser")
    steps = [
        join(
            tag("b", label(f"stage_{step.stage}", language)),
            ": ",
            label("lesser", language, used=step.used, wanted=step.wanted, reason=step.reason),
        )
        for step in saved.trace.downgrades
    ]
    yield bullets(steps) or tag("p", label("no_downgrades", language))
    yield tag("h2", label("not_read", language))
    told: list[Node] = []
    if saved.trace.pages_not_read:
        told.append(label("pages_not_read", language, pages=pages_of(saved.trace.pages_not_read)))
        told += _why_not_read(run)
    told += [tell_note(caveat, language) for caveat in saved.retrieval.document_caveats]
    unit = run.document.profile.identity.page_unit if run.document is not None else "page"
    yield bullets(told) or tag("p", label("all_read_unpaged" if unit == "none" else "all_read", language))
    yield from tell_findings(saved.answer, unit, language, LEVELS[0])
    if saved.trace.notes:
        yield tag("h2", label("notes_of_run", language))
        yield bullets(tell_note(note, language) for note in saved.trace.notes)


def tell_settings(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """Settings and request in full, versions."""
    trace = run.saved.trace
    yield tag("h2", label("settings", language), id=f"{key}settings")
    for name, options in trace.settings.items():
        yield folded(_settings_of(name, language), as_json(options, language))
    if run.request is not None:
        yield folded(label("request", language), as_json(run.request.model_dump(mode="json"), language))
    yield tag("h2", label("software", language), id=f"{key}versions")
    heads = [label(name, language) for name in ("name", "version")]
    yield table(heads, sorted(trace.versions.items()), name=label("software", language))
    if run.request is not None:
        yield facts([(label("code", language), tag("span", run.request.code_sha256, class_="hash"))])


def tell_hashes(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """Hashes of every stage, the seal, the line of the ledger."""
    trace = run.saved.trace
    yield tag("h2", label("hashes", language), id=f"{key}hashes")
    heads = [label(name, language) for name in ("stage", "time", "took", "gave")]
    rows = [
        (
            label(f"stage_{one.stage}", language),
            _time(one, language),
            _hashes(one.input_sha256),
            _hashes(one.output_sha256),
        )
        for one in trace.stages
    ]
    yield table(heads, rows, name=label("hashes", language))
    yield tag("h2", label("sealing", language), id=f"{key}seal")
    yield tag("p", label("sealing_means", language), class_="soft")
    yield facts(_sealing(run, language))


def _sealing(run: ToldRun, language: str) -> Iterator[tuple[str, Node]]:
    yield label("started", language), run.saved.trace.started
    yield label("folder", language), tag("span", run.place, class_="hash")
    if run.seal is not None:
        yield label("seal", language), tag("span", run.seal_root, class_="hash")
        yield label("sealed_files", language), _hashes(run.seal.files)
        yield label("rests_on", language), _hashes({**run.seal.documents, **run.seal.runs})
    if run.entry is not None:
        yield label("ledger", language), tag("span", run.entry.ledger, class_="hash")
        yield label("ledger_line", language), str(run.entry.seq)
        yield label("written_at", language), run.entry.at
        yield label("line_hash", language), tag("span", run.entry.hash, class_="hash")
        yield label("line_before", language), tag("span", run.entry.prev, class_="hash")


def _hashes(named: dict[str, str]) -> Markup:
    """Names with their hashes; a long list to open."""
    told = [tag("div", name, " ", tag("span", value, class_="hash")) for name, value in named.items()]
    return join(*told) if len(told) <= SHOWN_HASHES else folded(f"{len(told)}: {', '.join(named)}", *told)


def _time(stage: StageTrace, language: str) -> str:
    return label("from_store", language) if stage.from_cache else f"{stage.seconds:.3f} s"


def _settings_of(name: str, language: str) -> str:
    """What settings are of: a stage, or else the model, by name."""
    return label(f"stage_{name}", language) if name in get_args(Stage) else name


def _why_not_read(run: ToldRun) -> list[str]:
    """Why each page was not read, as parsing says; nothing without the document."""
    if run.document is None:
        return []
    frame = run.document.page_df
    pages = set(run.saved.trace.pages_not_read)
    rows = zip(frame["page_num"].tolist(), frame["status"].tolist(), frame["status_reason"].tolist(), strict=True)
    return [f"{page}: {status}, {reason}" for page, status, reason in rows if page in pages]
