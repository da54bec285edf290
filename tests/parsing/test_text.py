"""Plain text and Markdown: lines as they are, paragraphs, headings, lists, tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.parsing.dispatch import read_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from pipeline.parsing.text import make_text_lines, split_rows
from pipeline.parsing.text_encoding import decode_text
from schemas.document import ParsedDocument
from schemas.errors import LimitExceededError

WRAPPED = """\
MASTER SERVICES AGREEMENT

1. Definitions

The terms used in this agreement have the meaning that is given to them in
this section, and words in the singular include the plural, as in Section
3.5 and its schedules, which the parties have agreed between them.
   A new paragraph begins with an indent and runs on to the next line of the
text.
(a) The Supplier delivers the goods to the place that is named in the order
    and bears the risk.
(b) The Customer pays.
"""


def parse(path: Path, data: str | bytes, **limits: int) -> ParsedDocument:
    """The document of a text written to `path`."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    settings = ParsingSettings(**limits)
    return read_document(read_source(path, settings), settings)


def test_lines_stay_as_they_are_and_paragraphs_follow_the_wrapping() -> None:
    """Blank lines, indents and items begin a paragraph; a number at a broken sentence's start does not."""
    lines = make_text_lines(split_rows(WRAPPED))
    assert [line.text for line in lines] == [row.strip() for row in WRAPPED.splitlines() if row.strip()]
    assert [line.paragraph_id for line in lines] == [1, 2, 3, 3, 3, 4, 4, 5, 5, 6]


def test_long_lines_are_paragraphs_of_their_own() -> None:
    """A text that was never broken has a paragraph on each line, blank lines or not."""
    rows = ["A short title", "word " * 60, "word " * 80, "", "word " * 40]
    assert [line.paragraph_id for line in make_text_lines(rows)] == [1, 2, 3, 4]


