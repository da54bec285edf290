"""Whether a mention speaks of this document or of another, as 'Section 2 of the Credit Agreement' does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import squeeze

FIRST_LINES = 80  # lines of the beginning where a document says what it is called
TITLE_LINES = 25  # lines of them where an amendment says that it is one
MAX_TITLE_WORDS = 14  # words of a title
_DEALS = (  # instruments that a contract may be, and speak of itself as
    r"Agreement|Contract|Lease|Deed|Policy|Plan|Indenture|Note|Letter|Memorandum|Terms|Amendment|Addendum|Order|Licen[cs]e|"
    r"Contrato|Acuerdo|Convenio|Enmienda|Adenda|P[óo]liza|Contrat|Accord|Convention|Avenant|Bail"
)
_LAWS = (  # instruments that are never the document at hand, unless it is called so
    r"Act|Code|Laws?|Statutes?|Regulations?|Directive|Rules?|Treaty|Constitution|Charter|By-?laws|Title|Ordinance|"
    r"Guidelines?|GDPR|RGPD|Ley|C[óo]digo|Reglamento|Decreto|Constituci[óo]n|Directiva|Estatutos|"
    r"Loi|R[èe]glement|D[ée]cret|Trait[ée]|Statuts"
)
_OF = r"(?:,?\s*(?:of|to|in|under|from|del|de|du|des)\b|\s+d['’])\s*"
_SELF = r"this|these|hereof|est[ea]|present[ea]?|présente?|ce|cet|cette"
_NAMED = re.compile(
    rf"[\s,]*(?:\([^()]{{0,40}}\)\s*)?{_OF}(?:la\s+|el\s+|los\s+|le\s+|l['’])?"
    rf"(?P<det>(?:the|{_SELF}|that|such|said|its|each|any|an?|el|la|los|dicho|dicha|le|ledit)\s+(?:certain\s+)?|l['’]|)"
    r"(?:(?P<self>present[ea]?|présente?)\s+)?"
    rf"(?P<mod>(?:[A-Z0-9][\w.&'’/-]*\s+|of\s+|and\s+|for\s+|de\s+){{0,8}}?)(?P<noun>{_DEALS}|{_LAWS})(?![\w])",
    re.DOTALL,
)
_PLAIN = re.compile(
    rf"[\s,]*{_OF}(?P<det>(?:the|that|such|said|{_SELF})\s+)(?P<noun>agreement|contract|lease|contrato)\b"
)
_LAW_BEFORE = re.compile(rf"(?:(?:{_LAWS})|C\.?F\.?R\.?|U\.?S\.?C\.?|Treas\.\s+Reg\.|Rule)\s*,?\s*$")
_CHANGED = re.compile(
    r"[\s,]*(?:\([^()]{0,40}\)\s*)?(?:is|are|shall\s+be|queda|se)\s+(?:hereby\s+)?"
    r"(?:amended|deleted|replaced|restated|modified|supplemented|modificad[ao]|sustituid[ao]|modifica|sustituye)",
)
_ATTACHED = re.compile(
    rf"[\s,]*{_OF}(?:the\s+|la\s+|el\s+|l['’])?"
    r"(?P<word>Schedule|Exhibit|Annex|Appendix|Attachment|Anexo|Annexe|Apéndice)\s+(?:n[º°o]\.?\s*)?"
    r"(?P<id>\d{1,3}|[A-Z](?:-\d{1,2})?|[IVXL]{1,5})(?!\w)"
)
_AMENDS = re.compile(
    r"\b(?:amendment|amending|addendum|supplement\s+(?:no|to)|enmienda|adenda|modificaci[óo]n|novaci[óo]n|avenant)\b",
    re.IGNORECASE,
)
_SELF_NAME = re.compile(
    rf"\b(?:[Tt]his|THIS|[Pp]resente|[Ee]ste|[Cc]e|[Ll]e présent)\s+(?P<name>(?:[A-Z][\w&'’-]*\s+){{0,8}}?"
    rf"(?:{_DEALS}|{_LAWS}|AGREEMENT|CONTRACT|LEASE|AMENDMENT|CONTRATO))\b"
)
_SELF_TERM = re.compile(rf"\b(?:{_SELF})\b", re.IGNORECASE)
_OTHER_TERM = re.compile(
    r"\b(?:that\s+certain|certain|dated|entered\s+into|de\s+fecha|en\s+date\s+du)\b", re.IGNORECASE
)
_DEFINED_DEAL = re.compile(
    rf"\((?:[^()“”\"]{{0,40}})[“\"](?:the\s+)?(?P<term>[^“”\"()]{{0,50}}?(?:{_DEALS}))[”\"]",
)


MAX_CLAUSE_CHARS = 240  # characters before a defined name in which the document that it names is described


@dataclass(slots=True)
class SelfNames:
    """What the document calls itself, letters only, and the terms under which it speaks of others."""

    is_amendment: bool = False
    own: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)


def read_self_names(lines: Sequence[Line]) -> SelfNames:
    """What the beginning of the document says about its own name; `lines` are the visible ones."""
    names = SelfNames()
    beginning = [line for line in lines[:FIRST_LINES] if line.role not in ("toc_entry", "header", "footer")]
    for line in beginning[:TITLE_LINES]:
        short = len(line.text.split()) <= MAX_TITLE_WORDS
        if short and _AMENDS.search(line.text) and not line.text.rstrip().endswith((".", ";")):
            names.is_amendment = True
        if short and re.search(rf"\b(?:{_DEALS})\b", line.text, re.IGNORECASE):
            names.own.add(squeeze(line.text))
    text = " ".join(line.text for line in beginning)
    names.own |= {squeeze(match["name"]) for match in _SELF_NAME.finditer(text)}
    for match in _DEFINED_DEAL.finditer(text):
        clause = re.split(r"[.;]\s", text[max(0, match.start() - MAX_CLAUSE_CHARS) : match.start()])[-1]
        term = squeeze(match["term"])
        if _SELF_TERM.search(clause) and not _OTHER_TERM.search(clause.split("this")[-1] if names.is_amendment else ""):
            names.own.add(term)
        elif _OTHER_TERM.search(clause):
            names.others.add(term)
    names.own -= names.others
    return names


def read_attached(after: str) -> tuple[str, str] | None:
    """Word and number of the schedule that the words behind a mention put it in: 'Section 2 of Schedule A'."""
    match = _ATTACHED.match(after)
    return None if match is None else (match["word"].lower(), match["id"])


def is_of_other(before: str, after: str, names: SelfNames) -> bool:
    """The mention is of another document, by the words before and behind it."""
    if _LAW_BEFORE.search(before):
        return True
    if names.is_amendment and _CHANGED.match(after):
        return True
    match = _NAMED.match(after)
    if match is None:
        plain = _PLAIN.match(after)
        return plain is not None and names.is_amendment and not _SELF_TERM.match(plain["det"].strip())
    if match["self"] or _SELF_TERM.fullmatch(match["det"].strip()):
        return False
    noun, name = match["noun"], squeeze(match["mod"] + match["noun"])
    if name in names.others:
        return True
    if match["mod"].strip():
        return name not in names.own
    if re.fullmatch(_DEALS, noun):
        return names.is_amendment and not re.fullmatch(r"Amendment|Addendum|Enmienda|Adenda|Avenant", noun)
    return not any(own.endswith(name) for own in names.own)
