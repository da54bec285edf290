"""What `verify_bundle.py` reckons with: safe reading, canonical JSON, salted hashes, Ed25519; no package needed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import re
import stat
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Point = tuple[int, int, int, int]

MAX_FILES = 100_000  # of a bundle; a run has about fifteen
MAX_BYTES = 8 * 1024**3  # unpacked, all files together
MAX_FILE_BYTES = 1024**3  # unpacked, one file: it is read into memory as a whole
MAX_NAME_BYTES, MAX_PATH_BYTES = 255, 2_000  # of a name and of all names to a file, as systems can hold them
MAX_RATIO, SMALL_BYTES = 1_000, 1_000_000  # unpacked to packed size of a file above a megabyte; deflate ends at 1,032
LEFT_BY_SYSTEMS = (".DS_Store", "Thumbs.db", "desktop.ini")  # that file managers leave in folders
UNFIT = re.compile(r'[\x00-\x1f\\:*?"<>|]')  # in names of files, on one system or another


class NoBundle(ValueError):  # noqa: N818 - it says what the file is not
    """The file is no bundle, or not safe to read."""


class Bundle:
    """The files of a bundle, in a zip file or a folder; names that could lead elsewhere are refused."""

    def __init__(self, path: str) -> None:
        """Look at the names; nothing is unpacked."""
        self.names: list[str] = []
        self.zip: zipfile.ZipFile | None = None
        self.path = path
        if os.path.isdir(path):
            self._list_folder(path)
        elif os.path.exists(path):
            self._list_zip(path)
        else:
            raise NoBundle("there is no such file")

    def read(self, name: str) -> bytes:
        """The bytes of a file; none where it is missing or cannot be read: its hash then does not fit."""
        try:
            if self.zip is not None:
                return self.zip.read(name)
            with open(os.path.join(self.path, *name.split("/")), "rb") as file:
                return file.read()
        except (OSError, KeyError, ValueError, EOFError, NotImplementedError, RuntimeError):
            return b""
        except (zipfile.BadZipFile, zlib.error):
            return b""

    def _list_folder(self, path: str) -> None:
        for base, folders, names in os.walk(path):
            for name in folders + names:
                told = os.path.relpath(os.path.join(base, name), path).replace(os.sep, "/")
                if os.path.islink(os.path.join(base, name)):
                    raise NoBundle(f"{told}: is a link; a bundle holds none")
                if name in names and name not in LEFT_BY_SYSTEMS:
                    _refuse_large(told, os.path.getsize(os.path.join(base, name)))
                    self.names.append(told)

    def _list_zip(self, path: str) -> None:
        try:
            self.zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise NoBundle(f"is no zip file that can be read ({error})") from error
        infos, folded = self.zip.infolist(), set()
        if len(infos) > MAX_FILES or sum(info.file_size for info in infos) > MAX_BYTES:
            raise NoBundle(f"more than {MAX_FILES} files or {MAX_BYTES} bytes: no bundle of Lineproof")
        for info in infos:
            _refuse_unfit(info)
            if info.filename.casefold() in folded:
                raise NoBundle(f"{info.filename!r}: the same name twice")
            folded.add(info.filename.casefold())
            self.names.append(info.filename)
        for name in self.names:
            above = name.casefold().split("/")[:-1]
            if any("/".join(above[:end]) in folded for end in range(1, len(above) + 1)):
                raise NoBundle(f"{name!r}: lies in what is a file, too")


def _refuse_unfit(info: zipfile.ZipInfo) -> None:
    """Raises NoBundle for a file of a zip that is not safe to read or to write."""
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    pieces = name.split("/")
    if UNFIT.search(info.orig_filename) or any(piece in ("", ".", "..") for piece in pieces):
        raise NoBundle(f"{info.orig_filename[:100]!r}: a name that could lead out of the folder")
    sizes = [len(piece.encode("utf-8", "replace")) for piece in pieces]
    if max(sizes) > MAX_NAME_BYTES or sum(sizes) + len(sizes) > MAX_PATH_BYTES:
        raise NoBundle(f"{name[:100]!r}...: a name that is too long to be written to a disk")
    if kind not in (0, stat.S_IFREG) or info.flag_bits & 1 or info.compress_type not in (0, 8):
        raise NoBundle(f"{name!r}: a link, an encrypted file, or packed in a way that is not used")
    if info.file_size > SMALL_BYTES and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise NoBundle(f"{name!r}: unpacks to more than can be believed")
    _refuse_large(name, info.file_size)


def _refuse_large(name: str, byte_count: int) -> None:
    if byte_count > MAX_FILE_BYTES:
        raise NoBundle(f"{name!r}: has {byte_count} bytes; no more than {MAX_FILE_BYTES} of one file are read")


def sha256(data: bytes) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data).hexdigest()


def as_object(data: bytes) -> dict[str, Any]:
    """The JSON object in some bytes.

    Raises ValueError where there is none.
    """
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_each_once)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - what it says is bad, not what was passed
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a name that stands in it twice could show a reader one thing and a program another."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("the same name twice in an object")
    return dict(pairs)


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of what a ledger and a review hold: no numbers but whole ones below 2**53.

    Raises ValueError for anything else.
    """
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return b"{" + b",".join(canonical(key) + b":" + canonical(value[key]) for key in keys) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    if value is None or isinstance(value, (str, bool)) or (isinstance(value, int) and abs(value) < 2**53):
        return json.dumps(value, ensure_ascii=False).encode("utf-8")
    raise ValueError("what is signed and recorded holds no such value")


