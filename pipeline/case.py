"""ask_case(): one question to documents that belong together; where they differ, all is shown, nothing is chosen."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.run import Narrate, Opening, Run, ask_within
from pipeline.searching import Searching
from pipeline.store.folders import open_store
from pipeline.store.names import question_key
from pipeline.store.runs import save_case
from pipeline.talk import close_talk, open_talk
from pipeline.values.equality import same_value
from pipeline.wording import place_of, tell_place, words_of
from schemas.answer import AnswerItem, CaseAnswer, DocumentAnswer, Value
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import Conflict
from schemas.tables import NOT_TEXT_ROLES

if TYPE_CHECKING:
    import pandas as pd

    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel

MAX_QUOTE = 500  # characters of a quote in a statement; the whole quote stands in the answer
MAX_CLAUSES = 3  # clauses on precedence quoted of one document

# A sentence on precedence speaks of a contradiction and says that something wins. Conflicts of law or of interest are
# other matters. English, Spanish, French: the languages of the dictionaries.
_CONTRADICTION = re.compile(
    r"\b(?:conflicts?(?! of (?:laws?|interests?))|inconsisten\w+|discrepanc\w+|contradict\w+|ambiguit\w+"
    r"|conflictos?(?! de (?:leyes|inter[eé]s\w*))|contradicci[oó]n\w*|discrepancias?|incoherencias?"
    r"|conflits?(?! (?:de lois?|d['’]int[eé]r[eê]ts?))|divergences?|incoh[eé]rences?)\b",
    re.IGNORECASE,
)
_WINNING = re.compile(
    r"\b(?:prevails?|precedence|overrides?|supersedes?|(?:shall|will|must) (?:control|govern)|controls"
    r"|prevalec\w+|primar[aá]n?|pr[eé]vau\w+|pr[eé]valen\w+|l['’]emporte\w*|prim(?:e|ent|era|eront))\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:\(?[a-z0-9]{1,4}[).]|[-•–])\s", re.IGNORECASE)  # (a), 1., iv), a dash or a bullet
_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[\"“«(]?[A-ZÀ-Ý0-9])")


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
    answers = tuple(
        DocumentAnswer(doc_id=r.document.doc_id, source_name=r.document.source_name, answer=r.answer) for r in runs
    )
    conflicts = compare_answers(answers)
    answer = CaseAnswer(question=text, answers=answers, conflicts=conflicts, text=_tell(runs, conflicts))
    close_talk(root, talk, [run.turn() for run in runs])
    resolved = tuple(dict.fromkeys(run.question.resolved_question or text for run in runs))
    asked = None if resolved == (text,) else "\0".join(resolved)
    told = searching.told_apart() if searching else ()
    key = question_key(text, llm.name if llm else None, documents=ids, resolved=asked, searched_by=told)
    return CaseRun(runs, answer, save_case(root, key, answer))


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
        ),
    )


def find_precedence(document: ParsedDocument) -> list[str]:
    """Sentences that say which text prevails where two differ, verbatim, with page and lines; at most three."""
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    paragraphs = [paragraph for _, paragraph in lines.groupby("paragraph_id", sort=True)]
    found = []
    for at, paragraph in enumerate(paragraphs):
        for sentence in _SENTENCE_END.split(" ".join(paragraph["text"])):
            if _CONTRADICTION.search(sentence) and _WINNING.search(sentence):
                page, start = (int(paragraph[name].iloc[0]) for name in ("page_num", "line_num"))
                end = int(paragraph["line_num"].iloc[-1])
                if sentence.rstrip().endswith(":"):  # the order itself is the list that follows
                    listed = list(takewhile(_is_item, paragraphs[at + 1 :]))
                    sentence = " ".join([sentence, *(" ".join(item["text"]) for item in listed)])  # noqa: PLW2901
                    end = int(listed[-1]["line_num"].iloc[-1]) if listed else end
                unit = document.profile.identity.page_unit
                place = f"{document.source_name}, {tell_place(unit, (page, page), (start, end))}"
                found.append(f'{place}: "{_shorten(sentence)}"')
    return found[:MAX_CLAUSES]


def _is_item(paragraph: pd.DataFrame) -> bool:
    first = paragraph.iloc[0]
    return first["role"] == "body" and _ITEM.match(str(first["text"])) is not None


def _same_values(one: Sequence[Value], other: Sequence[Value]) -> bool:
    return all(any(same_value(a, b) for b in other) for a in one) and all(
        any(same_value(a, b) for a in one) for b in other
    )


def _tell(runs: Sequence[Run], conflicts: Sequence[Conflict]) -> str:
    told = [f"{run.document.source_name}: {' '.join(run.answer.text.split())}" for run in runs]
    if not conflicts:
        if sum(bool(run.answer.items) for run in runs) > 1:
            told.append("The documents agree.")
        return "\n".join(told)
    told += [f"The documents differ: {conflict.statement}." for conflict in conflicts]
    clauses = [clause for run in runs for clause in find_precedence(run.document)]
    if clauses:
        told += ["On which text prevails: " + "; ".join(clauses), "It is for a person to apply it."]
    else:
        told.append("No clause on which text prevails was found in these documents; a person has to decide.")
    return "\n".join(told)


def _tell_items(items: Sequence[AnswerItem]) -> str:
    return " and ".join(_tell_item(item) for item in items)


def _tell_item(item: AnswerItem) -> str:
    span = item.spans[0]
    return f'{_shorten(words_of(item.value))} ({place_of(span)}: "{_shorten(span.quote)}")'


def _shorten(text: str) -> str:
    plain = " ".join(text.split())
    # Cut between words: half a figure reads as another figure.
    return plain if len(plain) <= MAX_QUOTE else plain[: MAX_QUOTE + 1].rpartition(" ")[0] + " …"
