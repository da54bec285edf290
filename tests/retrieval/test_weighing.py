"""What measured evidence makes of the decision list's roles."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.arbiter.measured import FACTS, PRESENCE_FACTS, Surroundings, facts_of, load_measured
from pipeline.retrieval.arbiter.rules import Case, judge_by_rules, rules_and_presence
from pipeline.retrieval.arbiter.weighing import NEGLIGIBLE, PRESENT_FROM, PRIMARY_FROM, weigh
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.signals import Signals
from schemas.retrieval import CandidateBrief

WHERE = Surroundings("contracts", "governing_law", at_head=False, searched_lines=400)
STRONG = Signals(
    primary_terms=("governed by and construed", "laws of the state of"), secondary_terms=("conflict of laws",),
    has_concept=True, mentions=2, title_fit="exact", section_title="Governing Law", titled=True, headed=True,
)  # fmt: skip
WEAK = Signals(secondary_terms=("laws",), has_concept=True)


def case(name: str, signals: Signals, where: Surroundings | None = WHERE) -> Case:
    """A candidate with the given signals."""
    brief = CandidateBrief(candidate_id=name, methods=("content_keyword_match",), section=None, matched_keywords=(),
                           snippet="...")  # fmt: skip
    return Case(brief, signals, where=where)


def judged(*cases: Case) -> dict[str, Judgement]:
    """The judgements by candidate."""
    return {one.candidate_id: one for one in judge_by_rules(cases, RetrievalSettings())}


def test_strong_evidence_is_primary_and_says_how_often_such_passages_held_the_answer() -> None:
    """The reason keeps the rule's words and adds the measured share in plain words."""
    one = judged(case("a", STRONG), case("b", WEAK))["a"]
    assert one.role == "primary"
    assert one.rule == "exact_title"
    assert one.chance is not None
    assert one.chance >= PRIMARY_FROM
    assert f"{round(100 * one.chance)} in 100 such passages held the answer" in one.reason


def test_weak_evidence_alone_is_no_presence() -> None:
    """Where documents with nothing better hardly ever held the answer, no passage is primary."""
    found = judged(case("b", WEAK))
    presence = rules_and_presence([case("b", WEAK)])[1]
    assert presence is not None
    assert presence < PRESENT_FROM
    assert "primary" not in {one.role for one in found.values()}


def test_a_primary_of_the_list_steps_back_and_says_why() -> None:
    """A rule's primary that is worth too little is kept as support, with both figures in its reason."""
    table = load_measured()
    worst = min(
        (name for name, seen in table.concepts["exclusivity"]["terms"].items() if name[:2] == "p:" and seen[0] > 9),
        key=lambda name: table.concepts["exclusivity"]["terms"][name][1],
    )
    weak = Signals(primary_terms=(worst[2:],), has_concept=True, mentions=2)
    one = judged(case("a", weak, replace(WHERE, concept="exclusivity", searched_lines=5_000)))["a"]
    assert one.rule == "topic_terms"
    assert one.role == "supporting"
    assert "not enough by itself: documents with no stronger passage than this held the answer in" in one.reason
    assert "of 100" in one.reason


@pytest.mark.parametrize(
    "signals",
    [
        Signals(primary_terms=("ley aplicable de otro sitio",), has_concept=True, mentions=2),
        Signals(primary_terms=("governed by",), has_concept=True, mentions=2, value_wanted=True, value_beside=True),
    ],
    ids=["words never counted", "a question for a value, measured for yes or no"],
)
def test_what_nobody_counted_is_not_weighed_down(signals: Signals) -> None:
    """Words of another language and values that were not asked for where it was measured keep the list's role."""
    one = judged(case("a", signals, replace(WHERE, concept="exclusivity")))["a"]
    assert one.role == "primary"
    assert "Measured" not in one.reason


def test_candidates_in_are_candidates_out() -> None:
    """Weighing changes roles and reasons, never the candidates."""
    cases = [case(f"c{n}", signals) for n, signals in enumerate([STRONG, WEAK, Signals(), Signals(is_contents=True)])]
    assert sorted(judged(*cases)) == ["c0", "c1", "c2", "c3"]


