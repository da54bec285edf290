"""A hierarchy as a tree: the items of a list with what is nested in them, each node with its own lines."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.enumerations import Item, find_enumerations
from pipeline.generation.lists import Items
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Proposal, ProposedSpan
from schemas.answer import TreeNode, TreeValue


def tree_of(chosen: Items) -> Proposal:
    """The list as one tree; without marks that nest its items are all on one level."""
    passage = chosen.passage
    made = next((one for one in find_enumerations(passage) if one.items[0].start == chosen.spans[0][0]), None)
    if made is not None and len(made.items) == len(chosen.spans):
        nodes = _nodes(passage, made.items, chosen.spans[-1][1])
    else:
        nodes = tuple(_node(passage, start, end, ()) for start, end in chosen.spans)
    start, end = chosen.spans[0][0], chosen.spans[-1][1]
    words = " ".join(passage.text[start:end].split())
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    return Proposal(TreeValue(nodes=nodes), (span,), words, "rules", "verbatim")


def _nodes(passage: Passage, items: Sequence[Item], end: int) -> tuple[TreeNode, ...]:
    """Nodes of one level; an item's own words end where the first one nested in it starts."""
    nodes = []
    for at, item in enumerate(items):
        last = items[at + 1].start if at + 1 < len(items) else end
        own = item.children[0].start if item.children else last
        nodes.append(_node(passage, item.start, own, _nodes(passage, item.children, last)))
    return tuple(nodes)


def _node(passage: Passage, start: int, end: int, children: tuple[TreeNode, ...]) -> TreeNode:
    first, last = passage.line_range(start, end)
    label = " ".join(passage.text[start:end].split())
    return TreeNode(label=label, line_start=first, line_end=last, children=children)
