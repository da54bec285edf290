"""What parts of a web page are: navigation, its head and foot, notes, and contents whose entries are links."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from pipeline.parsing.contents_lines import CONTENTS_WORDS
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import drop_number, squeeze
from pipeline.parsing.reading import GivenHeading, LinkRead

MIN_ENTRIES = 3  # links to headings in a row that make a table of contents
MAX_BETWEEN = 3  # lines from one entry to the next: a long entry, a button that unfolds it
MIN_LINKED_SHARE = 0.6  # share of a line that a link covers, from which the line is an entry
MAX_FOOT_CHARS = 2000  # characters of a page's foot; more is a text that someone put there
SECTIONING = frozenset({"article", "main", "section", "aside"})
_NOTE_ID = re.compile(r"(?:fn|ftn|_ftn|edn|_edn|footnote|endnote|cite_note)[-_:.]?(?:\w*[-_:])?\d+", re.IGNORECASE)
_REGION_ROLES = {"navigation": "nav", "banner": "header", "contentinfo": "footer"}
_NOTE_ROLES = frozenset({"doc-footnote", "doc-endnote"})


def find_region(tag: str, attributes: Mapping[str, str | None], *, in_part: bool) -> str:
    """nav, header or footer; empty for what is the page's own text, such as the head of an article (`in_part`)."""
    role = (attributes.get("role") or "").lower()
    if role in _REGION_ROLES:
        return _REGION_ROLES[role]
    if tag == "nav":
        return "nav"
    if tag in ("header", "footer") and not role and not in_part:
        return tag
    return ""


def is_footnote(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """The element is a note: by its role, or a block or item whose name is one that programs give to notes."""
    if (attributes.get("role") or "").lower() in _NOTE_ROLES:
        return True
    name = attributes.get("id") or ""
    return tag in ("li", "p", "div", "aside", "dd") and bool(_NOTE_ID.fullmatch(name))


def mark_contents_links(links: Sequence[LinkRead], lines: Sequence[Line], headings: list[GivenHeading]) -> None:
    """Give lines the role toc_entry: neighbours that are links, each to a heading with the same words.

    The heading of such a table of contents is taken out of `headings`: it begins no section.
    """
    titles = {id(heading.line): squeeze(heading.title) for heading in headings}
    following = _headings_below(lines, titles)
    entries = set()
    for link in links:
        line = link.line
        if link.target is None or line.role != "body" or len(link.text) < MIN_LINKED_SHARE * len(line.text):
            continue
        title = following.get(id(link.target), "")
        words = squeeze(drop_number(link.text))
        if title and words and (words in title or title in squeeze(link.text)) and id(line) not in titles:
            entries.add(id(line))
    body = [line for line in lines if line.visible]
    at = [place for place, line in enumerate(body) if id(line) in entries]
    for group in _neighbours(at):
        if len(group) >= MIN_ENTRIES:
            first = group[0]
            while first > 0 and group[0] - first < MAX_BETWEEN and squeeze(body[first].text) not in CONTENTS_WORDS:
                first -= 1
            titled = squeeze(body[first].text) in CONTENTS_WORDS
            for line in body[first if titled else group[0] : group[-1] + 1]:
                line.role = "toc_entry"
    headings[:] = [heading for heading in headings if heading.line.role != "toc_entry"]


def _neighbours(places: Sequence[int]) -> list[list[int]]:
    """Runs of ascending places with at most `MAX_BETWEEN` between two of them."""
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= MAX_BETWEEN:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _headings_below(lines: Sequence[Line], titles: Mapping[int, str]) -> dict[int, str]:
    """For each line, the heading's words where it is one or stands right above one: anchors often do."""
    below: dict[int, str] = {}
    for line, after in itertools.pairwise([*lines, None]):
        if line is not None:
            title = titles.get(id(line)) or (titles.get(id(after)) if after is not None else None)
            below[id(line)] = title or ""
    return below


def mark_regions(regions: Mapping[int, str], lines: Sequence[Line], headings: list[GivenHeading]) -> None:
    """Give the lines of navigation, head and foot the roles of running text, where the page has text besides.

    A head that holds a heading names the document, and stays text; so do lines of a table of contents, and a foot as
    long as a text. Headings in running text are taken out of `headings`.
    """
    titled = {regions.get(id(heading.line), "") for heading in headings}
    foot = sum(len(line.text) for line in lines if regions.get(id(line), "").startswith("footer"))
    own = [at for at, line in enumerate(lines) if line.visible and line.text and id(line) not in regions]
    if not own:
        return
    for at, line in enumerate(lines):
        region = regions.get(id(line), "")
        kind = region.partition(" ")[0]
        is_text = (kind == "header" and region in titled) or (kind == "footer" and foot > MAX_FOOT_CHARS)
        if region and not is_text and line.role in ("body", "table"):
            line.role = "header" if kind == "header" or (kind == "nav" and at < own[0]) else "footer"
    headings[:] = [heading for heading in headings if heading.line.role == "body"]
