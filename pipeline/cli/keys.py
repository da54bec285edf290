"""`lineproof keys`: make and show the keys that sign heads of the ledger, reviews and bundles."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.cli.exits import ending_well
from pipeline.cli.options import AsJson, Store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pipeline.audit.keys import KeyFile

FOLDER, DEFAULT, PATTERN = "keys", "ed25519.pem", "*.pem"
KeyOption = Annotated[
    str | None,
    typer.Option("--key", help="The private key to sign with; else the only one of your folder.", metavar="FILE"),
]
PassphraseEnv = Annotated[
    str | None,
    typer.Option("--passphrase-env", help="Environment variable that holds the key's passphrase.", metavar="VAR"),
]

keys_app = typer.Typer(
    name="keys",
    help="Keys that sign heads of the ledger, reviews and bundles: make one, show them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@keys_app.command()
def make(
    out: Annotated[
        str | None,
        typer.Option("--out", help="The new file; else ed25519.pem in your folder of settings.", metavar="FILE"),
    ] = None,
    passphrase_env: PassphraseEnv = None,
    as_json: AsJson = False,
    store: Store = "outputs",
) -> None:
    """Make an Ed25519 key: the private one for you alone, the public one beside it (.pub) to hand to whoever checks.

    The private key is written with mode 600 in a new file, never over another and never in a store: whoever may
    change the store must not be able to sign for it.
    """
    with ending_well(as_json=as_json):
        from pipeline.audit.keys import make_key

        path = Path(out) if out else key_folder() / DEFAULT
        made = make_key(path, passphrase=passphrase_of(passphrase_env), store=Path(store))
        _show([made], as_json=as_json)


@keys_app.command()
def show(
    file: Annotated[
        str | None, typer.Argument(help="A private key; all of your folder without it.", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the ids and public keys; nothing private is printed, and no passphrase is needed."""
    with ending_well(as_json=as_json):
        from pipeline.audit.keys import read_key_file
        from schemas.errors import InputError

        paths = [Path(file)] if file else own_keys()
        if not paths:
            raise InputError(f"{key_folder()}: there is no key; `lineproof keys make` makes one")
        _show([read_key_file(path) for path in paths], as_json=as_json)


def key_folder() -> Path:
    """Where keys lie unless a command says otherwise: in the user's folder of settings, by the rule of the system."""
    return Path(typer.get_app_dir("lineproof")) / FOLDER


def own_keys() -> list[Path]:
    """The private keys of the user's folder, by name."""
    return sorted(key_folder().glob(PATTERN))


def passphrase_of(variable: str | None) -> bytes | None:
    """The passphrase that a variable of the environment holds; None where none is named.

    Raises SettingsError for one that is not set, or empty.
    """
    from schemas.errors import SettingsError

    if variable is None:
        return None
    value = os.environ.get(variable)
    if not value:
        raise SettingsError(f"--passphrase-env {variable}: the variable is not set, or empty; set it, then run again")
    return os.fsencode(value)


def chosen_key(key: str | None, passphrase_env: str | None, *, store: str) -> Ed25519PrivateKey:
    """The private key that a command signs with.

    Raises InputError where none is named and the user's folder holds none or several, and as `load_private_key` does.
    """
    from pipeline.audit.keys import load_private_key
    from schemas.errors import InputError

    paths = [Path(key)] if key else own_keys()
    if len(paths) != 1:
        found = f"{len(paths)} keys" if paths else "no key"
        raise InputError(f"{key_folder()}: holds {found}; name one with --key, or make one with `lineproof keys make`")
    return load_private_key(paths[0], passphrase=passphrase_of(passphrase_env), store=Path(store))


def _show(keys: list[KeyFile], *, as_json: bool) -> None:
    from pipeline.cli.output import show_json

    if as_json:
        show_json({"keys": [_told(key) for key in keys]})
        return
    for number, key in enumerate(keys):
        told = _told(key)
        beside = f"{told['public']}  (hand this one over)" if told["public"] else "(no .pub beside it: hand this over)"
        lines = [
            f"key         {told['key_id']}",
            f"public key  {told['public_key']}",
            f"            {beside}",
            f"private     {told['private']}  ({'with' if key.has_passphrase else 'without'} a passphrase)",
        ]
        typer.echo("\n".join(([""] if number else []) + lines))


def _told(key: KeyFile) -> dict[str, Any]:
    from pipeline.audit.keys import PUBLIC_SUFFIX

    return {
        "key_id": key.key_id,
        "public_key": key.public_key,
        "private": str(key.path),
        "public": str(key.path) + PUBLIC_SUFFIX if key.has_public_file else None,
        "has_passphrase": key.has_passphrase,
    }