# ---------------------------------------------------------------- salted hashes over JSON, field by field
#
#   record salt BLAKE2b-256 of the name of the record's file, keyed with the salt of the seal
#   leaf salt   BLAKE2b-128 of the JSON Pointer (RFC 6901) of the leaf, keyed with the salt of the record
#   key salt    BLAKE2b-128 of "#" and the JSON Pointer of the key's value, keyed alike
#   leaf        SHA-256("s" + leaf salt + JSON of the leaf): a text, a number, true, false, null, a list of numbers
#   key         SHA-256("k" + key salt + JSON of the key)
#   list        SHA-256("l" + number of items + ":" + the hashes of its items, in order)
#   object      SHA-256("d" + number of keys + ":" + for each key in order: the hash of the key, of its value)
#   A leaf or key salt has 16 bytes and a hash 32, always: else the border to what is hashed could be moved.


def salt_of_record(salt: bytes, name: str) -> bytes:
    """The salt of one record of a sealed folder."""
    return hashlib.blake2b(name.encode(), key=salt, digest_size=32).digest()


def root_of_file(data: bytes, name: str, salt: bytes) -> str:
    """The root of the JSON in a file of a sealed folder."""
    return root_of(json.loads(data.decode()), salt_of_record(salt, name))


def root_of(value: Any, salt: bytes) -> str:
    """The salted root of a JSON value, hex: what the ledger and the seals hold fast."""
    return _root(value, "", salt).hex()


def _root(value: Any, pointer: str, salt: bytes) -> bytes:
    if isinstance(value, dict):
        joined = b""
        for key in sorted(value):
            below = pointer + "/" + key.replace("~", "~0").replace("/", "~1")
            joined += _digest(b"k", _leaf_salt("#" + below, salt), _json(key)) + _root(value[key], below, salt)
        return _digest(b"d%d:" % len(value), joined)
    if isinstance(value, list) and not all(type(item) in (int, float) for item in value):
        return _digest(b"l%d:" % len(value), *[_root(item, f"{pointer}/{at}", salt) for at, item in enumerate(value)])
    return _digest(b"s", _leaf_salt(pointer, salt), _json(value))


def root_of_disclosed(part: Any) -> bytes:
    """The same root, from what a redacted record shows: a hidden part stands there as its hash.

    Raises ValueError for a part with anything else in it, which no hash would hold.
    """
    if set(part) == {"hidden"}:
        return _bytes_of(part["hidden"], 32)
    if set(part) == {"shown", "salt"}:
        return _digest(b"s", _bytes_of(part["salt"], 16), _json(part["shown"]))
    if set(part) == {"list"}:
        return _digest(b"l%d:" % len(part["list"]), *[root_of_disclosed(item) for item in part["list"]])
    if set(part) != {"object"} or any(set(pair) != {"key", "salt", "value"} for pair in part["object"]):
        raise ValueError("no part of a redacted record")
    joined = b""
    for pair in part["object"]:
        joined += _digest(b"k", _bytes_of(pair["salt"], 16), _json(pair["key"])) + root_of_disclosed(pair["value"])
    return _digest(b"d%d:" % len(part["object"]), joined)


def _bytes_of(told: Any, count: int) -> bytes:
    if not isinstance(told, str) or not re.fullmatch(f"[0-9a-f]{{{2 * count}}}", told):
        raise ValueError("a salt or a hash has not the length that is due")
    return bytes.fromhex(told)


def shown_of(part: Any) -> Any:
    """The JSON that a redacted record shows, null for what it hides."""
    if "hidden" in part:
        return None
    if "shown" in part:
        return part["shown"]
    if "list" in part:
        return [shown_of(item) for item in part["list"]]
    return {pair["key"]: shown_of(pair["value"]) for pair in part["object"]}


def _leaf_salt(pointer: str, salt: bytes) -> bytes:
    return hashlib.blake2b(pointer.encode("utf-8", "surrogatepass"), key=salt, digest_size=16).digest()


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _digest(*pieces: bytes) -> bytes:
    return hashlib.sha256(b"".join(pieces)).digest()


# -------------------------------------------- Ed25519 (RFC 8032): checking a signature, by the book of its section 6
#
# Slow and plain. Nothing here is secret, so that no care is needed for how long it takes. Points are (X, Y, Z, T) with
# x = X/Z, y = Y/Z, x*y = T/Z.

P = 2**255 - 19  # the field
Q = 2**252 + 27742317777372353535851937790883648493  # the order of the base point
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def check_signature(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """True when the signature of the message was made with the private half of the public key."""
    key = _read_point(public_key)
    nonce = _read_point(signature[:32])
    factor = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or nonce is None or factor >= Q:
        return False
    told = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % Q
    left, right = _times(factor, _base_point()), _add(nonce, _times(told, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def _read_point(data: bytes) -> Point | None:
    if len(data) != 32:
        return None
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _find_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def _find_x(y: int, sign: int) -> int | None:
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def _base_point() -> Point:
    y = 4 * pow(5, P - 2, P) % P
    x = _find_x(y, 0) or 0
    return (x, y, 1, x * y % P)


def _add(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(number: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = _add(total, point)
        point, number = _add(point, point), number >> 1
    return total


def read_public_key(text: str) -> bytes:
    """The 32 bytes of an Ed25519 public key: PEM, base64 or hex.

    Raises ValueError for anything else.
    """
    bare = "".join(line.strip() for line in text.splitlines() if "-----" not in line)
    try:
        data = bytes.fromhex(bare) if re.fullmatch("[0-9a-fA-F]{64}", bare) else base64.b64decode(bare, validate=True)
    except binascii.Error as error:
        raise ValueError("neither PEM, nor base64, nor hex") from error
    if len(data) == 44 and data.startswith(bytes.fromhex("302a300506032b6570032100")):  # RFC 8410
        data = data[12:]
    if len(data) != 32:
        raise ValueError("not the 32 bytes of an Ed25519 public key")
    return data
