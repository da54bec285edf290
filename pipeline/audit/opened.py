"""A saved run with all that it was made from, so that any stage of it can be done again, offline and unpaid."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pipeline.asking import Asking, Given, Run, stored_stage
from pipeline.opening import Narrate, Parsed, be_silent
from pipeline.searching import Searching
from pipeline.store.dictionaries import FOLDER, USED
from pipeline.store.documents import find_parsing, load_document
from pipeline.store.runs import SavedRun, load_run, root_of_run
from pipeline.store.sealed import find_sealed
from pipeline.store.seals import read_seal, seal_root
from pipeline.store.sources import load_source
from pipeline.talk import Talk
from schemas.audit import ModelCall
from schemas.document import ParsedDocument
from schemas.errors import DictionaryError, InputError, RecordError
from schemas.ledger import Seal
from schemas.request import RunRequest

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

Start = Literal["question", "retrieval", "generation"]


@dataclass(frozen=True, slots=True)
class OpenedRun:
    """A run, its request and its document. `data` is empty where the document's bytes are not in the store."""

    root: Path
    folder: Path
    saved: SavedRun
    request: RunRequest
    seal: Seal | None
    document: ParsedDocument
    data: bytes
    as_is: bool = False  # nothing is written where more of the store is read

    @property
    def place(self) -> str:
        """The folder in the store, with '/' between its parts."""
        return self.folder.relative_to(self.root).as_posix()

    @property
    def seal_root(self) -> str | None:
        """What the ledger holds fast of it; None for a run from before there was a ledger."""
        return seal_root(self.seal) if self.seal else None


def open_run(
    folder: Path, *, data: bytes | None = None, document: ParsedDocument | None = None, as_is: bool = False
) -> OpenedRun:
    """The run of a folder, present or former, with the parsing it was read from; `data` are the document's bytes.

    `document` is that parsing, where the caller has it already from another run of the same seal's parsing. `as_is`:
    nothing is written, not even a lock, whatever a dead process left half done.

    Raises RecordError for what is damaged, InputError for a run from before there was a ledger, or one whose parsing
    is not in the store any more.
    """
    folder = folder.resolve()
    root, saved, seal = root_of_run(folder), load_run(folder, as_is=as_is), read_seal(folder)
    if saved.request is None:
        raise InputError(
            f"{folder}: this run holds no request.json: it was made before runs could be done again; ask its question "
            "once more"
        )
    doc_id = saved.request.doc_id
    sha = seal.parsings.get(doc_id) if seal else None
    parsing = find_parsing(root, doc_id, sha) if sha else None
    if document is None and (parsing or not sha):
        document = load_document(root, doc_id, folder=parsing, as_is=as_is)
    if document is None:
        raise RecordError(f"{folder}: the parsing that it was read from is not in the store; restore it from a backup")
    if data is None:
        data = (load_source(root, doc_id, as_is=as_is) or b"") if saved.request.inside is None else b""
    return OpenedRun(root, folder, saved, saved.request, seal, document, data, as_is)


def dictionaries_then(opened: OpenedRun) -> Dictionaries:
    """The dictionaries that were in force when the run was made, from the files that the store kept.

    Raises RecordError, naming the dictionary, where one was not kept.
    """
    return load_used(opened.root, opened.request.dictionaries)


