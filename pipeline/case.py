"""ask_case(): one question to documents that belong together; where they differ, all is shown, nothing is chosen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.generation.conflicts import kind_of, side_of
from pipeline.precedence import find_precedence, name_prevailing
from pipeline.run import Narrate, Opening, Run, ask_within
from pipeline.searching import Searching
from pipeline.store.folders import open_store
from pipeline.store.names import question_key
from pipeline.store.runs import save_case
from pipeline.store.sources import rests_on_runs
from pipeline.talk import close_talk, open_talk
from pipeline.values.equality import same_value
from pipeline.wording import place_of, say, words_of
from schemas.answer import AnswerItem, CaseAnswer, DocumentAnswer, Value
from schemas.errors import InputError
from schemas.retrieval import Conflict

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

__all__ = ["CaseRun", "ask_case", "compare_answers", "find_precedence"]

MAX_QUOTE = 500  # characters of a quote in a statement; the whole quote stands in the answer


@dataclass(frozen=True, slots=True)
class CaseRun:
    """One question answered by several documents: a run each, in the order given, and what they say together."""

    runs: tuple[Run, ...]
    answer: CaseAnswer
    path: Path


def ask_case(
    paths: Sequence[str | os.PathLike[str]],
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
) -> CaseRun:
    """The question asked of each document, the answers compared value by value, all saved under `store`.

    `opening` says how each file is opened, `searching` how it is searched. `session` and `choose` are those of `ask`; a
    session remembers the question, not the documents, and each document gives its own choices.

    Raises InputError for fewer than two documents, the same document twice, and as `ask` does.
    """
    if len(paths) < 2:
        raise InputError(f"a case needs at least two documents, {len(paths)} given; use ask() for one")
    root = open_store(store)
    talk = open_talk(root, session, choose)
    runs = tuple(
        ask_within(
            talk,
            path,
            text,
            store=store,
            llm=llm,
            dictionaries=dictionaries,
            narrate=narrate,
            opening=opening,
            searching=searching,
        )
        for path in paths
    )
    ids = [run.document.doc_id for run in runs]
    if len(set(ids)) != len(ids):
        raise InputError("the same document was given twice; name each document of a case once")
    answer = put_together(text, runs)
    close_talk(root, talk, [run.turn() for run in runs])
    resolved = tuple(dict.fromkeys(run.question.resolved_question or text for run in runs))
    asked = None if resolved == (text,) else "\0".join(resolved)
    told = searching.told_apart() if searching else ()
    key = question_key(text, llm.name if llm else None, documents=ids, resolved=asked, searched_by=told)
    return CaseRun(runs, answer, save_case(root, key, answer, rests=rests_on_runs(root, [run.path for run in runs])))


def put_together(text: str, runs: Sequence[Run]) -> CaseAnswer:
    """What the runs of one question say together, in their order."""
    answers = tuple(
        DocumentAnswer(doc_id=r.document.doc_id, source_name=r.document.source_name, answer=r.answer) for r in runs
    )
    documents = {run.document.doc_id: run.document for run in runs}
    conflicts = tuple(name_prevailing(one, documents) for one in compare_answers(answers))
    return CaseAnswer(question=text, answers=answers, conflicts=conflicts, text=_tell(runs, conflicts))


def compare_answers(answers: Sequence[DocumentAnswer]) -> tuple[Conflict, ...]:
    """One conflict when two documents that answer do not give the same values; empty when they agree.

    A document that says nothing on the point contradicts nothing. Values are equal as what they are: '60 months' is
    'five years'.
    """
    speaking = [each for each in answers if each.answer.items]
    values = [[item.value for item in each.answer.items] for each in speaking]
    if all(_same_values(values[0], others) for others in values[1:]):
        return ()
    return (
        Conflict(
            candidate_ids=tuple(
                dict.fromkeys(
                    f"{each.doc_id}/{span.candidate_id}"
                    for each in speaking
                    for item in each.answer.items
                    for span in item.spans
                )
            ),
            point=speaking[0].answer.answer_type,
            statement="; ".join(f"{each.source_name} says {_tell_items(each.answer.items)}" for each in speaking),
            found_by="rules",
            kind=kind_of([item.value for each in speaking for item in each.answer.items]),
            sides=tuple(
                side_of(item, doc_id=each.doc_id, source_name=each.source_name)
                for each in speaking
                for item in each.answer.items
            ),
        ),
    )


def _same_values(one: Sequence[Value], other: Sequence[Value]) -> bool:
    return all(any(same_value(a, b) for b in other) for a in one) and all(
        any(same_value(a, b) for a in one) for b in other
    )


def _tell(runs: Sequence[Run], conflicts: Sequence[Conflict]) -> str:
    language = runs[0].question.language if runs else "en"
    told = [f"{run.document.source_name}: {' '.join(run.answer.text.split())}" for run in runs]
    if not conflicts:
        if sum(bool(run.answer.items) for run in runs) > 1:
            told.append(say("agree", language))
        return "\n".join(told)
    speaking = [(run.document.source_name, run.answer.items) for run in runs if run.answer.items]
    stated = "; ".join(say("says", language, name=name, value=_tell_items(items, language)) for name, items in speaking)
    told += [say("documents_differ", language, statement=stated) for _ in conflicts]
    names = {run.document.doc_id: run.document.source_name for run in runs}
    prevailing = [conflict.prevails for conflict in conflicts if conflict.prevails is not None]
    told += [
        say(
            "text_prevails",
            language,
            place=one.place,
            name=names[one.candidate_id.partition("/")[0]],
            quote=_shorten(one.quote),
        )
        for one in prevailing
    ]
    clauses = [clause for run in runs for clause in find_precedence(run.document)]
    if clauses:
        told.append(say("which_prevails", language) + "; ".join(clauses))
    if clauses or prevailing:
        told.append(say("person_applies", language))
    else:
        told.append(say("none_prevails", language))
    return "\n".join(told)


def _tell_items(items: Sequence[AnswerItem], language: str = "en") -> str:
    joined = {"es": " y ", "fr": " et "}.get(language, " and ")
    return joined.join(_tell_item(item, language) for item in items)


def _tell_item(item: AnswerItem, language: str) -> str:
    span = item.spans[0]
    # the quotes stand beside, in `sides`
    return f"{_shorten(words_of(item.value, language))} ({place_of(span, language)})"


def _shorten(text: str) -> str:
    plain = " ".join(text.split())
    # Cut between words: half a figure reads as another figure.
    return plain if len(plain) <= MAX_QUOTE else plain[: MAX_QUOTE + 1].rpartition(" ")[0] + " …"
