"""The way of one strategy: cut, place, word, list, fuse, rerank, hand over, record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from pipeline.embeddings.packages import INSTALL
from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
from pipeline.embeddings.selection import CROSS_ENCODER_VARIABLE, EMBEDDINGS_VARIABLE, SPARSE_ENCODER_VARIABLE
from pipeline.llm.environment import MODEL_VARIABLE
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
# What a strategy may need, and how a user comes by it.
_REMEDIES = {
    "an embedder": f"{INSTALL}, or name a model with {EMBEDDINGS_VARIABLE} (a folder, or a name at an endpoint)",
    "a language model": f"name one with {MODEL_VARIABLE}, and do not forbid it (--no-llm)",
    "a cross-encoder": f"set {CROSS_ENCODER_VARIABLE} to the folder of one, and {INSTALL}",
    "a sparse encoder": f"set {SPARSE_ENCODER_VARIABLE} to the folder of one, and {INSTALL}",
}
_PROMPTS = {"rerank_grades": GRADES, "rerank_ids": IDS, "situating": SITUATING, "hyde": HYDE}


@dataclass(frozen=True, slots=True)
class Models:
    """The models that a strategy may use; null where none is given."""

    llm: LanguageModel | None
    embedder: Embedder | None
    cross_encoder: CrossEncoder | None
    sparse_encoder: SparseEncoder | None


def run(
    document: ParsedDocument,
    question: ParsedQuestion,
    *,
    models: Models,
    settings: RetrievalSettings,
    times: StageTimes,
) -> AuditedRetrievalResult:
    """The audited result of one question on one document; see `run_strategy`."""
    strategy = parse_strategy(settings.strategy)
    _check_models(strategy, models)
    query = question.retrieval_query()
    with times.stage("index"):
        passages = passages_of(document, query, settings)
    with times.stage("situate" if strategy.contextual else "index"):
        corpus = corpus_of(passages, contextual=strategy.contextual, llm=models.llm, settings=settings)
    with times.stage("hyde" if strategy.hyde else "index"):
        wording = word_query(query, document, strategy, models.llm)
    first = search_passages(
        corpus, strategy, wording,
        settings=settings, embedder=models.embedder, sparse_encoder=models.sparse_encoder, times=times,
    )  # fmt: skip
    skipped, reranking = None, None
    if strategy.reranker is not None:
        with times.stage("rerank"):
            skipped = clear_first(query, passages, first.order)
            if skipped is None and first.order:
                items = _items(passages, corpus.texts, first, settings, strategy)
                reranking = rerank(
                    strategy.reranker, query.text, items, llm=models.llm, cross_encoder=models.cross_encoder,
                    count=settings.handed_over,
                )  # fmt: skip
    with times.stage("record"):
        order, giveable = _in_order(passages, first, reranking)
        giving = hand_over(passages, giveable, settings, parent=strategy.parent)
        course = Course(strategy, query, passages, corpus, wording, first, order, reranking, skipped, giving)
        stamp = _stamp(document, question, settings, _names_used(models, course), course.model_uses)
        return record_of(course, question, settings, stamp)


def _names_used(models: Models, course: Course) -> dict[str, str | None]:
    """Names of the models, apart from the language model, that the course used; null for one that it did not."""
    embedder, cross_encoder, sparse_encoder = models.embedder, models.cross_encoder, models.sparse_encoder
    return {
        "embedder": embedder.name if embedder is not None and "dense" in course.first.lists else None,
        "cross_encoder": cross_encoder.name if cross_encoder is not None and course.reranking is not None else None,
        "sparse_encoder": sparse_encoder.name if sparse_encoder is not None and course.strategy.sparse else None,
    }


def _check_models(strategy: Strategy, models: Models) -> None:
    """Raises SettingsError naming every model that a strategy needs and that is not given, and how to give it."""
    needed = (
        ("an embedder", strategy.first_stage != "bm25_only", models.embedder),
        ("a language model", strategy.reranker in ("llm_rerank", "llm_rerank_ids"), models.llm),
        ("a cross-encoder", strategy.reranker == "cross_encoder", models.cross_encoder),
        ("a sparse encoder", strategy.sparse, models.sparse_encoder),
    )
    missing = [what for what, is_needed, given in needed if is_needed and given is None]
    if missing:
        raise SettingsError(
            f"strategy {strategy.name!r} needs {' and '.join(missing)}, and none is given; "
            f"{'; '.join(f'for {model}: {_REMEDIES[model]}' for model in missing)}; or choose a strategy without it "
            "('bm25_only' and 'arbiter' need no model)"
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
