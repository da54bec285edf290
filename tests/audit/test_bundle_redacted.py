"""Redacted bundles: nothing of a text, value or name is left, and what is left is proven by the ledger."""

from __future__ import annotations

import html
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from pipeline.audit.bundle import LEVELS, verify_bundle
from pipeline.audit.bundle.fields import FIELDS, category_of
from pipeline.audit.bundle.making import STANDALONE
from pipeline.audit.bundle.redaction import FORMS, RECORDS, redact_folder, shown_pointers
from pipeline.audit.reviewing.recording import Opinion, record
from pipeline.commitments import disclose, root_of_disclosed, salt_of_record, shown_of
from pipeline.sheet.labels import _CHECKS
from pipeline.sheet.methods import _METHODS, _RULES
from pipeline.store.seals import SEAL, read_seal, seal_root
from schemas.answer import Answer
from schemas.ledger import Seal
from schemas.question import ParsedQuestion
from schemas.trace import Trace
from tests.audit.bundle_store import (
    CONTRACT,
    QUESTIONS,
    built,
    bundle_of,
    copy_of_store,
    edited,
    kinds,
    name_in,
    runs_of,
)

STATIC = ("README.txt", *STANDALONE)
DISTINCT = (
    "zebulon", "quorra", "zirconium", "thirty-seven", "new york", "us-ny", "secret-name", "zebulon-paper", "supplier",
    "customer", "2,500,000", "2500000", "3 march", "non-disclosure", "how-long-is", "governing", "liability",
    "effective date", "test-model\\n", "carries the clause",
)  # fmt: skip


