"""The experts' words: versioned concepts of a domain, their terms in several languages, and the matcher for them.

`load_dictionaries()` reads the TOML files of this folder; `dictionaries.matching.TermMatcher` finds terms in text.
"""

from __future__ import annotations

from dictionaries.entries import ConceptEntry, Dictionaries, DictionarySource, DictionaryTerm
from dictionaries.loading import load_dictionaries

__all__ = ["ConceptEntry", "Dictionaries", "DictionarySource", "DictionaryTerm", "load_dictionaries"]
