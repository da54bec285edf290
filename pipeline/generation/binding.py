# ruff: noqa: E501  # patterns are read whole, on one line
"""Which of several values is the one asked for: each is bound to the words of its own part of the sentence.

'insurance of $1 million, and cyber insurance of $5 million': a value answers with what its own part says, what the
sentence says of all of them, and, where its part names nothing, with what the part before it names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.generation.marks_asked import Asked, flat, marks_of, periods_of, times_of
from pipeline.generation.topic import Topic
from pipeline.values import same_value
from schemas.answer import Amount, Percentage, Value

PRECISE = 2  # weight of a word with a digit, and of a period or bound that is asked for; of other words 1
SAID = 4  # weight of a value that the question itself states: 'if annual spend exceeds $400,000'

_CONJUNCTIONS = r"and|or|but|plus|y|o|e|pero|et|ou|mais"
# Where a sentence goes on to its next value, the strongest first.
_CUTS = (
    re.compile(r";|\.\s"),
    re.compile(
        rf",\s*(?:{_CONJUNCTIONS})\s|\s\(?[a-z]\)\s|,\s*(?:soit|con|with|increasing|rising|decreasing|falling|reduced)\s"
    ),
    re.compile(rf"\s(?:{_CONJUNCTIONS}|soit|increasing|rising|decreasing|falling)\s"),
    re.compile(r",\s"),
)
_VERB = re.compile(
    r"\b(?:(?:shall|will|must|may|can|agrees to)\s+(?:not\s+)?(?:be\s+)?[a-z]+|is|are|was|were|be|es|son|sera|seran|est|sont|sera|seront|paga|pagara|abonara|mantendra|verse|versera|paie|pays?|insures?|bears?|grants?|provides?)\b"
)
_DETERMINER = re.compile(r"\b(?:an?|the|its|their|un|una|el|la|los|las|su|une|le|les|des|sa|son)\b|\bl'")
# Words before a value that measure it or say how it moves, and name nothing.
_MEASURING = frozenset(
    [
        *("least", "most", "more", "less", "maximum", "minimum", "total", "sum", "amount", "rate", "equal", "about"),
        *("increasing", "rising", "decreasing", "falling", "reduced", "increased", "thereafter", "then", "further"),
        *("additional", "not", "exceed", "exceeding", "limited", "capped", "within", "approximately", "namely"),
        *("maximo", "minimo", "maxima", "minima", "importe", "total", "hasta", "cantidad", "despues", "luego"),
        *("soit", "montant", "somme", "moins", "plus", "environ", "puis", "ensuite", "maximal", "minimal"),
    ]
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_FOR = re.compile(r"\b(?:for|para|pour)\s+(?:the\s+|el\s+|la\s+|le\s+|les\s+|los\s+|las\s+)?(?P<word>[a-z]{3,})\b")
_NEGATIONS = ("un", "non", "non-", "in", "no")  # before a word: 'undisputed' is the contrary of 'disputed'
# Parts of a thing, named by its word: 'two sub-layers' are no layers.
_PART_PREFIXES = ("sub", "co", "semi", "pre", "post", "non", "inter", "multi", "micro", "mini")


@dataclass(frozen=True, slots=True)
class Part:
    """What a sentence says of one of its values: in its own words, by what it takes over, and beside the value itself."""

    own: str
    taken: str
    other: str  # said of another value of the sentence alone

    @property
    def words(self) -> str:
        """All that is said of the value."""
        return f"{self.own} {self.taken}"


@dataclass(frozen=True, slots=True)
class Bond:
    """How well a value is bound to what was asked.

    `lacking` are words of the question that its part does not say and another part of the sentence does; `contrary` is
    what its part says instead of a qualifier that was asked for ('agency fee' for 'arrangement fee'), else empty;
    `other_period` the period that it is for where another was asked ('month' for 'per year'), else empty.
    """

    weight: int = 0
    lacking: tuple[str, ...] = ()
    contrary: str = ""
    other_period: str = ""


def parts_of(text: str, values: Sequence[tuple[int, int]]) -> list[Part]:
    """One part for each value of a sentence, in the order given (that of the text); the values' own characters are blank."""
    if not values:
        return []
    folded = flat(text)
    if len(folded) != len(text):
        folded = text.casefold()
    blank = list(folded)
    for start, end in values:
        blank[start:end] = " " * (end - start)
    said = "".join(blank)
    edges = [0]
    for (_, end), (start, _) in pairwise(values):
        edges.append(_cut(folded, end, start))
    edges.append(len(text))
    stretches = [said[first:last] for first, last in pairwise(edges)]
    named_from = _noun_start(said[: values[0][0]])
    shared, named = said[:named_from], said[named_from : values[0][0]]
    parts: list[Part] = []
    for number, (start, _) in enumerate(values):
        lead = said[edges[number] : start]
        taken = ""
        if number:
            if not _names(lead):
                taken = f"{shared} {named}"
            elif not _VERB.search(lead) and ";" not in folded[values[number - 1][1] : start]:
                taken, named = shared, lead
            else:
                named = lead
        other = " ".join(stretch for at, stretch in enumerate(stretches) if at != number)
        parts.append(Part(stretches[number], taken, other))
    return parts


