"""The parties of a contract: from the words that name them at its beginning, else from its signature block.

'between X Inc. (“Supplier”) and Y Ltd. (“Buyer”)', '(1) X; (2) Y', 'Party A: X', or an opening without 'between'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.generation.handed import Block, read_blocks
from pipeline.generation.party_names import Named, read_names, region_end, two_of
from pipeline.generation.party_words import (
    ALIAS,
    BETWEEN,
    BLANK,
    COLUMN,
    FORM,
    INSTITUTION,
    LABELLED,
    MADE,
    NO_PARTY,
    OTHER,
    PARTIES_HEADING,
    QUOTES,
    REDACTED,
    RULE,
    SEAT,
)
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.signatures import read_signatures
from pipeline.generation.topic import Topic
from pipeline.generation.unnamed_parties import find_labelled, find_unnamed
from pipeline.scope.parties import find_party, name_parties
from pipeline.values import find_values
from schemas.values import Party, TextValue

REACH = 4_000  # characters after 'between' in which the parties are named: a page
OPENING_PAGES = 10  # a cover and a long table of contents may stand before the sentence that names the parties
MAX_PROPER_WORDS = 5  # words of a name without a legal form: a person, a trade name
MAX_PARTIES = 40  # parties; more are a list of something else
SIDE_REACH = 200  # characters behind the words that name parties in which a side is told that they do not name
NAME_LINES = 6  # lines from a name to its short name: an address stands between
ALIAS_REACH = 900  # characters from the start of a paragraph in which two short names make it the opening one
MAX_BRIDGED = 1  # lines that were not handed over between two that were: an 'and' on a line of its own
LABEL_PAGES = 2  # pages on which lines 'Party A: X' name the parties of a contract

_OPENING = "the words that name the parties"
_BRACKET = re.compile(r"\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True, slots=True)
class _Read:
    """A party with its place: `block.text[start:end]` is the name, `until` where what is said of it ends."""

    block: Block
    start: int
    end: int
    until: int
    role: str | None
    is_unnamed: bool = False  # the words only say who it is: 'the company set forth below'

    @property
    def name(self) -> str:
        return " ".join(RULE.sub(" ", self.block.text[self.start : self.end]).split()).strip(' ,;:“”"*_')


def asks_parties(topic: Topic) -> bool:
    """True for a question after the parties of the contract, the one with a role, or its address."""
    concepts = topic.brief.concepts
    return bool(concepts) and concepts[0].concept_id == "parties" and topic.brief.answer_type in ("party", "address")


def find_parties(passages: Sequence[Passage], topic: Topic | None = None) -> Draft:
    """Each party with the lines it stands in and the role that the document gives it; empty where they are not named.

    Complete when two or more were read from one place. Of a question that names a role ('Who is the buyer?') only the
    party with that role; empty with a caveat where none has it.
    """
    blocks = read_blocks(passages, bridge=MAX_BRIDGED)
    parties, source = _read_parties(blocks)
    if len(parties) < 2:
        return Draft(())
    caveats = tuple(
        f"The name of the side called {one.role!r} is left open where the parties are named."
        for one in parties
        if one.is_unnamed
    )
    parties = [one for one in parties if not one.is_unnamed]
    proposals = [_proposal(one) for one in parties]
    asked = _asked_role(topic)
    if asked is not None:
        return _of_role(parties, proposals, asked, topic.brief.answer_type if topic is not None else "party")
    if caveats:
        return Draft(tuple(proposals), caveats=caveats, is_partial=True)
    told = f"all names of {source}"
    return Draft(tuple(proposals), ends=True if source == _OPENING else None, completeness_reason=told)


def _asked_role(topic: Topic | None) -> str | None:
    """The one role that the question asks after; None where it asks after all parties."""
    if topic is None or topic.brief.answer_shape != "single" or len(topic.brief.filters.parties) != 1:
        return None
    return topic.brief.filters.parties[0]


def _of_role(parties: Sequence[_Read], proposals: Sequence[Proposal], asked: str, wanted: str) -> Draft:
    """The party with the role, or the address that is said of it."""
    at = find_party(asked, name_parties((one.name, one.role) for one in parties))
    if at is None:
        told = "; ".join(f"{one.name} ({one.role})" if one.role else one.name for one in parties)
        return Draft((), caveats=(f"The document calls no single party {asked!r}; its parties are: {told}.",))
    return _address_of(parties[at]) if wanted == "address" else Draft((proposals[at],))


def _address_of(one: _Read) -> Draft:
    """The postal address in what is said of the party where it is named; with a caveat where it is said in part."""
    text = one.block.text[one.end : one.until]
    named = find_values(text, "address")
    if named:
        start, end = one.end + named[0].start, one.end + named[0].end
        spans = one.block.spans(one.start, end)
        return Draft((Proposal(named[0].value, spans, one.block.text[start:end], "rules", "verbatim", one.role),))
    told = SEAT.search(text)
    if told is None:
        return Draft((), caveats=(f"No address is said of {one.name} where the parties are named.",))
    words = " ".join(told["seat"].split()).strip(" ,;")
    spans = one.block.spans(one.start, one.end + told.end("seat"))
    caveat = f"What locates {one.name} is no whole postal address; it is given as it stands."
    proposal = Proposal(TextValue(text=words), spans, words, "rules", "verbatim", one.role)
    return Draft((proposal,), caveats=(caveat,), is_partial=True)


def _read_parties(blocks: Sequence[Block]) -> tuple[list[_Read], str]:
    """The parties and where they were read: the best of what the beginning names, else who signs."""
    opening = [
        reading
        for read in (_after_between, _in_paragraph, _labelled)
        for reading in read(blocks)
        if 2 <= len(reading) <= MAX_PARTIES and _holds(reading)
    ]
    with_roles = [one for one in opening if sum(party.role is not None for party in one) >= 2]
    if opening:
        return (with_roles or opening)[0], _OPENING
    signed = [_Read(block, one.start, one.end, one.end, one.role) for block, one in read_signatures(blocks)]
    return signed, "the signature block, as far as it was handed over"


def _holds(reading: Sequence[_Read]) -> bool:
    """True where two are surely parties, or one of just two and the other is a name as well."""
    sure = sum(map(_is_sure, reading))
    return sure >= 2 or (sure == 1 and len(reading) == 2 and all(map(_is_sure_or_proper, reading)))


def _is_sure_or_proper(one: _Read) -> bool:
    words = one.name.split()
    return _is_sure(one) or (1 < len(words) <= MAX_PROPER_WORDS and all(word[0].isupper() for word in words))


def _is_sure(one: _Read) -> bool:
    """True for a name with a role, a legal form or a word such as 'Bank'; any words can stand between 'and's."""
    return one.role is not None or FORM.search(one.name) is not None or INSTITUTION.search(one.name) is not None


def _after_between(blocks: Sequence[Block]) -> Iterator[list[_Read]]:
    """What stands after each 'between' of the first pages that opens the names of parties."""
    for block in blocks:
        starts = [*BETWEEN.finditer(block.text), *PARTIES_HEADING.finditer(block.text)]
        for opening in sorted(starts, key=lambda one: one.start()):
            if block.lines[block.line_index(opening.start())].page_num > OPENING_PAGES:
                return
            before = block.text[max(0, opening.start() - 400) : opening.start()]
            if OTHER.search(_BRACKET.sub(" ", before)) or not (MADE.search(before) or _is_alone(block, opening)):
                continue
            until = min(len(block.text), opening.end() + REACH)
            names = read_names(block.text, opening.end(), until)
            sides = _open_sides(block, opening.end(), until) if len(names) < 2 else []
            names = names if len(names) != 1 or sides else two_of(block.text, names[0])
            yield [*_distinct(_reads(block, names)), *sides]


def _open_sides(block: Block, start: int, until: int) -> list[_Read]:
    """The sides that are not named after 'between': by the name that a line gives their role, else as left open."""
    sides = []
    end = min(until, region_end(block.text, start, until) + SIDE_REACH)  # 'set forth below' ends what names a party
    for side in find_unnamed(block.text, start, end):
        named = find_labelled(block.text, side.role)
        if named is None:
            sides.append(_Read(block, side.start, side.end, side.end, side.role, is_unnamed=True))
        else:
            sides.append(_Read(block, *named, named[1], side.role))
    return sides


def _is_alone(block: Block, opening: re.Match[str]) -> bool:
    """True for 'BETWEEN:' on a line of its own."""
    return (
        block.line_text(block.line_index(opening.start())).strip(" :,").casefold()
        == opening.group().strip(" :,\n").casefold()
    )


def _in_paragraph(blocks: Sequence[Block]) -> Iterator[list[_Read]]:
    """A paragraph of the first pages that gives two or more their short names, without 'between'."""
    for block in blocks:
        if block.lines[0].page_num > OPENING_PAGES:
            return
        aliases = [one for one in ALIAS.finditer(block.text) if not NO_PARTY.search(one["role"] or one["code"])]
        if len(aliases) < 2 or aliases[1].start() - aliases[0].start() > ALIAS_REACH:
            continue
        first = _first_line(block, aliases[0].start())
        start = block.starts[first]
        names = read_names(block.text, start, min(len(block.text), start + REACH))
        if all(one.role is not None or FORM.search(one.name(block.text)) for one in names):
            yield _distinct(_reads(block, names))


def _first_line(block: Block, alias: int) -> int:
    """The line on which the first name begins: the nearest with a legal form, else that of the paragraph."""
    at = block.line_index(alias)
    for line in range(at, max(at - NAME_LINES, -1), -1):
        held = block.text[block.starts[line] : min(block.ends[line], alias)]
        text = re.sub(r"\([^()]*\)?", " ", held)  # '(the “Company”)' is no legal form
        if any(form.group()[0].isupper() for form in FORM.finditer(text)):  # nor is 'a Nevada corporation'
            return line
    while at > 0 and not _ends_above(block.line_text(at - 1)):
        at -= 1
    return at


def _ends_above(line: str) -> bool:
    """True for a heading or the end of a paragraph: what follows begins anew."""
    text = line.strip()
    return not text or text.isupper() or text[-1] in ".:" or len(text) < 40


def _labelled(blocks: Sequence[Block]) -> Iterator[list[_Read]]:
    """Lines 'Party A: X' or 'Buyer: Y' of the first pages."""
    for pattern in (LABELLED, COLUMN):
        found: dict[str, _Read] = {}
        for block in blocks:
            for match in pattern.finditer(block.text):
                if block.lines[block.line_index(match.start())].page_num > LABEL_PAGES:
                    break
                name = re.split(r"\s\(|,\s(?=an?\s)|;|\swhose\s", match["name"])[0].rstrip()
                if pattern is LABELLED or FORM.search(name):
                    end = match.start("name") + len(name)
                    found.setdefault(match["role"], _Read(block, match.start("name"), end, match.end(), match["role"]))
        yield list(found.values())


def _reads(block: Block, names: Sequence[Named]) -> list[_Read]:
    """The named parties; a blank with a short name is a side left open, one without is nothing."""
    read = [_Read(block, one.start, one.end, one.until, one.role) for one in names]
    open_ones = [one for one in read if BLANK.fullmatch(one.name) is not None]
    return [
        replace(one, is_unnamed=True) if one in open_ones else one
        for one in read
        if one not in open_ones or one.role is not None
    ]


def _distinct(parties: Sequence[_Read]) -> list[_Read]:
    """Each name once; one with a role goes before the same without."""
    found: dict[str, _Read] = {}
    for one in parties:
        key = one.name.casefold() if REDACTED.search(one.name) is None else f"{one.name} {one.role}"
        if key not in found or (found[key].role is None and one.role is not None):
            found[key] = one
    return list(found.values())


def _proposal(one: _Read) -> Proposal:
    until = one.end if one.role is None else _role_end(one)
    forms = [match.group() for match in FORM.finditer(one.name)]
    role = one.role if one.role is not None and one.role.casefold() != one.name.casefold() else None
    value = Party(name=one.name, legal_form=forms[-1] if forms else None, role=role, original=one.name)
    start = _role_start(one)
    return Proposal(value, one.block.spans(min(start, one.start), until), one.name, "rules", "verbatim", one.role)


def _role_end(one: _Read) -> int:
    """End of the words that give the role: where they stand in quotation marks, if anywhere."""
    words = r"\s+".join(re.escape(word) for word in (one.role or "").split())
    reach = max(one.until, one.end) + REACH
    quoted = re.compile(rf"{QUOTES}\s?(?:(?:the|el|la|le|los|las|les)\s+|l['’])?{words}", re.IGNORECASE)
    match = quoted.search(one.block.text, one.end, reach)
    if match is None and _role_start(one) < one.start:
        return one.end  # a label before the name: 'Party A: X'
    match = match or re.compile(words).search(one.block.text, one.end, reach)
    return match.end() if match is not None else one.end


def _role_start(one: _Read) -> int:
    """Start of a role that stands before the name: 'Party A: X'."""
    line = one.block.starts[one.block.line_index(one.start)]
    return line if one.role is not None and one.role in one.block.text[line : one.start] else one.start
