# ruff: noqa: E501  # patterns are read whole, on one line
"""What bounds a permission: 'unless the Buyer objects', 'only as a shop', 'only if'; and what a clause leaves unsaid."""

from __future__ import annotations

import re

from pipeline.generation.acts import STEM, forms_of
from pipeline.generation.asking import Asking, plain
from pipeline.generation.modality import ALLOWS, CAUSE
from pipeline.generation.turning import confined_at

# A permission that hangs on what stands before it, or on what 'only' names.
_UNLESS = re.compile(
    r"\b(?:unless|until|subject to the (?:\w+ ){0,3}(?:consent|approval)|a menos que|salvo que|sauf si|a moins que)\b[^.;]*$"
)
_UNLESS_AFTER = re.compile(r"[^.;]{0,200}?\b(?:unless|a menos que|salvo que|sauf si|a moins que)\b")
_NOT_TO = re.compile(r"\b(?:not|not to|ne pas|de no|no)\s+$")
_ONLY_THEN = re.compile(
    r"\w+ (?:if|when|where|after|upon|once|in (?:the )?(?:event|case)|with|si|cuando|en caso|con|en cas|lorsque|avec|apres)\b"
)


def is_bounded(folded: str, allows: re.Match[str], asking: Asking) -> bool:
    """True for a permission with a bound that the question does not meet: 'unless ..., may', 'may only if ...'."""
    if _UNLESS.search(folded, 0, allows.start()) or _UNLESS_AFTER.match(folded, allows.end()):
        return True
    act = asking.link.search(folded, allows.end()) if asking.link is not None else None
    if act is not None and _NOT_TO.search(folded, allows.end(), act.start()):
        return True  # 'may elect not to renew' says nothing of renewing
    only = confined_at(folded, allows.start())
    if only is None:
        return False
    if lacks(folded, asking):
        return True  # 'only as a shop', asked for an office
    within = {word[:STEM] for word in re.findall(r"[a-z]{4,}", folded[only.end() :])}
    return _ONLY_THEN.match(folded, only.start()) is not None and not asking.stems & within


def lacks(folded: str, asking: Asking) -> frozenset[str]:
    """Telling words of the question, beyond its act and party, that the clause does not say."""
    acts = tuple(form for act in sorted(asking.acts) for form in forms_of(act))
    said = {word[:STEM] for word in re.findall(r"[a-z]{4,}", f"{folded} {asking.role or ''}")}
    own = (stem for stem in asking.stems - said if not any(stem.startswith(act[:STEM]) for act in acts))
    return frozenset(own)


def is_done(folded: str, asking: Asking) -> bool:
    """True where the act is done to something: 'shall be marked', where 'as it may designate' marks nothing."""
    forms = "|".join(re.escape(form) for act in sorted(asking.acts) for form in forms_of(act))
    return re.search(rf"\b(?:be|been|is|are|so)\b (?:[a-z]+ ){{0,3}}?(?:{forms})", folded) is not None


def conditions_of(clause: str) -> tuple[str, ...]:
    """The conditions of what a clause allows, verbatim, each to its comma: 'if required by law'."""
    allows = ALLOWS.search(plain(clause))
    if allows is None:
        return ()
    found = confined_at(plain(clause), allows.end()) or CAUSE.search(plain(clause), allows.end())
    if found is None:
        return ()
    end = re.search(r"[,;.)](?:\s|$)", clause[found.end() :])
    return (clause[found.start() : found.end() + end.start() if end is not None else len(clause)],)
