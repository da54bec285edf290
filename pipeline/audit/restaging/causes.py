"""Why a stage may give something else today: what a record was made with, compared with what is here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from pipeline.audit.restaging.records import Difference
from schemas.record import Stamp
from schemas.request import RunRequest
from schemas.verification import Cause

SHORT_HASH = 12  # hex digits of a hash in a sentence


def library_differences(libraries: Mapping[str, str]) -> tuple[Difference, ...]:
    """Libraries and programs (name -> version then) that are others here, by name, with the versions both ways."""
    then = {_plain(name): known for name, known in libraries.items()}
    return tuple(
        Difference("library", f"{name} {known} then, {now or 'not installed'} now")
        for name, known in sorted(then.items())
        if (now := installed(name)) != known and not (now is None and known == "uninstalled")
    )


def request_differences(request: RunRequest, *, missing_dictionaries: Iterable[str] = ()) -> tuple[Difference, ...]:
    """What a run was asked with that is other here: code, dictionaries that were not kept, types, model options."""
    from pipeline.tracing import code_sha256
    from pipeline.values.declared import load_declared_types

    found = []
    if request.code_sha256 != code_sha256():
        detail = f"Lineproof's code {_short(request.code_sha256)} then, {_short(code_sha256())} now"
        found.append(Difference("code", detail))
    found += [
        Difference("dictionary", f"the dictionary {name} of then was not kept, and that of now was used")
        for name in sorted(missing_dictionaries)
    ]
    then, now = set(request.declared_types), set(load_declared_types())
    if then != now:
        detail = f"declared types {_listed(then)} then, {_listed(now)} now"
        found.append(Difference("declared_types", detail))
    return (*found, *_model_differences(request))


def stamp_differences(stamp: Stamp) -> tuple[Difference, ...]:
    """What a record was made with, by its stamp, that is other here: Lineproof and the libraries."""
    now = installed("lineproof")
    own = () if stamp.lineproof == now else (Difference("code", f"Lineproof {stamp.lineproof} then, {now} now"),)
    return (*own, *library_differences(stamp.libraries))


def restamped(stamp: Stamp, then: Stamp) -> Stamp:
    """A stamp of today with the versions of then: what it says beside them can be compared byte for byte."""
    return stamp.model_copy(update={"lineproof": then.lineproof, "libraries": then.libraries})


def causes_of(differences: Iterable[Difference]) -> tuple[Cause, ...]:
    """The causes that there can be, each once; where nothing differs the record was altered, and its hashes with it."""
    return tuple(dict.fromkeys(one.cause for one in differences)) or ("record",)


def told(differences: Iterable[Difference]) -> str:
    """The differences as the end of a sentence."""
    listed = "; ".join(dict.fromkeys(one.detail for one in differences))
    if not listed:
        return "nothing that it was made with has changed, so the record was altered, and its hashes with it"
    return f"other than then: {listed}"


@lru_cache(maxsize=256)
def installed(name: str) -> str | None:
    """Version of a library, or of a program that parsing calls; None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        from pipeline.parsing.ocr.engines import installed_engines

        return installed_engines().get(name)


def _model_differences(request: RunRequest) -> tuple[Difference, ...]:
    """Options of the model that the run did not know, or that are not known here."""
    if not request.model_settings:
        return ()
    from pipeline.llm.settings import ModelSettings

    then, now = set(request.model_settings), set(ModelSettings.model_fields)
    if then == now:
        return ()
    return (Difference("model_settings", f"options of the model: {_listed(then ^ now)} known only then or only now"),)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _short(digest: str) -> str:
    return digest[:SHORT_HASH]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
