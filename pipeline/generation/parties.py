# ruff: noqa: E501  # patterns are read whole, on one line
"""The parties of a contract: from the words that name them at its beginning, else from its signature block.

'between X Inc. (“Supplier”) and Y Ltd. (“Buyer”)', '(1) X; (2) Y', 'Party A: X', or an opening sentence without 'between'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.generation.handed import Block, read_blocks
from pipeline.generation.party_names import Named, read_names
from pipeline.generation.party_words import FORM, INSTITUTION, NO_PARTY, REDACTED
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.signatures import read_signatures
from pipeline.generation.topic import Topic
from pipeline.scope.parties import find_party, name_parties
from pipeline.values import find_values
from schemas.values import Party, TextValue

REACH = 4_000  # characters after 'between' in which the parties are named: a page
OPENING_PAGES = 10  # a cover and a long table of contents may stand before the sentence that names the parties
MAX_PROPER_WORDS = 5  # words of a name without a legal form: a person, a trade name
MAX_PARTIES = 40  # parties; more are a list of something else
NAME_LINES = 6  # lines from a name to its short name: an address stands between
ALIAS_REACH = 900  # characters from the start of a paragraph in which two short names make it the opening one
MAX_BRIDGED = 1  # lines that were not handed over between two that were: an 'and' on a line of its own
LABEL_PAGES = 2  # pages on which lines 'Party A: X' name the parties of a contract

_BETWEEN = re.compile(
    r"\b(?:by and (?:between|among(?:st)?)|between and among|between|among(?:st)?|entre(?: les soussign[ée]e?s)?|de una parte|por una parte|reunidos|comparecen)\b\s*[:,]?"
    r"|\b(?:made|entered\s+into|executed|agreed)\s+by\s+(?!and\b|the\s+part|each|or\b|all\b|both\b)",
    re.IGNORECASE,
)
_PARTIES_HEADING = re.compile(
    r"^[\s\d.]*(?:(?:the\s+)?parties(?:\s+to\s+this\s+agreement)?|las\s+partes|les\s+parties)\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
# Where 'between' parts something else: a recital on another contract, 'the relationship between', 'conflict between'.
_OTHER = re.compile(
    r"\b(?:whereas|recitals?|relationship|conflicts?|inconsisten\w+|difference|dispute|litigation|merger|communications?|transactions?|allocat\w+|discrepanc\w+|prior|previous|understanding|difference)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:agreement|contract|amendment|addendum|lease|licen[cs]e|deed|indenture|made|entered|executed|dated|effective|entering|certificate|memorandum|terms|contrato|acuerdo|convenio|contrat|accord|convention|avenant|bail|reunidos|soussign)",
    re.IGNORECASE,
)
_SEAT = re.compile(
    r"\b(?:located\s+at|address(?:\s+(?:is|at|of))?|place\s+of\s+business\s+(?:is\s+)?(?:located\s+)?(?:at|in)|offices?\s+(?:is\s+)?(?:located\s+)?(?:at|in)|domicilio(?:\s+social)?\s+en|sede\s+en|si[èe]ge(?:\s+social)?\s+(?:est\s+)?(?:situ[ée]\s+)?(?:à|au))\s+(?P<seat>[^()“”;]{6,160}?)(?=\s*\(|\s*;|,?\s+(?:and|y|et)\s|\s*\.\s|\s*$)",
    re.IGNORECASE,
)
_ALIAS = re.compile(
    r"(?:\([^()]{0,80}|referred\s+to\s+as\s+)[“\"«‘]{1,2}(?:the\s+)?(?P<role>[^”\"»“’]{2,60})[”\"»’]{1,2}(?:[^()]{0,120}\))?"
)
_LABELLED = re.compile(
    r"^\s*(?P<role>(?:Party|Parte|Partie)\s+(?:[A-D]|[1-4])|Supplier|Customer|Buyer|Seller|Licensor|Licensee|Vendor|Purchaser|Client|Distributor|Manufacturer|Consultant|Contractor|Lessor|Lessee|Landlord|Tenant|Lender|Borrower|Franchisor|Franchisee|Employer|Employee|Proveedor|Cliente|Comprador|Vendedor|Arrendador|Arrendatario|Fournisseur|Acheteur|Vendeur|Bailleur|Locataire)(?:\s+Name)?\s*[:：]\s*(?P<name>[A-ZÀ-Ý\[][^\n]{1,120}?)(?=\s{2,}|\s*\n|\s*$)",
    re.MULTILINE,
)
# 'DCL  DAIRY CREST LIMITED (Company no ...': the short name in a column of its own
_COLUMN = re.compile(
    r"^(?P<role>[A-Z][A-Z&]{1,9})\s{2,}(?P<name>[A-Z][^\n]{3,120}?)(?=\s{2,}|\s*\n|\s*$)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class _Read:
    """A party with its place: `block.text[start:end]` is the name, `until` where what is said of it ends."""

    block: Block
    start: int
    end: int
    until: int
    role: str | None

    @property
    def name(self) -> str:
        return " ".join(self.block.text[self.start : self.end].split()).strip(' ,;:“”"*_')


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
    proposals = [_proposal(one) for one in parties]
    asked = _asked_role(topic)
    if asked is not None:
        return _of_role(parties, proposals, asked, topic.brief.answer_type if topic is not None else "party")
    return Draft(tuple(proposals), ends=True, completeness_reason=f"all names of {source}")


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
    told = _SEAT.search(text)
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
        return (with_roles or opening)[0], "the words that name the parties"
    signed = [_Read(block, one.start, one.end, one.end, one.role) for block, one in read_signatures(blocks)]
    return signed, "the signature block"


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
        starts = [*_BETWEEN.finditer(block.text), *_PARTIES_HEADING.finditer(block.text)]
        for opening in sorted(starts, key=lambda one: one.start()):
            if block.lines[block.line_index(opening.start())].page_num > OPENING_PAGES:
                return
            before = block.text[max(0, opening.start() - 400) : opening.start()]
            if _OTHER.search(before) or not (_MADE.search(before) or _is_alone(block, opening)):
                continue
            names = read_names(block.text, opening.end(), min(len(block.text), opening.end() + REACH))
            yield _distinct(_reads(block, names if len(names) != 1 else _two_of(block.text, names[0])))


def _is_alone(block: Block, opening: re.Match[str]) -> bool:
    """True for 'BETWEEN:' on a line of its own."""
    return (
        block.line_text(block.line_index(opening.start())).strip(" :,").casefold()
        == opening.group().strip(" :,\n").casefold()
    )


def _two_of(text: str, one: Named) -> list[Named]:
    """'Galacticomm and Horst Entertainment Inc.': the one name cut at its 'and', where the second is a company's."""
    joined = re.compile(r"\s+(?:and|y|et|&)\s+", re.IGNORECASE)
    cuts = [match for match in joined.finditer(text, one.start, one.end) if FORM.search(text, match.end(), one.end)]
    if len(cuts) != 1 or one.role is not None:
        return [one]
    return [Named(one.start, cuts[0].start(), cuts[0].start()), Named(cuts[0].end(), one.end, one.until)]


