# patterns are read whole, on one line
"""The names in the words that name the parties: 'X Inc., a Delaware corporation (“Supplier”), and Y Ltd. (“Buyer”)'.

The words are cut at commas, semicolons, 'and' and list marks outside brackets; a piece begins a party or goes on about
the one before. No address, state or description is taken for a name: what is in doubt is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.generation.party_roles import AS_ROLE, names_role, role_in
from pipeline.generation.party_words import (
    ABBREVIATED,
    CALLED_SO,
    CONTINUES,
    DESCRIBES,
    ENDS,
    ENDS_IN_CALLED,
    FORM,
    FORM_ALONE,
    GROUP,
    INSTITUTION,
    KIND,
    LEAD,
    MARK,
    MAX_NAME,
    MAX_NAME_WORDS,
    NAME_ENDS,
    NEVER,
    NO_PARTY,
    PARTY_LETTER,
    PERSON_OF,
    POSTAL,
    REDACTED,
    REFERRED,
    REPRESENTS,
    RULE,
    SENTENCE_ENDS,
    SEPARATOR,
    STARTS,
)


@dataclass(slots=True)
class Named:
    """A party: its name is `text[start:end]`, and what is said of it ends at `until`."""

    start: int
    end: int
    until: int
    role: str | None = None
    is_closed: bool = False  # a short name in brackets ended what is said of it

    def name(self, text: str) -> str:
        """The name on one line."""
        return " ".join(RULE.sub(" ", text[self.start : self.end]).split()).strip(' ,;:“"*_')


def read_names(text: str, start: int, end: int) -> list[Named]:
    """The parties named between `start` and `end`, in order; empty where the words name none."""
    found: list[Named] = []
    carried = ""  # separator before a piece that holds but a lead: ', y de otra parte, Beta S.A.'
    pieces = list(_pieces(text, start, region_end(text, start, end)))
    for number, (separator, at, stop) in enumerate(pieces):
        begin = at + _lead(text[at:stop])
        kind, carried = carried or separator, ""
        current = found[-1] if found else None
        stands_for = REPRESENTS.match(text[begin:stop]) if current is not None and not current.is_closed else None
        if begin >= stop:
            carried = kind
        elif current is not None and stands_for is not None:
            current.start = begin + stands_for.end()
            current.end, current.until = current.start + _name_length(text[current.start : stop]), stop
        elif current is not None and _extends(text, current, kind, begin, stop):
            current.end = begin + _form_length(text[begin:stop])
            current.until = stop
        elif _begins(
            text, kind, begin, _reach(text, pieces, number), current, has_mark=MARK.search(text[at:begin]) is not None
        ):
            found.append(Named(begin, begin + _name_length(text[begin:stop]), stop))
        elif current is not None:
            current.until = stop
        if found:
            _read_role(text, at, stop, found)
    return [one for one in found if _is_name(one.name(text))]


def two_of(text: str, one: Named) -> list[Named]:
    """'Galacticomm and Horst Entertainment Inc.': the one name cut at its 'and', where the second is a company's."""
    joined = re.compile(r"\s+(?:and|y|et|&)\s+", re.IGNORECASE)
    cuts = [match for match in joined.finditer(text, one.start, one.end) if FORM.search(text, match.end(), one.end)]
    if len(cuts) != 1 or one.role is not None:
        return [one]
    return [Named(one.start, cuts[0].start(), cuts[0].start()), Named(cuts[0].end(), one.end, one.until)]


def region_end(text: str, start: int, end: int) -> int:
    """Where the words that name parties end: a recital, or the end of the sentence."""
    over = ENDS.search(text, start, end)
    end = over.start() if over is not None else end
    for match in SENTENCE_ENDS.finditer(text, start, end):
        is_cut = ABBREVIATED.search(text[max(start, match.start() - 12) : match.start()]) is not None
        if not is_cut and not CONTINUES.match(text, match.end()) and _depth(text, start, match.start()) == 0:
            return match.start() + 1
    return end


