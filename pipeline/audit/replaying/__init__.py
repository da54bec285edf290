"""A run done again from what is stored: strictly, to prove it; or with something changed, to see what it does."""

from __future__ import annotations

from pipeline.audit.replaying.redoing import Replayed, replay_run
from pipeline.audit.replaying.whatif import WhatIf

__all__ = ["Replayed", "WhatIf", "replay_run"]
