"""What a collection may hold: beyond it a document is told as one that cannot be read, and is never opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CollectingSettings:
    """Limits on the way from a folder, an archive or remote storage to the documents of a batch."""

    max_documents: int = 1_000_000  # of a batch; one directory entry each
    max_document_bytes: int = 500_000_000  # of one document
    max_members: int = 100_000  # of one archive
    max_archive_bytes: int = 50_000_000_000  # that the members of one archive unpack to, together
    max_ratio: int = 200  # bytes out for a byte in, of a member or an archive: text packs 20 to 1, a bomb 1,000 to 1


DEFAULT_LIMITS = CollectingSettings()
MIN_BOMB_BYTES = 10_000_000  # what unpacks to less is harmless, whatever its ratio
MAX_DIRECTORY_BYTES = 32_000_000  # of the list of members of an archive, held whole: 100,000 of 300 bytes
MAX_DEPTH = 200  # folders in folders; people make ten, and the calls of a walk are nested
