"""The decision list of the rules arbiter: the first rule that fits a passage gives its role and its reason.

It holds the three rules of the source text (1.3): trust an exact title (`exact_title`), trust terms that stand together
even outside the section (`co_occurrence`), doubt what only embeddings propose (`embedding_only`). The others say what
an expert sees on the page: a definition, a reference elsewhere, a neighbouring concept, a mention in passing.
"""

from __future__ import annotations

from pipeline.retrieval.arbiter.figure_rules import FIGURE_RULES
from pipeline.retrieval.arbiter.rule import (
    Pool,
    Rule,
    always,
    any_topic,
    listed,
    titled,
    topic,
    under_heading,
    with_topic,
)
from pipeline.retrieval.signals import Signals
from schemas.retrieval import ArbiterRole

EMBEDDINGS = frozenset({"chunk_embedding_match", "title_embedding_match"})
REFERENCE = "reference_follow"


def _by_company(signals: Signals, pool: Pool) -> ArbiterRole:
    """Several terms that go with the topic, or one beside a value, support; a single one is noise beside a real one."""
    if len(signals.secondary_terms) > 1 or signals.value_beside:
        return "supporting"
    return "discarded" if pool.has_topic_passage else "tangential"


def _unless_title(_signals: Signals, pool: Pool) -> ArbiterRole:
    return "supporting" if pool.has_title_passage else "primary"


def _unless_value(_signals: Signals, pool: Pool) -> ArbiterRole:
    return "supporting" if pool.has_value_passage else "primary"


def _may_answer(s: Signals) -> bool:
    """False for what only names the topic, and for a topic that is often confused with what is asked."""
    return not (s.is_contents or s.heading_only or s.only_reference or s.only_definition or s.distractors)


def _company(s: Signals) -> tuple[str, ...]:
    """Terms of the topic that stand beside the question's own name for it and are no part of that."""
    named = " ".join(s.asked_phrase).casefold()
    return tuple(term for term in s.secondary_terms if term.casefold() not in named)


