"""The way of one strategy: cut, place, word, list, fuse, rerank, hand over, record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version

from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.llm.model import LanguageModel
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.first_stage import FirstStage, search_passages
from pipeline.retrieval.strategies.handing_over import hand_over
from pipeline.retrieval.strategies.names import Strategy, parse_strategy
from pipeline.retrieval.strategies.passages import Passages, passages_of
from pipeline.retrieval.strategies.prompts import GRADES, HYDE, IDS, SITUATING
from pipeline.retrieval.strategies.record import Course, record_of
from pipeline.retrieval.strategies.rerank import Item, Reranking, clear_first, rerank
from pipeline.retrieval.strategies.situating import corpus_of
from pipeline.retrieval.strategies.wording import word_query
from pipeline.retrieval.timing import StageTimes
from schemas.audit import ModelUse
from schemas.document import ParsedDocument
from schemas.errors import SettingsError
from schemas.question import ParsedQuestion
from schemas.record import Stamp
from schemas.retrieval import AuditedRetrievalResult

_LIBRARIES = ("numpy", "pandas")
_PROMPTS = {"rerank_grades": GRADES, "rerank_ids": IDS, "situating": SITUATING, "hyde": HYDE}


def run(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    llm: LanguageModel | None,
    settings: RetrievalSettings,
    embedder: Embedder | None,
    cross_encoder: CrossEncoder | None,
    sparse_encoder: SparseEncoder | None,
    times: StageTimes,
) -> AuditedRetrievalResult:
    """The audited result of one question on one document; see `run_strategy`."""
    strategy = parse_strategy(settings.strategy)
    _check_models(
        strategy,
        {
            "an embedder": embedder is not None,
            "a language model": llm is not None,
            "a cross-encoder": cross_encoder is not None,
            "a sparse encoder": sparse_encoder is not None,
        },
    )
    query = question.retrieval_query()
    with times.stage("index"):
        passages = passages_of(document, query, settings)
    with times.stage("situate" if strategy.contextual else "index"):
        corpus = corpus_of(passages, contextual=strategy.contextual, llm=llm, settings=settings)
    with times.stage("hyde" if strategy.hyde else "index"):
        wording = word_query(query, document, strategy, llm)
    first = search_passages(
        corpus, strategy, wording, settings=settings, embedder=embedder, sparse_encoder=sparse_encoder, times=times
    )
    skipped, reranking = None, None
    if strategy.reranker is not None:
        with times.stage("rerank"):
            skipped = clear_first(query, passages, first.order)
            if skipped is None and first.order:
                items = _items(passages, corpus.texts, first, settings, strategy)
                reranking = rerank(
                    strategy.reranker, query.text, items, llm=llm, cross_encoder=cross_encoder,
                    count=settings.handed_over,
                )  # fmt: skip
    with times.stage("record"):
        order, giveable = _in_order(passages, first, reranking)
        giving = hand_over(passages, giveable, settings, parent=strategy.parent)
        course = Course(strategy, query, passages, corpus, wording, first, order, reranking, skipped, giving)
        models = {
            "embedder": embedder.name if embedder is not None and "dense" in first.lists else None,
            "cross_encoder": cross_encoder.name if cross_encoder is not None and reranking is not None else None,
            "sparse_encoder": sparse_encoder.name if sparse_encoder is not None and strategy.sparse else None,
        }
        return record_of(course, question, settings, _stamp(document, question, settings, models, course.model_uses))


def _check_models(strategy: Strategy, given: dict[str, bool]) -> None:
    """Raises SettingsError naming every model that a strategy needs and that is not given."""
    needed = {
        "an embedder": strategy.first_stage != "bm25_only",
        "a language model": strategy.reranker in ("llm_rerank", "llm_rerank_ids"),
        "a cross-encoder": strategy.reranker == "cross_encoder",
        "a sparse encoder": strategy.sparse,
    }
    missing = [model for model, need in needed.items() if need and not given[model]]
    if missing:
        raise SettingsError(
            f"strategy {strategy.name!r} needs {' and '.join(missing)}, and none is given; give it, or choose a "
            "strategy without it ('bm25_only' and 'arbiter' need no model)"
        )


def _items(
    passages: Passages, texts: Sequence[str], first: FirstStage, settings: RetrievalSettings, strategy: Strategy
) -> list[Item]:
    """The first passages of the first stage; a cross-encoder reads them as they were searched."""
    as_searched = strategy.reranker == "cross_encoder"
    return [
        Item(
            passages.chunks[number].candidate_id,
            texts[number] if as_searched else passages.chunks[number].text,
            passages.breadcrumb(number),
        )
        for number in first.order[: settings.rerank_limit]
    ]


def _in_order(
    passages: Passages, first: FirstStage, reranking: Reranking | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """All passages proposed, best first, and those of them that may be handed over.

    Behind a reranker that drops passages nothing is handed over that it has not read.
    """
    if reranking is None:
        return first.order, first.order
    number_of = {passages.chunks[number].candidate_id: number for number in first.order}
    kept = tuple(number_of[one] for one in reranking.kept)
    dropped = tuple(number_of[one] for one in reranking.dropped)
    unread = tuple(number for number in first.order if number not in {*kept, *dropped})
    giveable = kept if reranking.grades else (*kept, *unread)
    return (
        *kept,
        *(() if reranking.abstained else unread),
        *dropped,
        *(unread if reranking.abstained else ()),
    ), giveable


def _stamp(
    document: ParsedDocument,
    question: ParsedQuestion,
    settings: RetrievalSettings,
    models: dict[str, str | None],
    uses: Sequence[ModelUse],
) -> Stamp:
    effective: dict[str, object] = settings.model_dump(mode="json")
    return Stamp(
        lineproof=_version("lineproof"),
        libraries={name: _version(name) for name in _LIBRARIES},
        input_sha256={"document": document.sha256, "question": question.content_sha256()},
        settings={**effective, **models},
        dictionary_versions={one.dictionary: one.dictionary_version for one in question.concepts},
        model=uses[0].model if uses else None,
        prompts={use.prompt_name: _sha256(use.prompt_name) for use in uses},
    )


@cache
def _sha256(prompt_name: str) -> str:
    return hashlib.sha256(_PROMPTS[prompt_name].encode()).hexdigest()


@cache
def _version(distribution: str) -> str:
    return version(distribution)
