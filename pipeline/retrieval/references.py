"""Where the passages on a topic refer to for what is asked: 'the Fee set out in Schedule 2', 'the Initial Term'.

Two hops at most (METHOD 3.6): from a passage on the topic to the place that it names, and from there once more. A
reference is followed only where the passage itself does not say what is asked, from a sentence on the topic.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.retrieval.evidence import Unit, body_of, headings_of
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.mentions import TABULAR, Mention, MentionIndex, is_law, opens_title, says_where
from pipeline.retrieval.openings import counts_from_opening, find_openings
from pipeline.retrieval.terms import proves_topic
from pipeline.retrieval.valued import value_positions
from pipeline.scope.sentences import sentence_starts
from pipeline.values import VALUE_TYPES
from pipeline.wording import tell_line

if TYPE_CHECKING:
    from pipeline.retrieval.search import Search

MAX_HOPS = 2  # METHOD 3.6: two passes; a chain that is longer is a reader's work
MAX_SOURCES = 12  # passages on the topic whose references are looked at, those with most proof first
MAX_TARGETS = 5  # places proposed; of 231 contracts none needed more, and more would drown the passages themselves
MAX_LOOK = 40  # passages of a schedule or a section that are read for a value of the type asked for
MAX_POINTER_WORDS = 30  # words of a sentence that does nothing but refer; a longer one says something too
REACH = 120  # characters from a word of the topic to the mention that speaks of it; farther on it is of something else
TITLE_REACH = 6  # characters from a number to the title in brackets behind it: 'Section 9 ("Insurance")'
LIST_BLOCKS = 8  # passages of a list that a clause opens ('as follows:')
MAX_DEFINITION_LINES = 4  # lines from a defined term to its value; farther down another term is defined
MAX_OPENING_SOURCES = 40  # passages on the topic that are read for a day counted from the contract's own dates
COUNTED_FROM = "a day told from the contract's own date"
MAX_SHOWN_LINES = 4  # lines of a target without a value that are cited


@dataclass(frozen=True, slots=True)
class Target:
    """A place that is referred to: its passage, its anchor (positions), and the way there."""

    block: int
    first: int
    last: int
    path: tuple[str, ...]
    has_value: bool  # a value of the type asked for stands there
    is_opening: bool = False  # a day is counted from its date: it is no answer itself


@dataclass(frozen=True, slots=True)
class Followed:
    """The places that the topic's passages refer to, the best first, and the mentions that lead nowhere."""

    targets: tuple[Target, ...] = ()
    lost: tuple[str, ...] = ()

    def path_to(self, block: int) -> tuple[str, ...]:
        """The mentions that lead to a passage; empty for one that is not referred to."""
        return next((target.path for target in self.targets if target.block == block), ())

    def opens(self, block: int) -> bool:
        """True for a passage that holds a date of the contract from which a day on the topic is told."""
        return any(target.block == block and target.is_opening for target in self.targets)


NOTHING_FOLLOWED = Followed()


def with_references(search: Search) -> Search:
    """The search with what its passages refer to; the passages referred to are units with their values marked."""
    followed = follow_references(search)
    if not followed.targets:
        return replace(search, followed=followed)
    units = dict(search.evidence.units)
    for target in followed.targets:
        if target.block not in units:
            unit = Unit(target.block, headings_of(search.lines, target.block))
            if not target.is_opening:
                unit.value_lines = _values(search, target.block)
            units[target.block] = unit
    ordered = {block: units[block] for block in sorted(units)}
    return replace(search, followed=followed, evidence=replace(search.evidence, units=ordered))


