#!/usr/bin/env python3
"""Checks an evidence bundle of Lineproof with Python alone: 3.8 or newer, standard library, no network.

    python -I -B verify_bundle.py case.zip      the bundle as it was sent
    python -I -B verify_bundle.py               the folder that it was unpacked to, where this file lies

    --head FILE_OR_HASH   a signed head, a mail that holds one, or the bare hash, that you got by another way
    --key FILE_OR_KEY     the public key of whom you trust: PEM, base64 or hex; without its signature the check fails
    --json                the outcome as one JSON object

Exit code 0: nothing is wrong; 1: something is not as it was recorded; 2: no bundle, or it cannot be read.

Needs the other files of its name (`verify_*.py`) beside it. Copies that come inside a bundle are worth as much as its
sender: best use your own, from Lineproof's source (pipeline/audit/bundle/standalone), in a folder of its own, on the
zip file.
"""

import sys

if __name__ == "__main__" and not __package__:
    # A file of the sender's beside this one must not stand in for one of Python's own, nor a compiled one for a text.
    sys.dont_write_bytecode = True
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        del sys.path[0]

import os
from types import ModuleType
from typing import TYPE_CHECKING

PARTS = ("verify_basics", "verify_report", "verify_ledger", "verify_signatures", "verify_records", "verify_case")

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone.verify_case import check_bundle, detectable, main
else:
    for part in PARTS:  # each as the text that stands in the file, and from nowhere else
        place = os.path.join(os.path.dirname(os.path.abspath(__file__)), part + ".py")
        with open(place, "rb") as file:
            text = file.read()
        module = sys.modules[part] = ModuleType(part)
        module.__file__ = place
        exec(compile(text, place, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - what an import does
    main = sys.modules["verify_case"].main

__all__ = ["check_bundle", "detectable", "main"]

if __name__ == "__main__":
    sys.exit(main())
