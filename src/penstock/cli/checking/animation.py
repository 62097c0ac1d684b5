"""How many pictures a file says it has: readers take the first."""

from __future__ import annotations

from struct import unpack_from

from penstock.ops.decode.headers import OUT_OF_BOUNDS, png_chunks

_WEBP_ANIMATED = 0x02


def is_animated(view: memoryview, image_format: str) -> bool:
    """Whether a GIF, PNG, WebP or TIFF has more than one picture; False where its data ends before that is told."""
    try:
        if image_format == "PNG":
            return any(name == b"acTL" for name, _, _ in png_chunks(view))
        if image_format == "WebP":
            kind, flags = unpack_from("<4s4xB", view, 12)
            return bool(kind == b"VP8X" and flags & _WEBP_ANIMATED)
        if image_format == "TIFF":
            return _has_pages(view)
        return image_format == "GIF" and _gif_pictures(view) > 1
    except (*OUT_OF_BOUNDS, IndexError):
        return False


def _has_pages(view: memoryview) -> bool:
    order = "<" if view[0] == ord("I") else ">"
    version, first = unpack_from(f"{order}2xHI", view, 0)
    if version != 42:  # BigTIFF
        return False
    (entries,) = unpack_from(f"{order}H", view, first)
    (following,) = unpack_from(f"{order}I", view, first + 2 + 12 * entries)
    return bool(following)


def _gif_pictures(view: memoryview) -> int:
    """Counts image blocks up to the second."""
    position = 13 + _table(view[10])
    found = 0
    while found < 2 and view[position] != ord(";"):
        if view[position] == ord(","):
            found += 1
            position += 10 + _table(view[position + 9]) + 1
        else:  # an extension
            position += 2
        while view[position]:
            position += 1 + view[position]
        position += 1
    return found


def _table(flags: int) -> int:
    """The bytes of a table of colours."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0
