"""Replays and reviews: their records against their lines in the ledger, their seals, and the runs that they are on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from pipeline.audit.replaying.saving import replay_id
from pipeline.audit.reviewing.recording import ID_LENGTH
from pipeline.audit.reviewing.stored import signature_faults
from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.kept import Kept
from pipeline.audit.verify.records import REPLAY, REVIEW
from schemas.errors import RecordError
from schemas.replay import Replay
from schemas.review import Review


def check_replay(one: Kept, files: Mapping[str, bytes], chain: Chain, findings: Findings) -> None:
    """What a replay says of itself, its line of it, and of which run it is."""
    try:
        replay = Replay.from_json(files.get(REPLAY, b""), where=REPLAY)
    except RecordError:  # told where the records are read
        return
    findings.made("replays against the ledger")
    told = {"identical": replay.identical, "strict": replay.strict, "changed": ",".join(sorted(replay.changed)) or None}
    for detail in (
        *_faults_of_line(one, chain, told, of_seal=replay.of_seal),
        *_faults_of_rests(one, replay.of, replay.of_seal),
        *_faults_of_replay(replay, files),
        *_faults_of_name(one, replay_id(replay)),
    ):
        findings.wrong("record_invalid", f"{one.where}/{REPLAY}", detail)


def check_review(one: Kept, files: Mapping[str, bytes], chain: Chain, findings: Findings) -> None:
    """The signature of a verdict, its line, and of which run it is."""
    try:
        review = Review.from_json(files.get(REVIEW, b""), where=REVIEW)
    except RecordError:  # told where the records are read
        return
    findings.made("reviews against the ledger")
    place = f"{one.where}/{REVIEW}"
    if review.key_id or review.public_key or review.signature:
        findings.made("signatures of reviews")
    for detail in signature_faults(review, files[REVIEW]):
        findings.wrong("signature_invalid", place, detail)
    told = {"verdict": review.verdict, "subject": review.subject}
    name = hashlib.sha256(files[REVIEW]).hexdigest()[:ID_LENGTH]
    for detail in (
        *_faults_of_line(one, chain, told, of_seal=review.run_seal),
        *_faults_of_rests(one, review.run, review.run_seal),
        *_faults_of_name(one, name),
    ):
        findings.wrong("record_invalid", place, detail)


def _faults_of_line(one: Kept, chain: Chain, told: Mapping[str, object], *, of_seal: str | None) -> Iterator[str]:
    """What the line that holds it fast says otherwise."""
    entry = chain.by_seal.get(one.root or "")
    if entry is None:  # told where the folder is checked
        return
    for name, value in told.items():
        if entry.facts.get(name) != value or type(entry.facts.get(name)) is not type(value):
            yield f"line number {entry.seq} says {name}: {entry.facts.get(name)}, the record says {value}"
    run = chain.by_seal.get(of_seal or "")
    wanted = run.seq if run is not None else None
    said = entry.facts.get("of_seq")
    if said == wanted or (run is None and of_seal is not None and said in chain.broken):
        return
    yield f"line number {entry.seq} says that it is on number {said}, its record is on that of number {wanted}"


def _faults_of_rests(one: Kept, place: str, seal: str | None) -> Iterator[str]:
    if one.seal is None:
        return
    if one.seal.runs != ({place: seal} if seal is not None else {}):
        yield "its seal rests on other runs than its record is on"


def _faults_of_replay(replay: Replay, files: Mapping[str, bytes]) -> Iterator[str]:
    """What a replay says against itself."""
    if replay.strict and replay.changed:
        yield "it calls itself strict, and something was changed"
    if replay.identical and not all(stage.identical in (True, None) for stage in replay.stages):
        yield "it calls itself identical, and one of its stages is not"
    if replay.identical and replay.strict and any(name in files for name in _COMPARED):
        yield "it calls itself identical, and holds records that differ from those of the run"


def _faults_of_name(one: Kept, name: str) -> Iterator[str]:
    """The name of its folder follows from what it holds."""
    lies = one.seal.place if one.seal is not None and one.is_former else one.place
    if lies.rpartition("/")[2] != name:
        yield f"its folder is not named as one that holds it: {name}"


_COMPARED = ("parsed_question.json", "retrieval_result.json", "answer.json", "trace.json")
