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
PROMPT_TOKENS = (
    60_000  # tokens of four characters; 200 briefs of three to five lines, in a window of 128k with its reply
)
NARROW_SECTIONS = 40  # sections; a contents page that one person reads at a glance needs no model to choose from
NARROW_CANDIDATES = 60  # candidates; fewer are judged in one call without choosing sections first
EMBEDDING_HITS = 5  # an embedding search always returns something: few, and never trusted alone

CHUNK_CHARACTERS = 500  # characters; 100 to 130 tokens, what small embedding models are trained on
LIST_LIMIT = 50  # passages a list; the wide, cheap phase (METHOD 9: "top 50 per list")
RERANK_LIMIT = 30  # passages; METHOD 9: "rerank 15-30, not 5 and not 500"
HANDED_OVER = 5  # passages; what recall@5 judges. Three are enough where a good reranker orders them (METHOD 9)
BUDGET_CHARACTERS = 32_000  # characters; 8,000 tokens of four characters (METHOD 9)
SITUATING_CALLS = 200  # calls; a contract of some 30 pages, one call a passage


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
    prompt_tokens: int = Field(
        default=PROMPT_TOKENS, ge=200, description="Longest prompt of the model arbiter, in tokens of four characters."
    )
    narrow_sections: int = Field(
        default=NARROW_SECTIONS, ge=1, description="Sections beyond which a model first chooses from the contents."
    )
    narrow_candidates: int = Field(
        default=NARROW_CANDIDATES, ge=1, description="Candidates beyond which a model first chooses from the contents."
    )
    embedding_hits: int = Field(default=EMBEDDING_HITS, ge=1, description="Most places that embeddings propose.")
    chunk_characters: int = Field(
        default=CHUNK_CHARACTERS, ge=100, description="Size of a passage of the named strategies, in characters."
    )
    list_limit: int = Field(default=LIST_LIMIT, ge=1, description="Passages that each list of a strategy proposes.")
    rerank_limit: int = Field(default=RERANK_LIMIT, ge=1, description="Passages of a strategy that a reranker reads.")
    handed_over: int = Field(default=HANDED_OVER, ge=1, description="Passages that a strategy hands over.")
    budget_characters: int = Field(
        default=BUDGET_CHARACTERS, ge=200, description="Most characters of all contexts that are handed over."
    )
    situating_calls: int = Field(
        default=SITUATING_CALLS, ge=0, description="Most model calls that place the passages of one document."
    )
