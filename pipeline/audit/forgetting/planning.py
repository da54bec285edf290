"""What the erasure of a document takes, and what stays and why; nothing is erased yet."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pydantic_core

from pipeline.audit.forgetting.calls import find_calls
from pipeline.audit.forgetting.documents import read_documents, with_those_inside
from pipeline.audit.forgetting.folders import Taken, folders_of, remaining_folders, told_lines
from pipeline.audit.forgetting.memory import find_remembered
from pipeline.audit.forgetting.texts import questions_in, read_texts
from pipeline.audit.forgetting.vectors import find_vectors
from pipeline.store.runs import REQUEST
from pipeline.store.sealed import put_unfinished_in_place
from schemas.forgetting import ErasureCounts, Forgetting

_OUTSIDE = """Bundles, sheets, pages and workbooks that were handed out or written outside the store, and backups of \
the store: they are where they were put; ask whoever has them.
The lines of the ledger and signed heads of it: they hold salted hashes, times and counts, no text and no name; the \
salts are erased, so that the hashes cannot be tied to any text.
What a disk keeps of erased files until it is used again, and snapshots of the file system.
What was sent to a provider of models; it is kept there as its terms say."""
ALWAYS = tuple(_OUTSIDE.split("\n"))  # what no erasure in a store reaches


def plan_erasure(root: Path, documents: Collection[str]) -> Forgetting:
    """What forgetting these documents of a store takes; see `Forgetting`.

    Runs that were recorded when their process died are put in place first, so that each is counted.

    Raises InputError for a file inside a document that stays, RecordError for a damaged memory of the store,
    StoreError for a transcript that cannot be read.
    """
    put_unfinished_in_place(root)
    gone, stays = with_those_inside(root, read_documents(root), documents)
    taken = folders_of(root, gone)
    remaining = tuple(remaining_folders(root, taken))
    own = [one.path for one in taken if one.kind == "runs"]
    texts = read_texts(root, gone)
    questions = questions_in(own) - questions_in(remaining)
    calls = find_calls(root, [one.path for one in taken], remaining, texts, questions)
    vectors = find_vectors(root, gone, own)
    joined = "\n".join(sorted(texts))
    remembered = find_remembered(root, gone, questions, lambda words: bool(words) and words in joined)
    kinds = Counter(one.kind for one in taken)
    remains = [*_of_files_inside(stays), *_of_calls(calls.kept), *_of_words(remembered.accepted)]
    remains += _of_talks(root, remaining, questions_in(own))
    return Forgetting(
        nonce=secrets.token_hex(32),
        documents=gone,
        folders=tuple(one.place for one in taken if _is_elsewhere(one, gone)),
        seqs=told_lines(taken),
        calls=calls.rows,
        vectors=vectors.keys,
        all_vectors=vectors.all_of_them,
        questions=tuple(sorted(questions)),
        choices=remembered.choices,
        counts=ErasureCounts(
            documents=len(gone), runs=kinds["runs"], cases=kinds["cases"], replays=kinds["replays"],
            reviews=kinds["reviews"], calls=len(calls.rows), vectors=len(vectors.keys), turns=remembered.turns,
            choices=len(remembered.choices), proposals=remembered.proposals,
        ),
        remains=(*remains, *ALWAYS),
    )  # fmt: skip


def _is_elsewhere(one: Taken, documents: Collection[str]) -> bool:
    return one.place.split("/")[0] not in documents


def _of_files_inside(stays: Sequence[str]) -> list[str]:
    if not stays:
        return []
    names = ", ".join(stays)
    return [f"Files inside it that the store also holds by themselves or inside other documents: {names}; forget each."]


def _of_calls(kept: int) -> list[str]:
    if not kept:
        return []
    what = "One exchange with a model that a run of another document also uses stays, since its"
    several = f"{kept} exchanges with a model that runs of other documents also use stay, since their"
    return [f"{what if kept == 1 else several} replay needs them: the very same words were sent for both."]


def _of_words(accepted: int) -> list[str]:
    if not accepted:
        return []
    return ["Words that experts took over from it into a dictionary stay in the dictionary."]


def _of_talks(root: Path, remaining: Sequence[Path], questions: Collection[str]) -> list[str]:
    """Runs of other documents that were asked after a question to this one, in the same conversation."""
    places = [path.relative_to(root).as_posix() for path in remaining if _previous(path) & set(questions)]
    if not places:
        return []
    shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
    why = "asked in the same conversation (it may name parties of this one)"
    return [f"The question before, as it was analysed, in runs of other documents {why}: {shown}."]


def _previous(folder: Path) -> set[str]:
    """What was asked before, in the conversation that a run was made in; empty without one."""
    try:
        request = pydantic_core.from_json((folder / REQUEST).read_bytes())
        previous = request.get("previous") or {}
        return {str(previous["original_question"])} if previous else set()
    except (OSError, ValueError, AttributeError, KeyError):
        return set()
