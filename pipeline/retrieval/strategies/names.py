"""The strategies by name: a first stage, and what is done before and after it, joined by '+'.

A first stage is one list ('bm25_only', 'embedding_only') or several that are fused ('hybrid_rrf'). Options that change
what is searched for or in: 'contextual', 'hyde', 'sparse' (a third list). Options that change what comes out: 'parent',
and one reranker at most: 'llm_rerank' (grades 0 to 3), 'llm_rerank_ids' (an ordered list of ids), 'cross_encoder'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, get_args

from schemas.errors import SettingsError

FirstStage = Literal["embedding_only", "bm25_only", "hybrid_rrf"]
Reranker = Literal["llm_rerank", "llm_rerank_ids", "cross_encoder"]
FIRST_STAGES: tuple[FirstStage, ...] = get_args(FirstStage)
RERANKERS: tuple[Reranker, ...] = get_args(Reranker)
OPTIONS = ("contextual", "hyde", "sparse", "parent")
ARBITER = "arbiter"


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy taken apart; `name` is its name in canonical order."""

    name: str
    first_stage: FirstStage
    contextual: bool = False
    hyde: bool = False
    sparse: bool = False
    parent: bool = False
    reranker: Reranker | None = None


def parse_strategy(name: str) -> Strategy:
    """The strategy that a name says, e.g. 'hybrid_rrf+contextual+cross_encoder'; options in any order.

    Raises SettingsError naming the part that is unknown or repeated, and what there is.
    """
    first, *rest = (part.strip() for part in name.split("+"))
    stage = next((known for known in FIRST_STAGES if known == first), None)
    known = (*OPTIONS, *RERANKERS)
    wrong = [part for part in rest if part not in known]
    if stage is None or wrong:
        raise SettingsError(f"strategy {name!r}: {_fault(first, rest, wrong if stage is not None else [])}")
    rerankers = [one for one in RERANKERS if one in rest]
    if len(set(rest)) != len(rest) or len(rerankers) > 1:
        raise SettingsError(f"strategy {name!r}: give each option once, and one reranker at most")
    options = [option for option in OPTIONS if option in rest]
    return Strategy(
        name="+".join((stage, *options, *rerankers)),
        first_stage=stage,
        contextual="contextual" in options,
        hyde="hyde" in options,
        sparse="sparse" in options,
        parent="parent" in options,
        reranker=rerankers[0] if rerankers else None,
    )


def _fault(first: str, rest: Sequence[str], wrong: Sequence[str]) -> str:
    """What is wrong with a name, what was likely meant, and what there is."""
    known = (*OPTIONS, *RERANKERS)
    if first == ARBITER and rest:
        return (
            f"{ARBITER!r} takes no options; give {ARBITER!r} alone, or '+{'+'.join(rest)}' after one of "
            f"{', '.join(FIRST_STAGES)}"
        )
    if not wrong and first in known:
        stages = ", ".join(FIRST_STAGES)
        return f"{first!r} is an option; write it after one of {stages}, e.g. '{FIRST_STAGES[1]}+{first}'"
    unknown = wrong[0] if wrong else first
    likely = _likely(unknown, known if wrong else (ARBITER, *FIRST_STAGES))
    meant = f" (did you mean {likely!r}?)" if likely is not None else ""
    return (
        f"{unknown!r} is not known{meant}; give {ARBITER!r}, or one of {', '.join(FIRST_STAGES)}, followed by any of "
        f"{', '.join('+' + one for one in known)}"
    )


def _likely(unknown: str, known: Sequence[str]) -> str | None:
    """The name that is spelt most alike, case and dashes aside; None where none is alike."""
    return next(iter(get_close_matches(unknown.lower().replace("-", "_").replace(" ", "_"), known, n=1)), None)