def test_what_is_negligible_is_discarded() -> None:
    """A passage that hardly ever held the answer is discarded, with the figure."""
    one = judged(case("a", STRONG), case("b", Signals(neighbours=("x",), has_concept=True)))["b"]
    assert one.chance is not None
    assert one.chance < NEGLIGIBLE
    assert one.role == "discarded"
    assert "fewer than 1 in 100" in one.reason


@pytest.mark.parametrize(
    "where",
    [
        None,
        replace(WHERE, dictionary="insurance"),
        replace(WHERE, concept="unknown"),
        replace(WHERE, searched_lines=load_measured().shortest - 1),
    ],
    ids=["no concept", "another dictionary", "an unknown concept", "a shorter document than any measured"],
)
def test_what_was_not_measured_is_judged_by_the_list_alone(where: Surroundings | None) -> None:
    """What lies outside of what was measured has the roles of the decision list, and no figure."""
    cases = [case("a", STRONG, where), case("b", WEAK, where)]
    found = judged(*cases)
    assert found["a"].role == "primary"
    assert found["a"].chance is None
    assert "Measured" not in found["a"].reason
    assert rules_and_presence(cases)[1] is None


@pytest.mark.parametrize(
    ("signals", "rule"),
    [
        (Signals(title_fit="named", section_title="9", heading_only=True), "named_section"),
        (Signals(defines=True, exact=("Term",)), "defined_term"),
        (Signals(pinned=True), "pinned_page"),
        (Signals(exact=("Schedule 2",), has_code=True, caption=True), "caption"),
    ],
)
def test_what_the_user_asked_for_by_name_is_not_weighed(signals: Signals, rule: str) -> None:
    """A named section, a defined term, a named page, a label: first in its role, whatever was measured."""
    one = judged(case("a", WEAK), case("named", signals))["named"]
    assert (one.rule, one.role, one.chance) == (rule, "primary", None)


def test_primaries_stand_in_the_order_of_what_they_are_worth() -> None:
    """Among primaries the larger share comes first."""
    weaker = replace(STRONG, title_fit=None, section_title=None, titled=False, headed=False, secondary_terms=())
    found = judge_by_rules([case("b", weaker), case("a", STRONG)], RetrievalSettings())
    chances = [one.chance for one in found if one.role == "primary"]
    assert chances == sorted(chances, reverse=True)  # type: ignore[type-var]


def test_a_chance_is_the_sum_of_its_points() -> None:
    """Every figure can be taken apart: the log odds are the intercept and one amount a fact."""
    table = load_measured()
    facts = facts_of(table.concepts[WHERE.concept], table.overall, STRONG, WHERE, "exact_title")
    total = table.intercept
    for name, fact in zip(FACTS, facts, strict=True):
        if name in table.points:
            values, points = table.points[name]
            inside = min(max(fact, values[0]), values[-1])
            left = max(at for at, value in enumerate(values[:-1]) if value <= inside)
            slope = (points[left + 1] - points[left]) / (values[left + 1] - values[left])
            total += points[left] + slope * (inside - values[left])
    assert table.chance(STRONG, WHERE, "exact_title") == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-6)


def test_the_table_is_complete_and_has_no_impossible_count() -> None:
    """Each fact has points in rising order of values, and no count of answers exceeds its passages."""
    table = load_measured()
    assert set(table.points) <= set(FACTS)
    assert set(table.presence_points) <= set(PRESENCE_FACTS)
    for values, points in (*table.points.values(), *table.presence_points.values()):
        assert list(values) == sorted(set(values))
        assert len(values) == len(points)
    for kinds in table.concepts.values():
        assert all(0 <= held <= seen for counts in kinds.values() for seen, held in counts.values())


def test_more_evidence_never_makes_presence_less_likely() -> None:
    """Another passage does not lower the figure, and a document holds what one of its passages holds."""
    table = load_measured()
    assert table.presence([0.6, 0.5], WHERE) >= table.presence([0.6], WHERE) >= 0.6
    assert table.presence([0.7], WHERE) >= table.presence([0.6], WHERE)


def test_nothing_to_weigh_is_nothing() -> None:
    """No candidate, no figure."""
    assert weigh([]) == ([], None)
