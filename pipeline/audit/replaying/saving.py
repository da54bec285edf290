"""Runs done again in the store: `replays/<id>/`, sealed and recorded like the runs themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from pipeline.audit.comparing.sides import REPLAY
from pipeline.audit.opened import OpenedRun
from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.files import replace_file
from pipeline.store.folders import locked
from pipeline.store.ledger import find_seal
from pipeline.store.names import REPLAYS
from pipeline.store.sealed import save_sealed
from pipeline.store.seals import Rests
from schemas.replay import Replay

ID_HEX = 12  # hex digits of a replay's name; a clash needs millions of replays of one store


def save_replay(opened: OpenedRun, replay: Replay, files: Mapping[str, bytes], words: Mapping[str, bytes]) -> Path:
    """Store a replay and the records of it that differ; `words` are dictionary files that are kept for later.

    The same replay of the same run done once more takes the place of the first, which is kept.

    Raises StoreError when it cannot be written, RecordError when the ledger is damaged.
    """
    root = opened.root
    keep_words(root, words)
    entry = find_seal(root, opened.seal_root) if opened.seal_root else None
    seal = opened.seal
    rests = Rests(
        documents=seal.documents if seal else {opened.request.doc_id: opened.request.document_sha256},
        parsings=seal.parsings if seal else {},
        runs={opened.place: opened.seal_root} if opened.seal_root else {},
    )
    folder = root / REPLAYS / replay_id(replay)
    save_sealed(
        root,
        folder,
        {**files, REPLAY: replay.to_json()},
        kind="replay",
        rests=rests,
        facts={
            "of_seq": entry.seq if entry else None,
            "identical": replay.identical,
            "strict": replay.strict,
            "changed": ",".join(sorted(replay.changed)) or None,
        },
    )
    return folder


def replay_id(replay: Replay) -> str:
    """Name of a replay's folder: the run's own name and what was done, in 12 hex digits of its SHA-256."""
    made = [replay.of, replay.of_seal, replay.start, sorted(replay.changed.items())]
    digest = hashlib.sha256(json.dumps(made, ensure_ascii=True).encode()).hexdigest()[:ID_HEX]
    slug = replay.of.rsplit("/", 1)[-1].rpartition("_")[0]
    return f"{slug or 'replay'}_{digest}"


def keep_words(root: Path, words: Mapping[str, bytes]) -> None:
    """Keep dictionary files of a what-if beside those that runs used, by SHA-256.

    Raises StoreError when they cannot be written.
    """
    folder = root / FOLDER / USED
    missing = {hashlib.sha256(content).hexdigest(): content for content in words.values()}
    with locked(root, root / FOLDER):
        for sha, content in sorted(missing.items()):
            if not (folder / f"{sha}.toml").exists():
                replace_file(folder / f"{sha}.toml", content)
