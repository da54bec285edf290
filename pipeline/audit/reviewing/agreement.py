"""How alike the reviewers of a store judge, over the records that more than one of them judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations

from pydantic import Field

from pipeline.audit.reviewing.coefficients import ac1, alpha, kappa, observed
from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.standing import last_words
from pipeline.audit.reviewing.stored import StoredReviews, valid
from schemas.record import Part

VERDICTS = ("accept", "correct", "reject")
HIGH_PREVALENCE = 0.8  # share of one verdict from which kappa falls although people agree (Gwet 2014, ch. 3)


class PairAgreement(Part):
    """Two people and the records that both judged."""

    first: str = Field(description="One of them.")
    second: str = Field(description="The other.")
    both: int = Field(description="Records that both judged.")
    raw: float = Field(description="Share of these on which they say the same.")
    kappa: float | None = Field(description="Cohen's kappa; null where both gave one verdict throughout.")
    ac1: float | None = Field(description="Gwet's AC1.")


class Agreement(Part):
    """How alike people judge."""

    reviewers: dict[str, int] = Field(description="Records that each person judged, by name.")
    verdicts: dict[str, int] = Field(description="Last words of people, by verdict.")
    judged: int = Field(description="Records that somebody judged.")
    judged_twice: int = Field(description="Records that two people or more judged: only these count below.")
    raw: float | None = Field(description="Share of the pairs of verdicts on one record that are the same.")
    alpha: float | None = Field(description="Krippendorff's alpha, nominal; null where it is not defined.")
    ac1: float | None = Field(description="Gwet's AC1 over all people.")
    prevalence: float | None = Field(description="Share of the most frequent verdict; null without verdicts.")
    pairs: tuple[PairAgreement, ...] = Field(description="By name.")
    notes: tuple[str, ...] = Field(description="What to keep in mind, a sentence each.")


def measure(stored: StoredReviews) -> Agreement:
    """The agreement over the answers of a store; of each person the last word on the same records counts.

    What a correction says instead is not compared here: two corrections agree that the answer was wrong.
    """
    people = People(valid(stored.found))
    on_answers = [one for one in valid(stored.found) if one.review.subject == "answer"]
    last = {key: str(words[-1].review.verdict) for key, words in last_words(on_answers, people)[0].items()}
    by_record: dict[str, dict[str, str]] = {}
    for (seal, person), verdict in last.items():
        by_record.setdefault(seal, {})[person] = verdict
    units = [tuple(said.values()) for said in by_record.values()]
    counts = Counter(last.values())
    prevalence = max(counts.values()) / len(last) if last else None
    twice = [unit for unit in units if len(unit) > 1]
    within = [pair for unit in twice for pair in combinations(unit, 2)]
    names = sorted({person for _, person in last})
    return Agreement(
        reviewers=dict(sorted(Counter(person for _, person in last).items())),
        verdicts={name: counts[name] for name in VERDICTS if counts[name]},
        judged=len(units),
        judged_twice=len(twice),
        raw=_number(observed(within)),
        alpha=_number(alpha(units)),
        ac1=_number(ac1(units, VERDICTS)),
        prevalence=prevalence,
        pairs=tuple(_pairs(by_record.values(), names)),
        notes=tuple(_notes(twice, prevalence, people)),
    )


def _pairs(records: Collection[dict[str, str]], names: Sequence[str]) -> list[PairAgreement]:
    found = []
    for first, second in combinations(names, 2):
        both = [(said[first], said[second]) for said in records if first in said and second in said]
        raw = observed(both)
        if raw is not None:
            found.append(
                PairAgreement(
                    first=first, second=second, both=len(both), raw=float(raw), kappa=_number(kappa(both)),
                    ac1=_number(ac1(both, VERDICTS)),
                )
            )  # fmt: skip
    return found


def _notes(twice: Sequence[object], prevalence: float | None, people: People) -> list[str]:
    notes = []
    if not twice:
        notes.append("No record was judged by two people, so that nothing can be said of how alike they judge.")
    elif prevalence is not None and prevalence >= HIGH_PREVALENCE:
        notes.append(
            f"{prevalence * 100:.0f} % of the verdicts are the same one: kappa and alpha are then low, even where "
            "people hardly ever differ; read AC1 and the raw share beside them."
        )
    return [*notes, *people.warnings()]


def _number(share: Fraction | None) -> float | None:
    return float(share) if share is not None else None
