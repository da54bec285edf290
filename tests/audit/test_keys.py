"""Keys: made outside of every store, read only by their owner, and what a signature of theirs says."""

from __future__ import annotations

import base64
import json
import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipeline.audit.keys import (
    check_canonical,
    key_id_of,
    load_private_key,
    load_public_key,
    make_key,
    public_base64,
    public_key_from,
    read_key_file,
    sign_canonical,
)
from pipeline.store.ledger import append
from schemas.errors import InputError
from tests.commands import assert_clear, call

# RFC 8032, 7.1, test 1: the secret key, its public key, and the signature over no bytes at all.
SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
posix = pytest.mark.skipif(os.name != "posix", reason="modes are a POSIX matter")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder of keys, as yet not there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr("typer.get_app_dir", lambda name: str(tmp_path / "settings" / name))
    return tmp_path / "settings" / "lineproof" / "keys"


def test_a_key_is_written_once_for_its_owner_alone(tmp_path: Path) -> None:
    """Mode 600, PKCS8 in PEM, the public part beside it; neither file is ever overwritten."""
    made = make_key(tmp_path / "a" / "mine.pem")
    assert b"BEGIN PRIVATE KEY" in made.path.read_bytes()
    if os.name == "posix":
        assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700
    assert read_key_file(made.path) == made
    public = load_public_key(Path(f"{made.path}.pub"))
    assert (public_base64(public), key_id_of(public)) == (made.public_key, made.key_id)
    with pytest.raises(InputError, match="never overwritten"):
        make_key(made.path)
    made.path.unlink()
    with pytest.raises(InputError, match=r"mine\.pem\.pub: is there already"):
        make_key(made.path)
    assert not made.path.exists()


def test_the_id_is_that_of_the_raw_public_key() -> None:
    """First 16 hex of SHA-256 over the 32 bytes, as records hold them."""
    public = Ed25519PrivateKey.from_private_bytes(SECRET).public_key()
    assert public_base64(public) == base64.b64encode(PUBLIC).decode()
    assert key_id_of(public) == "21fe31dfa154a261"


def test_a_passphrase_is_asked_for_and_must_be_right(tmp_path: Path) -> None:
    """The file says that it has one; without it, or with another, nothing is signed."""
    made = make_key(tmp_path / "k.pem", passphrase=b"correct horse")
    assert read_key_file(made.path).has_passphrase
    assert key_id_of(load_private_key(made.path, passphrase=b"correct horse").public_key()) == made.key_id
    with pytest.raises(InputError, match="--passphrase-env"):
        load_private_key(made.path)
    with pytest.raises(InputError, match="does not open with this passphrase"):
        load_private_key(made.path, passphrase=b"wrong")


@posix
def test_a_key_that_others_may_read_is_refused_with_the_command(tmp_path: Path) -> None:
    """For each bit of group and others; the message is a command that can be pasted."""
    made = make_key(tmp_path / "the key.pem")
    for mode in (0o640, 0o604, 0o620, 0o601):
        made.path.chmod(mode)
        for use in (load_private_key, read_key_file):
            with pytest.raises(InputError, match=r"run: chmod 600 '.*the key\.pem'"):
                use(made.path)
    made.path.chmod(0o400)
    load_private_key(made.path)


def test_no_key_is_made_or_used_inside_a_store(tmp_path: Path) -> None:
    """Neither in the store that is named nor below any folder with a ledger, nor through a link into one."""
    with pytest.raises(InputError, match="lies in the store"):
        make_key(tmp_path / "out" / "keys" / "k.pem", store=tmp_path / "out")
    append(tmp_path / "other", "anchor")
    with pytest.raises(InputError, match="lies in the store"):
        make_key(tmp_path / "other" / "doc" / "k.pem")
    (tmp_path / "link").symlink_to(tmp_path / "other")
    with pytest.raises(InputError, match="lies in the store"):
        make_key(tmp_path / "link" / "k.pem")
    made = make_key(tmp_path / "k.pem", store=tmp_path / "out")
    moved = tmp_path / "other" / "k.pem"
    made.path.rename(moved)
    with pytest.raises(InputError, match="lies in the store"):
        load_private_key(moved)
    assert [path.name for path in (tmp_path / "other").iterdir() if path.suffix == ".pub"] == []


def test_other_files_are_no_keys(tmp_path: Path) -> None:
    """Each with its reason: nothing there, noise, another kind of key, private for public and the other way."""
    made = make_key(tmp_path / "k.pem")
    noise, curve = tmp_path / "noise", tmp_path / "curve.pem"
    noise.write_bytes(b"\x00\xff hello")
    curve.write_bytes(
        generate_private_key(SECP256R1()).private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())
    )
    noise.chmod(0o600)
    curve.chmod(0o600)
    public = Path(f"{made.path}.pub")
    public.chmod(0o600)
    for path, words in ((tmp_path / "none", "no such key"), (noise, "is no key"), (curve, "no Ed25519"),
                        (public, "is a public key"), (tmp_path, "cannot be read")):  # fmt: skip
        with pytest.raises(InputError, match=words):
            load_private_key(path)
    public.chmod(0o644)  # what is wrong with it is told, and not its rights
    with pytest.raises(InputError, match=r"is a public key.*k\.pem"):
        load_private_key(public)
    with pytest.raises(InputError, match=r"handed to nobody.*ends in \.pub"):
        load_public_key(made.path)
    with pytest.raises(InputError, match="no public key"):
        load_public_key(noise)


