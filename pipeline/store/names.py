"""Names of folders in the store: readable for people, distinct for machines, the same on every machine."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

SLUG_LENGTH = 40  # characters of the question in a folder name
HASH_LENGTH = 8  # hex digits of SHA-256; a clash needs some 65,000 questions on one document
CASES = "cases"  # folder of the cases, beside the documents
BATCHES = "batches"  # folder of the batches, beside the documents
REPLAYS, REVIEWS = "replays", "reviews"  # folders of runs done again, and of what people said of runs


# Folders at the root of a store that are no document's: a data set may be called 'questions', too.
NO_DOCUMENTS = frozenset({CASES, REPLAYS, REVIEWS, BATCHES, "dictionaries", "embeddings", "evaluation", "sessions"})


def question_key(
    question: str,
    model: str | None,
    *,
    documents: Sequence[str] = (),
    resolved: str | None = None,
    searched_by: Sequence[str] = (),
) -> str:
    """`<slug>_<hash>`: up to 40 characters of the question, and 8 hex of what shapes the run.

    That is the question, what it was resolved to where it was not complete ('and for the supplier?' behind two
    questions is two questions), the name of the model (or that rules alone ran), for a case its documents in order, and
    how it was searched where that is not the default.
    """
    by = [question, *([f"resolved:{resolved}"] if resolved is not None else [])]
    shaped_by = "\0".join([*by, f"model:{model}" if model else "rules", *documents, *searched_by])
    return f"{slug(question)}_{hashlib.sha256(shaped_by.encode('utf-8', 'surrogatepass')).hexdigest()[:HASH_LENGTH]}"


def slug(text: str) -> str:
    """The text in lower-case ASCII letters and digits, words joined by '-', cut at a word; 'question' for none."""
    plain = unicodedata.normalize("NFKD", text[: 10 * SLUG_LENGTH]).encode("ascii", "ignore").decode().lower()
    joined = "-".join(re.findall(r"[a-z0-9]+", plain))
    if len(joined) <= SLUG_LENGTH:
        return joined or "question"
    cut = joined[: SLUG_LENGTH + 1].rpartition("-")[0]
    return cut or joined[:SLUG_LENGTH]


def parsing_folder(root: Path, doc_id: str) -> Path:
    """Where a parsed document lies."""
    return root / doc_id / "parsing"


def source_folder(root: Path, doc_id: str) -> Path:
    """Where the bytes of a document lie."""
    return root / doc_id / "source"


def question_folder(root: Path, doc_id: str, key: str) -> Path:
    """Where the run of one question on one document lies."""
    return root / doc_id / "questions" / key


def case_folder(root: Path, key: str) -> Path:
    """Where a question to several documents lies."""
    return root / CASES / key
