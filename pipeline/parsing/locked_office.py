"""Office files behind a password: the package inside, unlocked in memory."""

from __future__ import annotations

import struct
from io import BytesIO
from xml.parsers.expat import ExpatError

from schemas.errors import DamagedDocumentError, EncryptedDocumentError


def unlock_office(data: bytes, *, name: str, password: str | None) -> bytes:
    """The bytes of the Office package (a ZIP) inside the encrypted container (ECMA-376 part 2, [MS-OFFCRYPTO]).

    Raises EncryptedDocumentError without the right password, DamagedDocumentError for a container that is broken.
    """
    import msoffcrypto
    from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

    if password is None:
        raise EncryptedDocumentError(
            f"{name}: the file is encrypted and needs a password to open; give it with --password or LINEPROOF_PASSWORD"
        )
    unlocked = BytesIO()
    try:
        office = msoffcrypto.OfficeFile(BytesIO(data))
        office.load_key(password=password)
        office.decrypt(unlocked)
    except (InvalidKeyError, DecryptionError) as error:
        raise EncryptedDocumentError(f"{name}: the password given does not open the file; check it") from error
    except (FileFormatError, ParseError, ExpatError, struct.error, ValueError, LookupError, OSError) as error:
        raise DamagedDocumentError(f"{name}: the encrypted container is damaged ({error}); fetch it again") from error
    return unlocked.getvalue()
