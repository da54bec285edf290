"""Options of retrieval; every limit that shapes a result stands here or as a named constant beside its use."""

from __future__ import annotations

from pydantic import Field

from schemas.record import Part

CONTEXT_CHARACTERS = 3_000  # characters; half a page to a page, some 750 tokens: ten candidates stay under 8,000 tokens
MAX_HITS = 100  # places a detector may propose; the accounting of more would be read by nobody
POOL_LIMIT = 200  # candidates one arbiter call may hold (source text 1.1: "top 200 by RRF, then the LLM")
RRF_K = 60  # Cormack, Clarke, Buettcher, SIGIR 2009; the source text quotes 20
MAX_PRIMARIES = 5  # a single answer is read from about three passages (METHOD 9); two more for amendments
MAX_PRIMARIES_LISTING = 20  # a listing needs every passage; beyond this it is a section that should be read whole
REASON_TOKENS = 60  # one line of some forty words
EMBEDDING_HITS = 5  # an embedding search always returns something: few, and never trusted alone


class RetrievalSettings(Part):
    """Options of `retrieve`."""

    strategy: str = Field(
        default="arbiter", description="Way of retrieving: 'arbiter', or a strategy by name, e.g. 'hybrid_rrf'."
    )

    context_characters: int = Field(
        default=CONTEXT_CHARACTERS, ge=200, description="Longest context of one candidate, in characters."
    )
    max_hits: int = Field(default=MAX_HITS, ge=1, description="Most places that one detector proposes.")
    pool_limit: int = Field(default=POOL_LIMIT, ge=1, description="Most candidates judged; more are cut by RRF.")
    rrf_k: int = Field(default=RRF_K, ge=1, description="Constant of reciprocal rank fusion.")
    max_primaries: int = Field(default=MAX_PRIMARIES, ge=1, description="Most primaries of a single answer.")
    max_primaries_listing: int = Field(
        default=MAX_PRIMARIES_LISTING, ge=1, description="Most primaries of a listing, a table or a summary."
    )
    reason_tokens: int = Field(default=REASON_TOKENS, ge=10, description="Longest reason of a model, in tokens.")
    embedding_hits: int = Field(default=EMBEDDING_HITS, ge=1, description="Most places that embeddings propose.")
