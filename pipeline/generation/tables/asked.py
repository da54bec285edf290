# ruff: noqa: E501  # patterns are read whole, on one line
"""What a question asks of a table: a line or a metric, for which periods, and how it is to be worked out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.generation.tables.formulas import Formula, FormulaError, Joined, Name, Operator, read_formula
from pipeline.generation.tables.metrics import Unit, definitions
from pipeline.generation.tables.periods import Period, find_periods
from pipeline.generation.tables.words import name_pattern, plain_words
from schemas.question import GenerationBrief

Way = Literal["value", "average", "growth", "difference", "cagr"]

_OWN = "the question's own definition"
MAX_YEARS = 12  # years of an average; a report shows five, a summary ten
_BODY = r"(?P<formula>.+?)(?=[.;](?:\s|$)|\?|$)"
_DEFINED = (
    re.compile(rf"(?:^|[.;:?]\s|,\s)(?P<name>[^.;:?,]{{2,60}}?)\s+(?:is|are)\s+(?:defined|calculated|computed)\s+as\s*:?\s+{_BODY}"),
    re.compile(rf"\b(?:define|calculate|compute)\s+(?P<name>[^.;:?,]{{2,60}}?)\s+as\s*:?\s+{_BODY}"),
    re.compile(rf"(?:^|[.;:?]\s)(?P<name>[^.;:?,]{{2,60}}?)\s+(?:se define como|se calcula como|est defini\w* comme|se calcule comme)\s*:?\s+{_BODY}"),
    re.compile(r"\((?:defined|calculated|computed) as\s*:?\s+(?P<formula>[^()]*(?:\([^()]*\)[^()]*)*)\)(?P<name>)"),
)  # fmt: skip
_OPENS = re.compile(r"\b(?:what|how (?:much|many)|which|cual|cuanto|cuantos|cuanta|quel|quelle|combien|by how)\b")
_STATEMENTS = re.compile(
    r"\b(?:the\s+)?(?:consolidated\s+)?(?:cash\s?flow statements?|statements? of (?:cash flows?|income|operations|earnings"
    r"|financial position)|income statements?|balance sheets?|p and l statement|p&l statement|p&l|profit and loss)\b"
)
_AVERAGE = re.compile(r"\b(?:(?:\d+|two|three|four|five)[- ]year\s+)?(?:average|mean|promedio|media|moyenne)\b")
_GROWTH = re.compile(
    r"\bgrowth\b|\bgrow\b|\bgrew\b|year[- ]over[- ]year|\byoy\b|(?:%|percent(?:age)?) (?:change|increase|decrease)"
    r"|\bcrecimiento\b|\bcroissance\b|\bcrecio\b"
)
_CHANGE = re.compile(
    r"\bchanged?\b|\bincreased?\b|\bdecreased?\b|\bdeclined?\b|\bdifference\b|\bvariacion\b|\bvariation\b|\bdrop(?:ped)?\b"
)
_CAGR = re.compile(r"\bcagr\b|compound(?:ed)? annual")
_SHARE_OF = re.compile(
    r"\bas an? (?:%|percent|percentage|share|proportion) of\b|\bcomo porcentaje de\b|\ben pourcentage d(?:e|u)\b"
)
_RATIO_OF = re.compile(r"\bratio of (?P<a>.+?) to (?P<b>.+)")
_RANGE = re.compile(r"\s*(?:-|–|—|to|through|until|a|hasta|au|y|and|et)\s*(?:the\s+)?(?:end of\s+)?")
_SIGNS: dict[str, Operator] = {"less": "-", "minus": "-", "plus": "+", "menos": "-", "moins": "-", "mas": "+"}
_PERCENT = re.compile(r"%|\bpercent|\bpct\b|\bpor ciento|\bporcentaje|\bpour cent|\bpourcentage")
_TELLS = re.compile(r"\b(?:calculate|compute|determine|calcular|calcula|calculer|calculez)\b")
# Words beside a line's name that make it no other line.
_PLAIN = frozenset(
    ["amount", "amounts", "value", "values", "total", "net", "consolidated", "reported", "unadjusted", "annual", "yearly", "year", "years", "end", "ended", "ending", "fiscal", "full", "company", "companies", "group", "firm", "corporation", "usd", "eur", "gbp", "dollars", "million", "millions", "billion", "billions", "thousand", "thousands", "report", "reported", "state", "give", "answer", "pay", "paid", "pays", "out", "generate", "generated", "earn", "earned", "make", "made", "spend", "spent", "cash", "have", "had", "has", "record", "recorded", "much", "many", "many", "three", "two", "four", "five", "average", "mean", "from", "between", "rate", "ratio", "margin", "percent", "percentage", "percents", "units", "unit", "terms", "level", "figure", "number", "share", "using", "basis", "compute", "calculated", "calculate", "extract", "metric", "over", "change", "changed", "growth", "grow", "grew", "increase", "increased", "decrease", "decreased", "year-over-year", "yoy", "compound", "annual", "cagr", "end", "start", "beginning", "during", "period", "quarter", "quarters", "first", "second", "third", "fourth", "months", "nine", "six", "respect", "term", "approximately", "exact", "shown", "statement", "line", "items", "item", "please", "cual", "cuanto", "importe", "ejercicio", "total", "neto", "quel", "quelle", "montant", "exercice", "millones", "millions", "euros", "dolares"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """`entities` are words with a capital beside the line's name: the company, or a row of another table.

    `rest` are words that may make the line another one; with any of them no line of a statement is the answer.
    """

    formula: Formula
    name: str
    way: Way
    periods: tuple[Period, ...]
    unit: Unit | None
    source: str
    defined: Mapping[str, Formula] = field(default_factory=dict)
    entities: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()

    @property
    def is_line(self) -> bool:
        """True for a line of a statement as it stands."""
        return self.way == "value" and isinstance(self.formula, Name) and self.formula.words in definitions().items


def read_asked(brief: GenerationBrief) -> Asked | None:
    """What is asked of the lines of statements; None for a question that names none of them, or several at once."""
    text = " ".join(folded_text(brief.question).split())
    asked = _read(text, core_of(text), brief)
    if asked is not None and not asked.rest:
        return asked
    for sentence in re.split(r"(?<=[.?!;])\s+", text):  # 'How many times was it sold? Calculate inventory turnover.'
        if _TELLS.match(sentence):
            told = _read(text, sentence, brief)
            is_metric = (
                told is not None and isinstance(told.formula, Name) and told.formula.words in definitions().metrics
            )
            if told is not None and is_metric and not told.rest:
                return told
    return asked


def core_of(text: str) -> str:
    """The sentence that asks, from its question word on."""
    sentences = re.split(r"(?<![.\s][a-z]\.)(?<=[.?!])\s+", text)
    asking = [sentence for sentence in sentences if "?" in sentence] or sentences[:1]
    opened = _OPENS.search(asking[-1])
    return asking[-1][opened.start() :] if opened else asking[-1]


def _read(text: str, core: str, brief: GenerationBrief) -> Asked | None:
    defined = _read_definitions(text)
    named = f"{_without_brackets(core)} {' '.join(_acronyms(core))}"
    periods = find_periods(named)
    words = plain_words(_STATEMENTS.sub(" ", _cut(named, periods)))
    words = " ".join(word for word in words.split() if word != "%") if not _SHARE_OF.search(named) else words
    target = _target(words, defined, _STATEMENTS.sub(" ", _cut(named, periods)))
    if target is None:
        return None
    formula, name, unit, source, used = target
    way, chosen = _way(named, periods, brief, unit)
    left = words
    for start, end in sorted(used, reverse=True):
        left = f"{left[:start]} {left[end:]}"
    entities, rest = _left(left, brief.question)
    if way in ("growth", "cagr"):
        unit = "percent"
    elif unit == "percent" and source == _OWN and not _PERCENT.search(text):
        unit = "ratio"  # a quotient that the question defines and does not ask for in percent
    return Asked(formula, name, way, chosen, unit, source, defined, entities, rest)


def _read_definitions(text: str) -> dict[str, Formula]:
    """Formulas that the question defines, by the plain words of what they define; '' for the metric asked itself."""
    found: dict[str, Formula] = {}
    for pattern in _DEFINED:
        for match in pattern.finditer(text):
            name = re.sub(r"^(?:the|here|where|and)\s+", "", plain_words(match["name"] or ""))
            try:
                found.setdefault(name, read_formula(match["formula"]))
            except FormulaError:
                continue
    return found


def _without_brackets(text: str) -> str:
    return re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", " ", text)


def _acronyms(text: str) -> list[str]:
    return re.findall(r"\(([a-z&]{2,8})\)", text)


def _cut(text: str, periods: list[tuple[int, int, Period]]) -> str:
    for start, end, _ in reversed(periods):
        text = f"{text[:start]} {text[end:]}"
    return text


_Target = tuple[Formula, str, Unit | None, str, list[tuple[int, int]]]


def _target(words: str, defined: Mapping[str, Formula], raw: str) -> _Target | None:
    """Formula, name, unit, source of the definition, and the places of its names in `words`."""
    own = [name for name in defined if name and name_pattern(name).search(words)]
    signed = definitions()
    places = signed.named(words)
    known = [key for _, _, key in places if key in signed.metrics]
    joined = _joined(words, places)
    if joined is not None:
        return joined
    if own or "" in defined:
        name = max(own, key=len) if own else ""
        called = signed.metrics[known[0]] if known else None
        found = name_pattern(name).search(words) if name else None
        used = [found.span()] if found else []
        used += [(start, end) for start, end, _ in places]
        meant = called.unit if called else _unit_of_name(name or words)
        if called is not None and not _means_same(name, known[0]):
            return Name(known[0]), called.name, called.unit, called.source, used  # 'EBITDA margin', EBITDA defined
        return defined[name], called.name if called else name, meant, _OWN, _apart(used)
    shared = _shared(places, raw)
    if shared is not None:
        return shared
    keys = list(dict.fromkeys(key for _, _, key in places))
    if len(keys) != 1:
        return None
    used = [(start, end) for start, end, _ in places]
    if keys[0] in signed.metrics:
        metric = signed.metrics[keys[0]]
        return Name(keys[0]), metric.name, metric.unit, metric.source, used
    item = signed.items[keys[0]]
    if re.search(r"\bmargin\b", words) and item.kind == "money" and keys[0] != "gross_profit":
        over = Joined("/", Name(keys[0]), Name("revenue"))
        return over, f"{item.name} as a share of revenue", "percent", "the line over revenue", used
    return Name(keys[0]), item.name, None if item.kind != "money" else "money", "", used


def _shared(places: list[tuple[int, int, str]], raw: str) -> _Target | None:
    """'X as a percentage of Y' and 'the ratio of X to Y', where both are known."""
    signed = definitions()
    is_share = _SHARE_OF.search(raw) is not None
    if not is_share and not _RATIO_OF.search(raw):
        return None
    if len(places) != 2:
        return None
    (first, second) = (key for _, _, key in places)
    names = [(signed.items.get(key) or signed.metrics[key]).name for key in (first, second)]
    used = [(start, end) for start, end, _ in places]
    name = f"{names[0]} as a share of {names[1]}" if is_share else f"{names[0]} to {names[1]}"
    unit: Unit = "percent" if is_share else "ratio"
    return Joined("/", Name(first), Name(second)), name, unit, "one line over the other", used


def _joined(words: str, places: list[tuple[int, int, str]]) -> _Target | None:
    """Two names with 'less', 'minus' or 'plus' between them: 'EBITDA less capital expenditures'."""
    if len(places) != 2:
        return None
    (_, end, first), (start, _, second) = places
    sign = _SIGNS.get(words[end:start].strip())
    if sign is None:
        return None
    signed = definitions()
    names = [(signed.items.get(key) or signed.metrics[key]).name for key in (first, second)]
    used = [(place[0], place[1]) for place in places] + [(end, start)]
    name = f"{names[0]} {words[end:start].strip()} {names[1]}"
    return Joined(sign, Name(first), Name(second)), name, None, "as the question puts it", used


def _means_same(name: str, key: str) -> bool:
    metric = definitions().metrics[key]
    return not name or any(name_pattern(one).fullmatch(name) for one in metric.asked) or metric.key == name


def _apart(used: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places that do not overlap, the longest kept."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(used, key=lambda one: one[0] - one[1]):
        if all(end <= other[0] or other[1] <= start for other in kept):
            kept.append((start, end))
    return kept


def _unit_of_name(words: str) -> Unit | None:
    if re.search(r"\bdays\b|\bdpo\b|\bdio\b|\bdso\b|\bcycle\b", words):
        return "days"
    if re.search(r"\bmargin\b|\bpercent|\brate\b|%", words):
        return "percent"
    return None


def _way(
    core: str, periods: list[tuple[int, int, Period]], brief: GenerationBrief, unit: Unit | None
) -> tuple[Way, tuple[Period, ...]]:
    """How it is worked out, and for which periods: the years of a range one by one for an average, its ends for growth."""
    told = [period for _, _, period in periods]
    ranged = len(periods) > 1 and any(_RANGE.fullmatch(core[one[1] : other[0]]) for one, other in pairwise(periods))
    years = sorted(dict.fromkeys(told))
    if _CAGR.search(core) and len(years) > 1:
        return "cagr", (years[0], years[-1])
    if _AVERAGE.search(core) and len(years) > 1:
        first, last = years[0], years[-1]
        if ranged and first.span == last.span == "year" and last.year - first.year < MAX_YEARS:
            return "average", tuple(Period(year) for year in range(first.year, last.year + 1))
        return "average", tuple(years)
    grows, changes = _GROWTH.search(core), _CHANGE.search(core)
    if (grows or changes) and years and (len(years) > 1 or grows or changes):
        ends = (years[0], years[-1]) if len(years) > 1 else (years[0].before(), years[0])
        in_percent = brief.answer_type == "percentage" or grows is not None
        return ("growth" if in_percent and unit != "percent" else "difference"), ends
    return "value", tuple(dict.fromkeys(told))


def _left(words: str, question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is left of the question's words: those with a capital or a digit, and those that may change the meaning."""
    capitals = {plain_words(word) for word in re.findall(r"[^\s]*[A-Z0-9][^\s]*", question)}
    capitals = {word for joined in capitals for word in joined.split()}
    entities: list[str] = []
    rest: list[str] = []
    for word in words.split():
        if word in ALL_STOP_WORDS or word in _PLAIN or len(word) < 2 or word.isdigit():
            continue
        (entities if word in capitals else rest).append(word)
    return tuple(dict.fromkeys(entities)), tuple(dict.fromkeys(rest))
