"""Salted hashes over JSON: any part can be hidden, the rest still proven, and nothing else told."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.commitments import (
    HIDDEN,
    SALT,
    SHOWN,
    disclose,
    root_of,
    root_of_disclosed,
    salt_of_record,
    shown_of,
)

ONE = bytes(range(32))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.integers(0, 2**16))
@settings(max_examples=200)
def test_whatever_is_hidden_the_root_stays(value: Any, choice: int) -> None:
    """Any choice of parts may be hidden; what is shown is what was there."""

    def keep(pointer: str, _: Any) -> bool:
        return bool(hashlib.sha256(f"{choice}{pointer}".encode("utf-8", "surrogatepass")).digest()[0] % 4)

    disclosed = disclose(value, ONE, keep)
    assert root_of_disclosed(disclosed) == root_of(value, ONE)
    assert shown_of(disclose(value, ONE, lambda *_: True)) == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", 1), (1, 1.0), (1, True), (0, False), (None, "null"), ([], {}), ([], [[]]), ([1, 2], [12]), ([1], 1),
        (["a", "b"], ["ab"]), ({"a": 1}, ["a", 1]), ({"a": 1, "b": 2}, {"a": 2, "b": 1}), ([1, 2], [2, 1]),
        ({"a": {"b": 1}}, {"a/b": 1}), ({"a": None}, {}), ("é", "e\u0301"), (0.0, -0.0),
    ],
)  # fmt: skip
def test_different_values_have_different_roots(one: Any, other: Any) -> None:
    """Kinds, order, nesting and spelling all count."""
    assert root_of(one, ONE) != root_of(other, ONE)


def test_the_order_of_keys_does_not_count() -> None:
    """Two writings of the same object are the same."""
    assert root_of({"a": 1, "b": 2}, ONE) == root_of({"b": 2, "a": 1}, ONE)


def test_the_salt_of_a_shown_leaf_tells_nothing_of_another() -> None:
    """Neither in the same record, nor at the same place of a record beside it, nor that of a key."""
    keys = {"a": "yes", "a#": "no", "b": "yes"}
    shown = disclose(keys, salt_of_record(ONE, "answer.json"), lambda *_: True)["object"]
    salts = [pair[SALT] for pair in shown] + [pair["value"][SALT] for pair in shown]
    beside = disclose(keys, salt_of_record(ONE, "request.json"), lambda *_: True)["object"]
    salts += [pair[SALT] for pair in beside] + [pair["value"][SALT] for pair in beside]
    assert len(set(salts)) == len(salts)


def everything(value: Any) -> Any:
    """The value with all of it shown."""
    return disclose(value, ONE, lambda *_: True)


def test_the_border_between_salt_and_text_cannot_be_moved() -> None:
    """Digits, or the beginning of a text, that wander into a longer salt, or out of a shorter one, are refused."""
    whole = everything({"amount": 1250000, "text": 'shall not deliver the "Goods"'})
    for salt, shown in ((b"12", 50000), (b"1", 250000)):
        pair = whole["object"][0]["value"]
        lie = {"object": [{**whole["object"][0], "value": {SHOWN: shown, SALT: pair[SALT] + salt.hex()}}]}
        with pytest.raises(ValueError, match="32 hex digits"):
            root_of_disclosed({"object": [*lie["object"], whole["object"][1]]})
    with pytest.raises(ValueError, match="32 hex digits"):
        root_of_disclosed({SHOWN: 36, SALT: whole["object"][0]["value"][SALT][:-2]})


def test_hidden_parts_cannot_be_merged_or_split() -> None:
    """Neither can a hash stand for several items or fields, nor none."""
    hashes = [root_of_disclosed(part) for part in everything(["a", "b", "c"])["list"]]
    for lie in ("".join(hashes), "", hashes[0][:-2], hashes[0].upper()):
        with pytest.raises(ValueError, match="64 hex digits"):
            root_of_disclosed({"list": [{HIDDEN: lie}]})
    assert root_of_disclosed({"list": [{HIDDEN: one} for one in hashes]}) == root_of(["a", "b", "c"], ONE)
    assert root_of_disclosed({"list": [{HIDDEN: one} for one in hashes[:2]]}) != root_of(["a", "b", "c"], ONE)


@pytest.mark.parametrize(
    "lie",
    [
        {HIDDEN: "0" * 64, SHOWN: "a lie"}, {SHOWN: "x", SALT: "00", "more": 1}, {SHOWN: "x"}, [], "x", {},
        {"object": [{"key": "a", SALT: "00", "value": {HIDDEN: "00"}, "told": "a lie"}]}, {"list": {}, "object": []},
    ],
)  # fmt: skip
def test_nothing_may_stand_beside_what_the_hashes_hold(lie: Any) -> None:
    """A reader could take for proven what no hash holds."""
    with pytest.raises(ValueError, match="disclosed JSON value"):
        root_of_disclosed(lie)
