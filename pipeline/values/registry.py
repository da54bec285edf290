"""The open registry: types of values that a user adds, with a model, a parser, words that ask for it, and examples.

A type is published as a `CustomValue`. Its examples are its test: they are run when it is registered, and a type that
fails them is not. A parser is foreign code that reads hostile text: whatever it raises or gives wrongly costs its own
values of that text, and is told by `parser_fault`, never a crash.

The registry is the one global of this package, since a type must be known to questions, passages and checks alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from pipeline.values.found import FoundValue
from schemas.errors import RegistrationError
from schemas.values import CustomValue, Value

# What a parser gives: start, end and the model, so that `text[start:end]` is how the document writes it.
Parser = Callable[[str, str], Iterable[tuple[int, int, BaseModel]]]

KEPT_TEXTS = 4_096  # passages whose values are kept, as for the built-in types
MAX_FOUND = 10_000  # values of one passage; a parser that gives more is broken
_NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
# Names that answers and questions use already.
RESERVED = frozenset(model.model_fields["kind"].default for model in get_args(get_args(Value)[0]))


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the fields of the values that a parser must find in it, in order; none: it must find nothing."""

    text: str
    values: tuple[Mapping[str, Any], ...]
    language: str = "en"


@dataclass(frozen=True, slots=True, eq=False)
class ValueType:
    """A type of values.

    `asked_by` are words by which questions ask for it, in any language: 'cadastral reference', 'referencia catastral'.
    `parse` takes a text and a language ('en', 'es', 'fr') and must take time in proportion to the text.
    """

    name: str
    model: type[BaseModel]
    parse: Parser
    asked_by: tuple[str, ...]
    examples: tuple[Example, ...]


_TYPES: dict[str, ValueType] = {}


def register_type(added: ValueType) -> None:
    """Make a type known to questions, extraction and checks once its examples hold.

    Raises `RegistrationError` for a name that is taken or unusable, for a type without words or examples, and for a
    parser that fails one of its own examples; nothing is registered then.
    """
    faults = [*_name_faults(added), *_fill_faults(added)]
    if not faults:
        faults = [
            fault for number, example in enumerate(added.examples, 1) for fault in _failed(added, example, number)
        ]
    if faults:
        raise RegistrationError(f"The type {added.name!r} is not registered: {'; '.join(faults)}.")
    _TYPES[added.name] = added


def unregister_type(name: str) -> None:
    """Forget a type, and what was found of it. Raises `RegistrationError` where none has the name."""
    if name not in _TYPES:
        known = ", ".join(sorted(_TYPES)) or "none"
        raise RegistrationError(f"No type {name!r} is registered, so none is removed; registered are: {known}.")
    del _TYPES[name]
    _read.cache_clear()


def registered_types() -> tuple[ValueType, ...]:
    """The types that were registered, by name."""
    return tuple(_TYPES[name] for name in sorted(_TYPES))


def find_registered(text: str, name: str, language: str) -> tuple[FoundValue, ...]:
    """Values of a registered type, left to right, not overlapping; empty for no type, or where its parser failed."""
    added = _TYPES.get(name)
    return _read(text, added, language)[0] if added is not None else ()


def parser_fault(text: str, name: str, language: str = "en") -> str | None:
    """Why the parser of a registered type gave nothing for a text that it could not cope with; None where it coped."""
    added = _TYPES.get(name)
    return _read(text, added, language)[1] if added is not None else None


def type_asked_for(folded: str) -> str | None:
    """The registered type whose words stand in a question that `dictionaries.folding` folded; the longest words win."""
    from dictionaries.folding import folded_text

    asked = [
        (len(words), added.name)
        for added in registered_types()
        for words in map(folded_text, added.asked_by)
        if re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", folded)
    ]
    return max(asked, key=lambda one: (one[0], one[1]))[1] if asked else None


@lru_cache(maxsize=KEPT_TEXTS)
def _read(text: str, added: ValueType, language: str) -> tuple[tuple[FoundValue, ...], str | None]:
    """What the parser finds, and its fault; kept by the type itself, so that one registered anew reads anew."""
    try:
        given = [_checked(one, text, added) for one in _at_most(added.parse(text, language))]
    except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises is told, and costs only its own values
        told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return (), f"the parser of the type {added.name!r} failed on a text of {len(text)} characters ({told})"
    kept: list[FoundValue] = []
    for one in sorted(given, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept), None


def _at_most(given: Iterable[tuple[int, int, BaseModel]]) -> list[tuple[int, int, BaseModel]]:
    found: list[tuple[int, int, BaseModel]] = []
    for one in given:
        if len(found) == MAX_FOUND:
            raise ValueError(f"it gives more than {MAX_FOUND} values")
        found.append(one)
    return found


def _checked(one: tuple[int, int, BaseModel], text: str, added: ValueType) -> FoundValue:
    """The value as it is published; a ValueError where it does not stand in the text or is of another model."""
    start, end, value = one
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        raise ValueError(f"it gives a value at {start}-{end}, which is no stretch of the text")
    if not isinstance(value, added.model):
        raise TypeError(f"it gives a {type(value).__name__} and not a {added.model.__name__}")
    fields = value.model_dump(mode="json")
    return FoundValue(start, end, CustomValue(type_name=added.name, fields=fields, original=text[start:end]))


def _name_faults(added: ValueType) -> list[str]:
    if not _NAME.fullmatch(added.name):
        return ["a name has 2 to 40 small letters, digits and '_', a letter first"]
    if added.name in RESERVED:
        return ["a built-in type has this name; choose another"]
    if added.name in _TYPES:
        return [f"a type of this name is registered already; call unregister_type({added.name!r}) first"]
    return []


def _fill_faults(added: ValueType) -> list[str]:
    faults = []
    if not any(words.strip() for words in added.asked_by):
        faults.append("asked_by names no words by which a question asks for it")
    if not any(example.values for example in added.examples):
        faults.append("examples hold no text with a value; give at least one, it is the test of the parser")
    return faults


def _failed(added: ValueType, example: Example, number: int) -> list[str]:
    """How the parser fails an example; empty where it does not."""
    found, fault = _read(example.text, added, example.language)
    if fault is not None:
        return [f"example {number}: {fault}"]
    try:
        wanted = [added.model.model_validate(dict(fields)).model_dump(mode="json") for fields in example.values]
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return [f"example {number}: its values do not fit the model {added.model.__name__} ({told})"]
    given = [one.value.fields for one in found if isinstance(one.value, CustomValue)]
    if given != wanted:
        return [f"example {number} ({example.text[:60]!r}): the parser finds {given}, and {wanted} was to be found"]
    return []
