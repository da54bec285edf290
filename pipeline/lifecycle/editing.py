"""The dictionaries as they would be with an edit in force; nothing is put in force here."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.drafts import Draft, read_draft
from dictionaries.faults import tell_faults
from dictionaries.file_format import DictionaryFile
from dictionaries.loading import MAX_FAULTS, dictionary_paths, unusable
from dictionaries.writing import to_toml
from pipeline.store.dictionaries import HISTORY, own_dictionaries
from schemas.errors import DictionaryError


def find_edited(root: Path, named: str) -> Draft:
    """The edited dictionary: a workbook, a TOML file, or a former version that the store keeps.

    A former version is named by its file in `dictionaries/history`, or by the beginning of that name. It carries the
    name of the dictionary that it is a version of.

    Raises DictionaryError where there is none, or more than one is meant.
    """
    path, history = Path(named), own_dictionaries(root) / HISTORY
    kept = sorted(history.glob("*.toml"))
    if path.suffix.lower() in (".toml", ".xlsx", ".xlsm") and path.is_file():
        draft = read_draft(path)
        is_kept = path.parent.resolve() == history.resolve()
        return replace(draft, name=_dictionary_of(path.stem, root)) if is_kept else draft
    wanted = named.removesuffix(".toml")
    meant = [path for path in kept if path.stem == wanted] or [path for path in kept if path.stem.startswith(wanted)]
    if len(meant) == 1 and wanted:
        return replace(read_draft(meant[0]), name=_dictionary_of(meant[0].stem, root))
    if meant and wanted:
        listed = ", ".join(path.stem for path in meant[:10])
        raise DictionaryError(f"{named!r} names {len(meant)} former versions; name one of them: {listed}")
    listed = ", ".join(path.stem for path in kept[:10]) or "none"
    raise DictionaryError(
        f"{named[:200]}: no such file (.xlsx, .toml) and no former version in {history}; there are: {listed}"
    )


def in_force(root: Path, name: str) -> DictionaryFile | None:
    """What the dictionary of that name says now; None where there is none.

    Raises RecordError when the store's own is broken, DictionaryError when a shipped one is.
    """
    path = dictionary_paths(overlay=own_dictionaries(root)).get(name)
    if path is None:
        return None
    draft = read_draft(path)
    if (draft.parsed is None or draft.faults) and path.parent == own_dictionaries(root):
        raise unusable(path, tell_faults(draft.faults, limit=MAX_FAULTS))
    if draft.parsed is None or draft.faults:
        raise DictionaryError(f"{draft.file}: the dictionary in force is broken; `lineproof dict check` says where")
    return draft.parsed


def version_kept(root: Path, name: str, version: str) -> DictionaryFile | None:
    """What a former version of a dictionary said, of the store's history or as shipped; None where it is not known.

    Two different files of one version leave it open which is meant: None.
    """
    shipped = dictionary_paths().get(name)
    history = sorted((own_dictionaries(root) / HISTORY).glob(f"{name}_*.toml"))
    read = [read_draft(path).parsed for path in (*history, *([shipped] if shipped else []))]
    found = [parsed for parsed in read if parsed is not None and parsed.version == version]
    return found[0] if found and all(each == found[0] for each in found) else None


def with_edit(root: Path, name: str, edited: DictionaryFile) -> Dictionaries:
    """All dictionaries of a store, the edited one in its place or beside the others.

    Raises DictionaryError as `load_dictionaries` does.
    """
    own = own_dictionaries(root)
    with TemporaryDirectory(prefix="lineproof-") as folder:
        overlay = Path(folder)
        for path in sorted(own.glob("*.toml")):
            if path.stem != name:
                shutil.copyfile(path, overlay / path.name)
        (overlay / f"{name}.toml").write_bytes(to_toml(edited))
        return load_dictionaries(overlay=overlay)


def _dictionary_of(stem: str, root: Path) -> str:
    """The dictionary that a file of the history, `NAME_<version>_<hash>`, is a version of."""
    names = dictionary_paths(overlay=own_dictionaries(root))
    known = [name for name in names if stem.startswith(f"{name}_")]
    return max(known, key=len) if known else stem.rsplit("_", 2)[0]
