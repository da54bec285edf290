"""Web pages: what a browser shows becomes lines, what it does not show is kept and told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.dispatch import read_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from pipeline.parsing.web.page import read_markup
from schemas.document import ParsedDocument


def parse(path: Path, markup: str | bytes) -> ParsedDocument:
    """The document of a page written to `path`."""
    path.write_bytes(markup.encode() if isinstance(markup, str) else markup)
    settings = ParsingSettings()
    return read_document(read_source(path, settings), settings)


def texts(markup: str) -> list[str]:
    """The visible lines of a page."""
    return [line.text for line in read_markup(markup).lines if line.visible]


def test_blocks_are_lines_and_a_break_keeps_the_paragraph() -> None:
    """White space is run together as in a browser; <br> begins a line, two of them a paragraph."""
    lines = read_markup("<p>One  two\n three</p><div>four<br>five<br><br>six<p>seven</p>eight</div>").lines
    assert [line.text for line in lines] == ["One two three", "four", "five", "six", "seven", "eight"]
    assert [line.paragraph_id for line in lines] == [1, 2, 2, 3, 4, 5]


def test_scripts_styles_templates_and_comments_are_no_text() -> None:
    """Nor is what a browser loads from elsewhere, which is a finding."""
    page = read_markup(
        "<head><title>T</title><style>p{}</style></head><body><script>var a='<p>x</p>'</script><template><p>t</p>"
        "</template><!-- c --><p>seen</p><iframe src=x>old</iframe></body>"
    )
    assert [line.text for line in page.lines] == ["seen"]
    assert page.metadata.title == "T"
    assert [finding.kind for finding in page.findings] == ["external"]


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ('<p style="display:none">X</p>', "display: none"),
        ("<p hidden>X</p>", "hidden"),
        ('<p style="visibility: hidden">X</p>', "visibility"),
        ('<p style="font-size:1px">X</p>', "smaller than 2 points"),
        ('<p style="font-size:0">X</p>', "smaller than 2 points"),
        ('<p style="color:#fff">X</p>', "colour"),
        ('<font color="white">X</font>', "colour"),
        ('<div style="background:#123456"><span style="color:#123456">X</span></div>', "colour"),
        ('<p style="opacity:0">X</p>', "opacity"),
        ('<p style="position:absolute;left:-9999px">X</p>', "outside"),
        ('<p style="text-indent:-5000px">X</p>', "outside"),
        ('<style>.n{display:none}</style><p class="n">X</p>', "display: none"),
        ('<style>@media screen { #n { visibility:hidden } }</style><p id="n">X</p>', "visibility"),
        ("<noscript><p>X</p></noscript>", "scripts"),
        ("<dialog>X</dialog>", "dialog"),
        ('<p style="color:transparent">X</p>', "transparent"),
        ('<p style="position:absolute;clip:rect(0,0,0,0)">X</p>', "clip"),
    ],
)
def test_hidden_text_is_kept_with_its_reason(tmp_path: Path, markup: str, reason: str) -> None:
    """It is never visible, and it is a finding."""
    parsed = parse(tmp_path / "page.html", f"<!doctype html><body><p>Seen</p>{markup}</body>")
    rows = parsed.line_df.set_index("text")
    assert bool(rows.loc["Seen", "visible"])
    assert not bool(rows.loc["X", "visible"])
    assert reason in str(rows.loc["X", "hidden_reason"])
    assert (parsed.finding_df["kind"] == "hidden_text").sum() == 1


@pytest.mark.parametrize(
    "markup",
    [
        '<div style="background:navy"><p style="color:white">X</p></div>',
        '<table bgcolor="black"><tr><td><font color="white">X</font></td></tr></table>',
        '<div style="background:url(a.png)"><p style="color:white">X</p></div>',
        '<link rel="stylesheet" href="a.css"><p style="color:white">X</p>',
        '<p aria-hidden="true">X</p>',
        "<style>@media print{p{display:none}}</style><p>X</p>",
        "<style>p:hover{display:none}</style><p>X</p>",
        '<div style="visibility:hidden"><p style="visibility:visible">X</p></div>',
        "<details><summary>S</summary>X</details>",
        '<p style="display:none;display:block">X</p>',
        '<p style="opacity:0.9; text-indent:-20px">X</p>',
    ],
)
def test_what_a_person_sees_is_not_called_hidden(markup: str) -> None:
    """White on dark, print-only rules, unknown backgrounds: no false alarm."""
    assert "X" in texts(f"<!doctype html><body>{markup}</body>")


def test_hidden_words_inside_a_sentence_stand_apart() -> None:
    """The visible sentence is whole, the hidden words are a line of their own."""
    lines = read_markup('<p>Pay <span style="display:none">nothing</span>in May.</p>').lines
    assert [(line.text, line.visible) for line in lines] == [("Pay in May.", True), ("nothing", False)]


def test_list_markers_are_those_displayed() -> None:
    """Start, type, value, reversed and nesting count; a list without markers has none."""
    assert texts("<ol start=3><li>a<li>b<ul><li>c</ul></ol>") == ["3. a", "4. b", "• c"]
    assert texts("<ol type=a><li>x<li value=27>y</ol>") == ["a. x", "aa. y"]
    assert texts("<ol reversed><li>x<li>y</ol>") == ["2. x", "1. y"]
    assert texts('<ol style="list-style-type:upper-roman"><li>x<li>y</ol>') == ["I. x", "II. y"]
    assert texts('<ul style="list-style:none"><li>x</ul>') == ["x"]
    assert texts("<ol><li><ol type=i><li>x</ol></ol>") == ["1. i. x"]


def test_headings_are_named_with_their_levels(tmp_path: Path) -> None:
    """h1 to h6 and ARIA headings; sections are bounded to the line."""
    parsed = parse(
        tmp_path / "a.html",
        "<!doctype html><h1>Master <br>Agreement</h1><p>Intro</p><h2>Fees</h2><p>Pay.</p>"
        '<div role="heading" aria-level="2">Term</div><p>Two years.</p>',
    )
    toc = parsed.toc_df
    assert toc["title"].tolist() == ["Master Agreement", "Fees", "Term"]
    assert toc["level"].tolist() == [1, 2, 2]
    assert toc["source"].unique().tolist() == ["native_heading"]
    assert toc["start_line_id"].tolist() == [1, 4, 6]
    assert toc["end_line_id"].tolist() == [7, 5, 7]


def test_a_data_table_is_rows_and_cells_with_headers(tmp_path: Path) -> None:
    """A line a row, cells with column headers, spans counted; the words of every cell stand in its line."""
    parsed = parse(
        tmp_path / "t.html",
        "<!doctype html><table><caption>Fees</caption><thead><tr><th>Fee<th colspan=2>Amount</thead>"
        "<tr><td rowspan=2>Annual<td>EUR<td>1,250<tr><td>USD<td>1,400<tr><td>Setup<td>EUR<td></table>",
    )
    assert parsed.line_df["text"].tolist() == ["Fees", "Fee  Amount", "Annual  EUR  1,250", "USD  1,400", "Setup  EUR"]
    assert parsed.line_df["role"].tolist() == ["caption", "table", "table", "table", "table"]
    cells = parsed.table_df.set_index(["row_num", "column_num"])
    assert cells.loc[(1, 2), "column_span"] == 2
    assert cells.loc[(2, 1), "row_span"] == 2
    assert cells.loc[(3, 2), "text"] == "USD"
    assert cells.loc[(3, 3), "header"] == "Amount"
    assert cells["is_header"].tolist() == [True, True, *[False] * 8]
    assert cells.loc[(2, 1), "line_start"] == 3


def test_a_table_in_a_cell_is_a_table_of_its_own() -> None:
    """Its rows follow the row that it stands in, and no word is told twice."""
    page = read_markup(
        "<table><tr><th>A<th>B<tr><td>x<td><table><tr><th>c<th>d<tr><td>1<td>2</table><tr><td>y<td>z</table>"
    )
    assert [line.text for line in page.lines] == ["A  B", "x", "c  d", "1  2", "y  z"]
    assert {cell.table_id for cell in page.cells} == {1, 2}


def test_a_table_that_arranges_text_is_text() -> None:
    """Numbers in a column of their own stay with their clause; nothing is called a table."""
    page = read_markup(
        "<table><tr><td>1.</td><td><p>The Supplier delivers.</p><p>At once.</p></td></tr>"
        "<tr><td>(a)</td><td>&nbsp;</td><td>The Customer pays.</td></tr></table>"
        '<table role="presentation"><tr><td>left<td>right<tr><td>l2<td>r2</table>'
    )
    assert [line.text for line in page.lines] == [
        "1. The Supplier delivers.", "At once.", "(a) The Customer pays.", "left", "right", "l2", "r2",
    ]  # fmt: skip
    assert not page.cells


def test_currency_signs_stay_with_their_figures() -> None:
    """Filings put them into cells of their own."""
    page = read_markup(
        "<table><tr><td>Sales<td>$<td>1,250<td><tr><td>Loss<td>(<td>30<td>)<tr><td>Rate<td><td>5<td>%</table>"
    )
    assert [line.text for line in page.lines] == ["Sales  $1,250", "Loss  (30)", "Rate  5%"]
    assert [cell.text for cell in page.cells if cell.text and cell.column_num > 1] == ["$1,250", "(30)", "5%"]


def test_links_inside_the_page_point_at_lines(tmp_path: Path) -> None:
    """With the words of the link, its offset, and the line of the anchor; other links are left out."""
    parsed = parse(
        tmp_path / "l.html",
        '<!doctype html><p>See <a href="#t">the terms</a> and <a href="http://x.y/">this</a>.</p>'
        '<a name="t"></a><p>Terms are these.</p>',
    )
    row = parsed.cross_ref_df.iloc[0]
    assert len(parsed.cross_ref_df) == 1
    assert (row["ref_id"], row["line_id"], row["char_start"], row["target_line_id"]) == ("the terms", 1, 4, 2)


def test_linked_contents_are_no_sections(tmp_path: Path) -> None:
    """Their entries have a role of their own, and their heading begins no section."""
    items = "".join(f'<li><a href="#s{n}">Part {n}</a></li>' for n in (1, 2, 3))
    parts = "".join(f'<h2 id="s{n}">Part {n}</h2><p>Text {n}.</p>' for n in (1, 2, 3))
    parsed = parse(tmp_path / "c.html", f"<!doctype html><h2>Contents</h2><ul>{items}</ul>{parts}")
    assert parsed.line_df["role"].tolist()[:4] == ["toc_entry"] * 4
    assert parsed.toc_df["title"].tolist() == ["Part 1", "Part 2", "Part 3"]


def test_navigation_and_foot_are_running_text_and_a_titled_head_is_not() -> None:
    """A page that is nothing but navigation keeps its text."""
    page = read_markup(
        "<header><h1>Agreement</h1></header><nav><ul><li>Home</ul></nav><main><header>Between A and B</header>"
        "<p>Text</p></main><footer>Imprint</footer>"
    )
    roles = {line.text: line.role for line in page.lines}
    assert roles == {
        "Agreement": "body", "• Home": "header", "Between A and B": "body", "Text": "body", "Imprint": "footer",
    }  # fmt: skip
    assert [line.role for line in read_markup("<nav><p>Only this</p></nav>").lines] == ["body"]


def test_fields_are_read_as_filled_in(tmp_path: Path) -> None:
    """Values, choices and marks; a password and a hidden field are kept nowhere."""
    parsed = parse(
        tmp_path / "f.html",
        '<!doctype html><form>Name <input name="n" value="Ada"><br><input type="checkbox" name="c" checked> agreed<br>'
        '<select name="s"><option>one<option selected>two</select><textarea name="t">long</textarea>'
        '<input type="password" name="p" value="secret"><input type="hidden" name="h" value="token"></form>',
    )
    fields = parsed.field_df.set_index("name")
    assert fields["value"].to_dict() == {"n": "Ada", "c": "", "s": "two", "t": "long", "p": ""}
    assert bool(fields.loc["c", "is_checked"])
    assert parsed.line_df["text"].tolist() == ["Name Ada", "[x] agreed", "two long"]
    assert fields.loc["c", "line_id"] == 2
    assert parsed.profile.structure.has_form_fields


def test_deleted_words_are_out_and_inserted_ones_are_marked(tmp_path: Path) -> None:
    """The text is read as it stands after the changes."""
    parsed = parse(tmp_path / "d.html", "<!doctype html><p>Pay in <del>30</del><ins>60</ins> days.</p>")
    assert parsed.line_df["text"].tolist() == ["Pay in 60 days.", "30"]
    assert parsed.line_df["change"].tolist() == ["inserted", "deleted"]
    assert parsed.line_df["visible"].tolist() == [True, False]
    assert parsed.finding_df["kind"].tolist() == ["tracked_change"]


def test_encodings_are_told_by_mark_and_declaration(tmp_path: Path) -> None:
    """A declaration far down counts; one that the bytes contradict is a finding."""
    late = "<html>" + "<!-- x -->" * 2000 + '<meta charset="windows-1251"><p>Договор поставки</p>'
    assert parse(tmp_path / "a.html", late.encode("cp1251")).line_df["text"].tolist() == ["Договор поставки"]
    marked = "<html><p>Größe</p>".encode("utf-16")
    assert parse(tmp_path / "b.html", marked).line_df["text"].tolist() == ["Größe"]
    wrong = '<html><meta charset="utf-8"><p>Größe</p>'.encode("cp1252")
    parsed = parse(tmp_path / "c.html", wrong)
    assert parsed.line_df["text"].tolist() == ["Größe"]
    assert parsed.finding_df["kind"].tolist() == ["encoding"]


def test_a_page_has_no_pages(tmp_path: Path) -> None:
    """One row stands for the whole; no page number may be cited."""
    parsed = parse(tmp_path / "p.html", "<!doctype html><p>Text</p><img src=a.png><img src=b.png width=1 height=1>")
    assert parsed.profile.identity.page_unit == "none"
    assert parsed.profile.identity.page_count is None
    assert parsed.page_df["status"].tolist() == ["native"]
    assert parsed.page_df["image_count"].tolist() == [1]
    assert parsed.finding_df["kind"].tolist() == ["image"]
    assert parsed.line_df["x0"].isna().all()


def test_a_page_that_scripts_make_is_not_read(tmp_path: Path) -> None:
    """Nothing can be proven absent from it; a page that is empty by itself is empty."""
    parsed = parse(tmp_path / "a.html", "<!doctype html><div id=app></div><script>run()</script>")
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert parsed.finding_df["kind"].tolist()[0] == "placeholder"
    assert parse(tmp_path / "b.html", "<!doctype html><p></p>").page_df["status"].tolist() == ["empty"]


@pytest.mark.parametrize(
    "unit", ["<div>", "<b>", "<ul><li>", "<table><tr><td>", "<blockquote>", "<p><i>", "<a href=#x>", "<font>", "<svg>"]
)
def test_hostile_nesting_costs_little_and_loses_no_word(unit: str) -> None:
    """Elements far deeper than a browser takes them are read side by side."""
    page = read_markup("<body>" + unit * 10_000 + "the last word")
    assert "the last word" in page.lines[-1].text


@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<table>", "<tr>", "<td>", "</td>", "<th colspan=3>", "</table>", "<ol>", "<li>", "</ol>",
     "<a href=#x>", "<a id=x>", "</a>", "<div hidden>", "</div>", "<h2>", "</h2>", "<br>", "<pre>", "</pre>",
     "<select>", "<option>", "<caption>", "<del>", "</del>", "word ", "Größe", "&amp;", "<", "\x00",
     "<input type=checkbox>", "<nav>", "</nav>"]
)))  # fmt: skip
def test_any_markup_gives_lines_in_order(parts: list[str]) -> None:
    """No tag soup crashes; lines are one line each, paragraphs ascend, cells point at lines of the page."""
    page = read_markup("".join(parts))
    numbers = [line.paragraph_id for line in page.lines]
    assert numbers == sorted(numbers)
    assert all(line.text and "\n" not in line.text for line in page.lines)
    known = set(map(id, page.lines))
    assert all(id(line) in known for cell in page.cells for line in cell.lines)
    assert all(id(heading.line) in known for heading in page.headings)
    assert all(link.text in link.line.text for link in page.links)


def test_real_pages_are_read_whole(shared_data: Path) -> None:
    """The encyclopaedia's article has its sections, without its navigation."""
    settings = ParsingSettings()
    folder = shared_data / "torture" / "html"
    duck = read_document(read_source(folder / "wikipedia_duck.html", settings), settings)
    assert duck.toc_df["title"].tolist()[:4] == ["Duck", "Etymology", "Taxonomy", "Morphology"]
    assert "Contents" not in duck.toc_df["title"].tolist()
    script = read_document(read_source(folder / "bad_script.html", settings), settings)
    assert script.line_df["text"].tolist() == ["This is a test."]
    russian = read_document(read_source(folder / "big_preamble.html", settings), settings)
    assert russian.line_df["text"].str.contains("Агентство недвижимости").any()


def test_a_page_without_its_end_is_reported(tmp_path: Path) -> None:
    """A download that broke off must not prove an absence; a fragment that never began a body is whole."""
    cut = parse(tmp_path / "cut.html", "<html><body><p>One</p><p>Tw")
    assert cut.finding_df["kind"].tolist() == ["damage"]
    assert parse(tmp_path / "whole.html", "<p>One</p>").finding_df.empty


def test_a_title_over_numbered_sections_is_no_section(tmp_path: Path) -> None:
    """The same contract as PDF has the numbered sections alone."""
    parsed = parse(
        tmp_path / "contract.html",
        "<!doctype html><body><h1>Supply Agreement</h1><p>Between A and B.</p><h2>1. Term</h2><p>Two years.</p>"
        "<h2>2. Fees</h2><p>EUR 5.</p></body>",
    )
    assert parsed.toc_df["title"].tolist() == ["1. Term", "2. Fees"]
    assert parsed.toc_df["level"].tolist() == [1, 1]
    assert parsed.line_df["role"].iloc[0] == "heading"
