"""What is kept of an object: made once, gone with it, never more than the limit."""

from __future__ import annotations

import gc

from pipeline.kept import Kept


class _Owner:
    """Something that results are made of."""


def test_made_once_for_an_object_and_a_key() -> None:
    """The second question finds the result of the first; another key or another object gets its own."""
    kept: Kept[list[int]] = Kept(4)
    one, other = _Owner(), _Owner()
    first = kept.get(one, lambda: [1])
    assert kept.get(one, lambda: [2]) is first
    assert kept.get(one, lambda: [3], key="part") == [3]
    assert kept.get(other, lambda: [4]) == [4]


def test_the_oldest_goes_first() -> None:
    """Beyond its size the result that was asked for longest ago is made anew."""
    kept: Kept[int] = Kept(2)
    owners = [_Owner() for _ in range(3)]
    for number, owner in enumerate(owners):
        kept.get(owner, lambda number=number: number)
    assert kept.get(owners[0], lambda: 9) == 9
    assert kept.get(owners[2], lambda: 9) == 2


def test_gone_with_its_object() -> None:
    """Nothing is kept of an object that nobody holds any more."""
    kept: Kept[object] = Kept(4)
    owner, made = _Owner(), _Owner()
    kept.get(owner, lambda: made)
    del owner
    gc.collect()
    assert not gc.get_referrers(made) or all(not isinstance(holder, tuple) for holder in gc.get_referrers(made)), (
        "a result outlived its object"
    )
