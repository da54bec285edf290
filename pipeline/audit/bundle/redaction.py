"""Records without their texts: what is left still has the salted root that the seal, and so the ledger, holds fast."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import Any, Literal, get_args, get_origin

import pydantic_core
from pydantic import BaseModel

from pipeline.audit.bundle.fields import LEVELS, category_of
from pipeline.commitments import disclose, salt_of_record
from pipeline.store.runs import ANSWER, CASE, QUESTION, REQUEST, RETRIEVAL, TRACE
from pipeline.store.seals import SEAL
from schemas.answer import Answer, CaseAnswer
from schemas.ledger import Seal
from schemas.question import ParsedQuestion
from schemas.record import Record
from schemas.replay import Counterfactual, Replay
from schemas.request import RunRequest
from schemas.retrieval import AuditedRetrievalResult
from schemas.review import Review
from schemas.trace import Trace
from schemas.values import Value

RECORDS: Mapping[str, type[Record]] = {
    QUESTION: ParsedQuestion,
    RETRIEVAL: AuditedRetrievalResult,
    ANSWER: Answer,
    TRACE: Trace,
    REQUEST: RunRequest,
    CASE: CaseAnswer,
    "replay.json": Replay,
    "counterfactual.json": Counterfactual,
    "review.json": Review,
}
_CODE = r"[A-Za-z][A-Za-z0-9_.:+-]{0,63}"  # names that code or an operator gives: methods, rules, models; no blanks
_CODE_OF_OURS = "lineproof code"  # in the versions of a trace: the hash of the source files
FORMS = {
    "code": re.compile(_CODE),
    "language": re.compile(r"[a-z]{2}"),
    "version": re.compile(r"[0-9][0-9A-Za-z.+-]{0,31}"),
    "hex": re.compile(r"[0-9a-f]{16}|[0-9a-f]{64}"),
    "time": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}(?:\+00:00|Z)"),
    "candidate": re.compile(r"p[0-9]+_l[0-9]+(?:_l[0-9]+)?|table_[0-9]+"),
}
Walk = Callable[[str, Any, set[str]], None]


def redact_folder(files: Mapping[str, bytes], seal: Seal, levels: Collection[str] = ()) -> dict[str, bytes]:
    """The JSON records of a sealed folder, and its seal, with only those fields shown that `fields` and `levels` allow.

    Each has the root that was sealed. A record of an unknown kind is hidden whole.

    Raises ValueError for what is no JSON, or no level.
    """
    values = {name: pydantic_core.from_json(files[name]) for name in sorted(seal.roots)}
    values[SEAL] = seal.model_dump(mode="json", exclude={"salt", "written_as"})
    kinds: dict[str, type[Record]] = {**RECORDS, SEAL: Seal}
    shown = {name: shown_pointers(kinds[name], values[name], levels) for name in values if name in kinds}
    salt, done = bytes.fromhex(seal.salt), {}
    for name, value in values.items():
        kept = partial(_is_kept, shown.get(name, set()))
        done[name] = _to_json(disclose(value, salt_of_record(salt, name), kept))
    return done


def _is_kept(kept: set[str], pointer: str, _value: Any) -> bool:
    return pointer in kept


def shown_pointers(kind: type[BaseModel], value: Any, levels: Collection[str] = ()) -> set[str]:
    """JSON Pointers of all parts of a record that may be shown."""
    unknown = set(levels) - set(LEVELS)
    if unknown:
        raise ValueError(f"no such level: {', '.join(sorted(unknown))}")
    kept: set[str] = set()
    asked = {"question"} if "answer" in levels else set()  # an answer tells the question
    _walk_model(kind, value, "", kept, frozenset(levels) | asked)
    return kept


def _walk_model(kind: type[BaseModel], value: Any, pointer: str, kept: set[str], levels: frozenset[str]) -> None:
    if value is None:
        kept.add(pointer)
    if not isinstance(value, dict) or not set(value) <= set(kind.model_fields):
        return  # a key that is no field may be a text: the whole is hidden
    kept.add(pointer)
    for name, part in value.items():
        category = category_of(kind.__name__, name)
        _walk(category, kind.model_fields[name].annotation, part, f"{pointer}/{name}", kept, levels)


def _walk(category: str, annotation: Any, value: Any, pointer: str, kept: set[str], levels: frozenset[str]) -> None:
    if category in levels:
        _keep_all(value, pointer, kept)
    elif category == "shown":
        _walk_shown(annotation, value, pointer, kept, levels)
    elif category in FORMS or category == "type":
        _keep_texts(category, value, pointer, kept)
    elif category in _OBJECTS:
        _OBJECTS[category](pointer, value, kept)


def _walk_shown(annotation: Any, value: Any, pointer: str, kept: set[str], levels: frozenset[str]) -> None:
    if isinstance(value, list):
        kept.add(pointer)
        for at, item in enumerate(value):
            _walk_shown(annotation, item, f"{pointer}/{at}", kept, levels)
    elif isinstance(value, dict):
        models, _ = _inside(annotation)
        fitting = [model for model in models if len(models) == 1 or _kind_of(model) == value.get("kind")]
        if len(fitting) == 1:
            _walk_model(fitting[0], value, pointer, kept, levels)
    elif not isinstance(value, str) or value in _inside(annotation)[1]:
        kept.add(pointer)


@cache
def _inside(annotation: Any) -> tuple[tuple[type[BaseModel], ...], frozenset[str]]:
    """The models and the words of closed lists that a type is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return (annotation,), frozenset()
    if get_origin(annotation) is Literal:
        return (), frozenset(word for word in get_args(annotation) if isinstance(word, str))
    models: list[type[BaseModel]] = []
    words: set[str] = set()
    for part in get_args(annotation):
        more, told = _inside(part) if _is_type(part) else ((), frozenset())
        models += [model for model in more if model not in models]
        words |= told
    return tuple(models), frozenset(words)


