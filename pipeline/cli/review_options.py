"""Options that the commands of `lineproof review` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

RunName = Annotated[
    str, typer.Argument(help="The run or case, as `lineproof show` takes it; one replaced since, too.", metavar="RUN")
]
By = Annotated[str, typer.Option("--by", help="Who says so: a name or number of your organisation.", metavar="WHO")]
Reason = Annotated[str, typer.Option("--reason", help="Why, for whoever reads it later.", metavar="TEXT")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="Private key to sign the verdict with (`lineproof keys make`).", metavar="FILE"),
]
PassphraseEnv = Annotated[
    str | None,
    typer.Option("--passphrase-env", help="Environment variable that holds the key's passphrase.", metavar="VAR"),
]
Eyes = Annotated[int, typer.Option("--eyes", help="Different people who must agree.", min=1, max=99, metavar="N")]
Trusted = Annotated[
    list[str] | None,
    typer.Option("--trusted", help="Count only reviews signed with this public key; may be repeated.", metavar="FILE"),
]


def key_for(key: str | None, passphrase_env: str | None, *, store: str) -> Ed25519PrivateKey | None:
    """The key to sign with; None where none is named: the verdict is then not signed.

    Raises InputError for a key that cannot be used.
    """
    if key is None:
        return None
    from pipeline.cli.keys import chosen_key

    return chosen_key(key, passphrase_env, store=store)


def trusted_keys(files: list[str] | None) -> frozenset[str] | None:
    """The public keys of files, base64; None where none is named: then unsigned reviews count, too.

    Raises InputError for a file that holds none.
    """
    if not files:
        return None
    from pipeline.audit.keys import load_public_key, public_base64

    return frozenset(public_base64(load_public_key(Path(file))) for file in files)


def existing_store(store: str) -> Path:
    """The folder of the store that a command reads.

    Raises InputError where there is none: a mistyped name is no store without reviews.
    """
    from schemas.errors import InputError

    root = Path(store)
    if not root.is_dir():
        raise InputError(f"{store}: there is no such store; name its folder with --store")
    return root
