"""One shape for every data set: documents, each with the questions put to it and what the labels say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["cuad", "financebench", "mmlongbench", "contractnli", "workbook"]
GoldKind = Literal["clauses", "pages"]
ValueKind = Literal["date", "duration", "boolean", "place", "name", "number", "text"]


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """A labelled value: how it is written, and how it is compared (`values.py`)."""

    text: str
    kind: ValueKind


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and its label. `gold_kind` says which of `clauses` and `pages` (from 1) figures are counted on.

    Both may be empty although the document answers (`present`): then only its value can be compared.
    """

    question_id: str
    text: str
    question_type: str
    present: bool
    gold_kind: GoldKind
    clauses: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    expected: ExpectedValue | None = None

    @property
    def gold_count(self) -> int:
        """How many clauses or pages there are to find."""
        return len(self.clauses if self.gold_kind == "clauses" else self.pages)


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A document and its questions, in the order of the data set; `name` is unique in it."""

    name: str
    path: Path
    questions: tuple[LabelledQuestion, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set as read: `notes` say what was left out or inferred, a sentence each."""

    name: str
    kind: Kind
    labels_sha256: str
    documents: tuple[LabelledDocument, ...]
    notes: tuple[str, ...] = ()

    @property
    def pair_count(self) -> int:
        """Pairs of document and question."""
        return sum(len(document.questions) for document in self.documents)
