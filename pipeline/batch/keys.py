"""What makes a cell the cell it is: a hash over all that shapes its answer, so that nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.store.names import HASH_LENGTH, slug
from schemas.batch import BatchDocument, BatchQuestion, BatchRequest


def cell_key(request: BatchRequest, document: BatchDocument, question: BatchQuestion) -> str | None:
    """Hex SHA-256 over the document's bytes, the question and all settings; None for a document without bytes.

    The id of the question, its row, its scope and the document's name are left out: they do not shape the answer.
    """
    if document.sha256 is None:
        return None
    names = question.terms.dictionaries
    words = {name: sha for name, sha in request.dictionaries.items() if not names or name in names}
    shaped_by = {
        "document": document.sha256,
        "question": question.text,
        "terms": question.terms.model_dump(mode="json"),
        "dictionaries": words,
        "parsing": request.parsing_settings,
        "retrieval": request.retrieval_settings,
        "searched_by": request.searched_by,
        "model": request.model,
        "model_settings": request.model_settings,
        "versions": request.versions,
        "code": request.code_sha256,
    }
    return _sha256(shaped_by)


def batch_id(name: str, questions: Sequence[BatchQuestion], documents: Sequence[BatchDocument], how: Any) -> str:
    """`<slug>_<hash>`: the name of the questions' file, and 8 hex over questions, names of documents and settings.

    The bytes of the documents are left out: when they change, it is the same batch that goes on.
    """
    told = [
        [one.model_dump(mode="json", exclude={"row"}) for one in questions],
        [one.name for one in documents],
        how,
    ]
    return f"{slug(name)}_{_sha256(told)[:HASH_LENGTH]}"


def changes_between(former: BatchRequest, now: BatchRequest) -> tuple[str, ...]:
    """What changed since the former session, a sentence each; empty where nothing did."""
    told: list[str] = []
    told += _told_documents(former, now)
    before, after = ({one.question_id: one for one in request.questions} for request in (former, now))
    told += [f"question {name} is new" for name in sorted(after.keys() - before.keys())]
    told += [f"question {name} is gone" for name in sorted(before.keys() - after.keys())]
    told += [
        f"question {name} has changed"
        for name in sorted(before.keys() & after.keys())
        if before[name].model_copy(update={"row": 0}) != after[name].model_copy(update={"row": 0})
    ]
    told += [f"the dictionary {name} has changed" for name in _changed(former.dictionaries, now.dictionaries)]
    told += [f"{name} is of another version" for name in _changed(former.versions, now.versions)]
    if former.code_sha256 != now.code_sha256:
        told.append("the code of Lineproof has changed")
    if former.model != now.model:
        told.append(f"the model was {former.model or 'none'} and is {now.model or 'none'}")
    told += [
        f"the setting {name} has changed"
        for part in ("parsing_settings", "retrieval_settings", "model_settings")
        for name in _changed(getattr(former, part), getattr(now, part))
    ]
    return tuple(told)


def _told_documents(former: BatchRequest, now: BatchRequest) -> list[str]:
    before, after = ({one.name: one for one in request.documents} for request in (former, now))
    told = [f"{name} is new" for name in sorted(after.keys() - before.keys())]
    told += [f"{name} is gone" for name in sorted(before.keys() - after.keys())]
    for name in sorted(before.keys() & after.keys()):
        then, here = before[name], after[name]
        if then.sha256 != here.sha256:
            told.append(f"{name} has changed")
        elif then.metadata != here.metadata:
            told.append(f"the metadata of {name} have changed")
    return told


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def _sha256(value: Any) -> str:
    data = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()
