"""The way of a counterfactual: remade with all passages, without each, with as few as give the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pipeline.audit.why.effects import difference, evidence_of, same_answer, tell_value
from pipeline.audit.why.minimal import Minimal, smallest
from pipeline.audit.why.promoting import misses_of, promoted
from pipeline.audit.why.regenerating import Limited, Remade, Remaking
from pipeline.audit.why.removing import passages_of, without
from pipeline.audit.why.telling import (
    NOTHING_LEFT,
    joined,
    quoted,
    shortened,
    tell_ablation,
    tell_barren,
    tell_minimal,
    tell_promotion,
    tell_read,
    tell_redundant,
)
from pipeline.wording import tell_place
from schemas.provenance import CandidateScope
from schemas.replay import Ablation, Counterfactual, Promotion
from schemas.retrieval import AuditedRetrievalResult

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel
    from pipeline.store.runs import SavedRun
    from schemas.document import ParsedDocument

BUDGET = 20  # calls to a model in one counterfactual, where one is allowed at all

RemovedAs = Literal["primary", "supporting", "all_primary", "all_supporting", "all_but"]


def explain(
    saved: SavedRun,
    document: ParsedDocument | None,
    *,
    place: str,
    replies: LanguageModel | None = None,
    llm: LanguageModel | None = None,
    budget: int = BUDGET,
) -> Counterfactual:
    """On which passages the answer of a run stands; `place` is its folder in the store.

    Passages are left out of the stored hand-over, nothing is searched again. `replies` is the model of the run reading
    from the record alone, which costs nothing; `llm` may be sent `budget` calls. Where neither has a reply, rules
    answer, and are compared with what rules give of all passages. Without the `document` discarded passages cannot be
    read anew, and are not tried as primary ones.
    """
    limited = Limited(llm, budget) if llm is not None else None
    work = _Work(saved, document, Remaking(saved.question, replies, limited))
    if saved.answer.parts or saved.answer.status == "needs_clarification":
        return work.nothing_to_explain(place)
    ablations = work.ablations()
    minimal = work.minimal() if saved.answer.items else None
    promotions, told = work.promotions() if not saved.answer.items else ((), ())
    decisive = [one.removed[0] for one in ablations if len(one.removed) == 1 and one.effect in ("lost", "flipped")]
    redundant = [one.removed[0] for one in ablations if one.removed_as == "primary" and one.effect == "same"]
    return Counterfactual(
        run=place,
        status=saved.answer.status,
        text=saved.answer.text,
        baseline_identical=same_answer(saved.answer, work.baseline().answer),
        ablations=ablations,
        minimal=minimal.kept if minimal else (),
        minimal_is_proven=bool(minimal and minimal.is_proven),
        decisive=tuple(dict.fromkeys(decisive)),
        redundant=tuple(redundant if saved.answer.items else ()),
        promotions=promotions,
        places=work.places,
        calls_made=limited.sent if limited is not None else 0,
        budget_used_up=work.remaking.is_out,
        sentences=(*work.opening(), *work.sentences(ablations, minimal, redundant), *told),
    )


@dataclass
class _Work:
    saved: SavedRun
    document: ParsedDocument | None
    remaking: Remaking
    places: dict[str, str] = field(default_factory=dict)
    rules_stood_in: bool = False  # of an answer that the model gives again, for hand-overs without its reply

    @property
    def found(self) -> AuditedRetrievalResult:
        """The stored hand-over."""
        return self.saved.retrieval

    def nothing_to_explain(self, place: str) -> Counterfactual:
        """Of a question that was asked back, or that only its parts answer."""
        answer = self.saved.answer
        why = (
            f"The question has {len(answer.parts)} parts; each has a run of its own, and stands on passages of its own."
            if answer.parts
            else "The question was asked back; no passage was read for an answer."
        )
        return Counterfactual(
            run=place, status=answer.status, text=answer.text, baseline_identical=True, ablations=(), minimal=(),
            minimal_is_proven=True, decisive=(), redundant=(), sentences=(why,),
        )  # fmt: skip

    def baseline(self, *, by_rules: bool = False) -> Remade:
        """The answer from all passages, by the best means or by rules."""
        return self.remaking.remake(self.found, frozenset[str](), only_rules=by_rules)

    def ablations(self) -> tuple[Ablation, ...]:
        """Each primary alone, each supporting alone, then all of a kind where there are several."""
        passages = passages_of(self.found)
        primary = [one.candidate_id for one in passages if one.role != "supporting"]
        supporting = [one.candidate_id for one in passages if one.role == "supporting"]
        wanted: list[tuple[RemovedAs, list[str]]] = [("primary", [one]) for one in primary]
        if len(primary) > 1 and supporting:
            wanted.append(("all_primary", primary))
        if len(supporting) > 1:
            wanted.append(("all_supporting", supporting))
        wanted += [("supporting", [one]) for one in supporting]
        made = [self._ablation(removed, kind) for kind, removed in wanted]
        order: list[RemovedAs] = ["primary", "supporting", "all_primary", "all_supporting"]
        return tuple(sorted(made, key=lambda one: order.index(one.removed_as)))

    def minimal(self) -> Minimal | None:
        """A smallest set that gives the answer; None where all passages together do not give it any more."""
        names = self._cited_first()
        for by_rules in dict.fromkeys((not self.baseline().with_model, True)):
            base = self.baseline(by_rules=by_rules).answer
            if not same_answer(self.saved.answer, base):
                continue
            out = False

            def gives(chosen: frozenset[str], *, by_rules: bool = by_rules) -> bool | None:
                nonlocal out
                made = self._without(frozenset(names) - chosen, by_rules=by_rules)
                if made.with_model == by_rules:
                    out = True
                    return None
                return same_answer(self.saved.answer, made.answer)

            minimal = smallest(names, gives)
            if not (out and len(minimal.kept) == len(names)):
                stands_in = by_rules and self.baseline().with_model
                self.rules_stood_in = self.rules_stood_in or stands_in
                return replace(minimal, is_proven=minimal.is_proven and not stands_in)
        return None

    def promotions(self) -> tuple[tuple[Promotion, ...], tuple[str, ...]]:
        """What each nearest miss would give as a primary passage, and the same in sentences."""
        made, told = [], []
        for miss in misses_of(self.found, self.saved.answer.absence or self.found.absence):
            found = promoted(self.document, self.found, miss.candidate_id)
            if found is None:
                continue
            self._place(miss.candidate_id)
            remade = self.remaking.remake(found, ("promoted", miss.candidate_id))
            answer = remade.answer
            if answer is None:
                continue
            one = Promotion(
                candidate_id=miss.candidate_id, role=miss.role, why_not=miss.why_not, status=answer.status,
                text=answer.text, would_answer=bool(answer.items), how=remade.how,
            )  # fmt: skip
            made.append(one)
            values = [tell_value(item) for item in answer.items]
            if one.status != "not_found":
                told.append(tell_promotion(one, self.places, evidence_of(answer), values))
        barren = [one for one in made if one.status == "not_found"]
        told += [tell_barren(barren, self.places)] if barren else []
        return tuple(made), tuple(told)

    def opening(self) -> tuple[str, ...]:
        """The answer with its places, and by which means it was made again."""
        answer = self.saved.answer
        told = []
        if answer.items:
            values, several = [tell_value(item) for item in answer.items], len(answer.items) > 1
            what = f"{len(values)} values: {quoted(values)}" if several else quoted(values)
            told.append(f"The answer is {what} ({joined(evidence_of(answer))}).")
        else:
            told.append(f"The question has no answer: {answer.status.replace('_', ' ')}.")
        base = self.baseline()
        by_model = answer.answered_by == "llm"
        if by_model and not base.with_model:
            told.append(
                "A model wrote it, and no reply of it is on record for what follows; rules answer instead, and are "
                "compared with what rules give of all passages."
            )
        if not same_answer(answer, base.answer):
            by = "the model" if base.with_model else "rules"
            given = [tell_value(item) for item in base.answer.items] if base.answer is not None else []
            other = f"gives {'; '.join(given)}" if given else "finds nothing"
            told.append(f"Made again by {by} from all passages, the answer is another one ({shortened(other)}).")
        if self.rules_stood_in:
            told.append(self._tell_stand_in())
        return tuple(told)

    def _tell_stand_in(self) -> str:
        """That rules answered where the model has no reply on record, and what they make of all passages."""
        rules = self.baseline(by_rules=True).answer
        if rules is not None and same_answer(self.saved.answer, rules):
            with_all = "the same answer as the model's"
        else:
            given = [tell_value(item) for item in rules.items] if rules is not None else []
            with_all = f"another answer ({quoted(given)})" if given else "no answer"
        return (
            "The model has no reply on record for some of what follows; rules answered there, and are compared with "
            f"what they give of all passages, {with_all}."
        )

    def sentences(
        self, ablations: Sequence[Ablation], minimal: Minimal | None, redundant: Sequence[str]
    ) -> tuple[str, ...]:
        """What is enough, what decides, what changes nothing; a sentence each."""
        answer, told = self.saved.answer, []
        names = [one.candidate_id for one in passages_of(self.found)]
        if not names:
            told.append("No passage was read for an answer, so none can be left out.")
        if answer.items and minimal is not None:
            told.append(tell_minimal(minimal, answer, self.places, len(names)))
        elif answer.items:
            told.append(
                "How few passages are enough cannot be told: the answer could not be made again by these means."
            )
        elif not answer.items:
            primary = sum(one.role == "primary" for one in self.found.candidates)
            told += [tell_read(primary)] if primary else []
        own = self.baseline(by_rules=True).answer if self.rules_stood_in else None
        cited = (*evidence_of(answer), *evidence_of(own))
        cited_ids = {span.candidate_id for item in answer.items for span in item.spans}
        for one in sorted(ablations, key=lambda one: not cited_ids & set(one.removed)):
            is_group = one.removed_as in ("all_primary", "all_supporting")
            says_something = one.effect != "same" or is_group or one.removed[0] in cited_ids
            if says_something and (answer.items or one.effect != "same"):
                told.append(tell_ablation(one, answer, self.places, cited))
        silent = [one for one in redundant if one not in cited_ids]
        if answer.items and silent:
            told.append(tell_redundant(silent, self.places))
        if self.remaking.is_out:
            told.append("The budget of calls to the model was used up; what was left was judged by rules.")
        return tuple(told)

    def _ablation(self, removed: Sequence[str], kind: RemovedAs) -> Ablation:
        for one in removed:
            self._place(one)
        made = self._without(frozenset(removed))
        base = self.baseline(by_rules=not made.with_model).answer or self.saved.answer
        self.rules_stood_in = self.rules_stood_in or (self.baseline().with_model and not made.with_model)
        told = difference(base, made.answer)
        return Ablation(
            removed=tuple(removed),
            removed_as=kind,
            status=made.answer.status if made.answer is not None else "not_found",
            text=made.answer.text if made.answer is not None else NOTHING_LEFT,
            effect=told.effect,
            values_lost=tuple(tell_value(item) for item in told.lost),
            values_new=tuple(tell_value(item) for item in told.new),
            evidence=evidence_of(made.answer),
            how=made.how,
        )

    def _without(self, removed: frozenset[str], *, by_rules: bool = False) -> Remade:
        by_rules = by_rules or not self.baseline().with_model  # of two means only like is compared with like
        return self.remaking.remake(without(self.found, removed), removed, only_rules=by_rules)

    def _cited_first(self) -> list[str]:
        """The passages, those first that the answer cites."""
        cited = [span.candidate_id for item in self.saved.answer.items for span in item.spans]
        names = [one.candidate_id for one in passages_of(self.found)]
        for one in names:
            self._place(one)
        return [one for one in dict.fromkeys((*cited, *names)) if one in names]

    def _place(self, candidate_id: str) -> None:
        scope = next(one.anchor for one in self.found.provenances if one.candidate_id == candidate_id)
        self.places[candidate_id] = _tell(scope)


def _tell(scope: CandidateScope) -> str:
    return tell_place(scope.page_unit, (scope.page_start, scope.page_end), (scope.line_start, scope.line_end))
