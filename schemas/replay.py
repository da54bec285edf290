"""Runs done again, compared, and taken apart: replay, diff, counterfactual."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from schemas.answer import AnswerStatus
from schemas.provenance import ArbiterRole
from schemas.record import Part, Record

ChangeSubject = Literal[
    "document", "parser", "dictionary", "question", "prompt", "model", "setting", "library", "code", "session", "types"
]
StageName = Literal["parsing", "question", "retrieval", "generation"]


class Change(Part):
    """Something that differs between what two runs were made from."""

    subject: ChangeSubject = Field(description="What kind of thing.")
    name: str = Field(description="Which: the prompt's name, the dictionary, the setting, the library ...")
    before: str | None = Field(description="In the first run; a version, a value or a hash. Null: not there.")
    after: str | None = Field(description="In the second.")
    detail: str = Field(default="", description="What changed inside it: words, concepts, lines; empty for a value.")
    reaches: tuple[StageName, ...] = Field(description="Stages that it can have moved, in order.")


class Movement(Part):
    """A difference in what two runs gave."""

    what: Literal[
        "keyword", "question_field", "candidate", "role", "reason", "value", "status", "quote", "caveat", "method"
    ] = Field(description="What moved.")
    name: str = Field(description="Which keyword, field, candidate, value.")
    before: str | None = Field(description="In the first run; null: not there.")
    after: str | None = Field(description="In the second; null: not there.")
    stage: StageName = Field(description="The first stage at which the two runs part on it.")
    moved_by: tuple[str, ...] = Field(
        default=(), description="Names of the changes that can have moved it; empty where none is known."
    )
    shown: bool = Field(
        default=False, description="True: seen by running again with that change alone; false: the only ones possible."
    )


class RunDiff(Record):
    """What differs between two runs, and which change moved what. No clock in it."""

    SCHEMA_NAME: ClassVar[str] = "run_diff"
    SCHEMA_VERSION: ClassVar[int] = 1

    first: str = Field(description="Place of the first run.")
    second: str = Field(description="Place of the second.")
    same: bool = Field(description="Both give the same answer, candidates and roles.")
    changes: tuple[Change, ...] = Field(description="Differences of what they were made from.")
    movements: tuple[Movement, ...] = Field(description="Differences of what they gave, by stage.")
    text: str = Field(description="The gist, in one or two sentences.")


class ReplayedStage(Part):
    """One stage of a replay."""

    stage: StageName = Field(description="Which.")
    how: Literal["stored", "rules", "transcript", "model"] = Field(
        description="stored: the saved record was taken; rules: done again by rules; transcript: with the replies on "
        "record; model: a model was called."
    )
    identical: bool | None = Field(description="The record is the stored one, byte for byte; null for a stored one.")


class Replay(Record):
    """`replay.json`: a run done again, as it was or with something changed. No clock in it."""

    SCHEMA_NAME: ClassVar[str] = "replay"
    SCHEMA_VERSION: ClassVar[int] = 1

    of: str = Field(description="Place of the run that was done again.")
    of_seal: str | None = Field(description="Its seal; null for a run from before the ledger.")
    strict: bool = Field(description="Nothing was changed, and nothing could be sent.")
    changed: dict[str, str] = Field(description="What was changed, by option: 'dictionary', 'prompt', 'arbiter' ...")
    start: StageName = Field(description="First stage that was done again.")
    stages: tuple[ReplayedStage, ...] = Field(description="In order.")
    identical: bool = Field(description="Every record is the stored one, byte for byte.")
    diff: RunDiff = Field(description="Against the stored run.")


class Ablation(Part):
    """What the answer becomes without some passages."""

    removed: tuple[str, ...] = Field(description="Candidate ids that were left out.")
    removed_as: Literal["primary", "supporting", "all_primary", "all_supporting", "all_but"] = Field(
        description="What they are: one primary or supporting passage, all of them, or all but those kept."
    )
    status: AnswerStatus = Field(description="Status of the answer without them.")
    text: str = Field(description="The answer without them, in plain words.")
    effect: Literal["same", "weaker", "lost", "flipped", "grown"] = Field(
        description="same: the same values; weaker: some are lost, or it is partial; lost: nothing is found any more; "
        "flipped: other values take their place; grown: values that were not there."
    )
    values_lost: tuple[str, ...] = Field(default=(), description="Values of the answer that are gone, in words.")
    values_new: tuple[str, ...] = Field(default=(), description="Values that were not in the answer, in words.")
    evidence: tuple[str, ...] = Field(
        default=(), description="Places of the lines that the answer cites then, in words, a value each."
    )
    how: Literal["rules", "transcript", "model"] = Field(description="Who wrote the answer without them.")


class Promotion(Part):
    """What the answer becomes, where nothing was found, when a passage that was held for none is read as one."""

    candidate_id: str = Field(description="The passage.")
    role: ArbiterRole = Field(description="What the arbiter made of it.")
    why_not: str = Field(description="Why it did not count, in one sentence.")
    status: AnswerStatus = Field(description="Status of the answer when it is primary.")
    text: str = Field(description="That answer, in plain words.")
    would_answer: bool = Field(description="A value passes every check then.")
    how: Literal["rules", "transcript", "model"] = Field(description="Who wrote that answer.")


class Counterfactual(Record):
    """`lineproof why`: on which passages an answer stands. No clock in it."""

    SCHEMA_NAME: ClassVar[str] = "counterfactual"
    SCHEMA_VERSION: ClassVar[int] = 1

    run: str = Field(description="Place of the run.")
    status: AnswerStatus = Field(description="Status of its answer.")
    text: str = Field(description="Its answer, in plain words.")
    baseline_identical: bool = Field(description="With all passages, the answer is regenerated with the same values.")
    ablations: tuple[Ablation, ...] = Field(description="Each primary alone, each supporting alone, all supporting.")
    minimal: tuple[str, ...] = Field(
        description="A smallest set of passages that still gives the answer; may be empty."
    )
    minimal_is_proven: bool = Field(description="No smaller set gives it; false where the budget ended the search.")
    decisive: tuple[str, ...] = Field(description="Passages whose removal loses or flips the answer.")
    redundant: tuple[str, ...] = Field(description="Primary passages without which the answer stays the same.")
    promotions: tuple[Promotion, ...] = Field(
        default=(), description="Of an answer without a value: each nearest miss read as primary, nearest first."
    )
    places: dict[str, str] = Field(
        default_factory=dict, description="Where each passage named here stands, in words, by candidate id."
    )
    calls_made: int = Field(default=0, ge=0, description="Calls to a model.")
    budget_used_up: bool = Field(default=False, description="The budget of calls ended it.")
    sentences: tuple[str, ...] = Field(description="The outcome in plain words, a sentence each.")
