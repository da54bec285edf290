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
SHORT_TRIAL_CHARS = 2_000  # of a text that a match fails behind: enough for what grows faster than its square
FEWEST_WORDS_CHARS = 200  # filler between the letters of a counted repeat that is one short
_ENDINGS = ("", "!")  # a match may reach the end, or fail at the very last character
# What ends every repeat: a sign, a line's end, a letter, a digit, whichever of each the pattern does not name itself.
_UNNAMED = ("§¤¦~", "\n", "qxzkw", "79384", "_")
_COUNTS = regex.compile(r"\{(\d+)")
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
                f"takes more than {TRIAL_SECONDS:g} s on {len(trial):,} characters of {start!r}...; "
                "avoid repeats inside repeats, and give each repeat an upper bound"
            ), "error"
    lines = [line for sample in PROSE.values() for line in sample]
    share = sum(compiled.search(line) is not None for line in lines) / len(lines)
    if share > MAX_LINE_SHARE:
        return f"is found on {share:.0%} of the lines of ordinary text, the limit is {MAX_LINE_SHARE:.0%}", "error"
    return "", "warning"


def trial_texts(pattern: str) -> Iterator[str]:
    """Texts that a careless pattern cannot finish: repeats of what it is made of, 2,000 to 10,000 characters long.

    Each of its pieces repeated, neighbours in turn, and runs of letters, digits, blanks and words; each so that a match
    may reach the end, so that it fails there, and so that it fails before the pieces that it ends with: where these
    stand nowhere, the `regex` library never begins.
    """
    found = [_STANDING_FOR.get(piece, piece) for piece in _LITERALS.findall(pattern)]
    pieces = list(dict.fromkeys(piece for piece in found if piece.strip("\\") or piece == " "))[:MAX_PIECES]
    pairs = [first + second for first, second in pairwise(pieces)]
    usual = ["a", "1", " ", "a ", "ab1 ", "word ", ".", "1.", "a\n", "\n"]
    singles = list(dict.fromkeys(letter for piece in pieces for letter in piece))[:MAX_PIECES]
    barrier = _barrier(pattern)
    behind = (barrier, f"{barrier}{''.join(pieces)}{''.join(reversed(pieces))}")
    for repeated in dict.fromkeys(chain(usual, singles, pieces, pairs, ["".join(found)[:200]])):
        if repeated:
            body = (repeated * (TRIAL_CHARS // len(repeated) + 1))[:TRIAL_CHARS]
            for ending in _ENDINGS:
                yield body[: TRIAL_CHARS - len(ending)] + ending
            for ending in behind:
                yield body[: SHORT_TRIAL_CHARS - len(ending)] + ending
    for count in sorted({int(number) for number in _COUNTS.findall(pattern)}):
        if 1 < count <= SHORT_TRIAL_CHARS // 2:
            gap = min(FEWEST_WORDS_CHARS, SHORT_TRIAL_CHARS // count - 1) * "~"
            yield from ((gap + letter) * (count - 1) + gap for letter in singles)
    yield " ".join(line for sample in PROSE.values() for line in sample)[:TRIAL_CHARS]


def _barrier(pattern: str) -> str:
    """Characters of several kinds that the pattern does not name, so that no repeat of one kind passes them."""
    kinds = (next((letter for letter in kind if letter not in pattern), kind[0]) for kind in _UNNAMED)
    return "".join(kinds)
