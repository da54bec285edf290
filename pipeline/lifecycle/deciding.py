"""What a person decided on proposals: the dictionaries with the accepted words, and the proposals from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from dictionaries.content_rules import content_faults
from dictionaries.drafts import Cell, Draft
from dictionaries.file_format import DictionaryFile, FileTerm, FileWords, Kind, Loc
from pipeline.lifecycle.findings import sorted_proposals
from schemas.errors import DictionaryError
from schemas.proposals import Proposal, Proposals
from schemas.record import list_faults

ACCEPT, REJECT = "accept", "reject"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; the words as the person wants them. `row` is that of the sheet, null without one."""

    proposal_id: str  # empty for words that the person added
    accepted: bool
    dictionary: str
    concept: str
    kind: Kind
    language: str
    text: str
    row: int | None = None

    @property
    def told(self) -> str:
        """What is added, in one line."""
        return f"{self.dictionary}.{self.concept} {self.kind} {self.language}: {self.text}"


@dataclass(slots=True)
class Edits:
    """Dictionaries with the accepted words, not yet checked, and what needed no edit."""

    drafts: list[Draft] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def decision_on(proposals: Proposals, proposal_id: str, *, accepted: bool, target: str | None = None) -> Decision:
    """The decision on one proposal; `target` ('dictionary.concept', or a concept) names where accepted words go.

    Raises DictionaryError for an id that is none, and where nobody has named the concept.
    """
    proposal = proposals.find(proposal_id.strip().lower())
    if proposal is None:
        raise DictionaryError(f"{proposal_id[:80]!r} is no proposal of this store; `lineproof dict suggest` lists them")
    dictionary, concept = proposal.dictionary, proposal.concept
    if target is not None:
        named, _, concept = target.rpartition(".")
        dictionary = named or dictionary
    if accepted and not (dictionary and concept):
        raise DictionaryError(
            f"proposal {proposal.proposal_id} ({proposal.text!r}) names no concept; say which takes the words: --to "
            "DICTIONARY.CONCEPT"
        )
    return Decision(
        proposal_id=proposal.proposal_id,
        accepted=accepted,
        dictionary=dictionary or "",
        concept=concept or "",
        kind=proposal.kind,
        language=proposal.language,
        text=proposal.text,
    )


def edits_of(
    decisions: Sequence[Decision],
    proposals: Proposals,
    *,
    current: Callable[[str], DictionaryFile | None],
    sheet: tuple[str, str] | None = None,
) -> Edits:
    """The dictionaries with the accepted words at the end of their lists, by name; nothing is written.

    `current` gives what a dictionary says now; `sheet` names file and sheet that the decisions were read from. Words
    that stand there already are noted and not added again.

    Raises DictionaryError, all faults at once, for words without a place to go and an id that is none.
    """
    edits, faults = Edits(), list(_conflicting(decisions, proposals, sheet))
    files: dict[str, DictionaryFile | None] = {}
    cells: dict[str, dict[Loc, Cell]] = {}
    for one in (one for one in decisions if one.accepted):
        if one.dictionary not in files:
            files[one.dictionary] = current(one.dictionary)
        parsed = files[one.dictionary]
        if parsed is None or one.concept not in parsed.concepts:
            what = f"dictionary named {one.dictionary!r}" if parsed is None else f"concept {one.concept!r} in it"
            faults.append(f"{_where(one, sheet)}: there is no {what}; correct it and decide again")
            continue
        try:
            added, place = _with_words(parsed, one)
        except DictionaryError as error:
            faults.append(f"{_where(one, sheet)}: {error}")
            continue
        if added is None:
            edits.notes.append(f"stands there already: {one.told}")
            continue
        files[one.dictionary] = added
        if sheet is not None and one.row is not None:
            own = cells.setdefault(one.dictionary, {})
            own[place] = Cell(sheet[1], one.row, "text")
            if one.language not in parsed.concepts[one.concept].words:
                own[place[:4]] = Cell(sheet[1], one.row, "language")
    if faults:
        raise DictionaryError("; ".join(faults))
    for name, parsed in sorted(files.items()):
        if parsed is not None and parsed != current(name):
            file = sheet[0] if sheet is not None else f"{name}.toml"
            edits.drafts.append(_draft(name, parsed, file, cells.get(name, {})))
    return edits


def with_decisions(proposals: Proposals, decisions: Sequence[Decision]) -> Proposals:
    """The proposals of a store once the decisions are carried out."""
    by_id = {one.proposal_id: one for one in decisions if one.proposal_id}
    kept = (_decided(one, by_id[one.proposal_id]) if one.proposal_id in by_id else one for one in proposals.proposals)
    return proposals.model_copy(update={"proposals": sorted_proposals(kept), "written_as": None})


def _decided(proposal: Proposal, decision: Decision) -> Proposal:
    status = "accepted" if decision.accepted else "rejected"
    return proposal.model_copy(update={"status": status, "decided_as": decision.told if decision.accepted else None})


def _conflicting(
    decisions: Sequence[Decision], proposals: Proposals, sheet: tuple[str, str] | None
) -> Iterator[str]:  # fmt: skip
    """Decisions on what is no proposal, and on what was accepted already."""
    known = {one.proposal_id: one for one in proposals.proposals}
    for one in decisions:
        if one.proposal_id and one.proposal_id not in known:
            yield (
                f"{_where(one, sheet)}: {one.proposal_id[:80]!r} is no proposal of this store; correct the id, or "
                "empty the cell to add words of your own"
            )
        elif not one.accepted and one.proposal_id and known[one.proposal_id].status == "accepted":
            yield (
                f"{_where(one, sheet)}: proposal {one.proposal_id} was accepted already; take the words out of the "
                "dictionary"
            )


def _with_words(parsed: DictionaryFile, one: Decision) -> tuple[DictionaryFile | None, Loc]:
    """The dictionary with the words, None where they stand there, and their place.

    Raises DictionaryError for words that no dictionary can hold.
    """
    concept = parsed.concepts[one.concept]
    words = concept.words.get(one.language)
    listed = list(getattr(words, one.kind)) if words else []
    place: Loc = ("concepts", one.concept, "words", one.language, one.kind, len(listed))
    try:
        term = FileTerm.model_validate(one.text)
    except ValidationError as error:
        raise DictionaryError(f"the words cannot be taken ({list_faults(error)})") from error
    written = [entry.term if isinstance(entry, FileTerm) else entry for entry in listed]
    if term.term in written:
        return None, place
    if words is None and one.kind != "primary":
        raise DictionaryError(f"{one.concept} has no words in {one.language!r} yet; accept a primary term first")
    entries = (*listed, term if one.kind in ("primary", "secondary") else term.term)
    changed = words.model_copy(update={one.kind: entries}) if words else FileWords(primary=(term,))
    every = {**concept.words, one.language: changed}
    concepts = {**parsed.concepts, one.concept: concept.model_copy(update={"words": every})}
    return parsed.model_copy(update={"concepts": concepts}), place


def _draft(name: str, parsed: DictionaryFile, file: str, cells: dict[Loc, Cell]) -> Draft:
    draft = Draft(name=name, file=file, parsed=parsed, usable=parsed, faults=(), cells=cells)
    faults = tuple(draft.placed(fault) for fault in content_faults(parsed, file))
    return Draft(name=name, file=file, parsed=parsed, usable=parsed, faults=faults, cells=cells)


def _where(one: Decision, sheet: tuple[str, str] | None) -> str:
    if one.row is None:
        return f"proposal {one.proposal_id}"
    return f"{sheet[0]}, sheet {sheet[1]!r}, row {one.row}" if sheet else f"row {one.row}"
