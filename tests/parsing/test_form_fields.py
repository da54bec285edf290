"""Form fields and selection marks: what was filled in, chosen, signed or ticked, and the line that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing.lines import flow_line
from pipeline.parsing.selection_marks import read_marks
from schemas.document import ParsedDocument
from tests.parsing.test_tables import parse


def add(page, kind: int, name: str, rect: tuple[float, float, float, float], **options) -> None:
    """Put a field on the page."""
    widget = pymupdf.Widget()
    widget.field_type, widget.field_name, widget.rect = kind, name, pymupdf.Rect(rect)
    for key, value in options.items():
        setattr(widget, key, value)
    page.add_widget(widget)


def form() -> bytes:
    """One field of each kind, beside their labels."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 95), "Name of the supplier:")
    page.insert_text((50, 131), "Renews by itself")
    page.insert_text((50, 165), "Governing law")
    add(page, pymupdf.PDF_WIDGET_TYPE_TEXT, "supplier", (200, 82, 400, 100), field_value="Acme Ltd", text_fontsize=10)
    add(page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "renewal", (200, 120, 215, 135), field_value=True)
    add(page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "exclusive", (300, 120, 315, 135), field_value=False)
    add(
        page,
        pymupdf.PDF_WIDGET_TYPE_COMBOBOX,
        "law",
        (200, 152, 400, 170),
        choice_values=["England", "Spain"],
        field_value="Spain",
        text_fontsize=10,
    )
    add(page, pymupdf.PDF_WIDGET_TYPE_TEXT, "notes", (50, 200, 400, 230), field_value="", text_fontsize=10)
    return document.tobytes(no_new_id=True)


def fields_of(parsed: ParsedDocument):
    """field_df by name."""
    return parsed.field_df.set_index("name")


def test_fields_are_read_with_their_values_and_lines() -> None:
    """Text, choice and ticked box are told with their value; each filled one points at a line that shows it."""
    parsed = parse(form())
    fields = fields_of(parsed)
    assert fields["kind"].to_dict() == {
        "supplier": "text",
        "renewal": "checkbox",
        "exclusive": "checkbox",
        "law": "choice",
        "notes": "text",
    }
    assert fields["value"].to_dict() == {
        "supplier": "Acme Ltd",
        "renewal": "Yes",
        "exclusive": "",
        "law": "Spain",
        "notes": "",
    }
    assert fields.loc["renewal", "is_checked"]
    assert not fields.loc["exclusive", "is_checked"]
    lines = parsed.line_df.set_index("line_id")["text"]
    assert "Acme Ltd" in lines[fields.loc["supplier", "line_id"]]
    assert "Spain" in lines[fields.loc["law", "line_id"]]
    assert "Renews by itself" in lines[fields.loc["renewal", "line_id"]]
    assert fields.loc[["notes", "exclusive"], "line_id"].isna().all()
    assert parsed.profile.structure.has_form_fields


def test_a_shown_value_is_no_second_line() -> None:
    """What the page shows in the field's box is not written again."""
    parsed = parse(form())
    assert " ".join(parsed.line_df["text"]).count("Acme Ltd") == 1
    assert " ".join(parsed.line_df["text"]).count("Spain") == 1


def test_a_choice_that_the_words_do_not_tell_becomes_a_line() -> None:
    """A list shows every entry and marks the chosen one by a colour: the choice is a line with the words beside it."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 100), "Governing law")
    page.insert_text((50, 300), "The end.")
    add(
        page,
        pymupdf.PDF_WIDGET_TYPE_LISTBOX,
        "law",
        (200, 80, 400, 120),
        choice_values=["England", "Spain"],
        field_value="Spain",
        text_fontsize=10,
    )
    parsed = parse(document.tobytes())
    filled = parsed.line_df[parsed.line_df["role"] == "form_field"]
    assert filled["text"].tolist() == ["Governing law: Spain"]
    assert fields_of(parsed).loc["law", "line_id"] == filled["line_id"].iloc[0]
    assert parsed.line_df["text"].tolist()[-1] == "The end."


def test_a_password_field_is_not_kept() -> None:
    """What was typed into a password field is a secret, not content."""
    document = pymupdf.open()
    page = document.new_page()
    add(
        page,
        pymupdf.PDF_WIDGET_TYPE_TEXT,
        "pin",
        (50, 50, 200, 70),
        field_value="4711",
        field_flags=pymupdf.PDF_TX_FIELD_IS_PASSWORD,
    )
    assert fields_of(parse(document))["value"].tolist() == [""]


def test_a_radio_group_is_one_field_with_what_was_chosen() -> None:
    """Two buttons of one parent: one row, the chosen state, the box of the chosen button."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((120, 62), "monthly")
    page.insert_text((120, 92), "yearly")
    parent, first, second = (document.get_new_xref() for _ in range(3))
    document.update_object(parent, f"<</FT/Btn/Ff {1 << 15}/T(billing)/V/yearly/Kids[{first} 0 R {second} 0 R]>>")
    for xref, state, chosen, top in ((first, "monthly", "Off", 792), (second, "yearly", "yearly", 762)):
        document.update_object(
            xref,
            f"<</Type/Annot/Subtype/Widget/Parent {parent} 0 R/Rect[100 {top - 12} 112 {top}]/AS/{chosen}"
            f"/AP<</N<</{state} null/Off null>>>>>>",
        )
    document.xref_set_key(page.xref, "Annots", f"[{first} 0 R {second} 0 R]")
    document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[{parent} 0 R]>>")
    parsed = parse(document.tobytes())
    (row,) = parsed.field_df.itertuples()
    assert (row.name, row.kind, row.value, row.is_checked) == ("billing", "radio", "yearly", True)
    assert row.y0 == pytest.approx(842 - 762)
    assert "yearly" in parsed.line_df.set_index("line_id")["text"][row.line_id]