def _depth(text: str, start: int, at: int) -> int:
    return max(0, text.count("(", start, at) - text.count(")", start, at))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Stretches between separators outside brackets, each with the kind of separator before it."""
    kind, at, looked, depth = "first", start, start, 0
    for match in SEPARATOR.finditer(text, start, end):
        if match.lastgroup != "mark":
            depth += text.count("(", looked, match.start()) - text.count(")", looked, match.start())
            looked = match.start()
            if depth > 0:
                continue
            depth = 0
        if match.start() < at or _is_inside(text, match, end):
            continue
        yield kind, at, match.start()
        kind, at = match.lastgroup or "comma", match.start() if match.lastgroup == "mark" else match.end()
        looked = max(looked, at)
    yield kind, at, end


def _is_inside(text: str, found: re.Match[str], end: int) -> bool:
    """True for what parts no two pieces: 'ACME, Inc.', 'en adelante, el Proveedor', 'en nombre y representación de'."""
    before, behind = text[max(0, found.start() - 20) : found.start()], text[found.end() : end].lstrip()
    if found.lastgroup != "comma":
        is_term = before.endswith("Savings") and behind.startswith("Loan")
        return found.lastgroup == "and" and (behind.casefold().startswith("representaci") or is_term)
    return bool(FORM_ALONE.match(behind) or ENDS_IN_CALLED.search(before))


def _lead(piece: str) -> int:
    match = LEAD.match(piece)
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
        return is_joined and is_open and not is_new and piece[:1].isupper() and NEVER.match(piece) is None
    if current.until > begin or re.sub(r"[\s,]+", "", between):
        return False
    if FORM_ALONE.match(piece) is not None:
        return True
    name = piece[: _name_length(piece)]
    is_start = " " not in current.name(text) and FORM.search(name) is not None
    return is_start and (names_role(piece) or re.search(r"\s&\s", name) is not None)  # 'A, B & C, Inc.'


def _form_length(piece: str) -> int:
    match = FORM_ALONE.match(piece)
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
    if kind == "and" and re.match(r"you\b", piece, re.IGNORECASE) and (names_role(whole) or AS_ROLE.match(whole)):
        return True  # 'and you (“Affiliate”)': terms that whoever accepts them is bound by
    if kind != "comma" and re.match(r"the\s+[A-Z]", piece) and NEVER.match(piece) is None and names_role(whole):
        return True
    if STARTS.match(piece) is None or DESCRIBES.match(piece) or NEVER.match(piece) or KIND.match(piece):
        return bool(REDACTED.match(piece)) and kind != "comma"
    name = " ".join(piece[: _name_length(piece)].split())
    if not _is_name(name) or FORM_ALONE.match(piece) is not None:
        return False
    has_form = FORM.search(name) is not None
    is_sure = has_form or has_mark or INSTITUTION.search(name) is not None or names_role(whole)
    if current is not None and current.is_closed and not is_sure:
        return False  # the others have short names: a piece with neither one nor a legal form is an address
    if current is None and kind == "comma" and not has_form:
        # what went before began no party: a date, an address, or 'the golfer, TOM WATSON, (“Consultant”)'
        return _is_person(name) and re.match(r"\s*,?\s*\([^()]*[“\"«]", whole[_name_length(piece) :]) is not None
    if current is None or has_mark or kind in ("semi", "agree"):
        return True
    before = current.name(text)
    is_whole = current.is_closed or FORM.search(before) is not None
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
        if match.group() == "," and depth <= 0 and FORM_ALONE.match(whole[match.end() :].lstrip()) is None:
            return match.start()
    return len(whole)


def _name_length(piece: str) -> int:
    """Length of the name at the start of a piece: an address on the next line or behind 'of' is none of it."""
    if AS_ROLE.match(piece) is not None:
        return len("you")
    match = NAME_ENDS.search(piece)
    end = match.start() if match is not None else len(piece.rstrip())
    person = PERSON_OF.match(piece, 0, end)
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
    if REDACTED.search(name) or name.casefold() == "you":
        return True
    words = name.split()
    if CALLED_SO.match(name) or FORM_ALONE.fullmatch(name) is not None or POSTAL.search(name) is not None:
        return False
    if not words or len(name) > MAX_NAME or len(words) > MAX_NAME_WORDS or not any(one.isalpha() for one in name):
        return False
    if words[-1].isalpha() and words[-1].islower() and FORM.search(words[-1].capitalize()) is None:
        return False  # 'Distributor intend': a verb, the end of no name
    small = [word for word in words if word.isalpha() and word.islower() and len(word) > 3]
    return len(small) <= max(1, len(words) // 3) and (len(words) > 1 or len(name) > 2) and not KIND.fullmatch(name)


def _is_person(name: str) -> bool:
    words = name.split()
    return 2 <= len(words) <= 5 and all(word[0].isupper() for word in words if word[0].isalpha())


def _read_role(text: str, at: int, stop: int, found: list[Named]) -> None:
    """The short name that the piece gives the last party, or the last ones together."""
    piece = text[at:stop]
    own = AS_ROLE.search(piece)
    if own is not None and found[-1].role is None:
        found[-1].role = own["role"]
    referred = REFERRED.search(piece)
    for bracket in [*re.finditer(r"\((?:[^()]|\([^()]*\))*\)", piece), *([referred] if referred else [])]:
        if at + bracket.start() < found[-1].end:
            continue  # a bracket inside the name: 'GALEN (CHEMICALS) LIMITED'
        inner = bracket.group() if bracket is not referred else piece[bracket.start() :]
        role = role_in(inner)
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
