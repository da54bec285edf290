# ruff: noqa: E501  # patterns are read whole, on one line
"""Dates as a contract states them: what each is the date of, and of which document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.generation.passages import Passage, Sentence
from pipeline.generation.proposal import ProposedSpan
from pipeline.values import find_values
from pipeline.values.date_orders import NumericDate, Order, find_unsure_dates, told_order
from pipeline.values.found import fold
from schemas.answer import ComputedInput, DateValue, Value

Owner = Literal["own", "other", "unknown"]
Governed = Literal["made", "start", "end", "none"]


def compile_words(pattern: str) -> re.Pattern[str]:
    """The pattern without regard to case; a blank in it stands for any number of blanks, as justified lines have."""
    return re.compile(re.sub(r" (?![*+?{])", " +", pattern), re.IGNORECASE)


LEAD = 320  # characters before a date in which its verb and its document are looked for: an opening names two parties
TAIL = 90  # characters after a date in which the name that it is given stands: '(the "Effective Date")'

DOCUMENT = r"agreement|contract|lease|licen[cs]e|deed|amendment|addendum|memorandum|letter|contrato|acuerdo|convenio|contrat|accord|convention|bail|avenant"
OWN_DATE = (
    r"dates? (?:last written|of (?:the )?last signature)|last date of signature|dates? (?:and year )?(?:first )?(?:(?:here(?:in)? ?)?above|set (?:forth|out)|written|hereof|of this|of the (?:agreement|contract|lease)|mentioned|appearing|indicated|stated|signed"
    r"|of (?:its |the |such )?(?:execution|signature|signing))|day and year (?:first|last|above)|date (?:on which|that) (?:this agreement|it) (?:is|was) (?:signed|executed)|execution date|agreement date"
    r"|(?:the )?(?:full )?(?:execution|signature|signing) (?:hereof|of this|date hereof)|(?:its|the) (?:date of )?(?:execution|signing|signature)\b|signing date|contract date"
    r"|(?:fecha|dia) (?:de(?:l| la| su)? ?(?:presente|este|contrato|firma|suscripcion)|de hoy|arriba|antes|del encabezamiento|indicad[ao] en el encabezamiento)|su (?:firma|suscripcion)|la firma"
    r"|date (?:des presentes|de (?:la |sa )?signature|du (?:present|contrat)|ci-dessus|indiquee)|sa signature|la signature"
)
_GOVERNING: tuple[tuple[Governed, str], ...] = (
    ("made", r"dated|date ?:|made|entered|executed|concluded|signed|firmad\w*|suscri\w*|celebra\w*|fechad\w*|signee?|conclue?|fait|otorga\w*|en fecha"),
    ("start", r"effective(?:ness)?|commenc\w*|begin\w*|start\w*|(?:in|into) (?:full )?force|take[sn]? effect|entr\w+ en vigor|entrada en vigor|surt\w+ efectos?|efectiv\w*|inici\w*|comenz\w*|comienz\w*|entr\w+ en vigueur|prend\w* effet|d'effet|a compter|a partir"),
    ("end", r"until|till|through|thru|expir\w*|terminat\w*|ends?|ending|hasta|venc\w*|finali\w*|termina\w*|jusqu'?\w*|prend\w* fin|echeance"),
)  # fmt: skip
_GOVERNED = compile_words("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _GOVERNING))
_NOUN = compile_words(rf"\b(?:{DOCUMENT})s?\b")
# Between a determiner and its noun stand no verb and no preposition in small letters: 'this proposal by letter'.
_PHRASE_ENDS = re.compile(
    r"[.;:]|\b(?:by|with|from|to|in|has|have|had|is|are|was|were|shall|will|at|pursuant|which|that|por|con|para|par|avec|pour|entre|between|among)\b"
)
_DETERMINER = compile_words(
    r"\b(?P<own>this|these|present\w*|este|esta|cet(?:te)?|ce|our|nuestro)\b|\b(?P<the>the|el|la|le|l')\b|\b(?P<other>that|certain|said|such|any|each|its|his|their|an?|un[ea]?|prior|previous|existing|original|master|underlying|other|both|dicho|citado|ledit|dit)\b"
)
_BRACKETS = re.compile(r"\([^()]*\)")
_RECITAL = compile_words(r"^[\W\d]*(?:whereas\b|reference is (?:hereby )?made|considerando|que,|attendu|considerant)")
_MONTHS = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)"
_GAP = r"(?:_{2,}|\[[ _•●*.]*\]|[•●]|\.{4,})"
_BLANK = compile_words(
    rf"{_GAP} ?(?:st|nd|rd|th)? ?(?:day of|de|dia)(?: {_MONTHS}| {_GAP}|[ ,])[ ,_\d\[\]•●*.]*|(?:this )?\d{{0,2}} ?(?:st|nd|rd|th)? ?day of {_GAP}[ ,_\d\[\]•●*.]*"
    rf"|\b{_MONTHS} ?(?:_+|\[[ _•●*.]*\]|[•●])[ ,]*(?:19|20)?[\d_\[\]•●*]*|\b{_MONTHS} , ?(?:19|20)\d\d|{_GAP} ?, ?(?:19|20)[\d_]{{0,2}}"
    rf"|day of ,? ?(?:19|20)\d\d|\bday of {_MONTHS},? ?(?:19|20)?(?:_|{_GAP})[\d_]*"
)
_SENTENCE_ENDS = re.compile(r"[.;:!?][\"'”)\]]{0,2}\s*\Z")
_DAY_BEFORE = compile_words(r"\d{1,2} ?(?:st|nd|rd|th)? ?(?:day )?(?:of )?$")
_MARKS = compile_words(
    r"/s/|\bby ?:|\bname ?:|\btitle ?:|_{8,}|\bsignature|\bsigned\b|\bfirma|\bcargo ?:|\bnombre ?:|\bnom ?:"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a passage; `flat` is as long as its words, without accents, white space as blanks."""

    passage: Passage
    sentence: Sentence
    flat: str

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line."""
        return self.passage.line_range(self.sentence.start, self.sentence.end)

    @property
    def span(self) -> ProposedSpan:
        """Its lines as a citation."""
        return ProposedSpan(self.passage.candidate.candidate_id, *self.lines)

    @property
    def page(self) -> int:
        """Page of its first line."""
        return self.passage.lines[self.passage.line_index(self.sentence.start)].page_num

    def written(self, start: int, end: int) -> str:
        """The document's own words from one offset of `flat` to another."""
        return self.passage.text[self.sentence.start + start : self.sentence.start + end]

    def made_input(self, name: str, value: Value) -> ComputedInput:
        """The value as an input of a computation, with the lines of the sentence."""
        first, last = self.lines
        return ComputedInput(name=name, value=value, line_start=first, line_end=last)

    @property
    def is_signature(self) -> bool:
        """True in a signature block, by the marks around it."""
        place = self.sentence
        near = self.passage.text[max(0, place.start - 160) : place.end + 160]
        return _MARKS.search(fold(near)) is not None


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a statement; `value` is None for a blank that is left for a pen, and where the order is not settled.

    `before` runs from the date before it, at most 320 characters, over sentence ends; `after` to the next date.
    `unsure` holds both readings of figures such as '7/1/98', `settled` the line of the document that tells which is meant.
    """

    value: DateValue | None
    statement: Statement
    start: int
    end: int
    before: str
    after: str
    unsure: NumericDate | None = None
    settled: ProposedSpan | None = None

    @property
    def caveat(self) -> str:
        """Both readings of a date in figures, and what settles it; empty for every other date."""
        if self.unsure is None:
            return ""
        readings = f"{self.unsure.month_first.iso.isoformat()} or {self.unsure.day_first.iso.isoformat()}"
        if self.value is None:
            return f"'{self.words}' may be read as {readings}; nothing in the passages tells which is meant."
        return f"'{self.words}' may be read as {readings}; the other line that is cited tells the order."

    @property
    def governed(self) -> Governed:
        """What the nearest verb before it makes it."""
        last: Governed = "none"
        for match in _GOVERNED.finditer(self.before):
            last = match.lastgroup  # type: ignore[assignment]
        return last

    @property
    def verb_distance(self) -> int:
        """Characters, brackets left out, between the noun for a contract before it and the nearest verb; 0: verb first."""
        plain = _BRACKETS.sub("", self.before)
        nouns, verbs = list(_NOUN.finditer(plain)), list(_GOVERNED.finditer(plain))
        return max(0, verbs[-1].start() - nouns[-1].end()) if nouns and verbs else 0

    @property
    def owner(self) -> Owner:
        """Of which document it is the date: this one, another one, or none that is named."""
        return owner_of(self.before)

    @property
    def is_recital(self) -> bool:
        """True where the sentence tells of what went before the contract."""
        return _RECITAL.match(self.statement.flat) is not None

    @property
    def words(self) -> str:
        """As the document writes it, on one line."""
        return " ".join(self.statement.written(self.start, self.end).split())


def read_statements(passages: Sequence[Passage]) -> tuple[Statement, ...]:
    """The sentences of the passages in the order of the document, each once; those of primary passages are kept."""
    kept: dict[tuple[int, int, str], Statement] = {}
    for passage in passages:
        for sentence in _whole(passage):
            flat = re.sub(r"\s", " ", fold(passage.text[sentence.start : sentence.end]))
            if not flat.strip():
                continue
            kept.setdefault(
                (*passage.line_range(sentence.start, sentence.end), flat), Statement(passage, sentence, flat)
            )
    return tuple(sorted(kept.values(), key=lambda one: (one.lines[0], one.sentence.start)))


def _whole(passage: Passage) -> list[Sentence]:
    """The sentences, each that was cut off at a line that looks like a row put together with what goes on behind it."""
    whole: list[Sentence] = []
    for sentence in passage.sentences:
        last = whole[-1] if whole else None
        opens_small = passage.text[sentence.start : sentence.start + 1].islower()
        is_open = last is not None and not _SENTENCE_ENDS.search(passage.text, last.start, last.end)
        is_torn = last is not None and "row" in (last.kind, sentence.kind) and last.kind not in ("heading", "caption")
        if last is not None and is_open and is_torn and sentence.kind in ("prose", "row") and opens_small:
            whole[-1] = Sentence(last.start, sentence.end, "prose", last.block, last.heading)
        else:
            whole.append(sentence)
    return whole


def find_mentions(statements: Sequence[Statement]) -> tuple[DateMention, ...]:
    """Dates and blanks for dates of the statements, in their order, each place once."""
    mentions: dict[tuple[int, int, str], DateMention] = {}
    told = _told_order(statements)
    for one in statements:
        text = one.passage.text[one.sentence.start : one.sentence.end]
        unsure = {each.start: each for each in find_unsure_dates(text)}
        places: list[tuple[int, int, DateValue | None]] = [
            (found.start, found.end, found.value)
            for found in find_values(text, "date")
            if isinstance(found.value, DateValue)
        ]
        places += [(at, each.end, each.read(told[0]) if told else None) for at, each in unsure.items()]
        taken = [(start, end) for start, end, _ in places]
        places += [
            (match.start(), match.end(), None)
            for match in _BLANK.finditer(one.flat)
            if not any(start < match.end() and match.start() < end for start, end in taken)
            and not (match.group(0)[:1].isalpha() and _DAY_BEFORE.search(one.flat[: match.start()]))
        ]
        places.sort(key=lambda place: place[:2])
        for at, (start, end, value) in enumerate(places):
            floor = one.sentence.start + places[at - 1][1] if at else 0
            ceiling = places[at + 1][0] if at + 1 < len(places) else len(one.flat)
            key = (*one.passage.line_range(one.sentence.start + start, one.sentence.start + end), one.flat[start:end])
            after = one.flat[end : min(ceiling, end + TAIL)]
            settled = told[1] if told is not None and start in unsure else None
            mention = DateMention(value, one, start, end, _lead(one, start, floor), after, unsure.get(start), settled)
            mentions.setdefault(key, mention)
    return tuple(mentions.values())


def _told_order(statements: Sequence[Statement]) -> tuple[Order, ProposedSpan] | None:
    """The order in which the passages write dates in figures, with the line that tells it; None where none does."""
    lines: dict[int, tuple[str, str]] = {}
    passages = {one.passage.candidate.candidate_id: one.passage for one in statements}
    for name, passage in passages.items():
        for line, text in zip(passage.lines, passage.text.split("\n"), strict=True):
            lines.setdefault(line.line_id, (name, text))
    ordered = sorted(lines.items())
    told = told_order([text for _, (_, text) in ordered])
    if told is None:
        return None
    line_id, (candidate_id, _) = ordered[told[1]]
    return told[0], ProposedSpan(candidate_id, line_id, line_id)


def owner_of(before: str) -> Owner:
    """Whose date or beginning the words before it tell: the nearest noun for a contract and what stands before it."""
    plain = _BRACKETS.sub(lambda match: " " * len(match.group(0)), before)
    nouns = list(_NOUN.finditer(plain))
    if not nouns:
        return "unknown"
    noun = nouns[-1]
    lead = plain[max(0, noun.start() - 90) : noun.start()]
    told = list(_DETERMINER.finditer(lead))
    if not told or _PHRASE_ENDS.search(lead[told[-1].end() :]):
        return "own" if not lead.strip() or noun.group(0).isupper() else "unknown"
    last = told[-1]
    if last.lastgroup == "the":
        return "own" if not lead[last.end() :].strip() and noun.group(0)[0].isupper() else "other"
    return "own" if last.lastgroup == "own" else "other"


def _lead(one: Statement, start: int, floor: int) -> str:
    """The flat text of the passage before a date, back to `floor`, a heading or the limit."""
    at = one.sentence.start + start
    first = one.sentence.start
    for above in reversed([each for each in one.passage.sentences if each.end <= first]):
        if above.kind in ("heading", "row") or at - above.start > LEAD:
            break
        first = above.start
    return re.sub(r"\s", " ", fold(one.passage.text[max(first, floor, at - LEAD) : at]))