def follow_references(search: Search) -> Followed:
    """The targets, those with a value of the type asked for first, then in the order of the passages that name them.

    Empty where the plan of the question forbids it, and where every passage on the topic says itself what is asked.
    """
    if not search.query.plan.follow_references:
        return Followed()
    openings = _openings(search)
    if not len(search.document.cross_ref_df):
        return Followed(openings)
    mentions = MentionIndex.of(search.document, search.lines)
    sources = [unit for unit in _sources(search) if mentions.has_any(unit.block)]
    found: dict[int, tuple[int, int, Target]] = {}
    lost: dict[str, None] = {}
    seen = {unit.block for unit in sources}
    queue: deque[tuple[int, Unit | None, tuple[str, ...]]] = deque((unit.block, unit, ()) for unit in sources)
    while queue:
        block, source, path = queue.popleft()
        for mention in _pointers(search, mentions.at(block, search.query.answer_type), block, source):
            here = (*path, _told(search, mention))
            target = _target(search, mention, here)
            if target is None:
                if mention.target_line_id is None or search.lines.block_at(_position(search, mention)) is None:
                    lost.setdefault(here[-1])
                continue
            if target.block in seen or target.block in found:
                continue
            if target.has_value or mention.kind in TABULAR or search.query.answer_type not in VALUE_TYPES:
                found[target.block] = (0 if target.has_value else 1, len(found), target)
            if not target.has_value and len(here) < MAX_HOPS:
                queue.append((target.block, None, here))
    best = [target for *_, target in sorted(found.values(), key=lambda row: row[:2])[:MAX_TARGETS]]
    opened = {one.block for one in openings}
    return Followed((*(one for one in best if one.block not in opened), *openings), tuple(lost))


def _openings(search: Search) -> tuple[Target, ...]:
    """The contract's opening and what defines its dates, where a passage on the topic tells a day from them."""
    if search.query.answer_type != "date" or search.is_restricted:
        return ()
    lines, evidence = search.lines, search.evidence
    on_topic = [
        unit
        for unit in evidence.units.values()
        if not unit.is_contents
        and not lines.is_heading[unit.block]
        and (unit.titled or any(_proves(search, match.term) for match in unit.own))
    ]
    if not counts_from_opening([lines.block_text(unit.block) for unit in on_topic[:MAX_OPENING_SOURCES]]):
        return ()
    targets = []
    for block in find_openings(lines):
        positions = lines.block_positions(block)
        values = _values(search, block)
        anchor = values[0] if values else (positions[0], positions[0])
        targets.append(Target(block, *anchor, (COUNTED_FROM,), has_value=False, is_opening=True))
    return tuple(targets)


def _sources(search: Search) -> list[Unit]:
    """Passages on the topic that lack what is asked, those with most proof of the topic first."""
    evidence = search.evidence
    wanted = search.query.answer_type in VALUE_TYPES
    rows: list[tuple[tuple[bool, int, int], Unit]] = []
    for unit in evidence.units.values():
        if unit.is_contents or search.lines.is_heading[unit.block] or (wanted and unit.value_lines):
            continue
        proof = {match.term for match in unit.own if _proves(search, match.term)}
        words = {match.term for match in unit.own} & evidence.words
        enough = not evidence.has_concept and 0 < evidence.words_needed <= len(words)
        if proof or unit.titled or enough:
            rows.append(((not unit.titled, -len(proof) - len(words), unit.block), unit))
    rows.sort(key=lambda row: row[0])
    return [unit for _, unit in rows[:MAX_SOURCES]]


def _proves(search: Search, index: int) -> bool:
    term = search.terms.terms[index]
    return proves_topic(term) and term.kind not in ("word", "phrase")


def _pointers(search: Search, mentions: Sequence[Mention], block: int, source: Unit | None) -> Iterator[Mention]:
    """The mentions of a passage that say where the thing asked for stands; of a second passage (no source) all such."""
    if not mentions:
        return
    wanted = search.query.answer_type in VALUE_TYPES
    text = search.lines.block_text(block)
    starts = sentence_starts(text)
    only_refers = source is not None and _only_refers(search, source)
    for mention in mentions:
        index = bisect_right(starts, mention.start) - 1
        start, end = starts[index], starts[index + 1] if index + 1 < len(starts) else len(text)
        sentence, at = text[start:end], (mention.start - start, mention.end - start)
        if mention.kind == "definition":
            asked = wanted and source is not None
        else:
            told = (only_refers and opens_title(text[mention.end :])) or says_where(
                sentence, *at, tabular=mention.kind in TABULAR
            )
            whole = wanted or only_refers or len(sentence.split()) <= MAX_POINTER_WORDS
            asked = told and whole and not is_law(text[mention.end :])
        reach = (0, TITLE_REACH) if only_refers else (REACH, REACH)
        if asked and (
            source is None or (source.titled and not only_refers) or _on_topic(search, sentence, *at, *reach)
        ):
            yield mention


