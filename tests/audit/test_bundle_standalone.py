"""The verifier that travels in a bundle: its arithmetic against others', and what it refuses to read."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.audit.bundle.making import STANDALONE, standalone
from pipeline.audit.bundle.standalone import verify_basics as basics
from pipeline.audit.bundle.standalone import verify_bundle as verifier
from pipeline.commitments import disclose, root_of
from pipeline.store.ledger import append
from pipeline.store.ledger import canonical as canonical_of_store

# RFC 8032, section 7.1: public key, message, signature
VECTORS = {
    "1": (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
            "655141438e7a100b"
        ),
    ),
    "2": (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
            "b00d291612bb0c00"
        ),
    ),
    "3": (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
            "c027beceea1ec40a"
        ),
    ),
    "SHA(abc)": (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e"
            "2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17a"
            "d9bef1177331a704"
        ),
    ),
}
ORDER = 2**252 + 27742317777372353535851937790883648493


@pytest.mark.parametrize("name", sorted(VECTORS))
def test_vectors_of_the_standard(name: str) -> None:
    """The signatures of RFC 8032 are good, and no longer so when one bit of key, message or signature differs."""
    key, message, signature = (bytes.fromhex(one) for one in VECTORS[name])
    assert basics.check_signature(key, message, signature)
    assert not basics.check_signature(key, message + b"\0", signature)
    for at in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[at] ^= 1
        assert not basics.check_signature(key, message, bytes(changed))
    assert not basics.check_signature(bytes([key[0] ^ 1]) + key[1:], message, signature)


def test_signature_is_one_alone() -> None:
    """A signature whose second half is not reduced is refused: another writing of a good one is none."""
    key, message, signature = (bytes.fromhex(one) for one in VECTORS["1"])
    larger = int.from_bytes(signature[32:], "little") + ORDER
    assert not basics.check_signature(key, message, signature[:32] + larger.to_bytes(32, "little"))
    assert not basics.check_signature(key, message, signature[:63])
    assert not basics.check_signature(b"\xff" * 32, message, signature)


def test_agrees_with_the_library() -> None:
    """Signatures that `cryptography` makes are good; public keys are read from PEM, base64 and hex."""
    for number in range(3):
        key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        raw = key.public_key().public_bytes_raw()
        assert basics.check_signature(raw, b"message", key.sign(b"message"))
        pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        assert basics.read_public_key(pem) == basics.read_public_key(raw.hex()) == raw
    for bad in ("", "00", "zz" * 32, "A" * 44):
        with pytest.raises(ValueError, match=r"neither|not the 32"):
            basics.read_public_key(bad)


_leaves = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
_plain = st.recursive(_leaves, lambda inner: st.dictionaries(st.text(), inner, max_size=4), max_leaves=12)
_json = st.recursive(
    _leaves | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(_plain)
@settings(max_examples=60)
def test_canonical_json_is_that_of_the_store(value: Any) -> None:
    """The verifier's canonical JSON is that of the library by which the ledger is written."""
    try:
        expected = canonical_of_store(value)
    except (ValueError, UnicodeError):  # lone surrogates
        return
    assert basics.canonical(value) == expected


@given(_json, st.integers(0, 5))
@settings(max_examples=60)
def test_salted_roots_are_those_of_the_store(value: Any, share: int) -> None:
    """The verifier's roots are those that are sealed, of a whole record and of what a redacted one shows."""
    salt = hashlib.sha256(b"salt").digest()
    root = root_of(value, salt)
    assert basics.root_of(value, salt) == root
    disclosed = disclose(value, salt, lambda pointer, _: len(pointer) % 6 >= share)
    read = json.loads(json.dumps(disclosed))
    assert basics.root_of_disclosed(read).hex() == root


def test_redacted_part_holds_nothing_beside() -> None:
    """A hidden part with a word beside its hash is no record: a reader could take the word for proven."""
    for part in (
        {"hidden": "00" * 32, "shown": "a lie"},
        {"shown": 1, "salt": "00", "note": "a lie"},
        {"object": [{"key": "k", "salt": "00", "value": {"hidden": "00"}, "shown": "a lie"}]},
    ):
        with pytest.raises(ValueError, match="redacted record"):
            basics.root_of_disclosed(part)
    with pytest.raises(ValueError, match="twice"):
        basics.as_object(b'{"shown": "a lie", "shown": "the truth"}')


