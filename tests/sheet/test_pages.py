"""The pages a person files: every kind of value is told, nothing of a document is markup, the same bytes each time."""

from __future__ import annotations

import re

import pytest
from lxml import html

from pipeline.generation.wording import tell_items
from pipeline.mupdf import open_pdf
from pipeline.sheet import decision_html, decision_pdf, highlighted_html
from pipeline.sheet.lines_page import MAX_LINES
from schemas.answer import Answer, Completeness
from tests.builders import document, lines
from tests.generation.handed import absent
from tests.sheet.made import HOSTILE, VALUES, made_answer, made_document, made_found, made_question

RECORDS = {"answer.json": "a" * 64}
SHOWN = HOSTILE.replace("\u202e", "\ufffd")
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "div", "h1", "h2", "p", "b", "span", "ul", "li",
    "a", "table", "tr", "th", "td", "blockquote", "br",
}  # fmt: skip


def check_page(data: bytes) -> html.HtmlElement:
    """The parsed page, which holds no element or attribute that a document could have brought in."""
    text = data.decode()
    root = html.document_fromstring(text)
    assert {one.tag for one in root.iter()} <= ALLOWED
    for one in root.iter():
        assert not [name for name in one.attrib if name.startswith("on") or name == "style"]
        assert one.get("href", "#").startswith("#")
    assert root.xpath("//meta[@http-equiv]/@content")[0].startswith("default-src 'none'; style-src 'sha256-")
    assert "\u202e" not in text
    return root


@pytest.mark.parametrize("language", ["en", "es", "fr"])
@pytest.mark.parametrize("kind", sorted(VALUES))
def test_every_kind_of_value_is_told_on_the_sheet(kind: str, language: str) -> None:
    """Whatever the words of the document are, the page holds them as text."""
    page = decision_html(
        made_document(), made_question(language), made_found(), made_answer(VALUES[kind]), records=RECORDS
    )
    root = check_page(page)
    assert root.get("lang") == language
    words = " ".join(root.text_content().split())
    assert " ".join(SHOWN.split()) in words
    expected = {"en": "Evidence", "es": "Prueba", "fr": "Preuves"}[language]
    assert expected in words
    assert "3-5, 9" in words
    assert "a" * 64 in words


def test_a_long_file_name_is_cut_and_a_short_one_is_not() -> None:
    """A name of any length leaves room for the rest; one that fits stands there letter by letter."""
    for count, shown in ((90, "x" * 90), (250, "x" * 160 + " …")):
        parsed = made_document().model_copy(update={"source_name": "x" * count})
        args = (parsed, made_question(), made_found(), made_answer())
        for page in (decision_html(*args, records=RECORDS), highlighted_html(parsed, args[3], args[2], language="en")):
            words = check_page(page).text_content()
            assert shown in words
            assert "x" * 161 not in words


@pytest.mark.parametrize("copies", [1, 40])
def test_the_pdf_has_at_most_two_pages_and_the_same_bytes(copies: int) -> None:
    """A record that holds more than fits is shortened, and says so."""
    answer = made_answer(VALUES["record"], copies=copies)
    answer = answer.model_copy(
        update={
            "caveats": tuple(f"{number} {'word ' * 80}" for number in range(60)),
            "conflicts": answer.conflicts * 30,
        }
    )
    made = [decision_pdf(made_document(), made_question("fr"), made_found(), answer, records=RECORDS) for _ in range(2)]
    assert made[0] == made[1]
    with open_pdf(made[0], name="sheet") as opened:
        assert 1 <= opened.page_count <= 2
        words = "".join(page.get_text() for page in opened)
        assert "au dossier" in words
        assert "Revu par" in words
        assert f"page 1 sur {opened.page_count}" in words
        assert "D:2000" in opened.metadata["creationDate"]


