"""Why a pair failed: where on its way from the detectors to the reader the labelled passage was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.evaluation.coverage import DEPTHS, MAX_PASSAGE, Coverage, covers, share_covered, words_of
from pipeline.evaluation.datasets import LabelledQuestion
from pipeline.evaluation.gold import DocumentWords
from pipeline.evaluation.outcome import Outcome, Passage, Proposal

FailureKind = Literal["vocabulary", "ambiguity"]
FEW_WORDS = 0.25  # share of the question's words in the labelled passage below which the two speak differently
MAX_DETAIL = 300  # characters of a sentence in the listing
SPARSE_LISTS, DENSE_LISTS = frozenset({"bm25"}), frozenset({"dense", "chunk_embedding_match"})  # methods


@dataclass(frozen=True, slots=True)
class Failure:
    """Cause (one of FAILURE_CAUSES), one sentence, and whether words or likeness misled the search."""

    cause: str
    detail: str
    kind: FailureKind | None = None


def find_failure(
    question: LabelledQuestion, outcome: Outcome, coverage: Coverage, words: DocumentWords
) -> Failure | None:
    """Why the pair failed; None where it did not, or where nothing is labelled that could be found.

    Failing are a pair without a label that is given a primary, one with a label that is called not found, and one of
    whose labels none is covered by the first five candidates.
    """
    if not question.present:
        return None if outcome.not_found else Failure("said_present", _said_present(outcome))
    if not question.gold_count:
        return Failure("said_absent", _said_absent(outcome, "")) if outcome.not_found else None
    if coverage.first_rank:
        held = f"candidate {coverage.first_rank} covers the labelled passage"
        return Failure("said_absent", _said_absent(outcome, held)) if outcome.not_found else None
    rank = _covering_rank(question, outcome)
    if rank and outcome.not_found:
        return Failure("said_absent", _said_absent(outcome, f"candidate {rank} covers the labelled passage"))
    gold = _gold_lines(question, words)
    kind = _kind(question, outcome, gold, words)
    if rank:
        detail = f"The passage that covers is kept as candidate {rank}, below the first {DEPTHS[-1]}."
        return Failure("wrong_order", detail, kind)
    proposed = [one for one in outcome.proposals if _meets(one, question, gold)]
    if not proposed:
        return Failure("never_proposed", _never_proposed(question, outcome, gold, words), kind)
    kept = [one for one in proposed if one.role != "discarded"]
    if kept:
        return Failure("cut", _cut(question, outcome, kept[0]))
    if outcome.by_rank and proposed[0].relevance != 0:
        return Failure("wrong_order", _ranked_out(proposed[0], outcome), kind)
    return Failure("discarded", _discarded(proposed[0], outcome), kind)


def _covering_rank(question: LabelledQuestion, outcome: Outcome) -> int:
    """Rank of the first kept candidate that covers a label, looking beyond the fifth; 0 for none."""
    for rank, passage in enumerate(outcome.passages, start=1):
        if question.gold_kind == "pages":
            if any(passage.pages[0] <= page <= passage.pages[1] for page in question.pages):
                return rank
        elif any(covers(clause, passage.text) for clause in question.clauses):
            return rank
    return 0


def _gold_lines(question: LabelledQuestion, words: DocumentWords) -> tuple[tuple[int, int], ...]:
    """Lines of the labelled clauses; of page labels those of the evidence text, where the data set has it."""
    return tuple(place.lines for clause in question.clauses for place in words.places(clause))


def _meets(proposal: Proposal, question: LabelledQuestion, gold: Sequence[tuple[int, int]]) -> bool:
    if question.gold_kind == "pages":
        return any(proposal.pages[0] <= page <= proposal.pages[1] for page in question.pages)
    return any(first <= proposal.lines[1] and proposal.lines[0] <= last for first, last in gold)


def _kind(
    question: LabelledQuestion, outcome: Outcome, gold: Sequence[tuple[int, int]], words: DocumentWords
) -> FailureKind | None:
    """Vocabulary or ambiguity, out of what the sparse and the dense list say about the labelled passage.

    Where both lists were made: found by the dense one alone is vocabulary, found by either at any other place is
    ambiguity. With one list, the words decide: where less than a quarter of the question's stand in the labelled
    passage it is vocabulary, else many passages hold them and it is ambiguity.
    """
    met = [one for one in outcome.proposals if _meets(one, question, gold)]
    if SPARSE_LISTS & set(outcome.methods_run) and DENSE_LISTS & set(outcome.methods_run):
        sparse, dense = (any(lists & one.ranks.keys() for one in met) for lists in (SPARSE_LISTS, DENSE_LISTS))
        if dense and not sparse:
            return "vocabulary"
        if sparse or dense:
            return "ambiguity"
    if not gold:
        return None
    asked = {word for word in words_of(question.text) if len(word) > 1 and word not in ALL_STOP_WORDS}
    share = max(words.share_of_words(asked, lines) for lines in gold)
    return "vocabulary" if share < FEW_WORDS else "ambiguity"


def _said_present(outcome: Outcome) -> str:
    first = outcome.passages[0] if outcome.passages else None
    if first is None:
        return "Nothing is labelled, yet the result does not say 'not found'."
    return _short(f"Nothing is labelled, yet {first.candidate_id} is given first{_by(_proposal(outcome, first))}")


def _said_absent(outcome: Outcome, held: str) -> str:
    verdict = f"The result says {outcome.verdict or 'not_found'}"
    if not held:
        return f"{verdict}, yet the labels say that the document answers."
    rank = int(held.split()[1])
    passage = outcome.passages[rank - 1]
    return _short(f"{verdict}, yet {held}: it is only {_role(outcome, passage)}{_by(_proposal(outcome, passage))}")


def _never_proposed(
    question: LabelledQuestion, outcome: Outcome, gold: Sequence[tuple[int, int]], words: DocumentWords
) -> str:
    ran = ", ".join(outcome.methods_run) or "no detector"
    if question.gold_kind == "pages":
        pages = ", ".join(map(str, question.pages))
        return _short(f"None of {len(outcome.proposals)} proposals of {ran} lies on page {pages}.")
    if not gold:
        share = max((words.best_share(clause) for clause in question.clauses), default=0.0)
        return f"The labelled text does not stand among the lines that were read: at most {share:.0%} of it together."
    if not outcome.proposals:
        return _short(f"Nothing was proposed by {ran}.")
    away = min(_distance(one.lines, lines) for one in outcome.proposals for lines in gold)
    count = len(outcome.proposals)
    return _short(f"None of {count} proposals of {ran} meets the labelled lines; the nearest is {away} lines away.")


def _cut(question: LabelledQuestion, outcome: Outcome, proposal: Proposal) -> str:
    passage = next(one for one in outcome.passages if one.candidate_id == proposal.candidate_id)
    share = max((share_covered(clause, passage.text) for clause in question.clauses), default=0.0)
    size = len(passage.text)
    beyond = f", of which {MAX_PASSAGE} count" if size > MAX_PASSAGE else ""
    return _short(
        f"{proposal.candidate_id} lies in the labelled passage, but its context of {size} characters{beyond} holds "
        f"{share:.0%} of the clause."
    )


def _ranked_out(proposal: Proposal, outcome: Outcome) -> str:
    ranks = ", ".join(f"{method} rank {rank}" for method, rank in proposal.ranks.items())
    return _short(
        f"{proposal.candidate_id} ({ranks}) is ranked below the {len(outcome.passages)} that are handed over."
    )


def _discarded(proposal: Proposal, outcome: Outcome) -> str:
    ranks = ", ".join(f"{method} rank {rank}" for method, rank in proposal.ranks.items())
    verdict = " The result says not found." if outcome.not_found else ""
    return _short(f"{proposal.candidate_id} ({ranks}) was discarded{_by(proposal)}{verdict}")


def _by(proposal: Proposal | None) -> str:
    if proposal is None:
        return "."
    rule = f" by the rule {proposal.rule!r}" if proposal.rule else ""
    return f"{rule}: {' '.join(proposal.reason.split()).rstrip('.')}."


def _proposal(outcome: Outcome, passage: Passage) -> Proposal | None:
    return next((one for one in outcome.proposals if one.candidate_id == passage.candidate_id), None)


def _role(outcome: Outcome, passage: Passage) -> str:
    proposal = _proposal(outcome, passage)
    return proposal.role if proposal is not None else "kept"


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(0, other[0] - one[1], one[0] - other[1])


def _short(text: str) -> str:
    return text if len(text) <= MAX_DETAIL else text[: MAX_DETAIL - 1].rstrip() + "…"