def _only_refers(search: Search, source: Unit) -> bool:
    """True when a passage only names the title of another place: 'see Section 9 (Insurance)'."""
    proving = [match for match in source.own if _proves(search, match.term)]
    return bool(proving) and all(match.is_reference for match in proving)


def _on_topic(search: Search, sentence: str, start: int, end: int, before: int, after: int) -> bool:
    """True when a term of the topic stands near a mention in its sentence, or enough of the question's words do.

    `before` and `after` are the characters between the two that still count as near.
    """
    hits = search.terms.matcher.find([sentence])
    spans = zip(hits.term_index.tolist(), hits.start.tolist(), hits.end.tolist(), strict=True)
    near = {term for term, first, last in spans if first <= end + after and last >= start - before}
    if any(_proves(search, index) for index in near):
        return True
    evidence = search.evidence
    return not evidence.has_concept and 0 < evidence.words_needed <= len(near & evidence.words)


def _position(search: Search, mention: Mention) -> int:
    return search.lines.position(mention.target_line_id) if mention.target_line_id is not None else -1


def _target(search: Search, mention: Mention, path: tuple[str, ...]) -> Target | None:
    """The passage that a mention leads to; None where it leads nowhere, or to nothing that was searched."""
    lines = search.lines
    at = _position(search, mention)
    block = lines.block_at(at) if at >= 0 else None
    if block is None:
        return None
    wanted = search.query.answer_type in VALUE_TYPES
    if mention.kind == "definition":
        near = [value for value in _values(search, block) if at <= value[0] <= at + MAX_DEFINITION_LINES]
        anchor = (min(at, near[0][0]), near[0][1]) if near else (at, at)
        return Target(block, *anchor, path, bool(near))
    last = _last_block(search, mention, block)
    if wanted:
        for inside in range(block, last + 1):
            values = _values(search, inside)
            if values:
                body = body_of(lines, inside) if lines.is_heading[inside] else inside
                return Target(body, *values[0], path, has_value=body == inside)
    body = body_of(lines, block) if lines.is_heading[block] else block
    positions = lines.block_positions(body)
    return Target(body, positions[0], positions[min(len(positions), MAX_SHOWN_LINES) - 1], path, has_value=False)


def _last_block(search: Search, mention: Mention, block: int) -> int:
    """The last passage of what a mention names: of its section, or up to the next schedule; never more than forty."""
    lines, target = search.lines, mention.target_line_id or 0
    toc, objects = search.document.toc_df, search.document.object_df
    ends = toc.loc[toc["start_line_id"] == target, "end_line_id"].tolist()
    if ends:
        bound = min(lines.first_block_from(lines.position(max(ends))), lines.block_count - 1)
    elif mention.kind in TABULAR:
        after = objects.loc[(objects["line_id"] > target) & objects["object_type"].isin(TABULAR), "line_id"]
        later = [lines.first_block_from(lines.position(line_id)) - 1 for line_id in after.tolist()]
        bound = min((at for at in later if at >= block), default=lines.block_count - 1)
    else:
        bound = _run_end(lines, block)
    return min(max(bound, block), block + MAX_LOOK, lines.block_count - 1)


def _run_end(lines: Lines, block: int) -> int:
    """The last passage before the next heading; of a clause, which no heading bounds, itself and the list it opens."""
    end = block
    opens = lines.block_text(block).rstrip().endswith((":", ":-", "—"))
    while (lines.is_heading[block] or (opens and end - block < LIST_BLOCKS)) and end + 1 < lines.block_count:
        if lines.is_heading[end + 1]:
            break
        end += 1
    return end


def _values(search: Search, block: int) -> list[tuple[int, int]]:
    answer_type = search.query.answer_type
    if answer_type not in VALUE_TYPES:
        return []
    languages = search.document.profile.semantic.languages
    language = languages[0] if languages else search.query.language
    return value_positions(search.lines, block, answer_type, language)


def _told(search: Search, mention: Mention) -> str:
    """The mention with its place: 'set out in Schedule 2 (page 3 line 12)'."""
    lines = search.lines
    place = tell_line(lines.page_unit, lines.page_nums[mention.position], lines.line_nums[mention.position])
    return f"{mention.told} ({place})"
