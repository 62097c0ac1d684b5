"""What tells one version of a file from another."""

from __future__ import annotations

from typing import NamedTuple


class Version(NamedTuple):
    """What a server says of a file; None for what it does not say."""

    size: int | None = None
    etag: str | None = None
    modified: str | None = None
