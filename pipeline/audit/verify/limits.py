"""What a verification can and cannot detect, in plain words: the same sentences in every report and in the docs."""

from __future__ import annotations

from pipeline.audit.verify.chain import Chain

ALWAYS_DETECTED = (
    (
        "Any byte of a stored record that was changed without changing its seal and the ledger too: each file is "
        "compared with the hash that was sealed, each seal with the ledger."
    ),
    "A line of the ledger that was edited, deleted, moved or put in: every line holds the hash of the line before.",
    "Lines cut off the end of the ledger while a folder with a receipt of them is still there.",
    (
        "A folder that was put into the store by hand, and one that was taken away, unless a later line of the "
        "ledger says that it was erased on request."
    ),
    "Another document in the place of the one that was read, where a copy is in the store or is given with --source.",
    (
        "A quote that does not stand in the cited lines, and for pages with text of their own, lines that other "
        "readers do not find on the page."
    ),
    "A model's reply or request on record that was changed in the run or in the call cache alone.",
    (
        "A signed review whose signature does not fit what it says, and a review or a replay that does not fit its "
        "line in the ledger or the run that it is on."
    ),
    "Links in the store, which are never followed, and an erasure on request that did not end.",
)
DETECTED_BY_STAGES = (
    (
        "A record that was changed together with every hash of it, where it does not follow from the document, "
        "the dictionaries and the replies on record: each stage was done again and compared byte for byte."
    ),
)
DETECTED_BY_ANCHORS = (
    "A ledger that was written anew in whole or in part, up to the last signed head (line number {seq}): its hash "
    "would be another."
)
WITHOUT_ANCHORS = (
    (
        "A holder of the store who wrote everything anew, ledger, seals and receipts: no signed head was given "
        "that vouches for it from outside. Give one with --anchor."
    ),
    "Lines cut off the end of the ledger together with their folders.",
)
AFTER_THE_ANCHOR = (
    "After the last signed head (line number {seq}; {left}): lines that were cut off together with their folders, "
    "or written anew with them."
)
NEVER_DETECTED = (
    (
        "When something happened: times are what the clock of the machine said. A signed head that somebody else "
        "dated (a time stamp, an e-mail) shows that what it covers existed then."
    ),
    (
        "Who did it: whoever could write into the store could append a run, an erasure or a change of "
        "dictionaries. A signature shows that the holder of the key signed, not who that was."
    ),
    "An event that was never recorded, such as a question that was asked elsewhere and left out.",
    "An answer that was wrong from the start: the records are as they were written, not therefore right.",
    "A false document: what was read is what is stored; whether it is genuine is for its owner to say.",
    "A model's reply that was false when it arrived, or made up by whoever ran the server and recorded as a reply.",
    (
        "Rows of the call cache that belong to no stored run, beyond that their key fits their request; sessions, "
        "workbooks and other files of the store that are no records, such as those put beside its folders; empty "
        "folders; dates and rights of files."
    ),
    (
        "In a trace, when a run started and how long its stages took, whether a parsing or a reply came from a cache, "
        "and what it noted on the way: a rerun has others."
    ),
    (
        "What a replay found with something changed, or that a strict one found differences: replays are not done "
        "again. An unsigned review: it is held fast as it was written, whoever wrote it."
    ),
)
WITHOUT_STAGES = (
    "A record that was changed together with every hash of it: the stages were not done again (--quick), nor were "
    "the salted hashes of single fields, on which redacted bundles rest."
)


def what_is_detected(chain: Chain, anchored_to: int | None, *, rerun: bool) -> tuple[str, ...]:
    """What this verification can detect."""
    told = [*ALWAYS_DETECTED] if chain.exists else ["A file that was changed without its folder's list of files."]
    if rerun:
        told += DETECTED_BY_STAGES
    if anchored_to is not None:
        told.append(DETECTED_BY_ANCHORS.format(seq=anchored_to))
    return tuple(told)


def what_is_not(chain: Chain, anchored_to: int | None, *, rerun: bool) -> tuple[str, ...]:
    """What it cannot."""
    if not chain.exists:
        told = ["Anything that was changed together with its folder's list of files: this store has no ledger."]
    elif anchored_to is None:
        told = [*WITHOUT_ANCHORS]
    elif anchored_to < chain.last:
        count = chain.last - anchored_to
        left = f"{count} line follows" if count == 1 else f"{count} lines follow"
        told = [AFTER_THE_ANCHOR.format(seq=anchored_to, left=left)]
    else:
        told = [AFTER_THE_ANCHOR.format(seq=anchored_to, left="none that is known of follows")]
    if not rerun:
        told.append(WITHOUT_STAGES)
    return (*told, *NEVER_DETECTED)
