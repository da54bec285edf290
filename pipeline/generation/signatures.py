# patterns are read whole, on one line
"""Who signs: the names over 'By:' and '/s/' in a signature block, for documents that name their parties nowhere else.

A joint filing agreement speaks of 'the undersigned' and means those whose names stand at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.generation.handed import Block
from pipeline.generation.party_words import FORM, INSTITUTION

LINES_ABOVE = 3  # lines over a signature in which the name of the company stands
MAX_NAME = 90  # characters of a name in a signature block
MAX_SIGNED = 30  # parties; more are a list of something else

_SIGNS = re.compile(r"(?:^|\s{2,}|\t)(?:By|Per|Por|Par|Signed|Signature|Firmado|Fdo)\s*[:.]|/s/", re.IGNORECASE)
_OPENS = re.compile(
    r"\bIN\s+WITNESS|\bIN\s+TESTIMONY|\bexecuted\s+(?:this|as\s+of|and\s+delivered|by)|\b(?:has|have)\s+(?:caused|executed|signed|duly)|\bundersigned\b|\bSIGNED\b|\bACCEPTED\s+AND\s+AGREED|\bagreed\s+(?:and|to\s+and)\s+accepted|\bUNDERSTOOD\s+AND\s+AGREED|\bAGREED\s+TO\b|\bBy\s+signing\b|\bEN\s+(?:FE|PRUEBA)\s+DE|\bEN\s+FOI\s+DE|\bsignature\s+page\b|\bFait\s+à\b|\bfirman\b",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"^(?:by|per|por|par|name|title|date|dated|its|print|printed|signature|signed|address|attn|attention|witness|tel|fax|email|nombre|cargo|fecha|nom|fonction|titre|for\s+and\s+on\s+behalf|/s/|_{2,}|-{2,}|source|exhibit|page)\b|^[/_\-–\s.]+$|^\(?\d",
    re.IGNORECASE,
)
_SIGNED_PERSON = re.compile(r"/s/\s*(?P<name>[A-Z][\w.'’-]*(?:[ \u00a0]+[A-Z][\w.'’-]*){1,3})")
_ROLE_BEHIND = re.compile(r"\s*\(\s*(?:the\s+)?[“\"]?(?P<role>[A-Z][\w ]{1,40}?)[”\"]?\s*\)\s*$")
_IN_OFFICE = re.compile(r",\s*(?:co-?)?(?:trustee|administrator|agent)\s*$", re.IGNORECASE)  # 'Jane Roe, Trustee'
_OFFICE = re.compile(
    r"\b(?:president|officer|director|secretary|treasurer|manager|chairman|counsel|attorney|signatory|partner|member|ceo|cfo|coo|vice|chief|executive|principal|trustee|owner|gerente|administrador|apoderado|directeur|gérant)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Signed:
    """A name of a signature block: its place in the block's text, and the role in brackets behind it."""

    start: int
    end: int
    role: str | None


def read_signatures(blocks: Sequence[Block]) -> list[tuple[Block, Signed]]:
    """Companies over a signature, and persons who sign for themselves, in order, each once; empty without a block."""
    found: dict[str, tuple[Block, Signed]] = {}
    is_open = False
    for block in blocks:
        opening = _OPENS.search(block.text)
        if opening is None and not is_open:
            continue
        first = 0 if is_open or opening is None else block.line_index(opening.start())
        is_open = True
        for index in range(first, len(block.lines)):
            if _SIGNS.search(block.line_text(index)) is None:
                continue
            over = list(_names_over(block, index, first))
            for signed in over or _person_at(block, index):
                if FORM.fullmatch(block.text[signed.start : signed.end].strip()) is not None:
                    continue  # the end of a name whose beginning was not handed over
                found.setdefault(_key(block.text[signed.start : signed.end]), (block, signed))
    return list(found.values()) if len(found) <= MAX_SIGNED else []


def _names_over(block: Block, index: int, first: int) -> Iterator[Signed]:
    """The companies on the nearest line over a signature that holds one."""
    for above in range(index - 1, max(first - 1, index - 1 - LINES_ABOVE), -1):
        text = block.line_text(above)
        cells = [*_cells(text)]
        names = [cell for cell in cells if _is_company(text[cell[0] : cell[1]])]
        if names:
            if len(cells) == 1 and _is_tail(text) and above - 1 > first and _may_begin(block.line_text(above - 1)):
                yield _signed(block, block.starts[above - 1], block.starts[above] + cells[0][1])
                return
            for start, end in names:
                yield _signed(block, block.starts[above] + start, block.starts[above] + end)
            return
        if _SIGNS.search(text) or any(_OFFICE.search(text[a:b]) for a, b in cells):
            return


def _is_tail(text: str) -> bool:
    """True for 'Offshore, LP' or 'L.P.': the end of a name that began on the line above."""
    return len(text.split()) <= 2


def _may_begin(text: str) -> bool:
    name = text.strip()
    is_field = _FIELD.match(name) or _SIGNS.search(name) or _OFFICE.search(name) or _OPENS.search(name)
    return bool(name) and not is_field and name[0].isupper() and name[-1] not in ".:;" and len(name) <= MAX_NAME


def _person_at(block: Block, index: int) -> Iterator[Signed]:
    """The person who signs with no company over the signature and no office under it."""
    text = block.line_text(index)
    match = _SIGNED_PERSON.search(text)
    if match is None or re.search(r"\bby\s*:", text[: match.start()], re.IGNORECASE):
        return
    under = [block.line_text(at) for at in range(index + 1, min(index + 4, len(block.lines)))]
    if any(_OFFICE.search(line) for line in under) or not any(_key(match["name"]) in _key(line) for line in under[:2]):
        return
    yield _signed(block, block.starts[index] + match.start("name"), block.starts[index] + match.end("name"))


def _cells(text: str) -> Iterator[tuple[int, int]]:
    """Columns of a line: what two or more spaces part."""
    for match in re.finditer(r"\S+(?:[ \u00a0]\S+)*", text):
        yield match.span()


def _is_company(cell: str) -> bool:
    name = _ROLE_BEHIND.sub("", cell.strip())
    if not name or len(name) > MAX_NAME or _FIELD.match(name) or name[0].islower() or name.endswith(":"):
        return False
    if FORM.fullmatch(name) is not None:
        return True  # 'L.P.' of a name that began on the line above
    if _IN_OFFICE.search(name):
        return False
    has_form = FORM.search(name) is not None or INSTITUTION.search(name) is not None
    words = name.split()
    return has_form and len(words) > 1 and sum(word[0].islower() for word in words) <= len(words) // 3


def _signed(block: Block, start: int, end: int) -> Signed:
    cell = block.text[start:end]
    role = _ROLE_BEHIND.search(cell)
    if role is not None and FORM.fullmatch(role["role"]) is None:
        return Signed(start, start + role.start(), role["role"])
    return Signed(start, start + len(cell.rstrip(" ,")), None)


def _key(name: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))
