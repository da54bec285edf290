# ruff: noqa: E501  # patterns are read whole, on one line
"""The names in the words that name the parties: 'X Inc., a Delaware corporation (“Supplier”), and Y Ltd. (“Buyer”)'.

The words are cut at commas, semicolons, 'and' and list marks outside brackets; a piece begins a party or goes on about
the one before. No address, state or description is taken for a name: what is in doubt is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dictionaries.folding import folded_text

MAX_NAME = 120  # characters of a name
MAX_ROLE = 50  # characters of the short name that a document gives a party
MAX_NAME_WORDS = 14  # words of a name; more are a sentence

_FORMS = (
    r"(?i:Incorporated|Inc|LLC|L\.\s?L\.\s?C|Ltd|Limited|Ltda|Corp|Corporation|Company|LLP|L\.L\.P|L\.P|PLC|GmbH|S\.\s?A\.?(?:\s?U\.?)?|S\.\s?L\.?(?:\s?U\.?)?|S\.?\s?de\s?R\.?L|B\.\s?V|N\.\s?V|SARL|S\.A\.R\.L|S\.A\.S|S\.p\.A|S\.r\.l|N\.A|P\.\s?C|PLLC|Pty|Pte|Pvt|Bhd|Berhad|Sdn)"
    r"|(?:LP|AG|SA|SAU|SL|SLU|BV|NV|SAS|SASU|SpA|SRL|A/S|ApS|AB|ASA|Oyj?|OYJ?|K\.?K|Tbk|KGaA|KG|SE|FSB|SSB|MHC|Lda|SCA|SNC|EIRL)(?!\s+\d)"
    r"|(?<!, )(?<!,\n)(?:Co|CO)(?!\.?,?\s*\d)(?!\.?\s+[A-Z][a-z])"
)
_INSTITUTIONS = r"Bank|Trust|University|Universidad|Université|Institute|Instituto|Institut|Foundation|Fundación|Fondation|Association|Asociación|Partnership|Partners|Fund|Funds|Holdings|Group|Government|Ministry|Authority|Council|Commission|Agency|Hospital|College|Center|Centre|Society|Cooperative|Club|League|Committee|Department|Organi[sz]ation|Debtors|Trustee|Administrator|School"
FORM = re.compile(rf"(?<![\w.])(?:{_FORMS})(?!\w)\.?")
INSTITUTION = re.compile(rf"\b(?:{_INSTITUTIONS})\b", re.IGNORECASE)
_FORM_ALONE = re.compile(rf"^(?:{_FORMS})(?!\w)\.?(?:\s+(?:of\s+[A-Z]\w+|{_FORMS})(?!\w)\.?)?")
REDACTED = re.compile(r"\[\s*(?:[*•_.\s]|[A-Z]*REDACTED|Redacted)[^\]]{0,30}\]|\*{3,}|<<[^<>»]{2,40}(?:>>|»)")
_POSTAL = re.compile(r"\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\.?$")
_PERSON_OF = re.compile(
    r"(?P<name>[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]*){1,3}) of [A-Z][a-z]"
)  # 'NIGEL CROCKETT of Cambridge'
_QUOTES = r"[“\"«‘'”?ʺ]"
_ROLE = re.compile(
    rf"{_QUOTES}{{1,2}}\s?(?:(?:the|el|la|le|los|las|les)\s+|l['’])?(?P<role>[^“”\"«»?()]{{1,60}}?)\s?[,.]?[”\"»’'?]{{1,2}}",
    re.IGNORECASE,
)
_ROLE_OPEN = re.compile(
    r"^\(\s*(?:the\s+|hereinafter\s+)?[“\"](?P<role>[A-Z][\w ]{1,40})\)"
)  # a quotation mark that is never closed
_ROLE_BARE = re.compile(
    r"\(\s*(?:hereinafter|hereafter|en adelante|en lo sucesivo|ci-après)\b[^()“\"«]{0,40}?(?:the|el|la|le|l['’]|as)?\s*(?P<role>[A-ZÀ-Ý][\w’'-]*(?: [A-ZÀ-Ý][\w’'-]*){0,3})\s*\)",
    re.IGNORECASE,
)
_ROLE_CAPITALS = re.compile(
    r"^\((?P<role>[A-Z][A-Z0-9&]{1,12}(?: [A-Z0-9&]{2,12}){0,2})\)$"
)  # '(USA MCO)', not a form as '(PTY)'
_REFERRED = re.compile(
    rf"\b(?:(?:herein)?after|hereinafter|hereby)?\s*(?:referred\s+to\s+(?:herein\s+)?(?:as|by)|called|known\s+as|denominad[oa]|designad[oa]|dénommée?|désignée?)\s+(?:the\s+|el\s+|la\s+|le\s+)?(?={_QUOTES})",
    re.IGNORECASE,
)
GROUP = re.compile(
    r"\b(?:each|both|either|collectively|together|individually|jointly|severally|sometimes|conjuntamente|ensemble|colectivamente|collectivement)\b",
    re.IGNORECASE,
)
NO_PARTY = re.compile(
    r"\b(?:agreements?|contracts?|effective date|parties|party|closing|date|lease|amendment|plan|territory|products?|services?|program(?:me)?|execution|contrato|partes?|fecha|acuerdo|contrat|accord|convention|affiliates|representatives)$|^(?:party|parties)\b",
    re.IGNORECASE,
)
PARTY_LETTER = re.compile(r"^(?:party|parte|partie)\s+(?:[A-D]|[1-4]|I{1,3})$", re.IGNORECASE)
# What is said of a party and is no part of its name.
_DESCRIBES = re.compile(
    r"^(?:an?\b|the\s+(?:owner|holder|sole|parent)\b|with\b|having\b|whose\b|which\b|who\b|organi[sz]ed|incorporated\s+(?:in|under|and|pursuant)|registered|located|duly|acting|existing|established|constituted|formerly|f/k/a|d/?b/?a|dba\b|doing\s+business|trading\s+as|t/a\b|successors?|on\s+behalf|by\s+and\s+through|through\b|as\b|in\s+(?:its|his|her|such|their)\b|residing|domiciled|represented|together|and/or|including|its\b|for\s+(?:itself|and)|on\s+the\s+(?:one|other)|under\b|pursuant|at\b|individually|solely|not\s+in|company\s+(?:no|number|registration)|registration|reg\.?\s|vat\b|tax\s+id|c/o\b|being\b|herein|hereby|hereafter|but\b|or\b|to\b|of\b|from\b|dated\b|effective\b"
    r"|una?\b|con\s|sociedad|domiciliad|representad|provist|titular|mayor\s+de|inscrit|constituida|en\s+(?:adelante|lo|nombre)|de\s+(?:una|otra)|quien|cuy[oa]"
    r"|soci[ée]t[ée]\b|dont\b|ayant\b|immatricul|sise?\b|au\s+capital|repr[ée]sent|dûment|ci-apr|d['’](?:une|autre)|agissant|n[ée]e?\s+le|demeurant)",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"^(?:[A-Z][\w.]*\s+){0,3}(?:(?:non-?profit|public|private|statutory|business|limited|general|close|mutual|benefit|exempted|chartered|national|professional)\s+){0,3}(?:liability\s+)?(?:corporation|company|partnership|trust|association|entity|individual|bank|corp\.?|limited\s+liability\s+company)\b(?!\s+(?:of|for)\s+[A-Z])"
)
_NAME_ENDS = re.compile(
    rf"\s*\((?![A-Z][\w. ]{{1,24}}\)\s*,?\s*(?:{_FORMS})(?!\w))|\s*[;:]|\s*\n\s*\d|\s+(?:an?\s+(?:[\w.'’-]+\s+){{0,7}}?(?:corporation|company|partnership|trust|association|entity|individual|bank|limited|firm|institution|university|organi[sz]ation|division|subsidiary|corp)\b|with\s+(?:an?|its|offices?|principal|registered|place|address)\b|having\s|whose\s|organi[sz]ed\s|incorporated\s+(?:in|under)|registered\s|located\s|duly\s|acting\s|represented\s|existing\s|established\s|residing\s|formerly\s|d/?b/?a\b|dba\b|doing\s+business|a/?k/?a\b|f/?k/?a\b|and/or\b|as\s+(?:\w+\s+)?(?:agent|trustee|owner|servicer|administrator|custodian|collateral|administrative|the)\b|on\s+behalf|on\s+the\s+(?:one|other)\s+hand|agent\s+for\b|by\s+its\b|in\s+(?:its|his|her)\s+(?:capacity|individual)|is\s|are\s|shall\s|will\s|agrees?\s|hereby\s|of\s+(?=\d|\()|at\s+(?=\d)|and\s+its\s|together\s+with|hereinafter|hereafter|herein\s|referred\s|effective\s|dated\s|for\s+the\s|regarding\s|to\s"
    rf"|una?\s+sociedad|sociedad\s|con\s+(?:domicilio|CIF|NIF|sede)|en\s+adelante|representada|domiciliad|soci[ée]t[ée]\s|dont\s|ayant\s|au\s+capital|immatricul|ci-apr)"
    rf"|(?<=\S)\s+of\s+(?=(?:[A-Z][\w.'-]*[\s,]+){{1,6}}(?:\w+[\s,]+){{0,3}}\d)",
    re.IGNORECASE,
)
_STARTS = re.compile(r"[A-ZÀ-Ý0-9\[<*“\"]|i-|e-|[a-z]{1,2}[A-Z0-9]|[a-z]+[-_]?[a-z]*\s?(?:Inc|LLC|AG|GmbH|Ltd|inc\b)")
_NEVER = re.compile(
    r"^(?:this|that|these|those|it|he|she|each|any|all|both|either|such|whereas|recitals?|witnesseth|now|in|on|at|if|for|by|section|article|exhibit|schedule|suite|floor|street|p\.?\s?o\.?\s?box|tel|fax|telephone|attention|attn|effective|dated?|january|february|march|april|may|june|july|august|september|october|november|december|wales|u\.?s\.?a?\.?(?=\s*[,(]|$)|united states|england|scotland|the (?:parties|agreement|following|date|terms|undersigned|laws?|state|date|\w+ day)|parties|you|we|us|name|title|address|page|no|number|\d+[\d\s,.-]*$)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:[\s,;:.\-–—*_|]+|(?:and|by|between|among|AND|BETWEEN|y|e|et|entre)\b(?:\s+between\b)?[\s:]*|the\s+undersigned,?\s|the\s+(?:following\s+)?(?:parties|entities|persons|companies)\s*:\s*|(?:de|por)\s+(?:una|otra)(?:\s+parte)?[,:]?|d['’](?:une|autre)\s+part[,:]?|on\s+the\s+(?:one|other)\s+hand,?(?:\s+and)?|parties(?:\s+to\s+this\s+agreement)?\s*:?\s*\n|\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s*|(?:\d{1,2}|[a-z])[.)]\s+(?=\S)|la\s+(?:soci[ée]t[ée]|mercantil|entidad|sociedad|compañía)\s+|(?:its|their|his|her)\s+(?:wholly[- ]owned\s+)?(?:subsidiary|affiliate|parent|spouse),?\s+(?=(?-i:[A-Z]))|an?\s+[\w\s]{0,60}(?:comprised|consisting|composed)\s+of\s+)+",
    re.IGNORECASE,
)
_MARK = re.compile(r"\((?:\d{1,2}|[a-z]|[ivx]{1,4})\)|(?:^|\s)\d{1,2}[.)]\s")
_SEPARATOR = re.compile(
    r"(?P<semi>;)|(?P<mark>(?:(?<=\n)|(?<=[:,;]\s)|(?<=\band\s))\s*(?:\((?:\d{1,2}|[a-h]|[ivx]{1,4})\)|\d{1,2}[.)](?=\s+[A-Z]))\s*)|(?P<and>,?\s+(?:and(?!/or)|y|et|&(?=\s*\n))\s+(?:between\s+|among\s+)?|\n\s*&\s*\n)|(?P<agree>,?\s+(?:hereby\s+)?(?:confirms?|agrees?|enters?)\b[^.;]{0,60}?\s+with\s+)|(?P<close>(?<=[”\"»]\))\s+(?=(?-i:[A-Z])[\w&.,' \n-]{2,60}\())|(?P<comma>,)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?<=\.)\s+(?:There|This|It|In|All|Both|Whenever)\s+[a-z]|\b(?:WHEREAS|Whereas|RECITALS?|Recitals?|R\s?E\s?C\s?I\s?T\s?A\s?L\s?S|[Ww]ith\s+respect\s+to\s+the\s+following|as\s+follows|is\s+(?:made|entered|executed|dated|effective)|(?:dated|effective)\s+as\s+of|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|BACKGROUND|Background|NOW,?\s+THEREFORE|Now,?\s+[Tt]herefore|CONSIDERANDO|EXPONEN|MANIFIESTAN|IL\s+A\s+[ÉE]T[ÉE]|PR[ÉE]AMBULE|TABLE\s+OF\s+CONTENTS|CONTENTS|ARTICLE|In\s+consideration|IN\s+CONSIDERATION|The\s+[Pp]arties|sets?\s+forth|shall\s+set\s+forth)\b|\n\s*(?:This|THIS|DATED|Dated|EFFECTIVE\s+DATE|Effective\s+Date)\b"
)
_SENTENCE_ENDS = re.compile(
    r"(?:(?<=[a-z]{4})|(?<=[)”\"’])|(?<=\d))\.[”\"’]?\s+(?=[A-Z“\"])|[”\"]\s+(?=(?:The|Each|Capitalized|Supplier|[A-Z][\w&]+\s+and\s+[A-Z][\w&]+\s+(?:are|may|shall|is|will|each))\b)"
)
_ABBREVIATED = re.compile(
    r"\b(?:Corp|Blvd|Bldg|Inc|Ltd|Pkwy|Assn|Bros|Dept|Intl|Hwy|Messrs|Esq|Tech|Pharm|Suite|Univ)\.?$", re.IGNORECASE
)


@dataclass(slots=True)
class Named:
    """A party: its name is `text[start:end]`, and what is said of it ends at `until`."""

    start: int
    end: int
    until: int
    role: str | None = None
    is_closed: bool = False  # a short name in brackets ended what is said of it
    has_mark: bool = False  # a list mark stands before it
    pieces: list[str] = field(default_factory=list)

    def name(self, text: str) -> str:
        """The name on one line."""
        return " ".join(text[self.start : self.end].split()).strip(' ,;:“"*_')


def read_names(text: str, start: int, end: int) -> list[Named]:
    """The parties named between `start` and `end`, in order; empty where the words name none."""
    found: list[Named] = []
    carried = ""  # separator before a piece that holds but a lead: ', y de otra parte, Beta S.A.'
    pieces = list(_pieces(text, start, _region_end(text, start, end)))
    for number, (separator, at, stop) in enumerate(pieces):
        begin = at + _lead(text[at:stop])
        kind, carried = carried or separator, ""
        current = found[-1] if found else None
        if begin >= stop:
            carried = kind
        elif current is not None and _extends(text, current, kind, begin, stop):
            current.end = begin + _form_length(text[begin:stop])
            current.until = stop
        elif _begins(text, kind, begin, _reach(text, pieces, number), current, has_mark=_has_mark(text[at:begin])):
            found.append(Named(begin, begin + _name_length(text[begin:stop]), stop))
        elif current is not None:
            current.until = stop
        if found:
            _read_role(text, at, stop, found)
    return [one for one in found if _is_name(one.name(text))]


def _has_mark(lead: str) -> bool:
    return _MARK.search(lead) is not None


def _region_end(text: str, start: int, end: int) -> int:
    """Where the words that name parties end: a recital, or the end of the sentence."""
    over = _ENDS.search(text, start, end)
    end = over.start() if over is not None else end
    for match in _SENTENCE_ENDS.finditer(text, start, end):
        if (
            _ABBREVIATED.search(text[max(start, match.start() - 12) : match.start()]) is None
            and _depth(text, start, match.start()) == 0
        ):
            return match.start() + 1
    return end


def _depth(text: str, start: int, at: int) -> int:
    return max(0, text.count("(", start, at) - text.count(")", start, at))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Stretches between separators outside brackets, each with the kind of separator before it."""
    kind, at, looked, depth = "first", start, start, 0
    for match in _SEPARATOR.finditer(text, start, end):
        if match.lastgroup != "mark":
            depth += text.count("(", looked, match.start()) - text.count(")", looked, match.start())
            looked = match.start()
            if depth > 0:
                continue
            depth = 0
        if match.start() < at or (match.lastgroup == "comma" and _FORM_ALONE.match(text[match.end() : end].lstrip())):
            continue
        yield kind, at, match.start()
        kind, at = match.lastgroup or "comma", match.start() if match.lastgroup == "mark" else match.end()
        looked = max(looked, at)
    yield kind, at, end


