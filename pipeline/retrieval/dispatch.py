"""Which detectors run for a question, and why: a decision tree in code, every decision with the name of its rule.

`choose_methods` and `choose_retrieval_strategy` are the two functions of the source text, unchanged in behaviour;
`dispatch` applies them to a document and a question and gives a reason for every method left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion, RetrievalQuery

MIN_TOC_ENTRIES = 4  # entries; source text: "doc_has_toc = len(toc_df) > 3"
_TOC_INTENTS = ("qa", "summarization")
_EXACT_KINDS = ("code", "section", "article", "figure", "table", "equation", "annex", "quoted", "amount", "date")
# The source text knows two intents that read the contents page; asking for a list is asking a question.
_SOURCE_INTENT = {"listing": "qa"}

# Method of the source text -> detector that does it.
DETECTOR_OF: Mapping[str, str] = {
    "toc": "title_keyword_match",
    "co_occurrence": "content_keyword_match",
    "bm25": "bm25",
    "embedding": "chunk_embedding_match",
}
PAGE_HINT = "page_hint"
DEFINITION = "definition_match"
REFERENCES = "reference_follow"
TITLE_EMBEDDING = "title_embedding_match"

# Every rule by name, with the sentence that stands in the record. A rule decides one method.
RULES: Mapping[str, str] = {
    "toc_serves_the_intent": "The document has a usable table of contents and the question can be led by titles.",
    "no_usable_toc": f"The document has fewer than {MIN_TOC_ENTRIES} sections to search by title.",
    "intent_without_toc": "The intent of the question is not served by section titles.",
    "keywords_present": "The question has keywords to search the lines for.",
    "no_keywords": "The question has no keyword to search the lines for.",
    "exact_codes_present": "The question names a code, a label or a quoted phrase that must be found as it is.",
    "no_exact_codes": "The question names no code, label or quoted phrase.",
    "meaning_asked": "The question asks what a term means that the document defines.",
    "no_meaning_asked": "The question asks for the meaning of no term that the document defines.",
    "topic_refers_elsewhere": "A passage on the topic refers to another place for what is asked.",
    "no_reference_to_follow": "No passage on the topic refers to another place for what is asked.",
    "pages_named": "The question names pages; they are kept without a match.",
    "no_pages_named": "The question names no page.",
    "vocabulary_diverges": "No keyword of the question stands in the document: its words are not the document's.",
    "nothing_else_fires": "No other method applies to the question.",
    "meaning_asked_for": "The settings of the question ask for a search by meaning.",
    "keyword_signal_suffices": "Titles and keywords give the signal; a search by meaning would only add noise.",
    "no_title_matches": "No section's title holds a term of the question: titles are searched by meaning.",
    "titles_match": "Titles hold terms of the question; a search of titles by meaning would only add noise.",
    "no_embedder": "No embedding model is configured.",
    "switched_off": "The plan of the question switches it off.",
}


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What runs and what does not. `rules` names the rule of every method; `reasons` explains every one skipped."""

    run: tuple[str, ...]
    skipped: tuple[str, ...]
    reasons: dict[str, str]
    rules: dict[str, str]
    strategy: tuple[str, ...]


def choose_methods(
    intent: str,
    keywords: Sequence[str],
    doc_has_toc: bool,  # the signature of the source text
    has_exact_codes: bool = False,
    vocabulary_diverges: bool = False,
) -> list[str]:
    """Methods for a question: 'toc', 'co_occurrence', 'bm25', 'embedding' (source text 2.3, as published)."""
    methods = []
    if doc_has_toc and intent in _TOC_INTENTS:
        methods.append("toc")
    if keywords:
        methods.append("co_occurrence")
    if has_exact_codes:
        methods.append("bm25")
    if not methods or vocabulary_diverges:
        methods.append("embedding")
    return methods


def choose_retrieval_strategy(
    intent: str,
    keywords: Sequence[str],
    doc_has_toc: bool,  # the signature of the source text
    has_exact_codes: bool = False,
    vocabulary_diverges: bool = False,
) -> list[str]:
    """Strategy labels for a question (source text 2.3, as published).

    'toc_reasoning' means that the arbiter reads the titles, 'reason_then_match' that it is led by them.
    """
    strategy = []
    if doc_has_toc and intent in _TOC_INTENTS:
        strategy.append("toc_reasoning")
        strategy.append("title_keyword_match")
    if keywords:
        strategy.append("reason_then_match" if "toc_reasoning" in strategy else "content_keyword_match")
    if has_exact_codes:
        strategy.append("bm25")
    if not strategy or vocabulary_diverges:
        strategy.append("hybrid_embedding" if doc_has_toc else "chunk_embedding_match")
    return strategy