def test_a_signature_says_whether_it_was_made() -> None:
    """An unsigned field has no value; a signed one says by whom."""
    document = pymupdf.open()
    page = document.new_page()
    blank, signed = document.get_new_xref(), document.get_new_xref()
    head = "/Type/Annot/Subtype/Widget/FT/Sig"
    document.update_object(blank, f"<<{head}/T(customer)/Rect[50 50 150 80]>>")
    value = "<</Type/Sig/Name(Ana Ruiz)/M(D:20240501)>>"
    document.update_object(signed, f"<<{head}/T(supplier)/Rect[50 100 150 130]/V {value}>>")
    document.xref_set_key(page.xref, "Annots", f"[{blank} 0 R {signed} 0 R]")
    document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[{blank} 0 R {signed} 0 R]>>")
    fields = fields_of(parse(document.tobytes()))
    assert fields["kind"].tolist() == ["signature", "signature"]
    assert fields.loc["customer", "value"] == ""
    assert fields.loc["supplier", "value"].startswith("signed Ana Ruiz")


def test_a_cycle_in_the_parents_ends() -> None:
    """A field that is its own ancestor costs no more than itself."""
    document = pymupdf.open()
    page = document.new_page()
    one, two = document.get_new_xref(), document.get_new_xref()
    document.update_object(
        one, f"<</Type/Annot/Subtype/Widget/T(a)/FT/Tx/V(kept)/Parent {two} 0 R/Rect[50 50 150 80]>>"
    )
    document.update_object(two, f"<</T(b)/Parent {one} 0 R>>")
    document.xref_set_key(page.xref, "Annots", f"[{one} 0 R]")
    (row,) = parse(document.tobytes()).field_df.itertuples()
    assert row.value == "kept"


def test_a_form_that_only_adobe_shows_is_a_finding() -> None:
    """An XFA form without ordinary fields shows a placeholder sentence: that is said, and no absence is proven."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "Please wait... If this message is not eventually replaced ...")
    document.xref_set_key(document.pdf_catalog(), "AcroForm", "<</Fields[]/XFA(none)>>")
    parsed = parse(document.tobytes())
    assert parsed.finding_df["kind"].tolist() == ["placeholder"]
    assert "XFA" in parsed.finding_df["detail"].iloc[0]
    assert parsed.profile.structure.has_form_fields


def test_a_form_in_both_kinds_is_read_from_its_fields() -> None:
    """XFA beside ordinary fields that say the same is no placeholder."""
    document = pymupdf.open(stream=form())
    document.xref_set_key(document.pdf_catalog(), "AcroForm/XFA", "(packets)")
    parsed = parse(document.tobytes())
    assert "placeholder" not in parsed.finding_df["kind"].tolist()
    assert len(parsed.field_df) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u2612 Yes \u2610 No", [("Yes", True), ("No", False)]),
        ("Accelerated filer \u2612 Other \u2610", [("Accelerated filer", True), ("Other", False)]),
        ("\u2611 The Customer agrees", [("The Customer agrees", True)]),
        ("\uf0fe Exclusive  \uf0a8 Non-exclusive", [("Exclusive", True), ("Non-exclusive", False)]),
        ("Shell company: Yes x No o", [("Shell company: Yes", True), ("No", False)]),
        ("Shell company: Yes \u00a8 No \u00fe", [("Shell company: Yes", False), ("No", True)]),
        ("a \u25a1 that is only a square \u25a1", [("a", False), ("that is only a square", False)]),
        ("\u2610", []),
        ("(x) the Supplier shall, within [ ] days, pay", []),
        ("No marks here", []),
    ],
)
def test_marks_in_the_text_are_told(text: str, expected: list[tuple[str, bool]]) -> None:
    """Boxes with and without a tick, as characters, symbol glyphs and letters; the words beside name them."""
    line = flow_line(text, method="test")
    assert [(field.name, field.is_checked) for field in read_marks([line])] == expected
    assert line.text == text


def test_brackets_are_marks_where_there_are_several() -> None:
    """A list of brackets is a form; a single empty pair is a blank in a draft."""
    lines = [flow_line(text, method="test") for text in ("[x] Monthly", "[ ] Quarterly", "[ ] day of May")]
    assert [field.is_checked for field in read_marks(lines)] == [True, False, False]
    assert read_marks(lines[2:]) == []


def test_fields_of_torture_files(shared_data: Path) -> None:
    """602 widgets of a tax form; a field tree with a cycle; a form in XFA and ordinary fields."""
    torture = shared_data / "torture" / "pdf"
    tax = parse((torture / "acroform_irs_f1040nr.pdf").read_bytes())
    assert len(tax.field_df) >= 584
    assert {"text", "checkbox"} <= set(tax.field_df["kind"])
    cycle = parse((torture / "acroform_cycle_in_field_parents.pdf").read_bytes(), pages=(1,))
    assert len(cycle.field_df) > 0
    both = parse((torture / "xfa_govdocs.pdf").read_bytes())
    school = both.field_df[both.field_df["value"] == "my_school"].iloc[0]
    assert "my_school" in both.line_df.set_index("line_id")["text"][school["line_id"]]
