"""Types that packages and the environment declare, registered once in a process.

A package declares types under the entry point group `lineproof.types`; a setting names modules:
`LINEPROOF_TYPES=my_types,other.types`. Both lead to a module with a tuple `TYPES` of `ValueType`, or (an entry point)
to such a tuple itself. Modules are code: only who may set the environment or install packages can add one.
"""

from __future__ import annotations

import importlib
import os
from functools import lru_cache
from importlib import metadata

from pipeline.values.registry import ValueType, register_type, registered_types
from schemas.errors import RegistrationError

VARIABLE = "LINEPROOF_TYPES"
GROUP = "lineproof.types"


def load_declared_types() -> tuple[str, ...]:
    """Names of the types that are declared, by name; they are registered at the first call of a process.

    Those that are registered already are left as they are.

    Raises `RegistrationError` for a module that cannot be imported or declares no types, and for a type that is unfit.
    """
    return _load(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=1)
def _load(modules: str) -> tuple[str, ...]:
    added: list[str] = []
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        where = f"the entry point {point.name!r} of the group {GROUP!r}"
        try:
            declared = point.load()
        except (ImportError, AttributeError) as error:
            raise RegistrationError(f"{where[0].upper()}{where[1:]} cannot be loaded: {error}.") from error
        added += _register(getattr(declared, "TYPES", declared), where)
    for name in [name.strip() for name in modules.split(",") if name.strip()]:
        where = f"the module {name!r} that {VARIABLE} names"
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            told = f"{where[0].upper()}{where[1:]} cannot be imported: {error}. Install it, or correct the variable."
            raise RegistrationError(told) from error
        added += _register(getattr(module, "TYPES", None), where)
    return tuple(sorted(added))


def _register(declared: object, where: str) -> list[str]:
    if not isinstance(declared, tuple) or not all(isinstance(one, ValueType) for one in declared):
        raise RegistrationError(
            f"{where[0].upper()}{where[1:]} declares no types: a tuple TYPES of ValueType is needed."
        )
    known = registered_types()
    for one in declared:
        if one not in known:
            register_type(one)
    return [one.name for one in declared]
