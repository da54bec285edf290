"""What the tests of the trace page share: a hostile run made by hand, the check that a page holds nothing foreign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lxml import html

from pipeline.audit.page.told import ToldRun
from pipeline.store.runs import SavedRun
from schemas.audit import Downgrade, ModelCall, ModelUse, StageTrace
from schemas.provenance import CandidateProvenance, ScoreTerm
from schemas.trace import Trace
from tests.builders import SHA
from tests.sheet.made import HOSTILE, made_answer, made_document, made_found, made_question

LEAK = "<img src=http://leak.invalid/x><style>*{background:url(http://leak.invalid/y)}</style>"
NASTY = f"{LEAK}</svg></title></pre></style>{HOSTILE}\x00\x1b[31m\u2066{'w' * 3000}"
TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "article", "section", "header", "nav", "div", "h1", "h2",
    "h3", "h4", "p", "b", "span", "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td", "blockquote",
    "br", "details", "summary", "pre", "figure", "figcaption", "svg", "desc", "defs", "pattern", "rect", "path", "line",
    "circle", "text", "image", "g",
}  # fmt: skip


def check_page(data: bytes) -> html.HtmlElement:
    """The parsed page, which holds no element, attribute or address that a document could have brought in."""
    text = data.decode()
    root = html.document_fromstring(text)
    assert {one.tag for one in root.iter()} <= TAGS
    idents = [one.get("id") for one in root.iter() if one.get("id")]
    known = set(idents)
    assert len(idents) == len(known)
    for one in root.iter():
        assert not [name for name in one.attrib if name.startswith("on") or name in ("style", "src")]
        address = one.get("href", "#")
        assert address.startswith("data:image/" if one.tag == "image" else "#")
        assert one.tag != "a" or address[1:] in known
    policy = root.xpath("//meta[@http-equiv]/@content")[0]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert not set("\x00\x1b\u202e\u2066") & set(text)
    return root


def words_of_page(root: html.HtmlElement) -> str:
    """All its words, spaces made one."""
    return " ".join(" ".join(root.itertext()).split())


def hostile_run(language: str = "en", **fields: Any) -> ToldRun:
    """A run whose every text is hostile, with an exchange, a downgrade and a candidate in each role."""
    found = made_found()
    (first,) = found.provenances
    nasty = first.model_copy(update={"reason": NASTY, "detector_reasons": {"m": NASTY}, "score_terms": (_term(),)})
    others = [nasty.model_copy(update={"candidate_id": f"{NASTY}{number}", "role": "discarded"}) for number in range(3)]
    found = found.model_copy(update={"provenances": (nasty, *others)})
    use = ModelUse(
        purpose="arbiter", model=NASTY, prompt_name=NASTY, prompt_sha256=SHA, call_keys=("k", "k2"), input_tokens=7,
        output_tokens=3, outcome="repaired", problems=(NASTY,),
    )  # fmt: skip
    calls = tuple(
        ModelCall(
            call_key=key, purpose="arbiter", api="chat", request={"messages": [{"role": NASTY, "content": NASTY}],
            "schema": {NASTY: NASTY}}, reply=reply, status="answered" if reply else "failed", error=NASTY,
            input_tokens=7, output_tokens=3, seconds=1.5, attempts=2, from_cache=reply is None,
        )
        for key, reply in (("k", NASTY), ("k2", None))
    )  # fmt: skip
    trace = Trace(
        doc_id="doc_00000000", source_name=NASTY, question=NASTY, started="2026-01-01T00:00:00+00:00",
        stages=(StageTrace(stage="parsing", input_sha256={NASTY: SHA}, output_sha256={"a": SHA}, seconds=1.0,
                           from_cache=False),),
        candidates=found.provenances, model_uses=(use,), model_calls=calls,
        downgrades=(Downgrade(stage="retrieval", wanted=NASTY, used=NASTY, reason=NASTY),), pages_not_read=(3,),
        settings={NASTY: {NASTY: NASTY}}, versions={NASTY: NASTY}, notes=(NASTY,),
    )  # fmt: skip
    saved = SavedRun(
        Path("r"), made_question(language), found, made_answer(question=f"{NASTY} {'q ' * 2500}"), trace, False
    )
    return ToldRun(saved, NASTY, **{"document": made_document(), **fields})


def many(run: ToldRun, count: int) -> ToldRun:
    """The run with `count` candidates, all but the first discarded."""
    first = run.saved.retrieval.provenances[0]
    more = tuple(_discarded(first, number) for number in range(count - 1))
    found = run.saved.retrieval.model_copy(update={"provenances": (first, *more)})
    return ToldRun(
        SavedRun(run.saved.path, run.saved.question, found, run.saved.answer, run.saved.trace, False), run.place,
        run.document,
    )  # fmt: skip


def _discarded(one: CandidateProvenance, number: int) -> CandidateProvenance:
    return one.model_copy(update={"candidate_id": f"p{number}_l1", "role": "discarded", "reason": "it is no answer"})


def _term() -> ScoreTerm:
    return ScoreTerm(term=NASTY, frequency=1, passages_with_term=2, idf=1.0, length_norm=1.0, contribution=0.5)
