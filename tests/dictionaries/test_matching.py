"""The matcher: inflection, compounds, line breaks, codes, overlaps, offsets."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dictionaries import load_dictionaries, patterns
from dictionaries.matching import TermMatcher, searched_form
from dictionaries.searchable import SearchableText


def found(term: str, *texts: str, joined: bool = False) -> list[str]:
    """What the matcher finds, as the original writes it."""
    hits = TermMatcher([term]).find(texts, groups=[0] * len(texts) if joined else None)
    whole = []
    for hit in hits:
        lines = list(texts[hit.text_index : hit.end_text_index + 1])
        lines[-1] = lines[-1][: hit.end]
        lines[0] = lines[0][hit.start :]
        whole.append("\n".join(lines))
    return whole


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("fee", "The fees are due", ["fees"]),
        ("parties", "each Party", ["Party"]),
        ("liability", "Liabilities", ["Liabilities"]),
        ("licensee obligation", "the Licensee’s obligations", ["Licensee’s obligations"]),
        ("party obligation", "the parties' obligations", ["parties' obligations"]),
        ("obligación", "OBLIGACIONES", ["OBLIGACIONES"]),
        ("tribunal", "les tribunaux", ["tribunaux"]),
        ("RNNs", "an RNN and RNNs", ["RNN", "RNNs"]),
        ("non-compete", "noncompete non compete Non–Compete", ["noncompete", "non compete", "Non–Compete"]),
        ("noncompete", "a non-compete", ["non-compete"]),
        ("multi-head attention", "Multi-Head  Attention", ["Multi-Head  Attention"]),
        ("force majeure", "force\u00a0majeure", ["force\u00a0majeure"]),
        ("indemnif*", "indemnification, indemnify; indemnity", ["indemnification", "indemnify"]),
        ("goods", "good goods", ["goods"]),
        ("art", "part, article, art.", ["art"]),
        ("l'accord", "L’accord", ["L’accord"]),
    ],
)
def test_written_forms(term: str, text: str, expected: list[str]) -> None:
    """Plural, possessive, hyphenation and typography are forms of one term; parts of words are not."""
    assert found(term, text) == expected


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("L131-1", "L131-1 L131-10 L131-1-2 AL131-1 l131-1.", ["L131-1", "l131-1"]),
        ("L131-1", "L131 1", []),
        ("ID.AM-1", "ID.AM-1, ID.AM-10", ["ID.AM-1"]),
        ("e2e", "E2E e2es", ["E2E"]),
        ("INC-2023-Q4-011", "INC‑2023‑Q4‑011", ["INC‑2023‑Q4‑011"]),
        ("Section 3.2", "Section 3.2; Section 3.2.1; section 3.21", ["Section 3.2"]),
        ("Figure 2", "Figures 2, Figure 21, figure 2.", ["Figures 2", "figure 2"]),
        ("IT", "it is IT", ["IT"]),
        ("IP", "ip, IP and IPs", ["IP", "IPs"]),
        ("GDPR", "the gdpr", ["gdpr"]),
    ],
)
def test_codes_are_found_letter_by_letter(term: str, text: str, expected: list[str]) -> None:
    """A code is no prefix of another code, is not inflected, and a short acronym must be in capitals."""
    assert found(term, text) == expected


def test_a_term_runs_over_a_line_break() -> None:
    """Lines of one group are read on; a hyphen at the line's end joins the word or divides a compound."""
    assert found("intellectual property", "all intellec-", "tual property", joined=True) == ["intellec-\ntual property"]
    assert found("data protection", "data", "protection", joined=True) == ["data\nprotection"]
    assert found("non-compete", "the non-", "compete", joined=True) == ["non-\ncompete"]
    assert found("CVE-2021-44228", "CVE-2021-", "44228", joined=True) == ["CVE-2021-\n44228"]
    assert found("termination", "termi\u00ad", "nation", joined=True) == ["termi\u00ad\nnation"]


def test_texts_stand_alone_without_groups() -> None:
    """No term runs from one text into the next unless both carry the same group."""
    assert found("data protection", "data", "protection") == []
    matcher = TermMatcher(["data protection"])
    assert len(matcher.find(["data", "protection"], groups=[1, 2])) == 0
    with pytest.raises(ValueError, match="1 groups for 2 texts"):
        matcher.find(["data", "protection"], groups=[1])