def _lead(piece: str) -> int:
    match = _LEAD.match(piece)
    return match.end() if match is not None else 0


def _extends(text: str, current: Named, kind: str, begin: int, stop: int) -> bool:
    """True where a name runs on: ', Inc.', 'Centre for Probe Development and Commercialization', 'Keefe, Bruyette'."""
    between, piece = text[current.end : begin], text[begin:stop]
    if kind == "and":
        is_joined = between.strip().lower() in ("and", "y", "et", "&")
        is_open = FORM.search(current.name(text)) is None and not current.is_closed
        is_new = (
            FORM.search(piece[: _name_length(piece)]) is not None and INSTITUTION.search(current.name(text)) is not None
        )
        return is_joined and is_open and not is_new and piece[:1].isupper() and _NEVER.match(piece) is None
    if current.until > begin or re.sub(r"[\s,]+", "", between):
        return False
    if _FORM_ALONE.match(piece) is not None:
        return True
    is_start = " " not in current.name(text) and FORM.search(piece[: _name_length(piece)]) is not None
    return is_start and _names_role(piece)


def _form_length(piece: str) -> int:
    match = _FORM_ALONE.match(piece)
    return match.end() if match is not None else _name_length(piece)


def _reach(text: str, pieces: list[tuple[str, int, int]], number: int) -> int:
    """Where what is said of a party that begins with a piece ends at the latest: before the next 'and' and a name."""
    stop = pieces[number][2]
    for kind, at, end in pieces[number + 1 :]:
        if kind != "comma" and not text[at:end].lstrip()[:1].islower():
            break
        stop = end
    return stop