def _zip(path: Path, *entries: tuple[zipfile.ZipInfo | str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in entries:
            bundle.writestr(name, data)
    return path


def _link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "entries",
    [
        [("../out.txt", b"")], [("/etc/x", b"")], [("a/../../b", b"")], [("a\\..\\b", b"")], [("C:x", b"")],
        [("a//b", b"")], [("./a", b"")], [("a", b""), ("a", b"")], [("a", b""), ("A", b"")], [("a\x01", b"")],
        [(_link(), b"/etc/passwd")], [("bomb", b"\0" * 40_000_000)],
    ],
    ids=["up", "root", "inside", "backslash", "drive", "empty", "dot", "twice", "case", "control", "link", "bomb"],
)  # fmt: skip
def test_unsafe_zip_is_refused(tmp_path: Path, entries: list[tuple[Any, bytes]]) -> None:
    """Names that lead out, names twice, links and bombs are refused before anything is read."""
    path = _zip(tmp_path / "x.zip", *entries, ("bundle.json", b'{"format": 1, "files": {}}'))
    if entries[0][0] == "bomb":  # deflate cannot pack a thousandfold; the list of files can say so
        data = path.read_bytes()
        size = (40_000_000).to_bytes(4, "little")
        path.write_bytes(data.replace(size, (2**31).to_bytes(4, "little")))
    with pytest.raises(basics.NoBundle):
        verifier.check_bundle(str(path))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip", b"\0" * 100])
def test_no_bundle_is_told(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no zip file ends with code 2 and one sentence."""
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    assert verifier.main([str(path)]) == 2
    assert "verify_bundle:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "manifest",
    [b"", b"[]", b"{}", b'{"format": 2, "files": {}}', b'{"format": 1, "files": []}', b"[" * 100_000],
)
def test_broken_list_is_told(tmp_path: Path, manifest: bytes) -> None:
    """A bundle whose list of files is broken, or of a later version, is refused."""
    with pytest.raises(basics.NoBundle):
        verifier.check_bundle(str(_zip(tmp_path / "x.zip", ("bundle.json", manifest))))


def test_links_in_a_folder_are_refused(tmp_path: Path) -> None:
    """An unpacked bundle with a link in it is refused."""
    (tmp_path / "bundle.json").write_bytes(b'{"format": 1, "files": {}}')
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(basics.NoBundle, match="link"):
        verifier.check_bundle(str(tmp_path))


@pytest.mark.parametrize("seal", [b"[]", b"{}", b'{"salt": "zz"}', b'{"salt": 1, "files": 2}', b"\xff", b"[" * 9999])
def test_hostile_seal_is_named_and_ends_no_check(tmp_path: Path, seal: bytes) -> None:
    """A seal that is built as none is a mismatch, not a crash."""
    for redacted in (False, True):
        manifest = {
            "format": 1, "files": {}, "redacted": redacted, "left_out": {},
            "folders": [{"folder": "store/d/questions/q"}, 7, {"folder": 8}, {}],
        }  # fmt: skip
        path = _zip(
            tmp_path / f"{redacted}.zip", ("bundle.json", json.dumps(manifest).encode()),
            ("store/d/questions/q/seal.json", seal), ("ledger.jsonl", b"{}\n"),
        )  # fmt: skip
        kinds = {kind for kind, _, _ in verifier.check_bundle(str(path)).mismatches}
        assert {"record_invalid", "ledger_altered", "record_added"} <= kinds


def test_declared_torn_line_is_no_mismatch(tmp_path: Path) -> None:
    """An unfinished line that the next one declares is as it should be; without the declaration it is not."""
    append(tmp_path, "run", seal="0" * 64)
    with (tmp_path / "ledger.jsonl").open("ab") as file:
        file.write(b'{"at":"2026')
    append(tmp_path, "run", seal="1" * 64)
    data = (tmp_path / "ledger.jsonl").read_bytes()
    told = {"folder": "store/d/questions/q", "asked": True}
    manifest = json.dumps({"format": 1, "files": {}, "folders": [told]}).encode()

    def found(ledger: bytes) -> set[str]:
        path = _zip(tmp_path / "x.zip", ("bundle.json", manifest), ("ledger.jsonl", ledger))
        wrong = verifier.check_bundle(str(path)).mismatches
        return {kind for kind, place, _ in wrong if place.startswith("ledger.jsonl line")}

    assert found(data) == set()
    assert found(data.replace(b'{"at":"2026\n', b"")) == {"ledger_altered"}
    with (tmp_path / "ledger.jsonl").open("ab") as file:
        file.write(b'{"at":"2026' + b"\0" * 40)  # as a loss of power leaves it
    append(tmp_path, "run", seal="2" * 64)
    with (tmp_path / "ledger.jsonl").open("ab") as file:
        file.write(b"\0" * 40)
    append(tmp_path, "run", seal="3" * 64)
    assert found((tmp_path / "ledger.jsonl").read_bytes()) == set()
    assert found(data + b"\0\0\n") == {"ledger_torn"}
    assert found(data + b'{"at":') == {"ledger_torn"}
    assert found(data[:-1]) == {"ledger_torn"}


def test_needs_old_python_and_nothing_else() -> None:
    """Its files parse as Python 3.8, import the standard library alone, and are short enough to be read."""
    for name, data in standalone().items():
        tree = ast.parse(data, feature_version=(3, 8))
        top = {
            (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
        }
        ours = {"pipeline", *(name.removesuffix(".py") for name in STANDALONE)}
        assert top - ours <= sys.stdlib_module_names
        assert len(data.splitlines()) < 400, name


def test_starts_alone(tmp_path: Path) -> None:
    """The three files in a folder of their own give help, with no package to be seen."""
    for name in STANDALONE:
        (tmp_path / name).write_bytes(standalone()[name])
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-B", tmp_path / "verify_bundle.py", "--help"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0
    assert "--head" in run.stdout


def test_output_obeys_no_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the verifier prints holds no escape sequence of a bundle."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as bundle:
        manifest = {"format": 1, "files": {"a\x1b[2Jb\u202e": {"sha256": ""}}, "folders": []}
        bundle.writestr("bundle.json", json.dumps(manifest))
    path = tmp_path / "x.zip"
    path.write_bytes(buffer.getvalue())
    assert verifier.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
