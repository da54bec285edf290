"""The short name that words in brackets give a party: '(the “Supplier”)', '(hereinafter the Buyer)', '(USA MCO)'."""

from __future__ import annotations

import re

from dictionaries.folding import folded_text
from pipeline.generation.party_words import (
    MAX_ROLE,
    NO_PARTY,
    REFERRED,
    ROLE,
    ROLE_AFTER,
    ROLE_BARE,
    ROLE_CAPITALS,
    ROLE_OPEN,
    ROLE_THE,
)

AS_ROLE = re.compile(r"you,?\s+as\s+an?\s+[“\"](?P<role>\w+)", re.IGNORECASE)  # 'you as an “Affiliate”'


def role_in(bracket: str) -> str | None:
    """The short name that words in brackets give; None where they give none."""
    for pattern in (ROLE_AFTER, ROLE, ROLE_OPEN, ROLE_BARE, ROLE_THE, ROLE_CAPITALS):
        match = pattern.search(bracket)
        if match is not None:
            role = " ".join(match["role"].split()).strip(" ,.")
            if role and len(role) <= MAX_ROLE and folded_text(role) not in ("or", "and", "the"):
                return role
    return None


def names_role(piece: str) -> bool:
    """True where brackets in the piece give a short name that is a party's."""
    roles = [role_in(bracket.group()) for bracket in re.finditer(r"\((?:[^()]|\([^()]*\))*\)", piece)]
    referred = REFERRED.search(piece)
    roles.append(role_in(piece[referred.start() :]) if referred is not None else None)
    return any(role is not None and not NO_PARTY.search(role) for role in roles)
