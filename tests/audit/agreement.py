"""A short agreement in two versions, as plain text: read and asked in a fraction of a second."""

from __future__ import annotations

from pathlib import Path

AGREEMENT = """SUPPLY AGREEMENT

This Agreement is made between Acme Services Limited (the "Supplier") and Beta Retail Limited (the "Customer").

1. TERM

1.1 Initial term. This Agreement starts on the effective date, 1 February 2024, and has an initial term of three years.

2. LIABILITY

2.1 Liability cap. The total liability of either party under this Agreement shall not exceed EUR 2,500,000.

2.2 Nothing limits liability for fraud.

3. GOVERNING LAW

3.1 Governing law. This Agreement is governed by the laws of Ireland.
"""
CAP, LAW = "What is the liability cap?", "What is the governing law?"
AMENDED = AGREEMENT.replace("2,500,000", "3,000,000").replace(
    "2. LIABILITY",
    "1.2 Renewal. It is renewed for one year unless a party gives notice of ninety days.\n\n2. LIABILITY",
)


def written(folder: Path, text: str = AGREEMENT, name: str = "agreement.txt") -> Path:
    """The agreement as a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path
