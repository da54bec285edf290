"""How often a 'not found' of the rules was wrong, measured on contracts whose clauses experts have marked.

The table is made by `benchmarks/miss_rates.py`. It counts, for each concept, the documents of which retrieval by rules
said 'not found', and those among them in which an expert had marked such a clause.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from schemas.record import Part
from schemas.retrieval import MissProbability

TABLE_PATH = Path(__file__).parent / "data" / "miss_rates.json"
MIN_SAMPLE = 20  # findings of a concept; from fewer a share says nothing: with 0 of 19 it may still be one in six
OF_ALL = "all topics together"  # in `measured_on`, where the topic's own findings are too few
Z = 1.959964  # standard normal quantile of a 95 % interval


class MissCount(Part):
    """Of so many findings so many were wrong."""

    not_found: int
    present: int


class MissTable(Part):
    """The measured counts, by concept and for all of them together."""

    measured_on: str
    documents: int
    dictionary: str
    dictionary_version: str
    all_concepts: MissCount
    concepts: Mapping[str, MissCount]


@cache
def read_miss_table() -> MissTable | None:
    """The table that the project ships; None where it was never measured."""
    if not TABLE_PATH.is_file():
        return None
    return MissTable.model_validate(json.loads(TABLE_PATH.read_text(encoding="utf-8")))


def miss_probability(concept_id: str, dictionary: str, table: MissTable | None = None) -> MissProbability | None:
    """How often a 'not found' of this concept was wrong; of all concepts together where its own findings are too few.

    Few findings count all the same where they are plainly worse or better than those of all together (9 of 9 wrong).
    None for a dictionary of which nothing was measured.
    """
    table = table or read_miss_table()
    if table is None or dictionary != table.dictionary:
        return None
    own = table.concepts.get(concept_id)
    of_own = own is not None and _speaks_for_itself(own, table.all_concepts)
    counts = own if own is not None and of_own else table.all_concepts
    if not counts.not_found:
        return None
    low, high = wilson_interval(counts.present, counts.not_found)
    topic = concept_id.replace("_", " ")
    which = f"the topic '{topic}'" if of_own else f"{OF_ALL}, too few findings being of '{topic}'"
    return MissProbability(
        probability=counts.present / counts.not_found,
        low=low,
        high=high,
        sample_size=counts.not_found,
        measured_on=f"{table.measured_on}; {which}; dictionary '{dictionary}' version {table.dictionary_version}",
    )


def _speaks_for_itself(own: MissCount, of_all: MissCount) -> bool:
    if own.not_found >= MIN_SAMPLE:
        return True
    low, high = wilson_interval(own.present, own.not_found)
    return own.not_found > 0 and of_all.not_found > 0 and not low <= of_all.present / of_all.not_found <= high


def tell_misses(measured: MissProbability, concept_id: str) -> str:
    """The figure in plain words: 'In 231 contracts ..., 4 of 120 such findings for 'escrow' were wrong'."""
    wrong = round(measured.probability * measured.sample_size)
    where = measured.measured_on.split(";", maxsplit=1)[0]
    were = (
        f"{'was' if wrong == 1 else 'were'} wrong ({measured.probability:.1%}; 95 % interval {measured.low:.1%} to "
        f"{measured.high:.1%})."
    )
    if not is_of_topic(measured):
        return (
            "How sure is that? Too few findings for this topic were checked to say. Over all topics together, in "
            f"{where}, {wrong:,} of {measured.sample_size:,} findings that something is not there {were}"
        )
    topic = concept_id.replace("_", " ")
    return f"How sure is that? In {where}, {wrong:,} of {measured.sample_size:,} such findings for '{topic}' {were}"


def is_of_topic(measured: MissProbability) -> bool:
    """True for a figure of the topic itself; False for one of all topics together."""
    return OF_ALL not in measured.measured_on


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, Probable inference, JASA 22, 1927); (0, 1) without a trial."""
    if trials <= 0:
        return 0.0, 1.0
    share, square = successes / trials, Z * Z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    reach = Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    low = 0.0 if successes == 0 else max(0.0, middle - reach)
    high = 1.0 if successes == trials else min(1.0, middle + reach)
    return round(low, 6), round(high, 6)