RULES: tuple[Rule, ...] = (
    Rule(
        "contents_line",
        lambda s: s.is_contents,
        always("discarded"),
        lambda _: "A line of the table of contents: it names the topic and says nothing on it.",
    ),
    Rule(
        "defined_term",
        lambda s: s.defines,
        always("primary"),
        lambda s: f"Is where the document defines {listed(s.exact) or 'the term'}.",
    ),
    Rule(
        "embedding_only",
        lambda s: bool(s.methods) and EMBEDDINGS.issuperset(s.methods),
        always("tangential"),
        lambda _: (
            "Proposed by meaning alone, without a title or a word of the question: mostly noise on a similar topic."
        ),
    ),
    Rule(
        "reference_target",
        lambda s: REFERENCE in s.methods and not s.on_topic and not s.titled,
        lambda s, pool: "primary" if s.value_inside and not s.opening and not pool.has_value_passage else "supporting",
        lambda s: (
            "Holds a date of the contract itself, from which a day on the topic is told."
            if s.opening
            else "A passage on the topic refers here"
            + (", and a value of the expected type stands here." if s.value_inside else " for what is asked.")
        ),
    ),
    *FIGURE_RULES,
    Rule(
        "neighbouring_topic",
        lambda s: not any_topic(s) and not s.titled and bool(s.distractors or s.neighbours),
        always("discarded"),
        lambda s: (
            f"Speaks of a neighbouring topic ({listed((*s.distractors, *s.neighbours))}), not of the one asked about."
        ),
    ),
    Rule(
        "reference_only",
        lambda s: s.only_reference and not s.value_beside and not s.titled,
        always("discarded"),
        lambda s: f"Only refers to the place that deals with {topic(s)}.",
    ),
    Rule(
        "distractor_concept",
        lambda s: bool(s.distractors) and not s.primary_terms and not s.exact and not s.titled and not s.enough_words,
        always("discarded"),
        lambda s: f"Speaks of {listed(s.distractors)}, which is often confused with what is asked.",
    ),
    Rule(
        "outside_named_section",
        lambda s: s.outside_named_section and not s.pinned,
        lambda s, _: "supporting" if s.on_topic and s.value_beside else "tangential",
        lambda s: f"Holds {topic(s)} outside the section that the question names.",
    ),
    Rule(
        "named_section",
        lambda s: (
            s.title_fit == "named"
            and (any_topic(s) or s.heading_only or (s.word_count == 0 and (s.headed or not s.has_concept)))
        ),
        always("primary"),
        lambda s: f"Stands in the section that the question names ('{s.section_title}'){with_topic(s)}.",
    ),
    Rule(
        "value_missing",
        lambda s: s.value_required and not s.has_value and not s.value_related and (s.on_topic or s.titled),
        always("supporting"),
        lambda s: f"On the topic{with_topic(s)}, but without a value of the expected type, which an answer needs.",
    ),
    Rule(
        "definition",
        lambda s: s.only_definition and not s.value_beside,
        always("supporting"),
        lambda s: f"Defines {topic(s)}; says what the word means, not what is agreed.",
    ),
    Rule(
        "usual_title",
        lambda s: titled(s) and s.has_concept and not s.primary_terms and not s.exact and not s.heading_only,
        always("supporting"),
        lambda s: f"Stands under a title where the topic usually does{with_topic(s)}, without a term that proves it.",
    ),
    Rule(
        "exact_title",
        lambda s: s.title_fit == "exact" and not s.heading_only,
        always("primary"),
        lambda s: f"Stands in the section whose title is the topic ('{s.section_title}'){with_topic(s)}.",
    ),
    Rule(
        "caption",
        lambda s: bool(s.exact) and s.caption,
        always("primary"),
        lambda s: f"Is the caption of {listed(s.exact)}.",
    ),
    Rule(
        "exact_code",
        lambda s: bool(s.exact) and (s.has_code or not s.has_concept),
        lambda _, pool: "supporting" if pool.has_caption or pool.has_definition else "primary",
        lambda s: f"Names {listed(s.exact)}, exactly as asked.",
    ),
    Rule(
        "co_occurrence",
        lambda s: s.on_topic and s.value_wanted and (s.value_beside or s.value_inside),
        always("primary"),
        lambda s: f"{topic(s)} and a value of the expected type stand together{under_heading(s)}.",
    ),
    Rule(
        "titled_passage",
        lambda s: s.titled and not s.heading_only and (not s.value_wanted or s.has_value),
        always("primary"),
        lambda s: f"Stands under a heading on the topic{with_topic(s)}.",
    ),
    Rule(
        "heading_only",
        lambda s: s.heading_only,
        lambda s, _: "tangential" if s.titled or s.title_fit == "exact" else "discarded",
        lambda _: "A heading without text of its own.",
    ),
    Rule(
        "related_value",
        lambda s: s.on_topic and s.value_related and not s.has_value,
        _unless_value,
        lambda s: f"Holds {topic(s)} and a value of a related type, which the answer may be worked out from.",
    ),
    Rule(
        "incidental_term",
        lambda s: not s.value_wanted and bool(s.primary_terms) and s.is_incidental,
        always("supporting"),
        lambda s: f"Mentions {listed(s.primary_terms)} once, in passing, in a passage about something else.",
    ),
    Rule(
        "terms_together",
        lambda s: bool(s.primary_terms) and not s.value_wanted and s.terms_together,
        always("primary"),
        lambda s: f"{listed((*s.primary_terms, *s.secondary_terms))} stand together.",
    ),
    Rule(
        "topic_terms",
        lambda s: bool(s.primary_terms) and not s.value_wanted,
        always("primary"),
        lambda s: f"Holds {listed(s.primary_terms)}, which names the topic.",
    ),
    Rule(
        "value_near",
        lambda s: s.on_topic and s.value_near,
        _unless_value,
        lambda s: f"Holds {topic(s)}; a value of the expected type stands in the passage next to it.",
    ),
    Rule(
        "question_phrase",
        lambda s: s.enough_words and bool(s.phrases) and not s.value_wanted,
        _unless_title,
        lambda s: f"Holds {listed(s.phrases)} as the question says it.",
    ),
    Rule(
        "question_words",
        lambda s: s.enough_words and not s.value_wanted,
        _unless_title,
        lambda s: f"Holds {len(s.words)} of the question's {s.word_count} words together: {listed(s.words)}.",
    ),
    Rule(
        "topic_without_value",
        lambda s: s.on_topic or s.titled,
        lambda s, pool: "primary" if not pool.has_value_passage and s.titled else "supporting",
        lambda s: f"On the topic{with_topic(s)}, without a value of the expected type.",
    ),
    Rule(
        "secondary_terms",
        lambda s: bool(s.secondary_terms),
        _by_company,
        lambda s: f"Holds only {listed(s.secondary_terms)}, which goes with the topic and does not prove it.",
    ),
    Rule(
        "other_topic_of_the_question",
        lambda s: bool(s.other_terms),
        lambda _, pool: "discarded" if pool.has_topic_passage else "tangential",
        lambda s: f"Speaks of the question's other topic ({listed(s.other_terms)}) alone.",
    ),
    Rule(
        "some_words",
        lambda s: len(s.words) > 1,
        always("tangential"),
        lambda s: f"Holds {len(s.words)} of the question's {s.word_count} words; {s.words_needed} are needed.",
    ),
    Rule(
        "pinned_page",
        lambda s: s.pinned,
        lambda _, pool: "supporting" if pool.has_topic_passage else "primary",
        lambda _: "The question names this page; it is kept without a match.",
    ),
    Rule(
        "incidental_mention",
        lambda _: True,
        always("discarded"),
        lambda s: f"A single mention{with_topic(s)} in a passage about something else.",
    ),
)
# Tried where no passage is primary otherwise: what stands there in the question's own words is no absence.
LAST_RESORT: tuple[Rule, ...] = (
    Rule(
        "stated_in_full",
        lambda s: s.states and not (s.is_contents or s.heading_only),
        always("primary"),
        lambda _: "Says in one sentence what is asked, with a value of the expected type, whatever its single words.",
    ),
    Rule(
        "asked_words_with_value",
        lambda s: bool(s.asked) and s.asked_value and _may_answer(s),
        always("primary"),
        lambda s: (
            f"Holds {listed(s.asked_phrase or s.asked)}, as the question names it, beside a value of the expected type."
        ),
    ),
    Rule(
        "asked_words_with_company",
        lambda s: bool(s.asked_phrase) and not s.value_wanted and bool(_company(s)) and _may_answer(s),
        always("primary"),
        lambda s: f"Holds {listed(s.asked_phrase)}, as the question names it, with {listed(_company(s))}.",
    ),
)
# Rules that can give a primary, the strongest first: the order of primaries, and of the table of confidence.
RULE_ORDER: dict[str, int] = {
    name: order
    for order, name in enumerate((
        "defined_term", "named_section", "caption", "statement_line", "statement_component", "table_row",
        "gives_reason", "exact_title", "co_occurrence", "titled_passage", "exact_code",
        "terms_together", "reference_target", "value_near", "related_value", "question_phrase", "question_words",
        "stated_in_full", "asked_words_with_value", "asked_words_with_company",
        "topic_terms", "figures_without_reason", "pinned_page", "topic_without_value",
    ))
}  # fmt: skip
