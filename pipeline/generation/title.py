# ruff: noqa: E501  # patterns are read whole, on one line
"""The name of a contract: the heading over it, or the name that its opening sentence gives it.

A contract is named where it begins: in a line of its own ('CO-HOSTING AGREEMENT') or by its first words ('This
Co-Hosting Agreement (the "Agreement") is made ...'). A heading deeper in the document names an exhibit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.handed import Block, read_blocks
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.topic import Topic
from schemas.answer import TextValue

COVER_PAGES = 3  # a cover, a table of contents, the first page
OPENING_PAGES = 10  # a long table of contents may stand before the opening sentence
MAX_TITLE_LINES = 5  # lines of one heading
MAX_LINE = 130  # characters of a line of a heading; a line of prose is longer or ends in a full stop
MAX_SMALL_WORDS = 6  # words of a title that is written small: 'Distributorship agreement'
MAX_TITLE = 220  # characters of a title
OPENING_REACH = 160  # characters after the name in which the opening sentence goes on as one

# What contracts call themselves, folded, in three languages.
_NOUNS = (
    r"agreements?|contracts?|leases?|sub-?leases?|licen[cs]es?|deeds?|indentures?|amendments?|addend(?:um|a)|memorand(?:um|a)|letter of intent|term sheet|statement of work"
    r"|terms (?:and conditions|of (?:use|service|sale|purchase))|general conditions|guarant(?:y|ee)|undertaking|power of attorney|bylaws|by-laws|articles of (?:association|incorporation)"
    r"|charter|schedule|supplement|warrant|promissory note|note|certificate|plan|policy|purchase order|side letter|letter agreement|waiver|covenant|mortgage|order form|constitution|protocol"
    r"|contratos?|acuerdos?|convenios?|adendas?|pactos?|memorando|condiciones generales|poliza|estatutos|escritura|anexo|arrendamiento"
    r"|contrats?|accords?|conventions?|avenants?|bail|protocole|conditions generales|statuts|pacte|bon de commande|mandat|lettre d'intention"
)
_NOUN = re.compile(rf"\b(?:{_NOUNS})\b")
_STRONG = re.compile(
    r"\b(?:agreements?|contracts?|leases?|deed|indenture|amendment|addendum|contratos?|acuerdos?|convenios?|adenda|contrats?|accords?|conventions?|avenants?|bail)\b"
)
# A line of a cover that is no part of the title.
_ASIDE = re.compile(
    r"^(?:(?:exhibit|annex|appendix|attachment|anexo|annexe)s?\b.{0,60}$|ex-?\d|execution (?:copy|version)|conformed (?:copy|version)|private (?:and|&) confidential|strictly|confidential|draft|version"
    r"|(?:table of )?contents\b|table des matieres|indice|sommaire|page \d|dated?\b|as of|effective|made|entered|between|among|by and|entre|and$|et$|y$|fecha|date|the attached|certain|portions|pursuant|\*|\[|source:"
    r"|(?:contract|agreement|contrato|contrat) (?:no|number|num|n|nr)\b|recitals?|witnesseth|whereas|background|the parties|signature|prepared by|filed with|[-–—]?\s?\d{1,3}\s?[-–—]|\d{1,3}(?:\.\d+)*[.)]?\s|(?:january|february|march|april|may|june|july|august|september|october|november|december|enero|janvier)\s+\d|this\b|table\b|article|section|clause)"
)
_HOLDS_OTHER = re.compile(
    r"\b(?:shall|will|must|hereby|hereto|herein|has been|have been|is|are|was|were|pursuant|omitted|redacted|requested|accordingly|confidential treatment|attached|means|subject to|upon|por la presente|sera|seront|est|es|son)\b|(?<!\bno)[.;]\s+\w|https?:|www\.|\d{4}$|\b(?:llc|l\.l\.c|ltd|limited|plc|gmbh|n\.v|b\.v|s\.a|s\.l|sarl)\b\.?,?$|\.{4,}"
)
_LEGAL_FORM = re.compile(
    r"\b(?:inc|incorporated|llc|l\.l\.c|ltd|limited|corp|corporation|plc|gmbh|n\.v|b\.v|s\.a|s\.l|sarl|l\.p|lp|llp|company|co)\b\.?(?=[\s,.]|$)"
)
_RUNS_ON = re.compile(
    r"(?:[,&/–—-]|\b(?:and|or|of|the|to|for|in|by|with|on|y|e|de|del|la|el|para|sobre|et|du|des|le|les|pour|relatif a|d'))$"
)
_GOES_ON = re.compile(
    r"^(?:and|or|of|to|for|with|relating|regarding|concerning|under the|in respect|y|de|del|para|sobre|et|du|des|pour|relatif|\((?!the\b|this\b|hereinafter\b|“|\"))(?:\b|(?<=\())"
)
_BARE = re.compile(rf"^(?:(?:the|this|an?|el|la|le|un|une?|presente?)\s+)*(?:{_NOUNS})$")
_ENDS_STRONG = re.compile(rf"{_STRONG.pattern}$")
# What may stand behind the noun of a title: 'AGREEMENT FOR SERVICES', 'AGREEMENT - MOBILE CARE', 'AMENDMENT NO. 2'.
_TRAILS = re.compile(
    r"$|\s*[-–—:(#/&]|,?\s+(?:no|number|of|for|to|with|between|by|among|dated|and|or|on|relating|regarding|concerning|under|in|\d+|[ivx]+|de|del|sobre|para|entre|du|des|relatif|pour)\b"
)
_ROMANCE = re.compile(r"(?:contrato|acuerdo|convenio|pacto|adenda|contrat|accord|convention|avenant|protocole|pacte)\b")
_PART = re.compile(
    rf"\b(?:of|by|under|in|to) (?:the|this|said|such) (?:{_NOUNS})$|^(?:schedule|certificate|note|plan|policy) \w{{1,3}}$"
)  # 'PURPOSE OF THE AGREEMENT', 'SCHEDULE B'
_ENDS_WEAK = re.compile(
    rf"\b(?:{_NOUNS})(?: (?:no|number|#)?[^\w]*\w{{1,12}})?$"
)  # 'AGENTS' CERTIFICATE', 'STATEMENT OF WORK NO. 3'
# The opening sentence: 'This X Agreement (the “Agreement”) is made ...', or the same without 'this'.
_SMALL = r"(?:and|or|of|for|to|the|on|in|at|with|by|a|an|its|under|between|as|de|del|la|las|los|el|y|e|o|para|por|en|du|des|le|les|et|ou|pour|d['’]|à|aux?)"
_WORD = (
    r"(?!(?:This|THIS)\b)(?:[(\[]?[A-ZÀ-Ý0-9'‘#][^\s“”\"()\[\]]*[)\]]?|&|/|-|–|(?:no|non|sub|pre|co|re)-[A-Za-z]\S*)"
)
_NAMED = re.compile(
    rf"^\W*(?:\d{{1,2}}\.\s+)?(?:This|THIS|El\s+[Pp]resente|EL\s+PRESENTE|[Pp]resente|PRESENTE|Le\s+[Pp]résent|La\s+[Pp]résente|LE\s+PR[ÉE]SENT)\s+(?P<name>{_WORD}(?:\s+(?:{_WORD}|{_SMALL})){{0,24}})",
    re.MULTILINE,
)
_HEADED = re.compile(
    rf"^(?P<name>{_WORD}(?:[^\S\n]+(?:{_WORD}|{_SMALL})){{1,24}}?)[^\S\n]*,?[^\S\n]*(?=\((?:the|this|hereinafter)\b|(?:dated|made|entered)\b)",
    re.MULTILINE,
)
_STOP = re.compile(
    r"(?<!\bNo)(?<!\bINC)(?<!\bInc)\.\s|\b(?:is|are|was|dated|made|entered|effective|between|among|by|sets?|shall|will|constitutes?|with respect|hereinafter|executed|se\s+celebra|est\s+conclue?|es)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:(?:by and )?(?:between|among)|entre)\b.*$", re.IGNORECASE | re.DOTALL
)  # 'Promotion Agreement Between' / 'A and B'
_OPENS = re.compile(
    r"^[\s,]*(?:\(|is\b|are\b|dated\b|made\b|entered\b|effective\b|between\b|among\b|by\b|sets?\b|shall\b|executed\b|constitutes?\b|as\s+of\b|se\s|est\b|es\b|entre\b|de\s+fecha|en\s+date)",
    re.IGNORECASE,
)
_MODAL = re.compile(r"\b(?:must|shall|should|required|needs? to|have to|debe[n]?|doit|doivent)\b")


@dataclass(frozen=True, slots=True)
class _Place:
    """Words of a block that name the document."""

    block: Block
    start: int
    end: int

    @property
    def words(self) -> str:
        return " ".join(self.block.text[self.start : self.end].split()).strip(' ,.:;“”"*_')

    @property
    def key(self) -> str:
        return _key(self.words)


def asks_title(topic: Topic) -> bool:
    """True for a question after the name of the document itself, not after a contract that someone must conclude."""
    concepts = topic.brief.concepts
    if not concepts or concepts[0].concept_id != "document_name":
        return False
    return _MODAL.search(folded_text(topic.brief.question)) is None


def find_title(passages: Sequence[Passage]) -> Draft:
    """The name with the lines it stands in, as they write it; empty where no heading and no opening sentence tells it."""
    blocks = read_blocks(passages)
    named = next(_named(blocks), None)
    headings = _headings(blocks, named)
    title = _choose(headings, named)
    if title is None:
        return Draft(())
    words = title.words
    return Draft(
        (Proposal(TextValue(text=words), title.block.spans(title.start, title.end), words, "rules", "verbatim"),)
    )


def _choose(headings: Sequence[_Place], named: _Place | None) -> _Place | None:
    """The heading that holds the name of the opening sentence; else the first heading, else that name."""
    if named is not None:
        holding = [one for one in headings if named.key in one.key]
        if holding:
            return min(holding, key=lambda one: (len(one.key), one.block.lines[0].line_id, one.start))
    if named is not None and (not headings or all(_BARE.match(one.key) for one in headings)):
        return named
    return next((one for one in headings if not _BARE.match(one.key)), headings[0] if headings else None)


def _named(blocks: Sequence[Block]) -> Iterator[_Place]:
    """Names that an opening sentence gives the document, first first."""
    for block in blocks:
        if block.lines[0].page_num > OPENING_PAGES:
            return
        headed = [one for one in _HEADED.finditer(block.text) if _starts_anew(block, one.start())]
        matches = sorted([*_NAMED.finditer(block.text), *headed], key=lambda one: one.start("name"))
        for match in matches:
            if block.lines[block.line_index(match.start())].page_num > OPENING_PAGES:
                break
            start = match.start("name")
            stop = _STOP.search(block.text, start, match.end("name"))
            end = stop.start() if stop is not None else match.end("name")
            nouns = list(_NOUN.finditer(folded_text(block.text[start:end])))
            if not nouns:
                continue
            end = _name_end(block.text, start, end)
            place = _Place(block, start, end)
            opens = _OPENS.match(block.text[end : end + OPENING_REACH])
            if opens is not None and not _BARE.match(place.key) and len(place.words) <= MAX_TITLE:
                yield place


def _starts_anew(block: Block, offset: int) -> bool:
    """True for a line with nothing or a heading above it."""
    index = block.line_index(offset)
    return index == 0 or _is_titled(block.line_text(index - 1).strip()) or not block.line_text(index - 1).strip()


def _name_end(text: str, start: int, end: int) -> int:
    """End of the last noun of a contract, with a number or a bracket that belongs to it: 'Amendment No. 3'."""
    if _ROMANCE.match(folded_text(text[start:end])):  # 'Contrato de Suministro': what follows the noun is the name
        tail = re.search(rf"(?:\s+{_SMALL})*\s*$", text[start:end])
        return start + tail.start() if tail is not None else end
    last = end
    for match in re.finditer(r"\S+", text[start:end]):
        if _NOUN.search(folded_text(match.group().strip("“”\"'(),.;"))):
            last = start + match.end() - (len(match.group()) - len(match.group().rstrip("“”\"',.;")))
    numbered = re.compile(r"\s+(?:No\.?|Number|#|N[.º°o]+)\s*[\w-]+", re.IGNORECASE).match(text, last)
    if numbered is not None:
        last = numbered.end()
    bracket = re.compile(r"\s+\((?!the\b|this\b|hereinafter\b|[“\"])[^()“\"]{3,40}\)(?=\s*[(,]|\s+is\b)").match(
        text, last
    )
    return bracket.end() if bracket is not None else last


def _headings(blocks: Sequence[Block], named: _Place | None) -> list[_Place]:
    """Headings that name a contract, before the opening sentence or on the first pages."""
    found: list[_Place] = []
    for block in blocks:
        for index in range(len(block.lines)):
            if block.lines[index].page_num > (COVER_PAGES if named is None else OPENING_PAGES):
                return found
            if named is not None and block is named.block and block.starts[index] > named.start:
                return found
            if named is not None and block.lines[0].line_id > named.block.lines[0].line_id:
                return found
            if _is_core(block, index):
                found.append(_grown(block, index, named))
    return found


def _is_core(block: Block, index: int) -> bool:
    """True for a line that is nothing but the name of a contract or the end of one."""
    text = " ".join(block.line_text(index).split())
    folded = folded_text(text).strip(' .:*_“”"')
    if not text or len(text) > MAX_LINE or text[-1] == ":" or not _NOUN.search(folded):
        return False
    if _ASIDE.match(folded) or _HOLDS_OTHER.search(folded) or _PART.search(folded):
        return False
    if not _ENDS_WEAK.search(folded) and not any(
        _TRAILS.match(folded, noun.end()) for noun in _STRONG.finditer(folded)
    ):
        return False
    return _is_titled(text) and (text.rstrip()[-1] not in ".,;" or text.isupper())


def _is_titled(text: str) -> bool:
    """True for capitals, or words that begin with one but for those that join."""
    letters = [one for one in text if one.isalpha()]
    if not letters:
        return False
    if sum(map(str.isupper, letters)) >= 0.8 * len(letters):
        return True
    words = [one for one in re.findall(r"[^\W\d_][\w'’.-]*", text) if not re.fullmatch(_SMALL, one, re.IGNORECASE)]
    small = sum(one[0].islower() for one in words)
    is_sentence_case = (
        text[0].isupper()
        and len(text.split()) <= MAX_SMALL_WORDS
        and _ENDS_STRONG.search(folded_text(text)) is not None
    )
    is_romance = _ROMANCE.match(folded_text(text)) is not None
    return is_sentence_case or (text[0].isupper() and (small == 0 or is_romance))


def _grown(block: Block, index: int, named: _Place | None) -> _Place:
    """The heading with the lines above and below that belong to it."""
    first = last = index
    wanted = named.key if named is not None else None
    own = _key(" ".join(block.line_text(index).split()))
    if wanted is not None and wanted == own:
        if last + 1 < len(block.lines) and _is_object(block, last + 1):
            last += 1
        return _Place(block, block.starts[index], block.ends[last])
    while last + 1 < len(block.lines) and last - first + 1 < MAX_TITLE_LINES and _joins(block, last, last + 1, wanted):
        last += 1
    while first > 0 and last - first + 1 < MAX_TITLE_LINES and _belongs(block, first - 1, first, last, wanted):
        first -= 1
    end = block.ends[last]
    tail = _TAIL.search(block.text, block.starts[first], end)
    return _Place(block, block.starts[first], tail.start() if tail is not None else end)


def _is_object(block: Block, index: int) -> bool:
    """True for the line 'TO MANUFACTURING AND SUPPLY AGREEMENT' under 'AMENDMENT NO. 2'."""
    text = " ".join(block.line_text(index).split())
    folded = folded_text(text)
    is_next = (
        re.match(r"(?:to|of|al|a la|del|de la|a l'|au) ", folded) is not None and _ENDS_WEAK.search(folded) is not None
    )
    return is_next and _is_titled(text) and _HOLDS_OTHER.search(folded) is None


def _joins(block: Block, above: int, below: int, wanted: str | None) -> bool:
    """True where a heading's line runs on into the next: 'X AND' / 'Y AGREEMENT', 'X COMMERCIALIZATION' / 'AGREEMENT'."""
    upper, lower = (" ".join(block.line_text(at).split()) for at in (above, below))
    if block.lines[above].page_num != block.lines[below].page_num:
        return False
    if not lower or len(lower) > MAX_LINE or (not _is_titled(lower) and not _GOES_ON.match(folded_text(lower))):
        return False
    folded = folded_text(lower)
    if _HOLDS_OTHER.search(folded):
        return False
    if wanted is not None and f"{_key(upper)} {_key(lower)}" in wanted:
        return True
    if _RUNS_ON.search(folded_text(upper)) or (not _ENDS_WEAK.search(folded_text(upper)) and _is_core(block, below)):
        return True
    return (_GOES_ON.match(folded) is not None and upper.isupper() == lower.isupper()) or bool(_BARE.match(folded))