def bond_of(part: Part, value: Value, topic: Topic, asked: Asked) -> Bond:
    """How well the part of a value says what was asked."""
    words = [word for word in topic.words if word not in asked.said_by_marks]
    missing = set(topic.lacks(words, part.words))
    weight = sum(PRECISE if any(c.isdigit() for c in word) else 1 for word in words if word not in missing)
    elsewhere = set(words) - set(topic.lacks(words, part.other))
    lacking = tuple(word for word in words if word in missing and word in elsewhere)
    marks = marks_of(part.words)
    weight += PRECISE * len(asked.bounds & marks)
    lacking += tuple(sorted(bound for bound in asked.bounds - marks if bound in marks_of(part.other)))
    other_period = ""
    if asked.periods and isinstance(value, Amount | Percentage):
        own = periods_of(value.basis or "") or periods_of(part.own) or periods_of(part.taken)
        weight += PRECISE * len(asked.periods & own)
        if own and not asked.periods & own:
            other_period = min(own)
            weight += 1 if times_of(min(asked.periods), other_period) is not None else -PRECISE
    if any(same_value(given, one) for one in asked.values_in(part.own) for given in asked.values):
        weight, lacking = weight + SAID, ()  # 'if it exceeds $400,000' stands for the spend that was named before
    beyond = [word for word in topic.own_words if word in missing]  # what chose the concept is proven by its terms
    contrary = _negated(words, part.words) or _instead(topic, beyond, part.words)
    contrary = contrary or _for_another(topic, [word for word in words if word in missing], part.own)
    return Bond(weight, lacking, contrary, other_period)


def _cut(folded: str, end: int, start: int) -> int:
    """Where, between two values, the sentence goes on to the second."""
    gap = folded[end:start]
    for pattern in _CUTS:
        matches = list(pattern.finditer(gap))
        if matches:
            return end + matches[-1].start()
    return end


def _noun_start(lead: str) -> int:
    """Where the words begin that name the first value alone; what stands before is said of all values."""
    verb = max((match.end() for match in _VERB.finditer(lead)), default=0)
    return max([verb, *(match.start() for match in _DETERMINER.finditer(lead) if match.start() >= verb)])


def _names(lead: str) -> bool:
    """True where the words before a value name what it is of."""
    return any(
        len(word) > 1 and word not in ALL_STOP_WORDS and word not in _MEASURING and not word.isdigit()
        for word in _WORD.findall(lead)
    )


def _negated(words: Sequence[str], said: str) -> str:
    """The contrary of a word asked for, where it stands and the word does not: 'undisputed'."""
    tokens: set[str] = set(_WORD.findall(said))
    for word in words:
        if word in tokens or len(word) < 4:
            continue
        for token in sorted(tokens):
            if any(token in (prefix + word, f"{prefix}{word}s") for prefix in _NEGATIONS):
                return token
    return ""


def _instead(topic: Topic, missing: Sequence[str], said: str) -> str:
    """'agency fee' where 'arrangement fee' was asked for and no word of the part says 'arrangement'."""
    asked: list[str] = _WORD.findall(folded_text(topic.brief.question))
    tokens: list[str] = _WORD.findall(said)
    for qualifier, head in pairwise(asked):
        if qualifier not in missing or head not in topic.words or len(head) < 3:
            continue
        found = [at for at, token in enumerate(tokens) if token in (head, head + "s", head.removesuffix("s"))]
        others = [
            tokens[at - 1]
            for at in found
            if at and tokens[at - 1] not in ALL_STOP_WORDS and not tokens[at - 1].isdigit() and len(tokens[at - 1]) > 2
            and tokens[at - 1] not in topic.words and tokens[at - 1] not in _MEASURING and not _VERB.fullmatch(tokens[at - 1])
        ]  # fmt: skip
        if found and len(others) == len(found):
            return f"{others[0]} {head}"
    return ""


def _for_another(topic: Topic, missing: Sequence[str], own: str) -> str:
    """'for fire' where 'for theft' was asked for: what the part says that its value is for."""
    asked = [match["word"] for match in _FOR.finditer(folded_text(topic.brief.question))]
    if not any(word in missing for word in asked) or any(word not in missing for word in asked):
        return ""
    said = [match["word"] for match in _FOR.finditer(own) if match["word"] not in ALL_STOP_WORDS]
    return f"for {said[0]}" if said else ""


def is_part_of(word: str, token: str) -> bool:
    """True for a word that names a part of what another names: 'sub-layers' of 'layers'."""
    return any(token in (f"{prefix}-{word}", f"{prefix}{word}") for prefix in _PART_PREFIXES)