@pytest.fixture(scope="module")
def redacted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A redacted bundle of all runs."""
    return bundle_of(tmp_path_factory.mktemp("redacted") / "case.zip", redact=True).path


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value


def _contents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def _models() -> set[type[BaseModel]]:
    found: set[type[BaseModel]] = set()

    def visit(kind: Any) -> None:
        for part in get_args(kind):
            visit(part)
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in found:
            found.add(kind)
            for field in kind.model_fields.values():
                visit(field.annotation)

    for kind in (*RECORDS.values(), Seal):
        visit(kind)
    return found


def test_every_field_is_in_one_list() -> None:
    """A field of a sealed record that nobody decided on fails here: show it or hide it in `fields`."""
    models = {model.__name__: model for model in _models()}
    assert set(models) == set(FIELDS)
    categories = {"shown", "type", "codes", "settings", "libraries", "dictionaries", "roots", *FORMS, *LEVELS}
    for name, model in models.items():
        listed = [field for fields in FIELDS[name].values() for field in fields.split()]
        assert sorted(listed) == sorted(model.model_fields), name
        assert set(FIELDS[name]) <= categories | {"document", "model", "never"}, name


def test_texts_of_free_form_are_never_merely_shown() -> None:
    """A field that may hold any text is in no list that shows texts as they are, nor does an unknown field show."""
    shown = [
        f"{model.__name__}.{name}"
        for model in _models()
        for name, field in model.model_fields.items()
        if category_of(model.__name__, name) == "shown" and field.annotation in (str, str | None, tuple[str, ...])
    ]
    assert shown == []
    assert category_of("Answer", "of_tomorrow") == "never"
    assert category_of("Tomorrow", "text") == "never"


def test_passes_both_verifiers(redacted: Path) -> None:
    """A redacted bundle verifies by its own verifier and by `lineproof verify`, every record against the ledger."""
    assert kinds(redacted) == set()
    done = verify_bundle(redacted)
    assert (done.mismatches, done.run_count) == ((), len(runs_of(built())))
    assert done.checks["bundle: redacted records"] == sum(len(read_seal(run).roots) for run in runs_of(built()))
    assert any("hidden" in one for one in done.cannot_detect)


def test_holds_no_text_value_or_name(redacted: Path) -> None:
    """Of all texts in the records, the document and the names of files none is left in any file of the bundle."""
    contents = _contents(redacted)
    ours = [words[0] for table in (_METHODS, _RULES, _CHECKS) for words in table.values()]  # what pages say themselves
    static = "\n".join([*ours, *(contents[name] for name in STATIC)]).lower()
    rest = "\n".join([*contents, *(text for name, text in contents.items() if name not in STATIC)]).lower()
    for word in DISTINCT:
        assert word not in rest, word
    shown: set[str] = set()
    hidden: set[str] = set()
    for run in runs_of(built()):
        hidden |= {run.name, run.parent.parent.name, *CONTRACT.split("\n"), *QUESTIONS}
        for name in read_seal(run).roots:
            value = json.loads((run / name).read_bytes())
            kept = shown_pointers(RECORDS[name], value)
            hidden |= {text for pointer, text in _leaves(value) if pointer not in kept and isinstance(text, str)}
            shown |= {text for pointer, text in _leaves(value) if pointer in kept and isinstance(text, str)}
    # A short word may stand anywhere by chance: what is grepped for is words in a row, or one that is long.
    fields = {name for model in _models() for name in model.model_fields}
    grepped = [text for text in hidden - shown - fields if " " in text.strip() or len(text) >= 14]
    assert len(grepped) > 500
    for text in grepped:
        for form in {text, json.dumps(text)[1:-1], html.escape(text)}:
            assert form.lower() not in rest or form.lower() in static, text


def _leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, f"{pointer}/{key}")
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _leaves(part, f"{pointer}/{at}")
    else:
        yield pointer, value


def test_values_show_their_kind_alone(redacted: Path) -> None:
    """Numbers, dates, true and false of values are as hidden as their words; no unsalted hash of a text is left."""
    texts = _contents(redacted)
    answers = [shown_of(json.loads(text)) for name, text in texts.items() if name.endswith("/answer.json")]
    values = [item["value"] for answer in answers for item in answer["items"]]
    assert {value["kind"] for value in values} >= {"duration", "jurisdiction", "amount"}
    assert all(part is None for value in values for name, part in value.items() if name != "kind")
    assert all(answer["completeness"]["stated_count"] is None for answer in answers)
    joined = "".join(texts.values())
    for run in runs_of(built()):
        seal = read_seal(run)
        trace = json.loads((run / "trace.json").read_bytes())
        unsalted = [sha for stage in trace["stages"] for sha in stage["input_sha256"].values()]
        unsalted += [*seal.files.values(), *seal.parsings.values(), seal.salt]
        unsalted += [call["call_key"] for call in trace["model_calls"]]
        documents = set(seal.documents.values())  # whoever has the document may know that it is the one
        assert not [sha for sha in unsalted if sha not in documents and sha in joined]


def test_shows_what_an_auditor_follows(redacted: Path) -> None:
    """Roles, methods, rules, checks, pages and lines, statuses, calls and versions stand there still."""
    texts = _contents(redacted)
    place = next(name for name in texts if name.endswith("/answer.json") and '"answered"' in texts[name])
    folder = place.rpartition("/")[0]
    answer, found, trace = (
        shown_of(json.loads(texts[f"{folder}/{name}"]))
        for name in ("answer.json", "retrieval_result.json", "trace.json")
    )
    assert answer["status"] == "answered"
    assert {check["check"] for check in answer["items"][0]["checks"]} >= {"quote_is_verbatim"}
    assert answer["items"][0]["spans"][0]["line_start"] >= 1
    assert found["provenances"][0]["role"] == "primary"
    assert found["provenances"][0]["methods_that_found_it"]
    assert found["dispatch_rules"]["bm25"]
    assert trace["versions"]["lineproof"]
    assert trace["settings"]["retrieval"]["max_hits"] == 100
    page = texts[f"pages/{folder.rpartition('/')[2]}.html"]
    assert "content_keyword_match" in page
    assert "\u2588" in page


def test_records_of_a_model_are_shown_without_words(redacted: Path) -> None:
    """Of calls to a model their number, tokens and prompt's name are left, not what was sent or said."""
    texts = _contents(redacted)
    traces = [shown_of(json.loads(text)) for name, text in texts.items() if name.endswith("/trace.json")]
    calls = [call for trace in traces for call in trace["model_calls"]]
    assert calls
    for call in calls:
        assert (call["request"], call["reply"], call["call_key"]) == (None, None, None)
        assert call["input_tokens"] is not None
        assert call["prompt_name"]


def test_change_of_what_is_shown_is_found(redacted: Path, tmp_path: Path) -> None:
    """A shown word, a hash of a hidden one, a record taken out or swapped: each breaks the root that was sealed."""
    place = name_in(redacted, "/answer.json")
    other = place.replace("/1/", "/2/")
    with zipfile.ZipFile(redacted) as packed:
        swapped = packed.read(other)
    changes: dict[str, dict[str, Any]] = {
        "record_altered": {place: lambda data: data.replace(b'"lines_exist"', b'"shape_and_type"')},
        "record_missing": {place: None},
        "record_invalid": {place: lambda data: data.replace(b'{"hidden":', b'{"shown":"a lie","hidden":', 1)},
        "record_added": {place.replace("answer", "more"): lambda _: b'{"hidden": "00"}'},
    }
    for kind, edits in changes.items():
        path = edited(redacted, tmp_path / f"{kind}.zip", edits, relist=True)
        assert kind in kinds(path)
        assert not verify_bundle(path).passed
    path = edited(redacted, tmp_path / "swapped.zip", {place: lambda _: swapped}, relist=True)
    assert kinds(path) == {"record_altered"}
    hidden = edited(
        redacted, tmp_path / "seal.zip", {name_in(redacted, "/seal.json"): lambda data: data.replace(b"1", b"2")},
        relist=True,
    )  # fmt: skip
    assert kinds(hidden) & {"record_added", "record_invalid", "record_altered"}