def test_a_public_key_is_derived_where_it_does_not_lie_beside(tmp_path: Path) -> None:
    """From a private key that is not locked; a locked one is told how; one that belongs to another is refused."""
    made, other = make_key(tmp_path / "k.pem"), make_key(tmp_path / "o.pem", passphrase=b"long words")
    beside = Path(f"{made.path}.pub")
    beside.unlink()
    found = read_key_file(made.path)
    assert (found.public_key, found.has_public_file) == (made.public_key, False)
    told = call("keys", "show", made.path)
    assert (told.exit_code, made.public_key in told.stdout, "no .pub beside it" in told.stdout) == (0, True, True)
    beside.write_bytes(Path(f"{other.path}.pub").read_bytes())
    with pytest.raises(InputError, match="is not the public key of"):
        read_key_file(made.path)
    Path(f"{other.path}.pub").unlink()
    with pytest.raises(InputError, match="openssl pkey"):
        read_key_file(other.path)


def test_a_public_key_may_be_its_base64_alone(tmp_path: Path) -> None:
    """What `keys show` prints can be copied into a file of its own."""
    made = make_key(tmp_path / "k.pem")
    copied = tmp_path / "copied"
    copied.write_text(f"{made.public_key}\n", encoding="ascii")
    assert public_base64(load_public_key(copied)) == made.public_key


def test_a_signature_is_over_the_canonical_json() -> None:
    """The same bytes whatever the order of the fields; any other value, key or character of it does not fit."""
    key = Ed25519PrivateKey.from_private_bytes(SECRET)
    public = public_base64(key.public_key())
    signature = sign_canonical({"b": 1, "a": "é"}, key)
    assert signature == sign_canonical({"a": "é", "b": 1}, key)
    assert check_canonical({"a": "é", "b": 1}, signature, public)
    assert check_canonical({"a": "é", "b": 1}, signature, key.public_key())
    assert not check_canonical({"a": "é", "b": 2}, signature, public)
    assert not check_canonical({"a": "é", "b": 1}, signature, Ed25519PrivateKey.generate().public_key())
    for at in range(len(signature)):
        changed = signature[:at] + ("A" if signature[at] != "A" else "B") + signature[at + 1 :]
        assert not check_canonical({"a": "é", "b": 1}, changed, public)
    for at in range(len(public)):  # the bits that base64 leaves over count, too
        changed = public[:at] + ("A" if public[at] != "A" else "B") + public[at + 1 :]
        assert not check_canonical({"a": "é", "b": 1}, signature, changed)


@pytest.mark.parametrize("signature", ["", "?", "AAAA", "é", "A" * 88, "=" * 88])
def test_what_is_no_signature_is_false(signature: str) -> None:
    """It comes from outside: no error of any kind."""
    public = base64.b64encode(PUBLIC).decode()
    assert not check_canonical({}, signature, public)
    assert not check_canonical({}, base64.b64encode(bytes(64)).decode(), signature)
    assert not check_canonical({"a": 2**60}, base64.b64encode(bytes(64)).decode(), public)
    with pytest.raises(ValueError):  # noqa: PT011 - the reason is another for each
        public_key_from(signature)


def test_the_commands_make_and_show_keys(settings: Path, tmp_path: Path) -> None:
    """In the user's folder without --out; nothing private is printed, and no passphrase is needed to show."""
    assert_clear(call("keys", "show"), 2, "keys make")
    made = json.loads(call("keys", "make", "--json", "--store", tmp_path / "store").stdout)["keys"][0]
    assert made["private"] == str(settings / "ed25519.pem")
    assert_clear(call("keys", "make"), 2, "never overwritten")
    shown = call("keys", "show").stdout
    assert made["key_id"] in shown
    assert "without a passphrase" in shown
    secret = (settings / "ed25519.pem").read_text(encoding="ascii").splitlines()[1]
    assert secret not in shown
    other = call("keys", "make", "--out", tmp_path / "b.pem", "--passphrase-env", "WORDS")
    assert_clear(other, 2, "not set")
    assert_clear(call("keys", "make", "--out", tmp_path / "s" / "b.pem", "--store", tmp_path / "s"), 2, "store")


def test_the_passphrase_comes_from_a_variable(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, so that it stands in no list of processes."""
    monkeypatch.setenv("WORDS", "pässword")
    call("keys", "make", "--passphrase-env", "WORDS")
    shown = json.loads(call("keys", "show", settings / "ed25519.pem", "--json").stdout)["keys"][0]
    assert shown["has_passphrase"] is True
    assert load_private_key(settings / "ed25519.pem", passphrase="pässword".encode()) is not None
