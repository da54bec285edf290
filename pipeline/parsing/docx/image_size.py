"""Width and height of an image from the first bytes of its file, without unpacking it."""

from __future__ import annotations

import struct

_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})  # SOF markers; the three left out are tables
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length


def read_image_size(data: bytes) -> tuple[int, int]:
    """Pixels across and down of a PNG, GIF, BMP or JPEG file; (0, 0) for anything else, or where it is cut off."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            width, height = struct.unpack(">II", data[16:24])
            return int(width), int(height)
        if data.startswith(b"GIF8"):
            width, height = struct.unpack("<HH", data[6:10])
            return int(width), int(height)
        if data.startswith(b"BM"):
            width, height = struct.unpack("<ii", data[18:26])
            return abs(int(width)), abs(int(height))
        if data.startswith(b"\xff\xd8"):
            return _read_jpeg(data)
    except struct.error:
        return 0, 0
    return 0, 0


def _read_jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == 0xFF or marker in _JPEG_ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return 0, 0
