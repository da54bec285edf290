"""Measures what the facts about a passage are worth, on labelled documents, and writes the arbiter's scorecard.

    python benchmarks/calibrate.py DATASET [--store FOLDER] [--write] [--cache FILE]

DATASET is anything that `lineproof eval` reads with clauses as labels. Every figure printed is measured on documents
that were held out (five parts, by document); the table that `--write` puts in place is made from all of them.
Needs scikit-learn (the extra `bench`).
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.evaluation.coverage import covers
from pipeline.evaluation.datasets import LabelledDocument, read_dataset
from pipeline.retrieval.arbiter.measured import (
    FACTS,
    PRESENCE_FACTS,
    Measured,
    Surroundings,
    facts_of,
    measured_of,
    presence_facts,
)  # fmt: skip
from pipeline.retrieval.signals import Signals

OUT = Path(__file__).parent.parent / "pipeline" / "retrieval" / "arbiter" / "measured.json"
PARTS = 5  # parts of the documents, each held out once
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)  # where the points of a fact may bend
RIDGE = 1.0  # inverse strength of the penalty on points
MIN_SEEN = 2  # passages with a term; what was seen once says nothing of its own
COUNTED = ("terms", "kinds", "rule", "head", "title_fit", "titled", "passages", "documents")


@dataclass(frozen=True, slots=True)
class Passage:
    """One candidate with its facts and its label."""

    signals: Signals
    where: Surroundings
    rule: str
    held: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """One question on one document."""

    document: int
    present: bool
    concept: str
    dictionary: str
    lines: int
    passages: tuple[Passage, ...]


def collect(dataset: str, store: str) -> list[Pair]:
    """Every question on every document with all candidates, in the order of the data set."""
    documents = read_dataset(dataset).documents
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = pool.map(_collect_one, enumerate(documents), [store] * len(documents), chunksize=1)
        return [pair for pairs in found for pair in pairs]


def _collect_one(numbered: tuple[int, LabelledDocument], store: str) -> list[Pair]:
    from pipeline.question import parse_question
    from pipeline.retrieval.arbiter.rules import rule_of_each
    from pipeline.retrieval.assembly import find_cases
    from pipeline.retrieval.settings import RetrievalSettings
    from pipeline.retrieval.timing import StageTimes
    from pipeline.run import dictionaries_of, parse

    number, labelled = numbered
    document, words = parse(labelled.path, store=store).document, dictionaries_of(store)
    pairs = []
    for asked in labelled.questions:
        question = parse_question(asked.text, document.profile, words)
        search, _, candidates, cases = find_cases(
            document, question, settings=RetrievalSettings(), embedder=None, times=StageTimes()
        )
        if not search.query.concepts:
            continue
        texts = {c.candidate_id: "\n".join(search.lines.texts[at] for at in c.context) for c in candidates}
        passages = [
            Passage(
                case.signals, case.where, rule, any(covers(g, texts[case.brief.candidate_id]) for g in asked.clauses)
            )
            for case, rule in zip(cases, rule_of_each(cases), strict=True)
            if case.where is not None
        ]
        concept = search.query.concepts[0]
        pairs.append(
            Pair(
                number, bool(asked.clauses), concept.concept_id, concept.dictionary, len(search.lines.searched),
                tuple(passages),
            )
        )  # fmt: skip
    return pairs


def count(pairs: Sequence[Pair]) -> tuple[dict[str, dict[str, dict[str, list[int]]]], dict[str, dict[str, list[int]]]]:
    """The counts of each concept and of all together: name -> [passages, of which held the answer]."""
    tallies: dict[tuple[str, str], Counter[tuple[str, int]]] = {}

    def add(concept: str, kind: str, name: str, held: bool) -> None:
        tally = tallies.setdefault((concept, kind), Counter())
        tally[name, 0] += 1
        tally[name, 1] += held

    for pair in pairs:
        add(pair.concept, "documents", "all", pair.present)
        for one in pair.passages:
            for kind, name in _names_of(one):
                for concept in (pair.concept, "") if kind not in ("terms", "passages") else (pair.concept,):
                    add(concept, kind, name, one.held)
    concepts: dict[str, dict[str, dict[str, list[int]]]] = {}
    for (concept, kind), tally in tallies.items():
        names = sorted({name for name, _ in tally if kind != "terms" or tally[name, 0] >= MIN_SEEN})
        kinds = concepts.setdefault(concept, {every: {} for every in COUNTED})
        kinds[kind] = {name: [tally[name, 0], tally[name, 1]] for name in names}
    overall = concepts.pop("", {every: {} for every in COUNTED})
    overall["terms"] = overall["kinds"]
    for kinds in concepts.values():
        kinds["passages"].setdefault("all", [0, 0])
    return dict(sorted(concepts.items())), overall


def _names_of(one: Passage) -> Iterator[tuple[str, str]]:
    signals = one.signals
    for kind, terms in (("p", signals.primary_terms), ("s", signals.secondary_terms)):
        for term in terms:
            yield "terms", f"{kind}:{term}"
            yield "kinds", kind
    yield "rule", one.rule
    yield "head", str(one.where.at_head)
    yield "title_fit", str(signals.title_fit)
    yield "titled", str(signals.titled)
    yield "passages", "all"


def facts_apart(pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """Facts and labels of all passages, each with counts of documents other than its own part's."""
    rows: list[tuple[float, ...]] = []
    held: list[bool] = []
    for part in range(PARTS - 1):
        concepts, overall = count([pair for pair in pairs if _part(pair, PARTS - 1) != part])
        for pair in pairs:
            if _part(pair, PARTS - 1) == part and pair.concept in concepts:
                for one in pair.passages:
                    rows.append(facts_of(concepts[pair.concept], overall, one.signals, one.where, one.rule))
                    held.append(one.held)
    return np.array(rows, dtype=np.float64), np.array(held)


