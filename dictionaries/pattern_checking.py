"""Patterns tried against texts built to make them run without end, and against ordinary text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise

import regex

from dictionaries.content_rules import pattern_places, why_not_a_pattern
from dictionaries.faults import Fault, Severity
from dictionaries.file_format import DictionaryFile
from dictionaries.patterns import compile_pattern
from dictionaries.prose import PROSE

TRIAL_CHARS = 10_000  # characters of a trial text: three pages, or one very long line
TRIAL_SECONDS = 0.2  # of processor time a trial; a sound pattern takes some 2 ms over such a text
MAX_PATTERN_CHARS = 1_000  # longer ones are lists of words, which belong among the terms
MAX_PIECES = 12  # pieces of a pattern from which trial texts are built
MAX_LINE_SHARE = 0.05  # of the lines of ordinary text, as for terms
KEPT_PATTERNS = 1_024  # whose trial is kept: it is the same each time
_ENDINGS = ("", "!")  # a match may reach the end, or fail at the very last character
_LITERALS = regex.compile(r"\\[dws.]|[\w ]+|[^\w\s]")
_STANDING_FOR = {r"\d": "1", r"\w": "a", r"\s": " ", r"\.": "."}


def pattern_faults(parsed: DictionaryFile, file: str) -> Iterator[Fault]:
    """The faults of the patterns of a file that can be compiled, in its order."""
    for name, concept in parsed.concepts.items():
        for place, pattern in pattern_places(name, concept):
            if why_not_a_pattern(pattern):
                continue  # told when the file was read
            reason, severity = why_refused(pattern)
            if reason:
                told = f"pattern {pattern!r} {reason}"
                yield Fault(severity=severity, file=file, concept=name, reason=told, place=place)


@lru_cache(maxsize=KEPT_PATTERNS)
def why_refused(pattern: str) -> tuple[str, Severity]:
    """Why a pattern that compiles must not be used, and how bad that is; an empty reason for a sound one."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return f"has {len(pattern)} characters, the limit is {MAX_PATTERN_CHARS}; list words as terms", "error"
    compiled = compile_pattern(pattern)
    for trial in trial_texts(pattern):
        try:
            for _ in compiled.finditer(trial, timeout=TRIAL_SECONDS):
                pass
        except TimeoutError:
            start = trial[:12]
            return (
                f"takes more than {TRIAL_SECONDS:g} s on {TRIAL_CHARS:,} characters of {start!r}...; "
                "avoid repeats inside repeats, and give each repeat an upper bound"
            ), "error"
    lines = [line for sample in PROSE.values() for line in sample]
    share = sum(compiled.search(line) is not None for line in lines) / len(lines)
    if share > MAX_LINE_SHARE:
        return f"is found on {share:.0%} of the lines of ordinary text, the limit is {MAX_LINE_SHARE:.0%}", "error"
    return "", "warning"


def trial_texts(pattern: str) -> Iterator[str]:
    """Texts of 10,000 characters that a careless pattern cannot finish: repeats of what it is made of.

    Each of its pieces repeated, neighbours in turn, and runs of letters, digits, blanks and words; each once so that
    a match may reach the end, and once so that it fails there.
    """
    found = [_STANDING_FOR.get(piece, piece) for piece in _LITERALS.findall(pattern)]
    pieces = list(dict.fromkeys(piece for piece in found if piece.strip("\\") or piece == " "))[:MAX_PIECES]
    pairs = [first + second for first, second in pairwise(pieces)]
    usual = ["a", "1", " ", "a ", "ab1 ", "word ", ".", "1.", "a\n", "\n"]
    singles = list(dict.fromkeys(letter for piece in pieces for letter in piece))[:MAX_PIECES]
    for repeated in dict.fromkeys(chain(usual, singles, pieces, pairs, ["".join(found)[:200]])):
        if repeated:
            body = (repeated * (TRIAL_CHARS // len(repeated) + 1))[: TRIAL_CHARS - 1]
            for ending in _ENDINGS:
                yield body + ending
    yield " ".join(line for sample in PROSE.values() for line in sample)[:TRIAL_CHARS]