def _begins(text: str, kind: str, begin: int, reach: int, current: Named | None, *, has_mark: bool) -> bool:
    """True where a piece begins a party of its own; what may be said of it ends at `reach`."""
    whole = text[begin:reach]
    piece = whole[: _first_comma(whole)]
    if kind != "comma" and re.match(r"the\s+[A-Z]", piece) and _NEVER.match(piece) is None and _names_role(whole):
        return True
    if _STARTS.match(piece) is None or _DESCRIBES.match(piece) or _NEVER.match(piece) or _KIND.match(piece):
        return bool(REDACTED.match(piece)) and kind != "comma"
    name = " ".join(piece[: _name_length(piece)].split())
    if not _is_name(name) or _FORM_ALONE.match(piece) is not None:
        return False
    has_form = FORM.search(name) is not None
    is_sure = has_form or has_mark or INSTITUTION.search(name) is not None or _names_role(whole)
    if current is not None and current.is_closed and not is_sure:
        return False  # the others have short names: a piece with neither one nor a legal form is an address
    if current is None and kind == "comma" and not has_form:
        # what went before began no party: a date, an address, or 'the golfer, TOM WATSON, (“Consultant”)'
        return _is_person(name) and re.match(r"\s*,?\s*\([^()]*[“\"«]", whole[_name_length(piece) :]) is not None
    if current is None or has_mark or kind in ("semi", "agree"):
        return True
    before = current.name(text)
    is_whole = current.is_closed or FORM.search(before) is not None or current.has_mark
    direct = re.match(r"\s*\((?![^()]*\d{4})[^()]*[“\"]", piece[len(piece[: _name_length(piece)]) :]) is not None
    if kind in ("and", "close"):
        return (
            is_whole
            or (INSTITUTION.search(before) is not None and (has_form or direct))
            or (direct and has_form and _is_person(before))
        )
    ended_at_role = current.is_closed and re.search(r"\)\s*$", text[current.start : current.until]) is not None
    return (has_form and is_whole and INSTITUTION.fullmatch(name) is None) or (
        direct and ended_at_role and not re.search(r"\d", name)
    )


