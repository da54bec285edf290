"""Salted hashes over JSON, field by field: any part can be left out later, and the rest still be proven.

The root of a value is a hash over its tree. A leaf is hashed with a salt of its own, derived from the salt of the
whole and its path, so that a short text cannot be guessed from its hash; whoever shows a leaf shows its salt. The idea
is that of salted disclosures in RFC 9901 (SD-JWT) and of Merkle trees; the whole definition:

    record salt  BLAKE2b-256 of the file name of a record, keyed with the salt of what is sealed together
    leaf salt    BLAKE2b-128 of the JSON Pointer (RFC 6901) of the leaf, keyed with the salt of the whole
    key salt     BLAKE2b-128 of "#" and the JSON Pointer of the key's value, keyed alike
    leaf         SHA-256("s" + leaf salt + JSON of the leaf)          a leaf salt has 16 bytes, always
    key          SHA-256("k" + key salt + JSON of the key)
    list         SHA-256("l" + number of items + ":" + the hashes of its items, in order)
    object       SHA-256("d" + number of keys + ":" + for each key in order: the hash of the key, of its value)

A leaf is a string, a number, true, false, null, or a list of numbers alone. Keys are ordered by code point. JSON is
ASCII, without blanks. Hashes are joined as bytes. Records that are sealed together have a salt each (`salt_of_record`),
so that what is shown of one tells nothing of another.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

SALT_BYTES = 32
HASH_BYTES = 32
LEAF_SALT_BYTES = 16  # 128 bits: the strength that RFC 9901 recommends for salts
SHOWN, HIDDEN, KEY, VALUE, SALT, LIST, OBJECT = "shown", "hidden", "key", "value", "salt", "list", "object"

_quote = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":")).encode
_NUMBERS = (int, float)
Keep = Callable[[str, Any], bool]


def salt_of_record(salt: bytes, name: str) -> bytes:
    """The salt of one record, 32 bytes; `name` is that of its file, `salt` that of what is sealed together."""
    return hashlib.blake2b(name.encode(), key=salt, digest_size=SALT_BYTES).digest()


def root_of(value: Any, salt: bytes) -> str:
    """Hex SHA-256 root of a JSON value under `salt`, 32 bytes."""
    return _root(value, "", salt).hex()


def _root(value: Any, pointer: str, salt: bytes) -> bytes:
    """The root as bytes, with the hashes of `_leaf_salt` and `_leaf_hash` in line.

    Written for speed: a run has some thousand leaves, and this is a good part of what it costs to seal it.
    """
    keyed, plain = hashlib.blake2b(key=salt, digest_size=LEAF_SALT_BYTES), hashlib.sha256
    fresh = keyed.copy

    def salted(pointer: bytes) -> bytes:
        begun = fresh()
        begun.update(pointer)
        return begun.digest()

    def walk(value: Any, pointer: str) -> bytes:
        kind = type(value)
        if kind is str:
            told = _quote(value)
        elif kind is dict:
            joined = [b"d%d:" % len(value)]
            for key in sorted(value):
                below = f"{pointer}/{_escape(key)}"
                salt_of_key = salted(f"#{below}".encode("utf-8", "surrogatepass"))
                joined.append(plain(b"k" + salt_of_key + _quote(key).encode()).digest())
                joined.append(walk(value[key], below))
            return plain(b"".join(joined)).digest()
        elif kind is list and not _is_leaf(value):
            items = [walk(item, f"{pointer}/{at}") for at, item in enumerate(value)]
            return plain(b"l%d:" % len(value) + b"".join(items)).digest()
        else:
            told = _told(value)
        return plain(b"s" + salted(pointer.encode("utf-8", "surrogatepass")) + told.encode()).digest()

    return walk(value, pointer)


def disclose(value: Any, salt: bytes, keep: Keep) -> Any:
    """The value with only those leaves shown for which `keep(pointer, leaf)` is true; the root stays the same.

    `keep` is also asked for an object or a list, with the value itself: false hides it whole, keys and all. Gives JSON:
    {"shown": leaf, "salt": hex}, {"hidden": hex hash}, {"list": [...]} or {"object": [{"key", "salt", "value"}, ...]}.
    """
    return _disclose(value, "", salt, keep)


def _disclose(value: Any, pointer: str, salt: bytes, keep: Keep) -> Any:
    if not keep(pointer, value):
        return {HIDDEN: _root(value, pointer, salt).hex()}
    if isinstance(value, dict):
        return {
            OBJECT: [
                {
                    KEY: key,
                    SALT: _leaf_salt(f"#{pointer}/{_escape(key)}", salt).hex(),
                    VALUE: _disclose(value[key], f"{pointer}/{_escape(key)}", salt, keep),
                }
                for key in sorted(value)
            ]
        }
    if isinstance(value, list) and not _is_leaf(value):
        return {LIST: [_disclose(item, f"{pointer}/{at}", salt, keep) for at, item in enumerate(value)]}
    return {SHOWN: value, SALT: _leaf_salt(pointer, salt).hex()}


def root_of_disclosed(disclosed: Any) -> str:
    """Hex root of what `disclose` gave.

    Raises ValueError for what is no such thing.
    """
    return _root_of_disclosed(disclosed).hex()


def _root_of_disclosed(part: Any) -> bytes:
    try:
        names = set(part)
        if names == {HIDDEN}:
            return _bytes_of(part[HIDDEN], HASH_BYTES)
        if names == {SHOWN, SALT}:
            return _leaf_hash(part[SHOWN], _bytes_of(part[SALT], LEAF_SALT_BYTES))
        if names == {LIST}:
            return hashlib.sha256(
                b"l%d:" % len(part[LIST]) + b"".join([_root_of_disclosed(item) for item in part[LIST]])
            ).digest()
        if names != {OBJECT} or any(set(pair) != {KEY, SALT, VALUE} for pair in part[OBJECT]):
            raise ValueError("not a disclosed JSON value: something stands beside what the hashes hold")
        joined = [b"d%d:" % len(part[OBJECT])]
        for pair in part[OBJECT]:
            salt = _bytes_of(pair[SALT], LEAF_SALT_BYTES)
            joined.append(hashlib.sha256(b"k" + salt + _quote(pair[KEY]).encode()).digest())
            joined.append(_root_of_disclosed(pair[VALUE]))
        return hashlib.sha256(b"".join(joined)).digest()
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("not a disclosed JSON value") from error


def _bytes_of(told: str, count: int) -> bytes:
    """So many bytes, told in lower-case hex: a longer or shorter salt would move the border to what it salts."""
    if not isinstance(told, str) or not re.fullmatch(f"[0-9a-f]{{{2 * count}}}", told):
        raise ValueError(f"not a disclosed JSON value: {2 * count} hex digits are due")
    return bytes.fromhex(told)


def shown_of(disclosed: Any, hidden: Any = None) -> Any:
    """The JSON value that a disclosed one shows, with `hidden` in the place of what it does not."""
    if HIDDEN in disclosed:
        return hidden
    if SHOWN in disclosed:
        return disclosed[SHOWN]
    if LIST in disclosed:
        return [shown_of(item, hidden) for item in disclosed[LIST]]
    return {pair[KEY]: shown_of(pair[VALUE], hidden) for pair in disclosed[OBJECT]}


def _is_leaf(value: list[Any]) -> bool:
    """True for a list of numbers alone, such as a box; an empty one is a leaf, too."""
    return not value or (type(value[0]) in _NUMBERS and all(type(item) in _NUMBERS for item in value))


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def _leaf_salt(pointer: str, salt: bytes) -> bytes:
    return hashlib.blake2b(pointer.encode("utf-8", "surrogatepass"), key=salt, digest_size=LEAF_SALT_BYTES).digest()


def _leaf_hash(value: Any, leaf_salt: bytes) -> bytes:
    return hashlib.sha256(b"s" + leaf_salt + _told(value).encode()).digest()


def _told(value: Any) -> str:
    """The JSON of a leaf."""
    if type(value) is str:
        return _quote(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value) if type(value) is int else _encode(value)
