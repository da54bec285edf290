"""What `lineproof replay` does with its options: one run, or a table of several under one variant or several."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.audit.replaying.table import Variant, VariantTable
    from pipeline.audit.replaying.vocabulary import Words

STRICT = "as it was"  # the name of the variant that changes nothing


@dataclass(frozen=True, slots=True)
class Options:
    """The options as they were typed."""

    start: str | None
    dictionaries: tuple[str, ...]
    as_of: str | None
    prompts: tuple[str, ...]
    model: str | None
    arbiter: str | None
    settings: tuple[str, ...]
    saving: bool
    as_json: bool
    store: Path
    password: str | None = field(default=None, repr=False)

    def variants(self) -> list[Variant]:
        """What is to be tried: one, or one for each of several texts of the same prompt.

        Raises InputError, SettingsError and DictionaryError for an option that cannot be used.
        """
        from pipeline.audit.replaying.table import Variant
        from pipeline.audit.replaying.whatif import WhatIf, read_arbiter, read_prompts, read_settings, read_start

        start, arbiter, settings = read_start(self.start), read_arbiter(self.arbiter), read_settings(self.settings)
        prompts = read_prompts(self.prompts, several=True)
        words = self._words()
        found = [
            Variant(name, WhatIf(start, words, chosen, self.model, arbiter, settings))
            for name, chosen in _chosen_prompts(prompts)
        ]
        for one in found:
            one.what.first_stage()
        changed = ", ".join(f"{name} {value}" for name, value in found[0].what.changed().items())
        return found if len(found) > 1 else [Variant(found[0].name or changed or STRICT, found[0].what)]

    def _words(self) -> Words | None:
        from pipeline.audit.replaying.vocabulary import edited_words, joined, words_as_of

        found = [words_as_of(self.store, self.as_of)] if self.as_of is not None else []
        found += [edited_words(self.store, self.dictionaries)] if self.dictionaries else []
        return joined(found)


def replay_one(options: Options, runs: Sequence[str], variant: Variant) -> bool:
    """Do one run again and tell of it; False for a strict replay that differs.

    Raises as `replay_run` does.
    """
    from pipeline.audit.opened import open_run
    from pipeline.audit.replaying import replay_run
    from pipeline.cli.output import Progress, show_all, show_json

    if not runs:
        raise InputError("no run is named; name one as `show` takes it, or --all for every run of the store")
    with Progress() as progress:
        opened = open_run(_folder(options.store, runs[0]))
        again = replay_run(opened, variant.what, saving=options.saving, password=options.password, narrate=progress)
    path = str(again.path) if again.path else None
    if options.as_json:
        answer = again.run.answer.model_dump(mode="json")
        show_json({"replay": again.replay.model_dump(mode="json"), "differing": list(again.differing),
                   "answer": answer, "path": path})  # fmt: skip
    else:
        from pipeline.cli.render_replay import render_replay

        show_all(render_replay(again))
    return again.replay.identical or not again.replay.strict


def replay_many(
    options: Options, runs: Sequence[str], variants: Sequence[Variant], *, every: bool, out: str | None
) -> bool:
    """Do several runs again and tell of them in a table; False where a strict one differs or one could not be done.

    Raises InputError for what names no run, StoreError where the table cannot be written.
    """
    from pipeline.audit.replaying.table import compare_variants
    from pipeline.audit.replaying.tabled import KINDS
    from pipeline.cli.output import Progress, show_all, show_json
    from pipeline.store.runs import is_case, list_runs

    if out is not None and Path(out).suffix.lower() not in KINDS:
        raise InputError(f"--out {out}: end the name in one of {', '.join(KINDS)}")
    if every and runs:
        raise InputError("--all takes every run of the store; leave the names out, or leave --all out")
    folders = [run for run in list_runs(options.store) if not is_case(run)] if every else []
    folders = folders or [_folder(options.store, name) for name in runs]
    if not folders:
        raise InputError(f"the store {options.store} holds no run; ask a question first, or name a run")
    with Progress() as progress:
        table = compare_variants(folders, variants, saving=options.saving, narrate=progress)
    _write(table, out)
    if options.as_json:
        show_json({**table.model_dump(mode="json"), "out": out})
    else:
        from pipeline.cli.render_replay import render_table

        show_all(render_table(table, out))
    is_strict = all(one.what.is_strict for one in variants)
    done = all(row.same is not None for row in table.rows)
    return done and not (is_strict and any(one.identical is False for row in table.rows for one in row.answers))


def _write(table: VariantTable, out: str | None) -> None:
    if out is not None:
        from pipeline.audit.replaying.tabled import to_file
        from pipeline.cli.files import write_file

        write_file(Path(out), to_file(table, Path(out).suffix))


def _folder(store: Path, name: str) -> Path:
    from pipeline.audit.comparing.naming import find_side
    from pipeline.audit.comparing.sides import REPLAY

    folder = find_side(store, name)
    if (folder / REPLAY).is_file():
        raise InputError(f"{name}: this was done again already; name the run itself")
    return folder


def _chosen_prompts(prompts: Sequence[tuple[str, str, str]]) -> list[tuple[str, dict[str, str]]]:
    """Each choice of texts by purpose, with the name of its file; one choice without a name where none is given twice.

    Raises InputError where more than one prompt is given several times.
    """
    names = [name for name, _, _ in prompts]
    several = sorted({name for name in names if names.count(name) > 1})
    if len(several) > 1:
        raise InputError(f"--prompt: {' and '.join(several)} are given several times; give only one of them so")
    shared = {name: text for name, text, _ in prompts if name not in several}
    if not several:
        return [("", shared)]
    files = [(file, text) for name, text, file in prompts if name in several]
    labels = [file for file, _ in files]
    return [
        (file if labels.count(file) == 1 else f"{file} ({at})", {**shared, several[0]: text})
        for at, (file, text) in enumerate(files, 1)
    ]
