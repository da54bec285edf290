"""How fast many terms are found in a long document, and what each way of searching misses.

Run `python benchmarks/matching.py [PDF]` (default: the measuring data's long reports; without them a text made up of
the shipped dictionaries' own words). 300 pages of lines, read on over line breaks; terms: words and phrases of the
document and, to hold the hits constant, made-up terms that stand nowhere. Each way runs in one process, best of three,
CPU time; every way finds whole words with case and accents folded, the folding counted in. `recall` is the share of
(line, term) pairs found, of those that ours finds letter by letter inside one line; ours alone also finds inflected,
hyphenated and divided forms, which are counted apart.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import TypeVar

import pandas as pd
import regex
from ahocorasick_rs import AhoCorasick, MatchKind

from dictionaries import load_dictionaries
from dictionaries.folding import folded_text
from dictionaries.matching import TermMatcher
from dictionaries.searchable import SearchableText

PAGES = 300
LINES_A_PAGE = 50  # of the made-up text
ROUNDS = 3
SIZES = (100, 500, 2_000, 10_000)
PANDAS_UP_TO = 2_000  # terms; beyond, the loop takes minutes
RE_UP_TO = 2_000
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "torture" / "pdf"
LONG = ("long_408p_footnotes_sec.pdf", "outline_urls_352p_freeculture.pdf")
PRESENT = 80  # terms of the document in every list

Places = set[tuple[int, int]]  # line, term
Result = TypeVar("Result")
Way = Callable[[Sequence[str], Sequence[str]], Places]


def main() -> None:
    """Print one table a document: lines a second, the ratio to the pandas loop, and the recall of each way."""
    given = [Path(argument) for argument in sys.argv[1:]]
    paths = given or [SHARED / name for name in LONG if (SHARED / name).exists()]
    texts = [(path.name, _lines_of(path)) for path in paths] or [("made-up text", _made_up_lines())]
    for name, lines in texts:
        _measure(name, lines)


def _measure(name: str, lines: list[str]) -> None:
    print(f"\n{name}: {len(lines):,} lines, {sum(map(len, lines)):,} characters")
    print(f"{'terms':>6} {'way':<24} {'lines/s':>10} {'x pandas':>9} {'recall':>7}  places")
    present = _present(lines)
    for size in SIZES:
        terms = [*present, *_absent(size - len(present))]
        matcher = TermMatcher(terms)
        groups = [at // 5 for at in range(len(lines))]
        seconds, hits = _timed(lambda: matcher.find(lines, groups=groups))  # noqa: B023
        ready = SearchableText.of(lines, groups=groups)
        again, _ = _timed(lambda: matcher.find_in(ready))  # noqa: B023
        literal = {
            (hit.text_index, hit.term_index)
            for hit in hits
            if hit.text_index == hit.end_text_index
            and folded_text(lines[hit.text_index][hit.start : hit.end]) == terms[hit.term_index]
        }
        rows = [("ours", seconds, literal), ("ours, text made ready", again, literal)]
        for label, limit, way in WAYS:
            if size <= limit:
                taken, places = _timed(lambda: way(terms, lines))  # noqa: B023
                rows.append((label, taken, places))
        pandas = next((taken for label, taken, _ in rows if label.startswith("pandas")), None)
        for label, taken, places in rows:
            ratio = f"{pandas / taken:9.1f}" if pandas else f"{'-':>9}"
            recall = len(places & literal) / max(len(literal), 1)
            more = f" (+{len(hits) - len(literal)} in other forms or over a line end)" if label == "ours" else ""
            print(f"{size:>6} {label:<24} {len(lines) / taken:>10,.0f} {ratio} {recall:>7.3f}  {len(places)}{more}")


def _timed(run: Callable[[], Result]) -> tuple[float, Result]:
    """CPU seconds of the best of three runs, and what it gave; one run where it takes longer than ten seconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = process_time()
        result = run()
        best = min(best, process_time() - started)
        if best > 10:
            break
    return best, result


