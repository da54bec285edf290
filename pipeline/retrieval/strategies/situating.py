"""Contextual retrieval: words that place a passage in its document, put before it for the search alone.

Anthropic, Contextual Retrieval (September 2024). With a model one call a passage, the document first and the same in
every call, so that a provider's prompt cache serves it; without one the titles over the passage do the job for free.
What is put before a passage is stored apart and never shown or cited as the document's words.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.llm.model import LanguageModel, ModelUseError, Prompt
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.corpus import Corpus, plain_corpus, situated_corpus
from pipeline.retrieval.strategies.passages import Passages
from pipeline.retrieval.strategies.prompts import SITUATING, SituatingOutput, fill
from schemas.audit import Downgrade, ModelUse

WHOLE_DOCUMENT = 100_000  # characters; 25,000 tokens: a window of 32,000 holds it with passage and reply
SITUATING_TOKENS = 200  # one or two sentences, with the JSON around them (seed text 000)
MAX_CONTEXT_CHARACTERS = 400  # characters; a longer context outweighs a passage of 500
KEPT_CORPORA = 4  # ways of placing the passages of one document; a comparison has two
MAX_FAILURES = 3  # calls in a row without a usable reply: the server is down or the model unfit
WANTED = "sentences by a model that place each passage"
BREADCRUMB, MODEL = "titles_over_the_passage", "sentences_by_model"


def corpus_of(
    passages: Passages, *, contextual: bool, llm: LanguageModel | None, settings: RetrievalSettings
) -> Corpus:
    """The passages as they are searched, made once for a document, a scope and a model.

    Every record that rests on a model's sentences names the calls behind them, whenever they were made.
    """
    key = (contextual, id(llm) if contextual and llm is not None else None, settings.situating_calls)
    if key not in passages.corpora:
        if len(passages.corpora) >= KEPT_CORPORA:
            passages.corpora.clear()
        texts = [chunk.text for chunk in passages.chunks]
        if not contextual:
            passages.corpora[key] = plain_corpus(texts)
        elif llm is None or not texts:
            passages.corpora[key] = situated_corpus(texts, _breadcrumbs(passages), rule=BREADCRUMB)
        elif len(texts) > settings.situating_calls:
            why = f"{len(texts)} passages need as many calls, situating_calls allows {settings.situating_calls}"
            passages.corpora[key] = situated_corpus(
                texts, _breadcrumbs(passages), rule=BREADCRUMB, downgrades=(_downgrade("their titles", why),)
            )
        else:
            passages.corpora[key] = _by_model(passages, texts, llm)
    return passages.corpora[key]


def _by_model(passages: Passages, texts: Sequence[str], llm: LanguageModel) -> Corpus:
    """The passages of a document one after the other, so that a cache that forgets soon still holds the document."""
    contexts = _breadcrumbs(passages)
    uses: list[ModelUse] = []
    failed, in_a_row, last = 0, 0, ""
    parts = _parts_of(passages)
    for number, text in enumerate(texts):
        if in_a_row >= MAX_FAILURES:
            failed += len(texts) - number
            break
        try:
            reply = llm.ask(
                situating_prompt(parts[number], text),
                SituatingOutput,
                purpose="situating",
                max_output_tokens=SITUATING_TOKENS,
                check=lambda output: [] if output.context.strip() else ["the context is empty"],
            )
            uses.append(reply.use)
            context = " ".join(reply.value.context.split())[:MAX_CONTEXT_CHARACTERS]
        except ModelUseError as error:
            uses.append(error.use)
            context, last = "", " ".join(str(error).split())
        if context:
            contexts[number], in_a_row = context, 0
        else:
            failed, in_a_row = failed + 1, in_a_row + 1
    why = f"{failed} of {len(texts)} passages got no sentence{f': {last}' if last else ''}"
    return situated_corpus(
        texts,
        contexts,
        rule=MODEL,
        model_uses=(_one_use(uses),),
        downgrades=(_downgrade("the titles over those without", why),) if failed else (),
        maker=llm,
    )


def situating_prompt(document: str, passage: str) -> Prompt:
    """The prompt for one passage; all before the passage is the same for one document."""
    return fill("situating", SITUATING, document=document, passage=passage)


def _breadcrumbs(passages: Passages) -> dict[int, str]:
    found = ((number, passages.breadcrumb(number)) for number in range(len(passages.chunks)))
    return {number: crumb for number, crumb in found if crumb}


def _parts_of(passages: Passages) -> list[str]:
    """The document for each passage; where it is too long, its outermost section that is not, else what surrounds it.

    What a question's scope leaves out is left out here too.
    """
    texts = [chunk.text for chunk in passages.chunks]
    whole = "\n".join(texts)
    if len(whole) <= WHOLE_DOCUMENT:
        return [whole] * len(texts)
    line_ids = [passages.lines.line_ids[chunk.positions[-1]] for chunk in passages.chunks]
    parts: dict[tuple[int, int], str] = {}
    for start, end in passages.bounds:
        held = [text for text, line_id in zip(texts, line_ids, strict=True) if start <= line_id <= end]
        if sum(map(len, held)) + len(held) <= WHOLE_DOCUMENT:
            parts[start, end] = "\n".join(held)
    pieces = _pieces(texts)
    return [
        next(
            (parts[span] for span in passages.bounds if span in parts and span[0] <= line_id <= span[1]), pieces[number]
        )
        for number, line_id in enumerate(line_ids)
    ]


def _pieces(texts: Sequence[str]) -> list[str]:
    """For each passage the run of passages it stands in, each run as long as fits."""
    runs: list[list[str]] = [[]]
    run_of: list[int] = []
    size = 0
    for text in texts:
        if runs[-1] and size + len(text) + 1 > WHOLE_DOCUMENT:
            runs.append([])
            size = 0
        runs[-1].append(text)
        size += len(text) + 1
        run_of.append(len(runs) - 1)
    joined = ["\n".join(run) for run in runs]
    return [joined[run] for run in run_of]


def _one_use(uses: Sequence[ModelUse]) -> ModelUse:
    """All calls on one document as one use: a record of each would outweigh the passages."""
    outcomes = {use.outcome for use in uses}
    return uses[0].model_copy(
        update={
            "call_keys": tuple(key for use in uses for key in use.call_keys),
            "input_tokens": sum(use.input_tokens for use in uses),
            "cached_tokens": sum(use.cached_tokens for use in uses),
            "output_tokens": sum(use.output_tokens for use in uses),
            "outcome": outcomes.pop()
            if len(outcomes) == 1
            else "partial"
            if outcomes & {"failed", "partial"}
            else "repaired",
            "problems": tuple(dict.fromkeys(problem for use in uses for problem in use.problems)),
        }
    )


def _downgrade(used: str, why: str) -> Downgrade:
    return Downgrade(stage="retrieval", wanted=WANTED, used=used, reason=why)
