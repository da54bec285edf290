"""What is to be otherwise when a run is done again, and the first stage at which it shows."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

from pipeline.audit.opened import Start
from pipeline.audit.replaying.vocabulary import Words
from schemas.errors import InputError, SettingsError

Arbiter = Literal["rules", "llm"]
STAGES: tuple[Start, ...] = get_args(Start)
PROMPTS: Mapping[str, Start] = {"question": "question", "arbiter": "retrieval", "generation": "generation"}
MAX_PROMPT_BYTES = 200_000  # bytes; twice what the window of a hosted model holds is no prompt but another file
SHA_SHOWN = 12  # hex digits of a hash in what is told of a change
_NAMED = re.compile(r"([a-z_]+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A run done again with something changed; with nothing given, a strict replay.

    `words` are dictionaries in the place of those of then, `prompts` system parts by purpose, `settings` options of
    retrieval as they were typed. `may_send`: what is not on record may be sent to the configured server. `start` None:
    the first stage that something given reaches, or all for a strict one.
    """

    start: Start | None = None
    words: Words | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    arbiter: Arbiter | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    may_send: bool = False

    @property
    def is_strict(self) -> bool:
        """True where nothing is changed."""
        return not self.changed()

    def changed(self) -> dict[str, str]:
        """What is changed, by option, as it stands in the record: names with hashes, never a path."""
        told: dict[str, str] = {}
        if self.words is not None:
            told |= self.words.told
        if self.prompts:
            hashes = [f"{name} {_sha(text)}" for name, text in sorted(self.prompts.items())]
            told["prompt"] = ", ".join(hashes)
        if self.model is not None:
            told["model"] = self.model
        if self.arbiter is not None:
            told["arbiter"] = self.arbiter
        if self.settings:
            told["setting"] = ", ".join(f"{name}={value}" for name, value in sorted(self.settings.items()))
        return told

    def on(self, model: str | None) -> WhatIf:
        """What it changes of a run with this model: naming the same one changes nothing, and allows to ask it."""
        named = self.model is not None
        return replace(self, model=None if self.model == model else self.model, may_send=self.may_send or named)

    def first_stage(self) -> Start:
        """The stage to start from: as asked, else the first that reads something changed.

        Raises InputError where the asked one comes after all that something changed is read in.
        """
        entries = self._entries()
        if not entries:
            return self.start or STAGES[0]
        if self.start is None:
            return min(entries.values(), key=STAGES.index)
        late = [name for name, stage in entries.items() if STAGES.index(stage) < STAGES.index(self.start)]
        if late:
            raise InputError(
                f"--from {self.start} takes the stored records of the stages before it, and {', '.join(late)} "
                f"{'is' if len(late) == 1 else 'are'} read in one of those; start from "
                f"{min(entries.values(), key=STAGES.index)}, or leave --from out"
            )
        return self.start

    def _entries(self) -> dict[str, Start]:
        """The last stage at which each option still shows when it is started from: '--model' shows at every one."""
        entries: dict[str, Start] = {}
        if self.words is not None:
            entries["a dictionary"] = "question"
        for name in self.prompts:
            entries[f"the prompt of {name}"] = PROMPTS[name]
        if self.model is not None:
            entries["the model"] = self.start or "question"
        if self.arbiter is not None:
            entries["the arbiter"] = "retrieval"
        if self.settings:
            entries["a setting"] = "retrieval"
        return entries


def read_prompts(options: Sequence[str], *, several: bool = False) -> list[tuple[str, str, str]]:
    """The prompts of `--prompt [NAME=]FILE`: name (generation without one), text, and the file's name.

    With `several` a name may come more than once.

    Raises InputError for a name that is none, a file that cannot be used, or a name given twice.
    """
    found: list[tuple[str, str, str]] = []
    for option in options:
        named = _NAMED.fullmatch(option)
        if named and named[1] not in PROMPTS:
            raise InputError(f"--prompt {option}: {named[1]!r} is no prompt; name one of {', '.join(PROMPTS)}")
        name, file = (named[1], named[2]) if named else ("generation", option)
        if not several and name in [one for one, _, _ in found]:
            raise InputError(f"--prompt: the prompt of {name} is given twice; give it once")
        found.append((name, _read_prompt(Path(file)), Path(file).name))
    return found


def read_settings(options: Sequence[str]) -> dict[str, str]:
    """The options `KEY=VALUE` of retrieval, as they were typed; they are checked when they are used.

    Raises SettingsError for what is no KEY=VALUE.
    """
    found: dict[str, str] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or not name.strip():
            raise SettingsError(f"--setting {option}: it must read KEY=VALUE, such as max_primaries=3")
        found[name.strip().removeprefix("retrieval.")] = value.strip()
    return found


def read_start(name: str | None) -> Start | None:
    """The stage to start from.

    Raises InputError for one that is none.
    """
    if name is not None and name not in STAGES:
        raise InputError(f"--from {name}: it is one of {', '.join(STAGES)}")
    return name


def read_arbiter(name: str | None) -> Arbiter | None:
    """Who judges.

    Raises InputError for one that is none.
    """
    if name is not None and name not in get_args(Arbiter):
        raise InputError(f"--arbiter {name}: it is one of {', '.join(get_args(Arbiter))}")
    return cast("Arbiter | None", name)


def _read_prompt(path: Path) -> str:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: the prompt cannot be read ({error.strerror}); name a text file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the prompt is no UTF-8 text; save it as such") from error
    if not text.strip():
        raise InputError(f"{path}: the prompt is empty")
    if len(data) > MAX_PROMPT_BYTES:
        raise InputError(f"{path}: the prompt has {len(data)} bytes, the limit is {MAX_PROMPT_BYTES}")
    return text.replace("\r\n", "\n")


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:SHA_SHOWN]
