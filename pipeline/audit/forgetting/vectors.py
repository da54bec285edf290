"""Vectors of a document's passages and of the questions put to it: a vector tells much of what its text says."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.embeddings.cache import erase_vectors, text_key
from pipeline.retrieval.detectors.embeddings import passages_of
from pipeline.retrieval.lines import numbering_of, read_lines
from pipeline.retrieval.search import allowed_lines
from pipeline.retrieval.strategies.names import ARBITER
from pipeline.searching import BM25, EMBEDDINGS
from pipeline.store.documents import load_document
from pipeline.store.folders import FORMER
from pipeline.store.runs import QUESTION, RETRIEVAL
from schemas.document import ParsedDocument
from schemas.errors import PipelineError, StoreError
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult


@dataclass(frozen=True, slots=True)
class Vectors:
    """SHA-256 (hex) of the texts whose vectors go; `all_of_them`: which are the document's own cannot be told."""

    keys: tuple[str, ...]
    all_of_them: bool


def find_vectors(root: Path, documents: Collection[str], runs: Iterable[Path]) -> Vectors:
    """What was embedded of the documents, told again from their parsings and questions; none for a store without any.

    A strategy that embeds pieces of its own making (with words of a model before them, or a made-up answer) leaves
    texts that cannot be told again, and so does a record that cannot be read: then all vectors go. They are only a
    cache: what is needed is computed anew.
    """
    if not any((root / EMBEDDINGS).glob("*/keys.bin")):
        return Vectors((), False)
    texts: set[str] = set()
    try:
        parsed = [document for doc_id in sorted(documents) for document in _documents(root, doc_id)]
        for document in parsed:
            texts |= _texts_of(document, None)
        for folder in runs:
            found = AuditedRetrievalResult.from_json((folder / RETRIEVAL).read_bytes(), where=str(folder))
            question = ParsedQuestion.from_json((folder / QUESTION).read_bytes(), where=str(folder))
            if found.strategy_name != ARBITER and not found.strategy_name.startswith(BM25):
                return Vectors((), True)
            query = question.retrieval_query()
            texts |= {query.text, *query.rewrites}
            for document in parsed:
                if document.doc_id == found.doc_id:
                    texts |= _texts_of(document, question)
    except (PipelineError, OSError):
        return Vectors((), True)
    return Vectors(tuple(sorted(text_key(text).hex() for text in texts)), False)


def erase_found(root: Path, keys: Iterable[str], *, all_of_them: bool) -> int:
    """Erase these vectors in the folders of all models, or all there are; gives how many rows were overwritten.

    Raises StoreError when they cannot be written.
    """
    folders = sorted(path.parent for path in (root / EMBEDDINGS).glob("*/keys.bin"))
    wanted = [bytes.fromhex(key) for key in keys]
    if not all_of_them:
        return sum(erase_vectors(folder, wanted) for folder in folders)
    try:
        for folder in folders:
            shutil.rmtree(folder)
    except OSError as error:
        raise StoreError(f"{root / EMBEDDINGS}: cannot be erased ({error.strerror}); change its rights") from error
    return 0


def _documents(root: Path, doc_id: str) -> Iterator[ParsedDocument]:
    for folder in (root / doc_id / "parsing", *sorted((root / doc_id / FORMER).glob("parsing_*"))):
        document = load_document(root, doc_id, folder=folder)
        if document is not None:
            yield document


def _texts_of(document: ParsedDocument, question: ParsedQuestion | None) -> set[str]:
    """Passages and titles as they are embedded, of the part of the document that the question is restricted to."""
    allowed = allowed_lines(document, question.retrieval_query())[0] if question is not None else None
    texts = {passage.text for passage in passages_of(read_lines(document, allowed=allowed))}
    with contextlib.suppress(KeyError):
        texts |= {numbering_of(title)[1] for title in document.toc_df["title"].tolist()}
    return texts
