# ruff: noqa: E501  # patterns are read whole, on one line
"""Where a contract's own dates stand: its opening, and what defines its Effective Date.

A day is often told from them ('three years from the Effective Date', 'on the date first above written'), and can only
be counted where they are handed over too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.values import find_values
from pipeline.values.date_references import find_date_references
from pipeline.values.found import fold

if TYPE_CHECKING:
    from pipeline.retrieval.lines import Lines

HEAD_BLOCKS = 120  # passages in which a contract opens: a cover, contents and an index of terms may stand before it
HEAD_PAGES = 6  # the same in pages
ALONE = 40  # characters beside a date on a line that only dates the document
MAX_DEFINITIONS = 2  # passages that define a date: the one that does, and one that another schedule has
_CONTRACT = r"agreement|contract|lease|licen[cs]e|deed|amendment|addendum|memorandum|letter|contrato|acuerdo|convenio|contrat|accord|convention|bail|avenant"
_NAMES = (
    r"effective date|commencement date|start(?:ing)? date|execution date|agreement date|signing date|launch date|fecha (?:efectiva|de (?:entrada en vigor|inicio|firma|efectos?))"
    r"|date d'(?:effet|entree en vigueur)|date de (?:debut|prise d'effet|signature)"
)
# What tells a day from the contract's own date.
_POINTS = re.compile(
    rf"\b(?:{_NAMES}|date (?:first )?(?:here(?:in)?)?(?:above|hereof|signed|set forth|set out|written|of this|of the (?:{_CONTRACT})|of (?:its |the )?(?:execution|signature|signing))|day and year first"
    rf"|(?:execution|signing|signature) (?:of|hereof)|(?:desde|a partir de|a contar desde) (?:la |su )?(?:firma|fecha)|la firma|fecha (?:del? (?:este |presente )?(?:{_CONTRACT})|de la firma|arriba)|date (?:des presentes|du (?:present|contrat)|ci-dessus)|(?:sa|la) signature)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"\b(?:this|the present|el presente|la presente|este|le present|ce)\b[^.;]{{0,160}}?\b(?:{_CONTRACT})\b|^[\W\d]*(?:[A-Z&,-]+ ){{0,12}}(?:{_CONTRACT.upper()})\b[^a-z]{{0,20}}\b(?:dated|is|made|entered|effective)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:dated|made|entered|executed|effective|concluded|signed|firmad\w*|suscri\w*|celebra\w*|signe|conclu|fait)\b|\bas of\b|\bthis\b.{0,12}\bday of\b",
    re.IGNORECASE,
)
_DEFINES = re.compile(
    rf"[\"“”'](?:the )?(?:{_NAMES})[\"“”'][^.;]{{0,60}}?\b(?:means?|be|is|significa|sera|es|signifie|designe|est)\b|[(\[][^()]{{0,30}}[\"“”'](?:the )?(?:{_NAMES})[\"“”']",
    re.IGNORECASE,
)

# The day of the contract is that of its signatures.
_LAST_SIGNATURE = re.compile(
    r"\bdate (?:last |first )?(?:signed|written|set forth|set out|indicated|appearing)\b[^.;]{0,20}\bbelow\b|\b(?:last|latest|later|final) (?:date |day )?(?:of (?:the )?)?(?:signature|signing|execution)\b|\bdate of (?:the )?(?:last|latest|final) (?:signature|signing)|\blast (?:of the )?part(?:y|ies) (?:signs|to sign|signing)|\bultima firma|\bderniere signature",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"/s/|\b(?:by|name|title|signature|signed|its|firma|firmado|cargo|nombre|nom|titre|fonction) ?:|_{8,}|\bsigned (?:at|in|on|by)\b",
    re.IGNORECASE,
)
_DATE_LABEL = re.compile(r"^\W*(?:dated?|fecha|le)\b ?:?\W*[^.;]{0,40}$", re.IGNORECASE)
MAX_SIGNATURES = 4  # passages with a date and a signature: two parties, each on two pages


def counts_from_opening(texts: Sequence[str]) -> bool:
    """True where a passage on the topic counts a day from the contract's own date, or states a length and no day."""
    return any(
        find_values(text, "duration") and (_POINTS.search(_flat(text)) is not None or not find_values(text, "date"))
        for text in texts
    )


def find_openings(lines: Lines) -> tuple[int, ...]:
    """Blocks that define a date of the contract or open it with one, in the document's order; empty without any."""
    opening = next(_openings(lines), None)
    by_signature = opening is not None and _LAST_SIGNATURE.search(_flat(lines.block_text(opening))) is not None
    defined: list[int] = []
    for block in range(lines.block_count):
        if len(defined) == MAX_DEFINITIONS:
            break
        text = lines.block_text(block)
        defines = block != opening and _DEFINES.search(_flat(text)) is not None
        if defines and (find_values(text, "date") or find_date_references(text)):
            defined.append(block)
            by_signature = by_signature or _LAST_SIGNATURE.search(_flat(text)) is not None
    signed = _signatures(lines) if by_signature else []
    return tuple(sorted({*defined, *([opening] if opening is not None else []), *signed}))


def _signatures(lines: Lines) -> list[int]:
    """Blocks with a date and a signature, or a labelled date beside one, from the first; at most four."""
    texts = {block: _flat(lines.block_text(block)) for block in range(lines.block_count)}
    marked = [block for block, text in texts.items() if _SIGNATURE.search(text)]
    near = {block + step for block in marked for step in (-1, 0, 1)}
    dated = [
        block
        for block in sorted(near & texts.keys())
        if find_values(lines.block_text(block), "date")
        and (
            _DATE_LABEL.search(texts[block])
            or re.search(r"/s/|\bby ?:|\bdated? ?:|\bfecha ?:", texts[block], re.IGNORECASE)
        )
    ]
    return dated[:MAX_SIGNATURES]


def _flat(text: str) -> str:
    """The text as patterns read it, on one line."""
    return " ".join(fold(text).split())


def _openings(lines: Lines) -> Iterator[int]:
    """The block that opens the contract with its date; else one at the head that holds little but a date."""
    head = [
        block
        for block in range(min(lines.block_count, HEAD_BLOCKS))
        if lines.page_nums[lines.block_positions(block)[0]] <= HEAD_PAGES
    ]
    texts = {block: lines.block_text(block) for block in head}
    for block in head:
        flat = _flat(texts[block])
        if (
            _OPENS.search(flat)
            and _DATED.search(flat)
            and (find_values(texts[block], "date") or find_date_references(flat))
        ):
            yield block
    for block in head:
        if _is_alone(texts[block]) or any(
            _DATE_LABEL.search(line) and _is_alone(line)
            for line in (fold(lines.texts[position]) for position in lines.block_positions(block))
        ):
            yield block


def _is_alone(text: str) -> bool:
    """True for a text that holds little but a date."""
    found = find_values(text, "date")
    return bool(found) and len(text.strip()) - (found[0].end - found[0].start) <= ALONE
