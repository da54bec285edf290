"""What a recommendation says beside the strategy: encoder, reranker, what is missing, and how to measure."""

from __future__ import annotations

from pipeline.evaluation.pick_evidence import MIN_QUESTIONS, Evidence
from pipeline.evaluation.pick_records import Choice, Considered, NotMeasured, Wishes
from pipeline.evaluation.pick_rules import LEXICAL, command, needs_model, read_strategy
from pipeline.evaluation.summary import METRICS, EvaluationSummary
from pipeline.retrieval.strategies.names import ARBITER

# The systems that the source texts compare; what an evaluation lacks of them is named with its command.
COMPARED = (
    ARBITER, "bm25_only", "embedding_only", "hybrid_rrf", "hybrid_rrf+cross_encoder", "hybrid_rrf+llm_rerank",
    "hybrid_rrf+sparse",
)  # fmt: skip
MULTILINGUAL = "paraphrase-multilingual-MiniLM-L12-v2"  # named by the source text for several languages
WANTED_HALF_WIDTH = 0.03  # of the interval of recall: differences between good systems are of this size
NORMAL_95 = 1.96


def name_stack(strategy: str) -> str:
    """The strategy in the words of the source text."""
    if strategy == ARBITER:
        return "detectors and arbiter (words, titles, codes and structure propose; one arbiter decides)"
    parts = read_strategy(strategy)
    if parts is None:
        return strategy
    first = {
        "bm25_only": "BM25 only", "embedding_only": "dense only", "hybrid_rrf": "hybrid (BM25 + dense, fused by rank)",
    }[parts.first_stage]  # fmt: skip
    if parts.sparse:
        first = (
            "three lists (BM25 + dense + learned sparse)"
            if parts.first_stage == "hybrid_rrf"
            else f"{first} + learned sparse"
        )
    said = {
        "cross_encoder": "cross-encoder rerank",
        "llm_rerank": "model rerank by grades",
        "llm_rerank_ids": "model rerank by order",
    }
    options = [("contextual passages", parts.contextual), ("HyDE", parts.hyde), ("parent sections", parts.parent)]
    more = [name for name, chosen in options if chosen] + ([said[parts.reranker]] if parts.reranker else [])
    return " + ".join([first, *more])


def choose_encoder(strategy: str | None, summary: EvaluationSummary, wishes: Wishes) -> Choice:
    """The embedding model of the stack: that of the evaluation, or none."""
    parts = read_strategy(strategy) if strategy else None
    foreign = [language for language in wishes.languages if language.lower()[:2] != "en"]
    hint = (
        f" For {', '.join(foreign)} a multilingual model such as {MULTILINGUAL} is worth measuring; it was not here."
        if foreign
        else ""
    )
    if strategy is None:
        return Choice(name=None, measured=False, why="No strategy is recommended." + hint)
    if strategy == ARBITER:
        why = "The arbiter needs none: vectors are its last detector, used where words find nothing."
        return Choice(
            name=summary.embedder, measured=summary.embedder is not None, why=why + (hint if summary.embedder else "")
        )
    if parts is None or parts.first_stage == LEXICAL:
        return Choice(name=None, measured=False, why="The strategy searches by words alone and needs none.")
    if summary.embedder is None:
        return Choice(name=None, measured=False, why="The evaluation does not name the embedding model it used." + hint)
    why = "The figures were made with it; another model is another system and needs figures of its own." + hint
    return Choice(name=summary.embedder, measured=True, why=why)


def choose_reranker(strategy: str | None, summary: EvaluationSummary) -> Choice:
    """The reranker of the stack, or what does its work."""
    if strategy is None:
        return Choice(name=None, measured=False, why="No strategy is recommended.")
    if strategy == ARBITER:
        who = f"the arbiter, by the model {summary.model}" if summary.model else "the arbiter, by rules"
        return Choice(name=who, measured=True, why="It judges every candidate with a reason, in place of a reranker.")
    parts = read_strategy(strategy)
    if parts is None or parts.reranker is None:
        return Choice(name=None, measured=False, why="None: the stakes are low, and the first stage's order is kept.")
    name = summary.cross_encoder if parts.reranker == "cross_encoder" else summary.model
    why = "The figures were made with it." if name else "The evaluation does not name the model it used."
    return Choice(name=name, measured=name is not None, why=why)


def find_not_measured(summary: EvaluationSummary) -> tuple[NotMeasured, ...]:
    """The systems of the comparison that the evaluation lacks, and the command for each."""
    have = {each.name for each in summary.strategies}
    skipped = {each.name: each.reason for each in summary.skipped}
    steps = {each.name for each in summary.ablation}
    names = [name for name in (*COMPARED, *skipped) if name not in have and name not in steps]
    made = []
    for name in dict.fromkeys(names):
        if name not in COMPARED and read_strategy(name) is None:
            continue  # a step of the ablation, or a document: no strategy
        why = skipped.get(name, "It was not asked for in this evaluation.")
        made.append(NotMeasured(name=name, why=why, command=command(name, llm=needs_model(read_strategy(name)))))
    return tuple(made)


def plan(chosen: Considered | None, evidence: Evidence, wishes: Wishes) -> tuple[str, ...]:
    """The steps of an evaluation on one's own documents."""
    title = METRICS[evidence.metric].title
    base = evidence.figures(LEXICAL).get(evidence.metric)
    had = f"; here it has {base.value:.3f}" if base and base.value is not None else "; it is not measured here"
    share = chosen.recall.value if chosen and chosen.recall.value is not None else 0.5
    wanted = round(max(share * (1 - share), 0.05) * (NORMAL_95 / WANTED_HALF_WIDTH) ** 2, -1)
    names = [LEXICAL, *([chosen.strategy] if chosen and chosen.strategy != LEXICAL else [])]
    exact = [pattern for pattern in wishes.patterns if pattern != "free_text"]
    kinds = f", at least {MIN_QUESTIONS} of them with {' or '.join(exact)}" if exact else ""
    return (
        (
            f"Label your own questions: about {wanted:,.0f} with an answer for an interval of ±{WANTED_HALF_WIDTH}"
            f"{kinds}, and some without an answer, so that 'not found' is measured too."
        ),
        f"Baseline first, on the same questions: {command(*names)} ({LEXICAL} is the baseline{had}).",
        (
            f"Judge by {title} first (the source text says recall@10; here five passages are handed over, so five "
            "decide), then by MRR@5 where several passages answer, always beside the characters handed over."
        ),
        "Change one part at a time, and keep it where the interval of its paired difference lies above zero.",
        (
            "Read the failures by cause before changing anything: vocabulary asks for words or vectors, ambiguity for "
            "an arbiter or reranker, cut for more context."
        ),
        "Guard what was reached: `lineproof eval gate --baseline FOLDER` fails on a significant drop.",
    )