def test_overlapping_terms_are_all_found() -> None:
    """A term inside another is found too, sorted by place."""
    hits = TermMatcher(["liability", "limitation of liability", "limitation"]).find(["Limitation of liability"])
    assert [(hit.start, hit.end, hit.term_index) for hit in hits] == [(0, 10, 2), (0, 23, 1), (14, 23, 0)]


def test_no_terms_and_no_texts() -> None:
    """Nothing to search for or in gives no hits."""
    assert len(TermMatcher([]).find(["text"])) == 0
    assert len(TermMatcher(["text"]).find([])) == 0
    assert len(TermMatcher(["text"]).find([""])) == 0


@pytest.mark.parametrize("term", ["", "  ", "---", "ab*", "a*b", "'"])
def test_a_term_that_cannot_be_searched_is_refused(term: str) -> None:
    """A term without a letter, a stem too short, a star inside: each is an error that names the term."""
    with pytest.raises(ValueError, match="term"):
        TermMatcher([term])
    with pytest.raises(ValueError, match="term"):
        searched_form(term)


words = st.text(st.sampled_from("abcé-ﬁ’ \n\u00ad19."), min_size=1, max_size=12)


@given(st.lists(words, max_size=5), st.lists(words.filter(lambda t: any(c.isalpha() for c in t)), max_size=4))
def test_each_hit_points_at_its_term(texts: list[str], terms: list[str]) -> None:
    """Offsets lie inside the texts, hits are sorted and unique, and inputs stay as they were."""
    before = list(texts)
    hits = list(TermMatcher(terms).find(texts, groups=[0] * len(texts)))
    keys = [(h.text_index, h.start, h.end_text_index, h.end, h.term_index) for h in hits]
    assert keys == sorted(set(keys))
    for hit in hits:
        assert 0 <= hit.start <= len(texts[hit.text_index])
        assert 0 <= hit.end <= len(texts[hit.end_text_index])
        assert (hit.text_index, hit.start) < (hit.end_text_index, hit.end)
    assert texts == before


@given(st.lists(st.sampled_from(["alpha", "beta gamma", "delta-one", "X9-1"]), min_size=1, max_size=4, unique=True))
def test_a_term_finds_itself(terms: list[str]) -> None:
    """Every term is found in a text that holds it as it is written."""
    text = " / ".join(terms)
    assert {hit.term_index for hit in TermMatcher(terms).find([text])} == set(range(len(terms)))


@pytest.mark.shared
def test_the_gdpr_words_stand_nowhere_in_a_paper_without_them(shared_data: Path) -> None:
    """On the lines of a real paper no data protection term is found, while its own topics are."""
    with pymupdf.open(shared_data / "papers" / "1706.03762v7.pdf") as pages:
        lines = [line for page in pages for line in page.get_text().splitlines()]
    concept = load_dictionaries().concept("data_protection")
    assert concept is not None
    terms = [term.text for term in concept.terms if term.priority == "primary"]
    assert len(TermMatcher(terms).find(lines, groups=[0] * len(lines))) == 0
    hits = TermMatcher(["positional encoding", "multi-head attention"]).find(lines, groups=[0] * len(lines))
    assert {hit.term_index for hit in hits} == {0, 1}


def test_letter_spaced_words_are_found_whole() -> None:
    """'E D U C A T I O N' is the word, two blanks part words, and a row of letters that is no word is left alone."""
    texts = ["E D U C A T I O N", "see T E R M S  O F  U S E", "A B C D", "ef ﬁ"]
    found = TermMatcher(["education", "terms of use", "use", "bc"]).find(texts)
    assert [(hit.text_index, hit.term_index, texts[hit.text_index][hit.start : hit.end]) for hit in found] == [
        (0, 0, "E D U C A T I O N"),
        (1, 1, "T E R M S  O F  U S E"),
        (1, 2, "U S E"),
    ]