def _in_paragraph(blocks: Sequence[Block]) -> Iterator[list[_Read]]:
    """A paragraph of the first pages that gives two or more their short names, without 'between'."""
    for block in blocks:
        if block.lines[0].page_num > OPENING_PAGES:
            return
        aliases = [one for one in _ALIAS.finditer(block.text) if not NO_PARTY.search(one["role"])]
        if len(aliases) < 2 or aliases[1].start() - aliases[0].start() > ALIAS_REACH:
            continue
        first = block.line_index(aliases[0].start())
        first = _first_line(block, first)
        start = block.starts[first]
        names = read_names(block.text, start, min(len(block.text), start + REACH))
        if all(one.role is not None or FORM.search(one.name(block.text)) for one in names):
            yield _distinct(_reads(block, names))


def _first_line(block: Block, at: int) -> int:
    """The line on which the first name begins: the nearest with a legal form, else that of the paragraph."""
    for line in range(at, max(at - NAME_LINES, -1), -1):
        if FORM.search(re.sub(r"\([^()]*\)?", " ", block.line_text(line))):  # '(the “Company”)' is no legal form
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
    for pattern in (_LABELLED, _COLUMN):
        found: dict[str, _Read] = {}
        for block in blocks:
            for match in pattern.finditer(block.text):
                if block.lines[block.line_index(match.start())].page_num > LABEL_PAGES:
                    break
                name = re.split(r"\s\(|,\s(?=an?\s)|;|\swhose\s", match["name"])[0].rstrip()
                if pattern is _LABELLED or FORM.search(name):
                    end = match.start("name") + len(name)
                    found.setdefault(match["role"], _Read(block, match.start("name"), end, match.end(), match["role"]))
        yield list(found.values())


def _reads(block: Block, names: Sequence[Named]) -> list[_Read]:
    return [_Read(block, one.start, one.end, one.until, one.role) for one in names]


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
    original = " ".join(one.block.text[one.start : one.end].split()).strip(' ,;:“”"*_')
    forms = [match.group() for match in FORM.finditer(one.name)]
    role = one.role if one.role is not None and one.role.casefold() != one.name.casefold() else None
    value = Party(name=one.name, legal_form=forms[-1] if forms else None, role=role, original=original)
    start = _role_start(one)
    return Proposal(value, one.block.spans(min(start, one.start), until), one.name, "rules", "verbatim", one.role)


def _role_end(one: _Read) -> int:
    """End of the words that give the role."""
    role = re.compile(r"\s+".join(re.escape(word) for word in (one.role or "").split()))
    match = role.search(one.block.text, one.end, max(one.until, one.end) + REACH)
    return match.end() if match is not None else one.end


def _role_start(one: _Read) -> int:
    """Start of a role that stands before the name: 'Party A: X'."""
    line = one.block.starts[one.block.line_index(one.start)]
    return line if one.role is not None and one.role in one.block.text[line : one.start] else one.start
