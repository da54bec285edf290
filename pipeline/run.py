"""ask(): the four bricks in a row, each step saved. Everything here is order and bookkeeping; the bricks decide."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pipeline.asking import Asking, Run
from pipeline.opening import Narrate, Opening, Parsed, be_silent, parse
from pipeline.searching import Searching
from pipeline.store.folders import open_store
from pipeline.talk import Talk, close_talk, open_talk

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

TRANSCRIPT = "llm_calls.sqlite"  # the model calls of a store

__all__ = ["Narrate", "Opening", "Parsed", "Run", "ask", "ask_within", "dictionaries_of", "open_model", "parse"]


def ask(
    path: str | os.PathLike[str],
    text: str,
    *,
    store: str | os.PathLike[str] = "outputs",
    llm: LanguageModel | None = None,
    dictionaries: Dictionaries | None = None,
    narrate: Narrate | None = None,
    opening: Opening | None = None,
    session: str | None = None,
    choose: int | str | None = None,
    searching: Searching | None = None,
) -> Run:
    """The question `text` asked of the document at `path`: parsed, searched, answered, and saved under `store`.

    Without a model the rules do all the work, and equal bytes and question give equal records. `narrate` is told what
    is being done, a few words a step. A compound question is asked part by part, each part after the one whose answer
    it needs, and files inside the document that were read (attachments) are asked the same.
    `session` names a conversation: a follow-up ('and for the supplier?') is read after its last question. `choose`
    replies to what the question is asked back: the number of a choice, from 1, or 'default'.
    `opening` says how the file is opened: limits, choices, password; `searching` how it is searched: another strategy
    than the arbiter, the models for embeddings. Without `dictionaries` the shipped ones are used,
    those in the store's own `dictionaries` folder in place of the shipped ones of the same name.

    Raises InputError for a document or question that cannot be used, StoreError or RecordError for the store.
    """
    root = open_store(store)
    talk = open_talk(root, session, choose)
    run = ask_within(
        talk, path, text, store=store, llm=llm, dictionaries=dictionaries, narrate=narrate, opening=opening,
        searching=searching,
    )  # fmt: skip
    close_talk(root, talk, [run.turn()])
    return run


def ask_within(
    talk: Talk,
    path: str | os.PathLike[str],
    text: str,
    *,
    store: str | os.PathLike[str] = "outputs",
    llm: LanguageModel | None = None,
    dictionaries: Dictionaries | None = None,
    narrate: Narrate | None = None,
    opening: Opening | None = None,
    searching: Searching | None = None,
) -> Run:
    """The run of a question in a conversation that the caller opened and closes; else as `ask`.

    Raises as `ask` does.
    """
    opening = opening or Opening()
    parsed = parse(path, store=store, narrate=narrate, opening=opening)
    words = dictionaries_of(store) if dictionaries is None else dictionaries
    asking = Asking(parsed, words, llm, narrate or be_silent, opening.password, searching or Searching(), talk)
    return asking.ask_with_inside(text)


def dictionaries_of(store: str | os.PathLike[str] = "outputs") -> Dictionaries:
    """The dictionaries in force in a store: the shipped ones, and its own in their place or beside them.

    Raises DictionaryError naming file, concept and fault.
    """
    from dictionaries import load_dictionaries
    from pipeline.store.dictionaries import own_dictionaries

    return load_dictionaries(overlay=own_dictionaries(store))


def open_model(store: str | os.PathLike[str] = "outputs") -> LanguageModel | None:
    """The model that the environment names, writing its transcript into the store; None when it names none.

    Raises SettingsError when the environment is wrong, StoreError when the store cannot be written.
    """
    if not os.environ.get("LINEPROOF_MODEL"):
        return None
    from pipeline.llm import Transcript, model_from_environment

    return model_from_environment(Transcript(open_store(store) / TRANSCRIPT))
