"""A part of a data set that stands for the whole: documents evenly spread, pairs drawn whatever their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from pipeline.evaluation.datasets import Dataset, LabelledDocument


def select(dataset: Dataset, *, documents: int | None = None, pairs: int | None = None) -> Dataset:
    """The data set with at most so many documents, and of these at most so many pairs.

    Documents are taken at even distances; pairs by the order of a hash of their names, which is the same on every
    machine and follows no order of the labels. Documents that are left without a pair are left out.
    """
    chosen = _spread(dataset.documents, documents)
    if pairs is None:
        return replace(dataset, documents=chosen)
    names = [(document.name, question.question_id) for document in chosen for question in document.questions]
    kept = set(sorted(names, key=lambda name: sha256("\0".join(name).encode()).digest())[:pairs])
    some = (
        replace(document, questions=tuple(q for q in document.questions if (document.name, q.question_id) in kept))
        for document in chosen
    )
    return replace(dataset, documents=tuple(document for document in some if document.questions))


def _spread(documents: Sequence[LabelledDocument], count: int | None) -> tuple[LabelledDocument, ...]:
    if count is None or count >= len(documents):
        return tuple(documents)
    return tuple(documents[(2 * at + 1) * len(documents) // (2 * count)] for at in range(count))
