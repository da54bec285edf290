"""Lists by marks in lines and inside sentences, nested, parted by a page; each item with its own lines."""

from __future__ import annotations

from pipeline.generation import generate
from schemas.answer import Answer, TextValue, TreeValue
from schemas.retrieval import RetrievedCandidate
from tests.generation.handed import ask, candidate, concept, found

EVENTS = concept(["events of default"], name="events")


def listed(*candidates: RetrievedCandidate, terms: str = "events of default") -> Answer:
    """What is listed on the topic."""
    return generate(ask("What are they?", shape="listing", concepts=[concept([terms])]), found(*candidates))


def told(answer: Answer) -> list[tuple[str | None, str, int, int]]:
    """Label, words and lines of every item."""
    return [
        (item.label, item.value.text, item.spans[0].line_start, item.spans[0].line_end)
        for item in answer.items
        if isinstance(item.value, TextValue)
    ]


def test_an_enumeration_inside_a_sentence_is_a_list() -> None:
    """'(i) ..., (ii) ... and (iii) ...'; a cited '(b)' and a restated '(30)' are no items."""
    text = (
        "4. Duties\nThe obligations of the Supplier are to (i) deliver the Goods in\n"
        "time, (ii) insure them under Section 4 (b), and (iii) repair any defect within thirty (30)\ndays.\n5. Other"
    )
    answer = listed(candidate(text), terms="obligations of the Supplier")
    assert told(answer) == [
        ("(i)", "deliver the Goods in time", 2, 3),
        ("(ii)", "insure them under Section 4 (b)", 3, 3),
        ("(iii)", "repair any defect within thirty (30) days.", 3, 4),
    ]
    assert answer.completeness.complete is True


def test_what_is_nested_belongs_to_its_item() -> None:
    """(a) with (i) and (ii) in it, then (b): two items."""
    text = "The events of default are:\n(a) breach:\n(i) of payment;\n(ii) of delivery; and\n(b) insolvency.\n6. Next"
    answer = listed(candidate(text))
    assert told(answer) == [("(a)", "breach: (i) of payment; (ii) of delivery", 2, 4), ("(b)", "insolvency.", 5, 5)]


def test_a_list_parted_by_a_page_is_one_list() -> None:
    """Items of another passage go on with the marks, each with its own lines and page and the opening as proof."""
    first = candidate("The following four events of default end it:\n(a) breach;\n(b) insolvency;")
    second = candidate("(c) change of control; and\n(d) loss of licence.\nNothing else.", first=6, page=2)
    answer = listed(first, second)
    assert [(item.label, item.spans[0].page_start) for item in answer.items] == [
        ("(a)", 1), ("(b)", 1), ("(c)", 2), ("(d)", 2)
    ]  # fmt: skip
    assert answer.items[3].spans[1].quote.startswith("The following four events")
    assert (answer.completeness.stated_count, answer.completeness.complete) == (4, True)


def test_definitions_are_listed() -> None:
    """Sentences that define a term each, under one heading."""
    text = "1. Definitions\n“Fee” means the monthly fee.\n“Goods” means the things sold.\n2. Sale\nThe Seller sells."
    answer = listed(candidate(text, title="Definitions"), terms="definitions")
    assert [words for _, words, _, _ in told(answer)] == [
        "“Fee” means the monthly fee.",
        "“Goods” means the things sold.",
    ]


def test_a_long_list_is_proven_by_what_opens_it() -> None:
    """The eighth item shares no word with the question; the sentence that opens the list does."""
    items = "\n".join(f"({letter}) matter number {number};" for number, letter in enumerate("abcdefgh", 1))
    answer = listed(candidate(f"1. General\nThese are the events of default:\n{items}\n2. Next\nText."))
    assert (len(answer.items), answer.refused_items) == (8, ())


def test_a_hierarchy_is_a_tree() -> None:
    """The shape 'tree' keeps what is nested, each node with its words and lines."""
    text = "The events of default are:\n(a) breach:\n(i) of payment;\n(ii) of delivery; and\n(b) insolvency.\n6. Next"
    question = ask("What are they?", shape="tree", concepts=[concept(["events of default"])])
    answer = generate(question, found(candidate(text)))
    (item,) = answer.items
    assert isinstance(item.value, TreeValue)
    breach, insolvency = item.value.nodes
    assert [(node.label, node.line_start) for node in (breach, *breach.children, insolvency)] == [
        ("(a) breach:", 2), ("(i) of payment;", 3), ("(ii) of delivery; and", 4), ("(b) insolvency.", 5)
    ]  # fmt: skip
    assert (answer.status, item.spans[0].line_start, item.spans[0].line_end) == ("answered", 2, 5)
