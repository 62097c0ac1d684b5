"""How much memory one sample may take: headers and directories of archives promise sizes that anybody can write."""

from __future__ import annotations

from penstock import _native

VARIABLE = "PENSTOCK_MAX_BYTES"

# An image of 350 megapixels, 10 s of Full HD video or three hours of stereo; a batch of such still fits a workstation.
DEFAULT = 2 << 30

_LARGEST = (1 << 63) - 1  # that the native core counts to: as good as no limit


def max_bytes(given: int | None) -> int:
    """The limit of a call: what it was given, or what the environment says, or 2 GiB."""
    if given is not None:
        if given < 1:
            raise ValueError(f"max_bytes must be at least 1, got {given}")
        return min(given, _LARGEST)
    stated = _native.environment(VARIABLE)
    if not stated:
        return DEFAULT
    if not stated.isdecimal() or int(stated) < 1:
        raise ValueError(f"{VARIABLE} must be a whole number of bytes, at least 1, got {stated!r}")
    return min(int(stated), _LARGEST)


def refusal(what: str, needed: int, limit: int) -> str | None:
    """Why `what` may not take so many bytes; None where it may."""
    try:
        _native.require_memory(what, needed, limit)
    except RuntimeError as error:
        return str(error)
    return None