def _first_comma(whole: str) -> int:
    """End of the first piece: the first comma outside brackets that no legal form follows."""
    depth = 0
    for match in re.finditer(r"[(),]", whole):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if match.group() == "," and depth <= 0 and _FORM_ALONE.match(whole[match.end() :].lstrip()) is None:
            return match.start()
    return len(whole)


def _names_role(piece: str) -> bool:
    """True where brackets in the piece give a short name that is a party's."""
    roles = [_role_in(bracket.group()) for bracket in re.finditer(r"\((?:[^()]|\([^()]*\))*\)", piece)]
    referred = _REFERRED.search(piece)
    roles.append(_role_in(piece[referred.start() :]) if referred is not None else None)
    return any(role is not None and not NO_PARTY.search(role) for role in roles)


def _name_length(piece: str) -> int:
    """Length of the name at the start of a piece: an address on the next line or behind 'of' is none of it."""
    match = _NAME_ENDS.search(piece)
    end = match.start() if match is not None else len(piece.rstrip())
    person = _PERSON_OF.match(piece, 0, end)
    if person is not None and INSTITUTION.search(person["name"]) is None:
        return person.end("name")
    for form in FORM.finditer(piece, 0, end):
        behind = piece[form.end() : end]
        is_next_line = re.match(r"[^\S\n]*\n\s*(?!of\b|and\b)", behind) is not None and not FORM.search(behind)
        if is_next_line or re.match(r"\s+of\s+(?:[A-Z][\w.'’-]*\s+)+[A-Z]", behind):
            return form.end()
    return end


