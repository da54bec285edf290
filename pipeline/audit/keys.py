"""Keys that sign heads of the ledger, reviews and bundles: Ed25519 (RFC 8032), kept apart from the store.

A signature says that the holder of a key signed; who that is, only the owner of the public key can say. So a key is
trusted by its file, handed over another way than what it signed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.store.disk import sync_folder, write_error
from pipeline.store.ledger import LEDGER, canonical
from schemas.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

KEY_ID_LENGTH = 16  # hex digits of SHA-256 of the raw public key; enough to tell keys apart, never to trust one
PUBLIC_SUFFIX = ".pub"
MAX_KEY_BYTES = 16_384  # a PEM file of an Ed25519 key has some 120 to 350
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OPTION = "--out"


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A key as it lies on disk; the private part is not in it."""

    key_id: str
    public_key: str  # raw, base64
    path: Path  # of the private key
    has_passphrase: bool
    has_public_file: bool = True  # the public one lies beside it


def make_key(path: Path, *, passphrase: bytes | None = None, store: Path | None = None) -> KeyFile:
    """A new key: the private one in a new file that only its owner may read, the public one beside it as `.pub`.

    Both are PEM (PKCS8, SubjectPublicKeyInfo); the private one is encrypted where there is a `passphrase`.

    Raises InputError where a file of either name is there already or the place lies in a store, StoreError where it
    cannot be written.
    """
    from cryptography.hazmat.primitives import serialization as pem
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    refuse_in_store(path, store=store)
    public_path = path.with_name(path.name + PUBLIC_SUFFIX)
    for each in (path, public_path):
        if os.path.lexists(each):
            raise InputError(f"{each}: is there already, and a key is never overwritten; name another file with --out")
    key = Ed25519PrivateKey.generate()
    locked = pem.BestAvailableEncryption(passphrase) if passphrase else pem.NoEncryption()
    private = key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, locked)
    public = key.public_key().public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_new(path, private, mode=0o600)
        try:
            _write_new(public_path, public, mode=0o644)
        except OSError:
            path.unlink()  # made a moment ago and told to nobody
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error, option=_OPTION) from error
    return KeyFile(key_id_of(key.public_key()), public_base64(key.public_key()), path, has_passphrase=bool(passphrase))


def read_key_file(path: Path) -> KeyFile:
    """What a private key's file says, without the passphrase: its public key is read beside it, else derived.

    Raises InputError where either cannot be read, they do not belong together, the private one may be read by others,
    or the public one is not there and the private one is locked.
    """
    data = _read_private(path)
    beside, is_locked = path.with_name(path.name + PUBLIC_SUFFIX), b"ENCRYPTED" in data
    if os.path.lexists(beside):
        public = load_public_key(beside)
        if not is_locked and public_base64(public) != public_base64(_opened(data, path, None).public_key()):
            raise InputError(f"{beside}: is not the public key of {path}; take it away, and its own one is derived")
    elif is_locked:
        raise InputError(
            f"{beside}: the public key is not there, and the private one is locked; put it back, or derive it: "
            f"openssl pkey -in {shlex.quote(str(path))} -pubout -out {shlex.quote(str(beside))}"
        )
    else:
        public = _opened(data, path, None).public_key()
    return KeyFile(key_id_of(public), public_base64(public), path, is_locked, has_public_file=os.path.lexists(beside))


def load_private_key(path: Path, *, passphrase: bytes | None = None, store: Path | None = None) -> Ed25519PrivateKey:
    """The private key of a PEM file.

    Raises InputError where it cannot be read, lies in a store, may be read by others, is no Ed25519 key, or does not
    open with the passphrase.
    """
    refuse_in_store(path, store=store)
    return _opened(_read_private(path), path, passphrase)


def load_public_key(path: Path) -> Ed25519PublicKey:
    """The public key of a file: PEM, or the 32 bytes in base64 as `lineproof keys show` prints them.

    Raises InputError where it cannot be read, or holds a private key: that one is handed to nobody.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    data = _read(path)
    if b"PRIVATE KEY" in data:
        raise InputError(f"{path}: is a private key, to be handed to nobody; name the public one, which ends in .pub")
    if b"-----BEGIN" not in data:
        try:
            return public_key_from(data.decode("ascii").strip())
        except ValueError as error:
            raise InputError(f"{path}: is no public key, neither PEM nor 32 bytes in base64") from error
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(f"{path}: is no public key in PEM; name the file that ends in .pub") from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{path}: is no Ed25519 key; Lineproof signs with no other")
    return key


def public_key_from(text: str) -> Ed25519PublicKey:
    """The public key of its 32 bytes in base64.

    Raises ValueError for what is none.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(_bytes_of(text))


