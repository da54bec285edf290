"""The page of a run: all of it is told, nothing of a document is markup, what is missing is said, same bytes twice."""

from __future__ import annotations

import json
import re
import shutil
import string
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.audit.bundle import BundleOptions, make_bundle
from pipeline.audit.opened import open_run
from pipeline.audit.page import folder_page, trace_page
from pipeline.audit.page import labels as page_labels
from pipeline.audit.page.pictures import MAX_BYTES, MAX_PICTURES, draw_pages
from pipeline.audit.page.whole import run_page
from pipeline.case import ask_case
from pipeline.run import Opening, Run, ask
from pipeline.store.sources import load_source
from schemas.trace import Trace
from tests.audit.pages import NASTY, check_page, hostile_run, many, words_of_page
from tests.audit.told import ask_told
from tests.commands import assert_clear, call

COMPOUND = "What is the governing law, and what is the notice period for termination?"
CAP = "What is the liability cap?"
PASSWORD = "test"  # noqa: S105 - of the protected file, as the index of the torture set gives it


@pytest.fixture(scope="module")
def contract(project: Path) -> Path:
    """The sample contract."""
    return project / "examples" / "supply_agreement.pdf"


@pytest.fixture(scope="module")
def store(contract: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run that answers."""
    root = tmp_path_factory.mktemp("store")
    ask(contract, CAP, store=root)
    return root


@pytest.fixture(scope="module")
def told(contract: Path, store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, int]:
    """A run with a scripted model, and how many requests it took."""
    return ask_told(contract, Path(shutil.copytree(store, tmp_path_factory.mktemp("told") / "store")))


@pytest.fixture
def copy(store: Path, tmp_path: Path) -> Path:
    """A copy of the store: the contract has been read already."""
    return Path(shutil.copytree(store, tmp_path / "copy"))


@pytest.fixture
def run(copy: Path) -> Path:
    """The folder of that run in the copy."""
    (folder,) = copy.glob("*/questions/what*")
    return folder


def test_a_run_is_told_in_full(store: Path) -> None:
    """Answer, path, marked page, roles with brief and reason, checks, settings, versions, hashes, seal, ledger line."""
    (folder,) = store.glob("*/questions/what*")
    opened = open_run(folder)
    page = trace_page(opened)
    assert page == folder_page(folder)
    root = check_page(page)
    words = words_of_page(root)
    found = opened.saved.retrieval
    for told in (
        "EUR 2,500,000 per Contract Year", "7.2 Liability cap", "What the arbiter saw", "What it decided, and why",
        "toc_serves_the_intent", "keyword_signal_suffices", "quote is verbatim", "No model took part",
        opened.seal_root, opened.saved.trace.started, opened.request.code_sha256, "Line of the ledger",
        f"All {len(found.provenances)} candidates in one table",
        *(value for stage in opened.saved.trace.stages for value in stage.output_sha256.values()),
        *(f"{name} {value}" for name, value in opened.saved.trace.versions.items() if name == "pymupdf"),
    ):  # fmt: skip
        assert told is not None
        assert told in words
    for one in found.provenances:
        assert " ".join(one.reason.split()) in words
    assert "max_candidates" in words or '"strategy"' in words
    (first, *_) = root.xpath("//figure[contains(@class, 'sheetpage')]")
    assert first.xpath(".//image/@href")[0].startswith("data:image/")
    looks = {re.sub(r".*-|\)", "", fill) for fill in first.xpath(".//rect/@fill") if fill.startswith("url(#")}
    assert looks == {"cited", "primary", "supporting", "tangential", "discarded"}
    assert len(first.xpath(".//svg/title")[0].text) > 10


def test_the_path_is_a_picture_with_the_same_as_text(store: Path) -> None:
    """Each word that is drawn stands in the text below; title and description are named for those who do not see it."""
    (folder,) = store.glob("*/questions/what*")
    root = check_page(folder_page(folder))
    for drawing in root.xpath("//div[contains(@class, 'path')]/svg"):
        assert drawing.get("role") == "img"
        named = drawing.get("aria-labelledby").split()
        assert [one.tag for one in drawing if one.get("id") in named] == ["title", "desc"]
        text = re.sub(r"\s", "", root.xpath("//figcaption/details/ol")[0].text_content())
        for one in drawing.xpath("./text"):
            assert re.sub(r"[\s…]", "", one.text) in text
        width = float(drawing.get("width"))
        for box in drawing.xpath("./rect"):
            assert float(box.get("x")) >= 0
            assert float(box.get("x")) + float(box.get("width")) <= width


@pytest.mark.parametrize("language", ["en", "es", "fr", "de"])
def test_hostile_words_are_words(language: str) -> None:
    """Markup, control characters and marks that turn the text stay text, wherever a record holds text."""
    root = check_page(run_page(hostile_run(language)))
    words = words_of_page(root)
    assert root.get("lang") == (language if language != "de" else "en")
    shown = " ".join(NASTY.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace("\u2066", "\ufffd")
                     .replace("\u202e", "\ufffd").split())  # fmt: skip
    assert words.count(shown) > 20
    assert len(root.xpath("//h1")[0].text_content()) < 500
    assert run_page(hostile_run(language)) == run_page(hostile_run(language))


def test_labels_say_the_same_in_every_language() -> None:
    """Three languages a label, with the same places to fill."""
    for key, told in page_labels._LABELS.items():
        places = {tuple(sorted(name for _, name, _, _ in string.Formatter().parse(words) if name)) for words in told}
        assert len(told) == 3, key
        assert len(places) == 1, key


def test_words_joined_by_no_break_spaces_wrap() -> None:
    """A file whose every space is a no-break one is shown with plain ones: no line ends within a word."""
    run = hostile_run()
    brief = run.saved.retrieval.provenances[0].structural_context.model_copy(
        update={"snippet": "a\u00a0long\u00a0line"}
    )
    found = run.saved.retrieval
    first = found.provenances[0].model_copy(update={"structural_context": brief})
    found = found.model_copy(update={"provenances": (first, *found.provenances[1:])})
    page = run_page(replace(run, saved=replace(run.saved, retrieval=found)))
    assert "a long line" in [one.text_content() for one in check_page(page).xpath("//div[@class='snippet']")]


def test_ten_thousand_candidates_are_counted_and_listed() -> None:
    """Few cards, the rest told to be in the table, which has every one."""
    page = run_page(many(hostile_run(), 10_000))
    root = check_page(page)
    assert len(page) < 8_000_000
    assert len(root.xpath("//article[contains(@class, 'cand discarded')]")) == 30
    words = words_of_page(root)
    assert "9969 more with this role stand in the table below" in words
    assert "All 10000 candidates in one table" in words
    assert "p9998_l1" in words


def test_without_the_source_the_lines_are_shown(run: Path) -> None:
    """The page says that the bytes are gone, and marks the lines as text."""
    shutil.rmtree(run.parents[1] / "source")
    root = check_page(folder_page(run))
    assert "The document's own bytes are not in the store" in words_of_page(root)
    assert not root.xpath("//image")
    (cited, *_) = root.xpath("//div[contains(@class, 'l primary cited')]")
    assert "aggregate liability" in cited.text_content() or "contract, tort" in cited.text_content()


def test_without_the_parsing_the_record_is_shown(run: Path) -> None:
    """What the kept candidates hold is shown; a damaged source is told as such."""
    shutil.rmtree(run.parents[1] / "parsing")
    (source,) = (run.parents[1] / "source").glob("source.*")
    source.write_bytes(source.read_bytes()[:-1] + b"x")
    words = words_of_page(check_page(folder_page(run)))
    assert "The parsed document is not in the store" in words
    assert "bytes in the store are not what they were" in words
    assert "shall not exceed EUR 2,500,000 per Contract Year" in words


def test_a_ledger_that_does_not_hold_the_run_is_told(run: Path) -> None:
    """The seal is shown, and that no line holds it."""
    (run.parents[2] / "ledger.jsonl").unlink()
    page = folder_page(run, with_pictures=False)
    assert "No line of the ledger in this store holds this run's seal." in words_of_page(check_page(page))


def test_parts_stand_below_the_whole(contract: Path, copy: Path) -> None:
    """A compound question: the whole, then each part with its own path and pages."""
    done = ask(contract, COMPOUND, store=copy)
    root = check_page(folder_page(done.path))
    heads = [" ".join(one.text_content().split()) for one in root.xpath("//h1")]
    assert heads == [COMPOUND, "What is the governing law?", "What is the notice period for termination?"]
    assert root.xpath("//image")
    without = [folder_page(done.path, with_pictures=False), trace_page(replace(open_run(done.path), data=b""))]
    assert not [image for page in without for image in check_page(page).xpath("//image")]
    shutil.rmtree(done.parts[0].path)
    words = words_of_page(check_page(folder_page(done.path, with_pictures=False)))
    assert "The run of a part is not in the store or is damaged" in words


def test_a_case_has_a_section_a_document(project: Path, copy: Path) -> None:
    """What the documents say together, then the trace of each; of one that is gone its answer."""
    paths = [project / "examples" / name for name in ("supply_agreement.pdf", "amendment_1.pdf")]
    case = ask_case(paths, CAP, store=copy)
    root = check_page(folder_page(case.path))
    assert len(root.xpath("//main/article")) == 3
    words = words_of_page(root)
    assert "Document 2 · How this answer came about · amendment_1.pdf" in words
    assert "Conflicts, shown and not settled" in words
    without = make_bundle(copy, [case.path], copy.parent / "case.zip", options=BundleOptions(documents=False))
    with zipfile.ZipFile(without.path) as packed:
        (page,) = [
            packed.read(name)
            for name in packed.namelist()
            if name.startswith("pages/") and b"Document 2" in packed.read(name)
        ]
    assert not check_page(page).xpath("//image")
    shutil.rmtree(case.runs[1].path)
    root = check_page(folder_page(case.path, with_pictures=False))
    assert "EUR 4,000,000" in words_of_page(root.xpath("//main/article")[2])


def test_what_the_model_saw_and_said_stands_there(told: tuple[Run, int]) -> None:
    """Every message, every raw reply, the templates and their hashes, a failed exchange with its error."""
    done, count = told
    words = words_of_page(check_page(folder_page(done.path, with_pictures=False)))
    assert len(done.trace.model_calls) == count
    for call_made in done.trace.model_calls:
        for message in call_made.request.get("input") or call_made.request["messages"]:
            assert " ".join(message["content"].split()) in words
        assert " ".join((call_made.reply or call_made.error or "").split()) in words
        assert call_made.call_key in words
    for prompt in done.trace.prompts:
        assert prompt.sha256 in words
        assert " ".join(prompt.template.split()) in words


def test_every_older_store_gives_a_page(project: Path, tmp_path: Path) -> None:
    """What older versions did not record is told as not there; a case finds its runs without a seal."""
    for archive in sorted((project / "tests" / "data" / "stores").glob("store_*.zip")):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(tmp_path / archive.stem)
        for folder in (tmp_path / archive.stem).glob("*/questions/*"):
            words = words_of_page(check_page(folder_page(folder)))
            trace = json.loads((folder / "trace.json").read_bytes())["schema_version"]
            assert ("which recorded less" in words) is (trace < Trace.SCHEMA_VERSION)
            assert ("it is from before there was a ledger" in words) is not (folder / "seal.json").exists()
        (case,) = (tmp_path / archive.stem).glob("cases/*")
        root = check_page(folder_page(case))
        assert len(root.xpath("//main/article")) == 3
        assert "The run of a part" not in words_of_page(root)


def test_pictures_keep_within_their_limits(store: Path) -> None:
    """At most so many pages, each small; those left out are named, also one that the file has not."""
    (folder,) = store.glob("*/questions/what*")
    opened = open_run(folder)
    wanted = [99, *range(1, 17)]
    made = draw_pages(opened.data, opened.document, wanted, password=None)
    assert [one.page_num for one in made.drawn] == list(range(1, MAX_PICTURES + 1))
    assert made.left_out == (13, 14, 15, 16, 99)
    assert sum(len(one.address) for one in made.drawn) <= MAX_BYTES
    assert max(len(one.address) for one in made.drawn) < 120_000


def test_a_protected_document_is_drawn_with_its_password(shared_data: Path, tmp_path: Path) -> None:
    """Without the password the lines are shown, and why."""
    path = shared_data / "torture" / "pdf" / "enc_user_password_4p.pdf"
    done = ask(path, "What is the title?", store=tmp_path, opening=Opening(password=PASSWORD))
    data = load_source(tmp_path, done.document.doc_id) or b""
    assert draw_pages(data, done.document, [1], password=None).why == "why_password"
    assert len(draw_pages(data, done.document, [1], password=PASSWORD).drawn) == 1


def test_the_command_writes_the_page(run: Path, tmp_path: Path) -> None:
    """One file where the user says; never inside the sealed record, never over a folder."""
    path = tmp_path / "out" / "trace.html"
    result = call("show", run, "--html", path, "--json")
    assert result.exit_code == 0, result.output
    assert path.read_bytes() == folder_page(run)
    assert f'"bytes": {path.stat().st_size}' in result.stdout
    before = sorted(run.iterdir())
    assert_clear(call("show", run, "--html", run / "decision.html"), 2, "inside the record")
    assert_clear(call("show", run, "--html", tmp_path), 2, "name a file")
    assert sorted(run.iterdir()) == before


def test_the_terminal_tells_seal_and_cost(told: tuple[Run, int]) -> None:
    """The exchanges, what they cost, the seal and its line in the ledger."""
    shown = " ".join(call("show", told[0].path).output.split())
    for words in ("exchange", "no price is set", "seal", "line 2"):
        assert words in shown
