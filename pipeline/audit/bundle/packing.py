"""The zip file of a bundle: the same files give the same bytes; written beside and renamed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.store.disk import sync_folder, write_error
from schemas.errors import InputError

BUNDLE_FORMAT = 1  # of bundle.json and the layout; raised by one with each change that an older verifier cannot read
MANIFEST = "bundle.json"
SIGNATURE = "signature.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can hold: no clock in it
_PLAIN_FILE = 0o100644 << 16
_PACKED_ALREADY = (".pdf", ".parquet", ".xlsx", ".docx", ".pptx", ".png", ".jpg")
_LEVEL = 6  # zlib's own default


def make_manifest(files: Mapping[str, bytes], told: Mapping[str, Any]) -> bytes:
    """`bundle.json`: what is in the bundle, each file with its SHA-256 and size, sorted."""
    listed = {
        name: {"sha256": hashlib.sha256(files[name]).hexdigest(), "size": len(files[name])} for name in sorted(files)
    }
    content = {"format": BUNDLE_FORMAT, **told, "files": listed}
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def refuse_present(path: Path) -> None:
    """Nothing for a new name.

    Raises InputError where there is a file already.
    """
    if os.path.lexists(path):
        raise InputError(f"{path}: is there already, and a bundle is never overwritten; name another file with -o")


def write_zip(path: Path, files: Mapping[str, bytes]) -> str:
    """Write a bundle; gives its SHA-256. `README.txt` stands first, then by name.

    Raises InputError where there is a file already, StoreError where it cannot be written.
    """
    refuse_present(path)
    fresh = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            with zipfile.ZipFile(file, "w") as bundle:
                for name in sorted(files, key=lambda name: (name != "README.txt", name)):
                    info = zipfile.ZipInfo(name, date_time=_EPOCH)
                    info.create_system, info.external_attr = 3, _PLAIN_FILE  # as on Unix, on every system
                    stored = name.endswith(_PACKED_ALREADY)
                    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                    bundle.writestr(info, files[name], compresslevel=None if stored else _LEVEL)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise write_error(path, error, option="-o") from error
