"""The options of `lineproof batch` as one record, and which of them go together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from schemas.batch import Budget
from schemas.errors import InputError, SettingsError

_SUM = re.compile(r"\s*(?:(?P<before>[A-Za-z]{3})\s*)?(?P<amount>\d+(?:\.\d+)?)\s*(?P<after>[A-Za-z]{3})?\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line."""

    inputs: tuple[str, ...]
    out: str | None
    metadata: str | None
    access: tuple[str, ...]
    budget: str | None
    max_calls: int | None
    requests_per_minute: int | None
    tokens_per_minute: int | None
    prices: str | None
    engine: str
    address: str | None
    processes: int | None
    use_model: bool
    highlights: bool
    strategy: str
    force: bool
    quiet: bool
    json_progress: bool
    as_json: bool
    store: str
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


def refuse_mixed(
    options: Options, *, template: bool, resume: str | None, watch: str | None, listed: bool, review: str | None
) -> str:
    """What is to be done: template, watch, list, review or run.

    Raises InputError for options that do not go together.
    """
    actions = {
        "template": template, "watch": watch is not None, "list": listed, "review": review is not None,
        "resume": resume is not None,
    }  # fmt: skip
    chosen = [name for name, wanted in actions.items() if wanted]
    if len(chosen) > 1:
        raise InputError(f"only one of --{', --'.join(one if one != 'review' else 'import-review' for one in chosen)}")
    if chosen and options.inputs:
        raise InputError(f"--{'import-review' if chosen[0] == 'review' else chosen[0]} takes no documents or questions")
    if not chosen and len(options.inputs) < 2:
        raise InputError(
            "name the documents and, last, the file of questions: lineproof batch DOCS QUESTIONS.xlsx -o RESULTS.xlsx; "
            "`lineproof batch --template -o QUESTIONS.xlsx` writes one to fill in"
        )
    if options.engine not in ("local", "ray"):
        raise SettingsError(f"--engine {options.engine[:40]!r} is not known; there are local and ray")
    if options.address is not None and options.engine != "ray":
        raise SettingsError("--address is that of a Ray cluster; it goes with --engine ray")
    if options.quiet and options.json_progress:
        raise InputError("--quiet and --json-progress contradict each other")
    return chosen[0] if chosen and chosen[0] != "resume" else "run"
