"""The model arbiter at its limits: a short repair, a prompt that does not fit, a model that runs in circles."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.llm import Transcript
from pipeline.llm.model import ModelUseError, Reply
from pipeline.llm.reply_text import CIRCLE_CHARS, runs_in_circles
from pipeline.retrieval.arbiter import Case, judge, judge_with_model
from pipeline.retrieval.arbiter.fitting import MAX_OUTSIDE_SUPPORT
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.signals import Signals
from schemas.audit import ModelUse
from schemas.errors import PromptTooLargeError
from schemas.retrieval import CandidateBrief
from tests.llm.doors import door
from tests.scripted_server import Answer, Prose, ScriptedServer, Truncated

IDS = [f"p{n}_l1_l2" for n in range(1, 9)]
STRONG = Signals(primary_terms=("cap", "limit"), value_wanted=True, value_beside=True, mentions=2)


def cases(signals=STRONG, snippet="The cap is USD 5."):
    """Eight candidates."""
    return [
        Case(
            CandidateBrief(candidate_id=one, methods=("m",), section=None, matched_keywords=(), snippet=snippet),
            signals,
        )
        for one in IDS
    ]


def rankings(ids, role="supporting"):
    """A reply that ranks some ids."""
    return {
        "rankings": [{"candidate_id": one, "role": role, "reason": "because"} for one in ids],
        "conflicts": [],
        "discovered_keywords": [],
    }


def asked_of(server, tmp_path):
    """The verdict of a real door on the eight briefs."""
    with Transcript(tmp_path / "calls.sqlite") as transcript:
        return judge_with_model("What is the cap?", [case.brief for case in cases()], door(server, transcript))


def test_a_repair_asks_only_for_what_is_missing(tmp_path):
    """The second request holds the two candidates that were left out, less room, and is put together with the first."""
    script = lambda request: Answer(rankings(IDS[6:] if request.is_repair else IDS[:6]))  # noqa: E731 - one line a script
    with ScriptedServer(script) as server:
        verdict = asked_of(server, tmp_path)
        first, second = server.requests
    assert "p1_l1_l2" not in second.messages[-1]["content"].split("---")[0]
    assert IDS[7] in second.prompt
    assert len(second.prompt) < len(first.prompt)
    assert second.body["max_output_tokens"] < first.body["max_output_tokens"]
    assert {one.judged_by for one in verdict.judgements.values()} == {"llm"}
    assert verdict.model_uses[0].outcome == "repaired"
    assert len(verdict.model_uses[0].call_keys) == 2


def test_what_the_short_repair_leaves_out_is_judged_by_rules(tmp_path):
    """A second gap is not asked for again: the rules judge it, and the outcome is partial."""
    script = lambda request: Answer(rankings(IDS[6:7] if request.is_repair else IDS[:6]))  # noqa: E731 - one line a script
    with ScriptedServer(script) as server:
        verdict = asked_of(server, tmp_path)
        assert len(server.requests) == 2
    assert verdict.judgements[IDS[7]].judged_by == "rules_after_llm"
    assert verdict.model_uses[0].outcome == "partial"


def test_a_chatty_short_repair_keeps_the_first_reply(tmp_path):
    """Prose instead of the missing rankings leaves those that were good."""
    with ScriptedServer(lambda request: Prose() if request.is_repair else Answer(rankings(IDS[:6]))) as server:
        verdict = asked_of(server, tmp_path)
    assert [verdict.judgements[one].judged_by for one in IDS] == ["llm"] * 6 + ["rules_after_llm"] * 2


def test_a_model_that_runs_in_circles_gets_no_more_room(tmp_path):
    """A reply cut off while it repeats itself is asked for once more with the same limit and hardly echoed."""
    loop = '{"rankings": [' + '{"candidate_id": "p1_l1_l2", "role": "primary", "reason": "because"}, ' * 80
    with ScriptedServer(lambda r: Answer(rankings(IDS)) if r.is_repair else Truncated(loop)) as server:
        verdict = asked_of(server, tmp_path)
        first, second = server.requests[0], server.requests[-1]
    limits = [request.body.get("max_output_tokens") or request.body["max_tokens"] for request in (first, second)]
    assert limits[0] == limits[1]
    assert len(second.prompt) < len(first.prompt) + CIRCLE_CHARS
    assert verdict.arbiter == "llm"


def test_running_text_and_lists_are_no_circles():
    """Different rankings of one form, and prose, are not taken for a loop; blanks and repeated records are."""
    role = '"role": "supporting", "reason": "speaks of matter'
    rows = "".join(f'{{"candidate_id": "p{n}_l{n * 7 % 50}_l{n * 7 % 50 + 2}", {role} {n * n}"}}, ' for n in range(60))
    assert not runs_in_circles(rows)
    assert not runs_in_circles("short")
    assert runs_in_circles('{"rankings": [' + " " * 5_000)
    assert runs_in_circles('{"candidate_id": "p1_l1_l2", "role": "primary"}, ' * 100)


class Small:
    """A model whose window holds some candidates; it calls each that it is shown tangential."""

    name = "small"

    def __init__(self, window):
        self.window, self.shown = window, []

    def ask(self, prompt, output, *, purpose, max_output_tokens, check):
        """A reply on what fits; else the error that the door raises."""
        ids = [one for one in IDS if one in prompt.user]
        self.shown.append(len(ids))
        use = ModelUse(
            purpose=purpose, model="small", prompt_name=prompt.name, prompt_sha256="0" * 64, call_keys=("k",),
            input_tokens=1, output_tokens=1, outcome="valid",
        )  # fmt: skip
        if len(ids) > self.window:
            failed = use.model_copy(update={"outcome": "failed"})
            raise ModelUseError("the prompt is too large", failed) from PromptTooLargeError("the prompt is too large")
        value = output.model_validate(rankings(ids, "tangential"))
        return Reply(value, tuple(check(value)), use)


def test_a_prompt_beyond_the_limit_is_cut_and_says_so():
    """The best by rank are shown, the rest judged by rules and kept as support at most, with a downgrade."""
    ranks = [{one: n for n, one in enumerate(reversed(IDS), 1)}]
    verdict = judge(
        "q", cases(snippet="word " * 100), ranks=ranks, llm=Small(99), settings=RetrievalSettings(prompt_tokens=1_200)
    )
    by_model = [one for one in IDS if verdict.judgements[one].judged_by == "llm"]
    assert by_model
    assert by_model == IDS[-len(by_model) :]
    hidden = [verdict.judgements[one] for one in IDS[: -len(by_model)]]
    assert hidden
    assert all("had no room" in one.reason and one.role != "primary" for one in hidden)
    assert sum(one.role == "supporting" for one in hidden) <= MAX_OUTSIDE_SUPPORT
    assert verdict.downgrades[0].used.startswith("llm arbiter over")


def test_a_small_window_is_halved_into():
    """A model that says the prompt is too large is asked with the better half, every call on record."""
    model = Small(2)
    verdict = judge("q", cases(), ranks=[], llm=model, settings=RetrievalSettings())
    assert model.shown == [8, 4, 2]
    assert [use.outcome for use in verdict.model_uses] == ["failed", "failed", "valid"]
    assert verdict.arbiter == "llm"
    assert len(verdict.downgrades) == 2  # one for each call that failed


def test_a_window_for_nothing_leaves_the_rules():
    """Where not even one candidate fits the rules judge all, and the downgrade says why."""
    verdict = judge("q", cases(), ranks=[], llm=Small(0), settings=RetrievalSettings())
    assert verdict.arbiter == "rules"
    assert verdict.downgrades[-1].used == "rules arbiter"
    assert sorted(verdict.judgements) == IDS


@settings(max_examples=60, deadline=None)
@given(window=st.integers(0, 9), tokens=st.integers(200, 4_000), pool=st.integers(1, 9))
def test_nothing_is_lost_at_any_limit(window, tokens, pool):
    """Whatever the window, the prompt's limit and the pool's: candidates in are candidates out, each with a reason."""
    limits = RetrievalSettings(prompt_tokens=tokens, pool_limit=pool)
    ranks = [{one: n for n, one in enumerate(IDS, 1)}]
    verdict = judge("q", cases(), ranks=ranks, llm=Small(window), settings=limits)
    assert sorted(verdict.judgements) == IDS
    assert all(one.reason for one in verdict.judgements.values())
