"""Data sets: told apart by content, one shape for all, labels that cannot be used refused with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.evaluation.datasets import read_dataset
from pipeline.evaluation.datasets.cuad import read_cuad
from pipeline.evaluation.selecting import select
from schemas.errors import InputError
from tests.evaluation.labelled import CATEGORIES, write_cuad, write_labels


def test_cuad_asks_category_and_question(tmp_path: Path) -> None:
    """The question is 'category: question', an empty list of answers is absent, the value is typed by its format."""
    dataset = read_dataset(write_cuad(tmp_path / "set"))
    law, compete, _ = dataset.documents[0].questions
    assert dataset.kind == "cuad"
    assert law.text == f"Governing Law: {CATEGORIES['Governing Law']['question']}"
    assert law.present
    assert law.expected is not None
    assert (law.expected.text, law.expected.kind) == ("New York", "place")
    assert not compete.present
    assert compete.gold_count == 0


def test_cuad_leaves_out_conflicting_labels(tmp_path: Path) -> None:
    """A cell whose labels contradict themselves is not asked, and the data set says how many there are."""
    folder = write_cuad(tmp_path / "set", documents=1)
    labels = json.loads((folder / "labels.json").read_text())
    labels["documents"][0]["categories"]["Insurance"]["label_conflict"] = True
    write_labels(folder, labels)
    dataset = read_dataset(folder)
    assert [question.question_id for question in dataset.documents[0].questions] == ["Governing Law", "Non-Compete"]
    assert dataset.notes[0].startswith("1 pairs")


@pytest.mark.parametrize(
    ("normalized", "expected"),
    [("6/21/1999", "1999-06-21"), ("[]/[]/2004", None), ("13/45/2004", None), ("perpetual", "perpetual"), ("", None)],
)
def test_cuad_dates_are_month_first(tmp_path: Path, normalized: str, expected: str | None) -> None:
    """A normalised date becomes ISO 8601; one with blanks or no day of the calendar is not compared."""
    labels = {
        "categories": {"Agreement Date": {"question": "When?", "answer_format": "Date (mm/dd/yyyy)"}},
        "documents": [{"pdf": "a.txt", "categories": {"Agreement Date": {"answers": [], "normalized": normalized}}}],
    }
    value = read_cuad(tmp_path, labels, "0").documents[0].questions[0].expected
    assert (value.text if value else None) == expected


def test_contract_nli_reads_hypotheses(tmp_path: Path) -> None:
    """Entailed is yes, contradicted no, not mentioned absent whatever spans it has."""
    labels = {
        "hypotheses": {"nda-1": {"short_description": "Copies", "hypothesis": "Copies may be made."}},
        "documents": [
            {"text": f"{label}.txt", "annotations": {"nda-1": {"label": label, "evidence": [{"text": "One copy."}]}}}
            for label in ("Entailment", "Contradiction", "NotMentioned")
        ],
    }
    write_labels(tmp_path, labels)
    dataset = read_dataset(tmp_path)
    asked = [document.questions[0] for document in dataset.documents]
    assert dataset.kind == "contractnli"
    assert [one.expected.text if one.expected else None for one in asked] == ["Yes", "No", None]
    assert [one.present for one in asked] == [True, True, False]
    assert asked[0].clauses == ("One copy.",)
    assert asked[0].question_type == "Copies"


def test_financebench_reads_pages_of_its_own_document(tmp_path: Path) -> None:
    """Evidence pages count from 1; evidence in another report is no page of this one."""
    evidence = [
        {"doc_name": "A", "page_1based": 7, "evidence_text": "x"},
        {"doc_name": "B", "page_1based": 9, "evidence_text": "y"},
    ]
    row = {
        "financebench_id": "f1", "doc_name": "A", "question_type": "metrics-generated", "question": "How much?",
        "answer": "$1577.00", "pdf": "pdfs/A.pdf", "evidence": evidence,
    }  # fmt: skip
    (tmp_path / "questions.jsonl").write_text(json.dumps(row) + "\n")
    question = read_dataset(tmp_path).documents[0].questions[0]
    assert question.pages == (7,)
    assert question.gold_kind == "pages"
    assert question.expected is not None
    assert question.expected.kind == "number"


def test_mmlongbench_not_answerable_is_absent(tmp_path: Path) -> None:
    """'Not answerable' is absent; a suspect label is left out; the type is the kind of evidence."""
    base = {"doc": "a.pdf", "pdf": "pdfs/a.pdf", "question": "How many?", "answer_format": "Int"}
    rows = [
        {**base, "id": "1", "answer": "3", "answerable": True, "evidence_pages_1based": [2, 1],
         "evidence_sources": ["Table"]},
        {**base, "id": "2", "answer": "Not answerable", "answerable": False, "evidence_pages_1based": [],
         "evidence_sources": []},
        {**base, "id": "3", "answer": "3", "answerable": True, "evidence_pages_1based": [2], "label_suspect": True},
    ]  # fmt: skip
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    dataset = read_dataset(tmp_path)
    one, two = dataset.documents[0].questions
    assert dataset.kind == "mmlongbench"
    assert (one.pages, one.question_type, one.present) == ((1, 2), "Table", True)
    assert (two.pages, two.present) == ((), False)


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "pdfs/../../x.txt", ".", "a\0b"])
def test_a_label_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """Labels are data: a document outside the folder is refused, whatever the label says."""
    folder = write_cuad(tmp_path / "set", documents=1)
    labels = json.loads((folder / "labels.json").read_text())
    labels["documents"][0]["pdf"] = name
    write_labels(folder, labels)
    with pytest.raises(InputError, match="document 1"):
        read_dataset(folder)


@pytest.mark.parametrize(
    ("content", "words"),
    [("[]", "no known kind"), ("{", "not valid JSON"), ('{"categories": {}, "documents": 3}', "documents"),
     ('{"categories": {}, "documents": [{"pdf": 3}]}', "document 1"),
     ('{"categories": {}, "documents": []}', "no question")],
)  # fmt: skip
def test_labels_that_cannot_be_used_are_refused(tmp_path: Path, content: str, words: str) -> None:
    """The error names the file and what is wrong with it."""
    (tmp_path / "labels.json").write_text(content)
    with pytest.raises(InputError, match=words):
        read_dataset(tmp_path)


def test_what_is_no_data_set_is_told(tmp_path: Path) -> None:
    """An empty folder, a file of another kind and a missing path each say what a data set is."""
    (tmp_path / "notes.txt").write_text("hello")
    for path in (tmp_path, tmp_path / "notes.txt", tmp_path / "missing"):
        with pytest.raises(InputError, match=r"labels\.json"):
            read_dataset(path)


def test_selection_is_even_and_the_same_each_time(tmp_path: Path) -> None:
    """Documents are spread evenly, pairs drawn by a hash; no document without a pair is left."""
    dataset = read_dataset(write_cuad(tmp_path / "set", documents=8))
    assert [one.name for one in select(dataset, documents=2).documents] == ["contract_2.txt", "contract_6.txt"]
    some = select(dataset, pairs=5)
    assert some.pair_count == 5
    assert some == select(dataset, pairs=5)
    assert all(document.questions for document in some.documents)
    assert select(dataset, documents=99, pairs=999) == dataset


def test_documents_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Two files of the same name bear their folders; repeated ids are numbered."""
    row = {"id": "q", "doc_pages": 1, "question": "How many?", "answer": "3", "answerable": True,
           "evidence_pages_1based": [1]}  # fmt: skip
    rows = [{**row, "pdf": "a/x.pdf"}, {**row, "pdf": "b/x.pdf"}, {**row, "pdf": "b/x.pdf"}]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    documents = read_dataset(tmp_path).documents
    assert [document.name for document in documents] == ["a/x.pdf", "b/x.pdf"]
    assert [question.question_id for question in documents[1].questions] == ["q", "q (2)"]


@pytest.mark.parametrize(
    ("name", "documents", "pairs"),
    [("cuad", 231, 9_459), ("financebench", 36, 67), ("mmlongbench", 17, 163), ("contractnli", 90, 1_530)],
)
def test_the_open_data_are_read(shared_data: Path, name: str, documents: int, pairs: int) -> None:
    """The open data sets are read in full, and every document is there."""
    dataset = read_dataset(shared_data / name)
    assert (dataset.kind, len(dataset.documents), dataset.pair_count) == (name, documents, pairs)
    assert all(document.path.is_file() for document in dataset.documents)