def test_a_short_sheet_is_one_page_with_accents_and_cjk() -> None:
    """The typesetter's own fonts cover what documents are written in."""
    answer = made_answer(refused_items=(), conflicts=(), findings=(), history=(), caveats=("Ñandú œuvre 契約期間",))
    pdf = decision_pdf(made_document(), made_question(), made_found(), answer, records=RECORDS)
    with open_pdf(pdf, name="sheet") as opened:
        assert opened.page_count == 1
        words = opened[0].get_text()
        for word in ("Ñandú", "œuvre", "契約期間", "thirty (30) days"):
            assert word in words


def test_an_absence_is_told_with_its_proof() -> None:
    """Verdict, terms with hits, what was swept; no evidence heading without evidence."""
    gone = absent()
    given = made_answer()
    fields = {name: getattr(given, name) for name in Answer.model_fields if name != "schema_version"}
    answer = Answer.model_validate(
        {
            **fields, "status": "not_found", "items": (), "absence": gone.absence, "conflicts": (), "refused_items": (),
            "completeness": Completeness(complete=None, found_count=0, reason="none"),
        }
    )  # fmt: skip
    page = decision_html(made_document(), made_question("es"), made_found(), answer, records=RECORDS)
    words = " ".join(check_page(page).text_content().split())
    for told in ("No encontrado", "ausencia probada", "escrow (0)", "120 líneas en 3 páginas"):
        assert told in words
    assert "Prueba" not in words


def test_lines_are_marked_with_their_notes_and_linked_from_the_top() -> None:
    """The cited line strong, those read around it light, the rest plain; the title says which candidate and why."""
    page = highlighted_html(made_document(), made_answer(), made_found(), language="en")
    root = check_page(page)
    [link] = root.xpath("//header//a")
    [cited] = root.xpath("//main//*[contains(@class, 'cited')]")
    assert link.get("href") == f"#{cited.get('id')}" == "#L2"
    assert cited.get("title").startswith("Answer 1: p1_l1 (primary). ")
    assert cited.xpath("string(*[@class='n'])") == "2"
    around = root.xpath("//main//*[contains(@class, 'around')]")
    assert [one.get("id") for one in around] == ["L1", "L3"]
    assert root.xpath("//*[@id='L4']/@class") == ["l para"]
    assert page == highlighted_html(made_document(), made_answer(), made_found(), language="en")


def test_hidden_lines_are_left_out_and_counted() -> None:
    """What a person does not see in the document is not shown as its text."""
    parsed = made_document()
    hidden = parsed.line_df.assign(visible=[True, True, True, False])
    page = highlighted_html(
        parsed.model_copy(update={"line_df": hidden}), made_answer(), made_found(), language="fr"
    ).decode()
    assert "Far away" not in page
    assert "lignes qu&#x27;une personne ne voit pas, omises : 1" in page


def test_a_long_document_is_cut_to_what_is_near() -> None:
    """The page says which lines it leaves out, and every cited line is there."""
    count = MAX_LINES + 500
    parsed = made_document().model_copy(update={"line_df": lines([f"line {n}" for n in range(count)])})
    page = highlighted_html(parsed, made_answer(), made_found(), language="en").decode()
    assert 'id="L2"' in page
    assert re.search(r"lines \d+ to 3500 are left out", page)
    assert len(page) < 60_000


def test_the_answer_in_words_tells_how_it_was_computed() -> None:
    """Formula and inputs follow the value, in the question's language."""
    told = tell_items(made_answer().items, "es", differ=False)
    assert told.startswith("thirty (30) days (línea 2); calculado: a + b (")


def test_a_document_without_lines_gives_a_page() -> None:
    """Nothing to show is said, not an error."""
    empty = document(lines([]))
    answer = made_answer()
    fields = {name: getattr(answer, name) for name in Answer.model_fields if name != "schema_version"}
    refused = Answer.model_validate({**fields, "status": "refused", "items": (), "conflicts": ()})
    assert b"No line is cited." in highlighted_html(empty, refused, made_found(), language="en")