def test_a_word_cut_off_where_a_stretch_ends_is_no_word() -> None:
    """Around a divided word the text is searched again; where that stretch begins, 'advice' is not 'vice'."""
    texts = ["advice " * 60 + "a divided termi-", "nation " + "advice " * 60]
    for padding in range(8):
        shifted = ["x" * padding + " " + texts[0], texts[1]]
        hits = list(TermMatcher(["termination", "vice", "advic"]).find(shifted, groups=[0, 0]))
        assert [(hit.term_index, hit.text_index, hit.end_text_index) for hit in hits] == [(0, 0, 1)]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"\bnon-?renew\w*", "notice of Non-Renewal or nonrenewal", ["Non-Renewal", "nonrenewal"]),
        (r"\bresoluci[oó]n\b", "la RESOLUCIÓN y la resolucion", ["RESOLUCIÓN", "resolucion"]),
        (r"\bup to (?:a )?\d+ users\b", "up  to 50\u00a0users", ["up  to 50\u00a0users"]),
        (r"\bcôté\b", "CÔTÉ cote", ["CÔTÉ", "cote"]),
    ],
)
def test_patterns_run_on_the_folded_text(pattern: str, text: str, expected: list[str]) -> None:
    """Case, accents and runs of blanks do not matter to an expert's pattern; the find is given as it is written."""
    hits = TermMatcher([], patterns=[pattern]).find([text])
    assert [text[hit.start : hit.end] for hit in hits] == expected


def test_a_pattern_reads_on_over_line_ends_of_one_group_only() -> None:
    """A line end is a blank, a divided word is whole; between groups a pattern ends."""
    matcher = TermMatcher(["cap"], patterns=[r"limit(?:ed|ation) of liability", r"total liability"])
    hits = list(matcher.find(["the limita-", "tion of", "liability; total", "liability"], groups=[0, 0, 0, 1]))
    assert [(hit.term_index, hit.text_index, hit.end_text_index, hit.start, hit.end) for hit in hits] == [
        (1, 0, 2, 4, 9)
    ]


@pytest.mark.parametrize(
    ("pattern", "message"), [("(", "no regular expression"), ("a*", "empty text"), (r"\b", "empty text")]
)
def test_a_bad_pattern_is_refused(pattern: str, message: str) -> None:
    """What does not compile or is found everywhere is an error that names the pattern."""
    with pytest.raises(ValueError, match=message):
        TermMatcher([], patterns=[pattern])


def test_a_pattern_out_of_time_is_named() -> None:
    """Nothing is known of a pattern that never ends; the other terms are found all the same."""
    compiled = patterns.compile_pattern(r"(?:a|aa)+$")
    assert patterns.find_pattern(compiled, "a" * 5_000 + "b", seconds=0.01) is None


def read_by_recognition(terms: list[str], *texts: str) -> list[tuple[str, bool]]:
    """What is found in recognised texts, and whether it was approximate."""
    hits = TermMatcher(terms).find_in(SearchableText.of(texts, recognised=[True] * len(texts)))
    return [(texts[hit.text_index][hit.start : hit.end], hit.approximate) for hit in hits]


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("liability", "the liabllity and liability", [("liabllity", True), ("liability", False)]),
        ("termination", "TERRNINATION", [("TERRNINATION", True)]),
        ("governing law", "goveming law", [("goveming law", True)]),
        ("confidential", "c0nfidentia1 information", [("c0nfidentia1", True)]),
        ("cap on liability", "cap on liabi1ity", [("cap on liabi1ity", True)]),
        ("term", "the team", []),
        ("insurer", "the insured", []),
        ("fiduciary", "fiduclary, fiduclary and fiduclary", []),
        ("ID.AM-1", "ID.AM-l", []),
        ("indemnif*", "lndemnification", []),
    ],
)
def test_misread_words_of_recognised_pages(term: str, text: str, expected: list[tuple[str, bool]]) -> None:
    """A slip in a long word of a recognised page is mended and marked; codes, short and recurring words never are."""
    assert read_by_recognition([term], text) == expected


def test_misread_words_are_looked_for_on_recognised_pages_only() -> None:
    """On a native page a word is what it says; a word that stands there is no slip elsewhere either."""
    matcher = TermMatcher(["liability"])
    assert not len(matcher.find(["liabllity"]))
    text = SearchableText.of(["liabllity", "liabllity"], recognised=[True, False])
    assert not len(matcher.find_in(text))


def test_a_pattern_never_leaves_its_group() -> None:
    """'anything but a full stop' ends where a paragraph ends, and '^' and '$' are its beginning and end."""
    texts = ["liability is", "limited to EUR 5", "^next", "limited"]
    groups = [0, 0, 1, 2]
    matcher = TermMatcher([], patterns=[r"liability[^.]*", r"^limited$", r"\W+next"])
    hits = [(hit.term_index, hit.text_index, hit.end_text_index) for hit in matcher.find(texts, groups=groups)]
    assert hits == [(0, 0, 1), (2, 2, 2), (1, 3, 3)]