def test_a_form_feed_is_a_line_break_and_no_page(tmp_path: Path) -> None:
    """Text has no pages; all line ends count."""
    parsed = parse(tmp_path / "a.txt", b"one\x0ctwo\r\nthree\rfour\n")
    assert parsed.line_df["text"].tolist() == ["one", "two", "three", "four"]
    assert parsed.profile.identity.page_unit == "none"
    assert parsed.page_df["page_num"].tolist() == [1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_western_encodings_are_told(encoding: str) -> None:
    """By the mark, by what fits, by the usual one."""
    text = "Die Größe der Fläche beträgt 5 Meter, señor. “Já”\n"
    assert decode_text((text * 3).encode(encoding)).text == text * 3


@pytest.mark.parametrize(("encoding", "text"), [("cp1251", "Договор поставки товара заключён между сторонами"),
    ("shift_jis", "この契約は、当事者の間で締結されるものとする。本契約の期間は二年間とする。"),
    ("gb18030", "本合同由双方于签署之日起生效，合同期限为两年。任何一方均可终止本合同。")])  # fmt: skip
def test_other_encodings_are_told_by_statistics(encoding: str, text: str) -> None:
    """Where nothing declares them."""
    assert decode_text("\n".join([text] * 20).encode(encoding)).text == "\n".join([text] * 20)


def test_doubt_is_told(tmp_path: Path) -> None:
    """Bytes that do not fit show as replacement characters, and a finding counts them."""
    parsed = parse(tmp_path / "a.txt", "Größe und Maß der Fläche, für alle gültig. ".encode() * 5 + b"\xff end")
    assert parsed.finding_df["kind"].tolist() == ["encoding"]
    assert "1 characters" in parsed.finding_df["detail"].iloc[0]


@given(st.text(max_size=300))
def test_no_word_of_a_text_is_lost(text: str) -> None:
    """The lines hold the words of the text, in order."""
    lines = make_text_lines(split_rows(text))
    found = " ".join(line.text for line in lines).split()
    assert "".join(found) == "".join(" ".join(split_rows(text)).split())
    assert [line.paragraph_id for line in lines] == sorted(line.paragraph_id for line in lines)


def test_a_text_of_too_many_lines_is_refused(tmp_path: Path) -> None:
    """With both numbers and the setting."""
    with pytest.raises(LimitExceededError, match="the limit is 20"):
        parse(tmp_path / "a.txt", "x\n" * 30, max_page_lines=10, max_pages=2)


def test_real_agreements_have_their_sections(shared_data: Path) -> None:
    """Numbered headings of plain text become sections with levels."""
    settings = ParsingSettings()
    path = shared_data / "contractnli" / "contracts" / "dev_10.txt"
    parsed = read_document(read_source(path, settings), settings)
    titles = parsed.toc_df["title"].tolist()
    assert "1.01 Definitions" in titles
    assert parsed.toc_df["level"].max() == 2


MARKDOWN = """\
---
title: Supply Agreement
---
# Supply *Agreement*

The **Term** is two years,
see [Fees](#fees) &amp; more.

Fees
----
3. first
   goes on
4. second
   - nested `code`

| Fee | Amount |
|-----|-------:|
| A   | 1      |
|     | 2      |

> quoted

```
x = 1

y
```
[ref]: http://example.com/
## Law

<table><tr><th>K<th>V<tr><td>1<td>2</table>

[^1]: A note.
"""


def test_markdown_gives_the_words_of_the_rendered_text(tmp_path: Path) -> None:
    """A line for each line of the source, without its marks; list markers as displayed; rows of tables."""
    parsed = parse(tmp_path / "a.md", MARKDOWN)
    assert parsed.line_df["text"].tolist() == [
        "title: Supply Agreement", "Supply Agreement", "The Term is two years,", "see Fees & more.", "Fees",
        "3. first", "goes on", "4. second", "- nested code", "Fee  Amount", "A  1", "2", "quoted", "x = 1", "y",
        "Law", "K  V", "1  2", "[^1]: A note.",
    ]  # fmt: skip
    assert parsed.toc_df["title"].tolist() == ["Supply Agreement", "Fees", "Law"]
    assert parsed.toc_df["level"].tolist() == [1, 2, 2]
    assert parsed.profile.identity.title == "Supply Agreement"
    cells = parsed.table_df.set_index(["table_id", "row_num", "column_num"])
    assert cells.loc[(1, 3, 2), "header"] == "Amount"
    assert cells.loc[(2, 2, 1), "text"] == "1"
    link = parsed.cross_ref_df.iloc[0]
    assert (link["ref_id"], link["char_start"], link["target_line_id"]) == ("Fees", 4, 5)
    assert parsed.line_df["paragraph_id"].tolist()[2:4] == [3, 3]
    assert parsed.line_df["role"].tolist()[-1] == "footnote"


@given(st.lists(st.sampled_from(
    ["# ", "- ", "1. ", "> ", "| a | b |\n", "|---|---|\n", "```\n", "word ", "**", "[x](#a)", "\n", "\n\n", "    ",
     "<b>",
     "![i](s)", "\\*", "&lt;", "===\n", "---\n", "[^1]: n", "~~"]
)))  # fmt: skip
def test_any_markdown_gives_lines_in_order(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """No text crashes, no word is lost, paragraphs ascend."""
    text = "start " + "".join(parts)
    assume("~~~~" not in text)  # the words behind a fence name its language, and no renderer shows them
    parsed = parse(tmp_path_factory.mktemp("md") / "a.md", text)
    numbers = parsed.line_df["paragraph_id"].tolist()
    assert numbers == sorted(numbers)
    assert " ".join(parsed.line_df["text"]).count("word") == text.count("word")


def test_a_span_of_code_over_two_lines_is_shown_once(tmp_path: Path) -> None:
    """The line break inside it is a blank, and its second line is not taken for one that no block showed."""
    parsed = parse(tmp_path / "a.md", "start ```\nword ```\n")
    assert " ".join(parsed.line_df["text"]).count("word") == 1


def test_deep_quotes_lose_no_word(tmp_path: Path) -> None:
    """Blocks deeper than the parser goes are kept as they stand."""
    parsed = parse(tmp_path / "a.md", "first\n\n" + ">" * 300 + " deep words\n\n" + "- " * 200 + "item\n\nlast\n")
    text = " ".join(parsed.line_df["text"])
    assert all(word in text for word in ("first", "deep words", "item", "last"))
