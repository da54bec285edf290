"""Time-stamps by RFC 3161: a request over a signed head, as a file to send, and what the authority's reply says.

Nothing is sent from here. A time-stamp closes the gap that a signature leaves: the clock is another's, so whoever holds
both the key and the store cannot date a head back.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from schemas.errors import InputError

_HASHES = {  # object identifiers of the hash functions that an authority may have used (RFC 5754)
    "2.16.840.1.101.3.4.2.1": "sha256",
    "2.16.840.1.101.3.4.2.2": "sha384",
    "2.16.840.1.101.3.4.2.3": "sha512",
}
_OPENSSL_REASON = re.compile(r'data: "([^"]+)"')  # in the dump of its error stack
_GRANTED = (0, 1)  # PKIStatus: granted, granted with modifications


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an authority's reply says of a file."""

    at: str | None  # its time, UTC, ISO 8601; None where it grants none
    policy: str | None  # object identifier of the rules it stamps by
    serial: int | None
    signature_checked: bool  # by a root certificate that the caller trusts; else left to openssl
    faults: tuple[str, ...]  # empty: the reply is over this file


def request_stamp(data: bytes) -> bytes:
    """A time-stamp request (.tsq, DER) over the SHA-256 of `data`, with a random nonce, asking for the certificate."""
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    builder = TimestampRequestBuilder().data(data).hash_algorithm(HashAlgorithm.SHA256)
    return builder.nonce(nonce=True).cert_request(cert_request=True).build().as_bytes()


def read_stamp(reply: Path, *, of: Path, request: Path | None = None, authorities: Sequence[Path] = ()) -> Stamp:
    """What a reply (.tsr, DER) says of the file `of`; with `request`, that it answers this one, by its nonce.

    `authorities` are files with root certificates (PEM) that the caller trusts. With them the signature is checked,
    with the certificates valid at the time of the stamp; whether one was revoked is not asked. Without them a reply
    free of faults says only that somebody wrote this time over the hash of this file.

    Raises InputError where a file cannot be read, or is nothing of the kind.
    """
    from rfc3161_client import decode_timestamp_response

    data, content = _read(of), _read(reply)
    try:
        parsed = decode_timestamp_response(content)
        if parsed.status not in _GRANTED:
            told = "; ".join(parsed.status_string) or "no reason given"
            return Stamp(None, None, None, False, (f"the authority refused it (status {parsed.status}): {told}",))
        info = parsed.tst_info
        faults = _faults_of(info, data, _read(request) if request is not None else None)
    except ValueError as error:
        raise InputError(
            f"{reply}: not read as a time-stamp reply in DER ({error}); openssl reads more kinds: "
            f"{openssl_command(reply, of)}"
        ) from error
    if authorities and not faults:
        faults = _signature_faults(parsed, data, authorities)
    return Stamp(
        at=info.gen_time.astimezone(UTC).isoformat(),
        policy=info.policy.dotted_string,
        serial=info.serial_number,
        signature_checked=bool(authorities) and not faults,
        faults=tuple(faults),
    )


def curl_command(request: Path, reply: Path) -> str:
    """The line that sends a request; the address is that of the user's authority."""
    header = "Content-Type: application/timestamp-query"
    return (
        shlex.join(["curl", "-sS", "-H", header, "--data-binary", f"@{request}", "-o", str(reply)]) + " AUTHORITY_URL"
    )


def openssl_command(reply: Path, of: Path) -> str:
    """The line by which openssl checks the authority's signature and the hash."""
    return shlex.join(["openssl", "ts", "-verify", "-data", str(of), "-in", str(reply)]) + " -CAfile AUTHORITY_ROOT.pem"


def _faults_of(info: Any, data: bytes, request: bytes | None) -> list[str]:
    faults = []
    oid = info.message_imprint.hash_algorithm.dotted_string
    if oid not in _HASHES:
        faults.append(f"the stamp uses the hash function {oid}, which is none of SHA-256, SHA-384 and SHA-512")
    elif hashlib.new(_HASHES[oid], data).digest() != bytes(info.message_imprint.message):
        faults.append("the stamp is over other bytes than this file holds")
    if request is not None and (info.nonce is None or _der_integer(info.nonce) not in request):
        faults.append("the stamp answers another request: it does not repeat the nonce")
    return faults


def _der_integer(number: int) -> bytes:
    """A number as DER writes it (X.690, 8.3): tag 2, length, two's complement; up to 127 bytes."""
    content = number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)
    return bytes((2, len(content))) + content


def _signature_faults(parsed: Any, data: bytes, authorities: Sequence[Path]) -> list[str]:
    from cryptography.x509 import load_pem_x509_certificates
    from rfc3161_client import VerificationError, VerifierBuilder

    roots = []
    for path in authorities:
        try:
            roots += load_pem_x509_certificates(_read(path))
        except ValueError as error:
            raise InputError(f"{path}: holds no certificates in PEM ({error}); name the authority's root") from error
    try:
        VerifierBuilder(roots=roots).build().verify_message(parsed, data)
    except (VerificationError, ValueError) as error:
        told = _OPENSSL_REASON.search(str(error))
        why = told.group(1) if told else str(error)
        return [f"the signature of the authority does not hold by the certificates named: {why}"]
    return []


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name another file") from error
