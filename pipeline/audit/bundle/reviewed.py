"""What people said, on the first page of a bundle and on a page a review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pydantic_core

from pipeline.audit.bundle.collecting import SealedFolder
from pipeline.audit.reviewing.stored import REVIEW
from pipeline.audit.reviewing.told import Verdicts
from pipeline.sheet.markup import tag
from schemas.review import Review

REPLAY = "replay.json"


def page_of_review(folder: SealedFolder, held: tuple[tuple[str, str], ...]) -> bytes:
    """The page of a review; `held` is what holds it fast.

    Raises RecordError for a damaged one.
    """
    from pipeline.audit.page.reviewed import review_page

    return review_page(Review.from_json(folder.files[REVIEW], where=folder.place), held)


def told_beside(folder: SealedFolder, verdicts: Verdicts) -> dict[str, Any]:
    """Fields of `ToldFolder`: of a run or case what people said of it, of a review or replay what it says itself."""
    from pipeline.audit.page.reviewed import tell_reviews

    if REVIEW in folder.files:
        review = Review.from_json(folder.files[REVIEW], where=folder.place)
        right = review.correction
        heading = f"review of {review.run}" + (f": {right.question}" if right is not None else "")
        value = f": {right.text if right.text is not None else 'not in the document'}" if right is not None else ""
        roles = "".join(f": {one.candidate_id} should be {one.role}" for one in review.roles)
        return {"heading": heading, "text": f"{review.verdict}{value}{roles}", "status": f"by {review.reviewer}"}
    if REPLAY in folder.files:
        replay = pydantic_core.from_json(folder.files[REPLAY])
        return {"heading": f"replay of {replay['of']}", "text": replay["diff"]["text"], "status": _of_replay(replay)}
    return {"said": tell_reviews(verdicts.on(folder.path), f"{folder.root[:12]}-", "en")}


def told_redacted(folder: SealedFolder, shown: Mapping[str, Any], verdicts: Verdicts) -> dict[str, Any]:
    """The same with nothing that a redacted bundle hides: states, verdicts and counts, no name, value or reason."""
    from pipeline.audit.page.reviewed import state_words

    if REVIEW in folder.files:
        return {"text": str(shown[REVIEW].get("verdict") or "")}
    if REPLAY in folder.files:
        return {"text": _of_replay(shown[REPLAY])}
    told = verdicts.on(folder.path)
    if told.is_empty:
        return {}
    return {"said": tag("p", *(state_words(one, "en") for one in told.standings if one.subject == "answer"))}


def _of_replay(replay: Mapping[str, Any]) -> str:
    return "identical, byte for byte" if replay.get("identical") else "not identical"
