"""The parties of a contract, from the sentence that names them: 'between X Inc. (“Supplier”) and Y Ltd. (“Buyer”)'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from schemas.answer import TextValue

_BETWEEN = re.compile(
    r"\b(?:by and (?:between|among)|between|among|entre(?: les soussign[ée]e?s)?|de una parte|de otra parte)\b\s*[:,]?",
    re.IGNORECASE,
)
_ALIAS = re.compile(r"\((?:[^()“\"”]{0,80}?)[“\"](?P<alias>[^”\"“]{2,60})[”\"][^()]{0,120}\)")
_LEAD = re.compile(r"^[\s,;.:]*(?:(?:and|y|et|and between)\s+)?(?:\(?[0-9a-z]{1,2}[).]\s+)?", re.IGNORECASE)
_NAME_END = re.compile(
    r",?\s+(?:an?\s+\w|with\s|having\s|whose\s|organi[sz]ed|incorporated\s+(?:in|under)|registered|located|of\s+\d|duly\s"
    r"|acting\s|the\s+\w+\s+of"
    r"|una\s+sociedad|con\s+domicilio|soci[ée]t[ée]\s|dont\s|ayant\s|en adelante|hereinafter"
    r"|and\s+its\s|together\s+with)"
    r"|,\s+(?=\d)|;|\s+\(",
    re.IGNORECASE,
)
_NO_PARTY = re.compile(
    r"\b(?:agreement|contract|effective date|parties|party|closing|territory|products?|services?|date|contrato|partes"
    r"|contrat)\b",
    re.IGNORECASE,
)
_LEGAL_FORM = re.compile(
    r"\b(?:Inc|LLC|L\.L\.C|Ltd|Limited|Corp|Corporation|Company|Co|LP|L\.P|LLP|PLC|GmbH|AG|S\.?A\.?S?|S\.?L\.?U?|B\.?V|N\.?V"
    r"|SARL|S\.?p\.?A|Bank|Trust|University)\b"
)
# What is said of the party before it, up to another short name of it: ', with an address at … (the “Consultant”)'.
_DESCRIBES = re.compile(
    r"(?:with|having|whose|organi[sz]ed|incorporated|registered|located|duly|acting|con\s+domicilio|dont|ayant)\s"
)
_ARTICLE_LEFT = re.compile(r"\s*,\s*(?:an?|the)$")  # of a description that the bracket broke off: 'X Corp, a (“Buyer”)'
REACH = 2_500  # characters after 'between' in which the parties are named
MAX_NAME = 120  # characters of a name


def find_parties(passages: Sequence[Passage]) -> Draft:
    """Each party's name with the lines it stands in and its short name as label; empty where no sentence names them.

    Complete when two or more were read from one sentence.
    """
    for passage in passages:
        for opening in _BETWEEN.finditer(passage.text):
            proposals = _named_after(passage, opening.end())
            if len(proposals) > 1:
                return _named(proposals)
    for passage in passages:
        proposals = [one for one in _named_after(passage, 0) if _LEGAL_FORM.search(one.value_text)]
        if len(proposals) > 1:
            return _named(proposals)
    return Draft(())


def _named(proposals: Sequence[Proposal]) -> Draft:
    reason = "all names of the sentence that names the parties"
    return Draft(tuple(proposals), ends=True, completeness_reason=reason)


def _named_after(passage: Passage, start: int) -> list[Proposal]:
    """Names before each short name in brackets, up to the first that is no party's."""
    text = passage.text
    proposals: list[Proposal] = []
    at = start
    for alias in _ALIAS.finditer(text, start, min(len(text), start + REACH)):
        segment = text[at : alias.start()]
        at = alias.end()
        if _NO_PARTY.search(alias["alias"]):
            if proposals:
                break
            continue
        lead = _LEAD.match(segment)
        begun = alias.start() - len(segment) + (lead.end() if lead is not None else 0)
        if start == 0 and not proposals:  # no word opens the names: the first one starts its line
            begun = max(begun, text.rfind("\n", 0, alias.start() - 1) + 1)
        if _DESCRIBES.match(text, begun, alias.start()):
            continue
        name_end = _NAME_END.search(text, begun, alias.start())
        end = name_end.start() if name_end is not None else alias.start()
        flat = _ARTICLE_LEFT.sub("", " ".join(text[begun:end].split()).strip(" ,")).rstrip(" ,")
        if not flat or len(flat) > MAX_NAME or _is_function_words(flat):
            continue
        lines = passage.line_range(begun, alias.end())
        span = ProposedSpan(passage.candidate.candidate_id, *lines)
        label = " ".join(alias["alias"].split())
        proposals.append(Proposal(TextValue(text=flat), (span,), flat, "rules", "verbatim", label))
    return proposals


def _is_function_words(name: str) -> bool:
    """True for 'with' or 'by and of': no party's name, which has a word of its own or a capital ('A', in a model)."""
    return name.islower() and all(word.strip(".,;:") in ALL_STOP_WORDS for word in name.split())
