"""Versions of remote files, by size, ETag and date, so that parts of two versions are never combined."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

# Files remembered: more than there are archives; single files that are read in parts need it for one batch only.
_KEPT = 1 << 16


class FileChangedError(ValueError):
    """The file has changed since it was first read; a retry cannot help."""


class Version(NamedTuple):
    """What a server reports about a file; None for what it does not."""

    size: int | None = None
    etag: str | None = None
    modified: str | None = None

    def conflict(self, later: Version) -> str | None:
        """How two versions differ; None if they may be the same."""
        if None not in (self.size, later.size) and self.size != later.size:
            return f"it had {self.size} bytes and has {later.size} now"
        if self.etag and later.etag:
            if self.etag.removeprefix("W/") != later.etag.removeprefix("W/"):
                return f"its ETag was {self.etag} and is {later.etag} now"
            if not self.etag.startswith("W/"):
                return None
        if self.modified and later.modified:
            if self.modified != later.modified:
                return f"it was last modified {self.modified} and now {later.modified}"
        elif (self.etag or self.modified) and not (self.etag and later.etag):
            return f"it had {self.validators}, now there is {later.validators} to compare"
        return None

    @property
    def validators(self) -> str:
        told = {"ETag": self.etag, "Last-Modified": self.modified}
        return (
            " and ".join(f"{name} {value}" for name, value in told.items() if value) or "neither ETag nor Last-Modified"
        )


class Versions:
    """The versions of recently read files. No lock: a forked child might inherit it locked."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def get(self, url: str) -> Version:
        return Version(**self._known.get(url, {}))

    def check(self, url: str, seen: Version) -> None:
        """Raises FileChangedError if another version of the file is known."""
        difference = self.get(url).conflict(seen)
        if difference is not None:
            raise FileChangedError(f"the file has changed since it was first read: {difference}")

    def keep(self, url: str, seen: Version) -> None:
        """Checks, then remembers this version for later checks."""
        self.check(url, seen)
        known = self._known.setdefault(url, {})
        for name, value in seen._asdict().items():
            if value is not None:
                known.setdefault(name, value)  # of several threads the first wins; the others check again below
        self.check(url, seen)
        if len(self._known) > _KEPT:
            with suppress(RuntimeError, KeyError):  # another thread is removing entries
                del self._known[next(iter(self._known))]
