"""`lineproof bundle` and `lineproof verify` on a bundle, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.audit.keys import make_key
from tests.audit.bundle_store import built, edited, name_in, runs_of
from tests.commands import call


def test_bundle_and_verify(tmp_path: Path) -> None:
    """A bundle is written, told as one object, and verified with exit code 0; an altered one with 1."""
    make_key(tmp_path / "key.pem")
    name = runs_of(built())[0].name
    out = tmp_path / "case.zip"
    done = call("bundle", name, "--store", str(built()), "-o", str(out), "--key", str(tmp_path / "key.pem"), "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["head"]["key_id"]
    assert told["remarks"] == []
    checked = call("verify", str(out), "--quick", "--json")
    assert (checked.exit_code, json.loads(checked.stdout)["passed"]) == (0, True)
    bad = edited(out, tmp_path / "bad.zip", {name_in(out, "/answer.json"): lambda data: data + b" "})
    assert call("verify", str(bad), "--quick").exit_code == 1


def test_a_bundle_is_held_against_the_keys_that_are_trusted(tmp_path: Path) -> None:
    """Signed with the named key: passed; with another: the signature does not count, and exit code 1."""
    for name in ("own", "other"):
        make_key(tmp_path / f"{name}.pem")
    out, name = tmp_path / "case.zip", runs_of(built())[0].name
    call("bundle", name, "--store", str(built()), "-o", str(out), "--key", str(tmp_path / "own.pem"))
    for key, expected in (("own", set()), ("other", {"signature_invalid"})):
        done = call("verify", str(out), "--quick", "--json", "--trusted", str(tmp_path / f"{key}.pem.pub"))
        assert done.exit_code == int(bool(expected))
        assert {one["kind"] for one in json.loads(done.stdout)["mismatches"]} == expected


def test_bad_options(tmp_path: Path) -> None:
    """Options that do not go together, levels that are none and files that are no bundle end with code 2."""
    name = runs_of(built())[0].name
    common = (name, "--store", str(built()), "-o", str(tmp_path / "case.zip"))
    for options, word in (
        (("--show", "answer"), "--redact"), (("--redact", "--show", "all"), "no such level"),
        (("--key", "a", "--anchor", "b"), "one of them"), (("--anchor", str(tmp_path / "no")), "anchor"),
    ):  # fmt: skip
        done = call("bundle", *common, *options)
        assert (done.exit_code, word in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "case.zip").exists()
    (tmp_path / "no.zip").write_bytes(b"no")
    assert call("verify", str(tmp_path / "no.zip")).exit_code == 2
