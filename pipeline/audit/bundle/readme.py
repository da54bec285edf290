"""`README.txt` of a bundle: what is in it and what it proves, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

_WIDTH = 80  # characters of a line

_HEAD = """\
EVIDENCE BUNDLE

What this is
{what}
  Open index.html in a browser: it needs no network, runs no script, and links
  only to files beside it.{care}

How to check it
  With Python 3.8 or newer, nothing else installed, no network. Best with your
  own copy of the verifier, in a folder of its own, on the zip file as it came:

      python -I -B verify_bundle.py case.zip
      python -I -B verify_bundle.py case.zip --key KEY.pub --head HEAD

  or, as far as you trust who sent this, with the copy in here, in the folder
  that the bundle was unpacked to:

      python -I -B verify_bundle.py

  KEY.pub  the public key of whom you trust, got from its owner and not with
           this bundle; without a signature of it the check fails
  HEAD     a signed head of the ledger that you got by another way: a file, a
           mail, or its bare hash

  verify_bundle.py and the other verify_*.py are plain text: read them. Whoever
  made this bundle made these copies, too; the same files are in Lineproof's
  source, under pipeline/audit/bundle/standalone.
{lineproof}
How the proof works
  ledger.jsonl   One line an event; each holds the hash of the line before, so
                 that none can be changed, moved or taken out without changing
                 all that follow. No text of a document, a question or an
                 answer stands in it{names}.
  seal.json      Of each folder: the SHA-256 of every file in it, of the
                 document, and of the runs that it rests on. A salted hash of
                 the seal stands in the ledger.
  head.json      The last line of the ledger, signed (Ed25519, RFC 8032), where
                 the sender signed it. By a key that you have from here alone it
                 proves nothing against the sender.
  bundle.json    Every file of this bundle with its SHA-256; signature.json
                 signs it, where the sender did. Pages made for reading
                 ({pages}) are held by this list
                 alone: without a signature that you trust they may say
                 something else than the records, which are what counts.
"""
_CARE = """
  The documents came from others. One that is a page itself (html, svg) is named
  in index.html and not linked: opened, it may run a program of its own."""
_MORE = """\
  With Lineproof installed, `lineproof verify case.zip` does more: it reads
  every quote anew from the document and does every step of every run again.
"""
_LESS = """\
  With Lineproof installed, `lineproof verify case.zip` checks the same{more}.
"""
_FULL = """
What is in it
  store/   The records as they were written: for each run the question, what
           was searched and found, the answer with its lines, the trace with
           every exchange with a model, and the sheets made of them.
{lines}  pages/   How each answer came about, as a page.
{documents}
"""
_LINES = "  lines/   Every line of each document as text, with its page and number.\n"
_WITH = "  The documents themselves are under store/<document>/source."
_WITHOUT = """\
  The documents were left out by the sender, with their full text and their
  marked copies: compare your own copies with the SHA-256 that
  verify_bundle.py prints. The records quote the passages that were read."""
_REDACTED = """
What was taken out
  Texts of documents, questions, answers, reasons and people, values, names of
  files, and what a model was sent and said are hidden.{levels}
  Each is replaced by a salted hash: what is left is proven to be part of the
  record that was sealed, and what is hidden cannot be guessed from its hash.
  The lines of the ledger on dictionaries name the dictionaries of the store,
  with their versions and hashes: they are part of the chain, and stand there.
  Shown are structure, roles, methods, kinds, statuses, counts, pages, lines,
  versions, settings, times and hashes, also the SHA-256 of the document:
  whoever has the document can tell that it is the one.
  redacted/   For each folder its records, field by field: "shown" with its
              salt, or "hidden" with its hash.
  pages/      The decision of each run, as far as it is shown.
"""
_TAIL = """
What cannot be proven by it
  - That the answer is right: the records show what it rests on, and a person
    can read that.
  - That nothing was left out: the ledger shows that there were other events,
    not what they were.
  - Times: they are those of the clock of the machine that wrote them.
  - With no signed head from somebody else than the holder of the store: that
    ledger and records were not made up as a whole. A head that a third party
    keeps, or a key that you trust, closes this for all lines up to the one that
    was signed.
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many sealed folders are in a bundle: those that it was made for, reviews, and others."""

    decisions: int
    reviews: int = 0
    others: int = 0


def readme(counts: Counts, version: str, *, documents: bool, redacted: bool, levels: Sequence[str]) -> bytes:
    """The text; `levels` are shown in a redacted bundle all the same."""
    has_lines = documents and not redacted
    text = _HEAD.format(
        what=_what(counts, version, redacted=redacted),
        care=_CARE if has_lines else "",
        lineproof=_MORE
        if has_lines
        else _LESS.format(more="" if redacted else ", and\n  how the records fit together"),
        names="; of dictionaries it tells the names" if redacted else "",
        pages="index.html, pages/, lines/" if has_lines else "index.html, pages/",
    )
    if redacted:
        shown = f"\n  Shown all the same: {', '.join(levels)}." if levels else ""
        text += _REDACTED.format(levels=shown)
    else:
        text += _FULL.format(documents=_WITH if documents else _WITHOUT, lines=_LINES if documents else "")
    return (text + _TAIL).encode()


def _what(counts: Counts, version: str, *, redacted: bool) -> str:
    told = [_count(counts.decisions, "decision")]
    told += [_count(counts.reviews, "review")] if counts.reviews else []
    told += [_count(counts.others, "further record")] if counts.others else []
    held = "as far as they are shown" if redacted else "with all that it takes to check them without Lineproof"
    text = f"{' and '.join([', '.join(told[:-1]), told[-1]] if told[1:] else told)}, from a store of Lineproof"
    return fill(f"{text} {version}, {held}.", width=_WIDTH, initial_indent="  ", subsequent_indent="  ")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' if number != 1 else ''}"