def _belongs(block: Block, above: int, first: int, last: int, wanted: str | None) -> bool:
    """True where the line above a heading is its beginning."""
    text = " ".join(block.line_text(above).split())
    folded = folded_text(text).strip(" .:*_")
    if (
        not folded
        or text.startswith("(")
        or block.lines[above].page_num != block.lines[first].page_num
        or len(text) > MAX_LINE
        or _ASIDE.match(folded)
        or _HOLDS_OTHER.search(folded)
        or not _is_titled(text)
    ):
        return False
    own = _key(" ".join(block.line_text(at) for at in range(first, last + 1)))
    whole = f"{_key(text)} {own}"
    if wanted is not None:
        return wanted not in own and (wanted in whole or own in wanted)
    lower = " ".join(block.line_text(first).split())
    if _RUNS_ON.search(folded_text(text)) or _BARE.match(folded_text(lower)):
        return not _LEGAL_FORM.search(folded)
    return not _LEGAL_FORM.search(folded) and text.isupper() == lower.isupper() and not re.search(r"\d{2}", text)


def _key(words: str) -> str:
    """Letters and digits of a name alone: how it is set and punctuated does not count."""
    key = " ".join(re.findall(r"[^\W_]+", folded_text(words)))
    return re.sub(r"^(?:the|this|el|la|le) ", "", key)
