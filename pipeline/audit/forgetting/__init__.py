"""A document erased on request: its bytes, text and answers go, a line in the ledger stays, and the chain verifies.

`find_documents` says what a name means, `plan_erasure` what goes and what stays, `forget` does it, `finish` ends an
erasure whose process died, `unfinished` tells of one.
"""

from __future__ import annotations

from pipeline.audit.forgetting.documents import find_documents
from pipeline.audit.forgetting.erasing import MARK, finish, forget, unfinished
from pipeline.audit.forgetting.planning import plan_erasure

__all__ = ["MARK", "find_documents", "finish", "forget", "plan_erasure", "unfinished"]
