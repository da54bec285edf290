"""The options of `lineproof batch` as one record, and which of them go together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from pathlib import Path

from schemas.batch import Budget
from schemas.errors import InputError, SettingsError

ENGINES = ("local", "ray")
_OF_A_RUN = frozenset({
    "out", "plan", "budget", "max_calls", "requests_per_minute", "tokens_per_minute", "prices", "engine", "address",
    "processes", "highlights", "force", "quiet", "json_progress", "as_json",
})  # fmt: skip
_ANYWHERE = frozenset({"store", "password"})  # a password may come from the environment
_TAKEN = {
    "template": _ANYWHERE | {"out", "force", "as_json"},
    "watch": _ANYWHERE | {"once", "as_json"},
    "list": _ANYWHERE | {"as_json"},
    "import-review": _ANYWHERE | {"by", "as_json"},
    "resume": _ANYWHERE | _OF_A_RUN,  # what shapes the cells stays as it was
    "run": _ANYWHERE | _OF_A_RUN | {"inputs", "metadata", "access", "use_model", "strategy"},
}
_SUM = re.compile(r"\s*(?:(?P<before>[A-Za-z]{3})\s*)?(?P<amount>\d+(?:\.\d+)?)\s*(?P<after>[A-Za-z]{3})?\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line; what was not given stands as here."""

    inputs: tuple[str, ...] = ()
    out: str | None = None
    metadata: str | None = None
    access: tuple[str, ...] = ()
    plan: bool = False
    budget: str | None = None
    max_calls: int | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    prices: str | None = None
    engine: str | None = None  # None: local, or that of the batch that is gone on with
    address: str | None = None
    processes: int | None = None
    use_model: bool = True
    highlights: bool = True
    strategy: str = "arbiter"
    by: str | None = None
    once: bool = False
    force: bool = False
    quiet: bool = False
    json_progress: bool = False
    as_json: bool = False
    store: str = "outputs"
    password: str | None = field(default=None, repr=False)

    @property
    def documents(self) -> tuple[str, ...]:
        """Where the documents are."""
        return self.inputs[:-1]

    @property
    def questions(self) -> Path:
        """The file of questions."""
        return Path(self.inputs[-1])

    @property
    def out_path(self) -> Path:
        """Where the results go; beside the current folder under the name of the questions, without one."""
        return Path(self.out) if self.out else Path(f"{self.questions.stem}_results.xlsx")

    def limits(self) -> Budget:
        """What may be spent.

        Raises SettingsError for a sum that is none.
        """
        amount, currency = read_sum(self.budget) if self.budget else (None, "USD")
        return Budget(
            amount=amount, currency=currency, max_calls=self.max_calls, requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
        )  # fmt: skip


def read_sum(text: str) -> tuple[float, str]:
    """A sum of money as amount and currency (ISO 4217); USD where none is named.

    Raises SettingsError for what is none.
    """
    match = _SUM.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        raise SettingsError(f"--budget {text[:40]!r} is no sum; write it like '20 USD' or '0.5 EUR'")
    return float(match["amount"]), (match["before"] or match["after"] or "USD").upper()


def action_of(
    options: Options, *, template: bool, resume: str | None, watch: str | None, listed: bool, review: str | None
) -> str:
    """What is to be done: template, watch, list, import-review, resume or run.

    Raises InputError for options that do not go together, SettingsError for one that is none.
    """
    actions = {
        "template": template, "watch": watch is not None, "list": listed, "import-review": review is not None,
        "resume": resume is not None,
    }  # fmt: skip
    chosen = [name for name, is_wanted in actions.items() if is_wanted]
    if len(chosen) > 1:
        raise InputError(f"--{' and --'.join(chosen)} are different things to do; choose one of them")
    action = chosen[0] if chosen else "run"
    if action != "run" and options.inputs:
        raise InputError(f"--{action} takes no documents or questions")
    idle = [_flag(name) for name in _given(options) if name not in _TAKEN[action]]
    if idle:
        raise InputError(f"{' and '.join(idle)} {'does' if len(idle) == 1 else 'do'} not go with {_told(action)}")
    if action == "run" and len(options.inputs) < 2:
        raise InputError(
            "name the documents and, last, the file of questions: lineproof batch DOCS QUESTIONS.xlsx -o RESULTS.xlsx; "
            "`lineproof batch --template -o QUESTIONS.xlsx` writes one to fill in"
        )
    _refuse_contradictions(options)
    return action


def _refuse_contradictions(options: Options) -> None:
    if options.engine not in (None, *ENGINES):
        raise SettingsError(f"--engine {options.engine[:40]!r} is not known; there are {' and '.join(ENGINES)}")
    if options.address is not None and options.engine != "ray":
        raise SettingsError("--address is that of a Ray cluster; it goes with --engine ray")
    if options.quiet and options.json_progress:
        raise InputError("--quiet and --json-progress contradict each other; leave one out")
    options.limits()


def _given(options: Options) -> list[str]:
    """Names of the fields that are not as they are without an option, in order."""
    bare = Options()
    return [one.name for one in fields(options) if getattr(options, one.name) != getattr(bare, one.name)]


def _flag(name: str) -> str:
    """The option behind a field."""
    return {"use_model": "--no-model", "highlights": "--no-highlights", "as_json": "--json"}.get(
        name, f"--{name.replace('_', '-')}"
    )


def _told(action: str) -> str:
    return "a run: it is for a review that comes back, or a batch that is watched" if action == "run" else f"--{action}"
