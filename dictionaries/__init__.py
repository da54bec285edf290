"""The experts' words: versioned concepts of a domain, their terms in several languages, and the matcher for them.

`load_dictionaries()` reads the TOML files of this folder; `dictionaries.matching.TermMatcher` finds terms in text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dictionaries.entries import ConceptEntry, Dictionaries, DictionarySource, DictionaryTerm
    from dictionaries.loading import load_dictionaries

__all__ = ["ConceptEntry", "Dictionaries", "DictionarySource", "DictionaryTerm", "load_dictionaries"]


def __getattr__(name: str) -> Any:
    """The public names, their modules imported when one is first asked for.

    The reading process folds text by `dictionaries.folding` and needs no concepts: their records take a tenth of a
    second to make.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "dictionaries.loading" if name == "load_dictionaries" else "dictionaries.entries"
    value = globals()[name] = getattr(import_module(module), name)
    return value