def dispatch(
    document: ParsedDocument,
    question: ParsedQuestion | RetrievalQuery,
    *,
    embedder_available: bool,
    vocabulary_diverges: bool = False,
    refers_elsewhere: bool = False,
    titles_match: bool = False,
) -> Dispatch:
    """The detectors that run for a question on a document, in order, each decision with its rule and reason.

    `vocabulary_diverges` says that no keyword of the question stands in the document, `refers_elsewhere` that a passage
    on the topic names another place for what is asked, `titles_match` that some section's title holds a term of it.
    """
    query = question.retrieval_query() if isinstance(question, ParsedQuestion) else question
    intent = _SOURCE_INTENT.get(query.intent, query.intent)
    has_toc = len(document.toc_df) >= MIN_TOC_ENTRIES
    keywords = [keyword.text for keyword in query.keywords] or [t for concept in query.concepts for t in concept.terms]
    exact = any(anchor.kind in _EXACT_KINDS for anchor in query.anchors)
    chosen = choose_methods(intent, keywords, has_toc, exact, vocabulary_diverges)
    rules = {
        DETECTOR_OF["toc"]: _toc_rule(query, chosen, has_toc),
        DETECTOR_OF["co_occurrence"]: _switched(
            query.plan.use_keywords, "co_occurrence" in chosen, "keywords_present", "no_keywords"
        ),
        # A token that must be found as it is is always searched for: `use_codes` is a hint of the plan, not a switch.
        DETECTOR_OF["bm25"]: "exact_codes_present" if "bm25" in chosen else "no_exact_codes",
        DEFINITION: "meaning_asked" if any(a.kind == "defined_term" for a in query.anchors) else "no_meaning_asked",
        REFERENCES: _reference_rule(document, query, refers_elsewhere),
        PAGE_HINT: "pages_named" if query.hints.pages_hint else "no_pages_named",
    }
    fired = any(rules[DETECTOR_OF[method]] in _RUNS for method in ("toc", "co_occurrence", "bm25"))
    rules[DETECTOR_OF["embedding"]] = _embedding_rule(
        query, fired=fired, diverges=vocabulary_diverges, available=embedder_available
    )
    rules[TITLE_EMBEDDING] = _title_embedding_rule(
        query, has_toc=has_toc, titles_match=titles_match, meaning=rules[DETECTOR_OF["embedding"]]
    )
    run = tuple(method for method, rule in rules.items() if rule in _RUNS)
    skipped = tuple(method for method in rules if method not in run)
    strategy = tuple(choose_retrieval_strategy(intent, keywords, has_toc, exact, vocabulary_diverges))
    reasons = {method: _reason(rules[method], fired=fired, diverges=vocabulary_diverges) for method in skipped}
    return Dispatch(run, skipped, reasons, rules, strategy)


_RUNS = frozenset({
    "toc_serves_the_intent", "keywords_present", "exact_codes_present", "meaning_asked",
    "topic_refers_elsewhere", "no_title_matches", "pages_named", "vocabulary_diverges", "nothing_else_fires",
    "meaning_asked_for",
})  # fmt: skip


def _toc_rule(query: RetrievalQuery, chosen: list[str], has_toc: bool) -> str:  # private
    if not has_toc:
        return "no_usable_toc"
    return _switched(query.plan.use_toc, "toc" in chosen, "toc_serves_the_intent", "intent_without_toc")


def _switched(allowed: bool, chosen: bool, on: str, off: str) -> str:  # private
    if not chosen:
        return off
    return on if allowed else "switched_off"


def _reference_rule(document: ParsedDocument, query: RetrievalQuery, refers: bool) -> str:
    if not query.plan.follow_references and len(document.cross_ref_df):
        return "switched_off"
    return "topic_refers_elsewhere" if refers else "no_reference_to_follow"


def _embedding_rule(query: RetrievalQuery, *, fired: bool, diverges: bool, available: bool) -> str:
    wanted = "vocabulary_diverges" if diverges else "nothing_else_fires" if not fired else ""
    if not wanted and query.plan.use_embeddings:
        wanted = "meaning_asked_for"
    if not wanted:
        return "keyword_signal_suffices"
    return wanted if available else "no_embedder"


def _title_embedding_rule(query: RetrievalQuery, *, has_toc: bool, titles_match: bool, meaning: str) -> str:
    """Titles are searched by meaning only where passages are, and where no title holds a word of the question."""
    if not has_toc:
        return "no_usable_toc"
    if titles_match:
        return "titles_match"
    if not query.plan.use_toc:
        return "switched_off"
    return "no_title_matches" if meaning in _RUNS else meaning


def _reason(rule: str, *, fired: bool, diverges: bool) -> str:
    if rule != "no_embedder":
        return RULES[rule]
    why = RULES["vocabulary_diverges"] if diverges else "" if fired else RULES["nothing_else_fires"]
    return f"{RULES['no_embedder']} {why}".strip()
