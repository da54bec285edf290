"""Documents in remote storage, through fsspec: 's3://bucket/folder', 'memory://a/*.pdf', 'zip://*.pdf::s3://b/a.zip'."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from typing import Any

from pipeline.batch.documents.gathering import LEFT_OUT, Gathered
from pipeline.batch.documents.names import inside_name, is_left_out
from pipeline.batch.documents.places import shown_place
from schemas.errors import InputError

CHAIN = "::"  # between the parts of a chained URL
LOCAL = ("file://", "local://")


def local_path(given: str) -> str | None:
    """The path that a 'file://' URL means; None for any other."""
    if CHAIN in given or not given.startswith(LOCAL):
        return None
    from fsspec.implementations.local import LocalFileSystem

    return str(LocalFileSystem._strip_protocol(given))  # noqa: SLF001 - fsspec's own way, told in its documentation


def add_remote(url: str, gathered: Gathered) -> None:
    """Each file below the URL, or that matches it, is a document.

    Raises InputError where the storage cannot be looked through, or has nothing there.
    """
    try:
        import fsspec

        system, path = fsspec.core.url_to_fs(url)
        base, found = _list(system, path)
    except Exception as error:  # whatever a file system of the user's choice raises
        raise InputError(f"{shown_place(url)}: cannot be looked through ({type(error).__name__}: {error})") from error
    if not found:
        raise InputError(f"{shown_place(url)}: nothing is there; check the URL, and write a glob in quotes")
    for one in found:
        rest = one[len(base) :] if base and one.startswith(base) else one
        name = inside_name(rest.lstrip("/"))
        if is_left_out(name):
            gathered.notice(LEFT_OUT, name)
        elif CHAIN in one:
            gathered.add(name, one, f"its name holds {CHAIN!r}, which means a chain of storages; rename it")
        else:
            gathered.add(name, _url_of(url, one))


def _list(system: Any, path: str) -> tuple[str, Sequence[str]]:
    """What names start after, and the paths of all files, sorted."""
    if glob.has_magic(path) and not system.exists(path):
        fixed = next(part for part in _heads(path) if not glob.has_magic(part))
        matches = system.glob(path, detail=True)
        return fixed, sorted(one for one, facts in matches.items() if facts.get("type") != "directory")
    if path in ("", "/") or system.isdir(path):
        return f"{path.rstrip('/')}/", sorted(system.find(path))
    return f"{path.rpartition('/')[0]}/", [path] if system.exists(path) else []


def _heads(path: str) -> list[str]:
    """The folders above a path, the nearest first, each with its slash; at last nothing."""
    parts = path.split("/")
    return ["/".join([*parts[:count], ""]) if count else "" for count in range(len(parts) - 1, -1, -1)]


def _url_of(url: str, path: str) -> str:
    """The URL of one file found at `url`: its own part of the chain is replaced."""
    if "://" in path:
        return path
    chain = url.split(CHAIN)
    at = next(number for number, part in enumerate(chain) if "://" in part)
    chain[at] = f"{chain[at].partition('://')[0]}://{path}"
    return CHAIN.join(chain)
