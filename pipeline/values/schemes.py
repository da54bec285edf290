# ruff: noqa: E501  # patterns are read whole, on one line
"""Which public scheme a code belongs to, by its check digits: LEI, ISIN, IBAN, VAT, SIREN, NIF, and by label BIC, EIN.

The check digits are those of python-stdnum. A BIC and an American EIN have none: they are told by the word before them
and by their form.
"""

from __future__ import annotations

import re

LABEL_REACH = 40  # characters before a code in which its scheme may be named
_BIC_LABEL = re.compile(r"\b(?:BIC|SWIFT)\b", re.IGNORECASE)
_EIN_LABEL = re.compile(r"\bE\.?I\.?N\b|employer\s+identification|tax(?:payer)?\s+(?:I\.?D\b|identification)|\bFEIN\b", re.IGNORECASE)  # fmt: skip
_SIREN_LABEL = re.compile(r"\b(?:SIREN|SIRET|RCS|R\.C\.S\.?)\b", re.IGNORECASE)


def scheme_of(code: str, before: str) -> str | None:
    """The scheme of a code with these words before it; None where no check digits (or label) prove one."""
    from stdnum import bic, iban, isin, lei
    from stdnum.es import nif
    from stdnum.eu import vat
    from stdnum.fr import siren, siret
    from stdnum.gb import vat as british_vat
    from stdnum.us import ein

    plain = re.sub(r"[\s.-]", "", code).upper()
    label = before[-LABEL_REACH:]
    if not plain.isascii() or not plain.isalnum():
        return None
    named = {
        "lei": len(plain) == 20 and lei.is_valid(plain),
        "isin": len(plain) == 12 and plain[:2].isalpha() and isin.is_valid(plain),
        "iban": len(plain) >= 15 and iban.is_valid(plain),
        "bic": len(plain) in (8, 11) and _BIC_LABEL.search(label) is not None and bic.is_valid(plain),
        "ein": len(plain) == 9 and _EIN_LABEL.search(label) is not None and ein.is_valid(plain),
        "siren": len(plain) == 9 and _SIREN_LABEL.search(label) is not None and siren.is_valid(plain),
        "siret": len(plain) == 14 and _SIREN_LABEL.search(label) is not None and siret.is_valid(plain),
        "vat": plain[:2].isalpha() and 8 <= len(plain) <= 14 and (vat.is_valid(plain) or british_vat.is_valid(plain)),
        "nif": len(plain) == 9 and plain[:1].isalpha() != plain[-1:].isalpha() and nif.is_valid(plain),
    }
    return next((scheme for scheme, holds in named.items() if holds), None)
