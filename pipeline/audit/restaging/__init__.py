"""Every stage of a run done again, offline, and compared byte for byte with what it left in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.verification import Mismatch, Remark

if TYPE_CHECKING:
    from pipeline.audit.restaging.records import Checked, Difference

__all__ = ["check_stages"]

Result = tuple[Path, list[Mismatch], list[Remark], dict[str, int]]


def check_stages(
    root: Path,
    folders: Iterable[Path],
    *,
    password: str | None = None,
    narrate: Callable[[str], object] = lambda _: None,
    processes: int | None = None,
) -> Iterator[Result]:
    """What comes of each run and case of `folders`, done again, and of each parsing that they rest on; by folder.

    A result is the folder, its mismatches, its remarks, and how often each check was made. Documents are parsed again
    from the bytes in the store; stages by rules are done again; stages by a model are answered from the run's own
    record, and nothing is sent. A run is done again as a whole; only where it differs, stage by stage from the stored
    records, so that a mismatch names the stage that differs and not those that follow.

    The last result is that of the store itself, with one remark on what is other than then and changes nothing.
    Folders of other kinds (replays, reviews) give no result. `password` opens protected documents. `processes`: how
    many work side by side; None: as many as there are cores, one where there is little to do.

    Raises StoreError where a process was ended from outside.
    """
    from pipeline.audit.restaging.jobs import plan_jobs
    from pipeline.audit.restaging.pool import do_jobs

    root = root.resolve()
    jobs = plan_jobs(root, {folder.resolve() for folder in folders}, password)
    open_folders = sorted(folder for job in jobs for folder in job.expects)
    done: dict[Path, Checked] = {}
    unused: Counter[Difference] = Counter()
    at = 0
    for count, (job, results) in enumerate(do_jobs(jobs, processes=processes), start=1):
        narrate(f"{count} of {len(jobs)}: {job.holder} ({job.kind})")
        done |= {checked.folder: checked for checked in results}
        while at < len(open_folders) and open_folders[at] in done:
            checked = done.pop(open_folders[at])
            unused.update(checked.differences)
            yield checked.folder, list(checked.mismatches), list(checked.remarks), dict(checked.checks)
            at += 1
    yield root, [], _told_versions(unused), {}


def _told_versions(unused: Counter[Difference]) -> list[Remark]:
    """One remark for the store on all that differs from then without any effect; none where nothing does."""
    if not unused:
        return []
    listed = [f"{one.detail} ({count})" for one, count in sorted(unused.items(), key=lambda each: each[0].detail)]
    detail = (
        "Made with other means than are here, and with the same result (of how many records and parsings in brackets): "
        f"{'; '.join(listed)}."
    )
    return [Remark(kind="versions", place=".", detail=detail)]
