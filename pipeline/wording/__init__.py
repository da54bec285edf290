"""Values, places, statuses and checks in the words that people use, in English, Spanish and French.

Shared by generation, the case, the sheets and the command line. What a document says stays in its own language.
"""

from __future__ import annotations

from pipeline.wording.computed import tell_computed, tell_reading
from pipeline.wording.layout import lay_out
from pipeline.wording.notes import tell_note, tell_words
from pipeline.wording.numbers import tell_number, tell_span
from pipeline.wording.phrases import LANGUAGES, say
from pipeline.wording.places import lines_of, pages_of, place_of, tell_line, tell_place, tell_sweep
from pipeline.wording.values import typed_of, with_unit, words_of

__all__ = [
    "LANGUAGES",
    "lay_out",
    "lines_of",
    "pages_of",
    "place_of",
    "say",
    "tell_computed",
    "tell_line",
    "tell_note",
    "tell_number",
    "tell_place",
    "tell_reading",
    "tell_span",
    "tell_sweep",
    "tell_words",
    "typed_of",
    "with_unit",
    "words_of",
]
