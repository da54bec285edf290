"""What the model saw and said: every exchange with its messages in full, the raw reply, tokens, time and price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.audit.page.blocks import as_json, bullets, facts, folded, table, verbatim
from pipeline.audit.page.labels import label
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.markup import Markup, Node, join, tag
from schemas.audit import ModelCall, ModelUse
from schemas.trace import CostTrace, Trace

TOKENS_PRICED = 1_000_000  # tokens that a price of the settings is for
MESSAGES = ("input", "messages")  # where the two dialects of the request hold them


def tell_exchanges(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """What was used for what, what it cost, the templates, then each exchange."""
    trace = run.saved.trace
    yield tag("h2", label("model_part", language), id=f"{key}model")
    uses = uses_of(run)
    if not uses and not trace.model_calls:
        yield tag("p", label("no_model_used", language))
        return
    if trace.cost is not None:
        yield _cost(trace.cost, language)
    if uses:
        yield _uses(uses, language)
    for prompt in trace.prompts:
        told = join(label("template", language, name=prompt.name), " ", tag("span", prompt.sha256, class_="hash"))
        yield folded(told, verbatim(prompt.template, language))
    if not trace.model_calls:
        yield tag("p", label("no_exchange", language))
    for number, call in enumerate(trace.model_calls, 1):
        yield _exchange(call, number, uses, trace, language)


def uses_of(run: ToldRun) -> tuple[ModelUse, ...]:
    """What the model was used for, in order; of an older trace as the other records have it."""
    if run.saved.trace.model_uses:
        return run.saved.trace.model_uses
    records = (run.saved.question, run.saved.retrieval, run.saved.answer)
    return tuple(dict.fromkeys(use for record in records for use in record.model_uses))


def _cost(cost: CostTrace, language: str) -> Markup:
    price = label("no_price", language) if cost.amount is None else f"{cost.amount:.6f} {cost.currency or ''}".strip()
    tokens = label(
        "tokens_told", language, input=f"{cost.input_tokens:,}", cached=f"{cost.cached_tokens:,}",
        output=f"{cost.output_tokens:,}",
    )  # fmt: skip
    calls = label("calls_told", language, sent=cost.calls_sent, cached=cost.calls_from_cache)
    return facts(
        [(label("calls", language), calls), (label("tokens", language), tokens), (label("cost", language), price)]
    )


def _uses(uses: tuple[ModelUse, ...], language: str) -> Markup:
    heads = [label(name, language) for name in ("used_for", "model", "prompt", "outcome", "tokens", "problems")]
    rows = [
        (
            use.purpose, use.model, join(use.prompt_name, " ", tag("span", use.prompt_sha256, class_="hash")),
            use.outcome, f"{use.input_tokens:,} / {use.output_tokens:,}", bullets(use.problems) or "",
        )
        for use in uses
    ]  # fmt: skip
    return table(heads, rows, name=label("used_for", language))


def _exchange(call: ModelCall, number: int, uses: tuple[ModelUse, ...], trace: Trace, language: str) -> Markup:
    use = next((one for one in uses if call.call_key in one.call_keys), None)
    is_repair = use is not None and use.call_keys.index(call.call_key) > 0
    head = f"{label('exchange', language, number=number)}: {call.purpose}"
    if is_repair:
        head += f" ({label('repair_of', language)})"
    messages = _messages(call.request)
    shown = [
        folded(_message_head(message, at, language), verbatim(_content(message), language), is_open=False)
        for at, message in enumerate(messages, 1)
    ]
    rest = {name: value for name, value in call.request.items() if name not in MESSAGES or not messages}
    if call.reply is None:
        reply = tag("p", label("no_reply", language, error=call.error or call.error_kind or call.status), class_="bad")
    else:
        told = label("reply", language, count=f"{len(call.reply):,}")
        reply = folded(told, verbatim(call.reply, language), is_open=True)
    return tag(
        "article", tag("h3", head), facts(_facts(call, use, trace, language)), *shown,
        folded(label("rest_of_request", language), as_json(rest, language)) if rest else None, reply, class_="cand",
    )  # fmt: skip


def _facts(call: ModelCall, use: ModelUse | None, trace: Trace, language: str) -> Iterator[tuple[str, Node]]:
    name = call.prompt_name or (use.prompt_name if use else "") or label("not_recorded", language)
    sha = use.prompt_sha256 if use else next((one.sha256 for one in trace.prompts if one.name == name), None)
    yield label("prompt", language), join(name, " ", tag("span", sha, class_="hash") if sha else None)
    yield label("model", language), f"{use.model} ({call.api})" if use else call.api
    tokens = label(
        "tokens_told", language, input=f"{call.input_tokens:,}", cached=f"{call.cached_tokens:,}",
        output=f"{call.output_tokens:,}",
    )  # fmt: skip
    yield label("tokens", language), tokens
    if call.from_cache:
        yield label("time", language), label("cached_call", language)
    else:
        took = label("attempts", language, seconds=f"{call.seconds:.2f}", count=call.attempts)
        yield label("time", language), took
        yield label("cost", language), _price(call, trace.settings.get("model"), language)
    yield label("outcome", language), call.status + (f": {use.outcome}" if use and use.outcome != call.status else "")
    if call.error:
        yield label("problems", language), call.error
    yield label("call_key", language), tag("span", call.call_key, class_="hash")


def _price(call: ModelCall, options: Any, language: str) -> str:
    """What the call cost by the prices of the settings, as the trace adds them up."""
    told: Mapping[str, Any] = options if isinstance(options, Mapping) else {}
    read, written = told.get("price_input"), told.get("price_output")
    if read is None or written is None:
        return label("no_price", language)
    kept = told.get("price_cached")
    paid = (call.input_tokens - call.cached_tokens) * read + call.output_tokens * written
    paid += call.cached_tokens * (read if kept is None else kept)
    return f"{paid / TOKENS_PRICED:.6f} {told.get('price_currency') or ''}".strip()


def _messages(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    for name in MESSAGES:
        held = request.get(name)
        if isinstance(held, list) and all(isinstance(one, Mapping) for one in held):
            return held
    return []


def _message_head(message: Mapping[str, Any], number: int, language: str) -> str:
    count = f"{len(_content(message)):,}"
    return label("message", language, number=number, role=str(message.get("role", "")), count=count)


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # the Responses API may hold a message in pieces
        return "\n".join(str(one.get("text", "")) if isinstance(one, Mapping) else str(one) for one in content)
    return "" if content is None else str(content)