def public_base64(public: Ed25519PublicKey) -> str:
    """The 32 bytes of a public key in base64, as records hold it."""
    return base64.b64encode(public.public_bytes_raw()).decode()


def key_id_of(public: Ed25519PublicKey) -> str:
    """First 16 hex digits of the SHA-256 of the raw public key."""
    return hashlib.sha256(public.public_bytes_raw()).hexdigest()[:KEY_ID_LENGTH]


def sign_canonical(value: dict[str, Any], key: Ed25519PrivateKey) -> str:
    """The Ed25519 signature over the canonical JSON (RFC 8785) of a value; 64 bytes, base64. Always the same bytes."""
    return base64.b64encode(key.sign(canonical(value))).decode()


def check_canonical(value: dict[str, Any], signature: str, public_key: str | Ed25519PublicKey) -> bool:
    """True where the signature (base64) over the canonical JSON of `value` is one of this key (base64, or loaded).

    Anything that is no signature, no key or no JSON is False, never an error: it comes from outside. Says nothing on
    whose key it is.
    """
    from cryptography.exceptions import InvalidSignature

    with contextlib.suppress(InvalidSignature, ValueError, TypeError):
        public = public_key_from(public_key) if isinstance(public_key, str) else public_key
        public.verify(_bytes_of(signature), canonical(value))
        return True
    return False


def refuse_in_store(path: Path, *, store: Path | None = None, what: str = "a private key") -> None:
    """Nothing for a place outside of every store.

    Raises InputError for one in `store`, or below a folder with a ledger: whoever holds the store would hold it, too.
    """
    place = path.resolve()
    roots = [parent for parent in place.parents if os.path.lexists(parent / LEDGER)]
    if store is not None and store.resolve() in place.parents:
        roots.append(store)
    if roots:
        raise InputError(
            f"{path}: lies in the store {roots[0]}; {what} is kept apart from what it vouches for: name another place"
        )


def _bytes_of(text: str) -> bytes:
    """What base64 stands for; only one spelling of it counts, so that no character can be changed unseen."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("not the base64 of any bytes")
    return data


def _opened(data: bytes, path: Path, passphrase: bytes | None) -> Ed25519PrivateKey:
    """The private key in the bytes of a file."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    is_locked = b"ENCRYPTED" in data
    if is_locked and not passphrase:
        raise InputError(f"{path}: has a passphrase; name the variable that holds it with --passphrase-env")
    try:
        key = load_pem_private_key(data, passphrase if is_locked else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        why = "does not open with this passphrase" if is_locked else "is no private key in PEM"
        raise InputError(f"{path}: {why}; `lineproof keys make` makes one") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{path}: is no Ed25519 key; `lineproof keys make` makes one")
    return key


def _read_private(path: Path) -> bytes:
    """The bytes of a file that holds a private key which nobody else may read; what it holds instead is said first."""
    data = _read(path)
    if b"PRIVATE KEY-----" not in data:
        if b"PUBLIC KEY-----" in data or path.name.endswith(PUBLIC_SUFFIX):
            own = path.with_name(path.name.removesuffix(PUBLIC_SUFFIX)).name
            raise InputError(f"{path}: is a public key, and only a private one signs; name the private one ({own})")
        raise InputError(f"{path}: is no key; name a private key in PEM, which `lineproof keys make` makes")
    if os.name == "posix" and path.stat().st_mode & _OTHERS:  # elsewhere modes say nothing on who may read
        remedy = f"chmod 600 {shlex.quote(str(path))}"
        raise InputError(f"{path}: a private key that others may read is not used; run: {remedy}")
    return data


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_KEY_BYTES)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such key; `lineproof keys make` makes one") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check its rights") from error


def _write_new(path: Path, data: bytes, *, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
