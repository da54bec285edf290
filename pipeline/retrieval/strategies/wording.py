"""In which words a strategy searches: the question's own, and with HyDE those of a passage that would answer it.

HyDE: Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, ACL 2023. Without a model, or without a
list that it could serve, the experts' words for the topic take its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.retrieval.strategies.names import Strategy
from pipeline.retrieval.strategies.prompts import HYDE, HydeOutput, fill
from schemas.audit import Downgrade, ModelUse
from schemas.document import ParsedDocument
from schemas.question import RetrievalQuery

HYDE_TOKENS = 400  # two to four sentences, with room for the JSON
MAX_PASSAGE_CHARACTERS = 1_000  # characters; what embedding models read of a text (256 tokens)
WANTED = "hypothetical passage by a model"


@dataclass(frozen=True, slots=True)
class Wording:
    """What each list searches for. Of several dense queries the nearest counts."""

    lexical: str
    dense: tuple[str, ...]
    rule: str | None = None  # how it was widened
    model_uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()


def word_query(
    query: RetrievalQuery, document: ParsedDocument, strategy: Strategy, llm: LanguageModel | None
) -> Wording:
    """The wording of a question under a strategy; the question itself is always one of the dense queries."""
    plain = Wording(query.text, (query.text,))
    if not strategy.hyde:
        return plain
    if strategy.first_stage == "bm25_only":
        return _expanded(query, "the strategy has no list of embeddings that a hypothetical passage could serve")
    if llm is None:
        return _expanded(query, "no model was given")
    try:
        reply = llm.ask(
            fill("hyde", HYDE, kind=document.profile.semantic.doc_type, question=query.text),
            HydeOutput,
            purpose="hyde",
            max_output_tokens=HYDE_TOKENS,
            check=lambda output: [] if output.passage.strip() else ["the passage is empty"],
        )
    except ModelUseError as error:
        return _expanded(query, " ".join(str(error).split()), uses=(error.use,))
    passage = " ".join(reply.value.passage.split())[:MAX_PASSAGE_CHARACTERS]
    if not passage:
        return _expanded(query, "the model gave an empty passage", uses=(reply.use,))
    return Wording(query.text, (query.text, passage), "hypothetical_passage", (reply.use,))


def _expanded(query: RetrievalQuery, why: str, *, uses: tuple[ModelUse, ...] = ()) -> Wording:
    """The question with the dictionary's words for its topics; for embeddings these are a query of their own."""
    words = [
        keyword.text for keyword in query.keywords if keyword.source == "expert_dictionary" and not keyword.is_regex
    ]
    added = " ".join(dict.fromkeys((*query.rewrites, *words)))
    used = "words of the expert dictionaries" if added else "the question alone: the dictionaries have no words for it"
    downgrade = Downgrade(stage="retrieval", wanted=WANTED, used=used, reason=why)
    dense = (query.text, *query.rewrites) if query.rewrites else (query.text, *([added] if added else []))
    return Wording(f"{query.text} {added}".strip(), dense, "dictionary_expansion", uses, (downgrade,))
