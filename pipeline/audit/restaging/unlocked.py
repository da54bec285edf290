"""The marked copy of a protected document: encryption draws random numbers, so it is compared without it."""

from __future__ import annotations

from pipeline.asking import Run
from pipeline.audit.restaging.remaking import Desk
from pipeline.mupdf import open_pdf, pymupdf
from pipeline.store.runs import HIGHLIGHTED
from schemas.errors import InputError


def same_unlocked(desk: Desk, run: Run) -> bool:
    """True where the stored copy and the one that the run gives are the same once both are unlocked, or there is none.

    A stored copy that cannot be unlocked is not the same.
    """
    try:
        stored = (desk.opened.folder / HIGHLIGHTED).read_bytes()
    except FileNotFoundError:
        return HIGHLIGHTED not in run.files
    made = run.files.get(HIGHLIGHTED)
    if made is None:
        return False
    try:
        return _unlocked(stored, desk.password) == _unlocked(made, desk.password)
    except InputError:
        return False


def _unlocked(pdf: bytes, password: str | None) -> bytes:
    with open_pdf(pdf, name=HIGHLIGHTED, password=password) as opened:
        data: bytes = opened.tobytes(no_new_id=True, encryption=pymupdf.PDF_ENCRYPT_NONE)
        return data
