"""A saved run for whoever has to defend it: methods, every candidate with role and reason, checks, the model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from pipeline.cli.output import plain
from pipeline.cli.render_answer import render_answer, render_path
from pipeline.cli.render_standing import render_reviews
from pipeline.store.runs import SavedRun
from pipeline.wording import pages_of, place_of, tell_place, words_of
from schemas.answer import Answer
from schemas.ledger import LedgerEntry
from schemas.question import ParsedQuestion, Settled
from schemas.retrieval import AuditedRetrievalResult, CandidateProvenance, CandidateScope
from schemas.trace import Trace

if TYPE_CHECKING:
    from pipeline.audit.reviewing.told import ToldReviews

MAX_KEYWORDS = 12  # keywords listed of each source; all stand in the record
MAX_SNIPPET = 160  # characters of a candidate's snippet
SHOWN_HEX = 12  # digits of a hash in a line; the page and the record have it whole
_ROLE_STYLE = {"primary": "bold green", "supporting": "green", "tangential": "yellow", "discarded": "dim red"}
_JUDGE = {
    "llm": "a model",
    "rules": "rules",
    "rules_after_llm": "rules, where the model gave no usable verdict",
    "ranking": "rank alone",
}


@dataclass(frozen=True, slots=True)
class Held:
    """What the ledger holds of a run: its seal, None for one without; its line, None where there is none."""

    seal: str | None = None
    entry: LedgerEntry | None = None

    def told(self) -> dict[str, object] | None:
        """Seal and line for a machine; None without a seal."""
        line = self.entry.model_dump(mode="json") if self.entry else None
        return {"root": self.seal, "line": line} if self.seal else None


def render_saved_run(
    run: SavedRun, held: Held | None = None, reviews: ToldReviews | None = None
) -> list[RenderableType]:
    """The answer, what people said of it, then the tree of how it came about; `held` is told where it is given."""
    tree = Tree(Text("How this answer came about", style="bold"), guide_style="dim")
    _add_question(tree, run.question)
    _add_methods(tree, run.retrieval)
    _add_candidates(tree, run.retrieval)
    _add_checks(tree, run.answer)
    _add_model(tree, run)
    _add_run(tree, run)
    if held is not None:
        _add_seal(tree, held)
    paths = [render_path("run", str(run.path))]
    paths += [render_path(name.partition(".")[0], str(run.path / name)) for name in run.papers]
    answer = render_answer(run.answer, run.trace.source_name, run.question)
    said = render_reviews(reviews) if reviews is not None else []
    return [Text(), *answer, *said, Text(), tree, Text(), *paths]


def _add_question(tree: Tree, question: ParsedQuestion) -> None:
    branch = tree.add(_line("question", question.original_question))
    if question.previous_question is not None:
        branch.add(_line("after", question.previous_question))
    if question.resolved_question is not None:
        branch.add(_line("complete", question.resolved_question))
    if question.settled is not None:
        _add_settled(branch, question.settled)
    if question.corrected_question != (question.resolved_question or question.original_question):
        branch.add(_line("read as", question.corrected_question))
    branch.add(_line("asks for", f"{question.answer_type}, {question.answer_shape} ({question.language})"))
    if question.concepts:
        branch.add(_line("concepts", ", ".join(f"{c.concept_id} (by {c.matched_by!r})" for c in question.concepts)))
    for source in dict.fromkeys(word.source for word in question.keywords):
        words = [word.text for word in question.keywords if word.source == source]
        more = f" and {len(words) - MAX_KEYWORDS} more" if len(words) > MAX_KEYWORDS else ""
        branch.add(_line(f"keywords, {source}", ", ".join(words[:MAX_KEYWORDS]) + more))
    if question.exclusions:
        branch.add(_line("not", ", ".join(question.exclusions)))
    for part in question.decomposition.sub_questions:
        waits = f" ('{part.stands_for_answer}' is the answer to the part before)" if part.stands_for_answer else ""
        branch.add(_line("part", f"{part.text}{waits}"))
    if question.decomposition.condition:
        branch.add(_line("condition", question.decomposition.condition))
    for note in question.notes:
        branch.add(_line("note", note))


def _add_settled(branch: Tree, settled: Settled) -> None:
    """What was open, what it could have been, what was taken and by whom."""
    how = {
        "reply": "the user chose", "default": "the user let the default stand", "votes": "earlier replies chose",
        "only_option": "nothing else in the document fits",
    }[settled.by]  # fmt: skip
    share = f", share {settled.confidence:.2f}" if settled.confidence is not None else ""
    votes = f" ({settled.votes:g} earlier votes{share})" if settled.votes else ""
    leaf = branch.add(_line("was open", f"{settled.question_to_user} {how}{votes}"))
    for choice, value in zip(settled.choices, settled.candidate_values, strict=True):
        leaf.add(_line("taken" if value == settled.chosen else "choice", f"{choice} [{value}]"))


def _add_methods(tree: Tree, found: AuditedRetrievalResult) -> None:
    branch = tree.add(_line("methods", ", ".join(found.strategy) or "none"))
    for name in found.methods_run:
        branch.add(_line("run", f"{name}{_rule(found, name)}", style="green"))
    for name in found.methods_skipped:
        branch.add(_line("skipped", f"{name}: {found.skipped_reasons[name]}{_rule(found, name)}", style="yellow"))
    branch.add(_line("judged by", _JUDGE[found.arbiter]))


def _add_candidates(tree: Tree, found: AuditedRetrievalResult) -> None:
    kept = len(found.candidates)
    count = f"{len(found.provenances)} proposed, {kept} kept, {len(found.provenances) - kept} discarded"
    branch = tree.add(_line("candidates", count))
    if found.not_found:
        branch.add(_line("not found", found.not_found_reason or "", style="yellow"))
    for each in found.provenances:
        _add_candidate(branch, each)
    for conflict in found.conflicts:
        branch.add(_line("conflict", f"{conflict.point}: {conflict.statement}", style="red"))


def _add_candidate(branch: Tree, each: CandidateProvenance) -> None:
    brief = each.structural_context
    head = Text.assemble(
        (f"{each.role:<10}  ", _ROLE_STYLE[each.role]), plain(each.candidate_id), (f"  {_scope(each.anchor)}", "cyan")
    )
    if brief.section:
        head.append(f"  {plain(brief.section, keep_lines=False)}", style="dim")
    leaf = branch.add(head)
    rule = f" (rule {each.rule})" if each.rule else ""
    leaf.add(_line("reason", f"{each.reason}{rule}"))
    for name in each.methods_that_found_it:
        rank = each.rank_per_method.get(name)
        leaf.add(_line(name, f"{f'rank {rank}: ' if rank else ''}{each.detector_reasons.get(name, '')}"))
    snippet = plain(brief.snippet, keep_lines=False)
    leaf.add(_line("shown", snippet if len(snippet) <= MAX_SNIPPET else snippet[:MAX_SNIPPET] + " …"))


def _add_checks(tree: Tree, answer: Answer) -> None:
    branch = tree.add(_line("answer", f"{answer.status}: {answer.text}"))
    for item in answer.items:
        leaf = branch.add(Text.assemble((plain(words_of(item.value), keep_lines=False), "bold green")))
        for span in item.spans:
            leaf.add(_line("cited", f"{place_of(span)} (candidate {span.candidate_id})"))
        for check in item.checks:
            leaf.add(_line(f"{'passed' if check.passed else 'FAILED'} {check.check}", check.detail))
    for refused in answer.refused_items:
        leaf = branch.add(_line("refused", f"{refused.value_text} (by {refused.proposed_by})", style="red"))
        leaf.add(_line("reason", refused.reason))
        for check in refused.checks:
            leaf.add(_line(f"{'passed' if check.passed else 'FAILED'} {check.check}", check.detail))
    branch.add(_line("complete", answer.completeness.reason))


def _add_model(tree: Tree, run: SavedRun) -> None:
    uses = [use for record in (run.question, run.retrieval, run.answer) for use in record.model_uses]
    if not uses and not run.trace.model_calls:
        tree.add(_line("model", "none was used"))
    else:
        branch = tree.add(_line("model", f"{len(uses)} uses, {len(run.trace.model_calls)} exchanges on record"))
        for use in uses:
            tokens = f"{use.input_tokens:,} tokens read, {use.output_tokens:,} written"
            prompt = f"prompt {use.prompt_name} {use.prompt_sha256[:SHOWN_HEX]}"
            leaf = branch.add(_line(use.purpose, f"{use.model}: {use.outcome}, {tokens}, {prompt}"))
            for problem in use.problems:
                leaf.add(_line("problem", problem, style="red"))
        _add_calls(branch, run.trace)
    for step in run.trace.downgrades:
        tree.add(_line("lesser means", f"{step.stage}: {step.used} instead of {step.wanted}: {step.reason}"))


def _add_calls(branch: Tree, trace: Trace) -> None:
    """Each exchange in one line, then what all of them cost; their words stand on the page that `--html` writes."""
    for call in trace.model_calls:
        how = "from the transcript" if call.from_cache else f"{call.seconds:.2f} s, {call.attempts} sent"
        told = f"{call.purpose}, {call.input_tokens:,} tokens read, {call.output_tokens:,} written, {how}"
        leaf = branch.add(_line("exchange", told))
        if call.error:
            leaf.add(_line("failed", call.error, style="red"))
    cost = trace.cost
    if cost is None:
        branch.add(_line("cost", "not recorded by the version that wrote this trace"))
    else:
        price = "no price is set" if cost.amount is None else f"{cost.amount:.6f} {cost.currency or ''}".rstrip()
        branch.add(_line("cost", f"{cost.calls_sent} sent, {cost.calls_from_cache} from the transcript: {price}"))


def _add_seal(tree: Tree, held: Held) -> None:
    if held.seal is None:
        tree.add(_line("seal", "none: the run is from before there was a ledger", style="yellow"))
        return
    branch = tree.add(_line("seal", held.seal))
    if held.entry is None:
        branch.add(_line("ledger", "no line of this store's ledger holds it", style="red"))
    else:
        branch.add(_line("ledger", f"line {held.entry.seq}, {held.entry.at}, {held.entry.hash}"))


def _add_run(tree: Tree, run: SavedRun) -> None:
    branch = tree.add(_line("run", run.trace.started))
    branch.add(_line("stages", ", ".join(_stages(run.trace))))
    if run.trace.strategy_name != "arbiter":
        branch.add(_line("strategy", run.trace.strategy_name))
    if run.trace.pages_not_read:
        branch.add(_line("not read", f"pages {pages_of(run.trace.pages_not_read)}", style="yellow"))
    if run.trace.written_as is not None:
        told = f"version {run.trace.written_as}, which recorded less than version {run.trace.schema_version}"
        branch.add(_line("trace", told))
    branch.add(_line("versions", ", ".join(f"{name} {value}" for name, value in run.trace.versions.items())))
    for note in run.trace.notes:
        branch.add(_line("note", note))
    for part in run.trace.parts:
        branch.add(_line("part", part))


def _stages(trace: Trace) -> Iterable[str]:
    for stage in trace.stages:
        yield f"{stage.stage} {'from the store' if stage.from_cache else f'{stage.seconds:.2f} s'}"


def _rule(found: AuditedRetrievalResult, name: str) -> str:
    rule = found.dispatch_rules.get(name)
    return f" (rule {rule})" if rule else ""


def _scope(scope: CandidateScope) -> str:
    return tell_place(scope.page_unit, (scope.page_start, scope.page_end), (scope.line_start, scope.line_end))


def _line(label: str, text: str, *, style: str = "") -> Text:
    return Text.assemble((f"{label}  ", "dim"), (plain(text, keep_lines=False), style))