def test_levels_show_what_they_say(tmp_path: Path) -> None:
    """With the answer shown, question and values can be read and no line of the document; all still verifies."""
    path = bundle_of(tmp_path / "case.zip", redact=True, levels=("answer",)).path
    assert kinds(path) == set()
    texts = _contents(path)
    answers = [shown_of(json.loads(text)) for name, text in texts.items() if name.endswith("/answer.json")]
    assert QUESTIONS[0] in {answer["question"] for answer in answers}
    assert any("thirty-seven (37) months" in (answer["text"] or "") for answer in answers)
    assert all(span["quote"] is None for answer in answers for item in answer["items"] for span in item["spans"])
    joined = "\n".join(text for name, text in texts.items() if name not in STATIC)
    assert "This Agreement remains in force" not in joined
    assert "Zebulon" not in joined
    assert "zebulon" not in joined


def test_no_salt_of_what_is_hidden_is_told() -> None:
    """A field that is shown in one record tells nothing of the field of that name in the record beside it."""
    run = next(run for run in runs_of(built()) if run.name.startswith("how-long-is-the-term-of"))
    seal = read_seal(run)
    assert seal is not None
    files = {name: (run / name).read_bytes() for name in seal.roots}
    values = {name: json.loads(data) for name, data in files.items()}
    assert values["request.json"]["text"] != values["answer.json"]["text"]
    done = {name: json.loads(data) for name, data in redact_folder(files, seal, ("question",)).items()}
    assert shown_of(done["answer.json"])["question"] == QUESTIONS[0]
    assert shown_of(done["request.json"])["text"] == QUESTIONS[0]
    assert shown_of(done["answer.json"])["text"] is None
    whole = {
        name: set(_salts(disclose(value, salt_of_record(bytes.fromhex(seal.salt), name), lambda *_: True)))
        for name, value in values.items()
    }
    salts = {name: set(_salts(disclosed)) for name, disclosed in done.items()}
    for name in values:
        assert salts[name] < whole[name]
        assert not any(salts[name] & whole[other] for other in values if other != name)
    for name, disclosed in done.items():
        expected = seal_root(seal) if name == SEAL else seal.roots[name]
        assert root_of_disclosed(disclosed) == expected
    assert salts["answer.json"]


def _salts(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "salt" in part:
            yield part["salt"]
        for value in part.values():
            yield from _salts(value)
    elif isinstance(part, list):
        for value in part:
            yield from _salts(value)


def test_unknown_keys_and_kinds_are_hidden_whole() -> None:
    """An object with a key that is no field, and a word outside its closed list, are hidden."""
    assert shown_pointers(Answer, {"status": "answered", "Zebulon": 1}) == set()
    kept = shown_pointers(Answer, {"status": "Zebulon", "answer_shape": "single", "answer_type": "zebulons"})
    assert kept == {"", "/answer_shape"}
    found = {
        "settings": {"retrieval": {"max_hits": 1, "Zebulon": 2}, "question": {"max_chars": 3}},
        "started": "Zebulon",
    }
    assert shown_pointers(Trace, found) == {"", "/settings", "/settings/question", "/settings/question/max_chars"}
    versions = {"versions": {"numpy": "2.0", "dictionary zebulon": "1.0"}}
    assert shown_pointers(Trace, versions) == {""}
    assert shown_pointers(ParsedQuestion, {"field_sources": {"a b": "rules"}}) == {""}
    with pytest.raises(ValueError, match="no such level"):
        shown_pointers(Answer, {}, ("document",))


def test_review_is_redacted_with_its_run(tmp_path: Path) -> None:
    """A review comes along: its verdict is shown, its reviewer and reason are not, unless they are asked for."""
    store = copy_of_store(tmp_path)
    run = next(run for run in runs_of(store) if run.name.startswith("how-long"))
    record(run, Opinion(verdict="accept", reason="Checked against page one by hand."), by="Wilhelmina Auditor")
    path = bundle_of(tmp_path / "case.zip", store, [run], redact=True).path
    assert kinds(path) == set()
    joined = "\n".join(_contents(path).values())
    assert "Wilhelmina" not in joined
    assert "by hand" not in joined
    review = shown_of(json.loads(_contents(path)[name_in(path, "/review.json")]))
    assert (review["verdict"], review["reviewer"], review["reason"]) == ("accept", None, None)
    named = bundle_of(tmp_path / "named.zip", store, [run], redact=True, levels=("names", "reasons")).path
    assert "Wilhelmina" in "\n".join(_contents(named).values())
    full = bundle_of(tmp_path / "full.zip", store, [run]).path
    assert kinds(full) == set()
    assert verify_bundle(full, rerun=False).mismatches == ()