def _is_name(name: str) -> bool:
    """True for words that can be a name: few, with a capital or a redaction, and no word of running text."""
    if REDACTED.search(name):
        return True
    words = name.split()
    if _FORM_ALONE.fullmatch(name) is not None or _POSTAL.search(name) is not None:
        return False
    if not words or len(name) > MAX_NAME or len(words) > MAX_NAME_WORDS or not any(one.isalpha() for one in name):
        return False
    if words[-1].isalpha() and words[-1].islower() and FORM.search(words[-1].capitalize()) is None:
        return False  # 'Distributor intend': a verb, the end of no name
    small = [word for word in words if word.isalpha() and word.islower() and len(word) > 3]
    return len(small) <= max(1, len(words) // 3) and (len(words) > 1 or len(name) > 2) and not _KIND.fullmatch(name)


def _is_person(name: str) -> bool:
    words = name.split()
    return 2 <= len(words) <= 5 and all(word[0].isupper() for word in words if word[0].isalpha())


def _read_role(text: str, at: int, stop: int, found: list[Named]) -> None:
    """The short name that the piece gives the last party, or the last ones together."""
    piece = text[at:stop]
    referred = _REFERRED.search(piece)
    for bracket in [*re.finditer(r"\((?:[^()]|\([^()]*\))*\)", piece), *([referred] if referred else [])]:
        if at + bracket.start() < found[-1].end:
            continue  # a bracket inside the name: 'GALEN (CHEMICALS) LIMITED'
        inner = bracket.group() if bracket is not referred else piece[bracket.start() :]
        role = _role_in(inner)
        if role is None:
            continue
        lead = inner[: inner.find(role)]
        is_group = GROUP.search(lead) is not None
        last = found[-1]
        if last.role is None and (not NO_PARTY.search(role) or PARTY_LETTER.match(role)):
            last.role = role
            for one in reversed(found[:-1]):
                if not is_group or one.role is not None or one.is_closed:
                    break
                one.role = role
        if bracket is not referred or last.role:
            last.is_closed = True
            for one in found if is_group else ():
                one.is_closed = True


def _role_in(bracket: str) -> str | None:
    for pattern in (_ROLE, _ROLE_OPEN, _ROLE_BARE, _ROLE_CAPITALS):
        match = pattern.search(bracket)
        if match is not None:
            role = " ".join(match["role"].split()).strip(" ,.")
            if role and len(role) <= MAX_ROLE and folded_text(role) not in ("or", "and", "the"):
                return role
    return None
