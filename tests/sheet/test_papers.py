"""Which papers a run gets, and what a terminal shows of the same records."""

from __future__ import annotations

import pytest

from pipeline.cli.output import show_all
from pipeline.cli.render_answer import render_answer
from pipeline.sheet.papers import write_papers
from pipeline.wording import lay_out, tell_note, typed_of, words_of
from schemas.answer import Answer, Completeness, TableValue
from tests.sheet.made import VALUES, made_answer, made_document, made_found, made_question


def test_a_file_inside_another_gets_the_page_of_lines() -> None:
    """Its bytes are not kept, so a PDF in a mail is shown line by line."""
    document = made_document(unit="page").model_copy(update={"format": "pdf"})
    papers = write_papers(
        document, made_question(), made_found(), made_answer(unit="page"), data=b"", password=None, records={}
    )
    assert set(papers) == {"decision.html", "decision.pdf", "highlighted.html"}
    assert b"Page 1" in papers["highlighted.html"]


def test_without_a_value_nothing_is_highlighted() -> None:
    """The sheet alone is filed."""
    answer = made_answer()
    fields = {name: getattr(answer, name) for name in Answer.model_fields if name != "schema_version"}
    none = Completeness(complete=None, found_count=0, reason="none")
    refused = Answer.model_validate({**fields, "status": "refused", "items": (), "conflicts": (), "completeness": none})
    papers = write_papers(made_document(), made_question(), made_found(), refused, data=b"", password=None, records={})
    assert set(papers) == {"decision.html", "decision.pdf"}


@pytest.mark.parametrize("language", ["en", "es", "fr"])
@pytest.mark.parametrize("kind", sorted(VALUES))
def test_every_kind_of_value_is_shown_on_a_terminal(
    kind: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Value, place, formula, refusals, findings, passes and pages not read, in the question's language."""
    show_all(render_answer(made_answer(VALUES[kind]), "a.txt", made_question(language)))
    shown = capsys.readouterr().out
    told = {
        "en": (
            "Answered",
            "line 2",
            "calculated: a + b",
            "finding:",
            "pass 1:",
            "pages 3-5, 9",
            "1 proposed and refused",
        ),
        "es": ("Respondida", "línea 2", "calculado: a + b", "hallazgo:", "pasada 1:", "páginas 3-5, 9", "1 propuestos"),
        "fr": ("Réponse trouvée", "ligne 2", "calculé : a + b", "constat:", "passe 1:", "pages 3-5, 9", "1 proposés"),
    }[language]
    for words in told:
        assert words in shown
    assert "\u202e" not in shown


def test_values_are_laid_out_as_people_read_them() -> None:
    """Columns stand under one another, a tree is indented, a missing field says so, a condition has its otherwise."""
    years = TableValue(headers=("Year", "Fee"), rows=(("2023", "900"), ("2024", "1,200.50")))
    assert lay_out(years).split("\n") == ["Year       Fee", "----  --------", "2023       900", "2024  1,200.50"]
    assert lay_out(VALUES["tree"]).split("\n")[1] == "  - (a)"
    assert lay_out(VALUES["record"], "es").split("\n")[1] == "Fee: no consta"
    assert words_of(VALUES["conditional"], "fr").endswith("; sinon thirty (30) days")
    assert typed_of(VALUES["relative_date"], "es").startswith("30 días hábiles después de: ")
    assert typed_of(VALUES["iban"]) == "DE89 3704 0044 0532 0130 00 (DE)"


def test_a_remark_without_a_translation_is_shown_as_it_is() -> None:
    """A remark is never left out; what is quoted in one is never translated."""
    assert tell_note("Something new.", "es") == "Something new."
    assert tell_note('The clause makes an exception: "page {0}"', "fr") == 'La clause fait une exception : "page {0}"'
    assert tell_note("The document also speaks of this at page 3 line 4.", "es").endswith("en página 3 línea 4.")
