"""On which passages an answer stands: passages left out one by one, the answer made again, the smallest set sought.

`explain_saved` is the face for what stands in a store, `explain` for records at hand. Nothing is saved, and nothing is
sent unless a model is given with a budget.
"""

from __future__ import annotations

from pipeline.audit.why.explaining import BUDGET, explain
from pipeline.audit.why.saved import explain_saved

__all__ = ["BUDGET", "explain", "explain_saved"]