def load_used(root: Path, files: dict[str, str]) -> Dictionaries:
    """The dictionaries of these names (name -> hex SHA-256 of the file) as the store kept them.

    Raises RecordError, naming the dictionary, where one was not kept or is damaged.
    """
    from dictionaries import load_dictionaries
    from dictionaries.loading import dictionary_paths

    shipped = load_dictionaries()
    if {source.name: source.sha256 for source in shipped.sources} == files:
        return shipped
    kept = {name: root / FOLDER / USED / f"{sha}.toml" for name, sha in files.items()}
    missing = sorted(name for name, path in kept.items() if not path.is_file())
    if missing:
        raise RecordError(
            f"{root / FOLDER / USED}: the dictionary {', '.join(missing)} of then is not there; restore it from a "
            "backup"
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for dictionary, path in kept.items():
            (folder / f"{dictionary}.toml").write_bytes(path.read_bytes())
        if not kept:
            return load_dictionaries(names=())
        try:
            loaded = load_dictionaries(folder, names=sorted(dictionary_paths(folder)))
        except DictionaryError as error:
            raise RecordError(f"{root / FOLDER / USED}: {error}") from error
    changed = sorted(source.name for source in loaded.sources if files[source.name] != source.sha256)
    if changed:
        raise RecordError(f"{root / FOLDER / USED}: the dictionary {', '.join(changed)} is not the one of then")
    return loaded


def offline_model(opened: OpenedRun) -> LanguageModel | None:
    """The model of the run, answering from the run's own record and never from the network; None for one by rules.

    A compound question asks its parts again, whose calls are on record in the runs of these.

    Raises RecordError where the run of a part is damaged.
    """
    if opened.request.model is None:
        return None
    from pipeline.llm.openai_model import OpenAIModel
    from pipeline.llm.settings import ModelSettings
    from pipeline.llm.transcript import Transcript

    transcript = Transcript.replaying((*opened.saved.trace.model_calls, *_calls_of_parts(opened)))
    settings = ModelSettings.model_validate(opened.request.model_settings)
    return OpenAIModel(opened.request.model, transcript, settings=settings)


def _calls_of_parts(opened: OpenedRun) -> tuple[ModelCall, ...]:
    runs = opened.seal.runs if opened.seal else {}
    folders = [find_sealed(opened.root, place, seal) for place, seal in runs.items()]
    found = [load_run(folder, as_is=opened.as_is) for folder in folders if folder is not None]
    return tuple(call for run in found for call in run.trace.model_calls)


@dataclass(frozen=True, slots=True)
class Changed:
    """What is not as it was when a run is done again; None: as it was."""

    dictionaries: Dictionaries | None = None
    searching: Searching | None = None
    document: ParsedDocument | None = None


def rerun(
    opened: OpenedRun,
    *,
    llm: LanguageModel | None,
    start: Start = "question",
    changed: Changed | None = None,
    password: str | None = None,
    narrate: Narrate = be_silent,
) -> Run:
    """The run done again from `start`, with the stored records before it; nothing is saved, no stage is paid for twice.

    `llm` is `offline_model(opened)` for a faithful replay, None for rules. A compound question asks its parts again.

    Raises RecordError where the dictionaries of then are not there, SettingsError for models that are not.
    """
    changed = changed or Changed()
    document = changed.document or opened.document
    asking = Asking(
        Parsed(opened.root, document, opened.data, stored_stage(document), ()),
        dictionaries_then(opened) if changed.dictionaries is None else changed.dictionaries,
        llm,
        narrate,
        password,
        changed.searching or searching_then(opened),
        talk_then(opened.request),
        inside=opened.request.inside,
        saving=False,
        terms=opened.request.terms,
        papers=opened.request.papers,
    )
    saved = opened.saved
    given = {
        "question": Given(),
        "retrieval": Given(question=saved.question),
        "generation": Given(question=saved.question, found=saved.retrieval, answer=saved.answer),
    }[start]
    return asking.ask(opened.request.text, part=opened.request.part, given=given)


def searching_then(opened: OpenedRun) -> Searching:
    """How the document was searched then.

    Raises InputError where an embedding model or a cross-encoder of then is not here, SettingsError for one that the
    environment names and that cannot be used.
    """
    from pipeline.retrieval.settings import RetrievalSettings
    from pipeline.searching import open_searching

    settings = RetrievalSettings.model_validate(opened.request.retrieval_settings)
    wanted = opened.request.searched_by
    if not wanted:
        return Searching(settings)
    searching = replace(open_searching(settings.strategy, store=opened.root), settings=settings)
    if searching.models() != wanted:
        raise InputError(
            f"{opened.place}: it was searched with {', '.join(wanted)}, here is "
            f"{', '.join(searching.models()) or 'none'}; install or name these models (LINEPROOF_EMBEDDINGS ...)"
        )
    return searching


def talk_then(request: RunRequest) -> Talk:
    """The conversation that the question was asked in, as far as it shaped the run."""
    return Talk(previous=request.previous, choices=request.choices, reply=request.reply)