def _pandas_contains(terms: Sequence[str], lines: Sequence[str]) -> Places:
    """What a first version of such a pipeline does: one `str.contains` a term."""
    folded = pd.Series([folded_text(line) for line in lines])
    found: Places = set()
    for index, term in enumerate(terms):
        mask = folded.str.contains(rf"\b{re.escape(term)}\b", regex=True)
        found.update((int(line), index) for line in folded.index[mask])
    return found


def _re_alternation(terms: Sequence[str], lines: Sequence[str]) -> Places:
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(terms, key=len, reverse=True)))})\b")
    numbers = {term: index for index, term in enumerate(terms)}
    return {(at, numbers[found]) for at, line in enumerate(lines) for found in pattern.findall(folded_text(line))}


def _regex_named_list(terms: Sequence[str], lines: Sequence[str]) -> Places:
    pattern = regex.compile(r"\b\L<terms>\b", terms=list(terms))
    numbers = {term: index for index, term in enumerate(terms)}
    return {
        (at, numbers[found])
        for at, line in enumerate(lines)
        for found in pattern.findall(folded_text(line), overlapped=True)
    }


def _automaton_by_line(terms: Sequence[str], lines: Sequence[str]) -> Places:
    """The Aho-Corasick library as its documentation uses it: a call a line, boundaries checked in Python."""
    automaton = AhoCorasick(list(terms), matchkind=MatchKind.Standard)
    found: Places = set()
    for at, line in enumerate(lines):
        folded = folded_text(line)
        for index, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
            if not (start and _is_word(folded[start - 1])) and not (end < len(folded) and _is_word(folded[end])):
                found.add((at, index))
    return found


WAYS: tuple[tuple[str, int, Way], ...] = (
    ("pandas str.contains loop", PANDAS_UP_TO, _pandas_contains),
    ("re alternation", RE_UP_TO, _re_alternation),
    ("regex named list", SIZES[-1], _regex_named_list),
    ("ahocorasick_rs by line", SIZES[-1], _automaton_by_line),
)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _lines_of(path: Path) -> list[str]:
    import pymupdf

    with pymupdf.open(path) as pdf:
        pages = [page.get_text("text") for page in pdf.pages(0, min(PAGES, pdf.page_count))]
    return [line for page in pages for line in page.splitlines() if line.strip()]


def _made_up_lines() -> list[str]:
    """Lines of words of the shipped dictionaries, seeded: for a machine without the measuring data."""
    words = sorted(
        {word for entry in load_dictionaries().concepts for term in entry.terms for word in term.text.split()}
    )
    draw = random.Random(1)  # noqa: S311  # no secret
    return [" ".join(draw.choices(words, k=12)) for _ in range(PAGES * LINES_A_PAGE)]


def _present(lines: list[str]) -> list[str]:
    """Words and pairs of words that stand in the document a few times, overlapping ones among them."""
    words = [re.findall(r"[a-z]{3,}", folded_text(line)) for line in lines]
    singles = Counter(word for line in words for word in line)
    pairs = Counter(" ".join(pair) for line in words for pair in pairwise(line))
    chosen = [term for term, count in sorted(pairs.items()) if 3 <= count <= 20]
    phrases = chosen[:: max(1, len(chosen) // (PRESENT // 2))][: PRESENT // 2]
    inside = [word for phrase in phrases for word in phrase.split() if singles[word] <= 200]
    rest = [word for word, count in sorted(singles.items()) if 3 <= count <= 30]
    return list(dict.fromkeys([*phrases, *inside, *rest]))[:PRESENT]


def _absent(count: int) -> list[str]:
    """Made-up phrases of two words that stand in no text."""
    draw = random.Random(2)  # noqa: S311  # no secret
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [f"{''.join(draw.choices(letters, k=8))} {''.join(draw.choices(letters, k=6))}" for _ in range(count)]


if __name__ == "__main__":
    main()