def _is_type(part: Any) -> bool:
    return isinstance(part, type) or get_origin(part) is not None


def _kind_of(model: type[BaseModel]) -> Any:
    field = model.model_fields.get("kind")
    return field.default if field else None


def _keep_all(value: Any, pointer: str, kept: set[str]) -> None:
    kept.add(pointer)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        _keep_all(part, f"{pointer}/{_escape(str(name))}", kept)


def _keep_texts(form: str, value: Any, pointer: str, kept: set[str]) -> None:
    """Keep a text of a form, each of a list of them, and null."""
    if isinstance(value, list):
        kept.add(pointer)
        for at, item in enumerate(value):
            _keep_texts(form, item, f"{pointer}/{at}", kept)
    elif value is None or (isinstance(value, str) and _has_form(form, value)):
        kept.add(pointer)


def _has_form(form: str, text: str) -> bool:
    if form == "type":
        return text in {_kind_of(model) for model in _inside(Value)[0]}
    return FORMS[form].fullmatch(text) is not None


def _keep_object(
    pointer: str, value: Any, kept: set[str], is_key: Callable[[str], bool], forms: Collection[str]
) -> None:
    """Keep an object all of whose keys are known, with its numbers and its texts of one of the forms."""
    if not isinstance(value, dict) or not all(is_key(key) for key in value):
        return
    kept.add(pointer)
    for key, part in value.items():
        below = f"{pointer}/{_escape(key)}"
        if isinstance(part, dict):
            _keep_object(below, part, kept, is_key, forms)
        elif isinstance(part, str):
            if any(_has_form(form, part) for form in forms):
                kept.add(below)
        elif not isinstance(part, list) or not part:
            kept.add(below)


def _keep_codes(pointer: str, value: Any, kept: set[str]) -> None:
    _keep_object(pointer, value, kept, lambda key: _has_form("code", key), ("code",))


def _keep_settings(pointer: str, value: Any, kept: set[str]) -> None:
    names = _setting_names()
    _keep_object(pointer, value, kept, lambda key: key in names, ())


def _keep_dictionaries(pointer: str, value: Any, kept: set[str]) -> None:
    shipped = _shipped_dictionaries()
    _keep_object(pointer, value, kept, lambda key: key in shipped, ("version", "hex"))


def _keep_libraries(pointer: str, value: Any, kept: set[str]) -> None:
    shipped = _shipped_dictionaries()

    def is_key(key: str) -> bool:
        known = {_CODE_OF_OURS, *(f"dictionary {name}" for name in shipped)}
        return key in known or _has_form("code", key)

    _keep_object(pointer, value, kept, is_key, ("version", "hex"))


def _keep_roots(pointer: str, value: Any, kept: set[str]) -> None:
    _keep_object(pointer, value, kept, lambda key: key in RECORDS, ("hex",))


_OBJECTS: Mapping[str, Walk] = {
    "codes": _keep_codes,
    "settings": _keep_settings,
    "dictionaries": _keep_dictionaries,
    "libraries": _keep_libraries,
    "roots": _keep_roots,
}


@cache
def _setting_names() -> frozenset[str]:
    """Names of the options of every stage, and of the stages: the only keys that effective settings may show."""
    from pipeline.generation.settings import GenerationSettings
    from pipeline.llm.settings import ModelSettings
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.question.settings import QuestionSettings
    from pipeline.retrieval.settings import RetrievalSettings

    kinds = (ParsingSettings, QuestionSettings, RetrievalSettings, GenerationSettings, ModelSettings)
    stages = {"parsing", "question", "retrieval", "generation", "model", "embedder", "prompt_fragments"}
    return frozenset(stages.union(*(kind.model_fields for kind in kinds)))


@cache
def _shipped_dictionaries() -> frozenset[str]:
    """Names of the dictionaries that come with Lineproof; those of others may tell something."""
    from dictionaries.loading import dictionary_paths

    return frozenset(dictionary_paths())


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _to_json(value: Any) -> bytes:
    return json.dumps(value, indent=None, separators=(",", ":")).encode() + b"\n"
