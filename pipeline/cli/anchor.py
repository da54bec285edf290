"""`lineproof anchor`: sign the head of the ledger and write it where the store's holder cannot change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.keys import KeyOption, PassphraseEnv, chosen_key
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from pipeline.audit.timestamps import Stamp
    from schemas.ledger import SignedHead

KINDS = {".json": "json", ".txt": "text", ".eml": "text", ".tsq": "tsq"}  # by the ending of --out
FOUND_SOMETHING = 1  # exit code of a check that does not hold
KEEP = (
    "Keep it where whoever holds the store cannot change it. `lineproof verify --anchor FILE` tells later whether a "
    "line up to this one was altered, moved or deleted."
)


def anchor(
    out: Annotated[
        str | None, typer.Option("--out", help="The new file, outside of the store.", metavar="FILE")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--as",
            help="json; text: to paste into a mail; tsq: a time-stamp request (RFC 3161) with the signed head in a "
            ".json beside it. Else by the ending of --out.",
            metavar="KIND",
        ),
    ] = None,
    key: KeyOption = None,
    passphrase_env: PassphraseEnv = None,
    reply: Annotated[
        str | None,
        typer.Option(
            "--reply", help="Check the reply (.tsr) of a time-stamping authority; needs --head.", metavar="FILE"
        ),
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", help="The .json that was to be stamped.", metavar="FILE")
    ] = None,
    authority: Annotated[
        list[str] | None,
        typer.Option("--authority", help="Root certificate (PEM) that you trust; may be repeated.", metavar="FILE"),
    ] = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Sign the last line of the ledger and write the signed head to a file outside of the store; nothing is sent.

    A chain of hashes proves nothing against its holder, who can write it anew: a head that somebody else keeps does.
    With --reply a time-stamp over a head that was signed before is checked instead.
    """
    with ending_well(as_json=as_json):
        from schemas.errors import InputError

        if reply is not None:
            if head is None or out is not None or kind is not None:
                raise InputError("--reply checks a time-stamp: name the stamped .json with --head, and leave --out out")
            _check_reply(Path(reply), Path(head), authority or [], as_json=as_json)
        elif out is None:
            raise InputError("name the file for the signed head with --out, outside of the store")
        elif head is not None or authority:
            raise InputError("--head and --authority go with --reply")
        else:
            named = kind or KINDS.get(Path(out).suffix.lower())
            if named is None:
                raise InputError(f"{out}: by its ending no kind; end it in {', '.join(KINDS)}, or name one with --as")
            told = _make(Path(out), named, chosen_key(key, passphrase_env, store=store), Path(store))
            _show(told, as_json=as_json)


def _make(out: Path, kind: str, key: Any, root: Path) -> dict[str, Any]:
    """The files first, then the line in the ledger: what it says was signed can be had."""
    from pipeline.audit.anchors import record_anchor, sign_last_line, to_text, write_anchor
    from pipeline.audit.timestamps import curl_command, openssl_command, request_stamp
    from pipeline.store.folders import open_store
    from schemas.errors import InputError

    if kind not in KINDS.values():
        raise InputError(f"--as {kind[:40]}: no such kind; one of json, text, tsq")
    signed = sign_last_line(root, key)
    open_store(root)  # refused before anything is written, where the line could not be
    files, commands = {out: signed.to_json()}, []
    if kind == "text":
        files = {out: to_text(signed).encode()}
    elif kind == "tsq":
        beside = out.with_suffix(".json")
        if beside == out:
            raise InputError(f"{out}: --as tsq writes the head to this name and the request beside; end --out in .tsq")
        files = {beside: signed.to_json(), out: request_stamp(signed.to_json())}
        answer = out.with_suffix(".tsr")
        commands = [curl_command(out, answer), openssl_command(answer, beside)]
    present = [str(path) for path in files if path.exists()]
    if present:
        raise InputError(f"{', '.join(present)}: is there already, and no anchor is overwritten; name another file")
    for path, content in files.items():
        write_anchor(path, content, store=root)
    entry = record_anchor(root, signed)
    return {
        "anchor": signed.model_dump(mode="json"),
        "faults": _faults_of_chain(root),
        "files": [str(path) for path in files],
        "recorded_as": entry.seq,
        "commands": commands,
    }


def _faults_of_chain(root: Path) -> list[str]:
    """What the chain says against itself: a head is signed all the same, or what is left could never be anchored."""
    from pipeline.audit.verify.chain import Witnesses, check_chain
    from pipeline.audit.verify.findings import Findings

    findings = Findings()
    check_chain(root, Witnesses(), findings)
    return [f"{fault.place}: {fault.detail}" for fault in findings.mismatches()]


def _show(told: dict[str, Any], *, as_json: bool) -> None:
    from pipeline.cli.output import show_json

    if as_json:
        show_json(told)
        return
    signed = told["anchor"]
    typer.echo(f"line {signed['seq']} of the ledger, signed by the key {signed['key_id']}")
    typer.echo(f"hash {signed['hash']}")
    for path in told["files"]:
        typer.echo(path)
    if told["faults"]:
        typer.echo(f"\nThe chain before it does not hold; the anchor vouches for what stands now: {told['faults'][0]}")
        typer.echo("`lineproof verify` tells all of it.")
    if told["commands"]:
        typer.echo("\nNothing was sent. Send the request to the authority of your choice, then check its reply:")
        for command in told["commands"]:
            typer.echo(f"  {command}")
    typer.echo(f"\n{KEEP}")


def _check_reply(reply: Path, head_path: Path, authorities: list[str], *, as_json: bool) -> None:
    from pipeline.audit.anchors import is_valid, read_anchor
    from pipeline.audit.timestamps import openssl_command, read_stamp
    from pipeline.cli.output import show_json

    head = read_anchor(head_path)
    request = head_path.with_suffix(".tsq")
    stamp = read_stamp(
        reply,
        of=head_path,
        request=request if request.exists() else None,
        authorities=[Path(each) for each in authorities],
    )
    faults = list(stamp.faults)
    if not is_valid(head):
        faults.append("the signature of the head does not fit its fields")
    command = openssl_command(reply, head_path)
    if as_json:
        show_json(
            {
                "ledger": head.ledger,
                "seq": head.seq,
                "hash": head.hash,
                "stamped_at": stamp.at,
                "policy": stamp.policy,
                "serial": stamp.serial,
                "signature_checked": stamp.signature_checked,
                "faults": faults,
                "commands": [] if stamp.signature_checked else [command],
            }
        )
    else:
        _tell_stamp(stamp, head, faults, command)
    if faults:
        raise typer.Exit(FOUND_SOMETHING)


def _tell_stamp(stamp: Stamp, head: SignedHead, faults: list[str], command: str) -> None:
    from pipeline.cli.output import plain

    for fault in faults:
        typer.echo(plain(fault, keep_lines=False))
    if faults:
        return
    typer.echo(f"stamped {stamp.at}: line {head.seq} of the ledger {head.ledger} had the hash {head.hash} by then")
    if stamp.signature_checked:
        typer.echo(
            "The authority's signature holds by the certificates that you named; whether one was revoked is not asked."
        )
    else:
        typer.echo("The authority's own signature was not checked. Name its root with --authority, or run:")
        typer.echo(f"  {command}")
