# ruff: noqa: E501  # patterns are read whole, on one line
"""What a clause takes out of what it allows ('but not the final assembly'), or out of what it restrains."""

from __future__ import annotations

import re

from pipeline.generation.acts import STEM, says
from pipeline.generation.asking import Asking
from pipeline.generation.modality import ALLOWS

# What a clause takes out of what it allows: 'may subcontract parts but not the final assembly'.
_CARVED_OUT = re.compile(
    r"\b(?:but not|(?:except|excluding|other than|apart from|save)(?: for| in| to)?|pero no|excepto|salvo|mais (?:pas|non)|sauf|hormis)\b"
    r"(?P<what>[^.;]{1,160})"
)
EXCLUDED_REACH = 1_500  # characters from 'does not include' to what is excluded: a list of four or five long cases
# 'Confidential Information does not include information that is independently developed': free of the restraint.
_EXCLUDES = re.compile(
    r"\b(?:(?:does|do|shall|will) not (?:include|apply|extend|cover)|(?:shall|will|is|are) not (?:be )?(?:deemed |considered |regarded as |treated as )?(?:to be )?(?:confidential|proprietary)|exclud(?:es|ing|ed)|no obligation|not be (?:obligated|liable)|(?:exceptions?|exclusions?) (?:to|from)"
    r"|no (?:incluye|incluira|se aplicara|se considerara|tendra la consideracion)|n'inclu\w+ pas|ne (?:s'applique\w*|comprend\w*|sont) pas)\b"
)
_IF_NOT = re.compile(r"[^.;]{0,80}?\b(?:if|where|provided|unless|to the extent)\b[^.;]{0,40}?\b(?:not|no|never)\b")


def carved_out(folded: str, asking: Asking) -> re.Match[str] | None:
    """The words that take what is asked for out of what is allowed; what stands before them does not speak of it."""
    for match in _CARVED_OUT.finditer(folded):
        if not ALLOWS.search(folded, 0, match.start()):
            continue
        before = {word[:STEM] for word in re.findall(r"[a-z]{4,}", folded[: match.start()])}
        inside = {word[:STEM] for word in re.findall(r"[a-z]{4,}", match["what"])}
        if asking.stems - before and asking.stems - before <= inside:
            return match
    return None


def excluded(folded: str, asking: Asking) -> re.Match[str] | None:
    """Where a clause excludes from its restraint what is asked: what was 'independently developed' is not confidential."""
    for match in _EXCLUDES.finditer(folded):
        named = re.split(r"[.](?:\s|$)", folded[match.end() : match.end() + EXCLUDED_REACH])[0]
        if _IF_NOT.match(named):
            continue  # 'not liable if it did not disclose' lets nobody disclose
        if any(says(named, act) for act in asking.acts):
            return match
    return None