def _part(pair: Pair, parts: int) -> int:
    return (pair.document // 7) % parts  # not the step that holds out


def fit_points(facts: np.ndarray, labels: np.ndarray, names: Sequence[str], extra: np.ndarray | None = None) -> Any:
    """Intercept, points by fact, and weights of the `extra` columns, of a penalised logistic regression."""
    from sklearn.linear_model import LogisticRegression

    knots = [np.unique(np.quantile(facts[:, at], QUANTILES).round(4)) for at in range(len(names))]
    columns = [_bends(facts[:, at], knots[at]) for at in range(len(names))]
    design = np.hstack([*columns, *([extra] if extra is not None else [])])
    fitted = LogisticRegression(C=RIDGE, max_iter=2_000).fit(design, labels)
    weights, at, points = fitted.coef_[0], 0, {}
    for name, values in zip(names, knots, strict=True):
        width = len(values) - 1
        if width:
            points[name] = [values.tolist(), [0.0, *weights[at : at + width].round(5).tolist()]]
        at += width
    return round(float(fitted.intercept_[0]), 5), points, weights[at:].round(5).tolist()


def _bends(values: np.ndarray, knots: np.ndarray) -> np.ndarray:
    """One column a knot but the first: how near a value is to it, 0 to 1, straight between neighbours."""
    identity = np.eye(len(knots))
    return np.stack([np.interp(values, knots, identity[at]) for at in range(1, len(knots))], axis=1).reshape(
        len(values), len(knots) - 1
    )


def make_table(pairs: Sequence[Pair], about: dict[str, str], chances: dict[int, list[float]] | None) -> dict[str, Any]:
    """The table as it is written; `chances` (pair -> chances of its passages, held out) make the presence part."""
    concepts, overall = count(pairs)
    intercept, points, _ = fit_points(*facts_apart(pairs), FACTS)
    presence: dict[str, Any] = {"intercept": 0.0, "points": {}, "concepts": {}}
    if chances is not None:
        presence = make_presence(pairs, [chances[at] for at in range(len(pairs))])
    shortest = min(pair.lines for pair in pairs)
    fitted = {"intercept": intercept, "points": points, "presence": presence}
    return {**about, "shortest": shortest, **fitted, "concepts": concepts, "overall": overall}


def chances_of(table: Measured, pair: Pair) -> list[float]:
    """The chances of a pair's passages by a table; 0 of what it does not know."""
    return [table.chance(one.signals, one.where, one.rule) if table.knows(one.where) else 0.0 for one in pair.passages]


def main() -> None:
    """Collect, measure on held-out parts, and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("dataset")
    options.add_argument("--store", default="outputs")
    options.add_argument("--cache", type=Path, help="keep what was collected in this file, for trying out")
    options.add_argument("--write", action="store_true", help=f"write {OUT.name}")
    given = options.parse_args()
    if given.cache and given.cache.exists():
        pairs = pickle.loads(given.cache.read_bytes())  # noqa: S301 - the file that this program wrote
    else:
        pairs = collect(given.dataset, given.store)
        if given.cache:
            given.cache.write_bytes(pickle.dumps(pairs))
    pairs = [pair for pair in pairs if pair.dictionary == "contracts"]
    from dictionaries import load_dictionaries

    version = load_dictionaries().versions["contracts"]
    documents = len({pair.document for pair in pairs})
    about = {
        "measured_on": f"{documents} commercial contracts of CUAD v1 (The Atticus Project, CC BY 4.0)",
        "dictionary": "contracts",
        "dictionary_version": version,
    }
    apart: dict[int, list[float]] = {}
    for part in range(PARTS):
        table = measured_of(make_table([p for p in pairs if p.document % PARTS != part], about, None), "")
        apart |= {at: chances_of(table, p) for at, p in enumerate(pairs) if p.document % PARTS == part}
    report(pairs, apart, about)
    if given.write:
        fields = make_table(pairs, about, apart)
        OUT.write_text(json.dumps(fields, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
        print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


def report(pairs: Sequence[Pair], apart: dict[int, list[float]], about: dict[str, str]) -> None:
    """Print what the presence figure is worth on documents held out: AUPR, F1 of absence, calibration."""
    presence = np.zeros(len(pairs))
    for part in range(PARTS):
        chosen = [at for at, pair in enumerate(pairs) if pair.document % PARTS != part]
        fields = make_presence([pairs[at] for at in chosen], [apart[at] for at in chosen])
        for at, pair in enumerate(pairs):
            if pair.document % PARTS == part:
                facts = dict(zip(PRESENCE_FACTS, presence_facts(apart[at], pair.lines), strict=True))
                total = fields["intercept"] + fields["concepts"].get(pair.concept, 0.0)
                for name, (values, points) in fields["points"].items():
                    total += float(np.interp(facts[name], values, points))
                presence[at] = 1 / (1 + math.exp(-total))
    from sklearn.metrics import average_precision_score

    labels = np.array([pair.present for pair in pairs])
    print(f"{about['measured_on']}: {len(pairs)} pairs, {int(labels.sum())} present")
    print(f"AUPR of presence, held out: {average_precision_score(labels, presence):.3f}")
    ranked = [
        [one.held for _, one in sorted(zip(apart[at], pair.passages, strict=True), key=lambda row: -row[0])]
        for at, pair in enumerate(pairs)
        if pair.present
    ]
    for first in (1, 3, 5):
        print(f"recall@{first} by chance alone, held out: {np.mean([any(held[:first]) for held in ranked]):.3f}")
    for limit in np.arange(0.2, 0.5, 0.02):
        absent = presence < limit
        right = int((absent & ~labels).sum())
        precision, recall = right / max(int(absent.sum()), 1), right / max(int((~labels).sum()), 1)
        kept = 1 - int((absent & labels).sum()) / int(labels.sum())
        print(f"limit {limit:.2f}: absence F1 {2 * precision * recall / (precision + recall):.3f}, kept {kept:.3f}")
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (presence >= low) & (presence < low + 0.1)
        if inside.any():
            print(f"said {low:.1f}-{low + 0.1:.1f}: present {labels[inside].mean():.2f} of {int(inside.sum())}")


def make_presence(pairs: Sequence[Pair], chances: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The presence part alone."""
    names = sorted({pair.concept for pair in pairs})
    facts = np.array([presence_facts(one, pair.lines) for one, pair in zip(chances, pairs, strict=True)])
    extra = np.eye(len(names))[[names.index(pair.concept) for pair in pairs]]
    at, points, offsets = fit_points(facts, np.array([pair.present for pair in pairs]), PRESENCE_FACTS, extra)
    return {
        "intercept": at,
        "points": points,
        "concepts": dict(zip(names, offsets, strict=True)),
    }


if __name__ == "__main__":
    main()
